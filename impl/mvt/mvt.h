/* SPDX-License-Identifier: MIT */
/* Mapbox Vector Tiles: all that a user includes.
 *
 *   mvt_reader.h      open a tile; layers and features
 *   mvt_properties.h  a feature's properties
 *   mvt_geometry.h    a feature's geometry: a block each, a buffer, callbacks
 *   mvt_tile.h        owned tiles
 *   mvt_proto.h       the message as it came
 *   mvt_dump.h        text
 *   mvt_writer.h      write a tile piece by piece
 *   mvt_encode.h      write an owned tile
 */
#ifndef MVT_MVT_H
#define MVT_MVT_H

#include "mvt/mvt_dump.h"
#include "mvt/mvt_encode.h"
#include "mvt/mvt_geometry.h"
#include "mvt/mvt_properties.h"
#include "mvt/mvt_proto.h"
#include "mvt/mvt_reader.h"
#include "mvt/mvt_tile.h"
#include "mvt/mvt_writer.h"

#endif
