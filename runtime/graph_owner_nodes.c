/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Nodes that bring something of their own into a graph: allocations, which live as long as the graph says, and
 * conditional nodes, which make the graphs that they run.
 */
#include <stdlib.h>

#include "graph.h"

/* --- memory ------------------------------------------------------------------------------------------------------- */

static cudaError_t check_alloc(const struct cudaMemAllocNodeParams *params) {
  const struct cudaMemPoolProps *props = &params->poolProps;
  if (!params->bytesize || props->allocType != cudaMemAllocationTypePinned ||
      props->location.type != cudaMemLocationTypeDevice || (params->accessDescCount && !params->accessDescs))
    return cudaErrorInvalidValue;
  if (!uwrt_device_exists(props->location.id))
    return cudaErrorInvalidDevice;
  return props->handleTypes == cudaMemHandleTypeNone ? cudaSuccess : cudaErrorNotSupported;
}

cudaError_t uwrt_node_add_alloc(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *data, size_t count, struct cudaMemAllocNodeParams *params) {
  cudaError_t error = params ? check_alloc(params) : cudaErrorInvalidValue;
  if (error != cudaSuccess)
    return error;
  uwrt_graph_memory *memory = uwrt_graph_memory_reserve(params->bytesize, params->poolProps.location.id);
  if (!memory)
    return cudaErrorMemoryAllocation;
  uwrt_work work = {.type = cudaGraphNodeTypeMemAlloc, .alloc = {memory, params->poolProps, params->bytesize}};
  void *address = uwrt_graph_memory_address(memory);
  error = uwrt_node_add_owned(node, graph, dependencies, data, count, &work);
  params->dptr = error == cudaSuccess ? address : NULL;
  return error;
}

cudaError_t uwrt_node_add_free(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                               const cudaGraphEdgeData *data, size_t count, void *memory) {
  uwrt_allocation found;
  uwrt_work work = {.type = cudaGraphNodeTypeMemFree, .freed = memory};
  if (!uwrt_allocation_find(memory, &found) || found.base != (uintptr_t)memory || (!found.graph && !found.pool))
    return cudaErrorInvalidValue;
  return uwrt_node_add(node, graph, dependencies, data, count, &work);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                     size_t numDependencies, struct cudaMemAllocNodeParams *params) {
  UWRT_GRAPH_ENTER;
  UWRT_TRY(uwrt_node_add_alloc(node, graph, dependencies, NULL, numDependencies, params));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params_out) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params_out && uwrt_node_is(node, cudaGraphNodeTypeMemAlloc), cudaErrorInvalidValue);
  const uwrt_alloc_work *work = &node->work.alloc;
  *params_out =
      (struct cudaMemAllocNodeParams){work->props, NULL, 0, work->bytes, uwrt_graph_memory_address(work->memory)};
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                    size_t numDependencies, void *dptr) {
  UWRT_GRAPH_ENTER;
  UWRT_TRY(uwrt_node_add_free(node, graph, dependencies, NULL, numDependencies, dptr));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *dptr_out) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(dptr_out && uwrt_node_is(node, cudaGraphNodeTypeMemFree), cudaErrorInvalidValue);
  *(void **)dptr_out = node->work.freed;
  UWRT_GRAPH_LEAVE;
}

/* --- conditions --------------------------------------------------------------------------------------------------- */

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph,
                                             unsigned int defaultLaunchValue, unsigned int flags) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(handle && uwrt_graph_exists(graph) && flags <= cudaGraphCondAssignDefault, cudaErrorInvalidValue);
  uwrt_condition *fresh =
      uwrt_grow(&graph->conditions, &graph->condition_capacity, graph->condition_count, sizeof *graph->conditions)
          ? malloc(sizeof *fresh)
          : NULL;
  UWRT_REQUIRE(fresh, cudaErrorMemoryAllocation);
  *fresh = (uwrt_condition){defaultLaunchValue, defaultLaunchValue, flags == cudaGraphCondAssignDefault, 1, 0};
  graph->conditions[graph->condition_count++] = fresh;
  *handle = (cudaGraphConditionalHandle)(uintptr_t)fresh;
  UWRT_GRAPH_LEAVE;
}

static uwrt_condition *find_condition(cudaGraph_t graph, cudaGraphConditionalHandle handle) {
  for (size_t i = 0; i < graph->condition_count; i++)
    if ((cudaGraphConditionalHandle)(uintptr_t)graph->conditions[i] == handle)
      return graph->conditions[i];
  return NULL;
}

cudaError_t uwrt_node_add_conditional(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                      const cudaGraphEdgeData *data, size_t count,
                                      struct cudaConditionalNodeParams *params) {
  unsigned int most = params->type == cudaGraphCondTypeWhile ? 1 : params->type == cudaGraphCondTypeIf ? 2 : ~0u;
  if (!uwrt_graph_exists(graph) || (unsigned int)params->type > cudaGraphCondTypeSwitch || !params->size ||
      params->size > most)
    return cudaErrorInvalidValue;
  uwrt_condition *condition = find_condition(graph, params->handle);
  if (!condition || condition->used)
    return cudaErrorInvalidValue;
  uwrt_work work = {.type = cudaGraphNodeTypeConditional, .conditional = {params->handle, params->type, 0, NULL}};
  work.conditional.bodies = calloc(params->size, sizeof *work.conditional.bodies);
  while (work.conditional.bodies && work.conditional.size < params->size) {
    cudaGraph_t body = uwrt_graph_new();
    if (!body)
      break;
    body->owned = 1;
    work.conditional.bodies[work.conditional.size++] = body;
  }
  if (work.conditional.size < params->size) {
    uwrt_work_free(&work);
    return cudaErrorMemoryAllocation;
  }
  cudaGraph_t *bodies = work.conditional.bodies;
  cudaError_t error = uwrt_node_add_owned(node, graph, dependencies, data, count, &work);
  if (error == cudaSuccess) {
    condition->used = 1;
    params->phGraph_out = bodies;
  }
  return error;
}
