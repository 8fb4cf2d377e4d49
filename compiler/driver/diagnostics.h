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
/* Where messages end with the first missing header or #error: no other form of the source mends that, and nvcc reads no
 * further. 0: there is none, or (not `whole`: the tool still runs) it is not written to its end. */
size_t uw_end_of_final(const char *messages, bool whole);
/* One tool's messages; `count`: with the number of errors after them. */
void uw_show_tool(const uw_job *job, bool count);

/* The text without colours. */
char *uw_without_colours(const char *text);
/* "2 warnings and 1 error generated." */
bool uw_is_count(const char *line);

#endif
