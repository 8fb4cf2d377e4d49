// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_non_uniform_groups, by its first names and by those of sycl_ext_oneapi_fragment, _chunk and _tangle:
// some items of a sub-group as a group of their own. Each is the mask of its items; the group functions
// (group_algorithms.hpp) exchange among those.
#ifndef UNWARP_SYCL_PARTS_OF_SUB_GROUP_HPP
#define UNWARP_SYCL_PARTS_OF_SUB_GROUP_HPP

#include "sub_group.hpp"

#define SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS 1
#define SYCL_EXT_ONEAPI_FRAGMENT 1
#define SYCL_EXT_ONEAPI_CHUNK 1
#define SYCL_EXT_ONEAPI_TANGLE 1

namespace sycl {
inline namespace _V1 {
namespace detail {

// The items that a sub-group has, which are fewer in the last one of a group.
__UW_INLINE std::uint32_t lanes_of(sub_group g) { return 0xffffffffu >> (sub_group_size - g.get_local_linear_range()); }

class part_of_sub_group {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  linear_id_type get_group_linear_id() const { return number; }
  linear_id_type get_group_linear_range() const { return parts; }
  linear_id_type get_local_linear_id() const {
    return std::uint32_t(__builtin_popcount(mask & ((1u << __unwarp_lane()) - 1)));
  }
  linear_id_type get_local_linear_range() const { return std::uint32_t(__builtin_popcount(mask)); }
  id_type get_group_id() const { return get_group_linear_id(); }
  id_type get_local_id() const { return get_local_linear_id(); }
  range_type get_group_range() const { return get_group_linear_range(); }
  range_type get_local_range() const { return get_local_linear_range(); }
  bool leader() const { return get_local_linear_id() == 0; }

  static constexpr int unwarp_most = 32; // items
  __UW_INLINE int unwarp_mask() const { return int(mask); }
  // The position in the sub-group of the part's item i.
  __UW_INLINE int unwarp_lane(std::uint32_t i) const {
    std::uint32_t rest = mask;
    for (; i > 0 && rest != 0; i--)
      rest &= rest - 1;
    return rest == 0 ? int(__unwarp_lane()) : __builtin_ctz(rest);
  }

protected:
  __UW_INLINE part_of_sub_group(std::uint32_t mask, std::uint32_t number, std::uint32_t parts)
      : mask(mask), number(number), parts(parts) {}

private:
  std::uint32_t mask, number, parts;
};
template <class G> inline constexpr bool is_part = std::is_base_of_v<part_of_sub_group, std::decay_t<G>>;

} // namespace detail

namespace ext::oneapi::experimental {

// Items that follow each other, Size of them.
template <std::size_t Size, class Parent> class fixed_size_group : public detail::part_of_sub_group {
  static_assert(Size > 0 && Size <= detail::sub_group_size && (Size & (Size - 1)) == 0,
                "the size is a power of two, and not more than a sub-group has items");

public:
  __UW_INLINE explicit fixed_size_group(sub_group g)
      : part_of_sub_group((0xffffffffu >> (detail::sub_group_size - Size) << first(g)) & detail::lanes_of(g),
                          first(g) / Size, (g.get_local_linear_range() + Size - 1) / Size) {}

  static constexpr int unwarp_most = int(Size);
  __UW_INLINE int unwarp_lane(std::uint32_t i) const {
    return int(detail::__unwarp_lane() / Size * Size + (i & (Size - 1)));
  }

private:
  static __UW_INLINE std::uint32_t first(sub_group g) { return g.get_local_linear_id() / Size * Size; }
};
// Those that gave the same answer.
template <class Parent> class ballot_group : public detail::part_of_sub_group {
public:
  __UW_INLINE ballot_group(sub_group g, bool predicate)
      : part_of_sub_group(std::uint32_t(detail::__unwarp_vote_ballot(-1, predicate)) ^
                              (predicate ? 0 : detail::lanes_of(g)),
                          predicate, 2) {}
};
// Those that are in this branch.
template <class Parent> class tangle_group : public detail::part_of_sub_group {
public:
  __UW_INLINE explicit tangle_group(sub_group)
      : part_of_sub_group(std::uint32_t(detail::__unwarp_active_mask()), 0, 1) {}
};

template <std::size_t Size, class Parent> using chunk = fixed_size_group<Size, Parent>;
template <class Parent> using fragment = ballot_group<Parent>;
template <class Parent> using tangle = tangle_group<Parent>;

template <std::size_t Size> __UW_INLINE fixed_size_group<Size, sub_group> get_fixed_size_group(sub_group g) {
  return fixed_size_group<Size, sub_group>(g);
}
template <std::size_t Size> __UW_INLINE chunk<Size, sub_group> chunked_partition(sub_group g) {
  return chunk<Size, sub_group>(g);
}
__UW_INLINE ballot_group<sub_group> get_ballot_group(sub_group g, bool predicate) { return {g, predicate}; }
__UW_INLINE fragment<sub_group> binary_partition(sub_group g, bool predicate) { return {g, predicate}; }
__UW_INLINE tangle_group<sub_group> get_tangle_group(sub_group g) { return tangle_group<sub_group>(g); }
__UW_INLINE tangle<sub_group> entangle(sub_group g) { return tangle<sub_group>(g); }

template <class T> struct is_fixed_topology_group : std::bool_constant<std::is_same_v<T, sub_group>> {};
template <int D> struct is_fixed_topology_group<group<D>> : std::true_type {};
template <class T> inline constexpr bool is_fixed_topology_group_v = is_fixed_topology_group<T>::value;
template <class T> struct is_user_constructed_group : std::bool_constant<detail::is_part<T>> {};
template <class T> inline constexpr bool is_user_constructed_group_v = is_user_constructed_group<T>::value;

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
