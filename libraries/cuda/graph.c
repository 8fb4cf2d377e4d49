/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Graphs: the runtime's. Edges, attributes and most parameters have one layout in both APIs. */
#include "internal.h"

#define OLD __attribute__((visibility("default"))) CUresult
#define E(data) ((cudaGraphEdgeData *)(data))

_Static_assert(sizeof(CUgraphEdgeData) == sizeof(cudaGraphEdgeData), "one edge in two types");
_Static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) == sizeof(cudaGraphInstantiateParams),
               "one structure in two types");

CUresult cuGraphCreate(CUgraph *phGraph, unsigned int flags) { ANYWHERE(cudaGraphCreate(phGraph, flags)); }
CUresult cuGraphDestroy(CUgraph hGraph) { ANYWHERE(cudaGraphDestroy(hGraph)); }
CUresult cuGraphClone(CUgraph *clone, CUgraph original) { ANYWHERE(cudaGraphClone(clone, original)); }
CUresult cuGraphNodeFindInClone(CUgraphNode *node, CUgraphNode original, CUgraph clone) {
  ANYWHERE(cudaGraphNodeFindInClone(node, original, clone));
}
CUresult cuGraphDestroyNode(CUgraphNode hNode) { ANYWHERE(cudaGraphDestroyNode(hNode)); }
CUresult cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, const CUgraphEdgeData *data,
                                size_t n) {
  ANYWHERE(cudaGraphAddDependencies_v2(g, from, to, E(data), n));
}
CUresult cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t n) {
  ANYWHERE(cudaGraphRemoveDependencies_v2(g, from, to, E(data), n));
}
CUresult cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, CUgraphEdgeData *data, size_t *n) {
  ANYWHERE(cudaGraphGetEdges_v2(g, from, to, E(data), n));
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *found, CUgraphEdgeData *data, size_t *n) {
  ANYWHERE(cudaGraphNodeGetDependencies_v2(node, found, E(data), n));
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *found, CUgraphEdgeData *data, size_t *n) {
  ANYWHERE(cudaGraphNodeGetDependentNodes_v2(node, found, E(data), n));
}
CUresult cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
  ANYWHERE(cudaGraphNodeGetType(node, (enum cudaGraphNodeType *)type));
}
CUresult cuGraphGetNodes(CUgraph g, CUgraphNode *nodes, size_t *n) { ANYWHERE(cudaGraphGetNodes(g, nodes, n)); }
CUresult cuGraphGetRootNodes(CUgraph g, CUgraphNode *nodes, size_t *n) { ANYWHERE(cudaGraphGetRootNodes(g, nodes, n)); }
CUresult cuGraphDebugDotPrint(CUgraph g, const char *path, unsigned int flags) {
  ANYWHERE(cudaGraphDebugDotPrint(g, path, flags));
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph g, unsigned long long flags) {
  ANYWHERE(cudaGraphInstantiateWithFlags(exec, g, flags));
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t *flags) {
  ANYWHERE(cudaGraphExecGetFlags(exec, (unsigned long long *)flags));
}
CUresult cuGraphExecDestroy(CUgraphExec exec) { ANYWHERE(cudaGraphExecDestroy(exec)); }
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph g, CUgraphExecUpdateResultInfo *info) {
  ANYWHERE(cudaGraphExecUpdate(exec, g, (cudaGraphExecUpdateResultInfo *)info));
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int on) {
  ANYWHERE(cudaGraphNodeSetEnabled(exec, node, on));
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned int *on) {
  ANYWHERE(cudaGraphNodeGetEnabled(exec, node, on));
}
CUresult cuDeviceGraphMemTrim(CUdevice device) { ANYWHERE(cudaDeviceGraphMemTrim(device)); }
CUresult cuDeviceGetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  ANYWHERE(cudaDeviceGetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attr, value));
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice device, CUgraphMem_attribute attr, void *value) {
  ANYWHERE(cudaDeviceSetGraphMemAttribute(device, (enum cudaGraphMemAttributeType)attr, value));
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph g, CUcontext ctx, unsigned int value,
                                        unsigned int flags) {
  RUN_WITH(ctx, ctx && uwcu_context_device(ctx) < 0
                    ? (int)CUDA_ERROR_INVALID_CONTEXT
                    : (int)cudaGraphConditionalHandleCreate((cudaGraphConditionalHandle *)handle, g, value, flags));
}

CUresult cuUserObjectCreate(CUuserObject *object, void *ptr, CUhostFn destroy, unsigned int count, unsigned int flags) {
  ANYWHERE(cudaUserObjectCreate(object, ptr, destroy, count, flags));
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) { ANYWHERE(cudaUserObjectRetain(object, count)); }
CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  ANYWHERE(cudaUserObjectRelease(object, count));
}
CUresult cuGraphRetainUserObject(CUgraph g, CUuserObject object, unsigned int count, unsigned int flags) {
  ANYWHERE(cudaGraphRetainUserObject(g, object, count, flags));
}
CUresult cuGraphReleaseUserObject(CUgraph g, CUuserObject object, unsigned int count) {
  ANYWHERE(cudaGraphReleaseUserObject(g, object, count));
}

/* --- versions before CUDA 12 and 13 ------------------------------------------------------------------------------- */

#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
OLD cuGraphAddDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n) {
  ANYWHERE(cudaGraphAddDependencies(g, from, to, n));
}
OLD cuGraphRemoveDependencies(CUgraph g, const CUgraphNode *from, const CUgraphNode *to, size_t n) {
  ANYWHERE(cudaGraphRemoveDependencies(g, from, to, n));
}
OLD cuGraphGetEdges(CUgraph g, CUgraphNode *from, CUgraphNode *to, size_t *n) {
  ANYWHERE(cudaGraphGetEdges(g, from, to, n));
}
OLD cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *found, size_t *n) {
  ANYWHERE(cudaGraphNodeGetDependencies(node, found, n));
}
OLD cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *found, size_t *n) {
  ANYWHERE(cudaGraphNodeGetDependentNodes(node, found, n));
}

static int instantiate(CUgraphExec *exec, CUgraph g, CUgraphNode *wrong, char *log, size_t bytes) {
  cudaGraphInstantiateParams params = {0};
  int error = (int)cudaGraphInstantiateWithParams(exec, g, &params);
  if (wrong)
    *wrong = error ? params.errNode_out : NULL;
  if (log && bytes)
    log[0] = 0;
  return error;
}

OLD cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph g, CUgraphNode *wrong, char *log, size_t bytes) {
  ANYWHERE(instantiate(exec, g, wrong, log, bytes));
}
OLD cuGraphInstantiate(CUgraphExec *exec, CUgraph g, CUgraphNode *wrong, char *log, size_t bytes) {
  ANYWHERE(instantiate(exec, g, wrong, log, bytes));
}

static int update(CUgraphExec exec, CUgraph g, CUgraphNode *wrong, CUgraphExecUpdateResult *said) {
  cudaGraphExecUpdateResultInfo info = {0};
  int error = (int)cudaGraphExecUpdate(exec, g, &info);
  if (wrong)
    *wrong = info.errorNode;
  if (said)
    *said = (CUgraphExecUpdateResult)info.result;
  return error;
}

OLD cuGraphExecUpdate(CUgraphExec exec, CUgraph g, CUgraphNode *wrong, CUgraphExecUpdateResult *said) {
  ANYWHERE(update(exec, g, wrong, said));
}
