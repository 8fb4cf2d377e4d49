// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that a thread puts together from bytes: the lowest first or last, by loops and by hand, of two, four and eight
// bytes at any address, whole or in part, with a sum or a hash around, among writes.
#include <vector>

#include "check.h"

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned long long u64;

static __host__ __device__ u64 lowest_first(const u8 *p) {
  u64 word = 0;
  for (int k = 0; k < 8; k++)
    word |= (u64)p[k] << (8 * k);
  return word;
}

static __host__ __device__ u64 lowest_last(const u8 *p) {
  u64 word = 0;
  for (int k = 0; k < 8; k++)
    word = word << 8 | p[k];
  return word;
}

static __host__ __device__ unsigned by_hand(const u8 *p) {
  return p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}

static __host__ __device__ unsigned in_part(const u8 *p) { return (p[2] << 16) + (p[1] << 8) + p[0] + 77; }

static __host__ __device__ unsigned of_halves(const u8 *p) {
  const u16 *halves = (const u16 *)((size_t)p & ~(size_t)1);
  return halves[0] ^ (unsigned)halves[1] << 16;
}

// Bits that are lost, or overlap.
static __host__ __device__ unsigned odd(const u8 *p) {
  u16 low = (u16)((p[0] << 8) + (p[1] << 12));
  return low + ((unsigned)p[2] << 28) + (p[3] << 3);
}

static __host__ __device__ u64 hash(const u8 *p, int length, u64 start) {
  u64 value = start;
  for (int k = 0; k + 8 <= length; k += 8)
    value = (value ^ lowest_first(p + k)) * 5 + 99;
  for (int k = length & ~7; k < length; k++)
    value = (value ^ p[k]) * 1099511628211ull;
  for (int k = 0; k + 8 <= length; k += 8)
    value =
        (value + lowest_last(p + k)) ^ by_hand(p + k) ^ ((u64)in_part(p + k + 1) << 24) ^ of_halves(p + k) ^ odd(p + k);
  return value;
}

__global__ void hashes(const u8 *text, const int *start, u64 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = hash(text + start[i], start[i + 1] - start[i], i);
}

// A thread writes into the bytes while it puts them together.
__global__ void among_writes(u8 *rows, unsigned *out, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u8 *p = rows + i * 8;
  unsigned sum = 0;
  for (int k = 0; k < length; k++) {
    unsigned low = p[0];
    p[1] = (u8)(low + k);
    sum = sum * 3 + (low | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24);
    p[0] += 3;
  }
  out[i] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 7 * block - 3;
  buffer<int> start(n + 1);
  unsigned seed = 5;
  start[0] = 1;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + (int)((seed = seed * 1664525u + 1013904223u) >> 8) % 60;
  buffer<u8> text(start[n] + 16);
  for (int i = 0; i < start[n] + 16; i++)
    text[i] = (u8)((seed = seed * 1664525u + 1013904223u) >> 16);
  buffer<u64> out(n);
  start.upload(), text.upload();
  hashes<<<(n + block - 1) / block, block>>>(text.device, start.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++)
    expect(i, out[i], hash(text.host + start[i], start[i + 1] - start[i], i));

  buffer<u8> rows(8 * 2 * block);
  buffer<unsigned> sums(2 * block);
  for (int i = 0; i < 16 * block; i++)
    rows[i] = (u8)(i * 7);
  rows.upload();
  among_writes<<<2, block>>>(rows.device, sums.device, 11);
  sums.download();
  for (int i = 0; i < 2 * block; i++) {
    u8 *p = &rows[i * 8];
    unsigned sum = 0;
    for (int k = 0; k < 11; k++) {
      unsigned low = p[0];
      p[1] = (u8)(low + k);
      sum = sum * 3 + (low | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24);
      p[0] += 3;
    }
    expect(i, sums[i], sum);
  }
  return passed();
}
