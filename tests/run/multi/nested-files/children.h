// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
extern __global__ void child(int *out, int i);
extern __device__ void grandparent(int *out);
template <typename T> __global__ void scale(T *out, T by) { out[threadIdx.x] *= by; }
