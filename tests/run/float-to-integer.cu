// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of values that do not fit: a GPU saturates and turns NaN into 0, also in a function that stays a call.
#include "check.h"

#include <climits>

const int results = 4;

__device__ __noinline__ long long far_int(float value) { return (int)value; }

__global__ void convert(const float *values, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  long long *to = out + i * results;
  to[0] = (int)values[i];
  to[1] = (unsigned)values[i];
  to[2] = (long long)values[i];
  to[3] = far_int(values[i]);
}

static long long saturated(float value, long long lowest, long long highest) {
  if (value != value) return 0;
  if (value <= (double)lowest) return lowest;
  if (value >= (double)highest) return highest;
  return (long long)value;
}

int main(int argc, char **argv) {
  const float special[] = {0.0f,  -0.9f, 1.5f,     -7.9f,     3e9f,         -3e9f,        5e9f,
                           1e30f, -1e30f, INFINITY, -INFINITY, 2147483520.f, nanf(""), -4294967296.f};
  const int block = block_size(argc, argv), n = sizeof(special) / sizeof(*special);
  buffer<float> values(n);
  buffer<long long> out(n * results);
  for (int i = 0; i < n; i++) values[i] = special[i];
  values.upload();
  convert<<<blocks_for(n, block), block>>>(values.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    const long long expected[results] = {saturated(special[i], INT_MIN, INT_MAX), saturated(special[i], 0, UINT_MAX),
                                         saturated(special[i], LLONG_MIN, LLONG_MAX),
                                         saturated(special[i], INT_MIN, INT_MAX)};
    for (int k = 0; k < results; k++) expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
