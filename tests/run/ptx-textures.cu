// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Textures and surfaces by handle in inline PTX: what tex, tld4, txq, suld and sust give is what CUDA's functions give.
#include "textures.h"

typedef unsigned long long handle;
#define FOUR(v) "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
#define ALL "{%0, %1, %2, %3}, "

__device__ int differ(float4 a, float4 b) { return a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w; }

__global__ void flat(handle linear, handle line, handle plane, handle volume, int w, int h, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, bad = 0;
  float x = i * 0.37f - 2, y = i * 0.61f - 3, z = i * 0.13f - 1;
  float4 v;
  asm volatile("tex.1d.v4.f32.s32 " ALL "[%4, {%5}];" : FOUR(v) : "l"(linear), "r"(i - 1));
  bad |= differ(v, tex1Dfetch<float4>(linear, i - 1));
  asm volatile("tex.1d.v4.f32.f32 " ALL "[%4, {%5}];" : FOUR(v) : "l"(line), "f"(x));
  bad |= differ(v, tex1D<float4>(line, x)) << 1;
  asm volatile("tex.2d.v4.f32.f32 " ALL "[%4, {%5, %6}];" : FOUR(v) : "l"(plane), "f"(x), "f"(y));
  bad |= differ(v, tex2D<float4>(plane, x, y)) << 2;
  asm volatile("tex.level.2d.v4.f32.f32 " ALL "[%4, {%5, %6}], %7;" : FOUR(v) : "l"(plane), "f"(x), "f"(y), "f"(0.f));
  bad |= differ(v, tex2DLod<float4>(plane, x, y, 0.f)) << 3;
  asm volatile("tex.grad.2d.v4.f32.f32 " ALL "[%4, {%5, %6}], {%7, %8}, {%8, %7};"
               : FOUR(v)
               : "l"(plane), "f"(x), "f"(y), "f"(1.f), "f"(0.5f));
  bad |= differ(v, tex2DGrad<float4>(plane, x, y, make_float2(1.f, 0.5f), make_float2(0.5f, 1.f))) << 4;
  asm volatile("tex.3d.v4.f32.f32 " ALL "[%4, {%5, %6, %7, %7}];" : FOUR(v) : "l"(volume), "f"(x), "f"(y), "f"(z));
  bad |= differ(v, tex3D<float4>(volume, x, y, z)) << 5;
  asm volatile("tld4.b.2d.v4.f32.f32 " ALL "[%4, {%5, %6}];" : FOUR(v) : "l"(plane), "f"(x), "f"(y));
  bad |= differ(v, tex2Dgather<float4>(plane, x, y, 2)) << 6;
  int width, height;
  asm volatile("txq.width.b32 %0, [%2];\n txq.height.b32 %1, [%2];" : "=r"(width), "=r"(height) : "l"(plane));
  bad |= (width != w || height != h) << 7;
  wrong[i] = bad;
}

__global__ void layers(handle rows, handle planes, handle cube, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, layer = i % 5 - 1, bad = 0;
  float x = i * 0.37f - 2, y = i * 0.61f - 3;
  float4 v;
  asm volatile("tex.a1d.v4.f32.f32 " ALL "[%4, {%5, %6}];" : FOUR(v) : "l"(rows), "r"(layer), "f"(x));
  bad |= differ(v, tex1DLayered<float4>(rows, x, layer));
  asm volatile("tex.a2d.v4.f32.f32 " ALL "[%4, {%5, %6, %7, %7}];" : FOUR(v) : "l"(planes), "r"(layer), "f"(x), "f"(y));
  bad |= differ(v, tex2DLayered<float4>(planes, x, y, layer)) << 1;
  float a = i % 7 - 3.2f, b = i % 5 - 2.1f, c = i % 3 - 1.3f;
  asm volatile("tex.cube.v4.f32.f32 " ALL "[%4, {%5, %6, %7, %7}];" : FOUR(v) : "l"(cube), "f"(a), "f"(b), "f"(c));
  bad |= differ(v, texCubemap<float4>(cube, a, b, c)) << 2;
  wrong[i] = bad;
}

// Rows move by one texel; below the last row there is nothing.
__global__ void surfaces(handle from, handle to, handle bytes, int w, int h, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % w, y = i / w;
  if (y >= h) {
    wrong[i] = 0;
    return;
  }
  unsigned a, b, c, d, bad;
  asm volatile("suld.b.2d.v4.b32.trap {%0, %1, %2, %3}, [%4, {%5, %6}];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "l"(from), "r"(x * 16), "r"(y));
  uint4 same = surf2Dread<uint4>(from, x * 16, y);
  bad = a != same.x || b != same.y || c != same.z || d != same.w;
  asm volatile("sust.b.2d.v4.b32.zero [%0, {%1, %2}], {%3, %4, %5, %6};" ::"l"(to), "r"(x * 16), "r"(y + 1), "r"(a),
               "r"(b), "r"(c), "r"(d)
               : "memory");
  unsigned short one;
  asm volatile("suld.b.2d.b8.zero {%0}, [%1, {%2, %3}];" : "=h"(one) : "l"(bytes), "r"(x), "r"(y + 1));
  bad |= (one != surf2Dread<unsigned char>(bytes, x, y + 1, cudaBoundaryModeZero)) << 1;
  asm volatile("suld.b.2d.b8.clamp {%0}, [%1, {%2, %3}];" : "=h"(one) : "l"(bytes), "r"(x - 1), "r"(y + 1));
  bad |= (one != surf2Dread<unsigned char>(bytes, x - 1, y + 1, cudaBoundaryModeClamp)) << 2;
  wrong[i] = bad;
}

template <class T> static cudaArray_t filled(cudaExtent extent, unsigned flags) {
  size_t count = extent.width * (extent.height ? extent.height : 1) * (extent.depth ? extent.depth : 1) * sizeof(T);
  unsigned char *data = (unsigned char *)malloc(count);
  for (size_t i = 0; i < count; i++)
    data[i] = sizeof(T) == 16 ? (i % 4 == 3 ? 63 : i % 4 == 2 ? (i / 4 * 37) & 127 : 0) : (unsigned char)(i * 91);
  cudaArray_t array = array_of((const T *)data, extent.width, extent.height, extent.depth, flags);
  free(data);
  return array;
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv), blocks = 3, w = 11, h = 7;
  buffer<int> wrong(blocks * block);
  buffer<float> line(4 * 50);
  for (int i = 0; i < line.count; i++)
    line[i] = i * 1.5f;
  line.upload();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = line.device;
  resource.res.linear.desc = cudaCreateChannelDesc<float4>();
  resource.res.linear.sizeInBytes = 4 * 50 * sizeof(float);
  cudaTextureDesc plain = {};
  cudaTextureObject_t linear;
  CHECK(cudaCreateTextureObject(&linear, &resource, &plain, nullptr));
  auto check = [&](const char *) {
    CHECK(cudaDeviceSynchronize());
    wrong.download();
    for (int i = 0; i < wrong.count; i++)
      expect(i, wrong[i], 0);
  };
  for (cudaTextureFilterMode filter : {cudaFilterModePoint, cudaFilterModeLinear})
    for (cudaTextureAddressMode mode : {cudaAddressModeClamp, cudaAddressModeBorder}) {
      cudaTextureDesc set = sampler(filter, mode, false);
      flat<<<blocks, block>>>(linear, texture_over(filled<float4>(make_cudaExtent(w, 0, 0), 0), set),
                              texture_over(filled<float4>(make_cudaExtent(w, h, 0), cudaArrayTextureGather), set),
                              texture_over(filled<float4>(make_cudaExtent(w, h, 3), 0), set), w, h, wrong.device);
      check("flat");
      layers<<<blocks, block>>>(texture_over(filled<float4>(make_cudaExtent(w, 0, 4), cudaArrayLayered), set),
                                texture_over(filled<float4>(make_cudaExtent(w, h, 4), cudaArrayLayered), set),
                                texture_over(filled<float4>(make_cudaExtent(w, w, 6), cudaArrayCubemap), set),
                                wrong.device);
      check("layers");
    }
  cudaArray_t from = filled<float4>(make_cudaExtent(w, h, 0), cudaArraySurfaceLoadStore),
              to = filled<float4>(make_cudaExtent(w, h, 0), cudaArraySurfaceLoadStore);
  cudaArray_t bytes = filled<unsigned char>(make_cudaExtent(w, h, 0), cudaArraySurfaceLoadStore);
  surfaces<<<blocks, block>>>(surface_over(from), surface_over(to), surface_over(bytes), w, h, wrong.device);
  check("surfaces");
  float *a = (float *)malloc(w * h * 16), *b = (float *)malloc(w * h * 16);
  CHECK(cudaMemcpy2DFromArray(a, w * 16, from, 0, 0, w * 16, h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy2DFromArray(b, w * 16, to, 0, 0, w * 16, h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < w * (h - 1) && i < blocks * block; i++)
    for (int c = 0; c < 4; c++)
      expect(i, b[(i + w) * 4 + c] == a[i * 4 + c], 1);
  return passed();
}
