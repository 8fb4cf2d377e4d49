// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unified shared memory: the allocators and what a pointer is (SYCL 2020, section 4.8). Device memory is host memory;
// the kinds differ by what they are called.
#ifndef UNWARP_SYCL_USM_HPP
#define UNWARP_SYCL_USM_HPP

#include <new>

#include "queue.hpp"

namespace sycl {
inline namespace _V1 {
namespace usm {
enum class alloc : int { host = 0, device = 1, shared = 2, unknown = 3 };
} // namespace usm

namespace detail {
inline constexpr std::size_t allocation_alignment = 256; // of what the runtime gives

// Inlined, so that a launching function shows which of its pointers are allocations of their own.
__UW_INLINE void *allocate(usm::alloc kind, std::size_t bytes) {
  void *place = nullptr;
  if (kind == usm::alloc::device)
    cudaMalloc(&place, bytes);
  else if (kind == usm::alloc::shared)
    cudaMallocManaged(&place, bytes, 1);
  else if (kind == usm::alloc::host)
    cudaMallocHost(&place, bytes);
  return place;
}
__UW_INLINE void *allocate_aligned(usm::alloc kind, std::size_t alignment, std::size_t bytes) {
  if (__builtin_expect(alignment > allocation_alignment, 0))
    return nullptr;
  return allocate(kind, bytes);
}
} // namespace detail

#define __UW_ALLOCATOR(kind)                                                                                           \
  __UW_INLINE void *malloc_##kind(std::size_t bytes, const device &, const context &, const property_list & = {}) {    \
    return detail::allocate(usm::alloc::kind, bytes);                                                                  \
  }                                                                                                                    \
  __UW_INLINE void *malloc_##kind(std::size_t bytes, const queue &, const property_list & = {}) {                      \
    return detail::allocate(usm::alloc::kind, bytes);                                                                  \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __UW_INLINE T *malloc_##kind(std::size_t count, const device &, const context &, const property_list & = {}) {       \
    return static_cast<T *>(detail::allocate(usm::alloc::kind, count * sizeof(T)));                                    \
  }                                                                                                                    \
  template <class T> __UW_INLINE T *malloc_##kind(std::size_t count, const queue &, const property_list & = {}) {      \
    return static_cast<T *>(detail::allocate(usm::alloc::kind, count * sizeof(T)));                                    \
  }                                                                                                                    \
  __UW_INLINE void *aligned_alloc_##kind(std::size_t alignment, std::size_t bytes, const device &, const context &,    \
                                         const property_list & = {}) {                                                 \
    return detail::allocate_aligned(usm::alloc::kind, alignment, bytes);                                               \
  }                                                                                                                    \
  __UW_INLINE void *aligned_alloc_##kind(std::size_t alignment, std::size_t bytes, const queue &,                      \
                                         const property_list & = {}) {                                                 \
    return detail::allocate_aligned(usm::alloc::kind, alignment, bytes);                                               \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __UW_INLINE T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const device &, const context &,       \
                                      const property_list & = {}) {                                                    \
    return static_cast<T *>(detail::allocate_aligned(usm::alloc::kind, alignment, count * sizeof(T)));                 \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  __UW_INLINE T *aligned_alloc_##kind(std::size_t alignment, std::size_t count, const queue &,                         \
                                      const property_list & = {}) {                                                    \
    return static_cast<T *>(detail::allocate_aligned(usm::alloc::kind, alignment, count * sizeof(T)));                 \
  }
__UW_ALLOCATOR(device)
__UW_ALLOCATOR(shared)
__UW_ALLOCATOR(host)
#undef __UW_ALLOCATOR

// Host memory needs no device.
__UW_INLINE void *malloc_host(std::size_t bytes, const context &, const property_list & = {}) {
  return detail::allocate(usm::alloc::host, bytes);
}
template <class T> __UW_INLINE T *malloc_host(std::size_t count, const context &, const property_list & = {}) {
  return static_cast<T *>(detail::allocate(usm::alloc::host, count * sizeof(T)));
}
__UW_INLINE void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const context &,
                                     const property_list & = {}) {
  return detail::allocate_aligned(usm::alloc::host, alignment, bytes);
}
template <class T>
__UW_INLINE T *aligned_alloc_host(std::size_t alignment, std::size_t count, const context &,
                                  const property_list & = {}) {
  return static_cast<T *>(detail::allocate_aligned(usm::alloc::host, alignment, count * sizeof(T)));
}

// The kind as an argument.
__UW_INLINE void *malloc(std::size_t bytes, const device &, const context &, usm::alloc kind,
                         const property_list & = {}) {
  return detail::allocate(kind, bytes);
}
__UW_INLINE void *malloc(std::size_t bytes, const queue &, usm::alloc kind, const property_list & = {}) {
  return detail::allocate(kind, bytes);
}
template <class T>
__UW_INLINE T *malloc(std::size_t count, const device &, const context &, usm::alloc kind, const property_list & = {}) {
  return static_cast<T *>(detail::allocate(kind, count * sizeof(T)));
}
template <class T>
__UW_INLINE T *malloc(std::size_t count, const queue &, usm::alloc kind, const property_list & = {}) {
  return static_cast<T *>(detail::allocate(kind, count * sizeof(T)));
}
__UW_INLINE void *aligned_alloc(std::size_t alignment, std::size_t bytes, const device &, const context &,
                                usm::alloc kind, const property_list & = {}) {
  return detail::allocate_aligned(kind, alignment, bytes);
}
__UW_INLINE void *aligned_alloc(std::size_t alignment, std::size_t bytes, const queue &, usm::alloc kind,
                                const property_list & = {}) {
  return detail::allocate_aligned(kind, alignment, bytes);
}
template <class T>
__UW_INLINE T *aligned_alloc(std::size_t alignment, std::size_t count, const device &, const context &, usm::alloc kind,
                             const property_list & = {}) {
  return static_cast<T *>(detail::allocate_aligned(kind, alignment, count * sizeof(T)));
}
template <class T>
__UW_INLINE T *aligned_alloc(std::size_t alignment, std::size_t count, const queue &, usm::alloc kind,
                             const property_list & = {}) {
  return static_cast<T *>(detail::allocate_aligned(kind, alignment, count * sizeof(T)));
}

namespace detail {
__UW_INLINE void release(void *pointer) {
  if (pointer && cudaFree(pointer) != 0)
    cudaFreeHost(pointer);
}
} // namespace detail
__UW_INLINE void free(void *pointer, const context &, const property_list & = {}) { detail::release(pointer); }
__UW_INLINE void free(void *pointer, const queue &, const property_list & = {}) { detail::release(pointer); }

inline usm::alloc get_pointer_type(const void *pointer, const context &) {
  return static_cast<usm::alloc>(uwrt_sycl_pointer_kind(pointer));
}
inline device get_pointer_device(const void *pointer, const context &where) {
  if (get_pointer_type(pointer, where) == usm::alloc::unknown)
    detail::fail(errc::invalid, "the pointer is to no memory of a device");
  return {};
}

template <class T, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator {
public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <class U> struct rebind {
    using other = usm_allocator<U, Kind, Alignment>;
  };

  usm_allocator(const context &where, const device &, const property_list & = {}) : where(where) {}
  explicit usm_allocator(const queue &queue, const property_list & = {}) : where(queue.get_context()) {}
  template <class U>
  usm_allocator(const usm_allocator<U, Kind, Alignment> &other) noexcept : where(other.unwarp_context()) {}

  T *allocate(std::size_t count) {
    void *place = detail::allocate_aligned(Kind, Alignment, count * sizeof(T));
    if (!place)
      throw std::bad_alloc();
    return static_cast<T *>(place);
  }
  void deallocate(T *pointer, std::size_t) { detail::release(pointer); }
  const context &unwarp_context() const { return where; }

  template <class U, usm::alloc K, std::size_t A>
  friend bool operator==(const usm_allocator &a, const usm_allocator<U, K, A> &b) {
    return K == Kind && A == Alignment && a.where == b.unwarp_context();
  }
  template <class U, usm::alloc K, std::size_t A>
  friend bool operator!=(const usm_allocator &a, const usm_allocator<U, K, A> &b) {
    return !(a == b);
  }

private:
  context where;
};

} // namespace _V1
} // namespace sycl
#endif
