/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuRAND in device code (cuRAND documentation, "Device API"): states, curand_init and skips, and numbers of all
 * distributions. The generators are in unwarp/random_engines.h. MTGP32 has tables of NVIDIA's as parameters: it is not
 * declared. */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"
#include "unwarp/random_engines.h"

#ifdef __cplusplus
#include <math.h>
#ifndef __CUDA__ /* a host compiler, which reads the types and reads over the functions: it has no such mathematics */
extern "C" float erfcinvf(float x);
extern "C" double erfcinv(double x);
#endif

#ifndef QUALIFIERS
#define QUALIFIERS static __forceinline__ __device__
#endif

typedef struct curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

/* Sobol: i is how many numbers came before, x the next one. */
struct curandStateSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateScrambledSobol32 {
  unsigned int i, x, c;
  unsigned int direction_vectors[32];
};
struct curandStateSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
struct curandStateScrambledSobol64 {
  unsigned long long i, x, c;
  unsigned long long direction_vectors[64];
};
typedef struct curandStateSobol32 curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 curandStateScrambledSobol64_t;

/* --- beginning and skipping --------------------------------------------------------------------------------------- */

#define __UW_CURAND_PSEUDO(state, engine)                                                                              \
  QUALIFIERS void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,      \
                              state *s) {                                                                              \
    __uw_##engine##_init(s, seed, subsequence, offset);                                                                \
  }                                                                                                                    \
  QUALIFIERS void skipahead(unsigned long long n, state *s) { __uw_##engine##_skip(s, n); }                            \
  QUALIFIERS void skipahead_sequence(unsigned long long n, state *s) { __uw_##engine##_skip_sequences(s, n); }
__UW_CURAND_PSEUDO(curandStateXORWOW_t, xorwow)
__UW_CURAND_PSEUDO(curandStatePhilox4_32_10_t, philox)
__UW_CURAND_PSEUDO(curandStateMRG32k3a_t, mrg)
#undef __UW_CURAND_PSEUDO
QUALIFIERS void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *s) {
  __uw_mrg_skip_subsequences(s, n);
}

/* The number of index i has the direction vectors of the bits of its Gray code. */
#define __UW_CURAND_SOBOL(state, number, bits, vectors, scrambled)                                                     \
  QUALIFIERS void __uw_sobol_place(state *s, number i) {                                                               \
    number gray = i ^ (i >> 1);                                                                                        \
    s->i = i;                                                                                                          \
    s->x = s->c;                                                                                                       \
    for (int k = 0; k < bits; k++)                                                                                     \
      if (gray >> k & 1)                                                                                               \
        s->x ^= s->direction_vectors[k];                                                                               \
  }                                                                                                                    \
  QUALIFIERS void __uw_sobol_init(const vectors direction_vectors, number scramble, number offset, state *s) {         \
    for (int k = 0; k < bits; k++)                                                                                     \
      s->direction_vectors[k] = direction_vectors[k];                                                                  \
    s->c = scramble;                                                                                                   \
    __uw_sobol_place(s, offset);                                                                                       \
  }                                                                                                                    \
  template <class T> QUALIFIERS void skipahead(T n, state *s) { __uw_sobol_place(s, s->i + (number)n); }               \
  QUALIFIERS number curand(state *s) {                                                                                 \
    number gives = s->x, ones = s->i++;                                                                                \
    int k = 0;                                                                                                         \
    for (; ones & 1; ones >>= 1)                                                                                       \
      k++;                                                                                                             \
    s->x ^= s->direction_vectors[k < bits ? k : 0];                                                                    \
    return gives;                                                                                                      \
  }
__UW_CURAND_SOBOL(curandStateSobol32_t, unsigned int, 32, curandDirectionVectors32_t, 0)
__UW_CURAND_SOBOL(curandStateScrambledSobol32_t, unsigned int, 32, curandDirectionVectors32_t, 1)
__UW_CURAND_SOBOL(curandStateSobol64_t, unsigned long long, 64, curandDirectionVectors64_t, 0)
__UW_CURAND_SOBOL(curandStateScrambledSobol64_t, unsigned long long, 64, curandDirectionVectors64_t, 1)
#undef __UW_CURAND_SOBOL
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int offset,
                            curandStateSobol32_t *s) {
  __uw_sobol_init(direction_vectors, 0, offset, s);
}
QUALIFIERS void curand_init(curandDirectionVectors32_t direction_vectors, unsigned int scramble_c, unsigned int offset,
                            curandStateScrambledSobol32_t *s) {
  __uw_sobol_init(direction_vectors, scramble_c, offset, s);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long offset,
                            curandStateSobol64_t *s) {
  __uw_sobol_init(direction_vectors, 0, offset, s);
}
QUALIFIERS void curand_init(curandDirectionVectors64_t direction_vectors, unsigned long long scramble_c,
                            unsigned long long offset, curandStateScrambledSobol64_t *s) {
  __uw_sobol_init(direction_vectors, scramble_c, offset, s);
}

/* --- bits --------------------------------------------------------------------------------------------------------- */

QUALIFIERS unsigned int curand(curandStateXORWOW_t *s) { return __uw_xorwow(s); }
QUALIFIERS unsigned int curand(curandStatePhilox4_32_10_t *s) { return __uw_philox(s); }
QUALIFIERS unsigned int curand(curandStateMRG32k3a_t *s) { return __uw_mrg_bits(__uw_mrg(s)); }
QUALIFIERS double curand_MRG32k3a(curandStateMRG32k3a_t *s) { return (double)__uw_mrg(s); }
QUALIFIERS uint4 curand4(curandStatePhilox4_32_10_t *s) { return __uw_philox4(s); }

/* --- uniform, in (0, 1] ------------------------------------------------------------------------------------------- */

#define __UW_CURAND_UNIFORM(state)                                                                                     \
  QUALIFIERS float curand_uniform(state *s) { return __uw_unit_float(curand(s)); }
__UW_CURAND_UNIFORM(curandStateXORWOW_t)
__UW_CURAND_UNIFORM(curandStatePhilox4_32_10_t)
__UW_CURAND_UNIFORM(curandStateSobol32_t)
__UW_CURAND_UNIFORM(curandStateScrambledSobol32_t)
#undef __UW_CURAND_UNIFORM
QUALIFIERS float curand_uniform(curandStateMRG32k3a_t *s) { return (float)(curand_MRG32k3a(s) * __UW_MRG_UNIT); }
QUALIFIERS float curand_uniform(curandStateSobol64_t *s) { return __uw_unit_float_64(curand(s)); }
QUALIFIERS float curand_uniform(curandStateScrambledSobol64_t *s) { return __uw_unit_float_64(curand(s)); }
QUALIFIERS float4 curand_uniform4(curandStatePhilox4_32_10_t *s) {
  const uint4 x = curand4(s);
  return make_float4(__uw_unit_float(x.x), __uw_unit_float(x.y), __uw_unit_float(x.z), __uw_unit_float(x.w));
}

QUALIFIERS double curand_uniform_double(curandStateXORWOW_t *s) {
  const unsigned int x = curand(s), y = curand(s);
  return __uw_unit_double(x, y);
}
QUALIFIERS double curand_uniform_double(curandStateMRG32k3a_t *s) { return curand_MRG32k3a(s) * __UW_MRG_UNIT_DOUBLE; }
QUALIFIERS double __uw_sobol_double(unsigned int x) { return x * 2.3283064365386963e-10 + 2.3283064365386963e-10; }
QUALIFIERS double __uw_sobol_double(unsigned long long x) {
  return (double)(x >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
/* Of one word, though it has 32 bits only. */
QUALIFIERS double curand_uniform_double(curandStatePhilox4_32_10_t *s) { return __uw_sobol_double(curand(s)); }
QUALIFIERS double curand_uniform_double(curandStateSobol32_t *s) { return __uw_sobol_double(curand(s)); }
QUALIFIERS double curand_uniform_double(curandStateScrambledSobol32_t *s) { return __uw_sobol_double(curand(s)); }
QUALIFIERS double curand_uniform_double(curandStateSobol64_t *s) { return __uw_sobol_double(curand(s)); }
QUALIFIERS double curand_uniform_double(curandStateScrambledSobol64_t *s) { return __uw_sobol_double(curand(s)); }
QUALIFIERS double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s) {
  const uint4 x = curand4(s);
  return make_double2(__uw_unit_double(x.x, x.y), __uw_unit_double(x.z, x.w));
}
/* Four of the low resolution that one word each gives. */
QUALIFIERS double4 curand_uniform4_double(curandStatePhilox4_32_10_t *s) {
  const uint4 x = curand4(s), y = curand4(s);
  return make_double4(__uw_unit_double(x.x, x.y), __uw_unit_double(x.z, x.w), __uw_unit_double(y.x, y.y),
                      __uw_unit_double(y.z, y.w));
}

/* --- normal: pairs by Box and Muller, quasirandom ones by the inverse of the distribution ------------------------- */

QUALIFIERS float2 __uw_box_muller_of(float u, float v) {
  float2 pair;
  const float size = sqrtf(-2.0f * logf(u));
  sincosf(v, &pair.x, &pair.y);
  pair.x *= size;
  pair.y *= size;
  return pair;
}
QUALIFIERS float2 __uw_box_muller(unsigned int x, unsigned int y) {
  const float turn = 2.3283064e-10f * 6.2831855f;
  return __uw_box_muller_of(__uw_unit_float(x), y * turn + turn / 2.0f);
}
QUALIFIERS double2 __uw_box_muller_angle(double u, double half_turns) {
  double2 pair;
  const double size = sqrt(-2.0 * log(u)), angle = half_turns * 3.1415926535897932;
  pair.x = sin(angle) * size;
  pair.y = cos(angle) * size;
  return pair;
}
QUALIFIERS double2 __uw_box_muller_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
  return __uw_box_muller_angle(__uw_unit_double(x0, x1), __uw_unit_double(y0, y1) * 2.0);
}
QUALIFIERS float2 curand_normal2(curandStateXORWOW_t *s) {
  const unsigned int x = curand(s), y = curand(s);
  return __uw_box_muller(x, y);
}
QUALIFIERS float2 curand_normal2(curandStatePhilox4_32_10_t *s) {
  const unsigned int x = curand(s), y = curand(s);
  return __uw_box_muller(x, y);
}
QUALIFIERS float2 curand_normal2(curandStateMRG32k3a_t *s) {
  const float x = curand_uniform(s), y = curand_uniform(s) * 6.2831855f;
  return __uw_box_muller_of(x, y);
}
QUALIFIERS float4 curand_normal4(curandStatePhilox4_32_10_t *s) {
  const uint4 x = curand4(s);
  const float2 a = __uw_box_muller(x.x, x.y), b = __uw_box_muller(x.z, x.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
QUALIFIERS double2 curand_normal2_double(curandStateXORWOW_t *s) {
  const unsigned int x0 = curand(s), x1 = curand(s), y0 = curand(s), y1 = curand(s);
  return __uw_box_muller_double(x0, x1, y0, y1);
}
QUALIFIERS double2 curand_normal2_double(curandStatePhilox4_32_10_t *s) {
  const uint4 x = curand4(s);
  return __uw_box_muller_double(x.x, x.y, x.z, x.w);
}
QUALIFIERS double2 curand_normal2_double(curandStateMRG32k3a_t *s) {
  const double x = curand_uniform_double(s), y = curand_uniform_double(s) * 2.0;
  return __uw_box_muller_angle(x, y);
}
QUALIFIERS double4 curand_normal4_double(curandStatePhilox4_32_10_t *s) {
  const uint4 x = curand4(s), y = curand4(s);
  const double2 a = __uw_box_muller_double(x.x, x.y, x.z, x.w), b = __uw_box_muller_double(y.x, y.y, y.z, y.w);
  return make_double4(a.x, a.y, b.x, b.y);
}

/* The second of a pair waits in the state. */
#define __UW_CURAND_NORMAL(state)                                                                                      \
  QUALIFIERS float curand_normal(state *s) {                                                                           \
    if (s->boxmuller_flag) {                                                                                           \
      s->boxmuller_flag = 0;                                                                                           \
      return s->boxmuller_extra;                                                                                       \
    }                                                                                                                  \
    const float2 pair = curand_normal2(s);                                                                             \
    s->boxmuller_extra = pair.y;                                                                                       \
    s->boxmuller_flag = 1;                                                                                             \
    return pair.x;                                                                                                     \
  }                                                                                                                    \
  QUALIFIERS double curand_normal_double(state *s) {                                                                   \
    if (s->boxmuller_flag_double) {                                                                                    \
      s->boxmuller_flag_double = 0;                                                                                    \
      return s->boxmuller_extra_double;                                                                                \
    }                                                                                                                  \
    const double2 pair = curand_normal2_double(s);                                                                     \
    s->boxmuller_extra_double = pair.y;                                                                                \
    s->boxmuller_flag_double = 1;                                                                                      \
    return pair.x;                                                                                                     \
  }
__UW_CURAND_NORMAL(curandStateXORWOW_t)
__UW_CURAND_NORMAL(curandStatePhilox4_32_10_t)
__UW_CURAND_NORMAL(curandStateMRG32k3a_t)
#undef __UW_CURAND_NORMAL

/* Of the half below the middle, so that nothing is lost near 1. */
QUALIFIERS float __uw_normal_of(unsigned int x) {
  float sign = -1.4142135f;
  if (x > 0x80000000u) {
    x = 0xffffffffu - x;
    sign = -sign;
  }
  return sign * erfcinvf(2.0f * __uw_unit_float(x));
}
QUALIFIERS float __uw_normal_of(unsigned long long x) { return __uw_normal_of((unsigned int)(x >> 32)); }
QUALIFIERS double __uw_normal_double_of(unsigned int x) {
  double sign = -1.4142135623730951;
  if (x > 0x80000000u) {
    x = 0xffffffffu - x;
    sign = -sign;
  }
  return sign * erfcinv(2.0 * __uw_sobol_double(x));
}
QUALIFIERS double __uw_normal_double_of(unsigned long long x) {
  double sign = -1.4142135623730951;
  x >>= 11;
  if (x > 0x10000000000000ull) {
    x = 0x1fffffffffffffull - x;
    sign = -sign;
  }
  return sign * erfcinv(2.0 * ((double)x * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0));
}
#define __UW_CURAND_QUASI(state)                                                                                       \
  QUALIFIERS float curand_normal(state *s) { return __uw_normal_of(curand(s)); }                                       \
  QUALIFIERS double curand_normal_double(state *s) { return __uw_normal_double_of(curand(s)); }
__UW_CURAND_QUASI(curandStateSobol32_t)
__UW_CURAND_QUASI(curandStateScrambledSobol32_t)
__UW_CURAND_QUASI(curandStateSobol64_t)
__UW_CURAND_QUASI(curandStateScrambledSobol64_t)
#undef __UW_CURAND_QUASI

/* --- log-normal, Poisson, any state ------------------------------------------------------------------------------- */

template <class State> QUALIFIERS float curand_log_normal(State *s, float mean, float stddev) {
  return expf(mean + stddev * curand_normal(s));
}
template <class State> QUALIFIERS double curand_log_normal_double(State *s, double mean, double stddev) {
  return exp(mean + stddev * curand_normal_double(s));
}
template <class State> QUALIFIERS float2 curand_log_normal2(State *s, float mean, float stddev) {
  const float2 pair = curand_normal2(s);
  return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y));
}
template <class State> QUALIFIERS double2 curand_log_normal2_double(State *s, double mean, double stddev) {
  const double2 pair = curand_normal2_double(s);
  return make_double2(exp(mean + stddev * pair.x), exp(mean + stddev * pair.y));
}
QUALIFIERS float4 curand_log_normal4(curandStatePhilox4_32_10_t *s, float mean, float stddev) {
  const float4 x = curand_normal4(s);
  return make_float4(expf(mean + stddev * x.x), expf(mean + stddev * x.y), expf(mean + stddev * x.z),
                     expf(mean + stddev * x.w));
}
QUALIFIERS double4 curand_log_normal4_double(curandStatePhilox4_32_10_t *s, double mean, double stddev) {
  const double4 x = curand_normal4_double(s);
  return make_double4(exp(mean + stddev * x.x), exp(mean + stddev * x.y), exp(mean + stddev * x.z),
                      exp(mean + stddev * x.w));
}

/* Products of uniform numbers (Knuth) for small means, a normal number for very large ones, between them transformed
 * rejection with squeeze (Hoermann, "The transformed rejection method for generating Poisson random variables",
 * 1993). */
template <class State> QUALIFIERS unsigned int curand_poisson(State *s, double lambda) {
  if (!(lambda > 0))
    return 0;
  if (lambda < 64) {
    unsigned int count = 0;
    const double limit = exp(-lambda);
    for (double product = curand_uniform(s); product > limit; product *= curand_uniform(s))
      count++;
    return count;
  }
  if (lambda > 4000) {
    const double x = lambda + sqrt(lambda) * curand_normal_double(s) + 0.5;
    return x > 0 ? (unsigned int)x : 0;
  }
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b, log_lambda = log(lambda);
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform(s) - 0.5, v = curand_uniform(s), us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= v_r)
      return (unsigned int)k;
    if (k < 0 || (us < 0.013 && v > us))
      continue;
    if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= -lambda + k * log_lambda - lgamma(k + 1))
      return (unsigned int)k;
  }
}
QUALIFIERS uint4 curand_poisson4(curandStatePhilox4_32_10_t *s, double lambda) {
  uint4 gives;
  gives.x = curand_poisson(s, lambda);
  gives.y = curand_poisson(s, lambda);
  gives.z = curand_poisson(s, lambda);
  gives.w = curand_poisson(s, lambda);
  return gives;
}

/* A distribution from the host: the sums of probabilities up to each number, looked up. */
struct curandDiscreteDistribution_st {
  unsigned int first, count;
  const double *sums;
};
template <class State>
QUALIFIERS unsigned int curand_discrete(State *s, curandDiscreteDistribution_t discrete_distribution) {
  const double wanted = curand_uniform_double(s);
  unsigned int low = 0, high = discrete_distribution->count - 1;
  while (low < high) {
    const unsigned int middle = low + (high - low) / 2;
    if (discrete_distribution->sums[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return discrete_distribution->first + low;
}
#endif
#endif
