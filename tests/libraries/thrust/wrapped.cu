// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thrust and CUB in a namespace of the program's: scans, sorts, reductions and selections are found there, and nowhere else.
#define THRUST_CUB_WRAPPED_NAMESPACE inside
#include <cstdio>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

namespace thrust {
struct device_vector {}; /* the program's own */
} // namespace thrust
namespace cub {
struct NullType {};
} // namespace cub

struct odd {
  __host__ __device__ bool operator()(int x) const { return x % 2; }
};

static int failures;
#define EXPECT(condition)                                                                                              \
  ((condition) ? (void)0 : (void)(failures++, printf("line %d: not so: %s\n", __LINE__, #condition)))

static void by_thrust(int n) {
  inside::thrust::device_vector<int> a(n), b(n);
  for (int i = 0; i < n; i++)
    a[i] = (i * 7) % n;
  inside::thrust::sort(a.begin(), a.end());
  EXPECT(a[0] == 0 && a[n - 1] == n - 1);
  inside::thrust::inclusive_scan(inside::thrust::device, a.begin(), a.end(), b.begin());
  EXPECT(b[n - 1] == n * (n - 1) / 2);
  EXPECT(inside::thrust::copy_if(a.begin(), a.end(), b.begin(), odd()) - b.begin() == n / 2 && b[1] == 3);
  inside::thrust::transform(a.begin(), a.end(), b.begin(), odd());
  EXPECT(inside::thrust::reduce(b.begin(), b.end()) == n / 2);
  inside::thrust::sort(b.begin(), b.end());
  EXPECT(inside::thrust::unique(b.begin(), b.end()) - b.begin() == 2);
}

static void by_cub(int n) {
  int *in, *out;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  for (int i = 0; i < n; i++)
    in[i] = (i * 7) % n;
  size_t sorting = 0, summing = 0;
  inside::cub::DeviceRadixSort::SortKeys(nullptr, sorting, in, out, n);
  inside::cub::DeviceReduce::Sum(nullptr, summing, out, in, n);
  void *room;
  cudaMalloc(&room, sorting + summing);
  EXPECT(inside::cub::DeviceRadixSort::SortKeys(room, sorting, in, out, n) == cudaSuccess);
  EXPECT(inside::cub::DeviceReduce::Sum(room, summing, out, in, n) == cudaSuccess);
  cudaDeviceSynchronize();
  EXPECT(out[5] == 5 && in[0] == n * (n - 1) / 2);
}

int main() {
  by_thrust(10000);
  by_cub(10000);
  puts(failures ? "wrong" : "right");
  return failures != 0;
}
