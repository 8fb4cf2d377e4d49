/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA's own mathematical functions, min and max in host code.
 */
static int failures;
#define NEAR(expression, expected)                                                                                     \
  if (!(fabs((double)(expression) - (expected)) <= 1e-6 * fabs(expected)) && ++failures)                               \
  printf("  %s = %.9g, not %.9g\n", #expression, (double)(expression), (double)(expected))
#define EXACT(expression, expected)                                                                                    \
  if ((expression) != (expected) && ++failures)                                                                        \
  printf("  %s = %g, not %g\n", #expression, (double)(expression), (double)(expected))

int main() {
  double s, c;
  float sf, cf;
  const double v[3] = {2, 3, 6};
  const float vf[3] = {2, 3, 6};
  NEAR(rsqrt(4.0), 0.5);
  NEAR(rsqrtf(4.0f), 0.5);
  NEAR(rsqrt(16), 0.25);
  NEAR(rcbrt(8.0), 0.5);
  NEAR(rcbrtf(8.0f), 0.5);
  NEAR(sinpi(0.5), 1.0);
  NEAR(cospif(1.0f), -1.0);
  NEAR(erfinv(0.5), 0.476936276204469873);
  NEAR(erfinv(0.5f), 0.476936276204469873);
  NEAR(erfcinv(0.1), 1.163087153676674);
  NEAR(erfcx(2.0), 0.255395676310505738);
  NEAR(normcdf(1.0), 0.841344746068542949);
  NEAR(normcdff(1.0f), 0.841344746068542949);
  NEAR(normcdfinv(0.975), 1.95996398454005424);
  NEAR(cyl_bessel_i0(1.0), 1.26606587775200834);
  NEAR(cyl_bessel_i1f(1.0f), 0.565159103992485027);
  NEAR(norm3d(2, 3, 6), 7.0);
  NEAR(rnorm3d(2, 3, 6), 1.0 / 7);
  NEAR(norm4df(1, 1, 1, 1), 2.0);
  NEAR(rnorm4df(1, 1, 1, 1), 0.5);
  NEAR(norm(3, v), 7.0);
  NEAR(rnormf(3, vf), 1.0 / 7);
  NEAR(rhypot(3.0, 4.0), 0.2);
  NEAR(rhypotf(3.0f, 4.0f), 0.2);
  NEAR(exp10(2.0f), 100.0);
  sincospi(0.25, &s, &c), sincospif(0.25f, &sf, &cf);
  NEAR(s / c, 1.0);
  NEAR(sf / cf, 1.0);
  sincos(1.0f, &sf, &cf);
  NEAR(sf * sf + cf * cf, 1.0);
  EXACT(min(-1, 2), -1);
  EXACT(min(-1, 2u), 2u); /* the usual arithmetic conversions make -1 the largest unsigned */
  EXACT(max(3, 2.5f), 3.0f);
  EXACT(max(NAN, 1.0), 1.0);
  EXACT(min(1l, 2ll), 1ll);
  EXACT(max((short)1, 'a'), 'a');
  EXACT(umax(1u, 2u), 2u);
  EXACT(fdividef(1.0f, 4.0f), 0.25f);
  return failures != 0;
}
