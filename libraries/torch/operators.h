// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <set>
#include <string>

namespace unwarp {

struct counts {
  unsigned long on_cpu, refused;
};
counts register_operators();

// Functions of ours in operators' place. What a PyTorch does not have, under this name and with this signature, is left
// out: it was not there yet, or is no more.
class Own {
public:
  explicit Own(torch::Library &aten) : aten_(aten) {}
  template <typename Function> void put(const char *name, Function *function) {
    const std::string whole = name;
    const size_t dot = whole.find('.');
    const auto op = c10::Dispatcher::singleton().findSchema(
        {"aten::" + whole.substr(0, dot), dot == std::string::npos ? "" : whole.substr(dot + 1)});
    if (!op)
      return;
    try {
      aten_.impl(name, function);
      names_.insert(whole);
    } catch (const c10::Error &) { // before anything is registered
    }
  }
  bool has(const std::string &name) const { return names_.count(name) > 0; }

private:
  torch::Library &aten_;
  std::set<std::string> names_;
};
void register_own(Own &own);
void register_random(Own &own);
void register_attention(Own &own);
void register_norms(Own &own);

} // namespace unwarp
