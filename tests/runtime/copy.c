/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies and fills in one, two and three dimensions, to and from symbols, and everything that they must refuse.
 */
#include "check.h"

static char host[8192], back[8192];
static int variable[16];
static int unregistered[16];
static const uwrt_variable variables[] = {{variable, "variable", sizeof variable, UWRT_VARIABLE_CONSTANT}};
static const uwrt_module module = {UWRT_ABI_VERSION, 0, 1, 0, NULL, variables};

static void fill_host(void) {
  for (size_t i = 0; i < sizeof host; i++)
    host[i] = (char)(i * 7 + i / 256);
  memset(back, 0, sizeof back);
}

static void check_lines(void) {
  char *device, *second;
  cudaStream_t stream;
  CHECK_OK(cudaMalloc((void **)&device, 4096));
  CHECK_OK(cudaMalloc((void **)&second, 4096));
  CHECK_OK(cudaStreamCreate(&stream));
  fill_host();
  CHECK_OK(cudaMemcpy(device, host, 4096, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy(second, device, 4096, cudaMemcpyDeviceToDevice));
  CHECK_OK(cudaMemcpyAsync(back, second + 96, 4000, cudaMemcpyDeviceToHost, stream));
  CHECK(memcmp(back, host + 96, 4000) == 0 && back[4000] == 0);
  CHECK_OK(cudaMemcpy(back, host + 10, 100, cudaMemcpyHostToHost));
  CHECK(memcmp(back, host + 10, 100) == 0);
  CHECK_OK(cudaMemcpy(second, host + 50, 100, cudaMemcpyDefault));
  CHECK_OK(cudaMemcpy(back, second, 100, cudaMemcpyDefault));
  CHECK(memcmp(back, host + 50, 100) == 0);
  CHECK_OK(cudaMemcpyPeer(second, 0, device, 0, 64));
  CHECK_OK(cudaMemcpyPeerAsync(second + 64, 0, device + 64, 0, 64, stream));
  CHECK(memcmp(second, host, 128) == 0);

  CHECK_ERROR(cudaMemcpy(device, host, 10, (enum cudaMemcpyKind)5), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpy(device, host, 10, (enum cudaMemcpyKind) - 1), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpy(NULL, host, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(device, NULL, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(NULL, NULL, 10, cudaMemcpyDefault), cudaErrorInvalidValue);
  CHECK_OK(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemcpy(back, host, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(back, host, 10, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(device, host, 10, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(device, host, 4097, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(device + 1, host, 4096, cudaMemcpyDefault), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy(back, device + 4000, 97, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyAsync(device, host, 10, cudaMemcpyHostToDevice, (cudaStream_t)host),
              cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaMemcpyPeer(second, 1, device, 0, 64), cudaErrorInvalidDevice);

  CHECK_OK(cudaMemset(device, 0x1234, 4096));
  CHECK_OK(cudaMemsetAsync(device + 10, 0xFF, 20, stream));
  CHECK(device[9] == 0x34 && (unsigned char)device[10] == 0xFF && (unsigned char)device[29] == 0xFF);
  CHECK(device[30] == 0x34 && device[4095] == 0x34);
  CHECK_ERROR(cudaMemset(device, 0, 4097), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset(host, 0, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset(NULL, 0, 1), cudaErrorInvalidValue);
  CHECK_OK(cudaMemset(NULL, 0, 0));
  CHECK_OK(cudaFree(device));
  CHECK_ERROR(cudaMemcpy(device, host, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset(device, 0, 10), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(second));
  CHECK_OK(cudaStreamDestroy(stream));
}

static void check_planes(void) {
  char *device;
  size_t pitch;
  CHECK_OK(cudaMallocPitch((void **)&device, &pitch, 50, 9));
  fill_host();
  CHECK_OK(cudaMemset2D(device, pitch, 3, 50, 9));
  CHECK_OK(cudaMemcpy2D(device, pitch, host, 64, 50, 8, cudaMemcpyHostToDevice));
  CHECK_OK(cudaMemcpy2DAsync(back, 50, device, pitch, 50, 9, cudaMemcpyDeviceToHost, 0));
  for (int row = 0; row < 8; row++)
    CHECK(memcmp(back + row * 50, host + row * 64, 50) == 0);
  CHECK(back[8 * 50] == 3 && back[8 * 50 + 49] == 3 && back[9 * 50] == 0);
  CHECK_ERROR(cudaMemcpy2D(device, 40, host, 64, 50, 8, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2D(device, pitch, host, 49, 50, 8, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  CHECK_ERROR(cudaMemcpy2D(device, pitch, host, 64, 50, 10, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2D(device, pitch, host, 64, 50, SIZE_MAX / 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpy2D(device, pitch, host, 64, 50, 8, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  CHECK_OK(cudaMemcpy2D(device, pitch, host, 64, 50, 0, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemset2D(device, 40, 0, 50, 2), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemset2D(device, pitch, 0, 50, 10), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(device));
}

static void check_boxes(void) {
  enum { WIDTH = 20, HEIGHT = 6, DEPTH = 4 };
  struct cudaPitchedPtr device;
  struct cudaExtent extent = {WIDTH, HEIGHT, DEPTH};
  CHECK_OK(cudaMalloc3D(&device, extent));
  fill_host();
  CHECK_OK(cudaMemset3D(device, 9, extent));
  struct cudaMemcpy3DParms up = {.srcPtr = {host, WIDTH, WIDTH, HEIGHT},
                                 .srcPos = {1, 2, 0},
                                 .dstPtr = device,
                                 .dstPos = {3, 1, 1},
                                 .extent = {10, 4, 3},
                                 .kind = cudaMemcpyHostToDevice};
  CHECK_OK(cudaMemcpy3D(&up));
  struct cudaMemcpy3DParms down = {
      .srcPtr = device, .dstPtr = {back, WIDTH, WIDTH, HEIGHT}, .extent = extent, .kind = cudaMemcpyDeviceToHost};
  CHECK_OK(cudaMemcpy3DAsync(&down, 0));
  for (int z = 0; z < DEPTH; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        int inside = x >= 3 && x < 13 && y >= 1 && y < 5 && z >= 1;
        char wanted = inside ? host[((z - 1) * HEIGHT + (y - 1 + 2)) * WIDTH + (x - 3 + 1)] : 9;
        CHECK_NUMBER(back[(z * HEIGHT + y) * WIDTH + x], wanted);
      }
  up.extent.width = device.pitch;
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidPitchValue);
  up.extent = (struct cudaExtent){10, 6, 3};
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidValue);
  up.extent = (struct cudaExtent){10, 4, 4};
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidValue);
  up.extent = (struct cudaExtent){10, 4, SIZE_MAX};
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidValue);
  up.extent = (struct cudaExtent){10, 4, 3};
  up.dstPtr.ptr = NULL;
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidValue);
  up.dstArray = (cudaArray_t)host;
  CHECK_ERROR(cudaMemcpy3D(&up), cudaErrorInvalidResourceHandle);
  CHECK_ERROR(cudaMemcpy3D(NULL), cudaErrorInvalidValue);
  struct cudaMemcpy3DPeerParms peer = {.srcPtr = device, .dstPtr = device, .dstPos = {0, 0, 1}, .extent = {5, 5, 1}};
  CHECK_OK(cudaMemcpy3DPeer(&peer));
  peer.dstDevice = 2;
  CHECK_ERROR(cudaMemcpy3DPeer(&peer), cudaErrorInvalidDevice);
  CHECK_ERROR(cudaMemset3D(device, 9, (struct cudaExtent){WIDTH, HEIGHT, DEPTH + 1}), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(device.ptr));
}

static void check_symbols(void) {
  int values[16], out[16] = {0};
  void *address = NULL;
  size_t bytes = 0;
  int *device;
  struct cudaPointerAttributes found;
  for (int i = 0; i < 16; i++)
    values[i] = i * i;
  CHECK_ERROR(cudaMemcpyToSymbol(variable, values, sizeof values, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  uwrt_register(&module);
  CHECK_OK(cudaMemcpyToSymbol(variable, values, sizeof values, 0, cudaMemcpyHostToDevice));
  CHECK_NUMBER(variable[15], 225);
  CHECK_OK(cudaMemcpyToSymbolAsync(variable, values, 4, 8, cudaMemcpyDefault, 0));
  CHECK_NUMBER(variable[2], 0);
  CHECK_OK(cudaMemcpyFromSymbol(out, variable, sizeof out, 0, cudaMemcpyDeviceToHost));
  CHECK(memcmp(out, variable, sizeof out) == 0);
  CHECK_OK(cudaMemcpyFromSymbolAsync(out, variable, 4, 60, cudaMemcpyDeviceToHost, 0));
  CHECK_NUMBER(out[0], 225);
  CHECK_OK(cudaMalloc((void **)&device, 64));
  CHECK_OK(cudaMemcpyFromSymbol(device, variable, 64, 0, cudaMemcpyDeviceToDevice));
  CHECK_NUMBER(device[15], 225);
  CHECK_OK(cudaFree(device));
  CHECK_ERROR(cudaMemcpyToSymbol(variable, values, 61, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, values, 4, SIZE_MAX, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemcpyToSymbol(variable, values, 4, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpyFromSymbol(out, variable, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
  CHECK_ERROR(cudaMemcpyToSymbol(unregistered, values, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaMemcpyToSymbol(NULL, values, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  CHECK_OK(cudaGetSymbolAddress(&address, variable));
  CHECK(address == variable);
  CHECK_OK(cudaGetSymbolSize(&bytes, variable));
  CHECK_NUMBER(bytes, 64);
  CHECK_ERROR(cudaGetSymbolAddress(&address, unregistered), cudaErrorInvalidSymbol);
  CHECK_ERROR(cudaGetSymbolSize(NULL, variable), cudaErrorInvalidValue);
  CHECK_OK(cudaMemcpy(address, values, 64, cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaMemcpy(address, values, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  CHECK_OK(cudaPointerGetAttributes(&found, &variable[3]));
  CHECK_NUMBER(found.type, cudaMemoryTypeDevice);
  CHECK_ERROR(cudaFree(variable), cudaErrorInvalidValue);
  uwrt_unregister(&module);
  CHECK_ERROR(cudaGetSymbolAddress(&address, variable), cudaErrorInvalidSymbol);
}

/* A copy of more than is registered of a host buffer is still a copy of the program's own memory. */
static void check_half_registered(void) {
  char *device;
  CHECK_OK(cudaMalloc((void **)&device, 4096));
  CHECK_OK(cudaHostRegister(host, 1024, 0));
  CHECK_OK(cudaMemcpy(device, host, 4096, cudaMemcpyHostToDevice));
  CHECK_OK(cudaHostUnregister(host));
  CHECK_OK(cudaFree(device));
}

int main(void) {
  check_lines();
  check_planes();
  check_boxes();
  check_symbols();
  check_half_registered();
  return finish();
}
