/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * curand_kernel.h: published values, skips against steps, distributions by their moments. The values of XORWOW, Philox and MRG32k3a far
 * from the start are those that CUDA's own headers give when they are compiled for the host. */
#include "../check.h"
#include <curand_kernel.h>

template <class State>
__global__ void first(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                      unsigned int *to) {
  State s;
  curand_init(seed, sequence, offset, &s);
  for (int i = 0; i < 3; i++)
    to[i] = curand(&s);
}
template <class State>
void gives(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned int a,
           unsigned int b, unsigned int c) {
  device<int> to(3);
  first<State><<<1, 1>>>(seed, sequence, offset, (unsigned int *)to.at);
  cudaDeviceSynchronize();
  CHECK((unsigned)to[0] == a && (unsigned)to[1] == b && (unsigned)to[2] == c);
}

/* Skips of n steps are n steps, from any position in a block of four; sequences are far enough apart. */
template <class State> __global__ void skips(int *wrong) {
  for (unsigned int start = 0; start < 5; start++)
    for (unsigned int n : {0u, 1u, 2u, 3u, 4u, 7u, 64u, 1000u}) {
      State a, b;
      curand_init(99ull, 3ull, (unsigned long long)start, &a);
      curand_init(99ull, 3ull, (unsigned long long)(start + n), &b);
      State c = a;
      skipahead((unsigned long long)n, &a);
      for (unsigned int i = 0; i < n; i++)
        curand(&c);
      for (int i = 0; i < 9; i++) {
        unsigned int x = curand(&a), y = curand(&b), z = curand(&c);
        *wrong += x != y || y != z;
      }
    }
  State a, b;
  curand_init(7ull, 5ull, 0ull, &a);
  curand_init(7ull, 2ull, 0ull, &b);
  if constexpr (__is_same(State, curandStateMRG32k3a_t))
    skipahead_subsequence(3ull, &b);
  else
    skipahead_sequence(3ull, &b);
  for (int i = 0; i < 9; i++)
    *wrong += curand(&a) != curand(&b);
}

enum { THREADS = 1 << 14, KINDS = 9 };
template <class State> __global__ void draw(double *to, double lambda, curandDiscreteDistribution_t distribution) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State s;
  curand_init(1234ull, (unsigned long long)i, 0ull, &s);
  double *own = to + i * KINDS;
  own[0] = curand_uniform(&s);
  own[1] = curand_uniform_double(&s);
  own[2] = curand_normal(&s);
  own[3] = curand_normal_double(&s);
  own[4] = curand_log_normal(&s, 0.5f, 0.25f);
  own[5] = curand_poisson(&s, 5.0);
  own[6] = curand_poisson(&s, lambda);
  own[7] = curand_poisson(&s, 5000.0);
  own[8] = curand_discrete(&s, distribution);
}
template <class State> void moments(curandDiscreteDistribution_t distribution) {
  const double lambda = 100;
  device<double> to(THREADS * KINDS);
  draw<State><<<THREADS / 128, 128>>>(to, lambda, distribution);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  const double log_mean = exp(0.5 + 0.25 * 0.25 / 2), log_variance = (exp(0.0625) - 1) * exp(1.0 + 0.0625);
  const double mean[KINDS] = {0.5, 0.5, 0, 0, log_mean, 5, lambda, 5000, 12};
  const double variance[KINDS] = {1.0 / 12, 1.0 / 12, 1, 1, log_variance, 5, lambda, 5000, 12};
  for (int kind = 0; kind < KINDS; kind++) {
    double sum = 0, squares = 0;
    for (int i = 0; i < THREADS; i++)
      sum += to[i * KINDS + kind];
    sum /= THREADS;
    for (int i = 0; i < THREADS; i++)
      squares += (to[i * KINDS + kind] - sum) * (to[i * KINDS + kind] - sum) / THREADS;
    CHECK(fabs(sum - mean[kind]) < 5 * sqrt(variance[kind] / THREADS));
    CHECK(fabs(squares / variance[kind] - 1) < 0.1);
  }
}

__global__ void pairs(float *f, double *d) {
  curandState a, b;
  curand_init(1234ull, 5ull, 7ull, &a);
  f[0] = curand_uniform(&a);
  d[0] = curand_uniform_double(&a);
  f[1] = curand_normal(&a);
  d[1] = curand_normal_double(&a);
  curand_init(1ull, 2ull, 3ull, &a);
  b = a;
  const float2 pair = curand_normal2(&a);
  f[2] = pair.x - curand_normal(&b);
  f[3] = pair.y - curand_normal(&b);
  curandStatePhilox4_32_10_t p, q;
  curand_init(1ull, 2ull, 3ull, &p);
  q = p;
  const float4 four = curand_uniform4(&p);
  f[4] = four.x - curand_uniform(&q), f[5] = four.y - curand_uniform(&q), f[6] = four.z - curand_uniform(&q),
  f[7] = four.w - curand_uniform(&q);
}

__global__ void sobol(curandDirectionVectors32_t *vectors, curandDirectionVectors64_t *wide, unsigned int *x,
                      unsigned int *late, double *d) {
  curandStateSobol32_t s, t;
  curandStateScrambledSobol32_t scrambled;
  curandStateSobol64_t w;
  curand_init(vectors[2], 0u, &s);
  curand_init(vectors[2], 0xABCDu, 0u, &scrambled);
  curand_init(vectors[2], 37u, &t);
  curand_init(wide[2], 0ull, &w);
  for (int i = 0; i < 64; i++) {
    x[i] = curand(&s);
    if (i >= 37)
      late[i] = curand(&t);
    d[i] = curand_uniform_double(&w);
    if (curand(&scrambled) != (x[i] ^ 0xABCDu))
      x[i] = ~0u;
  }
  skipahead(100u, &s);
  d[64] = curand_uniform(&s) + curand_normal(&s);
}

int main() {
  gives<curandState>(1234, 5, 7, 3351265907u, 3629609298u, 415430802u);
  gives<curandState>(0x123456789abcdefull, 1000003, 123456789, 2176699606u, 1811235554u, 1840727881u);
  gives<curandStatePhilox4_32_10_t>(0, 0, 0, 0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu); /* Random123's known answers */
  gives<curandStatePhilox4_32_10_t>(0x123456789abcdefull, 1000003, 123456789, 1529248086u, 3963768617u, 1949377529u);
  gives<curandStateMRG32k3a_t>(0x123456789abcdefull, 1000003, 123456789, 2777905570u, 41127915u, 206804643u);
  device<int> bad(1);
  bad[0] = 0;
  skips<curandState><<<1, 1>>>(bad);
  skips<curandStatePhilox4_32_10_t><<<1, 1>>>(bad);
  skips<curandStateMRG32k3a_t><<<1, 1>>>(bad);
  cudaDeviceSynchronize();
  CHECK(bad[0] == 0);
  device<float> f(8);
  device<double> d(65);
  pairs<<<1, 1>>>(f, d);
  cudaDeviceSynchronize();
  CHECK(fabs(f[0] - 0.780277371f) < 1e-7 && d[0] == 0.096725363454917279 && fabs(f[1] - 1.36345506f) < 1e-6 &&
        fabs(d[1] - 1.894279834496587) < 1e-14);
  for (int i = 2; i < 8; i++)
    CHECK(f[i] == 0);
  curandDiscreteDistribution_t distribution;
  CHECK(curandCreatePoissonDistribution(12, &distribution) == CURAND_STATUS_SUCCESS);
  moments<curandState>(distribution);
  moments<curandStatePhilox4_32_10_t>(distribution);
  moments<curandStateMRG32k3a_t>(distribution);
  CHECK(curandDestroyDistribution(distribution) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyDistribution(distribution) == CURAND_STATUS_NOT_INITIALIZED);
  curandDirectionVectors32_t *vectors;
  curandDirectionVectors64_t *wide;
  CHECK(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6) == CURAND_STATUS_SUCCESS);
  CHECK(curandGetDirectionVectors64(&wide, CURAND_DIRECTION_VECTORS_64_JOEKUO6) == CURAND_STATUS_SUCCESS);
  device<int> x(64), late(64);
  sobol<<<1, 1>>>(vectors, wide, (unsigned *)x.at, (unsigned *)late.at, d);
  cudaDeviceSynchronize();
  /* The first 64 points fill each of 64 intervals once; the third dimension begins 0, 1/2, 1/4, 3/4 (Joe and Kuo's example). */
  unsigned long long seen = 0;
  for (int i = 0; i < 64; i++) {
    seen |= 1ull << ((unsigned)x[i] >> 26);
    CHECK(i < 37 || x[i] == late[i]);
    CHECK(fabs(d[i] - (unsigned)x[i] / 4294967296.0) < 1e-9);
  }
  CHECK(seen == ~0ull);
  CHECK((unsigned)x[0] == 0 && (unsigned)x[1] == 0x80000000u && (unsigned)x[2] == 0x40000000u &&
        (unsigned)x[3] == 0xC0000000u);
  return report("kernels");
}
