// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Groups that do not divide the range, that are too large, or of no items are refused when they are submitted, with errc::nd_range.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <int D> static bool refused(queue &q, const nd_range<D> &shape) {
  try {
    q.parallel_for(shape, [=](nd_item<D>) {}).wait();
  } catch (const exception &e) {
    return e.code() == errc::nd_range;
  }
  return false;
}
// What is said has the sizes, the limit, and the kernel with its line.
template <class F> static std::string said(F &&f) {
  try {
    f();
  } catch (const exception &e) {
    return e.what();
  }
  return "";
}
static bool has(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }
static void texts(queue &q) {
  const std::string parts = said([&] { q.parallel_for(nd_range<1>(100, 33), [=](nd_item<1>) {}); });
  CHECK(has(parts, "size 33 does not divide the global size 100") && has(parts, "kernel (lambda at ") &&
        has(parts, "nd-range-errors.cpp:"));
  const std::string many =
      said([&] { q.parallel_for<class Many>(nd_range<2>({64, 64}, {64, 32}), [=](nd_item<2>) {}); });
  CHECK(has(many, "size (64,32) is 2048 work-items, more than the 1024 of info::device::max_work_group_size") &&
        has(many, "kernel Many (lambda at "));
  int sum = 0;
  buffer<int> total(&sum, range<1>(1));
  const std::string reduced = said([&] {
    q.submit([&](handler &h) {
      h.parallel_for(nd_range<1>(100, 33), reduction(total, h, plus<int>()), [=](nd_item<1>, auto &all) { all += 1; });
    });
  });
  CHECK(has(reduced, "size 33 does not divide the global size 100"));
  const std::string local = said([&] {
    q.submit([&](handler &h) {
      local_accessor<char> room(1 << 20, h);
      h.parallel_for(nd_range<1>(1, 1), [=](nd_item<1>) { room[0] = 1; });
    });
  });
  CHECK(has(local, "1048576 bytes is more than the 262144"));
  const std::string range_of = said([&] { q.parallel_for(range<2>(1ull << 33, 2), [=](id<2>) {}); });
  CHECK(has(range_of, "range (8589934592,2)"));
}

int main() {
  queue q;
  CHECK(refused(q, nd_range<1>(100, 33)));
  CHECK(refused(q, nd_range<2>({8, 9}, {4, 2})));
  CHECK(refused(q, nd_range<1>(4096, 2048)));
  CHECK(refused(q, nd_range<1>(16, 0)));
  CHECK(!refused(q, nd_range<1>(0, 16)));
  CHECK(!refused(q, nd_range<3>({2, 4, 8}, {1, 2, 4})));
  CHECK(q.get_device().get_info<info::device::max_work_group_size>() == 1024);
  texts(q);
  return report();
}
