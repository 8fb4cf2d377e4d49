// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SYCL 1.2.1's image and sampler: channels in each order and of each type, by their bytes in memory; samplers that a kernel gives; images in arrays;
// accessors of the host; pitches and write-back.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;
using order = image_channel_order;
using type = image_channel_type;

static bool close(float a, float b) { return std::fabs(a - b) < 1e-5f; }

// A pixel that a kernel writes: its bytes, and what a kernel reads of it.
template <class V, class C, std::size_t N>
static void pixel(queue &q, int line, order in, type of, V color, const C (&bytes)[N], V back) {
  C memory[N] = {};
  V seen = back, *out = malloc_shared<V>(1, q);
  {
    image<1> one(memory, in, of, range<1>(1));
    check_at(line, one.get_size() == sizeof memory && one.get_count() == 1, "the size of a pixel");
    q.submit([&](handler &h) {
      auto to = one.get_access<V, access::mode::write>(h);
      h.single_task([=] { to.write(0, color); });
    });
    q.submit([&](handler &h) {
      accessor<V, 1, access::mode::read, access::target::image> from(one, h);
      h.single_task([=] { *out = from.read(0); });
    });
    seen = *out;
  }
  for (std::size_t i = 0; i < N; i++)
    if (!check_at(line, memory[i] == bytes[i], "a channel in memory"))
      std::printf("channel %zu is %g\n", i, double(memory[i]));
  for (int i = 0; i < 4; i++)
    if (!check_at(line, close(float(seen[i]), float(back[i])), "a channel that is read"))
      std::printf("channel %d is %g\n", i, double(seen[i]));
  sycl::free(out, q);
}
#define PIXEL(...) pixel(q, __LINE__, __VA_ARGS__)

static void pixels(queue &q) {
  using byte_list = std::uint8_t;
  const float4 color(1.0f, 0.6f, 0.2f, 0.4f);
  PIXEL(order::rgba, type::unorm_int8, color, (const byte_list[]){255, 153, 51, 102}, color);
  PIXEL(order::argb, type::unorm_int8, color, (const byte_list[]){102, 255, 153, 51}, color);
  PIXEL(order::bgra, type::unorm_int8, color, (const byte_list[]){51, 153, 255, 102}, color);
  PIXEL(order::abgr, type::unorm_int8, color, (const byte_list[]){102, 51, 153, 255}, color);
  PIXEL(order::r, type::unorm_int8, color, (const byte_list[]){255}, float4(1, 0, 0, 1));
  PIXEL(order::a, type::unorm_int8, color, (const byte_list[]){102}, float4(0, 0, 0, 0.4f));
  PIXEL(order::rg, type::unorm_int8, color, (const byte_list[]){255, 153}, float4(1, 0.6f, 0, 1));
  PIXEL(order::ra, type::unorm_int8, color, (const byte_list[]){255, 102}, float4(1, 0, 0, 0.4f));
  PIXEL(order::rgb, type::unorm_int8, color, (const byte_list[]){255, 153, 51}, float4(1, 0.6f, 0.2f, 1));
  PIXEL(order::intensity, type::unorm_int8, color, (const byte_list[]){255}, float4(1));
  PIXEL(order::luminance, type::unorm_int8, float4(0.2f, 1, 1, 1), (const byte_list[]){51},
        float4(0.2f, 0.2f, 0.2f, 1));
  PIXEL(order::rgba, type::unorm_int16, color, (const std::uint16_t[]){65535, 39321, 13107, 26214}, color);
  PIXEL(order::rgba, type::snorm_int8, float4(-1, -2, 0, 1), (const std::int8_t[]){-127, -127, 0, 127},
        float4(-1, -1, 0, 1));
  PIXEL(order::rg, type::snorm_int16, float4(-1, 1, 0, 0), (const std::int16_t[]){-32767, 32767}, float4(-1, 1, 0, 1));
  PIXEL(order::rgb, type::unorm_short_565, float4(1, 0, 1, 0), (const std::uint16_t[]){0xf81f}, float4(1, 0, 1, 1));
  PIXEL(order::rgbx, type::unorm_short_555, float4(0, 1, 0, 0), (const std::uint16_t[]){0x03e0}, float4(0, 1, 0, 1));
  PIXEL(order::rgb, type::unorm_int_101010, float4(1, 0, 1, 0), (const std::uint32_t[]){0x3ff003ff},
        float4(1, 0, 1, 1));
  PIXEL(order::rgba, type::fp32, color, (const float[]){1.0f, 0.6f, 0.2f, 0.4f}, color);
  PIXEL(order::rgba, type::fp16, half4(half(1.5f), half(-2.0f), half(0.25f), half(4.0f)),
        (const half[]){half(1.5f), half(-2.0f), half(0.25f), half(4.0f)},
        half4(half(1.5f), half(-2.0f), half(0.25f), half(4.0f)));
  PIXEL(order::rgba, type::signed_int8, int4(-200, -3, 4, 200), (const std::int8_t[]){-128, -3, 4, 127},
        int4(-128, -3, 4, 127));
  PIXEL(order::rg, type::signed_int16, int4(-40000, 5, 6, 7), (const std::int16_t[]){-32768, 5}, int4(-32768, 5, 0, 1));
  PIXEL(order::rgba, type::signed_int32, int4(-1, 2, -3, 4), (const std::int32_t[]){-1, 2, -3, 4}, int4(-1, 2, -3, 4));
  PIXEL(order::r, type::unsigned_int8, uint4(300, 1, 1, 1), (const std::uint8_t[]){255}, uint4(255, 0, 0, 1));
  PIXEL(order::rgba, type::unsigned_int16, uint4(1, 2, 3, 70000), (const std::uint16_t[]){1, 2, 3, 65535},
        uint4(1, 2, 3, 65535));
  PIXEL(order::rg, type::unsigned_int32, uint4(1, 0xfffffff0u, 0, 0), (const std::uint32_t[]){1, 0xfffffff0u},
        uint4(1, 0xfffffff0u, 0, 1));
  PIXEL(order::ext_oneapi_srgba, type::unorm_int8, float4(0.2158605f, 0, 1, 0.2f), (const byte_list[]){128, 0, 255, 51},
        float4(0.2158605f, 0, 1, 0.2f));
}

static void samplers(queue &q) {
  const sampler near(coordinate_normalization_mode::unnormalized, addressing_mode::clamp, filtering_mode::nearest);
  const sampler soft(coordinate_normalization_mode::normalized, addressing_mode::clamp_to_edge, filtering_mode::linear);
  CHECK(near.get_addressing_mode() == addressing_mode::clamp && soft.get_filtering_mode() == filtering_mode::linear &&
        near != soft);
  const float pixels[] = {1, 2, 3, 4, 5, 6}; // 3 by 2, one channel
  float4 *out = malloc_shared<float4>(4, q);
  image<2> of(static_cast<const void *>(pixels), order::r, type::fp32, range<2>(3, 2));
  q.submit([&](handler &h) {
     auto in = of.get_access<float4, access::mode::read>(h);
     h.single_task([=] {
       out[0] = in.read(float2(2.5f, 1.2f), near);
       out[1] = in.read(int2(-1, 0), near); // the border of an image without alpha
       out[2] = in.read(float2(0.5f, 0.5f), soft);
       out[3] = in.read(int2(1, 1));
     });
   }).wait();
  CHECK(out[0][0] == 6 && out[1][0] == 0 && out[1][3] == 1 && close(out[2][0], 3.5f) && out[3][0] == 5 &&
        out[3][3] == 1);
  sycl::free(out, q);
}

static void arrays_and_pitches(queue &q) {
  float pixels[4 * 4 * 4] = {};
  {
    // Two images of 3 by 2 in an array, of rows with room for 4.
    image<3> all(pixels, order::rgba, type::fp32, range<3>(3, 2, 2), range<2>(4 * 16, 2 * 4 * 16));
    CHECK(all.get_pitch()[0] == 64 && all.get_pitch()[1] == 128 && all.get_range() == range<3>(3, 2, 2));
    q.submit([&](handler &h) {
      auto to = all.get_access<float4, access::mode::write>(h);
      h.parallel_for(range<3>(3, 2, 2), [=](id<3> i) {
        to.write(int4(int(i[0]), int(i[1]), int(i[2]), 0), float4(float(100 * i[2] + 10 * i[1] + i[0])));
      });
    });
    float *out = malloc_shared<float>(12, q);
    q.submit([&](handler &h) {
       accessor<float4, 2, access::mode::read, access::target::image_array> in(all, h);
       const sampler near(coordinate_normalization_mode::unnormalized, addressing_mode::clamp, filtering_mode::nearest);
       h.parallel_for(range<3>(2, 2, 3), [=](id<3> i) {
         out[(i[0] * 2 + i[1]) * 3 + i[2]] = in[i[0]].read(int2(int(i[2]), int(i[1])), near)[0];
       });
     }).wait();
    for (int n = 0; n < 12; n++)
      CHECK(out[n] == float(100 * (n / 6) + 10 * (n / 3 % 2) + n % 3));
    auto on_host = all.get_access<float4, access::mode::read>();
    CHECK(on_host.read(int4(2, 1, 1, 0))[0] == 112);
    sycl::free(out, q);
  }
  CHECK(pixels[4 * (2 * 4 + 1 * 4 + 2)] == 112 && pixels[4 * 3] == 0);
  bool refused = false;
  try {
    image<1> odd(order::rgba, type::unorm_short_565, range<1>(4));
  } catch (const exception &e) {
    refused = e.code() == errc::invalid;
  }
  CHECK(refused);
}

int main() {
  queue q;
  pixels(q);
  samplers(q);
  arrays_and_pitches(q);
  return report();
}
