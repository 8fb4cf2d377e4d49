// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unsigned arithmetic wraps; narrow types are promoted and cut; signed and unsigned are told apart.
#include "check.h"

const int results = 12;

__global__ void compute(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = in[i], *to = out + i * results;
  unsigned char byte = a;
  short half = a;
  to[0] = a + 0x90000000u;
  to[1] = a * 2654435761u;
  to[2] = 5u - a;
  to[3] = (unsigned char)(byte + 200);
  to[4] = byte + 200;
  to[5] = (unsigned)(short)(half * half);
  to[6] = (unsigned)(int)(signed char)a;
  to[7] = (int)a < 0 ? 1 : 2;
  to[8] = a < 0x80000000u ? 3 : 4;
  to[9] = (unsigned)((unsigned long long)a * a >> 31);
  to[10] = (unsigned)((long long)(int)a * (int)a >> 31);
  to[11] = (int)a > -5 ? 1 : 0;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 280;
  buffer<unsigned> in(n), out(n * results);
  unsigned state = 90;
  for (int i = 0; i < n; i++)
    in[i] = i < 10 ? i - 5u : next_random(state) * 257u;
  in.upload();
  compute<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned long long a = in[i], m = 0xffffffffull, byte = a % 256;
    long long s = a > 0x7fffffffull ? (long long)a - 0x100000000ll : (long long)a;
    long long half = a % 65536 >= 32768 ? (long long)(a % 65536) - 65536 : (long long)(a % 65536);
    long long square = half * half % 65536;
    const unsigned expected[results] = {(unsigned)((a + 0x90000000ull) & m),
                                        (unsigned)(a * 2654435761ull & m),
                                        (unsigned)((0x100000005ull - a) & m),
                                        (unsigned)((byte + 200) % 256),
                                        (unsigned)(byte + 200),
                                        (unsigned)((square >= 32768 ? square - 65536 : square) & (long long)m),
                                        (unsigned)((byte >= 128 ? byte + 0xffffff00ull : byte) & m),
                                        a >> 31 ? 1u : 2u,
                                        a >> 31 ? 4u : 3u,
                                        (unsigned)(a * a >> 31 & m),
                                        (unsigned)(s * s >> 31),
                                        s > -5 ? 1u : 0u};
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], expected[k]);
  }
  return passed();
}
