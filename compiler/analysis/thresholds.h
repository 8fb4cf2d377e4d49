/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The thresholds of thresholds.def by their names. */
#ifndef UW_THRESHOLDS_H
#define UW_THRESHOLDS_H

enum {
#define UW_THRESHOLD(name, value, unit, decides, measured) name = value,
#include "thresholds.def"
#undef UW_THRESHOLD
};

#endif
