// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that threads arrive at and wait for in two steps: by the primitives and the class, with tokens and by parity, arrivals
// that others make, threads that drop out; two of them in turn; copies that come in meanwhile.
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

#include "check.h"

using nvcuda::experimental::awbarrier;
using nvcuda::experimental::pipeline;

// What lies between arriving and waiting may not touch what the barrier orders.
__global__ void in_two_steps(int *out, int iterations) {
  __shared__ __mbarrier_t barrier;
  __shared__ int cells[1024];
  int t = threadIdx.x, n = blockDim.x, sum = 0;
  if (t == 0)
    __mbarrier_init(&barrier, n);
  __syncthreads();
  for (int iteration = 0; iteration < iterations; iteration++) {
    cells[t] = t * 3 + iteration;
    __mbarrier_token_t token = __mbarrier_arrive(&barrier);
    sum += (int)__mbarrier_token_pending_count(token) > 0;
    while (!__mbarrier_test_wait(&barrier, token)) {}
    sum += cells[(t + 1 + iteration) % n];
    token = __mbarrier_arrive(&barrier);
    while (!__mbarrier_try_wait(&barrier, token, 100)) {}
  }
  out[blockIdx.x * n + t] = sum;
}

// Only one thread of each pair arrives; all wait by parity. The second half of the block drops out after the first phase.
__global__ void by_parity(int *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int cells[1024];
  int t = threadIdx.x, n = blockDim.x, pairs = (n + 1) / 2;
  if (t == 0)
    __mbarrier_init(&barrier, pairs);
  __syncthreads();
  cells[t] = t + 1;
  if (t % 2 == 0) {
    if (t / 2 < (pairs + 1) / 2)
      __mbarrier_arrive(&barrier);
    else
      __mbarrier_arrive_and_drop(&barrier);
  }
  while (!__mbarrier_test_wait_parity(&barrier, false)) {}
  __syncthreads();                      // who waits by parity while two phases go by waits for ever
  int sum = cells[(n - 1 - t) / 2 * 2]; // those that arrived
  if (t % 2 == 0 && t / 2 < (pairs + 1) / 2)
    __mbarrier_arrive(&barrier);
  while (!__mbarrier_try_wait_parity(&barrier, true, 10)) {}
  out[blockIdx.x * n + t] = sum + (int)__mbarrier_test_wait_parity(&barrier, true) * 10000;
}

// A stage of two is filled while the other is used.
__global__ void staged(const int *in, int *out, int iterations) {
  __shared__ awbarrier full[2], empty[2];
  __shared__ int stage[2][1024];
  int t = threadIdx.x, n = blockDim.x, sum = 0;
  pipeline pipe;
  if (t == 0)
    for (int k = 0; k < 2; k++) {
      init(&full[k], n);
      init(&empty[k], n);
    }
  __syncthreads();
  const int *mine = in + blockIdx.x * iterations * n;
  memcpy_async(stage[0][t], mine[t], pipe);
  pipe.arrive_on(full[0]);
  awbarrier::arrival_token filled[2], used[2];
  filled[0] = full[0].arrive();
  for (int iteration = 0; iteration < iterations; iteration++) {
    int here = iteration % 2, there = 1 - here;
    if (iteration + 1 < iterations) {
      if (iteration > 0)
        empty[there].wait(used[there]);
      memcpy_async(stage[there][t], mine[(iteration + 1) * n + t], pipe);
      if (iteration % 2) {
        pipe.arrive_on(full[there]);
      } else {
        pipe.commit();
        pipe.wait_prior<0>();
      }
      filled[there] = full[there].arrive();
    }
    full[here].wait(filled[here]);
    sum += stage[here][(t + 1) % n] * (iteration + 1);
    used[here] = empty[here].arrive();
  }
  int last = (iterations - 1) % 2;
  empty[last].wait(used[last]); // one arrival a phase
  empty[last].arrive_and_drop();
  out[blockIdx.x * n + t] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = block * blocks, iterations = 7;
  buffer<int> out(n), in(n * iterations);
  in_two_steps<<<blocks, block>>>(out.device, iterations);
  out.download();
  for (int i = 0; i < n; i++) {
    int sum = iterations;
    for (int iteration = 0; iteration < iterations; iteration++)
      sum += (i % block + 1 + iteration) % block * 3 + iteration;
    expect(i, out[i], sum);
  }
  by_parity<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (block - 1 - i % block) / 2 * 2 + 1 + 10000);
  for (int i = 0; i < n * iterations; i++)
    in[i] = i * 37 % 101;
  in.upload();
  staged<<<blocks, block>>>(in.device, out.device, iterations);
  out.download();
  for (int i = 0; i < n; i++) {
    int sum = 0;
    for (int iteration = 0; iteration < iterations; iteration++)
      sum += in[(i / block * iterations + iteration) * block + (i % block + 1) % block] * (iteration + 1);
    expect(i, out[i], sum);
  }
  return passed();
}
