// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that each thread leaves when it is done: after a number of iterations of its own, by a condition on what it computes, by break,
// at the end of a list. A thread that has left (or never entered) must not load, store, divide or change what it took out.
#include "check.h"

struct node {
  int value;
  const node *next;
};

__host__ __device__ inline unsigned mix(unsigned x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ (x << 5);
}

// A point of a fractal in fixed point: iterations until it is far away.
__host__ __device__ inline int escape(int cx, int cy, int most) {
  int x = 0, y = 0, k = 0;
  while (k < most && (x >> 4) * (x >> 4) + (y >> 4) * (y >> 4) < 1 << 18) {
    int next = (x * x - y * y) / 4096 + cx;
    y = (2 * x * y) / 4096 + cy;
    x = next;
    k++;
  }
  return k * 100000 + (x & 255) * 256 + (y & 255);
}

__host__ __device__ inline unsigned divisor(unsigned a, unsigned b) {
  while (b != 0) {
    unsigned rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

__host__ __device__ inline unsigned long long collatz(unsigned long long x) {
  unsigned long long steps = 0, highest = x;
  for (; x != 1; steps++) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    if (x > highest)
      highest = x;
  }
  return highest * 1000 + steps;
}

// Two ways out, one iteration left out, and a loop of its own length inside.
__host__ __device__ inline unsigned wander(unsigned start, int iterations) {
  unsigned state = start, sum = 0;
  for (int k = 0; k < iterations; k++) {
    state = mix(state);
    if (state % 5 == 0)
      continue;
    if (state % 61 == 0)
      return sum;
    unsigned inner = state;
    do {
      sum += inner & 7;
      inner /= 3;
    } while (inner > 1000);
    if (sum > 3000)
      break;
  }
  return sum * 2 + 1;
}

// Leaves at once where x is no number, and never by the first condition there.
__host__ __device__ inline float halve(float x, float least, int most) {
  int k = 0;
  while (x > least)
    x *= 0.5f, k++;
  while (!(x <= least) && k < most)
    x -= 1.0f, k++;
  return x + (float)k;
}

__global__ void run(const int *in, unsigned *escapes, unsigned *divisors, unsigned long long *collatzes, unsigned *sums,
                    float *halves, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = in[i];
  escapes[i] = (unsigned)escape((x & 4095) * 2 - 4096, (x >> 8 & 4095) - 2048, 60);
  divisors[i] = divisor((unsigned)x, (unsigned)x >> 7);
  collatzes[i] = collatz((unsigned long long)(x & 1023) + 1);
  sums[i] = wander((unsigned)x | 1, i % 23);
  float start = i % 7 == 3 ? __int_as_float(0x7fc00000) : i % 11 == 5 ? -1.0f : (float)(x & 65535);
  halves[i] = halve(start, 0.75f, i % 13);
}

__global__ void lists(const node *const *heads, const int *first, const int *items, int *walked, int *rows, int *trace,
                      int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0, length = 0;
  for (const node *p = heads[i]; p; p = p->next)
    sum = sum * 3 + p->value, length++;
  walked[i] = sum + length;
  int row = 0;
  for (int k = first[i]; k < first[i + 1]; k++) {
    int item = items[k], square = item * item % 101;
    row += square * 7 - (square ^ k) + (item << 2);
    trace[(k - first[i]) * n + i] = row; // only as far as the row goes
  }
  rows[i] = row;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 333, longest = 12;
  buffer<int> in(n), first(n + 1), items(n * longest), walked(n), rows(n), trace(n * longest);
  buffer<unsigned> escapes(n), divisors(n), sums(n);
  buffer<unsigned long long> collatzes(n);
  buffer<float> halves(n);
  buffer<node> nodes(2 * n);
  buffer<const node *> heads(n);
  unsigned state = 11;
  for (int i = 0; i < n; i++)
    in[i] = (int)next_random(state);
  for (int i = 0; i < n; i++)
    first[i + 1] = first[i] + (i % 5 == 2 ? 0 : (int)(next_random(state) % longest));
  for (int i = 0; i < first[n]; i++)
    items[i] = (int)(next_random(state) % 1000);
  int used = 0, lengths[333];
  for (int i = 0; i < n; i++) { // lists of 0 to 3 nodes; none points anywhere after its end
    lengths[i] = i % 4 < 2 * n - used ? i % 4 : 0;
    heads[i] = lengths[i] ? nodes.device + used : NULL;
    for (int k = 0; k < lengths[i]; k++, used++) {
      nodes[used].value = i + k;
      nodes[used].next = k + 1 < lengths[i] ? nodes.device + used + 1 : NULL;
    }
  }
  in.upload(), first.upload(), items.upload(), nodes.upload(), heads.upload();
  run<<<blocks_for(n, block), block>>>(in.device, escapes.device, divisors.device, collatzes.device, sums.device,
                                       halves.device, n);
  CHECK(cudaMemset(trace.device, 0xA5, n * longest * sizeof(int)));
  lists<<<blocks_for(n, block), block>>>(heads.device, first.device, items.device, walked.device, rows.device,
                                         trace.device, n);
  escapes.download(), divisors.download(), collatzes.download(), sums.download(), halves.download();
  walked.download(), rows.download(), trace.download();
  for (int i = 0, at = 0; i < n; i++) {
    int x = in[i];
    expect(i, escapes[i], (unsigned)escape((x & 4095) * 2 - 4096, (x >> 8 & 4095) - 2048, 60));
    expect(i, divisors[i], divisor((unsigned)x, (unsigned)x >> 7));
    expect(i, collatzes[i], collatz((unsigned long long)(x & 1023) + 1));
    expect(i, sums[i], wander((unsigned)x | 1, i % 23));
    float start = i % 7 == 3 ? NAN : i % 11 == 5 ? -1.0f : (float)(x & 65535);
    expect_near(i, halves[i], halve(start, 0.75f, i % 13), 1e-6);
    int sum = 0, row = 0;
    for (int k = 0; k < lengths[i]; k++)
      sum = sum * 3 + nodes[at++].value;
    expect(i, walked[i], sum + lengths[i]);
    for (int k = 0; k < longest; k++) {
      int expected = (int)0xA5A5A5A5;
      if (first[i] + k < first[i + 1]) {
        int item = items[first[i] + k], square = item * item % 101;
        row += square * 7 - (square ^ (first[i] + k)) + (item << 2);
        expected = row;
      }
      expect(k * n + i, trace[k * n + i], expected);
    }
    expect(i, rows[i], row);
  }
  return passed();
}
