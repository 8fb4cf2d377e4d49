// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a command group sets by set_arg for a kernel that is an object, and the list of the functions that may be one (function_kernels.hpp).
#ifndef UNWARP_SYCL_DETAIL_GIVEN_ARGUMENTS_HPP
#define UNWARP_SYCL_DETAIL_GIVEN_ARGUMENTS_HPP

#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "../exception.hpp"
#include "../nd_range.hpp"

namespace sycl {
inline namespace _V1 {
class handler;
namespace detail {

class given_arguments {
public:
  template <class T> void set(std::size_t index, const T &value) {
    if (list.size() <= index)
      list.resize(index + 1);
    list[index] = {&type_of<T>(), std::make_shared<T>(value)};
  }
  // Of the same type; a pointer is one of any type.
  template <class T> const T &get(std::size_t index) const {
    if (index >= list.size() || !list[index].type)
      fail(errc::invalid, "argument " + std::to_string(index) + " of the kernel's function is not set");
    if (*list[index].type != type_of<T>())
      fail(errc::invalid, "argument " + std::to_string(index) +
                              " is set to a value of another type than the parameter of the kernel's function has");
    return *static_cast<const T *>(list[index].value.get());
  }
  std::size_t count() const { return list.size(); }

private:
  template <class T> static const std::type_info &type_of() {
    return typeid(std::conditional_t<std::is_pointer_v<T>, void *, T>);
  }
  struct one {
    const std::type_info *type = nullptr;
    std::shared_ptr<void> value;
  };
  std::vector<one> list;
};

struct function_kernel {
  const char *name;
  std::size_t parameters;
  void (*one)(handler &, const nd_range<1> &, const given_arguments &);
  void (*two)(handler &, const nd_range<2> &, const given_arguments &);
  void (*three)(handler &, const nd_range<3> &, const given_arguments &);
  const function_kernel *next;
  template <class One, class Two, class Three>
  function_kernel(const char *name, std::size_t parameters, One one, Two two, Three three)
      : name(name), parameters(parameters), one(one), two(two), three(three), next(first()) {
    first() = this;
  }
  static const function_kernel *&first() {
    static const function_kernel *list = nullptr;
    return list;
  }
};

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
