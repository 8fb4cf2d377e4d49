// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -march=native
//
// rsqrtf over all exponents, zeros, denormals, infinities and what is no number: within CUDA's 2 ulp, and to the bit the same in vectors
// and thread by thread. A root and a division that the program spells out are exact, also beside it.
#include <cstdint>
#include <cstring>

#include "check.h"

__global__ void roots(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = rsqrtf(in[i]);
}

// One after the other, as the position of each is only known when the one before is done.
__global__ void roots_in_turn(const float *in, float *out, const int *next, int n) {
  if (blockIdx.x || threadIdx.x)
    return;
  for (int i = 0; i < n; i = next[i])
    out[i] = rsqrtf(in[i]);
}

__global__ void sums(const float *in, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < rounds; k++)
    sum += rsqrtf(in[k] + 0.5f) * (in[i] + 1.0f);
  out[i] = sum;
}

__global__ void both(const float *in, float *spelled_out, float *called, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  spelled_out[i] = 1.0f / sqrtf(in[i]);
  called[i] = rsqrtf(in[i]);
}

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float nearest(float x) { return (float)(1.0 / std::sqrt((double)x)); }

static bool close(float root, float x) {
  float best = nearest(x);
  if (std::isnan(best))
    return std::isnan(root);
  if (std::isinf(best) || best == 0)
    return bits_of(root) == bits_of(best);
  return std::abs((int)(bits_of(root) - bits_of(best))) <= 2;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 40011, few = 300;
  buffer<float> in(n), out(n), in_turn(n), spelled_out(n), called(n), small(few), summed(few);
  buffer<int> next(n);
  const float special[] = {0.0f,      -0.0f,      INFINITY,         -INFINITY, NAN,
                           0x1p-149f, -0x1p-149f, 0x1.fffffcp-127f, 0x1p-126f, 0x1.fffffep127f,
                           1.0f,      4.0f,       0x1p-100f,        -1.0f,     0x1p126f};
  const int specials = sizeof special / sizeof *special;
  for (int i = 0; i < n; i++) {
    uint32_t bits = (uint32_t)(((uint64_t)i << 32) / n) ^ (uint32_t)i * 2654435761u >> 12;
    memcpy(&in[i], &bits, sizeof bits);
    if (i < specials)
      in[i] = special[i];
    next[i] = i + 1;
  }
  for (int i = 0; i < few; i++)
    small[i] = i * 0.37f;
  in.upload(), next.upload(), small.upload();
  roots<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  roots_in_turn<<<1, block>>>(in.device, in_turn.device, next.device, n);
  both<<<blocks_for(n, block), block>>>(in.device, spelled_out.device, called.device, n);
  sums<<<blocks_for(few, block), block>>>(small.device, summed.device, few, 50);
  out.download(), in_turn.download(), spelled_out.download(), called.download(), summed.download();
  for (int i = 0; i < n; i++) {
    expect(i, close(out[i], in[i]), true);
    expect(i, close(called[i], in[i]), true);
    expect(i, std::isnan(out[i]) ? std::isnan(in_turn[i]) : bits_of(out[i]) == bits_of(in_turn[i]), true);
    float exact = 1.0f / std::sqrt(in[i]);
    expect(i, std::isnan(exact) ? std::isnan(spelled_out[i]) : bits_of(spelled_out[i]) == bits_of(exact), true);
  }
  for (int i = 0; i < few; i++) {
    double sum = 0;
    for (int k = 0; k < 50; k++)
      sum += 1.0 / std::sqrt(small[k] + 0.5) * (small[i] + 1.0);
    expect_near(i, summed[i], (float)sum, 4e-6);
  }
  return passed();
}
