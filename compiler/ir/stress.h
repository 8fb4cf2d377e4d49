/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiles that look for bugs in unwarp itself: UW_STRESS in the environment, names with commas between.
 *
 *   attributes  names attributes that are alive after the end that ir/attributes.def gives them
 *   changes  names the pass that changed a module and says that it did not (run_log.h)
 *   growth   names the step that makes several times the operations of a function (growth.h)
 *   levels   takes each file for one with too much code for all levels of x86-64 (lower/levels.c)
 *   masks    has programs take the ways that hardly ever run: the version for where a question fails (transform/version.h),
 *            lanes by masks where all are at work. They compute the same, slower. */
#ifndef UW_STRESS_H
#define UW_STRESS_H

#include <stdbool.h>

bool uw_stresses(const char *what);

#endif
