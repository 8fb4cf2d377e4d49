// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that are the same for all threads, and so the launch's, which workers may share: sums that wrap around, products, extremes and bits of
// long arrays and of short ones, from starts that count; in launches that follow each other, and in one alone.
#include "check.h"

const int results = 8;

struct found {
  int v[results];
};

template <typename T> __host__ __device__ T least(T a, T b) { return b < a ? b : a; }
template <typename T> __host__ __device__ T most(T a, T b) { return b > a ? b : a; }

__host__ __device__ found look(const int *in, const unsigned char *bytes, int first, unsigned count, int start) {
  int sum = start, low = 1 << 30, high = -low, ones = start, bits = start & 255, parity = start;
  unsigned odd = 1, darkest = 255;
  for (unsigned k = 0; k < count; k++) {
    sum += in[first + k] ^ 5;
    low = least(low, (in[first + k] & 0xFFFF) + 100);
    high = most(high, (in[first + k] | ~0xFFFF) - 100);
    ones &= in[first + k] | 0xFF0F;
    bits |= in[first + k] & 0xF0;
    parity ^= in[first + k];
    odd *= (unsigned)in[first + k] | 1u;
    darkest = least(darkest, (unsigned)bytes[first + k]);
  }
  return {sum, low, high, ones, bits, parity, (int)odd, (int)darkest};
}

__global__ void all(const int *in, const unsigned char *bytes, found *out, int first, unsigned count, int start,
                    int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < threads)
    out[i] = look(in, bytes, first, count, start + 0 * i);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 150000, threads = 12;
  buffer<int> in(n);
  buffer<unsigned char> bytes(n);
  buffer<found> out(threads);
  unsigned state = 7;
  for (int i = 0; i < n; i++) {
    in[i] = (int)(next_random(state) << 8 ^ next_random(state));
    bytes[i] = (unsigned char)(3 + next_random(state) % 200);
  }
  in.upload();
  bytes.upload();
  const unsigned counts[] = {0, 1, 1000, 65535, 65536, 70001, (unsigned)n - 3};
  for (unsigned count : counts) {
    int start = (int)(count * 77777u) - 1;
    all<<<blocks_for(threads, block), block>>>(in.device, bytes.device, out.device, 3, count, start, threads);
    out.download();
    found expected = look(in.host, bytes.host, 3, count, start);
    for (int i = 0; i < threads; i++)
      for (int r = 0; r < results; r++)
        expect(i * 10 + r, out[i].v[r], expected.v[r]);
  }
  all<<<blocks_for(threads, block), block>>>(in.device, bytes.device, out.device, 0, (unsigned)n, -9, threads);
  out.download();
  found expected = look(in.host, bytes.host, 0, (unsigned)n, -9);
  for (int i = 0; i < threads; i++)
    for (int r = 0; r < results; r++)
      expect(i * 10 + r, out[i].v[r], expected.v[r]);
  return passed();
}
