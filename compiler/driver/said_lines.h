/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Sources that say what their lines are called: `#line 7 "grammar.y"`, and preprocessed ones, `# 7 "a.cu"`. clang's messages go by
 * that; who changes the text has to know where it is. */
#ifndef UW_DRIVER_SAID_LINES_H
#define UW_DRIVER_SAID_LINES_H

/* The messages with the places that the source at `path` gave such names as places in that file. `file` has its text. */
const char *uw_physical_places(const char *messages, const char *path, const char *file);

#endif
