// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees in shared memory whose threads reach for every second, fourth, eighth … element: sums towards the right end and the left one,
// scans, in elements of 4 and 8 bytes, and loops that write beside what other arrays, or other parts of the same one, hold.
// flags: -march=native
#include "check.h"

const int most = 256; // threads; elements are twice as many

// Exclusive scan of 2 * SIZE elements by SIZE threads, after Blelloch, of which the array has n. What is shared stands between two guards.
template <typename T, int SIZE> __global__ void scan(const T *in, T *out, T *sums, int n) {
  __shared__ T guard_before[16], tile[2 * SIZE], guard_after[16];
  int me = threadIdx.x, base = blockIdx.x * 2 * SIZE, offset = 1;
  if (me < 16)
    guard_before[me] = guard_after[me] = (T)77;
  tile[2 * me] = base + 2 * me < n ? in[base + 2 * me] : 0;
  tile[2 * me + 1] = base + 2 * me + 1 < n ? in[base + 2 * me + 1] : 0;
  for (int active = SIZE; active > 0; active >>= 1) {
    __syncthreads();
    if (me < active)
      tile[offset * (2 * me + 2) - 1] += tile[offset * (2 * me + 1) - 1];
    offset *= 2;
  }
  if (me == 0) {
    sums[blockIdx.x] = tile[2 * SIZE - 1];
    tile[2 * SIZE - 1] = 0;
  }
  for (int active = 1; active <= SIZE; active *= 2) {
    offset >>= 1;
    __syncthreads();
    if (me < active) {
      int left = offset * (2 * me + 1) - 1, right = offset * (2 * me + 2) - 1;
      T kept = tile[left];
      tile[left] = tile[right];
      tile[right] += kept;
    }
  }
  __syncthreads();
  if (base + 2 * me < n)
    out[base + 2 * me] = tile[2 * me];
  if (base + 2 * me + 1 < n)
    out[base + 2 * me + 1] = tile[2 * me + 1];
  if (me < 16 && (guard_before[me] != (T)77 || guard_after[me] != (T)77))
    out[base] = (T)-1;
}

// Sums to the left, as the first reductions of textbooks go; the last element of the array is never read beyond.
template <typename T> __global__ void sum(const T *in, T *out) {
  __shared__ T tile[most];
  int me = threadIdx.x;
  tile[me] = in[blockIdx.x * most + me];
  for (int step = 1; step < most; step *= 2) {
    __syncthreads();
    int at = 2 * step * me;
    if (at < most)
      tile[at] += tile[at + step];
  }
  if (me == 0)
    out[blockIdx.x] = tile[0];
}

// The elements between those that a loop changes are changed by another statement of the same threads, and read by a third.
__global__ void between(const int *in, int *out, int far) {
  __shared__ int tile[4 * most];
  int me = threadIdx.x;
  for (int k = 0; k < 4; k++)
    tile[4 * me + k] = in[4 * me + k];
  __syncthreads();
  tile[4 * me + 1] = tile[4 * me + 3] - tile[4 * me];
  tile[4 * me + 2] ^= tile[4 * me + 1] + far;
  __syncthreads();
  tile[(4 * me + far) % (4 * most)] += tile[4 * me + 2]; // far is 4: each thread writes to the next one's first element
  __syncthreads();
  int largest = tile[4 * me] > tile[4 * me + 1] ? tile[4 * me] : tile[4 * me + 1];
  tile[4 * me + 3] = largest + 3;
  __syncthreads();
  for (int k = 0; k < 4; k++)
    out[4 * me + k] = tile[4 * me + k];
}

// Whole blocks, or a last one that has fewer elements; to another array, or in place.
template <typename T, int SIZE> static void check_scan(unsigned &state, int missing, bool in_place) {
  const int blocks = 3, count = blocks * 2 * SIZE;
  buffer<T> in(count), out(count), sums(blocks);
  for (int i = 0; i < count; i++)
    out[i] = in[i] = i < count - missing ? (T)(next_random(state) % 1000) : (T)0;
  in.upload();
  out.upload();
  scan<T, SIZE><<<blocks, SIZE>>>(in_place ? out.device : in.device, out.device, sums.device, count - missing);
  out.download();
  sums.download();
  for (int block = 0; block < blocks; block++) {
    T running = 0;
    for (int i = 0; i < 2 * SIZE; i++) {
      int at = block * 2 * SIZE + i;
      expect(at, out[at], at < count - missing ? running : (T)0);
      running += in[block * 2 * SIZE + i];
    }
    expect(block, sums[block], running);
  }
}

template <typename T> static void check_sum(unsigned &state) {
  const int blocks = 5;
  buffer<T> in(blocks * most), out(blocks);
  for (int i = 0; i < blocks * most; i++)
    in[i] = (T)(next_random(state) % 1000);
  in.upload();
  sum<T><<<blocks, most>>>(in.device, out.device);
  out.download();
  for (int block = 0; block < blocks; block++) {
    T all = 0;
    for (int i = 0; i < most; i++)
      all += in[block * most + i];
    expect(block, out[block], all);
  }
}

int main() {
  unsigned state = 31;
  for (int missing = 0; missing < 8; missing += 5) {
    check_scan<unsigned, most>(state, missing, missing == 0);
    check_scan<float, most>(state, missing, false);
    check_scan<double, most>(state, missing, true);
    check_scan<long long, most>(state, missing, missing == 0);
    check_scan<int, 16>(state, missing, false);
    check_scan<double, 32>(state, missing, true);
  }
  check_sum<int>(state);
  check_sum<float>(state);
  check_sum<double>(state);

  buffer<int> in(4 * most), out(4 * most);
  for (int i = 0; i < 4 * most; i++)
    in[i] = next_random(state) % 1000;
  in.upload();
  int far = 4, expected[4 * most];
  between<<<1, most>>>(in.device, out.device, far);
  out.download();
  for (int i = 0; i < 4 * most; i++)
    expected[i] = in[i];
  for (int t = 0; t < most; t++) {
    expected[4 * t + 1] = expected[4 * t + 3] - expected[4 * t];
    expected[4 * t + 2] ^= expected[4 * t + 1] + far;
  }
  for (int t = 0; t < most; t++)
    expected[(4 * t + far) % (4 * most)] += expected[4 * t + 2];
  for (int t = 0; t < most; t++)
    expected[4 * t + 3] = (expected[4 * t] > expected[4 * t + 1] ? expected[4 * t] : expected[4 * t + 1]) + 3;
  for (int i = 0; i < 4 * most; i++)
    expect(i, out[i], expected[i]);
  return passed();
}
