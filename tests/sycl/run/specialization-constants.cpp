// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialization constants: their defaults, values for one command, structures, and through kernel bundles.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct shape {
  int rows, columns;
  constexpr shape(int rows, int columns) : rows(rows), columns(columns) {}
};
constexpr specialization_id<int> factor(3);
constexpr specialization_id<float> half_of(0.5f);
constexpr specialization_id<shape> size_of(2, 5);
class by_bundle;

// More of them than a launch knows, one that is too large for that, and ones that only some launches set.
struct table {
  double at[5];
};
constexpr specialization_id<int> a(1), b(2), c(3), d(4), e(5), f(6);
constexpr specialization_id<table> large(table{{1, 2, 3, 4, 5}});
__attribute__((noinline)) void set_elsewhere(handler &h, int value) {
  h.set_specialization_constant<b>(value);
  h.set_specialization_constant<b>(value + 1);
}
template <bool Six> double sum_of(queue &q, double *x, int change) {
  q.submit([&](handler &h) {
     if (change & 1)
       h.set_specialization_constant<a>(10);
     if (change & 2)
       set_elsewhere(h, 20);
     if (Six) {
       h.set_specialization_constant<c>(30);
       h.set_specialization_constant<d>(40);
       h.set_specialization_constant<e>(50);
       h.set_specialization_constant<f>(60);
       h.set_specialization_constant<f>(61);
     }
     if (change & 4)
       h.set_specialization_constant<large>(table{{0, 0, 100, 0, 1000}});
     h.parallel_for(range<1>(300), [=](id<1> i, kernel_handler k) {
       const table t = k.get_specialization_constant<large>();
       x[i] = k.get_specialization_constant<a>() + k.get_specialization_constant<b>() +
              k.get_specialization_constant<c>() + k.get_specialization_constant<d>() +
              k.get_specialization_constant<e>() + k.get_specialization_constant<f>() + t.at[2] + t.at[4];
     });
   }).wait();
  return x[299];
}
void check_many(queue &q) {
  double *x = malloc_shared<double>(300, q);
  for (int change = 0; change < 8; change++) {
    const double own = (change & 1 ? 10 : 1) + (change & 2 ? 21 : 2) + (change & 4 ? 1100 : 8);
    CHECK(sum_of<false>(q, x, change) == own + 3 + 4 + 5 + 6);
    CHECK(sum_of<true>(q, x, change) == own + 30 + 40 + 50 + 61);
  }
  free(x, q);
}
// The first launch may be put off until the second, when its constant has its own value again.
void check_after_each_other(queue &q) {
  float *x = malloc_shared<float>(1000, q);
  for (int set = 1; set < 3; set++)
    q.submit([&](handler &h) {
      h.set_specialization_constant<a>(set * 7);
      h.parallel_for(range<1>(1000), [=](id<1> i, kernel_handler k) {
        x[i] = (k.get_specialization_constant<a>() == 7 ? 0 : x[i]) + k.get_specialization_constant<a>();
      });
    });
  q.submit([&](handler &h) {
    h.set_specialization_constant<b>(5);
    h.parallel_for(range<1>(1000), [=](id<1> i, kernel_handler k) { x[i] *= k.get_specialization_constant<b>(); });
  });
  q.submit([&](handler &h) {
    h.set_specialization_constant<b>(3);
    h.parallel_for(range<1>(1000), [=](id<1> i, kernel_handler k) { x[i] += k.get_specialization_constant<b>(); });
  });
  q.wait();
  CHECK(x[0] == 108 && x[999] == 108);
  free(x, q);
}

int main() {
  queue q;
  float *x = malloc_shared<float>(4, q);
  auto run = [&](int slot, bool set) {
    q.submit([&](handler &h) {
       if (set) {
         h.set_specialization_constant<factor>(10);
         CHECK(h.get_specialization_constant<factor>() == 10);
       }
       h.single_task([=](kernel_handler k) {
         const shape s = k.get_specialization_constant<size_of>();
         x[slot] =
             k.get_specialization_constant<factor>() * k.get_specialization_constant<half_of>() + s.rows * s.columns;
       });
     }).wait();
  };
  run(0, false);
  run(1, true);
  run(2, false);
  auto input = get_kernel_bundle<bundle_state::input>(q.get_context(), {q.get_device()}, {get_kernel_id<by_bundle>()});
  input.set_specialization_constant<factor>(100);
  CHECK(input.get_specialization_constant<factor>() == 100 && input.get_specialization_constant<half_of>() == 0.5f);
  auto built = build(input);
  q.submit([&](handler &h) {
     h.use_kernel_bundle(built);
     auto refused = [](auto use) {
       try {
         use();
       } catch (const exception &e) {
         return e.code() == errc::invalid;
       }
       return false;
     };
     CHECK(refused([&] { h.set_specialization_constant<factor>(7); }) &&
           refused([&] { (void)h.get_specialization_constant<factor>(); }));
     h.single_task<by_bundle>([=](kernel_handler k) { x[3] = k.get_specialization_constant<factor>(); });
   }).wait();
  CHECK(x[0] == 11.5f && x[1] == 15.0f && x[2] == 11.5f && x[3] == 100.0f);
  free(x, q);
  check_many(q);
  check_after_each_other(q);
  return report();
}
