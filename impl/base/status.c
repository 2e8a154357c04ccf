/* SPDX-License-Identifier: MIT */
/* Texts of the shared failures, generated from their one list. */
#include "base/status.h"

const char *status_text(enum status st)
{
    switch (st) {
#define X(name, text)                                                         \
    case name:                                                                \
        return text;
        STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}
