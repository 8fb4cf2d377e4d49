// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a texel's bits read as: integers as they are and as normalized floats, half, sRGB, formats that are normalized
// by themselves, components that are not there. A conversion to float is one correctly rounded division (tolerance
// 2^-23); sRGB is a table of the standard's curve, which a GPU has with 8 bits.
#include "textures.h"

#include <cuda_fp16.h>

template <typename T> __global__ void read(cudaTextureObject_t texture, T *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = tex2D<T>(texture, i % 256 + 0.5f, i / 256 + 0.5f);
}

static const int count = 65536;
static const double rounding = 1.0 / (1 << 23);

template <typename T> static void sampled(cudaArray_t array, const cudaTextureDesc &s, buffer<T> &out, int block) {
  cudaTextureObject_t texture = texture_over(array, s);
  read<<<blocks_for(count, block), block>>>(texture, out.device, count);
  out.download();
  CHECK(cudaDestroyTextureObject(texture));
}

// Every value of an 8 or 16-bit type, read as it is and as a float.
template <typename T> static void integers(double largest, int block) {
  static T texels[65536];
  for (int i = 0; i < count; i++)
    texels[i] = (T)i;
  cudaArray_t array = array_of(texels, 256, 256);
  buffer<T> same(count);
  buffer<float> real(count);
  sampled(array, sampler(cudaFilterModePoint, cudaAddressModeClamp, false), same, block);
  sampled(array, sampler(cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeNormalizedFloat), real, block);
  for (int i = 0; i < count; i++) {
    expect(i, (int)same[i], (int)texels[i]);
    expect_near(i, real[i], (float)std::fmax(texels[i] / largest, -1), rounding);
  }
  CHECK(cudaFreeArray(array));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  integers<signed char>(127, block);
  integers<unsigned char>(255, block);
  integers<short>(32767, block);
  integers<unsigned short>(65535, block);

  const cudaTextureDesc point = sampler(cudaFilterModePoint, cudaAddressModeClamp, false);
  static unsigned short halves[65536];
  for (int i = 0; i < count; i++)
    halves[i] = (unsigned short)i;
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDescHalf();
  CHECK(cudaMallocArray(&array, &format, 256, 256));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, halves, 512, 512, 256, cudaMemcpyHostToDevice));
  buffer<float> real(count);
  sampled(array, point, real, block);
  for (int i = 0; i < count; i++) {
    __half_raw raw;
    raw.x = halves[i];
    expect_near(i, real[i], __half2float(__half(raw)), 0);
  }
  CHECK(cudaFreeArray(array));

  // A format that is normalized by itself.
  static unsigned char bytes[65536];
  for (int i = 0; i < count; i++)
    bytes[i] = (unsigned char)i;
  format = cudaCreateChannelDesc<cudaChannelFormatKindUnsignedNormalized8X1>();
  CHECK(cudaMallocArray(&array, &format, 256, 256));
  CHECK(cudaMemcpy2DToArray(array, 0, 0, bytes, 256, 256, 256, cudaMemcpyHostToDevice));
  sampled(array, sampler(cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeNormalizedFloat), real, block);
  for (int i = 0; i < count; i++)
    expect_near(i, real[i], bytes[i] / 255.0f, rounding);
  CHECK(cudaFreeArray(array));

  // sRGB: the first three components follow the curve, the fourth does not.
  static uchar4 pixels[65536];
  for (int i = 0; i < count; i++)
    pixels[i] = make_uchar4(i, i >> 4, i >> 8, i);
  array = array_of(pixels, 256, 256);
  cudaTextureDesc encoded = sampler(cudaFilterModePoint, cudaAddressModeClamp, false, cudaReadModeNormalizedFloat);
  encoded.sRGB = 1;
  buffer<float4> colors(count);
  sampled(array, encoded, colors, block);
  for (int i = 0; i < count; i++)
    for (int c = 0; c < 4; c++) {
      double v = (&pixels[i].x)[c] / 255.0;
      double linear = c == 3 ? v : v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
      double tolerance = c == 3 ? rounding * v : std::fmax(linear / 128, 1.0 / 32768);
      if (!(std::fabs((&colors[i].x)[c] - linear) <= tolerance))
        fail_at(i * 4 + c, (&colors[i].x)[c], (float)linear);
    }
  CHECK(cudaFreeArray(array));

  // Fewer components asked for than there are, and more: the rest is 0.
  static float2 pairs[65536];
  for (int i = 0; i < count; i++)
    pairs[i] = make_float2(i, -i);
  array = array_of(pairs, 256, 256);
  sampled(array, point, real, block);
  sampled(array, point, colors, block);
  for (int i = 0; i < count; i++) {
    expect(i, real[i], (float)i);
    expect(i, colors[i].y, (float)-i);
    expect(i, colors[i].z, 0.0f);
    expect(i, colors[i].w, 0.0f);
  }
  CHECK(cudaFreeArray(array));
  return passed();
}
