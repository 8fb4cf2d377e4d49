// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_root_group: all work-groups of a launch, which may meet. A kernel in which they do has groups that wait for
// each other (runtime/grid.c), as many as there are.
#ifndef UNWARP_SYCL_ROOT_GROUP_HPP
#define UNWARP_SYCL_ROOT_GROUP_HPP

#include "group_algorithms.hpp"
#include "nd_item.hpp"

#define SYCL_EXT_ONEAPI_ROOT_GROUP 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi {
namespace experimental {

template <int Dimensions> class root_group {
public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::device;

  id_type get_group_id() const { return {}; }
  id_type get_local_id() const { return detail::global_index<Dimensions>(); }
  range_type get_group_range() const { return range_type::filled(1); }
  range_type get_local_range() const { return group<Dimensions>().get_global_range(); }
  range_type get_max_local_range() const { return get_local_range(); }
  linear_id_type get_group_linear_id() const { return 0; }
  linear_id_type get_local_linear_id() const {
    return detail::linear(get_local_id(), detail::as_id(get_local_range()));
  }
  linear_id_type get_group_linear_range() const { return 1; }
  linear_id_type get_local_linear_range() const { return get_local_range().size(); }
  bool leader() const { return get_local_linear_id() == 0; }
};

template <int D> __UW_INLINE group<D> get_child_group(root_group<D>) { return {}; }
template <int D> __UW_INLINE sub_group get_child_group(group<D>) { return {}; }
namespace this_kernel {
template <int D> __UW_INLINE root_group<D> get_root_group() { return {}; }
} // namespace this_kernel

namespace info::kernel_queue_specific {
struct max_num_work_groups {
  using return_type = std::size_t;
};
struct max_num_work_group_sync { // its older name
  using return_type = std::size_t;
};
} // namespace info::kernel_queue_specific

} // namespace experimental
namespace this_work_item {
template <int D> __UW_INLINE experimental::root_group<D> get_root_group() { return {}; }
} // namespace this_work_item
} // namespace ext::oneapi

template <int D> struct is_group<ext::oneapi::experimental::root_group<D>> : std::true_type {};

template <int D>
__UW_INLINE void group_barrier(ext::oneapi::experimental::root_group<D>, memory_scope = memory_scope::device) {
  detail::__unwarp_barrier(0);
  detail::__unwarp_root_barrier();
}

namespace detail {
namespace ask_meeting = ext::oneapi::experimental::info::kernel_queue_specific;
template <class Descriptor>
inline constexpr bool asks_for_groups_that_meet = std::is_same_v<Descriptor, ask_meeting::max_num_work_groups> ||
                                                  std::is_same_v<Descriptor, ask_meeting::max_num_work_group_sync>;
} // namespace detail

} // namespace _V1
} // namespace sycl
#endif
