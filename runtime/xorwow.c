/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The powers of XORWOW's step, a matrix over GF(2), that curand_init's skips want (include/unwarp/random_engines.h).
 * Made when they are first asked for, in some ten milliseconds: each is the square of the one before. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { WORDS = 5, BITS = 160, POWERS = 131 }; /* 64 for an offset, 64 for sequences of 2^67 */
typedef uint32_t matrix[BITS][WORDS];         /* where each bit of the state goes */

static matrix *powers;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void step(uint32_t v[WORDS]) {
  uint32_t t = v[0] ^ (v[0] >> 2);
  memmove(v, v + 1, (WORDS - 1) * sizeof *v);
  v[4] = (v[3] ^ (v[3] << 4)) ^ (t ^ (t << 1));
}

static void apply(const matrix by, const uint32_t from[WORDS], uint32_t to[WORDS]) {
  memset(to, 0, WORDS * sizeof *to);
  for (int bit = 0; bit < BITS; bit++) {
    uint32_t mask = 0u - (from[bit / 32] >> bit % 32 & 1);
    for (int i = 0; i < WORDS; i++)
      to[i] ^= by[bit][i] & mask;
  }
}

static void make_powers(void) {
  powers = malloc(POWERS * sizeof *powers);
  if (!powers)
    uwrt_fatal("out of memory");
  for (int bit = 0; bit < BITS; bit++) {
    uint32_t v[WORDS] = {0};
    v[bit / 32] = 1u << bit % 32;
    step(v);
    memcpy(powers[0][bit], v, sizeof v);
  }
  for (int k = 1; k < POWERS; k++)
    for (int bit = 0; bit < BITS; bit++)
      apply(powers[k - 1], powers[k - 1][bit], powers[k][bit]);
}

const unsigned int *uwrt_xorwow_power(unsigned int k) {
  pthread_once(&once, make_powers);
  return powers[k < POWERS ? k : POWERS - 1][0];
}
