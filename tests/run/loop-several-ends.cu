// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counting loops that end for several reasons: &&, break and return; ends signed and unsigned, sums of the counter, conditions
// that no iteration changes. All bounds come from the ends of the range of int and from around 0. The host counts in 64 bits, and
// leaves out what overflows or takes too long.
#include "check.h"

#include <climits>

struct one_case {
  int start, n, m, a, flag;
};

struct seen {
  int iterations, last;
  unsigned mix;
};

#define VISIT(i) (s.iterations++, s.mix = s.mix * 31u + (unsigned)(i))
#define LOOP(name) __device__ void name(const one_case &c, seen &s)

LOOP(both_signed) {
  for (int i = c.start; i < c.n && i <= c.m; i++)
    VISIT(i);
}
LOOP(sum_and_flag) {
  for (int i = c.start; i < c.n; i += 3) {
    if (c.flag < 0 || c.a + i >= c.m)
      return;
    VISIT(i);
  }
}
LOOP(known_end) {
  for (int i = threadIdx.x & 7; i < 32; i += 8) {
    if (c.n >= c.m || c.a + i >= c.m)
      return;
    VISIT(i);
  }
}
LOOP(no_sign_from_zero) {
  for (int i = 0; i < c.n; i += 2) {
    if ((unsigned)i >= (unsigned)c.m)
      break;
    VISIT(i);
  }
}
LOOP(no_sign_from_anywhere) {
  for (int i = c.start; i < c.n; i += 2) {
    if ((unsigned)i >= (unsigned)c.m)
      break;
    VISIT(i);
  }
}
LOOP(unsigned_counter) {
  for (unsigned i = (unsigned)c.start; i < 40u && (int)i < c.m; i += 5)
    VISIT(i);
}
LOOP(unsigned_far_end) {
  for (unsigned i = (unsigned)c.start; i < (unsigned)c.n && (int)i < c.m; i++)
    VISIT(i);
}
LOOP(end_seen_after) {
  int i = c.start;
  while (i < c.n && c.flag > 0 && i < c.m) {
    VISIT(i);
    i += 7;
  }
  s.last = i;
}
LOOP(down) {
  int i = c.start;
  for (; i > c.n && c.flag != 1; i -= 4)
    VISIT(i);
  s.last = i;
}
LOOP(step_from_outside) {
  const int step = (c.a & 7) + 1;
  for (int i = c.start; i < c.n && i + c.flag < c.m; i += step)
    VISIT(i);
}
LOOP(until_equal) {
  for (int i = c.start; i != c.n && i < c.m; i++)
    VISIT(i);
}
LOOP(wide_counter) {
  for (long long i = c.start; i < c.n && c.a < c.m; i += 3)
    VISIT(i);
}
LOOP(up_to_last) {
  for (int i = c.start; i <= c.n; i++) {
    if (i >= c.m)
      return;
    VISIT(i);
  }
}

enum { LOOPS = 13, MOST_ITERATIONS = 120 };

__global__ void run(const one_case *cases, seen *out, int count) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count)
    return;
#define RUN(k, name)                                                                                                   \
  {                                                                                                                    \
    const one_case c = cases[t * LOOPS + k];                                                                           \
    seen s = {0, 0, 1};                                                                                                \
    name(c, s);                                                                                                        \
    out[t * LOOPS + k] = s;                                                                                            \
  }
  RUN(0, both_signed)
  RUN(1, sum_and_flag)
  RUN(2, known_end)
  RUN(3, no_sign_from_zero)
  RUN(4, no_sign_from_anywhere)
  RUN(5, unsigned_counter)
  RUN(6, unsigned_far_end)
  RUN(7, end_seen_after)
  RUN(8, down)
  RUN(9, step_from_outside)
  RUN(10, until_equal)
  RUN(11, wide_counter)
  RUN(12, up_to_last)
}

// The same in 64 bits, without wrap around but of unsigned integers. False: overflows, or too long.
static bool expect_of(int k, const one_case &c, int thread, seen &s) {
  typedef long long wide;
  const wide n = c.n, m = c.m, a = c.a, flag = c.flag, un = (unsigned)c.n, um = (unsigned)c.m;
  static const int steps[LOOPS] = {1, 3, 8, 2, 2, 5, 1, 7, -4, 0, 1, 3, 1};
  const wide step = k == 9 ? (c.a & 7) + 1 : steps[k];
  const bool no_sign = k == 5 || k == 6;
  wide i = k == 2 ? (thread & 7) : k == 3 ? 0 : no_sign ? (wide)(unsigned)c.start : c.start;
  s = {0, 0, 1};
  for (;; i += step) {
    if (!no_sign && k != 11 && (i > INT_MAX || i < INT_MIN))
      return false;
    if (no_sign)
      i &= UINT_MAX;
    const wide as_int = (int)(unsigned)i, as_unsigned = (wide)(unsigned)i;
    wide sum = i; // that the loop computes once its first condition holds
    bool first = true, second = true;
    switch (k) {
    case 0: first = i < n, second = i <= m; break;
    case 1: first = i < n && flag >= 0, sum = a + i, second = sum < m; break;
    case 2: first = i < 32 && n < m, sum = a + i, second = sum < m; break;
    case 3:
    case 4: first = i < n, second = as_unsigned < um; break;
    case 5: first = i < 40, second = as_int < m; break;
    case 6: first = i < un, second = as_int < m; break;
    case 7: first = i < n && flag > 0, second = i < m; break;
    case 8: first = i > n, second = flag != 1; break;
    case 9: first = i < n, sum = i + flag, second = sum < m; break;
    case 10: first = i != n, second = i < m; break;
    case 11: first = i < n, second = a < m; break;
    case 12: first = i <= n, second = i < m; break;
    }
    if (first && !no_sign && k != 11 && (sum > INT_MAX || sum < INT_MIN))
      return false;
    if (!first || !second)
      break;
    if (s.iterations == MOST_ITERATIONS)
      return false;
    s.iterations++;
    s.mix = s.mix * 31u + (unsigned)i;
  }
  if (k == 7 || k == 8)
    s.last = (int)i;
  return true;
}

int main(int argc, char **argv) {
  static const int ends[] = {INT_MIN, INT_MIN + 1, INT_MIN + 50, -60, -2, -1,           0,           1,
                             3,       31,          32,           33,  70, INT_MAX - 50, INT_MAX - 1, INT_MAX};
  const int block = block_size(argc, argv), count = 6000, kinds = sizeof ends / sizeof *ends;
  buffer<one_case> cases((size_t)count * LOOPS);
  buffer<seen> out((size_t)count * LOOPS);
  seen *expected = (seen *)calloc((size_t)count * LOOPS, sizeof *expected);
  unsigned state = 11;
  int with_iterations[LOOPS] = {0};
  auto pick = [&] { return ends[next_random(state) % kinds]; };
  for (int t = 0; t < count; t++) {
    for (int k = 0; k < LOOPS; k++) {
      int at = t * LOOPS + k;
      do {
        // Half of the time the values lie close together, so that there is something to count.
        one_case c = {pick(), pick(), pick(), pick(), (int)(next_random(state) % 5) - 1};
        auto near = [&](int to) { return (int)(unsigned)(to + (long long)(next_random(state) % 90)); };
        if (next_random(state) % 2)
          c.n = near(c.start);
        if (next_random(state) % 2)
          c.m = near(c.start);
        if (next_random(state) % 2)
          c.a = (int)(next_random(state) % 41) - 20;
        cases[at] = c;
      } while (!expect_of(k, cases[at], t % block, expected[at]));
      with_iterations[k] += expected[at].iterations > 0;
    }
  }
  for (int k = 0; k < LOOPS; k++)
    if (with_iterations[k] < count / 50) {
      printf("loop %d makes iterations in %d cases only\n", k, with_iterations[k]);
      return 1;
    }
  cases.upload();
  run<<<blocks_for(count, block), block>>>(cases.device, out.device, count);
  out.download();
  for (int at = 0; at < count * LOOPS; at++) {
    if (out[at].iterations != expected[at].iterations || out[at].mix != expected[at].mix ||
        out[at].last != expected[at].last) {
      const one_case &c = cases[at];
      printf("loop %d from %d, n %d, m %d, a %d, flag %d:\n", at % LOOPS, c.start, c.n, c.m, c.a, c.flag);
      expect(at, out[at].iterations, expected[at].iterations);
      expect(at, out[at].last, expected[at].last);
      expect(at, out[at].mix, expected[at].mix);
    }
  }
  free(expected);
  return passed();
}
