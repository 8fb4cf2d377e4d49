/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Graphs and stream capture: nodes of each kind, their shape and copies, launches, changes of an executable graph, what
 * ends up in a captured graph, and CUDA's error for each thing that may not be done.
 */
#include "check.h"

#include <pthread.h>

static int order[64], order_count;

/* void note(int *out, int value): writes the value, and down who ran. */
static void note_entry(const uwrt_dims *dims, void **args) {
  int *out = *(int **)args[0], value = *(int *)args[1];
  *out = value * (int)dims->grid[0];
  order[order_count++ % 64] = value;
}
static void note(void) {}

/* void count_down(int *left, cudaGraphConditionalHandle handle) */
static void count_entry(const uwrt_dims *dims, void **args) {
  int *left = *(int **)args[0];
  unsigned int *value = (unsigned int *)(uintptr_t)*(cudaGraphConditionalHandle *)args[1];
  (void)dims;
  *value = --*left > 0;
}
static void count_down(void) { order_count += 0; }

#define ADDRESS(function) ((void *)(uintptr_t)(function))
static int variable[8];
static const uint32_t note_sizes[] = {sizeof(int *), sizeof(int)};
static const uint32_t count_sizes[] = {sizeof(int *), sizeof(cudaGraphConditionalHandle)};
static const uwrt_kernel kernels[] = {{ADDRESS(note), "note", note_entry, 0, 0, 0, 2, note_sizes, 0},
                                      {ADDRESS(count_down), "count_down", count_entry, 0, 0, 0, 2, count_sizes, 0}};
static const uwrt_variable variables[] = {{variable, "variable", sizeof variable, 0}};
static const uwrt_module module = {UWRT_ABI_VERSION, 2, 1, 0, kernels, variables};

static int *device; /* 64 ints */

static struct cudaKernelNodeParams note_params(int **out, int *value, unsigned int blocks) {
  static void *args[16][2];
  static int next;
  void **own = args[next++ % 16];
  own[0] = out;
  own[1] = value;
  return (struct cudaKernelNodeParams){ADDRESS(note), {blocks, 1, 1}, {1, 1, 1}, 0, own, NULL};
}

static void host_note(void *data) { order[order_count++ % 64] = *(int *)data; }

static size_t node_count(cudaGraph_t graph) {
  size_t count = 99;
  CHECK_OK(cudaGraphGetNodes(graph, NULL, &count));
  return count;
}

/* memset -> kernel -> copy back -> host, and an empty node at the start. */
static void check_building(void) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t empty, fill, kernel, copy, host, found, list[8], from[8], to[8];
  int *out = device + 1, value = 7, result[4] = {0}, host_value = 50;
  size_t count = 8;
  enum cudaGraphNodeType type;
  struct cudaMemsetParams fill_params = {device, 0, 0x01020304, 4, 4, 1};
  struct cudaHostNodeParams host_params = {host_note, &host_value};
  struct cudaKernelNodeParams params = note_params(&out, &value, 3), got;
  CHECK_ERROR(cudaGraphCreate(NULL, 0), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphCreate(&graph, 1), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddEmptyNode(&empty, graph, NULL, 0));
  CHECK_OK(cudaGraphAddMemsetNode(&fill, graph, &empty, 1, &fill_params));
  CHECK_OK(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, result, device, sizeof result, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &params));
  CHECK_OK(cudaGraphAddHostNode(&host, graph, &copy, 1, &host_params));
  CHECK_OK(cudaGraphAddDependencies(graph, &kernel, &copy, 1)); /* the copy was made first and runs later */
  value = 1000;                                                /* the node keeps the 7 */

  CHECK_ERROR(cudaGraphAddDependencies(graph, &kernel, &copy, 1), cudaErrorInvalidValue); /* twice */
  CHECK_ERROR(cudaGraphAddDependencies(graph, &kernel, &kernel, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddEmptyNode(&found, graph, NULL, 1), cudaErrorInvalidValue);
  fill_params.elementSize = 3;
  CHECK_ERROR(cudaGraphAddMemsetNode(&found, graph, NULL, 0, &fill_params), cudaErrorInvalidValue);
  params.blockDim.x = 2000;
  CHECK_ERROR(cudaGraphAddKernelNode(&found, graph, NULL, 0, &params), cudaErrorInvalidConfiguration);
  params.func = &count;
  CHECK_ERROR(cudaGraphAddKernelNode(&found, graph, NULL, 0, &params), cudaErrorInvalidDeviceFunction);

  CHECK_NUMBER(node_count(graph), 5);
  CHECK_OK(cudaGraphGetNodes(graph, list, &count));
  CHECK(count == 5 && list[0] == empty && list[4] == host && list[5] == NULL);
  count = 8;
  CHECK_OK(cudaGraphGetRootNodes(graph, list, &count));
  CHECK(count == 1 && list[0] == empty);
  count = 8;
  CHECK_OK(cudaGraphGetEdges(graph, from, to, &count));
  CHECK(count == 4 && from[0] == empty && to[0] == fill);
  count = 1;
  CHECK_OK(cudaGraphNodeGetDependencies(copy, list, &count));
  CHECK(count == 1 && list[0] == kernel);
  count = 2;
  CHECK_OK(cudaGraphNodeGetDependentNodes(copy, list, &count));
  CHECK(count == 1 && list[0] == host && list[1] == NULL);
  CHECK_OK(cudaGraphNodeGetType(fill, &type));
  CHECK_NUMBER(type, cudaGraphNodeTypeMemset);
  CHECK_OK(cudaGraphKernelNodeGetParams(kernel, &got));
  CHECK(got.func == ADDRESS(note) && got.gridDim.x == 3 && *(int *)got.kernelParams[1] == 7);
  CHECK_ERROR(cudaGraphKernelNodeGetParams(fill, &got), cudaErrorInvalidValue);

  order_count = 0;
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0] == 0x01020304 && result[1] == 21 && result[2] == 0x01020304);
  CHECK(order_count == 2 && order[0] == 7 && order[1] == 50);

  /* The graph may change or go: what was made from it stays. */
  CHECK_OK(cudaGraphClone(&clone, graph));
  CHECK_OK(cudaGraphNodeFindInClone(&found, kernel, clone));
  CHECK(found != kernel);
  CHECK_OK(cudaGraphDestroyNode(kernel));
  CHECK_ERROR(cudaGraphNodeGetType(kernel, &type), cudaErrorInvalidValue);
  CHECK_NUMBER(node_count(graph), 4);
  CHECK_NUMBER(node_count(clone), 5);
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_ERROR(cudaGraphDestroy(graph), cudaErrorInvalidValue);
  memset(result, 0, sizeof result);
  CHECK_OK(cudaGraphUpload(exec, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_NUMBER(result[1], 21);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_ERROR(cudaGraphLaunch(exec, 0), cudaErrorInvalidValue);

  /* A cycle cannot be run. */
  cudaGraphNode_t ends[2] = {found, NULL};
  CHECK_OK(cudaGraphNodeGetDependencies(found, &ends[1], &(size_t){1}));
  CHECK_OK(cudaGraphAddDependencies(clone, &ends[0], &ends[1], 1));
  cudaGraphInstantiateParams how = {0};
  CHECK_ERROR(cudaGraphInstantiateWithParams(&exec, clone, &how), cudaErrorInvalidValue);
  CHECK_NUMBER(how.result_out, cudaGraphInstantiateInvalidStructure);
  CHECK_OK(cudaGraphRemoveDependencies(clone, &ends[0], &ends[1], 1));
  CHECK_ERROR(cudaGraphInstantiate(&exec, clone, cudaGraphInstantiateFlagDeviceLaunch), cudaErrorNotSupported);
  CHECK_ERROR(cudaGraphInstantiate(&exec, clone, 64), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphDestroy(clone));
}

static void check_changes(void) {
  cudaGraph_t graph, child, changed;
  cudaGraphExec_t exec;
  cudaGraphNode_t kernel, nested, inside, symbol, other, back;
  int *out = device, *out2 = device + 1, value = 3, result[2], source[2] = {41, 42};
  unsigned int enabled = 9;
  struct cudaKernelNodeParams params = note_params(&out, &value, 1);
  cudaGraphExecUpdateResultInfo info;
  cudaLaunchAttributeValue attribute = {.priority = -2};
  CHECK_OK(cudaGraphCreate(&child, 0));
  CHECK_OK(cudaGraphAddKernelNode(&inside, child, NULL, 0, &params));
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddChildGraphNode(&nested, graph, NULL, 0, child));
  CHECK_OK(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, &nested, 1, variable, source, sizeof source, 8,
                                          cudaMemcpyHostToDevice));
  CHECK_ERROR(cudaGraphAddMemcpyNodeToSymbol(&other, graph, NULL, 0, variable, source, 40, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddMemcpyNodeToSymbol(&other, graph, NULL, 0, source, source, 4, 0, cudaMemcpyHostToDevice),
              cudaErrorInvalidSymbol);
  CHECK_OK(cudaGraphAddMemcpyNodeFromSymbol(&back, graph, &symbol, 1, result, variable, sizeof result, 8,
                                            cudaMemcpyDeviceToHost));
  value = 5;
  params = note_params(&out2, &value, 2);
  CHECK_OK(cudaGraphAddKernelNode(&kernel, graph, NULL, 0, &params));
  CHECK_OK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(device[0] == 3 && device[1] == 10 && result[1] == 42 && variable[2] == 41);

  value = 6;
  CHECK_OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &params));
  source[1] = 43;
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(device[1] == 12 && result[1] == 43);
  CHECK_ERROR(cudaGraphExecKernelNodeSetParams(exec, symbol, &params), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphNodeSetEnabled(exec, kernel, 0));
  CHECK_OK(cudaGraphNodeGetEnabled(exec, kernel, &enabled));
  CHECK_NUMBER(enabled, 0);
  CHECK_ERROR(cudaGraphNodeSetEnabled(exec, nested, 0), cudaErrorInvalidValue);
  device[1] = -1;
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_NUMBER(device[1], -1);
  CHECK_OK(cudaGraphNodeSetEnabled(exec, kernel, 1));

  /* The same shape with other values; then another shape, and another kind of node. */
  CHECK_OK(cudaGraphClone(&changed, graph));
  value = 8;
  CHECK_OK(cudaGraphNodeFindInClone(&other, kernel, changed));
  CHECK_OK(cudaGraphKernelNodeSetParams(other, &params));
  CHECK_OK(cudaGraphKernelNodeSetAttribute(other, cudaLaunchAttributePriority, &attribute));
  attribute.priority = 0;
  CHECK_OK(cudaGraphKernelNodeGetAttribute(other, cudaLaunchAttributePriority, &attribute));
  CHECK_NUMBER(attribute.priority, -2);
  CHECK_OK(cudaGraphExecUpdate(exec, changed, &info));
  CHECK_NUMBER(info.result, cudaGraphExecUpdateSuccess);
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_NUMBER(device[1], 16);
  CHECK_OK(cudaGraphDestroyNode(other));
  CHECK_ERROR(cudaGraphExecUpdate(exec, changed, &info), cudaErrorGraphExecUpdateFailure);
  CHECK_NUMBER(info.result, cudaGraphExecUpdateErrorTopologyChanged);
  CHECK_OK(cudaGraphAddEmptyNode(&other, changed, NULL, 0));
  CHECK_ERROR(cudaGraphExecUpdate(exec, changed, &info), cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorNodeTypeChanged && info.errorNode == other);
  CHECK_OK(cudaGraphLaunch(exec, 0)); /* a refused update changes nothing */
  CHECK_NUMBER(device[1], 16);

  value = 9;
  params = note_params(&out, &value, 1);
  CHECK_OK(cudaGraphKernelNodeSetParams(inside, &params));
  CHECK_OK(cudaGraphExecChildGraphNodeSetParams(exec, nested, child));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_NUMBER(device[0], 9);
  cudaGraph_t own;
  CHECK_OK(cudaGraphChildGraphNodeGetGraph(nested, &own));
  CHECK_ERROR(cudaGraphDestroy(own), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaGraphDestroy(child));
  CHECK_OK(cudaGraphDestroy(changed));
}

static void check_memory(void) {
  cudaGraph_t graph, clone;
  cudaGraphExec_t exec;
  cudaGraphNode_t alloc, fill, copy, release, other;
  struct cudaMemAllocNodeParams params = {
      .poolProps = {.allocType = cudaMemAllocationTypePinned, .location = {cudaMemLocationTypeDevice, 0}},
      .bytesize = 5000};
  struct cudaPointerAttributes attributes;
  unsigned char result[4] = {0};
  uint64_t used = 1, high = 0;
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
  struct cudaMemsetParams fill_params = {params.dptr, 0, 0xAB, 1, 5000, 1};
  CHECK_OK(cudaGraphAddMemsetNode(&fill, graph, &alloc, 1, &fill_params));
  fill_params.width = 6000;
  CHECK_ERROR(cudaGraphAddMemsetNode(&other, graph, &alloc, 1, &fill_params), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, result, (char *)params.dptr + 4996, 4,
                                    cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CHECK_ERROR(cudaGraphDestroyNode(copy), cudaErrorNotSupported);
  CHECK_ERROR(cudaMemset(params.dptr, 0, 4), cudaErrorInvalidValue); /* there is no memory yet */
  CHECK_ERROR(cudaFree(params.dptr), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0] == 0xAB && result[3] == 0xAB);
  CHECK_OK(cudaPointerGetAttributes(&attributes, params.dptr));
  CHECK_NUMBER(attributes.type, cudaMemoryTypeDevice);
  CHECK_ERROR(cudaGraphLaunch(exec, 0), cudaErrorInvalidValue); /* its memory is still there */
  CHECK_OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  CHECK(used >= 5000);
  CHECK_OK(cudaMemset(params.dptr, 0, 5000));
  CHECK_OK(cudaFree(params.dptr));
  CHECK_ERROR(cudaFree(params.dptr), cudaErrorInvalidValue);
  CHECK_OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
  CHECK_OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &high));
  CHECK(used == 0 && high >= 5000);
  CHECK_OK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &used));
  CHECK_OK(cudaDeviceGraphMemTrim(0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_OK(cudaFreeAsync(params.dptr, 0));
  CHECK_OK(cudaGraphExecDestroy(exec));

  CHECK_OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaMemset(params.dptr, 1, 5000)); /* outlives the executable graph, and then the graph */
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaMemset(params.dptr, 1, 5000));
  CHECK_OK(cudaFree(params.dptr));
  CHECK_ERROR(cudaMemset(params.dptr, 1, 5000), cudaErrorInvalidValue);

  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddMemAllocNode(&alloc, graph, NULL, 0, &params));
  CHECK_OK(cudaGraphAddMemFreeNode(&release, graph, &alloc, 1, params.dptr));
  CHECK_ERROR(cudaGraphAddMemFreeNode(&other, graph, &alloc, 1, result), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
}

static void check_conditions(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, inside;
  cudaGraphConditionalHandle handle;
  cudaGraphInstantiateParams how = {0};
  int left = 5, *where = device + 8;
  struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeConditional};
  void *args[] = {&where, &handle};
  struct cudaKernelNodeParams kernel = {ADDRESS(count_down), {1, 1, 1}, {1, 1, 1}, 0, args, NULL};
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault));
  CHECK_ERROR(cudaGraphInstantiateWithParams(&exec, graph, &how), cudaErrorInvalidValue);
  CHECK_NUMBER(how.result_out, cudaGraphInstantiateConditionalHandleUnused);
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 2;
  CHECK_ERROR(cudaGraphAddNode(&node, graph, NULL, 0, &params), cudaErrorInvalidValue);
  params.conditional.size = 1;
  CHECK_OK(cudaGraphAddNode(&node, graph, NULL, 0, &params));
  CHECK_OK(cudaGraphAddKernelNode(&inside, params.conditional.phGraph_out[0], NULL, 0, &kernel));
  CHECK_ERROR(cudaGraphAddNode(&node, graph, NULL, 0, &params), cudaErrorInvalidValue); /* one node for each handle */
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int round = 0; round < 2; round++) { /* the default value is assigned at each launch */
    CHECK_OK(cudaMemcpy(where, &left, sizeof left, cudaMemcpyHostToDevice));
    CHECK_OK(cudaGraphLaunch(exec, 0));
    CHECK_NUMBER(*where, 0);
  }
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));

  /* A switch over three bodies, each of which writes its number. */
  for (unsigned int chosen = 0; chosen < 5; chosen++) {
    cudaGraphNode_t bodies[3];
    *where = -1;
    CHECK_OK(cudaGraphCreate(&graph, 0));
    CHECK_OK(cudaGraphConditionalHandleCreate(&params.conditional.handle, graph, chosen, cudaGraphCondAssignDefault));
    params.conditional.type = cudaGraphCondTypeSwitch;
    params.conditional.size = 3;
    CHECK_OK(cudaGraphAddNode(&node, graph, NULL, 0, &params));
    for (int b = 0; b < 3; b++) {
      struct cudaKernelNodeParams write = note_params(&where, &b, 1);
      CHECK_OK(cudaGraphAddKernelNode(&bodies[b], params.conditional.phGraph_out[b], NULL, 0, &write));
    }
    CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
    CHECK_OK(cudaGraphDestroy(graph)); /* the value lives as long as somebody may read it */
    CHECK_OK(cudaGraphLaunch(exec, 0));
    CHECK_NUMBER(*where, chosen < 3 ? (int)chosen : -1);
    CHECK_OK(cudaGraphExecDestroy(exec));
  }
}

static int destroyed;
static void destroy_object(void *object) { destroyed += *(int *)object; }

static void check_user_objects(void) {
  cudaUserObject_t object;
  cudaGraph_t graph, clone;
  int weight = 10;
  CHECK_ERROR(cudaUserObjectCreate(&object, &weight, destroy_object, 1, 0), cudaErrorInvalidValue);
  CHECK_OK(cudaUserObjectCreate(&object, &weight, destroy_object, 2, cudaUserObjectNoDestructorSync));
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK_OK(cudaUserObjectRelease(object, 1));
  CHECK_OK(cudaGraphClone(&clone, graph));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_NUMBER(destroyed, 0);
  CHECK_OK(cudaGraphReleaseUserObject(clone, object, 1));
  CHECK_NUMBER(destroyed, 10);
  CHECK_ERROR(cudaUserObjectRetain(object, 1), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphDestroy(clone));
  CHECK_NUMBER(destroyed, 10);
}

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
  for (int round = 1; round <= 3; round++) {
    CHECK_OK(cudaGraphLaunch(exec, stream));
    CHECK_NUMBER(order_count, 3 * round);
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
  check_building();
  check_changes();
  check_memory();
  check_conditions();
  check_user_objects();
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
