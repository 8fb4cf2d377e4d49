/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Integer, cast, conversion, rounding, fast-math and packed intrinsics.
 */
__global__ void integers(int *i, unsigned *u, long long *l, unsigned long long *ull, char4 *c, uchar4 *uc, short2 *s,
                         ushort2 *us) {
  i[0] = __popc(u[0]) + __popcll(ull[0]) + __clz(i[1]) + __clzll(l[1]) + __ffs(i[1]) + __ffsll(l[1]) + __clz(u[1]);
  u[0] = __brev(u[1]) + __byte_perm(u[1], u[2], 0x5410) + __umul24(u[1], u[2]) + __umulhi(u[1], u[2]) +
         __usad(u[1], u[2], u[3]) + __sad(i[1], i[2], u[3]) + __uhadd(u[1], u[2]) + __urhadd(u[1], u[2]);
  ull[0] = __brevll(ull[1]) + __umul64hi(ull[1], ull[2]) + mul64hi(ull[1], ull[2]);
  l[0] = __mul64hi(l[1], l[2]);
  i[1] = __mul24(i[1], i[2]) + __mulhi(i[1], i[2]) + __hadd(i[1], i[2]) + __rhadd(i[1], i[2]) + mul24(i[1], i[2]) +
         mulhi(i[1], i[2]);
  u[1] = __funnelshift_l(u[1], u[2], u[3]) + __funnelshift_lc(u[1], u[2], u[3]) + __funnelshift_r(u[1], u[2], u[3]) +
         __funnelshift_rc(u[1], u[2], u[3]) + umul24(u[1], u[2]);
  i[2] = __dp4a(i[1], i[2], i[3]) + __dp4a(c[1], c[2], i[3]) + __dp2a_lo(i[1], i[2], i[3]) +
         __dp2a_hi(i[1], i[2], i[3]) + __dp2a_lo(s[1], c[2], i[3]) + __dp2a_hi(s[1], c[2], i[3]);
  u[2] = __dp4a(u[1], u[2], u[3]) + __dp4a(uc[1], uc[2], u[3]) + __dp2a_lo(u[1], u[2], u[3]) +
         __dp2a_hi(u[1], u[2], u[3]) + __dp2a_lo(us[1], uc[2], u[3]) + __dp2a_hi(us[1], uc[2], u[3]);
}

__global__ void casts(int *i, unsigned *u, long long *l, float *f, double *d) {
  i[0] = __float_as_int(f[0]) + __double2hiint(d[0]) + __double2loint(d[0]) + float2int(f[0]);
  u[0] = __float_as_uint(f[0]);
  f[0] = __int_as_float(i[1]) + __uint_as_float(u[1]);
  l[0] = __double_as_longlong(d[0]);
  d[0] = __longlong_as_double(l[1]) + __hiloint2double(i[1], i[2]) + __int2double_rn(i[1]) + __uint2double_rn(u[1]);
}

#define MODES(name, ...)                                                                                               \
  (name##_rn(__VA_ARGS__) + name##_rz(__VA_ARGS__) + name##_ru(__VA_ARGS__) + name##_rd(__VA_ARGS__))
__global__ void conversions(int *i, unsigned *u, long long *l, unsigned long long *ull, float *f, double *d) {
  i[0] = MODES(__float2int, f[0]) + MODES(__double2int, d[0]);
  u[0] = MODES(__float2uint, f[0]) + MODES(__double2uint, d[0]);
  l[0] = MODES(__float2ll, f[0]) + MODES(__double2ll, d[0]);
  ull[0] = MODES(__float2ull, f[0]) + MODES(__double2ull, d[0]);
  f[0] = MODES(__double2float, d[0]) + MODES(__int2float, i[0]) + MODES(__uint2float, u[0]) + MODES(__ll2float, l[0]) +
         MODES(__ull2float, ull[0]);
  d[0] = MODES(__ll2double, l[0]) + MODES(__ull2double, ull[0]);
}
__global__ void rounded(float *f, double *d) {
  f[0] = MODES(__fadd, f[1], f[2]) + MODES(__fsub, f[1], f[2]) + MODES(__fmul, f[1], f[2]) + MODES(__fdiv, f[1], f[2]) +
         MODES(__frcp, f[1]) + MODES(__fsqrt, f[1]) + MODES(__fmaf, f[1], f[2], f[3]) + __frsqrt_rn(f[1]);
  d[0] = MODES(__dadd, d[1], d[2]) + MODES(__dsub, d[1], d[2]) + MODES(__dmul, d[1], d[2]) + MODES(__ddiv, d[1], d[2]) +
         MODES(__drcp, d[1]) + MODES(__dsqrt, d[1]) + MODES(__fma, d[1], d[2], d[3]);
}
__global__ void fast(float *f, int *i, double *d) {
  f[0] = __sinf(f[1]) + __cosf(f[1]) + __tanf(f[1]) + __expf(f[1]) + __exp10f(f[1]) + __logf(f[1]) + __log2f(f[1]) +
         __log10f(f[1]) + __powf(f[1], f[2]) + __fdividef(f[1], f[2]) + __saturatef(f[1]) + saturate(f[2]);
  __sincosf(f[0], f + 1, f + 2);
  i[0] = __finitef(f[0]) + __isnanf(f[0]) + __isinff(f[0]) + __signbitf(f[0]) + __isnan(d[0]) + __isinf(d[0]) +
         __finite(d[0]) + __signbitd(d[0]);
}
__global__ void packed(unsigned *u) {
  int n = 0;
#define BOTH(name) u[n++] = name##2(u[1], u[2]) + name##4(u[1], u[2]);
#define UNARY(name) u[n++] = name##2(u[1]) + name##4(u[1]);
  // clang-format off
  BOTH(__vadd)
  BOTH(__vaddss) BOTH(__vaddus) BOTH(__vsub) BOTH(__vsubss) BOTH(__vsubus) BOTH(__vavgs) BOTH(__vavgu) BOTH(__vhaddu)
      BOTH(__vmaxs) BOTH(__vmaxu) BOTH(__vmins) BOTH(__vminu) BOTH(__vabsdiffs) BOTH(__vabsdiffu) BOTH(__vsads)
          BOTH(__vsadu) UNARY(__vabs) UNARY(__vabsss) UNARY(__vneg) UNARY(__vnegss) BOTH(__vcmpeq) BOTH(__vcmpne)
              BOTH(__vcmpges) BOTH(__vcmpgeu) BOTH(__vcmpgts) BOTH(__vcmpgtu) BOTH(__vcmples) BOTH(__vcmpleu)
                  BOTH(__vcmplts) BOTH(__vcmpltu) BOTH(__vseteq) BOTH(__vsetne) BOTH(__vsetges) BOTH(__vsetgeu)
                      BOTH(__vsetgts) BOTH(__vsetgtu) BOTH(__vsetles) BOTH(__vsetleu) BOTH(__vsetlts) BOTH(__vsetltu)
  // clang-format on
}
int main() { return 0; }
