// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every half to float and back; floats and doubles at, just above and just below the middle between any two halves.
#include "check.h"

#include <cuda_fp16.h>

const int results = 8;

__device__ float above(float x) { return __int_as_float(__float_as_int(x) + 1); }
__device__ float below(float x) { return __int_as_float(__float_as_int(x) - 1); }

__global__ void convert(float *wide, unsigned short *back) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 65536)
    return;
  __half h = __ushort_as_half((unsigned short)i), sum = __hadd(h, __ushort_as_half(0x8000));
  wide[i] = __half2float(h);
  unsigned short *to = back + i * results;
  to[0] = __half_as_ushort(__float2half(__half2float(h)));
  to[1] = __half_as_ushort(sum);
  if ((i & 0x7fff) >= 0x7bff)
    return;
  float middle = (__half2float(h) + __half2float(__ushort_as_half((unsigned short)(i + 1)))) / 2;
  double exact = middle, step = fabs(exact) * 0x1p-50;
  to[2] = __half_as_ushort(__float2half(middle));
  to[3] = __half_as_ushort(__float2half(above(middle)));
  to[4] = __half_as_ushort(__float2half(below(middle)));
  to[5] = __half_as_ushort(__double2half(exact));
  to[6] = __half_as_ushort(__double2half(exact < 0 ? exact - step : exact + step));
  to[7] = __half_as_ushort(__double2half(exact < 0 ? exact + step : exact - step));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  buffer<float> wide(65536);
  buffer<unsigned short> back(65536 * results);
  convert<<<blocks_for(65536, block), block>>>(wide.device, back.device);
  wide.download(), back.download();
  for (int i = 0; i < 65536; i++) {
    int exponent = i >> 10 & 31, fraction = i & 1023, size = i & 0x7fff;
    double value = exponent == 31 ? (fraction ? NAN : INFINITY)
                   : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                  : ldexp(fraction, -24);
    expect_near(i, wide[i], (float)(i & 0x8000 ? -value : value), 0);
    const unsigned short *got = &back[i * results];
    if (value != value) {
      expect(i, (got[0] & 0x7c00) == 0x7c00 && (got[0] & 0x3ff) && (got[1] & 0x7c00) == 0x7c00 && (got[1] & 0x3ff),
             true);
      continue;
    }
    expect(i, (int)got[0], i);
    expect(i, (int)got[1], i);
    if (size >= 0x7bff)
      continue;
    int even = i + (i & 1);
    expect(i, (int)got[2], even);
    expect(i, (int)got[3], i + 1);
    expect(i, (int)got[4], i);
    expect(i, (int)got[5], even);
    expect(i, (int)got[6], i + 1);
    expect(i, (int)got[7], i);
  }
  return passed();
}
