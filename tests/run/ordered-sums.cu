// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long sums in order: every bit must be that of adding up one by one. Data that round to even, change their sign, cancel, cross
// binades in both directions, are subnormal, infinite, no numbers, large and small at once; lengths around those of chunks; counters
// that wrap around; sums of all threads, of one, and of each; at launches of a loop.
#include <sys/mman.h>

#include <vector>

#include "check.h"

template <typename T> __global__ void same_for_all(const T *in, T *out, int n, T start) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = start;
  for (int k = 0; k < n; k++)
    sum += in[k];
  out[me] = sum;
}

template <typename T> __global__ void of_one(const T *in, T *out, long long from, long long to, T start) {
  if (blockIdx.x != 0 || threadIdx.x != 0)
    return;
  T sum = start;
  for (long long k = from; k < to; k++)
    sum = in[k] + sum;
  out[0] = sum;
}

template <typename T> __global__ void of_each(const T *in, T *out, unsigned n, unsigned apart, T start) {
  unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = start;
  for (unsigned k = 0; k < n; k++)
    sum += in[me % 4 * apart + k];
  out[me] = sum;
}

// The index starts again from 0 every 256 or 65536 iterations.
template <typename T, typename Index> __global__ void comes_back(const T *in, T *out, int n, T start) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = start;
  for (int k = 0; k < n; k++)
    sum += in[(Index)(k + 3)];
  out[me] = sum;
}

// Adds up as written: the compiler sees one addition at a time.
template <typename T, typename At> static T one_by_one(T start, int n, At at) {
  volatile T sum = start;
  for (int k = 0; k < n; k++)
    sum = sum + at(k);
  return sum;
}

template <typename T> static bool same_bits(T a, T b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

static unsigned state = 4;

static double between(double low, double high) { return low + (high - low) * ((next_random(state) + 0.5) * 0x1p-24); }

enum { KINDS = 20, TO_EDGE = 18 };

// p: bits of a value; tiny: the least normal one.
template <typename T> static T element(int kind, int k, int n, int p, T tiny) {
  switch (kind) {
  case 0: return (T)between(0, 1);
  case 1: return (T)between(-1, 1);
  case 2: return (T)(next_random(state) % 16) / 2;                        // halves
  case 3: return (T)std::ldexp((double)(next_random(state) % 8), -p + 7); // ties near 64
  case 4: return k < n / 2 ? (T)between(0, 1) : (T)between(-1, 0);        // up and down
  case 5: return (T)(k % 2 ? -1.25 : 1.25);                               // to zero again and again
  case 6: return tiny * (T)between(-1, 1);                                // subnormal
  case 7: return (T)std::ldexp(between(-1, 1), (int)(next_random(state) % 60) - 30);
  case 8: return k == n * 3 / 4 ? (T)INFINITY : (T)between(0, 1);
  case 9: return k == n / 3 ? (T)INFINITY : k == n / 2 ? -(T)INFINITY : (T)between(0, 1);
  case 10: return k == n * 2 / 3 ? (T)NAN : (T)between(0, 1);
  case 11: return (T)std::ldexp(1.0, -p) * (T)(k % 3 ? 1 : 2);          // ties and none at 1
  case 12: return k % 1000 == 999 ? (T)-0.0 : (T)between(-1, 0);        // below zero
  case 13: return std::ldexp((T)between(0.5, 1), p == 24 ? 125 : 1021); // overflows
  case 14: return k % 700 == 0 ? (T)-300 : (T)between(0, 1);
  case 15: return (T)-0.0;
  case 16: return (T)std::ldexp((double)(k % 5) - 2, -p); // to and fro at the end of a binade
  case 17: return tiny * (T)std::ldexp(between(-1, 1), (int)(next_random(state) % 30));
  default: {
    // From 64 u above 1 to u above it, then 1.3 u down: as values lie closer below 1, that is not 1.
    const T u = (T)std::ldexp(kind == TO_EDGE ? 1.0 : -1.0, 1 - p);
    return k < 63 ? -u : k == 100 ? u * (T)-1.3 : 0;
  }
  }
}

template <typename T> static void check(const char *form, int kind, int n, T got, T expected) {
  if (same_bits(got, expected))
    return;
  printf("%s, data %d, %d elements: got %a, expected %a\n", form, kind, n, (double)got, (double)expected);
  exit(1);
}

// Launches of a loop have workers that wait for the next one: long sums at a launch get their help.
template <typename T> static void launch_again(const T *in, T *out, int n, T start) {
  for (int i = 0; i < 3; i++)
    same_for_all<<<1, 1>>>(in, out + i, n - i, start);
}

template <typename T> static void test_helped(int p, T tiny) {
  const int n = 26 * 16384 + 77;
  buffer<T> in(n), out(3);
  for (int kind : {0, 1, 3, 4, 9, 14}) {
    for (int k = 0; k < n; k++)
      in[k] = element<T>(kind, k, n, p, tiny);
    in.upload();
    launch_again(in.device, out.device, n, (T)64.0625);
    out.download();
    for (int i = 0; i < 3; i++)
      check("again", kind, n - i, out[i], one_by_one((T)64.0625, n - i, [&](int k) { return in[k]; }));
  }
}

template <typename T> static void test(int block, int p, T tiny) {
  static const int lengths[] = {0, 1, 1023, 4095, 4096, 4097, 4223, 4224, 5119, 6144, 6145, 20011};
  static const double starts[] = {0, 1, -1, 64.0625, -0x1p23, 3e5};
  const int most = 20011, apart = 20100;
  buffer<T> in(4 * apart + 70000), out(2 * block);
  for (int kind = 0; kind < KINDS; kind++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
      const int n = lengths[l], shift = kind >= TO_EDGE ? 0 : (int)(next_random(state) % 50);
      const T edge = (T)((kind == TO_EDGE ? 1 : -1) * (1 + std::ldexp(64.0, 1 - p)));
      const T start = kind >= TO_EDGE ? edge : kind == 6 || kind == 17 ? (T)0 : (T)starts[(kind + l) % 6];
      if (l == 0)
        for (size_t k = 0; k < in.count; k++)
          in[k] = element<T>(kind, (int)(k % most), most, p, tiny);
      if (l == 0)
        in.upload();
      same_for_all<<<2, block>>>(in.device + shift, out.device, n, start);
      out.download();
      const T sum = one_by_one(start, n, [&](int k) { return in[shift + k]; });
      for (size_t i = 0; i < out.count; i++)
        check("the same for all", kind, n, out[i], sum);
      of_one<<<2, block>>>(in.device, out.device, (long long)shift, (long long)shift + n, start);
      out.download();
      check("of one", kind, n, out[0], sum);
      of_each<<<2, block>>>(in.device, out.device, (unsigned)n, (unsigned)apart, start);
      out.download();
      T own[4];
      for (int i = 0; i < 4; i++)
        own[i] = one_by_one(start, n, [&](int k) { return in[i * apart + k]; });
      for (size_t i = 0; i < out.count; i++)
        check("of each", kind, n, out[i], own[i % 4]);
      comes_back<T, unsigned char><<<1, block>>>(in.device, out.device, n, start);
      out.download();
      check("bytes", kind, n, out[0], one_by_one(start, n, [&](int k) { return in[(unsigned char)(k + 3)]; }));
    }
  comes_back<T, unsigned short><<<1, block>>>(in.device, out.device, 70000, (T)0);
  out.download();
  check("halves", KINDS - 1, 70000, out[0],
        one_by_one((T)0, 70000, [&](int k) { return in[(unsigned short)(k + 3)]; }));
}

// The index starts again from 0 after 2^32 - 1: what it reaches is at the two ends of so many elements, of which only these are there,
// in the program's own memory, where the device reaches that.
template <typename T> __global__ void wraps(const T *in, T *out, unsigned n, unsigned from, T start) {
  int me = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = start;
  for (unsigned k = 0; k < n; k++)
    sum += in[from + k];
  out[me] = sum;
}

template <typename T> static void test_wraps(int block) {
  const size_t all = sizeof(T) << 32, part = 1 << 16;
#ifndef __UNWARP__ // where it always does
  int reached = 0;
  CHECK(cudaDeviceGetAttribute(&reached, cudaDevAttrPageableMemoryAccess, 0));
  if (!reached)
    return;
#endif
  void *memory = mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return; // a limit on address space
  char *ends[] = {(char *)memory, (char *)memory + all - part};
  for (char *end : ends)
    if (mprotect(end, part, PROT_READ | PROT_WRITE) != 0)
      return;
  const T *in = (const T *)memory;
  const unsigned count = part / sizeof(T);
  for (unsigned k = 0; k < count; k++) {
    ((T *)ends[0])[k] = (T)between(0, 1);
    ((T *)ends[1])[k] = (T)between(2, 3);
  }
  buffer<T> out(block);
  for (unsigned before : {1u, 1000u, count - 1}) {
    const unsigned from = 0u - before, n = 4096 + before % 1024;
    wraps<<<1, block>>>(in, out.device, n, from, (T)0);
    out.download();
    check("wraps", 0, (int)n, out[0], one_by_one((T)0, (int)n, [&](int k) { return in[from + (unsigned)k]; }));
  }
  munmap(memory, all);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  test<float>(block, 24, 0x1p-126f);
  test<double>(block, 53, 0x1p-1022);
  test_wraps<float>(block);
  test_wraps<double>(block);
  test_helped<float>(24, 0x1p-126f);
  test_helped<double>(53, 0x1p-1022);
  return passed();
}
