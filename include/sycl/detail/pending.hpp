// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous errors: what host tasks threw, until a program asks for it (SYCL 2020, section 4.13.1). One list for the
// program, so that events need not keep their queues alive. Only a host task can throw late, so what hands errors on is
// compiled where a program has one, and found through a pointer.
#ifndef UNWARP_SYCL_DETAIL_PENDING_HPP
#define UNWARP_SYCL_DETAIL_PENDING_HPP

#include <mutex>

#include "../context.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

class pending {
public:
  static void add(std::uint64_t queue, const async_handler &handler, std::exception_ptr error) {
    std::lock_guard<std::mutex> lock(state().mutex);
    state().list.push_back({queue, handler, error});
    __atomic_store_n(&hand_on, deliver_all, __ATOMIC_RELEASE);
  }
  // Hands the queue's errors to its handler; without one the program ends.
  static void deliver(std::uint64_t queue) {
    if (deliverer deliver_now = __atomic_load_n(&hand_on, __ATOMIC_ACQUIRE))
      deliver_now(queue);
  }
  static std::uint64_t next_queue() {
    static std::uint64_t last = 0;
    return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
  }

private:
  using deliverer = void (*)(std::uint64_t queue);
  static inline deliverer hand_on = nullptr; // null: there are no errors

  static void deliver_all(std::uint64_t queue) {
    std::vector<std::exception_ptr> errors;
    async_handler handler;
    {
      std::lock_guard<std::mutex> lock(state().mutex);
      std::vector<one> rest;
      for (one &each : state().list)
        if (each.queue == queue) {
          errors.push_back(each.error);
          handler = each.handler;
        } else {
          rest.push_back(each);
        }
      state().list.swap(rest);
      if (state().list.empty())
        __atomic_store_n(&hand_on, nullptr, __ATOMIC_RELEASE);
    }
    if (errors.empty())
      return;
    if (handler) {
      handler(exception_list(std::move(errors)));
      return;
    }
    std::fprintf(stderr, "sycl: a host task threw an exception, and its queue has no asynchronous handler\n");
    std::terminate();
  }

  struct one {
    std::uint64_t queue;
    async_handler handler;
    std::exception_ptr error;
  };
  struct everything {
    std::mutex mutex;
    std::vector<one> list;
  };
  static everything &state() {
    static everything all;
    return all;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
