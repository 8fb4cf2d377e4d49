// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that PyTorch has for CUDA alone, as its CPU takes other ways there, and what must not be left to a CPU
// kernel as it is: in the CPU's own words, on the same memory.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <ATen/native/TensorFactories.h>

#include "capture.h"
#include "operators.h"
#include "random.h"
#include "scope.h"

namespace unwarp {

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
  if (is_capturing()) { // of what can be recorded
    const at::Tensor mask = at::empty_like(self, self.options().dtype(at::kBool)).bernoulli_(1 - p);
    return {self * mask * (1 / (1 - p)), mask};
  }
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

static at::Tensor &mm_to(const at::Tensor &a, const at::Tensor &b, at::ScalarType type, at::Tensor &out) {
  return at::mm_out(out, a.to(type), b.to(type));
}
static at::Tensor &bmm_to(const at::Tensor &a, const at::Tensor &b, at::ScalarType type, at::Tensor &out) {
  return at::bmm_out(out, a.to(type), b.to(type));
}
static at::Tensor &addmm_to(const at::Tensor &c, const at::Tensor &a, const at::Tensor &b, at::ScalarType type,
                            const at::Scalar &beta, const at::Scalar &alpha, at::Tensor &out) {
  return at::addmm_out(out, c.to(type), a.to(type), b.to(type), beta, alpha);
}
static at::Tensor &baddbmm_to(const at::Tensor &c, const at::Tensor &a, const at::Tensor &b, at::ScalarType type,
                              const at::Scalar &beta, const at::Scalar &alpha, at::Tensor &out) {
  return at::baddbmm_out(out, c.to(type), a.to(type), b.to(type), beta, alpha);
}

// --- samples of a grid: what PyTorch gives to cuDNN ---------------------------------------------------------------------

static at::Tensor grid_sampler(const at::Tensor &self, const at::Tensor &grid) {
  return at::grid_sampler_2d(self, grid, 0, 0, true);
}
static std::tuple<at::Tensor, at::Tensor> grid_sampler_backward(const at::Tensor &self, const at::Tensor &grid,
                                                                const at::Tensor &grad) {
  return at::grid_sampler_2d_backward(grad, self, grid, 0, 0, true, {true, true});
}

void register_own(Own &own) {
  register_random(own);
  register_attention(own);
  register_norms(own);
  own.put("native_dropout", native_dropout);
  own.put("_fused_dropout", fused_dropout);
  own.put("_masked_scale", masked_scale);
  own.put("_thnn_fused_lstm_cell", lstm_cell);
  own.put("_thnn_fused_lstm_cell_backward_impl", lstm_cell_backward);
  own.put("_thnn_fused_gru_cell", gru_cell);
  own.put("_thnn_fused_gru_cell_backward", gru_cell_backward);
  own.put("mm.dtype", mm_as);
  own.put("bmm.dtype", bmm_as);
  own.put("addmm.dtype", addmm_as);
  own.put("baddbmm.dtype", baddbmm_as);
  own.put("mm.dtype_out", mm_to);
  own.put("bmm.dtype_out", bmm_to);
  own.put("addmm.dtype_out", addmm_to);
  own.put("baddbmm.dtype_out", baddbmm_to);
  own.put("cudnn_grid_sampler", grid_sampler);
  own.put("cudnn_grid_sampler_backward", grid_sampler_backward);
}

} // namespace unwarp
