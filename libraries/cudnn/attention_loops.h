/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Attention's loops, for NUMBER float and double (attention_work.c includes this for each, after row_loops.h). Rows
 * stand by sequence and step; a head's part of a row begins at head * part, where part is 0 if there is no
 * projection. */

/* The weights of one step, from its products with the keys; what is not seen weighs 0. */
static void NAME(softmax)(NUMBER *row, int64_t keys, int64_t first, int64_t end, NUMBER scaler) {
  NUMBER most = -(NUMBER)INFINITY, sum = 0;
  for (int64_t i = first; i < end; i++)
    most = row[i] * scaler > most ? row[i] * scaler : most;
  for (int64_t i = 0; i < keys; i++)
    row[i] = i < first || i >= end ? 0 : EXP(row[i] * scaler - most);
  for (int64_t i = first; i < end; i++)
    sum += row[i];
  for (int64_t i = first; i < end; i++)
    row[i] /= sum;
}

/* The weights without what is dropped: a copy, or the weights themselves. */
static const NUMBER *NAME(dropped)(const plan *p, int64_t at, NUMBER *copy) {
  const NUMBER *weights = (const NUMBER *)p->alpha + at;
  const double probability = p->of->dropout.probability;
  const NUMBER scale = (NUMBER)(probability < 1 ? 1 / (1 - probability) : 0);
  if (!p->passes)
    return weights;
  for (int64_t i = 0; i < p->steps * p->keys; i++)
    copy[i] = p->passes[at + i] ? weights[i] * scale : 0;
  return copy;
}

/* One head of one sequence of queries. spare: as much as its weights. */
static void NAME(attend)(const plan *p, int64_t sequence, int64_t head, NUMBER *spare) {
  const int64_t T = p->steps, group = sequence / p->per_group, at = (sequence * p->heads + head) * T * p->keys;
  const NUMBER *q = (const NUMBER *)p->rows[UWDNN_Q] + sequence * T * p->row[UWDNN_Q] + head * p->part[UWDNN_Q];
  const NUMBER *k = (const NUMBER *)p->rows[UWDNN_K] + group * p->keys * p->row[UWDNN_K] + head * p->part[UWDNN_K];
  const NUMBER *v = (const NUMBER *)p->rows[UWDNN_V] + group * p->keys * p->row[UWDNN_V] + head * p->part[UWDNN_V];
  NUMBER *alpha = (NUMBER *)p->alpha + at;
  const int64_t width = p->width[UWDNN_V], all = p->heads * width;
  NAME(gemm)(0, 1, T, p->keys, p->width[UWDNN_Q], q, p->row[UWDNN_Q], k, p->row[UWDNN_K], 0, alpha, p->keys);
  for (int64_t t = 0; t < T; t++) {
    int64_t first, end;
    window_of(p, sequence, t, &first, &end);
    NAME(softmax)(alpha + t * p->keys, p->keys, first, end, (NUMBER)p->of->scaler);
  }
  NAME(gemm)(0, 0, T, width, p->keys, NAME(dropped)(p, at, spare), p->keys, v, p->row[UWDNN_V], 0,
             (NUMBER *)p->results + sequence * T * all + head * width, all);
}

/* Its gradients, from that of its result; those of keys and values are added to. spare: twice as much. */
static void NAME(attend_back)(const plan *p, int64_t sequence, int64_t head, const NUMBER *dresults, NUMBER *spare) {
  const int64_t T = p->steps, group = sequence / p->per_group, at = (sequence * p->heads + head) * T * p->keys;
  const int64_t width = p->width[UWDNN_Q], wide = p->width[UWDNN_V], all = p->heads * width, result = p->heads * wide;
  const NUMBER *q = (const NUMBER *)p->rows[UWDNN_Q] + sequence * T * p->row[UWDNN_Q] + head * p->part[UWDNN_Q];
  const NUMBER *k = (const NUMBER *)p->rows[UWDNN_K] + group * p->keys * p->row[UWDNN_K] + head * p->part[UWDNN_K];
  const NUMBER *v = (const NUMBER *)p->rows[UWDNN_V] + group * p->keys * p->row[UWDNN_V] + head * p->part[UWDNN_V];
  const NUMBER *d = dresults + sequence * T * result + head * wide, *alpha = (const NUMBER *)p->alpha + at;
  NUMBER *dq = (NUMBER *)p->slopes[UWDNN_Q] + sequence * T * all + head * width;
  NUMBER *dk = (NUMBER *)p->slopes[UWDNN_K] + group * p->keys * all + head * width;
  NUMBER *dv = (NUMBER *)p->slopes[UWDNN_V] + group * p->keys * result + head * wide, *slopes = spare + T * p->keys;
  const double probability = p->of->dropout.probability;
  const NUMBER scale = (NUMBER)(!p->passes ? 1 : probability < 1 ? 1 / (1 - probability) : 0);
  NAME(gemm)(1, 0, p->keys, wide, T, NAME(dropped)(p, at, spare), p->keys, d, result, 1, dv, result);
  NAME(gemm)(0, 1, T, p->keys, wide, d, result, v, p->row[UWDNN_V], 0, slopes, p->keys);
  for (int64_t t = 0; t < T; t++) {
    NUMBER *slope = slopes + t * p->keys, sum = 0;
    const NUMBER *weights = alpha + t * p->keys;
    for (int64_t i = 0; i < p->keys; i++) {
      slope[i] = p->passes && !p->passes[at + t * p->keys + i] ? 0 : slope[i] * scale;
      sum += slope[i] * weights[i];
    }
    for (int64_t i = 0; i < p->keys; i++)
      slope[i] = weights[i] * (slope[i] - sum) * (NUMBER)p->of->scaler;
  }
  NAME(gemm)(0, 0, T, width, p->keys, slopes, p->keys, k, p->row[UWDNN_K], 0, dq, all);
  NAME(gemm)(1, 0, p->keys, width, T, slopes, p->keys, q, p->row[UWDNN_Q], 1, dk, all);
}

/* Sequences that share keys stay together, as they add to the same gradients. */
static void NAME(attend_all)(const plan *p, const NUMBER *dresults, NUMBER *spare) {
  const int64_t one = p->steps * p->keys;
#pragma omp parallel for collapse(2)
  for (int64_t group = 0; group < p->groups; group++)
    for (int64_t head = 0; head < p->heads; head++)
      for (int64_t i = group * p->per_group; i < (group + 1) * p->per_group; i++)
        if (dresults)
          NAME(attend_back)(p, i, head, dresults, spare + 2 * (i * p->heads + head) * one);
        else
          NAME(attend)(p, i, head, spare + (p->passes ? (i * p->heads + head) * one : 0));
}

/* Rows of q, k or v as the heads have them. */
static void NAME(project)(const plan *p, int which, const NUMBER *w, const NUMBER *x) {
  const int64_t size = p->of->size[which], all = p->heads * p->width[which], count = p->counts[which];
  const int bias = UWDNN_QKVO + which;
  NUMBER *to = p->rows[which];
  NAME(gemm)(0, 1, count, all, size, x, size, w + uwdnn_attention_first(p->of, which), size, 0, to, all);
  if (uwdnn_attention_count(p->of, bias))
    NAME(add_bias)(to, count, all, w + uwdnn_attention_first(p->of, bias));
}

/* The output's rows from the heads' results. */
static void NAME(combine)(const plan *p, const NUMBER *w, NUMBER *out) {
  const int64_t width = p->width[UWDNN_V], all = p->heads * width, rows = p->counts[UWDNN_Q];
  const int bias = UWDNN_QKVO + UWDNN_O;
  const NUMBER *matrix = w + uwdnn_attention_first(p->of, UWDNN_O), *results = p->results;
  if (!p->of->projected[UWDNN_O]) {
    memcpy(out, results, (size_t)(rows * all) * sizeof *out);
    return;
  }
  for (int64_t head = 0; head < p->heads; head++)
    NAME(gemm)(0, 1, rows, p->output, width, results + head * width, all, matrix + head * p->output * width, width,
               head ? 1 : 0, out, p->output);
  if (uwdnn_attention_count(p->of, bias))
    NAME(add_bias)(out, rows, p->output, w + uwdnn_attention_first(p->of, bias));
}

/* The gradient of the heads' results: room, or dout itself. */
static const NUMBER *NAME(combine_back)(const plan *p, const NUMBER *w, const NUMBER *dout, NUMBER *room) {
  const int64_t width = p->width[UWDNN_V], all = p->heads * width;
  const NUMBER *matrix = w + uwdnn_attention_first(p->of, UWDNN_O);
  if (!p->of->projected[UWDNN_O])
    return dout;
  for (int64_t head = 0; head < p->heads; head++)
    NAME(gemm)(0, 0, p->counts[UWDNN_Q], width, p->output, dout, p->output, matrix + head * p->output * width, width, 0,
               room + head * width, all);
  return room;
}

/* The gradient of q's, k's or v's own rows. */
static void NAME(project_back)(const plan *p, int which, const NUMBER *w, NUMBER *x) {
  const int64_t size = p->of->size[which], all = p->heads * p->width[which], count = p->counts[which];
  const NUMBER *slopes = p->slopes[which];
  if (p->of->projected[which]) {
    NAME(gemm)(0, 0, count, size, all, slopes, all, w + uwdnn_attention_first(p->of, which), size, 0, x, size);
    return;
  }
  for (int64_t row = 0; row < count; row++)
    for (int64_t i = 0; i < size; i++) {
      NUMBER sum = 0;
      for (int64_t head = 0; head < p->heads; head++)
        sum += slopes[row * all + head * size + i];
      x[row * size + i] = sum;
    }
}

/* Adds to the gradients of one projection's weights. */
static void NAME(weigh)(const plan *p, int which, NUMBER *dw, const NUMBER *x) {
  const int64_t size = p->of->size[which], all = p->heads * p->width[which], count = p->counts[which];
  const int bias = UWDNN_QKVO + which;
  if (!p->of->projected[which])
    return;
  NAME(gemm)(1, 0, all, size, count, p->slopes[which], all, x, size, 1, dw + uwdnn_attention_first(p->of, which), size);
  if (uwdnn_attention_count(p->of, bias))
    NAME(sum_rows)(p->slopes[which], count, all, all, dw + uwdnn_attention_first(p->of, bias));
}

static void NAME(weigh_output)(const plan *p, NUMBER *dw, const NUMBER *dout) {
  const int64_t width = p->width[UWDNN_V], all = p->heads * width, rows = p->counts[UWDNN_Q];
  const int bias = UWDNN_QKVO + UWDNN_O;
  NUMBER *matrix = dw + uwdnn_attention_first(p->of, UWDNN_O);
  for (int64_t head = 0; p->of->projected[UWDNN_O] && head < p->heads; head++)
    NAME(gemm)(1, 0, p->output, width, rows, dout, p->output, (const NUMBER *)p->results + head * width, all, 1,
               matrix + head * p->output * width, width);
  if (uwdnn_attention_count(p->of, bias))
    NAME(sum_rows)(dout, rows, p->output, p->output, dw + uwdnn_attention_first(p->of, bias));
}

static void NAME(add_rows)(NUMBER *to, const NUMBER *from, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    to[i] += from[i];
}
