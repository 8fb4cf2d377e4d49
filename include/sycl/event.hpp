// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::event (SYCL 2020, section 4.6.6). A command has run when its submission returns, so an event is a number and three times;
// copying one costs nothing.
#ifndef UNWARP_SYCL_EVENT_HPP
#define UNWARP_SYCL_EVENT_HPP

#include "detail/pending.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

struct event_times {
  std::uint64_t submitted = 0, started = 0, ended = 0;
  bool known = false;
};
inline std::uint64_t next_event() {
  static std::uint64_t last = 0;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

} // namespace detail

class event {
public:
  event() = default;
  __UW_INLINE event(std::uint64_t queue, const detail::event_times &times)
      : number(detail::next_event()), queue(queue), times(times) {}

  backend get_backend() const noexcept { return backend::unwarp; }
  bool is_host() const { return false; }
  std::vector<event> get_wait_list() const { return {}; }
  void wait() const {
    cudaDeviceSynchronize();
    uwrt_sycl_check();
  }
  static void wait(const std::vector<event> &) { event().wait(); }
  void wait_and_throw() const {
    wait();
    detail::pending::deliver(queue);
  }
  static void wait_and_throw(const std::vector<event> &list) {
    for (const event &one : list)
      one.wait_and_throw();
  }
  template <class Descriptor> typename Descriptor::return_type get_info() const {
    static_assert(std::is_same_v<Descriptor, info::event::command_execution_status>, "an event knows its status only");
    return info::event_command_status::complete;
  }
  template <class Descriptor> std::uint64_t get_profiling_info() const {
    if (!times.known)
      detail::fail(errc::invalid, "the event's queue has no property::queue::enable_profiling");
    if constexpr (std::is_same_v<Descriptor, info::event_profiling::command_submit>)
      return times.submitted;
    else if constexpr (std::is_same_v<Descriptor, info::event_profiling::command_start>)
      return times.started;
    else
      return times.ended;
  }
  std::uint64_t unwarp_number() const { return number; }

  friend bool operator==(const event &a, const event &b) { return a.number == b.number; }
  friend bool operator!=(const event &a, const event &b) { return a.number != b.number; }

private:
  std::uint64_t number = 0, queue = 0;
  detail::event_times times;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::event> {
  std::size_t operator()(const sycl::event &event) const { return event.unwarp_number(); }
};
#endif
