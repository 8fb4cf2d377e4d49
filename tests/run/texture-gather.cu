// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tex2Dgather: one component of the four texels around a position, in the order that hardware gives them: (0,1), (1,1),
// (1,0), (0,0). Clamped at the edges; integers, floats and normalized reads.
#include "textures.h"

enum { WIDTH = 12, HEIGHT = 9 };

template <typename T> __global__ void gather(cudaTextureObject_t t, int component, T *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (WIDTH + 1) * (HEIGHT + 1))
    out[i] = tex2Dgather<T>(t, i % (WIDTH + 1), i / (WIDTH + 1), component); // a corner of texels
}

static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
static int clamp(int i, int count) { return i < 0 ? 0 : i < count ? i : count - 1; }

// texel(y, x, component) gives what a component reads as.
template <typename T, typename F>
static void check(cudaArray_t array, cudaTextureReadMode read, int components, F texel, int block) {
  const int count = (WIDTH + 1) * (HEIGHT + 1);
  buffer<T> out(count);
  cudaTextureObject_t t = texture_over(array, sampler(cudaFilterModePoint, cudaAddressModeClamp, false, read));
  for (int component = 0; component < components; component++) {
    gather<<<blocks_for(count, block), block>>>(t, component, out.device);
    out.download();
    for (int i = 0; i < count; i++)
      for (int k = 0; k < 4; k++)
        expect(4 * i + k, (&out[i].x)[k],
               texel(clamp(i / (WIDTH + 1) - 1 + corners[k][1], HEIGHT),
                     clamp(i % (WIDTH + 1) - 1 + corners[k][0], WIDTH), component));
  }
  CHECK(cudaDestroyTextureObject(t));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  static float reals[HEIGHT][WIDTH];
  static uchar4 bytes[HEIGHT][WIDTH];
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    (&reals[0][0])[i] = i * 0.5f;
    (&bytes[0][0])[i] = make_uchar4(i, i + 50, 2 * i, 255 - i);
  }
  cudaArray_t array = array_of(&reals[0][0], WIDTH, HEIGHT, 0, cudaArrayTextureGather);
  check<float4>(array, cudaReadModeElementType, 1, [&](int y, int x, int) { return reals[y][x]; }, block);
  CHECK(cudaFreeArray(array));
  array = array_of(&bytes[0][0], WIDTH, HEIGHT, 0, cudaArrayTextureGather);
  check<uchar4>(array, cudaReadModeElementType, 4, [&](int y, int x, int c) { return (&bytes[y][x].x)[c]; }, block);
  check<float4>(
      array, cudaReadModeNormalizedFloat, 4, [&](int y, int x, int c) { return (&bytes[y][x].x)[c] / 255.0f; }, block);
  CHECK(cudaFreeArray(array));
  return passed();
}
