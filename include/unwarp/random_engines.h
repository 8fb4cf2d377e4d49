/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The generators after curand_kernel.h and libcurand, in C, for host and device: states, one step, and skips. Each is
 * the published algorithm, seeded as CUDA's documentation and public reimplementations have it, so that a seed gives a
 * GPU's numbers:
 *
 *   XORWOW          Marsaglia, "Xorshift RNGs" (2003), with a Weyl sequence; subsequences are 2^67 apart
 *   Philox4x32-10   Salmon and others, "Parallel random numbers: as easy as 1, 2, 3" (2011); subsequences are 2^66 apart
 *   MRG32k3a        L'Ecuyer (1999); subsequences are 2^76 apart, sequences 2^127
 *   Sobol           Gray code order (Antonov and Saleev, 1979), with direction vectors of the caller
 *
 * Skips of n take log n steps. Those of XORWOW want powers of its matrix over GF(2), which the runtime or library
 * makes: uwrt_xorwow_power(k) is the matrix of 2^k steps, 160 columns of 5 words. */
#ifndef UNWARP_RANDOM_ENGINES_H
#define UNWARP_RANDOM_ENGINES_H

#ifndef __UW_RANDOM
#define __UW_RANDOM static __inline__ __host__ __device__ __attribute__((unused))
#endif

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __CUDA__
__attribute__((host, device, nothrow, const))
#endif
const unsigned int *uwrt_xorwow_power(unsigned int k);
#ifdef __cplusplus
}
#endif

/* --- XORWOW ------------------------------------------------------------------------------------------------------- */

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double; /* is there a second normal number left of a pair? */
  float boxmuller_extra;
  double boxmuller_extra_double;
};

enum { __UW_XORWOW_STEP = 362437, __UW_XORWOW_SEQUENCE = 67 };

__UW_RANDOM unsigned int __uw_xorwow(struct curandStateXORWOW *__s) {
  unsigned int __t = __s->v[0] ^ (__s->v[0] >> 2);
  __s->v[0] = __s->v[1];
  __s->v[1] = __s->v[2];
  __s->v[2] = __s->v[3];
  __s->v[3] = __s->v[4];
  __s->v[4] = (__s->v[4] ^ (__s->v[4] << 4)) ^ (__t ^ (__t << 1));
  __s->d += __UW_XORWOW_STEP;
  return __s->v[4] + __s->d;
}

/* n * 2^first steps of the shift register. */
__UW_RANDOM void __uw_xorwow_jump(struct curandStateXORWOW *__s, unsigned long long __n, unsigned int __first) {
  for (unsigned int __k = __first; __n; __k++, __n >>= 1) {
    if (!(__n & 1))
      continue;
    const unsigned int *__column = uwrt_xorwow_power(__k);
    unsigned int __to[5] = {0, 0, 0, 0, 0};
    for (int __word = 0; __word < 5; __word++)
      for (unsigned int __bit = 0; __bit < 32; __bit++, __column += 5) {
        unsigned int __mask = 0u - (__s->v[__word] >> __bit & 1);
        for (int __i = 0; __i < 5; __i++)
          __to[__i] ^= __column[__i] & __mask;
      }
    for (int __i = 0; __i < 5; __i++)
      __s->v[__i] = __to[__i];
  }
}

__UW_RANDOM void __uw_xorwow_skip(struct curandStateXORWOW *__s, unsigned long long __n) {
  __uw_xorwow_jump(__s, __n, 0);
  __s->d += __UW_XORWOW_STEP * (unsigned int)__n;
}
/* The Weyl sequence comes round in 2^32 steps: only the register moves. */
__UW_RANDOM void __uw_xorwow_skip_sequences(struct curandStateXORWOW *__s, unsigned long long __n) {
  __uw_xorwow_jump(__s, __n, __UW_XORWOW_SEQUENCE);
}

__UW_RANDOM void __uw_xorwow_init(struct curandStateXORWOW *__s, unsigned long long __seed,
                                  unsigned long long __sequence, unsigned long long __offset) {
  const unsigned int __t0 = 1099087573u * ((unsigned int)__seed ^ 0xaad26b49u);
  const unsigned int __t1 = 2591861531u * ((unsigned int)(__seed >> 32) ^ 0xf7dcefddu);
  __s->d = 6615241u + __t1 + __t0;
  __s->v[0] = 123456789u + __t0;
  __s->v[1] = 362436069u ^ __t0;
  __s->v[2] = 521288629u + __t1;
  __s->v[3] = 88675123u ^ __t1;
  __s->v[4] = 5783321u + __t0;
  __uw_xorwow_skip_sequences(__s, __sequence);
  __uw_xorwow_skip(__s, __offset);
  __s->boxmuller_flag = __s->boxmuller_flag_double = 0;
  __s->boxmuller_extra = 0;
  __s->boxmuller_extra_double = 0;
}

/* --- Philox4x32-10 ------------------------------------------------------------------------------------------------ */

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE; /* which of the four comes next */
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

__UW_RANDOM uint4 __uw_philox_block(uint4 __c, uint2 __key) {
  for (int __round = 0; __round < 10; __round++) {
    const unsigned long long __p0 = 0xD2511F53ull * __c.x, __p1 = 0xCD9E8D57ull * __c.z;
    const uint4 __next = {(unsigned int)(__p1 >> 32) ^ __c.y ^ __key.x, (unsigned int)__p1,
                          (unsigned int)(__p0 >> 32) ^ __c.w ^ __key.y, (unsigned int)__p0};
    __c = __next;
    __key.x += 0x9E3779B9u;
    __key.y += 0xBB67AE85u;
  }
  return __c;
}

__UW_RANDOM unsigned int __uw_word_of(const uint4 *__four, unsigned int __i) {
  return __i == 0 ? __four->x : __i == 1 ? __four->y : __i == 2 ? __four->z : __four->w;
}

/* Adds to the counter: n to its low half, high to its high one. */
__UW_RANDOM void __uw_philox_count(struct curandStatePhilox4_32_10 *__s, unsigned long long __n,
                                   unsigned long long __high) {
  unsigned long long __low = (unsigned long long)__s->ctr.y << 32 | __s->ctr.x;
  unsigned long long __top = (unsigned long long)__s->ctr.w << 32 | __s->ctr.z;
  __low += __n;
  __top += __high + (__low < __n);
  __s->ctr.x = (unsigned int)__low;
  __s->ctr.y = (unsigned int)(__low >> 32);
  __s->ctr.z = (unsigned int)__top;
  __s->ctr.w = (unsigned int)(__top >> 32);
}

__UW_RANDOM unsigned int __uw_philox(struct curandStatePhilox4_32_10 *__s) {
  unsigned int __gives = __uw_word_of(&__s->output, __s->STATE++);
  if (__s->STATE == 4) {
    __uw_philox_count(__s, 1, 0);
    __s->output = __uw_philox_block(__s->ctr, __s->key);
    __s->STATE = 0;
  }
  return __gives;
}

/* The next four. */
__UW_RANDOM uint4 __uw_philox4(struct curandStatePhilox4_32_10 *__s) {
  uint4 __before = __s->output, __gives;
  const unsigned int __at = __s->STATE;
  __uw_philox_count(__s, 1, 0);
  __s->output = __uw_philox_block(__s->ctr, __s->key);
  __gives.x = __uw_word_of(&__before, __at);
  __gives.y = __at < 3 ? __uw_word_of(&__before, __at + 1) : __uw_word_of(&__s->output, __at - 3);
  __gives.z = __at < 2 ? __uw_word_of(&__before, __at + 2) : __uw_word_of(&__s->output, __at - 2);
  __gives.w = __at < 1 ? __before.w : __uw_word_of(&__s->output, __at - 1);
  return __gives;
}

__UW_RANDOM void __uw_philox_skip(struct curandStatePhilox4_32_10 *__s, unsigned long long __n) {
  __s->STATE += (unsigned int)(__n & 3);
  __n /= 4;
  if (__s->STATE > 3) {
    __n++;
    __s->STATE -= 4;
  }
  __uw_philox_count(__s, __n, 0);
  __s->output = __uw_philox_block(__s->ctr, __s->key);
}
__UW_RANDOM void __uw_philox_skip_sequences(struct curandStatePhilox4_32_10 *__s, unsigned long long __n) {
  __uw_philox_count(__s, 0, __n);
  __s->output = __uw_philox_block(__s->ctr, __s->key);
}
__UW_RANDOM void __uw_philox_init(struct curandStatePhilox4_32_10 *__s, unsigned long long __seed,
                                  unsigned long long __sequence, unsigned long long __offset) {
  const uint4 __zero = {0, 0, 0, 0};
  __s->ctr = __zero;
  __s->key.x = (unsigned int)__seed;
  __s->key.y = (unsigned int)(__seed >> 32);
  __s->STATE = 0;
  __s->boxmuller_flag = __s->boxmuller_flag_double = 0;
  __s->boxmuller_extra = 0;
  __s->boxmuller_extra_double = 0;
  __uw_philox_skip_sequences(__s, __sequence);
  __uw_philox_skip(__s, __offset);
}

/* --- MRG32k3a ----------------------------------------------------------------------------------------------------- */

struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};

#define __UW_MRG_M1 4294967087ull
#define __UW_MRG_M2 4294944443ull

/* In [1, m1]. */
__UW_RANDOM unsigned int __uw_mrg(struct curandStateMRG32k3a *__s) {
  const unsigned long long __p1 = (1403580ull * __s->s1[1] + 810728ull * (__UW_MRG_M1 - __s->s1[0])) % __UW_MRG_M1;
  const unsigned long long __p2 = (527612ull * __s->s2[2] + 1370589ull * (__UW_MRG_M2 - __s->s2[0])) % __UW_MRG_M2;
  __s->s1[0] = __s->s1[1];
  __s->s1[1] = __s->s1[2];
  __s->s1[2] = (unsigned int)__p1;
  __s->s2[0] = __s->s2[1];
  __s->s2[1] = __s->s2[2];
  __s->s2[2] = (unsigned int)__p2;
  return (unsigned int)(__p1 <= __p2 ? __p1 - __p2 + __UW_MRG_M1 : __p1 - __p2);
}

/* state = a^n * state; a is squared on the way. */
__UW_RANDOM void __uw_mrg_jump(unsigned int __state[3], const unsigned int __of[9], unsigned long long __n,
                               unsigned long long __m) {
  unsigned long long __a[9], __next[9];
  for (int __i = 0; __i < 9; __i++)
    __a[__i] = __of[__i];
  for (; __n; __n >>= 1) {
    if (__n & 1) {
      for (int __i = 0; __i < 3; __i++)
        __next[__i] = (__a[3 * __i] * __state[0] % __m + __a[3 * __i + 1] * __state[1] % __m +
                       __a[3 * __i + 2] * __state[2] % __m) %
                      __m;
      for (int __i = 0; __i < 3; __i++)
        __state[__i] = (unsigned int)__next[__i];
    }
    for (int __i = 0; __i < 9; __i++)
      __next[__i] = (__a[__i / 3 * 3] * __a[__i % 3] % __m + __a[__i / 3 * 3 + 1] * __a[__i % 3 + 3] % __m +
                     __a[__i / 3 * 3 + 2] * __a[__i % 3 + 6] % __m) %
                    __m;
    for (int __i = 0; __i < 9; __i++)
      __a[__i] = __next[__i];
  }
}

__UW_RANDOM void __uw_mrg_skip(struct curandStateMRG32k3a *__s, unsigned long long __n) {
  const unsigned int __a1[9] = {0, 1, 0, 0, 0, 1, 4294156359u, 1403580, 0};
  const unsigned int __a2[9] = {0, 1, 0, 0, 0, 1, 4293573854u, 0, 527612};
  __uw_mrg_jump(__s->s1, __a1, __n, __UW_MRG_M1);
  __uw_mrg_jump(__s->s2, __a2, __n, __UW_MRG_M2);
}
/* The matrices to the power of 2^76. */
__UW_RANDOM void __uw_mrg_skip_subsequences(struct curandStateMRG32k3a *__s, unsigned long long __n) {
  const unsigned int __a1[9] = {82758667,   1871391091,  4127413238u, 3672831523u, 69195019,
                                1871391091, 3672091415u, 3528743235u, 69195019};
  const unsigned int __a2[9] = {1511326704,  3759209742u, 1610795712,  4292754251u, 1511326704,
                                3889917532u, 3859662829u, 4292754251u, 3708466080u};
  __uw_mrg_jump(__s->s1, __a1, __n, __UW_MRG_M1);
  __uw_mrg_jump(__s->s2, __a2, __n, __UW_MRG_M2);
}
/* Of 2^127. */
__UW_RANDOM void __uw_mrg_skip_sequences(struct curandStateMRG32k3a *__s, unsigned long long __n) {
  const unsigned int __a1[9] = {2427906178u, 3580155704u, 949770784, 226153695, 1230515664,
                                3580155704u, 1988835001,  986791581, 1230515664};
  const unsigned int __a2[9] = {1464411153, 277697599,   1610723613, 32183930,  1464411153,
                                1022607788, 2824425944u, 32183930,   2093834863};
  __uw_mrg_jump(__s->s1, __a1, __n, __UW_MRG_M1);
  __uw_mrg_jump(__s->s2, __a2, __n, __UW_MRG_M2);
}
__UW_RANDOM void __uw_mrg_init(struct curandStateMRG32k3a *__s, unsigned long long __seed,
                               unsigned long long __sequence, unsigned long long __offset) {
  const unsigned long long __x1 = (unsigned int)__seed ^ 0x55555555u, __x2 = (unsigned int)(__seed >> 32) ^ 0xAAAAAAAAu;
  for (int __i = 0; __i < 3; __i++)
    __s->s1[__i] = __s->s2[__i] = 12345;
  if (__seed) {
    __s->s1[0] = (unsigned int)(__x1 * 12345 % __UW_MRG_M1);
    __s->s1[1] = (unsigned int)(__x2 * 12345 % __UW_MRG_M1);
    __s->s1[2] = (unsigned int)(__x1 * 12345 % __UW_MRG_M1);
    __s->s2[0] = (unsigned int)(__x2 * 12345 % __UW_MRG_M2);
    __s->s2[1] = (unsigned int)(__x1 * 12345 % __UW_MRG_M2);
    __s->s2[2] = (unsigned int)(__x2 * 12345 % __UW_MRG_M2);
  }
  __s->boxmuller_flag = __s->boxmuller_flag_double = 0;
  __s->boxmuller_extra = 0;
  __s->boxmuller_extra_double = 0;
  __uw_mrg_skip_subsequences(__s, __sequence);
  __uw_mrg_skip(__s, __offset);
}
/* A number of MRG32k3a as 32 bits, and as a number in (0, 1]. */
__UW_RANDOM unsigned int __uw_mrg_bits(unsigned int __number) {
  return (unsigned int)((double)__number * 1.000000048662);
}
#define __UW_MRG_UNIT 2.328306549295727688e-10      /* 1 / (m1 + 1), for floats */
#define __UW_MRG_UNIT_DOUBLE 2.3283065498378288e-10 /* 1 / m1 */

/* --- numbers from bits -------------------------------------------------------------------------------------------- */

/* In (0, 1]: never 0. */
__UW_RANDOM float __uw_unit_float(unsigned int __x) { return __x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; }
__UW_RANDOM float __uw_unit_float_64(unsigned long long __x) {
  return (float)(unsigned int)(__x >> 32) * 2.3283064e-10f + 2.3283064e-10f / 2.0f;
}
__UW_RANDOM double __uw_unit_double(unsigned int __x, unsigned int __y) {
  const unsigned long long __z = (unsigned long long)__x ^ (unsigned long long)__y << (53 - 32);
  return (double)__z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}

#endif
