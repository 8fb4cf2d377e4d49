/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Maximum flow (Dinic) from the values that cannot be computed again to the values needed after the split. Each
 * value is two nodes, in and out, joined by an edge whose capacity is what it costs to keep the value; an operand's
 * out leads to the in of what is computed from it without limit.
 *
 *   source ─∞▶ in(load) ─cost▶ out(load) ─∞▶ in(add) ─cost▶ out(add) ─∞▶ sink
 *
 * The cut is read from the sink's side: the values whose out, but not in, still reaches the sink.
 *
 * What takes many operations of floating point to compute again, an exponential say, is kept, though what it is made of
 * may be there anyway: a vector kept is one store and one load. Integers are not counted: they are addresses, which are
 * better computed where they are used, so that neighbours are seen to lie side by side. */
#include "mincut.h"

#include "thresholds.h"
#include <string.h>

enum { SOURCE, SINK, FIRST_VALUE };
static const int64_t UNLIMITED = INT64_MAX / 4;

bool uw_clonable(MlirOperation op) {
  if (uw_region_count(op) != 0)
    return false;
  if (uw_kind(op) == UW_OP_LLVM_LOAD)
    return !mlirAttributeIsNull(uw_get_attr(op, UW_RELOAD));
  /* Two freezes of one poison may differ. */
  return uw_speculatable(op) && uw_kind(op) != UW_OP_LLVM_FREEZE;
}

static bool constant_operand(MlirOperation op, size_t index) {
  MlirOperation def = uw_def(uw_operand(op, index));
  return uw_kind(def) == UW_OP_ARITH_CONSTANT || uw_kind(def) == UW_OP_LLVM_CONSTANT;
}

bool uw_recomputable(MlirOperation op) {
  if (!uw_clonable(op))
    return false;
  switch (uw_kind(op)) {
  case UW_OP_ARITH_DIVSI:
  case UW_OP_ARITH_DIVUI:
  case UW_OP_ARITH_REMSI:
  case UW_OP_ARITH_REMUI: return constant_operand(op, 1);
  case UW_OP_ARITH_DIVF: return false;
  default: break;
  }
  if (!uw_name_starts(op, "math.") && !uw_name_starts(op, "llvm.intr."))
    return true;
  static const char *const cheap[] = {"math.absf",      "math.absi",      "math.copysign",  "math.fma",
                                      "llvm.intr.umin", "llvm.intr.umax", "llvm.intr.smin", "llvm.intr.smax",
                                      "llvm.intr.fabs", "llvm.intr.fma",  "llvm.intr.abs"};
  for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++)
    if (uw_string_is(uw_name(op), cheap[i]))
      return true;
  return false;
}

typedef struct edge {
  size_t to;
  int64_t room;
  intptr_t next; /* of the same node, -1 ends; edge i's reverse is edge i ^ 1 */
} edge;

typedef struct graph {
  uw_arena *arena;
  MlirOperation inside;
  const uw_uniformity *facts;
  uw_table *numbers;   /* value -> its in node; its out node is one more */
  uw_table *long_ways; /* operations that take too many others to be done again */
  uw_vals values;      /* value i has the nodes FIRST_VALUE + 2 i and the next */
  edge *edges;
  size_t edge_count, edge_room;
  intptr_t *first; /* node -> its first edge */
  size_t node_room;
  int *level;
  intptr_t *at; /* node -> the edge to try next */
} graph;

static void *resize(graph *g, void *old, size_t count, size_t room, size_t element) {
  void *memory = uw_alloc(g->arena, room * element);
  if (count)
    memcpy(memory, old, count * element);
  return memory;
}

static size_t node_count(const graph *g) { return FIRST_VALUE + 2 * g->values.count; }

static void add_half(graph *g, size_t from, size_t to, int64_t room) {
  if (g->edge_count == g->edge_room) {
    g->edge_room = g->edge_room ? 2 * g->edge_room : 64;
    g->edges = resize(g, g->edges, g->edge_count, g->edge_room, sizeof *g->edges);
  }
  g->edges[g->edge_count] = (edge){to, room, g->first[from]};
  g->first[from] = (intptr_t)g->edge_count++;
}

static void add_edge(graph *g, size_t from, size_t to, int64_t room) {
  add_half(g, from, to, room);
  add_half(g, to, from, 0);
}

static int64_t cost_of(const graph *g, MlirValue value) {
  return (int64_t)uw_type_bytes(mlirValueGetType(value)) * (uw_uniform(g->facts, value) ? 1 : UW_MINCUT_THREADS);
}

static bool is_free(const graph *g, MlirValue value) {
  return !uw_defined_inside(value, g->inside) || uw_null(uw_def(value));
}

static bool is_float(MlirType type) {
  return mlirTypeIsAFloat(type) || (mlirTypeIsAVector(type) && mlirTypeIsAFloat(mlirShapedTypeGetElementType(type)));
}

/* Operations of floating point on the way to each value, from what is there or has to be kept. */
static void find_long_ways(graph *g) {
  uw_table *ways = uw_table_create(g->arena);
  uw_foreach_op (op, uw_block(g->inside, 0)) {
    if (uw_result_count(op) != 1 || !uw_recomputable(op))
      continue;
    intptr_t way = is_float(mlirValueGetType(uw_result(op, 0))) && uw_operand_count(op) > 1;
    for (size_t i = 0; i < uw_operand_count(op); i++)
      way += uw_table_get(ways, uw_operand(op, i).ptr);
    if (way > UW_MOST_AGAIN)
      uw_table_set(g->long_ways, op.ptr, 1);
    else if (way)
      uw_table_set(ways, uw_result(op, 0).ptr, way);
  }
}

static bool can_do_again(const graph *g, MlirOperation op) {
  return uw_recomputable(op) && !uw_table_get(g->long_ways, op.ptr);
}

/* The in node of a value and of all that it is computed from. A list of values to look at instead of a recursion:
 * chains of operations can be long. */
static void add_values(graph *g, const uw_vals *needed) {
  uw_vals work = {0};
  for (size_t i = 0; i < needed->count; i++)
    uw_vals_push(g->arena, &work, needed->at[i]);
  while (work.count) {
    MlirValue value = work.at[--work.count];
    if (is_free(g, value) || uw_table_get(g->numbers, value.ptr))
      continue;
    size_t node = node_count(g);
    uw_vals_push(g->arena, &g->values, value);
    uw_table_set(g->numbers, value.ptr, (intptr_t)node);
    if (node + 2 > g->node_room) {
      size_t room = 2 * g->node_room;
      g->first = resize(g, g->first, g->node_room, room, sizeof *g->first);
      g->node_room = room;
    }
    g->first[node] = g->first[node + 1] = -1;
    MlirOperation op = uw_def(value);
    if (can_do_again(g, op))
      for (size_t i = 0; i < uw_operand_count(op); i++)
        uw_vals_push(g->arena, &work, uw_operand(op, i));
  }
}

static void add_edges(graph *g, const uw_vals *needed) {
  for (size_t i = 0; i < g->values.count; i++) {
    MlirValue value = g->values.at[i];
    size_t node = FIRST_VALUE + 2 * i;
    add_edge(g, node, node + 1, cost_of(g, value));
    MlirOperation op = uw_def(value);
    if (!can_do_again(g, op)) {
      add_edge(g, SOURCE, node, UNLIMITED);
      continue;
    }
    for (size_t k = 0; k < uw_operand_count(op); k++) {
      intptr_t from = uw_table_get(g->numbers, uw_operand(op, k).ptr);
      if (from)
        add_edge(g, (size_t)from + 1, node, UNLIMITED);
    }
  }
  for (size_t i = 0; i < needed->count; i++) {
    intptr_t node = uw_table_get(g->numbers, needed->at[i].ptr);
    if (node)
      add_edge(g, (size_t)node + 1, SINK, UNLIMITED);
  }
}

/* Distances from the source over edges with room. False if the sink is out of reach. */
static bool find_levels(graph *g, size_t *queue) {
  size_t count = node_count(g), head = 0, tail = 0;
  for (size_t i = 0; i < count; i++)
    g->level[i] = -1;
  g->level[SOURCE] = 0;
  queue[tail++] = SOURCE;
  while (head < tail) {
    size_t node = queue[head++];
    for (intptr_t e = g->first[node]; e >= 0; e = g->edges[e].next)
      if (g->edges[e].room > 0 && g->level[g->edges[e].to] < 0) {
        g->level[g->edges[e].to] = g->level[node] + 1;
        queue[tail++] = g->edges[e].to;
      }
  }
  return g->level[SINK] >= 0;
}

/* Pushes flow along one path of the level graph; `path` has room for one edge a node. Zero when there is none left. */
static int64_t push_flow(graph *g, intptr_t *path) {
  size_t node = SOURCE, length = 0;
  for (;;) {
    if (node == SINK) {
      int64_t flow = UNLIMITED;
      for (size_t i = 0; i < length; i++)
        flow = g->edges[path[i]].room < flow ? g->edges[path[i]].room : flow;
      for (size_t i = 0; i < length; i++) {
        g->edges[path[i]].room -= flow;
        g->edges[path[i] ^ 1].room += flow;
      }
      return flow;
    }
    intptr_t e = g->at[node];
    while (e >= 0 && (g->edges[e].room <= 0 || g->level[g->edges[e].to] != g->level[node] + 1))
      e = g->edges[e].next;
    g->at[node] = e;
    if (e >= 0) {
      path[length++] = e;
      node = g->edges[e].to;
    } else if (length == 0) {
      return 0;
    } else {
      e = path[--length];
      node = g->edges[e ^ 1].to;
      g->at[node] = g->edges[e].next;
    }
  }
}

uw_vals uw_min_cut(uw_arena *arena, MlirOperation inside, const uw_vals *needed, const uw_uniformity *facts,
                   bool smallest) {
  graph g = {.arena = arena, .inside = inside, .facts = facts, .node_room = 64};
  g.numbers = uw_table_create(arena);
  g.long_ways = uw_table_create(arena);
  g.first = uw_alloc(arena, g.node_room * sizeof *g.first);
  g.first[SOURCE] = g.first[SINK] = -1;
  if (smallest)
    find_long_ways(&g);
  add_values(&g, needed);
  add_edges(&g, needed);
  size_t count = node_count(&g);
  g.level = uw_alloc(arena, count * sizeof *g.level);
  g.at = uw_alloc(arena, count * sizeof *g.at);
  size_t *queue = uw_alloc(arena, count * sizeof *queue);
  intptr_t *path = uw_alloc(arena, count * sizeof *path);
  uw_vals kept = {0};
  bool crosses = find_levels(&g, queue);
  if (!smallest) { /* what no source reaches is free; of the rest keep what is needed */
    for (size_t i = 0; i < needed->count; i++) {
      intptr_t node = uw_table_get(g.numbers, needed->at[i].ptr);
      if (node && g.level[node] >= 0)
        uw_vals_push_new(arena, &kept, needed->at[i]);
    }
    return kept;
  }
  while (crosses) {
    memcpy(g.at, g.first, count * sizeof *g.at);
    while (push_flow(&g, path) > 0) {}
    crosses = find_levels(&g, queue);
  }

  /* Backwards from the sink over edges with room. */
  bool *reaches = uw_alloc(arena, count * sizeof *reaches);
  size_t head = 0, tail = 0;
  reaches[SINK] = true;
  queue[tail++] = SINK;
  while (head < tail) {
    size_t node = queue[head++];
    for (intptr_t e = g.first[node]; e >= 0; e = g.edges[e].next)
      if (g.edges[e ^ 1].room > 0 && !reaches[g.edges[e].to]) {
        reaches[g.edges[e].to] = true;
        queue[tail++] = g.edges[e].to;
      }
  }
  for (size_t i = 0; i < g.values.count; i++)
    if (reaches[FIRST_VALUE + 2 * i + 1] && !reaches[FIRST_VALUE + 2 * i])
      uw_vals_push(arena, &kept, g.values.at[i]);
  return kept;
}
