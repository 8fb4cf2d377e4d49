// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fdim of what the compiler knows, and of what it does not: two infinities of one sign have no difference.
#include <cmath>

#include "check.h"

__global__ void differences(const double *v, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[8 * i] = fdim((double)INFINITY, (double)INFINITY);
  out[8 * i + 1] = fdimf(-INFINITY, -INFINITY);
  out[8 * i + 2] = fdim(3.0, 1.0);
  out[8 * i + 3] = fdimf(1.0f, 3.0f);
  out[8 * i + 4] = fdim(v[0], v[0]);
  out[8 * i + 5] = fdimf((float)v[1], (float)v[1]);
  out[8 * i + 6] = fdim(v[0], v[1]);
  out[8 * i + 7] = fdim(v[2], v[0]) != fdim(v[2], v[0]);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  buffer<double> v(3), out(8 * block);
  v[0] = INFINITY, v[1] = -INFINITY, v[2] = NAN;
  v.upload();
  differences<<<1, block>>>(v.device, out.device);
  out.download();
  const double wanted[8] = {0, 0, 2, 0, 0, 0, INFINITY, 1};
  for (int i = 0; i < 8 * block; i++)
    expect(i, out[i], wanted[i % 8]);
  return passed();
}
