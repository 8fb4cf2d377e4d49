// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Addresses made of quotients and remainders that only some iterations of a loop compute, which do not change from iteration to iteration, or not in
// 16 of them: of loads and stores, at one address and at neighbours. Also by 0, and in host code, which must not divide by 0 where it asked.
#include "check.h"

#include <cstdint>

static const int places = 8, table_size = 1024;

template <typename number> __host__ __device__ static number quotient(number x, number y) {
  return y == 0 ? ~(number)0 : x / y;
}

template <typename number> __host__ __device__ static number rest(number x, number y) {
  return y == 0 ? ~(number)0 : x % y;
}

template <typename number>
__global__ void of_one_place(number x, number y, int iterations, const int *chosen, const unsigned *table,
                             unsigned *out) {
  number mine = x + threadIdx.x * 5, by = y + threadIdx.x % 3;
  unsigned sum = threadIdx.x;
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 2)
      sum += table[mine / by & (table_size - 1)];
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 3)
      sum = sum * 3 + table[mine % by & (table_size - 1)];
  out[threadIdx.x] = sum;
}

template <typename number>
__global__ void of_neighbours(number x, number y, int iterations, const int *chosen, const unsigned *table,
                              unsigned *out) {
  number mine = x + threadIdx.x * 5, by = y + threadIdx.x % 3;
  unsigned sum = threadIdx.x;
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 2)
      sum += table[(mine / by & 63) * 3 + i];
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 3)
      sum += table[(mine % by & 63) * 3 + i] ^ 5;
  out[threadIdx.x] = sum;
}

template <typename number>
__global__ void by_sixteen(number y, int iterations, const int *chosen, const unsigned *table, unsigned *out) {
  number by = y + threadIdx.x % 3;
  unsigned sum = threadIdx.x;
  for (unsigned i = 0; i < (unsigned)iterations; i++)
    if (chosen[i] > 2)
      sum += table[i / 16 / by & (table_size - 1)];
  for (unsigned i = 0; i < (unsigned)iterations; i++)
    if (chosen[i] > 3)
      sum += table[i / 16 % by & (table_size - 1)] ^ 5;
  out[threadIdx.x] = sum;
}

template <typename number>
__global__ void of_stores(number x, number y, int iterations, const int *chosen, unsigned *out) {
  number mine = x + threadIdx.x * 5, by = y + threadIdx.x % 3;
  unsigned *own = out + threadIdx.x * 2 * places;
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 2)
      own[mine / by & (places - 1)] = chosen[i] + i;
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 3)
      own[places + (mine % by & (places - 1))] = chosen[i] + i;
}

__attribute__((noinline)) static unsigned on_host(unsigned x, unsigned y, int iterations, const int *chosen,
                                                  const unsigned *table) {
  unsigned sum = 0;
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 2)
      sum += table[(x / y & 63) * 3 + i] + table[x % y & (table_size - 1)];
  return sum;
}

__attribute__((noinline)) static void stored_by_host(unsigned x, unsigned y, int iterations, const int *chosen,
                                                     int *out) {
  for (int i = 0; i < iterations; i++)
    if (chosen[i] > 2)
      out[x / y & (places - 1)] = chosen[i];
}

template <typename number>
static void check(int block, number x, number y, int iterations, buffer<int> &chosen, buffer<unsigned> &table) {
  buffer<unsigned> out(block * 2 * places);
  for (int i = 0; i < block * 2 * places; i++)
    out[i] = 0;
  auto own = [&](int t) { return (number)(x + t * 5); };
  auto by = [&](int t) { return (number)(y + t % 3); };

  out.upload();
  of_one_place<<<1, block>>>(x, y, iterations, chosen.device, table.device, out.device);
  out.download();
  for (int t = 0; t < block; t++) {
    const unsigned one = table[quotient(own(t), by(t)) & (table_size - 1)],
                   other = table[rest(own(t), by(t)) & (table_size - 1)];
    unsigned sum = t;
    for (int i = 0; i < iterations; i++)
      sum += chosen[i] > 2 ? one : 0;
    for (int i = 0; i < iterations; i++)
      sum = chosen[i] > 3 ? sum * 3 + other : sum;
    expect(t, out[t], sum);
  }

  of_neighbours<<<1, block>>>(x, y, iterations, chosen.device, table.device, out.device);
  out.download();
  for (int t = 0; t < block; t++) {
    const unsigned *one = &table[(quotient(own(t), by(t)) & 63) * 3], *other = &table[(rest(own(t), by(t)) & 63) * 3];
    unsigned sum = t;
    for (int i = 0; i < iterations; i++)
      sum += (chosen[i] > 2 ? one[i] : 0) + (chosen[i] > 3 ? other[i] ^ 5 : 0);
    expect(t, out[t], sum);
  }

  by_sixteen<<<1, block>>>(y, iterations, chosen.device, table.device, out.device);
  out.download();
  for (int t = 0; t < block; t++) {
    unsigned sum = t;
    for (int i = 0; i < iterations; i++) {
      const number sixteenth = i / 16;
      sum += chosen[i] > 2 ? table[quotient(sixteenth, by(t)) & (table_size - 1)] : 0;
      sum += chosen[i] > 3 ? table[rest(sixteenth, by(t)) & (table_size - 1)] ^ 5 : 0;
    }
    expect(t, out[t], sum);
  }

  for (int i = 0; i < block * 2 * places; i++)
    out[i] = 0;
  out.upload();
  of_stores<<<1, block>>>(x, y, iterations, chosen.device, out.device);
  out.download();
  for (int t = 0; t < block; t++) {
    unsigned expected[2 * places] = {};
    const unsigned one = quotient(own(t), by(t)) & (places - 1), other = places + (rest(own(t), by(t)) & (places - 1));
    for (int i = 0; i < iterations; i++) {
      if (chosen[i] > 2)
        expected[one] = chosen[i] + i;
      if (chosen[i] > 3)
        expected[other] = chosen[i] + i;
    }
    for (int i = 0; i < 2 * places; i++)
      expect(t * 2 * places + i, out[t * 2 * places + i], expected[i]);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), most = 150;
  buffer<int> chosen(most);
  buffer<unsigned> table(table_size);
  for (int i = 0; i < table_size; i++)
    table[i] = i * 7 + 1;
  table.upload();
  for (int i = 0; i < most; i++)
    chosen[i] = 0;
  for (int iterations = 1; iterations <= most; iterations += 37) {
    int stored[places] = {};
    stored_by_host(1000, 0, iterations, &chosen[0], stored);
    expect(iterations, on_host(1000, 0, iterations, &chosen[0], &table[0]), 0);
    expect(iterations, stored[0], 0);
  }
  for (int i = 0; i < most; i++)
    chosen[i] = (i * 5 + 1) % 7 - 1;
  chosen.upload();
  for (int iterations = 1; iterations <= most; iterations += 37) {
    unsigned sum = 0;
    for (int i = 0; i < iterations; i++)
      sum += chosen[i] > 2 ? table[(1000 / 7 & 63) * 3 + i] + table[1000 % 7] : 0;
    expect(iterations, on_host(1000, 7, iterations, &chosen[0], &table[0]), sum);
    int stored[places] = {}, last = 0;
    stored_by_host(1000, 7, iterations, &chosen[0], stored);
    for (int i = 0; i < iterations; i++)
      last = chosen[i] > 2 ? chosen[i] : last;
    for (int i = 0; i < places; i++)
      expect(i, stored[i], i == (1000 / 7 & (places - 1)) ? last : 0);
    for (int divisor : {0, 1, 7, 40}) {
      check<unsigned>(block, 1000, divisor, iterations, chosen, table);
      check<uint64_t>(block, 1000000, divisor, iterations, chosen, table);
    }
  }
  return passed();
}
