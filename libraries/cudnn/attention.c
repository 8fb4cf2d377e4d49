/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: multi-head attention, its calls. Windows are the host's and may be gone when the work runs: they go to the
 * workspace before it, by records of a piece each. */
#include <string.h>

#include "attention.h"

enum {
  TIME = CUDNN_SEQDATA_TIME_DIM,
  BATCH = CUDNN_SEQDATA_BATCH_DIM,
  BEAM = CUDNN_SEQDATA_BEAM_DIM,
  VECTOR = CUDNN_SEQDATA_VECT_DIM,
  PIECE = 512
};

typedef struct window_piece {
  int *to;
  size_t count;
  int values[PIECE];
} window_piece;

UWL_OPERATION(cudnnMultiHeadAttnWindows, window_piece) {
  memcpy(call->to, call->values, call->count * sizeof *call->values);
}
UWL_OPERATION(cudnnMultiHeadAttnForward, uwdnn_attention_call) { uwdnn_attention_work(call); }
UWL_OPERATION(cudnnMultiHeadAttnBackwardData, uwdnn_attention_call) { uwdnn_attention_work(call); }
UWL_OPERATION(cudnnMultiHeadAttnBackwardWeights, uwdnn_attention_call) { uwdnn_attention_work(call); }

static cudnnStatus_t give_ints(cudnnHandle_t handle, int *to, const int *from, size_t count) {
  for (size_t first = 0; first < count; first += PIECE) {
    window_piece piece = {.to = to + first, .count = count - first < PIECE ? count - first : PIECE};
    memcpy(piece.values, from + first, piece.count * sizeof *from);
    TRY(uwdnn_status(uwl_launch(UWL_STUB(cudnnMultiHeadAttnWindows), handle->stream, &piece)));
  }
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t give_windows(cudnnHandle_t handle, const uwdnn_attention_call *call, const int *first,
                                  const int *end) {
  const size_t steps = call->step < 0 ? (size_t)call->of[UWDNN_Q].dims[TIME] : 1;
  const int skipped = call->step < 0 ? 0 : call->step;
  TRY(give_ints(handle, (int *)call->windows, first + skipped, steps));
  return give_ints(handle, (int *)call->windows + steps, end + skipped, steps);
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

static cudnnStatus_t take(uwdnn_attention_call *call, int which, cudnnSeqDataDescriptor_t sequences, const void *at) {
  IS(sequences, sequences);
  NEED(sequences->all.dims[TIME] && at && sequences->all.type == call->attention.type);
  call->of[which] = sequences->all;
  call->at[which] = at;
  return CUDNN_STATUS_SUCCESS;
}

static int same_lengths(cudnnSeqDataDescriptor_t a, cudnnSeqDataDescriptor_t b) {
  for (int i = 0; i < VECTOR; i++)
    if (a->all.dims[i] != b->all.dims[i])
      return 0;
  return !memcmp(a->lengths, b->lengths, (size_t)a->all.dims[BATCH] * (size_t)a->all.dims[BEAM] * sizeof *a->lengths);
}

static cudnnStatus_t check_sizes(const uwdnn_attention_call *call) {
  const uwdnn_attention *a = &call->attention;
  const int *q = call->of[UWDNN_Q].dims, *k = call->of[UWDNN_K].dims;
  for (int i = 0; i < UWDNN_O; i++)
    NEED(call->of[i].dims[VECTOR] == a->size[i]);
  NEED(call->of[UWDNN_O].dims[VECTOR] == uwdnn_attention_output(a));
  NEED(q[TIME] <= a->most_queries && q[BATCH] <= a->most_batch && q[BEAM] <= a->most_beams);
  NEED(k[TIME] <= a->most_keys && k[BATCH] == q[BATCH]);
  NEED(k[BEAM] == (a->mode & CUDNN_ATTN_QUERYMAP_ONE_TO_ONE ? q[BEAM] : 1));
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take_all(uwdnn_attention_call *call, cudnnHandle_t handle, cudnnAttnDescriptor_t attention,
                              const cudnnSeqDataDescriptor_t *of, const void *const *at) {
  HANDLE;
  IS(attention, attention);
  NEED(attention->attention.is_set);
  call->attention = attention->attention;
  for (int i = 0; i < UWDNN_QKVO; i++)
    TRY(take(call, i, of[i], at[i]));
  NEED(same_lengths(of[UWDNN_Q], of[UWDNN_O]) && same_lengths(of[UWDNN_K], of[UWDNN_V]));
  return check_sizes(call);
}

static cudnnStatus_t take_weights(uwdnn_attention_call *call, size_t bytes, const void *weights) {
  const uwdnn_attention *a = &call->attention;
  const size_t needed = (size_t)uwdnn_attention_first(a, CUDNN_ATTN_WKIND_COUNT) * uwdnn_type_bytes(a->type);
  NEED(bytes >= needed && (weights || !needed));
  call->weights = weights;
  return CUDNN_STATUS_SUCCESS;
}

/* Dropout without states can drop nothing. */
static int can_drop(const struct cudnnDropoutStruct *dropout) { return dropout->states || dropout->probability == 0; }

static cudnnStatus_t take_reserve(uwdnn_attention_call *call, size_t bytes, void *reserve) {
  const int *q = call->of[UWDNN_Q].dims, *k = call->of[UWDNN_K].dims;
  NEED(reserve && can_drop(&call->attention.dropout) && can_drop(&call->attention.post));
  NEED(bytes >= uwdnn_attention_reserve_bytes(&call->attention, q[BATCH], q[BEAM], q[TIME], k[TIME]));
  call->reserve = reserve;
  return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t take_windows(uwdnn_attention_call *call, const int *first, const int *end, const int *queries,
                                  const int *keys, size_t work_bytes, void *work) {
  const size_t steps = call->step < 0 ? (size_t)call->of[UWDNN_Q].dims[TIME] : 1;
  NEED(first && end && queries && keys && work && work_bytes >= 2 * steps * sizeof(int));
  call->queries = queries;
  call->keys = keys;
  call->windows = work;
  return CUDNN_STATUS_SUCCESS;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnMultiHeadAttnForward(
    cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc, int currIdx, const int loWinIdx[], const int hiWinIdx[],
    const int devSeqLengthsQO[], const int devSeqLengthsKV[], const cudnnSeqDataDescriptor_t qDesc, const void *queries,
    const void *residuals, const cudnnSeqDataDescriptor_t kDesc, const void *keys, const cudnnSeqDataDescriptor_t vDesc,
    const void *values, const cudnnSeqDataDescriptor_t oDesc, void *out, size_t weightSizeInBytes, const void *weights,
    size_t workSpaceSizeInBytes, void *workSpace, size_t reserveSpaceSizeInBytes, void *reserveSpace) {
  const int trains = reserveSpace || reserveSpaceSizeInBytes;
  uwdnn_attention_call call = {.pass = trains ? UWDNN_ATTENTION_TRAINING : UWDNN_ATTENTION_INFERENCE,
                               .step = currIdx < 0 ? -1 : currIdx,
                               .residuals = residuals,
                               .result = out};
  TRY(take_all(&call, handle, attnDesc, (const cudnnSeqDataDescriptor_t[]){qDesc, kDesc, vDesc, oDesc},
               (const void *const[]){queries, keys, values, out}));
  TRY(take_weights(&call, weightSizeInBytes, weights));
  NEED(currIdx < call.of[UWDNN_Q].dims[TIME]);
  NEED(!residuals || call.of[UWDNN_Q].dims[VECTOR] == call.of[UWDNN_O].dims[VECTOR]);
  TRY(take_windows(&call, loWinIdx, hiWinIdx, devSeqLengthsQO, devSeqLengthsKV, workSpaceSizeInBytes, workSpace));
  NEED(!trains || currIdx < 0);
  if (trains)
    TRY(take_reserve(&call, reserveSpaceSizeInBytes, reserveSpace));
  TRY(give_windows(handle, &call, loWinIdx, hiWinIdx));
  GIVE(cudnnMultiHeadAttnForward, call);
}

cudnnStatus_t cudnnMultiHeadAttnBackwardData(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                             const int loWinIdx[], const int hiWinIdx[], const int devSeqLengthsDQDO[],
                                             const int devSeqLengthsDKDV[], const cudnnSeqDataDescriptor_t doDesc,
                                             const void *dout, const cudnnSeqDataDescriptor_t dqDesc, void *dqueries,
                                             const void *queries, const cudnnSeqDataDescriptor_t dkDesc, void *dkeys,
                                             const void *keys, const cudnnSeqDataDescriptor_t dvDesc, void *dvalues,
                                             const void *values, size_t weightSizeInBytes, const void *weights,
                                             size_t workSpaceSizeInBytes, void *workSpace,
                                             size_t reserveSpaceSizeInBytes, void *reserveSpace) {
  uwdnn_attention_call call = {.pass = UWDNN_ATTENTION_DATA, .step = -1, .dqkv = {dqueries, dkeys, dvalues}};
  TRY(take_all(&call, handle, attnDesc, (const cudnnSeqDataDescriptor_t[]){dqDesc, dkDesc, dvDesc, doDesc},
               (const void *const[]){queries, keys, values, dout}));
  NEED(dqueries && dkeys && dvalues);
  TRY(take_weights(&call, weightSizeInBytes, weights));
  TRY(take_windows(&call, loWinIdx, hiWinIdx, devSeqLengthsDQDO, devSeqLengthsDKDV, workSpaceSizeInBytes, workSpace));
  TRY(take_reserve(&call, reserveSpaceSizeInBytes, reserveSpace));
  GIVE(cudnnMultiHeadAttnBackwardData, call);
}

cudnnStatus_t cudnnMultiHeadAttnBackwardWeights(cudnnHandle_t handle, const cudnnAttnDescriptor_t attnDesc,
                                                cudnnWgradMode_t addGrad, const cudnnSeqDataDescriptor_t qDesc,
                                                const void *queries, const cudnnSeqDataDescriptor_t kDesc,
                                                const void *keys, const cudnnSeqDataDescriptor_t vDesc,
                                                const void *values, const cudnnSeqDataDescriptor_t doDesc,
                                                const void *dout, size_t weightSizeInBytes, const void *weights,
                                                void *dweights, size_t workSpaceSizeInBytes, void *workSpace,
                                                size_t reserveSpaceSizeInBytes, void *reserveSpace) {
  (void)workSpace, (void)workSpaceSizeInBytes;
  uwdnn_attention_call call = {
      .pass = UWDNN_ATTENTION_WEIGHTS, .step = -1, .sets = addGrad == CUDNN_WGRAD_MODE_SET, .result = dweights};
  TRY(take_all(&call, handle, attnDesc, (const cudnnSeqDataDescriptor_t[]){qDesc, kDesc, vDesc, doDesc},
               (const void *const[]){queries, keys, values, dout}));
  NEED((unsigned)addGrad <= CUDNN_WGRAD_MODE_SET);
  TRY(take_weights(&call, weightSizeInBytes, weights));
  NEED(dweights || !uwdnn_attention_first(&call.attention, CUDNN_ATTN_WKIND_COUNT));
  TRY(take_reserve(&call, reserveSpaceSizeInBytes, reserveSpace));
  GIVE(cudnnMultiHeadAttnBackwardWeights, call);
}
