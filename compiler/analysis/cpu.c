/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What CPUs can do: see cpu.h. */
#include "cpu.h"

enum { SSE = 16, AVX2 = 32, AVX512 = 64, WORD = 4 };

uw_target uw_target_with(int64_t register_bytes) {
  bool is_large = register_bytes >= AVX512;
  return (uw_target){.register_bytes = register_bytes, .registers = is_large ? 32 : 16, .has_masks = is_large};
}

uw_target uw_target_of(MlirOperation op) {
  MlirOperation module = uw_kind(op) == UW_OP_MODULE ? op : uw_parent_of_kind(op, UW_OP_MODULE);
  int64_t bytes = uw_null(module) ? SSE : uw_get_int_attr(module, "unwarp.register_bytes", SSE);
  if (bytes == UW_SEVERAL_CPUS)
    uw_fatal("bug in unwarp: a pass before 'levels' asks for what the CPU has");
  return uw_target_with(bytes);
}

int64_t uw_lanes_for(const uw_target *target, int64_t element_bytes) { return target->register_bytes / element_bytes; }

bool uw_gathers(const uw_target *target) { return target->register_bytes >= AVX2; }

bool uw_loads_under_masks(const uw_target *target, int64_t element_bytes) {
  return target->has_masks || (element_bytes >= WORD && uw_gathers(target));
}
