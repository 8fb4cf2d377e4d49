// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The nearest texel under each address mode, in one to three dimensions, normalized and not. Positions are the middles and
// quarters of texels, so that no rounding decides which texel is meant; all comparisons are exact. A border's color is a float
// that integers show the bits of.
#include "textures.h"

enum { WIDTH = 16, HEIGHT = 8, DEPTH = 4, AROUND = 20 };

__global__ void sample(cudaTextureObject_t texture, int dimensions, float4 *at, int *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float4 p = at[i];
  out[i] = dimensions == 1   ? tex1D<int>(texture, p.x)
           : dimensions == 2 ? tex2D<int>(texture, p.x, p.y)
                             : tex3D<int>(texture, p.x, p.y, p.z);
}

// The index that a position in texels means, or -1 for the border.
static int index_of(double x, int count, cudaTextureAddressMode mode, bool normalized) {
  int i = (int)std::floor(x), period = (i % (2 * count) + 2 * count) % (2 * count);
  if (!normalized && (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
    mode = cudaAddressModeClamp;
  switch (mode) {
  case cudaAddressModeWrap: return period % count;
  case cudaAddressModeMirror: return period < count ? period : 2 * count - 1 - period;
  case cudaAddressModeBorder: return i >= 0 && i < count ? i : -1;
  default: return i < 0 ? 0 : i < count ? i : count - 1;
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), count = 4096, border = 0x429a0000; // 77.0f
  static int texels[DEPTH][HEIGHT][WIDTH];
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    (&texels[0][0][0])[i] = i * 3 + 1;
  buffer<float4> at(count);
  buffer<int> out(count);
  const int size[] = {WIDTH, HEIGHT, DEPTH};
  for (int dimensions = 1; dimensions <= 3; dimensions++) {
    cudaArray_t array = array_of(&texels[0][0][0], WIDTH, dimensions > 1 ? HEIGHT : 0, dimensions > 2 ? DEPTH : 0);
    for (int mode = cudaAddressModeWrap; mode <= cudaAddressModeBorder; mode++)
      for (int normalized = 0; normalized < 2; normalized++) {
        cudaTextureDesc s = sampler(cudaFilterModePoint, (cudaTextureAddressMode)mode, normalized);
        s.borderColor[0] = 77;
        cudaTextureObject_t texture = texture_over(array, s);
        unsigned seed = mode * 2 + normalized;
        static double place[4096][3];
        for (int i = 0; i < count; i++) {
          float *coordinate = &at[i].x;
          for (int d = 0; d < 3; d++) {
            place[i][d] = (int)(next_random(seed) % (3 * AROUND)) - AROUND + (next_random(seed) % 3 + 1) / 4.0;
            coordinate[d] = normalized ? place[i][d] / size[d] : place[i][d];
          }
        }
        at.upload();
        sample<<<blocks_for(count, block), block>>>(texture, dimensions, at.device, out.device, count);
        out.download();
        for (int i = 0; i < count; i++) {
          int index[3] = {0, 0, 0};
          bool outside = false;
          for (int d = 0; d < dimensions; d++) {
            index[d] = index_of(place[i][d], size[d], (cudaTextureAddressMode)mode, normalized);
            outside = outside || index[d] < 0;
          }
          expect(i, out[i], outside ? border : texels[index[2]][index[1]][index[0]]);
        }
        CHECK(cudaDestroyTextureObject(texture));
      }
    CHECK(cudaFreeArray(array));
  }
  return passed();
}
