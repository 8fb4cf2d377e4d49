// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_weak_object: a reference to a queue or a context that does not keep it. The device and its platform
// are always there, and an event is no more than numbers.
#ifndef UNWARP_SYCL_WEAK_OBJECT_HPP
#define UNWARP_SYCL_WEAK_OBJECT_HPP

#include <optional>

#include "queue.hpp"

#define SYCL_EXT_ONEAPI_WEAK_OBJECT 1

namespace sycl {
inline namespace _V1 {
namespace detail {
template <class Object, class = void> struct weak_reference {
  static_assert(std::is_same_v<Object, device> || std::is_same_v<Object, platform> || std::is_same_v<Object, event>,
                "there is no weak_object of this class: keep the object itself, or a pointer to it");
  std::optional<Object> object;
  weak_reference() = default;
  explicit weak_reference(const Object &object) : object(object) {}
  bool expired() const { return !object; }
  std::optional<Object> lock() const { return object; }
  bool before(const weak_reference &other) const { return object.has_value() < other.object.has_value(); }
};
template <class Object> struct weak_reference<Object, std::void_t<decltype(std::declval<Object>().unwarp_data())>> {
  using contents = typename std::decay_t<decltype(std::declval<Object>().unwarp_data())>::element_type;
  std::weak_ptr<contents> data;
  weak_reference() = default;
  explicit weak_reference(const Object &object) : data(object.unwarp_data()) {}
  bool expired() const { return data.expired(); }
  std::optional<Object> lock() const {
    std::shared_ptr<contents> held = data.lock();
    return held ? std::optional<Object>(Object::unwarp_of(std::move(held))) : std::nullopt;
  }
  bool before(const weak_reference &other) const { return data.owner_before(other.data); }
};
} // namespace detail

namespace ext::oneapi {
template <class Object> class weak_object {
public:
  using object_type = Object;
  weak_object() = default;
  weak_object(const Object &object) : reference(object) {}
  weak_object &operator=(const Object &object) { return *this = weak_object(object); }
  void reset() { *this = weak_object(); }
  void swap(weak_object &other) { std::swap(*this, other); }
  bool expired() const noexcept { return reference.expired(); }
  std::optional<Object> try_lock() const noexcept { return reference.lock(); }
  Object lock() const {
    std::optional<Object> held = reference.lock();
    if (!held)
      sycl::detail::fail(errc::invalid, "the object of a weak_object is no more");
    return *std::move(held);
  }
  bool owner_before(const weak_object &other) const noexcept { return reference.before(other.reference); }
  bool owner_before(const Object &other) const noexcept { return owner_before(weak_object(other)); }

private:
  sycl::detail::weak_reference<Object> reference;
};
template <class Object> struct owner_less {
  bool operator()(const weak_object<Object> &a, const weak_object<Object> &b) const noexcept {
    return a.owner_before(b);
  }
};
} // namespace ext::oneapi

} // namespace _V1
} // namespace sycl
#endif
