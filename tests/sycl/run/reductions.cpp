// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduction variables: several at once, of any combiner, with and without identity, into USM memory, buffers and spans, over both kinds of ranges.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

struct longest {
  int length, place;
};

int main() {
  queue q;
  for (std::size_t n : {std::size_t(1), std::size_t(100), std::size_t(5000), std::size_t(100000)}) {
    long *sum = malloc_shared<long>(3, q);
    double *most = malloc_shared<double>(1, q);
    sum[0] = 10;
    sum[1] = 7;
    sum[2] = 5;
    *most = -1;
    q.parallel_for(range<1>(n), reduction(sum, plus<long>()), reduction(most, maximum<double>()),
                   [=](id<1> i, auto &total, auto &largest) {
                     total += long(i);
                     largest.combine(double((i * 7919) % n));
                   })
        .wait();
    long wanted = 10;
    double largest = -1;
    for (std::size_t i = 0; i < n; i++) {
      wanted += long(i);
      largest = std::max(largest, double((i * 7919) % n));
    }
    CHECK(sum[0] == wanted && *most == largest);
    // Nobody knows an identity of this.
    auto last_two = [](long a, long b) { return std::max(a, b); };
    q.submit([&](handler &h) {
       h.parallel_for(range<1>(n), reduction(sum + 1, last_two),
                      [=](item<1> i, auto &x) { x.combine(long(i.get_linear_id())); });
     }).wait();
    CHECK(sum[1] == std::max<long>(7, long(n) - 1));
    q.parallel_for(range<1>(n), reduction(sum + 2, plus<long>(), property::reduction::initialize_to_identity()),
                   [=](id<1>, auto &x) { ++x; })
        .wait();
    CHECK(sum[2] == long(n));
    sycl::free(sum, q);
    sycl::free(most, q);
  }

  // Of work-groups, with local memory; of two dimensions; with an identity of the program's.
  const std::size_t rows = 64, columns = 48;
  buffer<int> total(range<1>(1)), product(range<1>(1));
  host_accessor<int>{total}[0] = 1;
  q.submit([&](handler &h) {
    local_accessor<int, 1> tile(64, h);
    h.parallel_for(nd_range<2>({rows, columns}, {8, 8}), reduction(total, h, plus<int>()),
                   [=](nd_item<2> it, auto &sum) {
                     const std::size_t l = it.get_local_linear_id();
                     tile[l] = int(it.get_global_linear_id() % 3);
                     group_barrier(it.get_group());
                     sum += tile[63 - l];
                   });
  });
  CHECK(host_accessor(total)[0] == int(1 + rows * columns));
  q.submit([&](handler &h) {
    h.parallel_for(
        range<2>(rows, columns),
        reduction(product, h, longest{}.length + 1, multiplies<int>(), property::reduction::initialize_to_identity()),
        [=](item<2> it, auto &p) { p *= it.get_linear_id() % 1000 == 500 ? 3 : 1; });
  });
  CHECK(host_accessor(product)[0] == 27);

  longest *best = malloc_shared<longest>(1, q);
  *best = {0, -1};
  auto longer = [](const longest &a, const longest &b) {
    return a.length > b.length || (a.length == b.length && a.place < b.place) ? a : b;
  };
  q.parallel_for(range<1>(3000), reduction(best, longest{-1, 1 << 30}, longer), [=](id<1> i, auto &x) {
     x.combine(longest{int(i * 37 % 1009), int(i)});
   }).wait();
  longest wanted{0, -1};
  for (int i = 0; i < 3000; i++)
    wanted = longer(wanted, longest{i * 37 % 1009, i});
  CHECK(best->length == wanted.length && best->place == wanted.place);

  unsigned *bins = malloc_shared<unsigned>(16, q);
  q.fill(bins, 2u, 16).wait();
  q.parallel_for(range<1>(10000), reduction(span<unsigned, 16>(bins, 16), plus<unsigned>()),
                 [=](id<1> i, auto &histogram) { histogram[i % 16] += 1u; })
      .wait();
  for (int i = 0; i < 16; i++)
    CHECK(bins[i] == 627);
  sycl::free(best, q);
  sycl::free(bins, q);
  return report();
}
