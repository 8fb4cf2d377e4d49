// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers as a GPU has them: the seed and the offset of PyTorch's CUDA generator, and of Philox 4x32-10 what
// cuRAND's device functions take of it for each thread of the grid that PyTorch's kernels would have been launched with
// (ATen/native/cuda/DistributionTemplates.h says which; so for many elements the numbers depend on how many
// multiprocessors a device has, as they do among GPUs).
//
// An iteration k of thread t of G takes four words at the counter (offset / 4 + k, t). These give U values, for
// elements t + G * (U * k + i), i < U. Normal numbers are as exact as the C library's logarithm and sine are.
#include <ATen/ATen.h>
#include <ATen/AccumulateType.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Dispatch_v2.h>
#include <ATen/OpMathType.h>
#include <ATen/Parallel.h>
#include <ATen/core/TransformationHelper.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>
#include <ATen/native/DistributionTemplates.h>
#include <ATen/native/TensorIterator.h>
#include <c10/cuda/CUDAFunctions.h>

#include <cmath>

#include "capture.h"
#include "operators.h"
#include "random.h"
#include "scope.h"

namespace unwarp {

using Rng = at::CUDAGeneratorImpl *;

Words philox(uint64_t seed, uint64_t counter, uint64_t sequence) {
  uint32_t a = (uint32_t)counter, b = (uint32_t)(counter >> 32), c = (uint32_t)sequence,
           d = (uint32_t)(sequence >> 32), key_a = (uint32_t)seed, key_b = (uint32_t)(seed >> 32);
  for (int round = 0; round < 10; round++) {
    const uint64_t one = (uint64_t)0xD2511F53u * a, two = (uint64_t)0xCD9E8D57u * c;
    a = (uint32_t)(two >> 32) ^ b ^ key_a;
    b = (uint32_t)two;
    c = (uint32_t)(one >> 32) ^ d ^ key_b;
    d = (uint32_t)one;
    key_a += 0x9E3779B9u;
    key_b += 0xBB67AE85u;
  }
  return {{a, b, c, d}};
}

// --- what cuRAND makes of four words ----------------------------------------------------------------------------------

float curand_uniform(uint32_t word) { return word * 2.3283064e-10f + 2.3283064e-10f / 2; }

static double uniform_double(uint32_t low, uint32_t high) {
  const uint64_t bits = (uint64_t)low ^ (uint64_t)high << 21;
  return bits * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2;
}

template <typename T> struct Values {
  T at[4];
};

static Values<float> uniforms(const Words &w, float) {
  return {{curand_uniform(w.at[0]), curand_uniform(w.at[1]), curand_uniform(w.at[2]), curand_uniform(w.at[3])}};
}
static Values<double> uniforms(const Words &w, double) {
  return {{uniform_double(w.at[0], w.at[1]), uniform_double(w.at[2], w.at[3])}};
}

static void box_muller(uint32_t x, uint32_t y, float *to) {
  const float u = curand_uniform(x);
  const float v = y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2;
  const float s = std::sqrt(-2.0f * std::log(u));
  to[0] = std::sin(v) * s;
  to[1] = std::cos(v) * s;
}
static Values<float> normals(const Words &w, float) {
  Values<float> made;
  box_muller(w.at[0], w.at[1], made.at);
  box_muller(w.at[2], w.at[3], made.at + 2);
  return made;
}
static Values<double> normals(const Words &w, double) {
  const double u = uniform_double(w.at[0], w.at[1]);
  const uint64_t bits = (uint64_t)w.at[2] ^ (uint64_t)w.at[3] << 21;
  const double v = bits * (1.1102230246251565e-16 * 2) + 1.1102230246251565e-16, s = std::sqrt(-2.0 * std::log(u));
  return {{std::sin(v * M_PI) * s, std::cos(v * M_PI) * s}};
}

static Values<uint32_t> words(const Words &w, uint32_t) { return {{w.at[0], w.at[1], w.at[2], w.at[3]}}; }
static Values<uint64_t> words(const Words &w, uint64_t) {
  return {{(uint64_t)w.at[0] << 32 | w.at[1], (uint64_t)w.at[2] << 32 | w.at[3]}};
}

// --- which elements get which -----------------------------------------------------------------------------------------

uint64_t grid_threads(uint64_t count, uint64_t block) {
  const int device = c10::cuda::current_device();
  int processors = 0, threads = 0; // by attributes: the properties are laid out by the CUDA that PyTorch was built for
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  C10_CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  const uint64_t most = (uint64_t)processors * ((uint64_t)threads / block);
  return std::min(most, (count + block - 1) / block) * block;
}

Start take_numbers(Rng generator, uint64_t increment) {
  std::lock_guard<std::mutex> lock(generator->mutex_);
  const auto state = generator->philox_engine_inputs(increment);
  return {state.first, state.second};
}

// In a graph that is captured both are known when it is replayed: PyTorch writes them where the state says.
static Start start_of(const at::PhiloxCudaState &state) {
  if (!state.captured_)
    return {state.seed_.val, state.offset_.val};
  return {(uint64_t)*state.seed_.ptr, (uint64_t)*state.offset_.ptr + state.offset_intragraph_};
}

namespace {
// The memory of an iterator's result, in the iterator's order.
struct Target {
  explicit Target(at::TensorIteratorBase &iter)
      : data(static_cast<char *>(iter.data_ptr(0))), shape(iter.shape()), strides(iter.strides(0)),
        is_plain(iter.ndim() == 0 || (iter.ndim() == 1 && strides[0] == (int64_t)iter.element_size(0))),
        keeps(iter.tensor_base(0)) {}
  char *address(uint64_t index) const {
    char *at = data;
    for (size_t i = 0; i < shape.size(); i++) {
      const uint64_t size = (uint64_t)shape[i];
      at += (int64_t)(index % size) * strides[i];
      index /= size;
    }
    return at;
  }
  char *data;
  c10::SmallVector<int64_t, 6> shape, strides;
  bool is_plain;
  at::TensorBase keeps;
};
} // namespace

template <typename scalar_t, typename value_t, typename values_of, typename transform>
static void fill(at::TensorIteratorBase &iter, Rng generator, const values_of &make, const transform &as_wanted) {
  constexpr uint64_t unroll = 16 / sizeof(value_t) > 4 ? 4 : 16 / sizeof(value_t);
  const uint64_t count = (uint64_t)iter.numel();
  if (count == 0)
    return;
  const uint64_t threads = grid_threads(count, 256), rounds = (count - 1) / (threads * unroll) + 1;
  at::PhiloxCudaState state;
  {
    std::lock_guard<std::mutex> lock(generator->mutex_);
    state = generator->philox_cuda_state(rounds * 4);
  }
  if (!iter.can_use_32bit_indexing()) {
    for (auto &part : iter.with_32bit_indexing())
      fill<scalar_t, value_t>(part, generator, make, as_wanted);
    return;
  }
  const auto work = [=, target = Target(iter)] {
    const Start start = start_of(state);
    at::parallel_for(0, (int64_t)threads, 2048, [&](int64_t begin, int64_t end) {
      scalar_t *data = reinterpret_cast<scalar_t *>(target.data);
      for (uint64_t round = 0; round < rounds; round++)
        for (uint64_t thread = (uint64_t)begin; thread < (uint64_t)end; thread++) {
          const uint64_t first = thread + threads * unroll * round;
          if (first >= count)
            break;
          const Values<value_t> values = make(philox(start.seed, start.offset / 4 + round, thread));
          for (uint64_t i = 0; i < unroll && first + threads * i < count; i++) {
            const uint64_t at = first + threads * i;
            (target.is_plain ? data[at] : *reinterpret_cast<scalar_t *>(target.address(at))) = as_wanted(values.at[i]);
          }
        }
    });
  };
  if (is_capturing())
    record("random numbers", work);
  else
    work();
}

template <typename scalar_t, typename value_t, typename transform>
static void fill_uniform(at::TensorIteratorBase &iter, Rng generator, const transform &as_wanted) {
  using drawn = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
  fill<scalar_t, drawn>(iter, generator, [](const Words &w) { return uniforms(w, drawn()); }, as_wanted);
}
template <typename scalar_t, typename transform>
static void fill_normal(at::TensorIteratorBase &iter, Rng generator, const transform &as_wanted) {
  using drawn = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
  fill<scalar_t, drawn>(iter, generator, [](const Words &w) { return normals(w, drawn()); }, as_wanted);
}
template <typename scalar_t, typename word_t, typename transform>
static void fill_words(at::TensorIteratorBase &iter, Rng generator, const transform &as_wanted) {
  fill<scalar_t, word_t>(iter, generator, [](const Words &w) { return words(w, word_t()); }, as_wanted);
}

// --- the distributions, as DistributionTemplates.h has them for GPUs --------------------------------------------------

static Rng rng(const std::optional<at::Generator> &given) {
  return at::get_generator_or_default<at::CUDAGeneratorImpl>(given, at::cuda::detail::getDefaultCUDAGenerator());
}

#define FLOATS AT_EXPAND(AT_FLOATING_TYPES), at::kHalf, at::kBFloat16
#define NUMBERS AT_EXPAND(AT_ALL_TYPES), at::kHalf, at::kBFloat16

template <typename RNG> struct Uniform {
  void operator()(at::TensorIteratorBase &iter, double from_, double to_, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "uniform", AT_WRAP([&] {
      using wide = at::opmath_type<scalar_t>;
      const auto from = static_cast<scalar_t>(from_), to = static_cast<scalar_t>(to_);
      const auto range = static_cast<wide>(to - from);
      fill_uniform<scalar_t, wide>(iter, rng(given), [=](wide value) {
        const auto made = static_cast<scalar_t>(value * range + from);
        return made == to ? from : made; // cuRAND's interval is open below, PyTorch's above
      });
    }), FLOATS);
  }
};

template <typename RNG> struct Normal {
  void operator()(const at::TensorBase &self, double mean_, double deviation_, std::optional<at::Generator> given) {
    auto iter = at::TensorIterator::borrowing_nullary_op(self);
    AT_DISPATCH_V2(iter.dtype(), "normal", AT_WRAP([&] {
      using wide = at::acc_type<scalar_t, true>;
      const auto mean = static_cast<wide>(mean_), deviation = static_cast<wide>(deviation_);
      fill_normal<scalar_t>(iter, rng(given), [=](wide value) { return static_cast<scalar_t>(value * deviation + mean); });
    }), FLOATS);
  }
};

template <typename RNG> struct LogNormal {
  void operator()(at::TensorIteratorBase &iter, double mean_, double deviation_, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "log_normal", AT_WRAP([&] {
      using wide = at::acc_type<scalar_t, true>;
      const auto mean = static_cast<wide>(mean_), deviation = static_cast<wide>(deviation_);
      fill_normal<scalar_t>(iter, rng(given),
                            [=](wide value) { return static_cast<scalar_t>(std::exp(value * deviation + mean)); });
    }), FLOATS);
  }
};

template <typename RNG> struct Exponential {
  void operator()(at::TensorIteratorBase &iter, double lambda_, std::optional<at::Generator> given) {
    TORCH_CHECK(at::isFloatingType(iter.dtype()), "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you specified ", iter.dtype());
    AT_DISPATCH_V2(iter.dtype(), "exponential", AT_WRAP([&] {
      using wide = at::acc_type<scalar_t, true>;
      const auto lambda = static_cast<wide>(lambda_);
      constexpr wide least = std::numeric_limits<wide>::epsilon() / 2;
      fill_uniform<scalar_t, wide>(iter, rng(given), [=](wide value) {
        const wide log = value >= 1 - least ? -least : std::log(value); // of 1 it would be 0, which is not among them
        return static_cast<scalar_t>(static_cast<wide>(-1) / lambda * log);
      });
    }), FLOATS);
  }
};

template <typename RNG> struct Cauchy {
  void operator()(at::TensorIteratorBase &iter, double median_, double sigma_, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "cauchy", AT_WRAP([&] {
      using wide = at::acc_type<scalar_t, true>;
      const auto median = static_cast<wide>(median_), sigma = static_cast<wide>(sigma_);
      fill_uniform<scalar_t, wide>(iter, rng(given), [=](wide value) {
        return static_cast<scalar_t>(at::transformation::cauchy<wide>(value, median, sigma));
      });
    }), FLOATS);
  }
};

template <typename RNG> struct Geometric {
  void operator()(at::TensorIteratorBase &iter, double p, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "geometric", AT_WRAP([&] {
      using wide = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
      fill_uniform<scalar_t, wide>(iter, rng(given), [=](wide value) {
        return static_cast<scalar_t>(at::transformation::geometric<wide>(value, static_cast<wide>(p)));
      });
    }), NUMBERS);
  }
};

template <typename RNG> struct Bernoulli {
  void operator()(at::TensorIteratorBase &iter, double p, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "bernoulli", AT_WRAP([&] {
      using wide = std::conditional_t<std::is_same_v<scalar_t, double>, double, float>;
      fill_uniform<scalar_t, wide>(iter, rng(given),
                                   [=](wide value) { return static_cast<scalar_t>(value < static_cast<wide>(p)); });
    }), NUMBERS, at::kBool);
  }
  void operator()(const at::TensorBase &self, double p, std::optional<at::Generator> given) {
    auto iter = at::TensorIterator::borrowing_nullary_op(self);
    operator()(iter, p, given);
  }
  // Four neighbours to a thread.
  void operator()(const at::TensorBase &self, const at::TensorBase &p, std::optional<at::Generator> given) {
    TORCH_CHECK(at::isFloatingType(p.scalar_type()), "expected probabilities tensor to have floating type, got ",
                p.scalar_type());
    const Start start = take_numbers(rng(given), 10);
    const bool is_double = self.scalar_type() == at::kDouble;
    const at::Tensor chances =
        at::Tensor(p).to(at::TensorOptions(self.device()).dtype(is_double ? at::kDouble : at::kFloat))
            .expand(self.sizes()).contiguous();
    at::Tensor drawn = at::empty(self.sizes(), chances.options());
    AT_DISPATCH_V2(chances.scalar_type(), "bernoulli", AT_WRAP([&] {
      const scalar_t *from = chances.const_data_ptr<scalar_t>();
      scalar_t *to = drawn.mutable_data_ptr<scalar_t>();
      const int64_t count = drawn.numel();
      for (int64_t i = 0; i < count; i++)
        TORCH_CHECK(from[i] >= 0 && from[i] <= 1, "bernoulli_: a probability that is not between 0 and 1");
      at::parallel_for(0, (count + 3) / 4, 4096, [&](int64_t begin, int64_t end) {
        for (int64_t thread = begin; thread < end; thread++) {
          const Words w = philox(start.seed, start.offset / 4, (uint64_t)thread);
          for (int64_t i = 0; i < 4 && thread * 4 + i < count; i++)
            to[thread * 4 + i] = curand_uniform(w.at[i]) <= from[thread * 4 + i];
        }
      });
    }), at::kFloat, at::kDouble);
    at::Tensor(self).copy_(drawn);
  }
};

template <typename RNG> struct Random {
  void operator()(at::TensorIteratorBase &iter, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "random", AT_WRAP([&] {
      using word_t = std::conditional_t<std::is_same_v<scalar_t, double> || std::is_same_v<scalar_t, int64_t>, uint64_t, uint32_t>;
      fill_words<scalar_t, word_t>(iter, rng(given),
                                   [](word_t word) { return at::transformation::uniform_int<scalar_t>(word); });
    }), NUMBERS, at::kBool);
  }
};

template <typename RNG> struct RandomFromTo {
  void operator()(at::TensorIteratorBase &iter, uint64_t range, int64_t base, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "random_from_to", AT_WRAP([&] {
      if (range >= UINT64_C(1) << 28)
        fill_words<scalar_t, uint64_t>(iter, rng(given), [=](uint64_t word) {
          return at::transformation::uniform_int_from_to<scalar_t>(word, range, base);
        });
      else
        fill_words<scalar_t, uint32_t>(iter, rng(given), [=](uint32_t word) {
          return at::transformation::uniform_int_from_to<scalar_t>(word, range, base);
        });
    }), NUMBERS, at::kBool, AT_EXPAND(AT_BAREBONES_UNSIGNED_TYPES));
  }
  void operator()(at::TensorIteratorBase &iter, std::optional<at::Generator> given) {
    AT_DISPATCH_V2(iter.dtype(), "random_full_range", AT_WRAP([&] {
      fill_words<scalar_t, uint64_t>(iter, rng(given), [](uint64_t word) {
        return at::transformation::uniform_int_full_range<scalar_t>(word);
      });
    }), at::kLong, at::kDouble, at::kFloat, at::kBFloat16);
  }
};

// --- the operators ----------------------------------------------------------------------------------------------------

static void prepare() {
  if (is_capturing())
    return;
  rethrow();
  c10::cuda::getCurrentCUDAStream().synchronize();
}

namespace shared = at::native::templates;
using Given = std::optional<at::Generator>;
using Impl = at::CUDAGeneratorImpl;

static at::Tensor &uniform_(at::Tensor &self, double from, double to, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::uniform_impl_<Uniform, Impl>(self, from, to, given);
}
static at::Tensor &normal_(at::Tensor &self, double mean, double deviation, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::normal_impl_<Normal, Impl>(self, mean, deviation, given);
}
static at::Tensor &log_normal_(at::Tensor &self, double mean, double deviation, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::log_normal_impl_<LogNormal, Impl>(self, mean, deviation, given);
}
static at::Tensor &exponential_(at::Tensor &self, double lambda, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::exponential_impl_<Exponential, Impl>(self, lambda, given);
}
static at::Tensor &cauchy_(at::Tensor &self, double median, double sigma, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::cauchy_impl_<Cauchy, Impl>(self, median, sigma, given);
}
static at::Tensor &geometric_(at::Tensor &self, double p, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::geometric_impl_<Geometric, Impl>(self, p, given);
}
static at::Tensor &bernoulli_float(at::Tensor &self, double p, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::bernoulli_impl_<Bernoulli, Impl>(self, p, given);
}
static at::Tensor &bernoulli_tensor(at::Tensor &self, const at::Tensor &p, Given given) {
  expect_no_capture("bernoulli_.Tensor", "its probabilities are looked at at once");
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::bernoulli_impl_<Bernoulli, Impl>(self, p, given);
}
static at::Tensor &random_(at::Tensor &self, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::random_impl<Random, Impl>(self, given);
}
static at::Tensor &random_from(at::Tensor &self, int64_t from, std::optional<int64_t> to, Given given) {
  const c10::cuda::CUDAGuard guard(self.device());
  prepare();
  return shared::random_from_to_impl<RandomFromTo, Impl>(self, from, to, given);
}
static at::Tensor &random_to(at::Tensor &self, int64_t to, Given given) { return random_from(self, 0, to, given); }

// A number and a tensor, or two tensors: mean and deviation.
template <typename Mean, typename Deviation>
static at::Tensor normal_of(const Mean &mean, const Deviation &deviation, Given given) {
  prepare();
  return shared::normal_impl<Normal, Impl>(mean, deviation, given);
}
template <typename Mean, typename Deviation>
static at::Tensor &normal_to(const Mean &mean, const Deviation &deviation, Given given, at::Tensor &out) {
  const c10::cuda::CUDAGuard guard(out.device());
  prepare();
  return shared::normal_out_impl<Normal, Impl>(out, mean, deviation, given);
}
static at::Tensor normal_tf(const at::Tensor &mean, double deviation, Given given) {
  const c10::cuda::CUDAGuard guard(mean.device());
  return normal_of(mean, deviation, given);
}
static at::Tensor normal_ft(double mean, const at::Tensor &deviation, Given given) {
  const c10::cuda::CUDAGuard guard(deviation.device());
  return normal_of(mean, deviation, given);
}
static at::Tensor normal_tt(const at::Tensor &mean, const at::Tensor &deviation, Given given) {
  const c10::cuda::CUDAGuard guard(mean.is_cuda() ? mean.device() : deviation.device());
  return normal_of(mean, deviation, given);
}
static at::Tensor &normal_tf_to(const at::Tensor &mean, double deviation, Given given, at::Tensor &out) {
  return normal_to(mean, deviation, given, out);
}
static at::Tensor &normal_ft_to(double mean, const at::Tensor &deviation, Given given, at::Tensor &out) {
  return normal_to(mean, deviation, given, out);
}
static at::Tensor &normal_tt_to(const at::Tensor &mean, const at::Tensor &deviation, Given given, at::Tensor &out) {
  return normal_to(mean, deviation, given, out);
}

void register_random(Own &own) {
  own.put("normal.Tensor_float", normal_tf);
  own.put("normal.float_Tensor", normal_ft);
  own.put("normal.Tensor_Tensor", normal_tt);
  own.put("normal.Tensor_float_out", normal_tf_to);
  own.put("normal.float_Tensor_out", normal_ft_to);
  own.put("normal.Tensor_Tensor_out", normal_tt_to);
  own.put("uniform_", uniform_);
  own.put("normal_", normal_);
  own.put("log_normal_", log_normal_);
  own.put("exponential_", exponential_);
  own.put("cauchy_", cauchy_);
  own.put("geometric_", geometric_);
  own.put("bernoulli_.float", bernoulli_float);
  own.put("bernoulli_.Tensor", bernoulli_tensor);
  own.put("random_", random_);
  own.put("random_.from", random_from);
  own.put("random_.to", random_to);
}

// For what draws otherwise (randperm, poisson, …): a generator of the CPU's kind, its seed drawn from the CUDA generator.
at::Generator cpu_generator(const Given &given, c10::DeviceIndex device) {
  if (given && given->device().is_cpu())
    return *given;
  const Start start = take_numbers(
      at::check_generator<Impl>(given ? *given : at::cuda::detail::getDefaultCUDAGenerator(device)), 4);
  const Words w = philox(start.seed, start.offset / 4, 0);
  return at::detail::createCPUGenerator((uint64_t)w.at[0] << 32 | w.at[1]);
}

} // namespace unwarp
