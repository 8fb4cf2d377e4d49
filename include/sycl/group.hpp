// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::group (SYCL 2020, section 4.9.1.7): the work-group of the running item. All is read where it is asked for, but
// for the items of hierarchical kernels.
#ifndef UNWARP_SYCL_GROUP_HPP
#define UNWARP_SYCL_GROUP_HPP

#include "access.hpp"
#include "detail/place.hpp"
#include "device_event.hpp"
#include "multi_ptr.hpp"

namespace sycl {
inline namespace _V1 {

template <int Dimensions> class h_item;

template <int Dimensions = 1> class group {
public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  group() = default;
  explicit group(const range_type &logical) : logical(logical) {}
  // Of hierarchical kernels, in hierarchical.hpp.
  template <class F> void parallel_for_work_item(const F &f) const;
  template <class F> void parallel_for_work_item(const range_type &extent, const F &f) const;

  id_type get_group_id() const { return detail::group_index<Dimensions>(); }
  std::size_t get_group_id(int dimension) const { return get_group_id()[dimension]; }
  id_type get_id() const { return get_group_id(); }
  std::size_t get_id(int dimension) const { return get_group_id()[dimension]; }
  std::size_t operator[](int dimension) const { return get_group_id()[dimension]; }
  id_type get_local_id() const { return detail::local_index<Dimensions>(); }
  std::size_t get_local_id(int dimension) const { return get_local_id()[dimension]; }
  range_type get_local_range() const { return logical.at[0] ? logical : detail::local_range<Dimensions>(); }
  std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  range_type get_max_local_range() const { return get_local_range(); }
  range_type get_group_range() const { return detail::group_range<Dimensions>(); }
  std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  range_type get_global_range() const { return get_group_range() * get_local_range(); }
  std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  linear_id_type get_group_linear_id() const {
    return detail::linear(get_group_id(), detail::as_id(get_group_range()));
  }
  linear_id_type get_linear_id() const { return get_group_linear_id(); }
  linear_id_type get_local_linear_id() const {
    return detail::linear(get_local_id(), detail::as_id(get_local_range()));
  }
  linear_id_type get_group_linear_range() const { return get_group_range().size(); }
  linear_id_type get_local_linear_range() const { return get_local_range().size(); }
  bool leader() const { return get_local_linear_id() == 0; }

  void mem_fence(access::fence_space = access::fence_space::global_and_local) const { detail::__unwarp_fence(); }

  template <class T> device_event async_work_group_copy(T *to, const T *from, std::size_t count) const {
    return async_work_group_copy(to, from, count, 1, 1);
  }
  // Each item copies its part. The strides are those of the global side, as the standard has it.
  template <class T>
  device_event async_work_group_copy(T *to, const T *from, std::size_t count, std::size_t to_stride,
                                     std::size_t from_stride) const {
    for (std::size_t i = get_local_linear_id(); i < count; i += get_local_linear_range())
      to[i * to_stride] = from[i * from_stride];
    return {};
  }
  template <class T, class U, access::address_space S, access::address_space R, access::decorated D,
            access::decorated E>
  device_event async_work_group_copy(const multi_ptr<T, S, D> &to, const multi_ptr<U, R, E> &from,
                                     std::size_t count) const {
    return async_work_group_copy<T>(to.get_raw(), from.get_raw(), count, 1, 1);
  }
  template <class T, class U, access::address_space S, access::address_space R, access::decorated D,
            access::decorated E>
  device_event async_work_group_copy(const multi_ptr<T, S, D> &to, const multi_ptr<U, R, E> &from, std::size_t count,
                                     std::size_t stride) const {
    constexpr bool to_global = S == access::address_space::global_space;
    return async_work_group_copy<T>(to.get_raw(), from.get_raw(), count, to_global ? stride : 1,
                                    to_global ? 1 : stride);
  }
  template <class... Events> void wait_for(Events...) const { detail::__unwarp_barrier(0); }

  friend bool operator==(const group &a, const group &b) { return a.get_group_id() == b.get_group_id(); }
  friend bool operator!=(const group &a, const group &b) { return !(a == b); }

private:
  range_type logical; // what a hierarchical kernel has for its items; else 0
};

} // namespace _V1
} // namespace sycl
#endif
