/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The driver's own messages: "unwarp: error: ..." on stderr. One error ends a compile; notes say the way out. */
#ifndef UW_DRIVER_REPORT_H
#define UW_DRIVER_REPORT_H

#include <stdbool.h>

/* Always false, so that a function can end with `return uw_report_error(...)`. */
bool uw_report_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void uw_report_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void uw_report_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From here on these say it, not stderr; null: stderr again. */
void uw_report_to(void (*say)(const char *kind, const char *text));

#endif
