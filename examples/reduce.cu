// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum and the largest of ten million numbers. Each block folds its part in shared memory, with a barrier after
// every step; a second launch of the same kernel folds what the blocks left. The operation is a template argument.
//
//   unwarp -O3 reduce.cu -o reduce && ./reduce
//
// It prints
//
//   sum      49999995000000
//   largest  9999999
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

struct add {
  __host__ __device__ static long long neutral() { return 0; }
  __host__ __device__ static long long apply(long long a, long long b) { return a + b; }
};

struct larger {
  __host__ __device__ static long long neutral() { return -9223372036854775807ll; }
  __host__ __device__ static long long apply(long long a, long long b) { return a > b ? a : b; }
};

template <typename Operation> __global__ void fold(const long long *in, long long *out, int n) {
  extern __shared__ long long tile[];

  // Every thread folds a part of the array: its own element, then that plus the number of all threads, and so on.
  long long mine = Operation::neutral();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    mine = Operation::apply(mine, in[i]);
  tile[threadIdx.x] = mine;
  __syncthreads();

  // Then half of the threads fold two values into one, a quarter, an eighth, … until one value is left.
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      tile[threadIdx.x] = Operation::apply(tile[threadIdx.x], tile[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = tile[0];
}

template <typename Operation> static long long reduce(const long long *in_device, int n) {
  const int blocks = 128, threads = 256;
  const size_t shared_bytes = threads * sizeof(long long);
  long long *parts, result = 0;
  cudaMalloc(&parts, (blocks + 1) * sizeof(long long));
  fold<Operation><<<blocks, threads, shared_bytes>>>(in_device, parts, n);
  fold<Operation><<<1, threads, shared_bytes>>>(parts, parts + blocks, blocks);
  cudaMemcpy(&result, parts + blocks, sizeof(result), cudaMemcpyDeviceToHost);
  cudaFree(parts);
  return result;
}

int main() {
  const int n = 10000000;
  std::vector<long long> numbers(n);
  for (int i = 0; i < n; i++)
    numbers[i] = (long long)i * 7919 % n; // 0 to n - 1, each once, well mixed

  long long *numbers_device;
  cudaMalloc(&numbers_device, n * sizeof(long long));
  cudaMemcpy(numbers_device, numbers.data(), n * sizeof(long long), cudaMemcpyHostToDevice);
  std::printf("sum      %lld\n", reduce<add>(numbers_device, n));
  std::printf("largest  %lld\n", reduce<larger>(numbers_device, n));
  cudaFree(numbers_device);
  cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess)
    std::printf("CUDA says: %s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
