// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

namespace unwarp {

// The operator's CPU kernel on CPU tensors: in float32 where the kernel for CUDA adds up so and the CPU's does not.
void call_cpu_kernel(const c10::OperatorHandle &op, torch::jit::Stack *stack);

} // namespace unwarp
