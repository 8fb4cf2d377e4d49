// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unions, pointer casts and memcpy that look at the same bits as another type.
#include "check.h"

union word {
  float single;
  unsigned bits;
  unsigned char bytes[4];
};

__global__ void dissect(const float *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  word w;
  w.single = in[i];
  out[4 * i + 0] = w.bits;
  out[4 * i + 1] = w.bytes[3] * 256 + w.bytes[i % 3];
  w.bytes[3] ^= 0x80;
  out[4 * i + 2] = w.single == -in[i];
  double wide = in[i];
  unsigned halves[2];
  memcpy(halves, &wide, sizeof(wide));
  out[4 * i + 3] = halves[1] ^ *(const unsigned short *)&in[i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  buffer<float> in(n);
  buffer<unsigned> out(4 * n);
  for (int i = 0; i < n; i++)
    in[i] = (i - 100) * 1.37f + 0.01f;
  in.upload();
  dissect<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned bits;
    unsigned long long wide_bits;
    double wide = in[i];
    memcpy(&bits, &in[i], 4);
    memcpy(&wide_bits, &wide, 8);
    expect(4 * i, out[4 * i], bits);
    expect(4 * i + 1, out[4 * i + 1], (bits >> 24) * 256 + (bits >> 8 * (i % 3)) % 256);
    expect(4 * i + 2, out[4 * i + 2], 1u);
    expect(4 * i + 3, out[4 * i + 3], (unsigned)(wide_bits >> 32) ^ (bits & 0xffff));
  }
  return passed();
}
