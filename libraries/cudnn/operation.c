/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: operations of two tensors, sums with broadcasting, changes of layout. */
#include <math.h>
#include <string.h>

#include "map.h"

static const char operation_kind, transform_kind;
#define uwdnn_operation_kind operation_kind
#define uwdnn_transform_kind transform_kind

struct cudnnOpTensorStruct {
  int is_set;
  cudnnOpTensorOp_t op;
  cudnnDataType_t compute;
  cudnnNanPropagation_t nan;
};

cudnnStatus_t cudnnCreateOpTensorDescriptor(cudnnOpTensorDescriptor_t *opTensorDesc) {
  return uwdnn_new(opTensorDesc, sizeof **opTensorDesc, &operation_kind);
}
cudnnStatus_t cudnnDestroyOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc) {
  return uwdnn_free(opTensorDesc, &operation_kind);
}

cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t opTensorDesc, cudnnOpTensorOp_t opTensorOp,
                                         cudnnDataType_t opTensorCompType, cudnnNanPropagation_t opTensorNanOpt) {
  IS(operation, opTensorDesc);
  NEED((unsigned)opTensorOp <= CUDNN_OP_TENSOR_NOT && (unsigned)opTensorNanOpt <= CUDNN_PROPAGATE_NAN);
  NEED(uwdnn_type_bytes(opTensorCompType));
  *opTensorDesc = (struct cudnnOpTensorStruct){1, opTensorOp, opTensorCompType, opTensorNanOpt};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetOpTensorDescriptor(const cudnnOpTensorDescriptor_t opTensorDesc, cudnnOpTensorOp_t *opTensorOp,
                                         cudnnDataType_t *opTensorCompType, cudnnNanPropagation_t *opTensorNanOpt) {
  IS(operation, opTensorDesc);
  PUT(opTensorOp, opTensorDesc->op);
  PUT(opTensorCompType, opTensorDesc->compute);
  PUT(opTensorNanOpt, opTensorDesc->nan);
  return CUDNN_STATUS_SUCCESS;
}

/* --- C = op(alpha1 * A, alpha2 * B) + beta * C -------------------------------------------------------------------- */

typedef struct op_call {
  uwdnn_map map;
  int op, keeps_nan;
  double alpha1, alpha2;
} op_call;

/* The smaller or larger, NaN where it is kept, else the number. */
static double chosen(double a, double b, int is_least, int keeps_nan) {
  if (a != a || b != b)
    return (a != a) == keeps_nan ? a : b != b && !keeps_nan ? a : b;
  return (a < b) == is_least ? a : b;
}

static void operate(const void *context, const double *const *in, double *out, int64_t count) {
  const op_call *call = context;
  const double *a = in[0], *b = in[1], alpha1 = call->alpha1, alpha2 = call->alpha2;
  switch (call->op) {
  case CUDNN_OP_TENSOR_ADD:
    for (int64_t i = 0; i < count; i++)
      out[i] = alpha1 * a[i] + alpha2 * b[i];
    break;
  case CUDNN_OP_TENSOR_MUL:
    for (int64_t i = 0; i < count; i++)
      out[i] = alpha1 * a[i] * (alpha2 * b[i]);
    break;
  case CUDNN_OP_TENSOR_SQRT:
    for (int64_t i = 0; i < count; i++)
      out[i] = sqrt(alpha1 * a[i]);
    break;
  case CUDNN_OP_TENSOR_NOT:
    for (int64_t i = 0; i < count; i++)
      out[i] = 1 - alpha1 * a[i];
    break;
  default:
    for (int64_t i = 0; i < count; i++)
      out[i] = chosen(alpha1 * a[i], alpha2 * b[i], call->op == CUDNN_OP_TENSOR_MIN, call->keeps_nan);
  }
}
UWL_OPERATION(cudnnOpTensor, op_call) { uwdnn_map_run(&call->map, operate, call); }

/* A map whose result is that tensor. */
static cudnnStatus_t begin(uwdnn_map *map, cudnnTensorDescriptor_t out, void *at, double alpha, const void *beta) {
  IS(tensor, out);
  NEED(at && beta && out->view.rank);
  SUPPORTED(uwdnn_is_number(out->view.type) && out->view.vector == 1 && uwdnn_is_apart(&out->view));
  *map = (uwdnn_map){.out = out->view, .out_at = at, .alpha = alpha, .beta = uwdnn_scalar(&out->view, beta)};
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take(uwdnn_map *map, cudnnTensorDescriptor_t in, const void *at) {
  IS(tensor, in);
  NEED(at && in->view.rank);
  SUPPORTED(uwdnn_is_number(in->view.type) && in->view.vector == 1);
  NEED(uwdnn_map_add(map, &in->view, at));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnOpTensor(cudnnHandle_t handle, const cudnnOpTensorDescriptor_t opTensorDesc, const void *alpha1,
                            const cudnnTensorDescriptor_t aDesc, const void *A, const void *alpha2,
                            const cudnnTensorDescriptor_t bDesc, const void *B, const void *beta,
                            const cudnnTensorDescriptor_t cDesc, void *C) {
  HANDLE;
  IS(operation, opTensorDesc);
  NEED(opTensorDesc->is_set && alpha1);
  op_call call = {.op = (int)opTensorDesc->op, .keeps_nan = opTensorDesc->nan == CUDNN_PROPAGATE_NAN};
  TRY(begin(&call.map, cDesc, C, 1, beta));
  TRY(take(&call.map, aDesc, A));
  NEED(uwdnn_same_dims(&aDesc->view, &cDesc->view));
  call.alpha1 = uwdnn_scalar(&cDesc->view, alpha1);
  if (opTensorDesc->op < CUDNN_OP_TENSOR_SQRT) {
    NEED(alpha2);
    TRY(take(&call.map, bDesc, B));
    call.alpha2 = uwdnn_scalar(&cDesc->view, alpha2);
  }
  GIVE(cudnnOpTensor, call);
}

static void same(const void *context, const double *const *in, double *out, int64_t count) {
  (void)context;
  memcpy(out, in[0], (size_t)count * sizeof *out);
}
UWL_OPERATION(cudnnAddTensor, uwdnn_map) { uwdnn_map_run(call, same, NULL); }

cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t aDesc,
                             const void *A, const void *beta, const cudnnTensorDescriptor_t cDesc, void *C) {
  HANDLE;
  NEED(alpha);
  uwdnn_map map;
  TRY(begin(&map, cDesc, C, 1, beta));
  TRY(take(&map, aDesc, A));
  map.alpha = uwdnn_scalar(&map.out, alpha);
  GIVE(cudnnAddTensor, map);
}

/* --- layouts ------------------------------------------------------------------------------------------------------ */

typedef struct transform_call {
  uwdnn_view x, y, inner; /* inner: that part of y which x fills */
  const void *from;
  void *to;
  int64_t offset; /* of inner, in numbers */
  double alpha, beta;
} transform_call;

static void transform(const transform_call *call) {
  double *all = uwdnn_memory(UWL_SCRATCH_A, (size_t)uwdnn_view_count(&call->x) * sizeof *all);
  uwdnn_gather(&call->x, call->from, CUDNN_DATA_DOUBLE, all);
  if (!uwdnn_same_dims(&call->y, &call->inner)) /* what x does not fill is padding: zeros */
    uwdnn_blend(&call->y, call->to, CUDNN_DATA_FLOAT, NULL, 0, call->beta);
  uwdnn_blend(&call->inner, (char *)call->to + call->offset * (int64_t)uwdnn_type_bytes(call->y.type),
              CUDNN_DATA_DOUBLE, all, call->alpha, uwdnn_same_dims(&call->y, &call->inner) ? call->beta : 1);
}
UWL_OPERATION(cudnnTransformTensor, transform_call) { transform(call); }
UWL_OPERATION(cudnnTransformTensorEx, transform_call) { transform(call); }

static cudnnStatus_t make_transform(transform_call *call, const void *alpha, const uwdnn_view *x, const void *from,
                                    const void *beta, const uwdnn_view *y, void *to) {
  NEED(alpha && beta && from && to && x->rank && x->rank == y->rank);
  SUPPORTED(uwdnn_is_number(x->type) && uwdnn_is_number(y->type) && uwdnn_is_apart(y));
  *call = (transform_call){.x = *x,
                           .y = *y,
                           .inner = *y,
                           .from = from,
                           .to = to,
                           .alpha = uwdnn_scalar(y, alpha),
                           .beta = uwdnn_scalar(y, beta)};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnTransformTensor(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t xDesc,
                                   const void *x, const void *beta, const cudnnTensorDescriptor_t yDesc, void *y) {
  HANDLE;
  IS(tensor, xDesc);
  IS(tensor, yDesc);
  transform_call call;
  TRY(make_transform(&call, alpha, &xDesc->view, x, beta, &yDesc->view, y));
  NEED(uwdnn_same_dims(&call.x, &call.y));
  GIVE(cudnnTransformTensor, call);
}

struct cudnnTensorTransformStruct {
  int rank; /* 0: not set yet */
  cudnnTensorFormat_t format;
  int32_t before[CUDNN_DIM_MAX], after[CUDNN_DIM_MAX];
  uint32_t fold[CUDNN_DIM_MAX];
  cudnnFoldingDirection_t direction;
};

cudnnStatus_t cudnnCreateTensorTransformDescriptor(cudnnTensorTransformDescriptor_t *transformDesc) {
  return uwdnn_new(transformDesc, sizeof **transformDesc, &transform_kind);
}
cudnnStatus_t cudnnDestroyTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc) {
  return uwdnn_free(transformDesc, &transform_kind);
}

cudnnStatus_t cudnnSetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc, const uint32_t nbDims,
                                                const cudnnTensorFormat_t destFormat, const int32_t padBeforeA[],
                                                const int32_t padAfterA[], const uint32_t foldA[],
                                                const cudnnFoldingDirection_t direction) {
  IS(transform, transformDesc);
  NEED(nbDims >= 1 && nbDims <= CUDNN_DIM_MAX && (unsigned)destFormat <= CUDNN_TENSOR_NCHW_VECT_C);
  NEED((unsigned)direction <= CUDNN_TRANSFORM_UNFOLD);
  struct cudnnTensorTransformStruct made = {.rank = (int)nbDims, .format = destFormat, .direction = direction};
  for (uint32_t i = 0; i < nbDims; i++) {
    made.before[i] = padBeforeA ? padBeforeA[i] : 0;
    made.after[i] = padAfterA ? padAfterA[i] : 0;
    made.fold[i] = foldA && i + 2 < nbDims ? foldA[i] : 1; /* it has those of space alone */
    NEED(made.before[i] >= 0 && made.after[i] >= 0 && made.fold[i] >= 1);
  }
  *transformDesc = made;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensorTransformDescriptor(cudnnTensorTransformDescriptor_t transformDesc,
                                                uint32_t nbDimsRequested, cudnnTensorFormat_t *destFormat,
                                                int32_t padBeforeA[], int32_t padAfterA[], uint32_t foldA[],
                                                cudnnFoldingDirection_t *direction) {
  IS(transform, transformDesc);
  NEED(nbDimsRequested <= CUDNN_DIM_MAX);
  PUT(destFormat, transformDesc->format);
  PUT(direction, transformDesc->direction);
  for (int i = 0; i < (int)nbDimsRequested && i < transformDesc->rank; i++) {
    if (padBeforeA)
      padBeforeA[i] = transformDesc->before[i];
    if (padAfterA)
      padAfterA[i] = transformDesc->after[i];
    if (foldA && i + 2 < transformDesc->rank)
      foldA[i] = transformDesc->fold[i];
  }
  return CUDNN_STATUS_SUCCESS;
}

/* Folding is not done. */
static int folds(const struct cudnnTensorTransformStruct *transform) {
  int any = 0;
  for (int i = 0; i < transform->rank; i++)
    any |= transform->fold[i] != 1;
  return any;
}

cudnnStatus_t cudnnInitTransformDest(const cudnnTensorTransformDescriptor_t transformDesc,
                                     const cudnnTensorDescriptor_t srcDesc, cudnnTensorDescriptor_t destDesc,
                                     size_t *destSizeInBytes) {
  IS(transform, transformDesc);
  IS(tensor, srcDesc);
  IS(tensor, destDesc);
  NEED(destSizeInBytes && srcDesc->view.rank && srcDesc->view.rank == transformDesc->rank);
  SUPPORTED(!folds(transformDesc));
  int dims[CUDNN_DIM_MAX];
  for (int i = 0; i < transformDesc->rank; i++)
    dims[i] = (int)srcDesc->view.dims[i] + transformDesc->before[i] + transformDesc->after[i];
  TRY(cudnnSetTensorNdDescriptorEx(destDesc, transformDesc->format, srcDesc->type, transformDesc->rank, dims));
  return cudnnGetTensorSizeInBytes(destDesc, destSizeInBytes);
}

static cudnnStatus_t transform_padded(cudnnHandle_t handle, cudnnTensorTransformDescriptor_t by, transform_call *call) {
  NEED(call->x.rank == by->rank);
  SUPPORTED(!folds(by) && (call->y.vector == 1 || !by->before[1]));
  for (int i = 0; i < call->x.rank; i++) {
    NEED(call->y.dims[i] == call->x.dims[i] + by->before[i] + by->after[i]);
    call->inner.dims[i] = call->x.dims[i];
    call->offset += by->before[i] * call->y.strides[i] * call->y.vector;
  }
  GIVE(cudnnTransformTensorEx, *call);
}

cudnnStatus_t cudnnTransformTensorEx(cudnnHandle_t handle, const cudnnTensorTransformDescriptor_t transDesc,
                                     const void *alpha, const cudnnTensorDescriptor_t srcDesc, const void *srcData,
                                     const void *beta, const cudnnTensorDescriptor_t destDesc, void *destData) {
  HANDLE;
  IS(transform, transDesc);
  IS(tensor, srcDesc);
  IS(tensor, destDesc);
  transform_call call;
  TRY(make_transform(&call, alpha, &srcDesc->view, srcData, beta, &destDesc->view, destData));
  return transform_padded(handle, transDesc, &call);
}

cudnnStatus_t cudnnTransformFilter(cudnnHandle_t handle, const cudnnTensorTransformDescriptor_t transDesc,
                                   const void *alpha, const cudnnFilterDescriptor_t srcDesc, const void *srcData,
                                   const void *beta, const cudnnFilterDescriptor_t destDesc, void *destData) {
  HANDLE;
  IS(transform, transDesc);
  IS(filter, srcDesc);
  IS(filter, destDesc);
  transform_call call;
  TRY(make_transform(&call, alpha, &srcDesc->view, srcData, beta, &destDesc->view, destData));
  return transform_padded(handle, transDesc, &call);
}
