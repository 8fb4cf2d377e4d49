// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name has one function, whose address is taken without saying its type, and calls in CUDA 13's form are right all
// the same: of the driver API and of the runtime, in a namespace, and with null for what nobody asks for.
#include "../check.h"
#include <cuda.h>

#include <type_traits>

__global__ void kernel(int *x) { *x += 1; }

namespace wrapped {
static CUresult join(CUgraph graph, CUgraphNode from, CUgraphNode to) {
  return cuGraphAddDependencies(graph, &from, &to, nullptr, 1);
}
} // namespace wrapped

static void addresses() {
  auto add = cuGraphAddNode;
  auto advise = &cuMemAdvise;
  auto prefetch = cuMemPrefetchAsync;
  auto info = cuStreamGetCaptureInfo;
  auto create = cuCtxCreate;
  auto runtime_add = cudaGraphAddNode;
  auto runtime_advise = cudaMemAdvise;
  auto runtime_info = cudaStreamGetCaptureInfo;
  auto edges = cudaGraphGetEdges;
  static_assert(std::is_same<decltype(add), CUresult (*)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                                         CUgraphNodeParams *)>::value,
                "CUDA 12's form");
  static_assert(std::is_same<decltype(advise), CUresult (*)(CUdeviceptr, size_t, CUmem_advise, CUdevice)>::value,
                "the same");
  CHECK(prefetch && info && create && runtime_add && runtime_info && edges);
  int *memory;
  CHECK(cudaMallocManaged(&memory, 4) == cudaSuccess);
  CHECK(advise((CUdeviceptr)memory, 4, CU_MEM_ADVISE_SET_READ_MOSTLY, 0) == CUDA_SUCCESS);
  CHECK(runtime_advise(memory, 4, cudaMemAdviseSetReadMostly, 0) == cudaSuccess);
  cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
  CUmemLocation driver_place = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
  CHECK(cudaMemAdvise(memory, 4, cudaMemAdviseSetReadMostly, place) == cudaSuccess);
  CHECK(cudaMemPrefetchAsync(memory, 4, place, 0) == cudaSuccess && cudaMemPrefetchAsync(memory, 4, 0) == cudaSuccess);
  CHECK(cuMemAdvise((CUdeviceptr)memory, 4, CU_MEM_ADVISE_SET_READ_MOSTLY, driver_place) == CUDA_SUCCESS);
  CHECK(cuMemPrefetchAsync((CUdeviceptr)memory, 4, driver_place, 0, 0) == CUDA_SUCCESS);
  CHECK(cudaDeviceSynchronize() == cudaSuccess && cudaFree(memory) == cudaSuccess);
}

int main() {
  addresses();
  CUgraph graph;
  CUgraphNode nodes[3], from[2], to[2];
  size_t count = 2;
  CHECK(cudaFree(nullptr) == cudaSuccess && cuGraphCreate(&graph, 0) == CUDA_SUCCESS);
  CUgraphNodeParams params = {};
  params.type = CU_GRAPH_NODE_TYPE_EMPTY;
  CHECK(cuGraphAddNode(&nodes[0], graph, nullptr, 0, &params) == CUDA_SUCCESS);
  CHECK(cuGraphAddNode(&nodes[1], graph, &nodes[0], NULL, 1, &params) == CUDA_SUCCESS);
  cudaGraphNodeParams runtime_params = {};
  runtime_params.type = cudaGraphNodeTypeEmpty;
  CHECK(cudaGraphAddNode(&nodes[2], graph, nullptr, nullptr, 0, &runtime_params) == cudaSuccess);
  CHECK(wrapped::join(graph, nodes[1], nodes[2]) == CUDA_SUCCESS);
  CHECK(cuGraphGetEdges(graph, from, to, nullptr, &count) == CUDA_SUCCESS && count == 2);
  CHECK(from[0] == nodes[0] && to[0] == nodes[1] && from[1] == nodes[1] && to[1] == nodes[2]);
  count = 2;
  CHECK(cudaGraphGetEdges(graph, from, to, nullptr, &count) == cudaSuccess && count == 2);
  CHECK(cudaGraphNodeGetDependencies(nodes[2], from, nullptr, &count) == cudaSuccess && from[0] == nodes[1]);
  count = 2;
  CHECK(cuGraphNodeGetDependentNodes(nodes[0], to, nullptr, &count) == CUDA_SUCCESS && count == 1 && to[0] == nodes[1]);
  CHECK(cudaGraphRemoveDependencies(graph, &nodes[1], &nodes[2], nullptr, 1) == cudaSuccess);
  count = 2;
  CHECK(cuGraphGetEdges(graph, from, to, &count) == CUDA_SUCCESS && count == 1);
  CHECK(cuGraphDestroy(graph) == CUDA_SUCCESS);

  cudaStream_t stream;
  cudaStreamCaptureStatus status;
  CUstreamCaptureStatus driver_status;
  const cudaGraphNode_t *last;
  int *memory;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess && cudaMalloc(&memory, 4) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  kernel<<<1, 1, 0, stream>>>(memory);
  CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &last, nullptr, &count) == cudaSuccess &&
        status == cudaStreamCaptureStatusActive && count == 1);
  CHECK(cuStreamGetCaptureInfo(stream, &driver_status, nullptr, &graph, &last, nullptr, &count) == CUDA_SUCCESS &&
        driver_status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1);
  CHECK(cudaStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, cudaStreamSetCaptureDependencies) ==
        cudaSuccess);
  CHECK(cuStreamGetCaptureInfo(stream, &driver_status, nullptr, &graph, &last, &count) == CUDA_SUCCESS && count == 0);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess && cudaFree(memory) == cudaSuccess);
  return report("forms");
}
