// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface functions by all their names and forms.
#include <cuda_surface_types.h>
#include <cuda_texture_types.h>
#include <surface_functions.h>
#include <surface_indirect_functions.h>
#include <texture_fetch_functions.h>
#include <texture_indirect_functions.h>

template <typename Type> __device__ void fetch_all(cudaTextureObject_t t, Type *out) {
  bool resident;
  float2 d2 = make_float2(0, 1);
  float4 d4 = make_float4(0, 1, 2, 3);
  *out++ = tex1Dfetch<Type>(t, 1);
  *out++ = tex1D<Type>(t, 1);
  *out++ = tex1DLod<Type>(t, 1, 0);
  *out++ = tex1DGrad<Type>(t, 1, 0, 0);
  *out++ = tex1DLayered<Type>(t, 1, 2);
  *out++ = tex1DLayeredLod<Type>(t, 1, 2, 0);
  *out++ = tex1DLayeredGrad<Type>(t, 1, 2, 0, 0);
  *out++ = tex2D<Type>(t, 1, 2);
  *out++ = tex2D<Type>(t, 1, 2, &resident);
  *out++ = tex2DLod<Type>(t, 1, 2, 0);
  *out++ = tex2DLod<Type>(t, 1, 2, 0, &resident);
  *out++ = tex2DGrad<Type>(t, 1, 2, d2, d2);
  *out++ = tex2DGrad<Type>(t, 1, 2, d2, d2, &resident);
  *out++ = tex2DLayered<Type>(t, 1, 2, 3);
  *out++ = tex2DLayered<Type>(t, 1, 2, 3, &resident);
  *out++ = tex2DLayeredLod<Type>(t, 1, 2, 3, 0);
  *out++ = tex2DLayeredGrad<Type>(t, 1, 2, 3, d2, d2);
  *out++ = tex3D<Type>(t, 1, 2, 3);
  *out++ = tex3DLod<Type>(t, 1, 2, 3, 0);
  *out++ = tex3DGrad<Type>(t, 1, 2, 3, d4, d4);
  *out++ = texCubemap<Type>(t, 1, 2, 3);
  *out++ = texCubemapLod<Type>(t, 1, 2, 3, 0);
  *out++ = texCubemapGrad<Type>(t, 1, 2, 3, d4, d4);
  *out++ = texCubemapLayered<Type>(t, 1, 2, 3, 4);
  *out++ = texCubemapLayeredLod<Type>(t, 1, 2, 3, 4, 0);
  *out++ = texCubemapLayeredGrad<Type>(t, 1, 2, 3, 4, d4, d4);
  tex1Dfetch(out++, t, 1);
  tex1D(out++, t, 1.0f);
  tex2D(out++, t, 1, 2);
  tex3D(out++, t, 1, 2, 3);
  tex2DLod(out++, t, 1, 2, 0);
  tex2DGrad(out++, t, 1, 2, d2, d2);
}

template <typename Type> __device__ void touch_all(cudaSurfaceObject_t s, Type *io) {
  surf1Dwrite(surf1Dread<Type>(s, 0), s, 0, cudaBoundaryModeZero);
  surf2Dwrite(surf2Dread<Type>(s, 0, 1, cudaBoundaryModeClamp), s, 0, 1);
  surf3Dwrite(surf3Dread<Type>(s, 0, 1, 2), s, 0, 1, 2);
  surf1DLayeredwrite(surf1DLayeredread<Type>(s, 0, 1), s, 0, 1);
  surf2DLayeredwrite(surf2DLayeredread<Type>(s, 0, 1, 2), s, 0, 1, 2);
  surfCubemapwrite(surfCubemapread<Type>(s, 0, 1, 2), s, 0, 1, 2);
  surfCubemapLayeredwrite(surfCubemapLayeredread<Type>(s, 0, 1, 2), s, 0, 1, 2);
  surf2Dread(io, s, 0, 1);
  surf3Dread(io, s, 0, 1, 2, cudaBoundaryModeTrap);
}

__global__ void kernel(cudaTextureObject_t t, cudaSurfaceObject_t s, float *reals, uchar4 *bytes, int2 *pairs) {
  fetch_all(t, reals), fetch_all(t, bytes), fetch_all(t, pairs);
  touch_all(s, reals), touch_all(s, bytes), touch_all(s, pairs);
  *(float4 *)reals = tex2Dgather<float4>(t, 1, 2, 3);
  *(int4 *)pairs = tex2Dgather<int4>(t, 1, 2);
  tex2Dgather(bytes, t, 1, 2, 0);
}

void host(float *p) { kernel<<<1, 1>>>(0, 0, p, (uchar4 *)p, (int2 *)p); }
