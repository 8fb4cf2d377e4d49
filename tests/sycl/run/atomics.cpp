// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atomic_ref on all types, in global and local memory, with results and without, of all orders.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

template <class T>
using device_ref = atomic_ref<T, memory_order::relaxed, memory_scope::device, access::address_space::global_space>;

template <class T> static void numbers(queue &q) {
  const int n = 2000;
  T *cells = malloc_shared<T>(8, q);
  for (int i = 0; i < 8; i++)
    cells[i] = T(i == 2 ? 1000 : 0);
  q.parallel_for(nd_range<1>(n, 100), [=](nd_item<1> it) {
     const int i = int(it.get_global_id(0));
     device_ref<T>(cells[0]).fetch_add(T(i % 3));
     device_ref<T>(cells[1]).fetch_max(T(i));
     device_ref<T>(cells[2]).fetch_min(T(i + 5));
     device_ref<T>(cells[3]) += T(2);
     device_ref<T> r(cells[4]);
     T old = r.load();
     while (!r.compare_exchange_weak(old, T(old + 1)))
       ;
     if (i == 77)
       device_ref<T>(cells[5]).exchange(T(7));
     if (i == 78)
       device_ref<T>(cells[6]).store(T(8));
     device_ref<T>(cells[7]).fetch_sub(T(1), memory_order::acq_rel);
   }).wait();
  CHECK(cells[0] == T(1999));
  CHECK(cells[1] == T(n - 1) && cells[2] == T(5) && cells[3] == T(2 * n) && cells[4] == T(n));
  CHECK(cells[5] == T(7) && cells[6] == T(8) && cells[7] == T(-n));
  sycl::free(cells, q);
}

static void bits(queue &q) {
  unsigned *cells = malloc_shared<unsigned>(4, q);
  for (int i = 0; i < 4; i++)
    cells[i] = i == 0 ? ~0u : 0;
  q.parallel_for(64, [=](id<1> i) {
     device_ref<unsigned>(cells[0]).fetch_and(~(1u << (i % 32)));
     device_ref<unsigned>(cells[1]) |= 1u << (i % 16);
     device_ref<unsigned>(cells[2]).fetch_xor(1u << (i % 32));
     device_ref<unsigned>(cells[3])++;
   }).wait();
  CHECK(cells[0] == 0 && cells[1] == 0xffff && cells[2] == 0 && cells[3] == 64);
  sycl::free(cells, q);
}

// Counts in local memory, added to global memory; positions by a counter's results.
static void histogram(queue &q) {
  const int n = 4096;
  int *bins = malloc_shared<int>(16, q), *places = malloc_shared<int>(n, q), *next = malloc_shared<int>(1, q);
  q.fill(bins, 0, 16).wait();
  *next = 0;
  q.submit([&](handler &h) {
     local_accessor<int, 1> own(16, h);
     h.parallel_for(nd_range<1>(n, 128), [=](nd_item<1> it) {
       const int i = int(it.get_global_id(0)), l = int(it.get_local_id(0));
       if (l < 16)
         own[l] = 0;
       it.barrier(access::fence_space::local_space);
       atomic_ref<int, memory_order::relaxed, memory_scope::work_group, access::address_space::local_space>(
           own[i * 7 % 16])
           .fetch_add(1);
       it.barrier(access::fence_space::local_space);
       if (l < 16)
         device_ref<int>(bins[l]).fetch_add(own[l]);
       places[device_ref<int>(*next).fetch_add(1)] = i;
     });
   }).wait();
  for (int i = 0; i < 16; i++)
    CHECK(bins[i] == n / 16);
  std::vector<char> seen(n);
  for (int i = 0; i < n; i++)
    seen[places[i]]++;
  CHECK(*next == n);
  for (char each : seen)
    CHECK(each == 1);
  for (int *each : {bins, places, next})
    sycl::free(each, q);
}

// Pointers, and atomics on the host.
static void others(queue &q) {
  int **cursor = malloc_shared<int *>(1, q), *data = malloc_shared<int>(100, q);
  *cursor = data;
  q.parallel_for(100, [=](id<1> i) {
     int *own = atomic_ref<int *, memory_order::acq_rel, memory_scope::device>(*cursor).fetch_add(1);
     *own = 1 + 0 * int(i);
   }).wait();
  CHECK(*cursor == data + 100);
  for (int i = 0; i < 100; i++)
    CHECK(data[i] == 1);
  long number = 5;
  atomic_ref<long, memory_order::seq_cst, memory_scope::system> host(number);
  CHECK(host.fetch_add(3) == 5 && host == 8 && (host = 4) == 4 && number == 4 && ++host == 5);
  sycl::free(cursor, q);
  sycl::free(data, q);
}

int main() {
  queue q;
  numbers<int>(q);
  numbers<long>(q);
  numbers<float>(q);
  numbers<double>(q);
  bits(q);
  histogram(q);
  others(q);
  return report();
}
