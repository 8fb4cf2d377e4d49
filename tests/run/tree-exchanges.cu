// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that have a few neighbouring elements of shared memory each, and exchange them in all kinds of ways: swaps, turns, copies,
// with arithmetic and without, loaded again after they were stored, and several such loops in a row.
// flags: -march=native
#include "check.h"

const int threads = 128;
enum { kinds = 12 };

// One thread's work on its own N elements.
template <typename T, int N, int KIND> __host__ __device__ inline void exchange(T *own) {
  const int l = N / 2 - 1, r = N - 1;
  T left = own[l];
  if (KIND == 0) { // the down-sweep of a scan
    own[l] = own[r];
    own[r] += left;
  } else if (KIND == 1) { // a swap
    own[l] = own[r];
    own[r] = left;
  } else if (KIND == 2) { // the same the other way round, with arithmetic first
    T right = own[r];
    own[r] = left + right;
    own[l] = right;
  } else if (KIND == 3) { // a copy only
    own[l] = own[r];
  } else if (KIND == 4) { // what was copied is loaded again
    own[l] = own[r];
    own[r] = own[l] + left;
  } else if (KIND == 5) { // a turn of three
    T first = own[0];
    own[0] = own[l];
    own[l] = own[r];
    own[r] = first - own[0];
  } else if (KIND == 6) { // an address is stored to twice
    own[l] = own[r];
    own[l] = own[l] + own[0];
    own[r] = left;
  } else if (KIND == 7) { // two elements at other addresses in one sum
    own[r] = own[r] + left - own[0];
    own[0] = own[r];
  } else if (KIND == 8) { // what is to go elsewhere is stored to before it is loaded
    own[r] = left + 3;
    own[l] = own[r];
  } else if (KIND == 9) { // the first of them goes to two addresses
    own[l] = own[0];
    own[r] = own[0];
    own[0] = left;
  } else if (KIND == 10) { // the element that a copy came from stays, another one changes
    own[l] = own[r];
    own[0] = own[0] * 2 + left;
  } else { // an up-sweep, then a comparison
    own[r] += left;
    own[l] = own[r] > own[0] ? own[r] : own[0];
  }
}

template <typename T, int N, int KIND> __global__ void run(const T *in, T *out) {
  __shared__ T before[16], tile[threads * N], after[16];
  int me = threadIdx.x;
  if (me < 16)
    before[me] = after[me] = (T)7;
  for (int k = 0; k < N; k++)
    tile[me + k * threads] = in[blockIdx.x * threads * N + me + k * threads];
  __syncthreads();
  exchange<T, N, KIND>(tile + me * N);
  __syncthreads();
  if (me < threads / 2)
    exchange<T, 2 * N, KIND>(tile + me * 2 * N);
  __syncthreads();
  exchange<T, N, (KIND + 5) % kinds>(tile + me * N);
  __syncthreads();
  for (int k = 0; k < N; k++)
    out[blockIdx.x * threads * N + me * N + k] = tile[me * N + k];
  if (me < 16 && (before[me] != (T)7 || after[me] != (T)7))
    out[0] = (T)-1;
}

template <typename T, int N, int KIND> static void check(unsigned &state) {
  const int blocks = 3, count = blocks * threads * N;
  buffer<T> in(count), out(count);
  T *expected = new T[count];
  for (int i = 0; i < count; i++)
    expected[i] = in[i] = (T)(next_random(state) % 1000);
  in.upload();
  run<T, N, KIND><<<blocks, threads>>>(in.device, out.device);
  out.download();
  for (int i = 0; i < count; i += N)
    exchange<T, N, KIND>(expected + i);
  for (int i = 0; i < count; i += 2 * N)
    exchange<T, 2 * N, KIND>(expected + i);
  for (int i = 0; i < count; i += N)
    exchange<T, N, (KIND + 5) % kinds>(expected + i);
  for (int i = 0; i < count; i++)
    expect(i, out[i], expected[i]);
  delete[] expected;
}

template <typename T, int N, int KIND> struct each_kind {
  static void run(unsigned &state) {
    check<T, N, KIND>(state);
    each_kind<T, N, KIND - 1>::run(state);
  }
};
template <typename T, int N> struct each_kind<T, N, -1> {
  static void run(unsigned &) {}
};

int main() {
  unsigned state = 11;
  each_kind<int, 4, kinds - 1>::run(state);
  each_kind<float, 4, kinds - 1>::run(state);
  each_kind<double, 2, kinds - 1>::run(state);
  each_kind<long long, 4, kinds - 1>::run(state);
  return passed();
}
