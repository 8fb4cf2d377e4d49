/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Interleaved elements in registers: of so many streams, one element of each in turn. */
#ifndef UW_WEAVES_H
#define UW_WEAVES_H

#include "../../analysis/cpu.h"
#include "../passes.h"

enum {
  UW_MOST_STREAMS = 16,
  UW_MOST_LANES = 16 /* of a register */
};

/* May elements of so many bytes be interleaved, by a stride of so many? Those of 2 bytes (half, short)
 * where they can be loaded under masks. */
bool uw_may_weave(const uw_target *target, int64_t bytes, int64_t stride);
/* Takes apart what `streams` registers hold one after the other: out[i] has the elements of stream i. Each register has
 * so many lanes. */
void uw_take_apart(uw_builder *b, const MlirValue *in, int64_t streams, int64_t lanes, MlirValue *out);
/* The way back: in[i] has the elements of stream i. */
void uw_weave(uw_builder *b, const MlirValue *in, int64_t streams, int64_t lanes, MlirValue *out);
/* How many shuffles either takes. */
int64_t uw_weave_cost(int64_t streams);

#endif
