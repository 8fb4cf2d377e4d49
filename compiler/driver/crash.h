/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What is said when the driver itself crashes. What a child of it does is reported by who started that. */
#ifndef UW_DRIVER_CRASH_H
#define UW_DRIVER_CRASH_H

/* From here on a fatal signal to this process says that it is a bug in unwarp, and which command shows it, before the
 * process dies by that signal. arguments have to stay as they are. Temporary files are removed by the next run (temp.h). */
void uw_report_crashes(char **arguments);

#endif
