// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normalisations that PyTorch has for CUDA alone, or leaves to cuDNN there.
#include <ATen/ATen.h>

#include "operators.h"

namespace unwarp {

// --- RMS norm ---------------------------------------------------------------------------------------------------------

static std::tuple<at::Tensor, at::Tensor> rms_norm_backward(const at::Tensor &grad, const at::Tensor &input,
                                                            at::IntArrayRef shape, const at::Tensor &rstd,
                                                            const std::optional<at::Tensor> &weight,
                                                            std::array<bool, 2> wanted) {
  const at::ScalarType wide = input.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  std::vector<int64_t> inner, outer;
  for (int64_t i = 0; i < input.dim(); i++)
    (i < input.dim() - (int64_t)shape.size() ? outer : inner).push_back(i);
  std::vector<int64_t> wide_shape(input.dim(), 1);
  for (int64_t i : outer)
    wide_shape[i] = input.size(i);
  const at::Tensor factor = rstd.to(wide).reshape(wide_shape), normal = input.to(wide) * factor, upper = grad.to(wide);
  at::Tensor of_input, of_weight;
  if (wanted[0]) {
    const at::Tensor scaled = weight && weight->defined() ? upper * weight->to(wide) : upper;
    of_input = (factor * (scaled - normal * (scaled * normal).mean(inner, true))).to(input.scalar_type());
  }
  if (wanted[1] && weight && weight->defined())
    of_weight = (outer.empty() ? upper * normal : (upper * normal).sum(outer)).to(weight->scalar_type());
  return {of_input, of_weight};
}

// --- batch norm, which PyTorch leaves to cuDNN: the CPU's own takes all that this takes ---------------------------------

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
batch_norm(const at::Tensor &input, const at::Tensor &weight, const std::optional<at::Tensor> &bias,
           const std::optional<at::Tensor> &mean, const std::optional<at::Tensor> &variance, bool training,
           double momentum, double epsilon) {
  auto [made, saved_mean, saved_deviation] =
      at::native_batch_norm(input, weight, bias, mean, variance, training, momentum, epsilon);
  return {made, saved_mean, saved_deviation, at::empty({0}, input.options().dtype(at::kByte))};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor>
batch_norm_backward(const at::Tensor &input, const at::Tensor &grad, const at::Tensor &weight,
                    const std::optional<at::Tensor> &mean, const std::optional<at::Tensor> &variance,
                    const std::optional<at::Tensor> &saved_mean, const std::optional<at::Tensor> &saved_deviation,
                    double epsilon, const at::Tensor &) {
  return at::native_batch_norm_backward(grad, input, weight, mean, variance, saved_mean, saved_deviation, true, epsilon,
                                        {true, true, true});
}

// --- SyncBatchNorm: statistics of each rank, what all have together, and its use ------------------------------------------

static std::vector<int64_t> all_but_channels(const at::Tensor &input) {
  std::vector<int64_t> found;
  for (int64_t i = 0; i < input.dim(); i++)
    if (i != 1)
      found.push_back(i);
  return found;
}
static at::Tensor by_channel(const at::Tensor &values, const at::Tensor &input, at::ScalarType wide) {
  std::vector<int64_t> shape(input.dim(), 1);
  shape[1] = input.size(1);
  return values.to(wide).reshape(shape);
}
static at::ScalarType wide_type(const at::Tensor &input) {
  return input.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

static std::tuple<at::Tensor, at::Tensor> norm_stats(const at::Tensor &input, double epsilon) {
  const at::Tensor wide = input.to(wide_type(input));
  const auto over = all_but_channels(input);
  return {wide.mean(over), (wide.var(over, false) + epsilon).rsqrt()};
}

static at::Tensor norm_elements(const at::Tensor &input, const std::optional<at::Tensor> &weight,
                                const std::optional<at::Tensor> &bias, const at::Tensor &mean, const at::Tensor &invstd,
                                double) {
  const at::ScalarType wide = wide_type(input);
  at::Tensor made = (input.to(wide) - by_channel(mean, input, wide)) * by_channel(invstd, input, wide);
  if (weight && weight->defined())
    made = made * by_channel(*weight, input, wide);
  if (bias && bias->defined())
    made = made + by_channel(*bias, input, wide);
  return made.to(input.scalar_type());
}

static std::tuple<at::Tensor, at::Tensor>
norm_gather_counts(const at::Tensor &input, const at::Tensor &means, const at::Tensor &invstds,
                   const std::optional<at::Tensor> &running_mean, const std::optional<at::Tensor> &running_variance,
                   double momentum, double epsilon, const at::Tensor &counts) {
  const at::ScalarType wide = wide_type(input);
  const at::Tensor weights = counts.to(wide).reshape({-1, 1}), total = weights.sum();
  const at::Tensor mean = (means.to(wide) * weights).sum(0) / total;
  const at::Tensor variances = invstds.to(wide).pow(-2) - epsilon, off = means.to(wide) - mean;
  const at::Tensor variance = ((variances + off * off) * weights).sum(0) / total;
  if (running_mean && running_mean->defined())
    at::Tensor(*running_mean).mul_(1 - momentum).add_(mean * momentum);
  if (running_variance && running_variance->defined())
    at::Tensor(*running_variance).mul_(1 - momentum).add_(variance * (total / (total - 1)) * momentum);
  return {mean, (variance + epsilon).rsqrt()};
}

static std::tuple<at::Tensor, at::Tensor>
norm_gather(const at::Tensor &input, const at::Tensor &means, const at::Tensor &invstds,
            const std::optional<at::Tensor> &running_mean, const std::optional<at::Tensor> &running_variance,
            double momentum, double epsilon, int64_t count) {
  return norm_gather_counts(input, means, invstds, running_mean, running_variance, momentum, epsilon,
                            at::full({means.size(0)}, count, means.options()));
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor>
norm_backward_sums(const at::Tensor &grad, const at::Tensor &input, const at::Tensor &mean, const at::Tensor &invstd,
                   const std::optional<at::Tensor> &weight, bool, bool wants_weight, bool wants_bias) {
  const at::ScalarType wide = wide_type(input);
  const auto over = all_but_channels(input);
  const at::Tensor upper = grad.to(wide), sum = upper.sum(over);
  const at::Tensor product = (upper * (input.to(wide) - by_channel(mean, input, wide))).sum(over);
  const at::ScalarType narrow = weight && weight->defined() ? weight->scalar_type() : wide;
  return {sum, product, wants_weight ? (product * invstd.to(wide)).to(narrow) : at::Tensor(),
          wants_bias ? sum.to(narrow) : at::Tensor()};
}

static at::Tensor norm_backward_elements(const at::Tensor &grad, const at::Tensor &input, const at::Tensor &mean,
                                         const at::Tensor &invstd, const std::optional<at::Tensor> &weight,
                                         const at::Tensor &sum, const at::Tensor &product, const at::Tensor &counts) {
  const at::ScalarType wide = wide_type(input);
  const at::Tensor total = counts.to(wide).sum(), scale = invstd.to(wide);
  at::Tensor made = grad.to(wide) - by_channel(sum.to(wide) / total, input, wide) -
                    (input.to(wide) - by_channel(mean, input, wide)) *
                        by_channel(scale * scale * product.to(wide) / total, input, wide);
  made = made * by_channel(scale, input, wide);
  if (weight && weight->defined())
    made = made * by_channel(*weight, input, wide);
  return made.to(input.scalar_type());
}

void register_norms(Own &own) {
  own.put("_fused_rms_norm_backward", rms_norm_backward);
  own.put("cudnn_batch_norm", batch_norm);
  own.put("cudnn_batch_norm_backward", batch_norm_backward);
  own.put("batch_norm_stats", norm_stats);
  own.put("batch_norm_elemt", norm_elements);
  own.put("batch_norm_gather_stats", norm_gather);
  own.put("batch_norm_gather_stats_with_counts", norm_gather_counts);
  own.put("batch_norm_backward_reduce", norm_backward_sums);
  own.put("batch_norm_backward_elemt", norm_backward_elements);
}

} // namespace unwarp
