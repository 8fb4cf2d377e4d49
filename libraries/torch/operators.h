// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <torch/library.h>

namespace unwarp {

struct counts {
  unsigned long on_cpu, refused;
};
counts register_operators();

// Operators with a function of ours of their own (own.cpp, random.cpp).
void register_own(torch::Library &aten);
bool is_own(const std::string &name);

// Throws where a CUDA graph is being captured.
void expect_no_capture(const std::string &name);

} // namespace unwarp
