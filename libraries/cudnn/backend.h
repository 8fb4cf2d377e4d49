/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuDNN's files about the graph API share. backend.c keeps descriptors, backend_finalize.c checks them,
 * backend_graph.c orders the operations of a graph and runs them one after the other; each kind of operation has a
 * file, with a function that checks one or gives its work to the stream. Virtual tensors lie in the plan's
 * workspace. */
#ifndef UWDNN_BACKEND_H
#define UWDNN_BACKEND_H

#include "elements.h"

#if CUDNN_MAJOR >= 8

/* What there may be in a graph, at most. */
enum { UWDNN_OPERATIONS = 256, UWDNN_TENSORS = 1024, UWDNN_ATTRIBUTES = 20 };

/* Attributes of our own, of a finalized graph: its operations in an order in which they can run, and where virtual
 * tensors lie. */
enum { UWDNN_ORDER = -1, UWDNN_VIRTUAL_IDS = -2, UWDNN_VIRTUAL_PLACES = -3, UWDNN_WORKSPACE = -4 };

typedef struct uwdnn_attribute {
  int name, type;
  int64_t count;
  void *elements; /* of descriptors: each is referred to */
} uwdnn_attribute;

/* Lives as long as the program or another descriptor refers to it. */
typedef struct uwdnn_backend {
  cudnnBackendDescriptorType_t type;
  int references, is_final, count;
  uwdnn_attribute attributes[UWDNN_ATTRIBUTES];
} uwdnn_backend;

extern const char uwdnn_backend_kind;

#if CUDNN_MAJOR >= 9
#define UWDNN_NOT_FINAL CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED
#else
#define UWDNN_NOT_FINAL CUDNN_STATUS_NOT_INITIALIZED
#endif

/* backend.c */
const uwdnn_attribute *uwdnn_attribute_of(const uwdnn_backend *descriptor, int name); /* null: not set */
cudnnStatus_t uwdnn_attribute_put(uwdnn_backend *descriptor, int name, int type, int64_t count, const void *elements);
int uwdnn_has_all(const uwdnn_backend *descriptor); /* of what must be set */
/* The first element, of enumerators, booleans and integers; of reals; of descriptors. */
int64_t uwdnn_integer(const uwdnn_backend *descriptor, int name, int64_t otherwise);
double uwdnn_real(const uwdnn_backend *descriptor, int name, double otherwise);
uwdnn_backend *uwdnn_descriptor(const uwdnn_backend *descriptor, int name);
const int64_t *uwdnn_integers(const uwdnn_backend *descriptor, int name);
uwdnn_backend *uwdnn_backend_new(cudnnBackendDescriptorType_t type); /* null: no memory */
void uwdnn_backend_release(uwdnn_backend *descriptor);

/* backend_finalize.c */
cudnnStatus_t uwdnn_finalize(uwdnn_backend *descriptor);

/* backend_graph.c. What an operation is looked at for. pack null: what can be said without memory. Else it is known
 * where tensors lie; give: and the work is given to the stream. */
typedef struct uwdnn_run {
  cudnnHandle_t handle;
  const uwdnn_backend *graph, *pack;
  int give;
} uwdnn_run;

/* A tensor of an operation. rank 0: it has none. */
typedef struct uwdnn_use {
  uwdnn_view view;
  void *at;
  int is_value; /* then this is it: */
  double value;
} uwdnn_use;
cudnnStatus_t uwdnn_use_tensor(const uwdnn_run *run, const uwdnn_backend *operation, int name, uwdnn_use *use);
#define USE(name, use) TRY(uwdnn_use_tensor(run, operation, CUDNN_ATTR_OPERATION_##name, use))
/* Ends what checks an operation; its work follows. */
#define CHECKED                                                                                                        \
  if (!run->give)                                                                                                      \
  return CUDNN_STATUS_SUCCESS
#define GIVE_RUN(name, record) return uwdnn_status(uwl_launch(UWL_STUB(name), run->handle->stream, &(record)))

cudnnStatus_t uwdnn_order_graph(uwdnn_backend *graph);
cudnnStatus_t uwdnn_check_graph(const uwdnn_backend *graph);
cudnnStatus_t uwdnn_run_operation(const uwdnn_run *run, const uwdnn_backend *operation);

/* backend_OPERATION.c */
cudnnStatus_t uwdnn_run_convolution(const uwdnn_run *run, const uwdnn_backend *operation);
cudnnStatus_t uwdnn_run_pointwise(const uwdnn_run *run, const uwdnn_backend *operation);
cudnnStatus_t uwdnn_run_matmul(const uwdnn_run *run, const uwdnn_backend *operation);
cudnnStatus_t uwdnn_run_reduction(const uwdnn_run *run, const uwdnn_backend *operation);
cudnnStatus_t uwdnn_run_reshape(const uwdnn_run *run, const uwdnn_backend *operation);
cudnnStatus_t uwdnn_run_norm(const uwdnn_run *run, const uwdnn_backend *operation);
int uwdnn_is_pointwise_mode(int mode);

#endif
#endif
