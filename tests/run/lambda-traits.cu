// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc says of extended lambdas: for the device, for both sides, with a return type that the host knows; the same on both
// sides, in templates and in classes. What it says otherwise of lambdas that unwarp cannot tell apart is in the comments.
// flags: --extended-lambda
#include "check.h"

#define FOR_DEVICE(...) __nv_is_extended_device_lambda_closure_type(__VA_ARGS__)
#define FOR_BOTH(...) __nv_is_extended_host_device_lambda_closure_type(__VA_ARGS__)
#define PRESERVED(...) __nv_is_extended_device_lambda_with_preserved_return_type(__VA_ARGS__)

struct functor {
  __device__ int operator()(int i) const { return i; }
};
template <typename T> struct wrapper {
  T held;
};
enum kind { ONE, TWO };

template <typename F> struct traits {
  static const int value = FOR_DEVICE(F) + 2 * FOR_BOTH(F);
};

// As CCCL asks before the host wants to know what a call gives.
template <typename F> struct result_of {
  static_assert(!FOR_DEVICE(F) || FOR_BOTH(F) || PRESERVED(F), "the host does not know the return type");
  using type = decltype(std::declval<F>()(0));
};

template <typename F> __global__ void apply(F f, int *out, int *said, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  static_assert(FOR_DEVICE(F) == (traits<F>::value == 1), "the device asks too");
  if (i == 0)
    *said = traits<F>::value + 4 * FOR_DEVICE(const F) + 8 * FOR_BOTH(const F);
  if (i < n)
    out[i] = f(i);
}

template <typename F> void check(F f, int expected, int block) {
  using type = typename result_of<F>::type;
  static_assert(std::is_same<type, int>::value, "");
  buffer<int> out(300), said(1);
  apply<<<(300 + block - 1) / block, block>>>(f, out.device, said.device, 300);
  out.download(), said.download();
  for (int i = 0; i < 300; i++)
    expect(i, out[i], 3 * i + 7);
  expect(0, traits<F>::value, expected);
  expect(0, said[0], expected * 5);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), k = 3;
  int m = 7;
  auto device = [=] __device__(int i) -> int { return i * k + m; };
  auto deduced = [=] __device__(int i) { return i * k + m; }; // nvcc: its return type is not preserved
  auto changing = [=] __device__(int i) mutable -> int { return i * k + m++; };
  auto both = [=] __host__ __device__(int i) { return i * k + m; };
  auto generic = [=] __device__(auto i) -> int { return i * k + m; };
  auto two = [=] __device__(auto *p, const auto &i) { return p->none + i; };
  auto host = [=] __host__(int i) { return i * k + m; };
  auto plain = [=](int i) { return i * k + m; }; // nvcc: not for both
  auto plain_generic = [=](auto i) { return i * k + m; };
  auto plain_two = [=](const auto &p, auto *q) { return p->none + q->none; };
  auto plain_packs = [=](auto... i) { return sizeof...(i) + (... + i.none); };

  static_assert(FOR_DEVICE(decltype(device)) && !FOR_BOTH(decltype(device)) && PRESERVED(decltype(device)), "");
  static_assert(FOR_DEVICE(decltype(deduced)) && !FOR_BOTH(decltype(deduced)), "");
  static_assert(FOR_DEVICE(const decltype(device)) && PRESERVED(const decltype(device)), "");
  static_assert(FOR_DEVICE(decltype(changing)) && !FOR_BOTH(decltype(changing)), "");
  static_assert(!FOR_DEVICE(decltype(both)) && FOR_BOTH(decltype(both)) && !PRESERVED(decltype(both)), "");
  static_assert(FOR_DEVICE(decltype(generic)) && !FOR_BOTH(decltype(generic)), "");
  static_assert(FOR_DEVICE(decltype(two)) && !FOR_BOTH(decltype(two)), "");
  static_assert(!FOR_DEVICE(decltype(host)) && !FOR_BOTH(decltype(host)) && !PRESERVED(decltype(host)), "");
  static_assert(!FOR_DEVICE(decltype(plain)) && !PRESERVED(decltype(plain)), "");
  static_assert(!FOR_DEVICE(decltype(plain_generic)) && !FOR_BOTH(decltype(plain_generic)), "");
  static_assert(!FOR_DEVICE(decltype(plain_two)) && !FOR_BOTH(decltype(plain_two)), "");
  static_assert(!FOR_DEVICE(decltype(plain_packs)) && !FOR_BOTH(decltype(plain_packs)), "");
  static_assert(!FOR_DEVICE(functor) && !FOR_BOTH(functor) && !PRESERVED(functor), "");
  static_assert(!FOR_DEVICE(wrapper<decltype(device)>) && !FOR_BOTH(wrapper<decltype(both)>), "");
  static_assert(!FOR_DEVICE(decltype(device) &) && !FOR_BOTH(decltype(both) &), ""); // a reference is no closure
  static_assert(!FOR_DEVICE(int) && !FOR_BOTH(void) && !FOR_DEVICE(kind) && !PRESERVED(int(int)) && !FOR_DEVICE(int[2]),
                "");

  check(device, 1, block);
  check(generic, 1, block);
  check(both, 2, block);
  return passed();
}
