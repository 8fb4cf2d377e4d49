/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps the workers together through a host loop that launches kernels again and again: one parallel region around the loop, in place of one
 * for each launch.
 *
 *   for (it …) {                                 uwrt_crew_open()
 *     if (launch begin) { region { share } }     for (it …) {
 *     host code                                    if (launch begin) { work for the crew { share } }
 *     if (launch begin) { region { share } } ==>   host code
 *   }                                              if (launch begin) { work for the crew { share } } }
 *                                                uwrt_crew_close()
 *
 * Host code, the checks of a launch and launches of one block stay on the thread that comes to them; the other workers wait
 * (runtime/crew.c). So control flow may be any: what matters are the edges of the function's graph that enter and leave the loop, which
 * get the two calls. A loop is a set of blocks that reach each other; a loop that may not be done may have loops inside that may.
 * Neighbouring launches of a loop then need no region of their own either; outside of loops nothing would be gained.
 *
 * Legal when no more happens in the loop than loads, stores, arithmetic, launches in place and calls that are known neither to open parallel
 * regions, which would find one open, nor to leave by an exception or a jump. Kernels that launch kernels are left alone, as
 * their children would run on one worker.
 *
 * Requires: raised launches; last, as passes on loops over blocks know nothing of it. lower/crew.c has the launches ask for the crew.
 * Preserves: the order of all effects. Refuses: all else, in silence. Paper: parallel region hoisting, Figures 10 and 11, with the host code
 * on one thread not between barriers but in place of them. */
#include <string.h>

#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../passes.h"

/* --- what may happen in the loop ------------------------------------------------------------------------------------ */

static bool is_listed(const char *name, const char *const *list) {
  for (; *list; list++) {
    size_t length = strlen(*list);
    bool prefix = (*list)[length - 1] == '*';
    if (prefix ? strncmp(name, *list, length - 1) == 0 : strcmp(name, *list) == 0)
      return true;
  }
  return false;
}

/* Functions that run nothing of the program's, open no region and return. */
static bool is_quiet(MlirStringRef callee) {
  static const char *const quiet[] = {
      "uwrt_*", "cudaGetLastError", "cudaPeekAtLastError", "cudaGetErrorString", "cudaGetErrorName", "cudaDeviceSynchronize",
      "cudaThreadSynchronize", "cudaStreamSynchronize", "cudaMemcpy", "cudaMemcpyAsync", "cudaMemset", "cudaMemsetAsync",
      "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol", "cudaEventRecord", "cudaEventSynchronize", "cudaEventElapsedTime", "printf", "fprintf",
      "sprintf", "snprintf", "puts", "putchar", "fputs", "fputc", "fflush", "malloc", "calloc", "free", "memcpy", "memset", "memmove",
      "strlen", "strcmp", "clock", "clock_gettime", "gettimeofday", "time", "rand", "sqrt", "sqrtf", "pow", "powf", "exp", "expf",
      "log", "logf", "log2", "log2f", "ceil", "ceilf", "floor", "floorf", "fabs", "fabsf", "sin", "sinf", "cos", "cosf", "fmax", "fmaxf", "fmin",
      "fminf", "omp_get_wtime", "_ZNSt6chrono3_V212steady_clock3nowEv", "_ZNSt6chrono3_V212system_clock3nowEv",
      "_ZSt4swapIP*" /* of pointers */, "_ZSt3minI?", "_ZSt3maxI?", NULL};
  char name[64]; /* as much as is looked at */
  if (!callee.data)
    return false;
  size_t length = callee.length < sizeof name - 1 ? callee.length : sizeof name - 1;
  memcpy(name, callee.data, length);
  name[length] = 0;
  if (strncmp(name, "_ZSt3minI", 9) == 0 || strncmp(name, "_ZSt3maxI", 9) == 0) { /* std::min and std::max of numbers */
    if (!strchr("ijlmfd", name[9]) || name[10] != 'E')
      return false;
    name[9] = '?', name[10] = 0;
  }
  return is_listed(name, quiet);
}

/* Pushes launches in place on *launches. */
static bool is_harmless(MlirOperation op, size_t *launches) {
  bool call = uw_kind(op) == UW_OP_LLVM_CALL || uw_kind(op) == UW_OP_LLVM_INVOKE;
  if (uw_kind(op) == UW_OP_LLVM_INLINE_ASM || (call && !is_quiet(uw_get_str_attr(op, "callee"))))
    return false;
  if (uw_attr_is_str(op, "unwarp.level", "grid")) {
    ++*launches;
    return true;
  }
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    if (!mlirBlockIsNull(uw_block(op, (unsigned)r)))
      uw_foreach_op(inner, uw_block(op, (unsigned)r))
        if (!is_harmless(inner, launches))
          return false;
  return true;
}

/* --- loops of the function's graph ---------------------------------------------------------------------------------- */

typedef struct graph {
  uw_arena *arena;
  MlirBlock *blocks;
  uw_table *numbers; /* block -> number + 1 */
  size_t count;
  size_t *seen, *low, *stack, height, clock; /* Tarjan's */
  bool *on_stack, *done; /* in a loop with a crew */
} graph;

static size_t number_of(const graph *g, MlirBlock block) { return (size_t)uw_table_get(g->numbers, block.ptr) - 1; }

/* The way that an exception takes; from inside of a loop that is done, none does. */
static bool is_unwinding(MlirBlock from, intptr_t successor) { return successor == 1 && uw_kind(uw_last(from)) == UW_OP_LLVM_INVOKE; }

/* A loop: every block of it reaches every other one. */
static bool may_be_done(const graph *g, const bool *in) {
  size_t launches = 0;
  for (size_t i = 0; i < g->count; i++) {
    if (!in[i])
      continue;
    uw_foreach_op(op, g->blocks[i])
      if (!is_harmless(op, &launches))
        return false;
  }
  for (size_t i = 0; i < g->count; i++) { /* can a call stand on the edge? */
    uw_kind_t kind = uw_kind(uw_last(g->blocks[i]));
    bool known = kind == UW_OP_LLVM_BR || kind == UW_OP_LLVM_COND_BR || kind == UW_OP_LLVM_SWITCH || kind == UW_OP_LLVM_INVOKE;
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(g->blocks[i]); s++) {
      bool there = in[number_of(g, mlirBlockGetSuccessor(g->blocks[i], s))];
      if (in[i] != there && (!known || (there && is_unwinding(g->blocks[i], s))))
        return false;
    }
  }
  return launches != 0;
}

static void call_on_edge(MlirBlock from, intptr_t which, const char *function) {
  MlirBlock to = mlirBlockGetSuccessor(from, which);
  MlirLocation location = mlirOperationGetLocation(uw_last(from));
  intptr_t count = mlirBlockGetNumArguments(to);
  MlirType types[count + 1];
  MlirLocation locations[count + 1];
  MlirValue values[count + 1];
  for (intptr_t a = 0; a < count; a++)
    types[a] = mlirValueGetType(mlirBlockGetArgument(to, a)), locations[a] = location;
  MlirBlock edge = mlirBlockCreate(count, types, locations);
  mlirRegionInsertOwnedBlockAfter(mlirBlockGetParentRegion(from), from, edge);
  for (intptr_t a = 0; a < count; a++)
    values[a] = mlirBlockGetArgument(edge, a);
  uw_builder b = uw_at_end(edge, location);
  uw_call(&b, function, (uw_value_list){0}, (MlirType){NULL});
  MlirOperationState state = mlirOperationStateGet(uw_str("llvm.br"), location);
  mlirOperationStateAddOperands(&state, count, values);
  mlirOperationStateAddSuccessors(&state, 1, &to);
  mlirBlockAppendOwnedOperation(edge, mlirOperationCreate(&state));
  mlirOperationSetSuccessor(uw_last(from), which, edge);
}

static bool bracket_loops(graph *g) {
  bool changed = false;
  for (size_t i = 0; i < g->count; i++)
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(g->blocks[i]); s++) {
      bool there = g->done[number_of(g, mlirBlockGetSuccessor(g->blocks[i], s))];
      changed = changed || there;
      if (g->done[i] != there && !is_unwinding(g->blocks[i], s))
        call_on_edge(g->blocks[i], s, there ? "uwrt_crew_open" : "uwrt_crew_close");
    }
  return changed;
}

static void look(graph *g, const bool *in);

/* Where a loop may not be done, those inside of it are what is left without the blocks at which it is entered. */
static void take_loop(graph *g, const bool *loop) {
  if (may_be_done(g, loop)) {
    MlirBlock block = {NULL};
    for (size_t i = 0; i < g->count; i++) {
      block = loop[i] && mlirBlockIsNull(block) ? g->blocks[i] : block;
      g->done[i] = g->done[i] || loop[i];
    }
    uw_remark(mlirOperationGetLocation(uw_last(block)), "crew", "host loop that launches kernels: its workers stay together");
    return;
  }
  bool *rest = uw_alloc(g->arena, g->count * sizeof *rest);
  memcpy(rest, loop, g->count * sizeof *rest);
  for (size_t i = 0; i < g->count; i++)
    for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(g->blocks[i]); s++) {
      size_t to = number_of(g, mlirBlockGetSuccessor(g->blocks[i], s));
      if (!loop[i] && loop[to])
        rest[to] = false;
    }
  look(g, rest);
}

/* Tarjan's algorithm. */
static void visit(graph *g, const bool *in, size_t block, bool **loops, size_t *loop_count) {
  g->seen[block] = g->low[block] = ++g->clock;
  g->stack[g->height++] = block;
  g->on_stack[block] = true;
  bool cycle = false;
  for (intptr_t s = 0; s < mlirBlockGetNumSuccessors(g->blocks[block]); s++) {
    size_t to = number_of(g, mlirBlockGetSuccessor(g->blocks[block], s));
    if (!in[to])
      continue;
    cycle = cycle || to == block;
    if (!g->seen[to])
      visit(g, in, to, loops, loop_count);
    if (g->on_stack[to] && g->low[to] < g->low[block])
      g->low[block] = g->low[to];
  }
  if (g->low[block] != g->seen[block])
    return;
  bool *loop = uw_alloc(g->arena, g->count * sizeof *loop);
  size_t size = 0, top;
  do {
    top = g->stack[--g->height];
    g->on_stack[top] = false;
    loop[top] = true;
    size++;
  } while (top != block);
  if (size > 1 || cycle)
    loops[(*loop_count)++] = loop;
}

/* Finds the loops of the blocks given. */
static void look(graph *g, const bool *in) {
  bool **loops = uw_alloc(g->arena, (g->count + 1) * sizeof *loops);
  size_t loop_count = 0;
  g->seen = uw_alloc(g->arena, g->count * sizeof *g->seen);
  for (size_t i = 0; i < g->count; i++)
    if (in[i] && !g->seen[i])
      visit(g, in, i, loops, &loop_count);
  for (size_t i = 0; i < loop_count; i++)
    take_loop(g, loops[i]);
}

static bool look_at(uw_arena *arena, MlirOperation function) {
  graph g = {.arena = arena, .numbers = uw_table_create(arena)};
  MlirRegion region = mlirOperationGetRegion(function, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block))
    g.count++;
  g.blocks = uw_alloc(arena, g.count * sizeof *g.blocks);
  size_t i = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    uw_table_set(g.numbers, block.ptr, (intptr_t)i + 1);
    g.blocks[i++] = block;
  }
  g.low = uw_alloc(arena, g.count * sizeof *g.low);
  g.stack = uw_alloc(arena, g.count * sizeof *g.stack);
  g.on_stack = uw_alloc(arena, g.count * sizeof *g.on_stack);
  g.done = uw_alloc(arena, g.count * sizeof *g.done);
  bool *all = uw_alloc(arena, g.count * sizeof *all);
  memset(all, true, g.count * sizeof *all);
  look(&g, all);
  return bracket_loops(&g);
}

/* Has a function of this module a launch in place? One with a crew is done. */
static bool wants_look(uw_arena *arena, MlirOperation function) {
  uw_ops calls = uw_collect_kind(arena, function, UW_OP_LLVM_CALL);
  bool launches = false;
  for (size_t i = 0; i < calls.count; i++) {
    if (uw_attr_is_str(calls.at[i], "callee", "uwrt_crew_open"))
      return false;
    launches = launches || uw_attr_is_str(calls.at[i], "callee", "uwrt_launch_begin");
  }
  return launches;
}

uw_change uw_pass_crew(MlirOperation root, uw_pass_ctx *ctx) {
  MlirModule module = mlirModuleFromOperation(root);
  uw_change change = UW_SAME;
  if (!uw_null(uw_find_symbol(module, "uwrt_launch_device")))
    return UW_SAME;
  uw_ops functions = {0};
  uw_foreach_op(op, mlirModuleGetBody(module))
    if (uw_kind(op) == UW_OP_LLVM_FUNC && uw_is_host(op) && wants_look(ctx->arena, op))
      uw_ops_push(ctx->arena, &functions, op);
  for (size_t i = 0; i < functions.count; i++)
    if (look_at(ctx->arena, functions.at[i]))
      change = UW_CHANGED;
  if (change == UW_CHANGED) {
    uw_declare(module, "uwrt_crew_open", "!llvm.func<void ()>");
    uw_declare(module, "uwrt_crew_close", "!llvm.func<void ()>");
  }
  return change;
}
