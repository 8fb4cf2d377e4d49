// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel with a placeholder accessor that its command group does not require: errc::kernel_argument, for each kind of
// kernel, wherever the object has it; and what is no mistake.
#include <array>
#include <cstring>
#include <tuple>

#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class F> static bool refused(queue &q, const F &group) {
  try {
    q.submit(group);
  } catch (const exception &e) {
    return e.code() == errc::kernel_argument && std::strstr(e.what(), "require") != nullptr;
  }
  return false;
}

using plain = accessor<int, 1, access_mode::read_write>;
struct functor {
  int before;
  std::tuple<float, plain> pair;
  void operator()(id<1> i) const { std::get<1>(pair)[i] = before; }
};
struct holder : private functor {
  explicit holder(const functor &f) : functor(f) {}
  void operator()(id<1> i) const { functor::operator()(i); }
};
class Named;

int main() {
  queue q;
  std::vector<int> data(64, 1), sum(1, 0);
  {
    buffer<int, 1> all(data), others(data.data(), 0);
    buffer<int, 1> result(sum);
    plain later(all), none;
    accessor<const int, 1, access_mode::read> reads(all);
    std::array<plain, 2> two{later, later};

    CHECK(refused(q, [&](handler &h) { h.single_task([=] { later[0] = 5; }); }));
    CHECK(refused(q, [&](handler &h) { h.parallel_for<Named>(range<1>(64), [=](id<1> i) { later[i] = 5; }); }));
    CHECK(refused(q, [&](handler &h) { h.parallel_for(range<1>(60), id<1>(1), [=](id<1> i) { later[i] = 5; }); }));
    CHECK(refused(q, [&](handler &h) {
      plain own(result, h);
      h.parallel_for(nd_range<1>(64, 32), [=](nd_item<1> i) { own[0] = reads[i.get_global_id()]; });
    }));
    CHECK(refused(q, [&](handler &h) { h.parallel_for(range<1>(2), [=](id<1> i) { two[i][0] = 5; }); }));
    CHECK(refused(q, [&](handler &h) { h.parallel_for(range<1>(64), functor{5, {1.0f, later}}); }));
    CHECK(refused(q, [&](handler &h) { h.parallel_for(range<1>(64), holder(functor{5, {1.0f, later}})); }));
    CHECK(refused(q, [&](handler &h) {
      h.parallel_for(range<1>(64), reduction(result, h, plus<int>()), [=](id<1> i, auto &to) { to += reads[i]; });
    }));
    CHECK(refused(q, [&](handler &h) {
      h.parallel_for_work_group(range<1>(1), range<1>(64), [=](group<1> g) {
        g.parallel_for_work_item([&](h_item<1> i) { later[i.get_global_id()] = 5; });
      });
    }));
    bool shortcut = false;
    try {
      q.parallel_for(range<1>(64), [=](id<1> i) { later[i] = 5; });
    } catch (const exception &e) {
      shortcut = e.code() == errc::kernel_argument;
    }
    CHECK(shortcut);

    q.submit([&](handler &h) {
      h.require(later);
      plain own(result, h);
      h.parallel_for(range<1>(64), [=](id<1> i) {
        if (i[0] == 70)
          none[0] = own[0];
        later[i] += 1 + int(two[0].size()) - 64;
      });
    });
    q.submit([&](handler &h) {
      h.require(later);
      h.parallel_for(range<1>(64), functor{7, {1.0f, later}});
    });
    q.submit([&](handler &h) {
      h.require(reads);
      h.parallel_for(range<1>(64), reduction(result, h, plus<int>()), [=](id<1> i, auto &to) { to += reads[i]; });
    });
  }
  CHECK(data[0] == 7 && data[63] == 7);
  CHECK(sum[0] == 7 * 64);
  return report();
}
