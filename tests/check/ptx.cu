// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inline PTX.
// flags: -fcheck=memory,race,init
#include "cases.h"

// What PTX reads of a texture's record is the runtime's.
__global__ void fetch(unsigned long long texture, int *to) {
  float a, b, c, d;
  int width;
  asm volatile("tex.2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];" : "=f"(a), "=f"(b), "=f"(c), "=f"(d) : "l"(texture), "f"(1.5f), "f"(0.5f));
  asm volatile("txq.width.b32 %0, [%1];" : "=r"(width) : "l"(texture));
  *to = (int)a + width;
}
static unsigned long long texture_of_ptx() {
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &format, 8, 4);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
  cudaTextureDesc how = {};
  cudaTextureObject_t made;
  cudaCreateTextureObject(&made, &resource, &how, nullptr);
  return made;
}
// clean ptx_texture

CASES
  CASE(ptx_texture) fetch<<<1, 1>>>(texture_of_ptx(), device<int>(1));
END
