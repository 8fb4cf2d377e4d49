// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions with each operator, over a range and over groups, on memory and on buffers.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class T, class Op> static void both(queue &q, T start, Op op, T (*value)(int)) {
  const int n = 500;
  T *out = malloc_shared<T>(2, q), wanted = start;
  out[0] = out[1] = start;
  for (int i = 0; i < n; i++)
    wanted = op(wanted, value(i));
  q.parallel_for(range<1>(n), reduction(out, op), [=](id<1> i, auto &sum) { sum.combine(value(int(i[0]))); }).wait();
  q.parallel_for(nd_range<1>(n, 50), reduction(out + 1, op), [=](nd_item<1> i, auto &sum) {
     sum.combine(value(int(i.get_global_id(0))));
   }).wait();
  CHECK(out[0] == wanted && out[1] == wanted);
  free(out, q);
}
int main() {
  queue q;
  both<int>(q, 5, plus<int>(), [](int i) { return i % 7; });
  both<long>(q, 1, multiplies<long>(), [](int i) { return i % 100 ? 1l : 3l; });
  both<unsigned>(q, 0xffffu, bit_and<unsigned>(), [](int i) { return 0xff0fu | unsigned(i) << 4; });
  both<unsigned>(q, 0, bit_or<unsigned>(), [](int i) { return 1u << i % 20; });
  both<unsigned>(q, 9, bit_xor<unsigned>(), [](int i) { return unsigned(i * i); });
  both<int>(q, 1000, minimum<int>(), [](int i) { return (i * 37 + 11) % 503; });
  both<float>(q, 0, maximum<float>(), [](int i) { return float((i * 37) % 503); });
  both<bool>(q, true, logical_and<bool>(), [](int i) { return i != 499; });
  both<bool>(q, false, logical_or<bool>(), [](int i) { return i == 250; });
  return report();
}
