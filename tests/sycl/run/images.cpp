// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Images: unsampled ones in every format, with pitches and outside of their borders; samplers with each addressing and filtering, against
// the formulas of the specification worked out by hand; write-back.
#include <sycl/sycl.hpp>

#include <cmath>

#include "check.hpp"

using namespace sycl;

static bool close(float a, float b) { return std::fabs(a - b) < 1e-5f; }

// What is written is what is read, within the format.
template <class V> static void round_trip(queue &q, image_format format, V color, V expected) {
  unsampled_image<2> image(format, range<2>(5, 3));
  V got;
  {
    buffer<V> out(&got, range<1>(1));
    q.submit([&](handler &h) {
      unsampled_image_accessor<V, 2, access_mode::write> to(image, h);
      h.parallel_for(range<2>(5, 3),
                     [=](id<2> i) { to.write(int2(i[0], i[1]), i[0] == 4 && i[1] == 2 ? color : V(0)); });
    });
    q.submit([&](handler &h) {
      unsampled_image_accessor<V, 2, access_mode::read> from(image, h);
      accessor to(out, h, write_only);
      h.single_task([=] { to[0] = from.read(int2(4, 2)); });
    });
  }
  for (int i = 0; i < 4; i++)
    CHECK(close(float(got[i]), float(expected[i])));
}

static void formats(queue &q) {
  round_trip(q, image_format::r8g8b8a8_unorm, float4(0.0f, 1.0f, 0.5f, 2.0f), float4(0.0f, 1.0f, 128 / 255.0f, 1.0f));
  round_trip(q, image_format::b8g8r8a8_unorm, float4(0.25f, 1.0f, 0.5f, -1.0f),
             float4(64 / 255.0f, 1.0f, 128 / 255.0f, 0.0f));
  round_trip(q, image_format::r16g16b16a16_unorm, float4(0.0f, 1.0f, 0.5f, 0.25f),
             float4(0.0f, 1.0f, 32768 / 65535.0f, 16384 / 65535.0f));
  round_trip(q, image_format::r16b16g16a16_sfloat, float4(1.5f, -2.0f, 65504.0f, 0.0f),
             float4(1.5f, -2.0f, 65504.0f, 0.0f));
  round_trip(q, image_format::r32g32b32a32_sfloat, float4(1e20f, -2.0f, 0.1f, 0.0f), float4(1e20f, -2.0f, 0.1f, 0.0f));
  round_trip(q, image_format::r8g8b8a8_sint, int4(1000, -1000, 5, -5), int4(127, -128, 5, -5));
  round_trip(q, image_format::r16g16b16a16_sint, int4(100000, -100000, 5, -5), int4(32767, -32768, 5, -5));
  round_trip(q, image_format::r32b32g32a32_sint, int4(100000, -100000, 5, -5), int4(100000, -100000, 5, -5));
  round_trip(q, image_format::r8g8b8a8_uint, uint4(300, 255, 0, 7), uint4(255, 255, 0, 7));
  round_trip(q, image_format::r16g16b16a16_uint, uint4(70000, 65535, 0, 7), uint4(65535, 65535, 0, 7));
  round_trip(q, image_format::r32b32g32a32_uint, uint4(70000, 65535, 0, 7), uint4(70000, 65535, 0, 7));
}

// The program's memory has rows of 40 bytes, of which an image of 2 by 3 pixels of 16 bytes uses 32; and slices.
static void pitches(queue &q) {
  std::vector<float> memory(2 * 50, -1.0f);
  {
    unsampled_image<3> image(memory.data(), image_format::r32g32b32a32_sfloat, range<3>(2, 3, 2), range<2>(40, 200));
    CHECK(image.get_range() == range<3>(2, 3, 2));
    CHECK(image.byte_size() == 400);
    q.submit([&](handler &h) {
      unsampled_image_accessor<float4, 3, access_mode::write> to(image, h);
      h.parallel_for(range<3>(4, 4, 4), [=](id<3> i) { // also outside, which does nothing
        to.write(int4(i[0], i[1], i[2], 0), float4(i[0], i[1], i[2], 9));
      });
    });
    host_unsampled_image_accessor<float4, 3, access_mode::read> see(image);
    CHECK(see.read(int4(1, 2, 1, 0))[3] == 9);
    CHECK(see.read(int4(2, 2, 1, 0))[3] == 0);
    CHECK(see.read(int4(-1, 0, 0, 0))[3] == 0);
  }
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      for (int x = 0; x < 2; x++)
        CHECK(memory[z * 50 + y * 10 + x * 4] == x && memory[z * 50 + y * 10 + x * 4 + 1] == y &&
              memory[z * 50 + y * 10 + x * 4 + 2] == z);
  CHECK(memory[8] == -1.0f && memory[49] == -1.0f);
}

// A row of four pixels 10, 20, 30, 40 read at several positions.
static void samplers(queue &q) {
  std::vector<float4> row;
  for (int i = 1; i <= 4; i++)
    row.push_back(float4(10.0f * i, 0, 0, 1));
  struct look {
    addressing_mode mode;
    filtering_mode filter;
    bool normalized;
    float at, expected;
  };
  const auto nearest = filtering_mode::nearest, linear = filtering_mode::linear;
  const look looks[] = {
      {addressing_mode::clamp_to_edge, nearest, false, 2.9f, 30},
      {addressing_mode::clamp_to_edge, nearest, false, -3.0f, 10},
      {addressing_mode::clamp_to_edge, nearest, false, 9.0f, 40},
      {addressing_mode::clamp, nearest, false, 9.0f, 0},
      {addressing_mode::clamp, nearest, false, -0.5f, 0},
      {addressing_mode::repeat, nearest, true, 1.3f, 20},
      {addressing_mode::repeat, nearest, true, -0.1f, 40},
      {addressing_mode::mirrored_repeat, nearest, true, 1.1f, 40},
      {addressing_mode::mirrored_repeat, nearest, true, -0.3f, 20},
      {addressing_mode::clamp_to_edge, linear, false, 2.0f, 25},
      {addressing_mode::clamp_to_edge, linear, false, 0.0f, 10},
      {addressing_mode::clamp, linear, false, 0.0f, 5},
      {addressing_mode::clamp_to_edge, linear, true, 0.375f, 20},
      {addressing_mode::repeat, linear, true, 0.0f, 25},
  };
  for (const look &l : looks) {
    const image_sampler sampler{
        l.mode, l.normalized ? coordinate_normalization_mode::normalized : coordinate_normalization_mode::unnormalized,
        l.filter};
    sampled_image<1> image(row.data(), image_format::r32g32b32a32_sfloat, sampler, range<1>(4));
    float got = -1;
    {
      buffer<float> out(&got, range<1>(1));
      q.submit([&](handler &h) {
        sampled_image_accessor<float4, 1> from(image, h);
        accessor to(out, h, write_only);
        const float at = l.at;
        h.single_task([=] { to[0] = from.read(at)[0]; });
      });
    }
    CHECK(close(got, l.expected));
    host_sampled_image_accessor<float4, 1> see(image);
    CHECK(close(see.read(l.at)[0], l.expected));
  }
}

// Between four pixels of a square.
static void bilinear(queue &q) {
  const float4 square[] = {float4(0), float4(4), float4(8), float4(16)};
  sampled_image<2> image(square, image_format::r32g32b32a32_sfloat,
                         image_sampler{addressing_mode::clamp_to_edge, coordinate_normalization_mode::unnormalized,
                                       filtering_mode::linear},
                         range<2>(2, 2));
  float *got = malloc_shared<float>(3, q);
  q.submit([&](handler &h) {
     sampled_image_accessor<float4, 2> from(image, h);
     h.single_task([=] {
       got[0] = from.read(float2(1.0f, 1.0f))[2];
       got[1] = from.read(float2(0.75f, 0.5f))[1];
       got[2] = from.read(float2(0.5f, 1.25f))[0];
     });
   }).wait();
  CHECK(close(got[0], 7.0f) && close(got[1], 1.0f) && close(got[2], 6.0f));
  free(got, q);
}

int main() {
  queue q;
  CHECK(q.get_device().has(aspect::image));
  formats(q);
  pitches(q);
  samplers(q);
  bilinear(q);
  return report();
}
