// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialization constants, with defaults and set, and variables of namespace scope that host and kernels share.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct weights {
  float a, b;
  constexpr weights(float a, float b) : a(a), b(b) {}
};
constexpr specialization_id<int> size(7);
constexpr specialization_id<weights> both(1.5f, 2.5f);

namespace experimental = sycl::ext::oneapi::experimental;
experimental::device_global<int> counter;
static experimental::device_global<float[16]> table;
experimental::device_global<int> untouched_by_host;

int main() {
  queue q;
  float *out = malloc_shared<float>(4, q);
  auto run = [&](auto prepare) {
    q.submit([&](handler &h) {
       prepare(h);
       h.single_task([=](kernel_handler k) {
         out[0] = float(k.get_specialization_constant<size>());
         out[1] = k.get_specialization_constant<both>().a * 10 + k.get_specialization_constant<both>().b;
       });
     }).wait();
  };
  run([](handler &) {});
  CHECK(out[0] == 7 && out[1] == 17.5f);
  run([](handler &h) {
    h.set_specialization_constant<size>(42);
    h.set_specialization_constant<both>(weights{3, 4});
    CHECK(h.get_specialization_constant<size>() == 42);
  });
  CHECK(out[0] == 42 && out[1] == 34);
  run([](handler &) {});
  CHECK(out[0] == 7 && out[1] == 17.5f);
  q.submit([&](handler &h) {
     h.set_specialization_constant<size>(5);
     h.parallel_for(range<1>(3),
                    [=](item<1> i, kernel_handler k) { out[i] = float(k.get_specialization_constant<size>() * i); });
   }).wait();
  CHECK(out[2] == 10);

  int start = 100, end = 0;
  float values[16];
  for (int i = 0; i < 16; i++)
    values[i] = i * 0.5f;
  q.memcpy(counter, &start).wait();
  q.memcpy(table, values, sizeof values).wait();
  q.parallel_for(range<1>(16), [=](id<1> i) {
     atomic_ref<int, memory_order::relaxed, memory_scope::device>(counter.get()).fetch_add(int(table[i] * 2));
     if (i == 0)
       untouched_by_host = 3;
   }).wait();
  q.memcpy(&end, counter).wait();
  CHECK(end == 100 + 120);
  q.single_task([=] { out[0] = float(untouched_by_host.get() + int(counter)); }).wait();
  CHECK(out[0] == 223);
  sycl::free(out, q);
  return report();
}
