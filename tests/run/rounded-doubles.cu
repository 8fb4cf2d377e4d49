// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums in double that are rounded to float at once, with products by powers of two: each result is the same to the bit
// as in two steps, for any bits of a float: denormals, halfway cases, overflow, infinities.
#include "check.h"

enum { FORMS = 10 };

static float form_of(int form, float x, float y, double (*step)(double)) {
  switch (form) {
  case 0: return (float)step(step(2.0 * x) + y);
  case 1: return (float)step(step(2.0 * x) - y);
  case 2: return (float)step(y - step(0.5 * x));
  case 3: return (float)step(y + step(-0.25 * x));
  case 4: return (float)step(step(2.0 * x) - 1.0);
  case 5: return (float)step(0.1 - step(2.0 * x)); // 0.1 is no float
  case 6: return (float)step(step(3.0 * x) - y);   // 3 is no power of two
  case 7: return (float)step(step(0x1p-29 * x) + y);
  case 8: return (float)step(step(0x1p-30 * x) + y);
  default: return (float)step(step(0x1p29 * x) - step(0.5 * y));
  }
}

__global__ void sums(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = (float)(2.0 * x[i] + y[i]);
  out[n + i] = (float)(2.0 * x[i] - y[i]);
  out[2 * n + i] = (float)(y[i] - 0.5 * x[i]);
  out[3 * n + i] = (float)(y[i] + -0.25 * x[i]);
  out[4 * n + i] = (float)(2.0 * x[i] - 1.0);
  out[5 * n + i] = (float)(0.1 - 2.0 * x[i]);
  out[6 * n + i] = (float)(3.0 * x[i] - y[i]);
  out[7 * n + i] = (float)(0x1p-29 * x[i] + y[i]);
  out[8 * n + i] = (float)(0x1p-30 * x[i] + y[i]);
  out[9 * n + i] = (float)(0x1p29 * x[i] - 0.5 * y[i]);
}

// Stored in between, so that nobody rounds once what is rounded twice.
static double stored(double value) {
  volatile double kept = value;
  return kept;
}

static float with_bits(unsigned bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Every exponent comes; half of the pairs have exponents close to each other, for halfway cases.
static void make(float *x, float *y, int n) {
  unsigned state = 3;
  for (int i = 0; i < n; i++) {
    unsigned one = state = state * 1664525u + 1013904223u, two = state = state * 1664525u + 1013904223u;
    if (i % 2)
      two = (two & 0x807fffffu) | ((one + (i / 2 % 53 << 23) - (26u << 23)) & 0x7f800000u);
    if (i % 8 == 3)
      one &= 0x807fffffu, two &= 0x80ffffffu; // denormals, and normal numbers next to them
    x[i] = with_bits(i % 16 < 4 ? one & 0xfffff000u : one);
    y[i] = with_bits(two);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 64 * 1024;
  buffer<float> x(n), y(n), out(n * FORMS);
  make(x.host, y.host, n);
  x.upload(), y.upload();
  sums<<<blocks_for(n, block), block>>>(x.device, y.device, out.device, n);
  out.download();
  for (int form = 0; form < FORMS; form++)
    for (int i = 0; i < n; i++) {
      const float expected = form_of(form, x[i], y[i], stored), found = out[form * n + i];
      if (memcmp(&expected, &found, sizeof found) != 0 && !(expected != expected && found != found)) {
        printf("form %d of %a and %a: %a, not %a\n", form, x[i], y[i], found, expected);
        return 1;
      }
    }
  puts("ok");
  return 0;
}
