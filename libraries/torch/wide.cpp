// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PyTorch's kernels for CUDA add up float16 and bfloat16 in float32 and round at the end. Some of its CPU kernels round
// after each addition, which is off by many places after a few hundred. Such a kernel is given float32 copies here, and
// what it made is rounded once. Most CPU kernels do as CUDA's: half.py of tests/python/torch_today says which do not.
// So are kernels that have these types on CUDA alone.
#include "wide.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <vector>

namespace unwarp {

constexpr int stays_wide = -1;
namespace {
struct Row {
  const char *name, *overload;
  std::vector<int> types; // of each result: the argument that has its type; the last holds for those that follow
};
} // namespace

static const Row rows[] = {
    // Mean and deviation are float32 on CUDA.
    {"aten::native_layer_norm", "", {0, stays_wide}},
    {"aten::native_layer_norm_backward", "", {1, 5, 6}},
    {"aten::embedding_dense_backward", "", {0}},
    {"aten::_embedding_bag_backward", "", {0}},
    {"aten::_embedding_bag_dense_backward", "", {0}},
    {"aten::_index_put_impl_", "", {0}},
    {"aten::prod", "", {0}},
    {"aten::prod", "dim_int", {0}},
    {"aten::prod", "int_out", {0}},
    {"aten::avg_pool2d_backward", "", {0}},
    {"aten::avg_pool2d_backward", "grad_input", {0}},
    {"aten::avg_pool3d_backward", "", {0}},
    {"aten::avg_pool3d_backward", "grad_input", {0}},
    {"aten::_adaptive_avg_pool2d_backward", "", {0}},
    {"aten::_adaptive_avg_pool3d_backward", "", {0}},
    {"aten::col2im", "", {0}},
    {"aten::col2im", "out", {0}},
    {"aten::grid_sampler_2d", "", {0}},
    {"aten::grid_sampler_2d_backward", "", {0}},
    {"aten::grid_sampler_3d", "", {0}},
    {"aten::grid_sampler_3d_backward", "", {0}},
    {"aten::nll_loss2d_forward", "", {0}},
    {"aten::nll_loss2d_forward", "output", {0}},
    // What has no such type on CPUs.
    {"aten::avg_pool3d", "", {0}},
    {"aten::avg_pool3d", "out", {0}},
    {"aten::multi_margin_loss", "", {0}},
    {"aten::multi_margin_loss", "out", {0}},
    {"aten::multi_margin_loss_backward", "", {0}},
    {"aten::multi_margin_loss_backward", "grad_input", {0}},
    {"aten::multilabel_margin_loss_forward", "", {0}},
    {"aten::multilabel_margin_loss_forward", "output", {0}},
    {"aten::multilabel_margin_loss_backward", "", {0}},
    {"aten::multilabel_margin_loss_backward", "grad_input", {0}},
    {"aten::polygamma", "", {1}},
    {"aten::polygamma", "out", {1}},
    {"aten::round", "decimals", {0}},
    {"aten::round", "decimals_out", {0}},
    {"aten::round_", "decimals", {0}},
    {"aten::_upsample_bilinear2d_aa", "", {0}},
    {"aten::_upsample_bilinear2d_aa", "out", {0}},
    {"aten::_upsample_bilinear2d_aa_backward", "", {0}},
    {"aten::_upsample_bilinear2d_aa_backward", "grad_input", {0}},
};
// Unless oneDNN has them for this processor.
static const Row convolutions[] = {
    {"aten::convolution", "", {0}},
    {"aten::convolution_backward", "", {0}},
};

static bool is_half(const c10::IValue &value) {
  return value.isTensor() && value.toTensor().defined() &&
         (value.toTensor().scalar_type() == at::kHalf || value.toTensor().scalar_type() == at::kBFloat16);
}

static bool has_onednn(at::ScalarType type) {
  const auto ask = [](const char *name) {
    const auto op = c10::Dispatcher::singleton().findSchema({name, ""});
    return op && op->typed<bool()>().call();
  };
  static const bool half = ask("mkldnn::_is_mkldnn_fp16_supported"), brain = ask("mkldnn::_is_mkldnn_bf16_supported");
  return type == at::kHalf ? half : brain;
}

template <size_t Count> static const Row *find(const Row (&list)[Count], const c10::OperatorName &name) {
  for (const Row &row : list)
    if (name.name == row.name && name.overload_name == row.overload)
      return &row;
  return nullptr;
}

// The row by which a call is widened, if it is.
static const Row *row_of(const c10::OperatorHandle &op, const c10::IValue *arguments) {
  const size_t count = op.schema().arguments().size();
  if (std::none_of(arguments, arguments + count, is_half))
    return nullptr;
  const Row *row = find(rows, op.operator_name()),
            *convolution = row ? nullptr : find(convolutions, op.operator_name());
  if (!row && !convolution)
    return nullptr;
  const int first = (row ? row : convolution)->types[0];
  if (!is_half(arguments[first]))
    return nullptr;
  if (convolution)
    return has_onednn(arguments[first].toTensor().scalar_type()) ? nullptr : convolution;
  const auto &schema = op.schema().arguments();
  for (size_t i = 0; i < count; i++)
    if ((schema[i].name() == "dtype" && !arguments[i].isNone()) ||    // which the kernel adds up in
        (schema[i].name() == "accumulate" && !arguments[i].toBool())) // adds nothing
      return nullptr;
  return row;
}

void call_cpu_kernel(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
  const c10::DispatchKeySet cpu(c10::DispatchKey::CPU);
  const auto &schema = op.schema().arguments();
  const size_t base = stack->size() - schema.size();
  const Row *row = row_of(op, stack->data() + base);
  if (!row) {
    op.redispatchBoxed(cpu, stack);
    return;
  }
  std::vector<c10::IValue> given(stack->begin() + (ptrdiff_t)base, stack->end()), wide = given;
  for (c10::IValue &value : wide)
    if (is_half(value))
      value = value.toTensor().to(at::kFloat);
  std::copy(wide.begin(), wide.end(), stack->begin() + (ptrdiff_t)base);
  op.redispatchBoxed(cpu, stack);

  for (size_t i = 0; i < given.size(); i++)
    if (is_half(given[i]) && schema[i].alias_info() && schema[i].alias_info()->isWrite()) {
      const at::Tensor narrow = given[i].toTensor(), written = wide[i].toTensor();
      if (!narrow.sizes().equals(written.sizes()))
        narrow.resize_(written.sizes());
      narrow.copy_(written);
    }
  for (size_t i = base; i < stack->size(); i++) {
    c10::IValue &result = (*stack)[i];
    const int type = row->types[std::min(i - base, row->types.size() - 1)];
    if (!result.isTensor() || !result.toTensor().defined() || type == stays_wide)
      continue;
    const at::Tensor made = result.toTensor();
    bool is_argument = false;
    for (size_t j = 0; j < given.size() && !is_argument; j++)
      if (wide[j].isTensor() && wide[j].toTensor().is_same(made)) {
        result = given[j];
        is_argument = true;
      }
    if (!is_argument && made.is_floating_point() && given[(size_t)type].isTensor())
      result = made.to(given[(size_t)type].toTensor().scalar_type());
  }
}

} // namespace unwarp
