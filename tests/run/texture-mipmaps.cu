// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mipmaps: the level of an explicit level of detail and of gradients, nearest and linear between levels, bias and
// clamps, a view of some levels. Each level has texels of its own, constant in one part of the test and not in the
// other.
#include "textures.h"

enum { SIZE = 32, LEVELS = 6 };

__global__ void by_level(cudaTextureObject_t t, float *out, int count, float step, float start) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = tex2DLod<float>(t, 0.5f, 0.5f, i * step - start);
}
__global__ void by_gradient(cudaTextureObject_t t, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float texels = (float)(1 << i); // a step of so many texels of level 0, in x, in y, or the shorter one hidden
  float2 none = make_float2(0, 0), x = make_float2(texels / SIZE, 0), y = make_float2(0, texels / SIZE);
  out[4 * i] = tex2DGrad<float>(t, 0.5f, 0.5f, x, none);
  out[4 * i + 1] = tex2DGrad<float>(t, 0.5f, 0.5f, none, y);
  out[4 * i + 2] = tex2DGrad<float>(t, 0.5f, 0.5f, x, make_float2(0, texels / SIZE / 2));
  out[4 * i + 3] = tex2D<float>(t, 0.5f, 0.5f);
}
__global__ void places(cudaTextureObject_t t, int level, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, size = SIZE >> level;
  if (i < size * size)
    out[i] = tex2DLod<float>(t, (i % size + 0.5f) / size, (i / size + 0.5f) / size, level);
}

// The other shapes: a cube whose faces are SIZE texels, seen from nearer and further away, and a solid one.
__global__ void cube_by_gradient(cudaTextureObject_t t, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float far = (float)(1 << i % 3), step = far * 2 / SIZE * (1 << i / 3);
  float4 none = make_float4(0, 0, 0, 0);
  out[2 * i] = texCubemapGrad<float>(t, 0, far, far / 4, make_float4(step, 0, 0, 0), none);
  out[2 * i + 1] = texCubemapLod<float>(t, 0, far, far / 4, i / 3);
}
__global__ void solid_by_gradient(cudaTextureObject_t t, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float4 none = make_float4(0, 0, 0, 0), z = make_float4(0, 0, (float)(1 << i) / SIZE, 0);
  out[2 * i] = tex3DGrad<float>(t, 0.5f, 0.5f, 0.5f, none, z);
  out[2 * i + 1] = tex3DLod<float>(t, 0.5f, 0.5f, 0.5f, i);
}

static float texel(int level, int i) { return level * 1000 + i; }

static cudaMipmappedArray_t make(bool constant) {
  cudaMipmappedArray_t mipmap;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(SIZE, SIZE, 0), LEVELS));
  static float texels[SIZE * SIZE];
  for (int level = 0; level < LEVELS; level++) {
    int size = SIZE >> level;
    cudaArray_t array;
    for (int i = 0; i < size * size; i++)
      texels[i] = constant ? level * 64 : texel(level, i);
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels, size * 4, size * 4, size, cudaMemcpyHostToDevice));
  }
  return mipmap;
}

static cudaTextureObject_t over(cudaMipmappedArray_t mipmap, const cudaTextureDesc &s,
                                const cudaResourceViewDesc *view = nullptr) {
  cudaTextureObject_t t;
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmap;
  CHECK(cudaCreateTextureObject(&t, &resource, &s, view));
  return t;
}

static double clamp(double v, double low, double high) { return v < low ? low : v > high ? high : v; }

// What a texture of constant levels gives at a level of detail. Weights between levels have 8 fractional bits, rounded down.
static double expected(double lod, bool linear, int first, int last) {
  lod = clamp(lod, 0, last - first);
  return 64 * (first + (linear ? std::floor(lod * 256) / 256 : std::floor(lod + 0.5)));
}

static void check_shape(bool cube, int block) {
  cudaMipmappedArray_t mipmap;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(SIZE, SIZE, cube ? 6 : SIZE), LEVELS,
                                 cube ? cudaArrayCubemap : 0));
  static float texels[SIZE * SIZE * SIZE];
  for (int level = 0; level < LEVELS; level++) {
    int size = SIZE >> level, depth = cube ? 6 : size;
    cudaMemcpy3DParms copy = {};
    for (int i = 0; i < size * size * depth; i++)
      texels[i] = level;
    CHECK(cudaGetMipmappedArrayLevel(&copy.dstArray, mipmap, level));
    copy.srcPtr = make_cudaPitchedPtr(texels, size * sizeof(float), size, size);
    copy.extent = make_cudaExtent(size, size, depth);
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));
  }
  cudaTextureDesc s = sampler(cudaFilterModeLinear, cudaAddressModeClamp, true);
  s.maxMipmapLevelClamp = LEVELS;
  cudaTextureObject_t t = over(mipmap, s);
  const int count = cube ? 3 * LEVELS : LEVELS;
  buffer<float> out(2 * count);
  if (cube)
    cube_by_gradient<<<blocks_for(count, block), block>>>(t, out.device, count);
  else
    solid_by_gradient<<<blocks_for(count, block), block>>>(t, out.device, count);
  out.download();
  for (int i = 0; i < 2 * count; i++)
    expect(i, out[i], (float)(cube ? i / 6 : i / 2));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeMipmappedArray(mipmap));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), count = 800;
  const float step = 1.0f / 97, start = 0.997f; // no position is half way between two levels
  buffer<float> out(SIZE * SIZE);
  cudaMipmappedArray_t mipmap = make(true);
  for (int linear = 0; linear < 2; linear++)
    for (int variant = 0; variant < 4; variant++) {
      cudaTextureDesc s = sampler(cudaFilterModeLinear, cudaAddressModeClamp, true);
      s.mipmapFilterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
      s.maxMipmapLevelClamp = variant == 2 ? 2.25f : 100;
      s.minMipmapLevelClamp = variant == 2 ? 0.75f : 0;
      s.mipmapLevelBias = variant == 1 ? 1.5f : 0;
      cudaResourceViewDesc view = {};
      view.width = view.height = SIZE;
      view.format = cudaResViewFormatFloat1;
      view.firstMipmapLevel = 1;
      view.lastMipmapLevel = 3;
      int first = variant == 3 ? 1 : 0, last = variant == 3 ? 3 : LEVELS - 1;
      cudaTextureObject_t t = over(mipmap, s, variant == 3 ? &view : nullptr);
      by_level<<<blocks_for(count, block), block>>>(t, out.device, count, step, start);
      out.download();
      for (int i = 0; i < count; i++) {
        double lod = (double)(i * step - start) + s.mipmapLevelBias;
        lod = clamp(lod, s.minMipmapLevelClamp, s.maxMipmapLevelClamp);
        // One unit of the weights' last place, since the device adds the bias in single precision.
        if (!(std::fabs(out[i] - expected(lod, linear, first, last)) <= 64.0 / 256))
          fail_at(i, (double)out[i], expected(lod, linear, first, last));
      }
      if (variant == 0) {
        by_gradient<<<blocks_for(LEVELS, block), block>>>(t, out.device, LEVELS);
        out.download();
        for (int i = 0; i < LEVELS; i++) {
          for (int k = 0; k < 3; k++)
            expect(4 * i + k, out[4 * i + k], i * 64.0f);
          expect(4 * i + 3, out[4 * i + 3], 0.0f);
        }
      }
      CHECK(cudaDestroyTextureObject(t));
    }
  CHECK(cudaFreeMipmappedArray(mipmap));

  check_shape(true, block);
  check_shape(false, block);

  mipmap = make(false);
  cudaTextureDesc s = sampler(cudaFilterModePoint, cudaAddressModeWrap, true);
  s.maxMipmapLevelClamp = LEVELS;
  cudaTextureObject_t t = over(mipmap, s);
  for (int level = 0; level < LEVELS; level++) {
    int size = SIZE >> level;
    places<<<blocks_for(size * size, block), block>>>(t, level, out.device);
    out.download();
    for (int i = 0; i < size * size; i++)
      expect(i, out[i], texel(level, i));
  }
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeMipmappedArray(mipmap));
  return passed();
}
