// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What of the C++ library kernels may use: arrays, tuples, optional, variant, complex, algorithms without memory, numeric limits.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  double *out = malloc_shared<double>(10, q);
  q.single_task([=] {
     std::array<int, 6> a{5, 2, 9, 1, 7, 3};
     std::sort(a.begin(), a.end());
     out[0] = a[0] * 100 + a[5];
     out[1] = std::accumulate(a.begin(), a.end(), 0);
     out[2] = *std::lower_bound(a.begin(), a.end(), 4);
     const std::complex<double> z = std::complex<double>(1, 2) * std::complex<double>(3, -1);
     out[3] = z.real(), out[4] = z.imag();
     std::optional<int> maybe;
     if (a[1] == 2)
       maybe = 8;
     out[5] = maybe ? *maybe : -1;
     const auto [x, y] = std::minmax(4, -4);
     out[6] = x * 10 + y;
     out[7] = double(std::numeric_limits<short>::max());
     int left = 1, right = 2;
     std::swap(left, right);
     out[8] = left * 10 + right;
     out[9] = std::get<1>(std::make_tuple(1, 2.5));
   }).wait();
  const double wanted[] = {109, 27, 5, 5, 5, 8, -36, 32767, 21, 2.5};
  CHECK_SAME(out, wanted, 10);
  free(out, q);
  return report();
}
