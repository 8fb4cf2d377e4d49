/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * User objects (CUDA Runtime API, "Graph Management"): a program's object with a count of references, destroyed by the
 * program's own function when the last one goes. Graphs, and their copies, hold references.
 */
#include <stdlib.h>

#include "graph.h"

struct CUuserObject_st {
  void *object;
  cudaHostFn_t destroy;
  uint64_t references;
};

static uwrt_table objects; /* that are alive; under the lock of the graphs */

static int object_exists(cudaUserObject_t object) { return uwrt_table_find(&objects, object) != NULL; }

static void release(cudaUserObject_t object, unsigned int count) {
  object->references -= count;
  if (object->references)
    return;
  uwrt_table_remove(&objects, object);
  if (!objects.count)
    uwrt_table_free(&objects);
  object->destroy(object->object); /* may not call the API, so the lock does not matter */
  free(object);
}

static uwrt_held_object *find_held(cudaGraph_t graph, cudaUserObject_t object) {
  for (size_t i = 0; i < graph->object_count; i++)
    if (graph->objects[i].object == object)
      return &graph->objects[i];
  return NULL;
}

static cudaError_t hold(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  uwrt_held_object *held = find_held(graph, object);
  if (!held) {
    if (!uwrt_grow(&graph->objects, &graph->object_capacity, graph->object_count, sizeof *graph->objects))
      return cudaErrorMemoryAllocation;
    held = &graph->objects[graph->object_count++];
    *held = (uwrt_held_object){object, 0};
  }
  held->count += count;
  return cudaSuccess;
}

cudaError_t uwrt_objects_retain(cudaGraph_t graph, const uwrt_held_object *held, size_t count) {
  cudaError_t error = cudaSuccess;
  for (size_t i = 0; i < count && error == cudaSuccess; i++) {
    error = hold(graph, held[i].object, held[i].count);
    if (error == cudaSuccess)
      held[i].object->references += held[i].count;
  }
  return error;
}

void uwrt_objects_release(cudaGraph_t graph) {
  for (size_t i = 0; i < graph->object_count; i++)
    release(graph->objects[i].object, graph->objects[i].count);
  free(graph->objects);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t *object_out, void *ptr, cudaHostFn_t destroy,
                                 unsigned int initialRefcount, unsigned int flags) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(object_out && destroy && initialRefcount && flags == cudaUserObjectNoDestructorSync,
               cudaErrorInvalidValue);
  cudaUserObject_t fresh = malloc(sizeof *fresh);
  UWRT_REQUIRE(fresh, cudaErrorMemoryAllocation);
  *fresh = (struct CUuserObject_st){ptr, destroy, initialRefcount};
  if (!uwrt_table_insert(&objects, fresh, fresh)) {
    free(fresh);
    error = cudaErrorMemoryAllocation;
    goto out;
  }
  *object_out = fresh;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(count && object_exists(object), cudaErrorInvalidValue);
  object->references += count;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(count && object_exists(object) && object->references >= count, cudaErrorInvalidValue);
  release(object, count);
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_graph_exists(graph) && object_exists(object) && count, cudaErrorInvalidValue);
  UWRT_REQUIRE(flags <= cudaGraphUserObjectMove, cudaErrorInvalidValue);
  UWRT_REQUIRE(!(flags & cudaGraphUserObjectMove) || object->references >= count, cudaErrorInvalidValue);
  UWRT_TRY(hold(graph, object, count));
  if (!(flags & cudaGraphUserObjectMove))
    object->references += count;
  UWRT_GRAPH_LEAVE;
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
  UWRT_GRAPH_ENTER;
  UWRT_REQUIRE(uwrt_graph_exists(graph) && object_exists(object) && count, cudaErrorInvalidValue);
  uwrt_held_object *held = find_held(graph, object);
  UWRT_REQUIRE(held && held->count >= count, cudaErrorInvalidValue);
  held->count -= count;
  if (!held->count)
    *held = graph->objects[--graph->object_count];
  release(object, count);
  UWRT_GRAPH_LEAVE;
}
