// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that launch kernels: parameters of all kinds, kernels that only device code launches, one chosen at run time, barriers
// and shared memory in parent and child, static variables, the part of the runtime API that device code may call.
// nvcc flags: -rdc=true
#include "check.h"

struct pair {
  char tag;
  double value;
};
struct alignas(32) wide {
  int words[8];
};

static __device__ int launches = 5; // the host reads and writes it
static __device__ int errors;       // device code alone, but for one copy

template <typename T> __global__ void add(T *out, char tag, pair p, T amount, wide w, short last, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += amount + tag + p.tag + (T)p.value + w.words[7] + last;
}

static __global__ void negate(int *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] = -out[i];
}
static __global__ void twice(int *out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] *= 2;
}

// A sum with barriers over shared memory of a size that the parent gives.
__global__ void sum(const int *in, int *result, int n) {
  extern __shared__ int parts[];
  int t = threadIdx.x, total = 0;
  for (int i = t; i < n; i += blockDim.x)
    total += in[i];
  parts[t] = total;
  __syncthreads();
  if (t == 0) {
    for (int k = 1; k < blockDim.x; k++)
      total += parts[k];
    *result = total;
  }
}

// Each block owns n values. Its threads add to them by child grids, in turn, with barriers between.
__global__ void parent(int *data, int *sums, double *reals, int n) {
  __shared__ int turn;
  int *mine = data + blockIdx.x * n, t = threadIdx.x;
  if (t == 0)
    turn = 0;
  __syncthreads();
  for (int iteration = 0; iteration < 3; iteration++) {
    if (t == iteration % blockDim.x) {
      pair p = {(char)iteration, 2.5};
      wide w = {};
      w.words[7] = 100;
      add<int><<<(n + 15) / 16, 16>>>(mine, 'a', p, iteration, w, (short)-7, n);
      turn += iteration;
#if CUDART_VERSION < 13000 // newer device code cannot wait for its children
      cudaDeviceSynchronize();
#endif
      atomicAdd(&launches, 1);
    }
    __syncthreads();
  }
  if (t == 0) {
    add<<<1, n>>>(reals + blockIdx.x * n, (char)1, pair{2, 0.5}, 0.25, wide{}, (short)3, n);
    void (*kernel)(int *, int) = blockIdx.x % 2 ? negate : twice;
    kernel<<<1, 8>>>(mine, n);
    sum<<<1, 32, 32 * sizeof(int)>>>(mine, &sums[2 * blockIdx.x], n);
    sums[2 * blockIdx.x + 1] = turn;
  }
}

__device__ void sort_from(int *data, int low, int high, int depth);
__global__ void quicksort(int *data, int low, int high, int depth) { sort_from(data, low, high, depth); }
__device__ void sort_from(int *data, int low, int high, int depth) {
  if (depth == 20 || high - low < 8) {
    for (int i = low + 1; i < high; i++)
      for (int k = i; k > low && data[k] < data[k - 1]; k--) {
        int kept = data[k];
        data[k] = data[k - 1];
        data[k - 1] = kept;
      }
    return;
  }
  int pivot = data[(low + high) / 2], left = low, right = high - 1;
  while (left <= right) {
    while (data[left] < pivot)
      left++;
    while (data[right] > pivot)
      right--;
    if (left <= right) {
      int kept = data[left];
      data[left++] = data[right];
      data[right--] = kept;
    }
  }
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  quicksort<<<1, 1, 0, stream>>>(data, low, right + 1, depth + 1);
  cudaStreamDestroy(stream);
  quicksort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, left, high, depth + 1);
}

__global__ void copy_last(const int *from, int *to) { *to = *from; }
__global__ void set(int *cell, int value) { *cell = value; }
__global__ void tail(int *cell, int *seen, int *order) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    copy_last<<<1, 1, 0, cudaStreamTailLaunch>>>(cell, seen); // after all blocks of this grid
    set<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 1);
    set<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 2);
    *order = 3;
  }
  atomicAdd(cell, 1);
}

__global__ void device_api(int *out) {
  int *memory, device, count;
  if (cudaMalloc(&memory, 16 * sizeof(int)) != cudaSuccess)
    atomicAdd(&errors, 1);
  if (cudaMemsetAsync(memory, 1, 16 * sizeof(int)) != cudaSuccess)
    atomicAdd(&errors, 1);
  if (cudaMemcpyAsync(out, memory, 16 * sizeof(int), cudaMemcpyDeviceToDevice) != cudaSuccess)
    atomicAdd(&errors, 1);
  if (cudaFree(memory) != cudaSuccess)
    atomicAdd(&errors, 1);
  if (cudaGetDevice(&device) != cudaSuccess || device != 0)
    atomicAdd(&errors, 1);
  if (cudaGetDeviceCount(&count) != cudaSuccess || count < 1)
    atomicAdd(&errors, 1);
  if (cudaGetLastError() != cudaSuccess)
    atomicAdd(&errors, 1);
  set<<<1, 2000>>>(out, 7); // too many threads
  if (cudaGetLastError() != cudaErrorInvalidConfiguration)
    atomicAdd(&errors, 1);
  if (cudaPeekAtLastError() != cudaSuccess)
    atomicAdd(&errors, 1);
}

int main(int argc, char **argv) {
  const int n = 50, blocks = 6;
  int block = block_size(argc, argv);
  buffer<int> data(n * blocks), sums(2 * blocks), cells(3), api(16);
  buffer<double> reals(n * blocks);
  for (int i = 0; i < n * blocks; i++)
    data[i] = i, reals[i] = i * 0.5;
  data.upload();
  reals.upload();
  int ten = 10, got;
  CHECK(cudaMemcpyToSymbol(launches, &ten, sizeof ten));
  parent<<<blocks, block>>>(data.device, sums.device, reals.device, n);
  data.download(), sums.download(), reals.download();
  CHECK(cudaMemcpyFromSymbol(&got, launches, sizeof got));
  expect(0, got, 10 + 3 * blocks);
  for (int b = 0; b < blocks; b++) {
    int total = 0;
    for (int i = b * n; i < (b + 1) * n; i++) {
      int value = i;
      for (int iteration = 0; iteration < 3; iteration++)
        value += iteration + 'a' + iteration + 2 + 100 - 7;
      value = b % 2 ? -value : 2 * value;
      total += value;
      expect(i, data[i], value);
      expect(i, reals[i], i * 0.5 + 0.25 + 1 + 2 + 0.5 + 3);
    }
    expect(b, sums[2 * b], total);
    expect(b, sums[2 * b + 1], 3);
  }

  buffer<int> numbers(1000);
  unsigned state = 9;
  long long all = 0;
  for (int i = 0; i < 1000; i++)
    all += numbers[i] = (int)(next_random(state) % 5000);
  numbers.upload();
  quicksort<<<1, 1>>>(numbers.device, 0, 1000, 0);
  numbers.download();
  for (int i = 0; i < 1000; i++) {
    all -= numbers[i];
    if (i && numbers[i - 1] > numbers[i])
      fail_at(i, numbers[i], numbers[i - 1]);
  }
  expect(0, all, 0);

  cells.upload();
  tail<<<7, block>>>(cells.device, cells.device + 1, cells.device + 2);
  cells.download();
  expect(0, cells[0], 7 * block);
  expect(1, cells[1], 7 * block);
  expect(2, cells[2], 2);

  device_api<<<1, 1>>>(api.device);
  api.download();
  for (int i = 0; i < 16; i++)
    expect(i, api[i], 0x01010101);
  CHECK(cudaMemcpyFromSymbol(&got, errors, sizeof got));
  expect(0, got, 0);
  return passed();
}
