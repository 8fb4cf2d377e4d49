// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVTX for C++ (namespace nvtx3, version 1): ranges that end with their scope, by domain, with a message, a colour, a
// category and a payload in any order. On nvToolsExt.h, whose calls do nothing where no profiler listens. From C++11 on.
#ifndef UNWARP_NVTX3_NVTX3_HPP
#define UNWARP_NVTX3_NVTX3_HPP

#include "nvToolsExt.h"

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 1

namespace nvtx3 {
inline namespace v1 {

class rgb {
public:
  using component_type = std::uint8_t;
  constexpr rgb(component_type r, component_type g, component_type b) noexcept : red(r), green(g), blue(b) {}
  component_type red, green, blue;
};
class argb final : public rgb {
public:
  constexpr argb(component_type a, component_type r, component_type g, component_type b) noexcept
      : rgb(r, g, b), alpha(a) {}
  component_type alpha;
};
class color {
public:
  using value_type = std::uint32_t; // 0xAARRGGBB
  constexpr explicit color(value_type code) noexcept : value_(code) {}
  constexpr color(argb from) noexcept
      : value_((value_type)from.alpha << 24 | (value_type)from.red << 16 | (value_type)from.green << 8 | from.blue) {}
  constexpr color(rgb from) noexcept : color(argb(0xFF, from.red, from.green, from.blue)) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

private:
  value_type value_;
};

/* A type D names a domain by `static constexpr char const *name`, narrow or wide. */
class domain {
public:
  struct global {};
  domain(domain const &) = delete;
  domain &operator=(domain const &) = delete;
  template <typename D = global> static domain const &get() noexcept {
    static domain const one((D *)nullptr);
    return one;
  }
  operator nvtxDomainHandle_t() const noexcept { return handle_; }

private:
  explicit domain(global *) noexcept : handle_(nullptr) {}
  template <typename D> explicit domain(D *) noexcept : handle_(create(D::name)) {}
  static nvtxDomainHandle_t create(char const *name) noexcept { return nvtxDomainCreateA(name); }
  static nvtxDomainHandle_t create(wchar_t const *name) noexcept { return nvtxDomainCreateW(name); }
  nvtxDomainHandle_t handle_;
};

class category {
public:
  using id_type = std::uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

private:
  id_type id_;
};
/* C has `static constexpr id` and `name`. */
template <typename D = domain::global> class named_category_in final : public category {
public:
  template <typename C> static named_category_in const &get() noexcept {
    static named_category_in const one(C::id, C::name);
    return one;
  }
  named_category_in(id_type id, char const *name) noexcept : category(id) {
    nvtxDomainNameCategoryA(domain::get<D>(), id, name);
  }
  named_category_in(id_type id, wchar_t const *name) noexcept : category(id) {
    nvtxDomainNameCategoryW(domain::get<D>(), id, name);
  }
};
using named_category = named_category_in<domain::global>;

/* M has `static constexpr message`. */
template <typename D = domain::global> class registered_string_in {
public:
  template <typename M> static registered_string_in const &get() noexcept {
    static registered_string_in const one(M::message);
    return one;
  }
  explicit registered_string_in(char const *text) noexcept
      : handle_(nvtxDomainRegisterStringA(domain::get<D>(), text)) {}
  explicit registered_string_in(std::string const &text) noexcept : registered_string_in(text.c_str()) {}
  explicit registered_string_in(wchar_t const *text) noexcept
      : handle_(nvtxDomainRegisterStringW(domain::get<D>(), text)) {}
  explicit registered_string_in(std::wstring const &text) noexcept : registered_string_in(text.c_str()) {}
  nvtxStringHandle_t get_handle() const noexcept { return handle_; }

private:
  nvtxStringHandle_t handle_;
};
using registered_string = registered_string_in<domain::global>;

class message {
public:
  using value_type = nvtxMessageValue_t;
  message(char const *text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII) { value_.ascii = text; }
  message(std::string const &text) noexcept : message(text.c_str()) {}
  message(std::string &&) = delete;
  message(wchar_t const *text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) { value_.unicode = text; }
  message(std::wstring const &text) noexcept : message(text.c_str()) {}
  message(std::wstring &&) = delete;
  template <typename D> message(registered_string_in<D> const &text) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) {
    value_.registered = text.get_handle();
  }
  constexpr message(nvtxMessageType_t type, nvtxMessageValue_t value) noexcept : type_(type), value_(value) {}
  message(nvtxStringHandle_t handle) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) { value_.registered = handle; }
  value_type get_value() const noexcept { return value_; }
  nvtxMessageType_t get_type() const noexcept { return type_; }

private:
  nvtxMessageType_t type_;
  value_type value_;
};

class payload {
public:
  using value_type = nvtxEventAttributes_v2::payload_t;
  explicit payload(std::int64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT64) { value_.llValue = value; }
  explicit payload(std::int32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT32) { value_.iValue = value; }
  explicit payload(std::uint64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) { value_.ullValue = value; }
  explicit payload(std::uint32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) { value_.uiValue = value; }
  explicit payload(float value) noexcept : type_(NVTX_PAYLOAD_TYPE_FLOAT) { value_.fValue = value; }
  explicit payload(double value) noexcept : type_(NVTX_PAYLOAD_TYPE_DOUBLE) { value_.dValue = value; }
  payload(nvtxPayloadType_t type, value_type value) noexcept : type_(type), value_(value) {}
  value_type get_value() const noexcept { return value_; }
  nvtxPayloadType_t get_type() const noexcept { return type_; }

private:
  nvtxPayloadType_t type_;
  value_type value_;
};

/* Made of any of those; of two of one kind the first counts. */
class event_attributes {
public:
  using value_type = nvtxEventAttributes_t;
  event_attributes() noexcept : attributes_() {
    attributes_.version = NVTX_VERSION;
    attributes_.size = sizeof(value_type);
  }
  template <typename... Args> explicit event_attributes(category const &c, Args const &...args) noexcept
      : event_attributes(args...) {
    attributes_.category = c.get_id();
  }
  template <typename... Args> explicit event_attributes(color const &c, Args const &...args) noexcept
      : event_attributes(args...) {
    attributes_.color = c.get_value();
    attributes_.colorType = c.get_type();
  }
  template <typename... Args> explicit event_attributes(payload const &p, Args const &...args) noexcept
      : event_attributes(args...) {
    attributes_.payload = p.get_value();
    attributes_.payloadType = p.get_type();
  }
  template <typename... Args> explicit event_attributes(message const &m, Args const &...args) noexcept
      : event_attributes(args...) {
    attributes_.message = m.get_value();
    attributes_.messageType = m.get_type();
  }
  value_type const *get() const noexcept { return &attributes_; }

private:
  value_type attributes_;
};

namespace detail {
template <typename First, typename...> struct is_attributes
    : std::is_same<typename std::decay<First>::type, event_attributes> {};
} // namespace detail
#define UNWARP_NVTX_PARTS                                                                                              \
  typename First, typename... Args, typename = typename std::enable_if<!detail::is_attributes<First>::value>::type

template <typename D = domain::global> class scoped_range_in {
public:
  explicit scoped_range_in(event_attributes const &event) noexcept {
    nvtxDomainRangePushEx(domain::get<D>(), event.get());
  }
  template <UNWARP_NVTX_PARTS> explicit scoped_range_in(First const &first, Args const &...args) noexcept
      : scoped_range_in(event_attributes(first, args...)) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes()) {}
  ~scoped_range_in() noexcept { nvtxDomainRangePop(domain::get<D>()); }
  scoped_range_in(scoped_range_in const &) = delete;
  scoped_range_in &operator=(scoped_range_in const &) = delete;
  void *operator new(std::size_t) = delete; // it ends with its scope
};
using scoped_range = scoped_range_in<domain::global>;
template <typename D = domain::global> using domain_thread_range = scoped_range_in<D>;
using thread_range = scoped_range;

class range_handle {
public:
  using value_type = nvtxRangeId_t;
  constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
  constexpr range_handle(std::nullptr_t = nullptr) noexcept : id_(0) {}
  constexpr explicit operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }
  friend constexpr bool operator==(range_handle a, range_handle b) noexcept { return a.id_ == b.id_; }
  friend constexpr bool operator!=(range_handle a, range_handle b) noexcept { return a.id_ != b.id_; }

private:
  value_type id_;
};

template <typename D = domain::global> range_handle start_range_in(event_attributes const &event) noexcept {
  return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), event.get()));
}
template <typename D = domain::global, UNWARP_NVTX_PARTS>
range_handle start_range_in(First const &first, Args const &...args) noexcept {
  return start_range_in<D>(event_attributes(first, args...));
}
template <typename First, typename... Args> range_handle start_range(First const &first, Args const &...args) noexcept {
  return start_range_in<domain::global>(first, args...);
}
template <typename D = domain::global> void end_range_in(range_handle range) noexcept {
  nvtxDomainRangeEnd(domain::get<D>(), range.get_value());
}
inline void end_range(range_handle range) noexcept { end_range_in<domain::global>(range); }

template <typename D = domain::global> class unique_range_in {
public:
  explicit unique_range_in(event_attributes const &event) noexcept : range_(start_range_in<D>(event)), open_(true) {}
  template <UNWARP_NVTX_PARTS> explicit unique_range_in(First const &first, Args const &...args) noexcept
      : unique_range_in(event_attributes(first, args...)) {}
  unique_range_in() noexcept : unique_range_in(event_attributes()) {}
  unique_range_in(unique_range_in &&other) noexcept : range_(other.range_), open_(other.open_) { other.open_ = false; }
  unique_range_in &operator=(unique_range_in &&other) noexcept {
    std::swap(range_, other.range_);
    std::swap(open_, other.open_);
    return *this;
  }
  ~unique_range_in() noexcept {
    if (open_)
      end_range_in<D>(range_);
  }
  unique_range_in(unique_range_in const &) = delete;
  unique_range_in &operator=(unique_range_in const &) = delete;

private:
  range_handle range_;
  bool open_;
};
using unique_range = unique_range_in<domain::global>;

template <typename D = domain::global> void mark_in(event_attributes const &event) noexcept {
  nvtxDomainMarkEx(domain::get<D>(), event.get());
}
template <typename D = domain::global, UNWARP_NVTX_PARTS> void mark_in(First const &first, Args const &...args) noexcept {
  mark_in<D>(event_attributes(first, args...));
}
template <typename First, typename... Args> void mark(First const &first, Args const &...args) noexcept {
  mark_in<domain::global>(first, args...);
}
#undef UNWARP_NVTX_PARTS

} // namespace v1
} // namespace nvtx3

/* A range for the rest of the function, of its name; IF: where the condition holds. */
#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                                      \
  static ::nvtx3::v1::registered_string_in<D> const nvtx3_func_name__{__func__};                                       \
  static ::nvtx3::v1::event_attributes const nvtx3_func_attr__{nvtx3_func_name__};                                     \
  ::nvtx3::v1::scoped_range_in<D> const nvtx3_range__{nvtx3_func_attr__}
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                                                                \
  static ::nvtx3::v1::registered_string_in<D> const nvtx3_func_name__{__func__};                                       \
  static ::nvtx3::v1::event_attributes const nvtx3_func_attr__{nvtx3_func_name__};                                     \
  ::std::unique_ptr<::nvtx3::v1::unique_range_in<D>> const nvtx3_range__{                                              \
      (C) ? new ::nvtx3::v1::unique_range_in<D>{nvtx3_func_attr__} : nullptr}
#define NVTX3_FUNC_RANGE_IN(D) NVTX3_V1_FUNC_RANGE_IN(D)
#define NVTX3_FUNC_RANGE_IF_IN(D, C) NVTX3_V1_FUNC_RANGE_IF_IN(D, C)
#define NVTX3_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)

#endif
