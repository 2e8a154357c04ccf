/* SPDX-License-Identifier: MIT */
/* What the files of plumb-dec mvt share. */
#ifndef TOOLS_PLUMB_DEC_MVT_H
#define TOOLS_PLUMB_DEC_MVT_H

#include <stdio.h>

#include "mvt/mvt.h"

/** Print a tile as JSON: layers with features like those of GeoJSON, but in
 * tile coordinates.  false: no memory. */
bool plumb_dec_mvt_json(FILE *out, const struct mvt_reader *reader);

#endif
