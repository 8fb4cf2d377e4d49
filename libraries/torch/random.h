// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>

namespace unwarp {

// Philox 4x32-10 of a key and a counter.
struct Words {
  uint32_t at[4];
};
Words philox(uint64_t seed, uint64_t counter, uint64_t sequence);
// In (0, 1].
float curand_uniform(uint32_t word);

// How many threads PyTorch would launch for so many elements.
uint64_t grid_threads(uint64_t count, uint64_t block);
// The state of a generator, which goes on by so many numbers.
struct Start {
  uint64_t seed, offset;
};
Start take_numbers(at::CUDAGeneratorImpl *generator, uint64_t increment);

at::Generator cpu_generator(const std::optional<at::Generator> &given, c10::DeviceIndex device);

} // namespace unwarp
