// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Containers of the C++ library in shared memory, which kernels read and write through their data.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  usm_allocator<int, usm::alloc::shared> memory(q);
  std::vector<int, decltype(memory)> numbers(memory);
  for (int i = 0; i < 200; i++)
    numbers.push_back(i);
  std::vector<int, decltype(memory)> squares(200, 0, memory);
  int *from = numbers.data(), *to = squares.data();
  q.parallel_for(range<1>(200), [=](id<1> i) { to[i] = from[i] * from[i]; }).wait();
  for (int i = 0; i < 200; i++)
    CHECK(squares[i] == i * i);
  CHECK(memory == squares.get_allocator());
  return report();
}
