// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::buffer (SYCL 2020, section 4.7.2).
#ifndef UNWARP_SYCL_BUFFER_HPP
#define UNWARP_SYCL_BUFFER_HPP

#include <algorithm>
#include <iterator>

#include "detail/memory.hpp"
#include "handler.hpp"

namespace sycl {
inline namespace _V1 {

template <class T, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder> class accessor;
template <class T, int Dimensions, access_mode Mode> class host_accessor;

// Memory comes from the runtime; a program may name an allocator all the same.
template <class T> using buffer_allocator = std::allocator<T>;

template <class T, int Dimensions = 1, class AllocatorT = buffer_allocator<std::remove_const_t<T>>> class buffer {
  using plain = std::remove_const_t<T>;

public:
  using value_type = T;
  using reference = T &;
  using const_reference = const T &;
  using allocator_type = AllocatorT;
  static constexpr int dimensions = Dimensions;

  __UW_LAUNCH buffer(const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(extent, AllocatorT(), properties) {}
  __UW_LAUNCH buffer(const range<Dimensions> &extent, AllocatorT allocator, const property_list &properties = {})
      : data(extent.size() * sizeof(T), nullptr, properties), extent(extent), allocator(allocator) {}

  __UW_LAUNCH buffer(T *host, const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(host, extent, AllocatorT(), properties) {}
  __UW_LAUNCH buffer(T *host, const range<Dimensions> &extent, AllocatorT allocator,
                     const property_list &properties = {})
      : data(extent.size() * sizeof(T), std::is_const_v<T> ? nullptr : const_cast<plain *>(host), properties),
        extent(extent), allocator(allocator) {
    if constexpr (std::is_const_v<T>)
      copy_in(data.get(), host);
  }
  // What is const is copied, and not written in the end.
  template <class U = T, class = std::enable_if_t<!std::is_const_v<U>>>
  __UW_LAUNCH buffer(const U *host, const range<Dimensions> &extent, const property_list &properties = {})
      : buffer(host, extent, AllocatorT(), properties) {}
  template <class U = T, class = std::enable_if_t<!std::is_const_v<U>>>
  __UW_LAUNCH buffer(const U *host, const range<Dimensions> &extent, AllocatorT allocator,
                     const property_list &properties = {})
      : data(extent.size() * sizeof(T), nullptr, properties), extent(extent), allocator(allocator) {
    copy_in(data.get(), host);
  }

  __UW_LAUNCH buffer(const std::shared_ptr<T> &host, const range<Dimensions> &extent,
                     const property_list &properties = {})
      : buffer(host.get(), extent, properties) {
    data->keep_alive(host);
  }
  __UW_LAUNCH buffer(const std::shared_ptr<T> &host, const range<Dimensions> &extent, AllocatorT allocator,
                     const property_list &properties = {})
      : buffer(host.get(), extent, allocator, properties) {
    data->keep_alive(host);
  }
  __UW_LAUNCH buffer(const std::shared_ptr<T[]> &host, const range<Dimensions> &extent, AllocatorT allocator,
                     const property_list &properties = {})
      : buffer(host.get(), extent, allocator, properties) {
    data->keep_alive(host);
  }
  __UW_LAUNCH buffer(const std::shared_ptr<T[]> &host, const range<Dimensions> &extent,
                     const property_list &properties = {})
      : buffer(host.get(), extent, properties) {
    data->keep_alive(host);
  }

  template <class Container, int D = Dimensions,
            class = std::enable_if_t<
                D == 1 && std::is_convertible_v<decltype(std::data(std::declval<Container &>())), const T *>>,
            class = decltype(std::size(std::declval<Container &>()))>
  __UW_LAUNCH buffer(Container &container, AllocatorT allocator, const property_list &properties = {})
      : buffer(std::data(container), range<1>(std::size(container)), allocator, properties) {}
  template <class Container, int D = Dimensions,
            class = std::enable_if_t<
                D == 1 && std::is_convertible_v<decltype(std::data(std::declval<Container &>())), const T *>>,
            class = decltype(std::size(std::declval<Container &>()))>
  __UW_LAUNCH buffer(Container &container, const property_list &properties = {})
      : buffer(std::data(container), range<1>(std::size(container)), properties) {}

  template <class Iterator, int D = Dimensions, class = std::enable_if_t<D == 1>,
            class = typename std::iterator_traits<Iterator>::iterator_category>
  __UW_LAUNCH buffer(Iterator first, Iterator last, AllocatorT allocator, const property_list &properties = {})
      : data(std::size_t(std::distance(first, last)) * sizeof(T), nullptr, properties),
        extent(range<1>(std::size_t(std::distance(first, last)))), allocator(allocator) {
    std::uninitialized_copy(first, last, static_cast<plain *>(data->address()));
    uwrt_host_writes(data->address(), data->size());
  }
  template <class Iterator, int D = Dimensions, class = std::enable_if_t<D == 1>,
            class = typename std::iterator_traits<Iterator>::iterator_category>
  __UW_LAUNCH buffer(Iterator first, Iterator last, const property_list &properties = {})
      : buffer(first, last, AllocatorT(), properties) {}

  // A part: rows that lie one after the other.
  __UW_LAUNCH buffer(buffer &other, const id<Dimensions> &start, const range<Dimensions> &part)
      : data(other.data), extent(part), allocator(other.allocator), is_part(true) {
    if (other.is_part)
      detail::fail(errc::invalid, "a buffer that is a part of another one has no parts");
    for (int d = 0; d < Dimensions; d++)
      if (start.get(d) + part.get(d) > other.extent.get(d))
        detail::fail(errc::invalid, "the part is outside of the buffer");
    bool contiguous = true, inner_full = true;
    for (int d = Dimensions - 1; d >= 0; d--) {
      contiguous &= inner_full || part.get(d) == 1;
      inner_full &= part.get(d) == other.extent.get(d);
    }
    if (!contiguous)
      detail::fail(errc::invalid, "the part of a buffer must lie in one piece");
    offset = detail::linear(start, id<Dimensions>(other.extent)) * sizeof(T);
  }

  __UW_LAUNCH buffer(const buffer &) = default;
  __UW_LAUNCH buffer &operator=(const buffer &) = default;
  __UW_LAUNCH ~buffer() {}

  __UW_LAUNCH range<Dimensions> get_range() const { return extent; }
  __UW_LAUNCH std::size_t byte_size() const noexcept { return extent.size() * sizeof(T); }
  __UW_LAUNCH std::size_t size() const noexcept { return extent.size(); }
  std::size_t get_count() const { return size(); }
  std::size_t get_size() const { return byte_size(); }
  AllocatorT get_allocator() const { return allocator; }
  bool is_sub_buffer() const noexcept { return is_part; }
  template <class Property> bool has_property() const noexcept {
    return data->properties.template has_property<Property>();
  }
  template <class Property> Property get_property() const { return data->properties.template get_property<Property>(); }

  // Defined in accessor.hpp.
  template <access_mode Mode = access_mode::read_write, target Target = target::device, class... Rest>
  __UW_LAUNCH auto get_access(handler &group, Rest &&...rest);
  template <access_mode Mode, class... Rest> __UW_LAUNCH auto get_access(Rest &&...rest);
  template <class... Rest> __UW_LAUNCH auto get_host_access(Rest &&...rest);

  __UW_LAUNCH void set_write_back(bool wanted = true) { data->set_write_back(wanted); }
  // A pointer, an iterator, a weak_ptr, or nullptr for nowhere.
  template <class Destination = std::nullptr_t> __UW_LAUNCH void set_final_data(Destination goal = nullptr) {
    const std::size_t count = size();
    if constexpr (std::is_same_v<Destination, std::nullptr_t>)
      data->set_goal(nullptr);
    else if constexpr (is_weak<Destination>::value)
      data->set_goal([goal, count](const void *from) {
        if (auto owner = goal.lock())
          std::copy_n(static_cast<const plain *>(from), count, &owner.get()[0]);
      });
    else if constexpr (is_shared<Destination>::value)
      data->set_goal(
          [goal, count](const void *from) { std::copy_n(static_cast<const plain *>(from), count, &goal.get()[0]); });
    else if (is_null(goal))
      data->set_goal(nullptr);
    else
      data->set_goal(
          [goal, count](const void *from) mutable { std::copy_n(static_cast<const plain *>(from), count, goal); });
  }

  template <class U, int D> buffer<U, D> reinterpret(const range<D> &as) const {
    if (as.size() * sizeof(U) != byte_size())
      detail::fail(errc::invalid, "a buffer is reinterpreted as one of the same size");
    return buffer<U, D>(data, as, offset, is_part);
  }
  template <class U, int D = Dimensions> buffer<U, D> reinterpret() const {
    if constexpr (D == 1)
      return reinterpret<U, 1>(range<1>(byte_size() / sizeof(U)));
    else
      return reinterpret<U, D>(extent);
  }

  __UW_LAUNCH detail::memory *unwarp_memory() const { return data.get(); }
  __UW_LAUNCH T *unwarp_data() const { return reinterpret_cast<T *>(static_cast<char *>(data->address()) + offset); }

  friend bool operator==(const buffer &a, const buffer &b) {
    return a.data.get() == b.data.get() && a.offset == b.offset && a.extent == b.extent;
  }
  friend bool operator!=(const buffer &a, const buffer &b) { return !(a == b); }

private:
  template <class, int, class> friend class buffer;
  friend struct std::hash<buffer>;
  template <class U> static bool is_null(const U &) { return false; }
  template <class U> static bool is_null(U *goal) { return !goal; }
  template <class U> struct is_weak : std::false_type {};
  template <class U> struct is_weak<std::weak_ptr<U>> : std::true_type {};
  template <class U> struct is_shared : std::false_type {};
  template <class U> struct is_shared<std::shared_ptr<U>> : std::true_type {};

  __UW_LAUNCH buffer(const detail::memory_handle &data, const range<Dimensions> &extent, std::size_t offset,
                     bool is_part)
      : data(data), extent(extent), offset(offset), is_part(is_part) {}

  static void copy_in(detail::memory *data, const T *host) {
    if (!host || !data->size())
      return;
    std::memcpy(data->address(), host, data->size());
    uwrt_host_writes(data->address(), data->size());
  }

  detail::memory_handle data;
  range<Dimensions> extent;
  std::size_t offset = 0; // bytes
  AllocatorT allocator;
  bool is_part = false;
};

template <class T, int D> buffer(const T *, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <class T, int D> buffer(T *, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <class T, int D, class A>
buffer(const T *, const range<D> &, A, const property_list & = {}) -> buffer<T, D, A>;
template <class T, int D>
buffer(const std::shared_ptr<T> &, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <class Iterator, class = typename std::iterator_traits<Iterator>::iterator_category>
buffer(Iterator, Iterator, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;
template <class Iterator, class A, class = typename std::iterator_traits<Iterator>::iterator_category,
          class = typename A::value_type>
buffer(Iterator, Iterator, A, const property_list & = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1, A>;
template <class T, int D, class A>
buffer(const std::shared_ptr<T> &, const range<D> &, A, const property_list & = {}) -> buffer<T, D, A>;
template <class T, int D>
buffer(const std::shared_ptr<T[]> &, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <class T, int D, class A>
buffer(const std::shared_ptr<T[]> &, const range<D> &, A, const property_list & = {}) -> buffer<T, D, A>;
template <class Container, class = typename Container::value_type>
buffer(Container &, const property_list & = {}) -> buffer<typename Container::value_type, 1>;
template <class Container, class A, class = typename Container::value_type, class = typename A::value_type>
buffer(Container &, A, const property_list & = {}) -> buffer<typename Container::value_type, 1, A>;

} // namespace _V1
} // namespace sycl

template <class T, int D, class A> struct std::hash<sycl::buffer<T, D, A>> {
  std::size_t operator()(const sycl::buffer<T, D, A> &buffer) const {
    return std::hash<const void *>()(buffer.data.get()) + buffer.offset;
  }
};
#endif
