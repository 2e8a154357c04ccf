/* SPDX-License-Identifier: MIT */
/* One pass over a tile, for any processor. */
#define OPEN_NAME   mvt_open_portable
#define VARINT_WORD protobuf_varint_word
#include "mvt/mvt_open_body.h"
