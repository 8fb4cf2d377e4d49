// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators for which a kernel of the CPU's cannot simply be called.
#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "call.h"
#include "operators.h"

namespace unwarp {

at::Generator cpu_generator(const std::optional<at::Generator> &given, c10::DeviceIndex device) {
  if (given && given->device().is_cpu())
    return *given;
  const at::Generator cuda = given ? *given : at::cuda::detail::getDefaultCUDAGenerator(device);
  auto *impl = at::check_generator<at::CUDAGeneratorImpl>(cuda);
  std::pair<uint64_t, uint64_t> state;
  {
    std::lock_guard<std::mutex> lock(impl->mutex_);
    state = impl->philox_engine_inputs(4);
  }
  uint64_t mixed = state.first ^ (state.second + 1) * UINT64_C(0x9E3779B97F4A7C15);
  mixed = (mixed ^ mixed >> 31) * UINT64_C(0xBF58476D1CE4E5B9);
  return at::detail::createCPUGenerator(mixed ^ mixed >> 29);
}

void register_own(torch::Library &) {}
bool is_own(const std::string &) { return false; }

} // namespace unwarp
