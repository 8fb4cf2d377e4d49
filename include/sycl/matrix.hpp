// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_matrix and sycl_ext_intel_matrix: products of small matrices by a sub-group. Elements lie in their
// items row by row, as many neighbours in each. For a product the items write a and b to memory that all of them read,
// and each adds up its elements of d. One such memory a group is enough: its sub-groups run one after the other between
// two barriers of the group, and a product stands between two barriers of the sub-group.
#ifndef UNWARP_SYCL_MATRIX_HPP
#define UNWARP_SYCL_MATRIX_HPP

#include <algorithm>

#include "bit_cast.hpp"
#include "ext_properties.hpp"
#include "group_algorithms.hpp"
#include "half.hpp"
#include "marray.hpp"
#include "multi_ptr.hpp"

#define SYCL_EXT_ONEAPI_MATRIX 1
#define SYCL_EXT_INTEL_MATRIX 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental::matrix {

enum class use { a, b, accumulator };
enum class layout { row_major = 0, col_major = 1, ext_intel_packed = 2, dynamic = 3 };
namespace precision {
class tf32 {
  tf32() = delete;
};
} // namespace precision

template <class Group, class T, use Use, std::size_t Rows, std::size_t Columns, layout Layout = layout::dynamic>
class joint_matrix;

} // namespace ext::oneapi::experimental::matrix

namespace detail {

namespace mx = ext::oneapi::experimental::matrix;

// The type of an element in memory and in an item, and what products of two are added up in.
template <class T> struct matrix_element {
  using stored = T;
  using sum = std::conditional_t<std::is_integral_v<T>, std::int32_t, float>;
};
template <> struct matrix_element<double> {
  using stored = double;
  using sum = double;
};
template <> struct matrix_element<mx::precision::tf32> {
  using stored = float;
  using sum = float;
};

// Where an element lies in memory. Packed: those of 4 bytes of a column stand together.
template <class T>
__UW_INLINE std::size_t matrix_place(mx::layout layout, std::size_t row, std::size_t column, std::size_t stride) {
  constexpr std::size_t together = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
  if (layout == mx::layout::col_major)
    return column * stride + row;
  if (layout == mx::layout::ext_intel_packed)
    return row / together * stride + column * together + row % together;
  return row * stride + column;
}

#ifdef __SYCL_DEVICE_ONLY__
template <int Bytes> struct matrix_bytes {
  static inline __UW_GROUP_MEMORY unsigned char all alignas(64)[Bytes];
};
template <class T, int Count> __UW_INLINE T *matrix_scratch() {
  return static_cast<T *>(__unwarp_sycl_group_variable(
      (__attribute__((address_space(3))) void *)matrix_bytes<int(sizeof(T)) * Count>::all));
}
#else
template <class T, int Count> T *matrix_scratch() { return nullptr; }
#endif

// What an item has of a matrix: those of its elements that the matrix has, one by one.
template <class Matrix> class matrix_data {
public:
  class element {
  public:
    using stored = typename Matrix::unwarp_stored;
    element(stored &at, std::size_t row, std::size_t column) : at(at), row(row), column(column) {}
    operator stored() const { return at; }
    std::tuple<std::size_t, std::size_t> get_coord() const { return {row, column}; }
    explicit operator bool() const { return float(at) != 0; }
    template <class U> element &operator=(const U &value) {
      at = stored(value);
      return *this;
    }
    element &operator=(const element &other) { return *this = stored(other); }
#define __UW_CHANGE(op)                                                                                                \
  template <class U> element &operator op## = (const U &value) { return *this = stored(at op value); }
    __UW_CHANGE(+)
    __UW_CHANGE(-)
    __UW_CHANGE(*)
    __UW_CHANGE(/)
#undef __UW_CHANGE

  private:
    stored &at;
    std::size_t row, column;
  };
  explicit matrix_data(Matrix &matrix) : matrix(matrix) {}
  std::size_t length() const { return matrix.unwarp_length(); }
  element operator[](std::size_t i) {
    const std::size_t at = matrix.unwarp_first() + i;
    return element(matrix.unwarp_values[i], at / Matrix::unwarp_columns, at % Matrix::unwarp_columns);
  }

private:
  Matrix &matrix;
};
} // namespace detail

namespace ext::oneapi::detail { // programs of DPC++ name it so
using namespace sycl::detail;
template <class Group, class Matrix> sycl::detail::matrix_data<Matrix> get_wi_data(Group, Matrix &matrix) {
  return sycl::detail::matrix_data<Matrix>(matrix);
}
} // namespace ext::oneapi::detail
namespace ext::intel::experimental::matrix {
template <class Group, class Matrix> sycl::detail::matrix_data<Matrix> get_wi_data(Group, Matrix &matrix) {
  return sycl::detail::matrix_data<Matrix>(matrix);
}
struct layout {
  static constexpr auto packed = oneapi::experimental::matrix::layout::ext_intel_packed;
};
} // namespace ext::intel::experimental::matrix

namespace ext::oneapi::experimental::matrix {

template <class Group, class T, use Use, std::size_t Rows, std::size_t Columns, layout Layout> class joint_matrix {
  static_assert(std::is_same_v<Group, sub_group>, "a joint_matrix is a sub-group's");
  static_assert((Use == use::accumulator) == (Layout == layout::dynamic),
                "the layout of a matrix of use a or b is part of its type, that of an accumulator is not");

public:
  using unwarp_stored = typename detail::matrix_element<T>::stored;
  static constexpr std::size_t unwarp_rows = Rows, unwarp_columns = Columns;
  static constexpr std::size_t unwarp_count = (Rows * Columns + 31) / 32; // in each item
  joint_matrix() {}
  joint_matrix(const joint_matrix &) = delete;
  joint_matrix &operator=(const joint_matrix &) = delete;

  __UW_INLINE std::size_t unwarp_first() const { return detail::__unwarp_lane() * unwarp_count; }
  __UW_INLINE std::size_t unwarp_length() const {
    if constexpr (Rows * Columns % 32 == 0)
      return unwarp_count;
    const std::size_t first = unwarp_first();
    return first >= Rows * Columns ? 0 : std::min(unwarp_count, Rows * Columns - first);
  }
  // With the element's own place in the matrix.
  template <class F> __UW_INLINE void unwarp_each(const F &f) {
    const std::size_t first = unwarp_first();
    for (std::size_t i = 0; i < unwarp_count; i++)
      if (Rows * Columns % 32 == 0 || first + i < Rows * Columns)
        f(unwarp_values[i], (first + i) / Columns, (first + i) % Columns);
  }
  template <class F> __UW_INLINE void unwarp_each(const F &f) const {
    const_cast<joint_matrix *>(this)->unwarp_each([&](unwarp_stored &value, std::size_t row, std::size_t column) {
      f(static_cast<const unwarp_stored &>(value), row, column);
    });
  }

  unwarp_stored unwarp_values[unwarp_count];
};

template <class Group, class T, use Use, std::size_t Rows, std::size_t Columns, layout Layout, class V>
__UW_INLINE void joint_matrix_fill(Group, joint_matrix<Group, T, Use, Rows, Columns, Layout> &to, const V &value) {
  using stored = typename detail::matrix_element<T>::stored;
  to.unwarp_each([&](stored &each, std::size_t, std::size_t) { each = stored(value); });
}

// An accumulator's layout is said where it is loaded or stored.
template <class Group, class T, std::size_t Rows, std::size_t Columns, class U, access::address_space Space,
          access::decorated Decorated>
__UW_INLINE void joint_matrix_load(Group g,
                                   joint_matrix<Group, T, use::accumulator, Rows, Columns, layout::dynamic> &to,
                                   multi_ptr<U, Space, Decorated> from, std::size_t stride, layout how) {
  const U *memory = from.get();
  group_barrier(g);
  to.unwarp_each([&](auto &each, std::size_t row, std::size_t column) {
    each = memory[detail::matrix_place<U>(how, row, column, stride)];
  });
}
template <class Group, class T, use Use, std::size_t Rows, std::size_t Columns, layout Layout, class U,
          access::address_space Space, access::decorated Decorated, class = std::enable_if_t<Layout != layout::dynamic>>
__UW_INLINE void joint_matrix_load(Group g, joint_matrix<Group, T, Use, Rows, Columns, Layout> &to,
                                   multi_ptr<U, Space, Decorated> from, std::size_t stride) {
  const U *memory = from.get();
  group_barrier(g);
  to.unwarp_each([&](auto &each, std::size_t row, std::size_t column) {
    each = memory[detail::matrix_place<U>(Layout, row, column, stride)];
  });
}
template <class Group, class T, std::size_t Rows, std::size_t Columns, class U, access::address_space Space,
          access::decorated Decorated>
__UW_INLINE void
joint_matrix_store(Group g, const joint_matrix<Group, T, use::accumulator, Rows, Columns, layout::dynamic> &from,
                   multi_ptr<U, Space, Decorated> to, std::size_t stride, layout how) {
  U *memory = to.get();
  group_barrier(g);
  from.unwarp_each([&](const auto &each, std::size_t row, std::size_t column) {
    memory[detail::matrix_place<U>(how, row, column, stride)] = each;
  });
  group_barrier(g);
}

template <class Group, class T, class S, use Use, use UseTo, std::size_t Rows, std::size_t Columns, layout From,
          layout To>
__UW_INLINE void joint_matrix_copy(Group, joint_matrix<Group, T, Use, Rows, Columns, From> &from,
                                   joint_matrix<Group, S, UseTo, Rows, Columns, To> &to) {
  for (std::size_t i = 0; i < from.unwarp_count; i++)
    to.unwarp_values[i] = typename detail::matrix_element<S>::stored(from.unwarp_values[i]);
}

template <class Group, class T, use Use, std::size_t Rows, std::size_t Columns, layout Layout, class F>
__UW_INLINE void joint_matrix_apply(Group, joint_matrix<Group, T, Use, Rows, Columns, Layout> &matrix, F &&f) {
  matrix.unwarp_each([&](auto &each, std::size_t, std::size_t) { f(each); });
}
template <class Group, class T, class S, use Use, use Other, std::size_t Rows, std::size_t Columns, layout Layout,
          layout Layout2, class F>
__UW_INLINE void joint_matrix_apply(Group, joint_matrix<Group, T, Use, Rows, Columns, Layout> &matrix,
                                    joint_matrix<Group, S, Other, Rows, Columns, Layout2> &other, F &&f) {
  const std::size_t first = matrix.unwarp_first();
  matrix.unwarp_each([&](auto &each, std::size_t row, std::size_t column) {
    f(each, other.unwarp_values[row * Columns + column - first]);
  });
}

template <class Group, class Td, class Ta, class Tb, class Tc, std::size_t M, std::size_t K, std::size_t N,
          layout LayoutA, layout LayoutB>
__UW_INLINE void joint_matrix_mad(Group g, joint_matrix<Group, Td, use::accumulator, M, N, layout::dynamic> &d,
                                  const joint_matrix<Group, Ta, use::a, M, K, LayoutA> &a,
                                  const joint_matrix<Group, Tb, use::b, K, N, LayoutB> &b,
                                  const joint_matrix<Group, Tc, use::accumulator, M, N, layout::dynamic> &c) {
  using Sum = typename detail::matrix_element<Ta>::sum;
  // Integer sums wrap around.
  using Word = std::conditional_t<std::is_integral_v<Sum>, std::uint32_t, Sum>;
  constexpr std::size_t count = (M * N + 31) / 32;
  Word *left = detail::matrix_scratch<Word, int(M * K + K * N)>(), *right = left + M * K;
  a.unwarp_each(
      [&](const auto &each, std::size_t row, std::size_t column) { left[row * K + column] = Word(Sum(each)); });
  b.unwarp_each(
      [&](const auto &each, std::size_t row, std::size_t column) { right[row * N + column] = Word(Sum(each)); });
  group_barrier(g);
  const std::size_t first = d.unwarp_first();
  Word sum[count];
  for (std::size_t i = 0; i < count; i++)
    sum[i] = Word(Sum(c.unwarp_values[i]));
  if constexpr (N % count == 0) { // neighbours of one row
    if (M * N % 32 == 0 || first < M * N) {
      const std::size_t row = first / N, column = first % N;
      for (std::size_t k = 0; k < K; k++)
        for (std::size_t i = 0; i < count; i++)
          sum[i] += left[row * K + k] * right[k * N + column + i];
    }
  } else {
    for (std::size_t i = 0; i < count && first + i < M * N; i++)
      for (std::size_t k = 0; k < K; k++)
        sum[i] += left[(first + i) / N * K + k] * right[k * N + (first + i) % N];
  }
  for (std::size_t i = 0; i < count; i++)
    d.unwarp_values[i] = typename detail::matrix_element<Td>::stored(Sum(sum[i]));
  group_barrier(g);
}

// A hint.
template <std::size_t Rows, std::size_t Columns, class Group, class T, class P = empty_properties_t>
void joint_matrix_prefetch(Group, T *, std::size_t, layout, P = {}) {}

// To 10 fraction bits, to nearest, ties away from zero.
inline float round_to_tf32(const float &value) {
  const std::uint32_t bits = sycl::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000u) == 0x7f800000u ? value : sycl::bit_cast<float>((bits + 0x1000u) & 0xffffe000u);
}

// --- queries
enum class matrix_type { bf16, fp16, tf32, fp32, fp64, sint8, sint16, sint32, sint64, uint8, uint16, uint32, uint64 };
struct combination {
  std::size_t max_msize, max_nsize, max_ksize, msize, nsize, ksize;
  matrix_type atype, btype, ctype, dtype;
};
} // namespace ext::oneapi::experimental::matrix

namespace ext::oneapi::experimental::info::device {
struct matrix_combinations {
  using return_type = std::vector<matrix::combination>;
};
} // namespace ext::oneapi::experimental::info::device

namespace detail {
// Any size will do; said are those that other devices have.
inline std::vector<mx::combination> matrix_combinations() {
  using T = mx::matrix_type;
  std::vector<mx::combination> list;
  for (T a : {T::uint8, T::sint8})
    for (T b : {T::uint8, T::sint8})
      list.push_back({16, 16, 64, 0, 0, 0, a, b, T::sint32, T::sint32});
  list.push_back({16, 16, 32, 0, 0, 0, T::bf16, T::bf16, T::fp32, T::fp32});
  list.push_back({16, 16, 32, 0, 0, 0, T::fp16, T::fp16, T::fp32, T::fp32});
  list.push_back({0, 0, 0, 16, 16, 8, T::tf32, T::tf32, T::fp32, T::fp32});
  list.push_back({0, 0, 0, 8, 8, 4, T::fp64, T::fp64, T::fp64, T::fp64});
  return list;
}
} // namespace detail

// --- what sycl_ext_intel_matrix adds
namespace ext::intel::experimental::matrix {
namespace mx = oneapi::experimental::matrix;

template <class Group, class T, mx::use Use, std::size_t Rows, std::size_t Columns, mx::layout Layout, class F>
__UW_INLINE void joint_matrix_apply(Group, mx::joint_matrix<Group, T, Use, Rows, Columns, Layout> &matrix, F &&f) {
  matrix.unwarp_each([&](auto &each, std::size_t row, std::size_t column) { f(each, row, column); });
}
template <class Group, class T, mx::use Use, std::size_t Rows, std::size_t Columns, mx::layout Layout, class U,
          access::address_space Space, access::decorated Decorated,
          class = std::enable_if_t<Use != mx::use::accumulator>>
__UW_INLINE void joint_matrix_store(Group g, const mx::joint_matrix<Group, T, Use, Rows, Columns, Layout> &from,
                                    multi_ptr<U, Space, Decorated> to, std::size_t stride) {
  U *memory = to.get();
  group_barrier(g);
  from.unwarp_each([&](const auto &each, std::size_t row, std::size_t column) {
    memory[sycl::detail::matrix_place<U>(Layout, row, column, stride)] = each;
  });
  group_barrier(g);
}

// Of a matrix of `rows` by `columns` in memory, from (row, column): what is outside of it is 0, or is not written.
template <class Group, class T, mx::use Use, std::size_t Rows, std::size_t Columns, mx::layout Layout, class V>
__UW_INLINE void joint_matrix_fill_checked(Group, mx::joint_matrix<Group, T, Use, Rows, Columns, Layout> &to,
                                           const V &value, std::size_t, std::size_t rows, std::size_t columns,
                                           std::size_t row, std::size_t column) {
  using stored = typename sycl::detail::matrix_element<T>::stored;
  to.unwarp_each([&](stored &each, std::size_t i, std::size_t j) {
    each = row + i < rows && column + j < columns ? stored(value) : stored(0);
  });
}
template <class Group, class T, std::size_t Rows, std::size_t Columns, class U, access::address_space Space,
          access::decorated Decorated>
__UW_INLINE void
joint_matrix_load_checked(Group g,
                          mx::joint_matrix<Group, T, mx::use::accumulator, Rows, Columns, mx::layout::dynamic> &to,
                          multi_ptr<U, Space, Decorated> from, std::size_t stride, mx::layout how, std::size_t rows,
                          std::size_t columns, std::size_t row, std::size_t column) {
  const U *memory = from.get();
  group_barrier(g);
  to.unwarp_each([&](auto &each, std::size_t i, std::size_t j) {
    each = row + i < rows && column + j < columns
               ? memory[sycl::detail::matrix_place<U>(how, row + i, column + j, stride)]
               : U(0);
  });
}
template <class Group, class T, mx::use Use, std::size_t Rows, std::size_t Columns, mx::layout Layout, class U,
          access::address_space Space, access::decorated Decorated,
          class = std::enable_if_t<Layout != mx::layout::dynamic>>
__UW_INLINE void joint_matrix_load_checked(Group g, mx::joint_matrix<Group, T, Use, Rows, Columns, Layout> &to,
                                           multi_ptr<U, Space, Decorated> from, std::size_t stride, std::size_t rows,
                                           std::size_t columns, std::size_t row, std::size_t column) {
  const U *memory = from.get();
  group_barrier(g);
  to.unwarp_each([&](auto &each, std::size_t i, std::size_t j) {
    each = row + i < rows && column + j < columns
               ? memory[sycl::detail::matrix_place<U>(Layout, row + i, column + j, stride)]
               : U(0);
  });
}
template <class Group, class T, std::size_t Rows, std::size_t Columns, class U, access::address_space Space,
          access::decorated Decorated>
__UW_INLINE void joint_matrix_store_checked(
    Group g, const mx::joint_matrix<Group, T, mx::use::accumulator, Rows, Columns, mx::layout::dynamic> &from,
    multi_ptr<U, Space, Decorated> to, std::size_t stride, mx::layout how, std::size_t rows, std::size_t columns,
    std::size_t row, std::size_t column) {
  U *memory = to.get();
  group_barrier(g);
  from.unwarp_each([&](const auto &each, std::size_t i, std::size_t j) {
    if (row + i < rows && column + j < columns)
      memory[sycl::detail::matrix_place<U>(how, row + i, column + j, stride)] = each;
  });
  group_barrier(g);
}
} // namespace ext::intel::experimental::matrix

} // namespace _V1
} // namespace sycl
#endif
