// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words of sycl.py's kernels as loops over the items of one group, whose values are in items and U: each word is done by all items before the
// next begins.
#undef EACH
#undef EXCHANGE
#undef COUNT
#undef ATOMIC
#undef REDUCE
#undef SCAN_IN
#undef SCAN_EX
#undef VOTE
#undef BROADCAST
#undef SUB_REDUCE
#undef SUB_SCAN
#undef SUB_VOTE
#undef SUB_SELECT
#undef SUB_LEFT
#undef SUB_RIGHT
#undef SUB_XOR
#define EACH(...)                                                                                                      \
  for (unsigned lid = 0; lid < L; lid++) {                                                                             \
    Item &I = items[lid];                                                                                              \
    const unsigned gid = group * L + lid, first = lid / 32u * 32u, lane = lid % 32u,                                   \
                   lanes = L - first < 32u ? L - first : 32u;                                                          \
    (void)I, (void)gid, (void)lane, (void)lanes;                                                                       \
    __VA_ARGS__                                                                                                        \
  }
#define EXCHANGE(to, what, from) EACH(part[lid] = (what);) EACH(to = part[(from) % L];)
#define COUNT(to, place, what)                                                                                         \
  for (unsigned i = 0; i < 8; i++)                                                                                     \
    counts[i] = 0;                                                                                                     \
  EACH(counts[(place) & 7u] += (what);) EACH(to = counts[lid & 7u];)
#define ATOMIC(op, place, what) host_##op(bins[place], what);
#define FOLD(to, op, what, from, until)                                                                                \
  EACH(part[lid] = (what);)                                                                                            \
  EACH(unsigned all = part[from]; for (unsigned i = (from) + 1u; i < (until); i++) all = host_##op(all, part[i]);      \
       to = all;)
#define FOLD_GROUP(to, op, what, end)                                                                                  \
  {                                                                                                                    \
    EACH(part[lid] = (what);)                                                                                          \
    unsigned all = part[0];                                                                                            \
    for (unsigned i = 1; i < L; i++)                                                                                   \
      all = host_##op(all, part[i]);                                                                                   \
    EACH(to = end(all);)                                                                                               \
  }
#define REDUCE(to, op, what) FOLD_GROUP(to, op, what, unsigned)
#define SCAN_IN(to, op, what) FOLD(to, op, what, 0u, lid + 1u)
#define SCAN_EX(to, what)                                                                                              \
  EACH(part[lid] = (what);) EACH(unsigned all = 0; for (unsigned i = 0; i < lid; i++) all += part[i]; to = all;)
#define VOTE(to, kind, what) FOLD_GROUP(to, kind, bool(what), host_##kind##_end)
#define BROADCAST(to, what, from)                                                                                      \
  {                                                                                                                    \
    EACH(part[lid] = (what);) const unsigned all = part[(from) % L];                                                   \
    EACH(to = all;)                                                                                                    \
  }
#define SUB_REDUCE(to, op, what) FOLD(to, op, what, first, first + lanes)
#define SUB_SCAN(to, op, what) FOLD(to, op, what, first, lid + 1u)
#define SUB_VOTE(to, kind, what) FOLD(to, kind, bool(what), first, first + lanes) EACH(to = host_##kind##_end(to);)
#define SUB_SELECT(to, what, from) EACH(part[lid] = (what);) EACH(to = part[first + (from) % lanes];)
#define SUB_LEFT(to, what, by) EACH(part[lid] = (what);) EACH(to = lane + (by) < lanes ? part[lid + (by)] : 3u;)
#define SUB_RIGHT(to, what, by) EACH(part[lid] = (what);) EACH(to = lane >= (by) ? part[lid - (by)] : 5u;)
#define SUB_XOR(to, what, by)                                                                                          \
  EACH(part[lid] = (what);) EACH(to = (lane ^ (by)) < lanes ? part[first + (lane ^ (by))] : 7u;)

#define HOST_OPERATION(name, ...)                                                                                      \
  static inline unsigned host_##name(unsigned a, unsigned b) { return __VA_ARGS__; }
HOST_OPERATION(plus, a + b)
HOST_OPERATION(bit_xor, a ^ b)
HOST_OPERATION(bit_or, a | b)
HOST_OPERATION(minimum, a < b ? a : b)
HOST_OPERATION(maximum, a > b ? a : b)
HOST_OPERATION(any, a | b)
HOST_OPERATION(all, a &b)
HOST_OPERATION(none, a | b)
static inline unsigned host_any_end(unsigned a) { return a; }
static inline unsigned host_all_end(unsigned a) { return a; }
static inline unsigned host_none_end(unsigned a) { return !a; }
#define HOST_ATOMIC(name, ...)                                                                                         \
  static inline void host_##name(unsigned &at, unsigned v) { at = __VA_ARGS__; }
HOST_ATOMIC(add, at + v)
HOST_ATOMIC(max, at > v ? at : v)
HOST_ATOMIC(min, at < v ? at : v)
HOST_ATOMIC(or, at | v)
HOST_ATOMIC(and, at &v)
HOST_ATOMIC(xor, at ^ v)
