// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants that kernels use without capturing them: constexpr arrays, enumerations, static const tables, string literals.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

constexpr int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
static const double weights[3] = {0.25, 0.5, 0.25};
enum class color { red = 3, green = 30 };
constexpr long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
int main() {
  queue q;
  constexpr int offset = 1000;
  double *out = malloc_shared<double>(8, q);
  q.parallel_for(range<1>(8), [=](id<1> i) {
     constexpr long large = factorial(10);
     const char *word = "unwarped";
     out[i] = primes[i] + weights[i % 3] + offset + int(i % 2 ? color::red : color::green) + word[i] + double(large);
   }).wait();
  for (int i = 0; i < 8; i++)
    CHECK(out[i] == primes[i] + weights[i % 3] + offset + (i % 2 ? 3 : 30) + "unwarped"[i] + 3628800.0);
  free(out, q);
  return report();
}
