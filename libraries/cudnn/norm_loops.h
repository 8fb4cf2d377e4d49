/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Batch normalisation's loops, for NUMBER float and double (norm_work.c includes this for each). A tensor is outer *
 * channels * inner numbers. A piece is some of outer for some channels that lie together: many where inner is 1, else
 * one; sums are doubles. */

UWRT_FOR_EACH_LEVEL(NAME(sum_row),
                    (const NUMBER *x, const NUMBER *by, const unsigned char *passes, double shift, int64_t count,
                     double *plain, double *times),
                    (x, by, passes, shift, count, plain, times)) {
  double sum = 0, product = 0;
  if (passes) {
#pragma omp simd reduction(+ : sum, product)
    for (int64_t i = 0; i < count; i++) {
      const double f = passes[i] ? (double)by[i] : 0;
      sum += f;
      product += f * ((double)x[i] - shift);
    }
  } else {
#pragma omp simd reduction(+ : sum, product)
    for (int64_t i = 0; i < count; i++) {
      const double d = (double)x[i] - shift, f = by ? (double)by[i] : d;
      sum += f;
      product += f * d;
    }
  }
  *plain += sum;
  *times += product;
}

/* A loop of its own for each of the three, as none would be vectors else. */
UWRT_FOR_EACH_LEVEL(NAME(sum_channels),
                    (const NUMBER *x, const NUMBER *by, const unsigned char *passes, const double *shift, int64_t count,
                     double *restrict plain, double *restrict times),
                    (x, by, passes, shift, count, plain, times)) {
  if (!by)
    for (int64_t i = 0; i < count; i++) {
      const double d = (double)x[i] - shift[i];
      plain[i] += d;
      times[i] += d * d;
    }
  else if (!passes)
    for (int64_t i = 0; i < count; i++) {
      plain[i] += (double)by[i];
      times[i] += (double)by[i] * ((double)x[i] - shift[i]);
    }
  else
    for (int64_t i = 0; i < count; i++) {
      const double value = (double)by[i], f = passes[i] ? value : 0;
      plain[i] += f;
      times[i] += f * ((double)x[i] - shift[i]);
    }
}

/* For channels [first, first + count) and outer [from, to): sums of f and of f * (x - shift), f being by or x -
 * shift. */
static void NAME(sum_piece)(const shape *s, const NUMBER *x, const NUMBER *by, const unsigned char *passes,
                            const double *shift, int64_t first, int64_t count, int64_t from, int64_t to, double *plain,
                            double *times) {
  for (int64_t i = from; i < to; i++) {
    const int64_t at = (i * s->channels + first) * s->inner;
    if (s->inner == 1)
      NAME(sum_channels)(x + at, by ? by + at : NULL, passes ? passes + at : NULL, shift + first, count, plain, times);
    else
      NAME(sum_row)(x + at, by ? by + at : NULL, passes ? passes + at : NULL, shift[first], s->inner, plain, times);
  }
}

/* The shifted sums of all; both arrays have parts * channels numbers, and the first channels of them are the result. */
static void NAME(sum_all)(const shape *s, const NUMBER *x, const NUMBER *by, const unsigned char *passes,
                          const double *shift, double *plain, double *times) {
  const int64_t blocks = (s->channels + s->block - 1) / s->block, all = s->parts * s->channels;
  memset(plain, 0, (size_t)all * sizeof *plain);
  memset(times, 0, (size_t)all * sizeof *times);
#pragma omp parallel for if (s->count >= WORTH_SHARING)
  for (int64_t task = 0; task < blocks * s->parts; task++) {
    const int64_t part = task % s->parts, first = task / s->parts * s->block, into = part * s->channels + first;
    const int64_t count = s->channels - first < s->block ? s->channels - first : s->block;
    NAME(sum_piece)(s, x, by, passes, shift, first, count, s->outer * part / s->parts, s->outer * (part + 1) / s->parts,
                    plain + into, times + into);
  }
  for (int64_t i = s->channels; i < all; i++) {
    plain[i % s->channels] += plain[i];
    times[i % s->channels] += times[i];
  }
}

/* y = (x - mean) * times + bias */
UWRT_FOR_EACH_LEVEL(NAME(apply_row),
                    (const NUMBER *x, const NUMBER *mean, const NUMBER *times, const NUMBER *bias, int64_t inner,
                     int64_t count, NUMBER *y),
                    (x, mean, times, bias, inner, count, y)) {
  if (inner == 1)
    for (int64_t i = 0; i < count; i++)
      y[i] = (x[i] - mean[i]) * times[i] + bias[i];
  else {
    const NUMBER mean0 = *mean, times0 = *times, bias0 = *bias;
    for (int64_t i = 0; i < count; i++)
      y[i] = (x[i] - mean0) * times0 + bias0;
  }
}

UWRT_FOR_EACH_LEVEL(NAME(add_row), (const NUMBER *z, int64_t count, NUMBER *y), (z, count, y)) {
  for (int64_t i = 0; i < count; i++)
    y[i] += z[i];
}

/* ReLU; NaN stays. */
UWRT_FOR_EACH_LEVEL(NAME(relu_row), (NUMBER * y, int64_t count, unsigned char *passes), (y, count, passes)) {
  if (passes)
    for (int64_t i = 0; i < count; i++)
      passes[i] = !(y[i] <= 0);
  for (int64_t i = 0; i < count; i++)
    y[i] = y[i] <= 0 ? 0 : y[i];
}

static void NAME(apply_at)(const shape *s, const operands *of, int64_t row, int64_t channel) {
  const int64_t at = row * s->row;
  const NUMBER *mean = of->mean, *times = of->times, *bias = of->bias;
  NUMBER *y = (NUMBER *)of->y + at;
  NAME(apply_row)((const NUMBER *)of->x + at, mean + channel, times + channel, bias + channel, s->inner, s->row, y);
  if (of->z)
    NAME(add_row)((const NUMBER *)of->z + at, s->row, y);
  if (of->activates)
    NAME(relu_row)(y, s->row, of->reserve ? of->reserve + at : NULL);
}

static void NAME(apply)(const shape *s, const operands *of) {
#pragma omp parallel for if (s->count >= WORTH_SHARING)
  for (int64_t row = 0; row < s->count / s->row; row++)
    NAME(apply_at)(s, of, row, s->inner == 1 ? 0 : row % s->channels);
}

/* What of dy comes through the activation. */
UWRT_FOR_EACH_LEVEL(NAME(pass_row), (const NUMBER *dy, const unsigned char *passes, int64_t count, NUMBER *to),
                    (dy, passes, count, to)) {
  for (int64_t i = 0; i < count; i++)
    to[i] = passes[i] ? dy[i] : 0;
}
static void NAME(pass_through)(const shape *s, const NUMBER *dy, const unsigned char *passes, NUMBER *to) {
#pragma omp parallel for if (s->count >= WORTH_SHARING)
  for (int64_t at = 0; at < s->count; at += s->row)
    NAME(pass_row)(dy + at, passes + at, s->row, to + at);
}

/* dx = times * (dy - bias - (x - mean) * slope) */
UWRT_FOR_EACH_LEVEL(NAME(back_row),
                    (const NUMBER *x, const NUMBER *dy, const NUMBER *mean, const NUMBER *times, const NUMBER *bias,
                     const NUMBER *slope, int64_t inner, int64_t count, NUMBER *dx),
                    (x, dy, mean, times, bias, slope, inner, count, dx)) {
  if (inner == 1)
    for (int64_t i = 0; i < count; i++)
      dx[i] = times[i] * (dy[i] - bias[i] - (x[i] - mean[i]) * slope[i]);
  else {
    const NUMBER mean0 = *mean, times0 = *times, bias0 = *bias, slope0 = *slope;
    for (int64_t i = 0; i < count; i++)
      dx[i] = times0 * (dy[i] - bias0 - (x[i] - mean0) * slope0);
  }
}

enum { NAME(PIECE) = 1024 };

/* Piece by piece, so that what comes through stays in the cache. */
static void NAME(back_pieces)(const shape *s, const operands *of, int64_t at, int64_t channel) {
  const NUMBER *mean = of->mean, *times = of->times, *bias = of->bias, *slope = of->slope, *dy = of->dy;
  NUMBER through[NAME(PIECE)];
  for (int64_t first = 0; first < s->row; first += NAME(PIECE)) {
    const int64_t count = s->row - first < NAME(PIECE) ? s->row - first : NAME(PIECE), here = at + first;
    const int64_t c = s->inner == 1 ? first : channel;
    if (of->passes)
      NAME(pass_row)(dy + here, of->passes + here, count, through);
    NAME(back_row)((const NUMBER *)of->x + here, of->passes ? through : dy + here, mean + c, times + c, bias + c,
                   slope + c, s->inner, count, (NUMBER *)of->y + here);
  }
}

static void NAME(back)(const shape *s, const operands *of) {
#pragma omp parallel for if (s->count >= WORTH_SHARING)
  for (int64_t row = 0; row < s->count / s->row; row++)
    NAME(back_pieces)(s, of, row * s->row, s->inner == 1 ? 0 : row % s->channels);
}

/* Mean and variance of the batch, as doubles: deviations from the first number, and for doubles once more from the
 * mean. */
static void NAME(moments)(const shape *s, const NUMBER *x, double *mean, double *variance, double *sums) {
  double *plain = sums, *times = sums + s->parts * s->channels;
  const double share = 1.0 / (double)(s->outer * s->inner);
  for (int64_t i = 0; i < s->channels; i++)
    mean[i] = (double)x[i * s->inner];
  for (int again = sizeof(NUMBER) == sizeof(double); again >= 0; again--) {
    NAME(sum_all)(s, x, NULL, NULL, mean, plain, times);
    for (int64_t i = 0; i < s->channels; i++) {
      const double off = plain[i] * share;
      mean[i] += off;
      variance[i] = fmax(times[i] * share - off * off, 0);
    }
  }
}

static void NAME(narrow)(const double *from, int64_t count, void *to) {
  for (int64_t i = 0; i < count; i++)
    ((NUMBER *)to)[i] = (NUMBER)from[i];
}
