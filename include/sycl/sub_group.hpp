// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::sub_group (SYCL 2020, section 4.9.1.8): 32 neighbouring items of a work-group; the last one of a group may have
// fewer.
#ifndef UNWARP_SYCL_SUB_GROUP_HPP
#define UNWARP_SYCL_SUB_GROUP_HPP

#include "group.hpp"

namespace sycl {
inline namespace _V1 {
template <class T, int N> class vec;
namespace detail {

inline constexpr std::uint32_t sub_group_size = 32;

__UW_INLINE std::uint32_t items_of_group() { return __unwarp_extent_0() * __unwarp_extent_1() * __unwarp_extent_2(); }
__UW_INLINE std::uint32_t item_of_group() {
  return __unwarp_local_0() + __unwarp_extent_0() * (__unwarp_local_1() + __unwarp_extent_1() * __unwarp_local_2());
}

} // namespace detail

class sub_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id_type get_local_id() const { return get_local_linear_id(); }
  linear_id_type get_local_linear_id() const { return detail::__unwarp_lane(); }
  range_type get_local_range() const { return get_local_linear_range(); }
  linear_id_type get_local_linear_range() const {
    const std::uint32_t left = detail::items_of_group() - get_group_linear_id() * detail::sub_group_size;
    return left < detail::sub_group_size ? left : detail::sub_group_size;
  }
  range_type get_max_local_range() const { return detail::sub_group_size; }
  id_type get_group_id() const { return get_group_linear_id(); }
  linear_id_type get_group_linear_id() const { return detail::item_of_group() / detail::sub_group_size; }
  range_type get_group_range() const { return get_group_linear_range(); }
  linear_id_type get_group_linear_range() const {
    return (detail::items_of_group() + detail::sub_group_size - 1) / detail::sub_group_size;
  }
  range_type get_max_group_range() const { return get_group_range(); }
  bool leader() const { return get_local_linear_id() == 0; }
  void barrier(access::fence_space = access::fence_space::global_and_local) const { detail::__unwarp_sub_barrier(-1); }

  // Defined in group_algorithms.hpp.
  template <class T> T shuffle(T value, id<1> from) const;
  template <class T> T shuffle_down(T value, std::uint32_t delta) const;
  template <class T> T shuffle_up(T value, std::uint32_t delta) const;
  template <class T> T shuffle_xor(T value, id<1> mask) const;

  // DPC++'s: neighbours for neighbouring items. Of a vec element i lies i sub-groups further.
  template <class P> auto load(P from) const { return std::decay_t<decltype(from[0])>(from[get_local_linear_id()]); }
  template <int N, class P> auto load(P from) const {
    vec<std::decay_t<decltype(from[0])>, N> all;
    for (int i = 0; i < N; i++)
      all[i] = from[get_local_linear_id() + std::size_t(i) * detail::sub_group_size];
    return all;
  }
  template <class P, class T> void store(P to, const T &value) const { to[get_local_linear_id()] = value; }
  template <int N, class T, class P> void store(P to, const vec<T, N> &all) const {
    for (int i = 0; i < N; i++)
      to[get_local_linear_id() + std::size_t(i) * detail::sub_group_size] = all[i];
  }

  friend bool operator==(const sub_group &a, const sub_group &b) {
    return a.get_group_linear_id() == b.get_group_linear_id();
  }
  friend bool operator!=(const sub_group &a, const sub_group &b) { return !(a == b); }
};

} // namespace _V1
} // namespace sycl
#endif
