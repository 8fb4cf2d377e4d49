// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores to counted and to loaded positions, of threads that take part or not: side by side (compaction), backwards, with gaps, all over
// the array, from both ends, for elements of 4 and 8 bytes and positions of 32 and 64 bits; and positions that go on side by side as integers
// of 32 bits, but wrap around there.
#include <climits>

#include "check.h"

enum order { FORWARDS, BACKWARDS, GAPS, SHUFFLED, BOTH_ENDS, ORDERS };
enum { MASKS = 6 };

// Does thread i take part? All, none, every third, runs of seven, by chance, only the last of 16.
__host__ __device__ inline bool takes_part(int mask, int i) {
  switch (mask) {
  case 0: return true;
  case 1: return false;
  case 2: return i % 3 == 1;
  case 3: return i / 7 % 2 == 0;
  case 4: return (i * 2654435761u >> 13) % 8 < 3;
  default: return i % 16 == 15;
  }
}

template <typename T, typename Place>
__global__ void put(const T *values, const int *parts, const Place *places, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && parts[i])
    out[places[i]] = values[i];
}

// The same after a loop, which more threads at a time go through.
template <typename T, typename Place>
__global__ void put_computed(const T *values, const int *parts, const Place *places, T *out, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T value = values[i] - (T)iterations;
  for (int iteration = 0; iteration < iterations; iteration++)
    value = value * (T)1 + (T)1;
  if (parts[i])
    out[places[i]] = value;
}

// The positions of a warp's threads are counted by ballots, from where the warp starts; blocks of whole warps.
template <typename T> __global__ void put_counted(const T *values, const int *parts, const int *starts, T *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool mine = i < n && parts[i];
  unsigned ballot = __ballot_sync(0xffffffff, mine);
  if (mine)
    out[starts[i / 32] + __popc(ballot & ((1u << lane) - 1))] = values[i];
}

template <typename T, typename Place> void run(int block, int n) {
  buffer<T> values(n), out(2 * n);
  buffer<int> parts(n);
  buffer<Place> places(n);
  T *wanted = (T *)malloc(2 * n * sizeof(T));
  for (int mask = 0; mask < MASKS; mask++)
    for (int order = 0; order < ORDERS; order++) {
      for (int i = 0, rank = 0; i < 2 * n; i++) {
        out[i] = wanted[i] = (T)-1;
        if (i >= n)
          continue;
        parts[i] = takes_part(mask, i);
        values[i] = (T)(i * 3 + 1);
        Place place = order == FORWARDS    ? rank
                      : order == BACKWARDS ? n - 1 - rank
                      : order == GAPS      ? rank + i / 50
                      : order == SHUFFLED  ? (Place)((long long)i * 379 % n) // n has no common factor with it
                                           : (i % 2 ? 2 * n - 1 - rank : rank);
        places[i] = parts[i] ? place : (Place)-7; // nothing may be stored there
        if (parts[i])
          rank++;
      }
      for (int i = 0; i < n; i++)
        if (parts[i])
          wanted[places[i]] = values[i];
      values.upload();
      parts.upload();
      places.upload();
      for (int computed = 0; computed < 2; computed++) {
        out.upload();
        if (computed)
          put_computed<T, Place>
              <<<blocks_for(n, block), block>>>(values.device, parts.device, places.device, out.device, n, 9);
        else
          put<T, Place><<<blocks_for(n, block), block>>>(values.device, parts.device, places.device, out.device, n);
        out.download();
        for (int i = 0; i < 2 * n; i++)
          expect(i, out[i], wanted[i]);
        for (int i = 0; i < 2 * n; i++)
          out[i] = (T)-1;
      }
    }
  free(wanted);
}

template <typename T> void run_counted(int block, int n) {
  const int whole = (block + 31) / 32 * 32, warps = blocks_for(n, whole) * whole / 32;
  buffer<T> values(n), out(n);
  buffer<int> parts(n), starts(warps);
  for (int mask = 0; mask < MASKS; mask++) {
    int kept = 0;
    for (int i = 0; i < warps * 32; i++) {
      if (i % 32 == 0)
        starts[i / 32] = kept;
      if (i >= n)
        continue;
      parts[i] = takes_part(mask, i);
      values[i] = (T)(i * 5 + 2);
      out[i] = (T)-1;
      kept += parts[i];
    }
    values.upload();
    parts.upload();
    starts.upload();
    out.upload();
    put_counted<T><<<blocks_for(n, whole), whole>>>(values.device, parts.device, starts.device, out.device, n);
    out.download();
    int next = 0;
    for (int i = 0; i < n; i++)
      if (parts[i]) {
        int at = next++;
        expect(at, out[at], values[i]);
      }
    for (int i = next; i < n; i++)
      expect(i, out[i], (T)-1);
  }
}

// In the middle of 16 GB that are only set aside, if the machine has so many addresses: positions INT_MAX - 3 … INT_MAX, then INT_MIN ….
// Two pages of them are touched.
__global__ void wrap(const int *values, const int *parts, const int *places, int *middle, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && parts[i])
    middle[places[i]] = values[i];
}

void run_wrapped(int block) {
  enum { N = 16 };
  char *all;
  if (cudaMalloc((void **)&all, (1ull << 34) + 4096) != cudaSuccess) {
    cudaGetLastError();
    return;
  }
  int *middle = (int *)all + (1ull << 31);
  buffer<int> values(N), parts(N), places(N);
  for (int i = 0; i < N; i++) {
    values[i] = 100 + i;
    parts[i] = i != 5;
    places[i] = (int)((unsigned)INT_MAX - 3 + i - (i > 5));
  }
  values.upload();
  parts.upload();
  places.upload();
  wrap<<<blocks_for(N, block), block>>>(values.device, parts.device, places.device, middle, N);
  for (int i = 0; i < N; i++) {
    int got = 0;
    if (!parts[i])
      continue;
    CHECK(cudaMemcpy(&got, middle + places[i], sizeof got, cudaMemcpyDeviceToHost));
    expect(i, got, values[i]);
  }
  cudaFree(all);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 1003;
  run<int, int>(block, n);
  run<unsigned, unsigned>(block, n);
  run<float, long long>(block, n);
  run<double, int>(block, n);
  run<long long, long long>(block, n);
  run_counted<int>(block, n);
  run_counted<double>(block, n);
  run_wrapped(block);
  return passed();
}
