// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions to integers of values whose bounds follow from where they come from, bytes and limits, and of some whose bounds are wider than the
// type: all give what a GPU gives, which saturates.
#include "check.h"

#include <climits>

const int results = 14;

__global__ void convert(const unsigned char *bytes, const signed char *small, const float *numbers, float *shifts,
                        long long *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long *to = out + (long long)i * results;
  float b = bytes[i], s = small[i], x = numbers[i];
  to[0] = (int)(b * 1.5f - 100.25f);                          // fits
  to[1] = (unsigned)(b - 0.75f);                              // -0.75 is cut to 0
  to[2] = (unsigned)(b - 1.0f);                               // -1 saturates
  to[3] = (unsigned)(s * 3.0f);                               // often negative
  to[4] = (unsigned char)fminf(fmaxf(x, 0.0f), 255.0f);       // NaN becomes 0
  to[5] = (int)fminf(x, 100.0f);                              // saturates below; NaN becomes 100
  to[6] = (unsigned)fmaxf(x, 0.0f);                           // saturates above
  to[7] = (int)(b * 8421504.0f);                              // up to 2^31 - 128
  to[8] = (int)(b * 8421505.0f);                              // up to 2^31 once rounded
  to[9] = (unsigned)(b * 16843010.0f);                        // up to 2^32 once rounded
  to[10] = (int)(100.0f / (bytes[i] > 3 ? bytes[i] - 3 : 1)); // not by 0
  to[11] = (int)(100.0f / (b - 3.0f));                        // by 0
  to[12] = (long long)fminf(x, 1e6f);                         // saturates below
  to[13] = (long long)(unsigned long long)x;                  // NaN becomes 2^63
  shifts[i] = (int)(1.0f / (s - 0.5f)) + rintf(s * 0.5f);
}

// Stretches between the least and the greatest value of the row, and so finds them in each thread.
__global__ void stretch(const unsigned char *in, unsigned char *out, int *wrong_side, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int low = 255, high = 0;
    for (int k = 0; k < n; k++) {
      low = min(low, in[k]);
      high = max(high, in[k]);
    }
    float scale = 255.0f / (float)(high > low ? high - low : 1);
    out[i] = (unsigned char)(__fmul_rn((float)(in[i] - low), scale) + 0.5f);
    wrong_side[i] = (unsigned)(__fmul_rn((float)(low - in[i]), scale) - 1.0f);
  }
}

static long long saturated(float value, long long lowest, long long highest) {
  if (value != value)
    return 0;
  if (value <= (double)lowest)
    return lowest;
  if (value >= (double)highest)
    return highest;
  return (long long)value;
}
static long long as_int(float value) { return saturated(value, INT_MIN, INT_MAX); }
static long long as_unsigned(float value) { return saturated(value, 0, UINT_MAX); }
static long long as_unsigned_long(float value) {
  return value != value ? LLONG_MIN : value <= 0 ? 0 : value >= 0x1p64f ? -1 : (long long)(unsigned long long)value;
}

int main(int argc, char **argv) {
  const float special[] = {0.0f,   -0.0f, -0.9f,    254.99f,      255.0f,       255.5f,   256.0f,
                           3e9f,   -3e9f, 5e9f,     1e38f,        -1e38f,       INFINITY, -INFINITY,
                           1e-40f, 99.5f, nanf(""), 2147483520.f, -2147483648.f};
  const int block = block_size(argc, argv), n = 1024;
  buffer<unsigned char> bytes(n), stretched(n);
  buffer<signed char> small(n);
  buffer<float> numbers(n), shifts(n);
  buffer<int> wrong_side(n);
  buffer<long long> out((size_t)n * results);
  for (int i = 0; i < n; i++) {
    bytes[i] = (unsigned char)i;
    small[i] = (signed char)(i * 7);
    numbers[i] = special[i % (sizeof(special) / sizeof(*special))];
  }
  bytes.upload();
  small.upload();
  numbers.upload();
  convert<<<blocks_for(n, block), block>>>(bytes.device, small.device, numbers.device, shifts.device, out.device, n);
  out.download();
  shifts.download();
  for (int i = 0; i < n; i++) {
    float b = bytes[i], s = small[i], x = numbers[i], one = 1.0f;
    volatile float product = b * 1.5f, low_product = b * 8421504.0f, high_product = b * 8421505.0f,
                   wide_product = b * 16843010.0f;
    const long long expected[results] = {as_int(product - 100.25f),
                                         as_unsigned(b - 0.75f),
                                         as_unsigned(b - one),
                                         as_unsigned(s * 3.0f),
                                         as_unsigned(fminf(fmaxf(x, 0.0f), 255.0f)),
                                         as_int(fminf(x, 100.0f)),
                                         as_unsigned(fmaxf(x, 0.0f)),
                                         as_int(low_product),
                                         as_int(high_product),
                                         as_unsigned(wide_product),
                                         as_int(100.0f / (bytes[i] > 3 ? bytes[i] - 3 : 1)),
                                         as_int(100.0f / (b - 3.0f)),
                                         saturated(fminf(x, 1e6f), LLONG_MIN, LLONG_MAX),
                                         as_unsigned_long(x)};
    for (int k = 0; k < results; k++)
      expect(i * 100 + k, out[(size_t)i * results + k], expected[k]);
    expect(i, shifts[i], (float)as_int(1.0f / (s - 0.5f)) + rintf(s * 0.5f));
  }
  for (int width = 1; width <= 256; width *= 2) {
    for (int i = 0; i < n; i++)
      bytes[i] = (unsigned char)(width == 256 ? i : 40 + i * 5 % width);
    bytes.upload();
    stretch<<<blocks_for(n, block), block>>>(bytes.device, stretched.device, wrong_side.device, n);
    stretched.download();
    wrong_side.download();
    int low = width == 256 ? 0 : 40;
    float scale = 255.0f / (float)(width > 1 ? width - 1 : 1);
    for (int i = 0; i < n; i++) {
      volatile float right = (float)(bytes[i] - low) * scale;
      expect(i, (int)stretched[i], (int)as_unsigned(right + 0.5f));
      expect(i, wrong_side[i], (int)as_unsigned(-right - 1.0f));
    }
  }
  return passed();
}
