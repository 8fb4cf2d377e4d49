/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuRAND's host API (cuRAND documentation, "Host API"): generators and their settings, and distributions made of their
 * words. */
#include "internal.h"
#include "../common/version.h"

#include <math.h>
#include <stdlib.h>

static const char kind, distribution_kind;

#define GENERATOR                                                                                                      \
  if (!uwrt_handle_is(generator, &kind))                                                                               \
  return CURAND_STATUS_NOT_INITIALIZED
#define NEED(condition, status)                                                                                        \
  if (!(condition))                                                                                                    \
  return (status)

static int is_quasi(const struct curandGenerator_st *g) { return g->type >= CURAND_RNG_QUASI_DEFAULT; }

/* --- numbers ------------------------------------------------------------------------------------------------------ */

typedef struct random_call {
  curandGenerator_t generator;
  enum { WORDS, LONG_WORDS, UNIFORM, UNIFORM_DOUBLE, NORMAL, NORMAL_DOUBLE, POISSON, BINOMIAL } what;
  int is_log;
  unsigned int trials;
  size_t count;
  double mean, deviation; /* or lambda, or the probability */
  void *to;
} random_call;

enum { CHUNK = 1 << 16 };

static float mrg_unit(uint32_t x) { return (float)(x * __UW_MRG_UNIT); }

/* x with erfc(x) = y: an approximation (Winitzki, 2008), then Halley's method. */
static double inverse_erfc(double y) {
  if (y == 1)
    return 0;
  const double a = 0.147, low = y < 1 ? y : 2 - y, l = log(low * (2 - low)), t = 2 / (3.14159265358979324 * a) + l / 2;
  double x = sqrt(sqrt(t * t - l / a) - t);
  for (int i = 0; i < 3; i++) {
    const double error = erfc(x) - low, slope = -1.12837916709551257 * exp(-x * x);
    x -= error / (slope + x * error);
  }
  return y < 1 ? x : -x;
}

static void write_normal(const random_call *call, size_t i, double x) {
  x = call->mean + call->deviation * x;
  if (call->what == NORMAL)
    ((float *)call->to)[i] = (float)(call->is_log ? exp(x) : x);
  else
    ((double *)call->to)[i] = call->is_log ? exp(x) : x;
}

static float in_unit(int mrg, uint32_t x) { return mrg ? mrg_unit(x) : __uw_unit_float(x); }

static void write_pairs(const random_call *call, int mrg, const uint32_t *words, size_t first, size_t count) {
#pragma omp parallel for if (count > 1 << 12)
  for (size_t i = 0; i < count / 2; i++) {
    double size, angle;
    if (call->what == NORMAL) {
      const float turn = 2.3283064e-10f * 6.2831855f;
      const float v = mrg ? mrg_unit(words[2 * i + 1]) * 6.2831855f : words[2 * i + 1] * turn + turn / 2;
      const float s = sqrtf(-2 * logf(in_unit(mrg, words[2 * i])));
      write_normal(call, first + 2 * i, s * sinf(v));
      write_normal(call, first + 2 * i + 1, s * cosf(v));
      continue;
    }
    if (mrg) {
      size = words[2 * i] * __UW_MRG_UNIT_DOUBLE;
      angle = words[2 * i + 1] * __UW_MRG_UNIT_DOUBLE;
    } else {
      size = __uw_unit_double(words[4 * i], words[4 * i + 1]);
      angle = __uw_unit_double(words[4 * i + 2], words[4 * i + 3]);
    }
    size = sqrt(-2 * log(size));
    write_normal(call, first + 2 * i, size * sin(angle * 6.28318530717958648));
    write_normal(call, first + 2 * i + 1, size * cos(angle * 6.28318530717958648));
  }
}

static void write_plain(const random_call *call, int mrg, const uint32_t *words, size_t first, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const size_t at = first + i;
    switch (call->what) {
    case WORDS: ((unsigned int *)call->to)[at] = mrg ? __uw_mrg_bits(words[i]) : words[i]; break;
    case UNIFORM: ((float *)call->to)[at] = in_unit(mrg, words[i]); break;
    default:
      ((double *)call->to)[at] =
          mrg ? words[i] * __UW_MRG_UNIT_DOUBLE : __uw_unit_double(words[2 * i], words[2 * i + 1]);
    }
  }
}

/* --- discrete distributions, from uniform numbers one after the other --------------------------------------------- */

typedef struct source {
  curandGenerator_t generator;
  uint32_t words[256];
  unsigned int next;
} source;

static double draw(source *from) {
  if (from->next == 256) {
    if (!uwl_curand_words(from->generator, from->words, 256))
      abort();
    from->next = 0;
  }
  const uint32_t word = from->words[from->next++];
  return from->generator->type == CURAND_RNG_PSEUDO_MRG32K3A
             ? word * __UW_MRG_UNIT_DOUBLE
             : word * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2;
}

static unsigned int small_poisson(source *from, double lambda) {
  unsigned int count = 0;
  const double limit = exp(-lambda);
  for (double product = draw(from); product > limit; product *= draw(from))
    count++;
  return count;
}

/* Hoermann's transformed rejection (curand_kernel.h). */
static unsigned int large_poisson(source *from, double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda), a = -0.059 + 0.02483 * b, log_lambda = log(lambda);
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), v_r = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = draw(from) - 0.5, v = draw(from), us = 0.5 - fabs(u);
    const double k = floor((2 * a / us + b) * u + lambda + 0.43);
    if (us >= 0.07 && v <= v_r)
      return (unsigned int)k;
    if (k < 0 || (us < 0.013 && v > us))
      continue;
    if (log(v) + log(inverse_alpha) - log(a / (us * us) + b) <= -lambda + k * log_lambda - lgamma(k + 1))
      return (unsigned int)k;
  }
}

static void write_discrete(const random_call *call) {
  source from = {.generator = call->generator, .next = 256};
  for (size_t i = 0; i < call->count; i++) {
    unsigned int number = 0;
    if (call->what == BINOMIAL)
      for (unsigned int trial = 0; trial < call->trials; trial++)
        number += draw(&from) <= call->mean;
    else
      number = call->mean < 64 ? small_poisson(&from, call->mean) : large_poisson(&from, call->mean);
    ((unsigned int *)call->to)[i] = number;
  }
}

/* --- quasirandom: each dimension's numbers lie together ----------------------------------------------------------- */

static void write_sobol_number(const random_call *call, int wide, size_t at, unsigned long long x) {
  const double unit = wide ? (double)(x >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2
                           : (double)x * 2.3283064365386963e-10 + 2.3283064365386963e-10 / 2;
  switch (call->what) {
  case WORDS: ((unsigned int *)call->to)[at] = (unsigned int)x; break;
  case LONG_WORDS: ((unsigned long long *)call->to)[at] = x; break;
  case UNIFORM: ((float *)call->to)[at] = __uw_unit_float((unsigned int)(wide ? x >> 32 : x)); break;
  case UNIFORM_DOUBLE: ((double *)call->to)[at] = unit; break;
  default: write_normal(call, at, -1.41421356237309505 * inverse_erfc(2 * unit));
  }
}

static void write_sobol(const random_call *call) {
  const curandGenerator_t g = call->generator;
  const size_t each = call->count / g->dimensions;
  const int wide = g->type == CURAND_RNG_QUASI_SOBOL64;
#pragma omp parallel for
  for (unsigned int dimension = 0; dimension < g->dimensions; dimension++) {
    unsigned long long vectors[64], x = 0, index = g->offset;
    unsigned int narrow[32];
    uwl_sobol_vectors_64(dimension, vectors);
    uwl_sobol_vectors_32(dimension, narrow);
    for (int k = 0; !wide && k < 32; k++)
      vectors[k] = narrow[k];
    for (int k = 0; k < (wide ? 64 : 32); k++)
      if ((index ^ index >> 1) >> k & 1)
        x ^= vectors[k];
    for (size_t i = 0; i < each; i++, index++) {
      write_sobol_number(call, wide, dimension * each + i, x);
      const int k = __builtin_ctzll(~index);
      x ^= k < (wide ? 64 : 32) ? vectors[k] : 0;
    }
  }
  g->offset += each;
}

UWL_OPERATION(curandGenerate, random_call) {
  const curandGenerator_t g = call->generator;
  const int mrg = g->type == CURAND_RNG_PSEUDO_MRG32K3A;
  const int per_number = !mrg && (call->what == UNIFORM_DOUBLE || call->what == NORMAL_DOUBLE) ? 2 : 1;
  if (is_quasi(g)) {
    write_sobol(call);
    return;
  }
  if (call->what >= POISSON) {
    write_discrete(call);
    return;
  }
  uint32_t *words = uwl_scratch(UWL_SCRATCH_WORK, sizeof *words * 2 * CHUNK);
  for (size_t first = 0; first < call->count; first += CHUNK) {
    const size_t count = call->count - first < CHUNK ? call->count - first : CHUNK;
    if (!words || !uwl_curand_words(g, words, count * (size_t)per_number))
      abort();
    if (call->what == NORMAL || call->what == NORMAL_DOUBLE)
      write_pairs(call, mrg, words, first, count);
    else
      write_plain(call, mrg, words, first, count);
  }
}

static curandStatus_t give(const random_call *call) {
  const curandGenerator_t generator = call->generator;
  GENERATOR;
  NEED(call->to || call->count == 0, CURAND_STATUS_OUT_OF_RANGE);
  const int in_pairs = call->what == NORMAL || call->what == NORMAL_DOUBLE;
  NEED(call->count % (is_quasi(generator) ? generator->dimensions
                      : in_pairs          ? 2
                                          : 1) ==
           0,
       CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  if (call->count == 0)
    return CURAND_STATUS_SUCCESS;
  if (generator->on_host) {
    work_curandGenerate(call);
    return CURAND_STATUS_SUCCESS;
  }
  return uwl_launch(UWL_STUB(curandGenerate), generator->stream, call) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                                                                      : CURAND_STATUS_LAUNCH_FAILURE;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *outputPtr, size_t num) {
  GENERATOR;
  NEED(generator->type != CURAND_RNG_QUASI_SOBOL64, CURAND_STATUS_TYPE_ERROR);
  return give(&(random_call){generator, WORDS, .count = num, .to = outputPtr});
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *outputPtr, size_t num) {
  GENERATOR;
  NEED(generator->type == CURAND_RNG_QUASI_SOBOL64, CURAND_STATUS_TYPE_ERROR);
  return give(&(random_call){generator, LONG_WORDS, .count = num, .to = outputPtr});
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *outputPtr, size_t num) {
  return give(&(random_call){generator, UNIFORM, .count = num, .to = outputPtr});
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *outputPtr, size_t num) {
  return give(&(random_call){generator, UNIFORM_DOUBLE, .count = num, .to = outputPtr});
}
#define NORMALS(Name, type, kind_, log_)                                                                               \
  curandStatus_t curandGenerate##Name(curandGenerator_t generator, type *outputPtr, size_t n, type mean,               \
                                      type stddev) {                                                                   \
    return give(                                                                                                       \
        &(random_call){generator, kind_, log_, .count = n, .mean = mean, .deviation = stddev, .to = outputPtr});       \
  }
NORMALS(Normal, float, NORMAL, 0)
NORMALS(NormalDouble, double, NORMAL_DOUBLE, 0)
NORMALS(LogNormal, float, NORMAL, 1)
NORMALS(LogNormalDouble, double, NORMAL_DOUBLE, 1)

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *outputPtr, size_t n, double lambda) {
  GENERATOR;
  NEED(lambda > 0 && lambda <= 400000, CURAND_STATUS_OUT_OF_RANGE);
  NEED(!is_quasi(generator), CURAND_STATUS_TYPE_ERROR);
  return give(&(random_call){generator, POISSON, .count = n, .mean = lambda, .to = outputPtr});
}
curandStatus_t curandGeneratePoissonMethod(curandGenerator_t generator, unsigned int *outputPtr, size_t n,
                                           double lambda, curandMethod_t method) {
  (void)method;
  return curandGeneratePoisson(generator, outputPtr, n, lambda);
}
curandStatus_t curandGenerateBinomial(curandGenerator_t generator, unsigned int *outputPtr, size_t num, unsigned int n,
                                      double p) {
  GENERATOR;
  NEED(p >= 0 && p <= 1, CURAND_STATUS_OUT_OF_RANGE);
  NEED(!is_quasi(generator), CURAND_STATUS_TYPE_ERROR);
  return give(&(random_call){generator, BINOMIAL, .trials = n, .count = num, .mean = p, .to = outputPtr});
}
curandStatus_t curandGenerateBinomialMethod(curandGenerator_t generator, unsigned int *outputPtr, size_t num,
                                            unsigned int n, double p, curandMethod_t method) {
  (void)method;
  return curandGenerateBinomial(generator, outputPtr, num, n, p);
}

/* --- generators --------------------------------------------------------------------------------------------------- */

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, int on_host) {
  NEED(generator, CURAND_STATUS_TYPE_ERROR);
  type = type == CURAND_RNG_PSEUDO_DEFAULT  ? CURAND_RNG_PSEUDO_XORWOW
         : type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32
                                            : type;
  NEED(type == CURAND_RNG_PSEUDO_XORWOW || type == CURAND_RNG_PSEUDO_MRG32K3A || type == CURAND_RNG_PSEUDO_MT19937 ||
           type == CURAND_RNG_PSEUDO_PHILOX4_32_10 || type == CURAND_RNG_QUASI_SOBOL32 ||
           type == CURAND_RNG_QUASI_SOBOL64,
       CURAND_STATUS_TYPE_ERROR);
  struct curandGenerator_st *fresh = calloc(1, sizeof *fresh);
  if (!fresh || !uwrt_handle_add(fresh, &kind)) {
    free(fresh);
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
  fresh->type = type;
  fresh->on_host = on_host;
  fresh->dimensions = 1;
  fresh->seed = type == CURAND_RNG_PSEUDO_PHILOX4_32_10 ? 0xdeadbeefdeadbeefull
                : type == CURAND_RNG_PSEUDO_MT19937     ? 5489
                                                        : 0;
  *generator = fresh;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t rng_type) {
  return create(generator, rng_type, 0);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t rng_type) {
  return create(generator, rng_type, 1);
}

/* Work that was given to the stream before goes by the settings of then. */
static void finish(curandGenerator_t generator) {
  if (!generator->on_host && !uwl_is_capturing(generator->stream))
    cudaStreamSynchronize(generator->stream);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  GENERATOR;
  finish(generator);
  NEED(uwrt_handle_remove(generator, &kind), CURAND_STATUS_NOT_INITIALIZED);
  free(generator->lanes);
  free(generator->twister);
  free(generator);
  return CURAND_STATUS_SUCCESS;
}
#define TELL(suffix, of, cuda)                                                                                         \
  UWLIB_TELLS curandStatus_t curandGetVersion##suffix(int *version) {                                                  \
    NEED(version, CURAND_STATUS_OUT_OF_RANGE);                                                                         \
    *version = uwlib_version_number(of, 1000);                                                                         \
    return CURAND_STATUS_SUCCESS;                                                                                      \
  }                                                                                                                    \
  UWLIB_TELLS curandStatus_t curandGetProperty##suffix(libraryPropertyType type, int *value) {                         \
    NEED(value && (unsigned int)type <= PATCH_LEVEL, CURAND_STATUS_OUT_OF_RANGE);                                      \
    *value = (of)[type];                                                                                               \
    return CURAND_STATUS_SUCCESS;                                                                                      \
  }
UWLIB_FOR_EACH_VERSION(TELL, CURAND)
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  GENERATOR;
  finish(generator); /* the position in the sequence moves with the work */
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
  GENERATOR;
  NEED(!is_quasi(generator), CURAND_STATUS_TYPE_ERROR);
  finish(generator);
  generator->seed = seed;
  generator->offset = 0;
  uwl_curand_forget(generator);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  GENERATOR;
  NEED(generator->type != CURAND_RNG_PSEUDO_MT19937, CURAND_STATUS_TYPE_ERROR);
  finish(generator);
  generator->offset = offset;
  uwl_curand_forget(generator);
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  GENERATOR;
  NEED(is_quasi(generator) ? order == CURAND_ORDERING_QUASI_DEFAULT
                           : order >= CURAND_ORDERING_PSEUDO_BEST && order <= CURAND_ORDERING_PSEUDO_DYNAMIC,
       CURAND_STATUS_OUT_OF_RANGE);
  generator->ordering = order;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int num_dimensions) {
  GENERATOR;
  NEED(is_quasi(generator), CURAND_STATUS_TYPE_ERROR);
  NEED(num_dimensions >= 1 && num_dimensions <= UWL_SOBOL_DIMENSIONS, CURAND_STATUS_OUT_OF_RANGE);
  finish(generator);
  generator->dimensions = num_dimensions;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  GENERATOR;
  return CURAND_STATUS_SUCCESS;
}

/* --- for device code ---------------------------------------------------------------------------------------------- */

struct curandDiscreteDistribution_st {
  unsigned int first, count;
  double *sums;
};

/* The numbers within 12 deviations of the mean. */
curandStatus_t curandCreatePoissonDistribution(double lambda, curandDiscreteDistribution_t *discrete_distribution) {
  NEED(discrete_distribution, CURAND_STATUS_OUT_OF_RANGE);
  NEED(lambda > 0 && lambda <= 400000, CURAND_STATUS_OUT_OF_RANGE);
  const double spread = 12 * sqrt(lambda) + 20, low = lambda > spread ? floor(lambda - spread) : 0;
  const unsigned int count = (unsigned int)(lambda + spread - low) + 1;
  struct curandDiscreteDistribution_st *fresh = malloc(sizeof *fresh);
  double *sums = malloc(count * sizeof *sums), sum = 0;
  if (!fresh || !sums || !uwrt_handle_add(fresh, &distribution_kind)) {
    free(fresh);
    free(sums);
    return CURAND_STATUS_ALLOCATION_FAILED;
  }
  for (unsigned int i = 0; i < count; i++)
    sums[i] = sum += exp((low + i) * log(lambda) - lambda - lgamma(low + i + 1));
  *fresh = (struct curandDiscreteDistribution_st){(unsigned int)low, count, sums};
  *discrete_distribution = fresh;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t discrete_distribution) {
  NEED(uwrt_handle_remove(discrete_distribution, &distribution_kind), CURAND_STATUS_NOT_INITIALIZED);
  free(discrete_distribution->sums);
  free(discrete_distribution);
  return CURAND_STATUS_SUCCESS;
}

static curandDirectionVectors32_t vectors_32[UWL_SOBOL_DIMENSIONS];
static curandDirectionVectors64_t vectors_64[UWL_SOBOL_DIMENSIONS];
__attribute__((constructor)) static void make_vectors(void) {
  for (unsigned int i = 0; i < UWL_SOBOL_DIMENSIONS; i++) {
    uwl_sobol_vectors_32(i, vectors_32[i]);
    uwl_sobol_vectors_64(i, vectors_64[i]);
  }
}
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[], curandDirectionVectorSet_t set) {
  NEED(vectors && set == CURAND_DIRECTION_VECTORS_32_JOEKUO6, CURAND_STATUS_OUT_OF_RANGE);
  *vectors = vectors_32;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[], curandDirectionVectorSet_t set) {
  NEED(vectors && set == CURAND_DIRECTION_VECTORS_64_JOEKUO6, CURAND_STATUS_OUT_OF_RANGE);
  *vectors = vectors_64;
  return CURAND_STATUS_SUCCESS;
}
/* The constants are NVIDIA's own: refused. */
curandStatus_t curandGetScrambleConstants32(unsigned int **constants) {
  (void)constants;
  return CURAND_STATUS_INTERNAL_ERROR;
}
curandStatus_t curandGetScrambleConstants64(unsigned long long **constants) {
  (void)constants;
  return CURAND_STATUS_INTERNAL_ERROR;
}
