// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialization constants (SYCL 2020, section 4.9.5): the value of each is a variable that host and kernels share. A
// command group sets it for its kernel, which runs at once, and puts the default back.
#ifndef UNWARP_SYCL_KERNEL_HANDLER_HPP
#define UNWARP_SYCL_KERNEL_HANDLER_HPP

#include <cstddef>
#include <mutex>
#include <type_traits>
#include <utility>

#include "detail/compiler.hpp"

namespace sycl {
inline namespace _V1 {

template <class T> class specialization_id {
public:
  using value_type = T;
  template <class... Arguments, class = std::enable_if_t<std::is_constructible_v<T, Arguments...>>>
  explicit constexpr specialization_id(Arguments &&...arguments) : value(std::forward<Arguments>(arguments)...) {}
  specialization_id(const specialization_id &) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  constexpr const T &unwarp_value() const { return value; }

private:
  T value;
};

namespace detail {

// Held by who has set constants for a command, until their own values are back.
inline std::mutex &constants_in_use() {
  static std::mutex mutex;
  return mutex;
}

// What puts the constants of that command back, and what sets them again in a record of it (tasks.hpp). In no handler,
// which is to stay an object of values.
struct constants_set {
  enum { most = 16 };
  struct one {
    void (*restore)(), (*record)();
  } at[most];
  int count;
};
inline constants_set &constants_to_restore() {
  static constants_set list;
  return list;
}
__attribute__((noinline)) inline void take_constants() {
  constants_in_use().lock();
  constants_to_restore().count = 0;
}
__attribute__((noinline)) inline bool note_constant(void (*restore)(), void (*record)()) {
  constants_set &list = constants_to_restore();
  if (list.count == constants_set::most)
    return false;
  list.at[list.count++] = {restore, record};
  return true;
}

// The values that a command group gave constants, for the compiler to find at the launch
// (compiler/frontend/sycl/constants.c). By comparisons, since an index that varies would put the handler into memory.
struct given_constants {
  enum { room = 16 };
  struct one {
    const void *variable = nullptr;
    alignas(room) unsigned char value[room];
    __UW_LAUNCH bool take(const void *of, const void *from, std::size_t bytes) {
      if (variable != nullptr && variable != of)
        return false;
      variable = of;
      __builtin_memcpy(value, from, bytes);
      return true;
    }
  } a, b, c, d;
  bool all = true; // that were set are here
  template <class T> __UW_LAUNCH void take(const T *variable, const T &value) {
    if constexpr (sizeof(T) > room)
      all = false;
    else if (!a.take(variable, &value, sizeof value) && !b.take(variable, &value, sizeof value) &&
             !c.take(variable, &value, sizeof value) && !d.take(variable, &value, sizeof value))
      all = false;
  }
};

// Whether a kernel asks for it: known before main.
inline int &known_constants() {
  static int count = 0;
  return count;
}
template <auto &Id> struct specialization_use {
  static inline bool is = false;
};
template <auto &Id> struct specialization_use_by_kernel {
  static inline const int number = (specialization_use<Id>::is = true, ++known_constants());
};

// The section tells the compiler that this variable is one for host and kernels (compiler/frontend/sycl/variables.c).
template <auto &Id> struct specialization {
  using type = typename std::remove_reference_t<decltype(Id)>::value_type;
  __attribute__((section("unwarp_device_global"), require_constant_initialization)) static inline type value =
      Id.unwarp_value();
  static void restore() { value = Id.unwarp_value(); }
};

} // namespace detail

class kernel_handler {
public:
  template <auto &Id> typename detail::specialization<Id>::type get_specialization_constant() const {
#ifndef __SYCL_DEVICE_ONLY__
    (void)&detail::specialization_use_by_kernel<Id>::number;
#endif
    return detail::specialization<Id>::value;
  }
};

} // namespace _V1
} // namespace sycl
#endif
