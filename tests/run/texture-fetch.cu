// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tex1Dfetch from linear memory, of each texel type; an index outside reads zero.
#include "textures.h"

template <typename T> __global__ void fetch(cudaTextureObject_t texture, T *out, int count, int first) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  out[i] = tex1Dfetch<T>(texture, i + first);
  T again;
  tex1Dfetch(&again, texture, i + first);
  for (unsigned b = 0; b < sizeof(T); b++)
    if (((unsigned char *)&again)[b] != ((unsigned char *)&out[i])[b])
      __trap();
}

template <typename T> static void check(int block) {
  const int texels = 777, margin = 5, count = texels + 2 * margin;
  buffer<T> in(texels), out(count);
  unsigned seed = sizeof(T);
  for (size_t i = 0; i < texels * sizeof(T); i++)
    ((unsigned char *)in.host)[i] = next_random(seed);
  in.upload();
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = in.device;
  resource.res.linear.desc = cudaCreateChannelDesc<T>();
  resource.res.linear.sizeInBytes = texels * sizeof(T);
  cudaTextureDesc s = sampler(cudaFilterModePoint, cudaAddressModeClamp, false);
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &s, nullptr));
  fetch<<<blocks_for(count, block), block>>>(texture, out.device, count, -margin);
  out.download();
  const T zero = T();
  for (int i = 0; i < count; i++) {
    int index = i - margin;
    const T &expected = index >= 0 && index < texels ? in[index] : zero;
    expect(i, memcmp(&out[i], &expected, sizeof(T)), 0);
  }
  CHECK(cudaDestroyTextureObject(texture));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check<char>(block), check<signed char>(block), check<char1>(block), check<char2>(block), check<char4>(block);
  check<unsigned char>(block), check<uchar1>(block), check<uchar2>(block), check<uchar4>(block);
  check<short>(block), check<short1>(block), check<short2>(block), check<short4>(block);
  check<unsigned short>(block), check<ushort1>(block), check<ushort2>(block), check<ushort4>(block);
  check<int>(block), check<int1>(block), check<int2>(block), check<int4>(block);
  check<unsigned>(block), check<uint1>(block), check<uint2>(block), check<uint4>(block);
  check<float>(block), check<float1>(block), check<float2>(block), check<float4>(block);
  return passed();
}
