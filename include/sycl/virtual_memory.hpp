// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_virtual_mem: addresses that are reserved, and memory that is mapped to them (runtime/sycl/virtual_memory.c).
#ifndef UNWARP_SYCL_VIRTUAL_MEMORY_HPP
#define UNWARP_SYCL_VIRTUAL_MEMORY_HPP

#include "queue.hpp"

#define SYCL_EXT_ONEAPI_VIRTUAL_MEM 1

namespace sycl {
inline namespace _V1 {
namespace ext::oneapi::experimental {

enum class granularity_mode { minimum, recommended };
enum class address_access_mode : char { none, read, read_write };

inline std::size_t get_mem_granularity(const device &, const context &,
                                       granularity_mode = granularity_mode::recommended) {
  return uwrt_sycl_page_bytes();
}
inline std::size_t get_mem_granularity(const context &, granularity_mode = granularity_mode::recommended) {
  return uwrt_sycl_page_bytes();
}

} // namespace ext::oneapi::experimental

namespace detail {
inline void check_pages(std::uintptr_t place, std::size_t bytes) {
  const std::size_t page = uwrt_sycl_page_bytes();
  if (bytes == 0 || bytes % page != 0 || place % page != 0)
    fail(errc::invalid, "virtual memory is in whole pages: ask get_mem_granularity");
}
// Kernels have run, which may have used what is changed.
inline void *at_rest(std::uintptr_t place) {
  cudaDeviceSynchronize();
  return reinterpret_cast<void *>(place);
}
} // namespace detail

namespace ext::oneapi::experimental {

inline std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t bytes, const context &) {
  detail::check_pages(0, bytes);
  void *place = uwrt_sycl_reserve(start, bytes);
  if (!place)
    detail::fail(errc::memory_allocation, "there are no addresses left to reserve");
  return reinterpret_cast<std::uintptr_t>(place);
}
inline std::uintptr_t reserve_virtual_mem(std::size_t bytes, const context &where) {
  return reserve_virtual_mem(0, bytes, where);
}
inline void free_virtual_mem(std::uintptr_t place, std::size_t bytes, const context &) {
  detail::check_pages(place, bytes);
  uwrt_sycl_unreserve(detail::at_rest(place), bytes);
}
inline void set_access_mode(const void *place, std::size_t bytes, address_access_mode mode, const context &) {
  detail::check_pages(reinterpret_cast<std::uintptr_t>(place), bytes);
  if (uwrt_sycl_set_access(detail::at_rest(reinterpret_cast<std::uintptr_t>(place)), bytes, int(mode)) != 0)
    detail::fail(errc::invalid, "the addresses are not mapped to memory");
}
inline address_access_mode get_access_mode(const void *place, std::size_t bytes, const context &) {
  detail::check_pages(reinterpret_cast<std::uintptr_t>(place), bytes);
  const int mode = uwrt_sycl_get_access(place);
  if (mode < 0)
    detail::fail(errc::invalid, "the addresses are not mapped to memory");
  return address_access_mode(mode);
}
inline void unmap(const void *place, std::size_t bytes, const context &) {
  detail::check_pages(reinterpret_cast<std::uintptr_t>(place), bytes);
  uwrt_sycl_unmap(detail::at_rest(reinterpret_cast<std::uintptr_t>(place)), bytes);
}

class physical_mem {
public:
  physical_mem(const device &, const context &where, std::size_t bytes)
      : data(std::make_shared<contents>(where, bytes)) {}
  physical_mem(const queue &of, std::size_t bytes) : physical_mem(of.get_device(), of.get_context(), bytes) {}

  void *map(std::uintptr_t place, std::size_t bytes, address_access_mode mode, std::size_t offset = 0) const {
    detail::check_pages(place, bytes);
    if (offset > data->bytes || bytes > data->bytes - offset || offset % uwrt_sycl_page_bytes() != 0)
      detail::fail(errc::invalid, "what is mapped is a part of the memory, of whole pages");
    if (uwrt_sycl_map(detail::at_rest(place), bytes, data->file, offset, int(mode)) != 0)
      detail::fail(errc::memory_allocation, "the addresses cannot be mapped");
    return reinterpret_cast<void *>(place);
  }
  context get_context() const { return data->where; }
  device get_device() const { return {}; }
  std::size_t size() const noexcept { return data->bytes; }

  friend bool operator==(const physical_mem &a, const physical_mem &b) { return a.data == b.data; }
  friend bool operator!=(const physical_mem &a, const physical_mem &b) { return a.data != b.data; }

private:
  struct contents {
    context where;
    std::size_t bytes;
    int file;
    contents(const context &where, std::size_t bytes) : where(where), bytes(bytes) {
      detail::check_pages(0, bytes);
      file = uwrt_sycl_physical_new(bytes);
      if (file < 0)
        detail::fail(errc::memory_allocation, "no memory for a physical_mem");
    }
    contents(const contents &) = delete;
    ~contents() { uwrt_sycl_physical_free(file); }
  };
  friend struct std::hash<physical_mem>;
  std::shared_ptr<const contents> data;
};

} // namespace ext::oneapi::experimental
} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::ext::oneapi::experimental::physical_mem> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::physical_mem &one) const {
    return std::hash<const void *>()(one.data.get());
  }
};
#endif
