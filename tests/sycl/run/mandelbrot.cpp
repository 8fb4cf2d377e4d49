// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose number of iterations differs from item to item, with break.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static int iterations(double x, double y) {
  double a = 0, b = 0;
  int count = 0;
  while (count < 100) {
    const double t = a * a - b * b + x;
    b = 2 * a * b + y;
    a = t;
    if (a * a + b * b > 4)
      break;
    count++;
  }
  return count;
}
int main() {
  const int rows = 40, columns = 60;
  queue q;
  std::vector<int> wanted(rows * columns);
  int *out = malloc_shared<int>(rows * columns, q);
  q.parallel_for(range<2>(rows, columns), [=](item<2> at) {
     out[at.get_linear_id()] = iterations(-2.0 + 0.0625 * at[1], -1.25 + 0.0625 * at[0]);
   }).wait();
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      wanted[i * columns + j] = iterations(-2.0 + 0.0625 * j, -1.25 + 0.0625 * i);
  CHECK_SAME(out, wanted, wanted.size());
  free(out, q);
  return report();
}
