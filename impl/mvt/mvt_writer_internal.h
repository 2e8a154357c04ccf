/* SPDX-License-Identifier: MIT */
/* What the writer's files share. */
#ifndef MVT_MVT_WRITER_INTERNAL_H
#define MVT_MVT_WRITER_INTERNAL_H

#include "mvt/mvt_writer.h"

/** Note a failure and return it. */
static inline enum mvt_fault mvt_writer_fail(struct mvt_writer *w,
                                             enum mvt_fault fault,
                                             uint64_t number)
{
    w->error = (struct mvt_error){.fault = fault, .number = number};
    return fault;
}

static inline bool mvt_writer_in_feature(const struct mvt_writer *w)
{
    return w->state == MVT_WRITER_FEATURE ||
           w->state == MVT_WRITER_FEATURE_WHOLE;
}

/** Append a geometry's commands; on failure some may stand there. */
enum mvt_fault mvt_writer_put_geometry(struct mvt_writer *w,
                                       const struct mvt_geometry *g);

/** Tables of the layer: without memory, empty again, and given back. */
void mvt_writer_init_tables(struct mvt_writer *w);
void mvt_writer_clear_tables(struct mvt_writer *w);
void mvt_writer_free_tables(struct mvt_writer *w);

/** Take out of the tables what the open feature put there. */
void mvt_writer_undo_tags(struct mvt_writer *w);

#endif
