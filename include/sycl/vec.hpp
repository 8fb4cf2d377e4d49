// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl::vec (SYCL 2020, section 4.14.2): a few elements, an array to the compiler, as CUDA's float4 is, so that lanes
// of vectors go across work-items. Swizzles are references to some of them. What is done element by element is spelled
// out, without loops.
#ifndef UNWARP_SYCL_VEC_HPP
#define UNWARP_SYCL_VEC_HPP

#include <cmath>
#include <initializer_list>
#include <utility>

#include "half.hpp"
#include "multi_ptr.hpp"

// The names of a vector's elements: __UW_ELEMENT(name, place) for each.
// clang-format off
#define __UW_EACH_ELEMENT    \
  __UW_ELEMENT(x, 0) __UW_ELEMENT(y, 1) __UW_ELEMENT(z, 2) __UW_ELEMENT(w, 3) \
  __UW_ELEMENT(r, 0) __UW_ELEMENT(g, 1) __UW_ELEMENT(b, 2) __UW_ELEMENT(a, 3) \
  __UW_ELEMENT(s0, 0) __UW_ELEMENT(s1, 1) __UW_ELEMENT(s2, 2) __UW_ELEMENT(s3, 3) \
  __UW_ELEMENT(s4, 4) __UW_ELEMENT(s5, 5) __UW_ELEMENT(s6, 6) __UW_ELEMENT(s7, 7) \
  __UW_ELEMENT(s8, 8) __UW_ELEMENT(s9, 9) __UW_ELEMENT(sA, 10) __UW_ELEMENT(sB, 11) \
  __UW_ELEMENT(sC, 12) __UW_ELEMENT(sD, 13) __UW_ELEMENT(sE, 14) __UW_ELEMENT(sF, 15)
// clang-format on

namespace sycl {
inline namespace _V1 {

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };
struct elem {
  enum : int {
    x = 0,
    y = 1,
    z = 2,
    w = 3,
    r = 0,
    g = 1,
    b = 2,
    a = 3,
    s0 = 0,
    s1,
    s2,
    s3,
    s4,
    s5,
    s6,
    s7,
    s8,
    s9,
    sA,
    sB,
    sC,
    sD,
    sE,
    sF
  };
};

template <class T, int N> class vec;

namespace detail {

template <class V, int... I> class swizzle;

// --- what is a vector: a vec, or a swizzle of one
template <class V> struct vector_of {
  static constexpr bool is = false;
  static constexpr int count = 1;
};
template <class T, int N> struct vector_of<vec<T, N>> {
  static constexpr bool is = true;
  using element = T;
  static constexpr int count = N;
};
template <class V, int... I> struct vector_of<swizzle<V, I...>> {
  static constexpr bool is = true;
  using element = typename V::element_type;
  static constexpr int count = sizeof...(I);
};
template <class V> inline constexpr bool is_vector = vector_of<std::decay_t<V>>::is;
template <class V> inline constexpr int count_of = vector_of<std::decay_t<V>>::count;
template <class V> using vec_of = vec<typename vector_of<std::decay_t<V>>::element, count_of<V>>;

// Both vectors of one length, or one of them a scalar.
template <class A, class B, bool = is_vector<A>, bool = is_vector<B>> struct common {};
template <class A, class B> struct common<A, B, true, true> : std::enable_if<count_of<A> == count_of<B>, vec_of<A>> {};
template <class A, class B>
struct common<A, B, true, false>
    : std::enable_if<is_number<B> || std::is_enum_v<B> || std::is_same_v<B, typename vector_of<A>::element>,
                     vec_of<A>> {};
template <class A, class B> struct common<A, B, false, true> : common<B, A> {};
template <class A, class B> using common_t = typename common<A, B>::type;

template <std::size_t Bytes> struct signed_of;
template <> struct signed_of<1> {
  using type = std::int8_t;
};
template <> struct signed_of<2> {
  using type = std::int16_t;
};
template <> struct signed_of<4> {
  using type = std::int32_t;
};
template <> struct signed_of<8> {
  using type = std::int64_t;
};
template <class T> using truth_of = typename signed_of<sizeof(T)>::type;

// Element I of a vector, or the scalar.
template <int I, class V> __UW_INLINE constexpr decltype(auto) get(const V &v) {
  if constexpr (is_vector<V>)
    return v.template at<I>();
  else
    return v;
}

// The conversion of one scalar, with a rounding mode for those from floating point, which is to the nearest where none
// is asked for: that is floating-point elements' default.
template <class To, rounding_mode Mode, class From> __UW_INLINE To convert_number(From value) {
  if constexpr (is_scalar_float<From> && std::is_integral_v<To>) {
    using wide = std::conditional_t<std::is_same_v<From, double>, double, float>;
    wide rounded = wide(value);
    if constexpr (Mode == rounding_mode::rte || Mode == rounding_mode::automatic)
      rounded = std::is_same_v<wide, double> ? wide(__builtin_roundeven(double(rounded)))
                                             : wide(__builtin_roundevenf(float(rounded)));
    else if constexpr (Mode == rounding_mode::rtp)
      rounded =
          std::is_same_v<wide, double> ? wide(__builtin_ceil(double(rounded))) : wide(__builtin_ceilf(float(rounded)));
    else if constexpr (Mode == rounding_mode::rtn)
      rounded = std::is_same_v<wide, double> ? wide(__builtin_floor(double(rounded)))
                                             : wide(__builtin_floorf(float(rounded)));
    return To(rounded);
  } else {
    return To(value);
  }
}

// --- members that vec and its swizzles have alike
template <class Self> class vector_members {
  const Self &self() const { return static_cast<const Self &>(*this); }

public:
  template <int... I> auto swizzle() const { return self().template pick<I...>(); }
  auto lo() const { return lower(std::make_integer_sequence<int, (count_of<Self> + 1) / 2>()); }
  auto hi() const { return upper(std::make_integer_sequence<int, (count_of<Self> + 1) / 2>()); }
  auto even() const { return evens(std::make_integer_sequence<int, (count_of<Self> + 1) / 2>()); }
  auto odd() const { return odds(std::make_integer_sequence<int, (count_of<Self> + 1) / 2>()); }

#ifdef SYCL_SIMPLE_SWIZZLES
#define __UW_2(a, b)                                                                                                   \
  auto a##b() const { return self().template pick<elem::a, elem::b>(); }
#define __UW_3(a, b, c)                                                                                                \
  auto a##b##c() const { return self().template pick<elem::a, elem::b, elem::c>(); }
#define __UW_4(a, b, c, d)                                                                                             \
  auto a##b##c##d() const { return self().template pick<elem::a, elem::b, elem::c, elem::d>(); }
  // All members of two to four letters that begin with a and b; of x, y, z and w or r, g, b and a.
  // clang-format off
#define __UW_OF_LETTERS(a, b, x, y, z, w)                                                                              \
  __UW_2(a, b)                                                                                                         \
  __UW_3(a, b, x) __UW_3(a, b, y) __UW_3(a, b, z) __UW_3(a, b, w)                                                      \
  __UW_4(a, b, x, x) __UW_4(a, b, x, y) __UW_4(a, b, x, z) __UW_4(a, b, x, w)                                          \
  __UW_4(a, b, y, x) __UW_4(a, b, y, y) __UW_4(a, b, y, z) __UW_4(a, b, y, w)                                          \
  __UW_4(a, b, z, x) __UW_4(a, b, z, y) __UW_4(a, b, z, z) __UW_4(a, b, z, w)                                          \
  __UW_4(a, b, w, x) __UW_4(a, b, w, y) __UW_4(a, b, w, z) __UW_4(a, b, w, w)
#define __UW_ALL_LETTERS(x, y, z, w)                                                                                   \
  __UW_OF_LETTERS(x, x, x, y, z, w) __UW_OF_LETTERS(x, y, x, y, z, w) __UW_OF_LETTERS(x, z, x, y, z, w)                \
  __UW_OF_LETTERS(x, w, x, y, z, w) __UW_OF_LETTERS(y, x, x, y, z, w) __UW_OF_LETTERS(y, y, x, y, z, w)                \
  __UW_OF_LETTERS(y, z, x, y, z, w) __UW_OF_LETTERS(y, w, x, y, z, w) __UW_OF_LETTERS(z, x, x, y, z, w)                \
  __UW_OF_LETTERS(z, y, x, y, z, w) __UW_OF_LETTERS(z, z, x, y, z, w) __UW_OF_LETTERS(z, w, x, y, z, w)                \
  __UW_OF_LETTERS(w, x, x, y, z, w) __UW_OF_LETTERS(w, y, x, y, z, w) __UW_OF_LETTERS(w, z, x, y, z, w)                \
  __UW_OF_LETTERS(w, w, x, y, z, w)
  // clang-format on
  __UW_ALL_LETTERS(x, y, z, w)
  __UW_ALL_LETTERS(r, g, b, a)
#undef __UW_ALL_LETTERS
#undef __UW_OF_LETTERS
#undef __UW_2
#undef __UW_3
#undef __UW_4
#endif

private:
  template <int... I> auto lower(std::integer_sequence<int, I...>) const { return self().template pick<I...>(); }
  template <int... I> auto upper(std::integer_sequence<int, I...>) const {
    return self().template pick<(I + (count_of<Self> + 1) / 2)...>();
  }
  template <int... I> auto evens(std::integer_sequence<int, I...>) const { return self().template pick<2 * I...>(); }
  template <int... I> auto odds(std::integer_sequence<int, I...>) const {
    return self().template pick<2 * I + 1 ...>();
  }
};

} // namespace detail

template <class T, int N> class alignas(sizeof(T) * (N == 3 ? 4 : N)) vec : public detail::vector_members<vec<T, N>> {
  static_assert(N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16, "a vec has 1, 2, 3, 4, 8 or 16 elements");
  using all = std::make_integer_sequence<int, N>;

public:
  using element_type = T;
  using value_type = T;
  using vector_t = vec;
  static constexpr int element_count = N;

  vec() = default;
  constexpr vec(const vec &) = default;
  constexpr vec &operator=(const vec &) = default;
  // One scalar for all. Explicit; arithmetic and assignment take scalars by themselves.
  constexpr explicit vec(const T &value) { fill(value, all()); }
  template <class A, class = std::enable_if_t<N == 1 && detail::is_number<A> && !std::is_same_v<A, T>>>
  constexpr vec(const A &value) : vec(static_cast<T>(value)) {}
  template <
      class A, class B, class... Rest,
      class = std::enable_if_t<detail::count_of<A> + detail::count_of<B> + (0 + ... + detail::count_of<Rest>) == N>>
  constexpr vec(const A &a, const B &b, const Rest &...rest) {
    put<0>(a, b, rest...);
  }
  template <class V, int... I, class = std::enable_if_t<sizeof...(I) == N>>
  constexpr vec(const detail::swizzle<V, I...> &from) {
    put<0>(from);
  }
  template <class A, class = std::enable_if_t<!detail::is_vector<A> && std::is_convertible_v<A, T>>>
  constexpr vec &operator=(const A &value) {
    fill(static_cast<T>(value), all());
    return *this;
  }
  template <int M = N, class = std::enable_if_t<M == 1>> constexpr operator T() const { return at_[0]; }

  static constexpr int size() noexcept { return N; }
  static constexpr std::size_t byte_size() noexcept { return sizeof(vec); }
  static constexpr int get_count() { return N; }
  static constexpr std::size_t get_size() { return sizeof(vec); }

  constexpr T &operator[](int i) { return at_[i]; }
  constexpr const T &operator[](int i) const { return at_[i]; }
  template <int I> constexpr const T &at() const { return at_[I]; }
  template <int... I> auto pick() const { return detail::swizzle<vec, I...>(const_cast<vec &>(*this)); }

#define __UW_ELEMENT(name, i)                                                                                          \
  template <int M = N, class = std::enable_if_t<(M > i)>> constexpr T &name() { return at_[i]; }                       \
  template <int M = N, class = std::enable_if_t<(M > i)>> constexpr const T &name() const { return at_[i]; }
  __UW_EACH_ELEMENT
#undef __UW_ELEMENT

  template <class U, rounding_mode Mode = rounding_mode::automatic> vec<U, N> convert() const {
    return converted<U, Mode>(all());
  }
  template <class As> As as() const {
    static_assert(sizeof(As) == sizeof(vec), "as() keeps the size");
    As out;
    __builtin_memcpy(&out, this, sizeof out);
    return out;
  }
  void load(std::size_t offset, const T *from) { load_from(from + offset * N, all()); }
  void store(std::size_t offset, T *to) const { store_to(to + offset * N, all()); }
  template <access::address_space S, access::decorated D> void load(std::size_t offset, multi_ptr<const T, S, D> from) {
    load(offset, from.get_raw());
  }
  template <access::address_space S, access::decorated D> void load(std::size_t offset, multi_ptr<T, S, D> from) {
    load(offset, from.get_raw());
  }
  template <access::address_space S, access::decorated D> void store(std::size_t offset, multi_ptr<T, S, D> to) const {
    store(offset, to.get_raw());
  }

private:
  template <class, int> friend class vec;
  template <int... I> constexpr void fill(const T &value, std::integer_sequence<int, I...>) { ((at_[I] = value), ...); }
  template <int From> constexpr void put() {}
  template <int From, class A, class... Rest> constexpr void put(const A &a, const Rest &...rest) {
    if constexpr (detail::is_vector<A>)
      put_vector<From>(a, std::make_integer_sequence<int, detail::count_of<A>>());
    else
      at_[From] = static_cast<T>(a);
    put<From + detail::count_of<A>>(rest...);
  }
  template <int From, class A, int... I> constexpr void put_vector(const A &a, std::integer_sequence<int, I...>) {
    ((at_[From + I] = static_cast<T>(a.template at<I>())), ...);
  }
  template <class U, rounding_mode Mode, int... I> vec<U, N> converted(std::integer_sequence<int, I...>) const {
    vec<U, N> out;
    ((out[I] = detail::convert_number<U, Mode>(at_[I])), ...);
    return out;
  }
  template <int... I> void load_from(const T *from, std::integer_sequence<int, I...>) { ((at_[I] = from[I]), ...); }
  template <int... I> void store_to(T *to, std::integer_sequence<int, I...>) const { ((to[I] = at_[I]), ...); }

  T at_[N == 3 ? 4 : N];
};

template <class T, class... U, class = std::enable_if_t<(std::is_same_v<T, U> && ...)>>
vec(T, U...) -> vec<T, sizeof...(U) + 1>;

namespace detail {

template <class V, int... I> class swizzle : public vector_members<swizzle<V, I...>> {
  static constexpr int places[] = {I...};

public:
  using element_type = typename V::element_type;
  using vector_t = vec<element_type, sizeof...(I)>;
  explicit swizzle(V &of) : of(of) {}
  swizzle(const swizzle &) = default;

  static constexpr int size() noexcept { return sizeof...(I); }
  static constexpr int get_count() { return sizeof...(I); }
  template <int J> const element_type &at() const { return of[places[J]]; }
  template <int... J> auto pick() const { return swizzle<V, places[J]...>(of); }
  element_type &operator[](int i) const { return of[places[i]]; }
  template <class T = element_type, class = std::enable_if_t<sizeof...(I) == 1 && std::is_same_v<T, element_type>>>
  operator T() const {
    return of[places[0]];
  }
  static constexpr std::size_t byte_size() noexcept { return sizeof(vector_t); }
  static constexpr std::size_t get_size() { return sizeof(vector_t); }
#define __UW_ELEMENT(name, i)                                                                                          \
  template <int M = sizeof...(I), class = std::enable_if_t<(M > i)>> element_type &name() const {                      \
    return of[places[i]];                                                                                              \
  }
  __UW_EACH_ELEMENT
#undef __UW_ELEMENT
  template <class P> void load(std::size_t offset, P from) const {
    vector_t all;
    all.load(offset, from);
    *this = all;
  }
  template <class P> void store(std::size_t offset, P to) const { vector_t(*this).store(offset, to); }
  template <class U, rounding_mode Mode = rounding_mode::automatic> auto convert() const {
    return vector_t(*this).template convert<U, Mode>();
  }
  template <class As> As as() const { return vector_t(*this).template as<As>(); }

  const swizzle &operator=(const swizzle &from) const { return *this = vector_t(from); }
  const swizzle &operator=(const vector_t &from) const {
    assign(from, std::make_integer_sequence<int, sizeof...(I)>());
    return *this;
  }
  template <class A, class = std::enable_if_t<!is_vector<A> && std::is_convertible_v<A, element_type>>>
  const swizzle &operator=(const A &value) const {
    return *this = vector_t(static_cast<element_type>(value));
  }
  template <class W, int... J, class = std::enable_if_t<sizeof...(J) == sizeof...(I)>>
  const swizzle &operator=(const swizzle<W, J...> &from) const {
    return *this = vector_t(from);
  }

private:
  template <int... J> void assign(const vector_t &from, std::integer_sequence<int, J...>) const {
    ((of[I] = from[J]), ...);
  }
  V &of;
};

} // namespace detail

namespace detail {
// {x, y} after an operator that assigns: as many elements as the vector has, or one for all.
template <class T, int N> constexpr vec<T, N> vec_of_list(std::initializer_list<T> list) {
  vec<T, N> out{};
  for (int i = 0; i < N; i++)
    out[i] = list.begin()[list.size() == 1 ? 0 : i];
  return out;
}
} // namespace detail

// --- operators
#define __UW_BINARY(op)                                                                                                \
  namespace detail {                                                                                                   \
  template <class R, class A, class B, int... I>                                                                       \
  __UW_INLINE constexpr R __UW_NAME(const A &a, const B &b, std::integer_sequence<int, I...>) {                        \
    using T = typename R::element_type;                                                                                \
    R out;                                                                                                             \
    ((out[I] = T(T(get<I>(a)) op T(get<I>(b)))), ...);                                                                 \
    return out;                                                                                                        \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A, class B, class R = detail::common_t<A, B>> constexpr R operator op(const A &a, const B &b) {      \
    return detail::__UW_NAME<R>(a, b, std::make_integer_sequence<int, R::element_count>());                            \
  }                                                                                                                    \
  template <class T, int N, class B, class R = detail::common_t<vec<T, N>, B>>                                         \
  constexpr vec<T, N> &operator op## = (vec<T, N> & a, const B &b) {                                                   \
    return a = a op b;                                                                                                 \
  }                                                                                                                    \
  template <class T, int N> constexpr vec<T, N> &operator op## = (vec<T, N> & a, std::initializer_list<T> b) {         \
    return a = a op detail::vec_of_list<T, N>(b);                                                                      \
  }                                                                                                                    \
  template <class V, int... I, class B, class R = detail::common_t<detail::swizzle<V, I...>, B>>                       \
  const detail::swizzle<V, I...> &operator op## = (const detail::swizzle<V, I...> &a, const B &b) {                    \
    return a = a op b;                                                                                                 \
  }
#define __UW_NAME plus
__UW_BINARY(+)
#undef __UW_NAME
#define __UW_NAME minus
__UW_BINARY(-)
#undef __UW_NAME
#define __UW_NAME times
__UW_BINARY(*)
#undef __UW_NAME
#define __UW_NAME over
__UW_BINARY(/)
#undef __UW_NAME
#define __UW_NAME modulo
__UW_BINARY(%)
#undef __UW_NAME
#define __UW_NAME bit_and
__UW_BINARY(&)
#undef __UW_NAME
#define __UW_NAME bit_or
__UW_BINARY(|)
#undef __UW_NAME
#define __UW_NAME bit_xor
__UW_BINARY(^)
#undef __UW_NAME
#define __UW_NAME left
__UW_BINARY(<<)
#undef __UW_NAME
#define __UW_NAME right
__UW_BINARY(>>)
#undef __UW_NAME
#undef __UW_BINARY

// Truth is all bits, in an integer of the element's size.
#define __UW_COMPARISON(op, function)                                                                                  \
  namespace detail {                                                                                                   \
  template <class R, class A, class B, int... I>                                                                       \
  __UW_INLINE constexpr auto function(const A &a, const B &b, std::integer_sequence<int, I...>) {                      \
    using T = typename R::element_type;                                                                                \
    vec<truth_of<T>, R::element_count> out;                                                                            \
    ((out[I] = truth_of<T>(-(T(get<I>(a)) op T(get<I>(b))))), ...);                                                    \
    return out;                                                                                                        \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A, class B, class R = detail::common_t<A, B>> constexpr auto operator op(const A &a, const B &b) {   \
    return detail::function<R>(a, b, std::make_integer_sequence<int, R::element_count>());                             \
  }
__UW_COMPARISON(==, is_same_as)
__UW_COMPARISON(!=, is_other_than)
__UW_COMPARISON(<, is_below)
__UW_COMPARISON(>, is_above)
__UW_COMPARISON(<=, is_at_most)
__UW_COMPARISON(>=, is_at_least)
__UW_COMPARISON(&&, are_both)
__UW_COMPARISON(||, is_either)
#undef __UW_COMPARISON

// Each element by itself, as C++ has it: -0.0f is not 0.0f - 0.0f, and ~true is true.
#define __UW_UNARY(op, function)                                                                                       \
  namespace detail {                                                                                                   \
  template <class R, class A, int... I>                                                                                \
  __UW_INLINE constexpr R function(const A &a, std::integer_sequence<int, I...>) {                                     \
    R out;                                                                                                             \
    ((out[I] = typename R::element_type(op get<I>(a))), ...);                                                          \
    return out;                                                                                                        \
  }                                                                                                                    \
  }                                                                                                                    \
  template <class A, class = std::enable_if_t<detail::is_vector<A>>>                                                   \
  constexpr detail::vec_of<A> operator op(const A &a) {                                                                \
    using R = detail::vec_of<A>;                                                                                       \
    return detail::function<R>(a, std::make_integer_sequence<int, R::element_count>());                                \
  }
__UW_UNARY(-, negative)
__UW_UNARY(+, same)
__UW_UNARY(~, complement)
#undef __UW_UNARY
template <class A, class = std::enable_if_t<detail::is_vector<A>>> constexpr auto operator!(const A &a) {
  return detail::vec_of<A>(a) == detail::vec_of<A>(typename detail::vec_of<A>::element_type(0));
}
template <class T, int N> constexpr vec<T, N> &operator++(vec<T, N> &a) { return a += T(1); }
template <class T, int N> constexpr vec<T, N> &operator--(vec<T, N> &a) { return a -= T(1); }
template <class V, int... I> const detail::swizzle<V, I...> &operator++(const detail::swizzle<V, I...> &a) {
  return a += typename V::element_type(1);
}
template <class V, int... I> const detail::swizzle<V, I...> &operator--(const detail::swizzle<V, I...> &a) {
  return a -= typename V::element_type(1);
}
template <class V, int... I>
detail::vec_of<detail::swizzle<V, I...>> operator++(const detail::swizzle<V, I...> &a, int) {
  const detail::vec_of<detail::swizzle<V, I...>> old = a;
  ++a;
  return old;
}
template <class V, int... I>
detail::vec_of<detail::swizzle<V, I...>> operator--(const detail::swizzle<V, I...> &a, int) {
  const detail::vec_of<detail::swizzle<V, I...>> old = a;
  --a;
  return old;
}
template <class T, int N> constexpr vec<T, N> operator++(vec<T, N> &a, int) {
  vec<T, N> old = a;
  ++a;
  return old;
}
template <class T, int N> constexpr vec<T, N> operator--(vec<T, N> &a, int) {
  vec<T, N> old = a;
  --a;
  return old;
}

// --- names
using byte = std::uint8_t;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;
using schar = signed char;
#define __UW_VECTORS(name, type)                                                                                       \
  using name##2 = vec<type, 2>;                                                                                        \
  using name##3 = vec<type, 3>;                                                                                        \
  using name##4 = vec<type, 4>;                                                                                        \
  using name##8 = vec<type, 8>;                                                                                        \
  using name##16 = vec<type, 16>;
__UW_VECTORS(char, std::int8_t)
__UW_VECTORS(schar, std::int8_t)
__UW_VECTORS(uchar, std::uint8_t)
__UW_VECTORS(short, std::int16_t)
__UW_VECTORS(ushort, std::uint16_t)
__UW_VECTORS(int, std::int32_t)
__UW_VECTORS(uint, std::uint32_t)
__UW_VECTORS(long, std::int64_t)
__UW_VECTORS(ulong, std::uint64_t)
__UW_VECTORS(longlong, std::int64_t)
__UW_VECTORS(ulonglong, std::uint64_t)
__UW_VECTORS(float, float)
__UW_VECTORS(double, double)
__UW_VECTORS(half, half)

// The older names of what OpenCL's types are.
namespace opencl {
using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;
} // namespace opencl
#define __UW_OLDER(name)                                                                                               \
  using opencl::name;                                                                                                  \
  __UW_VECTORS(name, opencl::name)
__UW_OLDER(cl_char)
__UW_OLDER(cl_uchar)
__UW_OLDER(cl_short)
__UW_OLDER(cl_ushort)
__UW_OLDER(cl_int)
__UW_OLDER(cl_uint)
__UW_OLDER(cl_long)
__UW_OLDER(cl_ulong)
__UW_OLDER(cl_half)
__UW_OLDER(cl_float)
__UW_OLDER(cl_double)
using opencl::cl_bool;
#undef __UW_OLDER
#undef __UW_VECTORS

} // namespace _V1
} // namespace sycl
#endif
