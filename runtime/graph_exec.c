/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Executable graphs: a copy of a graph, sorted, that can be launched again and again, and changed in place as long as
 * its shape stays. A launch runs node after node, in the calling thread unless it may have to wait for the host. Two
 * threads that launch the same one take turns, as CUDA has them do; one that is destroyed during its launch goes when
 * that is over.
 */
#define _GNU_SOURCE
#include <stdlib.h>

#include "graph.h"

struct CUgraphExec_st {
  pthread_mutex_t turn; /* recursive: a host node may ask about the graph that it is in */
  cudaGraph_t graph;
  uint64_t source; /* the graph that it was made from */
  unsigned long long flags;
  unsigned int references; /* its handle, and launches; under the lock of the graphs */
};

static uwrt_table execs; /* under the lock of the graphs */

/* --- life --------------------------------------------------------------------------------------------------------- */

static void release(cudaGraphExec_t exec) {
  pthread_mutex_lock(&uwrt_graph_lock);
  int last = --exec->references == 0;
  if (last)
    uwrt_graph_free(exec->graph);
  pthread_mutex_unlock(&uwrt_graph_lock);
  if (!last)
    return;
  pthread_mutex_destroy(&exec->turn);
  free(exec);
}

/* Keeps the executable graph alive. Returns 0 for a bad handle. */
static int keep(cudaGraphExec_t exec) {
  pthread_mutex_lock(&uwrt_graph_lock);
  int exists = uwrt_table_find(&execs, exec) != NULL;
  if (exists)
    exec->references++;
  pthread_mutex_unlock(&uwrt_graph_lock);
  return exists;
}

/* A launch that waits for the host may have the turn for long. */
static void take_turn(cudaGraphExec_t exec) {
  if (pthread_mutex_trylock(&exec->turn) == 0)
    return;
  uwrt_aside_held_up(1);
  pthread_mutex_lock(&exec->turn);
  uwrt_aside_held_up(0);
}

static int take(cudaGraphExec_t exec) {
  int exists = keep(exec);
  if (exists)
    take_turn(exec);
  return exists;
}

static void give_back(cudaGraphExec_t exec) {
  pthread_mutex_unlock(&exec->turn);
  release(exec);
}

void uwrt_exec_reset(int device) {
  pthread_mutex_lock(&uwrt_graph_lock);
  for (size_t i = 0; i < execs.capacity;) {
    cudaGraphExec_t exec = execs.entries[i].value;
    if (exec && exec->graph->device == device)
      release(uwrt_table_remove(&execs, exec)); /* moves another entry here */
    else
      i++;
  }
  if (!execs.count)
    uwrt_table_free(&execs);
  pthread_mutex_unlock(&uwrt_graph_lock);
}

/* Sorts all levels; finds a handle that no conditional node uses, which CUDA does not take. */
static cudaGraphInstantiateResult prepare(cudaGraph_t graph) {
  if (uwrt_graph_sort(graph) != cudaSuccess)
    return cudaGraphInstantiateInvalidStructure;
  for (size_t i = 0; i < graph->condition_count; i++)
    if (!graph->conditions[i]->used)
      return cudaGraphInstantiateConditionalHandleUnused;
  cudaGraphInstantiateResult result = cudaGraphInstantiateSuccess;
  for (size_t i = 0; i < graph->node_count && result == cudaGraphInstantiateSuccess; i++) {
    const uwrt_work *work = &graph->nodes[i]->work;
    if (work->type == cudaGraphNodeTypeGraph)
      result = prepare(work->child);
    for (unsigned int b = 0; work->type == cudaGraphNodeTypeConditional && b < work->conditional.size &&
                             result == cudaGraphInstantiateSuccess;
         b++)
      result = prepare(work->conditional.bodies[b]);
  }
  return result;
}

/* The lock is held. */
static cudaError_t instantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphInstantiateParams *params) {
  const unsigned long long known = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
                                   cudaGraphInstantiateFlagUseNodePriority;
  params->result_out = cudaGraphInstantiateError;
  params->errNode_out = NULL;
  if (!exec || !uwrt_graph_exists(graph))
    return cudaErrorInvalidValue;
  if (params->flags & cudaGraphInstantiateFlagDeviceLaunch)
    return cudaErrorNotSupported;
  if (params->flags & ~known)
    return cudaErrorInvalidValue;
  cudaGraph_t copy = uwrt_graph_copy(graph);
  cudaGraphExec_t fresh = copy ? calloc(1, sizeof *fresh) : NULL;
  if (!fresh || !uwrt_table_insert(&execs, fresh, fresh)) {
    if (copy)
      uwrt_graph_free(copy);
    free(fresh);
    return cudaErrorMemoryAllocation;
  }
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&fresh->turn, &recursive);
  pthread_mutexattr_destroy(&recursive);
  copy->owned = 1;
  fresh->graph = copy;
  fresh->source = graph->id;
  fresh->flags = params->flags;
  fresh->references = 1;
  params->result_out = prepare(copy);
  if (params->result_out != cudaGraphInstantiateSuccess) {
    uwrt_table_remove(&execs, fresh);
    release(fresh);
    return cudaErrorInvalidValue;
  }
  *exec = fresh;
  return cudaSuccess;
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(params, cudaErrorInvalidValue);
  UWRT_TRY(instantiate(exec, graph, params));
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  cudaGraphInstantiateParams params = {.flags = flags};
  return cudaGraphInstantiateWithParams(exec, graph, &params);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(exec, graph, flags);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_table_remove(&execs, exec), cudaErrorInvalidValue);
  release(exec);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(flags && uwrt_table_find(&execs, exec), cudaErrorInvalidValue);
  *flags = exec->flags;
  UWRT_GRAPH_LEAVE;
}

/* --- launches ----------------------------------------------------------------------------------------------------- */

/* A failed assert or a trap ends the graph as it ends a stream. */
cudaError_t uwrt_graph_run(cudaGraph_t graph, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < graph->node_count && error == cudaSuccess; i++)
    if (!graph->nodes[i]->disabled) {
      error = uwrt_work_run(&graph->nodes[i]->work, stream);
      if (error == cudaSuccess)
        error = uwrt_sticky_error();
    }
  return error;
}

/* Once a launch, in nested graphs too. */
static void assign_conditions(cudaGraph_t graph) {
  for (size_t i = 0; i < graph->condition_count; i++)
    if (graph->conditions[i]->assign_initial)
      graph->conditions[i]->value = graph->conditions[i]->initial;
  for (size_t i = 0; i < graph->node_count; i++) {
    const uwrt_work *work = &graph->nodes[i]->work;
    if (work->type == cudaGraphNodeTypeGraph)
      assign_conditions(work->child);
    for (unsigned int b = 0; work->type == cudaGraphNodeTypeConditional && b < work->conditional.size; b++)
      assign_conditions(work->conditional.bodies[b]);
  }
}

/* Memory that an earlier launch left allocated must be gone, or is freed where the program asked for that. */
static cudaError_t clear_memory(cudaGraphExec_t exec) {
  for (size_t i = 0; i < exec->graph->node_count; i++) {
    const uwrt_work *work = &exec->graph->nodes[i]->work;
    if (work->type != cudaGraphNodeTypeMemAlloc || !uwrt_graph_memory_is_mapped(work->alloc.memory))
      continue;
    if (!(exec->flags & cudaGraphInstantiateFlagAutoFreeOnLaunch))
      return cudaErrorInvalidValue;
    uwrt_graph_memory_unmap(work->alloc.memory);
  }
  return cudaSuccess;
}

static cudaError_t run(cudaGraphExec_t exec, cudaStream_t stream) {
  cudaError_t error = clear_memory(exec);
  if (error != cudaSuccess)
    return error;
  assign_conditions(exec->graph);
  return uwrt_graph_run(exec->graph, stream);
}

/* Launched into a capture, a graph is a child graph there. */
static cudaError_t capture_launch(cudaGraphExec_t exec, cudaStream_t stream) {
  cudaGraphNode_t node;
  pthread_mutex_lock(&uwrt_graph_lock);
  uwrt_work owned, work = {.type = cudaGraphNodeTypeGraph, .child = exec->graph};
  cudaError_t error = exec->graph->has_memory ? cudaErrorNotSupported : uwrt_work_copy(&owned, &work);
  pthread_mutex_unlock(&uwrt_graph_lock);
  return error == cudaSuccess ? uwrt_capture_add(stream, &owned, &node) : error;
}

/* A launch that has to wait, or may have to stop in the middle: aside.c. */
typedef struct later_launch {
  cudaGraphExec_t exec; /* kept alive */
  cudaStream_t stream;
} later_launch;

static void run_later(void *argument) {
  later_launch own = *(later_launch *)argument;
  free(argument);
  take_turn(own.exec);
  uwrt_note_error(run(own.exec, own.stream));
  give_back(own.exec);
}

static cudaError_t launch_aside(cudaGraphExec_t exec, cudaStream_t stream) {
  later_launch *later = malloc(sizeof *later);
  if (!later)
    return cudaErrorMemoryAllocation;
  *later = (later_launch){exec, stream};
  pthread_mutex_lock(&uwrt_graph_lock);
  exec->references++;
  pthread_mutex_unlock(&uwrt_graph_lock);
  cudaError_t error = uwrt_aside_call(stream, run_later, later);
  if (error != cudaSuccess) {
    free(later);
    release(exec);
  }
  return error;
}

/* Whether it has what may wait for the host: host functions, kernels whose blocks wait. */
static int may_stop(cudaGraph_t graph) {
  int may = 0;
  for (size_t i = 0; i < graph->node_count && !may; i++) {
    const uwrt_work *work = &graph->nodes[i]->work;
    if (work->type == cudaGraphNodeTypeKernel)
      may = (work->kernel.kernel->flags & UWRT_KERNEL_BLOCKS_WAIT) != 0;
    else if (work->type == cudaGraphNodeTypeHost)
      may = 1;
    else if (work->type == cudaGraphNodeTypeGraph)
      may = may_stop(work->child);
    else if (work->type == cudaGraphNodeTypeConditional)
      for (unsigned int b = 0; b < work->conditional.size && !may; b++)
        may = may_stop(work->conditional.bodies[b]);
  }
  return may;
}

/* The caller keeps it alive. */
static cudaError_t launch(cudaGraphExec_t exec, cudaStream_t stream) {
  pthread_mutex_lock(&uwrt_graph_lock); /* without its turn, which a launch that waits may have for long */
  int may = may_stop(exec->graph);
  pthread_mutex_unlock(&uwrt_graph_lock);
  if (may)
    return launch_aside(exec, stream);
  if (uwrt_flight_begin(stream)) {
    uwrt_flight_end();
    return launch_aside(exec, stream);
  }
  take_turn(exec);
  cudaError_t error = run(exec, stream);
  pthread_mutex_unlock(&exec->turn);
  uwrt_flight_end();
  return error;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  int capturing;
  UWRT_ENTER;
  UWRT_TRY(uwrt_capture_enter(stream, &capturing));
  UWRT_REQUIRE(keep(exec), cudaErrorInvalidValue);
  error = capturing ? capture_launch(exec, stream) : launch(exec, stream);
  release(exec);
  UWRT_LEAVE;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  UWRT_ENTER;
  UWRT_REQUIRE(uwrt_stream_exists(stream), cudaErrorInvalidResourceHandle);
  UWRT_REQUIRE(take(exec), cudaErrorInvalidValue);
  give_back(exec); /* there is nowhere to upload to */
  UWRT_LEAVE;
}

/* --- changes ------------------------------------------------------------------------------------------------------ */

#define EXEC_ENTER                                                                                                     \
  UWRT_ENTER;                                                                                                          \
  UWRT_REQUIRE(take(exec), cudaErrorInvalidValue);                                                                     \
  pthread_mutex_lock(&uwrt_graph_lock)
#define EXEC_LEAVE                                                                                                     \
  pthread_mutex_unlock(&uwrt_graph_lock);                                                                              \
  give_back(exec);                                                                                                     \
  UWRT_LEAVE

/* The copy here of a node of the graph that this was made from, or null. */
static cudaGraphNode_t own_node(cudaGraphExec_t exec, cudaGraphNode_t node) {
  return uwrt_node_exists(node) ? uwrt_graph_copy_of(exec->graph, node) : NULL;
}

/* A child graph may change what its nodes do, but not which there are: its nodes keep their disabled state and
 * number. */
static cudaError_t update_graph(cudaGraph_t own, cudaGraph_t to, cudaGraphExecUpdateResultInfo *info);

static cudaError_t set_own(cudaGraphNode_t own, const uwrt_work *work) {
  cudaGraphExecUpdateResultInfo info;
  if (own->work.type != work->type)
    return cudaErrorInvalidValue;
  return work->type == cudaGraphNodeTypeGraph ? update_graph(own->work.child, work->child, &info)
                                              : uwrt_node_set(own, work);
}

cudaError_t uwrt_exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, const uwrt_work *work) {
  if (!take(exec))
    return cudaErrorInvalidValue;
  pthread_mutex_lock(&uwrt_graph_lock);
  cudaGraphNode_t own = own_node(exec, node);
  cudaError_t error = own ? set_own(own, work) : cudaErrorInvalidValue;
  pthread_mutex_unlock(&uwrt_graph_lock);
  give_back(exec);
  return error;
}

/* Only kernels, copies and fills can be left out. */
static int can_be_disabled(cudaGraphNode_t node) {
  return node && (node->work.type == cudaGraphNodeTypeKernel || node->work.type == cudaGraphNodeTypeMemcpy ||
                  node->work.type == cudaGraphNodeTypeMemset);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int isEnabled) {
  EXEC_ENTER;
  cudaGraphNode_t own = own_node(exec, node);
  if (can_be_disabled(own))
    own->disabled = !isEnabled;
  else
    error = cudaErrorInvalidValue;
  EXEC_LEAVE;
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned int *isEnabled) {
  EXEC_ENTER;
  cudaGraphNode_t own = own_node(exec, node);
  if (can_be_disabled(own) && isEnabled)
    *isEnabled = !own->disabled;
  else
    error = cudaErrorInvalidValue;
  EXEC_LEAVE;
}

static cudaError_t refuse_update(cudaGraphExecUpdateResultInfo *info, enum cudaGraphExecUpdateResult why,
                                 cudaGraphNode_t node, cudaGraphNode_t from) {
  *info = (cudaGraphExecUpdateResultInfo){why, node, from};
  return cudaErrorGraphExecUpdateFailure;
}

static int same_edges(cudaGraphNode_t own, cudaGraphNode_t node, cudaGraphNode_t *missing) {
  if (own->edge_count != node->edge_count)
    return 0;
  for (size_t e = 0; e < node->edge_count; e++) {
    int found = 0;
    for (size_t o = 0; o < own->edge_count && !found; o++)
      found = own->edges[o].from->mark == node->edges[e].from->mark;
    if (!found) {
      *missing = node->edges[e].from;
      return 0;
    }
  }
  return 1;
}

/* Whether a node of this type can take the parameters of that one. */
static enum cudaGraphExecUpdateResult compare_nodes(const uwrt_work *own, const uwrt_work *other) {
  if (own->type != other->type)
    return cudaGraphExecUpdateErrorNodeTypeChanged;
  if (own->type == cudaGraphNodeTypeKernel && own->kernel.dims.cooperative != other->kernel.dims.cooperative)
    return cudaGraphExecUpdateErrorAttributesChanged;
  if (own->type == cudaGraphNodeTypeMemAlloc &&
      (own->alloc.memory != other->alloc.memory || own->alloc.bytes != other->alloc.bytes))
    return cudaGraphExecUpdateErrorParametersChanged;
  if (own->type == cudaGraphNodeTypeMemFree && own->freed != other->freed)
    return cudaGraphExecUpdateErrorParametersChanged;
  if (own->type == cudaGraphNodeTypeConditional &&
      (own->conditional.handle != other->conditional.handle || own->conditional.size != other->conditional.size))
    return cudaGraphExecUpdateErrorParametersChanged;
  return cudaGraphExecUpdateSuccess;
}

/* Nodes are paired by their position once both graphs are sorted. First all is compared, then all is changed. */
static cudaError_t compare_graphs(cudaGraph_t own, cudaGraph_t sorted, cudaGraphExecUpdateResultInfo *info) {
  if (own->node_count != sorted->node_count)
    return refuse_update(info, cudaGraphExecUpdateErrorTopologyChanged, NULL, NULL);
  for (size_t i = 0; i < own->node_count; i++)
    own->nodes[i]->mark = sorted->nodes[i]->mark = i;
  for (size_t i = 0; i < own->node_count; i++) {
    cudaGraphNode_t missing = NULL;
    if (!same_edges(own->nodes[i], sorted->nodes[i], &missing))
      return refuse_update(info, cudaGraphExecUpdateErrorTopologyChanged, sorted->nodes[i], missing);
    const uwrt_work *mine = &own->nodes[i]->work, *other = &sorted->nodes[i]->work;
    enum cudaGraphExecUpdateResult result = compare_nodes(mine, other);
    if (result != cudaGraphExecUpdateSuccess)
      return refuse_update(info, result, sorted->nodes[i], NULL);
    cudaError_t error = cudaSuccess;
    if (mine->type == cudaGraphNodeTypeGraph)
      error = compare_graphs(mine->child, other->child, info);
    for (unsigned int b = 0; mine->type == cudaGraphNodeTypeConditional && b < mine->conditional.size; b++)
      if (error == cudaSuccess)
        error = compare_graphs(mine->conditional.bodies[b], other->conditional.bodies[b], info);
    if (error != cudaSuccess)
      return error;
  }
  return cudaSuccess;
}

/* Works of one pair change places: the copy takes the old ones along when it goes. */
static void exchange_works(cudaGraph_t own, cudaGraph_t copy) {
  for (size_t i = 0; i < own->node_count; i++) {
    uwrt_work *mine = &own->nodes[i]->work, *other = &copy->nodes[i]->work, kept = *mine;
    if (mine->type == cudaGraphNodeTypeGraph) {
      exchange_works(mine->child, other->child);
    } else if (mine->type == cudaGraphNodeTypeConditional) {
      for (unsigned int b = 0; b < mine->conditional.size; b++)
        exchange_works(mine->conditional.bodies[b], other->conditional.bodies[b]);
    } else {
      *mine = *other;
      *other = kept;
    }
  }
}

static cudaError_t update_graph(cudaGraph_t own, cudaGraph_t to, cudaGraphExecUpdateResultInfo *info) {
  *info = (cudaGraphExecUpdateResultInfo){cudaGraphExecUpdateError, NULL, NULL};
  cudaGraph_t copy = uwrt_graph_copy(to);
  if (!copy)
    return cudaErrorMemoryAllocation;
  cudaError_t error =
      prepare(copy) == cudaGraphInstantiateSuccess ? compare_graphs(own, copy, info) : cudaErrorGraphExecUpdateFailure;
  if (error == cudaSuccess) {
    exchange_works(own, copy);
    info->result = cudaGraphExecUpdateSuccess;
  } else { /* the program knows the node that the copy was made from */
    for (size_t i = 0; i < to->node_count; i++) {
      if (info->errorNode && info->errorNode->original == to->nodes[i]->id)
        info->errorNode = to->nodes[i];
      if (info->errorFromNode && info->errorFromNode->original == to->nodes[i]->id)
        info->errorFromNode = to->nodes[i];
    }
    if (info->errorNode && info->errorNode->graph != to) /* in a nested graph, whose copy goes now */
      info->errorNode = info->errorFromNode = NULL;
  }
  uwrt_graph_free(copy);
  return error;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *resultInfo) {
  cudaGraphExecUpdateResultInfo info = {cudaGraphExecUpdateError, NULL, NULL};
  EXEC_ENTER;
  error = uwrt_graph_exists(graph) ? update_graph(exec->graph, graph, &info) : cudaErrorInvalidValue;
  if (resultInfo)
    *resultInfo = info;
  EXEC_LEAVE;
}
