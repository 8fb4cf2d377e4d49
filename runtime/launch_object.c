/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A launch whose parameters lie in one object, as SYCL's kernels have them: param_offsets say where. */
#include "work.h"

void uwrt_launch_object(const uwrt_kernel *kernel, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy,
                        uint32_t block_z, uint64_t shared_bytes, const void *object, _Bool distinct,
                        const void *constants) {
  (void)distinct;
  (void)constants;
  uwrt_dims dims = {.grid = {(uint32_t)grid_xy, (uint32_t)(grid_xy >> 32), grid_z},
                    .block = {(uint32_t)block_xy, (uint32_t)(block_xy >> 32), block_z},
                    .shared_bytes = shared_bytes};
  void *args[kernel->param_count + 1];
  for (uint32_t i = 0; i < kernel->param_count; i++)
    args[i] = (char *)object + kernel->param_offsets[i];
  uwrt_note_error(uwrt_launch(kernel->stub, &dims, args, NULL));
}
