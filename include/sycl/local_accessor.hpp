// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::local_accessor (SYCL 2020, section 4.7.6.11): memory that the items of a work-group share. What a kernel holds
// of it is where it lies in the group's local memory, and its range.
#ifndef UNWARP_SYCL_LOCAL_ACCESSOR_HPP
#define UNWARP_SYCL_LOCAL_ACCESSOR_HPP

#include "detail/subscript.hpp"
#include "handler.hpp"
#include "multi_ptr.hpp"
#include "property_list.hpp"

namespace sycl {
inline namespace _V1 {

template <class T, int Dimensions = 1> class local_accessor {
public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using iterator = T *;
  using const_iterator = const T *;
  using reverse_iterator = std::reverse_iterator<T *>;
  using const_reverse_iterator = std::reverse_iterator<const T *>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  template <access::decorated Decorated> using accessor_ptr = local_ptr<T, Decorated>;
  static constexpr int dimensions = Dimensions;

private:
  using range_of = range<Dimensions ? Dimensions : 1>;
  using id_of = id<Dimensions ? Dimensions : 1>;

public:
  local_accessor() = default;
  template <int D = Dimensions, class = std::enable_if_t<D == 0>>
  __UW_LAUNCH local_accessor(handler &group, const property_list & = {})
      : place(group.unwarp_local(sizeof(T), alignof(T) < 16 ? 16 : alignof(T))) {}
  template <int D = Dimensions, class = std::enable_if_t<(D > 0)>>
  __UW_LAUNCH local_accessor(range_of extent, handler &group, const property_list & = {})
      : place(group.unwarp_local(extent.size() * sizeof(T), alignof(T) < 64 ? 64 : alignof(T))), extent(extent) {}

  // Forgotten by who is new to it; else clang lists every constructor there is.
  template <int D = Dimensions, class = std::enable_if_t<(D > 0)>>
  __attribute__((unavailable("a local_accessor is one of a command group: give it the handler too, and make it where "
                             "the group is, before the kernel"))) explicit local_accessor(range_of);

  // One to read by.
  template <class U, class = std::enable_if_t<std::is_same_v<T, const U> && !std::is_same_v<T, U>>>
  local_accessor(const local_accessor<U, Dimensions> &other) : place(other.place), extent(other.extent) {}

  size_type size() const noexcept {
    if constexpr (Dimensions == 0)
      return 1;
    else
      return extent.size();
  }
  size_type get_count() const noexcept { return size(); }
  size_type get_size() const noexcept { return byte_size(); }
  size_type byte_size() const noexcept { return size() * sizeof(T); }
  size_type max_size() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }
  range_of get_range() const {
    if constexpr (Dimensions == 0)
      return range<1>(1);
    else
      return extent;
  }

  template <int D = Dimensions, class = std::enable_if_t<D == 0>> operator reference() const { return *memory(); }
  template <int D = Dimensions, class = std::enable_if_t<D == 0>>
  const local_accessor &operator=(const T &value) const {
    *memory() = value;
    return *this;
  }
  template <int D = Dimensions, class = std::enable_if_t<(D > 0)>> reference operator[](id_of index) const {
    return memory()[detail::linear(index, id_of(extent))];
  }
  template <int D, bool WithOffset, class = std::enable_if_t<D == Dimensions>>
  reference operator[](const item<D, WithOffset> &place) const {
    return (*this)[place.get_id()];
  }
  template <int D = Dimensions, class = std::enable_if_t<D == 1>> reference operator[](std::size_t index) const {
    return memory()[index];
  }
  template <int D = Dimensions, class = std::enable_if_t<(D > 1)>>
  detail::subscript<T, D - 1> operator[](std::size_t index) const {
    return detail::subscript<T, D>(memory(), extent)[index];
  }

  local_ptr<T> get_pointer() const noexcept { return local_ptr<T>(memory()); }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(memory());
  }
  iterator begin() const noexcept { return memory(); }
  iterator end() const noexcept { return memory() + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(end()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(begin()); }
  void swap(local_accessor &other) { std::swap(*this, other); }

  friend bool operator==(const local_accessor &a, const local_accessor &b) {
    return a.place == b.place && a.size() == b.size();
  }
  friend bool operator!=(const local_accessor &a, const local_accessor &b) { return !(a == b); }

  std::size_t unwarp_place() const { return place; }

private:
  template <class, int> friend class local_accessor;
  __UW_INLINE T *memory() const {
    return reinterpret_cast<T *>(static_cast<char *>(detail::__unwarp_sycl_local_memory()) + place);
  }

  std::size_t place = 0; // bytes
  range_of extent;
};

} // namespace _V1
} // namespace sycl

template <class T, int D> struct std::hash<sycl::local_accessor<T, D>> {
  std::size_t operator()(const sycl::local_accessor<T, D> &one) const { return one.unwarp_place() + one.size(); }
};
#endif
