/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Half and bfloat16 as host code runs them, the same functions that device code inlines: all values, sums and products
 * near ties, every direction of rounding, against exact arithmetic in long double.
 */
#include <cuda_bf16.h>
#include <cuda_fp16.h>

static int failures;
#define CHECK(condition, ...)                                                                                          \
  do {                                                                                                                 \
    static int reported;                                                                                               \
    if (!(condition)) {                                                                                                \
      ++failures;                                                                                                      \
      if (reported++ < 5)                                                                                              \
        printf("  " __VA_ARGS__), printf("\n");                                                                        \
    }                                                                                                                  \
  } while (0)

static unsigned long long state = 88172645463325252ull;
static unsigned long long random_bits() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return state;
}

/* The values of a format in order of size: value(0) = 0, value(1) the least positive one. */
struct half_format {
  typedef half number;
  static const int infinity = 0x7c00;
  static long double value(int bits) {
    return bits >= infinity ? (long double)INFINITY
           : bits >> 10     ? ldexpl(1024 + (bits & 1023), (bits >> 10) - 25)
                            : ldexpl(bits, -24);
  }
  static half of(unsigned short bits) { return __ushort_as_half(bits); }
  static unsigned short bits(half h) { return __half_as_ushort(h); }
};
struct bfloat_format {
  typedef nv_bfloat16 number;
  static const int infinity = 0x7f80;
  static long double value(int bits) {
    return bits >= infinity ? (long double)INFINITY
           : bits >> 7      ? ldexpl(128 + (bits & 127), (bits >> 7) - 134)
                            : ldexpl(bits, -133);
  }
  static nv_bfloat16 of(unsigned short bits) { return __ushort_as_bfloat16(bits); }
  static unsigned short bits(nv_bfloat16 h) { return __bfloat16_as_ushort(h); }
};

/* exact + sticky to the format: sticky is the sign of an amount too small for exact to hold. direction: 2 nearest. */
template <typename Format> static unsigned short rounded(long double exact, int sticky, int direction) {
  bool negative = exact < 0 || (exact == 0 && (signbit(exact) || sticky < 0));
  long double size = fabsl(exact);
  if (negative)
    sticky = -sticky;
  int low = 0, high = Format::infinity;
  while (low < high) { /* the largest one that is not above the value */
    int middle = (low + high + 1) / 2;
    long double at = Format::value(middle);
    if (at < size || (at == size && sticky >= 0))
      low = middle;
    else
      high = middle - 1;
  }
  bool is_exact = Format::value(low) == size && sticky == 0;
  bool up = false;
  if (!is_exact && direction == 2) {
    long double next =
        low + 1 == Format::infinity ? 2 * Format::value(low) - Format::value(low - 1) : Format::value(low + 1);
    long double middle = (Format::value(low) + next) / 2;
    up = size > middle || (size == middle && (sticky > 0 || (sticky == 0 && (low & 1))));
  } else if (!is_exact) {
    up = direction == (negative ? -1 : 1);
  }
  return (unsigned short)((low + up) | (negative ? 0x8000 : 0));
}

template <typename Format> static void check_format(const char *name) {
  typedef typename Format::number number;
  for (int bits = 0; bits < Format::infinity; ++bits) {
    float value = (float)Format::of((unsigned short)bits);
    CHECK((long double)value == Format::value(bits), "%s %x is %a", name, bits, value);
    CHECK(Format::bits(number(value)) == bits, "%s of %a", name, value);
    CHECK(Format::bits(number((double)-value)) == (bits | 0x8000), "%s of %a", name, -value);
  }
  for (int i = 0; i < 300000; ++i) {
    unsigned long long r = random_bits();
    /* Any three, then three of about the same size so that sums have ties. */
    unsigned short a = (unsigned short)r, b = (unsigned short)(r >> 16), c = (unsigned short)(r >> 32);
    if (i & 1) {
      int low = Format::infinity / 2 - Format::infinity / 16;
      a = (unsigned short)(low + a % (Format::infinity / 8)), b = (unsigned short)(low + b % (Format::infinity / 8));
      c = (unsigned short)(low + c % (Format::infinity / 8) | (r >> 63 << 15));
    }
    number x = Format::of(a), y = Format::of(b), z = Format::of(c);
    long double lx = (float)x, ly = (float)y, lz = (float)z;
    if (!(fabsl(lx) < INFINITY && fabsl(ly) < INFINITY && fabsl(lz) < INFINITY))
      continue;
    long double sum = lx + ly, rest = fabsl(lx) < fabsl(ly) ? lx - (sum - ly) : ly - (sum - lx);
    if (sum != 0)
      CHECK(Format::bits(x + y) == rounded<Format>(sum, (rest > 0) - (rest < 0), 2), "%s %x + %x = %x", name, a, b,
            Format::bits(x + y));
    CHECK(Format::bits(x * y) == rounded<Format>(lx * ly, 0, 2), "%s %x * %x = %x", name, a, b, Format::bits(x * y));
    if (ly != 0) {
      long double quotient = lx / ly, left = fmal(-quotient, ly, lx) * ly;
      CHECK(Format::bits(x / y) == rounded<Format>(quotient, (left > 0) - (left < 0), 2), "%s %x / %x = %x", name, a, b,
            Format::bits(x / y));
    }
    long double product = lx * ly, total = product + lz;
    rest = fabsl(product) < fabsl(lz) ? product - (total - lz) : lz - (total - product);
    if (total != 0)
      CHECK(Format::bits(__hfma(x, y, z)) == rounded<Format>(total, (rest > 0) - (rest < 0), 2),
            "%s fma(%x, %x, %x) = %x", name, a, b, c, Format::bits(__hfma(x, y, z)));
    CHECK((x < y) == (lx < ly) && (x >= y) == (lx >= ly) && (x == y) == (lx == ly), "%s compare %x %x", name, a, b);
  }
}

int main() {
  check_format<half_format>("half");
  check_format<bfloat_format>("bfloat16");
  for (int i = 0; i < 300000; ++i) {
    unsigned long long r = random_bits();
    float f = __builtin_bit_cast(float, (unsigned)r), g = ldexpf((float)(int)(r >> 32), (int)(r % 60) - 55);
    for (float x : {f, g}) {
      if (!(fabsf(x) < INFINITY))
        continue;
#define SAME(format, expression, value, direction)                                                                     \
  CHECK(format::bits(expression) == rounded<format>((long double)(value), 0, direction), "%s of %a = %x", #expression, \
        (double)(value), format::bits(expression))
      SAME(half_format, __float2half_rn(x), x, 2);
      SAME(half_format, __float2half_rz(x), x, 0);
      SAME(half_format, __float2half_ru(x), x, 1);
      SAME(half_format, __float2half_rd(x), x, -1);
      SAME(bfloat_format, __float2bfloat16_rn(x), x, 2);
      SAME(bfloat_format, __float2bfloat16_rz(x), x, 0);
      SAME(bfloat_format, __float2bfloat16_ru(x), x, 1);
      SAME(bfloat_format, __float2bfloat16_rd(x), x, -1);
    }
    double d = ldexp((double)(long long)r, (int)(r % 70) - 90);
    SAME(half_format, __double2half(d), d, 2);
    SAME(bfloat_format, __double2bfloat16(d), d, 2);
    long long l = (long long)r >> (r & 63), near = (l & ~0xffll) | (r >> 60 == 1);
    for (long long x : {l, near, (long long)(int)l}) {
      SAME(half_format, __ll2half_rn(x), x, 2);
      SAME(half_format, __ll2half_ru(x), x, 1);
      SAME(half_format, __int2half_rz((int)x), (int)x, 0);
      SAME(bfloat_format, __ll2bfloat16_rn(x), x, 2);
      SAME(bfloat_format, __ll2bfloat16_rz(x), x, 0);
      SAME(bfloat_format, __ll2bfloat16_ru(x), x, 1);
      SAME(bfloat_format, __ull2bfloat16_rd((unsigned long long)x), (unsigned long long)x, -1);
      SAME(bfloat_format, __int2bfloat16_rn((int)x), (int)x, 2);
    }
  }
  half nan = __ushort_as_half(0x7e00), one = 1.0f, zero = 0.0f, minus_zero = -0.0f;
  CHECK(__hisnan(nan) && !(nan == nan) && nan != nan && !__hne(nan, one) && __hneu(nan, one) && __hltu(nan, one),
        "NaN");
  CHECK((float)__hmax(nan, one) == 1 && (float)__hmin(one, nan) == 1 && __hisnan(__hmax_nan(nan, one)), "max with NaN");
  CHECK(!signbit((float)__hmax(zero, minus_zero)) && signbit((float)__hmin(zero, minus_zero)), "max of zeros");
  CHECK((float)__hadd_sat(one, one) == 1 && (float)__hfma_relu(one, one, half(-3.0f)) == 0, "saturation");
  CHECK(__half2int_rn(half(2.5f)) == 2 && __half2int_ru(half(2.5f)) == 3 && __half2int_rd(half(-2.5f)) == -3 &&
            __half2int_rz(nan) == 0 && __half2short_rz(half(65504.0f)) == 32767 && __half2uint_rz(half(-3.0f)) == 0,
        "half to int");
  return failures != 0;
}
