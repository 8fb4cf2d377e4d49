// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unified shared memory: allocations of each kind, copies, fills, what a pointer is, allocators.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static void copies(queue &q) {
  const int n = 1000;
  std::vector<int> in(n), out(n, -1);
  for (int i = 0; i < n; i++)
    in[i] = 3 * i;
  int *device = malloc_device<int>(n, q),
      *more = static_cast<int *>(malloc_device(n * sizeof(int), q.get_device(), q.get_context()));
  CHECK(device && more && device != more);
  event first = q.memcpy(device, in.data(), n * sizeof(int));
  event second = q.copy(device, more, n, first);
  q.submit([&](handler &h) {
    h.depends_on(second);
    h.memcpy(out.data(), more, n * sizeof(int));
  });
  q.wait();
  CHECK_SAME(out, in, n);
  q.memset(device, 0xff, n * sizeof(int)).wait();
  q.fill(more, 7, n, std::vector<event>{first, second}).wait();
  q.memcpy(out.data(), device, n * sizeof(int)).wait();
  CHECK_SAME(out, std::vector<int>(n, -1), n);
  q.submit([&](handler &h) { h.copy(more, out.data(), n); }).wait_and_throw();
  CHECK_SAME(out, std::vector<int>(n, 7), n);
  sycl::free(device, q);
  sycl::free(more, q.get_context());
}

struct triple {
  float x, y, z;
};

static void fills(queue &q) {
  const std::size_t n = 700001; // several shares, the last one shorter
  triple *all = malloc_shared<triple>(n, q);
  q.fill(all, triple{1, 2, 3}, n).wait();
  bool good = true;
  for (std::size_t i = 0; i < n; i++)
    good &= all[i].x == 1 && all[i].y == 2 && all[i].z == 3;
  CHECK(good);
  q.parallel_for(n, [=](id<1> i) { all[i].y += float(i % 100); }).wait();
  good = true;
  for (std::size_t i = 0; i < n; i++)
    good &= all[i].y == 2 + float(i % 100);
  CHECK(good);
  sycl::free(all, q);
}

static void kinds(queue &q) {
  context where = q.get_context();
  int *device = malloc_device<int>(10, q), *shared = malloc_shared<int>(10, q), *host = malloc_host<int>(10, q);
  int on_stack = 0;
  CHECK(get_pointer_type(device, where) == usm::alloc::device);
  CHECK(get_pointer_type(device + 5, where) == usm::alloc::device);
  CHECK(get_pointer_type(shared, where) == usm::alloc::shared);
  CHECK(get_pointer_type(host, where) == usm::alloc::host);
  CHECK(get_pointer_type(&on_stack, where) == usm::alloc::unknown);
  CHECK(get_pointer_device(shared, where) == q.get_device());
  double *aligned = aligned_alloc_device<double>(64, 100, q);
  CHECK(reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0);
  void *chosen = sycl::malloc(100, q, usm::alloc::shared);
  CHECK(get_pointer_type(chosen, where) == usm::alloc::shared);
  for (void *pointer : {static_cast<void *>(device), static_cast<void *>(shared), static_cast<void *>(host),
                        static_cast<void *>(aligned), chosen})
    sycl::free(pointer, q);
  sycl::free(nullptr, q);
}

static void allocators(queue &q) {
  usm_allocator<int, usm::alloc::shared> allocator(q);
  std::vector<int, usm_allocator<int, usm::alloc::shared>> numbers(100, 1, allocator);
  int *data = numbers.data();
  q.parallel_for(100, [=](auto i) { data[i] += int(i); }).wait();
  for (int i = 0; i < 100; i++)
    CHECK(numbers[i] == i + 1);
  CHECK(allocator == (usm_allocator<float, usm::alloc::shared>(q)));
  CHECK(allocator != (usm_allocator<int, usm::alloc::host>(q)));
}

int main() {
  queue q;
  copies(q);
  fills(q);
  kinds(q);
  allocators(q);
  return report();
}
