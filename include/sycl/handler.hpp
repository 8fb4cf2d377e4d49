// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::handler (SYCL 2020, section 4.9.4): a command group. Its command runs where it stands, so what was asked of the group before it
// (dependences, requirements) is met already: everything that was submitted earlier has run.
#ifndef UNWARP_SYCL_HANDLER_HPP
#define UNWARP_SYCL_HANDLER_HPP

#include "detail/launch.hpp"
#include "event.hpp"

namespace sycl {
inline namespace _V1 {

class queue;
template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;
namespace detail {

struct queue_data {
  context where;
  property_list properties;
  async_handler handler;
  std::uint64_t number = pending::next_queue();
  bool profiles = false;
  ~queue_data() {
    try {
      pending::deliver(number);
    } catch (...) {
      std::terminate(); // the handler's own exception, and nobody to tell
    }
  }
};

template <class V> struct is_reduction; // reduction.hpp

// Notes the times of one command, if its queue wants them.
struct stopwatch {
  event_times times;
  __UW_INLINE explicit stopwatch(bool wanted) {
    times.known = wanted;
    if (__builtin_expect(wanted, 0))
      times.submitted = times.started = times.ended = uwrt_sycl_nanoseconds();
  }
  __UW_INLINE void start() {
    if (__builtin_expect(times.known, 0))
      times.started = uwrt_sycl_nanoseconds();
  }
  __UW_INLINE void stop() {
    if (__builtin_expect(times.known, 0))
      times.ended = uwrt_sycl_nanoseconds();
  }
};

__UW_INLINE void copy_bytes(void *to, const void *from, std::size_t bytes) {
  enum { by_default = 4 };
  if (bytes)
    cudaMemcpy(to, from, bytes, by_default);
}

} // namespace detail

// What a host task may ask of a backend, of which there is none to ask.
class interop_handle {
public:
  backend get_backend() const noexcept { return backend::unwarp; }
};

class handler {
public:
  __UW_LAUNCH explicit handler(detail::queue_data &queue) : owner(&queue), watch(queue.profiles) {}
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  __UW_LAUNCH void depends_on(const event &) {}
  __UW_LAUNCH void depends_on(const std::vector<event> &) {}
  template <class Accessor> __UW_LAUNCH void require(const Accessor &accessor) { accessor.unwarp_require(*this); }

  template <class Name = void, class F> __UW_LAUNCH void single_task(const F &f) {
    command();
    detail::launch_single_task<Name>(needs, f);
    watch.stop();
  }
  // No template in D, so that {rows, columns} is a range.
#define __UW_PARALLEL_FOR(D)                                                                                           \
  template <class Name = void, class F> __UW_LAUNCH void parallel_for(range<D> extent, const F &f) {                   \
    command();                                                                                                         \
    detail::launch_range<Name>(extent, needs, f);                                                                      \
    watch.stop();                                                                                                      \
  }                                                                                                                    \
  template <class Name = void, class F>                                                                                \
  __UW_LAUNCH void parallel_for(range<D> extent, id<D> offset, const F &f) {                                           \
    command();                                                                                                         \
    detail::launch_offset_range<Name>(extent, offset, needs, f);                                                       \
    watch.stop();                                                                                                      \
  }                                                                                                                    \
  template <class Name = void, class Variable, class... Rest,                                                          \
            class = std::enable_if_t<detail::is_reduction<Variable>::value>>                                           \
  __UW_LAUNCH void parallel_for(range<D> extent, const Variable &variable, const Rest &...rest) {                      \
    reduce_range<Name>(extent, variable, rest...);                                                                     \
  }
  __UW_PARALLEL_FOR(1)
  __UW_PARALLEL_FOR(2)
  __UW_PARALLEL_FOR(3)
#undef __UW_PARALLEL_FOR
  template <class Name = void, int D, class F> __UW_LAUNCH void parallel_for(nd_range<D> shape, const F &f) {
    command();
    detail::launch_nd_range<Name>(shape, needs, f);
    watch.stop();
  }

  template <class Name = void, int D, class Variable, class... Rest,
            class = std::enable_if_t<detail::is_reduction<Variable>::value>>
  __UW_LAUNCH void parallel_for(nd_range<D> shape, const Variable &variable, const Rest &...rest) {
    reduce_nd<Name>(shape, variable, rest...);
  }

  __UW_LAUNCH void memcpy(void *to, const void *from, std::size_t bytes) {
    command();
    detail::copy_bytes(to, from, bytes);
    watch.stop();
  }
  template <class T> __UW_LAUNCH void copy(const T *from, T *to, std::size_t count) { memcpy(to, from, count * sizeof(T)); }
  __UW_LAUNCH void memset(void *place, int value, std::size_t bytes) {
    command();
    if (bytes)
      cudaMemset(place, value, bytes);
    watch.stop();
  }
  template <class T> __UW_LAUNCH void fill(void *place, const T &pattern, std::size_t count) {
    command();
    uwrt_sycl_fill(place, &pattern, sizeof(T), count);
    watch.stop();
  }
  // Accessors and the program's memory (accessor.hpp has the work).
  template <class T, int D, access_mode M, target G, access::placeholder P, class U>
  void copy(const accessor<T, D, M, G, P> &from, U *to) {
    copy_accessors(from.begin(), static_cast<std::remove_const_t<T> *>(static_cast<void *>(to)), from.size());
  }
  template <class U, class T, int D, access_mode M, target G, access::placeholder P>
  void copy(const U *from, const accessor<T, D, M, G, P> &to) {
    copy_accessors(static_cast<const T *>(static_cast<const void *>(from)), to.begin(), to.size());
  }
  template <class T, int D, access_mode M, target G, access::placeholder P, class U>
  void copy(const accessor<T, D, M, G, P> &from, const std::shared_ptr<U> &to) {
    copy(from, to.get());
  }
  template <class U, class T, int D, access_mode M, target G, access::placeholder P>
  void copy(const std::shared_ptr<U> &from, const accessor<T, D, M, G, P> &to) {
    copy(from.get(), to);
  }
  template <class T, int D, access_mode M, target G, access::placeholder P, class U, int E, access_mode N, target H, access::placeholder Q>
  void copy(const accessor<T, D, M, G, P> &from, const accessor<U, E, N, H, Q> &to) {
    copy_accessors(from.begin(), to.begin(), from.size());
  }
  template <class T, int D, access_mode M, target G, access::placeholder P> void update_host(const accessor<T, D, M, G, P> &) {
    command();
  }
  template <class T, int D, access_mode M, target G, access::placeholder P>
  void fill(const accessor<T, D, M, G, P> &all, const std::remove_const_t<T> &value) {
    command();
    if constexpr (D > 1) {
      for (T &each : all)
        each = value;
    } else {
      uwrt_sycl_fill(all.begin(), &value, sizeof(T), all.size());
    }
    watch.stop();
  }
  void prefetch(const void *, std::size_t) { command(); }
  void mem_advise(const void *, std::size_t, int) { command(); }
  void ext_oneapi_barrier() { command(); }
  void ext_oneapi_barrier(const std::vector<event> &) { command(); }

  template <class F> void host_task(F &&f);

  // hierarchical.hpp
  template <class Name = void, int D, class F> void parallel_for_work_group(range<D> groups, range<D> local, const F &f);
  template <class Name = void, int D, class F> void parallel_for_work_group(range<D> groups, const F &f);
  template <class Bundle> void use_kernel_bundle(const Bundle &bundle); // kernel_bundle.hpp

  template <auto &Id>
  void set_specialization_constant(const typename std::remove_reference_t<decltype(Id)>::value_type &value) {
    detail::specialization<Id>::value = value;
    if (restored == sizeof restore / sizeof *restore)
      detail::fail(errc::invalid, "a command group sets 16 specialization constants at most");
    restore[restored++] = detail::specialization<Id>::restore;
  }
  template <auto &Id> auto get_specialization_constant() const { return detail::specialization<Id>::value; }

  // For accessors: room in the group's local memory.
  __UW_LAUNCH std::size_t unwarp_local(std::size_t bytes, std::size_t alignment) {
    const std::size_t place = (needs.local_bytes + alignment - 1) / alignment * alignment;
    needs.local_bytes = place + bytes;
    if (__builtin_expect(needs.local_bytes > detail::max_local_bytes, 0))
      detail::fail(errc::memory_allocation, "the group's local memory is larger than info::device::local_mem_size");
    return place;
  }
  // For accessors: the bytes that a kernel may reach through one. With too many of them nothing is said.
  __UW_LAUNCH void unwarp_access(const void *from, std::size_t bytes, bool writes) {
    const char *first = static_cast<const char *>(from), *last = first + bytes;
    for (int i = 0; i < accessed; i++)
      if ((writes || accesses[i].writes) && first < accesses[i].last && accesses[i].first < last)
        needs.distinct = false;
    if (accessed < most_accesses)
      accesses[accessed++] = {first, last, writes};
    else
      needs.distinct = false;
  }
  __UW_LAUNCH event unwarp_event() {
    if (__builtin_expect(restored, 0))
      restore_constants();
    return event(owner->number, watch.times);
  }
  detail::queue_data &unwarp_queue() const { return *owner; }

private:
  // reduction.hpp
  template <class Name, int D, class... Rest> __UW_LAUNCH void reduce_range(const range<D> &extent, const Rest &...rest);
  template <class Name, int D, class... Rest> __UW_LAUNCH void reduce_nd(const nd_range<D> &shape, const Rest &...rest);
  template <class Source, class Destination> void copy_accessors(Source from, Destination to, std::size_t count);
  // One command in a group.
  __UW_LAUNCH void command() {
    if (__builtin_expect(commanded, 0))
      detail::fail(errc::invalid, "a command group has one command");
    commanded = true;
    watch.start();
  }

  void restore_constants() {
    while (restored)
      restore[--restored]();
  }

  detail::queue_data *owner;
  detail::stopwatch watch;
  void (*restore[16])();
  int restored = 0;
  detail::requirements needs;
  struct access_of {
    const char *first, *last;
    bool writes;
  };
  enum { most_accesses = 8 };
  access_of accesses[most_accesses];
  int accessed = 0;
  bool commanded = false;
};

} // namespace _V1
} // namespace sycl
#endif
