/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * By the prime factors of the number of streams: of 6 = 2 * 3 streams first two are taken apart, the even and the odd
 * ones, and of each of these three. For a prime p each result comes from p registers by p - 1 shuffles of two
 * registers:
 *
 *   a0 b0 a1 b1 a2 b2 a3 b3 | a4 b4 …     ==>     a0 a1 a2 a3 a4 … | b0 b1 b2 b3 b4 …
 *
 * so that 2, 4, 8 and 16 streams take 1, 2, 3 and 4 shuffles a register, and 3 streams take 2. */
#include "weaves.h"

bool uw_may_weave(const uw_target *target, int64_t bytes, int64_t stride) {
  bool is_size = bytes == 4 || bytes == 8 || (bytes == 2 && uw_loads_under_masks(target, bytes));
  return is_size && stride % bytes == 0 && stride / bytes <= UW_MOST_STREAMS;
}

static int64_t least_factor(int64_t number) {
  for (int64_t p = 2; p < number; p++)
    if (number % p == 0)
      return p;
  return number;
}

int64_t uw_weave_cost(int64_t streams) {
  int64_t each = 0;
  for (int64_t left = streams, p; left > 1; left /= p) {
    p = least_factor(left);
    each += p - 1;
  }
  return each * streams;
}

/* A register whose lane i is lane from[i] of register which[i]. */
static MlirValue collect(uw_builder *b, const MlirValue *in, int64_t registers, int64_t lanes, const int64_t *which,
                         const int64_t *from) {
  MlirValue all = in[0];
  for (int64_t next = 1; next < registers; next++) {
    int32_t mask[UW_MOST_LANES];
    for (int64_t i = 0; i < lanes; i++) {
      bool is_first = next == 1 && which[i] == 0;
      mask[i] = (int32_t)(which[i] == next ? lanes + from[i] : is_first ? from[i] : which[i] < next ? i : -1);
    }
    all = uw_build1(b, "llvm.shufflevector", .in = VALS(all, in[next]), .out = TYPES(mlirValueGetType(all)),
                    .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(b->context, (intptr_t)lanes, mask)}));
  }
  return all;
}

/* The streams first, first + step, … of `out`, `streams` of them. */
static void take_apart(uw_builder *b, const MlirValue *in, int64_t streams, int64_t lanes, int64_t first, int64_t step,
                       MlirValue *out) {
  if (streams == 1) {
    out[first] = in[0];
    return;
  }
  int64_t p = least_factor(streams), which[UW_MOST_LANES], from[UW_MOST_LANES];
  for (int64_t rest = 0; rest < p; rest++) {
    MlirValue some[UW_MOST_STREAMS];
    for (int64_t i = 0; i < lanes; i++) {
      which[i] = (i * p + rest) / lanes;
      from[i] = (i * p + rest) % lanes;
    }
    for (int64_t k = 0; k < streams / p; k++)
      some[k] = collect(b, in + k * p, p, lanes, which, from);
    take_apart(b, some, streams / p, lanes, first + rest * step, step * p, out);
  }
}

void uw_take_apart(uw_builder *b, const MlirValue *in, int64_t streams, int64_t lanes, MlirValue *out) {
  take_apart(b, in, streams, lanes, 0, 1, out);
}

static void weave(uw_builder *b, const MlirValue *in, int64_t streams, int64_t lanes, int64_t first, int64_t step,
                  MlirValue *out) {
  if (streams == 1) {
    out[0] = in[first];
    return;
  }
  int64_t p = least_factor(streams), which[UW_MOST_LANES], from[UW_MOST_LANES];
  MlirValue some[UW_MOST_STREAMS],
      of_one[UW_MOST_STREAMS]; /* some: p streams one after the other, each of streams / p registers */
  for (int64_t rest = 0; rest < p; rest++)
    weave(b, in, streams / p, lanes, first + rest * step, step * p, some + rest * (streams / p));
  for (int64_t k = 0; k < streams / p; k++) {
    for (int64_t rest = 0; rest < p; rest++)
      of_one[rest] = some[rest * (streams / p) + k];
    for (int64_t part = 0; part < p; part++) {
      for (int64_t i = 0; i < lanes; i++) {
        which[i] = (part * lanes + i) % p;
        from[i] = (part * lanes + i) / p;
      }
      out[k * p + part] = collect(b, of_one, p, lanes, which, from);
    }
  }
}

void uw_weave(uw_builder *b, const MlirValue *in, int64_t streams, int64_t lanes, MlirValue *out) {
  weave(b, in, streams, lanes, 0, 1, out);
}
