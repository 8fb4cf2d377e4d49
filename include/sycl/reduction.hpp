// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reduction variables (SYCL 2020, section 4.9.2). Each item gathers in a variable of its own, each group makes one
// value of its items', and the host one of the groups', in order: the same sum in each run. Without an identity a value
// comes with whether there is one.
#ifndef UNWARP_SYCL_REDUCTION_HPP
#define UNWARP_SYCL_REDUCTION_HPP

#include <memory>
#include <tuple>

#include "accessor.hpp"
#include "group_algorithms.hpp"
#include "span.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

// What an item, a group, or the host has gathered of one element.
template <class T, class Op, bool HasIdentity> struct gathered;
template <class T, class Op> struct gathered<T, Op, true> {
  T value;
  __UW_INLINE void add(const T &more, const Op &op) { value = op(value, more); }
  __UW_INLINE void add(const gathered &more, const Op &op) { value = op(value, more.value); }
};
template <class T, class Op> struct gathered<T, Op, false> {
  T value;
  bool is;
  __UW_INLINE void add(const T &more, const Op &op) {
    value = is ? T(op(value, more)) : more;
    is = true;
  }
  __UW_INLINE void add(const gathered &more, const Op &op) {
    if (more.is)
      add(more.value, op);
  }
};

// What a kernel has of a reduction; Extent 0 is one variable, others are arrays.
template <class T, class Op, std::size_t Extent, bool HasIdentity> struct reduction_part {
  using slot = gathered<T, Op, HasIdentity>;
  static constexpr std::size_t count = Extent ? Extent : 1;
  slot *partial; // count of them for each group
  Op op;
  T identity;
};

} // namespace detail

template <class T, class Op, int Dimensions, std::size_t Extent, bool HasIdentity> class reducer {
  using part = detail::reduction_part<T, Op, Extent, HasIdentity>;
  using slot = typename part::slot;

public:
  using value_type = T;
  using binary_operation = Op;
  static constexpr int dimensions = Extent ? 1 : 0; // of what is reduced, not of the kernel

  explicit reducer(const part &of) : op(of.op), identity_value(of.identity) {
    for (std::size_t i = 0; i < part::count; i++) {
      if constexpr (HasIdentity)
        slots[i].value = of.identity;
      else
        slots[i].is = false;
    }
  }
  reducer(const reducer &) = delete;
  reducer &operator=(const reducer &) = delete;

  // An element of an array.
  class element {
  public:
    using value_type = T;
    using binary_operation = Op;
    static constexpr int dimensions = 0;
    element(slot &at, const Op &op) : at(at), op(op) {}
    element &combine(const T &value) {
      at.add(value, op);
      return *this;
    }
    element &operator+=(const T &value) { return combine(value); }
    element &operator*=(const T &value) { return combine(value); }
    element &operator&=(const T &value) { return combine(value); }
    element &operator|=(const T &value) { return combine(value); }
    element &operator^=(const T &value) { return combine(value); }
    element &operator++() { return combine(T(1)); }

  private:
    slot &at;
    const Op &op;
  };
  element operator[](std::size_t i) { return element(slots[i], op); }

  reducer &combine(const T &value) {
    slots[0].add(value, op);
    return *this;
  }
  reducer &operator+=(const T &value) { return combine(value); }
  reducer &operator*=(const T &value) { return combine(value); }
  reducer &operator&=(const T &value) { return combine(value); }
  reducer &operator|=(const T &value) { return combine(value); }
  reducer &operator^=(const T &value) { return combine(value); }
  reducer &operator++() { return combine(T(1)); }
  T identity() const { return identity_value; }

  // For the kernel around the user's: one value of the group's.
  template <class G> void unwarp_finish(const G &g, const part &of, std::size_t number) {
    for (std::size_t i = 0; i < part::count; i++) {
      const Op own = op;
      slot all = detail::reduce(g, slots[i], [own](slot a, const slot &b) {
        a.add(b, own);
        return a;
      });
      if (g.leader())
        of.partial[number * part::count + i] = all;
    }
  }

private:
  slot slots[part::count];
  Op op;
  T identity_value;
};

namespace detail {

// What reduction() returns: the goal, and what to do there.
template <class T, class Op, std::size_t Extent, bool HasIdentity> struct reduction_variable {
  using part = reduction_part<T, Op, Extent, HasIdentity>;
  template <int D> using reducer_of = reducer<T, Op, D, Extent, HasIdentity>;
  T *goal;
  Op op;
  T identity;
  bool initialize;

  // On the host, around a launch of so many groups.
  part begin(std::size_t groups) const {
    return {static_cast<typename part::slot *>(::operator new(sizeof(typename part::slot) * part::count * groups)), op,
            identity};
  }
  void end(const part &with, std::size_t groups, bool kept) const {
    settled();
    if (!kept) {
      join(with, groups);
      ::operator delete(with.partial);
      return;
    }
    std::shared_ptr<void> memory(with.partial, [](void *gone) { ::operator delete(gone); }); // until the record goes
    record_call([own = *this, with, groups, memory] { own.join(with, groups); });
  }
  void join(const part &with, std::size_t groups) const {
    for (std::size_t i = 0; i < part::count; i++) {
      typename part::slot all;
      all.value = initialize && HasIdentity ? identity : goal[i];
      if constexpr (!HasIdentity)
        all.is = !initialize;
      for (std::size_t g = 0; g < groups; g++)
        all.add(with.partial[g * part::count + i], op);
      goal[i] = all.value;
    }
  }
};
template <class V> struct is_reduction : std::false_type {};
template <class T, class Op, std::size_t E, bool I>
struct is_reduction<reduction_variable<T, Op, E, I>> : std::true_type {};

template <class T, class Op> constexpr T identity_or_any() {
  if constexpr (has_known_identity_v<Op, T>)
    return known_identity_v<Op, T>;
  else
    return T();
}
inline bool initializes(const property_list &properties) {
  return properties.has_property<property::reduction::initialize_to_identity>();
}

// --- kernels
template <int D> __UW_INLINE id<D> index_at(std::size_t place, const range<D> &extent) {
  if constexpr (D == 1)
    return id<1>(place);
  else if constexpr (D == 2)
    return id<2>(place / extent.at[1], place % extent.at[1]);
  else
    return id<3>(place / extent.at[2] / extent.at[1], place / extent.at[2] % extent.at[1], place % extent.at[2]);
}
template <class F, class Place, class... R>
__UW_INLINE void call_reducing(const F &f, const Place &place, R &...reducers) {
  f(place, reducers...);
}

// Items step through the range; a group's items go through it side by side.
template <class F, int D, class... V> struct reduction_range_body {
  static constexpr bool refused = wants_other_sub_groups<F, item<D, true>, typename V::template reducer_of<D>...>();
  F f;
  range<D> extent;
  std::tuple<typename V::part...> parts;

  void operator()() const { run(std::index_sequence_for<V...>()); }
  template <std::size_t... I> void run(std::index_sequence<I...>) const {
    with(typename V::template reducer_of<D>(std::get<I>(parts))...);
  }
  template <class... R> void with(R &&...reducers) const {
    const std::size_t step = local_extent<0>() * group_extent<0>(), all = extent.size();
    for (std::size_t i = global_place<0>(); i < all; i += step) {
      const item<D, false> place(index_at(i, extent), extent);
      if constexpr (std::is_invocable_v<const F &, item<D, true>, std::decay_t<R> &...>)
        f(item<D, true>(place), reducers...);
      else if constexpr (std::is_invocable_v<const F &, item<D, false>, std::decay_t<R> &...>)
        f(place, reducers...);
      else
        f(place.get_id(), reducers...);
    }
    finish(std::index_sequence_for<V...>(), reducers...);
  }
  template <std::size_t... I, class... R> void finish(std::index_sequence<I...>, R &...reducers) const {
    (reducers.unwarp_finish(group<1>(), std::get<I>(parts), group_place<0>()), ...);
  }
};
template <class F, int D, class... V> struct reduction_nd_body {
  static constexpr bool refused = wants_other_sub_groups<F, nd_item<D>, typename V::template reducer_of<D>...>();
  F f;
  id<D> offset;
  std::tuple<typename V::part...> parts;

  void operator()() const { run(std::index_sequence_for<V...>()); }
  template <std::size_t... I> void run(std::index_sequence<I...>) const {
    with(typename V::template reducer_of<D>(std::get<I>(parts))...);
  }
  template <class... R> void with(R &&...reducers) const {
    f(nd_item<D>(offset), reducers...);
    __unwarp_barrier(0);
    finish(std::index_sequence_for<V...>(), reducers...);
  }
  template <std::size_t... I, class... R> void finish(std::index_sequence<I...>, R &...reducers) const {
    (reducers.unwarp_finish(group<D>(), std::get<I>(parts), group<D>().get_group_linear_id()), ...);
  }
};

// The last of the arguments is the kernel, those before it are variables.
template <class Name, int D, class F, class... V>
__UW_INLINE void launch_reduction(const range<D> &extent, const requirements &needs, const F &f,
                                  const V &...variables) {
  enum : std::size_t { most_groups = 64 }; // more than there are workers, and few to join
  const std::size_t needed = (extent.size() + range_group_items - 1) / range_group_items;
  const std::size_t groups = needed == 0 ? 1 : needed < most_groups ? needed : most_groups;
  const std::tuple<typename V::part...> parts{variables.begin(groups)...};
  launch<name_of<Name, F>>(std::uint32_t(groups), 1, 1, range_group_items, 1, 1, needs,
                           reduction_range_body<F, D, V...>{f, extent, parts});
  std::apply([&](const auto &...part) { (variables.end(part, groups, needs.kept), ...); }, parts);
}
template <class Name, int D, class F, class... V>
__UW_INLINE void launch_nd_reduction(const nd_range<D> &shape, const requirements &needs, const F &f,
                                     const V &...variables) {
  const range<D> global = shape.get_global_range(), local = shape.get_local_range();
  check_nd_range(global, local, written_types<name_of<Name, F>, F>(), needs.place);
  const std::size_t groups = global.size() / local.size();
  const std::tuple<typename V::part...> parts{variables.begin(groups)...};
  launch_nd_body<name_of<Name, F>>(shape, needs, reduction_nd_body<F, D, V...>{f, shape.get_offset(), parts});
  std::apply([&](const auto &...part) { (variables.end(part, groups, needs.kept), ...); }, parts);
}

// (variables…, f) in the other order.
template <class Shape, class Launch, class... All, std::size_t... I>
__UW_INLINE void launch_last_first(const Shape &shape, Launch run, std::index_sequence<I...>, const All &...all) {
  const std::tuple<const All &...> list(all...);
  run(shape, std::get<sizeof...(All) - 1>(list), std::get<I>(list)...);
}

} // namespace detail

// --- reduction()
template <class T, class Op> auto reduction(T *goal, Op op, const property_list &properties = {}) {
  return detail::reduction_variable<T, Op, 0, has_known_identity_v<Op, T>>{goal, op, detail::identity_or_any<T, Op>(),
                                                                           detail::initializes(properties)};
}
template <class T, class Op> auto reduction(T *goal, const T &identity, Op op, const property_list &properties = {}) {
  return detail::reduction_variable<T, Op, 0, true>{goal, op, identity, detail::initializes(properties)};
}
template <class T, int D, class A, class Op>
auto reduction(buffer<T, D, A> goal, handler &group, Op op, const property_list &properties = {}) {
  group.unwarp_result(goal.unwarp_data(), sizeof(T));
  return reduction(goal.unwarp_data(), op, properties);
}
template <class T, int D, class A, class Op>
auto reduction(buffer<T, D, A> goal, handler &group, const T &identity, Op op, const property_list &properties = {}) {
  group.unwarp_result(goal.unwarp_data(), sizeof(T));
  return reduction(goal.unwarp_data(), identity, op, properties);
}
template <class T, int D, access_mode M, target G, access::placeholder P, class Op>
auto reduction(accessor<T, D, M, G, P> goal, Op op, const property_list &properties = {}) {
  return reduction(goal.unwarp_origin(), op, properties);
}
template <class T, int D, access_mode M, target G, access::placeholder P, class Op>
auto reduction(accessor<T, D, M, G, P> goal, const T &identity, Op op, const property_list &properties = {}) {
  return reduction(goal.unwarp_origin(), identity, op, properties);
}
template <class T, std::size_t E, class Op>
auto reduction(span<T, E> goal, Op op, const property_list &properties = {}) {
  static_assert(E != dynamic_extent, "a reduction's span has a fixed extent");
  return detail::reduction_variable<T, Op, E, has_known_identity_v<Op, T>>{
      goal.data(), op, detail::identity_or_any<T, Op>(), detail::initializes(properties)};
}
template <class T, std::size_t E, class Op>
auto reduction(span<T, E> goal, const T &identity, Op op, const property_list &properties = {}) {
  static_assert(E != dynamic_extent, "a reduction's span has a fixed extent");
  return detail::reduction_variable<T, Op, E, true>{goal.data(), op, identity, detail::initializes(properties)};
}

template <class Name, int D, class... Rest>
__UW_LAUNCH void handler::reduce_range(const range<D> &extent, const Rest &...rest) {
  (own_properties(rest), ...);
  no_local_memory(std::tie(rest...)); // the variables are captured
  (check_captures<Name>(rest), ...);
  command();
  const detail::requirements own = needs;
  detail::launch_last_first(
      extent,
      [own](const auto &shape, const auto &f, const auto &...variables)
          __attribute__((always_inline)) { detail::launch_reduction<Name>(shape, own, f, variables...); },
      std::make_index_sequence<sizeof...(Rest) - 1>(), rest...);
  watch.stop();
}
template <class Name, int D, class... Rest>
__UW_LAUNCH void handler::reduce_nd(const nd_range<D> &extent, const Rest &...rest) {
  (own_properties(rest), ...);
  (check_captures<Name>(rest), ...);
  command();
  const detail::requirements own = needs;
  detail::launch_last_first(
      extent,
      [own](const auto &shape, const auto &f, const auto &...variables)
          __attribute__((always_inline)) { detail::launch_nd_reduction<Name>(shape, own, f, variables...); },
      std::make_index_sequence<sizeof...(Rest) - 1>(), rest...);
  watch.stop();
}

} // namespace _V1
} // namespace sycl
#endif
