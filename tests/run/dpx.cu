// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The DPX functions on words and on pairs of half words, in device and in host code, against plain arithmetic on lanes
// cut out by hand.
#include "check.h"

#include <algorithm>

const int functions = 44;

__host__ __device__ void evaluate(unsigned a, unsigned b, unsigned c, unsigned *to) {
  bool first, high, low;
  int k = 0;
  to[k++] = __vimax3_s32(a, b, c), to[k++] = __vimin3_s32(a, b, c);
  to[k++] = __vimax3_u32(a, b, c), to[k++] = __vimin3_u32(a, b, c);
  to[k++] = __vimax3_s32_relu(a, b, c), to[k++] = __vimin3_s32_relu(a, b, c);
  to[k++] = __vimax_s32_relu(a, b), to[k++] = __vimin_s32_relu(a, b);
  to[k++] = __viaddmax_s32(a, b, c), to[k++] = __viaddmin_s32(a, b, c);
  to[k++] = __viaddmax_u32(a, b, c), to[k++] = __viaddmin_u32(a, b, c);
  to[k++] = __viaddmax_s32_relu(a, b, c), to[k++] = __viaddmin_s32_relu(a, b, c);
  to[k++] = __vibmax_s32(a, b, &first), to[k++] = first;
  to[k++] = __vibmin_s32(a, b, &first), to[k++] = first;
  to[k++] = __vibmax_u32(a, b, &first), to[k++] = first;
  to[k++] = __vibmin_u32(a, b, &first), to[k++] = first;
  to[k++] = __vimax3_s16x2(a, b, c), to[k++] = __vimin3_s16x2(a, b, c);
  to[k++] = __vimax3_u16x2(a, b, c), to[k++] = __vimin3_u16x2(a, b, c);
  to[k++] = __vimax3_s16x2_relu(a, b, c), to[k++] = __vimin3_s16x2_relu(a, b, c);
  to[k++] = __vimax_s16x2_relu(a, b), to[k++] = __vimin_s16x2_relu(a, b);
  to[k++] = __viaddmax_s16x2(a, b, c), to[k++] = __viaddmin_s16x2(a, b, c);
  to[k++] = __viaddmax_u16x2(a, b, c), to[k++] = __viaddmin_u16x2(a, b, c);
  to[k++] = __viaddmax_s16x2_relu(a, b, c), to[k++] = __viaddmin_s16x2_relu(a, b, c);
  to[k++] = __vibmax_s16x2(a, b, &high, &low), to[k++] = high * 2 + low;
  to[k++] = __vibmin_s16x2(a, b, &high, &low), to[k++] = high * 2 + low;
  to[k++] = __vibmax_u16x2(a, b, &high, &low), to[k++] = high * 2 + low;
  to[k++] = __vibmin_u16x2(a, b, &high, &low), to[k++] = high * 2 + low;
}

__global__ void run(const unsigned *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    evaluate(in[i * 3], in[i * 3 + 1], in[i * 3 + 2], out + i * functions);
}

// One lane: 32 or 16 bits, signed or not, in 64 bits.
static long long lane(unsigned word, int bits, bool is_signed, int index) {
  unsigned long long cut = word >> index * 16 & (bits == 32 ? ~0ull : 0xffffull);
  if (is_signed && cut >> (bits - 1))
    return (long long)cut - (1ll << bits);
  return (long long)cut;
}

static void reference(unsigned a, unsigned b, unsigned c, unsigned *to) {
  int k = 0;
  for (int bits = 32; bits >= 16; bits -= 16) {
    auto each = [&](bool is_signed, auto function) {
      unsigned result = 0;
      for (int index = 0; index < 32 / bits; index++) {
        long long value =
            function(lane(a, bits, is_signed, index), lane(b, bits, is_signed, index), lane(c, bits, is_signed, index));
        result |= ((unsigned)value & (bits == 32 ? ~0u : 0xffffu)) << index * 16;
      }
      to[k++] = result;
    };
    auto wrap = [&](bool is_signed, long long value) { return lane((unsigned)value, bits, is_signed, 0); };
    typedef long long ll;
    for (bool sign : {true, false}) {
      each(sign, [](ll x, ll y, ll z) { return std::max({x, y, z}); });
      each(sign, [](ll x, ll y, ll z) { return std::min({x, y, z}); });
    }
    each(true, [](ll x, ll y, ll z) { return std::max({x, y, z, 0ll}); });
    each(true, [](ll x, ll y, ll z) { return std::max(std::min({x, y, z}), 0ll); });
    each(true, [](ll x, ll y, ll) { return std::max({x, y, 0ll}); });
    each(true, [](ll x, ll y, ll) { return std::max(std::min(x, y), 0ll); });
    for (bool sign : {true, false}) {
      each(sign, [&](ll x, ll y, ll z) { return std::max(wrap(sign, x + y), z); });
      each(sign, [&](ll x, ll y, ll z) { return std::min(wrap(sign, x + y), z); });
    }
    each(true, [&](ll x, ll y, ll z) { return std::max({wrap(true, x + y), z, 0ll}); });
    each(true, [&](ll x, ll y, ll z) { return std::max(std::min(wrap(true, x + y), z), 0ll); });
    for (bool sign : {true, false})
      for (bool most : {true, false}) {
        unsigned taken = 0;
        for (int index = 0; index < 32 / bits; index++) {
          ll x = lane(a, bits, sign, index), y = lane(b, bits, sign, index);
          taken |= (unsigned)(most ? x >= y : x <= y) << index;
        }
        each(sign, [&](ll x, ll y, ll) { return most ? std::max(x, y) : std::min(x, y); });
        to[k++] = taken;
      }
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 3000;
  buffer<unsigned> in(n * 3), out(n * functions);
  const unsigned corners[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x8000, 0x7fff, 0xffff0000, 0x80008000};
  unsigned state = 3;
  for (int i = 0; i < n * 3; i++)
    in[i] =
        next_random(state) % 3 == 0 ? corners[next_random(state) % 9] : next_random(state) << 8 ^ next_random(state);
  in.upload();
  run<<<blocks_for(n, block), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < n; i++) {
    unsigned expected[functions], on_host[functions];
    reference(in[i * 3], in[i * 3 + 1], in[i * 3 + 2], expected);
    evaluate(in[i * 3], in[i * 3 + 1], in[i * 3 + 2], on_host);
    for (int k = 0; k < functions; k++) {
      expect(i * 100 + k, out[i * functions + k], expected[k]);
      expect(i * 100 + k, on_host[k], expected[k]);
    }
  }
  return passed();
}
