/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: connectionist temporal classification. A sequence of labels is written with blanks around each, and every step
 * either stays at a place of that, goes to the next, or leaves a blank out between labels that differ. ahead is the
 * logarithm of the probability to have come to a place with the step, back of all that can follow; both together, for a
 * label, are what the softmax should be. */
#include <math.h>

#include "elements.h"

static const char ctc_kind;
#define uwdnn_ctc_kind ctc_kind

struct cudnnCTCLossStruct {
  int is_set, softmax, keeps_nan, skips, longest;
  cudnnDataType_t type;
};

typedef struct ctc_call {
  uwdnn_view probs, gradients;
  const void *from;
  void *to; /* null: gradients are not asked for */
  float *costs;
  const int *labels, *label_lengths, *input_lengths;
  int64_t steps, batch, letters;
  int softmax, keeps_nan, skips;
} ctc_call;

/* --- the work ----------------------------------------------------------------------------------------------------- */

/* One sequence: its labels, the logarithms of its probabilities, and memory. */
typedef struct sequence {
  const int *labels;
  int64_t steps, length, row, letters; /* row: numbers from one step to the next */
  double *logs, *ahead, *back, *next;  /* ahead: for each step; back: for one */
} sequence;

static int64_t places_of(const sequence *s) { return 2 * s->length + 1; }
static int letter_at(const sequence *s, int64_t place) { return place & 1 ? s->labels[place / 2] : 0; }
static double log_at(const sequence *s, int64_t t, int64_t place) { return s->logs[t * s->row + letter_at(s, place)]; }
static int can_leap(const sequence *s, int64_t place) {
  return place & 1 && place > 1 && letter_at(s, place) != letter_at(s, place - 2);
}
static double add_logs(double a, double b) {
  const double most = a > b ? a : b;
  return most == -INFINITY ? most : most + log1p(exp((a > b ? b : a) - most));
}

static void go_ahead(const sequence *s) {
  const int64_t places = places_of(s);
  for (int64_t t = 0; t < s->steps; t++) {
    double *now = s->ahead + t * places, *before = now - places;
    for (int64_t i = 0; i < places; i++) {
      double sum = t ? before[i] : i < 2 ? 0 : -INFINITY;
      if (t && i)
        sum = add_logs(sum, before[i - 1]);
      if (t && can_leap(s, i))
        sum = add_logs(sum, before[i - 2]);
      now[i] = sum + log_at(s, t, i);
    }
  }
}

/* From what can follow step t + 1 to what can follow step t. */
static void go_back(const sequence *s, int64_t t) {
  const int64_t places = places_of(s);
  for (int64_t i = 0; i < places; i++)
    s->next[i] = s->back[i] + log_at(s, t + 1, i);
  for (int64_t i = 0; i < places; i++) {
    s->back[i] = s->next[i];
    if (i + 1 < places)
      s->back[i] = add_logs(s->back[i], s->next[i + 1]);
    if (i + 2 < places && can_leap(s, i + 2))
      s->back[i] = add_logs(s->back[i], s->next[i + 2]);
  }
}

static double log_probability(const sequence *s) {
  const double *last = s->ahead + (s->steps - 1) * places_of(s);
  const int64_t end = places_of(s) - 1;
  if (!s->steps)
    return s->length ? -INFINITY : 0;
  return end ? add_logs(last[end], last[end - 1]) : last[end];
}

/* logs become gradients. */
static void differentiate(const sequence *s, double total, int keeps_nan) {
  const int64_t places = places_of(s);
  for (int64_t i = 0; i < places; i++)
    s->back[i] = i + 2 >= places ? 0 : -INFINITY;
  for (int64_t t = s->steps; t-- > 0;) {
    if (t + 1 < s->steps)
      go_back(s, t);
    for (int64_t i = 0; i < places; i++)
      s->ahead[t * places + i] += s->back[i];
  }
  for (int64_t t = 0; t < s->steps; t++) {
    double *row = s->logs + t * s->row;
    for (int64_t a = 0; a < s->letters; a++)
      row[a] = total == -INFINITY ? (keeps_nan ? NAN : 0) : exp(row[a]);
    for (int64_t i = 0; i < places && total != -INFINITY; i++)
      row[letter_at(s, i)] -= exp(s->ahead[t * places + i] - total);
  }
}

static void to_logs(const ctc_call *call, double *row) {
  double most = -INFINITY, sum = 0;
  for (int64_t a = 0; a < call->letters && call->softmax; a++)
    most = row[a] > most ? row[a] : most;
  for (int64_t a = 0; a < call->letters && call->softmax; a++)
    sum += exp(row[a] - most);
  for (int64_t a = 0; a < call->letters; a++)
    row[a] = call->softmax ? row[a] - most - log(sum) : log(row[a]);
}

static int is_good(const ctc_call *call, const sequence *s) {
  int good = s->steps >= 0 && s->steps <= call->steps && s->length >= 0;
  for (int64_t i = 0; good && i < s->length; i++)
    good = s->labels[i] >= 0 && s->labels[i] < call->letters;
  return good;
}

static void do_sequence(const ctc_call *call, sequence *s, int64_t n, double *all, double *gradients) {
  s->logs = all + n * call->letters;
  s->row = call->batch * call->letters;
  s->letters = call->letters;
  if (!is_good(call, s)) {
    call->costs[n] = NAN;
    return;
  }
  for (int64_t t = 0; t < s->steps; t++)
    to_logs(call, s->logs + t * s->row);
  go_ahead(s);
  const double total = log_probability(s);
  call->costs[n] = (float)-total;
  if (!gradients)
    return;
  differentiate(s, total, call->keeps_nan);
  for (int64_t t = 0; t < (call->skips ? s->steps : call->steps); t++)
    for (int64_t a = 0; a < call->letters; a++)
      gradients[t * s->row + n * call->letters + a] = t < s->steps ? s->logs[t * s->row + a] : 0;
}

UWL_OPERATION(cudnnCTCLoss, ctc_call) {
  const int64_t count = call->steps * call->batch * call->letters;
  int64_t longest = 0;
  for (int64_t n = 0; n < call->batch; n++)
    longest = call->label_lengths[n] > longest ? call->label_lengths[n] : longest;
  const int64_t places = 2 * longest + 1, each = (call->steps + 2) * places;
  double *all = uwdnn_memory(UWL_SCRATCH_A, (size_t)count * sizeof *all);
  double *memory = uwdnn_memory(UWL_SCRATCH_B, (size_t)(call->batch * each) * sizeof *memory);
  double *gradients = call->to ? uwdnn_memory(UWL_SCRATCH_C, (size_t)count * sizeof *gradients) : NULL;
  int64_t *firsts = uwdnn_memory(UWL_SCRATCH_WORK, (size_t)(call->batch + 1) * sizeof *firsts);
  firsts[0] = 0;
  for (int64_t n = 0; n < call->batch; n++)
    firsts[n + 1] = firsts[n] + (call->label_lengths[n] > 0 ? call->label_lengths[n] : 0);
  uwdnn_gather(&call->probs, call->from, CUDNN_DATA_DOUBLE, all);
  if (gradients && call->skips)
    uwdnn_gather(&call->gradients, call->to, CUDNN_DATA_DOUBLE, gradients);
#pragma omp parallel for
  for (int64_t n = 0; n < call->batch; n++) {
    double *own = memory + n * each;
    sequence s = {.labels = call->labels + firsts[n],
                  .steps = call->input_lengths[n],
                  .length = call->label_lengths[n],
                  .back = own,
                  .next = own + places,
                  .ahead = own + 2 * places};
    do_sequence(call, &s, n, all, gradients);
  }
  if (gradients)
    uwdnn_blend(&call->gradients, call->to, CUDNN_DATA_DOUBLE, gradients, 1, 0);
}

/* --- descriptors -------------------------------------------------------------------------------------------------- */

cudnnStatus_t cudnnCreateCTCLossDescriptor(cudnnCTCLossDescriptor_t *ctcLossDesc) {
  return uwdnn_new(ctcLossDesc, sizeof **ctcLossDesc, &ctc_kind);
}
cudnnStatus_t cudnnDestroyCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc) {
  return uwdnn_free(ctcLossDesc, &ctc_kind);
}

static cudnnStatus_t set(cudnnCTCLossDescriptor_t ctc, cudnnDataType_t type, cudnnLossNormalizationMode_t mode,
                         int keeps_nan, int skips, int longest) {
  IS(ctc, ctc);
  NEED((unsigned)mode <= CUDNN_LOSS_NORMALIZATION_SOFTMAX && (unsigned)keeps_nan <= 1 && (unsigned)skips <= 1);
  NEED(longest >= 0);
  SUPPORTED(type == CUDNN_DATA_FLOAT);
  *ctc = (struct cudnnCTCLossStruct){1, (int)mode, keeps_nan, skips, longest, type};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType) {
  return set(ctcLossDesc, compType, CUDNN_LOSS_NORMALIZATION_NONE, 0, 0, 0);
}
cudnnStatus_t cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                          cudnnLossNormalizationMode_t normMode, cudnnNanPropagation_t gradMode) {
  return set(ctcLossDesc, compType, normMode, (int)gradMode, 0, 0);
}
cudnnStatus_t cudnnGetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                          cudnnLossNormalizationMode_t *normMode, cudnnNanPropagation_t *gradMode) {
  IS(ctc, ctcLossDesc);
  PUT(compType, ctcLossDesc->type);
  PUT(normMode, (cudnnLossNormalizationMode_t)ctcLossDesc->softmax);
  PUT(gradMode, (cudnnNanPropagation_t)ctcLossDesc->keeps_nan);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetCTCLossDescriptor(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType) {
  return cudnnGetCTCLossDescriptorEx(ctcLossDesc, compType, NULL, NULL);
}
#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                           cudnnLossNormalizationMode_t normMode, cudnnNanPropagation_t gradMode,
                                           int maxLabelLength) {
  return set(ctcLossDesc, compType, normMode, (int)gradMode, 0, maxLabelLength);
}
cudnnStatus_t cudnnGetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                           cudnnLossNormalizationMode_t *normMode, cudnnNanPropagation_t *gradMode,
                                           int *maxLabelLength) {
  TRY(cudnnGetCTCLossDescriptorEx(ctcLossDesc, compType, normMode, gradMode));
  PUT(maxLabelLength, ctcLossDesc->longest);
  return CUDNN_STATUS_SUCCESS;
}
#endif
#if CUDNN_MAJOR >= 9
cudnnStatus_t cudnnSetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t compType,
                                           cudnnLossNormalizationMode_t normMode, cudnnCTCGradMode_t ctcGradMode,
                                           int maxLabelLength) {
  return set(ctcLossDesc, compType, normMode, 0, (int)ctcGradMode, maxLabelLength);
}
cudnnStatus_t cudnnGetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t ctcLossDesc, cudnnDataType_t *compType,
                                           cudnnLossNormalizationMode_t *normMode, cudnnCTCGradMode_t *ctcGradMode,
                                           int *maxLabelLength) {
  TRY(cudnnGetCTCLossDescriptorEx(ctcLossDesc, compType, normMode, NULL));
  PUT(ctcGradMode, (cudnnCTCGradMode_t)ctcLossDesc->skips);
  PUT(maxLabelLength, ctcLossDesc->longest);
  return CUDNN_STATUS_SUCCESS;
}
#endif

/* --- calls -------------------------------------------------------------------------------------------------------- */

static cudnnStatus_t make(ctc_call *call, cudnnCTCLossAlgo_t algo, cudnnCTCLossDescriptor_t ctc,
                          cudnnTensorDescriptor_t probs, cudnnTensorDescriptor_t gradients, int has_gradients) {
  IS(ctc, ctc);
  IS(tensor, probs);
  NEED(ctc->is_set && (unsigned)algo <= CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC && probs->view.rank == 3);
  *call = (ctc_call){.probs = probs->view,
                     .steps = probs->view.dims[0],
                     .batch = probs->view.dims[1],
                     .letters = probs->view.dims[2],
                     .softmax = ctc->softmax,
                     .keeps_nan = ctc->keeps_nan,
                     .skips = ctc->skips};
  SUPPORTED(probs->view.type == CUDNN_DATA_FLOAT);
  if (!has_gradients)
    return CUDNN_STATUS_SUCCESS;
  IS(tensor, gradients);
  NEED(uwdnn_same_dims(&probs->view, &gradients->view));
  SUPPORTED(gradients->view.type == CUDNN_DATA_FLOAT && uwdnn_is_apart(&gradients->view));
  call->gradients = gradients->view;
  return CUDNN_STATUS_SUCCESS;
}

/* Lengths that the host has: all that is wrong with them is found, and how many numbers a copy has. */
static cudnnStatus_t count_host(const ctc_call *call, const int *labels, const int *label_lengths,
                                const int *input_lengths, size_t *count) {
  NEED(labels && label_lengths && input_lengths);
  *count = 0;
  for (int64_t n = 0; n < call->batch; n++) {
    NEED(label_lengths[n] >= 0 && input_lengths[n] >= 0 && input_lengths[n] <= call->steps);
    for (int i = 0; i < label_lengths[n]; i++)
      NEED(labels[*count + (size_t)i] >= 0 && labels[*count + (size_t)i] < call->letters);
    *count += (size_t)label_lengths[n];
  }
  *count += 2 * (size_t)call->batch;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetCTCLossWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t probsDesc,
                                           const cudnnTensorDescriptor_t gradientsDesc, const int *labels,
                                           const int *labelLengths, const int *inputLengths, cudnnCTCLossAlgo_t algo,
                                           cudnnCTCLossDescriptor_t ctcLossDesc, size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  ctc_call call;
  size_t count;
  TRY(make(&call, algo, ctcLossDesc, probsDesc, gradientsDesc, gradientsDesc != NULL));
  TRY(count_host(&call, labels, labelLengths, inputLengths, &count));
  *sizeInBytes = count * sizeof *labels;
  return CUDNN_STATUS_SUCCESS;
}

/* What the host has goes into the workspace first, in the order of the stream. */
cudnnStatus_t cudnnCTCLoss(cudnnHandle_t handle, const cudnnTensorDescriptor_t probsDesc, const void *probs,
                           const int hostLabels[], const int hostLabelLengths[], const int hostInputLengths[],
                           void *costs, const cudnnTensorDescriptor_t gradientsDesc, void *gradients,
                           cudnnCTCLossAlgo_t algo, cudnnCTCLossDescriptor_t ctcLossDesc, void *workspace,
                           size_t workSpaceSizeInBytes) {
  HANDLE;
  NEED(probs && costs && workspace);
  ctc_call call;
  size_t count;
  TRY(make(&call, algo, ctcLossDesc, probsDesc, gradientsDesc, gradients != NULL));
  TRY(count_host(&call, hostLabels, hostLabelLengths, hostInputLengths, &count));
  NEED(workSpaceSizeInBytes >= count * sizeof *hostLabels);
  const size_t batch = (size_t)call.batch;
  int *lengths = workspace, *inputs = lengths + batch, *labels = inputs + batch;
  const enum cudaMemcpyKind kind = cudaMemcpyHostToDevice;
  TRY(uwdnn_status(cudaMemcpyAsync(lengths, hostLabelLengths, batch * sizeof *lengths, kind, handle->stream)));
  TRY(uwdnn_status(cudaMemcpyAsync(inputs, hostInputLengths, batch * sizeof *inputs, kind, handle->stream)));
  if (count > 2 * batch)
    TRY(uwdnn_status(cudaMemcpyAsync(labels, hostLabels, (count - 2 * batch) * sizeof *labels, kind, handle->stream)));
  call.from = probs, call.to = gradients, call.costs = costs;
  call.labels = labels, call.label_lengths = lengths, call.input_lengths = inputs;
  GIVE(cudnnCTCLoss, call);
}

#if CUDNN_MAJOR >= 8
cudnnStatus_t cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algo,
                                              cudnnCTCLossDescriptor_t ctcLossDesc,
                                              const cudnnTensorDescriptor_t probsDesc,
                                              const cudnnTensorDescriptor_t gradientsDesc, size_t *sizeInBytes) {
  HANDLE;
  NEED(sizeInBytes);
  ctc_call call;
  TRY(make(&call, algo, ctcLossDesc, probsDesc, gradientsDesc, gradientsDesc != NULL));
  *sizeInBytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCTCLoss_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algo, cudnnCTCLossDescriptor_t ctcLossDesc,
                              const cudnnTensorDescriptor_t probsDesc, const void *probs, const int labels[],
                              const int labelLengths[], const int inputLengths[], void *costs,
                              const cudnnTensorDescriptor_t gradientsDesc, void *gradients, size_t workSpaceSizeInBytes,
                              void *workspace) {
  (void)workSpaceSizeInBytes, (void)workspace;
  HANDLE;
  NEED(probs && costs && labels && labelLengths && inputLengths);
  ctc_call call;
  TRY(make(&call, algo, ctcLossDesc, probsDesc, gradientsDesc, gradients != NULL));
  call.from = probs, call.to = gradients, call.costs = costs;
  call.labels = labels, call.label_lengths = labelLengths, call.input_lengths = inputLengths;
  GIVE(cudnnCTCLoss, call);
}
#endif
