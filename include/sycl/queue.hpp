// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::queue (SYCL 2020, section 4.6.5). Commands run at once and in order, but for host tasks and what stands behind
// one (handler.hpp).
#ifndef UNWARP_SYCL_QUEUE_HPP
#define UNWARP_SYCL_QUEUE_HPP

#include "handler.hpp"

#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER 1
#define SYCL_EXT_ONEAPI_QUEUE_EMPTY 1

namespace sycl {
inline namespace _V1 {

namespace detail {
template <class T>
using no_dependence =
    std::enable_if_t<!std::is_same_v<std::decay_t<T>, event> && !std::is_same_v<std::decay_t<T>, std::vector<event>>>;
}

class queue {
public:
  explicit queue(const property_list &properties = {})
      : queue(detail::default_context(), async_handler(), properties) {}
  explicit queue(const async_handler &handler, const property_list &properties = {})
      : queue(detail::default_context(), handler, properties) {}
  template <class Selector, class = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  explicit queue(const Selector &selector, const property_list &properties = {})
      : queue(device(selector), properties) {}
  template <class Selector, class = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  queue(const Selector &selector, const async_handler &handler, const property_list &properties = {})
      : queue(device(selector), handler, properties) {}
  explicit queue(const device &, const property_list &properties = {})
      : queue(detail::default_context(), async_handler(), properties) {}
  queue(const device &, const async_handler &handler, const property_list &properties = {})
      : queue(detail::default_context(), handler, properties) {}
  template <class Selector, class = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  queue(const context &where, const Selector &selector, const property_list &properties = {})
      : queue(where, device(selector), properties) {}
  template <class Selector, class = std::enable_if_t<std::is_invocable_r_v<int, const Selector &, const device &>>>
  queue(const context &where, const Selector &selector, const async_handler &handler,
        const property_list &properties = {})
      : queue(where, device(selector), handler, properties) {}
  queue(const context &where, const device &, const property_list &properties = {})
      : queue(where, async_handler(), properties) {}
  queue(const context &where, const device &, const async_handler &handler, const property_list &properties = {})
      : queue(where, handler, properties) {}

  backend get_backend() const noexcept { return backend::unwarp; }
  context get_context() const { return data->where; }
  device get_device() const { return {}; }
  bool is_in_order() const { return has_property<property::queue::in_order>(); }
  bool is_host() const { return false; }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    if constexpr (std::is_same_v<Descriptor, info::queue::context>)
      return get_context();
    else
      return get_device();
  }
  template <class Property> bool has_property() const noexcept {
    return data->properties.template has_property<Property>();
  }
  template <class Property> Property get_property() const { return data->properties.template get_property<Property>(); }

  void wait() {
    if (__builtin_expect(data->recorder != nullptr, 0))
      detail::fail(errc::invalid, "a queue that is being recorded into a graph has nothing to wait for");
    if (detail::any_task_is_open())
      uwrt_sycl_wait_for_queue(data->number);
    cudaDeviceSynchronize();
    uwrt_sycl_check();
  }
  void wait() const { const_cast<queue *>(this)->wait(); }
  void wait_and_throw() {
    wait();
    throw_asynchronous();
  }
  void throw_asynchronous() { detail::pending::deliver(data->number); }
  bool ext_oneapi_empty() const {
    detail::settled();
    return !detail::any_task_is_open() || uwrt_sycl_queue_is_empty(data->number);
  }

  bool khr_empty() const { return ext_oneapi_empty(); }

  // --- command groups
  template <class F> __UW_LAUNCH event submit(F &&f, detail::submit_place place = detail::submit_place::here()) {
    handler group(*data, place);
    [[clang::always_inline]] f(group);
    return group.unwarp_event();
  }
  template <class F>
  __UW_LAUNCH event submit(F &&f, const queue &, detail::submit_place place = detail::submit_place::here()) {
    return submit(f, place);
  }

  // --- commands without a group
  template <class Name = void, class F> __UW_LAUNCH event single_task(const F &f) {
    handler group(*data);
    group.single_task<Name>(f);
    return group.unwarp_event();
  }
  template <class Name = void, class F> __UW_LAUNCH event single_task(const event &earlier, const F &f) {
    return after(earlier, [&](handler &group) __attribute__((always_inline)) { group.single_task<Name>(f); });
  }
  template <class Name = void, class F> __UW_LAUNCH event single_task(const std::vector<event> &earlier, const F &f) {
    return after(earlier, [&](handler &group) __attribute__((always_inline)) { group.single_task<Name>(f); });
  }
  template <class Name = void, class... Properties, class F>
  __UW_LAUNCH event single_task(const ext::oneapi::experimental::properties<Properties...> &list, const F &f) {
    return submit([&](handler &group) __attribute__((always_inline)) { group.single_task<Name>(list, f); });
  }
  template <class Name = void, class... Properties, class F>
  __UW_LAUNCH event single_task(const event &earlier, const ext::oneapi::experimental::properties<Properties...> &list,
                                const F &f) {
    return after(earlier, [&](handler &group) __attribute__((always_inline)) { group.single_task<Name>(list, f); });
  }
  template <class Name = void, class... Properties, class F>
  __UW_LAUNCH event single_task(const std::vector<event> &earlier,
                                const ext::oneapi::experimental::properties<Properties...> &list, const F &f) {
    return after(earlier, [&](handler &group) __attribute__((always_inline)) { group.single_task<Name>(list, f); });
  }
#define __UW_PARALLEL_FOR(parameter, shape)                                                                            \
  template <class Name = void parameter, class First, class... Rest, class = detail::no_dependence<First>>             \
  __UW_LAUNCH event parallel_for(shape extent, First &&first, Rest &&...rest) {                                        \
    handler group(*data);                                                                                              \
    group.parallel_for<Name>(extent, first, rest...);                                                                  \
    return group.unwarp_event();                                                                                       \
  }                                                                                                                    \
  template <class Name = void parameter, class... Rest>                                                                \
  __UW_LAUNCH event parallel_for(shape extent, const event &earlier, Rest &&...rest) {                                 \
    return after(earlier,                                                                                              \
                 [&](handler &group) __attribute__((always_inline)) { group.parallel_for<Name>(extent, rest...); });   \
  }                                                                                                                    \
  template <class Name = void parameter, class... Rest>                                                                \
  __UW_LAUNCH event parallel_for(shape extent, const std::vector<event> &earlier, Rest &&...rest) {                    \
    return after(earlier,                                                                                              \
                 [&](handler &group) __attribute__((always_inline)) { group.parallel_for<Name>(extent, rest...); });   \
  }
#define __UW_NOTHING
#define __UW_DIMENSIONS , int D
  __UW_PARALLEL_FOR(__UW_NOTHING, range<1>) // no template in D: {rows, columns} is a range
  __UW_PARALLEL_FOR(__UW_NOTHING, range<2>)
  __UW_PARALLEL_FOR(__UW_NOTHING, range<3>)
  __UW_PARALLEL_FOR(__UW_DIMENSIONS, nd_range<D>)
#undef __UW_PARALLEL_FOR
#undef __UW_NOTHING
#undef __UW_DIMENSIONS

  __UW_LAUNCH event memcpy(void *to, const void *from, std::size_t bytes) {
    handler group(*data);
    group.memcpy(to, from, bytes);
    return group.unwarp_event();
  }
  __UW_LAUNCH event memset(void *place, int value, std::size_t bytes) {
    handler group(*data);
    group.memset(place, value, bytes);
    return group.unwarp_event();
  }
  template <class T> __UW_LAUNCH event fill(void *place, const T &pattern, std::size_t count) {
    handler group(*data);
    group.fill(place, pattern, count);
    return group.unwarp_event();
  }
  template <class T> __UW_LAUNCH event copy(const T *from, T *to, std::size_t count) {
    return memcpy(to, from, count * sizeof(T));
  }
  __UW_LAUNCH event ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,
                                        std::size_t width, std::size_t height) {
    handler group(*data);
    group.ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height);
    return group.unwarp_event();
  }
  template <class T>
  __UW_LAUNCH event ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch,
                                      std::size_t width, std::size_t height) {
    handler group(*data);
    group.ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height);
    return group.unwarp_event();
  }
  __UW_LAUNCH event ext_oneapi_memset2d(void *place, std::size_t pitch, int value, std::size_t width,
                                        std::size_t height) {
    handler group(*data);
    group.ext_oneapi_memset2d(place, pitch, value, width, height);
    return group.unwarp_event();
  }
  template <class T>
  __UW_LAUNCH event ext_oneapi_fill2d(void *place, std::size_t pitch, const T &pattern, std::size_t width,
                                      std::size_t height) {
    handler group(*data);
    group.ext_oneapi_fill2d(place, pitch, pattern, width, height);
    return group.unwarp_event();
  }
  // Accessors without a handler, and the program's memory.
  template <class T, int D, access_mode M, target G, access::placeholder P, class To>
  event copy(const accessor<T, D, M, G, P> &from, const To &to) {
    handler group(*data);
    group.copy(from, to);
    return group.unwarp_event();
  }
  template <class From, class T, int D, access_mode M, target G, access::placeholder P,
            class = std::enable_if_t<std::is_pointer_v<From> || !std::is_class_v<From>>>
  event copy(const From &from, const accessor<T, D, M, G, P> &to) {
    handler group(*data);
    group.copy(from, to);
    return group.unwarp_event();
  }
  template <class U, class T, int D, access_mode M, target G, access::placeholder P>
  event copy(const std::shared_ptr<U> &from, const accessor<T, D, M, G, P> &to) {
    handler group(*data);
    group.copy(from, to);
    return group.unwarp_event();
  }
  template <class T, int D, access_mode M, target G, access::placeholder P>
  event update_host(const accessor<T, D, M, G, P> &what) {
    handler group(*data);
    group.update_host(what);
    return group.unwarp_event();
  }
  template <class T, int D, access_mode M, target G, access::placeholder P>
  event fill(const accessor<T, D, M, G, P> &all, const std::remove_const_t<T> &value) {
    handler group(*data);
    group.fill(all, value);
    return group.unwarp_event();
  }
  // Variables of host and kernels (device_global.hpp).
#define __UW_GLOBAL_COPIES(events, after_them)                                                                         \
  template <class T, class P>                                                                                          \
  event memcpy(ext::oneapi::experimental::device_global<T, P> &to, const void *from, std::size_t bytes,                \
               std::size_t offset events) {                                                                            \
    return after(after_them, [&](handler &group) { group.memcpy(to, from, bytes, offset); });                          \
  }                                                                                                                    \
  template <class T, class P>                                                                                          \
  event memcpy(void *to, const ext::oneapi::experimental::device_global<T, P> &from, std::size_t bytes,                \
               std::size_t offset events) {                                                                            \
    return after(after_them, [&](handler &group) { group.memcpy(to, from, bytes, offset); });                          \
  }                                                                                                                    \
  template <class T, class P>                                                                                          \
  event copy(const std::remove_all_extents_t<T> *from, ext::oneapi::experimental::device_global<T, P> &to,             \
             std::size_t count, std::size_t start events) {                                                            \
    return after(after_them, [&](handler &group) { group.copy(from, to, count, start); });                             \
  }                                                                                                                    \
  template <class T, class P>                                                                                          \
  event copy(const ext::oneapi::experimental::device_global<T, P> &from, std::remove_all_extents_t<T> *to,             \
             std::size_t count, std::size_t start events) {                                                            \
    return after(after_them, [&](handler &group) { group.copy(from, to, count, start); });                             \
  }
#define __UW_NOTHING
#define __UW_EVENT , const event &earlier
#define __UW_EVENTS , const std::vector<event> &earlier
  __UW_GLOBAL_COPIES(__UW_NOTHING, std::vector<event>())
  __UW_GLOBAL_COPIES(__UW_EVENT, earlier)
  __UW_GLOBAL_COPIES(__UW_EVENTS, earlier)
#undef __UW_GLOBAL_COPIES
#undef __UW_NOTHING
#undef __UW_EVENT
#undef __UW_EVENTS
  template <class T, class P>
  event memcpy(ext::oneapi::experimental::device_global<T, P> &to, const void *from, std::size_t bytes = sizeof(T)) {
    return memcpy(to, from, bytes, 0);
  }
  template <class T, class P>
  event memcpy(void *to, const ext::oneapi::experimental::device_global<T, P> &from, std::size_t bytes = sizeof(T)) {
    return memcpy(to, from, bytes, 0);
  }
  template <class T, class P>
  event copy(const std::remove_all_extents_t<T> *from, ext::oneapi::experimental::device_global<T, P> &to,
             std::size_t count = sizeof(T) / sizeof(std::remove_all_extents_t<T>)) {
    return copy(from, to, count, 0);
  }
  template <class T, class P>
  event copy(const ext::oneapi::experimental::device_global<T, P> &from, std::remove_all_extents_t<T> *to,
             std::size_t count = sizeof(T) / sizeof(std::remove_all_extents_t<T>)) {
    return copy(from, to, count, 0);
  }
  template <class F> event ext_codeplay_enqueue_native_command(const F &f) {
    return submit([&](handler &group) { group.ext_codeplay_enqueue_native_command(f); });
  }
  event prefetch(const void *at, std::size_t bytes) {
    return submit([=](handler &group) { group.prefetch(at, bytes); });
  }
  event mem_advise(const void *at, std::size_t bytes, int advice) {
    return submit([=](handler &group) { group.mem_advise(at, bytes, advice); });
  }
  event ext_oneapi_submit_barrier() {
    return submit([](handler &group) { group.ext_oneapi_barrier(); });
  }
  event ext_oneapi_submit_barrier(const std::vector<event> &list) {
    return submit([&](handler &group) { group.ext_oneapi_barrier(list); });
  }
  event ext_oneapi_get_last_event() const { return const_cast<queue *>(this)->ext_oneapi_submit_barrier(); }

  // graph.hpp
  template <class Graph> event ext_oneapi_graph(const Graph &graph);
  template <class Graph, class Events> event ext_oneapi_graph(const Graph &graph, const Events &earlier);

  // The same after other commands.
#define __UW_AFTER(list)                                                                                               \
  __UW_LAUNCH event memcpy(void *to, const void *from, std::size_t bytes, list earlier) {                              \
    return after(earlier, [=](handler &group) { group.memcpy(to, from, bytes); });                                     \
  }                                                                                                                    \
  __UW_LAUNCH event memset(void *place, int value, std::size_t bytes, list earlier) {                                  \
    return after(earlier, [=](handler &group) { group.memset(place, value, bytes); });                                 \
  }                                                                                                                    \
  template <class T> __UW_LAUNCH event fill(void *place, const T &pattern, std::size_t count, list earlier) {          \
    return after(earlier, [&](handler &group) { group.fill(place, pattern, count); });                                 \
  }                                                                                                                    \
  template <class T> __UW_LAUNCH event copy(const T *from, T *to, std::size_t count, list earlier) {                   \
    return memcpy(to, from, count * sizeof(T), earlier);                                                               \
  }                                                                                                                    \
  __UW_LAUNCH event ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from, std::size_t from_pitch,      \
                                        std::size_t width, std::size_t height, list earlier) {                         \
    return after(earlier,                                                                                              \
                 [=](handler &group) { group.ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height); });   \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __UW_LAUNCH event ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch,              \
                                      std::size_t width, std::size_t height, list earlier) {                           \
    return after(earlier,                                                                                              \
                 [=](handler &group) { group.ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height); });     \
  }                                                                                                                    \
  __UW_LAUNCH event ext_oneapi_memset2d(void *place, std::size_t pitch, int value, std::size_t width,                  \
                                        std::size_t height, list earlier) {                                            \
    return after(earlier, [=](handler &group) { group.ext_oneapi_memset2d(place, pitch, value, width, height); });     \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __UW_LAUNCH event ext_oneapi_fill2d(void *place, std::size_t pitch, const T &pattern, std::size_t width,             \
                                      std::size_t height, list earlier) {                                              \
    return after(earlier, [&](handler &group) { group.ext_oneapi_fill2d(place, pitch, pattern, width, height); });     \
  }                                                                                                                    \
  event prefetch(const void *at, std::size_t bytes, list earlier) {                                                    \
    return after(earlier, [=](handler &group) { group.prefetch(at, bytes); });                                         \
  }                                                                                                                    \
  event mem_advise(const void *at, std::size_t bytes, int advice, list earlier) {                                      \
    return after(earlier, [=](handler &group) { group.mem_advise(at, bytes, advice); });                               \
  }
  __UW_AFTER(const event &)
  __UW_AFTER(const std::vector<event> &)
#undef __UW_AFTER

  const std::shared_ptr<detail::queue_data> &unwarp_data() const { return data; }
  static queue unwarp_of(std::shared_ptr<detail::queue_data> data) { return queue(std::move(data)); }

  friend bool operator==(const queue &a, const queue &b) { return a.data == b.data; }
  friend bool operator!=(const queue &a, const queue &b) { return a.data != b.data; }

private:
  friend struct std::hash<queue>;
  explicit queue(std::shared_ptr<detail::queue_data> data) : data(std::move(data)) {}
  queue(const context &where, const async_handler &handler, const property_list &properties)
      : data(std::make_shared<detail::queue_data>(where, handler, properties)) {}
  template <class Events, class F> __UW_LAUNCH event after(const Events &earlier, const F &f) {
    handler group(*data);
    group.depends_on(earlier);
    [[clang::always_inline]] f(group);
    return group.unwarp_event();
  }

  std::shared_ptr<detail::queue_data> data;
};

// Always on a thread of ours, or recorded.
template <class F> void handler::host_task(F &&f) {
  auto work = [f = std::decay_t<F>(std::forward<F>(f)), queue = owner->number, handler = owner->handler]() mutable {
    try {
      if constexpr (std::is_invocable_v<std::decay_t<F> &>)
        f();
      else
        f(interop_handle());
    } catch (...) {
      detail::pending::add(queue, handler, std::current_exception());
    }
  };
  if (owner->recorder) {
    command();
    detail::record_call(std::move(work));
    return;
  }
  only_one();
  if (!task)
    task = uwrt_sycl_task_new(owner->number);
  uwrt_sycl_task_after_all(task, owner->in_order, accesses.list, std::uint32_t(accesses.count), accesses.more);
  watch.start();
  detail::start_task(task, std::move(work));
}

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::queue> {
  std::size_t operator()(const sycl::queue &queue) const { return std::hash<const void *>()(queue.data.get()); }
};
#endif
