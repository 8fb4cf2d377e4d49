// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of SYCL 1.2.1 is kept, and what the standard says of types: pointers of accessors, atomics in several dimensions, swizzles by colours in any
// order, functions of lower precision for what converts to a scalar, elements of a reducer.
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct number {
  float value;
  operator float() const { return value; }
};
static_assert(std::is_same_v<decltype(native::divide(number(), number())), float>);
static_assert(std::is_same_v<decltype(half_precision::cos(number())), float>);
static_assert(std::is_same_v<decltype(half_precision::powr(std::declval<float4>().swizzle<1, 0>(), float2())), float2>);
static_assert(std::is_same_v<decltype(half_precision::divide<float3, float3>(float3(), float3())), float3>);

template <class T> int of_pointer(global_ptr<T> p) { return *p; }

int main() {
  queue q;
  std::vector<int> grid(6), cube(8), out(8);
  std::vector<float> real(4);
  int total = 0;
  {
    buffer<int, 2> g(grid.data(), {2, 3});
    buffer<int, 3> c(cube.data(), {2, 2, 2});
    buffer o(out);
    buffer r(real);
    q.submit([&](handler &h) {
      auto x = g.get_access<access_mode::atomic>(h);
      auto y = c.get_access<access_mode::atomic>(h);
      accessor<int, 2, access_mode::atomic, target::local> own(range<2>(2, 3), h);
      h.parallel_for(nd_range<1>(60, 30), [=](nd_item<1> item) {
        const int i = item.get_local_id(0);
        if (i < 6)
          own[i / 3][i % 3].store(0);
        group_barrier(item.get_group());
        own[i / 3 % 2][i % 3].fetch_add(i);
        group_barrier(item.get_group());
        if (i < 6)
          x[i / 3][i % 3].fetch_add(own[i / 3][i % 3].load());
        y[i / 4 % 2][i / 2 % 2][i % 2].fetch_add(1);
      });
    });
    q.submit([&](handler &h) {
      auto to = o.get_access<access_mode::read_write>(h);
      auto from = g.get_access<access_mode::read>(h);
      accessor<int, 2, access_mode::read, target::constant_buffer> constant(g, h);
      auto f = r.get_access<access_mode::write>(h);
      static_assert(std::is_same_v<decltype(to.get_pointer()), global_ptr<int>>);
      static_assert(std::is_same_v<decltype(from.get_pointer()), global_ptr<const int>>);
      static_assert(std::is_same_v<decltype(constant.get_pointer()), constant_ptr<int>>);
      h.single_task([=] {
        int4 v(1, 2, 3, 4);
        v.gbra() = int4(5, 6, 7, 8);
        to[0] = v.x() * 1000 + v.y() * 100 + v.z() * 10 + v.w();
        to[1] = v.rrr().z() * 100 + v.bgb().x() * 10 + v.aggr().y();
        to[2] = of_pointer<const int>(from.get_pointer());
        to[3] = constant.get_pointer()[1];
        f[0] = native::divide(number{6}, number{4});
        f[1] = half_precision::recip(float2(2, 4)).y();
        f[2] = half_precision::powr(float2(2, 3), float2(3, 2)).y();
        f[3] = native::sqrt(2.25f);
      });
    });
    // A host accessor as it was: of the type accessor, and it waits for kernels.
    auto seen = o.get_access<access_mode::read>();
    static_assert(std::is_same_v<decltype(seen), accessor<int, 1, access_mode::read, target::host_buffer>>);
    CHECK(seen[0] == 7568 && !seen.is_placeholder() && seen.get_pointer()[1] == 765);
    accessor<int, 1, access_mode::read_write, target::host_buffer> written(o);
    CHECK(written[0] == 7568);
    written[4] = 17;
  }
  CHECK(out[4] == 17);
  q.parallel_for(
       range<1>(10),
       reduction(span<int, 1>(malloc_shared<int>(1, q), 1), plus<int>(), property::reduction::initialize_to_identity()),
       [=](id<1> i, auto &all) {
         using one = std::remove_reference_t<decltype(all[0])>;
         static_assert(std::is_same_v<typename one::value_type, int> && one::dimensions == 0);
         static_assert(std::is_same_v<typename one::binary_operation, plus<int>> &&
                       std::decay_t<decltype(all)>::dimensions == 1);
         all[0] += int(i[0]);
       })
      .wait();
  for (int i = 0; i < 6; i++) {
    int sum = 0;
    for (int k = 0; k < 30; k++)
      sum += k / 3 % 2 == i / 3 && k % 3 == i % 3 ? 2 * k : 0;
    CHECK(grid[i] == sum);
    total += grid[i];
  }
  CHECK(total == 870);
  for (int i = 0; i < 8; i++)
    CHECK(cube[i] == 2 * (i < 6 ? 4 : 3));
  CHECK(out[0] == 7568 && out[1] == 700 + 60 + 5 && out[2] == grid[0] && out[3] == grid[1]);
  CHECK(real[0] == 1.5f && real[1] == 0.25f && std::fabs(real[2] - 9) < 1e-4 && real[3] == 1.5f);
  return report();
}
