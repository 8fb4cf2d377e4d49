/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stream capture: what ends up in the captured graph, across streams that wait for each other, and CUDA's error for each
 * thing that may not be done meanwhile.
 */
#include "graph_kernels.h"

#include <pthread.h>

static cudaStream_t stream, side;
static cudaEvent_t fork_event, join_event;

static enum cudaStreamCaptureStatus status_of(cudaStream_t of) {
  enum cudaStreamCaptureStatus status = 99;
  CHECK_OK(cudaStreamIsCapturing(of, &status));
  return status;
}

/* A launch in place, as the compiler makes it. */
static void launch_note(cudaStream_t in, int *out, int value) {
  void *args[] = {&out, &value};
  if (uwrt_launch_begin(&kernels[0], 1 | (uint64_t)1 << 32, 1, 1 | (uint64_t)1 << 32, 1, 0, in)) {
    note_entry(&(uwrt_dims){.grid = {1, 1, 1}, .block = {1, 1, 1}}, args);
    uwrt_launch_end(&kernels[0]);
  } else {
    uwrt_launch_elsewhere(&kernels[0], args);
  }
}

static void check_capture(void) {
  cudaGraph_t graph, seen;
  cudaGraphExec_t exec;
  cudaGraphNode_t list[8];
  const cudaGraphNode_t *last;
  size_t count, edges;
  int host[2] = {1, 2}, result[2] = {0}, weight = 70;
  unsigned long long id = 0, other_id = 0;
  void *memory;
  enum cudaStreamCaptureStatus status;
  CHECK_NUMBER(status_of(stream), cudaStreamCaptureStatusNone);
  CHECK_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK_ERROR(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
  CHECK_NUMBER(status_of(stream), cudaStreamCaptureStatusActive);
  order_count = 0;
  CHECK_OK(cudaMallocAsync(&memory, 8, stream));
  CHECK_OK(cudaMemcpyAsync(memory, host, 8, cudaMemcpyHostToDevice, stream));
  CHECK_OK(cudaEventRecord(fork_event, stream));
  CHECK_OK(cudaStreamWaitEvent(side, fork_event, 0));
  CHECK_NUMBER(status_of(side), cudaStreamCaptureStatusActive);
  launch_note(side, device + 4, 11);
  launch_note(stream, device + 5, 12);
  CHECK_OK(cudaEventRecord(join_event, side));
  CHECK_OK(cudaStreamWaitEvent(stream, join_event, 0));
  CHECK_OK(cudaStreamGetCaptureInfo(stream, &status, &id, &seen, &last, &count));
  CHECK_NUMBER(count, 2);
  CHECK_OK(cudaStreamGetCaptureInfo_v2(stream, &status, &id, &seen, &last, &count)); /* as CUDA 11.3 to 12.9 call it */
  CHECK_OK(cudaStreamGetCaptureInfo(side, &status, &other_id, NULL, NULL, NULL));
  CHECK(id == other_id);
  CHECK_OK(cudaMemcpyAsync(result, memory, 8, cudaMemcpyDeviceToHost, stream));
  CHECK_OK(cudaFreeAsync(memory, stream));
  CHECK_OK(cudaLaunchHostFunc(stream, host_note, &weight));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_NUMBER(status_of(side), cudaStreamCaptureStatusNone);
  CHECK(graph == seen && order_count == 0 && result[0] == 0); /* nothing ran */
  CHECK_NUMBER(node_count(graph), 7);
  count = 8;
  CHECK_OK(cudaGraphGetRootNodes(graph, list, &count));
  CHECK_NUMBER(count, 1);
  CHECK_OK(cudaGraphGetEdges(graph, NULL, NULL, &edges));
  CHECK_NUMBER(edges, 7);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  host[1] = 22;
  for (int iteration = 1; iteration <= 3; iteration++) {
    CHECK_OK(cudaGraphLaunch(exec, stream));
    CHECK_NUMBER(order_count, 3 * iteration);
  }
  CHECK(result[1] == 22 && device[4] == 11 && device[5] == 12 && order[2] == 70);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));

  /* An event that was recorded in a capture is of no use outside. */
  CHECK_ERROR(cudaEventQuery(join_event), cudaErrorCapturedEvent);
  CHECK_ERROR(cudaStreamWaitEvent(stream, join_event, 0), cudaErrorCapturedEvent);
  CHECK_OK(cudaEventRecord(join_event, stream));
  CHECK_OK(cudaEventQuery(join_event));

  /* A launch into a capture is a child graph; a capture can add to a graph that is there. */
  cudaGraph_t small;
  cudaGraphNode_t first;
  CHECK_OK(cudaGraphCreate(&small, 0));
  CHECK_OK(cudaGraphAddEmptyNode(&first, small, NULL, 0));
  CHECK_OK(cudaGraphInstantiate(&exec, small, 0));
  CHECK_OK(cudaStreamBeginCaptureToGraph(stream, small, &first, NULL, 1, cudaStreamCaptureModeRelaxed));
  CHECK_OK(cudaGraphLaunch(exec, stream));
  CHECK_OK(cudaEventRecordWithFlags(fork_event, stream, cudaEventRecordExternal));
  CHECK_OK(cudaStreamWaitEvent(stream, fork_event, cudaEventWaitExternal));
  const cudaGraphEdgeData *data = NULL;
  CHECK_OK(cudaStreamUpdateCaptureDependencies_v2(stream, &first, NULL, 1, cudaStreamAddCaptureDependencies));
  CHECK_OK(cudaStreamGetCaptureInfo_v3(stream, &status, &id, &seen, &last, &data, &count));
  CHECK(count == 2 && last[1] == first && data && data[1].type == cudaGraphDependencyTypeDefault);
  CHECK_OK(cudaStreamUpdateCaptureDependencies(stream, &first, 1, cudaStreamSetCaptureDependencies));
  launch_note(stream, device + 5, 1);
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK(graph == small);
  CHECK_NUMBER(node_count(small), 5);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(small));
}

/* Each of these spoils a capture: it gives the error, and the capture ends without a graph. */
static void begin(enum cudaStreamCaptureMode mode) { CHECK_OK(cudaStreamBeginCapture(stream, mode)); }
static void expect_spoilt(void) {
  cudaGraph_t graph = (cudaGraph_t)&graph;
  CHECK_NUMBER(status_of(stream), cudaStreamCaptureStatusInvalidated);
  CHECK_ERROR(cudaMemsetAsync(device, 0, 4, stream), cudaErrorStreamCaptureInvalidated);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(graph == NULL);
}
#define SPOILS(mode, call, error)                                                                                      \
  do {                                                                                                                 \
    begin(mode);                                                                                                       \
    CHECK_ERROR(call, error);                                                                                          \
    expect_spoilt();                                                                                                   \
  } while (0)

static void callback(cudaStream_t in, cudaError_t status, void *data) { (void)in, (void)status, (void)data; }

static void *end_elsewhere(void *unused) {
  cudaGraph_t graph;
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureWrongThread);
  return unused;
}

static void *allocate_elsewhere(void *unused) {
  void *memory;
  CHECK_ERROR(cudaMalloc(&memory, 4), unused ? cudaErrorStreamCaptureUnsupported : cudaSuccess);
  if (!unused)
    CHECK_OK(cudaFree(memory));
  return NULL;
}

static void in_thread(void *(*function)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, function, argument);
  pthread_join(thread, NULL);
}

static void check_refusals(void) {
  const enum cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal, relaxed = cudaStreamCaptureModeRelaxed;
  cudaGraph_t graph;
  void *memory;
  enum cudaStreamCaptureMode mode;
  CHECK_ERROR(cudaStreamBeginCapture(0, global), cudaErrorStreamCaptureUnsupported);
  CHECK_ERROR(cudaStreamBeginCapture(stream, 7), cudaErrorInvalidValue);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  SPOILS(global, cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  SPOILS(relaxed, cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);
  SPOILS(relaxed, cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
  SPOILS(global, cudaMalloc(&memory, 4), cudaErrorStreamCaptureUnsupported);
  SPOILS(global, cudaFree(NULL), cudaErrorStreamCaptureUnsupported);
  SPOILS(global, cudaStreamAddCallback(stream, callback, NULL, 0), cudaErrorStreamCaptureUnsupported);
  SPOILS(relaxed, cudaMemcpy(device, device + 1, 4, cudaMemcpyDeviceToDevice), cudaErrorStreamCaptureImplicit);
  SPOILS(relaxed, cudaMemsetAsync(device, 0, 4, 0), cudaErrorStreamCaptureImplicit);
  SPOILS(relaxed, cudaEventRecord(join_event, 0), cudaErrorStreamCaptureImplicit);
  CHECK_OK(cudaEventRecord(fork_event, side));
  SPOILS(relaxed, cudaStreamWaitEvent(stream, fork_event, 0), cudaErrorStreamCaptureIsolation);

  begin(relaxed); /* does not mind */
  CHECK_OK(cudaMalloc(&memory, 4));
  CHECK_OK(cudaFree(memory));
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphDestroy(graph));
  mode = relaxed;
  CHECK_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  CHECK_NUMBER(mode, global);
  begin(global);
  CHECK_OK(cudaMalloc(&memory, 4)); /* the thread has said that it knows */
  CHECK_OK(cudaThreadExchangeStreamCaptureMode(&mode));
  in_thread(end_elsewhere, NULL);
  in_thread(allocate_elsewhere, &mode);
  expect_spoilt();
  begin(cudaStreamCaptureModeThreadLocal);
  in_thread(allocate_elsewhere, NULL);
  CHECK_OK(cudaStreamEndCapture(stream, &graph));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaFree(memory));

  begin(relaxed); /* work of another stream that nobody waits for */
  CHECK_OK(cudaEventRecord(fork_event, stream));
  CHECK_OK(cudaStreamWaitEvent(side, fork_event, 0));
  CHECK_OK(cudaMemsetAsync(device, 0, 4, side));
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);

  begin(relaxed); /* two captures that would become one */
  CHECK_OK(cudaStreamBeginCapture(side, relaxed));
  CHECK_OK(cudaEventRecord(fork_event, stream));
  CHECK_ERROR(cudaStreamWaitEvent(side, fork_event, 0), cudaErrorStreamCaptureMerge);
  CHECK_ERROR(cudaStreamEndCapture(side, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

  begin(relaxed);
  CHECK_OK(cudaEventRecord(fork_event, stream));
  CHECK_OK(cudaStreamWaitEvent(side, fork_event, 0));
  CHECK_ERROR(cudaStreamEndCapture(side, &graph), cudaErrorStreamCaptureUnmatched);
  CHECK_ERROR(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
}

int main(void) {
  uwrt_register(&module);
  CHECK_OK(cudaMalloc((void **)&device, 64 * sizeof *device));
  CHECK_OK(cudaStreamCreate(&stream));
  CHECK_OK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  CHECK_OK(cudaEventCreate(&fork_event));
  CHECK_OK(cudaEventCreate(&join_event));
  check_capture();
  check_refusals();
  /* A reset takes along what is left, in the middle of a capture too. */
  cudaGraph_t graph;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  begin(cudaStreamCaptureModeRelaxed);
  CHECK_OK(cudaMemsetAsync(device, 0, 4, stream));
  CHECK_OK(cudaEventRecord(fork_event, stream));
  CHECK_OK(cudaDeviceReset());
  CHECK_ERROR(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  CHECK_OK(cudaMalloc((void **)&device, 4));
  CHECK_OK(cudaFree(device));
  uwrt_unregister(&module);
  return finish();
}
