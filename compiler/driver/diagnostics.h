/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the user sees of what the tools said. Their stderr went to files; here it is put together, each message once. */
#ifndef UW_DRIVER_DIAGNOSTICS_H
#define UW_DRIVER_DIAGNOSTICS_H

#include "jobs.h"

/* The two sides of one source. When the host side failed, its messages alone; else, when the device side failed,
 * those; else both sides' warnings, each once. A crash is reported as such. */
void uw_show_front_ends(const uw_job *host, const uw_job *device);
/* What one tool said, without colours. */
const char *uw_said(const uw_job *job);
/* Whether clang refused a launch by a kernel because it was not told to make relocatable device code. */
bool uw_wants_relocatable(const uw_job *side);
/* Whether clang missed a header, or came to an #error: no other form of the source mends that. */
bool uw_is_final(const uw_job *side);
/* One tool's messages; `count`: with the number of errors after them. */
void uw_show_tool(const uw_job *job, bool count);

/* The text without colours. */
char *uw_without_colours(const char *text);
/* "2 warnings and 1 error generated." */
bool uw_is_count(const char *line);

#endif
