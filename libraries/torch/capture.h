// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators while a CUDA graph is captured. What an operator's CPU kernel does becomes a host function of the graph,
// over the same memory at each replay; while it is captured nothing of the program's is written.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <functional>
#include <string>

namespace unwarp {

// Is the current stream captured?
bool is_capturing();

// At this place of the graph. It is kept as long as the graph; what it throws ends in the next call of rethrow.
void record(const std::string &name, std::function<void()> work);
void rethrow();

// A call of an operator with its arguments at the stack's end, which become its results. What they will be is found out
// by the CPU kernel on zeros of the same sizes. Throws where that cannot be known, and is refused with its name.
void record_call(const c10::OperatorHandle &op, const std::string &name, torch::jit::Stack *stack);

// Throws where a graph is being captured, for what cannot be recorded.
void expect_no_capture(const std::string &name, const char *why);

} // namespace unwarp
