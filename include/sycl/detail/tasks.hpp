// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands that do not run where they are submitted (runtime/sycl/tasks.c, runtime/record.h): host tasks, what stands
// after one that has not ended, and the nodes of command graphs.
#ifndef UNWARP_SYCL_DETAIL_TASKS_HPP
#define UNWARP_SYCL_DETAIL_TASKS_HPP

#include "compiler.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

struct uwrt_sycl_task;
struct uwrt_record;
extern "C" {
extern std::uint32_t uwrt_sycl_open_tasks;
struct uwrt_sycl_access {
  std::uintptr_t first, last;
  bool writes;
};
uwrt_sycl_task *uwrt_sycl_task_new(std::uint64_t queue) noexcept;
void uwrt_sycl_task_retain(uwrt_sycl_task *) noexcept;
void uwrt_sycl_task_release(uwrt_sycl_task *) noexcept;
void uwrt_sycl_task_after(uwrt_sycl_task *, uwrt_sycl_task *earlier) noexcept;
std::uint32_t uwrt_sycl_task_after_all(uwrt_sycl_task *, bool in_order, const uwrt_sycl_access *, std::uint32_t count,
                                       bool more) noexcept;
void uwrt_sycl_task_start(uwrt_sycl_task *, void (*run)(void *), void (*drop)(void *), void *argument) noexcept;
int uwrt_sycl_task_status(uwrt_sycl_task *) noexcept;
void uwrt_sycl_task_times(uwrt_sycl_task *, std::uint64_t times[2]) noexcept;
std::uint32_t uwrt_sycl_task_waits_for(uwrt_sycl_task *, uwrt_sycl_task **list, std::uint32_t room) noexcept;
std::uint64_t uwrt_sycl_task_queue(const uwrt_sycl_task *) noexcept;
void uwrt_sycl_wait_for_task(uwrt_sycl_task *) noexcept;
void uwrt_sycl_wait_for_queue(std::uint64_t queue) noexcept;
bool uwrt_sycl_queue_is_empty(std::uint64_t queue) noexcept;
void uwrt_sycl_wait_for_memory(const void *first, const void *last, bool writes) noexcept;

void uwrt_record_begin() noexcept;
uwrt_record *uwrt_record_end() noexcept;
void uwrt_record_call(void (*function)(void *), void *argument, void (*drop)(void *)) noexcept;
int uwrt_record_run(const uwrt_record *) noexcept;
void uwrt_record_free(uwrt_record *) noexcept;
}

namespace sycl {
inline namespace _V1 {
namespace detail {

// An address as a number that is compared, and never made a pointer again: who sees it sees nothing of the memory
// (compiler/passes/host/dying.h).
__UW_INLINE std::uintptr_t number_of(const void *address) {
  return __builtin_annotation(reinterpret_cast<std::uintptr_t>(address), "unwarp.number");
}

// From here on the host may look at what kernels did: none of them is put off past it (compiler/passes/host/between.h).
// What calls the runtime says so by that.
__UW_INLINE void settled() { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

inline bool any_task_is_open() {
  return __builtin_expect(__atomic_load_n(&uwrt_sycl_open_tasks, __ATOMIC_ACQUIRE) != 0, 0);
}

// A task, or none, as most commands have it.
class task_handle {
public:
  task_handle() = default;
  explicit task_handle(uwrt_sycl_task *owned) : at(owned) {}
  task_handle(const task_handle &other) : at(other.at) {
    if (__builtin_expect(at != nullptr, 0))
      uwrt_sycl_task_retain(at);
  }
  task_handle(task_handle &&other) noexcept : at(std::exchange(other.at, nullptr)) {}
  task_handle &operator=(task_handle other) noexcept {
    std::swap(at, other.at);
    return *this;
  }
  ~task_handle() {
    if (__builtin_expect(at != nullptr, 0))
      uwrt_sycl_task_release(at);
  }
  uwrt_sycl_task *get() const { return at; }
  explicit operator bool() const { return __builtin_expect(at != nullptr, 0); }

private:
  uwrt_sycl_task *at = nullptr;
};

// A function object as C has it: to be called with its address, and to be dropped.
template <class F> struct kept_call {
  static void run(void *own) { (*static_cast<F *>(own))(); }
  static void drop(void *own) { delete static_cast<F *>(own); }
  template <class G> static void *keep(G &&f) { return new F(std::forward<G>(f)); }
};
template <class F> void record_call(F &&f) {
  using kept = kept_call<std::decay_t<F>>;
  uwrt_record_call(kept::run, kept::keep(std::forward<F>(f)), kept::drop);
}
template <class F> void start_task(uwrt_sycl_task *task, F &&f) {
  using kept = kept_call<std::decay_t<F>>;
  uwrt_sycl_task_start(task, kept::run, kept::drop, kept::keep(std::forward<F>(f)));
}

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
