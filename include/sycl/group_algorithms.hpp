// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Group functions and algorithms (SYCL 2020, sections 4.17.3 and 4.17.4), for work-groups and sub-groups.
//
// Items of a sub-group exchange values. Those of a work-group lay theirs down in local memory, and one item does the
// work: on a CPU that is as many operations as any other way takes, without iterations between which all would have to
// wait.
#ifndef UNWARP_SYCL_GROUP_ALGORITHMS_HPP
#define UNWARP_SYCL_GROUP_ALGORITHMS_HPP

#include "functional.hpp"
#include "group_barrier.hpp"

namespace sycl {
inline namespace _V1 {

template <class T> struct is_group : std::false_type {};
template <int D> struct is_group<group<D>> : std::true_type {};
template <> struct is_group<sub_group> : std::true_type {};
template <std::size_t Size, class G>
struct is_group<ext::oneapi::experimental::fixed_size_group<Size, G>> : std::true_type {};
template <class G> struct is_group<ext::oneapi::experimental::ballot_group<G>> : std::true_type {};
template <class G> struct is_group<ext::oneapi::experimental::tangle_group<G>> : std::true_type {};
template <class T> inline constexpr bool is_group_v = is_group<std::decay_t<T>>::value;

namespace detail {

template <class G> inline constexpr bool is_sub_group = std::is_same_v<std::decay_t<G>, sub_group>;
template <class G, class R> using for_group = std::enable_if_t<is_group_v<G>, R>;

// --- exchanges in a sub-group, of anything that can be copied, word by word
template <class T> __UW_INLINE T shuffle_to(const T &value, int lane, int mask = -1) {
  constexpr int words = (sizeof(T) + 3) / 4;
  int in[words] = {}, out[words];
  __builtin_memcpy(in, &value, sizeof(T));
  for (int i = 0; i < words; i++)
    out[i] = __unwarp_shuffle_index(mask, in[i], lane, 31);
  T result;
  __builtin_memcpy(&result, out, sizeof(T));
  return result;
}
// Of the item with that number in its group, which is a sub-group or a part of one.
template <class G, class T> __UW_INLINE T value_of(const G &g, const T &value, std::uint32_t item) {
  if constexpr (is_part<G>)
    return shuffle_to(value, g.unwarp_lane(item), g.unwarp_mask());
  else
    return shuffle_to(value, int(item) & 31);
}
template <class G> constexpr int most_items() {
  if constexpr (is_part<G>)
    return G::unwarp_most;
  else
    return int(sub_group_size);
}
template <class G> inline constexpr bool exchanges = is_sub_group<G> || is_part<G>;
template <class G, class R> using for_exchange = std::enable_if_t<exchanges<G>, R>;

// --- local memory of a work-group's algorithms: a value for each item, and one for all
#ifdef __SYCL_DEVICE_ONLY__
#define __UW_GROUP_MEMORY __attribute__((address_space(3), section(".unwarp.scratch")))
extern "C" void *__unwarp_sycl_group_variable(__attribute__((address_space(3))) void *) noexcept;
template <class T> struct scratch_bytes {
  static inline __UW_GROUP_MEMORY unsigned char all alignas(16)[sizeof(T) * (max_items_of_group + 1)];
};
template <class T> __UW_INLINE T *scratch() {
  return static_cast<T *>(
      __unwarp_sycl_group_variable((__attribute__((address_space(3))) void *)scratch_bytes<T>::all));
}
#else
template <class T> T *scratch() { return nullptr; }
#endif

// In four pieces that need not wait for each other, in order.
template <class T, class Op> __UW_INLINE T fold(const T *values, std::uint32_t count, Op op) {
  const std::uint32_t quarter = count / 4;
  std::uint32_t next = 0;
  T all;
  if (quarter) {
    T a = values[0], b = values[quarter], c = values[2 * quarter], d = values[3 * quarter];
    for (std::uint32_t i = 1; i < quarter; i++) {
      a = op(a, values[i]);
      b = op(b, values[quarter + i]);
      c = op(c, values[2 * quarter + i]);
      d = op(d, values[3 * quarter + i]);
    }
    all = op(op(a, b), op(c, d));
    next = 4 * quarter;
  } else {
    all = values[0];
    next = 1;
  }
  for (; next < count; next++)
    all = op(all, values[next]);
  return all;
}

template <class G, class T, class Op> __UW_INLINE T reduce(const G &g, T value, Op op) {
  if constexpr (exchanges<G>) {
    const int lane = int(g.get_local_linear_id()), items = int(g.get_local_linear_range());
    for (int step = most_items<G>() / 2; step > 0; step /= 2) {
      const T other = value_of(g, value, std::uint32_t(lane + step));
      if (lane + step < items)
        value = op(value, other);
    }
    return value_of(g, value, 0);
  } else {
    T *place = scratch<T>();
    const std::uint32_t items = items_of_group(), own = item_of_group();
    place[own] = value;
    __unwarp_barrier(0);
    if (own == 0)
      place[items] = fold(place, items, op);
    __unwarp_barrier(0);
    return place[items];
  }
}

// All that stand before the item, and with inclusive the item itself. `first` is before all if there is one.
template <bool Inclusive, class G, class T, class Op>
__UW_INLINE T scan(const G &g, T value, const T &first, bool has_first, Op op) {
  if constexpr (exchanges<G>) {
    const int lane = int(g.get_local_linear_id());
    if (has_first && lane == 0)
      value = Inclusive ? T(op(first, value)) : value;
    T all = value;
    for (int step = 1; step < most_items<G>(); step *= 2) {
      const T other = value_of(g, all, std::uint32_t(lane - step));
      if (lane >= step)
        all = op(other, all);
    }
    if constexpr (Inclusive)
      return all;
    const T before = value_of(g, all, std::uint32_t(lane - 1));
    return lane == 0 ? first : has_first ? T(op(first, before)) : before;
  } else {
    T *place = scratch<T>();
    const std::uint32_t items = items_of_group(), own = item_of_group();
    place[own] = value;
    __unwarp_barrier(0);
    if (own == 0) {
      T all = first;
      bool any = has_first || !Inclusive;
      for (std::uint32_t i = 0; i < items; i++) {
        const T one = place[i];
        if constexpr (!Inclusive)
          place[i] = all;
        all = any ? T(op(all, one)) : one;
        any = true;
        if constexpr (Inclusive)
          place[i] = all;
      }
    }
    __unwarp_barrier(0);
    const T result = place[own];
    __unwarp_barrier(0);
    return result;
  }
}

template <class G> __UW_INLINE std::size_t items_in(const G &g) { return g.get_local_linear_range(); }
template <class G> __UW_INLINE void wait_all(const G &g) { group_barrier(g); }

} // namespace detail

// --- broadcast
template <class G, class T> detail::for_group<G, T> group_broadcast(G g, T value, typename G::linear_id_type from) {
  if constexpr (detail::exchanges<G>) {
    return detail::value_of(g, value, from);
  } else {
    T *place = detail::scratch<T>();
    if (g.get_local_linear_id() == from)
      place[0] = value;
    detail::__unwarp_barrier(0);
    const T result = place[0];
    detail::__unwarp_barrier(0);
    return result;
  }
}
template <class G, class T> detail::for_group<G, T> group_broadcast(G g, T value) {
  return group_broadcast(g, value, 0);
}
template <class G, class T> detail::for_group<G, T> group_broadcast(G g, T value, typename G::id_type from) {
  return group_broadcast(g, value,
                         typename G::linear_id_type(detail::linear(from, typename G::id_type(g.get_local_range()))));
}

// --- votes
template <class G> detail::for_group<G, bool> any_of_group(G g, bool value) {
  if constexpr (detail::is_sub_group<G>)
    return detail::__unwarp_vote_any(-1, value);
  else if constexpr (detail::is_part<G>)
    return detail::__unwarp_vote_any(g.unwarp_mask(), value);
  else
    return detail::reduce(g, int(value), std::bit_or<int>()) != 0;
}
template <class G> detail::for_group<G, bool> all_of_group(G g, bool value) {
  if constexpr (detail::is_sub_group<G>)
    return detail::__unwarp_vote_all(-1, value);
  else if constexpr (detail::is_part<G>)
    return detail::__unwarp_vote_all(g.unwarp_mask(), value);
  else
    return detail::reduce(g, int(value), std::bit_and<int>()) != 0;
}
template <class G> detail::for_group<G, bool> none_of_group(G g, bool value) { return !any_of_group(g, value); }
template <class G, class T, class P> detail::for_group<G, bool> any_of_group(G g, T value, P p) {
  return any_of_group(g, bool(p(value)));
}
template <class G, class T, class P> detail::for_group<G, bool> all_of_group(G g, T value, P p) {
  return all_of_group(g, bool(p(value)));
}
template <class G, class T, class P> detail::for_group<G, bool> none_of_group(G g, T value, P p) {
  return none_of_group(g, bool(p(value)));
}

// --- shifts and permutations in a sub-group, or in a part of one
template <class G, class T> detail::for_exchange<G, T> shift_group_left(G g, T value, std::uint32_t delta = 1) {
  return detail::value_of(g, value, g.get_local_linear_id() + delta);
}
template <class G, class T> detail::for_exchange<G, T> shift_group_right(G g, T value, std::uint32_t delta = 1) {
  return detail::value_of(g, value, g.get_local_linear_id() - delta);
}
template <class G, class T> detail::for_exchange<G, T> permute_group_by_xor(G g, T value, std::uint32_t mask) {
  return detail::value_of(g, value, g.get_local_linear_id() ^ mask);
}
template <class G, class T> detail::for_exchange<G, T> select_from_group(G g, T value, id<1> from) {
  return detail::value_of(g, value, std::uint32_t(from[0]));
}

// --- reductions and scans of one value for each item
template <class G, class T, class Op> detail::for_group<G, T> reduce_over_group(G g, T value, Op op) {
  return detail::reduce(g, value, op);
}
template <class G, class V, class T, class Op> detail::for_group<G, T> reduce_over_group(G g, V value, T first, Op op) {
  return op(first, detail::reduce(g, T(value), op));
}
template <class G, class T, class Op> detail::for_group<G, T> inclusive_scan_over_group(G g, T value, Op op) {
  return detail::scan<true>(g, value, value, false, op);
}
template <class G, class V, class Op, class T>
detail::for_group<G, T> inclusive_scan_over_group(G g, V value, Op op, T first) {
  return detail::scan<true>(g, T(value), first, true, op);
}
template <class G, class T, class Op> detail::for_group<G, T> exclusive_scan_over_group(G g, T value, Op op) {
  return detail::scan<false>(g, value, T(known_identity_v<Op, T>), false, op);
}
template <class G, class V, class T, class Op>
detail::for_group<G, T> exclusive_scan_over_group(G g, V value, T first, Op op) {
  return detail::scan<false>(g, T(value), first, true, op);
}

// --- of a range of memory
namespace detail {

template <class G, class P, class F> __UW_INLINE bool joint_any(const G &g, P first, P last, F p) {
  bool found = false;
  const std::size_t items = items_in(g), count = std::size_t(last - first);
  for (std::size_t i = g.get_local_linear_id(); i < count; i += items)
    found = found || p(first[i]);
  return any_of_group(g, found);
}
template <class T> struct maybe {
  T value;
  bool is;
};
template <class G, class T, class P, class Op>
__UW_INLINE T joint(const G &g, P first, P last, const maybe<T> &start, Op op) {
  maybe<T> own{start.value, false};
  const std::size_t items = items_in(g), count = std::size_t(last - first);
  for (std::size_t i = g.get_local_linear_id(); i < count; i += items) {
    own.value = own.is ? T(op(own.value, first[i])) : T(first[i]);
    own.is = true;
  }
  auto both = [=](const maybe<T> &a, const maybe<T> &b) {
    return !a.is ? b : !b.is ? a : maybe<T>{T(op(a.value, b.value)), true};
  };
  const maybe<T> all = reduce(g, own, both);
  return start.is && all.is ? T(op(start.value, all.value)) : all.is ? all.value : start.value;
}
template <bool Inclusive, class G, class P, class Q, class T, class Op>
__UW_INLINE Q joint_scan(const G &g, P first, P last, Q out, T start, bool has_start, Op op) {
  const std::size_t count = std::size_t(last - first);
  wait_all(g);
  if (g.leader()) {
    T all = start;
    bool any = has_start || !Inclusive;
    for (std::size_t i = 0; i < count; i++) {
      const T one = first[i];
      if constexpr (!Inclusive)
        out[i] = all;
      all = any ? T(op(all, one)) : one;
      any = true;
      if constexpr (Inclusive)
        out[i] = all;
    }
  }
  wait_all(g);
  return out + std::ptrdiff_t(count);
}
template <class P> using value_at = std::remove_cv_t<std::remove_reference_t<decltype(*std::declval<P>())>>;

} // namespace detail

template <class G, class P, class F> detail::for_group<G, bool> joint_any_of(G g, P first, P last, F p) {
  return detail::joint_any(g, first, last, p);
}
template <class G, class P, class F> detail::for_group<G, bool> joint_all_of(G g, P first, P last, F p) {
  return !detail::joint_any(g, first, last, [=](const auto &one) { return !p(one); });
}
template <class G, class P, class F> detail::for_group<G, bool> joint_none_of(G g, P first, P last, F p) {
  return !detail::joint_any(g, first, last, p);
}
template <class G, class P, class Op>
detail::for_group<G, detail::value_at<P>> joint_reduce(G g, P first, P last, Op op) {
  using T = detail::value_at<P>;
  return detail::joint(g, first, last, detail::maybe<T>{T(known_identity_v<Op, T>), false}, op);
}
template <class G, class P, class T, class Op>
detail::for_group<G, T> joint_reduce(G g, P first, P last, T start, Op op) {
  return detail::joint(g, first, last, detail::maybe<T>{start, true}, op);
}
template <class G, class P, class Q, class Op>
detail::for_group<G, Q> joint_inclusive_scan(G g, P first, P last, Q out, Op op) {
  return detail::joint_scan<true>(g, first, last, out, detail::value_at<P>(), false, op);
}
template <class G, class P, class Q, class Op, class T>
detail::for_group<G, Q> joint_inclusive_scan(G g, P first, P last, Q out, Op op, T start) {
  return detail::joint_scan<true>(g, first, last, out, start, true, op);
}
template <class G, class P, class Q, class Op>
detail::for_group<G, Q> joint_exclusive_scan(G g, P first, P last, Q out, Op op) {
  using T = detail::value_at<Q>;
  return detail::joint_scan<false>(g, first, last, out, T(known_identity_v<Op, T>), true, op);
}
template <class G, class P, class Q, class T, class Op>
detail::for_group<G, Q> joint_exclusive_scan(G g, P first, P last, Q out, T start, Op op) {
  return detail::joint_scan<false>(g, first, last, out, start, true, op);
}

// --- the sub-group's older members
template <class T> T sub_group::shuffle(T value, id<1> from) const { return select_from_group(*this, value, from); }
template <class T> T sub_group::shuffle_down(T value, std::uint32_t delta) const {
  return shift_group_left(*this, value, delta);
}
template <class T> T sub_group::shuffle_up(T value, std::uint32_t delta) const {
  return shift_group_right(*this, value, delta);
}
template <class T> T sub_group::shuffle_xor(T value, id<1> mask) const {
  return permute_group_by_xor(*this, value, std::uint32_t(mask[0]));
}

namespace ext::oneapi {
using sycl::sub_group;
template <class T = void> using plus = sycl::plus<T>;
template <class T = void> using multiplies = sycl::multiplies<T>;
template <class T = void> using minimum = sycl::minimum<T>;
template <class T = void> using maximum = sycl::maximum<T>;
template <class T = void> using bit_or = sycl::bit_or<T>;
template <class T = void> using bit_xor = sycl::bit_xor<T>;
template <class T = void> using bit_and = sycl::bit_and<T>;

// The group functions before they were the standard's.
template <class G> bool leader(G g) { return g.leader(); }
template <class G, class... A> auto broadcast(G g, A... a) { return group_broadcast(g, a...); }
template <class G, class T, class Op> auto reduce(G g, T value, Op op) { return reduce_over_group(g, value, op); }
template <class G, class V, class T, class Op> auto reduce(G g, V value, T first, Op op) {
  if constexpr (std::is_pointer_v<V>)
    return joint_reduce(g, value, first, op);
  else
    return reduce_over_group(g, value, first, op);
}
template <class G, class P, class T, class Op> auto reduce(G g, P first, P last, T start, Op op) {
  return joint_reduce(g, first, last, start, op);
}
template <class G, class T, class Op> auto inclusive_scan(G g, T value, Op op) {
  return inclusive_scan_over_group(g, value, op);
}
template <class G, class T, class Op> auto exclusive_scan(G g, T value, Op op) {
  return exclusive_scan_over_group(g, value, op);
}
template <class G, class P, class Q, class Op> auto inclusive_scan(G g, P first, P last, Q out, Op op) {
  return joint_inclusive_scan(g, first, last, out, op);
}
template <class G, class P, class Q, class Op> auto exclusive_scan(G g, P first, P last, Q out, Op op) {
  return joint_exclusive_scan(g, first, last, out, op);
}
#define __UW_VOTE(name)                                                                                                \
  template <class G, class... A> bool name(G g, A... a) {                                                              \
    if constexpr (sizeof...(A) == 3)                                                                                   \
      return joint_##name(g, a...);                                                                                    \
    else                                                                                                               \
      return name##_group(g, a...);                                                                                    \
  }
__UW_VOTE(any_of)
__UW_VOTE(all_of)
__UW_VOTE(none_of)
#undef __UW_VOTE
} // namespace ext::oneapi

} // namespace _V1
} // namespace sycl
#endif
