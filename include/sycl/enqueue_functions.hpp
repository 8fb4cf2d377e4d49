// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_enqueue_functions: what is given to a queue or a handler, as functions, most of which make no event.
#ifndef UNWARP_SYCL_ENQUEUE_FUNCTIONS_HPP
#define UNWARP_SYCL_ENQUEUE_FUNCTIONS_HPP

#include "ext_properties.hpp"
#include "queue.hpp"

#define SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

template <class Shape, class Properties = empty_properties_t> class launch_config {
public:
  launch_config(Shape shape, Properties properties = {}) : shape(shape), properties(properties) {}
  const Shape &get_range() const noexcept { return shape; }
  const Properties &get_properties() const noexcept { return properties; }

private:
  Shape shape;
  Properties properties;
};

template <class F> __UW_LAUNCH void submit(queue to, F &&f, detail::submit_place place = detail::submit_place::here()) {
  to.submit(f, place);
}
template <class F>
__UW_LAUNCH event submit_with_event(queue to, F &&f, detail::submit_place place = detail::submit_place::here()) {
  return to.submit(f, place);
}

// A handler and a queue take the same arguments; reductions stand behind the kernel here and before it there.
#define __UW_FOR(object)                                                                                               \
  template <class Name = void, class F> __UW_LAUNCH void single_task(object to, const F &f) {                          \
    to.template single_task<Name>(f);                                                                                  \
  }                                                                                                                    \
  template <class Name = void, int D, class F, class... Reductions>                                                    \
  __UW_LAUNCH void parallel_for(object to, range<D> extent, const F &f, Reductions &&...reductions) {                  \
    to.template parallel_for<Name>(extent, reductions..., f);                                                          \
  }                                                                                                                    \
  template <class Name = void, int D, class P, class F, class... Reductions>                                           \
  __UW_LAUNCH void parallel_for(object to, launch_config<range<D>, P> config, const F &f,                              \
                                Reductions &&...reductions) {                                                          \
    to.template parallel_for<Name>(config.get_range(), config.get_properties(), reductions..., f);                     \
  }                                                                                                                    \
  template <class Name = void, int D, class F, class... Reductions>                                                    \
  __UW_LAUNCH void nd_launch(object to, nd_range<D> shape, const F &f, Reductions &&...reductions) {                   \
    to.template parallel_for<Name>(shape, reductions..., f);                                                           \
  }                                                                                                                    \
  template <class Name = void, int D, class P, class F, class... Reductions>                                           \
  __UW_LAUNCH void nd_launch(object to, launch_config<nd_range<D>, P> config, const F &f,                              \
                             Reductions &&...reductions) {                                                             \
    to.template parallel_for<Name>(config.get_range(), config.get_properties(), reductions..., f);                     \
  }                                                                                                                    \
  inline void memcpy(object to, void *into, const void *from, std::size_t bytes) { to.memcpy(into, from, bytes); }     \
  template <class T> void copy(object to, const T *from, T *into, std::size_t count) { to.copy(from, into, count); }   \
  inline void memset(object to, void *place, int value, std::size_t bytes) { to.memset(place, value, bytes); }         \
  template <class T> void fill(object to, T *place, const T &pattern, std::size_t count) {                             \
    to.fill(place, pattern, count);                                                                                    \
  }                                                                                                                    \
  inline void prefetch(object to, void *place, std::size_t bytes) { to.prefetch(place, bytes); }                       \
  inline void mem_advise(object to, void *place, std::size_t bytes, int advice) { to.mem_advise(place, bytes, advice); }
__UW_FOR(queue)
__UW_FOR(handler &)
#undef __UW_FOR

// Free function kernels (sycl_ext_oneapi_free_function_kernels): of those a function by its name, with its arguments.
template <int D> struct nd_range_kernel {};
struct single_task_kernel {};
template <auto *F> struct kernel_function_s {};
template <auto *F> inline constexpr kernel_function_s<F> kernel_function;
#define SYCL_EXT_ONEAPI_FUNCTION_PROPERTY(...)
#define __UW_FOR(object)                                                                                               \
  template <auto *F, class... Arguments>                                                                               \
  __UW_LAUNCH void single_task(object to, kernel_function_s<F>, Arguments... arguments) {                              \
    to.template single_task<kernel_function_s<F>>([=] { F(arguments...); });                                           \
  }                                                                                                                    \
  template <auto *F, int D, class P, class... Arguments>                                                               \
  __UW_LAUNCH void nd_launch(object to, launch_config<nd_range<D>, P> config, kernel_function_s<F>,                    \
                             Arguments... arguments) {                                                                 \
    to.template parallel_for<kernel_function_s<F>>(config.get_range(), config.get_properties(),                        \
                                                   [=](nd_item<D>) { F(arguments...); });                              \
  }                                                                                                                    \
  template <auto *F, int D, class... Arguments>                                                                        \
  __UW_LAUNCH void nd_launch(object to, nd_range<D> shape, kernel_function_s<F> function, Arguments... arguments) {    \
    nd_launch(to, launch_config<nd_range<D>>(shape), function, arguments...);                                          \
  }
__UW_FOR(queue)
__UW_FOR(handler &)
#undef __UW_FOR

inline void barrier(queue to) { to.ext_oneapi_submit_barrier(); }
inline void barrier(handler &to) { to.ext_oneapi_barrier(); }
inline void partial_barrier(queue to, const std::vector<event> &events) { to.ext_oneapi_submit_barrier(events); }
inline void partial_barrier(handler &to, const std::vector<event> &events) { to.ext_oneapi_barrier(events); }

template <class Graph> void execute_graph(queue to, const Graph &graph) { to.ext_oneapi_graph(graph); }
template <class Graph> void execute_graph(handler &to, const Graph &graph) { to.ext_oneapi_graph(graph); }

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl
#endif
