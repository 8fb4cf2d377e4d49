// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The memory of a buffer. Kernels use the program's own memory where it was given for reading and writing; else the
// buffer has memory of its own. What the destructor writes goes where the program said last.
#ifndef UNWARP_SYCL_DETAIL_MEMORY_HPP
#define UNWARP_SYCL_DETAIL_MEMORY_HPP

#include <atomic>
#include <cstring>

#include "../property_list.hpp"
#include "runtime.hpp"
#include "tasks.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

class memory {
public:
  memory(std::size_t bytes, void *given, const property_list &properties = {})
      : properties(properties), bytes(bytes), at(given), own(false) {
    if (given)
      uwrt_lend(at, bytes);
    else
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
    else
      uwrt_take_back(at, bytes);
  }

  const property_list properties; // of the buffer
  std::atomic<long> users{1};     // memory_handle

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
    uwrt_take_back(given, bytes);
    take_own();
    if (bytes)
      std::memcpy(at, given, bytes);
    uwrt_host_writes(at, bytes);
    finish = nullptr;
  }

  std::size_t bytes;
  void *at;
  bool own, write_back = true;
  std::function<void(const void *)> finish;
  std::shared_ptr<const void> kept;
};

// A counted pointer. Nothing gets its address that is not inlined: a buffer is an object of values that the optimiser
// sees, so that extents which are one value on the host are one in a kernel.
class memory_handle {
public:
  __UW_LAUNCH memory_handle(std::size_t bytes, void *given, const property_list &properties)
      : at(given ? make(bytes, given, properties) : make_own(bytes, properties)) {}
  __UW_LAUNCH memory_handle(const memory_handle &other) : at(other.at) { hold(at); }
  __UW_LAUNCH memory_handle &operator=(const memory_handle &other) {
    hold(other.at);
    release(at);
    at = other.at;
    return *this;
  }
  __UW_LAUNCH ~memory_handle() { release(at); }
  __UW_LAUNCH memory *operator->() const { return at; }
  __UW_LAUNCH memory *get() const { return at; }

private:
  __attribute__((noinline)) static memory *make(std::size_t bytes, void *given, const property_list &properties) {
    return new memory(bytes, given, properties);
  }
  // Nobody has the address of this memory but who takes it from the object, and what is in it goes nowhere in the end
  // unless the object is handed to who says so. The two names tell the compiler that (compiler/passes/host/dying.h).
  __attribute__((noinline)) static memory *
  make_own(std::size_t bytes, const property_list &properties) __asm__("__unwarp_sycl_own_memory");
  __attribute__((noinline)) static void release(memory *of) noexcept __asm__("__unwarp_sycl_release");
  __attribute__((noinline)) static void hold(memory *of) noexcept { of->users++; }
  memory *at;
};

inline memory *memory_handle::make_own(std::size_t bytes, const property_list &properties) {
  return new memory(bytes, nullptr, properties);
}
inline void memory_handle::release(memory *of) noexcept {
  if (--of->users == 0)
    delete of;
}

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
