/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the driver has to know of a CUDA source's text before clang sees it. */
#ifndef UW_DRIVER_SOURCE_LOOK_H
#define UW_DRIVER_SOURCE_LOOK_H

#include "../support/strings.h"
#include "objections.h"

typedef struct uw_source_look {
  const char *entries;        /* of the overlay */
  uw_strings paths, contents; /* what it shows: each path, and the file with its text */
  const char *standard_input; /* the file that clang is to read as that; or null */
  const char *overlay; /* a file for clang's -ivfsoverlay that shows files with launch brackets closed up; or null */
  bool old_references; /* the program wants texture<…> or surface<…> to be CUDA's */
} uw_source_look;

/* Looks at a source and at what it includes, in its own folder or in one of `folders`; standard input, whose text is in
 * the file `standard_input` (else null), includes from the current folder. False after a message. */
bool uw_look_at_source(const char *source, const char *standard_input, const uw_strings *folders, uw_source_look *look);

/* After clang's messages: shows both sides what it refuses and nvcc takes in another form, and with `blanks` each side the
 * other templates with errors without a body. False after a message, or where clang names standard input and there is none. */
bool uw_look_again(uw_objections *objections, bool blanks, uw_source_look *look, uw_source_look own_look[2]);

#endif
