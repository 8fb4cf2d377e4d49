/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Arrays, their copies, mipmaps, texture and surface objects: what they give back and everything that they must refuse.
 * What a kernel reads through them is tests/run's.
 */
#include "check.h"

enum { WIDTH = 10, HEIGHT = 6, DEPTH = 3 };

static const struct cudaChannelFormatDesc pairs = {16, 16, 0, 0, cudaChannelFormatKindUnsigned}; /* 4 bytes */
static unsigned int host[DEPTH][HEIGHT][WIDTH], back[DEPTH][HEIGHT][WIDTH];

static struct cudaExtent extent(size_t width, size_t height, size_t depth) {
  return (struct cudaExtent){width, height, depth};
}

static void fill_host(void) {
  for (unsigned int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
    (&host[0][0][0])[i] = i * 2654435761u;
  memset(back, 0, sizeof back);
}

static void check_making(void) {
  cudaArray_t array;
  struct cudaChannelFormatDesc format;
  struct cudaExtent size;
  unsigned int flags;
  CHECK_OK(cudaMalloc3DArray(&array, &pairs, extent(WIDTH, HEIGHT, DEPTH), cudaArrayLayered));
  CHECK_OK(cudaArrayGetInfo(&format, &size, &flags, array));
  CHECK(memcmp(&format, &pairs, sizeof format) == 0 && flags == cudaArrayLayered);
  CHECK(size.width == WIDTH && size.height == HEIGHT && size.depth == DEPTH);
  CHECK_OK(cudaArrayGetInfo(NULL, NULL, NULL, array));
  CHECK_OK(cudaFreeArray(array));
  CHECK_ERROR(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaGetChannelDesc(&format, array), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaFreeArray(NULL));
  CHECK_OK(cudaMallocArray(&array, &pairs, WIDTH, 0, 0));
  CHECK_OK(cudaArrayGetInfo(NULL, &size, NULL, array));
  CHECK(size.width == WIDTH && size.height == 0 && size.depth == 0);
  CHECK_OK(cudaFreeArray(array));

  CHECK_ERROR(cudaMallocArray(NULL, &pairs, 1, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&array, NULL, 1, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&array, &pairs, 0, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&array, &pairs, 131073, 1, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&array, &pairs, 4, 4, 0x1000), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMallocArray(&array, &pairs, 4, 4, cudaArraySparse), cudaErrorNotSupported);
  CHECK_ERROR(cudaMallocArray(&array, &pairs, 4, 4, cudaArrayLayered), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &pairs, extent(4, 0, 4), 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &pairs, extent(4, 4, 0), cudaArrayLayered), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &pairs, extent(4, 5, 6), cudaArrayCubemap), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &pairs, extent(4, 4, 7), cudaArrayCubemap), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &pairs, extent(4, 4, 13), cudaArrayCubemap | cudaArrayLayered),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaMalloc3DArray(&array, &pairs, extent(4, 4, 4), cudaArrayTextureGather), cudaErrorInvalidValue);
  CHECK(array == NULL);
  const struct cudaChannelFormatDesc bad[] = {
      {8, 8, 8, 0, cudaChannelFormatKindUnsigned}, {8, 16, 0, 0, cudaChannelFormatKindUnsigned},
      {8, 0, 0, 0, cudaChannelFormatKindFloat},    {24, 0, 0, 0, cudaChannelFormatKindSigned},
      {0, 0, 0, 0, cudaChannelFormatKindNone},     {16, 0, 0, 0, cudaChannelFormatKindUnsignedNormalized8X1}};
  for (size_t i = 0; i < COUNT_OF(bad); i++)
    CHECK_ERROR(cudaMallocArray(&array, &bad[i], 4, 4, 0), cudaErrorInvalidChannelDescriptor);
  const struct cudaChannelFormatDesc blocks = {8, 8, 8, 8, cudaChannelFormatKindUnsignedBlockCompressed1};
  CHECK_ERROR(cudaMallocArray(&array, &blocks, 4, 4, 0), cudaErrorNotSupported);
}

static void check_rows(void) {
  cudaArray_t array, second;
  cudaStream_t stream;
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaMallocArray(&array, &pairs, WIDTH, HEIGHT, 0));
  CHECK_OK(cudaMallocArray(&second, &pairs, WIDTH + 3, HEIGHT, 0));
  fill_host();
  const size_t row = sizeof host[0][0];
  CHECK_OK(cudaMemcpy2DToArray(array, 0, 0, host, row, row, HEIGHT, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy2DFromArray(back, row, array, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost));
  CHECK(memcmp(host, back, HEIGHT * row) == 0);
  /* A part, by way of the other array. */
  CHECK_OK(cudaMemcpy2DArrayToArray(second, 8, 2, array, 12, 1, 20, 3, cudaMemcpyDeviceToDevice));
  CHECK_OK(cudaMemcpy2DFromArrayAsync(back[1], row, second, 8, 2, 20, 3, cudaMemcpyDefault, stream));
  for (int y = 0; y < 3; y++)
    CHECK(memcmp(back[1][y], &host[0][1 + y][3], 20) == 0);
  CHECK_OK(cudaMemcpy2DToArrayAsync(array, 4, 5, host[2], row, 8, 1, cudaMemcpyHostToDevice, stream));

  /* Runs go on in the next row, also between arrays with rows of other lengths. */
  CHECK_OK(cudaMemcpyToArray(array, 0, 0, host[1], HEIGHT * row, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpyToArray(array, 28, 1, host[0], 33 * 4, cudaMemcpyHostToDevice));
  memset(back, 0, sizeof back);
  CHECK_OK(cudaMemcpyFromArray(back, array, 28, 1, 33 * 4, cudaMemcpyDeviceToHost));
  CHECK(memcmp(back, host, 33 * 4) == 0);
  CHECK_OK(cudaMemcpyFromArray(back, array, 0, 0, HEIGHT * row, cudaMemcpyDeviceToHost));
  CHECK(memcmp(back, host[1], 17 * 4) == 0 && memcmp(&back[0][1][7], host, 33 * 4) == 0);
  CHECK(memcmp(&back[0][5][0], &host[1][5][0], row) == 0);
  CHECK_OK(cudaMemcpyArrayToArray(second, 40, 0, array, 28, 1, 33 * 4, cudaMemcpyDeviceToDevice));
  memset(back, 0, sizeof back);
  CHECK_OK(cudaMemcpyFromArrayAsync(back, second, 40, 0, 33 * 4, cudaMemcpyDeviceToHost, stream));
  CHECK(memcmp(back, host, 33 * 4) == 0);
  CHECK_OK(cudaMemcpyToArrayAsync(second, 0, 0, host, 8, cudaMemcpyDefault, stream));

  CHECK_ERROR(cudaMemcpy2DToArray(array, 2, 0, host, row, 8, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DToArray(array, 4, 0, host, row, row, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DToArray(array, 0, 1, host, row, row, HEIGHT, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2DToArray(array, 0, 0, host, row - 4, row, 2, cudaMemcpyHostToDevice),
              cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2DToArray(array, 0, 0, host, row, row, 1, cudaMemcpyDeviceToHost),
              cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpy2DFromArray(back, row, array, 0, 0, row, 1, cudaMemcpyHostToDevice),
              cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpy2DToArray(NULL, 0, 0, host, row, row, 1, cudaMemcpyHostToDevice),
              cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaMemcpyToArray(array, 0, 0, host, HEIGHT * row + 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyToArray(array, row, 0, host, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeArray(array));
  CHECK_OK(cudaFreeArray(second));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void check_boxes(void) {
  cudaArray_t array, bytes;
  const struct cudaChannelFormatDesc byte = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};
  struct cudaPitchedPtr from = {host, sizeof host[0][0], WIDTH, HEIGHT}, to = {back, sizeof back[0][0], WIDTH, HEIGHT};
  fill_host();
  CHECK_OK(cudaMalloc3DArray(&array, &pairs, extent(WIDTH, HEIGHT, DEPTH), 0));
  CHECK_OK(cudaMallocArray(&bytes, &byte, WIDTH, HEIGHT, 0));
  struct cudaMemcpy3DParms up = {
      .srcPtr = from, .dstArray = array, .extent = {WIDTH, HEIGHT, DEPTH}, .kind = cudaMemcpyHostToDevice};
  CHECK_OK(cudaMemcpy3D(&up));
  struct cudaMemcpy3DParms down = {.srcArray = array,
                                   .srcPos = {2, 1, 1},
                                   .dstPtr = to,
                                   .dstPos = {4, 3, 0}, /* bytes here, texels there */
                                   .extent = {5, 3, 2},
                                   .kind = cudaMemcpyDeviceToHost};
  CHECK_OK(cudaMemcpy3DAsync(&down, NULL));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 3; y++)
      CHECK(memcmp(&back[z][3 + y][1], &host[1 + z][1 + y][2], 20) == 0 && back[z][y][1] == 0);
  struct cudaMemcpy3DPeerParms peer = {
      .srcArray = array, .dstArray = array, .dstPos = {0, 0, 2}, .extent = {WIDTH, HEIGHT, 1}};
  CHECK_OK(cudaMemcpy3DPeer(&peer));

  up.extent.depth = DEPTH + 1;
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidValue);
  up.extent = extent(WIDTH, HEIGHT, DEPTH);
  up.dstPtr = to; /* both places */
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidValue);
  down.srcArray = bytes;
  down.dstArray = array;
  down.dstPtr.ptr = NULL;
  down.kind = cudaMemcpyDeviceToDevice;
  CHECK_ERROR(cudaMemcpy3D(&down), cudaErrorInvalidValue); /* texels of two sizes */
  CHECK_OK(cudaFreeArray(array));
  CHECK_OK(cudaFreeArray(bytes));
}

static void check_mipmaps(void) {
  cudaMipmappedArray_t mipmap;
  cudaArray_t level;
  struct cudaExtent size;
  CHECK_OK(cudaMallocMipmappedArray(&mipmap, &pairs, extent(20, 5, 0), 100, 0));
  const size_t widths[] = {20, 10, 5, 2, 1}, heights[] = {5, 2, 1, 1, 1};
  for (unsigned int i = 0; i < 5; i++) {
    CHECK_OK(cudaGetMipmappedArrayLevel(&level, mipmap, i));
    CHECK_OK(cudaArrayGetInfo(NULL, &size, NULL, level));
    CHECK(size.width == widths[i] && size.height == heights[i] && size.depth == 0);
  }
  CHECK_ERROR(cudaGetMipmappedArrayLevel(&level, mipmap, 5), cudaErrorInvalidValue);
  CHECK_ERROR(cudaFreeArray(level), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeMipmappedArray(mipmap));
  CHECK_ERROR(cudaGetMipmappedArrayLevel(&level, mipmap, 0), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaFreeMipmappedArray(mipmap), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaFreeMipmappedArray(NULL));
  CHECK_OK(cudaMallocMipmappedArray(&mipmap, &pairs, extent(8, 8, 4), 2, cudaArrayLayered));
  CHECK_OK(cudaGetMipmappedArrayLevel(&level, mipmap, 1));
  CHECK_OK(cudaArrayGetInfo(NULL, &size, NULL, level));
  CHECK(size.width == 4 && size.height == 4 && size.depth == 4);
  CHECK_OK(cudaFreeMipmappedArray(mipmap));
}

static void check_objects(void) {
  cudaArray_t array;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  char *memory;
  struct cudaTextureDesc sampler = {.filterMode = cudaFilterModePoint, .borderColor = {1, 2, 3, 4}}, sampler_back;
  struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray}, resource_back;
  struct cudaResourceViewDesc view = {.width = WIDTH, .height = HEIGHT}, view_back;
  CHECK_OK(cudaMallocArray(&array, &pairs, WIDTH, HEIGHT, 0));
  resource.res.array.array = array;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, NULL));
  CHECK_OK(cudaGetTextureObjectResourceDesc(&resource_back, texture));
  CHECK_OK(cudaGetTextureObjectTextureDesc(&sampler_back, texture));
  CHECK(resource_back.resType == cudaResourceTypeArray && resource_back.res.array.array == array);
  CHECK(memcmp(&sampler, &sampler_back, sizeof sampler) == 0);
  CHECK_ERROR(cudaGetTextureObjectResourceViewDesc(&view_back, texture), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetTextureObjectTextureDesc(NULL, texture), cudaErrorInvalidValue);
  CHECK_OK(cudaDestroyTextureObject(texture));
  CHECK_ERROR(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGetTextureObjectTextureDesc(&sampler_back, texture), cudaErrorInvalidValue);

  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, &view), cudaErrorInvalidValue); /* of no format */
  view.format = cudaResViewFormatUnsignedInt1;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, &view));
  CHECK_OK(cudaGetTextureObjectResourceViewDesc(&view_back, texture));
  CHECK(memcmp(&view, &view_back, sizeof view) == 0);
  CHECK_OK(cudaDestroyTextureObject(texture));
  view.format = cudaResViewFormatUnsignedInt2; /* another size */
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, &view), cudaErrorInvalidValue);
  view.format = cudaResViewFormatUnsignedBlockCompressed1;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, &view), cudaErrorNotSupported);
  view.format = cudaResViewFormatUnsignedInt1;
  view.lastLayer = 1;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, &view), cudaErrorInvalidValue);

  CHECK_ERROR(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue); /* made without its flag */
  CHECK_ERROR(cudaDestroySurfaceObject(77), cudaErrorInvalidValue);
  CHECK_OK(cudaDestroySurfaceObject(0));
  CHECK_OK(cudaDestroyTextureObject(0));
  CHECK_ERROR(cudaCreateTextureObject(NULL, &resource, &sampler, NULL), cudaErrorInvalidValue);
  CHECK_ERROR(cudaCreateTextureObject(&texture, NULL, &sampler, NULL), cudaErrorInvalidValue);
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, NULL, NULL), cudaErrorInvalidValue);
  sampler.filterMode = cudaFilterModeLinear;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidFilterSetting);
  sampler.readMode = cudaReadModeNormalizedFloat;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, NULL));
  CHECK_OK(cudaDestroyTextureObject(texture));
  sampler.addressMode[1] = (enum cudaTextureAddressMode)4;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeArray(array));
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidResourceHandle);

  sampler = (struct cudaTextureDesc){.readMode = cudaReadModeNormalizedFloat};
  CHECK_OK(cudaMalloc((void **)&memory, 65536));
  resource = (struct cudaResourceDesc){.resType = cudaResourceTypeLinear};
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = (struct cudaChannelFormatDesc){32, 0, 0, 0, cudaChannelFormatKindSigned};
  resource.res.linear.sizeInBytes = 4096;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidNormSetting);
  sampler.readMode = cudaReadModeElementType;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, &view), cudaErrorInvalidValue);
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, NULL));
  CHECK_OK(cudaDestroyTextureObject(texture));
  CHECK_ERROR(cudaCreateSurfaceObject(&surface, &resource), cudaErrorInvalidValue);
  resource.res.linear.devPtr = memory + 4;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidValue);
  resource.res.linear.devPtr = host;
  CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidValue);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = memory;
  resource.res.pitch2D.desc = pairs;
  resource.res.pitch2D.width = 16;
  resource.res.pitch2D.height = 1024;
  resource.res.pitch2D.pitchInBytes = 64;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, NULL));
  CHECK_OK(cudaDestroyTextureObject(texture));
  const size_t bad_pitches[] = {32, 72, 96}; /* too narrow, unaligned, beyond the memory */
  for (size_t i = 0; i < COUNT_OF(bad_pitches); i++) {
    resource.res.pitch2D.pitchInBytes = bad_pitches[i];
    CHECK_ERROR(cudaCreateTextureObject(&texture, &resource, &sampler, NULL), cudaErrorInvalidValue);
  }
  CHECK_OK(cudaFree(memory));
  size_t width;
  CHECK_OK(cudaDeviceGetTexture1DLinearMaxWidth(&width, &pairs, 0));
  CHECK(width >= (size_t)1 << 27); /* as every device of compute capability 8.0 */
  CHECK_ERROR(cudaDeviceGetTexture1DLinearMaxWidth(NULL, &pairs, 0), cudaErrorInvalidValue);
}

static void check_capture(void) {
  cudaArray_t array, second;
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  const size_t row = sizeof host[0][0];
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaMallocArray(&array, &pairs, WIDTH, HEIGHT, 0));
  fill_host();
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMemcpy2DToArrayAsync(array, 0, 0, host, row, row, HEIGHT, cudaMemcpyHostToDevice, stream));
  CHECK_OK(cudaMemcpy2DFromArrayAsync(back, row, array, 0, 0, row, HEIGHT, cudaMemcpyDeviceToHost, stream));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK(back[0][1][1] == 0);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  host[0][2][3] = 77; /* what is there when the graph runs counts */
  CHECK_OK(cudaGraphLaunch(exec, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK(memcmp(back, host, HEIGHT * row) == 0);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));

  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_ERROR(cudaMemcpyToArray(array, 0, 0, host, row, cudaMemcpyHostToDevice), cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_ERROR(cudaMallocArray(&second, &pairs, 4, 4, 0), cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_OK(cudaFreeArray(array));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void check_reset(void) {
  cudaArray_t array;
  cudaMipmappedArray_t mipmap;
  cudaTextureObject_t texture;
  struct cudaTextureDesc sampler = {0};
  struct cudaResourceDesc resource = {.resType = cudaResourceTypeMipmappedArray};
  CHECK_OK(cudaMallocArray(&array, &pairs, WIDTH, HEIGHT, 0));
  CHECK_OK(cudaMallocMipmappedArray(&mipmap, &pairs, extent(8, 8, 0), 4, 0));
  resource.res.mipmap.mipmap = mipmap;
  CHECK_OK(cudaCreateTextureObject(&texture, &resource, &sampler, NULL));
  CHECK_OK(cudaDeviceReset());
  CHECK_ERROR(cudaFreeArray(array), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaFreeMipmappedArray(mipmap), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaDestroyTextureObject(texture), cudaErrorInvalidValue);
}

int main(void) {
  check_making();
  check_rows();
  check_boxes();
  check_mipmaps();
  check_objects();
  check_capture();
  check_reset();
  return finish();
}
