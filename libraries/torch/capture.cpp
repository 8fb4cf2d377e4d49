// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "capture.h"

#include <ATen/ATen.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGraphsC10Utils.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda_runtime_api.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "call.h"
#include "wide.h"

namespace unwarp {

bool is_capturing() { return c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None; }

void expect_no_capture(const std::string &name, const char *why) {
  TORCH_CHECK_NOT_IMPLEMENTED(!is_capturing(), "unwarp: aten::", name, " in a CUDA graph that is being captured: ", why,
                              "; run it outside of torch.cuda.graph");
}

// --- host functions of a graph ----------------------------------------------------------------------------------------

namespace {
struct Recorded {
  std::string name;
  std::function<void()> work;
};
} // namespace

static std::atomic<bool> has_failed;
static std::mutex failure_lock;
static std::string failure;

static void run_recorded(void *data) {
  const auto *recorded = static_cast<Recorded *>(data);
  try {
    const at::AutoDispatchBelowADInplaceOrView below;
    recorded->work();
  } catch (const std::exception &error) {
    const std::string said =
        "unwarp: aten::" + recorded->name + " in a CUDA graph failed when it was replayed: " + error.what();
    std::fprintf(stderr, "%s\n", said.substr(0, said.find('\n')).c_str());
    const std::lock_guard<std::mutex> guard(failure_lock);
    failure = said;
    has_failed = true;
  }
}

void rethrow() {
  if (!has_failed)
    return;
  const std::lock_guard<std::mutex> guard(failure_lock);
  has_failed = false;
  TORCH_CHECK(false, failure);
}

static void drop(void *recorded) { delete static_cast<Recorded *>(recorded); }

void record(const std::string &name, std::function<void()> work) {
  const cudaStream_t stream = c10::cuda::getCurrentCUDAStream();
  cudaStreamCaptureStatus status;
  unsigned long long number;
  cudaGraph_t graph;
  const cudaGraphNode_t *before;
  size_t count;
  C10_CUDA_CHECK(cudaStreamGetCaptureInfo_v2(stream, &status, &number, &graph, &before, &count));
  auto recorded = std::make_unique<Recorded>(Recorded{name, std::move(work)});
  C10_CUDA_CHECK(cudaLaunchHostFunc(stream, run_recorded, recorded.get()));
  cudaUserObject_t object;
  C10_CUDA_CHECK(cudaUserObjectCreate(&object, recorded.get(), drop, 1, cudaUserObjectNoDestructorSync));
  recorded.release();
  C10_CUDA_CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
}

// --- an operator ------------------------------------------------------------------------------------------------------

// Each tensor in a value becomes what `as` makes of it.
template <typename Function> static c10::IValue map(const c10::IValue &value, const Function &as) {
  if (value.isTensor())
    return as(value.toTensor());
  if (value.isTensorList()) {
    c10::List<at::Tensor> made;
    for (const at::Tensor each : value.toTensorList())
      made.push_back(as(each));
    return made;
  }
  if (is_optional_tensor_list(value)) {
    c10::List<std::optional<at::Tensor>> made;
    for (const c10::IValue &each : value.toListRef())
      made.push_back(each.isTensor() ? std::optional<at::Tensor>(as(each.toTensor())) : std::nullopt);
    return made;
  }
  return value;
}

namespace {
// Stand-ins for arguments: zeros in the same form. Two tensors over the same memory get their own, as only their form matters.
class Zeros {
public:
  at::Tensor of(const at::Tensor &given) {
    if (!given.defined())
      return given;
    for (const auto &pair : pairs_)
      if (pair.first.is_same(given))
        return pair.second;
    at::Tensor made = at::empty_strided(given.sizes(), given.strides(), given.options());
    if (made.storage().nbytes())
      std::memset(made.storage().mutable_data(), 0, made.storage().nbytes());
    made.unsafeGetTensorImpl()->_set_conj(given.is_conj());
    made._set_neg(given.is_neg());
    if (given.unsafeGetTensorImpl()->is_wrapped_number())
      made.unsafeGetTensorImpl()->set_wrapped_number(true);
    pairs_.emplace_back(given, made);
    return made;
  }
  // The argument for which this stands, or one whose memory it has.
  const at::Tensor *argument(const at::Tensor &made) const {
    for (const auto &pair : pairs_)
      if (pair.second.is_same(made))
        return &pair.first;
    return nullptr;
  }
  bool shares(const at::Tensor &made) const {
    for (const auto &pair : pairs_)
      if (made.storage().nbytes() && pair.second.storage().is_alias_of(made.storage()))
        return true;
    return false;
  }
  const std::vector<std::pair<at::Tensor, at::Tensor>> &pairs() const { return pairs_; }

private:
  std::vector<std::pair<at::Tensor, at::Tensor>> pairs_;
};

// What is recorded: the arguments, and of each result that is the operator's own where it goes.
struct Replay {
  c10::OperatorHandle op;
  torch::jit::Stack arguments;
  std::vector<std::vector<at::Tensor>> own; // by results; undefined: an argument's
};
} // namespace

static std::vector<at::Tensor> tensors_of(const c10::IValue &value) {
  std::vector<at::Tensor> found;
  map(value, [&](const at::Tensor &tensor) { return found.push_back(tensor), tensor; });
  return found;
}

static void replay(const Replay &recorded) {
  torch::jit::Stack stack = recorded.arguments;
  call_cpu_kernel(recorded.op, &stack);
  for (size_t i = 0; i < recorded.own.size(); i++) {
    const std::vector<at::Tensor> made = tensors_of(stack[i]);
    TORCH_CHECK(made.size() == recorded.own[i].size(), "another number of results than when it was captured");
    for (size_t j = 0; j < made.size(); j++)
      if (recorded.own[i][j].defined()) {
        TORCH_CHECK(made[j].sizes().equals(recorded.own[i][j].sizes()),
                    "a result of another size than when it was captured");
        at::Tensor(recorded.own[i][j]).copy_(made[j]);
      }
  }
}

void record_call(const c10::OperatorHandle &op, const std::string &name, torch::jit::Stack *stack) {
  if (op.hasTag(at::Tag::dynamic_output_shape) || op.hasTag(at::Tag::data_dependent_output))
    expect_no_capture(name, "what it gives depends on the values, which CUDA forbids there as well");
  const size_t count = op.schema().arguments().size(), base = stack->size() - count;
  const bool copies = name == "copy_"; // which reads the host's memory when it is replayed
  for (bool again = true; again;) {
    again = false;
    Call call(true);
    Replay made{op, {}, {}};
    for (size_t i = base; i < stack->size(); i++) {
      c10::IValue value = map((*stack)[i], [&](const at::Tensor &tensor) {
        TORCH_CHECK_NOT_IMPLEMENTED(!tensor.defined() || (tensor.layout() == at::kStrided && !tensor.is_nested()),
                                    "unwarp: aten::", name, " of a tensor that is not dense, in a CUDA graph");
        return tensor.defined() && tensor.is_cpu() && !copies ? tensor.clone() : tensor;
      });
      call.to_cpu(value);
      made.arguments.push_back(std::move(value));
    }
    Zeros zeros;
    torch::jit::Stack tried;
    for (const c10::IValue &value : made.arguments)
      tried.push_back(map(value, [&](const at::Tensor &tensor) { return zeros.of(tensor); }));
    try {
      call_cpu_kernel(op, &tried);
    } catch (const c10::Error &error) {
      expect_no_capture(
          name, ("on zeros, by which its results are foreseen, it says: " + std::string(error.what_without_backtrace()))
                    .c_str());
    }
    for (const auto &[argument, zero] : zeros.pairs())
      if (!argument.sizes().equals(zero.sizes())) { // out= of another size
        at::Tensor cuda = call.to_cuda(argument);
        cuda.resize_(zero.sizes());
        cuda.unsafeGetTensorImpl()->set_sizes_and_strides(zero.sizes(), zero.strides());
        again = true;
      }
    if (again)
      continue;
    torch::jit::Stack results;
    for (const c10::IValue &value : tried) {
      std::vector<at::Tensor> own;
      results.push_back(map(value, [&](const at::Tensor &tensor) {
        own.emplace_back();
        if (!tensor.defined())
          return tensor;
        if (const at::Tensor *argument = zeros.argument(tensor))
          return call.to_cuda(*argument);
        TORCH_CHECK_NOT_IMPLEMENTED(!zeros.shares(tensor) && tensor.layout() == at::kStrided, "unwarp: aten::", name,
                                    " gives a view of an argument, in a CUDA graph");
        at::Tensor cuda = at::empty_strided(tensor.sizes(), tensor.strides(),
                                            tensor.options().device(at::Device(at::kCUDA, call.device())));
        own.back() = call.to_cpu(cuda);
        return cuda;
      }));
      made.own.push_back(std::move(own));
    }
    record(name, [made = std::move(made)] { replay(made); });
    torch::jit::drop(*stack, count);
    for (c10::IValue &result : results)
      stack->push_back(std::move(result));
  }
}

} // namespace unwarp
