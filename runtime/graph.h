/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Graphs inside the runtime. A graph owns its nodes, a node its work; an executable graph is a copy of a graph with an
 * order. Nodes are found in copies by their number, which is theirs for the life of the process.
 *
 * One lock guards the shape of all graphs; a launch holds only the lock of the executable graph that it runs. Handles
 * are looked up before they are followed. Order of locks: capture.c's, an executable graph's, this one, the rest.
 */
#ifndef UWRT_GRAPH_H
#define UWRT_GRAPH_H

#include <pthread.h>

#include "work.h"

typedef struct uwrt_edge {
  cudaGraphNode_t from;
  cudaGraphEdgeData data;
} uwrt_edge;

struct CUgraphNode_st {
  uint64_t id, original; /* original: of the node that this one is a copy of, or 0 */
  cudaGraph_t graph;
  uwrt_work work;
  uwrt_edge *edges; /* that end here */
  size_t edge_count, edge_capacity;
  int disabled; /* in an executable graph */
  size_t mark;  /* scratch of one walk */
};

typedef struct uwrt_held_object {
  cudaUserObject_t object;
  unsigned int count;
} uwrt_held_object;

/* The cell of a conditional handle; shared by a graph and its copies. */
typedef struct uwrt_condition {
  unsigned int value; /* first: the handle points to it */
  unsigned int initial;
  int assign_initial; /* at each launch */
  unsigned int references;
  int used; /* by a node */
} uwrt_condition;

struct CUgraph_st {
  uint64_t id, original;
  int device;     /* that was the current one */
  int owned;      /* by a node: a program may not destroy it */
  int has_memory; /* nodes that allocate or free: it may not be copied, and nothing may leave it */
  cudaGraphNode_t *nodes;
  size_t node_count, node_capacity;
  uwrt_held_object *objects;
  size_t object_count, object_capacity;
  uwrt_condition **conditions;
  size_t condition_count, condition_capacity;
};

#define UWRT_GRAPH_ENTER                                                                                               \
  pthread_mutex_lock(&uwrt_graph_lock);                                                                                \
  UWRT_ENTER
#define UWRT_GRAPH_LEAVE                                                                                               \
  out:                                                                                                                 \
  pthread_mutex_unlock(&uwrt_graph_lock);                                                                              \
  return uwrt_note_error(error)

/* graph.c. All of them want the lock held. */
extern pthread_mutex_t uwrt_graph_lock; /* recursive */
int uwrt_graph_exists(cudaGraph_t graph);
int uwrt_node_exists(cudaGraphNode_t node);
cudaGraph_t uwrt_graph_new(void); /* null when out of memory */
void uwrt_graph_free(cudaGraph_t graph);
cudaGraph_t uwrt_graph_copy(cudaGraph_t of); /* null when out of memory */
cudaError_t uwrt_graph_add(cudaGraph_t graph, const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *data,
                           size_t count, const uwrt_work *owned, cudaGraphNode_t *node);
cudaGraphNode_t uwrt_graph_copy_of(cudaGraph_t graph, cudaGraphNode_t original); /* looks into nested graphs too */
cudaError_t uwrt_graph_sort(cudaGraph_t graph); /* nodes after what they depend on; InvalidValue: there is a cycle */
int uwrt_node_reaches(cudaGraphNode_t from, cudaGraphNode_t to); /* by edges, or they are one */

/* graph_exec.c */
/* All nodes, in order; its memory and conditions as they are. */
cudaError_t uwrt_graph_run(cudaGraph_t graph, cudaStream_t stream);
/* Gives a node of the graph that an executable graph was made from other work there. Takes its lock, and the
 * graphs'. */
cudaError_t uwrt_exec_set(cudaGraphExec_t exec, cudaGraphNode_t node, const uwrt_work *work);

/* graph_nodes.c. The lock is held. */
int uwrt_node_is(cudaGraphNode_t node, enum cudaGraphNodeType type); /* there is this node, and of this type */
/* Adds a node with a copy of the work, or with the work itself, which then belongs to the graph, or is freed. */
cudaError_t uwrt_node_add(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                          const cudaGraphEdgeData *data, size_t count, const uwrt_work *work);
cudaError_t uwrt_node_add_owned(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *data, size_t count, const uwrt_work *owned);
/* Replaces a node's work by a copy of this one, of the same type. */
cudaError_t uwrt_node_set(cudaGraphNode_t node, const uwrt_work *work);

/* graph_owner_nodes.c. The lock is held; what was made is told in the parameters. */
cudaError_t uwrt_node_add_alloc(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                const cudaGraphEdgeData *data, size_t count, struct cudaMemAllocNodeParams *params);
cudaError_t uwrt_node_add_free(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                               const cudaGraphEdgeData *data, size_t count, void *memory);
cudaError_t uwrt_node_add_conditional(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                                      const cudaGraphEdgeData *data, size_t count,
                                      struct cudaConditionalNodeParams *params);

/* user_object.c */
cudaError_t uwrt_objects_retain(cudaGraph_t graph, const uwrt_held_object *held, size_t count);
void uwrt_objects_release(cudaGraph_t graph);

/* Makes room for one more element. Returns 0 when out of memory. */
int uwrt_grow(void *array, size_t *capacity, size_t count, size_t element);

#endif
