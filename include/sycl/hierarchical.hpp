// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hierarchical kernels (SYCL 2020, section 4.9.4.2.3): one item runs a work-group, and in parallel_for_work_item loops
// over what are the work-items to the program. What the kernel declares outside of those loops is so the group's by
// itself.
#ifndef UNWARP_SYCL_HIERARCHICAL_HPP
#define UNWARP_SYCL_HIERARCHICAL_HPP

#include "queue.hpp"

namespace sycl {
inline namespace _V1 {

template <int Dimensions = 1> class h_item {
public:
  static constexpr int dimensions = Dimensions;

  h_item() = delete;
  // place: of the work-item of the group that this one of the loop is run by, which local is where the loop is over
  // those.
  h_item(const id<Dimensions> &group, const id<Dimensions> &local, const id<Dimensions> &place,
         const range<Dimensions> &extent, const range<Dimensions> &groups, const range<Dimensions> &physical)
      : group(group), local(local), place(place), extent(extent), groups(groups), physical(physical) {}

  item<Dimensions, false> get_global() const { return {group * id<Dimensions>(physical) + place, groups * physical}; }
  item<Dimensions, false> get_local() const { return get_logical_local(); }
  item<Dimensions, false> get_logical_local() const { return {local, extent}; }
  item<Dimensions, false> get_physical_local() const { return {place, physical}; }
  range<Dimensions> get_global_range() const { return groups * physical; }
  std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  id<Dimensions> get_global_id() const { return get_global().get_id(); }
  std::size_t get_global_id(int dimension) const { return get_global_id()[dimension]; }
  range<Dimensions> get_local_range() const { return extent; }
  std::size_t get_local_range(int dimension) const { return extent[dimension]; }
  id<Dimensions> get_local_id() const { return local; }
  std::size_t get_local_id(int dimension) const { return local[dimension]; }
  range<Dimensions> get_logical_local_range() const { return extent; }
  std::size_t get_logical_local_range(int dimension) const { return extent[dimension]; }
  id<Dimensions> get_logical_local_id() const { return local; }
  std::size_t get_logical_local_id(int dimension) const { return local[dimension]; }
  range<Dimensions> get_physical_local_range() const { return physical; }
  std::size_t get_physical_local_range(int dimension) const { return physical[dimension]; }
  id<Dimensions> get_physical_local_id() const { return get_physical_local().get_id(); }
  std::size_t get_physical_local_id(int dimension) const { return get_physical_local_id()[dimension]; }

  friend bool operator==(const h_item &a, const h_item &b) { return a.group == b.group && a.local == b.local; }
  friend bool operator!=(const h_item &a, const h_item &b) { return !(a == b); }

private:
  id<Dimensions> group, local, place;
  range<Dimensions> extent, groups, physical;
};

namespace detail {
template <int D, class F> void for_each_id(const range<D> &extent, const F &f) {
  if constexpr (D == 1) {
    for (std::size_t i = 0; i < extent.at[0]; i++)
      f(id<1>(i));
  } else if constexpr (D == 2) {
    for (std::size_t i = 0; i < extent.at[0]; i++)
      for (std::size_t j = 0; j < extent.at[1]; j++)
        f(id<2>(i, j));
  } else {
    for (std::size_t i = 0; i < extent.at[0]; i++)
      for (std::size_t j = 0; j < extent.at[1]; j++)
        for (std::size_t k = 0; k < extent.at[2]; k++)
          f(id<3>(i, j, k));
  }
}
} // namespace detail

template <int Dimensions>
template <class F>
void group<Dimensions>::parallel_for_work_item(const range<Dimensions> &extent, const F &f) const {
  const id<Dimensions> own = get_group_id();
  // A group of a size that nobody gave is as large as the loop.
  const range<Dimensions> groups = get_group_range(), physical = logical.size() == 1 ? extent : logical;
  detail::for_each_id(extent, [&](const id<Dimensions> &local) {
    f(h_item<Dimensions>(own, local, local % id<Dimensions>(physical), extent, groups, physical));
  });
}
template <int Dimensions> template <class F> void group<Dimensions>::parallel_for_work_item(const F &f) const {
  const id<Dimensions> own = get_group_id();
  const range<Dimensions> groups = get_group_range(), physical = logical;
  detail::for_each_id(physical, [&](const id<Dimensions> &local) {
    f(h_item<Dimensions>(own, local, local, physical, groups, physical));
  });
}

// A variable of each work-item, which lives from one of those loops to the next.
template <class T, int Dimensions = 1> class private_memory {
public:
  explicit private_memory(const group<Dimensions> &) {}
  T &operator()(const h_item<Dimensions> &place) {
    return values[detail::linear(place.get_local_id(), id<Dimensions>(place.get_local_range()))];
  }

private:
  T values[detail::max_items_of_group];
};

namespace detail {
template <class F, int D> struct hierarchical_body {
  static constexpr bool refused = wants_other_sub_groups<F, group<D>>();
  F f;
  range<D> logical;
  __UW_INLINE void operator()() const {
    if constexpr (std::is_invocable_v<const F &, group<D>>)
      f(group<D>(logical));
    else
      f(group<D>(logical), kernel_handler());
  }
};
} // namespace detail

template <class Name, int D, class F>
void handler::parallel_for_work_group(range<D> groups, range<D> local, const F &f) {
  check_captures<Name>(f);
  command();
  if (local.size() > detail::max_group_items)
    unwarp_fail(errc::nd_range, "the work-group is larger than info::device::max_work_group_size");
  const range<D> one = range<D>::filled(1);
  detail::launch_nd_body<detail::name_of<Name, F>>(nd_range<D>(groups, one), needs,
                                                   detail::hierarchical_body<F, D>{f, local});
  watch.stop();
}
template <class Name, int D, class F> void handler::parallel_for_work_group(range<D> groups, const F &f) {
  parallel_for_work_group<Name>(groups, range<D>::filled(1), f);
}

} // namespace _V1
} // namespace sycl
#endif
