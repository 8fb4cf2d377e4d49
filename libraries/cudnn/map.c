/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: functions of numbers at the same place. */
#include "map.h"

enum { PIECE = 256 /* numbers, of each input on the stack */, SHARED = 1 << 14 };

int uwdnn_map_add(uwdnn_map *map, const uwdnn_view *view, const void *at) {
  uwdnn_view wide = *view;
  if (view->rank != map->out.rank || view->vector != 1 || map->out.vector != 1)
    return 0;
  for (int i = 0; i < wide.rank; i++) {
    if (view->dims[i] != map->out.dims[i] && view->dims[i] != 1)
      return 0;
    if (view->dims[i] == 1)
      wide.strides[i] = 0;
    wide.dims[i] = map->out.dims[i];
  }
  map->in[map->inputs] = wide;
  map->in_at[map->inputs++] = at;
  return 1;
}

static uwdnn_view *view_of(uwdnn_map *map, int i) { return i ? &map->in[i - 1] : &map->out; }

static void swap_dims(uwdnn_map *map, int a, int b) {
  for (int v = 0; v <= map->inputs; v++) {
    uwdnn_view *view = view_of(map, v);
    const int64_t dim = view->dims[a], stride = view->strides[a];
    view->dims[a] = view->dims[b], view->strides[a] = view->strides[b];
    view->dims[b] = dim, view->strides[b] = stride;
  }
}

static void drop_dim(uwdnn_map *map, int at) {
  for (int v = 0; v <= map->inputs; v++) {
    uwdnn_view *view = view_of(map, v);
    view->rank--;
    for (int i = at; i < view->rank; i++) {
      view->dims[i] = view->dims[i + 1];
      view->strides[i] = view->strides[i + 1];
    }
  }
}

/* Can dimension i and the next be one, for all? */
static int can_join(uwdnn_map *map, int i) {
  for (int v = 0; v <= map->inputs; v++) {
    const uwdnn_view *view = view_of(map, v);
    if (view->strides[i] != view->strides[i + 1] * view->dims[i + 1])
      return 0;
  }
  return 1;
}

static void join(uwdnn_map *map) {
  for (int i = map->out.rank; i-- > 0 && map->out.rank > 1;)
    if (map->out.dims[i] == 1)
      drop_dim(map, i);
  for (int i = 1; i < map->out.rank; i++)
    for (int j = i; j > 0 && map->out.strides[j - 1] < map->out.strides[j]; j--)
      swap_dims(map, j - 1, j);
  for (int i = map->out.rank - 1; i-- > 0;)
    if (can_join(map, i)) {
      for (int v = 0; v <= map->inputs; v++) {
        view_of(map, v)->dims[i] *= view_of(map, v)->dims[i + 1];
        view_of(map, v)->strides[i] = view_of(map, v)->strides[i + 1];
      }
      drop_dim(map, i + 1);
    }
}

static int64_t row_at(const uwdnn_view *view, int64_t row) {
  int64_t at = 0;
  for (int i = view->rank - 1; i-- > 0; row /= view->dims[i])
    at += row % view->dims[i] * view->strides[i];
  return at * (int64_t)uwdnn_type_bytes(view->type);
}

/* Numbers [first, first + count) of a row. */
static void do_piece(const uwdnn_map *map, uwdnn_map_body *body, const void *context, int64_t row, int64_t first,
                     int64_t count) {
  double numbers[UWDNN_MAP_INPUTS][PIECE], result[PIECE];
  const double *in[UWDNN_MAP_INPUTS] = {0};
  const int last = map->out.rank - 1;
  for (int i = 0; i < map->inputs; i++) {
    const uwdnn_view *view = &map->in[i];
    const int64_t at = row_at(view, row) + first * view->strides[last] * (int64_t)uwdnn_type_bytes(view->type);
    uwdnn_load_row(view->type, (const char *)map->in_at[i] + at, view->strides[last], count, 1, numbers[i]);
    in[i] = numbers[i];
  }
  body(context, in, result, count);
  if (map->alpha != 1)
    for (int64_t i = 0; i < count; i++)
      result[i] *= map->alpha;
  const int64_t at = row_at(&map->out, row) + first * map->out.strides[last] * (int64_t)uwdnn_type_bytes(map->out.type);
  uwdnn_store_row(map->out.type, result, map->beta, (char *)map->out_at + at, map->out.strides[last], count);
}

void uwdnn_map_run(const uwdnn_map *given, uwdnn_map_body *body, const void *context) {
  uwdnn_map map = *given;
  join(&map);
  const int64_t length = map.out.dims[map.out.rank - 1], count = uwdnn_view_count(&map.out);
  const int64_t pieces = (length + PIECE - 1) / PIECE, rows = count / length;
#pragma omp parallel for if (count >= SHARED)
  for (int64_t task = 0; task < rows * pieces; task++) {
    const int64_t first = task % pieces * PIECE;
    do_piece(&map, body, context, task / pieces, first, length - first < PIECE ? length - first : PIECE);
  }
}
