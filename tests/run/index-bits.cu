// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses from bits of the thread index: butterflies, sorting networks, rows in one long index. Masks, factors and first indices
// that are constants, arguments, powers of two and not, aligned and not.
#include <algorithm>
#include <vector>

#include "check.h"

typedef std::vector<unsigned> numbers;

static void check(buffer<unsigned> &out, const numbers &expected) {
  out.download();
  for (size_t i = 0; i < expected.size(); i++)
    expect((long long)i, out[i], expected[i]);
}

// Every operation on the index, shifted by `first`, as an address in a table.
__global__ void pick(const unsigned *table, unsigned *out, unsigned first, unsigned m, int signed_m) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x, v = first + me;
  out[7 * me + 0] = table[v & m];
  out[7 * me + 1] = table[v ^ m];
  out[7 * me + 2] = table[v | m];
  out[7 * me + 3] = table[v % m];
  out[7 * me + 4] = table[v / m];
  out[7 * me + 5] = table[1024 + (int)(me - 512) % signed_m];
  out[7 * me + 6] = table[v >> 5] + table[threadIdx.x & 31];
}

// One at a time, so that each is alone in its loop.
template <int KIND> __global__ void pick_one(const unsigned *table, unsigned *out, unsigned m) {
  unsigned v = threadIdx.x;
  unsigned at = KIND == 0 ? v & m : KIND == 1 ? v ^ m : KIND == 2 ? v % m : v / m;
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[at] + v;
}

__device__ void order(unsigned &a, unsigned &b, bool up) {
  if ((a > b) == up) {
    unsigned kept = a;
    a = b;
    b = kept;
  }
}

// Twice as many keys as threads, in shared memory; last: how far the network goes (0: the whole of it).
__global__ void network(unsigned *keys, unsigned last) {
  extern __shared__ unsigned tile[];
  unsigned me = threadIdx.x, span = 2 * blockDim.x, base = blockIdx.x * span;
  tile[me] = keys[base + me];
  tile[me + blockDim.x] = keys[base + me + blockDim.x];
  for (unsigned size = 2; size <= (last ? last : span); size *= 2)
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      unsigned at = 2 * me - (me & (step - 1));
      order(tile[at], tile[at + step], (at & size) == 0);
    }
  __syncthreads();
  keys[base + me] = tile[me];
  keys[base + me + blockDim.x] = tile[me + blockDim.x];
}

// The other form: partners by exclusive or, the lower one swaps.
__global__ void partners(unsigned *keys, unsigned size, unsigned step) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x, other = me ^ step;
  if (other > me && ((me & size) == 0) == (keys[me] > keys[other])) {
    unsigned kept = keys[me];
    keys[me] = keys[other];
    keys[other] = kept;
  }
}

static void sort_up_and_down(numbers &keys, size_t span) {
  for (size_t first = 0; first < keys.size(); first += span) {
    std::sort(keys.begin() + first, keys.begin() + first + span);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = 3, n = blocks * block, entries = 1 << 16;
  buffer<unsigned> table(entries), out(7 * n), one(n);
  unsigned state = 3;
  for (int i = 0; i < entries; i++)
    table[i] = next_random(state);
  table.upload();

  const unsigned masks[] = {1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 48, 63, 64, 100, 255, 256, 1000},
                 firsts[] = {0, 1, 16, 40, 4096};
  for (unsigned m : masks) {
    for (unsigned first : firsts) {
      pick<<<blocks, block>>>(table.device, out.device, first, m, (int)m);
      numbers expected(7 * n);
      for (unsigned me = 0; me < (unsigned)n; me++) {
        unsigned v = first + me;
        const unsigned at[] = {v & m, v ^ m, v | m, v % m, v / m, 1024 + (unsigned)((int)(me - 512) % (int)m)};
        for (int k = 0; k < 6; k++)
          expected[7 * me + k] = table[at[k]];
        expected[7 * me + 6] = table[v >> 5] + table[me % block & 31];
      }
      check(out, expected);
    }
    numbers expected(n);
#define CHECK_ONE(KIND, AT)                                                                                            \
  pick_one<KIND><<<blocks, block>>>(table.device, one.device, m);                                                      \
  for (unsigned me = 0; me < (unsigned)n; me++) {                                                                      \
    unsigned v = me % block;                                                                                           \
    expected[me] = table[AT] + v;                                                                                      \
  }                                                                                                                    \
  check(one, expected)
    CHECK_ONE(0, v & m);
    CHECK_ONE(1, v ^ m);
    CHECK_ONE(2, v % m);
    CHECK_ONE(3, v / m);
  }
  pick_one<0><<<blocks, block>>>(table.device, one.device, 0);
  check(one, [&] {
    numbers expected(n);
    for (int me = 0; me < n; me++)
      expected[me] = table[0] + me % block;
    return expected;
  }());

  // Networks want powers of two.
  int width = 1;
  while (2 * width <= block)
    width *= 2;
  for (int partial = 0; partial < 2; partial++) {
    buffer<unsigned> keys(2 * width * blocks);
    numbers expected(keys.count);
    for (size_t i = 0; i < keys.count; i++)
      expected[i] = keys[i] = next_random(state) % 1000;
    keys.upload();
    network<<<blocks, width, 2 * width * sizeof(unsigned)>>>(keys.device, partial ? 2 : 0);
    if (partial) {
      for (size_t i = 0; i + 1 < expected.size(); i += 2)
        if ((expected[i] > expected[i + 1]) == ((i % (2 * width) & 2) == 0))
          std::swap(expected[i], expected[i + 1]);
    } else {
      sort_up_and_down(expected, 2 * width);
    }
    check(keys, expected);
  }
  {
    const unsigned count = 4 * width;
    buffer<unsigned> keys(count);
    numbers expected(count);
    for (unsigned i = 0; i < count; i++)
      expected[i] = keys[i] = next_random(state);
    keys.upload();
    for (unsigned size = 2; size <= count; size *= 2)
      for (unsigned step = size / 2; step > 0; step /= 2)
        partners<<<4, width>>>(keys.device, size, step);
    std::sort(expected.begin(), expected.end());
    check(keys, expected);
  }
  // With a block size that the compiler sees.
  {
    buffer<unsigned> keys(512);
    numbers expected(512);
    for (unsigned i = 0; i < 512; i++)
      expected[i] = keys[i] = next_random(state) % 77;
    keys.upload();
    network<<<1, 256, 2048>>>(keys.device, 0);
    std::sort(expected.begin(), expected.end());
    check(keys, expected);
  }
  return passed();
}
