/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks: what the passes made of a kernel, with places in the source, for people who want to know why it is fast or slow.
 * Off unless asked for. The same remark about the same place is said once, however often a kernel was copied to its launches.
 *
 *   text    kernel.cu:12:3: remark: barrier dropped: it orders nothing [barrier-elim]      on standard error
 *   JSON    {"file":"kernel.cu","line":12,"column":3,"pass":"barrier-elim","remark":"…"}   a line each, on standard output */
#ifndef UW_REMARKS_H
#define UW_REMARKS_H

#include "ir.h"

typedef enum uw_remarks { UW_REMARKS_NONE, UW_REMARKS_TEXT, UW_REMARKS_JSON } uw_remarks;

void uw_set_remarks(uw_remarks form);
uw_remarks uw_remarks_form(void);

/* The name of locations (mlirLocationNameGet) about which nothing is said. */
#define UW_UNREMARKED "unwarp.unremarked"

/* About the code at the location; pass is the name of who did it. */
void uw_remark(MlirLocation location, const char *pass, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
