// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::exception, errc and the list that asynchronous handlers get (SYCL 2020, section 4.13).
#ifndef UNWARP_SYCL_EXCEPTION_HPP
#define UNWARP_SYCL_EXCEPTION_HPP

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace sycl {
inline namespace _V1 {

class context;

enum class errc : int {
  success = 0,
  runtime = 1,
  kernel = 2,
  accessor = 3,
  nd_range = 4,
  event = 5,
  kernel_argument = 6,
  build = 7,
  invalid = 8,
  memory_allocation = 9,
  platform = 10,
  profiling = 11,
  feature_not_supported = 12,
  kernel_not_supported = 13,
  backend_mismatch = 14
};

namespace detail {
class error_category : public std::error_category {
public:
  const char *name() const noexcept override { return "sycl"; }
  std::string message(int value) const override {
    static const char *const texts[] = {
        "success",        "runtime error",         "kernel error",          "accessor error",       "wrong nd_range",
        "wrong event",    "wrong kernel argument", "build error",           "invalid argument",     "no memory",
        "platform error", "no profiling",          "feature not supported", "kernel not supported", "backend mismatch"};
    return value >= 0 && value < int(sizeof texts / sizeof *texts) ? texts[value] : "unknown error";
  }
};
} // namespace detail

inline const std::error_category &sycl_category() noexcept {
  static const detail::error_category category;
  return category;
}
inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), sycl_category()}; }
inline std::error_condition make_error_condition(errc code) noexcept {
  return {static_cast<int>(code), sycl_category()};
}

class exception : public virtual std::exception {
public:
  exception(std::error_code code, const std::string &text) : error(code), text(text) {}
  exception(std::error_code code, const char *text) : error(code), text(text) {}
  exception(std::error_code code) : exception(code, code.message()) {}
  exception(int value, const std::error_category &category, const std::string &text)
      : exception(std::error_code(value, category), text) {}
  exception(int value, const std::error_category &category) : exception(std::error_code(value, category)) {}
  exception(const context &context, std::error_code code, const std::string &text);
  exception(const context &context, std::error_code code, const char *text)
      : exception(context, code, std::string(text)) {}
  exception(const context &context, std::error_code code);
  exception(const context &context, int value, const std::error_category &category, const std::string &text)
      : exception(context, std::error_code(value, category), text) {}
  exception(const context &context, int value, const std::error_category &category)
      : exception(context, std::error_code(value, category)) {}

  const std::error_code &code() const noexcept { return error; }
  const std::error_category &category() const noexcept { return error.category(); }
  const char *what() const noexcept override { return text.what(); }
  bool has_context() const noexcept { return where != nullptr; }
  context get_context() const;

private:
  std::error_code error;
  std::runtime_error text; // whose copies do not throw, as those of an exception may not
  std::shared_ptr<context> where;
};

class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<std::exception_ptr> all) : all(std::move(all)) {}
  size_type size() const { return all.size(); }
  iterator begin() const { return all.begin(); }
  iterator end() const { return all.end(); }

private:
  std::vector<std::exception_ptr> all;
};

using async_handler = std::function<void(exception_list)>;

namespace detail {
[[noreturn]] __attribute__((noinline, cold)) inline void fail(errc code, const char *text) {
#ifdef __cpp_exceptions
  throw exception(make_error_code(code), text);
#else
  std::fprintf(stderr, "sycl: %s\n", text);
  std::abort();
#endif
}
[[noreturn]] __attribute__((noinline, cold)) inline void fail(errc code, const std::string &text) {
  fail(code, text.c_str());
}

// Where the program submitted what fails; unknown without a line. As the default of a parameter it is the caller's.
struct submit_place {
  const char *file = nullptr;
  unsigned line = 0;
  static constexpr submit_place here(const char *file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return {file, line};
  }
};
[[noreturn]] __attribute__((noinline, cold)) inline void fail(errc code, const std::string &text, submit_place where) {
  fail(code, where.line ? text + ", submitted at " + where.file + ":" + std::to_string(where.line) : text);
}
[[noreturn]] __attribute__((noinline, cold)) inline void fail(errc code, const char *text, submit_place where) {
  fail(code, std::string(text), where);
}
} // namespace detail

} // namespace _V1
} // namespace sycl

template <> struct std::is_error_code_enum<sycl::errc> : std::true_type {};
#endif
