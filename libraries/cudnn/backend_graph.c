/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: graphs of operations. An operation that reads what another writes comes after it. Virtual tensors have places
 * of their own in the workspace. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256 };

/* --- operations --------------------------------------------------------------------------------------------------- */

/* Which attributes of operations are what is written; all other tensors are read. */
static int is_written(int name) {
  switch (name) {
  case CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y:
  case CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX:
  case CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW:
  case CUDNN_ATTR_OPERATION_POINTWISE_DXDESC:
  case CUDNN_ATTR_OPERATION_MATMUL_CDESC:
  case CUDNN_ATTR_OPERATION_REDUCTION_YDESC:
  case CUDNN_ATTR_OPERATION_RESHAPE_YDESC:
  case CUDNN_ATTR_OPERATION_NORM_FWD_YDESC:
  case CUDNN_ATTR_OPERATION_NORM_FWD_OUTPUT_RUNNING_MEAN_DESC:
  case CUDNN_ATTR_OPERATION_NORM_FWD_OUTPUT_RUNNING_VAR_DESC:
  case CUDNN_ATTR_OPERATION_NORM_BWD_DSCALE_DESC:
  case CUDNN_ATTR_OPERATION_NORM_BWD_DBIAS_DESC:
  case CUDNN_ATTR_OPERATION_NORM_BWD_DXDESC: return 1;
  default: return 0;
  }
}

static int writes(const uwdnn_backend *operation, int name) {
  switch (name) {
  case CUDNN_ATTR_OPERATION_POINTWISE_YDESC: /* the forward result, where there is a dx */
    return !uwdnn_attribute_of(operation, CUDNN_ATTR_OPERATION_POINTWISE_DXDESC);
  case CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC:
  case CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC:
    return uwdnn_integer(operation, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, 0) == CUDNN_NORM_FWD_TRAINING;
  default: return is_written(name);
  }
}

cudnnStatus_t uwdnn_run_operation(const uwdnn_run *run, const uwdnn_backend *operation) {
  switch ((int)operation->type) {
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR: return uwdnn_run_convolution(run, operation);
  case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: return uwdnn_run_pointwise(run, operation);
  case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: return uwdnn_run_matmul(run, operation);
  case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: return uwdnn_run_reduction(run, operation);
  case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR: return uwdnn_run_reshape(run, operation);
  case CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR:
  case CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR: return uwdnn_run_norm(run, operation);
  default: return CUDNN_STATUS_BAD_PARAM; /* no operation at all */
  }
}

/* --- tensors ------------------------------------------------------------------------------------------------------ */

/* Dimensions and strides are of vectors; booleans are bytes of 0 and 1. */
static cudnnStatus_t view_of(const uwdnn_backend *tensor, uwdnn_view *view) {
  const int64_t *dims = uwdnn_integers(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS);
  const int64_t *strides = uwdnn_integers(tensor, CUDNN_ATTR_TENSOR_STRIDES);
  const int64_t vector = uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_VECTOR_COUNT, 1);
  *view = (uwdnn_view){.type = (cudnnDataType_t)uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_DATA_TYPE, 0),
                       .rank = (int)uwdnn_attribute_of(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS)->count,
                       .vector = (int)vector};
  SUPPORTED(vector == 1 || (view->rank > 1 && uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_VECTORIZED_DIMENSION, -1) == 1));
  SUPPORTED(!uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_REORDERING_MODE, 0));
  for (int i = 0; i < view->rank; i++) {
    view->dims[i] = dims[i] * (i == 1 ? vector : 1);
    view->strides[i] = strides[i];
  }
  if (view->type == CUDNN_DATA_BOOLEAN)
    view->type = CUDNN_DATA_UINT8;
  SUPPORTED(uwdnn_is_number(view->type));
  return CUDNN_STATUS_SUCCESS;
}

static int64_t id_of(const uwdnn_backend *tensor) { return uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, 0); }

static int64_t index_of(const uwdnn_attribute *ids, int64_t id) {
  for (int64_t i = 0; ids && i < ids->count; i++)
    if (((const int64_t *)ids->elements)[i] == id)
      return i;
  return -1;
}

/* Where a tensor lies; null: nowhere. */
static void *place_of(const uwdnn_run *run, const uwdnn_backend *tensor) {
  if (uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_IS_VIRTUAL, 0)) {
    const uwdnn_attribute *memory = uwdnn_attribute_of(run->pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
    char *base = memory && memory->count ? *(char **)memory->elements : NULL;
    const int64_t at = index_of(uwdnn_attribute_of(run->graph, UWDNN_VIRTUAL_IDS), id_of(tensor));
    return base && at >= 0 ? base + uwdnn_integers(run->graph, UWDNN_VIRTUAL_PLACES)[at] : NULL;
  }
  const int64_t at = index_of(uwdnn_attribute_of(run->pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS), id_of(tensor));
  void **pointers = uwdnn_attribute_of(run->pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS)->elements;
  return at >= 0 ? pointers[at] : NULL;
}

cudnnStatus_t uwdnn_use_tensor(const uwdnn_run *run, const uwdnn_backend *operation, int name, uwdnn_use *use) {
  const uwdnn_backend *tensor = uwdnn_descriptor(operation, name);
  *use = (uwdnn_use){0};
  if (!tensor)
    return CUDNN_STATUS_SUCCESS;
  NEED(tensor->type == CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  TRY(view_of(tensor, &use->view));
  use->is_value = (int)uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_IS_BY_VALUE, 0);
  NEED(!use->is_value || (uwdnn_view_count(&use->view) == 1 && !writes(operation, name)));
  if (!run->pack)
    return CUDNN_STATUS_SUCCESS;
  use->at = place_of(run, tensor);
  NEED(use->at);
  if (use->is_value)
    uwdnn_load_row(use->view.type, use->at, 1, 1, 1, &use->value);
  return CUDNN_STATUS_SUCCESS;
}

/* --- the order ---------------------------------------------------------------------------------------------------- */

typedef struct graph {
  uwdnn_backend *const *operations;
  int64_t count, virtuals, bytes;
  int64_t order[UWDNN_OPERATIONS], ids[UWDNN_TENSORS], places[UWDNN_TENSORS];
} graph;

/* Tensor number i of an operation, with its attribute; null: it is none. */
static const uwdnn_backend *tensor_of(const uwdnn_backend *operation, int i, int *name) {
  const uwdnn_attribute *at = &operation->attributes[i];
  if (at->type != CUDNN_TYPE_BACKEND_DESCRIPTOR || !at->count)
    return NULL;
  const uwdnn_backend *found = *(uwdnn_backend **)at->elements;
  *name = at->name;
  return found->type == CUDNN_BACKEND_TENSOR_DESCRIPTOR ? found : NULL;
}

/* Who writes it; -1: nobody. */
static int64_t writer_of(const graph *g, int64_t id) {
  for (int64_t i = 0; i < g->count; i++)
    for (int at = 0, name; at < g->operations[i]->count; at++) {
      const uwdnn_backend *tensor = tensor_of(g->operations[i], at, &name);
      if (tensor && id_of(tensor) == id && writes(g->operations[i], name))
        return i;
    }
  return -1;
}

static int is_ready(const graph *g, int64_t operation, const char *done) {
  const uwdnn_backend *of = g->operations[operation];
  for (int at = 0, name; at < of->count; at++) {
    const uwdnn_backend *tensor = tensor_of(of, at, &name);
    if (!tensor || writes(of, name))
      continue;
    const int64_t writer = writer_of(g, id_of(tensor));
    if (writer >= 0 && writer != operation && !done[writer])
      return 0;
  }
  return 1;
}

/* Gives a virtual tensor its place, and finds what is wrong with a tensor: written twice, or virtual and never. */
static cudnnStatus_t take_tensor(graph *g, int64_t operation, const uwdnn_backend *tensor, int name) {
  const int64_t id = id_of(tensor), writer = writer_of(g, id);
  const int is_virtual = (int)uwdnn_integer(tensor, CUDNN_ATTR_TENSOR_IS_VIRTUAL, 0);
  NEED(!writes(g->operations[operation], name) || writer == operation);
  NEED(!is_virtual || writer >= 0);
  if (!is_virtual || !writes(g->operations[operation], name))
    return CUDNN_STATUS_SUCCESS;
  SUPPORTED(g->virtuals < UWDNN_TENSORS);
  uwdnn_view view;
  if (view_of(tensor, &view) != CUDNN_STATUS_SUCCESS)
    return CUDNN_STATUS_SUCCESS; /* then no engine takes it */
  g->ids[g->virtuals] = id;
  g->places[g->virtuals++] = g->bytes;
  g->bytes += (uwdnn_view_bytes(&view) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t order(graph *g) {
  char done[UWDNN_OPERATIONS] = {0};
  for (int64_t i = 0; i < g->count; i++)
    for (int at = 0, name; at < g->operations[i]->count; at++) {
      const uwdnn_backend *tensor = tensor_of(g->operations[i], at, &name);
      if (tensor)
        TRY(take_tensor(g, i, tensor, name));
    }
  for (int64_t place = 0; place < g->count; place++) {
    int64_t next = 0;
    while (next < g->count && (done[next] || !is_ready(g, next, done)))
      next++;
    NEED(next < g->count); /* a circle */
    done[next] = 1;
    g->order[place] = next;
  }
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_order_graph(uwdnn_backend *of) {
  const uwdnn_attribute *operations = uwdnn_attribute_of(of, CUDNN_ATTR_OPERATIONGRAPH_OPS);
  graph *g = calloc(1, sizeof *g);
  if (!g)
    return CUDNN_STATUS_ALLOC_FAILED;
  g->operations = operations->elements;
  g->count = operations->count;
  cudnnStatus_t status = order(g);
  const struct {
    int name;
    int64_t count;
    const int64_t *elements;
  } kept[] = {{UWDNN_ORDER, g->count, g->order},
              {UWDNN_VIRTUAL_IDS, g->virtuals, g->ids},
              {UWDNN_VIRTUAL_PLACES, g->virtuals, g->places},
              {UWDNN_WORKSPACE, 1, &g->bytes}};
  for (int i = 0; i < 4 && status == CUDNN_STATUS_SUCCESS; i++)
    status = uwdnn_attribute_put(of, kept[i].name, CUDNN_TYPE_INT64, kept[i].count, kept[i].elements);
  free(g);
  return status;
}

/* --- a plan ------------------------------------------------------------------------------------------------------- */

static cudnnStatus_t run_all(const uwdnn_run *run) {
  const uwdnn_attribute *operations = uwdnn_attribute_of(run->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS);
  const int64_t *order = uwdnn_integers(run->graph, UWDNN_ORDER);
  for (int64_t i = 0; i < operations->count; i++)
    TRY(uwdnn_run_operation(run, ((uwdnn_backend **)operations->elements)[order[i]]));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_check_graph(const uwdnn_backend *graph) {
  const uwdnn_run look = {.graph = graph};
  return run_all(&look);
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t executionPlan,
                                  cudnnBackendDescriptor_t variantPack) {
  HANDLE;
  IS(backend, executionPlan);
  IS(backend, variantPack);
  const uwdnn_backend *plan = executionPlan, *pack = variantPack;
  NEED(plan->type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR && pack->type == CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  if (!plan->is_final || !pack->is_final)
    return UWDNN_NOT_FINAL;
  const uwdnn_backend *engine =
      uwdnn_descriptor(uwdnn_descriptor(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG), CUDNN_ATTR_ENGINECFG_ENGINE);
  uwdnn_run run = {handle, uwdnn_descriptor(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH), pack, 0};
  TRY(run_all(&run));
  run.give = 1;
  return run_all(&run);
}
#endif
