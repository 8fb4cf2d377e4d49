/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Bounds of extents and indices: see bounds.h. */
#include "bounds.h"

#include "value_ranges.h"

static const int64_t FAR = INT64_C(1) << 30;

static int64_t least_in(uw_integers range) { return range.smin > -FAR ? (int64_t)range.smin : UW_NO_LEAST; }
static int64_t most_in(uw_integers range) { return range.smax < FAR ? (int64_t)range.smax : UW_NO_MOST; }

int64_t uw_least_of(MlirValue value) { return least_in(uw_index_range(value)); }
int64_t uw_most_of(MlirValue value) { return most_in(uw_index_range(value)); }

int64_t uw_most_of_count(MlirValue value) {
  uw_integers range = uw_index_range(value);
  return range.smin >= 0 ? most_in(range) : UW_NO_MOST;
}
