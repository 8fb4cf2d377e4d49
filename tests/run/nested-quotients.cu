// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that take their number apart into the coordinates of an array of four dimensions, by quotients of one number
// and by remainders of remainders: rows that end in the midst of a plane, extents below the lanes of a vector at each
// position, and numbers that begin below 0.
#include "check.h"

struct extents {
  int volume, plane, columns;
};

__global__ void of_one(int *out, int first, int n, extents e) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int i = first + t;
  out[t] = i / e.volume * 1000003 + i / e.plane % 101 * 10007 + i / e.columns % 103 * 211 + i % e.columns;
}

__global__ void of_remainders(int *out, int first, int n, extents e) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int i = first + t, volume = i / e.volume, in_volume = i % e.volume, plane = in_volume / e.plane,
      in_plane = in_volume % e.plane;
  float sum = 0;
  for (int k = 0; k < 3; k++)
    sum += k * (in_plane % e.columns);
  out[t] = volume * 1000003 + plane * 10007 + in_plane / e.columns * 211 + (int)sum;
}

static void try_extents(int *out, int first, int n, extents e) {
  of_one<<<(n + 255) / 256, 256>>>(out, first, n, e);
  cudaDeviceSynchronize();
  for (int t = 0; t < n; t++) {
    int i = first + t;
    unsigned want = i / e.volume * 1000003u + i / e.plane % 101 * 10007u + i / e.columns % 103 * 211u + i % e.columns;
    expect(t, out[t], (int)want);
  }
  of_remainders<<<(n + 95) / 96, 96>>>(out, first, n, e);
  cudaDeviceSynchronize();
  for (int t = 0; t < n; t++) {
    int i = first + t, in_volume = i % e.volume, in_plane = in_volume % e.plane;
    unsigned want = i / e.volume * 1000003u + in_volume / e.plane * 10007u + in_plane / e.columns * 211u +
                    3 * (in_plane % e.columns);
    expect(t, out[t], (int)want);
  }
}

int main() {
  const int n = 5000;
  const extents all[] = {{1200, 240, 24}, {1200, 240, 5}, {1200, 12, 3},   {12, 6, 3}, {7, 3, 40},
                         {40, 7, 19},     {19, 40, 7},    {600, 600, 600}, {1, 1, 1}};
  const int firsts[] = {0, 1, 239, -100, -6000, 1 << 30};
  int *out;
  cudaMallocManaged(&out, n * sizeof *out);
  for (const extents &e : all)
    for (int first : firsts)
      try_extents(out, first, n, e);
  cudaFree(out);
  return passed();
}
