// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Surfaces of each shape: written by one kernel, read by the next and through a texture; elements of 1 to 16 bytes; the boundary
// modes that do not end the kernel.
#include "textures.h"

enum { WIDTH = 32, HEIGHT = 12, DEPTH = 6 };

// Element i of a shape's array, in rows, then slices.
__global__ void write_shape(cudaSurfaceObject_t s, int shape, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int x = i % WIDTH * (int)sizeof(int2), y = i / WIDTH % HEIGHT, z = i / (WIDTH * HEIGHT);
  int2 value = make_int2(i, shape);
  switch (shape) {
  case 0: surf1Dwrite(value, s, x); break;
  case 1: surf2Dwrite(value, s, x, y); break;
  case 2: surf3Dwrite(value, s, x, y, z); break;
  case 3: surf1DLayeredwrite(value, s, x, i / WIDTH); break;
  case 4: surf2DLayeredwrite(value, s, x, y, z); break;
  case 5: surfCubemapwrite(value, s, x, i / WIDTH % WIDTH, i / (WIDTH * WIDTH)); break;
  case 6: surfCubemapLayeredwrite(value, s, x, i / WIDTH % WIDTH, i / (WIDTH * WIDTH)); break;
  }
}
__global__ void read_shape(cudaSurfaceObject_t s, int shape, int2 *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int x = i % WIDTH * (int)sizeof(int2), y = i / WIDTH % HEIGHT, z = i / (WIDTH * HEIGHT);
  int2 value = make_int2(-1, -1);
  switch (shape) {
  case 0: value = surf1Dread<int2>(s, x); break;
  case 1: value = surf2Dread<int2>(s, x, y); break;
  case 2: value = surf3Dread<int2>(s, x, y, z); break;
  case 3: value = surf1DLayeredread<int2>(s, x, i / WIDTH); break;
  case 4: surf2DLayeredread(&value, s, x, y, z); break;
  case 5: value = surfCubemapread<int2>(s, x, i / WIDTH % WIDTH, i / (WIDTH * WIDTH)); break;
  case 6: surfCubemapLayeredread(&value, s, x, i / WIDTH % WIDTH, i / (WIDTH * WIDTH)); break;
  }
  out[i] = value;
}

static void check_shape(int shape, cudaExtent extent, unsigned flags, int block) {
  cudaArray_t array;
  cudaChannelFormatDesc format = cudaCreateChannelDesc<int2>();
  CHECK(cudaMalloc3DArray(&array, &format, extent, flags | cudaArraySurfaceLoadStore));
  const int rows = extent.height ? (int)extent.height : 1, slices = extent.depth ? (int)extent.depth : 1;
  const int count = (int)extent.width * rows * slices;
  cudaSurfaceObject_t s = surface_over(array);
  buffer<int2> out(count);
  write_shape<<<blocks_for(count, block), block>>>(s, shape, count);
  read_shape<<<blocks_for(count, block), block>>>(s, shape, out.device, count);
  out.download();
  for (int i = 0; i < count; i++)
    expect(i, out[i].x, i), expect(i, out[i].y, shape);
  // The host finds the same in the array.
  cudaMemcpy3DParms copy = {};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(out.host, extent.width * sizeof(int2), extent.width, rows);
  copy.extent = make_cudaExtent(extent.width, rows, slices);
  copy.kind = cudaMemcpyDeviceToHost;
  memset(out.host, 0, count * sizeof(int2));
  CHECK(cudaMemcpy3D(&copy));
  for (int i = 0; i < count; i++)
    expect(i, out[i].x, i);
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(array));
}

__global__ void beyond(cudaSurfaceObject_t s, float *out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  int x = (i % (3 * WIDTH) - WIDTH) * 4, y = i / (3 * WIDTH) - HEIGHT;
  out[2 * i] = surf2Dread<float>(s, x, y, cudaBoundaryModeZero);
  out[2 * i + 1] = surf2Dread<float>(s, x, y, cudaBoundaryModeClamp);
  if (x < 0 || x >= WIDTH * 4 || y < 0 || y >= HEIGHT)
    surf2Dwrite(-1.0f, s, x, y, cudaBoundaryModeZero); // nowhere
}

template <typename T> __global__ void add_one(cudaSurfaceObject_t s, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, per_row = WIDTH * 16 / (int)sizeof(T);
  if (i >= count)
    return;
  union {
    T value;
    unsigned char bytes[sizeof(T)];
  } element;
  surf2Dread(&element.value, s, i % per_row * (int)sizeof(T), i / per_row);
  for (unsigned b = 0; b < sizeof(T); b++)
    element.bytes[b]++;
  surf2Dwrite(element.value, s, i % per_row * (int)sizeof(T), i / per_row);
}
template <typename T> static void bump(cudaSurfaceObject_t s, int block) {
  int count = WIDTH * 16 / (int)sizeof(T) * HEIGHT;
  add_one<T><<<blocks_for(count, block), block>>>(s, count);
  CHECK(cudaGetLastError());
}

__global__ void read_texture(cudaTextureObject_t t, uint4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < WIDTH * HEIGHT)
    out[i] = tex2D<uint4>(t, i % WIDTH, i / WIDTH);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  check_shape(0, make_cudaExtent(WIDTH, 0, 0), 0, block);
  check_shape(1, make_cudaExtent(WIDTH, HEIGHT, 0), 0, block);
  check_shape(2, make_cudaExtent(WIDTH, HEIGHT, DEPTH), 0, block);
  check_shape(3, make_cudaExtent(WIDTH, 0, DEPTH), cudaArrayLayered, block);
  check_shape(4, make_cudaExtent(WIDTH, HEIGHT, DEPTH), cudaArrayLayered, block);
  check_shape(5, make_cudaExtent(WIDTH, WIDTH, 6), cudaArrayCubemap, block);
  check_shape(6, make_cudaExtent(WIDTH, WIDTH, 12), cudaArrayCubemap | cudaArrayLayered, block);

  static float texels[HEIGHT][WIDTH];
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    (&texels[0][0])[i] = i + 1;
  cudaArray_t array = array_of(&texels[0][0], WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  cudaSurfaceObject_t s = surface_over(array);
  const int around = 9 * WIDTH * HEIGHT;
  buffer<float> out(2 * around);
  beyond<<<blocks_for(around, block), block>>>(s, out.device, around);
  out.download();
  for (int i = 0; i < around; i++) {
    int x = i % (3 * WIDTH) - WIDTH, y = i / (3 * WIDTH) - HEIGHT;
    int inside_x = x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1, inside_y = y < 0 ? 0 : y < HEIGHT ? y : HEIGHT - 1;
    bool inside = x == inside_x && y == inside_y;
    expect(2 * i, out[2 * i], inside ? texels[y][x] : 0);
    expect(2 * i + 1, out[2 * i + 1], texels[inside_y][inside_x]);
  }
  CHECK(cudaDestroySurfaceObject(s));
  CHECK(cudaFreeArray(array));

  // Each byte goes up by one for each element size.
  static uint4 wide[HEIGHT][WIDTH];
  for (size_t i = 0; i < sizeof wide; i++)
    ((unsigned char *)wide)[i] = (unsigned char)(i * 3);
  array = array_of(&wide[0][0], WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore);
  s = surface_over(array);
  bump<char>(s, block), bump<ushort1>(s, block), bump<float>(s, block), bump<uchar4>(s, block);
  bump<longlong1>(s, block), bump<int4>(s, block);
  CHECK(cudaDestroySurfaceObject(s));
  buffer<uint4> read(WIDTH * HEIGHT);
  cudaTextureObject_t t = texture_over(array, sampler(cudaFilterModePoint, cudaAddressModeClamp, false));
  read_texture<<<blocks_for(WIDTH * HEIGHT, block), block>>>(t, read.device);
  read.download();
  for (size_t i = 0; i < sizeof wide; i++)
    expect(i, (int)((unsigned char *)read.host)[i], (int)(unsigned char)(i * 3 + 6));
  CHECK(cudaDestroyTextureObject(t));
  CHECK(cudaFreeArray(array));
  return passed();
}
