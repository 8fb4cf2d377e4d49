// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared variables of classes with constructors: nothing constructs them (nvcc says so by warning 20054), the kernel does.
#include "check.h"

struct counter {
  int value;
  __device__ counter() : value(-1) {}
  __device__ void start(int from) { value = from; }
  __device__ int take() { return atomicAdd(&value, 1); }
};

template <typename T, int N> struct ring {
  T places[N];
  int used = 0; // makes its constructor do something
  __device__ T &operator[](int i) { return places[i % N]; }
};

struct alignas(16) guard {
  counter inside;
  __device__ ~guard() { inside.value = 0; }
};

template <typename Kept> __device__ int through(int from, int thread) {
  __shared__ Kept kept;
  if (thread == 0)
    kept.start(from);
  __syncthreads();
  return kept.take();
}

__global__ void use(int *out, int *state, int n) {
  __shared__ counter first;
  __shared__ ring<int, 64> last;
  static __shared__ counter several[2][3];
  __shared__ alignas(32) guard protect;
  int t = threadIdx.x;
  if (t < 6)
    several[t / 3][t % 3].start(t * 1000);
  if (t == 0) {
    for (int k = 1; k < 6; k++)
      if (k >= blockDim.x)
        several[k / 3][k % 3].start(k * 1000);
    first.start(100), protect.inside.start(7), last.used = 0;
  }
  __syncthreads();
  first.take(), protect.inside.take(), several[1][t % 3].take();
  if (t < 64)
    last[t] = t * 3;
  atomicAdd(&last.used, 1);
  int got = through<counter>(5000, t);
  __syncthreads();
  if (t < n)
    out[blockIdx.x * n + t] = t < 64 ? last[t + 64] : t;
  atomicAdd(state + 6 * blockIdx.x + 5, got);
  if (t == 0) {
    int *mine = state + 6 * blockIdx.x;
    mine[0] = first.value, mine[1] = protect.inside.value, mine[2] = several[1][0].value, mine[3] = several[1][2].value;
    mine[4] = last.used + (size_t(&protect) % 32 != 0) * 1000000;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 7;
  buffer<int> out(blocks * block), state(blocks * 6);
  for (int i = 0; i < blocks * 6; i++)
    state[i] = 0;
  state.upload();
  use<<<blocks, block>>>(out.device, state.device, block);
  out.download(), state.download();
  for (int i = 0; i < blocks * block; i++)
    expect(i, out[i], i % block < 64 ? i % block * 3 : i % block);
  for (int b = 0; b < blocks; b++) {
    expect(b, state[6 * b], 100 + block), expect(b, state[6 * b + 1], 7 + block);
    expect(b, state[6 * b + 2], 3000 + (block + 2) / 3), expect(b, state[6 * b + 3], 5000 + block / 3);
    expect(b, state[6 * b + 4], block);
    expect(b, state[6 * b + 5], 5000 * block + block * (block - 1) / 2);
  }
  return passed();
}
