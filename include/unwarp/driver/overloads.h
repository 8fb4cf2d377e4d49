/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In C++, calls as CUDA 13 has them beside those of CUDA 12: the arguments tell which is meant. Included by cuda.h, for
 * versions before 13. */
#ifndef UNWARP_DRIVER_OVERLOADS_H
#define UNWARP_DRIVER_OVERLOADS_H

static inline CUresult cuCtxCreate(CUcontext *pctx, CUctxCreateParams *params, unsigned int flags, CUdevice dev) {
  return cuCtxCreate_v4(pctx, params, flags, dev);
}
static inline CUresult cuMemAdvise(CUdeviceptr devPtr, size_t count, CUmem_advise advice, CUmemLocation location) {
  return cuMemAdvise_v2(devPtr, count, advice, location);
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr devPtr, size_t count, CUmemLocation location, unsigned int flags,
                                          CUstream hStream) {
  return cuMemPrefetchAsync_v2(devPtr, count, location, flags, hStream);
}
static inline CUresult cuStreamGetCaptureInfo(CUstream hStream, CUstreamCaptureStatus *status, cuuint64_t *id,
                                              CUgraph *graph, const CUgraphNode **dependencies,
                                              const CUgraphEdgeData **edgeData, size_t *numDependencies) {
  return cuStreamGetCaptureInfo_v3(hStream, status, id, graph, dependencies, edgeData, numDependencies);
}
static inline CUresult cuStreamUpdateCaptureDependencies(CUstream hStream, CUgraphNode *dependencies,
                                                         const CUgraphEdgeData *edgeData, size_t numDependencies,
                                                         unsigned int flags) {
  return cuStreamUpdateCaptureDependencies_v2(hStream, dependencies, edgeData, numDependencies, flags);
}
static inline CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                                      const CUgraphEdgeData *edgeData, size_t numDependencies,
                                      CUgraphNodeParams *params) {
  return cuGraphAddNode_v2(node, graph, dependencies, edgeData, numDependencies, params);
}
static inline CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                              const CUgraphEdgeData *edgeData, size_t numDependencies) {
  return cuGraphAddDependencies_v2(graph, from, to, edgeData, numDependencies);
}
static inline CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                                 const CUgraphEdgeData *edgeData, size_t numDependencies) {
  return cuGraphRemoveDependencies_v2(graph, from, to, edgeData, numDependencies);
}
static inline CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *edgeData,
                                       size_t *numEdges) {
  return cuGraphGetEdges_v2(graph, from, to, edgeData, numEdges);
}
static inline CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *dependencies,
                                                  CUgraphEdgeData *edgeData, size_t *numDependencies) {
  return cuGraphNodeGetDependencies_v2(node, dependencies, edgeData, numDependencies);
}
static inline CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *dependents,
                                                    CUgraphEdgeData *edgeData, size_t *numDependents) {
  return cuGraphNodeGetDependentNodes_v2(node, dependents, edgeData, numDependents);
}

#endif
