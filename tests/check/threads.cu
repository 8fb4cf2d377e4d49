// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that run at the same time and use memory by pieces of all sizes, in one page of the checker's: nothing may be told, and what is wrong in
// one block is told as if it were alone.
// flags: -g -fcheck=memory,race,init,sync
// env pieces: OMP_NUM_THREADS=7
// env one_block: OMP_NUM_THREADS=7
#include "cases.h"

struct P { char c; short s; int i; double d; };
__global__ void bytes(const char *a, char *b, double *d, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ char s[256];
  s[threadIdx.x] = a[i];
  __syncthreads();
  b[i] = s[255 - threadIdx.x] + 1;
  d[i] = d[i] + b[i];
}
__global__ void fields(P *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].c = i;
  p[i].s = i;
  p[i].i = p[i].c;
  p[i].d += p[i].s;
}
__global__ void wide(double *d, float4 *f) {
  __shared__ double s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x] = d[i];
  __syncthreads();
  f[i] = make_float4(s[threadIdx.x ^ 1], 0, 0, 1);
}
__global__ void odd(short *h, int w, int rows) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) if (x < w) h[y * w + x] = y;
}
__global__ void count(const char *a, int *c) {
  __shared__ int own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&own[a[blockIdx.x * blockDim.x + threadIdx.x] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&c[threadIdx.x], own[threadIdx.x]);
}

// Only block 5 reads a byte that nobody has written.
__global__ void shift(const char *a, char *b) {
  __shared__ char s[256];
  if (blockIdx.x != 5 || threadIdx.x) s[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  b[blockIdx.x * 256 + threadIdx.x] = s[255 - threadIdx.x];
}
// clean pieces
// case one_block: ^unwarp: init: read of 1 bytes that nobody has written: shared memory of the block$
// case one_block: ^  read: block .5,0,0., thread .255,0,0. of shift

CASES
  const int n = 1 << 14;
  char *a = device<char>(n), *b = device<char>(n);
  double *d = device<double>(n);
  P *p = device<P>(n);
  float4 *f = device<float4>(n);
  short *h = device<short>(2 * n);
  int *c = device<int>(16);
  CASE(pieces)
    for (int i = 0; i < 20; i++) {
      bytes<<<n / 256, 256>>>(a, b, d, n);
      fields<<<n / 128, 128>>>(p);
      wide<<<n / 256, 256>>>(d, f);
      odd<<<dim3(4, 16), 64>>>(h, 100, 300);
      odd<<<dim3(4, 16), 64>>>(h, 256, 64);
      count<<<n / 256, 256>>>(a, c);
      bytes<<<n / 256, 256>>>(b, a, d, n);
    }
  CASE(one_block) shift<<<n / 256, 256>>>(a, b);
END
