/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuRAND: the generators' words in the order of the documentation ("Host API", "Ordering"). XORWOW and MRG32k3a are
 * 4096 sequences side by side: number n is number n / 4096 of subsequence n % 4096. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 4096 };

/* Position `at` of the generator's result: how many words a lane has given by then. */
static uint64_t given_by(uint64_t lane, uint64_t at) { return at / LANES + (lane < at % LANES); }

struct uwl_lanes {
  uint64_t at;
  struct curandStateXORWOW xorwow[LANES];
  struct curandStateMRG32k3a mrg[LANES];
};

static int place_lanes(curandGenerator_t g) {
  if (!g->lanes && !(g->lanes = malloc(sizeof *g->lanes)))
    return 0;
  if (g->lanes_ready && g->lanes->at == g->offset)
    return 1;
#pragma omp parallel for
  for (uint64_t lane = 0; lane < LANES; lane++) {
    if (g->type == CURAND_RNG_PSEUDO_XORWOW)
      __uw_xorwow_init(&g->lanes->xorwow[lane], g->seed, lane, given_by(lane, g->offset));
    else
      __uw_mrg_init(&g->lanes->mrg[lane], g->seed, lane, given_by(lane, g->offset));
  }
  g->lanes->at = g->offset;
  g->lanes_ready = 1;
  return 1;
}

/* Each thread has lanes of its own; all lanes of a row lie side by side. */
static int lanes_words(curandGenerator_t g, uint32_t *to, uint64_t count) {
  if (!place_lanes(g))
    return 0;
  const uint64_t from = g->lanes->at, end = from + count, piece = 256;
  struct uwl_lanes *all = g->lanes;
#pragma omp parallel for if (count > 1 << 14)
  for (uint64_t first = 0; first < LANES; first += piece)
    for (uint64_t row = from / LANES; row * LANES < end; row++) {
      const uint64_t start = row * LANES;
      uint64_t low = first, high = first + piece;
      low = start + low < from ? from - start : low;
      high = start + high > end ? (end > start ? end - start : 0) : high;
      for (uint64_t lane = low; lane < high && lane < first + piece; lane++)
        to[start + lane - from] =
            g->type == CURAND_RNG_PSEUDO_XORWOW ? __uw_xorwow(&all->xorwow[lane]) : __uw_mrg(&all->mrg[lane]);
    }
  all->at = end;
  return 1;
}

static void philox_words(curandGenerator_t g, uint32_t *to, uint64_t count) {
  const uint64_t from = g->offset, end = from + count;
  const uint2 key = {(unsigned int)g->seed, (unsigned int)(g->seed >> 32)};
#pragma omp parallel for if (count > 1 << 14)
  for (uint64_t block = from / 4; block < (end + 3) / 4; block++) {
    const uint4 counter = {(unsigned int)block, (unsigned int)(block >> 32), 0, 0};
    const uint4 four = __uw_philox_block(counter, key);
    for (unsigned int i = 0; i < 4; i++)
      if (4 * block + i >= from && 4 * block + i < end)
        to[4 * block + i - from] = __uw_word_of(&four, i);
  }
}

/* Matsumoto and Nishimura, "Mersenne Twister" (1998), seeded as in their program of 2002. */
enum { MT_LENGTH = 624, MT_MIDDLE = 397 };
struct uwl_twister {
  uint64_t at; /* words given */
  uint32_t state[MT_LENGTH];
  unsigned int next;
};
static void twist(struct uwl_twister *t) {
  for (int i = 0; i < MT_LENGTH; i++) {
    uint32_t y = (t->state[i] & 0x80000000u) | (t->state[(i + 1) % MT_LENGTH] & 0x7fffffffu);
    t->state[i] = t->state[(i + MT_MIDDLE) % MT_LENGTH] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0);
  }
  t->next = 0;
}
static uint32_t twister_word(struct uwl_twister *t) {
  if (t->next == MT_LENGTH)
    twist(t);
  uint32_t y = t->state[t->next++];
  t->at++;
  y ^= y >> 11;
  y ^= y << 7 & 0x9d2c5680u;
  y ^= y << 15 & 0xefc60000u;
  return y ^ y >> 18;
}
static int twister_words(curandGenerator_t g, uint32_t *to, uint64_t count) {
  if (!g->twister && !(g->twister = malloc(sizeof *g->twister)))
    return 0;
  struct uwl_twister *t = g->twister;
  if (!g->lanes_ready || t->at > g->offset) {
    t->state[0] = (uint32_t)g->seed;
    for (uint32_t i = 1; i < MT_LENGTH; i++)
      t->state[i] = 1812433253u * (t->state[i - 1] ^ t->state[i - 1] >> 30) + i;
    t->next = MT_LENGTH;
    t->at = 0;
    g->lanes_ready = 1;
  }
  while (t->at < g->offset)
    twister_word(t);
  for (uint64_t i = 0; i < count; i++)
    to[i] = twister_word(t);
  return 1;
}

int uwl_curand_words(curandGenerator_t g, uint32_t *to, uint64_t count) {
  int good = 1;
  if (g->type == CURAND_RNG_PSEUDO_PHILOX4_32_10)
    philox_words(g, to, count);
  else if (g->type == CURAND_RNG_PSEUDO_MT19937)
    good = twister_words(g, to, count);
  else
    good = lanes_words(g, to, count);
  g->offset += count;
  return good;
}

void uwl_curand_forget(curandGenerator_t g) { g->lanes_ready = 0; }
