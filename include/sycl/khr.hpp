// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Khronos' extensions of SYCL 2020: sycl_khr_free_function_commands, sycl_khr_work_item_queries and the casts of address
// spaces. Their members of queue and platform (khr_empty, khr_get_default_context) stand in those classes.
#ifndef UNWARP_SYCL_KHR_HPP
#define UNWARP_SYCL_KHR_HPP

#include "accessor.hpp"
#include "ext_queries.hpp"
#include "reduction.hpp"

#define SYCL_KHR_FREE_FUNCTION_COMMANDS 1
#define SYCL_KHR_WORK_ITEM_QUERIES 1
#define SYCL_KHR_QUEUE_EMPTY_QUERY 1
#define SYCL_KHR_DEFAULT_CONTEXT 1
#define SYCL_KHR_STATIC_ADDRSPACE_CAST 1
#define SYCL_KHR_DYNAMIC_ADDRSPACE_CAST 1

namespace sycl {
inline namespace _V1 {
namespace khr {

template <class F> __UW_LAUNCH void submit(queue to, F &&f, detail::submit_place place = detail::submit_place::here()) {
  to.submit(f, place);
}
template <class F>
__UW_LAUNCH event submit_tracked(queue to, F &&f, detail::submit_place place = detail::submit_place::here()) {
  return to.submit(f, place);
}

// No template in D, so that {rows, columns} is a range.
#define __UW_LAUNCHES(object, D)                                                                                       \
  template <class F> __UW_LAUNCH void launch(object to, range<D> extent, const F &f) { to.parallel_for(extent, f); }   \
  template <class F, class... Reductions>                                                                              \
  __UW_LAUNCH void launch_reduce(object to, range<D> extent, const F &f, Reductions &&...reductions) {                 \
    to.parallel_for(extent, reductions..., f);                                                                         \
  }                                                                                                                    \
  template <class F> __UW_LAUNCH void launch_grouped(object to, range<D> global, range<D> local, const F &f) {         \
    to.parallel_for(nd_range<D>(global, local), f);                                                                    \
  }                                                                                                                    \
  template <class F, class... Reductions>                                                                              \
  __UW_LAUNCH void launch_grouped_reduce(object to, range<D> global, range<D> local, const F &f,                       \
                                         Reductions &&...reductions) {                                                 \
    to.parallel_for(nd_range<D>(global, local), reductions..., f);                                                     \
  }
// `place` is memory, or an accessor.
#define __UW_COMMANDS(object)                                                                                          \
  __UW_LAUNCHES(object, 1)                                                                                             \
  __UW_LAUNCHES(object, 2)                                                                                             \
  __UW_LAUNCHES(object, 3)                                                                                             \
  template <class F> __UW_LAUNCH void launch_task(object to, const F &f) { to.single_task(f); }                        \
  inline void memcpy(object to, void *into, const void *from, std::size_t bytes) { to.memcpy(into, from, bytes); }     \
  template <class T> void copy(object to, const T *from, T *into, std::size_t count) { to.copy(from, into, count); }   \
  template <class From, class Into> void copy(object to, const From &from, const Into &into) { to.copy(from, into); }  \
  inline void memset(object to, void *place, int value, std::size_t bytes) { to.memset(place, value, bytes); }         \
  template <class T> void fill(object to, T *place, const T &pattern, std::size_t count) {                             \
    to.fill(place, pattern, count);                                                                                    \
  }                                                                                                                    \
  template <class T, int D, access_mode M, target G, access::placeholder P>                                            \
  void fill(object to, const accessor<T, D, M, G, P> &place, const std::remove_const_t<T> &value) {                    \
    to.fill(place, value);                                                                                             \
  }                                                                                                                    \
  template <class T, int D, access_mode M, target G, access::placeholder P>                                            \
  void update_host(object to, const accessor<T, D, M, G, P> &what) {                                                   \
    to.update_host(what);                                                                                              \
  }                                                                                                                    \
  inline void prefetch(object to, const void *place, std::size_t bytes) { to.prefetch(place, bytes); }                 \
  inline void mem_advise(object to, const void *place, std::size_t bytes, int advice) {                                \
    to.mem_advise(place, bytes, advice);                                                                               \
  }
__UW_COMMANDS(queue)
__UW_COMMANDS(handler &)
#undef __UW_COMMANDS
#undef __UW_LAUNCHES

inline void command_barrier(queue to) { to.ext_oneapi_submit_barrier(); }
inline void command_barrier(handler &to) { to.ext_oneapi_barrier(); }
inline void event_barrier(queue to, const std::vector<event> &events) { to.ext_oneapi_submit_barrier(events); }
inline void event_barrier(handler &to, const std::vector<event> &events) { to.ext_oneapi_barrier(events); }

template <int D> __UW_INLINE nd_item<D> this_nd_item() { return ext::oneapi::this_work_item::get_nd_item<D>(); }
template <int D> __UW_INLINE group<D> this_group() { return {}; }
__UW_INLINE sycl::sub_group this_sub_group() { return {}; }

// All spaces are one, so each cast is right.
#define __UW_CAST(name)                                                                                                \
  template <access::address_space Space, class T>                                                                      \
  __UW_INLINE multi_ptr<T, Space, access::decorated::no> name(T *pointer) {                                            \
    return multi_ptr<T, Space, access::decorated::no>(pointer);                                                        \
  }                                                                                                                    \
  template <access::address_space Space, class T, access::decorated D>                                                 \
  __UW_INLINE multi_ptr<T, Space, D> name(multi_ptr<T, access::address_space::generic_space, D> pointer) {             \
    return multi_ptr<T, Space, D>(pointer.get_raw());                                                                  \
  }
__UW_CAST(static_addrspace_cast)
__UW_CAST(dynamic_addrspace_cast)
#undef __UW_CAST

} // namespace khr

// The same by DPC++'s names (sycl_ext_oneapi_address_cast).
#define SYCL_EXT_ONEAPI_ADDRESS_CAST 1
namespace ext::oneapi::experimental {
template <access::address_space Space, class P> __UW_INLINE auto static_address_cast(P pointer) {
  return khr::static_addrspace_cast<Space>(pointer);
}
template <access::address_space Space, class P> __UW_INLINE auto dynamic_address_cast(P pointer) {
  return khr::dynamic_addrspace_cast<Space>(pointer);
}
} // namespace ext::oneapi::experimental

} // namespace _V1
} // namespace sycl
#endif
