/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Recurrent networks' loops, for NUMBER float and double (rnn_work.c includes this for each, after row_loops.h). One
 * pseudo-layer at a time: the input's products of all steps are one GEMM, the recurrent ones one for each step. What a
 * pseudo-layer keeps, each for all rows: gates (after their functions; backward puts their gradients there), h before
 * the step, and for LSTM c before and after it, for GRU the new gate's recurrent sum (backward: its gradient). */

static NUMBER NAME(sigmoid)(NUMBER x) { return 1 / (1 + EXP(-x)); }

/* LSTM's c within its limits; NaN stays only where it is kept. */
static NUMBER NAME(clip)(const uwdnn_rnn *rnn, NUMBER c) {
  if (!rnn->clips || (c != c && rnn->clip_nan))
    return c;
  return c > (NUMBER)rnn->most ? (NUMBER)rnn->most : c > (NUMBER)rnn->least ? c : (NUMBER)rnn->least;
}
static int NAME(is_clipped)(const uwdnn_rnn *rnn, NUMBER c) {
  return rnn->clips && (c >= (NUMBER)rnn->most || c <= (NUMBER)rnn->least);
}

/* One row of one step. in: the gates' sums of the input; again: the recurrent sums; both with their biases. h, c: the
 * state. */
static void NAME(cell)(const network *n, NUMBER *gates, const NUMBER *again, NUMBER *h, NUMBER *c, NUMBER *c_after,
                       NUMBER *kept) {
  const int64_t H = n->hidden;
  for (int64_t i = 0; i < H; i++)
    switch (n->rnn->mode) {
    case CUDNN_LSTM: {
      const NUMBER in = NAME(sigmoid)(gates[i] + again[i]), forget = NAME(sigmoid)(gates[H + i] + again[H + i]);
      const NUMBER fresh = TANH(gates[2 * H + i] + again[2 * H + i]);
      const NUMBER out = NAME(sigmoid)(gates[3 * H + i] + again[3 * H + i]);
      gates[i] = in, gates[H + i] = forget, gates[2 * H + i] = fresh, gates[3 * H + i] = out;
      c_after[i] = c[i] = NAME(clip)(n->rnn, forget * c[i] + in * fresh);
      h[i] = out * TANH(c[i]);
      break;
    }
    case CUDNN_GRU: {
      const NUMBER reset = NAME(sigmoid)(gates[i] + again[i]), update = NAME(sigmoid)(gates[H + i] + again[H + i]);
      const NUMBER fresh = TANH(gates[2 * H + i] + reset * again[2 * H + i]);
      gates[i] = reset, gates[H + i] = update, gates[2 * H + i] = fresh;
      kept[i] = again[2 * H + i];
      h[i] = (1 - update) * fresh + update * h[i];
      break;
    }
    case CUDNN_RNN_TANH: h[i] = gates[i] = TANH(gates[i] + again[i]); break;
    default: h[i] = gates[i] = gates[i] + again[i] > 0 ? gates[i] + again[i] : 0;
    }
}

/* The same backward: gates become the gradients of their sums, which again gets too where they differ; dh and dc are in
 * and out. */
static void NAME(cell_back)(const network *n, NUMBER *gates, NUMBER *again, NUMBER *dh, NUMBER *dc,
                            const NUMBER *h_before, const NUMBER *c_before, const NUMBER *c_after, NUMBER *kept) {
  const int64_t H = n->hidden;
  for (int64_t i = 0; i < H; i++)
    switch (n->rnn->mode) {
    case CUDNN_LSTM: {
      const NUMBER in = gates[i], forget = gates[H + i], fresh = gates[2 * H + i], out = gates[3 * H + i];
      const NUMBER t = TANH(c_after[i]);
      const NUMBER d = NAME(is_clipped)(n->rnn, c_after[i]) ? 0 : dc[i] + dh[i] * out * (1 - t * t);
      again[i] = gates[i] = d * fresh * in * (1 - in);
      again[H + i] = gates[H + i] = d * c_before[i] * forget * (1 - forget);
      again[2 * H + i] = gates[2 * H + i] = d * in * (1 - fresh * fresh);
      again[3 * H + i] = gates[3 * H + i] = dh[i] * t * out * (1 - out);
      dc[i] = d * forget;
      dh[i] = 0;
      break;
    }
    case CUDNN_GRU: {
      const NUMBER reset = gates[i], update = gates[H + i], fresh = gates[2 * H + i];
      const NUMBER d = dh[i] * (1 - update) * (1 - fresh * fresh);
      again[i] = gates[i] = d * kept[i] * reset * (1 - reset);
      again[H + i] = gates[H + i] = dh[i] * (h_before[i] - fresh) * update * (1 - update);
      gates[2 * H + i] = d;
      again[2 * H + i] = kept[i] = d * reset;
      dh[i] *= update;
      break;
    }
    case CUDNN_RNN_TANH:
      again[i] = gates[i] = dh[i] * (1 - gates[i] * gates[i]);
      dh[i] = 0;
      break;
    default: again[i] = gates[i] = gates[i] > 0 ? dh[i] : 0; dh[i] = 0;
    }
}

/* What a pseudo-layer keeps, each for all rows, and where its weights are. */
typedef struct NAME(part) {
  int64_t width, in, bias, bias2;
  int has_matrix;                                               /* of the input */
  NUMBER *gates, *before, *c_before, *c_after, *whole, *slopes; /* the last two: LSTM's h before it is projected, and
                                                                   its gradient after it */
} NAME(part);

static NAME(part) NAME(part_of)(const network *n, int pseudo) {
  const int64_t H = n->hidden;
  NAME(part) p = {.width = H * n->gates, .in = uwdnn_rnn_input(n->rnn, pseudo / n->rnn->directions)};
  p.bias = uwdnn_rnn_bias(n->rnn, pseudo, 0);
  p.bias2 = uwdnn_rnn_bias(n->rnn, pseudo, 1);
  p.has_matrix = uwdnn_rnn_columns(n->rnn, pseudo, 0) > 0;
  p.gates = (NUMBER *)n->kept + n->kept_rows * pseudo * n->rows;
  p.before = p.gates + n->rows * p.width;
  p.c_before = p.before + n->rows * n->state;
  p.c_after = p.c_before + n->rows * H;
  p.whole = p.c_after + n->rows * H;
  p.slopes = p.whole + n->rows * H;
  return p;
}

/* Without a matrix each gate's sum has the input itself. */
static void NAME(repeat)(NUMBER *gates, const NUMBER *x, int64_t rows, int64_t width, int64_t in) {
  for (int64_t row = 0; row < rows; row++)
    for (int64_t i = 0; i < width; i += in)
      memcpy(gates + row * width + i, x + row * in, (size_t)in * sizeof *x);
}
static void NAME(repeat_back)(const NUMBER *gates, NUMBER *dx, int64_t rows, int64_t width, int64_t in) {
  for (int64_t row = 0; row < rows; row++)
    for (int64_t i = 0; i < width; i++)
      dx[row * in + i % in] += gates[row * width + i];
}

/* x: all rows of the layer's input. y: where this direction's part of the layer's output begins. h, c: the states. */
static void NAME(layer)(const network *n, const NUMBER *w, int pseudo, const NUMBER *x, NUMBER *y, NUMBER *h,
                        NUMBER *c) {
  const NAME(part) p = NAME(part_of)(n, pseudo);
  const int64_t H = n->hidden, S = n->state, width = p.width, projects = n->rnn->projected;
  NUMBER *again = n->step;
  if (p.has_matrix)
    NAME(gemm)(0, 1, n->rows, width, p.in, x, p.in, w + uwdnn_rnn_matrix(n->rnn, pseudo, 0), p.in, 0, p.gates, width);
  else
    NAME(repeat)(p.gates, x, n->rows, width, p.in);
  if (p.bias >= 0)
    NAME(add_bias)(p.gates, n->rows, width, w + p.bias);
  for (int64_t i = 0; i < n->steps; i++) {
    const int64_t t = pseudo % n->rnn->directions ? n->steps - 1 - i : i, count = n->counts[t], first = n->firsts[t];
    NAME(gemm)(0, 1, count, width, S, h, S, w + uwdnn_rnn_matrix(n->rnn, pseudo, 1), S, 0, again, width);
    if (p.bias2 >= 0)
      NAME(add_bias)(again, count, width, w + p.bias2);
    memcpy(p.before + first * S, h, (size_t)(count * S) * sizeof *h);
    if (n->rnn->mode == CUDNN_LSTM)
      memcpy(p.c_before + first * H, c, (size_t)(count * H) * sizeof *c);
    NUMBER *const made = projects ? p.whole + first * H : h;
#pragma omp parallel for if (count * width > 4096)
    for (int64_t b = 0; b < count; b++)
      NAME(cell)(n, p.gates + (first + b) * width, again + b * width, made + b * H, c + b * H,
                 p.c_after + (first + b) * H, p.c_before + (first + b) * H);
    if (projects)
      NAME(gemm)(0, 1, count, S, H, made, H, w + uwdnn_rnn_matrix(n->rnn, pseudo, 2), H, 0, h, S);
    for (int64_t b = 0; b < count; b++)
      memcpy(y + (first + b) * n->output, h + b * S, (size_t)S * sizeof *h);
  }
}

/* dx is added to. */
static void NAME(layer_back)(const network *n, const NUMBER *w, int pseudo, NUMBER *dx, const NUMBER *dy, NUMBER *dh,
                             NUMBER *dc) {
  const NAME(part) p = NAME(part_of)(n, pseudo);
  const int64_t H = n->hidden, S = n->state, width = p.width, projects = n->rnn->projected;
  NUMBER *again = n->step, *dmade = projects ? n->slopes : dh;
  for (int64_t i = 0; i < n->steps; i++) {
    const int64_t t = pseudo % n->rnn->directions ? i : n->steps - 1 - i, count = n->counts[t], first = n->firsts[t];
#pragma omp parallel for if (count * S > 4096)
    for (int64_t b = 0; b < count; b++)
      for (int64_t j = 0; j < S; j++)
        dh[b * S + j] += dy[(first + b) * n->output + j];
    if (projects) {
      memcpy(p.slopes + first * S, dh, (size_t)(count * S) * sizeof *dh);
      NAME(gemm)(0, 0, count, H, S, dh, S, w + uwdnn_rnn_matrix(n->rnn, pseudo, 2), H, 0, dmade, H);
    }
#pragma omp parallel for if (count * width > 4096)
    for (int64_t b = 0; b < count; b++)
      NAME(cell_back)(n, p.gates + (first + b) * width, again + b * width, dmade + b * H, dc + b * H,
                      p.before + (first + b) * S, p.c_before + (first + b) * H, p.c_after + (first + b) * H,
                      p.c_before + (first + b) * H);
    NAME(gemm)(0, 0, count, S, width, again, width, w + uwdnn_rnn_matrix(n->rnn, pseudo, 1), S, projects ? 0 : 1, dh,
               S);
  }
  if (p.has_matrix)
    NAME(gemm)(0, 0, n->rows, p.in, width, p.gates, width, w + uwdnn_rnn_matrix(n->rnn, pseudo, 0), p.in, 1, dx, p.in);
  else
    NAME(repeat_back)(p.gates, dx, n->rows, width, p.in);
}

/* After layer_back: adds to dw. GRU's new gate has a gradient of its own for the recurrent sum. */
static void NAME(layer_weights)(const network *n, NUMBER *dw, int pseudo, const NUMBER *x) {
  const NAME(part) p = NAME(part_of)(n, pseudo);
  const int64_t H = n->hidden, S = n->state, width = p.width;
  const NUMBER *kept = p.c_before;
  const int is_gru = n->rnn->mode == CUDNN_GRU;
  const int64_t same = is_gru ? 2 * H : width;
  NUMBER *dr = dw + uwdnn_rnn_matrix(n->rnn, pseudo, 1);
  if (p.has_matrix)
    NAME(gemm)(1, 0, width, p.in, n->rows, p.gates, width, x, p.in, 1, dw + uwdnn_rnn_matrix(n->rnn, pseudo, 0), p.in);
  NAME(gemm)(1, 0, same, S, n->rows, p.gates, width, p.before, S, 1, dr, S);
  if (is_gru)
    NAME(gemm)(1, 0, H, S, n->rows, kept, H, p.before, S, 1, dr + same * S, S);
  if (n->rnn->projected)
    NAME(gemm)(1, 0, S, H, n->rows, p.slopes, S, p.whole, H, 1, dw + uwdnn_rnn_matrix(n->rnn, pseudo, 2), H);
  if (p.bias >= 0)
    NAME(sum_rows)(p.gates, n->rows, width, width, dw + p.bias);
  if (p.bias2 >= 0) {
    NAME(sum_rows)(p.gates, n->rows, same, width, dw + p.bias2);
    if (is_gru)
      NAME(sum_rows)(kept, n->rows, H, H, dw + p.bias2 + same);
  }
}

static void NAME(all_forward)(const network *n, const NUMBER *w, const NUMBER *x, NUMBER *h, NUMBER *c) {
  const int directions = n->rnn->directions;
  for (int layer = 0; layer < n->rnn->layers; layer++) {
    NUMBER *y = (NUMBER *)n->outputs + layer * n->rows * n->output;
    for (int d = 0; d < directions; d++) {
      const int64_t sequences = (layer * directions + d) * n->batch;
      NAME(layer)(n, w, layer * directions + d, x, y + d * n->state, h + sequences * n->state,
                  c + sequences * n->hidden);
    }
    if (n->passes && layer + 1 < n->rnn->layers) {
      unsigned char *passes = n->passes + layer * n->rows * n->output;
      uwdnn_draw(n->rnn->dropout.states, n->rnn->dropout.probability, n->rows * n->output, passes);
      NAME(drop)(y, n->rows * n->output, passes, n->rnn->dropout.probability);
    }
    x = y;
  }
}

/* dy is written over: it becomes the gradient of each layer's output, which is as wide. between: as much memory
 * again. */
static void NAME(all_back)(const network *n, const NUMBER *w, NUMBER *dx, NUMBER *dy, NUMBER *between, NUMBER *dh,
                           NUMBER *dc) {
  const int directions = n->rnn->directions;
  for (int layer = n->rnn->layers; layer-- > 0;) {
    NUMBER *to = layer ? between : dx;
    memset(to, 0, (size_t)(n->rows * uwdnn_rnn_input(n->rnn, layer)) * sizeof *to);
    for (int d = 0; d < directions; d++) {
      const int64_t sequences = (layer * directions + d) * n->batch;
      NAME(layer_back)(n, w, layer * directions + d, to, dy + d * n->state, dh + sequences * n->state,
                       dc + sequences * n->hidden);
    }
    if (layer && n->passes)
      NAME(drop)(to, n->rows * n->output, n->passes + (layer - 1) * n->rows * n->output, n->rnn->dropout.probability);
    between = dy;
    dy = to;
  }
}

static void NAME(all_weights)(const network *n, NUMBER *dw, const NUMBER *x) {
  for (int layer = 0; layer < n->rnn->layers; layer++) {
    for (int d = 0; d < n->rnn->directions; d++)
      NAME(layer_weights)(n, dw, layer * n->rnn->directions + d, x);
    x = (const NUMBER *)n->outputs + layer * n->rows * n->output;
  }
}
