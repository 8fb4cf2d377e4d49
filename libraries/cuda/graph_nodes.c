/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nodes of graphs. The driver's parameters of a kernel name it by a function or a kernel, which are one handle here,
 * and may have its arguments in one buffer; its copies are described as the driver describes copies. Contexts are
 * looked at and not needed. */
#include "internal.h"

#include <string.h>

#define OLD __attribute__((visibility("default"))) CUresult
#define NEW CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, size_t count
#define NEW_NODE node, graph, dependencies, count

/* --- kernels ------------------------------------------------------------------------------------------------------ */

_Static_assert(offsetof(CUDA_KERNEL_NODE_PARAMS_v1, extra) == offsetof(struct cudaKernelNodeParams, extra),
               "one layout");

/* A function belongs to a context; a kernel of a library runs in the one that is named, or in the current one. */
#define KERNEL_NAMES(params) (!(params) || (params)->func || (params)->ctx)

/* with_kernel: the structure has the members of its second version. */
static int kernel_of(struct cudaKernelNodeParams *to, const CUDA_KERNEL_NODE_PARAMS *from, int with_kernel,
                     void **places) {
  if (!from)
    return CUDA_ERROR_INVALID_VALUE;
  void *stub = from->func ? (void *)from->func : with_kernel ? (void *)from->kern : NULL;
  if (with_kernel && !from->func && from->ctx && uwcu_context_device(from->ctx) < 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  *to = (struct cudaKernelNodeParams){stub,
                                      {from->gridDimX, from->gridDimY, from->gridDimZ},
                                      {from->blockDimX, from->blockDimY, from->blockDimZ},
                                      from->sharedMemBytes,
                                      NULL,
                                      NULL};
  return uwcu_parameters(stub, from->kernelParams, from->extra, places, &to->kernelParams);
}

static int add_kernel(NEW, const CUDA_KERNEL_NODE_PARAMS *params, int with_kernel) {
  struct cudaKernelNodeParams own;
  void *places[UWCU_MOST_PARAMETERS];
  int error = kernel_of(&own, params, with_kernel, places);
  return error ? error : (int)cudaGraphAddKernelNode(NEW_NODE, &own);
}

static int get_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *to, int with_kernel) {
  struct cudaKernelNodeParams own;
  int error = to ? (int)cudaGraphKernelNodeGetParams(node, &own) : CUDA_ERROR_INVALID_VALUE;
  if (error)
    return error;
  CUDA_KERNEL_NODE_PARAMS found = {(CUfunction)own.func, own.gridDim.x,  own.gridDim.y,      own.gridDim.z,
                                   own.blockDim.x,       own.blockDim.y, own.blockDim.z,     own.sharedMemBytes,
                                   own.kernelParams,     own.extra,      (CUkernel)own.func, uwcu_current()};
  memcpy(to, &found, with_kernel ? sizeof found : offsetof(CUDA_KERNEL_NODE_PARAMS, kern));
  return CUDA_SUCCESS;
}

static int set_kernel(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params, int with_kernel) {
  struct cudaKernelNodeParams own;
  void *places[UWCU_MOST_PARAMETERS];
  int error = kernel_of(&own, params, with_kernel, places);
  return error ? error
               : (int)(exec ? cudaGraphExecKernelNodeSetParams(exec, node, &own)
                            : cudaGraphKernelNodeSetParams(node, &own));
}

CUresult cuGraphAddKernelNode(NEW, const CUDA_KERNEL_NODE_PARAMS *params) {
  RUN_WITH(KERNEL_NAMES(params), add_kernel(NEW_NODE, params, 1));
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params) {
  ANYWHERE(get_kernel(node, params, 1));
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  RUN_WITH(KERNEL_NAMES(params), set_kernel(NULL, node, params, 1));
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params) {
  RUN_WITH(KERNEL_NAMES(params), exec ? set_kernel(exec, node, params, 1) : CUDA_ERROR_INVALID_VALUE);
}
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
OLD cuGraphAddKernelNode(NEW, const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  ANYWHERE(add_kernel(NEW_NODE, (const CUDA_KERNEL_NODE_PARAMS *)params, 0));
}
OLD cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  ANYWHERE(get_kernel(node, (CUDA_KERNEL_NODE_PARAMS *)params, 0));
}
OLD cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  ANYWHERE(set_kernel(NULL, node, (const CUDA_KERNEL_NODE_PARAMS *)params, 0));
}
OLD cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params) {
  ANYWHERE(exec ? set_kernel(exec, node, (const CUDA_KERNEL_NODE_PARAMS *)params, 0) : CUDA_ERROR_INVALID_VALUE);
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode dst, CUgraphNode src) {
  ANYWHERE(cudaGraphKernelNodeCopyAttributes(src, dst)); /* the runtime's has the source first */
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUkernelNodeAttrID attr, CUkernelNodeAttrValue *value) {
  ANYWHERE(cudaGraphKernelNodeGetAttribute(node, (cudaLaunchAttributeID)attr, (cudaLaunchAttributeValue *)value));
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUkernelNodeAttrID attr, const CUkernelNodeAttrValue *value) {
  ANYWHERE(cudaGraphKernelNodeSetAttribute(node, (cudaLaunchAttributeID)attr, (const cudaLaunchAttributeValue *)value));
}

/* --- copies and fills --------------------------------------------------------------------------------------------- */

static int check_context(CUcontext context) {
  return context && uwcu_context_device(context) < 0 ? CUDA_ERROR_INVALID_CONTEXT : 0;
}

static int add_copy(NEW, const CUDA_MEMCPY3D *copy, CUcontext context) {
  struct cudaMemcpy3DParms own;
  int error = check_context(context);
  if (!error)
    error = uwcu_copy_of(&own, copy);
  return error ? error : (int)cudaGraphAddMemcpyNode(NEW_NODE, &own);
}

static int get_copy(CUgraphNode node, CUDA_MEMCPY3D *to) {
  struct cudaMemcpy3DParms own;
  int error = to ? (int)cudaGraphMemcpyNodeGetParams(node, &own) : CUDA_ERROR_INVALID_VALUE;
  if (!error)
    uwcu_copy_from(to, &own);
  return error;
}

static int set_copy(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy) {
  struct cudaMemcpy3DParms own;
  int error = uwcu_copy_of(&own, copy);
  return error ? error
               : (int)(exec ? cudaGraphExecMemcpyNodeSetParams(exec, node, &own)
                            : cudaGraphMemcpyNodeSetParams(node, &own));
}

CUresult cuGraphAddMemcpyNode(NEW, const CUDA_MEMCPY3D *copy, CUcontext ctx) {
  RUN_WITH(ctx, add_copy(NEW_NODE, copy, ctx));
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *params) { ANYWHERE(get_copy(node, params)); }
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *params) {
  ANYWHERE(set_copy(NULL, node, params));
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *copy, CUcontext ctx) {
  RUN_WITH(ctx, !exec                ? CUDA_ERROR_INVALID_VALUE
                : check_context(ctx) ? check_context(ctx)
                                     : set_copy(exec, node, copy));
}

_Static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(struct cudaMemsetParams), "one structure in two types");
CUresult cuGraphAddMemsetNode(NEW, const CUDA_MEMSET_NODE_PARAMS *params, CUcontext ctx) {
  RUN_WITH(ctx, check_context(ctx) ? check_context(ctx)
                                   : (int)cudaGraphAddMemsetNode(NEW_NODE, (const struct cudaMemsetParams *)params));
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphMemsetNodeGetParams(node, (struct cudaMemsetParams *)params));
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphMemsetNodeSetParams(node, (const struct cudaMemsetParams *)params));
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params,
                                        CUcontext ctx) {
  RUN_WITH(ctx, check_context(ctx)
                    ? check_context(ctx)
                    : (int)cudaGraphExecMemsetNodeSetParams(exec, node, (const struct cudaMemsetParams *)params));
}

/* --- the others --------------------------------------------------------------------------------------------------- */

_Static_assert(sizeof(CUDA_HOST_NODE_PARAMS) == sizeof(struct cudaHostNodeParams), "one structure in two types");
CUresult cuGraphAddHostNode(NEW, const CUDA_HOST_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphAddHostNode(NEW_NODE, (const struct cudaHostNodeParams *)params));
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphHostNodeGetParams(node, (struct cudaHostNodeParams *)params));
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphHostNodeSetParams(node, (const struct cudaHostNodeParams *)params));
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphExecHostNodeSetParams(exec, node, (const struct cudaHostNodeParams *)params));
}
CUresult cuGraphAddChildGraphNode(NEW, CUgraph child) { ANYWHERE(cudaGraphAddChildGraphNode(NEW_NODE, child)); }
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph) {
  ANYWHERE(cudaGraphChildGraphNodeGetGraph(node, graph));
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  ANYWHERE(cudaGraphExecChildGraphNodeSetParams(exec, node, child));
}
CUresult cuGraphAddEmptyNode(NEW) { ANYWHERE(cudaGraphAddEmptyNode(NEW_NODE)); }
CUresult cuGraphAddEventRecordNode(NEW, CUevent event) { ANYWHERE(cudaGraphAddEventRecordNode(NEW_NODE, event)); }
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *event) {
  ANYWHERE(cudaGraphEventRecordNodeGetEvent(node, event));
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  ANYWHERE(cudaGraphEventRecordNodeSetEvent(node, event));
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  ANYWHERE(cudaGraphExecEventRecordNodeSetEvent(exec, node, event));
}
CUresult cuGraphAddEventWaitNode(NEW, CUevent event) { ANYWHERE(cudaGraphAddEventWaitNode(NEW_NODE, event)); }
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *event) {
  ANYWHERE(cudaGraphEventWaitNodeGetEvent(node, event));
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  ANYWHERE(cudaGraphEventWaitNodeSetEvent(node, event));
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  ANYWHERE(cudaGraphExecEventWaitNodeSetEvent(exec, node, event));
}
_Static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) == sizeof(struct cudaMemAllocNodeParams),
               "one structure in two types");
CUresult cuGraphAddMemAllocNode(NEW, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphAddMemAllocNode(NEW_NODE, (struct cudaMemAllocNodeParams *)params));
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params) {
  ANYWHERE(cudaGraphMemAllocNodeGetParams(node, (struct cudaMemAllocNodeParams *)params));
}
CUresult cuGraphAddMemFreeNode(NEW, CUdeviceptr dptr) { ANYWHERE(cudaGraphAddMemFreeNode(NEW_NODE, (void *)dptr)); }
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *dptr) {
  ANYWHERE(cudaGraphMemFreeNodeGetParams(node, dptr));
}

/* --- nodes of any kind: one structure, whose layout differs for copies, and for kernels where a buffer holds their
 * arguments ---- */

_Static_assert(sizeof(CUgraphNodeParams) == sizeof(struct cudaGraphNodeParams), "one structure in two types");
_Static_assert(offsetof(CUgraphNodeParams, kernel) == offsetof(struct cudaGraphNodeParams, kernel),
               "one structure in two types");

static int params_of(struct cudaGraphNodeParams *to, const CUgraphNodeParams *from, void **places) {
  if (!from)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(to, from, sizeof *to);
  if (from->type == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (from->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
    to->memcpy = (struct cudaMemcpyNodeParams){.flags = from->memcpy.flags};
    return from->memcpy.reserved ? CUDA_ERROR_INVALID_VALUE
                                 : uwcu_copy_of(&to->memcpy.copyParams, &from->memcpy.copyParams);
  }
  if (from->type != CU_GRAPH_NODE_TYPE_KERNEL)
    return CUDA_SUCCESS;
  void *stub = from->kernel.func ? (void *)from->kernel.func : (void *)from->kernel.kern;
  to->kernel.func = stub;
  to->kernel.extra = NULL;
  return uwcu_parameters(stub, from->kernel.kernelParams, from->kernel.extra, places, &to->kernel.kernelParams);
}

/* What a call gives back. */
static void give_back(CUgraphNodeParams *to, const struct cudaGraphNodeParams *from) {
  if (to->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    to->alloc.dptr = (CUdeviceptr)from->alloc.dptr;
  if (to->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
    to->conditional.phGraph_out = from->conditional.phGraph_out;
}

static int add_node(NEW, const CUgraphEdgeData *data, CUgraphNodeParams *params) {
  struct cudaGraphNodeParams own;
  void *places[UWCU_MOST_PARAMETERS];
  int error = params_of(&own, params, places);
  if (!error)
    error = (int)cudaGraphAddNode_v2(node, graph, dependencies, (const cudaGraphEdgeData *)data, count, &own);
  if (!error)
    give_back(params, &own);
  return error;
}

static int set_node(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params) {
  struct cudaGraphNodeParams own;
  void *places[UWCU_MOST_PARAMETERS];
  int error = params_of(&own, params, places);
  return error ? error
               : (int)(exec ? cudaGraphExecNodeSetParams(exec, node, &own) : cudaGraphNodeSetParams(node, &own));
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *dependencies, const CUgraphEdgeData *data,
                        size_t count, CUgraphNodeParams *params) {
  ANYWHERE(add_node(NEW_NODE, data, params));
}
#undef cuGraphAddNode
OLD cuGraphAddNode(NEW, CUgraphNodeParams *params) { ANYWHERE(add_node(NEW_NODE, NULL, params)); }
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *params) { ANYWHERE(set_node(NULL, node, params)); }
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params) {
  ANYWHERE(exec ? set_node(exec, node, params) : CUDA_ERROR_INVALID_VALUE);
}
