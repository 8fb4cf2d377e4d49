// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread reads back pairs and triples of its own that it has just stored, under addresses that are computed in other ways: in SIMD
// lanes its loads and stores have to keep their order.
#include "check.h"

enum { MOST = 256 };

// Sums of pairs, up and down again, in iterations whose strides become constants; the first and the last iteration touch own pairs only.
__global__ void pairs(const unsigned *in, unsigned *out, int iterations) {
  __shared__ unsigned tile[2 * MOST];
  int me = threadIdx.x, base = 2 * blockIdx.x * blockDim.x, offset = 1;
  tile[2 * me] = in[base + 2 * me];
  tile[2 * me + 1] = in[base + 2 * me + 1];
  for (int iteration = 0; iteration < iterations; iteration++) {
    __syncthreads();
    if (offset * (2 * me + 2) - 1 < 2 * (int)blockDim.x)
      tile[offset * (2 * me + 2) - 1] += tile[offset * (2 * me + 1) - 1];
    offset *= 2;
  }
  for (int iteration = 0; iteration < iterations; iteration++) {
    offset >>= 1;
    __syncthreads();
    int left = offset * (2 * me + 1) - 1, right = offset * (2 * me + 2) - 1;
    if (right < 2 * (int)blockDim.x) {
      unsigned kept = tile[left];
      tile[left] = tile[right];
      tile[right] += kept;
    }
  }
  __syncthreads();
  out[base + 2 * me] = tile[2 * me];
  out[base + 2 * me + 1] = tile[2 * me + 1];
}

// Sums before each element, for a block size that the compiler sees, and an end that lies within a block.
__global__ void sums_before(const unsigned *in, unsigned *out, int n) {
  __shared__ unsigned tile[2 * MOST];
  int me = threadIdx.x, base = blockIdx.x * 2 * MOST, offset = 1;
  tile[2 * me] = base + 2 * me < n ? in[base + 2 * me] : 0;
  tile[2 * me + 1] = base + 2 * me + 1 < n ? in[base + 2 * me + 1] : 0;
  for (int active = MOST; active > 0; active /= 2, offset *= 2) {
    __syncthreads();
    if (me < active)
      tile[offset * (2 * me + 2) - 1] += tile[offset * (2 * me + 1) - 1];
  }
  if (me == 0)
    tile[2 * MOST - 1] = 0;
  for (int active = 1; active < 2 * MOST; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (me < active) {
      int left = offset * (2 * me + 1) - 1, right = offset * (2 * me + 2) - 1;
      unsigned kept = tile[left];
      tile[left] = tile[right];
      tile[right] += kept;
    }
  }
  __syncthreads();
  if (base + 2 * me < n)
    out[base + 2 * me] = tile[2 * me];
  if (base + 2 * me + 1 < n)
    out[base + 2 * me + 1] = tile[2 * me + 1];
}

// In global memory, through two pointers that may be the same.
__global__ void triples(unsigned *data, unsigned *same) {
  int i = 3 * (blockIdx.x * blockDim.x + threadIdx.x);
  unsigned a = data[i], b = data[i + 1], c = data[i + 2];
  data[i] = a + b;
  unsigned d = same[i];
  data[i + 1] = d ^ c;
  unsigned e = same[i + 1] + same[i];
  data[i + 2] = d + e;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 4, n = 2 * block * blocks;
  buffer<unsigned> in(n), out(n), data(3 * block * blocks);
  unsigned state = 9, tile[2 * 1024];
  for (int i = 0; i < n; i++)
    in[i] = next_random(state);
  in.upload();
  for (int iterations = 1; iterations <= 3; iterations++) {
    if (iterations == 1)
      pairs<<<blocks, block>>>(in.device, out.device, 1);
    else if (iterations == 2)
      pairs<<<blocks, block>>>(in.device, out.device, 2);
    else
      pairs<<<blocks, block>>>(in.device, out.device, iterations);
    out.download();
    for (int b = 0; b < blocks; b++) {
      memcpy(tile, &in[2 * block * b], 2 * block * sizeof *tile);
      for (int stride = 1; stride < 1 << iterations; stride *= 2)
        for (int right = 2 * stride - 1; right < 2 * block; right += 2 * stride)
          tile[right] += tile[right - stride];
      for (int stride = 1 << (iterations - 1); stride > 0; stride /= 2)
        for (int right = 2 * stride - 1; right < 2 * block; right += 2 * stride) {
          unsigned kept = tile[right - stride];
          tile[right - stride] = tile[right];
          tile[right] += kept;
        }
      for (int i = 0; i < 2 * block; i++)
        expect(2 * block * b + i, out[2 * block * b + i], tile[i]);
    }
  }
  {
    const int count = 5 * MOST + 2 + block % 2;
    buffer<unsigned> from(count), to(count);
    for (int i = 0; i < count; i++)
      from[i] = next_random(state);
    from.upload();
    sums_before<<<blocks_for(count, 2 * MOST), MOST>>>(from.device, to.device, count);
    to.download();
    unsigned sum = 0;
    for (int i = 0; i < count; i++) {
      if (i % (2 * MOST) == 0)
        sum = 0;
      expect(i, to[i], sum);
      sum += from[i];
    }
  }
  for (size_t i = 0; i < data.count; i++)
    data[i] = next_random(state);
  data.upload();
  triples<<<blocks, block>>>(data.device, data.device);
  unsigned *expected = (unsigned *)malloc(data.count * sizeof(unsigned));
  for (size_t i = 0; i < data.count; i += 3) {
    expected[i] = data[i] + data[i + 1];
    expected[i + 1] = expected[i] ^ data[i + 2];
    expected[i + 2] = expected[i] + expected[i + 1] + expected[i];
  }
  data.download();
  for (size_t i = 0; i < data.count; i++)
    expect((long long)i, data[i], expected[i]);
  free(expected);
  return passed();
}
