/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nodes of each kind. What a program says about a node becomes a piece of work, and then there is one way to add a
 * node, one to change it, and one to change it in an executable graph.
 */
#include <string.h>
#include <stdlib.h>

#include "graph.h"

/* --- parameters to work, and back. The work borrows what it points to --------------------------------------------- */

static cudaError_t work_of_kernel(const struct cudaKernelNodeParams *params, uwrt_work *work) {
  const uwrt_kernel *kernel;
  if (!params)
    return cudaErrorInvalidValue;
  if (!uwrt_kernel_find(params->func, &kernel, NULL))
    return cudaErrorInvalidDeviceFunction;
  if (params->extra) /* parameters packed by the program: only their own compiler knows how */
    return params->kernelParams ? cudaErrorInvalidValue : cudaErrorNotSupported;
  *work = (uwrt_work){.type = cudaGraphNodeTypeKernel,
                      .device = uwrt_current_device(),
                      .kernel = {kernel,
                                 {.grid = {params->gridDim.x, params->gridDim.y, params->gridDim.z},
                                  .block = {params->blockDim.x, params->blockDim.y, params->blockDim.z},
                                  .shared_bytes = params->sharedMemBytes},
                                 params->kernelParams,
                                 .domain_map = {0, 1}}};
  return cudaSuccess;
}

static cudaError_t work_of_copy(const struct cudaMemcpy3DParms *params, uwrt_work *work) {
  if (!params)
    return cudaErrorInvalidValue;
  *work = (uwrt_work){.type = cudaGraphNodeTypeMemcpy, .copy = *params};
  return cudaSuccess;
}

static cudaError_t work_of_line(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind, uwrt_work *work) {
  *work = uwrt_line_copy(dst, src, count, kind);
  return cudaSuccess;
}

static cudaError_t work_to_symbol(const void *symbol, const void *src, size_t count, size_t offset,
                                  enum cudaMemcpyKind kind, uwrt_work *work) {
  symbol = uwrt_symbol_place(symbol);
  cudaError_t error = uwrt_symbol_check(symbol, count, offset);
  if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  *work = uwrt_symbol_copy((char *)symbol + offset, src, count, kind);
  return error;
}

static cudaError_t work_from_symbol(void *dst, const void *symbol, size_t count, size_t offset,
                                    enum cudaMemcpyKind kind, uwrt_work *work) {
  symbol = uwrt_symbol_place(symbol);
  cudaError_t error = uwrt_symbol_check(symbol, count, offset);
  if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  *work = uwrt_symbol_copy(dst, (const char *)symbol + offset, count, kind);
  return error;
}

static cudaError_t work_of_memset(const struct cudaMemsetParams *params, uwrt_work *work) {
  if (!params)
    return cudaErrorInvalidValue;
  *work = (uwrt_work){.type = cudaGraphNodeTypeMemset, .fill = {*params, 0, 1}};
  return cudaSuccess;
}

static cudaError_t work_of_host(const struct cudaHostNodeParams *params, uwrt_work *work) {
  if (!params)
    return cudaErrorInvalidValue;
  *work = (uwrt_work){.type = cudaGraphNodeTypeHost, .host = *params};
  return cudaSuccess;
}

static cudaError_t work_of_event(enum cudaGraphNodeType type, cudaEvent_t event, uwrt_work *work) {
  *work = (uwrt_work){.type = type, .event = event};
  return cudaSuccess;
}

static cudaError_t work_of_child(cudaGraph_t graph, uwrt_work *work) {
  if (!uwrt_graph_exists(graph))
    return cudaErrorInvalidValue;
  if (graph->has_memory)
    return cudaErrorNotSupported;
  *work = (uwrt_work){.type = cudaGraphNodeTypeGraph, .child = graph};
  return cudaSuccess;
}

/* --- the three ways. The lock is held ----------------------------------------------------------------------------- */

cudaError_t uwrt_node_add_owned(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *data, size_t count, const uwrt_work *owned) {
  uwrt_work work = *owned;
  if (node && uwrt_graph_exists(graph))
    return uwrt_graph_add(graph, dependencies, data, count, &work, node);
  uwrt_work_free(&work);
  return cudaErrorInvalidValue;
}

/* CUDA's runtime looks at the shape of a launch, but leaves a node's to the driver, which has one code for all that is
 * wrong. */
static cudaError_t check(const uwrt_work *work) {
  cudaError_t error = uwrt_work_check(work);
  return error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue : error;
}

cudaError_t uwrt_node_add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                          const cudaGraphEdgeData *data, size_t count, const uwrt_work *work) {
  uwrt_work owned;
  cudaError_t error = check(work);
  if (error == cudaSuccess)
    error = uwrt_work_copy(&owned, work);
  return error == cudaSuccess ? uwrt_node_add_owned(node, graph, dependencies, data, count, &owned) : error;
}

static cudaError_t add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count,
                       const uwrt_work *work) {
  return uwrt_node_add(node, graph, dependencies, NULL, count, work);
}

cudaError_t uwrt_node_set(cudaGraphNode_t node, const uwrt_work *work) {
  uwrt_work owned;
  if (!uwrt_node_exists(node) || node->work.type != work->type)
    return cudaErrorInvalidValue;
  cudaError_t error = check(work);
  if (error == cudaSuccess)
    error = uwrt_work_copy(&owned, work);
  if (error == cudaSuccess) {
    if (work->type == cudaGraphNodeTypeKernel) { /* attributes stay */
      uwrt_kernel_work *fresh = &owned.kernel, *old = &node->work.kernel;
      fresh->dims.cooperative = old->dims.cooperative;
      fresh->priority = old->priority;
      fresh->window = old->window;
      fresh->domain = old->domain;
      fresh->domain_map = old->domain_map;
    }
    uwrt_work_free(&node->work);
    node->work = owned;
  }
  return error;
}

/* The three functions of a kind: what adds a node, changes it, and changes it in an executable graph. `make` is an
 * expression that sets `work` from the parameters that follow. */
#define MAKES_NODES(add_name, set_name, exec_name, make, ...)                                                          \
  cudaError_t add_name(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,                  \
                       size_t numDependencies, __VA_ARGS__) {                                                          \
    uwrt_work work;                                                                                                    \
    UWRT_GRAPH_ENTER;                                                                                                  \
    UWRT_TRY(make);                                                                                                    \
    UWRT_TRY(add(node, graph, dependencies, numDependencies, &work));                                                  \
    UWRT_GRAPH_LEAVE;                                                                                                  \
  }                                                                                                                    \
  cudaError_t set_name(cudaGraphNode_t node, __VA_ARGS__) {                                                            \
    uwrt_work work;                                                                                                    \
    UWRT_GRAPH_ENTER;                                                                                                  \
    UWRT_TRY(make);                                                                                                    \
    UWRT_TRY(uwrt_node_set(node, &work));                                                                              \
    UWRT_GRAPH_LEAVE;                                                                                                  \
  }                                                                                                                    \
  cudaError_t exec_name(cudaGraphExec_t exec, cudaGraphNode_t node, __VA_ARGS__) {                                     \
    uwrt_work work;                                                                                                    \
    UWRT_ENTER;                                                                                                        \
    UWRT_TRY(make);                                                                                                    \
    UWRT_TRY(uwrt_exec_set(exec, node, &work));                                                                        \
    UWRT_LEAVE;                                                                                                        \
  }

int uwrt_node_is(cudaGraphNode_t node, enum cudaGraphNodeType type) {
  return uwrt_node_exists(node) && node->work.type == type;
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

MAKES_NODES(cudaGraphAddKernelNode, cudaGraphKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
            work_of_kernel(params, &work), const struct cudaKernelNodeParams *params)

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params && uwrt_node_is(node, cudaGraphNodeTypeKernel), cudaErrorInvalidValue);
  const uwrt_kernel_work *work = &node->work.kernel;
  *params = (struct cudaKernelNodeParams){(void *)work->kernel->stub,
                                          {work->dims.grid[0], work->dims.grid[1], work->dims.grid[2]},
                                          {work->dims.block[0], work->dims.block[1], work->dims.block[2]},
                                          (unsigned int)work->dims.shared_bytes,
                                          work->args,
                                          NULL};
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            const cudaLaunchAttributeValue *value) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(value && uwrt_node_is(node, cudaGraphNodeTypeKernel), cudaErrorInvalidValue);
  UWRT_TRY(uwrt_kernel_work_attribute(&node->work.kernel, attr, value));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attr,
                                            cudaLaunchAttributeValue *value_out) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(value_out && uwrt_node_is(node, cudaGraphNodeTypeKernel), cudaErrorInvalidValue);
  const uwrt_kernel_work *work = &node->work.kernel;
  switch (attr) {
  case cudaLaunchAttributeAccessPolicyWindow: value_out->accessPolicyWindow = work->window; break;
  case cudaLaunchAttributeCooperative: value_out->cooperative = work->dims.cooperative != 0; break;
  case cudaLaunchAttributePriority: value_out->priority = work->priority; break;
  case cudaLaunchAttributeMemSyncDomainMap: value_out->memSyncDomainMap = work->domain_map; break;
  case cudaLaunchAttributeMemSyncDomain: value_out->memSyncDomain = work->domain; break;
  case cudaLaunchAttributeClusterDimension:
    value_out->clusterDim.x = work->dims.cluster[0];
    value_out->clusterDim.y = work->dims.cluster[1];
    value_out->clusterDim.z = work->dims.cluster[2];
    break;
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    value_out->clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyDefault;
    break;
  default: error = cudaErrorInvalidValue;
  }
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t source, cudaGraphNode_t destination) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_node_is(source, cudaGraphNodeTypeKernel) && uwrt_node_is(destination, cudaGraphNodeTypeKernel),
               cudaErrorInvalidValue);
  const uwrt_kernel_work *from = &source->work.kernel;
  uwrt_kernel_work *to = &destination->work.kernel;
  to->dims.cooperative = from->dims.cooperative;
  memcpy(to->dims.cluster, from->dims.cluster, sizeof to->dims.cluster);
  to->priority = from->priority;
  to->window = from->window;
  to->domain = from->domain;
  to->domain_map = from->domain_map;
  UWRT_GRAPH_LEAVE;
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

#define COPY_NODE(how, make, ...)                                                                                      \
  MAKES_NODES(cudaGraphAddMemcpyNode##how, cudaGraphMemcpyNodeSetParams##how, cudaGraphExecMemcpyNodeSetParams##how,   \
              make, __VA_ARGS__)

COPY_NODE(, work_of_copy(params, &work), const struct cudaMemcpy3DParms *params)
COPY_NODE(1D, work_of_line(dst, src, count, kind, &work), void *dst, const void *src, size_t count,
          enum cudaMemcpyKind kind)
COPY_NODE(ToSymbol, work_to_symbol(symbol, src, count, offset, kind, &work), const void *symbol, const void *src,
          size_t count, size_t offset, enum cudaMemcpyKind kind)
COPY_NODE(FromSymbol, work_from_symbol(dst, symbol, count, offset, kind, &work), void *dst, const void *symbol,
          size_t count, size_t offset, enum cudaMemcpyKind kind)

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params && uwrt_node_is(node, cudaGraphNodeTypeMemcpy), cudaErrorInvalidValue);
  *params = node->work.copy;
  UWRT_GRAPH_LEAVE;
}

/* --- fills -------------------------------------------------------------------------------------------------------- */

MAKES_NODES(cudaGraphAddMemsetNode, cudaGraphMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
            work_of_memset(params, &work), const struct cudaMemsetParams *params)

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params && uwrt_node_is(node, cudaGraphNodeTypeMemset), cudaErrorInvalidValue);
  *params = node->work.fill.rows;
  UWRT_GRAPH_LEAVE;
}

/* --- host functions, empty nodes, child graphs -------------------------------------------------------------------- */

MAKES_NODES(cudaGraphAddHostNode, cudaGraphHostNodeSetParams, cudaGraphExecHostNodeSetParams,
            work_of_host(params, &work), const struct cudaHostNodeParams *params)

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params && uwrt_node_is(node, cudaGraphNodeTypeHost), cudaErrorInvalidValue);
  *params = node->work.host;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                  size_t numDependencies) {
  uwrt_work work = {.type = cudaGraphNodeTypeEmpty};
  UWRT_GRAPH_ENTER;
  UWRT_TRY(add(node, graph, dependencies, numDependencies, &work));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                       size_t numDependencies, cudaGraph_t childGraph) {
  uwrt_work work;
  UWRT_GRAPH_ENTER;
  UWRT_TRY(work_of_child(childGraph, &work));
  UWRT_TRY(add(node, graph, dependencies, numDependencies, &work));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(graph && uwrt_node_is(node, cudaGraphNodeTypeGraph), cudaErrorInvalidValue);
  *graph = node->work.child;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t childGraph) {
  uwrt_work work;
  UWRT_ENTER;
  pthread_mutex_lock(&uwrt_graph_lock);
  error = work_of_child(childGraph, &work);
  pthread_mutex_unlock(&uwrt_graph_lock);
  if (error == cudaSuccess)
    error = uwrt_exec_set(exec, node, &work);
  UWRT_LEAVE;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

#define EVENT_NODE(name, type)                                                                                         \
  MAKES_NODES(cudaGraphAdd##name##Node, cudaGraph##name##NodeSetEvent, cudaGraphExec##name##NodeSetEvent,              \
              work_of_event(type, event, &work), cudaEvent_t event)                                                    \
  cudaError_t cudaGraph##name##NodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event_out) {                            \
    UWRT_GRAPH_ENTER;                                                                                                  \
    UWRT_REQUIRE(event_out && uwrt_node_is(node, type), cudaErrorInvalidValue);                                        \
    *event_out = node->work.event;                                                                                     \
    UWRT_GRAPH_LEAVE;                                                                                                  \
  }

EVENT_NODE(EventRecord, cudaGraphNodeTypeEventRecord)
EVENT_NODE(EventWait, cudaGraphNodeTypeWaitEvent)

/* --- nodes of any kind -------------------------------------------------------------------------------------------- */

/* The parameters of a kind that have a type of their own are of the same layout there. */
static cudaError_t work_of_params(const struct cudaGraphNodeParams *params, uwrt_work *work) {
  switch (params->type) {
  case cudaGraphNodeTypeKernel: {
    const struct cudaKernelNodeParamsV2 *kernel = &params->kernel;
    struct cudaKernelNodeParams same = {kernel->func,           kernel->gridDim,      kernel->blockDim,
                                        kernel->sharedMemBytes, kernel->kernelParams, kernel->extra};
    return work_of_kernel(&same, work);
  }
  case cudaGraphNodeTypeMemcpy: return work_of_copy(&params->memcpy.copyParams, work);
  case cudaGraphNodeTypeMemset: {
    const struct cudaMemsetParamsV2 *fill = &params->memset;
    struct cudaMemsetParams same = {fill->dst, fill->pitch, fill->value, fill->elementSize, fill->width, fill->height};
    return work_of_memset(&same, work);
  }
  case cudaGraphNodeTypeHost: {
    struct cudaHostNodeParams same = {params->host.fn, params->host.userData};
    return work_of_host(&same, work);
  }
  case cudaGraphNodeTypeGraph: return work_of_child(params->graph.graph, work);
  case cudaGraphNodeTypeEmpty: *work = (uwrt_work){.type = cudaGraphNodeTypeEmpty}; return cudaSuccess;
  case cudaGraphNodeTypeWaitEvent: return work_of_event(params->type, params->eventWait.event, work);
  case cudaGraphNodeTypeEventRecord: return work_of_event(params->type, params->eventRecord.event, work);
  case cudaGraphNodeTypeExtSemaphoreSignal:
  case cudaGraphNodeTypeExtSemaphoreWait: return cudaErrorNotSupported;
  default: return cudaErrorInvalidValue;
  }
}

static cudaError_t add_any(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                           const cudaGraphEdgeData *data, size_t count, struct cudaGraphNodeParams *params) {
  uwrt_work work;
  if (!params)
    return cudaErrorInvalidValue;
  if (params->type == cudaGraphNodeTypeMemAlloc) {
    struct cudaMemAllocNodeParamsV2 *alloc = &params->alloc;
    struct cudaMemAllocNodeParams same = {alloc->poolProps, alloc->accessDescs, alloc->accessDescCount, alloc->bytesize,
                                          NULL};
    cudaError_t error = uwrt_node_add_alloc(node, graph, dependencies, data, count, &same);
    alloc->dptr = same.dptr;
    return error;
  }
  if (params->type == cudaGraphNodeTypeMemFree)
    return uwrt_node_add_free(node, graph, dependencies, data, count, params->free.dptr);
  if (params->type == cudaGraphNodeTypeConditional)
    return uwrt_node_add_conditional(node, graph, dependencies, data, count, &params->conditional);
  cudaError_t error = work_of_params(params, &work);
  return error == cudaSuccess ? uwrt_node_add(node, graph, dependencies, data, count, &work) : error;
}

cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *dependencyData, size_t numDependencies,
                                struct cudaGraphNodeParams *params) {
  UWRT_GRAPH_ENTER;
  UWRT_TRY(add_any(node, graph, dependencies, dependencyData, numDependencies, params));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             size_t numDependencies, struct cudaGraphNodeParams *params) {
  return cudaGraphAddNode_v2(node, graph, dependencies, NULL, numDependencies, params);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
  uwrt_work work;
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params, cudaErrorInvalidValue);
  UWRT_TRY(work_of_params(params, &work));
  UWRT_TRY(uwrt_node_set(node, &work));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *params) {
  uwrt_work work;
  UWRT_ENTER;
  UWRT_REQUIRE(params, cudaErrorInvalidValue);
  pthread_mutex_lock(&uwrt_graph_lock);
  error = work_of_params(params, &work);
  pthread_mutex_unlock(&uwrt_graph_lock);
  if (error == cudaSuccess)
    error = uwrt_exec_set(exec, node, &work);
  UWRT_LEAVE;
}
