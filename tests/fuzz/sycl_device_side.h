// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of sycl.py's kernels in a SYCL kernel: g is the item's group, sg its sub-group, lid its linear position in the group, part and counts
// are local memory. What the words mean without SYCL says sycl_host_side.h.
#define EACH(...) {__VA_ARGS__}
#define EXCHANGE(to, what, from)                                                                                       \
  {                                                                                                                    \
    part[lid] = (what);                                                                                                \
    group_barrier(g);                                                                                                  \
    const unsigned got = part[(from) % L];                                                                             \
    group_barrier(g);                                                                                                  \
    to = got;                                                                                                          \
  }
#define COUNT(to, place, what)                                                                                         \
  {                                                                                                                    \
    if (lid < 8u)                                                                                                      \
      counts[lid] = 0;                                                                                                 \
    group_barrier(g);                                                                                                  \
    sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(counts[(place) & 7u]) +=   \
        (what);                                                                                                        \
    group_barrier(g);                                                                                                  \
    const unsigned got = counts[lid & 7u];                                                                             \
    group_barrier(g);                                                                                                  \
    to = got;                                                                                                          \
  }
#define ATOMIC(op, place, what)                                                                                        \
  sycl::atomic_ref<unsigned, sycl::memory_order::relaxed, sycl::memory_scope::device>(bins[place]).fetch_##op(what);
#define REDUCE(to, op, what) to = sycl::reduce_over_group(g, unsigned(what), sycl::op<unsigned>());
#define SCAN_IN(to, op, what) to = sycl::inclusive_scan_over_group(g, unsigned(what), sycl::op<unsigned>());
#define SCAN_EX(to, what) to = sycl::exclusive_scan_over_group(g, unsigned(what), sycl::plus<unsigned>());
#define VOTE(to, kind, what) to = sycl::kind##_of_group(g, bool(what));
#define BROADCAST(to, what, from) to = sycl::group_broadcast(g, unsigned(what), index_in(g, (from) % L));
#define SUB_REDUCE(to, op, what) to = sycl::reduce_over_group(sg, unsigned(what), sycl::op<unsigned>());
#define SUB_SCAN(to, op, what) to = sycl::inclusive_scan_over_group(sg, unsigned(what), sycl::op<unsigned>());
#define SUB_VOTE(to, kind, what) to = sycl::kind##_of_group(sg, bool(what));
#define SUB_SELECT(to, what, from)                                                                                     \
  to = sycl::select_from_group(sg, unsigned(what), (from) % sg.get_local_linear_range());
#define SUB_LEFT(to, what, by)                                                                                         \
  {                                                                                                                    \
    const unsigned got = sycl::shift_group_left(sg, unsigned(what), by);                                               \
    to = lane + (by) < lanes ? got : 3u;                                                                               \
  }
#define SUB_RIGHT(to, what, by)                                                                                        \
  {                                                                                                                    \
    const unsigned got = sycl::shift_group_right(sg, unsigned(what), by);                                              \
    to = lane >= (by) ? got : 5u;                                                                                      \
  }
#define SUB_XOR(to, what, by)                                                                                          \
  {                                                                                                                    \
    const unsigned got = sycl::permute_group_by_xor(sg, unsigned(what), by);                                           \
    to = (lane ^ (by)) < lanes ? got : 7u;                                                                             \
  }

template <int D> sycl::id<D> index_in(const sycl::group<D> &g, unsigned at) {
  const sycl::range<D> shape = g.get_local_range();
  if constexpr (D == 1)
    return sycl::id<1>(at);
  else if constexpr (D == 2)
    return sycl::id<2>(at / shape[1], at % shape[1]);
  else
    return sycl::id<3>(at / shape[2] / shape[1], at / shape[2] % shape[1], at % shape[2]);
}
