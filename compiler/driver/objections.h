/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What clang objects to in one reading of a source by both sides, and what another form of the source settles of it.
 * All of it is gathered from that one reading, so that one more is enough for nearly all sources.
 *
 * An objection is an error with its notes. A form that leniency.c knows for one of these lines settles it for both
 * sides; the body of a template taken away settles what else is in it, for the side that said so. */
#ifndef UW_DRIVER_OBJECTIONS_H
#define UW_DRIVER_OBJECTIONS_H

#include "../support/strings.h"

#include <stdbool.h>
#include <stddef.h>

/* BLANKED: by a body that was taken away. */
typedef enum { UW_OPEN, UW_SETTLED, UW_BLANKED } uw_objection_state;
typedef struct uw_objections uw_objections;

/* What the host side said, and the device side; places are where lines are in files. */
uw_objections *uw_objections_of(const char *const said[2], bool sycl);
/* Those that other means than another form of the source settle: `settles` says it of an error with its notes. Whether
 * there are any. */
bool uw_settle_objections(uw_objections *objections, bool (*settles)(const char *message, void *argument),
                          void *argument);
/* Adds the paths of the sources that they are about. */
void uw_objected_paths(const uw_objections *objections, uw_strings *paths);
/* The text of the source at `path` in the form that settles what can be for both sides; null if nothing can. */
char *uw_accept_objected(uw_objections *objections, const char *path, const char *text);
/* That form (or the text) without the bodies of templates in which a side's other errors are; null if there are none.
 * In a template where something is settled an error may follow from that: its body stays. */
char *uw_blank_objected(uw_objections *objections, int side, const char *path, const char *text);
bool uw_has_objection(const uw_objections *objections, uw_objection_state state);
/* A side's messages without those that are settled. */
char *uw_left_of_messages(const uw_objections *objections, int side, const char *messages);

#endif
