/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: multi-head attention's work, by GEMM: one for each projection, two for each head of each sequence. Rows of
 * steps that a sequence has not, and keys and values that no step sees, are never read; they are zeros here. */
#include <math.h>
#include <string.h>

#include "../cublas/blas.h"
#include "attention.h"
#include "dropout.h"
#include "elements.h"

enum {
  TIME = CUDNN_SEQDATA_TIME_DIM,
  BATCH = CUDNN_SEQDATA_BATCH_DIM,
  BEAM = CUDNN_SEQDATA_BEAM_DIM,
  VECTOR = CUDNN_SEQDATA_VECT_DIM
};

/* By q, k and v: counts of rows, numbers in a row and in a head's part of one (and from one to the next). */
typedef struct plan {
  const uwdnn_attention_call *call;
  const uwdnn_attention *of;
  int64_t heads, sequences, groups, per_group, steps, first, keys, output; /* groups: sequences of keys */
  int64_t counts[UWDNN_O], row[UWDNN_O], part[UWDNN_O], width[UWDNN_O];
  int trains;
  void *rows[UWDNN_O], *slopes[UWDNN_O], *alpha, *results; /* alpha: the softmax's; results: of the heads */
  int *lengths, *key_lengths;
  unsigned char *passes, *post; /* null: nothing is dropped */
} plan;

/* What step t of a sequence sees. */
static void window_of(const plan *p, int64_t sequence, int64_t t, int64_t *first, int64_t *end) {
  const int length = p->key_lengths[sequence / p->per_group], from = p->call->windows[t];
  const int to = p->call->windows[p->steps + t];
  *first = from > 0 ? from : 0;
  *end = p->first + t >= p->lengths[sequence] ? 0 : to < length ? to : length;
}

#define NUMBER float
#define NAME(name) name##_f
#define GEMM sgemm_
#define EXP expf
#include "row_loops.h"
#include "attention_loops.h"
#undef NUMBER
#undef NAME
#undef GEMM
#undef EXP
#define NUMBER double
#define NAME(name) name##_d
#define GEMM dgemm_
#define EXP exp
#include "row_loops.h"
#include "attention_loops.h"
#undef NUMBER
#undef NAME

/* The loop for the numbers that are computed with. */
#define EITHER(name, ...) (number_of(p->of) == CUDNN_DATA_DOUBLE ? name##_d(__VA_ARGS__) : name##_f(__VA_ARGS__))

static cudnnDataType_t number_of(const uwdnn_attention *of) {
  return of->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static plan plan_of(const uwdnn_attention *of, int64_t batch, int64_t beams, int64_t steps, int64_t keys, int trains) {
  const int shares = !(of->mode & CUDNN_ATTN_QUERYMAP_ONE_TO_ONE);
  plan p = {.of = of, .heads = of->heads, .sequences = batch * beams, .steps = steps, .keys = keys, .trains = trains};
  p.per_group = shares ? beams : 1;
  p.groups = p.sequences / p.per_group;
  p.output = uwdnn_attention_output(of);
  for (int i = 0; i < UWDNN_O; i++) {
    p.counts[i] = i == UWDNN_Q ? p.sequences * steps : p.groups * keys;
    p.width[i] = uwdnn_attention_width(of, i);
    p.part[i] = of->projected[i];
    p.row[i] = of->projected[i] ? p.heads * p.width[i] : p.width[i];
  }
  return p;
}

static int64_t weights_of(const plan *p) { return p->sequences * p->heads * p->steps * p->keys; }

/* The next piece of memory; without any, only the bytes are counted. */
static void *take(char *memory, size_t *bytes, int64_t count, size_t each) {
  void *taken = memory ? memory + *bytes : NULL;
  *bytes += ((size_t)count * each + 63) / 64 * 64;
  return taken;
}

/* What passes keep for others; bytes. */
static size_t divide(plan *p, char *memory) {
  const size_t number = uwdnn_type_bytes(number_of(p->of));
  size_t bytes = 0;
  for (int i = 0; i < UWDNN_O; i++)
    p->rows[i] = take(memory, &bytes, p->counts[i] * p->row[i], number);
  p->alpha = take(memory, &bytes, weights_of(p), number);
  p->results = take(memory, &bytes, p->counts[UWDNN_Q] * p->heads * p->width[UWDNN_V], number);
  p->lengths = take(memory, &bytes, p->sequences, sizeof(int));
  p->key_lengths = take(memory, &bytes, p->groups, sizeof(int));
  for (int i = 0; p->trains && i < UWDNN_O; i++)
    p->slopes[i] = take(memory, &bytes, p->counts[i] * p->heads * p->width[i], number);
  if (p->trains && p->of->dropout.probability > 0)
    p->passes = take(memory, &bytes, weights_of(p), 1);
  if (p->trains && p->of->post.probability > 0)
    p->post = take(memory, &bytes, p->counts[UWDNN_Q] * p->output, 1);
  return bytes;
}

size_t uwdnn_attention_reserve_bytes(const uwdnn_attention *of, int64_t batch, int64_t beams, int64_t queries,
                                     int64_t keys) {
  plan p = plan_of(of, batch, beams, queries, keys, 1);
  return divide(&p, NULL);
}

static void take_lengths(int *to, const int *from, int64_t count, int most) {
  for (int64_t i = 0; i < count; i++)
    to[i] = from[i] < 0 ? 0 : from[i] > most ? most : from[i];
}

static plan open_plan(const uwdnn_attention_call *call) {
  const int *q = call->of[UWDNN_Q].dims, *k = call->of[UWDNN_K].dims;
  plan p = plan_of(&call->attention, q[BATCH], q[BEAM], call->step < 0 ? q[TIME] : 1, k[TIME],
                   call->pass != UWDNN_ATTENTION_INFERENCE);
  p.call = call;
  p.first = call->step < 0 ? 0 : call->step;
  divide(&p, p.trains ? call->reserve : uwdnn_memory(UWL_SCRATCH_WORK, divide(&p, NULL)));
  if (call->pass != UWDNN_ATTENTION_WEIGHTS) {
    take_lengths(p.lengths, call->queries, p.sequences, q[TIME]);
    take_lengths(p.key_lengths, call->keys, p.groups, k[TIME]);
  }
  return p;
}

/* --- sequences ---------------------------------------------------------------------------------------------------- */

/* The steps of rows that are there: of sequence i, from *first to *end, of those that a plan works on. */
static void steps_of(const plan *p, int which, int64_t i, int64_t *first, int64_t *end) {
  const int is_q = which == UWDNN_Q || which == UWDNN_O;
  *first = 0;
  *end = is_q ? p->lengths[i] - p->first : p->key_lengths[i];
  *end = *end < 0 ? 0 : is_q && *end > p->steps ? p->steps : *end;
}

/* Those of keys and values that any step of a forward pass sees. */
static void seen_of(const plan *p, int64_t group, int64_t *first, int64_t *end) {
  *first = p->keys, *end = 0;
  for (int64_t i = group * p->per_group; i < (group + 1) * p->per_group; i++)
    for (int64_t t = 0; t < p->steps; t++) {
      int64_t from, to;
      window_of(p, i, t, &from, &to);
      *first = from < to && from < *first ? from : *first;
      *end = from < to && to > *end ? to : *end;
    }
}

/* Where step t of sequence i lies, in bytes. */
static int64_t place_of(const uwdnn_sequences *of, int64_t i, int64_t t) {
  const int64_t beams = of->dims[BEAM];
  return (i / beams * of->strides[BATCH] + i % beams * of->strides[BEAM] + t * of->strides[TIME]) *
         (int64_t)uwdnn_type_bytes(of->type);
}

static int64_t steps_in(const plan *p, int which) { return which == UWDNN_Q || which == UWDNN_O ? p->steps : p->keys; }
static int64_t sequences_in(const plan *p, int which) {
  return which == UWDNN_Q || which == UWDNN_O ? p->sequences : p->groups;
}
static int64_t first_in(const plan *p, int which) { return which == UWDNN_Q || which == UWDNN_O ? p->first : 0; }

static void gather_rows(const plan *p, int which, const uwdnn_sequences *of, const void *at, int only_seen, void *to) {
  const cudnnDataType_t number = number_of(p->of);
  const int64_t steps = steps_in(p, which), width = of->dims[VECTOR], bytes = width * (int64_t)uwdnn_type_bytes(number);
#pragma omp parallel for
  for (int64_t i = 0; i < sequences_in(p, which); i++) {
    int64_t first, end;
    (only_seen ? seen_of(p, i, &first, &end) : steps_of(p, which, i, &first, &end));
    for (int64_t t = 0; t < steps; t++) {
      char *into = (char *)to + (i * steps + t) * bytes;
      const char *from = (const char *)at + place_of(of, i, first_in(p, which) + t);
      if (t < first || t >= end)
        memset(into, 0, (size_t)bytes);
      else
        uwdnn_load_row(of->type, from, of->strides[VECTOR], width, number == CUDNN_DATA_DOUBLE, into);
    }
  }
}

static void scatter_rows(const plan *p, int which, const uwdnn_sequences *of, const void *from, void *at) {
  const cudnnDataType_t number = number_of(p->of);
  const int64_t steps = steps_in(p, which), width = of->dims[VECTOR], bytes = width * (int64_t)uwdnn_type_bytes(number);
  const uwdnn_view row = {.type = of->type, .rank = 1, .vector = 1, .dims = {width}, .strides = {of->strides[VECTOR]}};
#pragma omp parallel for
  for (int64_t i = 0; i < sequences_in(p, which); i++) {
    int64_t first, end;
    steps_of(p, which, i, &first, &end);
    for (int64_t t = 0; t < steps; t++) {
      char *to = (char *)at + place_of(of, i, first_in(p, which) + t);
      if (t >= first && t < end)
        uwdnn_blend(&row, to, number, (const char *)from + (i * steps + t) * bytes, 1, 0);
      else if (of->has_fill)
        uwdnn_blend(&row, to, CUDNN_DATA_FLOAT, NULL, of->fill, 0);
    }
  }
}

/* --- the work ----------------------------------------------------------------------------------------------------- */

static uwdnn_view weight_view(const uwdnn_attention *of) {
  return (uwdnn_view){.type = of->type,
                      .rank = 1,
                      .vector = 1,
                      .dims = {uwdnn_attention_first(of, CUDNN_ATTN_WKIND_COUNT)},
                      .strides = {1}};
}

static void *weights(const plan *p, const void *at) {
  const uwdnn_view all = weight_view(p->of);
  const cudnnDataType_t number = number_of(p->of);
  if (p->of->type == number || !all.dims[0])
    return (void *)at;
  void *made = uwdnn_memory(UWL_SCRATCH_C, (size_t)all.dims[0] * uwdnn_type_bytes(number));
  uwdnn_gather(&all, at, number, made);
  return made;
}

/* Rows of inputs, outputs or of their gradients: the widest of all. */
static void *room(const plan *p, int slot, int64_t more) {
  int64_t most = p->counts[UWDNN_Q] * p->output;
  for (int i = 0; i < UWDNN_O; i++)
    most = p->counts[i] * p->of->size[i] > most ? p->counts[i] * p->of->size[i] : most;
  return uwdnn_memory(slot, (size_t)(most + more) * uwdnn_type_bytes(number_of(p->of)));
}

static void drop_rows(const plan *p, void *rows) {
  if (p->post)
    EITHER(drop, rows, p->counts[UWDNN_Q] * p->output, p->post, p->of->post.probability);
}

static void take_inputs(const plan *p, const void *w) {
  for (int i = 0; i < UWDNN_O; i++) {
    void *x = p->of->projected[i] ? room(p, UWL_SCRATCH_A, 0) : p->rows[i];
    gather_rows(p, i, &p->call->of[i], p->call->at[i], i != UWDNN_Q, x);
    if (p->of->projected[i])
      EITHER(project, p, i, w, x);
  }
}

static void forward(const plan *p) {
  const uwdnn_attention_call *call = p->call;
  const void *w = weights(p, call->weights);
  take_inputs(p, w);
  if (p->passes)
    uwdnn_draw(p->of->dropout.states, p->of->dropout.probability, weights_of(p), p->passes);
  if (p->post)
    uwdnn_draw(p->of->post.states, p->of->post.probability, p->counts[UWDNN_Q] * p->output, p->post);
  const size_t spare = p->passes ? (size_t)weights_of(p) * uwdnn_type_bytes(number_of(p->of)) : 1;
  EITHER(attend_all, p, NULL, uwdnn_memory(UWL_SCRATCH_B, spare));
  void *out = room(p, UWL_SCRATCH_A, 0);
  EITHER(combine, p, w, out);
  drop_rows(p, out);
  if (call->residuals) {
    void *more = room(p, UWL_SCRATCH_B, 0);
    gather_rows(p, UWDNN_Q, &call->of[UWDNN_Q], call->residuals, 0, more);
    EITHER(add_rows, out, more, p->counts[UWDNN_Q] * p->output);
  }
  scatter_rows(p, UWDNN_O, &call->of[UWDNN_O], out, call->result);
}

static void backward(const plan *p) {
  const uwdnn_attention_call *call = p->call;
  const size_t number = uwdnn_type_bytes(number_of(p->of));
  const void *w = weights(p, call->weights);
  const int64_t results = p->counts[UWDNN_Q] * p->heads * p->width[UWDNN_V];
  void *rows = room(p, UWL_SCRATCH_A, 0);
  char *more = uwdnn_memory(UWL_SCRATCH_B, (size_t)(results + 2 * weights_of(p)) * number);
  gather_rows(p, UWDNN_O, &call->of[UWDNN_O], call->at[UWDNN_O], 0, rows);
  drop_rows(p, rows);
  for (int i = UWDNN_K; i <= UWDNN_V; i++)
    memset(p->slopes[i], 0, (size_t)(p->counts[i] * p->heads * p->width[i]) * number);
  void *const spare = more + (size_t)results * number;
  if (number == sizeof(double))
    attend_all_d(p, combine_back_d(p, w, rows, (void *)more), spare);
  else
    attend_all_f(p, combine_back_f(p, w, rows, (void *)more), spare);
  for (int i = 0; i < UWDNN_O; i++) {
    EITHER(project_back, p, i, w, rows);
    scatter_rows(p, i, &call->of[i], rows, call->dqkv[i]);
  }
}

static void weigh_all(const plan *p) {
  const uwdnn_attention_call *call = p->call;
  const uwdnn_view all = weight_view(p->of);
  const cudnnDataType_t number = number_of(p->of);
  void *rows = room(p, UWL_SCRATCH_A, 0), *dw;
  if (!all.dims[0])
    return;
  if (call->sets)
    memset(call->result, 0, (size_t)all.dims[0] * uwdnn_type_bytes(all.type));
  dw = weights(p, call->result);
  for (int i = 0; i < UWDNN_O; i++) {
    gather_rows(p, i, &call->of[i], call->at[i], 0, rows);
    EITHER(weigh, p, i, dw, rows);
  }
  gather_rows(p, UWDNN_O, &call->of[UWDNN_O], call->at[UWDNN_O], 0, rows);
  drop_rows(p, rows);
  EITHER(weigh_output, p, dw, rows);
  if (dw != call->result)
    uwdnn_blend(&all, call->result, number, dw, 1, 0);
}

void uwdnn_attention_work(const uwdnn_attention_call *call) {
  const plan p = open_plan(call);
  if (call->pass == UWDNN_ATTENTION_DATA)
    backward(&p);
  else if (call->pass == UWDNN_ATTENTION_WEIGHTS)
    weigh_all(&p);
  else
    forward(&p);
}
