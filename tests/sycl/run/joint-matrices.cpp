// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// joint_matrix: products in the shapes and types of other devices' units, and in shapes that no 32 items share evenly, against loops on the host; layouts, packed
// ones too; apply, copy, fill, what items hold, and loads at the border of a matrix.
#include <sycl/sycl.hpp>

#include "check.hpp"

namespace mx = sycl::ext::oneapi::experimental::matrix;
namespace imx = sycl::ext::intel::experimental::matrix;
using sycl::ext::oneapi::bfloat16;

template <class T> static auto pointer(T *at) {
  return sycl::address_space_cast<sycl::access::address_space::global_space, sycl::access::decorated::no>(at);
}
static int small(std::size_t i) { return int(i * 7 % 13) - 6; }

// Stored is how a and b lie in memory; two tiles along m and n, by two sub-groups of each group.
template <class Ta, class Tc, std::size_t M, std::size_t N, std::size_t K, mx::layout La, mx::layout Lb,
          class Stored = Ta>
static void product(sycl::queue &q) {
  constexpr std::size_t rows = 2 * M, columns = 2 * N, depth = 2 * K,
                        together = sizeof(Stored) < 4 ? 4 / sizeof(Stored) : 1;
  Stored *a = sycl::malloc_shared<Stored>(rows * depth, q), *b = sycl::malloc_shared<Stored>(depth * columns, q);
  Tc *c = sycl::malloc_shared<Tc>(rows * columns, q);
  for (std::size_t i = 0; i < rows; i++)
    for (std::size_t k = 0; k < depth; k++)
      a[La == mx::layout::col_major ? k * rows + i : i * depth + k] = Stored(small(i * depth + k));
  for (std::size_t k = 0; k < depth; k++)
    for (std::size_t j = 0; j < columns; j++)
      b[Lb == mx::layout::col_major          ? j * depth + k
        : Lb == mx::layout::ext_intel_packed ? k / together * columns * together + j * together + k % together
                                             : k * columns + j] = Stored(small(5 * k + j * 3));
  q.parallel_for(sycl::nd_range<2>({2, 64}, {1, 64}), [=](sycl::nd_item<2> it) {
     const sycl::sub_group g = it.get_sub_group();
     const std::size_t i = it.get_group(0) * M, j = g.get_group_linear_id() * N;
     mx::joint_matrix<sycl::sub_group, Ta, mx::use::a, M, K, La> left;
     mx::joint_matrix<sycl::sub_group, Ta, mx::use::b, K, N, Lb> right;
     mx::joint_matrix<sycl::sub_group, Tc, mx::use::accumulator, M, N> sum;
     mx::joint_matrix_fill(g, sum, 1);
     for (std::size_t k = 0; k < depth; k += K) {
       mx::joint_matrix_load(g, left, pointer(a + (La == mx::layout::col_major ? k * rows + i : i * depth + k)),
                             La == mx::layout::col_major ? rows : depth);
       mx::joint_matrix_load(
           g, right,
           pointer(b + (Lb == mx::layout::col_major          ? j * depth + k
                        : Lb == mx::layout::ext_intel_packed ? k / together * columns * together + j * together
                                                             : k * columns + j)),
           Lb == mx::layout::col_major          ? depth
           : Lb == mx::layout::ext_intel_packed ? columns * together
                                                : columns);
       mx::joint_matrix_mad(g, sum, left, right, sum);
     }
     mx::joint_matrix_store(g, sum, pointer(c + i * columns + j), columns, mx::layout::row_major);
   }).wait();
  for (std::size_t i = 0; i < rows; i++)
    for (std::size_t j = 0; j < columns; j++) {
      int wanted = 1;
      for (std::size_t k = 0; k < depth; k++)
        wanted += small(i * depth + k) * small(5 * k + j * 3);
      if (!CHECK(c[i * columns + j] == Tc(wanted)))
        std::printf("at %zu %zu: %g, not %d\n", i, j, double(c[i * columns + j]), wanted);
    }
  sycl::free(a, q), sycl::free(b, q), sycl::free(c, q);
}

// What an item does with its elements, and the layout that an accumulator has in memory.
static void elements(sycl::queue &q) {
  constexpr std::size_t M = 6, N = 10;
  float *in = sycl::malloc_shared<float>(M * N, q), *out = sycl::malloc_shared<float>(5 * M * N, q);
  int *counted = sycl::malloc_shared<int>(1, q);
  *counted = 0;
  for (std::size_t i = 0; i < M * N; i++)
    in[i] = float(i);
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> it) {
     const sycl::sub_group g = it.get_sub_group();
     mx::joint_matrix<sycl::sub_group, float, mx::use::accumulator, M, N> one, two;
     mx::joint_matrix_load(g, one, pointer(in), N, mx::layout::row_major);
     mx::joint_matrix_copy(g, one, two);
     mx::joint_matrix_apply(g, two, [](float &x) { x *= 2; });
     mx::joint_matrix_store(g, two, pointer(out), M, mx::layout::col_major);
     mx::joint_matrix_apply(g, one, two, [](float &x, float &y) { x += y, y = 0; });
     mx::joint_matrix_store(g, one, pointer(out + M * N), N, mx::layout::row_major);
     mx::joint_matrix_store(g, two, pointer(out + 2 * M * N), N, mx::layout::row_major);
     imx::joint_matrix_apply(g, two,
                             [](float &x, std::size_t row, std::size_t column) { x = float(100 * row + column); });
     auto own = imx::get_wi_data(g, two);
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(*counted) += int(own.length());
     for (std::size_t i = 0; i < own.length(); i++) {
       auto [row, column] = own[i].get_coord();
       if (own[i] == float(100 * row + column))
         own[i] += 1;
     }
     mx::joint_matrix_store(g, two, pointer(out + 3 * M * N), N, mx::layout::row_major);
     imx::joint_matrix_load_checked(g, two, pointer(in), N, mx::layout::row_major, M, N, 2, 4);
     mx::joint_matrix_store(g, two, pointer(out + 4 * M * N), N, mx::layout::row_major);
   }).wait();
  CHECK(*counted == int(M * N));
  for (std::size_t i = 0; i < M; i++)
    for (std::size_t j = 0; j < N; j++) {
      CHECK(out[j * M + i] == 2 * in[i * N + j]);
      CHECK(out[M * N + i * N + j] == 3 * in[i * N + j]);
      CHECK(out[2 * M * N + i * N + j] == 0);
      CHECK(out[3 * M * N + i * N + j] == float(100 * i + j + 1));
      CHECK(out[4 * M * N + i * N + j] == (i + 2 < M && j + 4 < N ? in[(i + 2) * N + j + 4] : 0));
    }
  sycl::free(in, q), sycl::free(out, q), sycl::free(counted, q);
}

int main() {
  sycl::queue q;
  using mx::layout;
  product<bfloat16, float, 16, 16, 16, layout::row_major, layout::row_major>(q);
  product<bfloat16, float, 8, 16, 16, layout::row_major, layout::ext_intel_packed>(q);
  product<sycl::half, float, 16, 16, 16, layout::col_major, layout::row_major>(q);
  product<sycl::half, float, 32, 8, 16, layout::row_major, layout::col_major>(q);
  product<std::int8_t, std::int32_t, 8, 16, 32, layout::row_major, layout::ext_intel_packed>(q);
  product<mx::precision::tf32, float, 16, 16, 8, layout::row_major, layout::col_major, float>(q);
  product<double, double, 8, 8, 4, layout::row_major, layout::col_major>(q);
  product<bfloat16, float, 1, 16, 16, layout::row_major, layout::row_major>(q); // some items have none
  product<float, float, 5, 7, 3, layout::row_major, layout::col_major>(q);      // rows end within an item
  elements(q);
  CHECK(mx::round_to_tf32(1.0f + 0x1p-12f) == 1.0f && mx::round_to_tf32(1.0f + 0x1p-11f) == 1.0f + 0x1p-10f);
  CHECK(!q.get_device().get_info<sycl::ext::oneapi::experimental::info::device::matrix_combinations>().empty());
  CHECK(q.get_device().has(sycl::aspect::ext_intel_matrix));
  return report();
}
