// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that PyTorch has for CUDA alone, as its CPU takes other ways there, and what must not be left to a CPU
// kernel as it is: in the CPU's own words, on the same memory.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/native/TensorFactories.h>

#include "operators.h"
#include "random.h"
#include "scope.h"

namespace unwarp {

void register_attention(torch::Library &aten);

// --- dropout: fused_dropout_kernel_vec of ATen/native/cuda/Dropout.cu -------------------------------------------------

// How many neighbours a thread takes: as many as divide the count and the alignment allows, four at most.
static uint64_t neighbours(const at::Tensor &self, const at::Tensor &made) {
  if (!self.is_non_overlapping_and_dense())
    return 1;
  uint64_t most = 4;
  const auto fits = [&](const at::Tensor &tensor, uint64_t by) {
    return reinterpret_cast<uintptr_t>(tensor.const_data_ptr()) % (by * tensor.element_size()) == 0;
  };
  while (most > 1 && !((uint64_t)self.numel() % most == 0 && fits(self, most) && fits(made, most)))
    most /= 2;
  return most;
}

// Where what stays: in the memory's order of a dense tensor.
static void draw_mask(bool *mask, uint64_t count, uint64_t each, float keep, const Start &start) {
  const uint64_t threads = grid_threads(count, 256);
  at::parallel_for(0, (int64_t)threads, 2048, [&](int64_t begin, int64_t end) {
    for (uint64_t thread = (uint64_t)begin; thread < (uint64_t)end; thread++) {
      uint64_t drawn = 0; // fours
      if (each == 1) { // a four to a round of the grid, each of which is one element in turn
        for (uint64_t first = thread; first < count; first += threads * 4) {
          const Words w = philox(start.seed, start.offset / 4 + drawn++, thread);
          for (uint64_t i = 0; i < 4 && first + threads * i < count; i++)
            mask[first + threads * i] = curand_uniform(w.at[i]) < keep;
        }
        continue;
      }
      Words w = {};
      bool second_half = false;
      for (uint64_t first = thread * each; first < count; first += threads * each) {
        uint64_t from = 0;
        if (each == 4 || !second_half)
          w = philox(start.seed, start.offset / 4 + drawn++, thread);
        else
          from = 2;
        second_half = !second_half;
        for (uint64_t i = 0; i < each; i++)
          mask[first + i] = curand_uniform(w.at[from + i]) < keep;
      }
    }
  });
}

static std::tuple<at::Tensor, at::Tensor> dropped(const at::Tensor &self, double p, at::CUDAGeneratorImpl *generator) {
  const uint64_t count = (uint64_t)self.numel(), threads = grid_threads(count, 256);
  const Start start = take_numbers(generator, ((count - 1) / (threads * 4) + 1) * 4);
  Scope scope("native_dropout", self);
  const at::Tensor in = scope.in(self);
  at::Tensor mask = at::empty_like(in, in.options().dtype(at::kBool)), made = at::empty_like(in);
  at::Tensor drawn = mask;
  if (!mask.is_non_overlapping_and_dense())
    drawn = at::empty(in.sizes(), mask.options());
  draw_mask(drawn.mutable_data_ptr<bool>(), count, neighbours(in, made), (float)(1 - p), start);
  if (!drawn.is_same(mask))
    mask.copy_(drawn);
  const double factor = 1 / (1 - p);
  at::mul_out(made, in, mask);
  made.mul_(factor);
  return {scope.out(made), scope.out(mask)};
}

static at::CUDAGeneratorImpl *generator_of(const at::Tensor &self, const std::optional<at::Generator> &given) {
  return at::get_generator_or_default<at::CUDAGeneratorImpl>(
      given, at::cuda::detail::getDefaultCUDAGenerator(self.device().index()));
}

static std::tuple<at::Tensor, at::Tensor> native_dropout(const at::Tensor &self, double p, std::optional<bool> train) {
  if (self.numel() == 0 || (train && !*train))
    return {self.clone(), at::ones_like(self, self.options().dtype(at::kBool))};
  if (p == 1)
    return {at::zeros_like(self), at::zeros_like(self, self.options().dtype(at::kBool))};
  return dropped(self, p, generator_of(self, std::nullopt));
}

static std::tuple<at::Tensor, at::Tensor> fused_dropout(const at::Tensor &self, double keep,
                                                        std::optional<at::Generator> given) {
  auto [made, mask] = dropped(self, 1 - keep, generator_of(self, given));
  return {made, mask.to(at::kByte)};
}

static at::Tensor masked_scale(const at::Tensor &self, const at::Tensor &mask, double scale) {
  return self * mask.to(self.scalar_type()) * scale;
}

// --- cells of LSTM and GRU --------------------------------------------------------------------------------------------

static at::Tensor plus(at::Tensor to, const std::optional<at::Tensor> &bias) {
  return bias && bias->defined() ? to + *bias : to;
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor>
lstm_cell(const at::Tensor &input, const at::Tensor &hidden, const at::Tensor &cell,
          const std::optional<at::Tensor> &input_bias, const std::optional<at::Tensor> &hidden_bias) {
  const auto parts = plus(plus(input + hidden, input_bias), hidden_bias).chunk(4, 1);
  const at::Tensor in = parts[0].sigmoid(), forget = parts[1].sigmoid(), update = parts[2].tanh(),
                   out = parts[3].sigmoid(), next = forget * cell + in * update;
  return {out * next.tanh(), next, at::cat({in, forget, update, out}, 1)};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor>
lstm_cell_backward(const std::optional<at::Tensor> &hidden, const std::optional<at::Tensor> &cell_grad,
                   const at::Tensor &cell, const at::Tensor &next, const at::Tensor &gates, bool has_bias) {
  const bool has_hidden = hidden && hidden->defined(), has_cell = cell_grad && cell_grad->defined();
  if (!has_hidden && !has_cell)
    return {};
  const auto parts = gates.chunk(4, 1);
  const at::Tensor &in = parts[0], &forget = parts[1], &update = parts[2], &out = parts[3];
  const at::Tensor tanh = next.tanh(), upper = has_hidden ? *hidden : at::zeros_like(next);
  at::Tensor of_next = upper * out * (1 - tanh * tanh);
  if (has_cell)
    of_next = of_next + *cell_grad;
  const at::Tensor made = at::cat({of_next * update * in * (1 - in), of_next * cell * forget * (1 - forget),
                                   of_next * in * (1 - update * update), upper * tanh * out * (1 - out)}, 1);
  return {made, of_next * forget, has_bias ? made.sum(0) : at::Tensor()};
}

static std::tuple<at::Tensor, at::Tensor> gru_cell(const at::Tensor &input, const at::Tensor &hidden,
                                                   const at::Tensor &state, const std::optional<at::Tensor> &input_bias,
                                                   const std::optional<at::Tensor> &hidden_bias) {
  const auto in = plus(input, input_bias).chunk(3, 1), from = plus(hidden, hidden_bias).chunk(3, 1);
  const at::Tensor reset = (in[0] + from[0]).sigmoid(), keep = (in[1] + from[1]).sigmoid(),
                   fresh = (in[2] + reset * from[2]).tanh();
  return {fresh + keep * (state - fresh), at::cat({reset, keep, fresh, state, from[2]}, 1)};
}

static std::tuple<at::Tensor, at::Tensor, at::Tensor, at::Tensor, at::Tensor>
gru_cell_backward(const at::Tensor &grad, const at::Tensor &saved, bool has_bias) {
  const auto parts = saved.chunk(5, 1);
  const at::Tensor &reset = parts[0], &keep = parts[1], &fresh = parts[2], &state = parts[3], &from = parts[4];
  const at::Tensor of_fresh = grad * (1 - keep) * (1 - fresh * fresh), of_keep = grad * (state - fresh) * keep * (1 - keep),
                   of_reset = of_fresh * from * reset * (1 - reset);
  const at::Tensor input = at::cat({of_reset, of_keep, of_fresh}, 1),
                   hidden = at::cat({of_reset, of_keep, of_fresh * reset}, 1);
  return {input, hidden, grad * keep, has_bias ? input.sum(0) : at::Tensor(), has_bias ? hidden.sum(0) : at::Tensor()};
}

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

// --- products with a wider result -------------------------------------------------------------------------------------

static at::Tensor mm_as(const at::Tensor &a, const at::Tensor &b, at::ScalarType type) {
  return at::mm(a.to(type), b.to(type));
}
static at::Tensor bmm_as(const at::Tensor &a, const at::Tensor &b, at::ScalarType type) {
  return at::bmm(a.to(type), b.to(type));
}
static at::Tensor addmm_as(const at::Tensor &c, const at::Tensor &a, const at::Tensor &b, at::ScalarType type,
                           const at::Scalar &beta, const at::Scalar &alpha) {
  return at::addmm(c.to(type), a.to(type), b.to(type), beta, alpha);
}
static at::Tensor baddbmm_as(const at::Tensor &c, const at::Tensor &a, const at::Tensor &b, at::ScalarType type,
                             const at::Scalar &beta, const at::Scalar &alpha) {
  return at::baddbmm(c.to(type), a.to(type), b.to(type), beta, alpha);
}

// Those that do not exist in a PyTorch are left out.
template <typename Function> static void put(torch::Library &aten, const char *name, const char *overload, Function *function) {
  if (c10::Dispatcher::singleton().findSchema({std::string("aten::") + name, overload}))
    aten.impl(*overload ? (std::string(name) + "." + overload).c_str() : name, function);
}

void register_own(torch::Library &aten) {
  register_random(aten);
  register_attention(aten);
  put(aten, "native_dropout", "", native_dropout);
  put(aten, "_fused_dropout", "", fused_dropout);
  put(aten, "_masked_scale", "", masked_scale);
  put(aten, "_thnn_fused_lstm_cell", "", lstm_cell);
  put(aten, "_thnn_fused_lstm_cell_backward_impl", "", lstm_cell_backward);
  put(aten, "_thnn_fused_gru_cell", "", gru_cell);
  put(aten, "_thnn_fused_gru_cell_backward", "", gru_cell_backward);
  put(aten, "_fused_rms_norm_backward", "", rms_norm_backward);
  put(aten, "cudnn_batch_norm", "", batch_norm);
  put(aten, "cudnn_batch_norm_backward", "", batch_norm_backward);
  put(aten, "mm", "dtype", mm_as);
  put(aten, "bmm", "dtype", bmm_as);
  put(aten, "addmm", "dtype", addmm_as);
  put(aten, "baddbmm", "dtype", baddbmm_as);
}

bool is_own(const std::string &name) {
  static const char *const names[] = {
      "normal.Tensor_float", "normal.float_Tensor", "normal.Tensor_Tensor", "normal.Tensor_float_out",
      "normal.float_Tensor_out", "normal.Tensor_Tensor_out", "uniform_", "normal_", "log_normal_", "exponential_", "cauchy_", "geometric_", "bernoulli_.float",
      "bernoulli_.Tensor", "random_", "random_.from", "random_.to", "_scaled_dot_product_efficient_attention",
      "_scaled_dot_product_efficient_attention_backward", "_scaled_dot_product_flash_attention",
      "_scaled_dot_product_flash_attention_backward", "_scaled_dot_product_cudnn_attention",
      "_scaled_dot_product_cudnn_attention_backward", "native_dropout", "_fused_dropout", "_masked_scale",
      "_thnn_fused_lstm_cell", "_thnn_fused_lstm_cell_backward_impl", "_thnn_fused_gru_cell",
      "_thnn_fused_gru_cell_backward", "_fused_rms_norm_backward", "cudnn_batch_norm", "cudnn_batch_norm_backward", "mm.dtype", "bmm.dtype", "addmm.dtype", "baddbmm.dtype"};
  for (const char *each : names)
    if (name == each)
      return true;
  return false;
}

} // namespace unwarp
