// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// reduce and scan of groups: every operator, scalars and a structure, tiles of one warp and of several, coalesced groups; the
// forms that go through an object in memory.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#ifndef __UNWARP__
#include <cuda/atomic>
#endif

#include <type_traits>

#include "check.h"

namespace cg = cooperative_groups;

// What CUDA's atomics have, as far as the groups ask for it. Under nvcc they are its own.
#ifdef __UNWARP__
template <typename T> struct cell {
  T value;
  __host__ __device__ T load() const { return *(volatile const T *)&value; }
  __host__ __device__ void store(T fresh) { *(volatile T *)&value = fresh; }
  __device__ bool compare_exchange_weak(T &expected, T desired) {
    T before = (T)atomicCAS((unsigned long long *)&value, (unsigned long long)expected, (unsigned long long)desired);
    bool done = before == expected;
    expected = before;
    return done;
  }
};
#else
template <typename T> using cell = cuda::atomic<T, cuda::thread_scope_device>;
#endif

template <typename Real> struct range {
  short low, high;
  Real sum;
};
struct join_ranges {
  template <typename Range> __host__ __device__ Range operator()(const Range &a, const Range &b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, a.sum + b.sum};
  }
};
// Not commutative: a scan must keep the order. x -> factor * x + offset, one after the other.
struct step {
  unsigned factor, offset;
};
struct in_order {
  __host__ __device__ step operator()(step a, step b) const {
    return {a.factor * b.factor, a.offset * b.factor + b.offset};
  }
};

enum { SUM, LEAST, MOST, AND, OR, XOR, WIDE, REAL, RANGE, UP_TO, BEFORE, MOST_UP_TO, MOST_BEFORE, ORDER, ROWS };

template <typename Real, typename Group> static __device__ void combine(const Group &group, long long *out, int value) {
  out[SUM] = cg::reduce(group, value, cg::plus<int>());
  out[LEAST] = cg::reduce(group, value, cg::less<int>());
  out[MOST] = cg::reduce(group, value, cg::greater<int>());
  out[AND] = cg::reduce(group, (unsigned)value | 5u, cg::bit_and<unsigned>());
  out[OR] = cg::reduce(group, (unsigned)value, cg::bit_or<unsigned>());
  out[XOR] = cg::reduce(group, (unsigned long long)value << 20, cg::bit_xor<unsigned long long>());
  out[WIDE] = cg::reduce(group, (long long)value << 30, [](long long a, long long b) { return a > b ? a : b; });
  out[REAL] = (long long)cg::reduce(group, value * 0.5, cg::plus<double>()) * 1000 +
              (long long)cg::reduce(group, (float)value, cg::greater<float>());
  range<Real> all = cg::reduce(group, range<Real>{(short)value, (short)value, (Real)value}, join_ranges());
  out[RANGE] = all.low * 1000000ll + all.high * 1000ll + (long long)all.sum;
  out[UP_TO] = cg::inclusive_scan(group, value);
  out[BEFORE] = cg::exclusive_scan(group, (long long)value << 33);
  out[MOST_UP_TO] = cg::inclusive_scan(group, value, cg::greater<int>());
  out[MOST_BEFORE] = cg::exclusive_scan(group, (unsigned)value, cg::bit_or<unsigned>());
  step up_to = cg::inclusive_scan(group, step{(unsigned)value | 1u, (unsigned)value}, in_order());
  out[ORDER] = (long long)up_to.factor << 32 | up_to.offset;
}

template <unsigned size> __global__ void of_tiles(long long *out, const int *in) {
  __shared__ cg::block_tile_memory<1024> room;
  typedef typename std::conditional<(size > 32), float, double>::type
      real; // warps exchange 8 bytes with each other at most
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  combine<real>(cg::tiled_partition<size>(cg::this_thread_block(room)), out + (long long)i * ROWS, in[i]);
}
__global__ void of_coalesced(long long *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 3)
    combine<double>(cg::coalesced_threads(), out + (long long)i * ROWS, in[i]);
  else
    combine<double>(cg::binary_partition(cg::coalesced_threads(), in[i] > 300), out + (long long)i * ROWS, in[i]);
}

// Each group takes its share of one range of integers: the shares tile it, whatever the order.
__global__ void shares(cell<long long> *next, long long *first, long long *after, const int *in, cell<long long> *sum,
                       long long *sums, cell<long long> *stored) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::thread_block block = cg::this_thread_block();
  if (in[i] % 4 != 0) {
    cg::coalesced_group group = cg::coalesced_threads();
    first[i] = cg::exclusive_scan_update(group, next[0], (long long)in[i]);
    after[i] = cg::inclusive_scan_update(group, next[1], (long long)in[i], cg::plus<long long>());
  }
  auto tile = cg::tiled_partition<8>(block);
  cg::reduce_update_async(tile, *sum, (long long)in[i], cg::plus<long long>());
  cg::reduce_store_async(tile, sums + i / 8, (long long)in[i], cg::plus<long long>());
  cg::reduce_store_async(tile, stored[i / 8], (long long)in[i], cg::greater<long long>());
}

static void check_group(const long long *got, const buffer<int> &in, const int *members, int size, int rank) {
  long long wanted[ROWS] = {};
  int least = 1 << 30, most = -(1 << 30), most_up_to = most;
  unsigned all_and = ~0u, all_or = 0, or_before = 0;
  unsigned long long all_xor = 0;
  step up_to = {1, 0};
  for (int r = 0; r < size; r++) {
    int value = in.host[members[r]];
    wanted[SUM] += value;
    least = value < least ? value : least;
    most = value > most ? value : most;
    all_and &= (unsigned)value | 5u;
    all_or |= (unsigned)value;
    all_xor ^= (unsigned long long)value << 20;
    if (r <= rank) {
      wanted[UP_TO] += value;
      most_up_to = value > most_up_to ? value : most_up_to;
      up_to = in_order()({(unsigned)value | 1u, (unsigned)value}, up_to); // the later one first, as nvcc's does
    }
    if (r < rank) {
      wanted[BEFORE] += (long long)value << 33;
      or_before |= (unsigned)value;
    }
  }
  wanted[LEAST] = least;
  wanted[MOST] = most;
  wanted[AND] = all_and;
  wanted[OR] = all_or;
  wanted[XOR] = (long long)all_xor;
  wanted[WIDE] = (long long)most << 30;
  wanted[REAL] = (long long)(wanted[SUM] * 0.5) * 1000 + most;
  wanted[RANGE] = least * 1000000ll + most * 1000ll + wanted[SUM];
  wanted[MOST_UP_TO] = most_up_to;
  wanted[MOST_BEFORE] = or_before;
  wanted[ORDER] = (long long)up_to.factor << 32 | up_to.offset;
  for (int k = 0; k < ROWS; k++)
    expect(members[rank] * 100 + k, got[k], wanted[k]);
}

template <unsigned size> static void check_tiles(int wished, const buffer<int> &in) {
  int block = (wished + (int)size - 1) / (int)size * (int)size, n = 2048 / block * block;
  buffer<long long> out((size_t)n * ROWS);
  of_tiles<size><<<n / block, block>>>(out.device, in.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int members[size], first = i - i % (int)size;
    for (int r = 0; r < (int)size; r++)
      members[r] = first + r;
    check_group(&out[(size_t)i * ROWS], in, members, size, i - first);
  }
}

int main(int argc, char **argv) {
  const int raw = block_size(argc, argv), most = 2048;
  buffer<int> in(most);
  unsigned state = 11;
  for (int i = 0; i < most; i++)
    in[i] = next_random(state) % 900;
  in.upload();
  check_tiles<1>(raw, in);
  check_tiles<4>(raw, in);
  check_tiles<8>(raw, in);
  check_tiles<32>(raw, in);
  check_tiles<64>(raw, in);
  check_tiles<1024>(raw, in);
  int n = 3 * raw;
  buffer<long long> out((size_t)n * ROWS);
  of_coalesced<<<3, raw>>>(out.device, in.device);
  out.download();
  for (int i = 0; i < n; i++) {
    int members[32], size = 0, rank = 0, t = i % raw;
    for (int k = i - t % 32; k < i - t % 32 + 32 && k < i - t + raw; k++) {
      bool together = (in[k] % 3 != 0) == (in[i] % 3 != 0) && (in[i] % 3 != 0 || (in[k] > 300) == (in[i] > 300));
      if (!together)
        continue;
      if (k == i)
        rank = size;
      members[size++] = k;
    }
    check_group(&out[(size_t)i * ROWS], in, members, size, rank);
  }

  const int block = (raw + 31) / 32 * 32;
  n = 2 * block;
  buffer<cell<long long>> next(2), sum(1), stored(n / 8);
  buffer<long long> first(n), after(n), sums(n / 8);
  next[0].store(5), next[1].store(5);
  sum[0].store(1000);
  next.upload();
  sum.upload();
  shares<<<2, block>>>(next.device, first.device, after.device, in.device, sum.device, sums.device, stored.device);
  next.download();
  first.download();
  after.download();
  sum.download();
  sums.download();
  stored.download();
  long long total = 0, taken = 0, firsts = 0, ends = 0;
  for (int i = 0; i < n; i++) {
    total += in[i];
    if (in[i] % 4 == 0)
      continue;
    taken += in[i];
    // Within a group the shares follow each other.
    for (int k = i - 1; k >= i - i % 32; k--)
      if (in[k] % 4 != 0) {
        expect(i, first[i], first[k] + in[k]);
        expect(i, after[i], after[k] + in[i]);
        break;
      }
    for (int k = 0; k < n; k++)
      if (k != i && in[k] % 4 != 0) {
        firsts += first[k] < first[i] + in[i] && first[i] < first[k] + in[k] && in[i] > 0 && in[k] > 0;
        ends += after[k] > after[i] - in[i] && after[i] > after[k] - in[k] && in[i] > 0 && in[k] > 0;
      }
  }
  expect(0, firsts, 0); // no two shares overlap
  expect(0, ends, 0);
  expect(0, next[0].load(), taken + 5);
  expect(0, next[1].load(), taken + 5);
  expect(0, sum[0].load(), total + 1000);
  for (int i = 0; i < n / 8; i++) {
    long long eight = 0, largest = 0;
    for (int k = 8 * i; k < 8 * i + 8; k++) {
      eight += in[k];
      largest = in[k] > largest ? in[k] : largest;
    }
    expect(i, sums[i], eight);
    expect(i, stored[i].load(), largest);
  }
  return passed();
}
