// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_group_load_store: a group reads or writes an array together, some elements for each item.
#ifndef UNWARP_SYCL_GROUP_LOAD_STORE_HPP
#define UNWARP_SYCL_GROUP_LOAD_STORE_HPP

#include "ext_properties.hpp"
#include "group_algorithms.hpp"
#include "group_barrier.hpp"
#include "span.hpp"
#include "vec.hpp"

#define SYCL_EXT_ONEAPI_GROUP_LOAD_STORE 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

enum class data_placement_enum { blocked, striped };
struct data_placement_key {};
template <data_placement_enum Placement> struct data_placement_value {
  using key_t = data_placement_key;
  static constexpr bool striped = Placement == data_placement_enum::striped;
};
template <data_placement_enum Placement> inline constexpr data_placement_value<Placement> data_placement;
inline constexpr data_placement_value<data_placement_enum::blocked> data_placement_blocked;
inline constexpr data_placement_value<data_placement_enum::striped> data_placement_striped;

// What a program says to help; nothing here needs it.
struct contiguous_memory_key {};
struct contiguous_memory_value {
  using key_t = contiguous_memory_key;
};
inline constexpr contiguous_memory_value contiguous_memory;
struct full_group_key {};
struct full_group_value {
  using key_t = full_group_key;
};
inline constexpr full_group_value full_group;

} // namespace ext::oneapi::experimental

namespace detail {
// Where element j of an item's n lies in the group's array.
template <class Properties, class Group>
__UW_INLINE std::size_t element_place(Group group, std::size_t j, std::size_t n) {
  using key = ext::oneapi::experimental::data_placement_key;
  const std::size_t item = group.get_local_linear_id();
  if constexpr (Properties::template has_property<key>()) {
    if constexpr (decltype(std::declval<Properties>().template get_property<key>())::striped)
      return j * group.get_local_linear_range() + item;
  }
  return item * n + j;
}
} // namespace detail

namespace ext::oneapi::experimental {

// Both begin and end with the whole group, as a barrier does: what one item stores another may load.
#define __UW_LOAD_STORE(parameter, count, load, store)                                                                 \
  template <class Group, class From, class T parameter, class P = empty_properties_t,                                  \
            class = std::enable_if_t<is_group_v<Group>>>                                                               \
  __UW_INLINE void group_load(Group group, From from, load out, P = {}) {                                              \
    for (std::size_t j = 0; j < count; j++)                                                                            \
      out[int(j)] = T(from[detail::element_place<P>(group, j, count)]);                                                \
    group_barrier(group);                                                                                              \
  }                                                                                                                    \
  template <class Group, class T parameter, class To, class P = empty_properties_t,                                    \
            class = std::enable_if_t<is_group_v<Group>>>                                                               \
  __UW_INLINE void group_store(Group group, store in, To to, P = {}) {                                                 \
    for (std::size_t j = 0; j < count; j++)                                                                            \
      to[detail::element_place<P>(group, j, count)] = std::decay_t<decltype(to[0])>(in[int(j)]);                       \
    group_barrier(group);                                                                                              \
  }
#define __UW_COMMA ,
__UW_LOAD_STORE(__UW_COMMA std::size_t N, N, span<T __UW_COMMA N>, span<T __UW_COMMA N>)
__UW_LOAD_STORE(__UW_COMMA int N, std::size_t(N), vec<T __UW_COMMA N> &, const vec<T __UW_COMMA N> &)
#undef __UW_COMMA
#undef __UW_LOAD_STORE

template <class Group, class From, class T, class P = empty_properties_t,
          class = std::enable_if_t<is_group_v<Group> && detail::is_number<T>>>
__UW_INLINE void group_load(Group group, From from, T &out, P = {}) {
  out = T(from[group.get_local_linear_id()]);
  group_barrier(group);
}
template <class Group, class T, class To, class P = empty_properties_t,
          class = std::enable_if_t<is_group_v<Group> && detail::is_number<T>>>
__UW_INLINE void group_store(Group group, const T &in, To to, P = {}) {
  to[group.get_local_linear_id()] = std::decay_t<decltype(to[0])>(in);
  group_barrier(group);
}

// sycl_ext_oneapi_non_uniform_groups: who happens to come here together is up to an implementation; here it is an item
// alone.
class opportunistic_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;
  id_type get_group_id() const { return detail::__unwarp_lane(); }
  id_type get_local_id() const { return 0; }
  range_type get_group_range() const { return detail::sub_group_size; }
  range_type get_local_range() const { return 1; }
  linear_id_type get_group_linear_id() const { return detail::__unwarp_lane(); }
  linear_id_type get_local_linear_id() const { return 0; }
  linear_id_type get_group_linear_range() const { return detail::sub_group_size; }
  linear_id_type get_local_linear_range() const { return 1; }
  bool leader() const { return true; }
};
namespace this_kernel {
inline opportunistic_group get_opportunistic_group() { return {}; }
} // namespace this_kernel
} // namespace ext::oneapi::experimental
namespace ext::oneapi::this_work_item {
using experimental::this_kernel::get_opportunistic_group;
}

inline void group_barrier(ext::oneapi::experimental::opportunistic_group, memory_scope = memory_scope::sub_group) {}
template <class T> T group_broadcast(ext::oneapi::experimental::opportunistic_group, T value) { return value; }
template <class T> T group_broadcast(ext::oneapi::experimental::opportunistic_group, T value, id<1>) { return value; }
inline bool any_of_group(ext::oneapi::experimental::opportunistic_group, bool value) { return value; }
inline bool all_of_group(ext::oneapi::experimental::opportunistic_group, bool value) { return value; }
inline bool none_of_group(ext::oneapi::experimental::opportunistic_group, bool value) { return !value; }
template <class T, class Op> T reduce_over_group(ext::oneapi::experimental::opportunistic_group, T value, Op) {
  return value;
}
template <class T, class Op> T inclusive_scan_over_group(ext::oneapi::experimental::opportunistic_group, T value, Op) {
  return value;
}
template <class T, class Op> T exclusive_scan_over_group(ext::oneapi::experimental::opportunistic_group, T, Op) {
  return known_identity_v<Op, T>;
}

} // namespace _V1
} // namespace sycl
#endif
