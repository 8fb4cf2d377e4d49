// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strided loops whose counter has no sign and starts below zero in some threads, which so run no iteration: at a constant, at
// what only the launch knows, by a factor, and with 64 bits. Others start after a bound that no thread comes to, or step by what
// counts down, until they pass 0.
#include "check.h"

#include <cstdint>

__global__ void one_less(unsigned *out, unsigned n) {
  for (unsigned i = threadIdx.x - 1; i < n; i += blockDim.x)
    out[i] += 3 * i + 1;
}

__global__ void shifted(unsigned *out, unsigned n, int shift) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x + shift; i < n; i += blockDim.x * gridDim.x)
    out[i] += 3 * i + 1;
}

__global__ void every_fifth(unsigned *out, unsigned n) {
  for (unsigned i = threadIdx.x * 5 - 20; i <= n; i += 5 * blockDim.x)
    out[i] += 3 * i + 1;
}

__global__ void wide(unsigned *out, size_t n, long long shift) {
  for (size_t i = threadIdx.x + shift; i < n; i += blockDim.x)
    out[i] += 3 * (unsigned)i + 1;
}

__global__ void stepped(unsigned *out, unsigned n, unsigned start, unsigned step) {
  for (unsigned i = start + threadIdx.x; i < n; i += step)
    atomicAdd(&out[i], 3 * i + 1);
}

__global__ void stepped_wide(unsigned *out, size_t n, size_t start, size_t step) {
  for (size_t i = start + threadIdx.x; i < n; i += step)
    atomicAdd(&out[i], 3 * (unsigned)i + 1);
}

__global__ void sums(unsigned *out, unsigned n, unsigned start) {
  unsigned sum = 1;
  for (unsigned i = start + threadIdx.x; i < n; i += blockDim.x)
    sum = sum * 5 + i;
  out[threadIdx.x] = sum;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), grid = 3;
  const unsigned n = 300;
  buffer<unsigned> out(n + 1 > 1024 ? n + 1 : 1024);
  unsigned expected[1024];

  // Adds as the kernel does what a thread with this start adds.
  auto add = [&](uint64_t start, uint64_t end, uint64_t step, uint64_t range) {
    for (uint64_t i = start & range; i < end; i = (i + step) & range)
      expected[i] += 3 * (unsigned)i + 1;
  };
  auto check = [&](const char *what) {
    out.download();
    for (unsigned i = 0; i <= n; i++)
      if (out[i] != expected[i])
        printf("%s: element %u\n", what, i);
    for (unsigned i = 0; i <= n; i++)
      expect((int)i, out[i], expected[i]);
    for (unsigned i = 0; i <= n; i++)
      out[i] = expected[i] = 0;
    out.upload();
  };
  for (unsigned i = 0; i < 1024; i++)
    out[i] = expected[i] = 0;
  out.upload();

  one_less<<<1, block>>>(out.device, n);
  for (int t = 0; t < block; t++)
    add((uint64_t)t - 1, n, block, UINT32_MAX);
  check("one_less");
  const int shifts[] = {0, -1, -block, -block - 7, -1000000, 1, 299, 300, 1000000};
  for (int shift : shifts) {
    shifted<<<grid, block>>>(out.device, n, shift);
    for (int t = 0; t < grid * block; t++)
      add((uint64_t)(t + shift), n, block * grid, UINT32_MAX);
    check("shifted");
    wide<<<1, block>>>(out.device, n, shift);
    for (int t = 0; t < block; t++)
      add((uint64_t)(t + shift), n, block, UINT64_MAX);
    check("wide");
  }
  every_fifth<<<1, block>>>(out.device, n);
  for (int t = 0; t < block; t++)
    add((uint64_t)t * 5 - 20, n + 1, 5 * (uint64_t)block, UINT32_MAX);
  check("every_fifth");
  const int steps[] = {block, -block, 7, -7, 300, -300};
  for (int step : steps)
    for (unsigned start : {0u, 140u, 299u}) {
      stepped<<<1, block>>>(out.device, n, start, step);
      for (int t = 0; t < block; t++)
        add(start + t, n, (uint64_t)step, UINT32_MAX);
      check("stepped");
      stepped_wide<<<1, block>>>(out.device, n, start, step);
      for (int t = 0; t < block; t++)
        add(start + t, n, (uint64_t)step, UINT64_MAX);
      check("stepped_wide");
    }
  const unsigned starts[] = {0, 5, ~0u, ~0u - 30, 0u - block, 0x80000000u, 0x7fffffffu};
  for (unsigned start : starts) {
    sums<<<1, block>>>(out.device, n, start);
    out.download();
    for (int t = 0; t < block; t++) {
      unsigned sum = 1;
      for (unsigned i = start + t; i < n; i += block)
        sum = sum * 5 + i;
      expect(t, out[t], sum);
    }
  }
  return passed();
}
