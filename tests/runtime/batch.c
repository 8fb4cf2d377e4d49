/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Batches of copies, prefetches and discards: what arrives, which copy failed, and what is refused. */
#include <stdint.h>

#include "check.h"

enum { MANY = 10, ROOM = 4096 };

static unsigned char host[ROOM], back[ROOM];
static unsigned char *device, *second;
static cudaStream_t stream;
static struct cudaMemcpyAttributes attributes[2] = {{.srcAccessOrder = cudaMemcpySrcAccessOrderStream},
                                                    {.srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall}};

/* Pieces of several sizes, some from the host and some from the device, go each to its place. */
static void check_pieces(void) {
  void *to[MANY], *from[MANY];
  size_t sizes[MANY], starts[2] = {0, 6}, at = 0, which = 5;
  CHECK_OK(cudaMemcpy(second, host, ROOM, cudaMemcpyHostToDevice));
  for (size_t i = 0; i < MANY; i++) {
    sizes[i] = 7 * i + 1;
    to[i] = device + 2 * at;
    from[i] = (i % 2 ? host : second) + at;
    at += sizes[i];
  }
  CHECK_OK(cudaMemset(device, 0, ROOM));
  CHECK_OK(cudaMemcpyBatchAsync(to, from, sizes, MANY, attributes, starts, 2, &which, stream));
  CHECK_OK(cudaStreamSynchronize(stream));
  CHECK_OK(cudaMemcpy(back, device, ROOM, cudaMemcpyDeviceToHost));
  for (size_t i = 0, first = 0; i < MANY; first += sizes[i++])
    CHECK(memcmp(back + 2 * first, host + first, sizes[i]) == 0 && back[2 * first + sizes[i]] == 0);
  memset(back, 0, ROOM);
  for (size_t i = 0; i < MANY; i++)
    from[i] = back + ((unsigned char *)to[i] - device);
  CHECK_OK(cudaMemcpyBatchAsync_v2(from, (const void *const *)to, sizes, MANY, attributes, starts, 1, stream));
  CHECK(memcmp(back + 2, host + 1, sizes[1]) == 0);

  /* Which failed; those before it are done. */
  void *kept = to[3];
  to[3] = NULL;
  CHECK_OK(cudaMemset(device, 0, ROOM));
  for (size_t i = 0; i < 3; i++)
    from[i] = host + i;
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, MANY, attributes, starts, 2, &which, stream),
              cudaErrorInvalidValue);
  CHECK_NUMBER(which, 3);
  CHECK(device[0] == host[0]);
  to[3] = kept;
  sizes[3] = 0;
  from[3] = host;
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, MANY, attributes, starts, 2, &which, stream),
              cudaErrorInvalidValue);
  CHECK_NUMBER(which, 3);
  sizes[3] = 1;
  CHECK_OK(cudaMemcpyBatchAsync(to, from, sizes, 4, attributes, starts, 1, NULL, stream));
}

static void check_refusals(void) {
  void *to[2] = {device, device + 8}, *from[2] = {host, host + 8};
  size_t sizes[2] = {8, 8}, starts[2] = {0, 1}, wrong[2] = {1, 1}, falling[2] = {0, 0}, far[2] = {0, 2}, which = 0;
  struct cudaMemcpyAttributes none = {.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid},
                              flags = {.srcAccessOrder = cudaMemcpySrcAccessOrderAny, .flags = 2};
#define REFUSED(...)                                                                                                   \
  do {                                                                                                                 \
    which = 0;                                                                                                        \
    CHECK_ERROR(cudaMemcpyBatchAsync(__VA_ARGS__), cudaErrorInvalidValue);                                             \
    CHECK(which == SIZE_MAX);                                                                                         \
  } while (0)
  REFUSED(NULL, from, sizes, 2, attributes, starts, 1, &which, stream);
  REFUSED(to, NULL, sizes, 2, attributes, starts, 1, &which, stream);
  REFUSED(to, from, NULL, 2, attributes, starts, 1, &which, stream);
  REFUSED(to, from, sizes, 0, attributes, starts, 1, &which, stream);
  REFUSED(to, from, sizes, 2, NULL, starts, 1, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, NULL, 1, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, starts, 0, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, starts, 3, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, wrong, 1, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, falling, 2, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, far, 2, &which, stream);
  REFUSED(to, from, sizes, 2, &none, starts, 1, &which, stream);
  REFUSED(to, from, sizes, 2, &flags, starts, 1, &which, stream);
  REFUSED(to, from, sizes, 2, attributes, starts, 1, &which, NULL);
  REFUSED(to, from, sizes, 2, attributes, starts, 1, &which, cudaStreamLegacy);
  CHECK_OK(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, starts, 2, &which, cudaStreamPerThread));
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, starts, 1, &which, (cudaStream_t)host),
              cudaErrorInvalidResourceHandle);
}

/* A graph of it copies at each launch what is there then. */
static void check_capture(void) {
  void *to[2] = {device, device + 8}, *from[2] = {second, second + 100};
  size_t sizes[2] = {8, 8}, starts[2] = {0, 1};
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  size_t count = 0;
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_OK(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes, starts, 1, NULL, stream));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphGetNodes(graph, NULL, &count));
  CHECK_NUMBER(count, 2);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaMemset(second, 0x5A, ROOM));
  CHECK_OK(cudaGraphLaunch(exec, stream));
  CHECK_OK(cudaMemcpy(back, device, 16, cudaMemcpyDeviceToHost));
  CHECK(back[0] == 0x5A && back[15] == 0x5A);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_ERROR(cudaMemcpyBatchAsync(to, from, sizes, 2, attributes + 1, starts, 1, NULL, stream),
              cudaErrorStreamCaptureUnsupported);
  cudaStreamEndCapture(stream, &graph);
  cudaGetLastError();
}

/* Memory of pitches to memory, to an array and back, by elements of four bytes. */
static void check_boxes(void) {
  enum { WIDTH = 5, HEIGHT = 3 };
  cudaArray_t array;
  struct cudaChannelFormatDesc channels = {32, 0, 0, 0, cudaChannelFormatKindUnsigned};
  struct cudaMemcpy3DBatchOp ops[2] = {{.extent = {8, HEIGHT, 2},
                                        .srcAccessOrder = cudaMemcpySrcAccessOrderStream,
                                        .src = {.type = cudaMemcpyOperandTypePointer},
                                        .dst = {.type = cudaMemcpyOperandTypePointer}},
                                       {.extent = {WIDTH, HEIGHT, 1},
                                        .srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall,
                                        .src = {.type = cudaMemcpyOperandTypePointer},
                                        .dst = {.type = cudaMemcpyOperandTypeArray}}};
  size_t which = 7;
  CHECK_OK(cudaMallocArray(&array, &channels, 16, 16, 0));
  ops[0].src.op.ptr.ptr = host;
  ops[0].src.op.ptr.rowLength = 20;
  ops[0].src.op.ptr.layerHeight = 4;
  ops[0].dst.op.ptr.ptr = device;
  ops[1].src.op.ptr.ptr = host + 64;
  ops[1].src.op.ptr.rowLength = 7; /* texels */
  ops[1].dst.op.array.array = array;
  ops[1].dst.op.array.offset = (struct cudaOffset3D){2, 1, 0};
  CHECK_OK(cudaMemcpy3DBatchAsync(2, ops, &which, 0, stream));
  CHECK_OK(cudaMemcpy(back, device, 48, cudaMemcpyDeviceToHost));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < HEIGHT; y++)
      CHECK(memcmp(back + (z * HEIGHT + y) * 8, host + (z * 4 + y) * 20, 8) == 0);
  struct cudaMemcpy3DBatchOp out = {.extent = {WIDTH, HEIGHT, 1},
                                    .srcAccessOrder = cudaMemcpySrcAccessOrderAny,
                                    .src = ops[1].dst,
                                    .dst = {.type = cudaMemcpyOperandTypePointer, .op.ptr = {.ptr = back}}};
  CHECK_OK(cudaMemcpy3DBatchAsync_v2(1, &out, 0, stream));
  for (int y = 0; y < HEIGHT; y++)
    CHECK(memcmp(back + y * WIDTH * 4, host + 64 + y * 7 * 4, WIDTH * 4) == 0);

  ops[1].src.op.ptr.rowLength = WIDTH - 1;
  CHECK_ERROR(cudaMemcpy3DBatchAsync(2, ops, &which, 0, stream), cudaErrorInvalidValue);
  CHECK_NUMBER(which, 1);
  ops[1].src.op.ptr.rowLength = 0;
  ops[1].dst.op.array.offset.x = 12; /* 12 + 5 > 16 */
  CHECK_ERROR(cudaMemcpy3DBatchAsync(2, ops, &which, 0, stream), cudaErrorInvalidValue);
  ops[0].extent.depth = 0;
  CHECK_ERROR(cudaMemcpy3DBatchAsync(2, ops, &which, 0, stream), cudaErrorInvalidValue);
  CHECK_NUMBER(which, 0);
  CHECK_ERROR(cudaMemcpy3DBatchAsync(2, ops, &which, 1, stream), cudaErrorInvalidValue);
  CHECK(which == SIZE_MAX);
  CHECK_ERROR(cudaMemcpy3DBatchAsync_v2(1, &out, 0, NULL), cudaErrorInvalidValue);
  CHECK_OK(cudaFreeArray(array));
}

static void check_prefetches(void) {
  unsigned char *managed;
  struct cudaMemLocation places[2] = {{cudaMemLocationTypeDevice, 0}, {cudaMemLocationTypeHost, 0}};
  CHECK_OK(cudaMallocManaged((void **)&managed, ROOM, cudaMemAttachGlobal));
  void *pointers[3] = {managed, managed + 1000, managed + 2000};
  size_t sizes[3] = {1000, 1000, ROOM - 2000}, starts[2] = {0, 2};
  int where = 0;
  CHECK_OK(cudaMemPrefetchBatchAsync(pointers, sizes, 3, places, starts, 2, 0, stream));
  CHECK_OK(cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, managed, 2000));
  CHECK_NUMBER(where, 0);
  CHECK_OK(
      cudaMemRangeGetAttribute(&where, sizeof where, cudaMemRangeAttributeLastPrefetchLocation, pointers[2], sizes[2]));
  CHECK_NUMBER(where, cudaCpuDeviceId);
  CHECK_OK(cudaMemDiscardBatchAsync(pointers, sizes, 3, 0, stream));
  CHECK_OK(cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, 3, places, starts, 1, 0, stream));
  CHECK_ERROR(cudaMemPrefetchBatchAsync(pointers, sizes, 3, places, starts, 2, 1, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemPrefetchBatchAsync(pointers, sizes, 3, places, starts, 2, 0, NULL), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemDiscardBatchAsync(pointers, sizes, 3, 0, NULL), cudaErrorInvalidValue);
  sizes[2]++;
  CHECK_ERROR(cudaMemDiscardBatchAsync(pointers, sizes, 3, 0, stream), cudaErrorInvalidValue);
  CHECK_ERROR(cudaMemPrefetchBatchAsync(pointers, sizes, 3, places, starts, 2, 0, stream), cudaErrorInvalidValue);
  CHECK_OK(cudaFree(managed));
}

int main(void) {
  for (int i = 0; i < ROOM; i++)
    host[i] = (unsigned char)(i * 7 + i / 256 + 1);
  CHECK_OK(cudaMalloc((void **)&device, ROOM));
  CHECK_OK(cudaMalloc((void **)&second, ROOM));
  CHECK_OK(cudaStreamCreate(&stream));
  check_pieces();
  check_refusals();
  check_capture();
  check_boxes();
  check_prefetches();
  CHECK_OK(cudaStreamDestroy(stream));
  CHECK_OK(cudaFree(device));
  CHECK_OK(cudaFree(second));
  return finish();
}
