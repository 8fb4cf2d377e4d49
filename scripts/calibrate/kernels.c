// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What operations of SIMD lanes take, each in a loop of its own over data in the nearest cache: nanoseconds for a lane,
// once as 16 lanes of a vector and once one by one. scripts/calibrate.sh prints them in units of the simple operation.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { LANES = 16, TABLE = 4096, REPEATS = 2000, TRIES = 60, APART = 16, SUMS = 4 };

typedef int32_t ints __attribute__((ext_vector_type(LANES)));
typedef int64_t longs __attribute__((ext_vector_type(LANES)));
typedef uint8_t bytes __attribute__((ext_vector_type(LANES)));
typedef float floats __attribute__((ext_vector_type(LANES)));
typedef double doubles __attribute__((ext_vector_type(LANES)));
typedef _Bool lanes __attribute__((ext_vector_type(LANES)));

static int32_t words[TABLE];
static int64_t wides[TABLE];
static uint8_t small[TABLE];
static float reals[TABLE];
static double longer[TABLE];
static int32_t places[TABLE];

#define ALL ((lanes)(1))

// The compiler knows nothing of what is in there.
#define HIDE(value) __asm__ volatile("" : "+m"(value)::"memory")

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Each takes APART * LANES elements from `at` on.
#define KERNEL(id, type, width, step)                                                                                  \
  __attribute__((noinline)) static void id(int at, lanes on) {                                                         \
    type sums[SUMS] = {0};                                                                                             \
    (void)on;                                                                                                          \
    _Pragma("clang loop vectorize(disable) unroll_count(8)") for (int n = 0; n < APART * LANES / width; n++) {         \
      int k = at + n * width;                                                                                          \
      type x;                                                                                                          \
      step;                                                                                                            \
      sums[n % SUMS] += x;                                                                                             \
    }                                                                                                                  \
    HIDE(sums);                                                                                                        \
  }
#define VECTOR(id, type, step) KERNEL(vector_##id, type, LANES, ints place = *(ints *)(places + k); (void)place; step)
#define SCALAR(id, type, step) KERNEL(scalar_##id, type, 1, int32_t place = places[k]; (void)place; step)
#define BOTH(id, wide, narrow, vector, scalar) VECTOR(id, wide, vector) SCALAR(id, narrow, scalar)

#define EIGHT(step) step, step, step, step, step, step, step, step

BOTH(nothing, ints, int32_t, x = place, x = place)
BOTH(simple, ints, int32_t, (x = place, EIGHT(x = (x ^ 0x55) + place)), (x = place, EIGHT(x = (x ^ 0x55) + place)))
BOTH(load, ints, int32_t, x = *(ints *)(words + k), x = words[k])
BOTH(masked_load, ints, int32_t, x = __builtin_masked_load(on, words + k), x = words[k])
BOTH(store, ints, int32_t, (x = place, *(ints *)(words + k) = x), (x = place, words[k] = x))
BOTH(masked_store, ints, int32_t, (x = place, __builtin_masked_store(on, x, words + k)), (x = place, words[k] = x))
BOTH(gather_4, ints, int32_t, x = __builtin_masked_gather(ALL, place, words), x = words[place])
BOTH(gather_4_masked, ints, int32_t, x = __builtin_masked_gather(on, place, words), x = words[place])
BOTH(gather_8, longs, int64_t, x = __builtin_masked_gather(ALL, place, wides), x = wides[place])
BOTH(gather_1, bytes, uint8_t, x = __builtin_masked_gather(ALL, place, small), x = small[place])
BOTH(gather_1_masked, bytes, uint8_t, x = __builtin_masked_gather(on, place, small), x = small[place])
BOTH(scatter_4, ints, int32_t, (x = place, __builtin_masked_scatter(ALL, place, x, words)),
     (x = place, words[place] = x))
BOTH(scatter_4_masked, ints, int32_t, (x = place, __builtin_masked_scatter(on, place, x, words)),
     (x = place, words[place] = x))
// Lanes to where the other half of a register, or another register, has them, and an addition, without which the shuffles
// would be one.
#define TURNED(lanes) __builtin_shufflevector(lanes, lanes, 15, 6, 13, 4, 11, 2, 9, 0, 7, 14, 5, 12, 3, 10, 1, 8)
BOTH(across, ints, int32_t, (x = place, EIGHT(x = TURNED(x) + place)), (x = place, EIGHT(x = (x ^ 0x55) + place)))
BOTH(divide, floats, float, x = 1.5f / *(floats *)(reals + k), x = 1.5f / reals[k])
BOTH(divide_doubles, doubles, double, x = 1.5 / *(doubles *)(longer + k), x = 1.5 / longer[k])
BOTH(root, floats, float, x = __builtin_elementwise_sqrt(*(floats *)(reals + k)), x = sqrtf(reals[k]))
BOTH(divide_integers, ints, int32_t, x = 1000000 / (place | 1), x = 1000000 / (place | 1))
BOTH(divide_by_number, ints, int32_t, x = place / 7, x = place / 7)
SCALAR(function, float, x = expf(reals[k]))
__attribute__((noinline)) static void vector_function(int at, lanes on) {
  float sums[LANES] = {0};
  (void)on;
  for (int n = 0; n < APART; n++) {
#pragma clang loop vectorize(enable)
    for (int k = 0; k < LANES; k++)
      sums[k] += expf(reals[at + n * LANES + k]);
  }
  HIDE(sums);
}

static double time_of(void (*kernel)(int, lanes), lanes on) {
  double start = now();
  for (int k = 0; k < REPEATS; k++)
    kernel(k % (TABLE / APART / LANES) * APART * LANES, on);
  return (now() - start) / REPEATS / APART / LANES;
}

static void fill(void) {
  uint32_t state = 1;
  for (int i = 0; i < TABLE; i++) {
    state = state * 1664525u + 1013904223u;
    places[i] = (int32_t)(state >> 20);
    reals[i] = (float)(state >> 8) * 1e-6f + 0.5f;
    longer[i] = reals[i], words[i] = (int32_t)state, wides[i] = state, small[i] = (uint8_t)state;
  }
}

int main(void) {
  static const struct {
    const char *name;
    int operations; // of the kind, for each element
    void (*one)(int, lanes), (*all)(int, lanes);
  } rows[] = {
#define ROW(id, operations) {#id, operations, scalar_##id, vector_##id}
      ROW(nothing, 1),
      ROW(simple, 16),
      ROW(load, 1),
      ROW(masked_load, 1),
      ROW(store, 1),
      ROW(masked_store, 1),
      ROW(gather_4, 1),
      ROW(gather_8, 1),
      ROW(gather_1, 1),
      ROW(gather_4_masked, 1),
      ROW(gather_1_masked, 1),
      ROW(scatter_4, 1),
      ROW(scatter_4_masked, 1),
      ROW(across, 8),
      ROW(divide, 1),
      ROW(divide_doubles, 1),
      ROW(root, 1),
      ROW(divide_integers, 1),
      ROW(divide_by_number, 1),
      ROW(function, 1),
  };
  uint16_t some = 0x5b6d;
  lanes on;
  __builtin_memcpy(&on, &some, sizeof some);
  fill();
  enum { ROWS = sizeof rows / sizeof *rows };
  double one[ROWS], all[ROWS];
  for (int r = 0; r < ROWS; r++)
    one[r] = all[r] = 1e30;
  for (int i = 0; i < TRIES; i++) // in turn, so that what else runs on the machine spoils no row alone
    for (int r = 0; r < ROWS; r++) {
      double took = time_of(rows[r].one, on);
      one[r] = took < one[r] ? took : one[r];
      took = time_of(rows[r].all, on);
      all[r] = took < all[r] ? took : all[r];
    }
  double unit = (one[1] - one[0]) / rows[1].operations;
  printf("%-18s %10s %10s   of %.3f ns, for a lane\n", "operation", "one by one", "in vectors", unit);
  for (unsigned r = 1; r < ROWS; r++)
    printf("%-18s %10.2f %10.2f\n", rows[r].name, (one[r] - one[0]) / rows[r].operations / unit,
           (all[r] - all[0]) / rows[r].operations / unit);
  return 0;
}
