// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers of 32 bits that wrap around, or change their sign, from one thread of a block to the next, and limits that are near 2^32: in
// conditions and clamps, with a sign and without, extended to 64 bits, times constants and what the launch says. Arithmetic without a sign
// means the wrapped value, and a conversion to int means what has its bits.
#include "check.h"

#include <climits>

typedef unsigned long long u64;
typedef long long s64;

// A condition as a kernel that stores where it holds, as one that loads there, and on the host.
#define CONDITION(name, type, condition)                                                                               \
  __host__ __device__ bool name(unsigned block, unsigned t, unsigned width, type a, type b) {                          \
    unsigned i = block * width + t;                                                                                    \
    return (void)i, (void)a, (void)b, condition;                                                                       \
  }                                                                                                                    \
  __global__ void name##_store(int *out, type a, type b) {                                                             \
    if (name(blockIdx.x, threadIdx.x, blockDim.x, a, b))                                                               \
      out[blockIdx.x * blockDim.x + threadIdx.x] = 1;                                                                  \
  }                                                                                                                    \
  __global__ void name##_load(int *out, const int *in, type a, type b) {                                               \
    int i = blockIdx.x * blockDim.x + threadIdx.x, value = 0;                                                          \
    if (name(blockIdx.x, threadIdx.x, blockDim.x, a, b))                                                               \
      value = in[i];                                                                                                   \
    out[i] = value;                                                                                                    \
  }                                                                                                                    \
  static void check_##name(int threads, type a, type b) {                                                              \
    const int blocks = 5;                                                                                              \
    buffer<int> out(blocks * threads), in(blocks * threads);                                                           \
    for (int i = 0; i < blocks * threads; i++)                                                                         \
      out[i] = 0, in[i] = 1;                                                                                           \
    in.upload();                                                                                                       \
    for (int loads = 0; loads < 4; loads++) {                                                                          \
      void *store[] = {&out.device, &a, &b}, *load[] = {&out.device, &in.device, &a, &b};                              \
      for (int i = 0; i < blocks * threads; i++)                                                                       \
        out[i] = 0;                                                                                                    \
      out.upload();                                                                                                    \
      if (loads == 0)                                                                                                  \
        name##_store<<<blocks, threads>>>(out.device, a, b);                                                           \
      if (loads == 1)                                                                                                  \
        name##_load<<<blocks, threads>>>(out.device, in.device, a, b);                                                 \
      if (loads == 2)                                                                                                  \
        CHECK(cudaLaunchKernel((void *)name##_store, blocks, threads, store, 0, 0));                                   \
      if (loads == 3)                                                                                                  \
        CHECK(cudaLaunchKernel((void *)name##_load, blocks, threads, load, 0, 0));                                     \
      out.download();                                                                                                  \
      for (int i = 0; i < blocks * threads; i++) {                                                                     \
        bool holds = name(i / threads, i % threads, threads, a, b);                                                    \
        if (out[i] != holds)                                                                                           \
          printf(#name ", which %s, a %lld, b %lld:\n", loads & 1 ? "loads" : "stores", (s64)a, (s64)b);               \
        expect(i, out[i], (int)holds);                                                                                 \
      }                                                                                                                \
    }                                                                                                                  \
  }

CONDITION(own_signed, unsigned, (int)(a + t) < (int)b)
CONDITION(own_from_above, unsigned, (int)(a - t) > (int)b)
CONDITION(own_at_least, unsigned, (int)(a + t) >= (int)b)
CONDITION(number_signed, unsigned, (int)(a + i) < (int)b)
CONDITION(number_equal, unsigned, a + i == b)
CONDITION(number_not_zero, unsigned, a + i != 0)
CONDITION(scaled_signed, unsigned, (int)(a + i * 1000) < (int)b)
CONDITION(scaled_shifted, unsigned, (int)((a + i) << 4) <= (int)b)
CONDITION(number_unsigned, unsigned, a + i < b)
CONDITION(number_at_least, unsigned, a + i >= b)
CONDITION(before_first, unsigned, t - 1 <= a)
CONDITION(before_first_number, unsigned, i - 1 < a)
CONDITION(far_before, unsigned, i - 300 < a)
CONDITION(left_of, unsigned, i - a < b)
CONDITION(product, unsigned, (int)(block * a + t) < (int)b)
CONDITION(wide_grid, unsigned, (int)((block * a) * width + t) < (int)b)
CONDITION(wide_grid_unsigned, unsigned, (block * a) * width + t < b)
CONDITION(two_sides, unsigned, (int)(a + t) >= 0 && (int)(a + t) < (int)b)
CONDITION(extended_signed, unsigned, (s64)(int)(a + t) < (s64)(int)b)
CONDITION(extended_unsigned, unsigned, (u64)(a + t) + 5 < (u64)b)
CONDITION(extended_and_more, unsigned, (s64)(a + i) - 10 < (s64)b)
CONDITION(below_all, int, (u64)(s64)((int)t - 5) < (u64)(s64)a)
CONDITION(least_of_all, s64, (s64)t + a < b)
CONDITION(largest_of_all, u64, (u64)t + a < b)
CONDITION(subtracted_of_all, u64, (u64)i - a < b)

// A clamp at both ends, and one without a sign.
__global__ void clamped(int *out, const int *in, unsigned base, int least, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = (int)(base + threadIdx.x);
  x = x < least ? least : x > most ? most : x;
  out[i] = in[x - least];
}

__global__ void clamped_below(int *out, const int *in, unsigned most) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, west = i - 1, east = i + 1;
  out[i] = in[west < most ? west : most] + 3 * in[east < most ? east : most];
}

// Counters whose next value wraps around, or that begin after the end.
__global__ void rounds_unsigned(unsigned *out, unsigned start, unsigned end, unsigned step) {
  unsigned iterations = 0, sum = 0;
  for (unsigned i = start + threadIdx.x; i < end; i += step)
    sum += i ^ ++iterations;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void rounds_signed(unsigned *out, unsigned start, int end, unsigned step) {
  unsigned iterations = 0, sum = 0;
  for (int i = start + threadIdx.x; i <= end; i += step)
    sum += i ^ ++iterations;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void iterations_loaded(unsigned *out, const unsigned *from, unsigned step) {
  unsigned iterations = 0, sum = 0;
  int end = from[1];
  for (int i = from[0] + threadIdx.x; i < end; i += step)
    sum += i ^ ++iterations;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <typename T> __global__ void rounds_short(unsigned *out, int end, int step) {
  unsigned iterations = 0, sum = 0;
  for (T i = (T)threadIdx.x; i < end; i += step)
    sum += i ^ ++iterations;
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static unsigned count_unsigned(unsigned i, unsigned end, unsigned step) {
  unsigned iterations = 0, sum = 0;
  for (; i < end; i += step)
    sum += i ^ ++iterations;
  return sum;
}

static unsigned count_signed(unsigned start, s64 end, unsigned step) {
  unsigned iterations = 0, sum = 0;
  for (int i = (int)start; i < end; i = (int)((unsigned)i + step))
    sum += (unsigned)i ^ ++iterations;
  return sum;
}

template <typename T> static void check_short(int threads, buffer<unsigned> &out, int end, int step) {
  rounds_short<T><<<2, threads>>>(out.device, end, step);
  out.download();
  for (int i = 0; i < 2 * threads; i++) {
    unsigned iterations = 0, sum = 0;
    for (T k = (T)(i % threads); k < end; k += step)
      sum += k ^ ++iterations;
    expect(i, out[i], sum);
  }
}

int main(int argc, char **argv) {
  const int threads = block_size(argc, argv);
  const unsigned half = 1u << 31, edges[] = {half - 1, half - 5, half - 40, half - 300, half - 700, half, -1u,
                                             -5u,      -40u,     -300u,     -700u,      0,          7};
  const unsigned limits[] = {half - 1, half, half + 3, half + 50, half - 10, -1u, -5u, -30u, 0, 20, 400};
  for (unsigned a : edges)
    for (unsigned b : limits) {
      check_own_signed(threads, a, b);
      check_own_from_above(threads, a, b);
      check_own_at_least(threads, a, b);
      check_number_signed(threads, a, b);
      check_number_equal(threads, a, b);
      check_number_unsigned(threads, a, b);
      check_number_at_least(threads, a, b);
      check_two_sides(threads, a, b);
      check_product(threads, a, b);
      check_extended_signed(threads, a, b);
      check_extended_unsigned(threads, a, b);
      check_extended_and_more(threads, a, b);
      check_left_of(threads, a, b);
    }
  for (unsigned a : edges) {
    check_number_not_zero(threads, a, 0);
    check_before_first(threads, a, 0);
    check_before_first_number(threads, a, 0);
    check_far_before(threads, a, 0);
    check_below_all(threads, (int)a, 0);
    check_scaled_signed(threads, a - 100000, 10);
    check_scaled_signed(threads, a - 1000000, half);
    check_scaled_shifted(threads, a >> 4, half - 1);
  }
  for (unsigned a : {half / threads, half / threads + 1, half / 3, 3 * (half / threads)})
    for (unsigned b : limits) {
      check_wide_grid(threads, a, b);
      check_wide_grid_unsigned(threads, a, b);
    }
  for (s64 b : {LLONG_MIN, LLONG_MIN + 5, -3ll, LLONG_MAX})
    check_least_of_all(threads, LLONG_MIN, b);
  for (u64 a : {~0ull - 3, ~0ull << 21, 1ull << 62, 5ull})
    for (u64 b : {~0ull, ~0ull - 2, (u64)1 << 61, 30ull}) {
      check_largest_of_all(threads, a, b);
      check_subtracted_of_all(threads, a, b);
    }

  const int n = 3 * threads, span = 40;
  buffer<int> in(n > span ? n : span + 1), out(n);
  for (size_t i = 0; i < in.count; i++)
    in[i] = 5 * (int)i + 1;
  in.upload();
  for (unsigned base : edges)
    for (int least : {INT_MIN, INT_MIN + 3, -7, INT_MAX - span}) {
      clamped<<<3, threads>>>(out.device, in.device, base, least, least + span);
      out.download();
      for (int i = 0; i < n; i++) {
        int x = (int)(base + i % threads);
        x = x < least ? least : x > least + span ? least + span : x;
        expect(i, out[i], 5 * (x - least) + 1);
      }
    }
  clamped_below<<<3, threads>>>(out.device, in.device, n - 1);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned last = n - 1, west = i - 1u, east = i + 1u;
    expect(i, out[i], (int)(5 * (west < last ? west : last) + 1 + 3 * (5 * (east < last ? east : last) + 1)));
  }

  buffer<unsigned> sums(2 * threads), from(2);
  const struct {
    unsigned start, end, step;
  } walks[] = {{0, 0xF0000000u, 0x30000000u},
               {0x10000000u, 0xF0000000u, 0x30000000u},
               {0x90000000u, 0xF0000000u, 0x28000000u},
               {-20u, 10, 64},
               {half - 20, half + 40, 7},
               {half - 20, half - 1, 0x20000001u},
               {0, 1000, 33}};
  for (auto w : walks) {
    rounds_unsigned<<<2, threads>>>(sums.device, w.start, w.end, w.step);
    sums.download();
    for (int i = 0; i < 2 * threads; i++)
      expect(i, sums[i], count_unsigned(w.start + i % threads, w.end, w.step));
  }
  const struct {
    unsigned start;
    int end;
    unsigned step;
  } signed_walks[] = {{0x50000000u, 0x60000000, 0x30000001u},
                      {half - 20, INT_MIN + 100, 32},
                      {half - 20, INT_MIN + 100, 16},
                      {0, 1000, 33},
                      {-100u, 50, 7},
                      {half - 500, INT_MAX - 200, 0x10000001u}};
  for (auto w : signed_walks) {
    rounds_signed<<<2, threads>>>(sums.device, w.start, w.end, w.step);
    sums.download();
    for (int i = 0; i < 2 * threads; i++)
      expect(i, sums[i], count_signed(w.start + i % threads, (s64)w.end + 1, w.step));
    from[0] = w.start, from[1] = (unsigned)w.end;
    from.upload();
    iterations_loaded<<<2, threads>>>(sums.device, from.device, w.step);
    sums.download();
    for (int i = 0; i < 2 * threads; i++)
      expect(i, sums[i], count_signed(w.start + i % threads, w.end, w.step));
  }
  check_short<unsigned char>(threads, sums, 250, 7);
  check_short<signed char>(threads, sums, 125, 3);
  check_short<short>(threads, sums, 32000, 1001);
  check_short<unsigned short>(threads, sums, 65000, 999);
  return passed();
}
