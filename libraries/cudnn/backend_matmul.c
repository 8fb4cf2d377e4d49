/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: products of matrices (the last two dimensions), reductions and changes of form, of graphs. */
#include "backend.h"

#if CUDNN_MAJOR >= 8

#include <limits.h>

#include "../cublas/blas.h"

/* --- products ----------------------------------------------------------------------------------------------------- */

typedef struct product_call {
  uwdnn_view a, b, c;
  const void *a_at, *b_at;
  void *c_at;
  cudnnDataType_t number; /* float or double */
} product_call;

static uwdnn_view packed_of(const uwdnn_view *view, cudnnDataType_t number) {
  uwdnn_view packed = *view;
  int64_t step = 1;
  packed.type = number;
  for (int i = view->rank; i-- > 0; step *= view->dims[i])
    packed.strides[i] = step;
  return packed;
}

/* Can BLAS read it where it lies, as rows or as columns? */
static int is_matrix(const uwdnn_view *view, cudnnDataType_t number) {
  const int row = view->rank - 2, column = view->rank - 1;
  const int by_rows = view->strides[column] == 1 && view->strides[row] >= view->dims[column];
  const int by_columns = view->strides[row] == 1 && view->strides[column] >= view->dims[row];
  return view->type == number && (by_rows || by_columns) && view->strides[row] <= INT_MAX &&
         view->strides[column] <= INT_MAX;
}

static const void *operand(uwdnn_view *view, const void *at, cudnnDataType_t number, int slot) {
  if (is_matrix(view, number))
    return at;
  void *packed = uwdnn_memory(slot, (size_t)uwdnn_view_count(view) * uwdnn_type_bytes(number));
  uwdnn_gather(view, at, number, packed);
  *view = packed_of(view, number);
  return packed;
}

/* Where matrix number `index` of a batch begins; a dimension of one is repeated. */
static int64_t matrix_at(const uwdnn_view *of, const uwdnn_view *c, int64_t index) {
  int64_t at = 0;
  for (int i = c->rank - 2; i-- > 0; index /= c->dims[i])
    at += of->dims[i] == 1 ? 0 : index % c->dims[i] * of->strides[i];
  return at;
}

/* For BLAS, whose matrices are of columns: the transpose of a matrix of rows, as it lies. */
static char form(const uwdnn_view *view, int *ld) {
  const int row = view->rank - 2, column = view->rank - 1;
  const int by_rows = view->strides[column] == 1 && view->strides[row] >= view->dims[column];
  *ld = (int)view->strides[by_rows ? row : column];
  return by_rows ? 'N' : 'T';
}

static void multiply(const product_call *call, const uwdnn_view *a, const void *a_at, const uwdnn_view *b,
                     const void *b_at, const uwdnn_view *c, void *c_at) {
  const int rank = c->rank, m = (int)c->dims[rank - 2], n = (int)c->dims[rank - 1], k = (int)a->dims[rank - 1];
  int lda, ldb;
  const char trans_a = form(a, &lda), trans_b = form(b, &ldb);
  const float one = 1, zero = 0;
  const double one_d = 1, zero_d = 0;
  for (int64_t i = 0; i < uwdnn_view_count(c) / m / n; i++) {
    const int64_t at = matrix_at(a, c, i), bt = matrix_at(b, c, i), ct = i * m * n;
    if (call->number == CUDNN_DATA_DOUBLE)
      dgemm_(&trans_b, &trans_a, &n, &m, &k, &one_d, (const double *)b_at + bt, &ldb, (const double *)a_at + at, &lda,
             &zero_d, (double *)c_at + ct, &n);
    else
      sgemm_(&trans_b, &trans_a, &n, &m, &k, &one, (const float *)b_at + bt, &ldb, (const float *)a_at + at, &lda,
             &zero, (float *)c_at + ct, &n);
  }
}

UWL_OPERATION(cudnnBackendMatmul, product_call) {
  uwdnn_view a = call->a, b = call->b;
  const void *a_at = operand(&a, call->a_at, call->number, UWL_SCRATCH_A);
  const void *b_at = operand(&b, call->b_at, call->number, UWL_SCRATCH_B);
  const int in_place = call->c.type == call->number && uwdnn_is_packed(&call->c);
  void *c_at = in_place
                   ? call->c_at
                   : uwdnn_memory(UWL_SCRATCH_C, (size_t)uwdnn_view_count(&call->c) * uwdnn_type_bytes(call->number));
  multiply(call, &a, a_at, &b, b_at, &call->c, c_at);
  if (!in_place)
    uwdnn_blend(&call->c, call->c_at, call->number, c_at, 1, 0);
}

static cudnnStatus_t check_product(const uwdnn_view *a, const uwdnn_view *b, const uwdnn_view *c) {
  const int rank = c->rank;
  NEED(rank >= 2 && a->rank == rank && b->rank == rank);
  NEED(a->dims[rank - 2] == c->dims[rank - 2] && b->dims[rank - 1] == c->dims[rank - 1]);
  NEED(a->dims[rank - 1] == b->dims[rank - 2]);
  for (int i = 0; i < rank - 2; i++) {
    NEED(a->dims[i] == c->dims[i] || a->dims[i] == 1);
    NEED(b->dims[i] == c->dims[i] || b->dims[i] == 1);
  }
  for (int i = rank - 2; i < rank; i++)
    SUPPORTED(a->dims[i] <= INT_MAX && b->dims[i] <= INT_MAX);
  SUPPORTED(a->vector == 1 && b->vector == 1 && c->vector == 1 && uwdnn_is_apart(c));
  return CUDNN_STATUS_SUCCESS;
}

/* Doubles where there are some, and for integers, whose products they hold exactly. */
static cudnnDataType_t number_of(cudnnDataType_t type) {
  return type == CUDNN_DATA_DOUBLE || !uwdnn_is_real(type) ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

cudnnStatus_t uwdnn_run_matmul(const uwdnn_run *run, const uwdnn_backend *operation) {
  uwdnn_use a, b, c;
  USE(MATMUL_ADESC, &a);
  USE(MATMUL_BDESC, &b);
  USE(MATMUL_CDESC, &c);
  NEED(uwdnn_descriptor(operation, CUDNN_ATTR_OPERATION_MATMUL_DESC)->type == CUDNN_BACKEND_MATMUL_DESCRIPTOR);
  NEED(!a.is_value && !b.is_value);
  TRY(check_product(&a.view, &b.view, &c.view));
  SUPPORTED(uwdnn_integer(operation, CUDNN_ATTR_OPERATION_MATMUL_IRREGULARLY_STRIDED_BATCH_COUNT, 1) <= 1);
  const cudnnDataType_t number =
      number_of(a.view.type) == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : number_of(b.view.type);
  const product_call call = {a.view, b.view, c.view, a.at, b.at, c.at, number};
  CHECKED;
  GIVE_RUN(cudnnBackendMatmul, call);
}

/* --- reductions --------------------------------------------------------------------------------------------------- */

cudnnStatus_t uwdnn_run_reduction(const uwdnn_run *run, const uwdnn_backend *operation) {
  const uwdnn_backend *of = uwdnn_descriptor(operation, CUDNN_ATTR_OPERATION_REDUCTION_DESC);
  NEED(of->type == CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
  uwdnn_use x, y;
  USE(REDUCTION_XDESC, &x);
  USE(REDUCTION_YDESC, &y);
  NEED(!x.is_value);
  const int op = (int)uwdnn_integer(of, CUDNN_ATTR_REDUCTION_OPERATOR, 0);
  return uwdnn_reduce(run->give ? run->handle : NULL, op, 1, &x.view, x.at, &y.view, y.at);
}

/* --- forms: the same numbers, in order ---------------------------------------------------------------------------- */

typedef struct reshape_call {
  uwdnn_view x, y;
  const void *from;
  void *to;
} reshape_call;

UWL_OPERATION(cudnnBackendReshape, reshape_call) {
  double *all = uwdnn_memory(UWL_SCRATCH_A, (size_t)uwdnn_view_count(&call->x) * sizeof *all);
  uwdnn_gather(&call->x, call->from, CUDNN_DATA_DOUBLE, all);
  uwdnn_blend(&call->y, call->to, CUDNN_DATA_DOUBLE, all, 1, 0);
}

cudnnStatus_t uwdnn_run_reshape(const uwdnn_run *run, const uwdnn_backend *operation) {
  uwdnn_use x, y;
  USE(RESHAPE_XDESC, &x);
  USE(RESHAPE_YDESC, &y);
  NEED(!x.is_value && uwdnn_view_count(&x.view) == uwdnn_view_count(&y.view));
  SUPPORTED(uwdnn_is_apart(&y.view));
  const reshape_call call = {x.view, y.view, x.at, y.at};
  CHECKED;
  GIVE_RUN(cudnnBackendReshape, call);
}
#endif
