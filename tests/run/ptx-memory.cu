// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX: loads and stores of all widths, vectors, cache hints, shared addresses in 64 and in 32 bits, atomics, copies.
#include "check.h"

struct record {
  signed char byte;
  unsigned short half;
  float number;
  double real;
  unsigned long long total;
};

__global__ void widths(const record *in, record *out, uint4 *vectors, int *wide, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const record *from = in + i;
  record *to = out + i;
  int extended;
  unsigned byte;
  unsigned short half;
  float number;
  double real;
  unsigned long long total;
  asm volatile("ld.global.s8 %0, [%1];" : "=r"(extended) : "l"(&from->byte));
  asm volatile("ld.global.nc.u8 %0, [%1];" : "=r"(byte) : "l"(&from->byte));
  asm volatile("ld.global.ca.u16 %0, [%1+%2];" : "=h"(half) : "l"(from), "n"(offsetof(record, half)));
  asm volatile("cp.async.wait_group %0;" : : "n"((unsigned char)0)); // a constant of any type
  asm("ld.global.cg.L2::128B.f32 %0, [%1];" : "=f"(number) : "l"(&from->number) : "memory");
  asm volatile("ld.volatile.f64 %0, [%1];" : "=d"(real) : "l"(&from->real));
  asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(total) : "l"(&from->total) : "memory");
  wide[2 * i] = extended;
  wide[2 * i + 1] = (int)byte;
  asm volatile("st.global.u8 [%0], %1;" ::"l"(&to->byte), "r"(byte) : "memory");
  asm volatile("st.global.wt.u16 [%0], %1;" ::"l"(&to->half), "h"(half) : "memory");
  asm volatile("st.global.cs.f32 [%0+-4], %1;" ::"l"(&to->number + 1), "f"(number) : "memory");
  asm volatile("st.f64 [%0], %1;" ::"l"(&to->real), "d"(real) : "memory");
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(&to->total), "l"(total) : "memory");
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(vectors + i));
  asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(vectors + i), "r"(v.w), "r"(v.z) : "memory");
  asm volatile("{ .reg .b64 to; cvta.to.global.u64 to, %0; st.global.v2.u32 [to+8], {%1, 7}; }" ::"l"(vectors + i),
               "r"(v.x)
               : "memory");
}

// Addresses of shared memory in 32 bits, as code for cp.async and ldmatrix has them: static and dynamic arrays, across a barrier.
__global__ void shared(const int *in, int *out, int n) {
  __shared__ int first[256];
  __shared__ alignas(16) int second[256];
  extern __shared__ int third[];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (t < 256) {
    unsigned at = (unsigned)__cvta_generic_to_shared(&first[t]), other, read;
    size_t at64 = __cvta_generic_to_shared(&second[t]);
    unsigned to_third = (unsigned)__cvta_generic_to_shared(third) + 4 * t;
    int value = i < n ? in[i] : -1;
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
    asm volatile("st.shared.u32 [%0], %1;" ::"l"(at64), "r"(value + 1) : "memory");
    asm volatile("{ .reg .u64 a; .reg .u32 b; cvta.to.shared.u64 a, %1; cvt.u32.u64 b, a; mov.u32 %0, b; }"
                 : "=r"(other)
                 : "l"(&first[t]));
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(to_third), "r"((unsigned)(other == at)) : "memory");
    unsigned dynamic_bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic_bytes));
    asm volatile("bar.sync 0;" ::: "memory");
    int back = blockDim.x < 256 ? blockDim.x - 1 - t : 255 - t;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(read) : "r"((unsigned)__cvta_generic_to_shared(first) + 4u * back));
    int *generic;
    asm volatile("{ .reg .u64 a; cvt.u64.u32 a, %1; cvta.shared.u64 %0, a; }"
                 : "=l"(generic)
                 : "r"(to_third - 4 * t + 4 * back));
    if (i < n)
      out[i] = (int)read * 10 + second[back] - first[back] + *generic + (*generic == third[back]) + dynamic_bytes;
  }
}

__global__ void atomics(int *cells, unsigned long long *total, float *sum, unsigned *old, int n) {
  __shared__ unsigned count;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    count = 0;
  asm volatile("barrier.sync.aligned 1;");
  unsigned before;
  unsigned at = (unsigned)__cvta_generic_to_shared(&count);
  asm volatile("atom.shared.add.u32 %0, [%1], 1;" : "=r"(before) : "r"(at) : "memory");
  asm volatile("bar.sync 0;");
  if (i >= n)
    return;
  old[i] = count + (before < count);
  int seen;
  asm volatile("red.global.add.s32 [%0], %1;" ::"l"(&cells[0]), "r"(i) : "memory");
  asm volatile("atom.global.max.s32 %0, [%1], %2;" : "=r"(seen) : "l"(&cells[1]), "r"(i - 50) : "memory");
  asm volatile("red.min.s32 [%0], %1;" ::"l"(&cells[2]), "r"(i - 50) : "memory");
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(&cells[3]), "r"(1 << (i % 31)) : "memory");
  asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], 9;" : "=r"(seen) : "l"(&cells[4]) : "memory");
  asm volatile("atom.global.add.u64 %0, [%1], %2;"
               : "=l"(*(unsigned long long *)(total + 2 + i))
               : "l"(total), "l"(1ull << 33)
               : "memory");
  asm volatile("red.add.f32 [%0], %1;" ::"l"(sum), "f"(0.5f) : "memory");
  do { // an increment by compare and swap
    asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(before) : "l"(&cells[5]) : "memory");
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(seen)
                 : "l"(&cells[5]), "r"(before), "r"(before + 3)
                 : "memory");
  } while (seen != (int)before);
  asm volatile("fence.acq_rel.gpu; membar.gl;" ::: "memory");
  asm volatile("prefetch.global.L2 [%0];" ::"l"(cells));
}

__global__ void copies(const int4 *in, int4 *out, int n) {
  __shared__ int4 tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&tile[t & 255]);
  if (i < n && t < 256) {
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to), "l"(in + i) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory"); // copies to one address have no order
    if (i % 3 == 0)
      asm volatile("cp.async.ca.shared::cta.global [%0], [%1], 8, %2;" ::"r"(to), "l"(in + 1), "r"(i / 3 % 3 * 4)
                   : "memory");
    if (i % 3 == 1)
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p; }" ::"r"(to),
                   "l"(i / 3 % 2 ? nullptr : in + 2), "r"(i / 3 % 2)
                   : "memory");
    if (i % 3 == 2)
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 4, !p; }" ::"r"(to),
                   "l"(in + 3), "r"(i / 3 % 2)
                   : "memory");
  }
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  if (i < n && t < 256)
    out[i] = tile[t];
}

int main(int argc, char **argv) {
  const int n = 600;
  int block = block_size(argc, argv), blocks = blocks_for(n, block);
  buffer<record> in(n), out(n);
  buffer<uint4> vectors(n);
  buffer<int> wide(2 * n), values(n), mixed(n), cells(6);
  buffer<unsigned long long> total(n + 2);
  buffer<float> sum(1);
  buffer<unsigned> old(n);
  buffer<int4> from(n), to(n);
  for (int i = 0; i < n; i++) {
    in[i].byte = (signed char)(i * 37);
    in[i].half = (unsigned short)(i * 977);
    in[i].number = i * 0.25f;
    in[i].real = i / 3.0;
    in[i].total = i * 0x123456789abcull;
    vectors[i] = make_uint4(i, i + 1, i + 2, i + 3);
    values[i] = i * 7 - 100;
    from[i] = make_int4(i, -i, 2 * i, 5);
  }
  in.upload(), vectors.upload(), values.upload(), cells.upload(), total.upload(), sum.upload(), from.upload();
  widths<<<blocks, block>>>(in.device, out.device, vectors.device, wide.device, n);
  shared<<<blocks, block, 1024>>>(values.device, mixed.device, n);
  atomics<<<blocks, block>>>(cells.device, total.device, sum.device, old.device, n);
  copies<<<blocks, block>>>(from.device, to.device, n);
  out.download(), vectors.download(), wide.download(), mixed.download(), cells.download(), total.download();
  sum.download(), old.download(), to.download();
  int bits = 0;
  for (int i = 0; i < n; i++) {
    expect(i, wide[2 * i], (int)in[i].byte);
    expect(i, wide[2 * i + 1], (int)(unsigned char)in[i].byte);
    expect(i, out[i].byte, in[i].byte);
    expect(i, (int)out[i].half, (int)in[i].half);
    expect(i, out[i].number, in[i].number);
    expect(i, out[i].real, in[i].real);
    expect(i, out[i].total, in[i].total);
    expect(i, vectors[i].x, (unsigned)i + 3);
    expect(i, vectors[i].y, (unsigned)i + 2);
    expect(i, vectors[i].z, (unsigned)i);
    expect(i, vectors[i].w, 7u);
    int t = i % block, back = i / block * block + (block < 256 ? block : 256) - 1 - t;
    expect(i, mixed[i], (back < n ? values[back] : -1) * 10 + 3 + 1024);
    expect(i, old[i], (unsigned)block + 1);
    bits |= 1 << (i % 31);
    int4 copy = from[i];
    if (i % 3 == 0)
      copy.x = i / 3 % 3 ? from[1].x : 0, copy.y = i / 3 % 3 == 2 ? from[1].y : 0;
    if (i % 3 == 1)
      copy = i / 3 % 2 ? make_int4(0, 0, 0, 0) : from[2];
    if (i % 3 == 2)
      copy.x = i / 3 % 2 ? from[3].x : 0;
    expect(i, to[i].x, copy.x);
    expect(i, to[i].y, copy.y);
    expect(i, to[i].z, copy.z);
    expect(i, to[i].w, copy.w);
  }
  expect(0, cells[0], n * (n - 1) / 2);
  expect(1, cells[1], n - 51);
  expect(2, cells[2], -50);
  expect(3, cells[3], bits);
  expect(4, cells[4], n % 10);
  expect(5, cells[5], 3 * n);
  expect(6, total[0], (unsigned long long)n << 33);
  expect(7, sum[0], n * 0.5f);
  return passed();
}
