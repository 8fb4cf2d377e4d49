/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Graphs: their nodes and edges, copies, and the questions about their shape (CUDA Runtime API, "Graph Management").
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "graph.h"

pthread_mutex_t uwrt_graph_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static uwrt_table graphs, nodes; /* that are alive */
static uint64_t last_id;

int uwrt_graph_exists(cudaGraph_t graph) { return uwrt_table_find(&graphs, graph) != NULL; }
int uwrt_node_exists(cudaGraphNode_t node) { return uwrt_table_find(&nodes, node) != NULL; }

int uwrt_grow(void *array, size_t *capacity, size_t count, size_t element) {
  void *old;
  memcpy(&old, array, sizeof old);
  if (count < *capacity)
    return 1;
  size_t wanted = *capacity ? *capacity * 2 : 4;
  void *larger = realloc(old, wanted * element);
  if (!larger)
    return 0;
  memcpy(array, &larger, sizeof larger);
  *capacity = wanted;
  return 1;
}

/* --- life --------------------------------------------------------------------------------------------------------- */

cudaGraph_t uwrt_graph_new(void) {
  cudaGraph_t fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return NULL;
  fresh->id = ++last_id;
  fresh->device = uwrt_current_device();
  if (uwrt_table_insert(&graphs, fresh, fresh))
    return fresh;
  free(fresh);
  return NULL;
}

static void free_node(cudaGraphNode_t node) {
  uwrt_table_remove(&nodes, node);
  uwrt_work_free(&node->work);
  free(node->edges);
  free(node);
}

static void release_conditions(cudaGraph_t graph) {
  for (size_t i = 0; i < graph->condition_count; i++)
    if (--graph->conditions[i]->references == 0)
      free(graph->conditions[i]);
  free(graph->conditions);
}

void uwrt_graph_free(cudaGraph_t graph) {
  uwrt_table_remove(&graphs, graph);
  for (size_t i = 0; i < graph->node_count; i++)
    free_node(graph->nodes[i]);
  free(graph->nodes);
  release_conditions(graph);
  uwrt_objects_release(graph);
  free(graph);
}

void uwrt_graph_reset(int device) {
  pthread_mutex_lock(&uwrt_graph_lock);
  for (size_t i = 0; i < graphs.capacity;) {
    cudaGraph_t graph = graphs.entries[i].value;
    if (graph && !graph->owned && graph->device == device) {
      uwrt_graph_free(graph);
      i = 0; /* entries have moved */
    } else {
      i++;
    }
  }
  if (!graphs.count)
    uwrt_table_free(&graphs);
  if (!nodes.count)
    uwrt_table_free(&nodes);
  pthread_mutex_unlock(&uwrt_graph_lock);
}

/* A node without edges, after the others of its graph. Takes the work, whether it succeeds or not. */
static cudaGraphNode_t append_node(cudaGraph_t graph, const uwrt_work *owned) {
  uwrt_work work = *owned;
  cudaGraphNode_t fresh = calloc(1, sizeof *fresh);
  if (fresh && uwrt_grow(&graph->nodes, &graph->node_capacity, graph->node_count, sizeof *graph->nodes) &&
      uwrt_table_insert(&nodes, fresh, fresh)) {
    fresh->id = ++last_id;
    fresh->graph = graph;
    fresh->work = work;
    graph->nodes[graph->node_count++] = fresh;
    if (work.type == cudaGraphNodeTypeMemAlloc || work.type == cudaGraphNodeTypeMemFree)
      graph->has_memory = 1;
    return fresh;
  }
  free(fresh);
  uwrt_work_free(&work);
  return NULL;
}

static cudaError_t append_edge(cudaGraphNode_t to, uwrt_edge edge) {
  if (!uwrt_grow(&to->edges, &to->edge_capacity, to->edge_count, sizeof *to->edges))
    return cudaErrorMemoryAllocation;
  to->edges[to->edge_count++] = edge;
  return cudaSuccess;
}

static uwrt_edge *find_edge(cudaGraphNode_t from, cudaGraphNode_t to) {
  for (size_t i = 0; i < to->edge_count; i++)
    if (to->edges[i].from == from)
      return &to->edges[i];
  return NULL;
}

static void drop_edge(uwrt_edge *edge, cudaGraphNode_t to) {
  size_t after = to->edge_count - (size_t)(edge - to->edges) - 1;
  memmove(edge, edge + 1, after * sizeof *edge);
  to->edge_count--;
}

/* All work on this device is ordered completely: what an edge says about parts of a kernel may say less, never more. */
static cudaError_t check_edge_data(const cudaGraphEdgeData *data, cudaGraphNode_t from, enum cudaGraphNodeType to) {
  if (!data || (data->type == cudaGraphDependencyTypeDefault && !data->from_port && !data->to_port))
    return cudaSuccess;
  return data->type <= cudaGraphDependencyTypeProgrammatic && !data->to_port &&
                 data->from_port <= cudaGraphKernelNodePortLaunchCompletion &&
                 from->work.type == cudaGraphNodeTypeKernel && to == cudaGraphNodeTypeKernel
             ? cudaSuccess
             : cudaErrorInvalidValue;
}

cudaError_t uwrt_graph_add(cudaGraph_t graph, const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                           size_t count, const uwrt_work *owned, cudaGraphNode_t *node) {
  uwrt_work work = *owned;
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; i++) {
    if (!dependencies || !uwrt_node_exists(dependencies[i]) || dependencies[i]->graph != graph)
      error = cudaErrorInvalidValue;
    else
      error = check_edge_data(data ? &data[i] : NULL, dependencies[i], work.type);
    for (size_t j = 0; j < i && error == cudaSuccess; j++)
      if (dependencies[j] == dependencies[i])
        error = cudaErrorInvalidValue;
  }
  if (error != cudaSuccess) {
    uwrt_work_free(&work);
    return error;
  }
  cudaGraphNode_t fresh = append_node(graph, &work);
  if (!fresh)
    return cudaErrorMemoryAllocation;
  for (size_t i = 0; i < count && error == cudaSuccess; i++)
    error = append_edge(fresh, (uwrt_edge){dependencies[i], data ? data[i] : (cudaGraphEdgeData){0}});
  *node = fresh;
  return error;
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static int copy_conditions(cudaGraph_t copy, cudaGraph_t of) {
  copy->conditions = calloc(of->condition_count + 1, sizeof *copy->conditions);
  if (!copy->conditions)
    return 0;
  for (size_t i = 0; i < of->condition_count; i++) {
    copy->conditions[i] = of->conditions[i];
    copy->conditions[i]->references++;
  }
  copy->condition_count = copy->condition_capacity = of->condition_count;
  return 1;
}

/* Nodes keep their positions, so that an edge is copied by its ends' positions. */
static int copy_nodes(cudaGraph_t copy, cudaGraph_t of) {
  for (size_t i = 0; i < of->node_count; i++) {
    uwrt_work work;
    if (uwrt_work_copy(&work, &of->nodes[i]->work) != cudaSuccess)
      return 0;
    cudaGraphNode_t fresh = append_node(copy, &work);
    if (!fresh)
      return 0;
    fresh->original = of->nodes[i]->id;
    fresh->disabled = of->nodes[i]->disabled;
    of->nodes[i]->mark = i;
  }
  for (size_t i = 0; i < of->node_count; i++)
    for (size_t e = 0; e < of->nodes[i]->edge_count; e++) {
      uwrt_edge edge = of->nodes[i]->edges[e];
      edge.from = copy->nodes[edge.from->mark];
      if (append_edge(copy->nodes[i], edge) != cudaSuccess)
        return 0;
    }
  return 1;
}

cudaGraph_t uwrt_graph_copy(cudaGraph_t of) {
  cudaGraph_t copy = uwrt_graph_new();
  if (!copy)
    return NULL;
  copy->original = of->id;
  if (copy_conditions(copy, of) && copy_nodes(copy, of) &&
      uwrt_objects_retain(copy, of->objects, of->object_count) == cudaSuccess)
    return copy;
  uwrt_graph_free(copy);
  return NULL;
}

cudaGraphNode_t uwrt_graph_copy_of(cudaGraph_t graph, cudaGraphNode_t original) {
  for (size_t i = 0; i < graph->node_count; i++) {
    cudaGraphNode_t node = graph->nodes[i], found = NULL;
    if (node->original == original->id)
      return node;
    if (node->work.type == cudaGraphNodeTypeGraph)
      found = uwrt_graph_copy_of(node->work.child, original);
    for (unsigned int b = 0;
         !found && node->work.type == cudaGraphNodeTypeConditional && b < node->work.conditional.size; b++)
      found = uwrt_graph_copy_of(node->work.conditional.bodies[b], original);
    if (found)
      return found;
  }
  return NULL;
}

/* --- order -------------------------------------------------------------------------------------------------------- */

/* In the order of their making, but each after what it depends on. */
cudaError_t uwrt_graph_sort(cudaGraph_t graph) {
  size_t placed = 0;
  cudaGraphNode_t *order = malloc((graph->node_count + 1) * sizeof *order);
  if (!order)
    return cudaErrorMemoryAllocation;
  enum { WAITING, PLACED };
  for (size_t i = 0; i < graph->node_count; i++)
    graph->nodes[i]->mark = WAITING;
  for (size_t before = (size_t)-1; before != placed;) {
    before = placed;
    for (size_t i = 0; i < graph->node_count; i++) {
      cudaGraphNode_t node = graph->nodes[i];
      int ready = node->mark == WAITING;
      for (size_t e = 0; e < node->edge_count && ready; e++)
        ready = node->edges[e].from->mark == PLACED;
      if (ready) {
        node->mark = PLACED;
        order[placed++] = node;
      }
    }
  }
  cudaError_t error = placed == graph->node_count ? cudaSuccess : cudaErrorInvalidValue;
  if (error == cudaSuccess && placed)
    memcpy(graph->nodes, order, placed * sizeof *order);
  free(order);
  return error;
}

static int reaches(cudaGraphNode_t from, cudaGraphNode_t to, size_t walk) {
  if (from == to)
    return 1;
  to->mark = walk;
  for (size_t e = 0; e < to->edge_count; e++)
    if (to->edges[e].from->mark != walk && reaches(from, to->edges[e].from, walk))
      return 1;
  return 0;
}

int uwrt_node_reaches(cudaGraphNode_t from, cudaGraphNode_t to) { return reaches(from, to, (size_t)++last_id); }

/* --- what programs call ------------------------------------------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(graph && flags == 0, cudaErrorInvalidValue);
  cudaGraph_t fresh = uwrt_graph_new();
  UWRT_REQUIRE(fresh, cudaErrorMemoryAllocation);
  *graph = fresh;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_graph_exists(graph) && !graph->owned, cudaErrorInvalidValue);
  uwrt_graph_free(graph);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(clone && uwrt_graph_exists(original), cudaErrorInvalidValue);
  UWRT_REQUIRE(!original->has_memory, cudaErrorNotSupported);
  cudaGraph_t copy = uwrt_graph_copy(original);
  UWRT_REQUIRE(copy, cudaErrorMemoryAllocation);
  *clone = copy;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t originalNode, cudaGraph_t clonedGraph) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(node && uwrt_node_exists(originalNode) && uwrt_graph_exists(clonedGraph), cudaErrorInvalidValue);
  cudaGraphNode_t found = uwrt_graph_copy_of(clonedGraph, originalNode);
  UWRT_REQUIRE(found, cudaErrorInvalidValue);
  *node = found;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_graph_exists(graph) && ((from && to) || !numDependencies), cudaErrorInvalidValue);
  for (size_t i = 0; i < numDependencies; i++) {
    UWRT_REQUIRE(uwrt_node_exists(from[i]) && uwrt_node_exists(to[i]) && from[i] != to[i], cudaErrorInvalidValue);
    UWRT_REQUIRE(from[i]->graph == graph && to[i]->graph == graph && !find_edge(from[i], to[i]), cudaErrorInvalidValue);
    UWRT_TRY(check_edge_data(edgeData ? &edgeData[i] : NULL, from[i], to[i]->work.type));
  }
  for (size_t i = 0; i < numDependencies; i++)
    UWRT_TRY(append_edge(to[i], (uwrt_edge){from[i], edgeData ? edgeData[i] : (cudaGraphEdgeData){0}}));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     size_t numDependencies) {
  return cudaGraphAddDependencies_v2(graph, from, to, NULL, numDependencies);
}

cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                           const cudaGraphEdgeData *edgeData, size_t numDependencies) {
  (void)edgeData; /* there is at most one edge from a node to another */
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_graph_exists(graph) && ((from && to) || !numDependencies), cudaErrorInvalidValue);
  UWRT_REQUIRE(!graph->has_memory, cudaErrorNotSupported);
  for (size_t i = 0; i < numDependencies; i++)
    UWRT_REQUIRE(uwrt_node_exists(from[i]) && uwrt_node_exists(to[i]) && to[i]->graph == graph &&
                     find_edge(from[i], to[i]),
                 cudaErrorInvalidValue);
  for (size_t i = 0; i < numDependencies; i++) {
    uwrt_edge *edge = find_edge(from[i], to[i]);
    if (edge)
      drop_edge(edge, to[i]);
  }
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                        size_t numDependencies) {
  return cudaGraphRemoveDependencies_v2(graph, from, to, NULL, numDependencies);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_node_exists(node), cudaErrorInvalidValue);
  cudaGraph_t graph = node->graph;
  UWRT_REQUIRE(!graph->has_memory, cudaErrorNotSupported);
  size_t kept = 0;
  for (size_t i = 0; i < graph->node_count; i++) {
    cudaGraphNode_t other = graph->nodes[i];
    uwrt_edge *edge = find_edge(node, other);
    if (edge)
      drop_edge(edge, other);
    if (other != node)
      graph->nodes[kept++] = other;
  }
  graph->node_count = kept;
  free_node(node);
  UWRT_GRAPH_LEAVE;
}

/* An answer of several parts is counted in full and stored as far as there is room; room that is left is filled with
 * null. The count becomes what was stored, or, where nothing was to be stored, what there is. */
static void finish_list(cudaGraphNode_t *list, size_t found, size_t *count) {
  for (size_t i = found; list && i < *count; i++)
    list[i] = NULL;
  if (!list || *count > found)
    *count = found;
}

/* All nodes of a graph, or those without dependencies. The lock is held. */
static void list_nodes(cudaGraph_t graph, int only_roots, cudaGraphNode_t *list, size_t *count) {
  size_t found = 0;
  for (size_t i = 0; i < graph->node_count; i++) {
    if (only_roots && graph->nodes[i]->edge_count)
      continue;
    if (list && found < *count)
      list[found] = graph->nodes[i];
    found++;
  }
  finish_list(list, found, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *list, size_t *numNodes) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(numNodes && uwrt_graph_exists(graph), cudaErrorInvalidValue);
  list_nodes(graph, 0, list, numNodes);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *list, size_t *numNodes) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(numNodes && uwrt_graph_exists(graph), cudaErrorInvalidValue);
  list_nodes(graph, 1, list, numNodes);
  UWRT_GRAPH_LEAVE;
}

/* The edges that start at one node, end at one, or (both null) all of a graph. The lock is held. */
static void list_edges(cudaGraph_t graph, cudaGraphNode_t start, cudaGraphNode_t end, cudaGraphNode_t *from,
                       cudaGraphNode_t *to, cudaGraphEdgeData *data, size_t *count) {
  size_t found = 0, room = *count;
  for (size_t i = 0; i < graph->node_count; i++) {
    cudaGraphNode_t node = graph->nodes[i];
    for (size_t e = 0; e < node->edge_count; e++) {
      if ((start && node->edges[e].from != start) || (end && node != end))
        continue;
      if (from && found < room)
        from[found] = node->edges[e].from;
      if (to && found < room)
        to[found] = node;
      if (data && found < room)
        data[found] = node->edges[e].data;
      found++;
    }
  }
  finish_list(from, found, count);
  if (to) {
    *count = room;
    finish_list(to, found, count);
  }
}

cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                 cudaGraphEdgeData *edgeData, size_t *numEdges) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(numEdges && uwrt_graph_exists(graph) && !from == !to, cudaErrorInvalidValue);
  list_edges(graph, NULL, NULL, from, to, edgeData, numEdges);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *numEdges) {
  return cudaGraphGetEdges_v2(graph, from, to, NULL, numEdges);
}

cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *dependencies,
                                            cudaGraphEdgeData *edgeData, size_t *count) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(count && uwrt_node_exists(node), cudaErrorInvalidValue);
  list_edges(node->graph, NULL, node, dependencies, NULL, edgeData, count);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *dependencies, size_t *count) {
  return cudaGraphNodeGetDependencies_v2(node, dependencies, NULL, count);
}

cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *dependents,
                                              cudaGraphEdgeData *edgeData, size_t *count) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(count && uwrt_node_exists(node), cudaErrorInvalidValue);
  list_edges(node->graph, node, NULL, NULL, dependents, edgeData, count);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *dependents, size_t *count) {
  return cudaGraphNodeGetDependentNodes_v2(node, dependents, NULL, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(type && uwrt_node_exists(node), cudaErrorInvalidValue);
  *type = node->work.type;
  UWRT_GRAPH_LEAVE;
}
