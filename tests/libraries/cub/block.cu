// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUB's algorithms within a block and within a warp, as they are.
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("line %d: not so: %s\n", __LINE__, #condition)))

enum { threads = 128, each = 4, all = threads * each };

__global__ void block_wide(const int *in, int *sorted, int *scanned, int *total) {
  typedef cub::BlockLoad<int, threads, each, cub::BLOCK_LOAD_TRANSPOSE> load;
  typedef cub::BlockRadixSort<int, threads, each> sort;
  typedef cub::BlockScan<int, threads> scan;
  typedef cub::BlockReduce<int, threads> reduce;
  typedef cub::BlockStore<int, threads, each, cub::BLOCK_STORE_TRANSPOSE> store;
  __shared__ union {
    typename load::TempStorage load_storage;
    typename sort::TempStorage sort_storage;
    typename scan::TempStorage scan_storage;
    typename reduce::TempStorage reduce_storage;
    typename store::TempStorage store_storage;
  } storage;
  int items[each];
  load(storage.load_storage).Load(in + blockIdx.x * all, items);
  __syncthreads();
  sort(storage.sort_storage).Sort(items);
  __syncthreads();
  int kept[each]; /* a transposing store leaves its items in another order */
  for (int i = 0; i < each; i++)
    kept[i] = items[i];
  store(storage.store_storage).Store(sorted + blockIdx.x * all, kept);
  __syncthreads();
  scan(storage.scan_storage).InclusiveSum(items, items);
  __syncthreads();
  store(storage.store_storage).Store(scanned + blockIdx.x * all, items);
  __syncthreads();
  int sum = reduce(storage.reduce_storage).Sum(int(threadIdx.x));
  if (threadIdx.x == 0)
    total[blockIdx.x] = sum;
}

__global__ void warp_wide(const float *in, float *sums, int *prefixes) {
  typedef cub::WarpReduce<float> reduce;
  typedef cub::WarpScan<int> scan;
  __shared__ typename reduce::TempStorage reduce_storage[threads / 32];
  __shared__ typename scan::TempStorage scan_storage[threads / 32];
  int thread = blockIdx.x * threads + threadIdx.x, warp = threadIdx.x / 32;
  float sum = reduce(reduce_storage[warp]).Sum(in[thread]);
  if (threadIdx.x % 32 == 0)
    sums[thread / 32] = sum;
  int prefix;
  scan(scan_storage[warp]).ExclusiveSum(int(in[thread]), prefix);
  prefixes[thread] = prefix;
}

template <typename T> static T *managed(size_t count) {
  T *memory;
  cudaMallocManaged(&memory, count * sizeof(T));
  return memory;
}

int main() {
  const int blocks = 3;
  int *in = managed<int>(blocks * all), *sorted = managed<int>(blocks * all), *scanned = managed<int>(blocks * all);
  int *total = managed<int>(blocks), *prefixes = managed<int>(blocks * threads);
  float *values = managed<float>(blocks * threads), *sums = managed<float>(blocks * threads / 32);
  for (int i = 0; i < blocks * all; i++)
    in[i] = int((i * 2654435761u >> 7) % 5000) - 2500;
  for (int i = 0; i < blocks * threads; i++)
    values[i] = float(i * 7 % 19);
  block_wide<<<blocks, threads>>>(in, sorted, scanned, total);
  warp_wide<<<blocks, threads>>>(values, sums, prefixes);
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);
  for (int b = 0; b < blocks; b++) {
    std::vector<int> expected(in + b * all, in + (b + 1) * all), running(all);
    std::sort(expected.begin(), expected.end());
    std::partial_sum(expected.begin(), expected.end(), running.begin());
    EXPECT(std::equal(expected.begin(), expected.end(), sorted + b * all));
    EXPECT(std::equal(running.begin(), running.end(), scanned + b * all));
    EXPECT(total[b] == threads * (threads - 1) / 2);
  }
  for (int w = 0; w < blocks * threads / 32; w++) {
    int sum = 0;
    for (int lane = 0; lane < 32; lane++) {
      EXPECT(prefixes[w * 32 + lane] == sum);
      sum += int(values[w * 32 + lane]);
    }
    EXPECT(sums[w] == float(sum));
  }
  printf(failures ? "%d failures\n" : "right\n", failures);
  return failures != 0;
}
