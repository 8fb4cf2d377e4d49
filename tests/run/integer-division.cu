// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Division and remainder by a variable, by powers of two and by constants, signed and unsigned, 32 and 64 bits.
#include "check.h"

const int results = 12;

__global__ void divide(const int *a_in, const int *b_in, long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a = a_in[i], b = b_in[i];
  unsigned ua = a, ub = b;
  long long wide = (long long)a * 1000003, *to = out + i * results;
  to[0] = a / b, to[1] = a % b;
  to[2] = ua / ub, to[3] = ua % ub;
  to[4] = wide / b, to[5] = wide % b;
  to[6] = a / 8, to[7] = a % 8;
  to[8] = a / 7, to[9] = a % -10;
  to[10] = (long long)((unsigned long long)wide / ub), to[11] = (long long)(ua / 1000u);
}

// Quotient by subtraction of shifted divisors.
static unsigned long long slow_divide(unsigned long long a, unsigned long long b) {
  unsigned long long quotient = 0, rest = 0;
  for (int k = 63; k >= 0; k--) {
    bool carry = rest >> 63;
    rest = rest << 1 | (a >> k & 1);
    if (carry || rest >= b) {
      rest -= b;
      quotient |= 1ull << k;
    }
  }
  return quotient;
}
static long long signed_divide(long long a, long long b) {
  unsigned long long quotient = slow_divide(a < 0 ? -a : a, b < 0 ? -b : b);
  return (a < 0) != (b < 0) ? -(long long)quotient : (long long)quotient;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 300;
  buffer<int> a(n), b(n);
  buffer<long long> out(n * results);
  unsigned state = 71;
  for (int i = 0; i < n; i++) {
    a[i] = (int)(next_random(state) * 257u);
    b[i] = (int)(next_random(state) * 257u) >> i % 31;
    if (b[i] == 0 || b[i] == -1)
      b[i] = 3;
  }
  a.upload();
  b.upload();
  divide<<<blocks_for(n, block), block>>>(a.device, b.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    long long x = a[i], y = b[i], wide = x * 1000003, q[results];
    unsigned ux = a[i], uy = b[i];
    q[0] = signed_divide(x, y), q[1] = x - q[0] * y;
    q[2] = (long long)slow_divide(ux, uy), q[3] = ux - q[2] * uy;
    q[4] = signed_divide(wide, y), q[5] = wide - q[4] * y;
    q[6] = signed_divide(x, 8), q[7] = x - q[6] * 8;
    q[8] = signed_divide(x, 7), q[9] = x - signed_divide(x, -10) * -10;
    q[10] = (long long)slow_divide((unsigned long long)wide, uy), q[11] = (long long)slow_divide(ux, 1000);
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[i * results + k], q[k]);
  }
  return passed();
}
