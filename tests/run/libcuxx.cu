// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The headers of libcu++ that unwarp has: atomics, barriers, pipelines of a thread and of a block (all threads produce and consume; some
// produce and others consume), cuda::std on the device.
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda/std/algorithm>
#include <cuda/std/array>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ cuda::atomic<int, cuda::thread_scope_device> total{0};

__global__ void atomics(int *plain, float *sum, unsigned *most) {
  total.fetch_add(2, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<int, cuda::thread_scope_device> ref(*plain);
  ref++;
  cuda::atomic_ref<float> real(*sum);
  real.fetch_add(0.5f);
  cuda::atomic_ref<unsigned, cuda::thread_scope_block>(*most).fetch_max(blockIdx.x * blockDim.x + threadIdx.x);
  int expected = -1;
  if (ref.compare_exchange_strong(expected, 7))
    __trap();
}

__global__ void values(int *out) {
  cuda::std::array<int, 3> a = {3, 1, 2};
  cuda::std::swap(a[0], a[2]);
  auto t = cuda::std::make_tuple(a[0], 4.0f);
  static_assert(cuda::std::is_same<decltype(cuda::std::get<1>(t)), float &>::value, "");
  static_assert(cuda::ceil_div(10, 3) == 4 && cuda::round_up(10, 4) == 12, "");
  out[0] = cuda::std::get<0>(t) * 100 + a[1] * 10 + a[2];
  out[1] = cuda::std::max(cuda::std::identity()(5), cuda::std::plus<int>()(1, 2));
  out[2] = cuda::maximum<>()(4, 9) + cuda::minimum<int>()(4, 9);
  out[3] = cuda::std::numeric_limits<int>::max() == 2147483647;
  out[4] = cuda::std::exchange(a[0], 11) + a[0];
}

/* Each half of a block waits for what the other half wrote, over many phases. */
__global__ void turns(int *out, int iterations) {
  __shared__ cuda::barrier<cuda::thread_scope_block> bar;
  __shared__ int row[256];
  int i = threadIdx.x, n = blockDim.x;
  if (i == 0)
    init(&bar, n);
  row[i] = i;
  __syncthreads();
  for (int r = 0; r < iterations; r++) {
    auto token = bar.arrive();
    bar.wait(static_cast<decltype(token) &&>(token));
    int next = row[(i + 1) % n];
    bar.arrive_and_wait();
    row[i] = next + 1;
  }
  bar.arrive_and_wait();
  out[blockIdx.x * n + i] = row[i];
}

/* Sums of a row, in tiles that go through a pipeline of a thread, of a block, and of a block whose first half only copies. */
template <int Kind> __global__ void sums(const int *in, int *out, int tiles) {
  constexpr int stages = 3, n = 64;
  __shared__ int buffer[stages][n];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  int i = threadIdx.x, sum = 0;
  if constexpr (Kind == 0) {
    auto pipe = cuda::make_pipeline();
    for (int t = 0; t < tiles; t++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[0][i], &in[t * n + i], cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<0>(pipe);
      __syncthreads();
      sum += buffer[0][(i + 5) % n];
      pipe.consumer_release();
      __syncthreads();
    }
  } else if constexpr (Kind == 1) {
    auto pipe = cuda::make_pipeline(block, &state);
    for (int t = 0, filled = 0; t < tiles; t++) {
      for (; filled < tiles && filled < t + stages; filled++) {
        pipe.producer_acquire();
        cuda::memcpy_async(block, buffer[filled % stages], &in[filled * n], sizeof(int) * n, pipe);
        pipe.producer_commit();
      }
      pipe.consumer_wait();
      sum += buffer[t % stages][(i + 5) % n];
      pipe.consumer_release();
    }
  } else {
    const bool produces = i >= n;
    auto pipe =
        cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int t = 0; t < tiles; t++)
      if (produces) {
        pipe.producer_acquire();
        cuda::memcpy_async(&buffer[t % stages][i - n], &in[t * n + i - n], sizeof(int), pipe);
        pipe.producer_commit();
      } else {
        pipe.consumer_wait();
        sum += buffer[t % stages][(i + 5) % n];
        pipe.consumer_release();
      }
  }
  if (i < n)
    out[i] = sum;
}

int main() {
  int *plain, *out, *in, bad = 0;
  float *sum;
  unsigned *most;
  cudaMallocManaged(&plain, 4);
  cudaMallocManaged(&sum, 4);
  cudaMallocManaged(&most, 4);
  cudaMallocManaged(&out, 4096 * 4);
  cudaMallocManaged(&in, 4096 * 4);
  *plain = 0, *sum = 0, *most = 0;
  atomics<<<10, 100>>>(plain, sum, most);
  values<<<1, 1>>>(out);
  cudaDeviceSynchronize();
  int all;
  cudaMemcpyFromSymbol(&all, total, 4);
  bad += all != 2000 || *plain != 1000 || *sum != 500 || *most != 999;
  bad += out[0] != 213 || out[1] != 5 || out[2] != 13 || out[3] != 1 || out[4] != 13;
  for (int n : {1, 33, 256}) {
    turns<<<3, n>>>(out, 7);
    cudaDeviceSynchronize();
    for (int i = 0; i < 3 * n; i++)
      bad += out[i] != (i % n + 7) % n + 7;
  }
  const int tiles = 20;
  for (int i = 0; i < tiles * 64; i++)
    in[i] = i * 7 % 31;
  for (int kind = 0; kind < 3; kind++) {
    for (int i = 0; i < 64; i++)
      out[i] = -1;
    if (kind == 0)
      sums<0><<<1, 64>>>(in, out, tiles);
    else if (kind == 1)
      sums<1><<<1, 64>>>(in, out, tiles);
    else
      sums<2><<<1, 128>>>(in, out, tiles);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++) {
      int expected = 0;
      for (int t = 0; t < tiles; t++)
        expected += in[t * 64 + (i + 5) % 64];
      bad += out[i] != expected;
    }
  }
  printf(bad || cudaGetLastError() ? "%d wrong\n" : "ok\n", bad);
  return bad != 0;
}
