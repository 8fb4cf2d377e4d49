// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launch of a kernel. Device side: clang makes a kernel of each `entry` that is used. Host side: one call, in which
// the compiler finds the kernel by its type, its shape and its object (compiler/frontend/sycl/kernels.c); no pattern to
// match, nothing in memory that the optimiser does not see through.
#ifndef UNWARP_SYCL_DETAIL_LAUNCH_HPP
#define UNWARP_SYCL_DETAIL_LAUNCH_HPP

#include <typeinfo>

#include "../attributes.hpp"
#include "../exception.hpp"
#include "../kernel_handler.hpp"
#include "../nd_item.hpp"

namespace sycl {
inline namespace _V1 {
namespace detail {

template <class Name, class Body> struct kernel;

#ifdef __SYCL_DEVICE_ONLY__
template <class Kernel, class Body> [[clang::sycl_kernel_entry_point(Kernel)]] void entry(Body body) { body(); }
#else
extern "C" void __unwarp_sycl_launch(const std::type_info &kernel, std::uint64_t groups_10, std::uint32_t groups_2,
                                     std::uint64_t items_10, std::uint32_t items_2, std::uint64_t local_bytes,
                                     const void *object, std::uint64_t object_bytes, bool distinct,
                                     const given_constants *constants) noexcept;
#endif

// The kernels that a program launches, by their names, for kernel bundles: each is in the list before main. One that is
// refused (attributes.hpp) fits no device.
struct known_kernel {
  const char *name;
  bool refused;
  const known_kernel *next;
  known_kernel(const char *name, bool refused) : name(name), refused(refused), next(first()) { first() = this; }
  static const known_kernel *&first() {
    static const known_kernel *list = nullptr;
    return list;
  }
};
template <class Name, bool Refused> struct known_kernel_of {
  static inline const known_kernel entry{typeid(Name *).name() + 1, Refused};
};

// What a command group asks for beside a shape: bytes of local memory, whether what its accessors write is no other
// accessor's memory, whether the command is kept for later (tasks.hpp), and its specialization constants.
struct requirements {
  std::size_t local_bytes = 0;
  bool distinct = true, kept = false;
  given_constants constants;
  submit_place place; // for errors
};

// Extents of axes 0, 1, 2. Kernels without groups have no local memory.
template <class Name, bool HasGroups = true, class Body>
__UW_INLINE void launch(std::uint32_t groups_0, std::uint32_t groups_1, std::uint32_t groups_2, std::uint32_t items_0,
                        std::uint32_t items_1, std::uint32_t items_2, const requirements &needs, const Body &body) {
  static_assert(std::is_trivially_destructible_v<Body>,
                "what a kernel captures is copied as bytes (is_device_copyable): no std::string, std::vector, "
                "std::shared_ptr and their like");
#ifdef __SYCL_DEVICE_ONLY__
  if constexpr (!Body::refused)
    entry<kernel<Name, Body>, Body>(body);
#else
  (void)&known_kernel_of<Name, Body::refused>::entry;
  if constexpr (Body::refused)
    fail(errc::kernel_not_supported,
         "the kernel asks by reqd_sub_group_size for sub-groups that this device does not have: they have 32 items",
         needs.place);
  else
    __unwarp_sycl_launch(typeid(kernel<Name, Body> *), std::uint64_t(groups_1) << 32 | groups_0, groups_2,
                         std::uint64_t(items_1) << 32 | items_0, items_2, HasGroups ? needs.local_bytes : 0, &body,
                         sizeof body, needs.distinct, &needs.constants);
#endif
}

// The kernel that an error is about, as clang writes types: a lambda's with its line.
template <class Name, class Body> constexpr const char *written_types() { return __PRETTY_FUNCTION__; }
inline std::string kernel_in(const std::string &types) {
  const std::size_t from = types.find("Name = ") + 7, to = types.find(", Body = "),
                    lambda = types.find("(lambda at ", to);
  std::string name = types.substr(from, to - from);
  if (name.rfind("(lambda at ", 0) != 0 && lambda != std::string::npos)
    name += " " + types.substr(lambda, types.find(')', lambda) + 1 - lambda);
  return name;
}
inline std::string text_of(const std::size_t (&extent)[3], int dimensions) {
  std::string text = dimensions > 1 ? "(" : "";
  for (int d = 0; d < dimensions; d++)
    text += (d ? "," : "") + std::to_string(extent[d]);
  return dimensions > 1 ? text + ")" : text;
}
[[noreturn]] __attribute__((noinline, cold)) inline void
fail_nd_range(int dimensions, std::size_t global_0, std::size_t global_1, std::size_t global_2, std::size_t local_0,
              std::size_t local_1, std::size_t local_2, const char *types, submit_place place) {
  const std::size_t global[] = {global_0, global_1, global_2}, local[] = {local_0, local_1, local_2};
  const std::string sizes = "the work-group's size " + text_of(local, dimensions),
                    kernel = ", in the kernel " + kernel_in(types);
  for (int d = 0; d < dimensions; d++)
    if (local[d] == 0 || global[d] % local[d] != 0)
      fail(errc::nd_range,
           sizes + " does not divide the global size " + text_of(global, dimensions) + " in each dimension" + kernel,
           place);
  if (local_0 * local_1 * local_2 > max_items_of_group)
    fail(errc::nd_range,
         sizes + " is " + std::to_string(local_0 * local_1 * local_2) + " work-items, more than the " +
             std::to_string(max_items_of_group) + " of info::device::max_work_group_size" + kernel,
         place);
  fail(errc::nd_range,
       "the global size " + text_of(global, dimensions) +
           " has more than 2147483647 work-groups in a "
           "dimension" +
           kernel,
       place);
}
[[noreturn]] __attribute__((noinline, cold)) inline void fail_range(int dimensions, std::size_t extent_0,
                                                                    std::size_t extent_1, std::size_t extent_2,
                                                                    const char *types, submit_place place) {
  const std::size_t extent[] = {extent_0, extent_1, extent_2};
  fail(errc::runtime,
       "the range " + text_of(extent, dimensions) +
           " has more items in a dimension than a launch can, "
           "in the kernel " +
           kernel_in(types),
       place);
}

// What a kernel without a name is called by.
template <class Name, class F> using name_of = std::conditional_t<std::is_void_v<Name>, F, Name>;

// --- the three kinds of kernels --------------------------------------------------------------------------------------

template <class F> struct single_task_body {
  static constexpr bool refused = wants_other_sub_groups<F>();
  F f;
  __UW_INLINE void operator()() const {
    if constexpr (std::is_invocable_v<const F &, kernel_handler>)
      f(kernel_handler());
    else
      f();
  }
};

// A kernel takes an item, or what an item converts to, and maybe a kernel_handler.
template <class F, int D> __UW_INLINE void call_with_item(const F &f, const id<D> &index, const range<D> &extent) {
  const item<D, false> place(index, extent);
  constexpr bool takes_handler = std::is_invocable_v<const F &, item<D, true>, kernel_handler> ||
                                 std::is_invocable_v<const F &, item<D, false>, kernel_handler> ||
                                 std::is_invocable_v<const F &, id<D>, kernel_handler>;
  static_assert(std::is_invocable_v<const F &, item<D, true>> || std::is_invocable_v<const F &, item<D, false>> ||
                    std::is_invocable_v<const F &, id<D>> || takes_handler,
                "the kernel has to take an item or an id of as many dimensions as the range has");
  if constexpr (std::is_invocable_v<const F &, item<D, true>>)
    f(item<D, true>(place));
  else if constexpr (std::is_invocable_v<const F &, item<D, false>>)
    f(place);
  else if constexpr (std::is_invocable_v<const F &, id<D>>)
    f(index);
  else if constexpr (std::is_invocable_v<const F &, item<D, true>, kernel_handler>)
    f(item<D, true>(place), kernel_handler());
  else if constexpr (std::is_invocable_v<const F &, item<D, false>, kernel_handler>)
    f(place, kernel_handler());
  else if constexpr (takes_handler)
    f(index, kernel_handler());
}

template <class F, int D> struct range_body {
  static constexpr bool refused = wants_other_sub_groups<F, item<D, true>>();
  F f;
  range<D> extent;
  __UW_INLINE void operator()() const {
    const id<D> index = global_index<D>();
    bool inside = index.at[D - 1] < extent.at[D - 1];
    if constexpr (D > 1)
      inside &= index.at[D - 2] < extent.at[D - 2];
    if constexpr (D > 2)
      inside &= index.at[0] < extent.at[0];
    if (inside)
      call_with_item(f, index, extent);
  }
};

template <class F, int D> struct offset_range_body {
  static constexpr bool refused = wants_other_sub_groups<F, item<D, true>>();
  F f;
  range<D> extent;
  id<D> offset;
  __UW_INLINE void operator()() const {
    const id<D> index = global_index<D>();
    bool inside = index.at[D - 1] < extent.at[D - 1];
    if constexpr (D > 1)
      inside &= index.at[D - 2] < extent.at[D - 2];
    if constexpr (D > 2)
      inside &= index.at[0] < extent.at[0];
    if (!inside)
      return;
    const item<D, true> place(index + offset, extent, offset);
    if constexpr (std::is_invocable_v<const F &, item<D, true>>)
      f(place);
    else if constexpr (std::is_invocable_v<const F &, id<D>>)
      f(place.get_id());
    else if constexpr (std::is_invocable_v<const F &, item<D, true>, kernel_handler>)
      f(place, kernel_handler());
    else
      f(place.get_id(), kernel_handler());
  }
};

template <class F, int D> struct nd_range_body {
  static constexpr bool refused = wants_other_sub_groups<F, nd_item<D>>();
  F f;
  id<D> offset;
  __UW_INLINE void operator()() const {
    constexpr bool takes_handler = std::is_invocable_v<const F &, nd_item<D>, kernel_handler>;
    static_assert(std::is_invocable_v<const F &, nd_item<D>> || takes_handler,
                  "the kernel has to take an nd_item of as many dimensions as the nd_range has");
    if constexpr (std::is_invocable_v<const F &, nd_item<D>>)
      f(nd_item<D>(offset));
    else if constexpr (takes_handler)
      f(nd_item<D>(offset), kernel_handler());
  }
};

// --- their shapes ----------------------------------------------------------------------------------------------------

inline constexpr std::size_t max_group_items = max_items_of_group, range_group_items = 256, max_groups = 0x7fffffff;
inline constexpr std::uint64_t max_local_bytes = 256 << 10;

// The groups of a launch over a range: rows of the dimension that runs fastest.
template <int D> struct range_shape {
  std::uint32_t groups[3] = {1, 1, 1};
  __UW_INLINE range_shape(const range<D> &extent, const char *types, submit_place place) {
    const std::size_t along = (extent.at[D - 1] + range_group_items - 1) / range_group_items;
    bool fits = along <= max_groups;
    groups[0] = std::uint32_t(along);
    if constexpr (D > 1) {
      fits &= extent.at[D - 2] <= max_groups;
      groups[1] = std::uint32_t(extent.at[D - 2]);
    }
    if constexpr (D > 2) {
      fits &= extent.at[0] <= max_groups;
      groups[2] = std::uint32_t(extent.at[0]);
    }
    if (__builtin_expect(!fits, 0))
      fail_range(D, extent.at[0], D > 1 ? extent.at[D > 1] : 1, D > 2 ? extent.at[D - 1] : 1, types, place);
  }
};

template <class Name, class F, int D>
__UW_INLINE void launch_range(const range<D> &extent, const requirements &needs, const F &f) {
  if (__builtin_expect(extent.size() == 0, 0))
    return;
  const range_shape<D> shape(extent, written_types<name_of<Name, F>, F>(), needs.place);
  launch<name_of<Name, F>, false>(shape.groups[0], shape.groups[1], shape.groups[2], range_group_items, 1, 1, needs,
                                  range_body<F, D>{f, extent});
}

template <class Name, class F, int D>
__UW_INLINE void launch_offset_range(const range<D> &extent, const id<D> &offset, const requirements &needs,
                                     const F &f) {
  if (__builtin_expect(extent.size() == 0, 0))
    return;
  const range_shape<D> shape(extent, written_types<name_of<Name, F>, F>(), needs.place);
  launch<name_of<Name, F>, false>(shape.groups[0], shape.groups[1], shape.groups[2], range_group_items, 1, 1, needs,
                                  offset_range_body<F, D>{f, extent, offset});
}

__UW_INLINE bool divides(std::size_t local, std::size_t global) { return local != 0 && global % local == 0; }
template <int D>
__UW_INLINE void check_nd_range(const range<D> &global, const range<D> &local, const char *types, submit_place place) {
  bool whole = divides(local.at[0], global.at[0]);
  if constexpr (D > 1)
    whole = whole && divides(local.at[1], global.at[1]);
  if constexpr (D > 2)
    whole = whole && divides(local.at[2], global.at[2]);
  bool fits = whole && local.size() <= max_group_items && global.at[0] / local.at[0] <= max_groups;
  if constexpr (D > 1)
    fits = fits && global.at[1] / local.at[1] <= max_groups;
  if constexpr (D > 2)
    fits = fits && global.at[2] / local.at[2] <= max_groups;
  if (__builtin_expect(!fits, 0))
    fail_nd_range(D, global.at[0], D > 1 ? global.at[D > 1] : 1, D > 2 ? global.at[D - 1] : 1, local.at[0],
                  D > 1 ? local.at[D > 1] : 1, D > 2 ? local.at[D - 1] : 1, types, place);
}

// Name: what the kernel is called by.
template <class Name, class Body, int D>
__UW_INLINE void launch_nd_body(const nd_range<D> &shape, const requirements &needs, const Body &body) {
  const range<D> global = shape.get_global_range(), local = shape.get_local_range();
  check_nd_range(global, local, written_types<Name, Body>(), needs.place);
  if (__builtin_expect(global.size() == 0, 0))
    return;
  std::uint32_t groups[3] = {1, 1, 1}, items[3] = {1, 1, 1};
  groups[0] = std::uint32_t(global.at[D - 1] / local.at[D - 1]);
  items[0] = std::uint32_t(local.at[D - 1]);
  if constexpr (D > 1) {
    groups[1] = std::uint32_t(global.at[D - 2] / local.at[D - 2]);
    items[1] = std::uint32_t(local.at[D - 2]);
  }
  if constexpr (D > 2) {
    groups[2] = std::uint32_t(global.at[0] / local.at[0]);
    items[2] = std::uint32_t(local.at[0]);
  }
  launch<Name>(groups[0], groups[1], groups[2], items[0], items[1], items[2], needs, body);
}
template <class Name, class F, int D>
__UW_INLINE void launch_nd_range(const nd_range<D> &shape, const requirements &needs, const F &f) {
  launch_nd_body<name_of<Name, F>>(shape, needs, nd_range_body<F, D>{f, shape.get_offset()});
}

template <class Name, class F> __UW_INLINE void launch_single_task(const requirements &needs, const F &f) {
  launch<name_of<Name, F>, false>(1, 1, 1, 1, 1, 1, needs, single_task_body<F>{f});
}

} // namespace detail
} // namespace _V1
} // namespace sycl
#endif
