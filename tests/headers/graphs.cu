/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Graphs in C++: device variables by name, typed user objects, the argument lists of CUDA 11, 12 and 13, parameters of nodes
 * as programs initialise them, and a condition that device code sets.
 */
__device__ int variable[4];
__global__ void decide(cudaGraphConditionalHandle handle, int n) { cudaGraphSetConditional(handle, n > 0); }

struct owned {
  int value;
};

int main() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaGraphNode_t node, other;
  cudaStream_t stream = 0;
  cudaStreamCaptureStatus status;
  cudaGraphExecUpdateResult result;
  cudaGraphExecUpdateResultInfo info;
  cudaUserObject_t object;
  const cudaGraphNode_t *last;
  const cudaGraphEdgeData *edges;
  unsigned long long id;
  size_t count = 0;
  char log[10];
  int host[4];
  cudaGraphCreate(&graph, 0);
  cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, variable, host, 16, 0, cudaMemcpyHostToDevice);
  cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, host, variable, 16, 0, cudaMemcpyDeviceToHost);
  cudaGraphMemcpyNodeSetParamsToSymbol(node, variable, host, 4, 4, cudaMemcpyHostToDevice);
  cudaGraphMemcpyNodeSetParamsFromSymbol(node, host, variable, 4, 4, cudaMemcpyDeviceToHost);
  cudaGraphExecMemcpyNodeSetParamsToSymbol(exec = 0, node, variable, host, 4, 4, cudaMemcpyHostToDevice);
  cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, node, host, variable, 4, 4, cudaMemcpyDeviceToHost);
  cudaUserObjectCreate(&object, new owned, 1, cudaUserObjectNoDestructorSync);
  cudaGraphRetainUserObject(graph, object), cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
  cudaUserObjectRetain(object), cudaUserObjectRelease(object);

  cudaGraphInstantiate(&exec, graph), cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
  cudaGraphInstantiate(&exec, graph, NULL, NULL, 0), cudaGraphInstantiate(&exec, graph, &node, log, sizeof log);
  cudaGraphExecUpdate(exec, graph, &info), cudaGraphExecUpdate(exec, graph, &node, &result);
  cudaGraphAddDependencies(graph, &node, &other, 1), cudaGraphAddDependencies(graph, &node, &other, NULL, 1);
  cudaGraphRemoveDependencies(graph, &node, &other, 1), cudaGraphRemoveDependencies(graph, &node, &other, NULL, 1);
  cudaGraphGetEdges(graph, NULL, NULL, &count), cudaGraphGetEdges(graph, NULL, NULL, NULL, &count);
  cudaGraphNodeGetDependencies(node, NULL, &count), cudaGraphNodeGetDependencies(node, NULL, NULL, &count);
  cudaGraphNodeGetDependentNodes(node, NULL, &count), cudaGraphNodeGetDependentNodes(node, NULL, NULL, &count);
  cudaStreamGetCaptureInfo(stream, &status), cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, &count);
  cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, &edges, &count);
  cudaStreamUpdateCaptureDependencies(stream, &node, 1), cudaStreamUpdateCaptureDependencies(stream, &node, 1, 1);
  cudaStreamUpdateCaptureDependencies(stream, &node, NULL, 1, cudaStreamSetCaptureDependencies);

  cudaGraphNodeParams params = {cudaGraphNodeTypeConditional}, kernel = {};
  kernel.type = cudaGraphNodeTypeKernel;
  kernel.kernel.func = (void *)decide;
  kernel.kernel.gridDim = dim3(1, 2, 3);
  cudaGraphAddNode(&node, graph, NULL, 0, &params), cudaGraphAddNode(&node, graph, NULL, NULL, 0, &kernel);
  cudaKernelNodeParams plain = {0};
  plain.gridDim = dim3(4);
  cudaKernelNodeAttrValue value;
  cudaGraphKernelNodeSetAttribute(node, cudaKernelNodeAttributeCooperative, &value);
  return cudaGraphAddKernelNode(&node, graph, NULL, 0, &plain);
}
