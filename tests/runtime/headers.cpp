// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host API's headers in C++ and in CUDA: they compile, types are aligned as CUDA aligns them, dim3 converts.
#include "builtin_types.h"
#include "cuda_profiler_api.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define HOLDS_NAME(line) holds_##line
#define HOLDS_LINE(line) HOLDS_NAME(line)
#define HOLDS(condition) typedef char HOLDS_LINE(__LINE__)[(condition) ? 1 : -1] __attribute__((unused))

template <typename T> struct alignment_of {
  char first;
  T second;
};
#define IS(type, bytes, aligned) HOLDS(sizeof(type) == (bytes) && sizeof(alignment_of<type>) == (bytes) + (aligned))

IS(char1, 1, 1);
IS(char2, 2, 2);
IS(uchar3, 3, 1);
IS(uchar4, 4, 4);
IS(short2, 4, 4);
IS(ushort3, 6, 2);
IS(short4, 8, 8);
IS(int2, 8, 8);
IS(uint3, 12, 4);
IS(int4, 16, 16);
IS(longlong2, 16, 16);
IS(ulonglong3, 24, 8);
IS(long4, 32, 16);
IS(float2, 8, 8);
IS(float3, 12, 4);
IS(float4, 16, 16);
IS(double2, 16, 16);
IS(double3, 24, 8);
IS(double4, 32, 16);
IS(dim3, 12, 4);

struct __align__(32) aligned_struct {
  float x;
};
IS(aligned_struct, 32, 32);

static __host__ __device__ __forceinline__ unsigned int volume(dim3 extents) {
  uint3 plain = extents;
  dim3 again(plain), flat(7), from_number = 3;
  return again.x * extents.y * extents.z + flat.y + from_number.z;
}

#if defined(__CUDA__)
__managed__ int managed_count;
__constant__ float constant_table[4];
__device__ int device_count;

__global__ void __launch_bounds__(256, 2) kernel(int *out, const __grid_constant__ int4 by) {
  __shared__ float shared_values[32];
  shared_values[by.x] = constant_table[0];
  *out = (int)shared_values[by.y] + device_count + managed_count + (int)volume(dim3(1, 2));
}

void launch(int *out) {
  int4 by = {1, 2, 3, 4};
  kernel<<<dim3(2, 3), 64, 0, cudaStreamPerThread>>>(out, by);
  managed_count = 3;
}
#endif

unsigned int use_defaults(cudaEvent_t event, void *memory, const void *variable) {
  cudaError_t error = cudaEventRecord(event);
  if (error == cudaSuccess)
    error = cudaMemcpyToSymbol(variable, memory, 4);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(memory, 0, 4);
  return volume(4) + static_cast<unsigned int>(error);
}
