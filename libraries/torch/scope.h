// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function of ours under the CUDA key does around its work: the device, what was asked of the stream before, and
// its tensors as CPU tensors while it lives.
#pragma once

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "call.h"
#include "capture.h"

namespace unwarp {

class Scope {
public:
  Scope(const char *name, const at::Tensor &first) : guard_(first.device()), allocates_(first.device().index()) {
    expect_no_capture(name, "it is not recorded");
    rethrow();
    c10::cuda::getCurrentCUDAStream().synchronize();
    call_.set_device(first.device().index());
  }
  at::Tensor in(const at::Tensor &tensor) { return call_.to_cpu(tensor); }
  std::optional<at::Tensor> in(const std::optional<at::Tensor> &tensor) {
    return tensor && tensor->defined() ? std::optional<at::Tensor>(in(*tensor)) : std::nullopt;
  }
  at::Tensor out(const at::Tensor &tensor) { return call_.to_cuda(tensor); }

private:
  Call call_;
  const c10::cuda::CUDAGuard guard_;
  const AllocatesOnDevice allocates_;
};

} // namespace unwarp
