// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What both files of devices-files know.
extern __device__ int shared_count;
extern __device__ int next_shared();
extern __device__ int other_ticket();
__device__ inline int inline_ticket() {
  static int next = 1000;
  return next++;
}
