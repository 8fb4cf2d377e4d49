// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention. PyTorch chooses one of its CUDA kernels ("flash", "efficient") by the device; in their place stands its
// flash kernel for CPUs, and what that has not (dropout, the bias's gradient) is computed in full.
#include <ATen/ATen.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>

#include "capture.h"
#include "operators.h"
#include "random.h"

#include <algorithm>
#include <numeric>

namespace unwarp {

namespace {
struct Attention {
  at::Tensor query, key, value;
  std::optional<at::Tensor> bias;
  double dropout;
  bool is_causal;
  std::optional<double> scale;

  bool flash_fits() const {
    const auto heads = query.size(-1);
    return dropout == 0 && query.dim() == 4 && query.numel() && key.numel() && value.numel() && key.size(-1) == heads &&
           value.size(-1) == heads && !(bias && is_causal) && query.size(1) == key.size(1) &&
           query.size(1) == value.size(1) && at::isFloatingType(query.scalar_type()) &&
           (!bias || bias->scalar_type() == at::kBool || bias->scalar_type() == query.scalar_type());
  }
  double factor() const { return scale ? *scale : 1 / std::sqrt((double)query.size(-1)); }
};
} // namespace

// Scores after the softmax, in float at least.
static at::Tensor probabilities(const Attention &a, at::ScalarType wide) {
  TORCH_CHECK_NOT_IMPLEMENTED(a.query.size(-3) == a.key.size(-3), "unwarp: attention with dropout, a bias's gradient or "
                              "heads of two sizes, where there are more heads of queries than of keys: repeat these");
  at::Tensor scores = at::matmul(a.query.to(wide), a.key.to(wide).transpose(-2, -1)).mul_(a.factor());
  if (a.bias && a.bias->scalar_type() == at::kBool)
    scores.masked_fill_(a.bias->logical_not(), -std::numeric_limits<double>::infinity());
  else if (a.bias)
    scores.add_(*a.bias);
  if (a.is_causal)
    scores.masked_fill_(at::ones({scores.size(-2), scores.size(-1)}, scores.options().dtype(at::kBool)).tril_().logical_not_(),
                        -std::numeric_limits<double>::infinity());
  return at::softmax(scores, -1).nan_to_num_(0.0); // a row that sees nothing
}

// 1 / (1 - dropout) where an element stays, else 0.
static at::Tensor kept_of(const at::Tensor &like, double dropout, const Start &start) {
  at::Tensor kept = at::empty(like.sizes(), like.options().dtype(at::kFloat));
  c10::cuda::getCurrentCUDAStream().synchronize();
  float *to = kept.mutable_data_ptr<float>();
  const int64_t count = kept.numel();
  const float factor = dropout < 1 ? (float)(1 / (1 - dropout)) : 0;
  for (int64_t i = 0; i < count; i += 4) {
    const Words w = philox(start.seed, start.offset / 4 + (uint64_t)i / 4, 0);
    for (int64_t j = 0; j < 4 && i + j < count; j++)
      to[i + j] = curand_uniform(w.at[j]) > dropout ? factor : 0;
  }
  return kept.to(like.scalar_type());
}

static at::ScalarType wide_of(const at::Tensor &tensor) {
  return tensor.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

static std::tuple<at::Tensor, at::Tensor> forward(const Attention &a, const Start &start) {
  if (a.flash_fits())
    return at::_scaled_dot_product_flash_attention_for_cpu(a.query, a.key, a.value, 0, a.is_causal, a.bias, a.scale);
  const at::ScalarType wide = wide_of(a.query);
  at::Tensor weights = probabilities(a, wide);
  if (a.dropout > 0)
    weights.mul_(kept_of(weights, a.dropout, start));
  return {at::matmul(weights, a.value.to(wide)).to(a.query.scalar_type()),
          at::zeros({a.query.size(0), a.query.size(1), a.query.size(2)}, a.query.options().dtype(at::kFloat))};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
backward(const Attention &a, const at::Tensor &grad, const at::Tensor &out, const at::Tensor &logsumexp,
         const Start &start, bool wants_bias) {
  if (a.flash_fits() && !wants_bias) {
    auto [query, key, value] = at::_scaled_dot_product_flash_attention_for_cpu_backward(
        grad, a.query, a.key, a.value, out, logsumexp, 0, a.is_causal, a.bias, a.scale);
    return {query, key, value, at::Tensor()};
  }
  const at::ScalarType wide = wide_of(a.query), narrow = a.query.scalar_type();
  const at::Tensor weights = probabilities(a, wide), upper = grad.to(wide);
  at::Tensor of_weights = at::matmul(upper, a.value.to(wide).transpose(-2, -1)), used = weights;
  if (a.dropout > 0) {
    const at::Tensor kept = kept_of(weights, a.dropout, start);
    used = weights * kept;
    of_weights.mul_(kept);
  }
  const at::Tensor value = at::matmul(used.transpose(-2, -1), upper);
  const at::Tensor scores = weights * (of_weights - (of_weights * weights).sum(-1, true));
  const at::Tensor query = at::matmul(scores, a.key.to(wide)).mul_(a.factor());
  const at::Tensor key = at::matmul(scores.transpose(-2, -1), a.query.to(wide)).mul_(a.factor());
  at::Tensor bias;
  if (wants_bias && a.bias)
    bias = scores.sum_to_size(a.bias->sizes()).to(a.bias->scalar_type());
  return {query.to(narrow), key.to(narrow), value.to(narrow), bias};
}

// --- the operators ----------------------------------------------------------------------------------------------------

static Start draw(double dropout, const at::Tensor &like) {
  if (dropout == 0)
    return {0, 0};
  auto *impl = at::check_generator<at::CUDAGeneratorImpl>(
      at::cuda::detail::getDefaultCUDAGenerator(like.device().index()));
  return take_numbers(impl, (uint64_t)(like.size(0) * like.size(1) * like.size(2)) * 4);
}

static at::Tensor number(uint64_t value, const at::Tensor &like) {
  return at::scalar_tensor((int64_t)value, like.options().dtype(at::kLong));
}

static uint64_t first_of(const at::Tensor &number) {
  return number.defined() && number.numel() ? (uint64_t)number.view(at::kLong).flatten()[0].item<int64_t>() : 0;
}

static Start numbers(const at::Tensor &seed, const at::Tensor &offset) { return {first_of(seed), first_of(offset)}; }

// Compiled graphs have the sizes, types and strides that PyTorch's CUDA kernels give (torch/_meta_registrations.py) written
// into them, and stop at others.

// The tensor, in the place of `room` where that has other strides.
static at::Tensor laid_out(const at::Tensor &tensor, at::Tensor room) {
  return tensor.strides().equals(room.strides()) ? tensor : room.copy_(tensor);
}

// With the heads of a place side by side.
static at::Tensor by_place(const at::Tensor &tensor) {
  return tensor.defined() && tensor.dim() == 4 ? tensor.transpose(1, 2).contiguous().transpose(1, 2) : tensor;
}

// In the order of the query's dimensions; the last may have another size.
static at::Tensor like_query(const at::Tensor &tensor, const at::Tensor &query) {
  if (tensor.sizes().equals(query.sizes()))
    return laid_out(tensor, at::empty_like(query));
  std::vector<int64_t> order(query.dim()), strides(query.dim());
  std::iota(order.begin(), order.end(), 0);
  const auto stride_of = [&](int64_t i) { return query.stride(i) ? query.stride(i) : INT64_MAX; };
  std::stable_sort(order.begin(), order.end(), [&](int64_t i, int64_t j) { return stride_of(i) < stride_of(j); });
  int64_t stride = 1;
  for (const int64_t i : order) {
    strides[i] = stride;
    stride *= tensor.size(i);
  }
  return laid_out(tensor, at::empty_strided(tensor.sizes(), strides, tensor.options()));
}

namespace {
struct Attended {
  at::Tensor out, logsumexp;
  Start start;
};
} // namespace

static Attended attend(const char *name, const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
                       const std::optional<at::Tensor> &bias, double dropout, bool is_causal, std::optional<double> scale) {
  if (dropout > 0)
    expect_no_capture(name, "its dropout is drawn at once");
  const c10::cuda::CUDAGuard guard(query.device());
  const Start start = draw(dropout, query);
  const Attention a{query, key, value, bias && bias->defined() ? bias : std::nullopt, dropout, is_causal, scale};
  auto [out, logsumexp] = forward(a, start);
  return {out, logsumexp.contiguous(), start};
}

// Its logarithms are of rows in whole groups of 32, and are there where a gradient will be asked for.
static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
efficient(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
          const std::optional<at::Tensor> &bias, bool wants_logsumexp, double dropout, bool is_causal,
          std::optional<double> scale) {
  const Attended made =
      attend("_scaled_dot_product_efficient_attention", query, key, value, bias, dropout, is_causal, scale);
  const int64_t rows = query.size(2), whole = wants_logsumexp ? (rows + 31) / 32 * 32 : 0;
  at::Tensor logsumexp = made.logsumexp;
  if (whole != rows) {
    logsumexp = at::zeros({query.size(0), query.size(1), whole}, logsumexp.options());
    if (whole)
      logsumexp.narrow(2, 0, rows).copy_(made.logsumexp);
  }
  return {by_place(made.out), logsumexp, number(made.start.seed, query), number(made.start.offset, query)};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
any_backward(const at::Tensor &grad, const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
                   const at::Tensor &bias, const at::Tensor &out, const at::Tensor &logsumexp, const at::Tensor &seed,
                   const at::Tensor &offset, double dropout, std::array<bool, 4> wanted, bool is_causal,
                   std::optional<double> scale) {
  if (!grad.defined())
    return {};
  const c10::cuda::CUDAGuard guard(query.device());
  const Start start = dropout > 0 ? numbers(seed, offset) : Start{0, 0};
  const at::Tensor logarithms = logsumexp.narrow(2, 0, query.size(2)).contiguous().view({query.size(0), query.size(1), -1});
  const Attention a{query, key, value, bias.defined() ? std::optional<at::Tensor>(bias) : std::nullopt, dropout, is_causal,
                    scale};
  return backward(a, grad, out, logarithms, start, wanted[3]);
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
efficient_backward(const at::Tensor &grad, const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
                   const at::Tensor &bias, const at::Tensor &out, const at::Tensor &logsumexp, const at::Tensor &seed,
                   const at::Tensor &offset, double dropout, std::array<bool, 4> wanted, bool is_causal,
                   std::optional<double> scale) {
  auto [q, k, v, b] = any_backward(grad, query, key, value, bias, out, logsumexp, seed, offset, dropout, wanted, is_causal,
                                   scale);
  return {by_place(q), by_place(k), by_place(v), b};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, c10::SymInt, c10::SymInt, at::Tensor, at::Tensor, at::Tensor>
flash(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, double dropout, bool is_causal, bool,
      std::optional<double> scale) {
  const Attended made =
      attend("_scaled_dot_product_flash_attention", query, key, value, std::nullopt, dropout, is_causal, scale);
  const at::Tensor seed = at::full({2}, (int64_t)made.start.seed, query.options().dtype(at::kLong));
  return {like_query(made.out, query), made.logsumexp, at::Tensor(), at::Tensor(), query.size(2), key.size(2),
          seed.view(at::kUInt64), number(made.start.offset, query).view(at::kUInt64), at::empty({0}, query.options())};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor>
flash_backward(const at::Tensor &grad, const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
               const at::Tensor &out, const at::Tensor &logsumexp, const at::Tensor &, const at::Tensor &, c10::SymInt,
               c10::SymInt, double dropout, bool is_causal, const at::Tensor &seed, const at::Tensor &offset,
               std::optional<double> scale) {
  if (!grad.defined())
    return {};
  auto [q, k, v, b] = any_backward(grad, query, key, value, at::Tensor(), out, logsumexp, seed, offset, dropout,
                                   {true, true, true, false}, is_causal, scale);
  return {laid_out(q, at::empty_like(query)), laid_out(k, at::empty_like(key)), laid_out(v, at::empty_like(value))};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, c10::SymInt, c10::SymInt, at::Tensor, at::Tensor, at::Tensor>
cudnn(const at::Tensor &query, const at::Tensor &key, const at::Tensor &value, const std::optional<at::Tensor> &bias,
      bool, double dropout, bool is_causal, bool, std::optional<double> scale) {
  const Attended made = attend("_scaled_dot_product_cudnn_attention", query, key, value, bias, dropout, is_causal, scale);
  return {like_query(made.out, query), made.logsumexp.unsqueeze(-1), at::Tensor(), at::Tensor(), query.size(2),
          key.size(2), number(made.start.seed, query), number(made.start.offset, query), at::Tensor()};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor>
cudnn_backward(const at::Tensor &grad, const at::Tensor &query, const at::Tensor &key, const at::Tensor &value,
               const at::Tensor &out, const at::Tensor &logsumexp, const at::Tensor &seed, const at::Tensor &offset,
               const at::Tensor &bias, const at::Tensor &, const at::Tensor &, c10::SymInt, c10::SymInt, double dropout,
               bool is_causal, std::optional<double> scale) {
  if (!grad.defined())
    return {};
  auto [q, k, v, b] = any_backward(grad, query, key, value, bias, out, logsumexp, seed, offset, dropout,
                                   {true, true, true, false}, is_causal, scale);
  return {laid_out(q, at::empty_like(query)), laid_out(k, at::empty_like(key)), laid_out(v, at::empty_like(value))};
}

void register_attention(Own &own) {
  own.put("_scaled_dot_product_efficient_attention", efficient);
  own.put("_scaled_dot_product_efficient_attention_backward", efficient_backward);
  own.put("_scaled_dot_product_flash_attention", flash);
  own.put("_scaled_dot_product_flash_attention_backward", flash_backward);
  own.put("_scaled_dot_product_cudnn_attention", cudnn);
  own.put("_scaled_dot_product_cudnn_attention_backward", cudnn_backward);
}

} // namespace unwarp
