// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of int that kernels read and write as int4: global, constant, managed, private ones, and members of structures, whose size need not
// be a multiple of 16. A byte in front of each makes the next one begin where it must.
#include "check.h"

__constant__ char first = 1;
__constant__ int constants[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
__constant__ char second = 2;
__constant__ short untouched_by_kernels[20];
__device__ char third = 3;
__device__ int values[1021];
__device__ static char fourth = 4;
__device__ static int only_for_kernels[8];
__managed__ char fifth = 5;
__managed__ int managed[8];
struct five {
  float f[5];
};
__device__ char sixth = 6;
__device__ five record;

__device__ __noinline__ int4 read(const int *from, int i) { return ((const int4 *)from)[i]; }
__device__ __noinline__ void write(int *to, int i, int4 value) { ((volatile int *)to)[0] = 0, ((int4 *)to)[i] = value; }
/* 56 bytes, and 72: no multiples of 16, so that each thread's record begins elsewhere. */
struct with_rest {
  int values[12];
  double rest;
};
struct after_first {
  double first[2];
  int values[12];
  double rest;
};
__device__ __forceinline__ int4 &piece(int *of, int i) { return ((int4 *)of)[i]; }

/* Records that a thread keeps across a barrier, read as int4 here and in a function. */
__global__ void keep(int *out, int n, int one) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  with_rest own;
  after_first other;
  for (int k = 0; k < 12; k++)
    own.values[k] = i + k * one, other.values[k] = i - k * one;
  own.rest = other.rest = i, other.first[one] = one, other.first[0] = 0;
  __syncthreads();
  int4 a = read(own.values, one), b = piece(other.values, 2 * one);
  __syncthreads();
  piece(other.values, one) = a;
  if (i < n)
    out[i] = a.x + b.w + other.values[5 * one] + (int)(own.rest + other.rest + other.first[one]);
}

__device__ __noinline__ int small(char *c) { return c[0] + c[1]; }

__global__ void exchange(int *out, int n, int one) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  char before[3] = {(char)one, (char)one, 0};
  int own[12];
  char between[5] = {(char)one, (char)one, 0};
  int larger[40];
  for (int k = 0; k < 12; k++)
    own[k] = i + k * one;
  for (int k = 0; k < 40; k++)
    larger[k] = i - k * one;
  int4 a = read(own, one), b = read(larger, 9 * one);
  __syncthreads();
  own[one] = 5;
  int4 c = read(own, 0), d = read(constants, i % 3);
  if (i == 0) {
    for (int k = 0; k < 255; k++)
      write(values, k, read(constants, k % 3));
    write(only_for_kernels, 1, d), write(managed, 1, d);
    *(float4 *)&record = make_float4(1, 2, 3, 4);
    write(only_for_kernels, 0, read(only_for_kernels, 1));
  }
  if (i < n)
    out[i] = small(before) + small(between) + a.x + a.w + b.y + c.y + c.z + d.x + d.w + first + second + third +
             fourth + fifth + sixth;
}

__global__ void tell(int *out) { out[0] = only_for_kernels[3] + (int)record.f[3]; }

int main(int argc, char **argv) {
  int block = block_size(argc, argv), n = 300;
  buffer<int> out(n);
  exchange<<<blocks_for(n, block), block>>>(out.device, n, 1);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], 4 + (i + 4) + (i + 7) + (i - 37) + 5 + (i + 2) + 8 * (i % 3) + 3 + 21);
  keep<<<blocks_for(n, block), block>>>(out.device, n, 1);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], (i + 4) + (i - 11) + (i + 5) + 2 * i + 1);
  tell<<<1, 1>>>(out.device);
  out.download();
  expect(0, out[0], 3 + 4);
  expect(7, managed[7], 3);
  int seen[1021];
  CHECK(cudaMemcpyFromSymbol(seen, values, sizeof seen));
  for (int k = 0; k < 1020; k++)
    expect(k, seen[k], k % 12);
  void *address;
  CHECK(cudaGetSymbolAddress(&address, untouched_by_kernels));
  expect(0, (int)((size_t)address & 15), 0);
  return passed();
}
