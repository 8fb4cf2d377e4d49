/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: reductions. A part of what one result is made of is a task; where results are few, each has several parts, as
 * many whatever the threads are. Sums are doubles. */
#include <math.h>

#include "elements.h"

static const char reduction_kind;
#define uwdnn_reduction_kind reduction_kind

struct cudnnReduceTensorStruct {
  int is_set;
  cudnnReduceTensorOp_t op;
  cudnnDataType_t compute;
  cudnnNanPropagation_t nan;
  cudnnReduceTensorIndices_t indices;
  cudnnIndicesType_t indices_type;
};

cudnnStatus_t cudnnCreateReduceTensorDescriptor(cudnnReduceTensorDescriptor_t *reduceTensorDesc) {
  return uwdnn_new(reduceTensorDesc, sizeof **reduceTensorDesc, &reduction_kind);
}
cudnnStatus_t cudnnDestroyReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc) {
  return uwdnn_free(reduceTensorDesc, &reduction_kind);
}

cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t reduceTensorOp, cudnnDataType_t reduceTensorCompType,
                                             cudnnNanPropagation_t reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t reduceTensorIndices,
                                             cudnnIndicesType_t reduceTensorIndicesType) {
  IS(reduction, reduceTensorDesc);
  NEED((unsigned)reduceTensorOp <= CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS && uwdnn_type_bytes(reduceTensorCompType));
  NEED((unsigned)reduceTensorNanOpt <= CUDNN_PROPAGATE_NAN && (unsigned)reduceTensorIndicesType <= CUDNN_8BIT_INDICES);
  NEED((unsigned)reduceTensorIndices <= CUDNN_REDUCE_TENSOR_FLATTENED_INDICES);
  *reduceTensorDesc = (struct cudnnReduceTensorStruct){
      1, reduceTensorOp, reduceTensorCompType, reduceTensorNanOpt, reduceTensorIndices, reduceTensorIndicesType};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReduceTensorDescriptor(const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             cudnnReduceTensorOp_t *reduceTensorOp,
                                             cudnnDataType_t *reduceTensorCompType,
                                             cudnnNanPropagation_t *reduceTensorNanOpt,
                                             cudnnReduceTensorIndices_t *reduceTensorIndices,
                                             cudnnIndicesType_t *reduceTensorIndicesType) {
  IS(reduction, reduceTensorDesc);
  PUT(reduceTensorOp, reduceTensorDesc->op);
  PUT(reduceTensorCompType, reduceTensorDesc->compute);
  PUT(reduceTensorNanOpt, reduceTensorDesc->nan);
  PUT(reduceTensorIndices, reduceTensorDesc->indices);
  PUT(reduceTensorIndicesType, reduceTensorDesc->indices_type);
  return CUDNN_STATUS_SUCCESS;
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

typedef struct reduce_call {
  uwdnn_view a, c, kept, over; /* kept: a along what c has; over: along the rest */
  const void *from;
  void *to;
  uint32_t *indices;
  int op, keeps_nan;
  double alpha, beta;
} reduce_call;

typedef struct part {
  double value;
  int64_t index; /* of a minimum or maximum; -1: none yet */
} part;

enum { PIECE = 512, TASKS = 64 };

static int64_t offset_of(const uwdnn_view *view, int64_t index) {
  int64_t at = 0;
  for (int i = view->rank; i-- > 0; index /= view->dims[i])
    at += index % view->dims[i] * view->strides[i];
  return at;
}

static int is_extreme(int op) { return op >= CUDNN_REDUCE_TENSOR_MIN && op <= CUDNN_REDUCE_TENSOR_AMAX; }

/* Is x to stand in place of best? The first of equals stays; NaN is best where it is kept, else never. */
static int is_better(const reduce_call *call, double x, const part *best) {
  if (best->index < 0)
    return 1;
  if (x != x || best->value != best->value)
    return call->keeps_nan ? best->value == best->value : x == x;
  return call->op == CUDNN_REDUCE_TENSOR_MIN ? x < best->value : x > best->value;
}

static part none(int op) { return (part){op == CUDNN_REDUCE_TENSOR_MUL || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS, -1}; }

static void join_part(const reduce_call *call, part *sum, part more) {
  if (is_extreme(call->op)) {
    if (more.index >= 0 && is_better(call, more.value, sum))
      *sum = more;
  } else if (call->op == CUDNN_REDUCE_TENSOR_MUL || call->op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS)
    sum->value *= more.value;
  else
    sum->value += more.value;
}

static void reduce_numbers(const reduce_call *call, const double *x, int64_t count, int64_t first, part *sum) {
  switch (call->op) {
  case CUDNN_REDUCE_TENSOR_ADD:
  case CUDNN_REDUCE_TENSOR_AVG:
    for (int64_t i = 0; i < count; i++)
      sum->value += x[i];
    break;
  case CUDNN_REDUCE_TENSOR_MUL:
    for (int64_t i = 0; i < count; i++)
      sum->value *= x[i];
    break;
  case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
    for (int64_t i = 0; i < count; i++)
      sum->value *= x[i] == 0 ? 1 : x[i];
    break;
  case CUDNN_REDUCE_TENSOR_NORM1:
    for (int64_t i = 0; i < count; i++)
      sum->value += fabs(x[i]);
    break;
  case CUDNN_REDUCE_TENSOR_NORM2:
    for (int64_t i = 0; i < count; i++)
      sum->value += x[i] * x[i];
    break;
  default:
    for (int64_t i = 0; i < count; i++) {
      const double value = call->op == CUDNN_REDUCE_TENSOR_AMAX ? fabs(x[i]) : x[i];
      if (is_better(call, value, sum))
        *sum = (part){value, first + i};
    }
  }
}

/* Numbers [from, to) of what one result is made of. */
static part reduce_part(const reduce_call *call, int64_t result, int64_t from, int64_t to) {
  const uwdnn_view *over = &call->over;
  const int64_t bytes = (int64_t)uwdnn_type_bytes(call->a.type), row = over->dims[over->rank - 1];
  const int64_t step = over->strides[over->rank - 1], base = offset_of(&call->kept, result);
  double numbers[PIECE];
  part sum = none(call->op);
  while (from < to) {
    int64_t count = row - from % row;
    count = count < to - from ? count : to - from;
    count = count < PIECE ? count : PIECE;
    const char *at = (const char *)call->from + (base + offset_of(over, from)) * bytes;
    uwdnn_load_row(call->a.type, at, step, count, 1, numbers);
    reduce_numbers(call, numbers, count, from, &sum);
    from += count;
  }
  return sum;
}

static double finish(const reduce_call *call, double value, int64_t length) {
  return call->op == CUDNN_REDUCE_TENSOR_AVG     ? value / (double)length
         : call->op == CUDNN_REDUCE_TENSOR_NORM2 ? sqrt(value)
                                                 : value;
}

UWL_OPERATION(cudnnReduceTensor, reduce_call) {
  const int64_t results = uwdnn_view_count(&call->kept), length = uwdnn_view_count(&call->over);
  int64_t parts = results < TASKS ? (TASKS + results - 1) / results : 1;
  parts = parts < (length + PIECE - 1) / PIECE ? parts : (length + PIECE - 1) / PIECE;
  part *found = uwdnn_memory(UWL_SCRATCH_A, (size_t)(results * parts) * sizeof *found);
  double *sums = uwdnn_memory(UWL_SCRATCH_B, (size_t)results * sizeof *sums);
#pragma omp parallel for if (results * length > 4096)
  for (int64_t task = 0; task < results * parts; task++) {
    const int64_t i = task % parts;
    found[task] = reduce_part(call, task / parts, length * i / parts, length * (i + 1) / parts);
  }
  for (int64_t result = 0; result < results; result++) {
    part sum = none(call->op);
    for (int64_t i = 0; i < parts; i++)
      join_part(call, &sum, found[result * parts + i]);
    sums[result] = finish(call, sum.value, length);
    if (call->indices)
      call->indices[result] = (uint32_t)sum.index;
  }
  uwdnn_blend(&call->c, call->to, CUDNN_DATA_DOUBLE, sums, call->alpha, call->beta);
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* kept and over, each with what is one number or nothing of it left out. */
static cudnnStatus_t split(reduce_call *call) {
  uwdnn_view *const both[] = {&call->kept, &call->over};
  NEED(call->a.rank == call->c.rank && call->a.rank);
  for (int i = 0; i < 2; i++)
    *both[i] = (uwdnn_view){.type = call->a.type, .vector = 1};
  for (int i = 0; i < call->a.rank; i++) {
    NEED(call->c.dims[i] == call->a.dims[i] || call->c.dims[i] == 1);
    uwdnn_view *into = both[call->c.dims[i] == 1];
    const int last = into->rank - 1;
    if (call->a.dims[i] == 1)
      continue;
    if (last >= 0 && into->strides[last] == call->a.strides[i] * call->a.dims[i]) {
      into->dims[last] *= call->a.dims[i];
      into->strides[last] = call->a.strides[i];
    } else {
      into->dims[into->rank] = call->a.dims[i];
      into->strides[into->rank++] = call->a.strides[i];
    }
  }
  for (int i = 0; i < 2; i++)
    if (!both[i]->rank) {
      both[i]->rank = 1;
      both[i]->dims[0] = both[i]->strides[0] = 1;
    }
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t make(reduce_call *call, cudnnReduceTensorDescriptor_t reduction, cudnnTensorDescriptor_t a,
                          cudnnTensorDescriptor_t c) {
  IS(reduction, reduction);
  IS(tensor, a);
  IS(tensor, c);
  NEED(reduction->is_set);
  *call = (reduce_call){.a = a->view, .c = c->view, .op = (int)reduction->op};
  call->keeps_nan = reduction->nan == CUDNN_PROPAGATE_NAN;
  return split(call);
}

static int has_indices(const struct cudnnReduceTensorStruct *reduction) {
  return reduction->indices == CUDNN_REDUCE_TENSOR_FLATTENED_INDICES && is_extreme((int)reduction->op);
}

cudnnStatus_t cudnnGetReductionIndicesSize(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                           const cudnnTensorDescriptor_t aDesc, const cudnnTensorDescriptor_t cDesc,
                                           size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  reduce_call call;
  TRY(make(&call, reduceTensorDesc, aDesc, cDesc));
  *sizeInBytes = has_indices(reduceTensorDesc) ? (size_t)uwdnn_view_count(&call.c) * sizeof *call.indices : 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetReductionWorkspaceSize(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                             const cudnnTensorDescriptor_t aDesc, const cudnnTensorDescriptor_t cDesc,
                                             size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  reduce_call call;
  TRY(make(&call, reduceTensorDesc, aDesc, cDesc));
  *sizeInBytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnReduceTensor(cudnnHandle_t handle, const cudnnReduceTensorDescriptor_t reduceTensorDesc,
                                void *indices, size_t indicesSizeInBytes, void *workspace, size_t workspaceSizeInBytes,
                                const void *alpha, const cudnnTensorDescriptor_t aDesc, const void *A, const void *beta,
                                const cudnnTensorDescriptor_t cDesc, void *C) {
  (void)workspace, (void)workspaceSizeInBytes;
  HANDLE;
  NEED(alpha && beta && A && C);
  reduce_call call;
  TRY(make(&call, reduceTensorDesc, aDesc, cDesc));
  SUPPORTED(uwdnn_is_number(call.a.type) && uwdnn_is_number(call.c.type) && call.a.vector == 1 && call.c.vector == 1);
  SUPPORTED(uwdnn_is_apart(&call.c));
  call.from = A;
  call.to = C;
  call.alpha = uwdnn_scalar(&call.c, alpha);
  call.beta = uwdnn_scalar(&call.c, beta);
  if (has_indices(reduceTensorDesc)) {
    SUPPORTED(reduceTensorDesc->indices_type == CUDNN_32BIT_INDICES);
    NEED(indices && indicesSizeInBytes >= (size_t)uwdnn_view_count(&call.c) * sizeof *call.indices);
    call.indices = indices;
  }
  GIVE(cudnnReduceTensor, call);
}

cudnnStatus_t uwdnn_reduce(cudnnHandle_t handle, int op, int keeps_nan, const uwdnn_view *from, const void *from_at,
                           const uwdnn_view *to, void *to_at) {
  reduce_call call = {.a = *from, .c = *to, .op = op, .keeps_nan = keeps_nan, .from = from_at, .to = to_at, .alpha = 1};
  TRY(split(&call));
  SUPPORTED(uwdnn_is_number(from->type) && uwdnn_is_number(to->type) && from->vector == 1 && to->vector == 1);
  SUPPORTED(uwdnn_is_apart(to));
  if (!handle)
    return CUDNN_STATUS_SUCCESS;
  GIVE(cudnnReduceTensor, call);
}
