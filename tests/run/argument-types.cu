// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel arguments and arrays of every small type: bool, enums, char, short, long long, float, double, size_t.
#include "check.h"

enum colour { red, green = 5, blue };
enum class level : unsigned char { low = 3, high = 250 };

__global__ void sum(bool flag, char c, signed char sc, unsigned char uc, short s, unsigned short us, colour which,
                    level at, long long ll, unsigned long long ull, float f, double d, size_t n, double *out) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (flag ? 1 : 0) + c + sc + uc + s + us + which + (int)at + (double)ll + (double)ull + f + d + (double)i;
}

__global__ void negate(const bool *flags, const short *shorts, const unsigned char *bytes, bool *not_flags,
                       short *minus, unsigned char *inverse, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  not_flags[i] = !flags[i];
  minus[i] = -shorts[i];
  inverse[i] = ~bytes[i];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 290;
  buffer<double> out(n);
  sum<<<blocks_for(n, block), block>>>(true, 'A', -100, 200, -30000, 60000, blue, level::high, -(1ll << 40), 1ull << 50,
                                       0.5f, 0.125, n, out.device);
  out.download();
  double base = 1 + 65 - 100 + 200 - 30000 + 60000 + 6 + 250 - 1099511627776.0 + 1125899906842624.0 + 0.625;
  for (int i = 0; i < n; i++)
    expect(i, out[i], base + i);

  buffer<bool> flags(n), not_flags(n);
  buffer<short> shorts(n), minus(n);
  buffer<unsigned char> bytes(n), inverse(n);
  for (int i = 0; i < n; i++) {
    flags[i] = i % 3 == 1;
    shorts[i] = i * 113;
    bytes[i] = i;
  }
  flags.upload();
  shorts.upload();
  bytes.upload();
  negate<<<blocks_for(n, block), block>>>(flags.device, shorts.device, bytes.device, not_flags.device, minus.device,
                                          inverse.device, n);
  not_flags.download();
  minus.download();
  inverse.download();
  for (int i = 0; i < n; i++) {
    expect(i, (int)not_flags[i], i % 3 == 1 ? 0 : 1);
    expect(i, (int)minus[i], -(i * 113));
    expect(i, (int)inverse[i], 255 - i % 256);
  }
  return passed();
}
