// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::stream (SYCL 2020, section 4.16): what items write goes to standard output at once, a piece at a time.
#ifndef UNWARP_SYCL_STREAM_HPP
#define UNWARP_SYCL_STREAM_HPP

#include <cstdio>

#include "handler.hpp"
#include "hierarchical.hpp"
#include "vec.hpp"

namespace sycl {
inline namespace _V1 {

enum class stream_manipulator {
  flush,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  endl,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};
inline constexpr stream_manipulator flush = stream_manipulator::flush, dec = stream_manipulator::dec,
                                    hex = stream_manipulator::hex, oct = stream_manipulator::oct,
                                    noshowbase = stream_manipulator::noshowbase,
                                    showbase = stream_manipulator::showbase, noshowpos = stream_manipulator::noshowpos,
                                    showpos = stream_manipulator::showpos, endl = stream_manipulator::endl,
                                    fixed = stream_manipulator::fixed, scientific = stream_manipulator::scientific,
                                    hexfloat = stream_manipulator::hexfloat,
                                    defaultfloat = stream_manipulator::defaultfloat;

namespace detail {
struct stream_width {
  int value;
};
struct stream_precision {
  int value;
};
extern "C" void uwrt_sycl_print_integer(unsigned long long bits, int is_signed, int base, int show_base, int show_sign,
                                        int width);
extern "C" void uwrt_sycl_print_float(double value, int form, int show_sign, int precision, int width);
extern "C" void uwrt_sycl_print_text(const char *text, int width);
} // namespace detail
inline detail::stream_precision setprecision(int digits) { return {digits}; }
inline detail::stream_width setw(int width) { return {width}; }

class stream {
public:
  stream(std::size_t total, std::size_t statement, handler &, const property_list & = {})
      : total(total), statement(statement) {}
  std::size_t size() const noexcept { return total; }
  std::size_t get_size() const { return total; }
  std::size_t get_work_item_buffer_size() const { return statement; }
  std::size_t get_max_statement_size() const { return statement; }

  // A kernel's stream is constant; each statement starts with what the one before left, so the form is for what follows
  // in it.
  class statement_of {
  public:
    const statement_of &operator<<(const char *text) const {
      detail::uwrt_sycl_print_text(text, take_width());
      return *this;
    }
    const statement_of &operator<<(char one) const {
      const char text[2] = {one, 0};
      return *this << static_cast<const char *>(text);
    }
    const statement_of &operator<<(bool value) const { return *this << int(value); }
    template <class T>
    std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>,
                     const statement_of &>
    operator<<(T value) const {
      const unsigned long long bits =
          base == 10 ? (unsigned long long)(value) : (unsigned long long)(std::make_unsigned_t<T>(value));
      detail::uwrt_sycl_print_integer(bits, std::is_signed_v<T> && base == 10, base, show_base, show_sign,
                                      take_width());
      return *this;
    }
    template <class T> std::enable_if_t<detail::is_scalar_float<T>, const statement_of &> operator<<(T value) const {
      detail::uwrt_sycl_print_float(double(value), form, show_sign, precision, take_width());
      return *this;
    }
    const statement_of &operator<<(const void *pointer) const {
      detail::uwrt_sycl_print_integer((unsigned long long)(pointer), 0, 16, 1, 0, take_width());
      return *this;
    }
    template <class T, int N> const statement_of &operator<<(const vec<T, N> &v) const {
      for (int i = 0; i < N; i++)
        *this << (i ? ", " : "") << v[i];
      return *this;
    }
    template <int D> const statement_of &list(const detail::coordinates<D> &c) const {
      *this << "{";
      for (int d = 0; d < D; d++)
        *this << (d ? ", " : "") << c.get(d);
      return *this << "}";
    }
    template <int D> const statement_of &operator<<(const id<D> &v) const { return list(v); }
    template <int D> const statement_of &operator<<(const range<D> &v) const { return list(v); }
    template <int D, bool W> const statement_of &operator<<(const item<D, W> &v) const {
      return *this << "item(range: " << v.get_range() << ", id: " << v.get_id() << ")";
    }
    template <int D> const statement_of &operator<<(const nd_range<D> &v) const {
      return *this << "nd_range(global_range: " << v.get_global_range() << ", local_range: " << v.get_local_range()
                   << ", offset: " << v.get_offset() << ")";
    }
    template <int D> const statement_of &operator<<(const group<D> &v) const {
      return *this << "group(id: " << v.get_group_id() << ", local_range: " << v.get_local_range() << ")";
    }
    template <int D> const statement_of &operator<<(const h_item<D> &v) const {
      return *this << "h_item(global: " << v.get_global_id() << ", local: " << v.get_local_id() << ")";
    }
    template <class T, access::address_space S, access::decorated D>
    const statement_of &operator<<(const multi_ptr<T, S, D> &p) const {
      return *this << static_cast<const void *>(p.get_raw());
    }
    template <class V, int... I> const statement_of &operator<<(const detail::swizzle<V, I...> &v) const {
      return *this << typename detail::swizzle<V, I...>::vector_t(v);
    }
    template <int D> const statement_of &operator<<(const nd_item<D> &v) const {
      return *this << "nd_item(global_id: " << v.get_global_id() << ", local_id: " << v.get_local_id() << ")";
    }
    const statement_of &operator<<(detail::stream_width w) const {
      width = w.value;
      return *this;
    }
    const statement_of &operator<<(detail::stream_precision p) const {
      precision = p.value;
      return *this;
    }
    const statement_of &operator<<(stream_manipulator what) const {
      switch (what) {
      case stream_manipulator::endl: return *this << "\n";
      case stream_manipulator::dec: base = 10; break;
      case stream_manipulator::hex: base = 16; break;
      case stream_manipulator::oct: base = 8; break;
      case stream_manipulator::showbase: show_base = 1; break;
      case stream_manipulator::noshowbase: show_base = 0; break;
      case stream_manipulator::showpos: show_sign = 1; break;
      case stream_manipulator::noshowpos: show_sign = 0; break;
      case stream_manipulator::fixed: form = 'f'; break;
      case stream_manipulator::scientific: form = 'e'; break;
      case stream_manipulator::hexfloat: form = 'a'; break;
      case stream_manipulator::defaultfloat: form = 'g'; break;
      default: break;
      }
      return *this;
    }

  private:
    int take_width() const {
      const int now = width;
      width = 0;
      return now;
    }
    mutable int base = 10, show_base = 0, show_sign = 0, form = 'g', precision = 6, width = 0;
  };
  template <class T> auto operator<<(const T &value) const {
    statement_of statement;
    statement << value;
    return statement;
  }
  friend bool operator==(const stream &a, const stream &b) { return a.total == b.total && a.statement == b.statement; }
  friend bool operator!=(const stream &a, const stream &b) { return !(a == b); }

private:
  std::size_t total, statement;
};

} // namespace _V1
} // namespace sycl

template <> struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream &one) const { return one.size() * 31 + one.get_work_item_buffer_size(); }
};
#endif
