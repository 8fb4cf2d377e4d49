/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: what a descriptor of the graph API must be like when it is finalized. An operation whose tensors do not go
 * together is bad; one that we cannot compute is not, but its graph has no engine. There is one engine, number 0. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#define GET(name) uwdnn_attribute_of(of, CUDNN_ATTR_##name)
#define INTEGER(name, otherwise) uwdnn_integer(of, CUDNN_ATTR_##name, otherwise)
#define INTEGERS(name) uwdnn_integers(of, CUDNN_ATTR_##name)

static cudnnStatus_t tell(uwdnn_backend *of, int name, int64_t value) {
  return uwdnn_attribute_put(of, name, CUDNN_TYPE_INT64, 1, &value);
}

static cudnnStatus_t finish_tensor(uwdnn_backend *of) {
  const int64_t rank = GET(TENSOR_DIMENSIONS)->count;
  NEED(rank == GET(TENSOR_STRIDES)->count && uwdnn_type_bytes((cudnnDataType_t)INTEGER(TENSOR_DATA_TYPE, 0)));
  for (int64_t i = 0; i < rank; i++)
    NEED(INTEGERS(TENSOR_DIMENSIONS)[i] > 0 && INTEGERS(TENSOR_STRIDES)[i] >= 0);
  NEED(INTEGER(TENSOR_VECTOR_COUNT, 1) > 0);
  NEED(!INTEGER(TENSOR_IS_VIRTUAL, 0) || !INTEGER(TENSOR_IS_BY_VALUE, 0));
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t finish_convolution(uwdnn_backend *of) {
  const int64_t rank = INTEGER(CONVOLUTION_SPATIAL_DIMS, 0), mode = INTEGER(CONVOLUTION_CONV_MODE, 0);
  NEED(rank > 0 && rank == GET(CONVOLUTION_DILATIONS)->count && rank == GET(CONVOLUTION_FILTER_STRIDES)->count);
  NEED(rank == GET(CONVOLUTION_PRE_PADDINGS)->count && rank == GET(CONVOLUTION_POST_PADDINGS)->count);
  NEED((mode == CUDNN_CONVOLUTION || mode == CUDNN_CROSS_CORRELATION) && INTEGER(CONVOLUTION_COMP_TYPE, 0) >= 0);
  for (int64_t i = 0; i < rank; i++)
    NEED(INTEGERS(CONVOLUTION_DILATIONS)[i] > 0 && INTEGERS(CONVOLUTION_FILTER_STRIDES)[i] > 0);
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t finish_operation(uwdnn_backend *of) {
  const uwdnn_run look = {0};
  const cudnnStatus_t status = uwdnn_run_operation(&look, of);
  return status == CUDNN_STATUS_NOT_SUPPORTED ? CUDNN_STATUS_SUCCESS : status;
}

static cudnnStatus_t finish_graph(uwdnn_backend *of) {
  TRY(uwdnn_order_graph(of));
  return tell(of, CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, uwdnn_check_graph(of) == CUDNN_STATUS_SUCCESS);
}

static const uwdnn_backend *part(const uwdnn_backend *of, int name, cudnnBackendDescriptorType_t type) {
  const uwdnn_backend *found = uwdnn_descriptor(of, name);
  return found && found->type == type ? found : NULL;
}

static cudnnStatus_t finish_engine(uwdnn_backend *of) {
  const uwdnn_backend *graph = part(of, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  NEED(graph && INTEGER(ENGINE_GLOBAL_INDEX, 0) >= 0);
  TRY(uwdnn_check_graph(graph));
  NEED(INTEGER(ENGINE_GLOBAL_INDEX, 0) == 0);
  return CUDNN_STATUS_SUCCESS;
}

static int64_t workspace_of(const uwdnn_backend *config) {
  const uwdnn_backend *engine = uwdnn_descriptor(config, CUDNN_ATTR_ENGINECFG_ENGINE);
  return uwdnn_integer(uwdnn_descriptor(engine, CUDNN_ATTR_ENGINE_OPERATION_GRAPH), UWDNN_WORKSPACE, 0);
}

static cudnnStatus_t finish_config(uwdnn_backend *of) {
  NEED(part(of, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_BACKEND_ENGINE_DESCRIPTOR));
  TRY(tell(of, CUDNN_ATTR_ENGINECFG_WORKSPACE_SIZE, workspace_of(of)));
  return tell(of, CUDNN_ATTR_ENGINECFG_SHARED_MEMORY_USED, 0);
}

/* A finalized descriptor of one other. */
static cudnnStatus_t wrap(cudnnBackendDescriptorType_t type, int name, const uwdnn_backend *other,
                          uwdnn_backend **made) {
  *made = uwdnn_backend_new(type);
  if (!*made)
    return CUDNN_STATUS_ALLOC_FAILED;
  TRY(uwdnn_attribute_put(*made, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &other));
  if (type == CUDNN_BACKEND_ENGINE_DESCRIPTOR)
    TRY(tell(*made, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, 0));
  TRY(uwdnn_finalize(*made));
  (*made)->is_final = 1;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t finish_heuristics(uwdnn_backend *of) {
  const uwdnn_backend *graph = part(of, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  const int64_t mode = INTEGER(ENGINEHEUR_MODE, -1);
  NEED(graph && mode >= 0 && mode < CUDNN_HEUR_MODES_COUNT);
  uwdnn_backend *engine = NULL, *config = NULL;
  cudnnStatus_t status = wrap(CUDNN_BACKEND_ENGINE_DESCRIPTOR, CUDNN_ATTR_ENGINE_OPERATION_GRAPH, graph, &engine);
  if (status == CUDNN_STATUS_SUCCESS)
    status = wrap(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, CUDNN_ATTR_ENGINECFG_ENGINE, engine, &config);
  if (status == CUDNN_STATUS_SUCCESS)
    status = uwdnn_attribute_put(of, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &config);
  if (config)
    uwdnn_backend_release(config);
  if (engine)
    uwdnn_backend_release(engine);
  return status;
}

static cudnnStatus_t finish_plan(uwdnn_backend *of) {
  const uwdnn_backend *config = part(of, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  NEED(config);
  return tell(of, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, workspace_of(config));
}

static cudnnStatus_t finish_pack(uwdnn_backend *of) {
  const uwdnn_attribute *ids = GET(VARIANT_PACK_UNIQUE_IDS);
  NEED(ids->count == GET(VARIANT_PACK_DATA_POINTERS)->count);
  const int64_t *id = ids->elements;
  for (int64_t i = 0; i < ids->count; i++)
    for (int64_t j = 0; j < i; j++)
      NEED(id[i] != id[j]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t uwdnn_finalize(uwdnn_backend *of) {
  switch ((int)of->type) {
  case CUDNN_BACKEND_TENSOR_DESCRIPTOR: return finish_tensor(of);
  case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR: return finish_convolution(of);
  case CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
    NEED(uwdnn_is_pointwise_mode((int)INTEGER(POINTWISE_MODE, -1)));
    return CUDNN_STATUS_SUCCESS;
  case CUDNN_BACKEND_REDUCTION_DESCRIPTOR:
    NEED((uint64_t)INTEGER(REDUCTION_OPERATOR, -1) <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS);
    return CUDNN_STATUS_SUCCESS;
  case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR: return finish_graph(of);
  case CUDNN_BACKEND_ENGINE_DESCRIPTOR: return finish_engine(of);
  case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR: return finish_config(of);
  case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR: return finish_heuristics(of);
  case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: return finish_plan(of);
  case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR: return finish_pack(of);
  case CUDNN_BACKEND_MATMUL_DESCRIPTOR:
  case CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR: return CUDNN_STATUS_SUCCESS;
  case CUDNN_BACKEND_KNOB_INFO_DESCRIPTOR: return CUDNN_STATUS_NOT_SUPPORTED; /* no engine has knobs */
  default: return finish_operation(of);
  }
}
#endif
