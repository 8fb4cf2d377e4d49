// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of the runtime that no other program here makes: asynchronous fills and copies in two and three dimensions, old names
// of the device's settings, occupancy with flags, and small questions.
#include "check.h"

#include <channel_descriptor.h>

__global__ void scale(float *data) { data[blockIdx.x * blockDim.x + threadIdx.x] *= 2.0f; }

static void wanted(const char *what, bool right) {
  if (right)
    return;
  printf("%s is wrong\n", what);
  exit(1);
}

int main(int argc, char **argv) {
  const int width = 8, height = 4, depth = 3, block = block_size(argc, argv);
  CHECK(cudaInitDevice(0, cudaDeviceScheduleAuto, cudaInitDeviceFlagsAreValid));
  CHECK(cudaSetDevice(0));
  CHECK(cudaCtxResetPersistingL2Cache());

  // A fill of the middle of a box, copied as from another device.
  cudaPitchedPtr from, to;
  cudaExtent whole = make_cudaExtent(width, height, depth);
  CHECK(cudaMalloc3D(&from, whole));
  CHECK(cudaMalloc3D(&to, whole));
  CHECK(cudaMemset3DAsync(from, 1, whole, 0));
  CHECK(cudaMemset2DAsync((char *)from.ptr + from.pitch + 2, from.pitch, 9, 3, 2, 0));
  cudaMemcpy3DPeerParms peer = {};
  peer.srcPtr = from;
  peer.dstPtr = to;
  peer.extent = whole;
  CHECK(cudaMemcpy3DPeerAsync(&peer, 0));
  char host[depth][height][width];
  for (int k = 0; k < depth; k++)
    CHECK(cudaMemcpy2D(host[k], width, (char *)to.ptr + k * height * to.pitch, to.pitch, width, height,
                       cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height * depth; i++) {
    int x = i % width, y = i / width % height, z = i / width / height;
    expect(i, (int)host[z][y][x], z == 0 && y >= 1 && y < 3 && x >= 2 && x < 5 ? 9 : 1);
  }

  // Old names are the new ones.
  cudaFuncCache cache;
  size_t stack;
#if CUDART_VERSION < 13000
  CHECK(cudaThreadSetCacheConfig(cudaFuncCachePreferShared));
  CHECK(cudaThreadGetCacheConfig(&cache));
  wanted("the cache's preference", cache == cudaFuncCachePreferShared);
#else // which has only the new ones
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
#endif
  CHECK(cudaDeviceGetCacheConfig(&cache));
  wanted("the cache's preference by its new name", cache == cudaFuncCachePreferShared);
#if CUDART_VERSION < 13000
  CHECK(cudaThreadSetLimit(cudaLimitStackSize, 4096));
#else
  CHECK(cudaDeviceSetLimit(cudaLimitStackSize, 4096));
#endif
  CHECK(cudaDeviceGetLimit(&stack, cudaLimitStackSize));
  wanted("the stack's limit", stack == 4096);
#if CUDART_VERSION < 13000
  double number = 0.1;
  CHECK(cudaSetDoubleForDevice(&number));
  CHECK(cudaSetDoubleForHost(&number));
  wanted("a double", number == 0.1);
#endif

  // The block size that fills the device runs, and a limit is kept.
  int grid, size, other;
  CHECK(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &size, scale, 0, block, cudaOccupancyDefault));
  wanted("a block size", size >= 1 && size <= block && grid >= 1);
  auto shared = [](int threads) { return threads * sizeof(float); };
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(&grid, &other, scale, shared, block,
                                                                cudaOccupancyDefault));
  wanted("a block size with shared memory", other >= 1 && other <= block);
  buffer<float> data(size);
  for (int i = 0; i < size; i++)
    data[i] = (float)i;
  data.upload();
  scale<<<1, size>>>(data.device);
  data.download();
  for (int i = 0; i < size; i++)
    expect(i, data[i], 2.0f * i);

  cudaChannelFormatDesc half = cudaCreateChannelDescHalf1(), two = cudaCreateChannelDescHalf2(),
                        four = cudaCreateChannelDescHalf4();
  wanted("a half's format", half.x == 16 && half.y == 0 && half.f == cudaChannelFormatKindFloat);
  wanted("two halves' format", two.x == 16 && two.y == 16 && two.z == 0);
  wanted("four halves' format", four.z == 16 && four.w == 16);
  size_t texels;
  CHECK(cudaDeviceGetTexture1DLinearMaxWidth(&texels, &four, 0));
  wanted("the longest texture", texels >= 1 << 20);

  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &four, 16, 16, cudaArraySurfaceLoadStore));
  cudaResourceDesc resource = {}, got = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CHECK(cudaCreateSurfaceObject(&surface, &resource));
  CHECK(cudaGetSurfaceObjectResourceDesc(&got, surface));
  wanted("a surface's array", got.resType == cudaResourceTypeArray && got.res.array.array == array);
  CHECK(cudaDestroySurfaceObject(surface));
  CHECK(cudaFreeArray(array));
  return passed();
}
