// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::accessor and sycl::host_accessor (SYCL 2020, sections 4.7.6.9 and 4.7.6.10). What a kernel uses of one is a
// pointer and the buffer's inner extents. Requirements are met as they are made: earlier commands have run, but for
// host tasks and what waits for one.
#ifndef UNWARP_SYCL_ACCESSOR_HPP
#define UNWARP_SYCL_ACCESSOR_HPP

#include "buffer.hpp"
#include "local_accessor.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
extern "C" __attribute__((const)) const void *__unwarp_sycl_accessor_memory(const void *) noexcept;
#endif

// --- what the arguments of an accessor's constructor say of its type
template <class... Arguments> struct mode_of {
  static constexpr access_mode value = access_mode::read_write;
};
template <class... Arguments> struct target_of {
  static constexpr target value = target::device;
};
template <access_mode Mode, class... Rest> struct mode_of<mode_tag_t<Mode>, Rest...> {
  static constexpr access_mode value = Mode;
};
template <access_mode Mode, target Target, class... Rest> struct mode_of<mode_target_tag_t<Mode, Target>, Rest...> {
  static constexpr access_mode value = Mode;
};
template <access_mode Mode, target Target, class... Rest> struct target_of<mode_target_tag_t<Mode, Target>, Rest...> {
  static constexpr target value = Target;
};
template <class First, class... Rest> struct mode_of<First, Rest...> : mode_of<Rest...> {};
template <class First, class... Rest> struct target_of<First, Rest...> : target_of<Rest...> {};

template <class T, access_mode Mode> using element_of = std::conditional_t<Mode == access_mode::read, const T, T>;

// Walks over the part of a buffer of several dimensions that an accessor is for.
template <class T, int D> class part_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_const_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;

  part_iterator() = default;
  part_iterator(T *memory, const range<D> &whole, const range<D> &part, difference_type at)
      : memory(memory), whole(whole), part(part), at(at) {}

  reference operator*() const { return memory[place(at)]; }
  pointer operator->() const { return &**this; }
  reference operator[](difference_type steps) const { return memory[place(at + steps)]; }
  part_iterator &operator+=(difference_type steps) {
    at += steps;
    return *this;
  }
  part_iterator &operator-=(difference_type steps) { return *this += -steps; }
  part_iterator &operator++() { return *this += 1; }
  part_iterator &operator--() { return *this -= 1; }
  part_iterator operator++(int) {
    part_iterator old = *this;
    ++*this;
    return old;
  }
  part_iterator operator--(int) {
    part_iterator old = *this;
    --*this;
    return old;
  }
  friend part_iterator operator+(part_iterator a, difference_type steps) { return a += steps; }
  friend part_iterator operator+(difference_type steps, part_iterator a) { return a += steps; }
  friend part_iterator operator-(part_iterator a, difference_type steps) { return a -= steps; }
  friend difference_type operator-(const part_iterator &a, const part_iterator &b) { return a.at - b.at; }
  friend bool operator==(const part_iterator &a, const part_iterator &b) { return a.at == b.at; }
  friend bool operator!=(const part_iterator &a, const part_iterator &b) { return a.at != b.at; }
  friend bool operator<(const part_iterator &a, const part_iterator &b) { return a.at < b.at; }
  friend bool operator>(const part_iterator &a, const part_iterator &b) { return a.at > b.at; }
  friend bool operator<=(const part_iterator &a, const part_iterator &b) { return a.at <= b.at; }
  friend bool operator>=(const part_iterator &a, const part_iterator &b) { return a.at >= b.at; }

private:
  std::size_t place(difference_type index) const {
    const std::size_t i = std::size_t(index);
    if constexpr (D == 2)
      return i / part.at[1] * whole.at[1] + i % part.at[1];
    else
      return (i / part.at[2] / part.at[1] * whole.at[1] + i / part.at[2] % part.at[1]) * whole.at[2] + i % part.at[2];
  }
  T *memory = nullptr; // the part's first element
  range<D> whole, part;
  difference_type at = 0;
};

// What accessors of buffers have in common. `memory` is the buffer's element 0, moved by the offset of a part.
template <class T, int Dimensions, access_mode Mode> class accessor_base : accessor_of_any {
protected:
  static constexpr int D = Dimensions ? Dimensions : 1;
  using element = element_of<T, Mode>;
  using range_of = range<D>;
  using id_of = id<D>;

public:
  using value_type = element;
  using reference = element &;
  using const_reference = const T &;
  using iterator = std::conditional_t<(D > 1), part_iterator<element, D>, element *>;
  using const_iterator = std::conditional_t<(D > 1), part_iterator<const T, D>, const T *>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;

  accessor_base() = default;
  template <class U, class Allocator, class... Rest>
  __UW_LAUNCH accessor_base(buffer<U, D, Allocator> &buffer, const Rest &...rest) {
    origin = memory = const_cast<element *>(static_cast<const T *>(buffer.unwarp_data()));
    object = buffer.unwarp_memory();
    if constexpr (Dimensions == 0)
      (take(rest), ...);
    if constexpr (Dimensions > 0) {
      whole = part = buffer.get_range();
      (take(rest), ...);
      bool inside = part.at[0] + start.at[0] <= whole.at[0];
      if constexpr (D > 1)
        inside = inside && part.at[1] + start.at[1] <= whole.at[1];
      if constexpr (D > 2)
        inside = inside && part.at[2] + start.at[2] <= whole.at[2];
      if (__builtin_expect(!inside, 0))
        fail(errc::invalid, "the range of an accessor is outside of its buffer", place_of(rest...));
      memory += linear(start, id_of(whole));
    } else {
      whole = part = range_of::filled(buffer.size() != 0); // an empty buffer has no element to be
    }
    (note(rest), ...);
    if constexpr (!(std::is_same_v<std::decay_t<Rest>, handler> || ...))
      properties |= of_no_group;
  }
  template <class U, access_mode Other>
  __UW_LAUNCH accessor_base(const accessor_base<U, Dimensions, Other> &other, int)
      : memory(other.memory), whole(other.whole), part(other.part), start(other.start), origin(other.origin),
        object(other.object), properties(other.properties) {}

  bool empty() const noexcept { return size() == 0; }
  size_type size() const noexcept { return part.size(); }
  size_type max_size() const noexcept { return size(); }
  size_type byte_size() const noexcept { return size() * sizeof(T); }
  size_type get_count() const noexcept { return size(); }
  size_type get_size() const noexcept { return byte_size(); }
  range_of get_range() const { return part; }
  id_of get_offset() const { return start; }

  template <int E = Dimensions, class = std::enable_if_t<E == 0>> operator reference() const { return *memory; }
  template <int E = Dimensions, class = std::enable_if_t<(E > 0)>> __UW_INLINE reference operator[](id_of index) const {
    return own_memory()[linear(index, id_of(whole))];
  }
  template <int E, bool WithOffset, class = std::enable_if_t<E == Dimensions>>
  __UW_INLINE reference operator[](const item<E, WithOffset> &place) const {
    return (*this)[place.get_id()];
  }
  template <int E = Dimensions, class = std::enable_if_t<E == 1>>
  __UW_INLINE reference operator[](std::size_t index) const {
    return own_memory()[index];
  }
  template <int E = Dimensions, class = std::enable_if_t<(E > 1)>>
  __UW_INLINE subscript<element, (E > 1 ? E - 1 : 1)> operator[](std::size_t index) const {
    return subscript<element, E>(own_memory(), whole)[index];
  }

  iterator begin() const noexcept {
    if constexpr (D > 1)
      return iterator(memory, whole, part, 0);
    else
      return memory;
  }
  iterator end() const noexcept { return begin() + difference_type(size()); }
  const_iterator cbegin() const noexcept {
    if constexpr (D > 1)
      return const_iterator(memory, whole, part, 0);
    else
      return memory;
  }
  const_iterator cend() const noexcept { return cbegin() + difference_type(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  template <class Property> bool has_property() const noexcept { return properties & Property::bit; }
  template <class Property> Property get_property() const {
    if (!has_property<Property>())
      fail(errc::invalid, "the accessor does not have the property");
    return Property();
  }

  element *unwarp_origin() const { return origin; }
  bool unwarp_is_of_no_group() const { return properties & of_no_group; }
  // All of the buffer: subscripts are not checked against a part.
  __UW_LAUNCH void unwarp_require(handler &group) const {
    group.unwarp_access(origin, whole.size() * sizeof(T), Mode != access_mode::read);
  }

  friend bool operator==(const accessor_base &a, const accessor_base &b) {
    return a.memory == b.memory && a.part == b.part && a.object == b.object;
  }
  friend bool operator!=(const accessor_base &a, const accessor_base &b) { return !(a == b); }

protected:
  template <class, int, access_mode> friend class accessor_base;

  // For kernels, for host tasks, and for what stands behind one.
  void wait_for_host() const {
    if (any_task_is_open())
      uwrt_sycl_wait_for_memory(origin, origin + whole.size(), Mode != access_mode::read);
    cudaDeviceSynchronize();
    uwrt_sycl_check();
    if constexpr (Mode != access_mode::read)
      uwrt_host_writes(origin, whole.size() * sizeof(T));
  }

  __UW_LAUNCH void take(const range_of &extent) { part = extent; }
  __UW_LAUNCH void take(const id_of &index) { start = index; }
  __UW_LAUNCH void take(const property_list &list) { take_bits(list.mask()); }
  __UW_LAUNCH void take(const property::no_init &) { take_bits(property::no_init::bit); }
  __UW_LAUNCH void take_bits(std::uint32_t bits) {
    properties = bits;
    if constexpr (Mode == access_mode::read)
      if (__builtin_expect(has_property<property::no_init>(), 0))
        fail(errc::invalid, "an accessor that reads has no property no_init");
  }
  template <class Other> __UW_LAUNCH void take(const Other &) {} // the handler, tags
  __UW_LAUNCH void note(const handler &group) { unwarp_require(const_cast<handler &>(group)); }
  template <class Other> __UW_LAUNCH void note(const Other &) {}
  static submit_place place_of() { return {}; }
  template <class First, class... Rest> static submit_place place_of(const First &first, const Rest &...rest) {
    if constexpr (std::is_same_v<First, handler>)
      return first.unwarp_place();
    else
      return place_of(rest...);
  }

  // What is reached through this is reached through no other accessor of the kernel that writes, if the launch says so.
  __UW_INLINE element *own_memory() const {
#ifdef __SYCL_DEVICE_ONLY__
    return static_cast<element *>(const_cast<void *>(__unwarp_sycl_accessor_memory(memory)));
#else
    return memory;
#endif
  }

  element *memory = nullptr;
  range_of whole, part;
  id_of start;
  // For the host.
  element *origin = nullptr;
  const detail::memory *object = nullptr;
  std::uint32_t properties = 0;
};

} // namespace detail

template <class T, int Dimensions = 1,
          access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write,
          target Target = target::device, access::placeholder Placeholder = access::placeholder::false_t>
class accessor : public detail::accessor_base<T, Dimensions, Mode> {
  using base = detail::accessor_base<T, Dimensions, Mode>;
  static constexpr bool of_host = Target == target::host_buffer; // the host accessor's older form

public:
  template <access::decorated Decorated> using accessor_ptr = global_ptr<typename base::value_type, Decorated>;

  accessor() = default;
  template <class U, int D, class Allocator, class... Rest>
  __UW_LAUNCH accessor(buffer<U, D, Allocator> &buffer, Rest &&...rest) : base(buffer, rest...) {
    if constexpr (of_host)
      this->wait_for_host();
  }
  // Of one that may do more.
  template <class U, access_mode Other, access::placeholder P,
            class = std::enable_if_t<(Other == access_mode::read_write || Other == Mode) &&
                                     std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>>>>
  __UW_LAUNCH accessor(const accessor<U, Dimensions, Other, Target, P> &other) : base(other, 0) {}

  bool is_placeholder() const noexcept { return !of_host && this->unwarp_is_of_no_group(); } // whatever its type says
  using base::operator[];
  template <int E = Dimensions, access_mode M = Mode, class = std::enable_if_t<E == 0 && M != access_mode::read>>
  const accessor &operator=(const T &value) const {
    *this->memory = value;
    return *this;
  }
  accessor(const accessor &) = default;
  accessor &operator=(const accessor &) = default;
  void swap(accessor &other) { std::swap(*this, other); }

  // The buffer's first element: this one does not look at an offset.
  auto get_pointer() const noexcept {
    if constexpr (Target == target::constant_buffer)
      return constant_ptr<T>(const_cast<T *>(this->origin));
    else if constexpr (Target == target::device)
      return global_ptr<typename base::value_type>(this->origin);
    else
      return this->origin;
  }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(this->origin);
  }
};

// The local accessor's older name.
template <class T, int Dimensions, access_mode Mode, access::placeholder Placeholder>
class accessor<T, Dimensions, Mode, target::local, Placeholder> : public local_accessor<T, Dimensions> {
public:
  using local_accessor<T, Dimensions>::local_accessor;
};

template <class T, int D, class A, class... Rest>
accessor(buffer<T, D, A> &, Rest...)
    -> accessor<T, D, detail::mode_of<Rest...>::value, detail::target_of<Rest...>::value, access::placeholder::true_t>;
// A handler is no value: guides take it by reference.
template <class T, int D, class A, class... Rest>
accessor(buffer<T, D, A> &, handler &, Rest...)
    -> accessor<T, D, detail::mode_of<Rest...>::value, detail::target_of<Rest...>::value, access::placeholder::false_t>;

template <class T, int Dimensions = 1,
          access_mode Mode = std::is_const_v<T> ? access_mode::read : access_mode::read_write>
class host_accessor : public detail::accessor_base<T, Dimensions, Mode> {
  using base = detail::accessor_base<T, Dimensions, Mode>;

public:
  host_accessor() = default;
  template <class U, int D, class Allocator, class... Rest>
  __UW_LAUNCH host_accessor(buffer<U, D, Allocator> &buffer, Rest &&...rest) : base(buffer, rest...) {
    this->wait_for_host();
  }
  template <class U, access_mode Other,
            class = std::enable_if_t<(Other == access_mode::read_write || Other == Mode) &&
                                     std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>>>>
  host_accessor(const host_accessor<U, Dimensions, Other> &other) : base(other, 0) {}
  host_accessor(const host_accessor &) = default;
  host_accessor &operator=(const host_accessor &) = default;

  using base::operator[];
  template <int E = Dimensions, access_mode M = Mode, class = std::enable_if_t<E == 0 && M != access_mode::read>>
  const host_accessor &operator=(const T &value) const {
    *this->memory = value;
    return *this;
  }
  typename base::value_type *get_pointer() const noexcept { return this->origin; }
  void swap(host_accessor &other) { std::swap(*this, other); }
};

template <class T, int D, class A, class... Rest>
host_accessor(buffer<T, D, A> &, Rest...) -> host_accessor<T, D, detail::mode_of<Rest...>::value>;

template <class T, int Dimensions, class Allocator>
template <access_mode Mode, target Target, class... Rest>
__UW_LAUNCH auto buffer<T, Dimensions, Allocator>::get_access(handler &group, Rest &&...rest) {
  constexpr bool tagged = detail::mode_of<std::decay_t<Rest>...>::value != access_mode::read_write;
  constexpr access_mode mode = tagged ? detail::mode_of<std::decay_t<Rest>...>::value : Mode;
  return accessor<T, Dimensions, mode, Target>(*this, group, rest...);
}
template <class T, int Dimensions, class Allocator>
template <access_mode Mode, class... Rest>
__UW_LAUNCH auto buffer<T, Dimensions, Allocator>::get_access(Rest &&...rest) {
  return accessor<T, Dimensions, Mode, target::host_buffer>(*this, rest...);
}
template <class T, int Dimensions, class Allocator>
template <class... Rest>
__UW_LAUNCH auto buffer<T, Dimensions, Allocator>::get_host_access(Rest &&...rest) {
  return host_accessor<T, Dimensions, detail::mode_of<std::decay_t<Rest>...>::value>(*this, rest...);
}

// --- the handler's copies and fills (SYCL 2020, section 4.9.4.3)
namespace detail {

// Element by element where a part is not in one piece.
template <class Source, class Destination> void copy_parts(Source from, Destination to, std::size_t count) {
  for (; count; --count, ++from, ++to)
    *to = *from;
}

} // namespace detail

template <class Source, class Destination>
void handler::copy_accessors(Source from, Destination to, std::size_t count) {
  command();
  perform([=] {
    if constexpr (std::is_pointer_v<Source> && std::is_pointer_v<Destination>)
      detail::copy_bytes(to, from, count * sizeof(*from));
    else
      detail::copy_parts(from, to, count);
  });
}

} // namespace _V1
} // namespace sycl

// What accessors that are equal have in common.
template <class T, int D, sycl::access_mode M, sycl::target G, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, G, P>> {
  std::size_t operator()(const sycl::accessor<T, D, M, G, P> &one) const {
    if constexpr (G == sycl::target::local)
      return std::hash<sycl::local_accessor<T, D>>()(one);
    else
      return std::hash<const void *>()(one.unwarp_origin()) + one.size();
  }
};
template <class T, int D, sycl::access_mode M> struct std::hash<sycl::host_accessor<T, D, M>> {
  std::size_t operator()(const sycl::host_accessor<T, D, M> &one) const {
    return std::hash<const void *>()(one.unwarp_origin()) + one.size();
  }
};
#endif
