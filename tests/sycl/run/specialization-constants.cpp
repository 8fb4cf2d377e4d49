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
  return report();
}
