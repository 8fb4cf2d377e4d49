/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: recurrent networks' work, by GEMM. Sequences are sorted, the longest first, and rows lie by steps without
 * gaps, so that the rows of a step are the first ones of the states. */
#include <math.h>
#include <string.h>

#include "../cublas/blas.h"
#include "dropout.h"
#include "elements.h"
#include "rnn.h"

typedef struct network {
  const uwdnn_rnn *rnn;
  int64_t hidden, state, gates, output, batch, steps, rows,
      kept_rows;                        /* state: of h; output: a row of a layer's; kept_rows: numbers for each */
  int64_t *counts, *firsts, *order;     /* rows of a step, the first of them; which sequence stands where */
  void *kept, *outputs, *step, *slopes; /* slopes: of what is projected, of a step */
  unsigned char *passes;                /* null: nothing is dropped */
} network;

#define NUMBER float
#define NAME(name) name##_f
#define GEMM sgemm_
#define EXP expf
#define TANH tanhf
#include "row_loops.h"
#include "rnn_loops.h"
#undef NUMBER
#undef NAME
#undef GEMM
#undef EXP
#undef TANH
#define NUMBER double
#define NAME(name) name##_d
#define GEMM dgemm_
#define EXP exp
#define TANH tanh
#include "row_loops.h"
#include "rnn_loops.h"
#undef NUMBER
#undef NAME

static cudnnDataType_t number_of(const uwdnn_rnn *rnn) {
  return rnn->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

static int has_bias(const uwdnn_rnn *rnn, int of) {
  return rnn->bias == CUDNN_RNN_DOUBLE_BIAS ||
         rnn->bias == (of ? CUDNN_RNN_SINGLE_REC_BIAS : CUDNN_RNN_SINGLE_INP_BIAS);
}

int64_t uwdnn_rnn_columns(const uwdnn_rnn *rnn, int pseudo_layer, int of) {
  if (of == 2)
    return rnn->projected ? rnn->hidden : 0;
  if (of == 1)
    return uwdnn_rnn_state(rnn);
  return rnn->skips && pseudo_layer < rnn->directions ? 0 : uwdnn_rnn_input(rnn, pseudo_layer / rnn->directions);
}

int64_t uwdnn_rnn_matrix(const uwdnn_rnn *rnn, int pseudo_layer, int of) {
  const int64_t width = (int64_t)rnn->hidden * uwdnn_rnn_gates(rnn);
  int64_t at = 0;
  for (int i = 0; i <= pseudo_layer; i++)
    for (int j = 0; j < (i < pseudo_layer ? 3 : of); j++)
      at += (j == 2 ? rnn->projected : width) * uwdnn_rnn_columns(rnn, i, j);
  return at;
}

int64_t uwdnn_rnn_bias(const uwdnn_rnn *rnn, int pseudo_layer, int of) {
  const int64_t width = (int64_t)rnn->hidden * uwdnn_rnn_gates(rnn);
  if (of == 2 || !has_bias(rnn, of))
    return -1;
  return uwdnn_rnn_matrix(rnn, rnn->layers * rnn->directions, 0) +
         width * (pseudo_layer * (has_bias(rnn, 0) + has_bias(rnn, 1)) + (of && has_bias(rnn, 0)));
}

int64_t uwdnn_rnn_weights(const uwdnn_rnn *rnn) {
  const int all = rnn->layers * rnn->directions;
  return uwdnn_rnn_matrix(rnn, all, 0) +
         (int64_t)rnn->hidden * uwdnn_rnn_gates(rnn) * all * (has_bias(rnn, 0) + has_bias(rnn, 1));
}

static int64_t kept_of(const uwdnn_rnn *rnn) {
  const int64_t of_hidden = uwdnn_rnn_gates(rnn) + (rnn->mode == CUDNN_LSTM ? 2 : rnn->mode == CUDNN_GRU);
  return (of_hidden + (rnn->projected > 0)) * rnn->hidden + (1 + (rnn->projected > 0)) * uwdnn_rnn_state(rnn);
}

static int drops(const uwdnn_rnn *rnn) {
  return rnn->dropout.probability > 0 && rnn->dropout.states && rnn->layers > 1;
}

size_t uwdnn_rnn_reserve_bytes(const uwdnn_rnn *rnn, int64_t rows) {
  const int64_t output = uwdnn_rnn_state(rnn) * rnn->directions;
  const int64_t numbers = rnn->layers * (rnn->directions * kept_of(rnn) + output) * rows;
  return (size_t)numbers * uwdnn_type_bytes(number_of(rnn)) + (size_t)(drops(rnn) * (rnn->layers - 1) * output * rows);
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

static int length_of(const uwdnn_rnn_call *call, int64_t sequence) {
  return call->differ ? call->lengths[sequence] : call->x.steps;
}

/* The longest first; those of one length stay in order. */
static void sort(const uwdnn_rnn_call *call, network *n) {
  int64_t at = 0;
  for (int length = call->x.steps; length >= 0; length--) {
    for (int64_t b = 0; b < n->batch; b++)
      if (length_of(call, b) == length)
        n->order[at++] = b;
    if (length)
      n->counts[length - 1] = at;
  }
  n->rows = 0;
  for (int64_t t = 0; t < n->steps; t++) {
    n->firsts[t] = n->rows;
    n->rows += n->counts[t];
  }
}

/* Where a row of the program's tensor begins, in bytes. */
static int64_t place_of(const network *n, const uwdnn_rnn_rows *rows, int64_t t, int64_t b) {
  int64_t row = n->firsts[t] + b;
  if (rows->layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED)
    row = t * n->batch + n->order[b];
  if (rows->layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED)
    row = n->order[b] * n->steps + t;
  return row * rows->width * (int64_t)uwdnn_type_bytes(rows->type);
}

static void gather_rows(const network *n, const uwdnn_rnn_rows *rows, const void *at, cudnnDataType_t number,
                        void *to) {
#pragma omp parallel for if (n->rows * rows->width > 16384)
  for (int64_t t = 0; t < n->steps; t++)
    for (int64_t b = 0; b < n->counts[t]; b++) {
      char *into = (char *)to + (n->firsts[t] + b) * rows->width * (int64_t)uwdnn_type_bytes(number);
      const char *from = (const char *)at + place_of(n, rows, t, b);
      if (rows->type == number)
        memcpy(into, from, (size_t)rows->width * uwdnn_type_bytes(number));
      else
        uwdnn_load_row(rows->type, from, 1, rows->width, number == CUDNN_DATA_DOUBLE, into);
    }
}

static uwdnn_view flat(cudnnDataType_t type, int64_t count) {
  return (uwdnn_view){.type = type, .rank = 1, .vector = 1, .dims = {count}, .strides = {1}};
}

static void scatter_rows(const network *n, const uwdnn_rnn_rows *rows, const void *from, cudnnDataType_t number,
                         void *at) {
  const uwdnn_view row = flat(rows->type, rows->width), all = flat(rows->type, n->steps * n->batch * rows->width);
  if (rows->has_fill && rows->layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED)
    uwdnn_blend(&all, at, CUDNN_DATA_FLOAT, NULL, rows->fill, 0);
  for (int64_t t = 0; t < n->steps; t++)
    for (int64_t b = 0; b < n->counts[t]; b++)
      uwdnn_blend(&row, (char *)at + place_of(n, rows, t, b), number,
                  (const char *)from + (n->firsts[t] + b) * rows->width * (int64_t)uwdnn_type_bytes(number), 1, 0);
}

/* One sequence's state in one pseudo-layer, of the program's tensor. */
static uwdnn_view state_view(const uwdnn_view *view) {
  return (uwdnn_view){
      .type = view->type, .rank = 1, .vector = 1, .dims = {view->dims[2]}, .strides = {view->strides[2]}};
}

static char *state_at(const network *n, const uwdnn_view *view, const void *at, int64_t i) {
  const int64_t place = i / n->batch * view->strides[0] + n->order[i % n->batch] * view->strides[1];
  return (char *)at + place * (int64_t)uwdnn_type_bytes(view->type);
}

static void load_states(const network *n, const uwdnn_view *view, const void *at, int64_t width, cudnnDataType_t number,
                        void *to) {
  const int64_t count = n->rnn->layers * n->rnn->directions * n->batch;
  const int64_t bytes = width * (int64_t)uwdnn_type_bytes(number);
  if (!at)
    memset(to, 0, (size_t)(count * bytes));
  const uwdnn_view one = at ? state_view(view) : (uwdnn_view){0};
  for (int64_t i = 0; at && i < count; i++)
    uwdnn_gather(&one, state_at(n, view, at, i), number, (char *)to + i * bytes);
}

static void store_states(const network *n, const uwdnn_view *view, void *at, int64_t width, cudnnDataType_t number,
                         const void *from) {
  const int64_t count = n->rnn->layers * n->rnn->directions * n->batch;
  const int64_t bytes = width * (int64_t)uwdnn_type_bytes(number);
  const uwdnn_view one = at ? state_view(view) : (uwdnn_view){0};
  for (int64_t i = 0; at && i < count; i++)
    uwdnn_blend(&one, state_at(n, view, at, i), number, (const char *)from + i * bytes, 1, 0);
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

static char *take(char **from, size_t bytes) {
  char *taken = *from;
  *from += (bytes + 63) / 64 * 64;
  return taken;
}

static void open_reserve(network *n, void *reserve, size_t number, int has_passes) {
  const int64_t pseudo = n->rnn->layers * n->rnn->directions;
  n->kept = reserve;
  n->outputs = (char *)n->kept + (size_t)(pseudo * n->kept_rows * n->rows) * number;
  n->passes = has_passes ? (unsigned char *)n->outputs + (size_t)(n->rnn->layers * n->rows * n->output) * number : NULL;
}

/* The states come first in memory: h, then c. */
static char *prepare(network *n, const uwdnn_rnn_call *call, size_t number, size_t *state_bytes) {
  const uwdnn_rnn *rnn = &call->rnn;
  *n = (network){.rnn = rnn, .hidden = rnn->hidden, .gates = uwdnn_rnn_gates(rnn), .batch = call->x.batch};
  n->state = uwdnn_rnn_state(rnn);
  n->output = n->state * rnn->directions;
  n->steps = call->x.steps;
  n->kept_rows = kept_of(rnn);
  *state_bytes = ((size_t)(rnn->layers * rnn->directions * n->hidden * n->batch) * number + 63) / 64 * 64;
  const size_t slope_bytes = (size_t)(rnn->projected ? n->batch * n->hidden : 0) * number;
  const size_t step_bytes = (size_t)(n->batch * n->hidden * n->gates) * number;
  const size_t most = call->pass == UWDNN_RNN_INFERENCE ? uwdnn_rnn_reserve_bytes(rnn, n->steps * n->batch) : 0;
  char *memory = uwdnn_memory(UWL_SCRATCH_WORK, 2 * *state_bytes + step_bytes + slope_bytes + most +
                                                    (size_t)(2 * n->steps + n->batch) * sizeof(int64_t) + 7 * 64);
  char *states = take(&memory, 2 * *state_bytes);
  n->step = take(&memory, step_bytes);
  n->slopes = take(&memory, slope_bytes);
  n->counts = (int64_t *)(void *)take(&memory, (size_t)n->steps * sizeof(int64_t));
  n->firsts = (int64_t *)(void *)take(&memory, (size_t)n->steps * sizeof(int64_t));
  n->order = (int64_t *)(void *)take(&memory, (size_t)n->batch * sizeof(int64_t));
  sort(call, n);
  open_reserve(n, call->pass == UWDNN_RNN_INFERENCE ? memory : call->reserve, number,
               drops(rnn) && call->pass != UWDNN_RNN_INFERENCE);
  return states;
}

static const void *input_rows(const network *n, const uwdnn_rnn_call *call, cudnnDataType_t number) {
  if (call->x.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED && call->x.type == number)
    return call->x_at;
  void *rows = uwdnn_memory(UWL_SCRATCH_A, (size_t)(n->rows * call->x.width) * uwdnn_type_bytes(number));
  gather_rows(n, &call->x, call->x_at, number, rows);
  return rows;
}

static void *weights(const uwdnn_rnn_call *call, cudnnDataType_t number) {
  if (call->rnn.type == number)
    return call->w;
  const uwdnn_view all = flat(call->rnn.type, uwdnn_rnn_weights(&call->rnn));
  void *made = uwdnn_memory(UWL_SCRATCH_C, (size_t)all.dims[0] * uwdnn_type_bytes(number));
  uwdnn_gather(&all, call->w, number, made);
  return made;
}

static void forward(const uwdnn_rnn_call *call, network *n, cudnnDataType_t number, void *h, void *c) {
  const void *x = input_rows(n, call, number), *w = weights(call, number);
  if (number == CUDNN_DATA_DOUBLE)
    all_forward_d(n, w, x, h, c);
  else
    all_forward_f(n, w, x, h, c);
  const int64_t last = (n->rnn->layers - 1) * n->rows * n->output;
  scatter_rows(n, &call->y, (char *)n->outputs + (size_t)last * uwdnn_type_bytes(number), number, call->y_at);
}

static void backward(const uwdnn_rnn_call *call, network *n, cudnnDataType_t number, void *dh, void *dc) {
  const size_t bytes = uwdnn_type_bytes(number), wide = (size_t)(n->rows * n->output) * bytes;
  void *dx = uwdnn_memory(UWL_SCRATCH_A, (size_t)(n->rows * call->x.width) * bytes), *w = weights(call, number);
  char *dy = uwdnn_memory(UWL_SCRATCH_B, 2 * wide);
  gather_rows(n, &call->y, call->y_at, number, dy);
  if (number == CUDNN_DATA_DOUBLE)
    all_back_d(n, w, dx, (void *)dy, (void *)(dy + wide), dh, dc);
  else
    all_back_f(n, w, dx, (void *)dy, (void *)(dy + wide), dh, dc);
  scatter_rows(n, &call->x, dx, number, call->x_at);
}

static void add_weights(const uwdnn_rnn_call *call, network *n, cudnnDataType_t number) {
  const void *x = input_rows(n, call, number);
  void *dw = weights(call, number);
  if (number == CUDNN_DATA_DOUBLE)
    all_weights_d(n, dw, x);
  else
    all_weights_f(n, dw, x);
  const uwdnn_view all = flat(call->rnn.type, uwdnn_rnn_weights(&call->rnn));
  if (dw != call->w)
    uwdnn_blend(&all, call->w, number, dw, 1, 0);
}

void uwdnn_rnn_work(const uwdnn_rnn_call *call) {
  const cudnnDataType_t number = number_of(&call->rnn);
  network n;
  size_t state_bytes;
  char *h = prepare(&n, call, uwdnn_type_bytes(number), &state_bytes), *c = h + state_bytes;
  if (call->pass == UWDNN_RNN_WEIGHTS) {
    add_weights(call, &n, number);
    return;
  }
  load_states(&n, &call->hx, call->hx_at, n.state, number, h);
  load_states(&n, &call->cx, call->cx_at, n.hidden, number, c);
  if (call->pass == UWDNN_RNN_DATA)
    backward(call, &n, number, h, c);
  else
    forward(call, &n, number, h, c);
  store_states(&n, &call->hy, call->hy_at, n.state, number, h);
  store_states(&n, &call->cy, call->cy_at, n.hidden, number, c);
}
