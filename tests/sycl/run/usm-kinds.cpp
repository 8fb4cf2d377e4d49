// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of memory: its kind, its device, alignment; of the program's own memory; allocation of nothing.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  const context where = q.get_context();
  int *d = malloc_device<int>(10, q), *s = malloc_shared<int>(10, q), *h = malloc_host<int>(10, q);
  CHECK(get_pointer_type(d, where) == usm::alloc::device);
  CHECK(get_pointer_type(s, where) == usm::alloc::shared);
  CHECK(get_pointer_type(h, where) == usm::alloc::host);
  CHECK(get_pointer_type(s + 9, where) == usm::alloc::shared);
  int own;
  CHECK(get_pointer_type(&own, where) == usm::alloc::unknown);
  CHECK(get_pointer_device(s, where) == q.get_device());
  for (size_t alignment : {64, 256, 4096}) {
    void *p = aligned_alloc_shared(alignment, 100, q);
    CHECK(reinterpret_cast<size_t>(p) % alignment == 0);
    free(p, q);
  }
  double *m = malloc<double>(5, q, usm::alloc::shared);
  CHECK(get_pointer_type(m, where) == usm::alloc::shared);
  free(m, where);
  free(d, q), free(s, q), free(h, q);
  free(nullptr, q);
  return report();
}
