// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isnan and its like, select, bitselect, any and all, on scalars and vectors.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int *out = malloc_shared<int>(24, q);
  const float nan = NAN, infinite = INFINITY;
  q.single_task([=] {
     int n = 0;
     out[n++] = sycl::isnan(nan), out[n++] = sycl::isnan(1.0f), out[n++] = sycl::isinf(-infinite),
     out[n++] = sycl::isfinite(nan);
     out[n++] = sycl::isnormal(1e-40f), out[n++] = sycl::signbit(-0.0f), out[n++] = sycl::isordered(1.0f, nan),
     out[n++] = sycl::islessgreater(1.0, 2.0);
     const float4 v(1.0f, nan, -infinite, 0.0f);
     const int4 t = sycl::isnan(v), f = sycl::isfinite(v);
     out[n++] = t.x(), out[n++] = t.y(), out[n++] = f.w(), out[n++] = sycl::any(t), out[n++] = sycl::all(t);
     const int4 chosen = sycl::select(int4(1, 2, 3, 4), int4(5, 6, 7, 8), int4(0, -1, 0, -1));
     out[n++] = chosen.x() * 1000 + chosen.y() * 100 + chosen.z() * 10 + chosen.w();
     out[n++] = sycl::select(1, 2, true), out[n++] = sycl::bitselect(0xff00, 0x00ff, 0x0ff0);
   }).wait();
  const int wanted[] = {1, 0, 1, 0, 0, 1, 0, 1, 0, -1, -1, 1, 0, 1638, 2, 0xf0f0};
  for (int i = 0; i < 16; i++)
    CHECK(out[i] == wanted[i]);
  free(out, q);
  return report();
}
