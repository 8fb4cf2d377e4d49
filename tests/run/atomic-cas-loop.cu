// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops around atomicCAS: a float maximum, and a multiplication modulo a prime.
#include "check.h"

__device__ float atomic_max_float(float *address, float value) {
  int *bits = (int *)address;
  int seen = *bits;
  while (value > __int_as_float(seen)) {
    int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen)
      break;
    seen = before;
  }
  return __int_as_float(seen);
}

__global__ void apply(const float *in, float *largest, unsigned *product, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomic_max_float(largest, in[i]);
  unsigned old = *product, assumed;
  do {
    assumed = old;
    old = atomicCAS(product, assumed, assumed * (i % 100 + 2) % 65521);
  } while (assumed != old);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 700;
  buffer<float> in(n), largest(1);
  buffer<unsigned> product(1);
  float expected = -1e30f;
  unsigned modulo = 1, state = 17;
  for (int i = 0; i < n; i++) {
    in[i] = (float)next_random(state) * -0.001f;
    if (in[i] > expected)
      expected = in[i];
    modulo = modulo * (i % 100 + 2) % 65521;
  }
  largest[0] = -1e30f;
  product[0] = 1;
  in.upload();
  largest.upload();
  product.upload();
  apply<<<blocks_for(n, block), block>>>(in.device, largest.device, product.device, n);
  largest.download();
  product.download();
  expect(0, largest[0], expected);
  expect(1, product[0], modulo);
  return passed();
}
