// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extensions that programs use: local memory without an accessor, printf, ballots, and the names under sycl::ext of
// what is standard now.
#ifndef UNWARP_SYCL_EXT_HPP
#define UNWARP_SYCL_EXT_HPP

#include <cstdio>
#include <new>

#include "group_algorithms.hpp"
#include "multi_ptr.hpp"
#include "reduction.hpp"

#define SYCL_EXT_ONEAPI_LOCAL_MEMORY 1
#define SYCL_EXT_ONEAPI_MEMCPY2D 1
#define SYCL_EXT_ONEAPI_SUB_GROUP_MASK 1

namespace sycl {
inline namespace _V1 {
namespace detail {
// Each call of it in the source is an object of its own: where this is inlined the compiler makes one.
#ifdef __SYCL_DEVICE_ONLY__
extern "C" void *__unwarp_sycl_group_object(std::uint64_t bytes) noexcept;
#else
inline void *__unwarp_sycl_group_object(std::uint64_t) noexcept { return nullptr; }
#endif
} // namespace detail

namespace ext::oneapi {

template <class T, class Group>
__UW_INLINE multi_ptr<T, access::address_space::local_space> group_local_memory_for_overwrite(Group) {
  return multi_ptr<T, access::address_space::local_space>(
      static_cast<T *>(detail::__unwarp_sycl_group_object(sizeof(T))));
}
template <class T, class Group, class... Arguments>
__UW_INLINE multi_ptr<T, access::address_space::local_space> group_local_memory(Group group, Arguments &&...arguments) {
  T *object = static_cast<T *>(detail::__unwarp_sycl_group_object(sizeof(T)));
  if (group.leader())
    ::new (object) T(arguments...);
  group_barrier(group);
  return multi_ptr<T, access::address_space::local_space>(object);
}

// The mask of a sub-group: which of its items.
class sub_group_mask {
public:
  sub_group_mask() = default;
  explicit sub_group_mask(std::uint32_t bits) : bits(bits) {}
  bool operator[](id<1> i) const { return bits >> i[0] & 1; }
  bool test(id<1> i) const { return bits >> i[0] & 1; }
  bool all() const { return bits == 0xffffffffu; }
  bool any() const { return bits != 0; }
  bool none() const { return bits == 0; }
  std::uint32_t count() const { return std::uint32_t(__builtin_popcount(bits)); }
  std::uint32_t size() const { return detail::sub_group_size; }
  id<1> find_low() const { return std::size_t(bits ? __builtin_ctz(bits) : 32); }
  id<1> find_high() const { return std::size_t(bits ? 31 - __builtin_clz(bits) : 32); }
  template <class T> void extract_bits(T &out, id<1> from = 0) const { out = T(bits >> from[0]); }
  template <class T> void insert_bits(T in, id<1> at = 0) { bits = std::uint32_t(in) << at[0]; }
  void set() { bits = 0xffffffffu; }
  void set(id<1> i, bool value = true) { bits = (bits & ~(1u << i[0])) | std::uint32_t(value) << i[0]; }
  void reset() { bits = 0; }
  void flip() { bits = ~bits; }
  friend bool operator==(const sub_group_mask &a, const sub_group_mask &b) { return a.bits == b.bits; }
  friend bool operator!=(const sub_group_mask &a, const sub_group_mask &b) { return a.bits != b.bits; }
  friend sub_group_mask operator&(const sub_group_mask &a, const sub_group_mask &b) {
    return sub_group_mask(a.bits & b.bits);
  }
  friend sub_group_mask operator|(const sub_group_mask &a, const sub_group_mask &b) {
    return sub_group_mask(a.bits | b.bits);
  }
  friend sub_group_mask operator^(const sub_group_mask &a, const sub_group_mask &b) {
    return sub_group_mask(a.bits ^ b.bits);
  }
  sub_group_mask operator~() const { return sub_group_mask(~bits); }
  sub_group_mask operator<<(std::size_t n) const { return sub_group_mask(bits << n); }
  sub_group_mask operator>>(std::size_t n) const { return sub_group_mask(bits >> n); }

private:
  std::uint32_t bits = 0;
};
inline sub_group_mask group_ballot(sub_group, bool value = true) {
  return sub_group_mask(std::uint32_t(detail::__unwarp_vote_ballot(-1, value)));
}

namespace experimental {
template <class... Arguments> int printf(const char *format, Arguments... arguments) {
  return ::printf(format, arguments...);
}
} // namespace experimental
} // namespace ext::oneapi

} // namespace _V1
} // namespace sycl
#endif
