// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What queues and command groups hold: a queue's properties, the memory that a group reaches, the times of a command.
#ifndef UNWARP_SYCL_DETAIL_QUEUE_DATA_HPP
#define UNWARP_SYCL_DETAIL_QUEUE_DATA_HPP

#include "../event.hpp"
#include "tasks.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

// The bytes that a group's accessors may reach. With more of them than there is room for, nothing is said.
struct group_accesses {
  enum { most = 8 };
  uwrt_sycl_access list[most];
  int count = 0;
  bool more = false;
};

// Where the commands of a queue go that is being recorded (graph.hpp).
class command_recorder {
public:
  virtual void depends_on(std::uint64_t event) = 0;
  virtual event take(uwrt_record *owned, const group_accesses &accesses) = 0;

protected:
  ~command_recorder() = default;
};

struct queue_data {
  context where;
  property_list properties;
  async_handler handler;
  std::uint64_t number = pending::next_queue();
  bool profiles, in_order;
  command_recorder *recorder = nullptr;
  queue_data(const context &where, const async_handler &given, const property_list &properties)
      : where(where), properties(properties), handler(given ? given : where.unwarp_handler()),
        profiles(properties.has_property<property::queue::enable_profiling>()),
        in_order(properties.has_property<property::queue::in_order>()) {}
  queue_data(const queue_data &) = delete;
  ~queue_data() {
    try {
      pending::deliver(number);
    } catch (...) {
      std::terminate(); // the handler's own exception, and nobody to tell
    }
  }
};

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

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
