/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What CUDA's libraries share here. A function of a library checks its arguments on the calling thread and describes
 * its work in a record of plain data; the work is then launched like a kernel of one block that has the record as its
 * only parameter, so that streams, events, capture into graphs, several devices, UNWARP_TRACE and the message of a
 * fault know it as they know any kernel:
 *
 *   UWL_OPERATION(cublasSscal, blas_call) { sscal_(&call->n, …); }       the work; `call` is its copy of the record
 *   …
 *   uwl_launch(UWL_STUB(cublasSscal), stream, &call)
 *
 * A record may be copied by its bytes and run any number of times, on another thread, later. What it points to is the
 * program's.
 */
#ifndef UWL_LIBRARY_H
#define UWL_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)
#include "../../include/cuda_runtime_api.h"
#include "../../runtime/driver.h" /* uwrt_handle_*: which objects are alive */
#include "../../runtime/uwrt.h"
#pragma GCC visibility pop

#define UWL_STUB(name) ((const void *)enter_##name)
#define UWL_OPERATION(which, type)                                                                                     \
  static void work_##which(const type *call);                                                                          \
  static void enter_##which(const uwrt_dims *dims, void **args) {                                                      \
    (void)dims;                                                                                                        \
    work_##which(args[0]);                                                                                             \
  }                                                                                                                    \
  static const uint32_t size_##which[] = {sizeof(type)};                                                               \
  static const uwrt_kernel kernel_##which = {.stub = (const void *)enter_##which,                                      \
                                             .name = #which,                                                           \
                                             .entry = enter_##which,                                                   \
                                             .flags = UWRT_KERNEL_LIBRARY,                                             \
                                             .param_count = 1,                                                         \
                                             .param_sizes = size_##which,                                              \
                                             .shown = #which,                                                          \
                                             .param_offsets = uwl_no_offset};                                          \
  static const uwrt_kernel *const listed_##which __attribute__((section("uwl_operations"), used)) = &kernel_##which;   \
  static void work_##which(const type *call)
extern const uint32_t uwl_no_offset[1];

/* launch.c. Launches the operation of a stub; errors are the runtime's. */
cudaError_t uwl_launch(const void *stub, cudaStream_t stream, const void *record);
/* Is the calling thread's work in that stream recorded, not run? */
int uwl_is_capturing(cudaStream_t stream);

/* scratch.c: memory of the calling thread that lasts until its next call for the same slot; null when there is none. */
enum { UWL_SCRATCH_A, UWL_SCRATCH_B, UWL_SCRATCH_C, UWL_SCRATCH_WORK, UWL_SCRATCH_SLOTS };
void *uwl_scratch(int slot, size_t bytes);

/* threads: how many a parallel region of the calling thread would have. */
int uwl_threads(void);

#endif
