/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integer and packed intrinsics by value. The headers' device functions are compiled as host functions here, under the
 * prefix of a namespace.
 */
#pragma push_macro("__UW_DEVICE__")
#undef __UW_DEVICE__
#define __UW_DEVICE__ static inline
#undef UNWARP_PACKED_H
namespace native {
#include "unwarp/packed.h"
} // namespace native
#pragma pop_macro("__UW_DEVICE__")

static int failures;
static unsigned long long state = 88172645463325252ull;
static unsigned random_word() {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)(state >> 20);
}

/* lane by lane, in a type that holds everything. */
template <typename Lane, typename Function> static unsigned each(unsigned left, unsigned right, Function function) {
  const int width = (int)sizeof(Lane) * 8;
  unsigned result = 0;
  for (int shift = 0; shift < 32; shift += width)
    result |= ((unsigned)function((long)(Lane)(left >> shift), (long)(Lane)(right >> shift)) & ((1u << width) - 1))
              << shift;
  return result;
}
template <typename Lane> static long clamp(long value) {
  const long least = (Lane)-1 < 0 ? -(1l << (sizeof(Lane) * 8 - 1)) : 0, most = least + (1l << sizeof(Lane) * 8) - 1;
  return value < least ? least : value > most ? most : value;
}
#define SAME(actual, expected)                                                                                         \
  if ((actual) != (expected) && ++failures < 10)                                                                       \
  printf("  %s(%x, %x) = %x, not %x\n", #actual, a, b, (unsigned)(actual), (unsigned)(expected))
#define LANES(name, signed2, signed4, expression)                                                                      \
  SAME(native::name##2(a, b), each<signed2>(a, b, [](long x, long y) {                                                 \
         typedef signed2 lane;                                                                                         \
         (void)sizeof(lane);                                                                                           \
         return expression;                                                                                            \
       }));                                                                                                            \
  SAME(native::name##4(a, b), each<signed4>(a, b, [](long x, long y) {                                                 \
         typedef signed4 lane;                                                                                         \
         (void)sizeof(lane);                                                                                           \
         return expression;                                                                                            \
       }))
#define SIGNED(name, expression) LANES(name, short, signed char, expression)
#define UNSIGNED(name, expression) LANES(name, unsigned short, unsigned char, expression)

int main() {
  const unsigned edges[] = {0, ~0u, 0x80008000, 0x7fff7fff, 0x80808080, 0x7f7f7f7f, 0x00010001, 0x01010101};
  for (int i = 0; i < 100000; ++i) {
    unsigned a = i < 64 ? edges[i / 8] : random_word(), b = i < 64 ? edges[i % 8] : random_word();
    if (i & 64)
      b = (b & 0x0f0f00ff) | (a & 0xf0f0ff00);
    UNSIGNED(__vadd, x + y);
    UNSIGNED(__vsub, x - y);
    SIGNED(__vaddss, clamp<lane>(x + y));
    SIGNED(__vsubss, clamp<lane>(x - y));
    UNSIGNED(__vaddus, clamp<lane>(x + y));
    UNSIGNED(__vsubus, clamp<lane>(x - y));
    SIGNED(__vabsdiffs, labs(x - y));
    UNSIGNED(__vabsdiffu, labs(x - y));
    SIGNED(__vavgs, x + y < 0 ? (x + y) >> 1 : (x + y + 1) >> 1);
    UNSIGNED(__vavgu, (x + y + 1) / 2);
    UNSIGNED(__vhaddu, (x + y) / 2);
    SIGNED(__vmaxs, x > y ? x : y);
    UNSIGNED(__vmaxu, x > y ? x : y);
    SIGNED(__vmins, x < y ? x : y);
    UNSIGNED(__vminu, x < y ? x : y);
    UNSIGNED(__vcmpeq, x == y ? ~0l : 0);
    UNSIGNED(__vcmpne, x != y ? ~0l : 0);
    SIGNED(__vcmpges, x >= y ? ~0l : 0);
    UNSIGNED(__vcmpgtu, x > y ? ~0l : 0);
    SIGNED(__vsetlts, x < y);
    UNSIGNED(__vsetleu, x <= y);
    unsigned sum2 = 0, sum4 = 0;
    for (int shift = 0; shift < 32; shift += 16)
      sum2 += (unsigned)labs((long)(short)(a >> shift) - (short)(b >> shift));
    for (int shift = 0; shift < 32; shift += 8)
      sum4 += (unsigned)labs((long)(unsigned char)(a >> shift) - (unsigned char)(b >> shift));
    SAME(native::__vsads2(a, b), sum2);
    SAME(native::__vsadu4(a, b), sum4);
    SAME(native::__vabs2(a), each<short>(a, b, [](long x, long) { return labs(x); }));
    SAME(native::__vabsss4(a), each<signed char>(a, b, [](long x, long) { return clamp<signed char>(labs(x)); }));
    SAME(native::__vneg4(a), each<signed char>(a, b, [](long x, long) { return -x; }));
    SAME(native::__vnegss2(a), each<short>(a, b, [](long x, long) { return clamp<short>(-x); }));
  }
  return failures != 0;
}
