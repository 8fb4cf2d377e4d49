// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of the thread index that wrap around from one thread to the next, made wider: what a thread computes is not its
// neighbour's plus a step.
#include "check.h"

__global__ void spread(const unsigned *in, unsigned long long *out, int iterations, unsigned start) {
  unsigned hash = start + threadIdx.x * 2654435761u;
  unsigned long long wide = hash, sum = 1;
  for (int k = 0; k < iterations; k++)
    sum = sum * 3 + wide * (in[k] + sum);
  out[threadIdx.x] = sum;
}

__global__ void spread_signed(const unsigned *in, long long *out, int iterations, unsigned start) {
  int hash = (int)(start + threadIdx.x * 2654435761u);
  long long wide = hash, sum = 1;
  for (int k = 0; k < iterations; k++)
    sum = (sum ^ k) + wide * (in[k] ^ (sum & 255));
  out[threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), iterations = 5;
  buffer<unsigned> in(iterations);
  buffer<unsigned long long> out(block);
  buffer<long long> signed_out(block);
  for (int k = 0; k < iterations; k++)
    in[k] = 1234567 * k + 3;
  in.upload();
  const unsigned starts[] = {0, 1u << 31, 0xfffffff0u};
  for (unsigned start : starts) {
    spread<<<1, block>>>(in.device, out.device, iterations, start);
    spread_signed<<<1, block>>>(in.device, signed_out.device, iterations, start);
    out.download();
    signed_out.download();
    for (int t = 0; t < block; t++) {
      unsigned hash = start + t * 2654435761u;
      unsigned long long sum = 1;
      long long signed_sum = 1;
      for (int k = 0; k < iterations; k++) {
        sum = sum * 3 + (unsigned long long)hash * (in[k] + sum);
        signed_sum = (signed_sum ^ k) + (long long)(int)hash * (in[k] ^ (signed_sum & 255));
      }
      expect(t, out[t], sum);
      expect(t, signed_out[t], signed_sum);
    }
  }
  return passed();
}
