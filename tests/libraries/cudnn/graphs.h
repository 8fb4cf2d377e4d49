/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What tests of cuDNN's graph API share: descriptors, tensors with memory, a graph that is planned and run. */
#pragma once
#include <memory>

#include "tensors.h"

using descriptor = std::shared_ptr<void>;

inline descriptor create(cudnnBackendDescriptorType_t type) {
  cudnnBackendDescriptor_t made = nullptr;
  GOOD(cudnnBackendCreateDescriptor(type, &made));
  return descriptor(made, [](void *of) { GOOD(cudnnBackendDestroyDescriptor(of)); });
}
inline cudnnStatus_t set_all(const descriptor &of, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                             int64_t count, const void *elements) {
  return cudnnBackendSetAttribute(of.get(), name, type, count, elements);
}
#define SETTER(of_type, number)                                                                                        \
  inline void set(const descriptor &of, cudnnBackendAttributeName_t name, of_type value) {                             \
    GOOD(set_all(of, name, number, 1, &value));                                                                        \
  }
SETTER(int64_t, CUDNN_TYPE_INT64)
SETTER(float, CUDNN_TYPE_FLOAT)
SETTER(double, CUDNN_TYPE_DOUBLE)
SETTER(bool, CUDNN_TYPE_BOOLEAN)
SETTER(cudnnDataType_t, CUDNN_TYPE_DATA_TYPE)
SETTER(cudnnConvolutionMode_t, CUDNN_TYPE_CONVOLUTION_MODE)
SETTER(cudnnPointwiseMode_t, CUDNN_TYPE_POINTWISE_MODE)
SETTER(cudnnNanPropagation_t, CUDNN_TYPE_NAN_PROPOGATION)
SETTER(cudnnReduceTensorOp_t, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE)
SETTER(cudnnBackendHeurMode_t, CUDNN_TYPE_HEUR_MODE)
SETTER(cudnnBackendNormMode_t, CUDNN_TYPE_NORM_MODE)
SETTER(cudnnBackendNormFwdPhase_t, CUDNN_TYPE_NORM_FWD_PHASE)
SETTER(cudnnHandle_t, CUDNN_TYPE_HANDLE)
inline void set(const descriptor &of, cudnnBackendAttributeName_t name, const descriptor &value) {
  void *at = value.get();
  GOOD(set_all(of, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &at));
}
inline void set(const descriptor &of, cudnnBackendAttributeName_t name, const std::vector<int64_t> &values) {
  GOOD(set_all(of, name, CUDNN_TYPE_INT64, (int64_t)values.size(), values.data()));
}
inline const descriptor &finalized(const descriptor &of) {
  GOOD(cudnnBackendFinalize(of.get()));
  return of;
}

/* Names a tensor of the graph; its dimensions are those of `of`. */
inline descriptor named(int64_t id, cudnnDataType_t type, const std::vector<int> &dims, const std::vector<int> &strides,
                        bool is_virtual = false, bool by_value = false) {
  descriptor made = create(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  set(made, CUDNN_ATTR_TENSOR_DATA_TYPE, type);
  set(made, CUDNN_ATTR_TENSOR_DIMENSIONS, std::vector<int64_t>(dims.begin(), dims.end()));
  set(made, CUDNN_ATTR_TENSOR_STRIDES, std::vector<int64_t>(strides.begin(), strides.end()));
  set(made, CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
  set(made, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, (int64_t)16);
  if (is_virtual)
    set(made, CUDNN_ATTR_TENSOR_IS_VIRTUAL, true);
  if (by_value)
    set(made, CUDNN_ATTR_TENSOR_IS_BY_VALUE, true);
  return finalized(made);
}
template <class T> descriptor named(int64_t id, const tensor<T> &of) {
  return named(id, type_of<T>, of.dims, of.strides);
}
template <class T> descriptor virtual_like(int64_t id, const tensor<T> &of, cudnnDataType_t type = CUDNN_DATA_FLOAT) {
  return named(id, type, of.dims, of.strides, true);
}

inline descriptor graph_of(const std::vector<descriptor> &operations) {
  descriptor graph = create(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
  std::vector<void *> all;
  for (const descriptor &one : operations)
    all.push_back(one.get());
  GOOD(set_all(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, (int64_t)all.size(), all.data()));
  set(graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, handle);
  return graph;
}

/* By heuristics, as frameworks do; null: no engine takes it. */
inline descriptor plan_of(const descriptor &graph) {
  descriptor heuristics = create(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
  set(heuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
  set(heuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_HEUR_MODE_A);
  if (cudnnBackendFinalize(heuristics.get()) != CUDNN_STATUS_SUCCESS)
    return nullptr;
  int64_t count = 0;
  GOOD(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0,
                                &count, nullptr));
  CHECK(count == 1);
  descriptor config = create(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
  void *at = config.get();
  GOOD(cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1,
                                &count, &at));
  descriptor plan = create(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
  set(plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, handle);
  set(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
  return finalized(plan);
}

struct binding {
  int64_t id;
  void *at;
};

inline descriptor pack_of(const std::vector<binding> &bindings, void *workspace) {
  descriptor pack = create(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
  std::vector<int64_t> ids;
  std::vector<void *> pointers;
  for (const binding &one : bindings)
    ids.push_back(one.id), pointers.push_back(one.at);
  set(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, ids);
  GOOD(set_all(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, (int64_t)pointers.size(),
               pointers.data()));
  GOOD(set_all(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace));
  return finalized(pack);
}

inline int64_t workspace_of(const descriptor &plan) {
  int64_t bytes = -1;
  GOOD(cudnnBackendGetAttribute(plan.get(), CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1, nullptr,
                                &bytes));
  return bytes;
}

/* Plans, runs and waits. Only the graph is kept while that is done: descriptors may go before what they are part of. */
inline void run_graph(std::vector<descriptor> operations, const std::vector<binding> &bindings) {
  descriptor graph = finalized(graph_of(operations));
  operations.clear();
  descriptor plan = plan_of(graph);
  graph.reset();
  CHECK(plan);
  if (!plan)
    return;
  device<float> workspace((size_t)workspace_of(plan) / sizeof(float) + 1);
  GOOD(cudnnBackendExecute(handle, plan.get(), pack_of(bindings, workspace.at).get()));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
}

inline descriptor pointwise(cudnnPointwiseMode_t mode, cudnnDataType_t type = CUDNN_DATA_FLOAT) {
  descriptor made = create(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
  set(made, CUDNN_ATTR_POINTWISE_MODE, mode);
  set(made, CUDNN_ATTR_POINTWISE_MATH_PREC, type);
  return made;
}
/* y = what (a pointwise descriptor) of x, b and t */
inline descriptor apply(const descriptor &what, const descriptor &x, const descriptor &b, const descriptor &y,
                        const descriptor &t = nullptr, float scale_x = 1, float scale_b = 1) {
  descriptor made = create(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, what);
  if (x)
    set(made, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x);
  if (b)
    set(made, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b);
  if (t)
    set(made, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, t);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, scale_x);
  set(made, CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, scale_b);
  return finalized(made);
}
