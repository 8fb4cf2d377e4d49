// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All four shuffles for every type, at every width, by a mask and by the old forms, in straight code and in both arms of a
// divergent branch.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.h"

// What the lane reads, in terms of its warp: itself past the edge of its segment.
static int source_of(int mode, int lane, int by, int width) {
  int first = lane / width * width;
  switch (mode) {
  case 0: return first + by % width;
  case 1: return lane - by >= first ? lane - by : lane;
  case 2: return lane + by < first + width ? lane + by : lane;
  default: return (lane ^ by) < first + width ? lane ^ by : lane;
  }
}

template <typename T> static __device__ T shuffle(unsigned mask, int mode, T value, int by, int width) {
  switch (mode) {
  case 0: return __shfl_sync(mask, value, by, width);
  case 1: return __shfl_up_sync(mask, value, by, width);
  case 2: return __shfl_down_sync(mask, value, by, width);
  default: return __shfl_xor_sync(mask, value, by, width);
  }
}
template <typename T> static __device__ T old_shuffle(int mode, T value, int by, int width) {
#if CUDART_VERSION >= 13000 // which no longer has them
  return shuffle(__activemask(), mode, value, by, width);
#else
  switch (mode) {
  case 0: return __shfl(value, by, width);
  case 1: return __shfl_up(value, by, width);
  case 2: return __shfl_down(value, by, width);
  default: return __shfl_xor(value, by, width);
  }
#endif
}

template <typename T> __global__ void all_ways(const T *in, T *out, int mode, int by, int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  out[i] = shuffle(0xffffffffu, mode, in[i], by, width);
  out[n + i] = old_shuffle(mode, in[i], by, width);
  if (lane < 16)
    out[2 * n + i] = shuffle(0x0000ffffu, mode, in[i], by, width);
  else
    out[2 * n + i] = shuffle(0xffff0000u, mode, in[i], by, width);
  if (lane < 16)
    out[3 * n + i] = old_shuffle(mode, in[i], by, width);
  else
    out[3 * n + i] = old_shuffle(mode, in[i], by, width);
}

template <typename T> static T make(int i) {
  T value;
  unsigned char bytes[sizeof(T)];
  for (size_t k = 0; k < sizeof(T); k++)
    bytes[k] = (unsigned char)(i * 31 + k * 57 + (i >> 3));
  bytes[sizeof(T) - 1] &= 0x3f; // no NaN among the floating-point types, whose bits need not be kept
  if (sizeof(T) == 4)
    bytes[1] &= 0x3f;
  memcpy(&value, bytes, sizeof(T));
  return value;
}

template <typename T> static void check_type(int block) {
  const int blocks = 2, n = block * blocks;
  buffer<T> in(n), out(4 * n);
  for (int i = 0; i < n; i++)
    in[i] = make<T>(i);
  in.upload();
  for (int mode = 0; mode < 4; mode++)
    for (int width = 1; width <= 32; width *= 2)
      for (int by = mode == 0 ? 0 : 1; by < 32; by = by * 3 + 1) {
        all_ways<T><<<blocks, block>>>(in.device, out.device, mode, by, width, n);
        out.download();
        for (int k = 0; k < 4 * n; k++) {
          int i = k % n, thread = i % block, lane = thread % 32, source = source_of(mode, lane, by, width);
          if (thread - lane + source >= block)
            continue; // there is no such thread
          if (k >= 2 * n && source / 16 != lane / 16)
            continue; // not in the mask: undefined
          expect(k, memcmp(&out[k], &in[i - lane + source], sizeof(T)), 0);
        }
      }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_type<int>(block);
  check_type<unsigned>(block);
  check_type<long>(block);
  check_type<unsigned long>(block);
  check_type<long long>(block);
  check_type<unsigned long long>(block);
  check_type<float>(block);
  check_type<double>(block);
  check_type<__half>(block);
  check_type<__half2>(block);
  check_type<__nv_bfloat16>(block);
  check_type<__nv_bfloat162>(block);
  return passed();
}
