// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layered textures in one and two dimensions, cubes, cubes in layers: which layer, face and texel a position means, with
// the nearest texel and with linear filtering inside a face, and the part of the layers that a view shows.
#include "textures.h"

enum { SIZE = 8, LAYERS = 5, CUBES = 2 };

__global__ void layers_1d(cudaTextureObject_t t, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // layers beyond both ends mean the last one
  if (i < count)
    out[i] = tex1DLayered<float>(t, i % SIZE + 0.25f, i / SIZE - 2);
}
__global__ void layers_2d(cudaTextureObject_t t, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    out[i] = tex2DLayered<float>(t, i % SIZE + 0.75f, i / SIZE % SIZE + 0.5f, i / (SIZE * SIZE) - 2);
}
__global__ void cube(cudaTextureObject_t t, const float4 *at, float *out, int count, int layered) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float4 d = at[i];
  out[i] = layered ? texCubemapLayered<float>(t, d.x, d.y, d.z, (int)d.w) : texCubemap<float>(t, d.x, d.y, d.z);
}

// Faces in CUDA's order: the direction in which each looks, and those in which its columns and rows go.
static const int ahead[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
static const int across[6][3] = {{0, 0, -1}, {0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {-1, 0, 0}};
static const int down[6][3] = {{0, -1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {0, -1, 0}, {0, -1, 0}};

static float4 direction(int face, double column, double row, double length, int layer) {
  double s = 2 * column / SIZE - 1, t = 2 * row / SIZE - 1, d[3];
  for (int i = 0; i < 3; i++)
    d[i] = length * (ahead[face][i] + s * across[face][i] + t * down[face][i]);
  return make_float4(d[0], d[1], d[2], layer);
}

static int layer_of(int i, int count) { return i >= 0 && i < count ? i : count - 1; }

static void check_layers(int block) {
  static float texels[LAYERS][SIZE][SIZE];
  for (int i = 0; i < LAYERS * SIZE * SIZE; i++)
    (&texels[0][0][0])[i] = i;
  const cudaTextureDesc point = sampler(cudaFilterModePoint, cudaAddressModeClamp, false);
  const int lines = (LAYERS + 4) * SIZE, planes = (LAYERS + 4) * SIZE * SIZE;
  buffer<float> out(planes);
  cudaArray_t array = array_of(&texels[0][0][0], SIZE, 0, LAYERS, cudaArrayLayered);
  cudaTextureObject_t t = texture_over(array, point);
  layers_1d<<<blocks_for(lines, block), block>>>(t, out.device, lines);
  out.download();
  for (int i = 0; i < lines; i++)
    expect(i, out[i], (float)(layer_of(i / SIZE - 2, LAYERS) * SIZE + i % SIZE));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));

  array = array_of(&texels[0][0][0], SIZE, SIZE, LAYERS, cudaArrayLayered);
  t = texture_over(array, point);
  layers_2d<<<blocks_for(planes, block), block>>>(t, out.device, planes);
  out.download();
  const int plane = SIZE * SIZE;
  for (int i = 0; i < planes; i++)
    expect(i, out[i], (float)(layer_of(i / plane - 2, LAYERS) * plane + i % plane));
  CHECK(cudaDestroyTextureObject(t));

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaResourceViewDesc view = {};
  view.width = view.height = SIZE;
  view.depth = LAYERS;
  view.format = cudaResViewFormatFloat1;
  view.firstLayer = 1;
  view.lastLayer = 3;
  CHECK(cudaCreateTextureObject(&t, &resource, &point, &view));
  layers_2d<<<blocks_for(planes, block), block>>>(t, out.device, planes);
  out.download();
  for (int i = 0; i < planes; i++)
    expect(i, out[i], (float)((1 + layer_of(i / plane - 2, 3)) * plane + i % plane));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));
}

static void check_cubes(int block) {
  static float texels[CUBES * 6][SIZE][SIZE];
  unsigned seed = 5;
  for (int i = 0; i < CUBES * 6 * SIZE * SIZE; i++)
    (&texels[0][0][0])[i] = next_random(seed) % 1000;
  const int count = 6 * 256;
  buffer<float4> at(count);
  buffer<float> out(count);
  for (int layered = 0; layered < 2; layered++) {
    cudaArray_t array = array_of(&texels[0][0][0], SIZE, SIZE, layered ? CUBES * 6 : 6,
                                 cudaArrayCubemap | (layered ? cudaArrayLayered : 0));
    for (int linear = 0; linear < 2; linear++) {
      static double place[6 * 256][2];
      for (int i = 0; i < count; i++) {
        // Quarters of texels: exact, whatever the length, which is a power of two. Linear samples stay inside a face.
        int room = linear ? 4 * (SIZE - 1) : 4 * SIZE;
        for (int d = 0; d < 2; d++)
          place[i][d] = next_random(seed) % room / 4.0 + (linear ? 0.5 : 0.125);
        at[i] = direction(i % 6, place[i][0], place[i][1], 1 << i % 3, layered ? i / 6 % CUBES : 0);
      }
      at.upload();
      cudaTextureObject_t t =
          texture_over(array, sampler(linear ? cudaFilterModeLinear : cudaFilterModePoint, cudaAddressModeClamp, true));
      cube<<<blocks_for(count, block), block>>>(t, at.device, out.device, count, layered);
      out.download();
      for (int i = 0; i < count; i++) {
        const float (*face)[SIZE] = texels[(layered ? i / 6 % CUBES * 6 : 0) + i % 6];
        double sum = 0;
        for (int y = 0; y < SIZE; y++)
          for (int x = 0; x < SIZE; x++)
            sum += linear ? linear_weight(place[i][0], x) * linear_weight(place[i][1], y) * face[y][x]
                          : (x == (int)place[i][0] && y == (int)place[i][1]) * face[y][x];
        if (!(std::fabs(out[i] - sum) <= linear_tolerance * 1000))
          fail_at(i, (double)out[i], sum);
      }
      CHECK(cudaDestroyTextureObject(t));
    }
    CHECK(cudaFreeArray(array));
  }
}

// Across an edge a seamless cube mixes both faces' texels, another one only its own.
static void check_edges(int block) {
  static float texels[6][SIZE][SIZE];
  for (int i = 0; i < 6 * SIZE * SIZE; i++)
    (&texels[0][0][0])[i] = i / (SIZE * SIZE) * 64;
  cudaArray_t array = array_of(&texels[0][0][0], SIZE, SIZE, 6, cudaArrayCubemap);
  const int count = 6;
  buffer<float4> at(count);
  buffer<float> out(count);
  // On the last column of each face, a quarter of a texel from the edge to the face that the columns lead to.
  for (int face = 0; face < 6; face++)
    at[face] = direction(face, SIZE - 0.25, SIZE / 2 + 0.5, 1, 0);
  at.upload();
  static const int next[6] = {5, 4, 0, 0, 0, 1};
  for (int seamless = 0; seamless < 2; seamless++) {
    cudaTextureDesc s = sampler(cudaFilterModeLinear, cudaAddressModeClamp, true);
    s.seamlessCubemap = seamless;
    cudaTextureObject_t t = texture_over(array, s);
    cube<<<blocks_for(count, block), block>>>(t, at.device, out.device, count, 0);
    out.download();
    for (int face = 0; face < 6; face++)
      expect(face, out[face], seamless ? 0.75f * face * 64 + 0.25f * next[face] * 64 : face * 64.0f);
    CHECK(cudaDestroyTextureObject(t));
  }
  CHECK(cudaFreeArray(array));
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_layers(block);
  check_cubes(block);
  check_edges(block);
  return passed();
}
