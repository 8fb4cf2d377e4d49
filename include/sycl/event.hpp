// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::event (SYCL 2020, section 4.6.6). Most commands have run when their submission returns, so an event is an
// integer and three times; copying one costs nothing. That of a host task, or of what stands behind one, has the task
// besides (detail/tasks.hpp).
#ifndef UNWARP_SYCL_EVENT_HPP
#define UNWARP_SYCL_EVENT_HPP

#include "detail/pending.hpp"
#include "detail/tasks.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

struct event_times {
  std::uint64_t submitted = 0, started = 0, ended = 0;
  bool known = false;
};
// Named as the runtime's own variables are, which no kernel reaches.
inline std::uint64_t last_event __asm__("uwrt_sycl_last_event") = 0;
inline std::uint64_t next_event() { return __atomic_add_fetch(&last_event, 1, __ATOMIC_RELAXED); }

} // namespace detail

class event {
public:
  event() : number(detail::next_event()) {} // another one than all others
  __UW_INLINE event(std::uint64_t queue, const detail::event_times &times)
      : number(detail::next_event()), queue(queue), times(times) {}
  event(std::uint64_t queue, const detail::event_times &times, detail::task_handle task)
      : number(detail::next_event()), queue(queue), times(times), task(std::move(task)) {}

  backend get_backend() const noexcept { return backend::unwarp; }
  bool is_host() const { return false; }
  // What has run is in no list.
  std::vector<event> get_wait_list() const {
    std::vector<event> list;
    if (task) {
      std::vector<uwrt_sycl_task *> found(uwrt_sycl_task_waits_for(task.get(), nullptr, 0));
      const std::size_t count = uwrt_sycl_task_waits_for(task.get(), found.data(), std::uint32_t(found.size()));
      for (std::size_t i = 0; i < count; i++) // they become fewer
        list.push_back(event(detail::task_handle(found[i])));
    }
    return list;
  }
  void wait() const {
    if (task)
      uwrt_sycl_wait_for_task(task.get());
    cudaDeviceSynchronize();
    uwrt_sycl_check();
  }
  static void wait(const std::vector<event> &list) {
    for (const event &one : list)
      one.wait();
  }
  void wait_and_throw() const {
    std::vector<std::uint64_t> queues{queue}; // those of the tasks before it, too
    if (task)
      add_queues(queues);
    wait();
    for (std::uint64_t one : queues)
      detail::pending::deliver(one);
  }
  static void wait_and_throw(const std::vector<event> &list) {
    for (const event &one : list)
      one.wait_and_throw();
  }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    detail::settled();
    if constexpr (std::is_same_v<Descriptor, info::event::command_execution_status>)
      return task ? info::event_command_status(uwrt_sycl_task_status(task.get()))
                  : info::event_command_status::complete;
    else
      return 1; // info::event::reference_count
  }
  template <class Descriptor> std::uint64_t get_profiling_info() const {
    if (!times.known)
      detail::fail(errc::invalid, "the event's queue has no property::queue::enable_profiling");
    if constexpr (std::is_same_v<Descriptor, info::event_profiling::command_submit>)
      return times.submitted;
    if (task) {
      std::uint64_t own[2];
      uwrt_sycl_task_times(task.get(), own);
      return own[std::is_same_v<Descriptor, info::event_profiling::command_end>];
    }
    if constexpr (std::is_same_v<Descriptor, info::event_profiling::command_start>)
      return times.started;
    else
      return times.ended;
  }
  std::uint64_t unwarp_number() const { return number; }

  const detail::task_handle &unwarp_task() const { return task; }

  friend bool operator==(const event &a, const event &b) {
    return a.task || b.task ? a.task.get() == b.task.get() : a.number == b.number;
  }
  friend bool operator!=(const event &a, const event &b) { return !(a == b); }

private:
  explicit event(detail::task_handle of) : queue(uwrt_sycl_task_queue(of.get())), task(std::move(of)) {}
  void add_queues(std::vector<std::uint64_t> &queues) const {
    for (const event &one : get_wait_list()) {
      queues.push_back(one.queue);
      one.add_queues(queues);
    }
  }

  std::uint64_t number = 0, queue = 0;
  detail::event_times times;
  detail::task_handle task;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &event) const {
    return event.unwarp_task() ? std::hash<const void *>()(event.unwarp_task().get()) : event.unwarp_number();
  }
};
#endif
