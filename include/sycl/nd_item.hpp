// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::nd_item (SYCL 2020, section 4.9.1.5). Of its own it has the launch's offset only.
#ifndef UNWARP_SYCL_ND_ITEM_HPP
#define UNWARP_SYCL_ND_ITEM_HPP

#include "item.hpp"
#include "nd_range.hpp"
#include "sub_group.hpp"

namespace sycl {
inline namespace _V1 {

namespace ext::oneapi::experimental {
template <int Dimensions> class root_group;
}

template <int Dimensions = 1> class nd_item {
public:
  static constexpr int dimensions = Dimensions;

  nd_item() = delete;
  explicit constexpr nd_item(const id<Dimensions> &offset) : start(offset) {}

  id<Dimensions> get_global_id() const { return detail::global_index<Dimensions>() + start; }
  std::size_t get_global_id(int dimension) const { return get_global_id()[dimension]; }
  std::size_t get_global_linear_id() const {
    return detail::linear(detail::global_index<Dimensions>(), detail::as_id(get_global_range()));
  }
  id<Dimensions> get_local_id() const { return detail::local_index<Dimensions>(); }
  std::size_t get_local_id(int dimension) const { return get_local_id()[dimension]; }
  std::size_t get_local_linear_id() const { return get_group().get_local_linear_id(); }
  group<Dimensions> get_group() const { return {}; }
  sub_group get_sub_group() const { return {}; }
  auto ext_oneapi_get_root_group() const { return ext::oneapi::experimental::root_group<Dimensions>(); }
  std::size_t get_group(int dimension) const { return get_group().get_group_id(dimension); }
  std::size_t get_group_linear_id() const { return get_group().get_group_linear_id(); }
  range<Dimensions> get_group_range() const { return detail::group_range<Dimensions>(); }
  std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  range<Dimensions> get_local_range() const { return detail::local_range<Dimensions>(); }
  std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  range<Dimensions> get_global_range() const { return get_group().get_global_range(); }
  std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  id<Dimensions> get_offset() const { return start; }
  nd_range<Dimensions> get_nd_range() const { return {get_global_range(), get_local_range(), start}; }

  void barrier(access::fence_space = access::fence_space::global_and_local) const { detail::__unwarp_barrier(0); }
  template <access_mode Mode = access_mode::read_write>
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    detail::__unwarp_fence();
  }
  template <class... Arguments> device_event async_work_group_copy(const Arguments &...arguments) const {
    return get_group().async_work_group_copy(arguments...);
  }
  template <class... Events> void wait_for(Events...) const { detail::__unwarp_barrier(0); }

  friend bool operator==(const nd_item &a, const nd_item &b) { return a.start == b.start; }
  friend bool operator!=(const nd_item &a, const nd_item &b) { return !(a == b); }

private:
  id<Dimensions> start;
};

} // namespace _V1
} // namespace sycl
#endif
