// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The old references: linear memory, pitched memory, arrays, layers, normalized reads, rebinding, unbinding, an offset,
// a static one, one in a namespace, and one that a template's kernels share.
#include "textures.h"

enum { WIDTH = 64, HEIGHT = 20, COUNT = WIDTH * HEIGHT };

texture<float, 1, cudaReadModeElementType> line;
static texture<int4> quads;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> image(1, cudaFilterModeLinear, cudaAddressModeWrap);
namespace inner {
texture<unsigned short, 2> rows;
}
texture<float, cudaTextureType2DLayered> layers;
texture<char, 2> pattern;
__device__ int4 numbers[COUNT / 4];
texture<float, cudaTextureType2D> levels(1);

__global__ void read_line(float *out, int offset) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    out[i] = tex1Dfetch(line, i + offset) + tex1D(line, i + offset + 0.5f);
}
template <int Add> __global__ void read_quads(int *out) {
  __shared__ int kept[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  kept[threadIdx.x] = i < COUNT / 4 ? tex1Dfetch(quads, i).z : 0;
  __syncthreads();
  if (i < COUNT / 4)
    out[i] = kept[threadIdx.x] + Add;
}
__global__ void read_image(float4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    out[i] = tex2D(image, (i % WIDTH + 0.5f) / WIDTH + 3, (i / WIDTH + 0.5f) / 16 - 5);
}
__global__ void read_rows(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    out[i] = tex2D(inner::rows, i % WIDTH, i / WIDTH) + tex2D(pattern, i % WIDTH, i / WIDTH);
}
__global__ void read_layers(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < COUNT)
    out[i] = tex2DLayered(layers, i % 8, i / 8 % 8, i / 64);
}

__global__ void read_levels(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4)
    out[i] = tex2DLod(levels, 0.5f, 0.5f, i);
}

// Each level of a mipmap is its own value.
static void check_mipmap(float *out, int block) {
  cudaMipmappedArray_t mipmap;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), 4));
  for (int level = 0; level < 4; level++) {
    float texels[64];
    cudaArray_t array;
    for (int i = 0; i < 64; i++)
      texels[i] = level + 1;
    CHECK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
    CHECK(cudaMemcpyToArray(array, 0, 0, texels, sizeof texels >> 2 * level, cudaMemcpyHostToDevice));
  }
  levels.maxMipmapLevelClamp = 3;
  CHECK(cudaBindTextureToMipmappedArray(levels, mipmap));
  read_levels<<<blocks_for(4, block), block>>>(out);
  float back[4];
  CHECK(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; i++)
    expect(i, back[i], (float)(i + 1));
  CHECK(cudaUnbindTexture(levels));
  CHECK(cudaFreeMipmappedArray(mipmap));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), blocks = blocks_for(COUNT, block);
  buffer<float> real(COUNT), out(COUNT);
  buffer<int> whole(COUNT), found(COUNT);
  for (int i = 0; i < COUNT; i++)
    real[i] = i * 0.5f, whole[i] = i * 7;
  real.upload(), whole.upload();

  // Unbound, bound, at another address with an offset, unbound again.
  read_line<<<blocks, block>>>(out.device, 0);
  out.download();
  for (int i = 0; i < COUNT; i++)
    expect(i, out[i], 0.0f);
  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaBindTexture(nullptr, &line, real.device, &format, COUNT * sizeof(float)));
  read_line<<<blocks, block>>>(out.device, 0);
  out.download();
  for (int i = 0; i < COUNT; i++)
    expect(i, out[i], (float)i);
  size_t offset = 99, same = 98;
  expect(-1, (int)cudaBindTexture(nullptr, line, real.device + 5), (int)cudaErrorInvalidValue);
  cudaGetLastError();
  CHECK(cudaBindTexture(&offset, line, real.device + 5, 100 * sizeof(float)));
  CHECK(cudaGetTextureAlignmentOffset(&same, line));
  expect(-2, (int)offset, 20);
  expect(-3, (int)same, 20);
  read_line<<<blocks, block>>>(out.device, (int)(offset / sizeof(float)));
  out.download();
  for (int i = 0; i < 100; i++)
    expect(i, out[i], (float)(i + 5));
  for (int i = 101; i < COUNT; i++)
    expect(i, out[i], 104 * 0.5f); // the fetch reads nothing, tex1D the last texel
  CHECK(cudaUnbindTexture(line));
  read_line<<<blocks, block>>>(out.device, 0);
  out.download();
  for (int i = 0; i < COUNT; i++)
    expect(i, out[i], 0.0f);

  CHECK(cudaBindTexture(0, quads, whole.device, COUNT * sizeof(int)));
  read_quads<1000><<<blocks, block>>>(found.device);
  found.download();
  for (int i = 0; i < COUNT / 4; i++)
    expect(i, found[i], (4 * i + 2) * 7 + 1000);

  // A variable of the device is memory like any other.
  void *address;
  CHECK(cudaMemcpyToSymbol(numbers, whole.host, sizeof numbers));
  CHECK(cudaGetSymbolAddress(&address, numbers));
  CHECK(cudaBindTexture(nullptr, quads, address, sizeof numbers));
  read_quads<2000><<<blocks, block>>>(found.device);
  found.download();
  for (int i = 0; i < COUNT / 4; i++)
    expect(i, found[i], (4 * i + 2) * 7 + 2000);

  static uchar4 pixels[HEIGHT][WIDTH];
  for (int i = 0; i < COUNT; i++)
    (&pixels[0][0])[i] = make_uchar4(i, i * 3, i * 5, 255 - i);
  cudaArray_t array = array_of(&pixels[0][0], WIDTH, 16);
  CHECK(cudaBindTextureToArray(image, array));
  buffer<float4> colors(COUNT);
  read_image<<<blocks, block>>>(colors.device);
  colors.download();
  for (int i = 0; i < COUNT; i++) // the middles of texels: one weight is 1
    for (int c = 0; c < 4; c++)
      expect_near(i, (&colors[i].x)[c], (&pixels[i / WIDTH % 16][i % WIDTH].x)[c] / 255.0f, 1e-6);

  unsigned short *pitched;
  size_t pitch;
  static unsigned short shorts[HEIGHT][WIDTH];
  static char signs[HEIGHT][WIDTH];
  for (int i = 0; i < COUNT; i++)
    (&shorts[0][0])[i] = 60000 + i, (&signs[0][0])[i] = (char)(i * 11);
  CHECK(cudaMallocPitch((void **)&pitched, &pitch, WIDTH * 2, HEIGHT));
  CHECK(cudaMemcpy2D(pitched, pitch, shorts, WIDTH * 2, WIDTH * 2, HEIGHT, cudaMemcpyHostToDevice));
  CHECK(cudaBindTexture2D(&offset, inner::rows, pitched, inner::rows.channelDesc, WIDTH, HEIGHT, pitch));
  cudaArray_t other = array_of(&signs[0][0], WIDTH, HEIGHT);
  pattern.addressMode[0] = cudaAddressModeClamp;
  pattern.normalized = false;
  CHECK(cudaBindTextureToArray(pattern, other));
  read_rows<<<blocks, block>>>(found.device);
  found.download();
  for (int i = 0; i < COUNT; i++)
    expect(i, found[i], 60000 + i + (&signs[0][0])[i]);

  static float stack[HEIGHT][8][8];
  for (int i = 0; i < COUNT; i++)
    (&stack[0][0][0])[i] = i + 0.25f;
  cudaArray_t third = array_of(&stack[0][0][0], 8, 8, HEIGHT, cudaArrayLayered);
  CHECK(cudaBindTextureToArray(layers, third));
  read_layers<<<blocks, block>>>(out.device);
  out.download();
  for (int i = 0; i < COUNT; i++)
    expect(i, out[i], i + 0.25f);

  check_mipmap(out.device, block);

  const textureReference *reference;
  CHECK(cudaGetTextureReference(&reference, &layers));
  expect(-4, reference == &layers, true);
  CHECK(cudaUnbindTexture(reference));
  expect(-5, (int)cudaGetTextureReference(&reference, &offset), (int)cudaErrorInvalidTexture);
  CHECK(cudaFreeArray(array));
  CHECK(cudaFreeArray(other));
  CHECK(cudaFreeArray(third));
  CHECK(cudaFree(pitched));
  return passed();
}
