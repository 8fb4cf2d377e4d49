// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members of a group exchange values: shuffles of scalars and of structures, votes, matches, a call in one member for all.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

struct record {
  char letter;
  double value;
  short pair[3];
};

static __host__ __device__ record record_of(int i) {
  return {(char)(i % 100), i * 0.5, {(short)i, (short)(i * 3), (short)(i - 7)}};
}
static __host__ __device__ long long key(const record &r) {
  return r.letter + 1000ll * (long long)(r.value * 2) + 100000000ll * (r.pair[0] + r.pair[1] * 2 + r.pair[2] * 3);
}

enum { ROWS = 14 };

// The same for tiles and coalesced groups; up and down past the end give the own value.
template <typename Group> static __device__ void exchange(const Group &group, long long *out, const int *in, int i) {
  int rank = (int)group.thread_rank(), size = (int)group.num_threads(), predicate;
  out[0] = group.shfl(in[i], (rank * 5 + 2) % size);
  out[1] = (long long)group.shfl_up(in[i] * 0.25f, 3u);
  out[2] = group.shfl_down((long long)in[i] << 34, 2u);
  out[3] = key(group.shfl(record_of(i), size - 1 - rank));
  out[4] = key(group.shfl_up(record_of(i), 1));
  out[5] = key(group.shfl_down(record_of(i), 1));
  out[6] = group.any(in[i] % 11 == 3) + 2 * group.all(in[i] % 11 != 4);
  out[7] = group.ballot(in[i] % 3 == 0);
  out[8] = group.match_any(in[i] % 4);
  out[9] = group.match_any((long long)(in[i] % 4) << 40);
  out[10] = group.match_all(in[i] / 1000, predicate) * 2ll + (predicate != 0);
  out[11] = group.match_all(in[i], predicate) * 2ll + (predicate != 0);
  int calls = 0;
  cg::invoke_one(group, [&](int by) { calls += by; }, 7);
  out[12] = calls;
  out[13] = cg::invoke_one_broadcast(group, [&](int more) { return in[i] + more; }, 1000);
}

template <unsigned size> __global__ void in_tiles(long long *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  exchange(tile, out + (ROWS + 1) * i, in, i);
  out[(ROWS + 1) * i + ROWS] = key(tile.shfl_xor(record_of(i), size / 2)) + tile.shfl_xor(in[i], size - 1);
}

__global__ void in_coalesced(long long *out, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] % 5 < 3)
    exchange(cg::coalesced_threads(), out + (ROWS + 1) * i, in, i);
  else
    exchange(cg::coalesced_threads(), out + (ROWS + 1) * i, in, i);
}

// Members in the order of their ranks; `own` is one of them.
static void check_group(const long long *got, const buffer<int> &in, const int *members, int size, int rank) {
  int i = members[rank];
  long long any = 0, all = 2, ballot = 0, match = 0, same_thousand = 1, same = 1, everybody = (1ll << size) - 1;
  for (int r = 0; r < size; r++) {
    int value = in.host[members[r]];
    if (value % 11 == 3)
      any = 1;
    if (value % 11 == 4)
      all = 0;
    ballot |= (long long)(value % 3 == 0) << r;
    match |= (long long)(value % 4 == in.host[i] % 4) << r;
    if (value / 1000 != in.host[i] / 1000)
      same_thousand = 0;
    if (value != in.host[i])
      same = 0;
  }
  const long long expected[ROWS] = {in.host[members[(rank * 5 + 2) % size]],
                                    (long long)(in.host[members[rank >= 3 ? rank - 3 : rank]] * 0.25f),
                                    (long long)in.host[members[rank + 2 < size ? rank + 2 : rank]] << 34,
                                    key(record_of(members[size - 1 - rank])),
                                    key(record_of(members[rank >= 1 ? rank - 1 : rank])),
                                    key(record_of(members[rank + 1 < size ? rank + 1 : rank])),
                                    any + all,
                                    ballot,
                                    match,
                                    match,
                                    same_thousand ? everybody * 2 + 1 : 0,
                                    same ? everybody * 2 + 1 : 0,
                                    rank == 0 ? 7 : 0,
                                    in.host[members[0]] + 1000};
  for (int k = 0; k < ROWS; k++)
    expect(i * 100 + k, got[k], expected[k]);
}

template <unsigned size> static void check_tiles(int block, int blocks, const buffer<int> &in) {
  buffer<long long> out((ROWS + 1) * block * blocks);
  in_tiles<size><<<blocks, block>>>(out.device, in.device);
  out.download();
  for (int i = 0; i < block * blocks; i++) {
    int members[size], first = i - i % (int)size;
    for (int r = 0; r < (int)size; r++)
      members[r] = first + r;
    check_group(&out[(ROWS + 1) * i], in, members, size, i - first);
    expect(i, out[(ROWS + 1) * i + ROWS],
           key(record_of(first + ((i - first) ^ (int)size / 2) % (int)size)) +
               in.host[first + (int)size - 1 - (i - first)]);
  }
}

int main(int argc, char **argv) {
  const int raw = block_size(argc, argv), block = (raw + 31) / 32 * 32, blocks = 3;
  buffer<int> in(block * blocks);
  unsigned state = 77;
  for (int i = 0; i < block * blocks; i++)
    in[i] = next_random(state) % (i / 32 % 2 ? 1000 : 3000);
  for (int i = 0; i < 32; i++)
    in[i] = 42;
  in.upload();
  check_tiles<1>(block, blocks, in);
  check_tiles<2>(block, blocks, in);
  check_tiles<4>(block, blocks, in);
  check_tiles<8>(block, blocks, in);
  check_tiles<16>(block, blocks, in);
  check_tiles<32>(block, blocks, in);
  buffer<long long> out((ROWS + 1) * block * blocks);
  in_coalesced<<<blocks, raw>>>(out.device, in.device);
  out.download();
  for (int i = 0; i < raw * blocks; i++) {
    int members[32], size = 0, rank = 0, t = i % raw, first = i - t % 32;
    for (int k = first; k < first + 32 && k < i - t + raw; k++)
      if ((in[k] % 5 < 3) == (in[i] % 5 < 3)) {
        if (k == i)
          rank = size;
        members[size++] = k;
      }
    check_group(&out[(ROWS + 1) * i], in, members, size, rank);
  }
  return passed();
}
