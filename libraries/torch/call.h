// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of an operator on CUDA tensors by its CPU kernel, on the same memory: device memory is memory of this
// process (runtime/memory.c). The tensors of the call become CPU tensors over the same bytes, and what the kernel
// made becomes CUDA tensors over what it was made in.
#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/stack.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/Storage.h>
#include <c10/util/SmallVector.h>

namespace unwarp {

// While one lives in a thread, that thread's CPU tensors are made in memory of that CUDA device's caching allocator, so
// that it can be a CUDA tensor's afterwards and is counted as one's.
class AllocatesOnDevice {
public:
  explicit AllocatesOnDevice(c10::DeviceIndex device);
  ~AllocatesOnDevice();
  AllocatesOnDevice(const AllocatesOnDevice &) = delete;
  AllocatesOnDevice &operator=(const AllocatesOnDevice &) = delete;

private:
  int before_;
};

void replace_cpu_allocator();

class Call {
public:
  // borrows: the CPU tensors keep no memory.
  explicit Call(bool borrows = false) : borrows_(borrows) {}
  // As CPU tensor, over the same memory; the same one for the same tensor. What is no CUDA tensor stays as it is.
  at::Tensor to_cpu(const at::Tensor &tensor);
  // All tensors in a value, lists too, and devices.
  void to_cpu(c10::IValue &value);
  // After the kernel: what it made, as CUDA tensor. One of the call's own, or one over its memory, stays that.
  at::Tensor to_cuda(const at::Tensor &tensor);
  void to_cuda(c10::IValue &value);
  // After the kernel: sizes and memory of the call's tensors that it changed (out= of another size).
  void take_changes();

  // The device of the first CUDA tensor; -1: there was none.
  c10::DeviceIndex device() const { return device_; }
  void set_device(c10::DeviceIndex device) { device_ = device; }
  // A CPU tensor with dimensions among the arguments; null: there was none.
  const at::Tensor *stranger() const { return stranger_.defined() ? &stranger_ : nullptr; }
  // Another CUDA device than the first one's; -1: there was none.
  c10::DeviceIndex other_device() const { return other_device_; }

private:
  struct SharedStorage {
    c10::Storage cuda, cpu;
    const void *data;
    size_t bytes;
  };
  struct SharedTensor {
    at::Tensor cuda, cpu;
  };
  const c10::Storage &cpu_storage(const c10::Storage &cuda);
  const c10::Storage &cuda_storage(const c10::Storage &cpu);

  c10::SmallVector<SharedStorage, 4> storages_;
  c10::SmallVector<SharedTensor, 4> tensors_;
  at::Tensor stranger_;
  c10::DeviceIndex device_ = -1, other_device_ = -1;
  bool borrows_;
};

// Tensor?[], TorchScript's as well: IValue::isOptionalTensorList() knows a list by its type's address, and a compiled script has a type of its own.
bool is_optional_tensor_list(const c10::IValue &value);

// sparse.cpp
at::Tensor sparse_to_cpu(Call &call, const at::Tensor &tensor);
at::Tensor sparse_to_cuda(Call &call, const at::Tensor &tensor);
void sparse_take_changes(Call &call, const at::Tensor &cuda, const at::Tensor &cpu);

} // namespace unwarp
