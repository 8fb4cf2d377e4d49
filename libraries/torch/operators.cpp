// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each operator of PyTorch's that has a kernel for CUDA, which the stock wheel holds as GPU code alone, and one for
// CPUs: the CPU's under the CUDA key, on the same memory (call.h). Which these are is asked of the dispatcher, so that
// a later PyTorch has its own list. Those that have none are refused by name.
#include "operators.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/library.h>

#include <torch/version.h>

#include <cstdio>
#include <cstring>

#include "call.h"
#include "capture.h"
#include "checked.h"
#include "random.h"
#include "wide.h"

namespace unwarp {

// What stays PyTorch's own, as it runs no kernel, or CUDA's libraries, which are unwarp's, run it.
static const char *const kept[] = {
    "empty.memory_format", "empty_strided",  "resize_",        "set_.source_Storage",
    "set_",                "set_.source_Tensor", "set_.source_Storage_storage_offset", "record_stream",
    "is_pinned",           "_pin_memory",    "_local_scalar_dense", "_efficientzerotensor",
    "is_set_to",           "_nested_view_from_buffer", "_coalesced_",
    // What these call comes here again, so that it has a GPU's numbers.
    "bernoulli", "bernoulli.out",
};

// Of sparse and nested tensors: what makes them of their parts, and what says something of them.
static const char *const kept_sparse[] = {
    "_sparse_coo_tensor_with_dims", "_sparse_coo_tensor_with_dims_and_tensors", "empty.memory_format", "empty_like",
    "is_coalesced", "_indices", "_values", "indices", "values", "_dimI", "_dimV", "_nnz", "sparse_dim", "dense_dim",
    "_coalesced_", "crow_indices", "col_indices", "ccol_indices", "row_indices", "sparse_resize_",
    "sparse_resize_and_clear_", "resize_as_sparse_", "resize_", "copy_", "copy_sparse_to_sparse_", "clone",
    "select.int", "zeros.out", "unsqueeze",
    // Of nested ones.
    "_nested_tensor_size", "_nested_tensor_strides", "_nested_tensor_storage_offsets", "is_same_size", "_to_copy",
};

// What has one kernel for all devices, in which those of devices are called past the dispatcher.
static const char *const forced[] = {
    "copy_", "convolution", "convolution_backward",
    // What attention.cpp calls.
    "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_flash_attention_for_cpu_backward",
};

// What takes CPU tensors beside CUDA tensors, by the names' beginnings; up to a dot or the end where they end with one.
static const char *const mixed[] = {"copy_.", "index.", "index_put.", "index_put_.", "_index_put_impl_.", "_unsafe_index.",
                                    "_unsafe_index_put.", "ctc_loss", "_ctc_loss", "_fused_", "_pack_", "_foreach_",
                                    "_weight_norm", "_segment_reduce", "segment_reduce"};

static bool takes_mixed(const std::string &name) {
  const std::string ended = name + ".";
  for (const char *each : mixed)
    if (ended.compare(0, std::strlen(each), each) == 0)
      return true;
  return false;
}

template <size_t Count> static bool is_in(const char *const (&list)[Count], const std::string &name) {
  for (const char *each : list)
    if (name == each)
      return true;
  return false;
}

static std::string full_name(const c10::OperatorName &name) {
  const size_t colons = name.name.rfind("::");
  std::string plain = name.name.substr(colons == std::string::npos ? 0 : colons + 2);
  return name.overload_name.empty() ? plain : plain + "." + name.overload_name;
}

// A view of an argument, which no kernel computes.
static bool gives_views(const c10::FunctionSchema &schema) {
  for (const c10::Argument &result : schema.returns())
    if (result.alias_info() && !result.alias_info()->isWrite())
      return true;
  return false;
}

namespace {
class OnCpu final : public c10::OperatorKernel {
public:
  OnCpu(const c10::OperatorHandle &op, bool is_sparse)
      : name_(full_name(op.operator_name())), takes_others_(takes_mixed(name_)), is_sparse_(is_sparse) {
    const auto &arguments = op.schema().arguments();
    for (size_t i = 0; i < arguments.size(); i++) {
      const auto type = arguments[i].type()->str();
      if (type.find("Generator") != std::string::npos)
        generator_ = (int)i;
    }
  }

  void operator()(const c10::OperatorHandle &op, c10::DispatchKeySet, torch::jit::Stack *stack) {
    const size_t count = op.schema().arguments().size(), base = stack->size() - count;
    Call call;
    torch::jit::Stack given;
    if (is_capturing())
      given.assign(stack->begin() + (ptrdiff_t)base, stack->end());
    for (size_t i = base; i < stack->size(); i++)
      call.to_cpu((*stack)[i]);
    if (call.device() < 0)
      call.set_device(c10::cuda::current_device());
    if (!takes_others_) {
      TORCH_CHECK(!call.stranger() && call.other_device() < 0,
                  "Expected all tensors to be on the same device, but found at least two devices, cuda:",
                  (int)call.device(), " and ", call.stranger() ? std::string("cpu") : "cuda:" + std::to_string((int)call.other_device()),
                  "! (aten::", name_, ")");
    }
    const c10::cuda::CUDAGuard guard(call.device());
    if (is_capturing()) {
      if (generator_ >= 0)
        expect_no_capture(name_, "its random numbers come from a generator of the CPU's kind");
      if (is_sparse_)
        expect_no_capture(name_, "sparse tensors are not recorded");
      for (size_t i = 0; i < count; i++)
        (*stack)[base + i] = std::move(given[i]);
      record_call(op, name_, stack);
      return;
    }
    rethrow();
    if (generator_ >= 0) {
      c10::IValue &generator = (*stack)[base + generator_];
      generator = cpu_generator(generator.isNone() ? std::nullopt : std::optional<at::Generator>(generator.toGenerator()),
                                call.device());
    }
    c10::cuda::getCurrentCUDAStream().synchronize();
    {
      const AllocatesOnDevice allocates(call.device());
      if (is_sparse_)
        op.callBoxed(stack); // some of them sparse, or none
      else
        call_cpu_kernel(op, stack);
    }
    call.take_changes();
    for (size_t i = base; i < stack->size(); i++)
      call.to_cuda((*stack)[i]);
  }

private:
  const std::string name_;
  const bool takes_others_, is_sparse_;
  int generator_ = -1;
};

class Refused final : public c10::OperatorKernel {
public:
  void operator()(const c10::OperatorHandle &op, c10::DispatchKeySet, torch::jit::Stack *) {
    TORCH_CHECK_NOT_IMPLEMENTED(false, "unwarp: ", op.operator_name(),
                                " has no CPU kernel in PyTorch ", TORCH_VERSION,
                                ", and the one for CUDA is GPU code alone: docs/pytorch.md says what can take its place");
  }
};

// PyTorch says once that a kernel takes another's place, which is what is wanted.
class NoOverrideWarning final : public c10::WarningHandler {
public:
  void process(const c10::Warning &warning) override {
    if (warning.msg().find("verriding a previously registered kernel") == std::string::npos)
      c10::WarningHandler::process(warning);
  }
};
} // namespace

// By cuDNN, cuBLAS and their like alone.
static bool is_of_libraries(const std::string &name) {
  return name.find("cudnn") != std::string::npos || name.find("miopen") != std::string::npos ||
         name.compare(0, 4, "_nv_") == 0 || name.find("p2p") != std::string::npos;
}

// Never destroyed: what is registered stays until the process ends.
static torch::Library &library(c10::DispatchKey key) {
  return *new torch::Library(torch::Library::IMPL, "aten", key, __FILE__, __LINE__);
}

static void register_sparse(c10::DispatchKey cuda, c10::DispatchKey cpu, counts &made) {
  auto &dispatcher = c10::Dispatcher::singleton();
  torch::Library &aten = library(cuda);
  for (const c10::OperatorName &each : dispatcher.getAllOpNames()) {
    const auto op = each.name.compare(0, 6, "aten::") == 0 ? dispatcher.findSchema(each) : std::nullopt;
    const std::string name = full_name(each);
    if (!op || is_in(kept_sparse, name) || !op->hasKernelForDispatchKey(cuda) || gives_views(op->schema()) ||
        !op->hasComputedKernelForDispatchKey(cpu))
      continue;
    aten.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::make_unique<OnCpu>(*op, true)));
    made.on_cpu++;
  }
}

counts register_operators() {
  counts made = {};
  NoOverrideWarning handler;
  const c10::WarningUtils::WarningHandlerGuard guard(&handler);
  auto &dispatcher = c10::Dispatcher::singleton();
  torch::Library &aten = library(c10::DispatchKey::CUDA);
  Own own(aten);
  register_own(own);
  for (const c10::OperatorName &each : dispatcher.getAllOpNames()) {
    if (each.name.compare(0, 6, "aten::") != 0)
      continue;
    const auto op = dispatcher.findSchema(each);
    if (!op)
      continue;
    const std::string name = full_name(each);
    if (own.has(name) || is_in(kept, name))
      continue;
    const bool is_forced = is_in(forced, name);
    if (!is_forced && (!op->hasKernelForDispatchKey(c10::DispatchKey::CUDA) || gives_views(op->schema())))
      continue;
    if (op->hasComputedKernelForDispatchKey(c10::DispatchKey::CPU)) {
      aten.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::make_unique<OnCpu>(*op, false)));
      made.on_cpu++;
    } else if (!is_of_libraries(name)) {
      aten.impl(name.c_str(), torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Refused>()));
      made.refused++;
    }
  }
  register_sparse(c10::DispatchKey::SparseCUDA, c10::DispatchKey::SparseCPU, made);
  register_sparse(c10::DispatchKey::SparseCsrCUDA, c10::DispatchKey::SparseCsrCPU, made);
  register_sparse(c10::DispatchKey::NestedTensorCUDA, c10::DispatchKey::NestedTensorCPU, made);
  return made;
}

} // namespace unwarp

// For the module that loads this (python/): how many, for UNWARP_TRACE.
extern "C" __attribute__((visibility("default"))) int unwarp_torch_start(unsigned long *on_cpu, unsigned long *refused) {
  try {
    unwarp::replace_cpu_allocator();
    const unwarp::counts made = unwarp::register_operators();
    *on_cpu = made.on_cpu;
    *refused = made.refused;
    unwarp::watch_for_checker();
    return 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "unwarp: PyTorch's operators cannot be led to its CPU kernels: %s\n", error.what());
    return 0;
  }
}
