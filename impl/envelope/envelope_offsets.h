/* SPDX-License-Identifier: MIT */
/* Matches of offset 0: liblz4 lets them pass, the format forbids them. */
#ifndef ENVELOPE_ENVELOPE_OFFSETS_H
#define ENVELOPE_ENVELOPE_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/macros.h"

/**
 * Tell whether a block that liblz4 has accepted has a match of offset 0.
 *
 *   block, block_size  any bytes are safe; the answer means something only
 *                      for a block that was accepted
 *
 * Cost: 9 instructions a sequence.
 */
MUST_CHECK bool envelope_block_has_zero_offset(const uint8_t *block,
                                               size_t block_size);

#endif
