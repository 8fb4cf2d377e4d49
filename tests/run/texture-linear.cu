// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linear filtering in one to three dimensions, of floats and of normalized integers, against the guide's formula in double
// precision. textures.h says where weights and tolerance come from; means of integers have 16 bits.
#include "textures.h"

enum { WIDTH = 24, HEIGHT = 10, DEPTH = 6 };

__global__ void sample(cudaTextureObject_t texture, int dimensions, float4 *at, float4 *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float4 p = at[i];
  out[i] = dimensions == 1   ? tex1D<float4>(texture, p.x)
           : dimensions == 2 ? tex2D<float4>(texture, p.x, p.y)
                             : tex3D<float4>(texture, p.x, p.y, p.z);
}

static int index_of(int i, int count, cudaTextureAddressMode mode) {
  switch (mode) {
  case cudaAddressModeWrap: return (i + count) % count;
  case cudaAddressModeBorder: return i >= 0 && i < count ? i : -1;
  default: return i < 0 ? 0 : i < count ? i : count - 1; // a mirror's neighbour of the last texel is that texel
  }
}

// texel(z, y, x, component) gives a double. The border's color is of the texels' type: within low and high, in so many steps
// from 0 to 1, or any float.
template <typename T, typename F>
static void check(const T *texels, F texel, cudaTextureReadMode read, double low, double high, int steps, int block) {
  const int count = 2048, size[] = {WIDTH, HEIGHT, DEPTH};
  const float border[4] = {0.25f, -3, 7, 0.5f};
  buffer<float4> at(count), out(count);
  for (int dimensions = 1; dimensions <= 3; dimensions++) {
    cudaArray_t array = array_of(texels, WIDTH, dimensions > 1 ? HEIGHT : 0, dimensions > 2 ? DEPTH : 0);
    for (int m = 0; m < 8; m++) {
      const cudaTextureAddressMode mode = (cudaTextureAddressMode)(m / 2);
      const bool normalized = m % 2, folds = mode == cudaAddressModeWrap || mode == cudaAddressModeMirror;
      if (folds && !normalized)
        continue; // such a texture clamps: texture-address.cu
      cudaTextureDesc s = sampler(cudaFilterModeLinear, mode, normalized, read);
      memcpy(s.borderColor, border, sizeof border);
      cudaTextureObject_t texture = texture_over(array, s);
      // Positions in sixteenths of a texel: exact in float when divided by a power of two, and near enough to it
      // otherwise, since no position is half way between two weights.
      unsigned seed = m;
      static double place[2048][3];
      for (int i = 0; i < count; i++)
        for (int d = 0; d < 3; d++) {
          double from = folds ? 0.5 : -3, to = folds ? size[d] - 0.5 : size[d] + 3;
          place[i][d] = std::floor((from + next_random(seed) % 1024 / 1024.0 * (to - from)) * 16) / 16;
          (&at[i].x)[d] = normalized ? place[i][d] / size[d] : place[i][d];
          place[i][d] = std::fmin(std::fmax(place[i][d], -0.5), size[d] + 0.5); // further out all is the same
        }
      at.upload();
      sample<<<blocks_for(count, block), block>>>(texture, dimensions, at.device, out.device, count);
      out.download();
      for (int i = 0; i < count; i++)
        for (int c = 0; c < 4; c++) {
          double sum = 0, largest = 0, shown = border[c];
          if (steps)
            shown = std::fmin(std::fmax(shown, low), high),
            shown = std::copysign(std::ceil(std::fabs(shown) * steps - 0.5), shown) / steps;
          int base[3] = {0, 0, 0};
          for (int d = 0; d < dimensions; d++)
            base[d] = (int)std::floor(place[i][d] - 0.5);
          // Beyond the outermost slices there is only one to take.
          double near[3] = {place[i][0], place[i][1], place[i][2]};
          if (index_of(base[2], size[2], mode) == index_of(base[2] + 1, size[2], mode))
            near[2] = base[2] + 0.5;
          for (int corner = 0; corner < 1 << dimensions; corner++) {
            double weight = dimensions == 3 ? corner_weight(near, corner) : 1;
            int index[3] = {0, 0, 0};
            bool outside = false;
            for (int d = 0; d < dimensions; d++) {
              int unbounded = base[d] + (corner >> d & 1);
              if (dimensions < 3)
                weight *= linear_weight(place[i][d], unbounded);
              // Far outside, all texels are the edge's.
              index[d] = index_of(unbounded, size[d], mode);
              outside = outside || index[d] < 0;
            }
            double value = outside ? shown : texel(index[2], index[1], index[0], c);
            sum += weight * value;
            largest = std::fmax(largest, std::fabs(value));
          }
          if (dimensions == 1 && mode == cudaAddressModeBorder)
            sum = (sum + shown) / 2; // a line lies at the edge of a plane
          float got = (&out[i].x)[c];
          if (!(std::fabs(got - sum) <= linear_tolerance * largest + (steps ? 0.5 / 32767 : 0)))
            fail_at(i * 4 + c, (double)got, sum);
        }
      CHECK(cudaDestroyTextureObject(texture));
    }
    CHECK(cudaFreeArray(array));
  }
}

// In the middle of a texel the others weigh nothing, also where they are infinite.
static void check_infinite_neighbours(int block) {
  static float texels[DEPTH][HEIGHT][WIDTH];
  const int count = WIDTH / 2;
  buffer<float4> at(count), out(count);
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    (&texels[0][0][0])[i] = INFINITY;
  for (int i = 0; i < count; i++) {
    at[i] = make_float4(2 * i + 0.5f, 1.5f, 0.5f, 0);
    texels[0][1][2 * i] = texels[0][0][2 * i] = i;
  }
  at.upload();
  for (int dimensions = 1; dimensions <= 3; dimensions++) {
    cudaArray_t array = array_of(&texels[0][0][0], WIDTH, dimensions > 1 ? HEIGHT : 0, dimensions > 2 ? DEPTH : 0);
    cudaTextureObject_t texture = texture_over(array, sampler(cudaFilterModeLinear, cudaAddressModeClamp, false));
    sample<<<blocks_for(count, block), block>>>(texture, dimensions, at.device, out.device, count);
    out.download();
    for (int i = 0; i < count; i++)
      expect(i, out[i].x, (float)i);
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  static float4 floats[DEPTH][HEIGHT][WIDTH];
  static uchar4 bytes[DEPTH][HEIGHT][WIDTH];
  static short4 shorts[DEPTH][HEIGHT][WIDTH];
  unsigned seed = 1;
  for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    for (int c = 0; c < 4; c++) {
      (&(&floats[0][0][0])[i].x)[c] = (int)next_random(seed) * 1e-4f;
      (&(&bytes[0][0][0])[i].x)[c] = next_random(seed);
      (&(&shorts[0][0][0])[i].x)[c] = next_random(seed);
    }
  check(
      &floats[0][0][0], [&](int z, int y, int x, int c) { return (double)(&floats[z][y][x].x)[c]; },
      cudaReadModeElementType, 0, 0, 0, block);
  check(
      &bytes[0][0][0], [&](int z, int y, int x, int c) { return (&bytes[z][y][x].x)[c] / 255.0; },
      cudaReadModeNormalizedFloat, 0, 1, 255, block);
  check(
      &shorts[0][0][0], [&](int z, int y, int x, int c) { return std::fmax((&shorts[z][y][x].x)[c] / 32767.0, -1); },
      cudaReadModeNormalizedFloat, -1, 1, 32767, block);
  check_infinite_neighbours(block);
  return passed();
}
