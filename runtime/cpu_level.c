/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which level of x86-64 this CPU is of (x86-64 psABI, section 3.1.1, "Processor Architecture"), as far as its vectors
 * go: 1, 3 or 4. Kernels that are compiled for several run as built for the best one that the CPU, and UNWARP_MARCH,
 * allow, and the runtime's own code for several goes by it, too.
 */
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "internal.h"
#include "levels.h"

uint8_t uwrt_masked_stores_are_slow;

#if defined(__x86_64__)
#include <cpuid.h>

/* The bits that each level adds, by leaf of cpuid, and what the system must save of it (XCR0). */
enum {
  V3_1_ECX = bit_SSE3 | bit_SSSE3 | bit_FMA | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_MOVBE | bit_POPCNT |
             bit_OSXSAVE | bit_AVX | bit_F16C,
  V3_7_EBX = bit_BMI | bit_AVX2 | bit_BMI2,
  V3_EXTENDED_ECX = bit_LAHF_LM | bit_LZCNT,
  V3_SAVED = 0x06,
  V4_SAVED = 0xe6,
};
static const unsigned v4_7_ebx = bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL;

static int has(unsigned value, unsigned bits) { return (value & bits) == bits; }

static int level_of_cpu(void) {
  unsigned a, b, c, d, features, saved, high;
  if (!__get_cpuid(1, &a, &b, &features, &d) || !has(features, V3_1_ECX) || !__get_cpuid(0x80000001, &a, &b, &c, &d) ||
      !has(c, V3_EXTENDED_ECX) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(b, V3_7_EBX))
    return 1;
  __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
  return !has(saved, V3_SAVED) ? 1 : has(saved, V4_SAVED) && has(b, v4_7_ebx) ? 4 : 3;
}

/* Measured on Zen 3 and Zen 4: docs/notes/2026-11-29-masked-stores.md. Hygon's CPUs are made like the first of these. */
__attribute__((constructor)) static void know_masked_stores(void) {
  unsigned highest, vendor[3]; /* 12 letters */
  if (__get_cpuid(0, &highest, &vendor[0], &vendor[2], &vendor[1]))
    uwrt_masked_stores_are_slow =
        memcmp(vendor, "AuthenticAMD", sizeof vendor) == 0 || memcmp(vendor, "HygonGenuine", sizeof vendor) == 0;
}
#else
static int level_of_cpu(void) { return 0; }
#endif

static int most_wanted(void) {
  const char *text = getenv("UNWARP_MARCH");
  int level = uwrt_level_named(text);
  if (!level)
    uwrt_fatal("UNWARP_MARCH is \"%s\" and should be " UWRT_LEVEL_NAMES ": what kernels may use at the most", text);
  return level == 2 ? 1 : level; /* the second has the first one's vectors */
}

/* Asked for once: the question costs microseconds in a virtual machine. */
int32_t uwrt_cpu_level(void) {
  static _Atomic int32_t known = -1;
  int32_t level = known;
  if (level < 0) {
    int32_t most = most_wanted();
    level = level_of_cpu();
    known = level = level < most ? level : most;
  }
  return level;
}

int32_t uwrt_pick_level(uint32_t levels) {
  for (int32_t level = uwrt_cpu_level(); level > 0; level--)
    if (levels >> level & 1)
      return level;
  return 0; /* the least that it is built for */
}
