/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuRAND's host API: orders against the device's generators, offsets, streams and graphs, distributions by their moments, bad arguments. */
#include "../check.h"
#include <algorithm>
#include <curand_kernel.h>

#define GOOD(call) CHECK((call) == CURAND_STATUS_SUCCESS)

template <class State>
__global__ void one(unsigned long long seed, unsigned long long sequence, unsigned long long offset, unsigned int *to) {
  State s;
  curand_init(seed, sequence, offset, &s);
  *to = curand(&s);
}

static void moments(curandRngType_t type) {
  const size_t n = 100000;
  curandGenerator_t g;
  device<double> d(n);
  device<float> f(n);
  device<int> u(n);
  GOOD(curandCreateGenerator(&g, type));
  const bool quasi = type >= CURAND_RNG_QUASI_DEFAULT;
  auto has = [&](auto &at, double mean, double variance) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++)
      sum += (double)at[i] / n;
    for (size_t i = 0; i < n; i++)
      squares += (at[i] - sum) * (at[i] - sum) / n;
    CHECK(fabs(sum - mean) < 5 * sqrt(variance / n) && fabs(squares / variance - 1) < 0.05);
  };
  GOOD(curandGenerateUniform(g, f, n));
  has(f, 0.5, 1.0 / 12);
  CHECK(*std::min_element(f.at, f.at + n) > 0 && *std::max_element(f.at, f.at + n) <= 1);
  GOOD(curandGenerateUniformDouble(g, d, n));
  has(d, 0.5, 1.0 / 12);
  GOOD(curandGenerateNormal(g, f, n, 3, 2));
  has(f, 3, 4);
  GOOD(curandGenerateNormalDouble(g, d, n, -1, 0.5));
  has(d, -1, 0.25);
  GOOD(curandGenerateLogNormal(g, f, n, 0, 0.25f));
  has(f, exp(0.03125), (exp(0.0625) - 1) * exp(0.0625));
  if (!quasi) {
    GOOD(curandGeneratePoisson(g, (unsigned *)u.at, n, 20));
    has(u, 20, 20);
    GOOD(curandGeneratePoisson(g, (unsigned *)u.at, n, 300));
    has(u, 300, 300);
    GOOD(curandGenerateBinomial(g, (unsigned *)u.at, n, 10, 0.3));
    has(u, 3, 2.1);
    CHECK(curandGenerateNormal(g, f, n - 1, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  }
  GOOD(curandDestroyGenerator(g));
}

template <class State> void order(curandRngType_t type) {
  const size_t n = 3 * 4096 + 100, first = 5000;
  curandGenerator_t g, h;
  device<int> all(n), parts(n), expected(1);
  GOOD(curandCreateGenerator(&g, type));
  GOOD(curandSetPseudoRandomGeneratorSeed(g, 1234));
  GOOD(curandGenerate(g, (unsigned *)all.at, n));
  GOOD(curandSetPseudoRandomGeneratorSeed(g, 1234));
  GOOD(curandGenerate(g, (unsigned *)parts.at, first));
  GOOD(curandGenerate(g, (unsigned *)parts.at + first, n - first));
  for (size_t i : {(size_t)0, (size_t)1, (size_t)4095, (size_t)4096, (size_t)4097, n - 1}) {
    one<State><<<1, 1>>>(1234, i % 4096, i / 4096, (unsigned *)expected.at);
    cudaDeviceSynchronize();
    CHECK(all[i] == expected[0]);
  }
  for (size_t i = 0; i < n; i++)
    CHECK(all[i] == parts[i]);
  GOOD(curandCreateGeneratorHost(&h, type));
  std::vector<unsigned> host(n);
  GOOD(curandSetPseudoRandomGeneratorSeed(h, 1234));
  GOOD(curandSetGeneratorOffset(h, 777));
  GOOD(curandGenerate(h, host.data(), 100));
  for (int i = 0; i < 100; i++)
    CHECK(host[i] == (unsigned)all[777 + i]);
  GOOD(curandDestroyGenerator(g));
  GOOD(curandDestroyGenerator(h));
}

int main() {
  for (curandRngType_t type : {CURAND_RNG_PSEUDO_DEFAULT, CURAND_RNG_PSEUDO_MRG32K3A, CURAND_RNG_PSEUDO_MT19937,
                               CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_QUASI_SOBOL32, CURAND_RNG_QUASI_SOBOL64})
    moments(type);
  order<curandStateXORWOW_t>(CURAND_RNG_PSEUDO_XORWOW);
  order<curandStateMRG32k3a_t>(CURAND_RNG_PSEUDO_MRG32K3A);

  curandGenerator_t g;
  std::vector<unsigned> words(10000);
  GOOD(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_MT19937)); /* the authors' known answer for the default seed */
  GOOD(curandSetPseudoRandomGeneratorSeed(g, 5489));
  GOOD(curandGenerate(g, words.data(), 10000));
  CHECK(words[0] == 3499211612u && words[9999] == 4123659995u);
  GOOD(curandDestroyGenerator(g));

  /* Dimensions lie one after the other, and the next call goes on in each. */
  std::vector<float> points(12), more(12);
  GOOD(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32));
  GOOD(curandSetQuasiRandomGeneratorDimensions(g, 3));
  GOOD(curandGenerateUniform(g, points.data(), 12));
  CHECK(fabs(points[1] - 0.5) < 1e-6 && fabs(points[2] - 0.75) < 1e-6 && fabs(points[6] - 0.25) < 1e-6);
  CHECK(curandGenerateUniform(g, points.data(), 10) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  GOOD(curandSetGeneratorOffset(g, 2));
  GOOD(curandGenerateUniform(g, more.data(), 12));
  CHECK(more[0] == points[2] && more[1] == points[3] && more[4] == points[6]);
  CHECK(curandSetQuasiRandomGeneratorDimensions(g, 0) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(g, 20001) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
  GOOD(curandDestroyGenerator(g));
  CHECK(curandDestroyGenerator(g) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandGenerate(nullptr, words.data(), 4) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandCreateGenerator(&g, (curandRngType_t)55) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MTGP32) == CURAND_STATUS_TYPE_ERROR);

  /* Each run of a graph goes on in the sequence. */
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  device<float> once(2000), twice(1000);
  cudaStreamCreate(&stream);
  GOOD(curandCreateGenerator(&g, CURAND_RNG_PSEUDO_XORWOW));
  GOOD(curandGenerateUniform(g, once, 2000));
  GOOD(curandSetStream(g, stream));
  GOOD(curandSetGeneratorOffset(g, 0));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  GOOD(curandGenerateUniform(g, twice, 1000));
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  CHECK(twice[0] == once[0] && twice[999] == once[999]);
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  CHECK(twice[0] == once[1000] && twice[999] == once[1999]);
  GOOD(curandDestroyGenerator(g));
  return report("host");
}
