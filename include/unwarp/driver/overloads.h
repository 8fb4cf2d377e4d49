/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the calls of unwarp/forms_of_13.h do. Included by cuda.h, in C++ and under CUDA 12. */
#ifndef UNWARP_DRIVER_OVERLOADS_H
#define UNWARP_DRIVER_OVERLOADS_H

extern "C++" {

template <> struct __uw_driver_13<__UW_OF_FILE> {
  typedef CUresult result;
  typedef CUstreamCaptureStatus status;
  typedef CUmem_advise advice;
  typedef cuuint64_t id;

  static CUresult create(CUcontext *context, CUctxCreateParams *params, unsigned int flags, CUdevice device) {
    return cuCtxCreate_v4(context, params, flags, device);
  }
  static CUresult advise(CUdeviceptr memory, size_t bytes, CUmem_advise advice, CUmemLocation place) {
    return cuMemAdvise_v2(memory, bytes, advice, place);
  }
  static CUresult prefetch(CUdeviceptr memory, size_t bytes, CUmemLocation place, unsigned int flags, CUstream stream) {
    return cuMemPrefetchAsync_v2(memory, bytes, place, flags, stream);
  }
  static CUresult capture_info(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                               const CUgraphNode **dependencies, const CUgraphEdgeData **data, size_t *count) {
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, data, count);
  }
  static CUresult update_dependencies(CUstream stream, CUgraphNode *dependencies, const CUgraphEdgeData *data,
                                      size_t count, unsigned int flags) {
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, data, count, flags);
  }
  static CUresult add_node(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies,
                           const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *params) {
    return cuGraphAddNode_v2(node, graph, dependencies, data, count, params);
  }
  static CUresult add_dependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count) {
    return cuGraphAddDependencies_v2(graph, from, to, data, count);
  }
  static CUresult remove_dependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t count) {
    return cuGraphRemoveDependencies_v2(graph, from, to, data, count);
  }
  static CUresult edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *count) {
    return cuGraphGetEdges_v2(graph, from, to, data, count);
  }
  static CUresult dependencies(CUgraphNode node, CUgraphNode *dependencies, CUgraphEdgeData *data, size_t *count) {
    return cuGraphNodeGetDependencies_v2(node, dependencies, data, count);
  }
  static CUresult dependents(CUgraphNode node, CUgraphNode *dependents, CUgraphEdgeData *data, size_t *count) {
    return cuGraphNodeGetDependentNodes_v2(node, dependents, data, count);
  }
};

} /* extern "C++" */

#endif
