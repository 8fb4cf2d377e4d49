// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of vectors with each rounding mode and with the default, which is to the nearest even, to narrower types, reinterpretation, loads and
// stores.
#include <sycl/sycl.hpp>

#include "check.hpp"

using namespace sycl;

int main() {
  queue q;
  int4 *out = malloc_shared<int4>(8, q);
  float *memory = malloc_shared<float>(16, q);
  unsigned *bits = malloc_shared<unsigned>(4, q);
  const float4 v(1.5f, -1.5f, 2.5f, -0.2f);
  for (int i = 0; i < 16; i++)
    memory[i] = i;
  q.single_task([=] {
     out[0] = v.convert<int>();
     out[1] = v.convert<int, rounding_mode::rte>();
     out[2] = v.convert<int, rounding_mode::rtp>();
     out[3] = v.convert<int, rounding_mode::rtn>();
     out[4] = v.convert<int, rounding_mode::rtz>();
     out[5] = char4(-1, 2, -3, 4).convert<int>();
     out[6] = double4(2.3, 3.8, -3.5, 4.5).convert<short>().convert<int>();
     out[7] = int4(v.swizzle<3, 2, 1, 0>().convert<int>());
     const uint4 raw = v.as<uint4>();
     for (int i = 0; i < 4; i++)
       bits[i] = raw[i];
     float4 some;
     some.load(2, memory);
     (some * 10.0f).store(1, memory);
   }).wait();
  const int wanted[8][4] = {{2, -2, 2, 0}, {2, -2, 2, 0},  {2, -1, 3, 0}, {1, -2, 2, -1},
                            {1, -1, 2, 0}, {-1, 2, -3, 4}, {2, 4, -4, 4}, {0, 2, -2, 2}};
  for (int k = 0; k < 8; k++)
    for (int i = 0; i < 4; i++)
      CHECK(out[k][i] == wanted[k][i]);
  CHECK(bits[0] == 0x3fc00000u && bits[1] == 0xbfc00000u);
  for (int i = 0; i < 16; i++)
    CHECK(memory[i] == (i / 4 == 1 ? 10.0f * (i + 4) : i));
  static_assert(sizeof(float3) == 16 && sizeof(char16) == 16 && alignof(double4) == 32 && int3::size() == 3);
  free(out, q), free(memory, q), free(bits, q);
  return report();
}
