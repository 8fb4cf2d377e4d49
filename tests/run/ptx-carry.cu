// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: carry chains of 128 and 256 bits, in one asm, in several, and in small functions of one asm each.
#include "check.h"

struct wide {
  unsigned word[8];
};

__device__ __forceinline__ unsigned add_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned addc_cc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
__device__ unsigned addc(unsigned a, unsigned b) {
  unsigned r;
  asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
  return r;
}
// The chain goes through a helper of the helper, and through a loop.
__device__ unsigned next_limb(unsigned a, unsigned b) { return addc_cc(a, b); }
__device__ unsigned add_wide(wide &r, const wide &a, const wide &b) {
  r.word[0] = add_cc(a.word[0], b.word[0]);
  for (int i = 1; i < 8; i++)
    r.word[i] = next_limb(a.word[i], b.word[i]);
  return addc(0, 0);
}

__device__ unsigned sub_wide(wide &r, const wide &a, const wide &b) {
  unsigned borrow;
  asm("sub.cc.u32 %0, %9, %17;\n\t"
      "subc.cc.u32 %1, %10, %18;\n\t"
      "subc.cc.u32 %2, %11, %19;\n\t"
      "subc.cc.u32 %3, %12, %20;\n\t"
      "subc.cc.u32 %4, %13, %21;\n\t"
      "subc.cc.u32 %5, %14, %22;\n\t"
      "subc.cc.u32 %6, %15, %23;\n\t"
      "subc.cc.u32 %7, %16, %24;\n\t"
      "subc.u32 %8, 0, 0;\n\t"
      : "=r"(r.word[0]), "=r"(r.word[1]), "=r"(r.word[2]), "=r"(r.word[3]), "=r"(r.word[4]), "=r"(r.word[5]),
        "=r"(r.word[6]), "=r"(r.word[7]), "=r"(borrow)
      : "r"(a.word[0]), "r"(a.word[1]), "r"(a.word[2]), "r"(a.word[3]), "r"(a.word[4]), "r"(a.word[5]), "r"(a.word[6]),
        "r"(a.word[7]), "r"(b.word[0]), "r"(b.word[1]), "r"(b.word[2]), "r"(b.word[3]), "r"(b.word[4]), "r"(b.word[5]),
        "r"(b.word[6]), "r"(b.word[7]));
  return borrow;
}

// 64 x 64 bits to 128 by products of 32 bits, as bignum code does it, with mad and madc.
__device__ void multiply(unsigned r[4], unsigned long long x, unsigned long long y) {
  unsigned a0 = (unsigned)x, a1 = (unsigned)(x >> 32), b0 = (unsigned)y, b1 = (unsigned)(y >> 32);
  asm("{\n\t"
      "mul.lo.u32 %0, %4, %6;\n\t"
      "mul.hi.u32 %1, %4, %6;\n\t"
      "mad.lo.cc.u32 %1, %4, %7, %1;\n\t"
      "madc.hi.u32 %2, %4, %7, 0;\n\t"
      "mad.lo.cc.u32 %1, %5, %6, %1;\n\t"
      "madc.hi.cc.u32 %2, %5, %6, %2;\n\t"
      "madc.hi.u32 %3, %5, %7, 0;\n\t"
      "mad.lo.cc.u32 %2, %5, %7, %2;\n\t"
      "addc.u32 %3, %3, 0;\n\t"
      "}"
      : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3])
      : "r"(a0), "r"(a1), "r"(b0), "r"(b1));
}

__global__ void run(const wide *a, const wide *b, wide *sum, wide *difference, unsigned *carries, uint4 *products,
                    ulonglong2 *longs, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  carries[2 * i] = add_wide(sum[i], a[i], b[i]);
  carries[2 * i + 1] = sub_wide(difference[i], a[i], b[i]);
  unsigned long long x = (unsigned long long)a[i].word[1] << 32 | a[i].word[0];
  unsigned long long y = (unsigned long long)b[i].word[1] << 32 | b[i].word[0], low, high;
  unsigned r[4];
  multiply(r, x, y);
  products[i] = make_uint4(r[0], r[1], r[2], r[3]);
  asm("add.cc.u64 %0, %2, %3; addc.u64 %1, %4, %5;" : "=l"(low), "=l"(high) : "l"(x), "l"(y), "l"(x), "l"(~y));
  longs[i] = make_ulonglong2(low, high);
}

int main(int argc, char **argv) {
  const int n = 700;
  int block = block_size(argc, argv);
  buffer<wide> a(n), b(n), sum(n), difference(n);
  buffer<unsigned> carries(2 * n);
  buffer<uint4> products(n);
  buffer<ulonglong2> longs(n);
  unsigned state = 3;
  for (int i = 0; i < n; i++)
    for (int w = 0; w < 8; w++) { // all ones and zero often, so that carries run far
      unsigned kind = next_random(state) % 4;
      a[i].word[w] = kind == 0 ? 0xffffffffu : kind == 1 ? 0 : next_random(state) * 2654435761u;
      b[i].word[w] = kind == 2 ? a[i].word[w] : kind == 0 ? next_random(state) % 2 : next_random(state) * 40503u;
    }
  a.upload();
  b.upload();
  run<<<blocks_for(n, block), block>>>(a.device, b.device, sum.device, difference.device, carries.device,
                                       products.device, longs.device, n);
  sum.download();
  difference.download();
  carries.download();
  products.download();
  longs.download();
  for (int i = 0; i < n; i++) {
    unsigned long long carry = 0, borrow = 0;
    for (int w = 0; w < 8; w++) {
      unsigned long long total = (unsigned long long)a[i].word[w] + b[i].word[w] + carry;
      carry = total >> 32;
      expect(i, sum[i].word[w], (unsigned)total);
      unsigned long long rest = (unsigned long long)a[i].word[w] - b[i].word[w] - borrow;
      borrow = rest >> 63;
      expect(i, difference[i].word[w], (unsigned)rest);
    }
    expect(i, carries[2 * i], (unsigned)carry);
    expect(i, carries[2 * i + 1], borrow ? 0xffffffffu : 0u);
    unsigned long long x = (unsigned long long)a[i].word[1] << 32 | a[i].word[0];
    unsigned long long y = (unsigned long long)b[i].word[1] << 32 | b[i].word[0];
    unsigned __int128 product = (unsigned __int128)x * y, total = (unsigned __int128)x + y;
    expect(i, products[i].x, (unsigned)product);
    expect(i, products[i].y, (unsigned)(product >> 32));
    expect(i, products[i].z, (unsigned)(product >> 64));
    expect(i, products[i].w, (unsigned)(product >> 96));
    expect(i, longs[i].x, (unsigned long long)total);
    expect(i, longs[i].y, x + ~y + (unsigned long long)(total >> 64));
  }
  return passed();
}
