// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of each shape and what their items say of themselves; names, functors, lambdas of all kinds.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static void ranges(queue &q) {
  for (std::size_t n : {std::size_t(1), std::size_t(255), std::size_t(256), std::size_t(257), std::size_t(10000)}) {
    std::vector<int> wanted(n);
    for (std::size_t i = 0; i < n; i++)
      wanted[i] = int(i * 2 + n);
    int *out = malloc_shared<int>(n + 1, q);
    out[n] = -1;
    q.parallel_for(range<1>(n), [=](item<1> it) {
       out[it] = int(it.get_id(0) + it.get_linear_id() + it.get_range(0));
     }).wait();
    CHECK_SAME(out, wanted, n);
    q.memset(out, 0, n * sizeof(int));
    q.parallel_for<class by_number>(n, [=](auto i) { out[i] = int(i + i + n); }).wait();
    CHECK_SAME(out, wanted, n);
    CHECK(out[n] == -1);
    sycl::free(out, q);
  }
  q.parallel_for(range<1>(0), [=](id<1>) {}).wait();
}

static void range_2d(queue &q, std::size_t rows, std::size_t columns) {
  int *out = malloc_shared<int>(rows * columns, q);
  std::vector<int> wanted(rows * columns);
  for (std::size_t i = 0; i < rows; i++)
    for (std::size_t j = 0; j < columns; j++)
      wanted[i * columns + j] = int(1000 * i + j);
  q.submit([&](handler &h) {
     h.parallel_for(range<2>(rows, columns),
                    [=](item<2> it) { out[it.get_linear_id()] = int(1000 * it[0] + it.get_id()[1]); });
   }).wait();
  CHECK_SAME(out, wanted, rows * columns);
  q.memset(out, 0, rows * columns * sizeof(int));
  q.parallel_for({rows, columns}, [=](id<2> i) { out[i[0] * columns + i.get(1)] = int(i[0] * 1000 + i[1]); }).wait();
  CHECK_SAME(out, wanted, rows * columns);
  sycl::free(out, q);
}

static void range_3d(queue &q) {
  const range<3> extent{3, 5, 300};
  int *out = malloc_shared<int>(extent.size(), q);
  q.parallel_for(extent, [=](item<3, false> it) {
     out[(it[0] * 5 + it[1]) * 300 + it[2]] = int(it.get_linear_id() * 10 + (it.get_range() == range<3>(3, 5, 300)));
   }).wait();
  std::vector<int> wanted(extent.size());
  for (std::size_t i = 0; i < wanted.size(); i++)
    wanted[i] = int(i * 10 + 1);
  CHECK_SAME(out, wanted, wanted.size());
  sycl::free(out, q);
}

// A row more than CUDA's grids have in y.
static void tall(queue &q) {
  const std::size_t rows = 70000;
  unsigned char *out = malloc_shared<unsigned char>(rows * 2, q);
  q.parallel_for(range<2>(rows, 2), [=](id<2> i) { out[i[0] * 2 + i[1]] = (unsigned char)(i[0] % 251 + i[1]); }).wait();
  bool good = true;
  for (std::size_t i = 0; i < rows; i++)
    good &= out[2 * i] == i % 251 && out[2 * i + 1] == i % 251 + 1;
  CHECK(good);
  sycl::free(out, q);
}

static void offsets(queue &q) {
  int *out = malloc_shared<int>(100, q);
  q.memset(out, 0, 100 * sizeof(int));
  q.submit([&](handler &h) {
     h.parallel_for(range<1>(50), id<1>(20),
                    [=](item<1> it) { out[it] = int(it.get_offset()[0] + it.get_linear_id()); });
   }).wait();
  for (int i = 0; i < 100; i++)
    CHECK(out[i] == (i >= 20 && i < 70 ? i : 0));
  q.parallel_for(nd_range<1>(32, 8, 4), [=](nd_item<1> it) {
     out[it.get_global_id(0)] = -int(it.get_global_linear_id());
   }).wait();
  for (int i = 4; i < 36; i++)
    CHECK(out[i] == 4 - i);
  sycl::free(out, q);
}

struct seen {
  int global[3], local[3], group[3], extents[3], sizes[3], linear[4];
};

static void nd(queue &q, range<3> global, range<3> local) {
  seen *all = malloc_shared<seen>(global.size(), q);
  q.parallel_for(nd_range<3>(global, local), [=](nd_item<3> it) {
     seen &s = all[it.get_global_linear_id()];
     group<3> g = it.get_group();
     for (int d = 0; d < 3; d++) {
       s.global[d] = int(it.get_global_id(d));
       s.local[d] = int(g.get_local_id(d));
       s.group[d] = int(it.get_group(d));
       s.extents[d] = int(it.get_group_range(d));
       s.sizes[d] = int(it.get_local_range().get(d));
     }
     s.linear[0] = int(it.get_local_linear_id());
     s.linear[1] = int(it.get_group_linear_id());
     s.linear[2] = int(it.get_global_range().size());
     s.linear[3] = g.leader() + 2 * (it.get_nd_range() == nd_range<3>(global, local));
   }).wait();
  bool good = true;
  for (std::size_t i = 0; i < global[0]; i++)
    for (std::size_t j = 0; j < global[1]; j++)
      for (std::size_t k = 0; k < global[2]; k++) {
        const std::size_t at[3] = {i, j, k};
        const seen &s = all[(i * global[1] + j) * global[2] + k];
        std::size_t in_group = 0, group = 0;
        for (int d = 0; d < 3; d++) {
          good &=
              s.global[d] == int(at[d]) && s.local[d] == int(at[d] % local[d]) && s.group[d] == int(at[d] / local[d]);
          good &= s.extents[d] == int(global[d] / local[d]) && s.sizes[d] == int(local[d]);
          in_group = in_group * local[d] + at[d] % local[d];
          group = group * (global[d] / local[d]) + at[d] / local[d];
        }
        good &= s.linear[0] == int(in_group) && s.linear[1] == int(group) && s.linear[2] == int(global.size());
        good &= s.linear[3] == (in_group == 0) + 2;
      }
  CHECK(good);
  sycl::free(all, q);
}

// --- names
struct scale {
  float *data, factor;
  void operator()(id<1> i) const { data[i] *= factor; }
  void operator()(nd_item<2> it) const { data[it.get_global_linear_id()] += factor; }
};
namespace {
struct hidden_name;
}
template <class T> struct name_for;
template <class T> void add(queue &q, T *data, T what) {
  q.parallel_for<name_for<T>>(range<1>(64), [=](id<1> i) { data[i] += what; }).wait();
}

static void names(queue &q) {
  float *data = malloc_shared<float>(64, q);
  q.single_task([=] {
     for (int i = 0; i < 64; i++)
       data[i] = 1;
   }).wait();
  q.parallel_for(range<1>(64), scale{data, 3}).wait();
  q.parallel_for(nd_range<2>({8, 8}, {2, 4}), scale{data, 2}).wait();
  add(q, data, 4.0f);
  int *whole = malloc_shared<int>(64, q);
  q.fill(whole, 5, 64);
  add(q, whole, 6);
  auto late = [=](auto i) { data[i] += 0.5f; };
  q.submit([&](handler &h) { h.parallel_for(range<1>(64), late); });
  q.submit([&](handler &h) { h.single_task<hidden_name>([=] { data[0] += 100; }); }).wait();
  CHECK(data[0] == 109.5f && data[63] == 9.5f && whole[63] == 11);
  sycl::free(data, q);
  sycl::free(whole, q);
}

// --- what kernels capture
struct deep {
  double weights[5];
  struct {
    short a;
    bool b;
  } flags;
};
static void captures(queue &q) {
  deep d{{1, 2, 3, 4, 5}, {7, true}};
  long big = 1l << 40;
  char small = 'x';
  int array[4] = {1, 2, 3, 4};
  double *out = malloc_shared<double>(20, q);
  q.parallel_for(range<1>(20), [=](id<1> i) {
     int at = int(i % 5);
     out[i] = d.weights[at] + (d.flags.b ? d.flags.a : 0) + array[i % 4] + (big >> 40) + (small == 'x');
   }).wait();
  for (int i = 0; i < 20; i++)
    CHECK(out[i] == d.weights[i % 5] + 7 + array[i % 4] + 2);
  sycl::free(out, q);
}

static void errors(queue &q) {
  auto code = [&](nd_range<1> shape) {
    try {
      q.parallel_for(shape, [=](nd_item<1>) {});
    } catch (const sycl::exception &e) {
      return e.code();
    }
    return std::error_code();
  };
  CHECK(code(nd_range<1>(100, 64)) == errc::nd_range);
  CHECK(code(nd_range<1>(4096, 2048)) == errc::nd_range);
  CHECK(code(nd_range<1>(128, 64)) == std::error_code());
}

int main() {
  queue q;
  ranges(q);
  range_2d(q, 7, 9);
  range_2d(q, 33, 1000);
  range_3d(q);
  tall(q);
  offsets(q);
  nd(q, {4, 6, 64}, {2, 3, 32});
  nd(q, {1, 1, 100}, {1, 1, 20});
  nd(q, {8, 2, 3}, {8, 1, 1});
  names(q);
  captures(q);
  errors(q);
  return report();
}
