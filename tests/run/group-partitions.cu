// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads are together in a group, and what the group says of itself: tiles of every size, tiles of tiles, sizes known at
// run time only, lanes that happen to run together, parts by label and by truth value.
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

// The members are told by a ballot over the group's ranks and the ids that its members pass.
struct facts {
  int rank, size, part, parts, first, last, ones;
};

template <typename Group> static __device__ facts describe(const Group &group, int part, int parts) {
  int own = threadIdx.x, size = (int)group.num_threads();
  return {(int)group.thread_rank(), size, part, parts, (int)group.shfl(own, 0), (int)group.shfl(own, size - 1),
          __popc(group.ballot(1))};
}
template <typename Group> static __device__ facts describe(const Group &group) {
  return describe(group, group.meta_group_rank(), group.meta_group_size());
}
// A thread_group can synchronise and count, no more.
static __device__ facts describe_plain(const cg::thread_group &group, int *cells) {
  cells[threadIdx.x] = (int)group.thread_rank();
  group.sync();
  return {(int)group.thread_rank(), (int)group.size(), 0, 0, 0, 0, 0};
}

enum { STATIC = 6, KINDS = STATIC + 12 };

__global__ void tiles(facts *out, unsigned dynamic_size) {
  __shared__ int cells[1024];
  cg::thread_block block = cg::this_thread_block();
  facts *mine = out + (blockIdx.x * blockDim.x + threadIdx.x) * KINDS;
  mine[0] = describe(cg::tiled_partition<1>(block));
  mine[1] = describe(cg::tiled_partition<2>(block));
  mine[2] = describe(cg::tiled_partition<4>(block));
  mine[3] = describe(cg::tiled_partition<8>(block));
  mine[4] = describe(cg::tiled_partition<16>(block));
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  mine[5] = describe(warp);
  auto sixteen = cg::tiled_partition<16>(warp);
  auto four = cg::tiled_partition<4>(sixteen);
  mine[6] = describe(sixteen);
  mine[7] = describe(four);
  mine[8] = describe_plain(cg::tiled_partition(block, dynamic_size), cells);
  mine[9] = describe_plain(cg::tiled_partition(warp, dynamic_size), cells);
  cg::thread_group outer = cg::tiled_partition(block, 32);
  mine[10] = describe_plain(cg::tiled_partition(outer, dynamic_size), cells);
  mine[11] = describe(cg::this_thread());
  mine[12] = describe_plain(block, cells);
}

__global__ void parts(facts *out, const int *labels, const long long *wide) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, label = labels[i];
  facts *mine = out + i * KINDS;
  mine[0] = describe(cg::coalesced_threads());
  if (label % 3 != 1) {
    cg::coalesced_group together = cg::coalesced_threads();
    mine[1] = describe(together);
    mine[2] = describe(cg::tiled_partition(together, 4));
    cg::thread_group plain = together;
    cg::thread_group piece = cg::tiled_partition(plain, 2);
    mine[3] = {(int)piece.thread_rank(), (int)piece.size(), 0, 0, 0, 0, 0};
    mine[4] = describe(cg::labeled_partition(together, label));
    mine[5] = describe(cg::labeled_partition(together, wide[i]));
    mine[6] = describe(cg::labeled_partition(together, labels + label));
    mine[7] = describe(cg::labeled_partition(together, label > 4));
    cg::coalesced_group half = cg::binary_partition(together, label > 4);
    mine[8] = describe(half);
    mine[9] = describe(cg::binary_partition(half, label > -1));
    mine[10] = describe(cg::tiled_partition(half, 8));
  } else {
    mine[1] = describe(cg::coalesced_threads());
  }
}

__global__ void parts_of_tiles(facts *out, const int *labels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  out[i * KINDS] = describe(cg::labeled_partition(tile, (short)labels[i]));
  out[i * KINDS + 1] = describe(cg::binary_partition(tile, labels[i] & 1));
}

// The facts of the group of the threads of a block whose key is that of thread t, in parts of so many members.
static facts of_members(const int *key, int block, int t, int piece, int part, int parts) {
  int members[1024], count = 0, rank = 0;
  for (int k = 0; k < block; k++)
    if (key[k] == key[t]) {
      if (k == t)
        rank = count;
      members[count++] = k;
    }
  if (piece == 0)
    return {rank, count, part, parts, members[0], members[count - 1], count};
  int first = rank / piece * piece, size = first + piece < count ? piece : count - first;
  return {rank - first, size, rank / piece, (count + piece - 1) / piece, members[first], members[first + size - 1],
          size};
}

static void same(int index, const facts &got, const facts &wanted) {
  expect(index, got.rank, wanted.rank);
  expect(index, got.size, wanted.size);
  expect(index, got.part, wanted.part);
  expect(index, got.parts, wanted.parts);
  expect(index, got.first, wanted.first);
  expect(index, got.last, wanted.last);
  expect(index, got.ones, wanted.ones);
}

// Among the threads of t's warp that take part: the position of t's label by first appearance, and how many labels there are.
static void count_labels(const int *label, const bool *takes_part, int block, int t, int width, int *place,
                         int *count) {
  int seen[32], from = t / width * width;
  *count = 0;
  for (int k = from; k < from + width && k < block; k++) {
    if (!takes_part[k])
      continue;
    int at = 0;
    while (at < *count && seen[at] != label[k])
      at++;
    if (at == *count)
      seen[(*count)++] = label[k];
    if (label[k] == label[t])
      *place = at;
  }
}

int main(int argc, char **argv) {
  const int raw = block_size(argc, argv), block = (raw + 31) / 32 * 32, blocks = 2;
  buffer<facts> out(blocks * block * KINDS);
  for (unsigned dynamic = 1; dynamic <= 32; dynamic *= 2) {
    tiles<<<blocks, block>>>(out.device, dynamic);
    out.download();
    const int sizes[] = {1, 2, 4, 8, 16, 32, 16, 4}, within[] = {0, 0, 0, 0, 0, 0, 32, 16};
    for (int i = 0; i < blocks * block; i++) {
      const facts *got = &out[i * KINDS];
      int t = i % block;
      for (int k = 0; k < 8; k++) {
        int size = sizes[k], parent = within[k] ? within[k] : block, first = t / size * size;
        same(i, got[k], {t % size, size, t % parent / size, parent / size, first, first + size - 1, size});
      }
      for (int k = 8; k < 11; k++)
        same(i, got[k], {t % (int)dynamic, (int)dynamic, 0, 0, 0, 0, 0});
      same(i, got[11], {0, 1, 0, 1, t, t, 1});
      same(i, got[12], {t, block, 0, 0, 0, 0, 0});
    }
  }

  const int n = blocks * raw;
  buffer<int> labels(blocks * block);
  buffer<long long> wide(n);
  unsigned state = 5;
  for (int i = 0; i < blocks * block; i++)
    labels[i] = next_random(state) % 9;
  for (int i = 0; i < n; i++)
    wide[i] = ((long long)labels[i] << 36) + 1;
  labels.upload();
  wide.upload();
  parts<<<blocks, raw>>>(out.device, labels.device, wide.device);
  out.download();
  for (int i = 0; i < n; i++) {
    const facts *got = &out[i * KINDS];
    const int t = i % raw, *label = &labels[i - t];
    int warp[1024], arm[1024], of_label[1024], half[1024], place = 0, count = 0;
    bool takes_part[1024];
    for (int k = 0; k < raw; k++) {
      warp[k] = k / 32;
      takes_part[k] = label[k] % 3 != 1;
      arm[k] = warp[k] * 2 + takes_part[k];
      of_label[k] = arm[k] * 16 + label[k];
      half[k] = arm[k] * 2 + (label[k] > 4);
    }
    same(i, got[0], of_members(warp, raw, t, 0, 0, 1));
    same(i, got[1], of_members(arm, raw, t, 0, 0, 1));
    if (!takes_part[t])
      continue;
    same(i, got[2], of_members(arm, raw, t, 4, 0, 0));
    facts two = of_members(arm, raw, t, 2, 0, 0);
    same(i, got[3], {two.rank, two.size, 0, 0, 0, 0, 0});
    count_labels(label, takes_part, raw, t, 32, &place, &count);
    for (int k = 4; k < 7; k++)
      same(i, got[k], of_members(of_label, raw, t, 0, place, count));
    int some_high = 0, some_low = 0;
    for (int k = t / 32 * 32; k < raw && k < t / 32 * 32 + 32; k++) {
      if (takes_part[k] && label[k] > 4)
        some_high = 1;
      if (takes_part[k] && label[k] <= 4)
        some_low = 1;
    }
    bool two_halves = some_high && some_low;
    facts own = of_members(half, raw, t, 0, two_halves && label[t] > 4, two_halves ? 2 : 1);
    same(i, got[7], own);
    same(i, got[8], own);
    // One truth value makes one part; what fits a tile stays the part that it is.
    same(i, got[9], of_members(half, raw, t, 0, 0, 1));
    same(i, got[10], own.size <= 8 ? own : of_members(half, raw, t, 8, 0, 0));
  }

  parts_of_tiles<<<blocks, block>>>(out.device, labels.device);
  out.download();
  for (int i = 0; i < blocks * block; i++) {
    const int t = i % block, *label = &labels[i - t];
    int of_label[1024], odd[1024], bit[1024], place = 0, count = 0;
    bool takes_part[1024];
    for (int k = 0; k < block; k++) {
      takes_part[k] = true;
      of_label[k] = k / 16 * 16 + label[k];
      bit[k] = label[k] & 1;
      odd[k] = k / 16 * 2 + bit[k];
    }
    count_labels(label, takes_part, block, t, 16, &place, &count);
    same(i, out[i * KINDS], of_members(of_label, block, t, 0, place, count));
    count_labels(bit, takes_part, block, t, 16, &place, &count);
    same(i, out[i * KINDS + 1], of_members(odd, block, t, 0, count == 2 ? bit[t] : 0, count));
  }
  return passed();
}
