// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Remainders that are made under a condition only, because the divisor may be 0 or the quotient too large.
#include "check.h"

__global__ void of_threads(unsigned n, int iterations, const float *in, unsigned *out, int *with_sign, float *sums) {
  unsigned i = threadIdx.x, rest = i;
  int number = (int)i - 1, least = -2147483647 - 1, signed_rest = 0;
  float sum = i;
  if (rest != 0)
    rest = n % rest;
  if (number != 0 && number != -1)
    signed_rest = least % number;
  for (int k = 0; k < iterations; k++)
    sum += in[k] * sum;
  out[i] = rest;
  with_sign[i] = signed_rest;
  sums[i] = sum;
}

__global__ void in_iterations(unsigned n, unsigned divisor, unsigned *out) {
  unsigned sum = threadIdx.x;
  for (unsigned k = 0; k < divisor; k++)
    sum = sum * 3 + n % divisor;
  out[threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  const int iterations = 9;
  buffer<float> in(iterations), sums(block);
  buffer<unsigned> out(block);
  buffer<int> with_sign(block);
  for (int k = 0; k < iterations; k++)
    in[k] = 0;
  in.upload();
  of_threads<<<1, block>>>(1003, iterations, in.device, out.device, with_sign.device, sums.device);
  out.download();
  with_sign.download();
  for (int t = 0; t < block; t++) {
    int number = t - 1;
    expect(t, out[t], t ? 1003u % (unsigned)t : 0u);
    expect(t, with_sign[t], number == 0 || number == -1 ? 0 : (-2147483647 - 1) % number);
  }
  for (unsigned divisor = 0; divisor < 4; divisor++) {
    in_iterations<<<1, block>>>(1003, divisor, out.device);
    out.download();
    for (int t = 0; t < block; t++) {
      unsigned sum = t;
      for (unsigned k = 0; k < divisor; k++)
        sum = sum * 3 + 1003 % divisor;
      expect(t, out[t], sum);
    }
  }
  return passed();
}
