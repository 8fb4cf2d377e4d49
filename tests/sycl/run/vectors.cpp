// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vec with swizzles, marray, half and bfloat16; in kernels, against the host's plain arithmetic.
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

static void arithmetic(queue &q) {
  float4 *v = malloc_shared<float4>(8, q);
  int4 *w = malloc_shared<int4>(8, q);
  q.single_task([=] {
     float4 a(1, 2, 3, 4), b{0.5f};
     v[0] = a + b;
     v[1] = 2.0f * a - b / 4;
     v[2] = a;
     v[2] *= a;
     v[3] = float4(a.lo(), b.hi());
     v[3].zw() = a.xy();
     v[4] = a.wzyx();
     v[4].x() += 10;
     v[5] = float4(float3(7, 8, 9), 1.0f);
     v[5].y()++;
     v[6] = a.swizzle<elem::s0, elem::s0, elem::s3, elem::s3>() + a.even().x();
     v[7] = float4(a.odd(), -a.xy());
     w[0] = a < float4(2.5f);
     w[1] = (a * 10).convert<int>() % 7;
     w[2] = int4(1, 2, 3, 4) << 2 | 1;
     w[3] = ~w[2];
     w[4] = int4(-1, 5, -7, 9) / 2;
     w[5] = !int4(0, 1, 0, 2);
     w[6] = int4(1, 0, 1, 0) && int4(1, 1, 0, 0);
     w[7] = a.as<int4>();
   }).wait();
  auto is = [](auto got, auto x, auto y, auto z, auto t) {
    return got[0] == x && got[1] == y && got[2] == z && got[3] == t;
  };
  CHECK(is(v[0], 1.5f, 2.5f, 3.5f, 4.5f));
  CHECK(is(v[1], 1.875f, 3.875f, 5.875f, 7.875f));
  CHECK(is(v[2], 1, 4, 9, 16));
  CHECK(is(v[3], 1, 2, 1, 2));
  CHECK(is(v[4], 14, 3, 2, 1));
  CHECK(is(v[5], 7, 9, 9, 1));
  CHECK(is(v[6], 2, 2, 5, 5));
  CHECK(is(v[7], 2, 4, -1, -2));
  CHECK(is(w[0], -1, -1, 0, 0));
  CHECK(is(w[1], 3, 6, 2, 5));
  CHECK(is(w[2], 5, 9, 13, 17));
  CHECK(is(w[3], -6, -10, -14, -18));
  CHECK(is(w[4], 0, 2, -3, 4));
  CHECK(is(w[5], -1, 0, -1, 0));
  CHECK(is(w[6], -1, 0, 0, 0));
  CHECK(is(w[7], 0x3f800000, 0x40000000, 0x40400000, 0x40800000));
  static_assert(sizeof(float3) == 16 && alignof(float4) == 16 && sizeof(double2) == 16 && sizeof(char16) == 16);
  static_assert(float8::size() == 8 && std::is_same_v<uint4::element_type, std::uint32_t>);
  sycl::free(v, q);
  sycl::free(w, q);
}

static void memory(queue &q) {
  const int n = 256;
  float *data = malloc_shared<float>(4 * n, q);
  for (int i = 0; i < 4 * n; i++)
    data[i] = float(i);
  q.parallel_for(n, [=](id<1> i) {
     float4 v;
     v.load(i, static_cast<const float *>(data));
     v = v * v.x();
     v.store(i, global_ptr<float>(data));
   }).wait();
  bool good = true;
  for (int i = 0; i < 4 * n; i++)
    good &= data[i] == float(i) * float(i / 4 * 4);
  CHECK(good);
  double3 *points = malloc_shared<double3>(n, q);
  q.parallel_for(n, [=](id<1> i) {
     double3 p(double(i), 1, 2);
     points[i] = cross(p, double3(0, 0, 1)) + dot(p, p);
   }).wait();
  for (int i = 0; i < n; i++) {
    const double d = double(i) * i + 5;
    CHECK(points[i].x() == 1 + d && points[i].y() == -i + d && points[i].z() == d);
  }
  vec<int, 1> one(5);
  int plain = one;
  CHECK(plain == 5 && (float4(1.5f, -1.5f, 2.5f, 3.5f).convert<int, rounding_mode::rte>())[2] == 2 &&
        (float4(1.5f, -1.5f, 2.5f, 3.5f).convert<int, rounding_mode::rtn>())[1] == -2 &&
        (float4(1.5f, -1.5f, 2.5f, 3.5f).convert<int, rounding_mode::rtp>())[0] == 2);
  sycl::free(data, q);
  sycl::free(points, q);
}

static void arrays(queue &q) {
  float *out = malloc_shared<float>(8, q);
  q.single_task([=] {
     marray<float, 5> a(1, 2, 3, 4, 5), b(2.0f);
     a = a * b + 1.0f;
     a += b;
     mint3 c{1, 2, 3};
     marray<bool, 3> big = c > 1;
     for (int i = 0; i < 5; i++)
       out[i] = a[i];
     out[5] = float(big[0] + 2 * big[1] + 4 * big[2]);
     out[6] = float((-c)[2]);
     out[7] = sqrt(mfloat4(4, 9, 16, 25))[2];
   }).wait();
  const float wanted[] = {5, 7, 9, 11, 13, 6, -3, 4};
  CHECK_SAME(out, wanted, 8);
  sycl::free(out, q);
}

static void halves(queue &q) {
  const int n = 512;
  half *a = malloc_shared<half>(n, q), *b = malloc_shared<half>(n, q);
  float *c = malloc_shared<float>(n, q);
  for (int i = 0; i < n; i++)
    a[i] = half(i * 0.25f);
  q.parallel_for(n, [=](id<1> i) {
     half x = a[i];
     b[i] = x * half(2) + half(1);
     half2 two(x, half(1));
     two = two + two;
     c[i] = float(two.x()) + float(sycl::sqrt(x));
   }).wait();
  bool good = true;
  for (int i = 0; i < n; i++) {
    good &= float(b[i]) == float(half(i * 0.5f + 1));
    good &= c[i] == float(half(i * 0.5f)) + float(half(std::sqrt(i * 0.25f)));
  }
  CHECK(good);
  CHECK(std::numeric_limits<half>::max() == half(65504.0f));
  using ext::oneapi::bfloat16;
  bfloat16 *d = malloc_shared<bfloat16>(n, q);
  q.parallel_for(n, [=](id<1> i) {
     bfloat16 x = float(i);
     d[i] = x * bfloat16(2.0f) + 1;
   }).wait();
  CHECK(float(d[3]) == 7 && float(d[100]) == 201.0f && float(d[300]) == 600.0f && float(bfloat16(1.00390625f)) == 1.0f);
  for (void *each : {static_cast<void *>(a), static_cast<void *>(b), static_cast<void *>(c), static_cast<void *>(d)})
    sycl::free(each, q);
}

int main() {
  queue q;
  arithmetic(q);
  memory(q);
  arrays(q);
  halves(q);
  return report();
}
