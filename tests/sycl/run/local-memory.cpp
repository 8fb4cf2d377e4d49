// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory of a work-group and barriers: reversals, sums in trees, several arrays, arrays of two dimensions, barriers in loops and branches.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static void reverse(queue &q, std::size_t n, std::size_t local) {
  int *data = malloc_shared<int>(n, q);
  for (std::size_t i = 0; i < n; i++)
    data[i] = int(i);
  q.submit([&](handler &h) {
     local_accessor<int, 1> tile(range<1>(local), h);
     h.parallel_for(nd_range<1>(n, local), [=](nd_item<1> it) {
       const std::size_t l = it.get_local_id(0);
       tile[l] = data[it.get_global_id(0)];
       it.barrier(access::fence_space::local_space);
       data[it.get_global_id(0)] = tile[it.get_local_range(0) - 1 - l];
     });
   }).wait();
  std::vector<int> wanted(n);
  for (std::size_t i = 0; i < n; i++)
    wanted[i] = int(i / local * local + local - 1 - i % local);
  CHECK_SAME(data, wanted, n);
  sycl::free(data, q);
}

static void tree(queue &q, std::size_t groups, std::size_t local) {
  const std::size_t n = groups * local;
  double *in = malloc_shared<double>(n, q), *out = malloc_shared<double>(groups, q);
  std::vector<double> wanted(groups);
  for (std::size_t i = 0; i < n; i++) {
    in[i] = double(i % 17);
    wanted[i / local] += in[i];
  }
  q.submit([&](handler &h) {
     auto sums = local_accessor<double>(local, h);
     h.parallel_for(nd_range<1>(n, local), [=](nd_item<1> it) {
       auto g = it.get_group();
       const std::size_t l = it.get_local_linear_id();
       sums[l] = in[it.get_global_linear_id()];
       group_barrier(g);
       for (std::size_t step = g.get_local_linear_range() / 2; step > 0; step /= 2) {
         if (l < step)
           sums[l] += sums[l + step];
         group_barrier(g);
       }
       if (g.leader())
         out[g.get_group_linear_id()] = sums[0];
     });
   }).wait();
  CHECK_SAME(out, wanted, groups);
  sycl::free(in, q);
  sycl::free(out, q);
}

// Two arrays of two dimensions and of different types, and one scalar.
static void product(queue &q) {
  constexpr std::size_t n = 64, side = 16;
  float *a = malloc_shared<float>(n * n, q), *b = malloc_shared<float>(n * n, q), *c = malloc_shared<float>(n * n, q);
  std::vector<float> wanted(n * n);
  for (std::size_t i = 0; i < n * n; i++) {
    a[i] = float(i % 7);
    b[i] = float(i % 5);
  }
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = 0; j < n; j++)
      for (std::size_t k = 0; k < n; k++)
        wanted[i * n + j] += a[i * n + k] * b[k * n + j];
  q.submit([&](handler &h) {
     local_accessor<float, 2> left({side, side}, h);
     local_accessor<double, 2> right({side, side}, h);
     local_accessor<int, 0> iterations(h);
     h.parallel_for(nd_range<2>({n, n}, {side, side}), [=](nd_item<2> it) {
       const std::size_t y = it.get_local_id(0), x = it.get_local_id(1), row = it.get_global_id(0),
                         column = it.get_global_id(1);
       if (it.get_group().leader())
         iterations = int(n / side);
       group_barrier(it.get_group());
       float sum = 0;
       for (int iteration = 0; iteration < iterations; iteration++) {
         left[y][x] = a[row * n + iteration * side + x];
         right[{y, x}] = b[(iteration * side + y) * n + column];
         group_barrier(it.get_group());
         for (std::size_t k = 0; k < side; k++)
           sum += left[y][k] * float(right[k][x]);
         group_barrier(it.get_group());
       }
       c[row * n + column] = sum;
     });
   }).wait();
  CHECK_SAME(c, wanted, n * n);
  for (float *each : {a, b, c})
    sycl::free(each, q);
}

// The same accessor twice in one kernel is one array; a barrier in a branch that the whole group takes.
struct filler {
  local_accessor<int, 1> place;
  void operator()(nd_item<1> it, int what) const { place[it.get_local_id(0)] = what; }
};
static void shared_by_functions(queue &q) {
  int *out = malloc_shared<int>(64, q);
  q.submit([&](handler &h) {
     local_accessor<int, 1> room(32, h), other(32, h);
     filler fill{room};
     h.parallel_for(nd_range<1>(64, 32), [=](nd_item<1> it) {
       other[it.get_local_id(0)] = -1;
       fill(it, int(it.get_global_id(0)));
       if (it.get_group(0) == 1)
         it.barrier();
       else
         group_barrier(it.get_group());
       out[it.get_global_id(0)] = room[31 - it.get_local_id(0)] + other[(it.get_local_id(0) + 1) % 32];
     });
   }).wait();
  for (int i = 0; i < 64; i++)
    CHECK(out[i] == i / 32 * 32 + 31 - i % 32 - 1);
  sycl::free(out, q);
}

// Iterators, sizes and pointers; size known at run time only.
static void members(queue &q, std::size_t count) {
  int *out = malloc_shared<int>(6, q);
  q.submit([&](handler &h) {
     local_accessor<short, 1> room(count, h);
     h.parallel_for(nd_range<1>(1, 1), [=](nd_item<1>) {
       short next = 0;
       for (short &each : room)
         each = next++;
       out[0] = int(room.size());
       out[1] = int(room.byte_size());
       out[2] = room.get_pointer()[2];
       out[3] = room.get_multi_ptr<access::decorated::no>()[3];
       out[4] = *room.rbegin();
       out[5] = int(room.get_range()[0]);
     });
   }).wait();
  const int wanted[] = {int(count), int(2 * count), 2, 3, int(count) - 1, int(count)};
  CHECK_SAME(out, wanted, 6);
  sycl::free(out, q);
}

static void copies_of_groups(queue &q) {
  const std::size_t n = 256, local = 64;
  int *in = malloc_shared<int>(n, q), *out = malloc_shared<int>(n, q);
  for (std::size_t i = 0; i < n; i++)
    in[i] = int(5 * i);
  q.submit([&](handler &h) {
     local_accessor<int, 1> tile(local, h);
     h.parallel_for(nd_range<1>(n, local), [=](nd_item<1> it) {
       const std::size_t start = it.get_group(0) * local;
       auto arrived = it.async_work_group_copy(&tile[0], in + start, local);
       arrived.wait();
       tile[it.get_local_id(0)] += 1;
       group_barrier(it.get_group());
       it.wait_for(it.get_group().async_work_group_copy(out + start, &tile[0], local));
     });
   }).wait();
  for (std::size_t i = 0; i < n; i++)
    CHECK(out[i] == int(5 * i) + 1);
  sycl::free(in, q);
  sycl::free(out, q);
}

int main() {
  queue q;
  for (std::size_t local : {1, 32, 33, 256}) {
    reverse(q, local * 5, local);
    if (local != 33)
      tree(q, 7, local);
  }
  product(q);
  shared_by_functions(q);
  members(q, 10);
  copies_of_groups(q);
  return report();
}
