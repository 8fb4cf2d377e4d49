// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs in shared memory of which threads look at one field, and at the others only where that says so: aligned structs of four and of
// two values, one that is not aligned, and an array of which the block's last thread looks beyond what it may touch. Values are small and
// whole, so that every order of additions gives the same.
#include "check.h"

const int members = 64;

__global__ void near(const float *place, const float *mass, float4 *out, int n) {
  __shared__ float4 others[members];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float mine = place[i % n], sum = 0, count = 0;
  for (int base = 0; base < n; base += members) {
    for (int k = threadIdx.x; k < members; k += blockDim.x)
      others[k] = make_float4(place[base + k], -1, k, mass[base + k]);
    __syncthreads();
    for (int k = 0; k < members; k++) {
      float4 o = others[k];
      float far = o.x - mine;
      if (far * far < 100) {
        sum += o.w * far;
        count += 1;
      }
    }
    __syncthreads();
  }
  if (i < n)
    out[i] = make_float4(sum, count, 0, 0);
}

__global__ void pairs(const int *key, const int *value, int *out, int n) {
  __shared__ int2 table[members];
  __shared__ struct {
    int key, left, right;
  } loose[members];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = threadIdx.x; k < members; k += blockDim.x) {
    table[k] = make_int2(key[k], value[k]);
    loose[k] = {key[k], value[k], -value[k]};
  }
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < members; k++) {
    if (table[k].x == i % 7)
      sum += table[k].y;
    if (loose[k].key == i % 5)
      sum += 3 * loose[k].right;
  }
  if (i < n)
    out[i] = sum;
}

// What a thread stores while another one looks: each to its own address, and nobody looks at the value of one that is marked.
__global__ void marked(int *out, int n) {
  __shared__ int2 table[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  table[t] = make_int2(t % 3, t);
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < (int)blockDim.x; k++) {
    if (table[k].x == 1)
      sum += table[k].y;
    if (k == t && t % 3 != 1)
      table[t].y = -1000;
  }
  if (i < n)
    out[i] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 640;
  buffer<float> place(n), mass(n);
  buffer<float4> found(n);
  buffer<int> key(members), value(members), sums(n), rest(n);
  for (int i = 0; i < n; i++)
    place[i] = i * 37 % 211, mass[i] = i % 13 - 6;
  for (int i = 0; i < members; i++)
    key[i] = i * 5 % 11, value[i] = i * i;
  place.upload(), mass.upload(), key.upload(), value.upload();
  near<<<blocks_for(n, block), block>>>(place.device, mass.device, found.device, n);
  pairs<<<blocks_for(n, block), block>>>(key.device, value.device, sums.device, n);
  marked<<<blocks_for(n, block), block>>>(rest.device, n);
  found.download(), sums.download(), rest.download();
  for (int i = 0; i < n; i++) {
    float sum = 0, count = 0;
    for (int k = 0; k < n; k++) {
      float far = place[k] - place[i];
      if (far * far < 100)
        sum += mass[k] * far, count++;
    }
    expect(i, found[i].x, sum);
    expect(i, found[i].y, count);
    int total = 0, ones = 0;
    for (int k = 0; k < members; k++)
      total += (key[k] == i % 7 ? value[k] : 0) - (key[k] == i % 5 ? 3 * value[k] : 0);
    expect(i, sums[i], total);
    for (int k = 1; k < block; k += 3)
      ones += k;
    expect(i, rest[i], ones);
  }
  return passed();
}
