// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarrier in inline PTX, in the forms that libcu++ uses: arrive and wait in two steps, by state and by parity, with drops,
// counts and copies, addresses in 32 and in 64 bits.
#include "check.h"

struct barrier {
  unsigned long long bits;
  __device__ unsigned at() { return (unsigned)__cvta_generic_to_shared(&bits); }
  __device__ void init(int expected) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at()), "r"(expected) : "memory");
  }
  __device__ unsigned long long arrive() {
    unsigned long long state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at()) : "memory");
    return state;
  }
  __device__ unsigned long long arrive(int count) {
    unsigned long long state;
    asm volatile("mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %0, [%1], %2;"
                 : "=l"(state)
                 : "l"(&bits), "r"(count)
                 : "memory");
    return state;
  }
  __device__ void drop() { asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at()) : "memory"); }
  __device__ bool test(unsigned long long state) {
    int over;
    asm volatile("{ .reg .pred p;\n mbarrier.test_wait.shared.b64 p, [%1], %2;\n selp.b32 %0, 1, 0, p; }"
                 : "=r"(over)
                 : "r"(at()), "l"(state)
                 : "memory");
    return over;
  }
  __device__ bool test_parity(unsigned parity) {
    unsigned short over;
    asm volatile("{ .reg .pred %%p; mbarrier.try_wait.parity.shared.b64 %%p, [%1], %2, %3; selp.u16 %0, 1, 0, %%p; }"
                 : "=h"(over)
                 : "r"(at()), "r"(parity), "r"(1000)
                 : "memory");
    return over;
  }
  __device__ void wait(unsigned long long state) {
    while (!test(state))
      ;
  }
};

__global__ void iterations(const int *in, int *out, int *pending, int steps) {
  __shared__ alignas(8) unsigned long long room[2];
  __shared__ int values[1024], total;
  barrier &ready = *(barrier *)&room[0], &used = *(barrier *)&room[1];
  int t = threadIdx.x, n = blockDim.x;
  if (t == 0)
    ready.init(n), used.init(2 * n), total = 0;
  __syncthreads();
  int sum = 0;
  for (int step = 0; step < steps; step++) {
    values[t] = in[(blockIdx.x * steps + step) * n + t];
    unsigned long long state = ready.arrive();
    sum += step; // work between the arrival and the wait
    ready.wait(state);
    sum += values[(t + 1) % n] * (step + 1);
    unsigned count;
    unsigned long long before = used.arrive(1);
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(count) : "l"(before));
    if (count < 1 || count > 2 * n)
      sum = -1000000;
    if (t == 0 && step == 0)
      pending[blockIdx.x] = count >= 1;
    used.arrive();
    while (!used.test_parity(step & 1))
      ;
  }
  // All but one leave; then the phase ends with one arrival.
  if (t != n - 1)
    ready.drop();
  __syncthreads();
  if (t == n - 1) {
    unsigned long long state = ready.arrive();
    atomicAdd(&total, !(ready.bits >> 40 == state >> 40));
    state = ready.arrive();
    atomicAdd(&total, !(ready.bits >> 40 == state >> 40));
  }
  __syncthreads();
  out[blockIdx.x * n + t] = sum + total * 1000;
}

// Copies in the background, whose end is an arrival.
__global__ void copies(const int *in, int *out) {
  __shared__ alignas(8) unsigned long long room;
  __shared__ int values[1024];
  barrier &ready = *(barrier *)&room;
  int t = threadIdx.x, n = blockDim.x;
  if (t == 0)
    ready.init(2 * n);
  __syncthreads();
  unsigned to = (unsigned)__cvta_generic_to_shared(&values[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + blockIdx.x * n + t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(ready.at()) : "memory");
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(ready.at()) : "memory");
  ready.wait(ready.arrive());
  out[blockIdx.x * n + t] = values[n - 1 - t];
  __syncthreads();
  if (t == 0)
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(ready.at()) : "memory");
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 5, steps = 6;
  buffer<int> in(blocks * steps * block), out(blocks * block), pending(blocks);
  unsigned state = 3;
  for (int i = 0; i < blocks * steps * block; i++)
    in[i] = (int)(next_random(state) % 100);
  in.upload();
  iterations<<<blocks, block>>>(in.device, out.device, pending.device, steps);
  out.download(), pending.download();
  for (int b = 0; b < blocks; b++) {
    expect(b, pending[b], 1);
    for (int t = 0; t < block; t++) {
      int sum = 2 * 1000;
      for (int s = 0; s < steps; s++)
        sum += s + in[(b * steps + s) * block + (t + 1) % block] * (s + 1);
      expect(b * block + t, out[b * block + t], sum);
    }
  }
  copies<<<blocks, block>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < blocks * block; i++)
    expect(i, out[i], in[i / block * block + block - 1 - i % block]);
  return passed();
}
