/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: recurrent networks, their calls. */
#include <string.h>

#include "elements.h"
#include "rnn.h"

enum { STATE_RANK = 3 };

UWL_OPERATION(cudnnRNNForward, uwdnn_rnn_call) { uwdnn_rnn_work(call); }
UWL_OPERATION(cudnnRNNBackwardData, uwdnn_rnn_call) { uwdnn_rnn_work(call); }
UWL_OPERATION(cudnnRNNBackwardWeights, uwdnn_rnn_call) { uwdnn_rnn_work(call); }

static int64_t rows_of(const uwdnn_rnn_call *call) {
  int64_t rows = 0;
  for (int b = 0; b < call->x.batch; b++)
    rows += call->differ ? call->lengths[b] : call->x.steps;
  return rows;
}

/* Are there no dimensions but the first ones? Frameworks pad states to more, of size 1. */
static int is_padded(const uwdnn_view *view, int rank) {
  int only = view->rank >= rank;
  for (int d = rank; d < view->rank; d++)
    only &= view->dims[d] == 1;
  return only;
}

/* A state of the program: pseudo-layers, batch, hidden. Null: none, or zeros. */
static cudnnStatus_t take_state(const uwdnn_rnn_call *call, cudnnTensorDescriptor_t tensor, const void *at,
                                int64_t width, int is_result, uwdnn_view *view) {
  if (!at)
    return CUDNN_STATUS_SUCCESS;
  IS(tensor, tensor);
  const uwdnn_view *given = &tensor->view;
  NEED(is_padded(given, STATE_RANK) && given->dims[0] == (int64_t)call->rnn.layers * call->rnn.directions);
  NEED(given->dims[1] == call->x.batch && given->dims[2] == width && given->type == call->rnn.type);
  SUPPORTED(!is_result || uwdnn_is_apart(given));
  *view = *given;
  view->rank = STATE_RANK;
  return CUDNN_STATUS_SUCCESS;
}

static int has_cells(const uwdnn_rnn_call *call) { return call->rnn.mode == CUDNN_LSTM; }

static cudnnStatus_t take_states(uwdnn_rnn_call *call, cudnnTensorDescriptor_t hx, cudnnTensorDescriptor_t hy,
                                 cudnnTensorDescriptor_t cx, cudnnTensorDescriptor_t cy) {
  if (!has_cells(call))
    call->cx_at = call->cy_at = NULL;
  const int64_t h = uwdnn_rnn_state(&call->rnn), c = call->rnn.hidden;
  TRY(take_state(call, hx, call->hx_at, h, 0, &call->hx));
  TRY(take_state(call, hy, call->hy_at, h, 1, &call->hy));
  TRY(take_state(call, cx, call->cx_at, c, 0, &call->cx));
  return take_state(call, cy, call->cy_at, c, 1, &call->cy);
}

/* What every pass must have; bytes are the program's, of the weights and the reserve. */
static cudnnStatus_t check(const uwdnn_rnn_call *call, size_t weight_bytes, size_t reserve_bytes) {
  NEED(call->rnn.is_set && call->w && call->x_at && (call->y_at || call->pass == UWDNN_RNN_WEIGHTS));
  NEED(call->x.width == call->rnn.input && call->x.type == call->rnn.type);
  NEED(!call->rnn.skips || call->rnn.input == call->rnn.hidden);
  NEED(weight_bytes >= (size_t)uwdnn_rnn_weights(&call->rnn) * uwdnn_type_bytes(call->rnn.type));
  if (call->pass == UWDNN_RNN_INFERENCE)
    return CUDNN_STATUS_SUCCESS;
  NEED(call->reserve && reserve_bytes >= uwdnn_rnn_reserve_bytes(&call->rnn, rows_of(call)));
  return CUDNN_STATUS_SUCCESS;
}

/* Descriptors of before cuDNN 8 say what is computed with: halves may be computed in floats. */
static void take_type(uwdnn_rnn *rnn, cudnnDataType_t x) {
  if (!rnn->is_typed && x == CUDNN_DATA_HALF && rnn->compute == CUDNN_DATA_FLOAT)
    rnn->type = x;
}

static cudnnStatus_t give(cudnnHandle_t handle, const uwdnn_rnn_call *call) {
  if (call->pass == UWDNN_RNN_DATA)
    GIVE(cudnnRNNBackwardData, *call);
  if (call->pass == UWDNN_RNN_WEIGHTS)
    GIVE(cudnnRNNBackwardWeights, *call);
  GIVE(cudnnRNNForward, *call);
}

#if CUDNN_MAJOR < 9
/* --- steps that are described one by one -------------------------------------------------------------------------- */

/* Packed rows of a step. */
static cudnnStatus_t take_step(cudnnTensorDescriptor_t tensor, int64_t width, cudnnDataType_t type, int *rows) {
  IS(tensor, tensor);
  const uwdnn_view *view = &tensor->view;
  NEED(view->rank >= 3 && view->dims[1] == width && view->type == type &&
       uwdnn_view_count(view) == view->dims[0] * width);
  SUPPORTED(uwdnn_is_packed(view));
  *rows = (int)view->dims[0];
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take_steps(uwdnn_rnn_call *call, cudnnRNNDescriptor_t rnn, int steps,
                                const cudnnTensorDescriptor_t *x) {
  IS(rnn, rnn);
  NEED(rnn->rnn.is_set && steps > 0 && x);
  IS(tensor, x[0]);
  NEED(x[0]->view.rank >= 3);
  call->rnn = rnn->rnn;
  call->rnn.input = (int)x[0]->view.dims[1];
  take_type(&call->rnn, x[0]->view.type);
  call->x = call->y = (uwdnn_rnn_rows){.type = call->rnn.type,
                                       .layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
                                       .steps = steps,
                                       .width = call->rnn.input};
  call->y.width = (int)uwdnn_rnn_state(&call->rnn) * call->rnn.directions;
  int rows = 0, before = 0;
  for (int t = 0; t < steps; t++, before = rows) {
    TRY(take_step(x[t], call->rnn.input, call->rnn.type, &rows));
    NEED(t == 0 || rows <= before);
    if (t == 0)
      call->x.batch = call->y.batch = rows;
    call->differ |= rows != call->x.batch;
  }
  SUPPORTED(!call->differ || call->x.batch <= UWDNN_RNN_BATCH);
  for (int t = 0; call->differ && t < steps; t++)
    for (int b = 0; b < x[t]->view.dims[0]; b++)
      call->lengths[b] = t + 1;
  return CUDNN_STATUS_SUCCESS;
}

/* Other tensors of the sequence have the same rows. */
static cudnnStatus_t same_steps(const uwdnn_rnn_call *call, const cudnnTensorDescriptor_t *x,
                                const cudnnTensorDescriptor_t *other, int64_t width) {
  NEED(other);
  for (int t = 0; t < call->x.steps; t++) {
    int rows = 0;
    TRY(take_step(other[t], width, call->rnn.type, &rows));
    NEED(!x || rows == x[t]->view.dims[0]);
  }
  return CUDNN_STATUS_SUCCESS;
}

static size_t bytes_of(cudnnFilterDescriptor_t filter) {
  return uwrt_handle_is(filter, &uwdnn_filter_kind) && filter->view.rank ? (size_t)uwdnn_view_bytes(&filter->view) : 0;
}

cudnnStatus_t cudnnGetRNNWorkspaceSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength,
                                       const cudnnTensorDescriptor_t *xDesc, size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  uwdnn_rnn_call call = {0};
  TRY(take_steps(&call, rnnDesc, seqLength, xDesc));
  *sizeInBytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNTrainingReserveSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                             const int seqLength, const cudnnTensorDescriptor_t *xDesc,
                                             size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  uwdnn_rnn_call call = {0};
  TRY(take_steps(&call, rnnDesc, seqLength, xDesc));
  *sizeInBytes = uwdnn_rnn_reserve_bytes(&call.rnn, rows_of(&call));
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t forward(cudnnHandle_t handle, uwdnn_rnn_call *call, cudnnRNNDescriptor_t rnnDesc, int seqLength,
                             const cudnnTensorDescriptor_t *xDesc, cudnnTensorDescriptor_t hxDesc,
                             cudnnTensorDescriptor_t cxDesc, cudnnFilterDescriptor_t wDesc,
                             const cudnnTensorDescriptor_t *yDesc, cudnnTensorDescriptor_t hyDesc,
                             cudnnTensorDescriptor_t cyDesc, size_t reserve_bytes) {
  HANDLE;
  TRY(take_steps(call, rnnDesc, seqLength, xDesc));
  TRY(same_steps(call, xDesc, yDesc, call->y.width));
  TRY(take_states(call, hxDesc, hyDesc, cxDesc, cyDesc));
  TRY(check(call, bytes_of(wDesc), reserve_bytes));
  return give(handle, call);
}

cudnnStatus_t cudnnRNNForwardTraining(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength, const cudnnTensorDescriptor_t *xDesc,
    const void *x, const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc,
    const void *cx, const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnTensorDescriptor_t *yDesc, void *y,
    const cudnnTensorDescriptor_t hyDesc, void *hy, const cudnnTensorDescriptor_t cyDesc, void *cy, void *workSpace,
    size_t workSpaceSizeInBytes, void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)workSpace, (void)workSpaceSizeInBytes;
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_TRAINING,
                         .x_at = (void *)x,
                         .y_at = y,
                         .w = (void *)w,
                         .reserve = reserveSpace,
                         .hx_at = (void *)hx,
                         .hy_at = hy,
                         .cx_at = (void *)cx,
                         .cy_at = cy};
  return forward(handle, &call, rnnDesc, seqLength, xDesc, hxDesc, cxDesc, wDesc, yDesc, hyDesc, cyDesc,
                 reserveSpaceSizeInBytes);
}

cudnnStatus_t
cudnnRNNForwardInference(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength,
                         const cudnnTensorDescriptor_t *xDesc, const void *x, const cudnnTensorDescriptor_t hxDesc,
                         const void *hx, const cudnnTensorDescriptor_t cxDesc, const void *cx,
                         const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnTensorDescriptor_t *yDesc,
                         void *y, const cudnnTensorDescriptor_t hyDesc, void *hy, const cudnnTensorDescriptor_t cyDesc,
                         void *cy, void *workSpace, size_t workSpaceSizeInBytes) {
  (void)workSpace, (void)workSpaceSizeInBytes;
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_INFERENCE,
                         .x_at = (void *)x,
                         .y_at = y,
                         .w = (void *)w,
                         .hx_at = (void *)hx,
                         .hy_at = hy,
                         .cx_at = (void *)cx,
                         .cy_at = cy};
  return forward(handle, &call, rnnDesc, seqLength, xDesc, hxDesc, cxDesc, wDesc, yDesc, hyDesc, cyDesc, 0);
}

cudnnStatus_t cudnnRNNBackwardData(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength, const cudnnTensorDescriptor_t *yDesc,
    const void *y, const cudnnTensorDescriptor_t *dyDesc, const void *dy, const cudnnTensorDescriptor_t dhyDesc,
    const void *dhy, const cudnnTensorDescriptor_t dcyDesc, const void *dcy, const cudnnFilterDescriptor_t wDesc,
    const void *w, const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc,
    const void *cx, const cudnnTensorDescriptor_t *dxDesc, void *dx, const cudnnTensorDescriptor_t dhxDesc, void *dhx,
    const cudnnTensorDescriptor_t dcxDesc, void *dcx, void *workSpace, size_t workSpaceSizeInBytes, void *reserveSpace,
    size_t reserveSpaceSizeInBytes) {
  (void)workSpace, (void)workSpaceSizeInBytes, (void)yDesc, (void)y, (void)hxDesc, (void)hx, (void)cxDesc, (void)cx;
  HANDLE;
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_DATA,
                         .x_at = dx,
                         .y_at = (void *)dy,
                         .w = (void *)w,
                         .reserve = reserveSpace,
                         .hx_at = (void *)dhy,
                         .hy_at = dhx,
                         .cx_at = (void *)dcy,
                         .cy_at = dcx};
  TRY(take_steps(&call, rnnDesc, seqLength, dxDesc));
  TRY(same_steps(&call, dxDesc, dyDesc, call.y.width));
  TRY(take_states(&call, dhyDesc, dhxDesc, dcyDesc, dcxDesc));
  TRY(check(&call, bytes_of(wDesc), reserveSpaceSizeInBytes));
  return give(handle, &call);
}

cudnnStatus_t cudnnRNNBackwardWeights(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const int seqLength,
                                      const cudnnTensorDescriptor_t *xDesc, const void *x,
                                      const cudnnTensorDescriptor_t hxDesc, const void *hx,
                                      const cudnnTensorDescriptor_t *yDesc, const void *y, const void *workSpace,
                                      size_t workSpaceSizeInBytes, const cudnnFilterDescriptor_t dwDesc, void *dw,
                                      const void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)workSpace, (void)workSpaceSizeInBytes, (void)yDesc, (void)y, (void)hxDesc, (void)hx;
  HANDLE;
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_WEIGHTS, .x_at = (void *)x, .w = dw, .reserve = (void *)reserveSpace};
  TRY(take_steps(&call, rnnDesc, seqLength, xDesc));
  TRY(check(&call, bytes_of(dwDesc), reserveSpaceSizeInBytes));
  return give(handle, &call);
}
#endif

/* --- sequences that are described at once ------------------------------------------------------------------------- */

static cudnnStatus_t take_sequence(uwdnn_rnn_call *call, cudnnRNNDescriptor_t rnn, cudnnRNNDataDescriptor_t x) {
  IS(rnn, rnn);
  IS(rnn_data, x);
  NEED(rnn->rnn.is_set && x->rows.batch);
  call->rnn = rnn->rnn;
  call->x = x->rows;
  take_type(&call->rnn, x->rows.type);
  if (!call->rnn.input)
    call->rnn.input = x->rows.width;
  for (int b = 0; b < x->rows.batch; b++)
    call->differ |= x->lengths[b] != x->rows.steps;
  SUPPORTED(!call->differ || x->rows.batch <= UWDNN_RNN_BATCH);
  for (int b = 0; call->differ && b < x->rows.batch; b++)
    call->lengths[b] = x->lengths[b];
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take_output(uwdnn_rnn_call *call, cudnnRNNDataDescriptor_t x, cudnnRNNDataDescriptor_t y) {
  IS(rnn_data, y);
  NEED(y->rows.batch == x->rows.batch && y->rows.steps == x->rows.steps && y->rows.type == call->rnn.type);
  NEED(y->rows.width == uwdnn_rnn_state(&call->rnn) * call->rnn.directions);
  NEED(!memcmp(x->lengths, y->lengths, (size_t)x->rows.batch * sizeof *x->lengths));
  call->y = y->rows;
  return CUDNN_STATUS_SUCCESS;
}

#if CUDNN_MAJOR < 9
static cudnnStatus_t run_sequence(cudnnHandle_t handle, uwdnn_rnn_call *call, cudnnRNNDescriptor_t rnn,
                                  cudnnRNNDataDescriptor_t x, cudnnTensorDescriptor_t hx, cudnnTensorDescriptor_t cx,
                                  cudnnFilterDescriptor_t w, cudnnRNNDataDescriptor_t y, cudnnTensorDescriptor_t hy,
                                  cudnnTensorDescriptor_t cy, size_t reserve_bytes) {
  HANDLE;
  TRY(take_sequence(call, rnn, x));
  TRY(take_output(call, x, y));
  TRY(take_states(call, hx, hy, cx, cy));
  TRY(check(call, bytes_of(w), reserve_bytes));
  return give(handle, call);
}

cudnnStatus_t cudnnRNNForwardTrainingEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const cudnnRNNDataDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc, const void *cx,
    const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnRNNDataDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t hyDesc, void *hy, const cudnnTensorDescriptor_t cyDesc, void *cy,
    const cudnnRNNDataDescriptor_t kDesc, const void *keys, const cudnnRNNDataDescriptor_t cDesc, void *cAttn,
    const cudnnRNNDataDescriptor_t iDesc, void *iAttn, const cudnnRNNDataDescriptor_t qDesc, void *queries,
    void *workSpace, size_t workSpaceSizeInBytes, void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)kDesc, (void)cDesc, (void)iDesc, (void)qDesc, (void)workSpace, (void)workSpaceSizeInBytes;
  SUPPORTED(!keys && !cAttn && !iAttn && !queries);
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_TRAINING,
                         .x_at = (void *)x,
                         .y_at = y,
                         .w = (void *)w,
                         .reserve = reserveSpace,
                         .hx_at = (void *)hx,
                         .hy_at = hy,
                         .cx_at = (void *)cx,
                         .cy_at = cy};
  return run_sequence(handle, &call, rnnDesc, xDesc, hxDesc, cxDesc, wDesc, yDesc, hyDesc, cyDesc,
                      reserveSpaceSizeInBytes);
}

cudnnStatus_t cudnnRNNForwardInferenceEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const cudnnRNNDataDescriptor_t xDesc, const void *x,
    const cudnnTensorDescriptor_t hxDesc, const void *hx, const cudnnTensorDescriptor_t cxDesc, const void *cx,
    const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnRNNDataDescriptor_t yDesc, void *y,
    const cudnnTensorDescriptor_t hyDesc, void *hy, const cudnnTensorDescriptor_t cyDesc, void *cy,
    const cudnnRNNDataDescriptor_t kDesc, const void *keys, const cudnnRNNDataDescriptor_t cDesc, void *cAttn,
    const cudnnRNNDataDescriptor_t iDesc, void *iAttn, const cudnnRNNDataDescriptor_t qDesc, void *queries,
    void *workSpace, size_t workSpaceSizeInBytes) {
  (void)kDesc, (void)cDesc, (void)iDesc, (void)qDesc, (void)workSpace, (void)workSpaceSizeInBytes;
  SUPPORTED(!keys && !cAttn && !iAttn && !queries);
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_INFERENCE,
                         .x_at = (void *)x,
                         .y_at = y,
                         .w = (void *)w,
                         .hx_at = (void *)hx,
                         .hy_at = hy,
                         .cx_at = (void *)cx,
                         .cy_at = cy};
  return run_sequence(handle, &call, rnnDesc, xDesc, hxDesc, cxDesc, wDesc, yDesc, hyDesc, cyDesc, 0);
}

cudnnStatus_t cudnnRNNBackwardDataEx(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc, const cudnnRNNDataDescriptor_t yDesc, const void *y,
    const cudnnRNNDataDescriptor_t dyDesc, const void *dy, const cudnnRNNDataDescriptor_t dcDesc, const void *dcAttn,
    const cudnnTensorDescriptor_t dhyDesc, const void *dhy, const cudnnTensorDescriptor_t dcyDesc, const void *dcy,
    const cudnnFilterDescriptor_t wDesc, const void *w, const cudnnTensorDescriptor_t hxDesc, const void *hx,
    const cudnnTensorDescriptor_t cxDesc, const void *cx, const cudnnRNNDataDescriptor_t dxDesc, void *dx,
    const cudnnTensorDescriptor_t dhxDesc, void *dhx, const cudnnTensorDescriptor_t dcxDesc, void *dcx,
    const cudnnRNNDataDescriptor_t dkDesc, void *dkeys, void *workSpace, size_t workSpaceSizeInBytes,
    void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)yDesc, (void)y, (void)dcDesc, (void)hxDesc, (void)hx, (void)cxDesc, (void)cx, (void)dkDesc;
  (void)workSpace, (void)workSpaceSizeInBytes;
  SUPPORTED(!dcAttn && !dkeys);
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_DATA,
                         .x_at = dx,
                         .y_at = (void *)dy,
                         .w = (void *)w,
                         .reserve = reserveSpace,
                         .hx_at = (void *)dhy,
                         .hy_at = dhx,
                         .cx_at = (void *)dcy,
                         .cy_at = dcx};
  return run_sequence(handle, &call, rnnDesc, dxDesc, dhyDesc, dcyDesc, wDesc, dyDesc, dhxDesc, dcxDesc,
                      reserveSpaceSizeInBytes);
}

cudnnStatus_t cudnnRNNBackwardWeightsEx(cudnnHandle_t handle, const cudnnRNNDescriptor_t rnnDesc,
                                        const cudnnRNNDataDescriptor_t xDesc, const void *x,
                                        const cudnnTensorDescriptor_t hxDesc, const void *hx,
                                        const cudnnRNNDataDescriptor_t yDesc, const void *y, void *workSpace,
                                        size_t workSpaceSizeInBytes, const cudnnFilterDescriptor_t dwDesc, void *dw,
                                        void *reserveSpace, size_t reserveSpaceSizeInBytes) {
  (void)hxDesc, (void)hx, (void)yDesc, (void)y, (void)workSpace, (void)workSpaceSizeInBytes;
  HANDLE;
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_WEIGHTS, .x_at = (void *)x, .w = dw, .reserve = reserveSpace};
  TRY(take_sequence(&call, rnnDesc, xDesc));
  TRY(check(&call, bytes_of(dwDesc), reserveSpaceSizeInBytes));
  return give(handle, &call);
}
#endif

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, cudnnForwardMode_t fwdMode,
                                        cudnnRNNDataDescriptor_t xDesc, size_t *workSpaceSize,
                                        size_t *reserveSpaceSize) {
  HANDLE;
  NEED((unsigned)fwdMode <= CUDNN_FWD_MODE_TRAINING && workSpaceSize);
  uwdnn_rnn_call call = {0};
  TRY(take_sequence(&call, rnnDesc, xDesc));
  *workSpaceSize = 0;
  PUT(reserveSpaceSize, fwdMode == CUDNN_FWD_MODE_TRAINING ? uwdnn_rnn_reserve_bytes(&call.rnn, rows_of(&call)) : 0);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRNNForward(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, cudnnForwardMode_t fwdMode,
                              const int32_t devSeqLengths[], cudnnRNNDataDescriptor_t xDesc, const void *x,
                              cudnnRNNDataDescriptor_t yDesc, void *y, cudnnTensorDescriptor_t hDesc, const void *hx,
                              void *hy, cudnnTensorDescriptor_t cDesc, const void *cx, void *cy, size_t weightSpaceSize,
                              const void *weightSpace, size_t workSpaceSize, void *workSpace, size_t reserveSpaceSize,
                              void *reserveSpace) {
  (void)devSeqLengths, (void)workSpace, (void)workSpaceSize;
  HANDLE;
  NEED((unsigned)fwdMode <= CUDNN_FWD_MODE_TRAINING);
  uwdnn_rnn_call call = {.pass = fwdMode == CUDNN_FWD_MODE_TRAINING ? UWDNN_RNN_TRAINING : UWDNN_RNN_INFERENCE,
                         .x_at = (void *)x,
                         .y_at = y,
                         .w = (void *)weightSpace,
                         .reserve = reserveSpace,
                         .hx_at = (void *)hx,
                         .hy_at = hy,
                         .cx_at = (void *)cx,
                         .cy_at = cy};
  TRY(take_sequence(&call, rnnDesc, xDesc));
  TRY(take_output(&call, xDesc, yDesc));
  TRY(take_states(&call, hDesc, hDesc, cDesc, cDesc));
  TRY(check(&call, weightSpaceSize, reserveSpaceSize));
  return give(handle, &call);
}

cudnnStatus_t cudnnRNNBackwardData_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, const int32_t devSeqLengths[],
                                      cudnnRNNDataDescriptor_t yDesc, const void *y, const void *dy,
                                      cudnnRNNDataDescriptor_t xDesc, void *dx, cudnnTensorDescriptor_t hDesc,
                                      const void *hx, const void *dhy, void *dhx, cudnnTensorDescriptor_t cDesc,
                                      const void *cx, const void *dcy, void *dcx, size_t weightSpaceSize,
                                      const void *weightSpace, size_t workSpaceSize, void *workSpace,
                                      size_t reserveSpaceSize, void *reserveSpace) {
  (void)devSeqLengths, (void)workSpace, (void)workSpaceSize, (void)y, (void)hx, (void)cx;
  HANDLE;
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_DATA,
                         .x_at = dx,
                         .y_at = (void *)dy,
                         .w = (void *)weightSpace,
                         .reserve = reserveSpace,
                         .hx_at = (void *)dhy,
                         .hy_at = dhx,
                         .cx_at = (void *)dcy,
                         .cy_at = dcx};
  TRY(take_sequence(&call, rnnDesc, xDesc));
  TRY(take_output(&call, xDesc, yDesc));
  TRY(take_states(&call, hDesc, hDesc, cDesc, cDesc));
  TRY(check(&call, weightSpaceSize, reserveSpaceSize));
  return give(handle, &call);
}

cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t rnnDesc, cudnnWgradMode_t addGrad,
                                         const int32_t devSeqLengths[], cudnnRNNDataDescriptor_t xDesc, const void *x,
                                         cudnnTensorDescriptor_t hDesc, const void *hx, cudnnRNNDataDescriptor_t yDesc,
                                         const void *y, size_t weightSpaceSize, void *dweightSpace,
                                         size_t workSpaceSize, void *workSpace, size_t reserveSpaceSize,
                                         void *reserveSpace) {
  (void)devSeqLengths, (void)workSpace, (void)workSpaceSize, (void)y, (void)yDesc, (void)hx, (void)hDesc;
  HANDLE;
  NEED((unsigned)addGrad <= CUDNN_WGRAD_MODE_SET);
  SUPPORTED(addGrad == CUDNN_WGRAD_MODE_ADD);
  uwdnn_rnn_call call = {.pass = UWDNN_RNN_WEIGHTS, .x_at = (void *)x, .w = dweightSpace, .reserve = reserveSpace};
  TRY(take_sequence(&call, rnnDesc, xDesc));
  TRY(check(&call, weightSpaceSize, reserveSpaceSize));
  return give(handle, &call);
}
#endif
