// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a buffer. Kernels use the program's own memory where it was given for reading and writing; else the
// buffer has memory of its own. What the destructor writes goes where the program said last.
#ifndef UNWARP_SYCL_DETAIL_MEMORY_HPP
#define UNWARP_SYCL_DETAIL_MEMORY_HPP

#include <cstring>

#include "../property_list.hpp"
#include "runtime.hpp"
#include "tasks.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

class memory {
public:
  memory(std::size_t bytes, void *given) : bytes(bytes), at(given), own(false) {
    if (!given)
      take_own();
  }
  memory(const memory &) = delete;
  memory &operator=(const memory &) = delete;
  ~memory() {
    settled();
    if (any_task_is_open())
      uwrt_sycl_wait_for_memory(at, static_cast<const char *>(at) + bytes, true);
    if (write_back && finish)
      finish(at);
    if (own)
      cudaFree(at);
  }

  void *address() const { return at; }
  std::size_t size() const { return bytes; }

  // Where the contents go in the end; null: nowhere. Memory of the program's that is not the goal is left alone from
  // here on.
  void set_goal(std::function<void(const void *)> copy) {
    leave_given();
    finish = std::move(copy);
  }
  void set_write_back(bool wanted) {
    write_back = wanted;
    if (!wanted)
      leave_given();
  }
  void keep_alive(std::shared_ptr<const void> owner) { kept = std::move(owner); }

private:
  void take_own() {
    void *place = nullptr;
    if (bytes && cudaMalloc(&place, bytes) != 0)
      fail(errc::memory_allocation, "no memory for a buffer");
    at = place;
    own = true;
  }
  void leave_given() {
    if (own)
      return;
    const void *given = at;
    take_own();
    if (bytes)
      std::memcpy(at, given, bytes);
    finish = nullptr;
  }

  std::size_t bytes;
  void *at;
  bool own, write_back = true;
  std::function<void(const void *)> finish;
  std::shared_ptr<const void> kept;
};

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
