/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Graphs built by hand: nodes of each kind, their shape and copies, launches, changes of an executable graph, and CUDA's
 * error for each thing that may not be done. capture.c has those that streams record.
 */
#include "graph_kernels.h"

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
  value = 1000;                                                 /* the node keeps the 7 */

  CHECK_ERROR(cudaGraphAddDependencies(graph, &kernel, &copy, 1), cudaErrorInvalidValue); /* twice */
  CHECK_ERROR(cudaGraphAddDependencies(graph, &kernel, &kernel, 1), cudaErrorInvalidValue);
  CHECK_ERROR(cudaGraphAddEmptyNode(&found, graph, NULL, 1), cudaErrorInvalidValue);
  fill_params.elementSize = 3;
  CHECK_ERROR(cudaGraphAddMemsetNode(&found, graph, NULL, 0, &fill_params), cudaErrorInvalidValue);
  params.blockDim.x = 2000;
  CHECK_ERROR(cudaGraphAddKernelNode(&found, graph, NULL, 0, &params), cudaErrorInvalidValue);
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

/* Nodes by the general functions, of several rows and slices, events; the picture of a graph. */
static void check_general(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, box, record, wait, kernel;
  cudaEvent_t event, other, got = NULL;
  float time = -1;
  int *out = device + 60, value = 4;
  void *args[] = {&out, &value};
  unsigned short result[2][3][4];
  char text[4000], path[4096];
  const char *folder = getenv("TMPDIR");
  snprintf(path, sizeof path, "%s/unwarp-graph-XXXXXX", folder && *folder ? folder : "/tmp");
  struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemset};
  CHECK_OK(cudaEventCreate(&event));
  CHECK_OK(cudaEventCreate(&other));
  CHECK_OK(cudaGraphCreate(&graph, 0));

  params.memset =
      (struct cudaMemsetParamsV2){device, 16, 0x1234, 2, 3, 6}; /* six rows of three shorts, 16 bytes apart */
  CHECK_OK(cudaMemset(device, 0, 96));
  CHECK_OK(cudaGraphAddNode(&fill, graph, NULL, 0, &params));
  params = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeMemcpy};
  params.memcpy.copyParams = (struct cudaMemcpy3DParms){
      .srcPtr = {device, 16, 8, 3}, .dstPtr = {result, 8, 8, 3}, .extent = {8, 3, 2}, .kind = cudaMemcpyDeviceToHost};
  CHECK_OK(cudaGraphAddNode(&box, graph, &fill, 1, &params));
  CHECK_OK(cudaGraphAddEventRecordNode(&record, graph, &box, 1, event));
  CHECK_OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
  CHECK_ERROR(cudaGraphAddEventWaitNode(&kernel, graph, NULL, 0, (cudaEvent_t)&time), cudaErrorInvalidValue);
  params = (struct cudaGraphNodeParams){.type = cudaGraphNodeTypeKernel};
  params.kernel = (struct cudaKernelNodeParamsV2){ADDRESS(note), {1, 1, 1}, {1, 1, 1}, 0, args, NULL};
  CHECK_OK(cudaGraphAddNode(&kernel, graph, &wait, 1, &params));
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0][0][0] == 0x1234 && result[1][2][2] == 0x1234 && result[1][2][3] == 0 && *out == 4);
  CHECK_OK(cudaEventElapsedTime(&time, event, event));
  CHECK_OK(cudaEventElapsedTime_v2(&time, event, event));

  value = 6;
  CHECK_OK(cudaGraphExecNodeSetParams(exec, kernel, &params));
  CHECK_ERROR(cudaGraphExecNodeSetParams(exec, fill, &params), cudaErrorInvalidValue);
  CHECK_ERROR(cudaEventElapsedTime(&time, event, other), cudaErrorInvalidResourceHandle);
  CHECK_OK(cudaGraphExecEventRecordNodeSetEvent(exec, record, other));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK_NUMBER(*out, 6);
  CHECK_OK(cudaEventElapsedTime(&time, event, other));
  CHECK(time > 0);
  CHECK_OK(cudaGraphEventRecordNodeGetEvent(record, &got)); /* only the executable graph has changed */
  CHECK(got == event);
  params.kernel.gridDim.x = 2;
  CHECK_OK(cudaGraphNodeSetParams(kernel, &params));
  struct cudaKernelNodeParams now;
  CHECK_OK(cudaGraphKernelNodeGetParams(kernel, &now));
  CHECK(now.gridDim.x == 2 && *(int *)now.kernelParams[1] == 6);
  struct cudaMemcpy3DParms copy;
  CHECK_OK(cudaGraphMemcpyNodeGetParams(box, &copy));
  CHECK(copy.extent.depth == 2 && copy.dstPtr.ptr == result);
  params.type = cudaGraphNodeTypeExtSemaphoreWait;
  CHECK_ERROR(cudaGraphAddNode(&kernel, graph, NULL, 0, &params), cudaErrorNotSupported);

  int file = mkstemp(path);
  CHECK_OK(cudaGraphDebugDotPrint(graph, path, cudaGraphDebugDotFlagsVerbose));
  ssize_t length = read(file, text, sizeof text - 1);
  text[length > 0 ? length : 0] = 0;
  CHECK(strstr(text, "digraph") && strstr(text, "KERNEL\\nnote\\n<<<(2,1,1)") && strstr(text, "MEMSET"));
  int arrows = 0;
  for (const char *at = text; (at = strstr(at, " -> ")); at++)
    arrows++;
  CHECK_NUMBER(arrows, 4);
  close(file);
  unlink(path);
  CHECK_ERROR(cudaGraphDebugDotPrint(graph, "/no/such/folder/file", 0), cudaErrorOperatingSystem);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaEventDestroy(event));
  CHECK_OK(cudaEventDestroy(other));
}

/* Every node's parameters are read, changed in the graph, and changed in the executable graph alone. */
static void check_parameters(void) {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t fill, line, to, from, host, wait, box;
  cudaEvent_t event, other, got = NULL;
  int result[4] = {0}, source[2] = {1, 2}, other_source[2] = {3, 4}, first = 100, second = 200;
  unsigned long long flags = 99;
  struct cudaMemsetParams fill_params = {device, 0, 0x11, 1, 4, 1}, seen_fill;
  struct cudaHostNodeParams host_params = {host_note, &first}, seen_host;
  struct cudaMemcpy3DParms box_params = {.srcPtr = {device, 4, 4, 1},
                                         .dstPtr = {&result[3], 4, 4, 1},
                                         .extent = {4, 1, 1},
                                         .kind = cudaMemcpyDeviceToHost};
  CHECK_OK(cudaEventCreate(&event));
  CHECK_OK(cudaEventCreate(&other));
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddMemsetNode(&fill, graph, NULL, 0, &fill_params));
  CHECK_OK(cudaGraphAddMemcpyNode1D(&line, graph, &fill, 1, &result[0], device, 4, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, &line, 1, variable, source, 8, 0, cudaMemcpyHostToDevice));
  CHECK_OK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &to, 1, &result[1], variable, 4, 4, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphAddHostNode(&host, graph, &from, 1, &host_params));
  CHECK_OK(cudaGraphAddEventWaitNode(&wait, graph, &host, 1, event));
  CHECK_OK(cudaGraphAddMemcpyNode(&box, graph, &wait, 1, &box_params));
  CHECK_OK(cudaGraphMemsetNodeGetParams(fill, &seen_fill));
  CHECK(seen_fill.value == 0x11 && seen_fill.width == 4);
  CHECK_OK(cudaGraphHostNodeGetParams(host, &seen_host));
  CHECK(seen_host.fn == host_note && seen_host.userData == &first);
  CHECK_OK(cudaGraphEventWaitNodeGetEvent(wait, &got));
  CHECK(got == event);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  CHECK_OK(cudaGraphExecGetFlags(exec, &flags));
  CHECK_NUMBER(flags, cudaGraphInstantiateFlagUseNodePriority);

  order_count = 0;
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0] == 0x11111111 && result[1] == 2 && result[3] == 0x11111111 && order[0] == 100);
  fill_params.value = 0x22;
  host_params.userData = &second;
  box_params.dstPtr.ptr = &result[2];
  CHECK_OK(cudaGraphExecMemsetNodeSetParams(exec, fill, &fill_params));
  CHECK_OK(cudaGraphExecMemcpyNodeSetParams1D(exec, line, &result[3], device, 4, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, to, variable, other_source, 4, 8, cudaMemcpyHostToDevice));
  CHECK_OK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, from, &result[1], variable, 4, 8, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphExecHostNodeSetParams(exec, host, &host_params));
  CHECK_OK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, other));
  CHECK_OK(cudaGraphExecMemcpyNodeSetParams(exec, box, &box_params));
  memset(result, 0, sizeof result);
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0] == 0 && result[1] == 3 && result[2] == 0x22222222 && result[3] == 0x22222222 && order[1] == 200);
  CHECK_ERROR(cudaGraphExecMemsetNodeSetParams(exec, line, &fill_params), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphExecDestroy(exec));

  /* The graph has not changed; now it does. */
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0] == 0x11111111 && order[2] == 100);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphMemsetNodeSetParams(fill, &fill_params));
  CHECK_OK(cudaGraphMemcpyNodeSetParams1D(line, &result[3], device, 4, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphMemcpyNodeSetParamsToSymbol(to, variable, other_source, 8, 0, cudaMemcpyHostToDevice));
  CHECK_OK(cudaGraphMemcpyNodeSetParamsFromSymbol(from, &result[1], variable, 4, 0, cudaMemcpyDeviceToHost));
  CHECK_OK(cudaGraphHostNodeSetParams(host, &host_params));
  CHECK_OK(cudaGraphEventWaitNodeSetEvent(wait, other));
  CHECK_OK(cudaGraphEventWaitNodeGetEvent(wait, &got));
  CHECK(got == other);
  CHECK_ERROR(cudaGraphEventRecordNodeSetEvent(wait, other), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphMemcpyNodeSetParams(box, &box_params));
  memset(result, 0, sizeof result);
  CHECK_OK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK_OK(cudaGraphLaunch(exec, 0));
  CHECK(result[0] == 0 && result[1] == 3 && result[2] == 0x22222222 && result[3] == 0x22222222 && order[3] == 200);
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));
  CHECK_OK(cudaEventDestroy(event));
  CHECK_OK(cudaEventDestroy(other));
}

/* Edges that carry data, kernels' attributes, handles of kernels. */
static void check_edges(void) {
  cudaGraph_t graph;
  cudaGraphNode_t first, second, third, from[2], to[2];
  cudaGraphEdgeData programmatic = {cudaGraphKernelNodePortProgrammatic, 0, cudaGraphDependencyTypeProgrammatic, {0}};
  cudaGraphEdgeData bad = {cudaGraphKernelNodePortProgrammatic, 1, cudaGraphDependencyTypeProgrammatic, {0}}, seen[2];
  cudaLaunchAttributeValue attribute = {.priority = -3};
  cudaFunction_t function = NULL;
  cudaKernel_t handle = NULL;
  int *out = device, value = 1;
  size_t count = 2;
  struct cudaKernelNodeParams params = note_params(&out, &value, 1);
  struct cudaGraphNodeParams empty = {.type = cudaGraphNodeTypeEmpty};
  CHECK_OK(cudaGraphCreate(&graph, 0));
  CHECK_OK(cudaGraphAddKernelNode(&first, graph, NULL, 0, &params));
  CHECK_OK(cudaGraphAddKernelNode(&second, graph, NULL, 0, &params));
  CHECK_ERROR(cudaGraphAddNode_v2(&third, graph, &second, &programmatic, 1, &empty), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphAddNode_v2(&third, graph, &second, NULL, 1, &empty));
  CHECK_ERROR(cudaGraphAddDependencies_v2(graph, &first, &second, &bad, 1), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphAddDependencies_v2(graph, &first, &second, &programmatic, 1));
  CHECK_OK(cudaGraphGetEdges_v2(graph, from, to, seen, &count));
  CHECK(count == 2 && from[0] == first && to[0] == second && seen[0].type == cudaGraphDependencyTypeProgrammatic &&
        seen[1].type == cudaGraphDependencyTypeDefault);
  count = 1;
  CHECK_OK(cudaGraphNodeGetDependencies_v2(second, from, seen, &count));
  CHECK(count == 1 && from[0] == first && seen[0].from_port == cudaGraphKernelNodePortProgrammatic);
  CHECK_OK(cudaGraphNodeGetDependentNodes_v2(second, to, seen, &count));
  CHECK(count == 1 && to[0] == third && seen[0].from_port == 0);
  CHECK_OK(cudaGraphRemoveDependencies_v2(graph, &first, &second, &programmatic, 1));
  CHECK_ERROR(cudaGraphRemoveDependencies_v2(graph, &first, &second, NULL, 1), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphKernelNodeSetAttribute(first, cudaLaunchAttributePriority, &attribute));
  CHECK_OK(cudaGraphKernelNodeCopyAttributes(first, second));
  attribute.priority = 0;
  CHECK_OK(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority, &attribute));
  CHECK_NUMBER(attribute.priority, -3);
  CHECK_ERROR(cudaGraphKernelNodeCopyAttributes(first, third), cudaErrorInvalidValue);
  CHECK_OK(cudaGraphDestroy(graph));

  CHECK_OK(cudaGetFuncBySymbol(&function, ADDRESS(note)));
  CHECK_OK(cudaGetKernel(&handle, ADDRESS(note)));
  CHECK_ERROR(cudaGetKernel(&handle, &graph), cudaErrorInvalidDeviceFunction);
  void *args[] = {&out, &value};
  CHECK_OK(cudaLaunchKernel((const void *)handle, (dim3){7, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
  CHECK_NUMBER(*out, 7);
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
  CHECK_OK(
      cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, result, (char *)params.dptr + 4996, 4, cudaMemcpyDeviceToHost));
  CHECK_ERROR(cudaGraphClone(&clone, graph), cudaErrorNotSupported);
  CHECK_ERROR(cudaGraphDestroyNode(copy), cudaErrorNotSupported);
  CHECK_ERROR(cudaMemset(params.dptr, 0, 4), cudaErrorInvalidValue); /* there is no memory yet */
  CHECK_ERROR(cudaFree(params.dptr), cudaErrorInvalidValue);
  struct cudaMemAllocNodeParams seen;
  CHECK_OK(cudaGraphMemAllocNodeGetParams(alloc, &seen));
  CHECK(seen.dptr == params.dptr && seen.bytesize == 5000);
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
  void *freed = NULL;
  CHECK_OK(cudaGraphMemFreeNodeGetParams(release, &freed));
  CHECK(freed == params.dptr);
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
  for (int iteration = 0; iteration < 2; iteration++) { /* the default value is assigned at each launch */
    CHECK_OK(cudaMemcpy(where, &left, sizeof left, cudaMemcpyHostToDevice));
    CHECK_OK(cudaGraphLaunch(exec, 0));
    CHECK_NUMBER(*where, 0);
  }
  CHECK_OK(cudaGraphExecDestroy(exec));
  CHECK_OK(cudaGraphDestroy(graph));

  /* A switch over three bodies, each of which writes its index. */
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

int main(void) {
  uwrt_register(&module);
  CHECK_OK(cudaMalloc((void **)&device, 64 * sizeof *device));
  check_building();
  check_changes();
  check_general();
  check_parameters();
  check_edges();
  check_memory();
  check_conditions();
  check_user_objects();
  CHECK_OK(cudaFree(device));
  uwrt_unregister(&module);
  return finish();
}
