/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Keeps the workers together from one launch to the next, through loops of the host and outside of them: one parallel
 * region around them, in place of one for each launch.
 *
 *   for (it …) {                                 uwrt_crew_open()
 *     if (launch begin) { region { share } }     for (it …) {
 *     host code                                    if (launch begin) { work for the crew { share } }
 *     if (launch begin) { region { share } } ==>   host code
 *   }                                              if (launch begin) { work for the crew { share } } }
 *                                                uwrt_crew_close()
 *
 *   if (launch begin) { region { share } }       uwrt_crew_open()
 *   host code                                    if (launch begin) { work for the crew { share } }
 *   if (launch begin) { region { share } } ==>   host code
 *                                                uwrt_crew_last()
 *                                                if (launch begin) { work for the crew { share } }
 *                                                uwrt_crew_close()
 *
 * The function's graph is taken apart into launches, quiet code and loud code. Workers stay together where quiet code
 * leads from a launch to a launch on all ways, but for those on which the program ends, or to the same one in a loop:
 * on each edge into these positions stands a call that opens the crew, on each edge out of them one that closes it. The
 * first share opens the region, so that launches that CUDA refuses and grids of one block open none; where a launch is
 * the last one, the region ends with it. Two launches are enough: short ones take four fifths of the time. A crew for a
 * single one would take more than a region for it (docs/performance.md).
 *
 * Legal, since only the launching thread ever runs host code, in its order, and each launch is finished before it goes
 * on, as without a crew: the other workers do nothing but shares. So control flow may be any, and the thread's
 * variables, errors, streams and captures are as ever. What could tell the difference is loud, and has no region around
 * it:
 *   a) code that might open a parallel region, which would find one open, or ask whether there is one: calls that are not known;
 *   b) code that might leave by an exception, longjmp or exit, or come back into the function: the same; where an exception is caught;
 *   c) inline assembly, and ends of blocks that a call cannot stand on.
 * Where a function with a crew calls itself, or another one that has a crew, it does so at a loud position. Kernels
 * that launch kernels are left alone, as their children would run on one worker.
 *
 * Requires: raised launches; last, as passes on loops over blocks know nothing of it. lower/crew_launches.c has the launches ask
 * for the crew. Preserves: the order of all effects. Refuses: all else, with a remark on what stands between two
 * launches. Paper: parallel region fusion and hoisting, Figures 10 and 11, with the host code on one thread not between
 * barriers but in place of them. */
#include <string.h>

#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../passes.h"

/* --- what may happen between launches ----------------------------------------------------------------------------- */

static bool is_listed(const char *name, const char *const *list) {
  for (; *list; list++) {
    size_t length = strlen(*list);
    bool prefix = (*list)[length - 1] == '*';
    if (prefix ? strncmp(name, *list, length - 1) == 0 : strcmp(name, *list) == 0)
      return true;
  }
  return false;
}

/* Functions that run nothing of the program's, open no region and return. Small ones of the program itself are inlined
 * before (frontend/launches.c). */
static bool is_quiet(MlirStringRef callee) {
  static const char *const quiet[] = {"uwrt_*",
                                      "cudaGetLastError",
                                      "cudaPeekAtLastError",
                                      "cudaGetErrorString",
                                      "cudaGetErrorName",
                                      "cudaDeviceSynchronize",
                                      "cudaThreadSynchronize",
                                      "cudaStreamSynchronize",
                                      "cudaMemcpy",
                                      "cudaMemcpyAsync",
                                      "cudaMemset",
                                      "cudaMemsetAsync",
                                      "cudaMemcpyToSymbol",
                                      "cudaMemcpyFromSymbol",
                                      "cudaEventRecord",
                                      "cudaEventSynchronize",
                                      "cudaEventElapsedTime",
                                      "printf",
                                      "fprintf",
                                      "sprintf",
                                      "snprintf",
                                      "puts",
                                      "putchar",
                                      "fputs",
                                      "fputc",
                                      "fflush",
                                      "malloc",
                                      "calloc",
                                      "free",
                                      "memcpy",
                                      "memset",
                                      "memmove",
                                      "strlen",
                                      "strcmp",
                                      "clock",
                                      "clock_gettime",
                                      "gettimeofday",
                                      "time",
                                      "rand",
                                      "sqrt",
                                      "sqrtf",
                                      "pow",
                                      "powf",
                                      "exp",
                                      "expf",
                                      "log",
                                      "logf",
                                      "log2",
                                      "log2f",
                                      "ceil",
                                      "ceilf",
                                      "floor",
                                      "floorf",
                                      "fabs",
                                      "fabsf",
                                      "sin",
                                      "sinf",
                                      "cos",
                                      "cosf",
                                      "fmax",
                                      "fmaxf",
                                      "fmin",
                                      "fminf",
                                      "omp_get_wtime",
                                      "_ZNSt6chrono3_V212steady_clock3nowEv",
                                      "_ZNSt6chrono3_V212system_clock3nowEv",
                                      NULL};
  char name[64]; /* as much as is looked at */
  if (!callee.data)
    return false;
  size_t length = callee.length < sizeof name - 1 ? callee.length : sizeof name - 1;
  memcpy(name, callee.data, length);
  name[length] = 0;
  return is_listed(name, quiet);
}

/* The first operation in it, or itself, at which the workers have to part; null if there is none. Sets *launches if it
 * launches in place. */
static MlirOperation find_loud(MlirOperation op, bool *launches) {
  bool call = uw_kind(op) == UW_OP_LLVM_CALL || uw_kind(op) == UW_OP_LLVM_INVOKE;
  if (uw_kind(op) == UW_OP_LLVM_INLINE_ASM || (call && !is_quiet(uw_get_str_attr(op, "callee"))))
    return op;
  if (uw_is_over(op, UW_OVER_BLOCKS)) {
    *launches = true;
    return (MlirOperation){NULL};
  }
  for (intptr_t r = 0; r < uw_region_count(op); r++)
    if (!mlirBlockIsNull(uw_block(op, (unsigned)r)))
      uw_foreach_op (inner, uw_block(op, (unsigned)r)) {
        MlirOperation loud = find_loud(inner, launches);
        if (!uw_null(loud))
          return loud;
      }
  return (MlirOperation){NULL};
}

/* --- the function's graph ----------------------------------------------------------------------------------------- */

typedef enum sound { QUIET, LAUNCH, LOUD } sound;

/* Operations that follow each other in a block: one launch, one loud operation, or as much quiet code as there is. */
typedef struct node {
  MlirBlock block;
  MlirOperation first, loud;
  MlirLocation place; /* of a launch: in the host's code */
  sound sound;
  bool ends_block, together, is_told;
} node;

typedef struct graph {
  uw_arena *arena;
  node *nodes;
  uw_table *firsts; /* block -> its first node + 1 */
  size_t count, *stack;
} graph;

/* The way that an exception takes; from where workers are together, none does. */
static bool is_unwinding(MlirBlock from, intptr_t successor) {
  return successor == 1 && uw_kind(uw_last(from)) == UW_OP_LLVM_INVOKE;
}

/* Can a call stand on the edges out of the block? */
static bool has_known_end(MlirBlock block) {
  uw_kind_t kind = uw_kind(uw_last(block));
  return kind == UW_OP_LLVM_BR || kind == UW_OP_LLVM_COND_BR || kind == UW_OP_LLVM_SWITCH ||
         kind == UW_OP_LLVM_INVOKE || mlirBlockGetNumSuccessors(block) == 0;
}

static sound sound_of(MlirOperation op, MlirOperation *loud) {
  bool launches = false;
  MlirBlock block = mlirOperationGetBlock(op);
  *loud = find_loud(op, &launches);
  if (uw_null(*loud) &&
      (uw_string_is(uw_name(op), "llvm.landingpad") || (uw_same_op(op, uw_last(block)) && !has_known_end(block))))
    *loud = op;
  return !uw_null(*loud) ? LOUD : launches ? LAUNCH : QUIET;
}

/* The call comes from the kernel's stub, which was inlined where the program launches. */
static MlirLocation place_of_launch(MlirOperation begin) {
  MlirLocation at = mlirOperationGetLocation(begin);
  return mlirLocationIsACallSite(at) ? mlirLocationCallSiteGetCaller(at) : at;
}

static void build_graph(graph *g, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  size_t most = 0;
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    uw_foreach_op (op, block)
      most++;
  g->nodes = uw_alloc(g->arena, (most + 1) * sizeof *g->nodes);
  g->stack = uw_alloc(g->arena, (most + 1) * sizeof *g->stack);
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    size_t first = g->count;
    MlirLocation place = mlirOperationGetLocation(uw_last(block));
    uw_table_set(g->firsts, block.ptr, (intptr_t)first + 1);
    uw_foreach_op (op, block) {
      MlirOperation loud;
      sound sound = sound_of(op, &loud);
      if (uw_attr_is_str(op, "callee", "uwrt_launch_begin"))
        place = place_of_launch(op);
      if (g->count == first || sound != QUIET || g->nodes[g->count - 1].sound != QUIET)
        g->nodes[g->count++] = (node){.block = block, .first = op, .loud = loud, .place = place, .sound = sound};
    }
    g->nodes[g->count - 1].ends_block = true;
  }
}

static intptr_t successor_count(const node *n) { return n->ends_block ? mlirBlockGetNumSuccessors(n->block) : 1; }

static size_t successor(const graph *g, size_t n, intptr_t which) {
  if (!g->nodes[n].ends_block)
    return n + 1;
  return (size_t)uw_table_get(g->firsts, mlirBlockGetSuccessor(g->nodes[n].block, which).ptr) - 1;
}

/* Marks what is reached from the node by one edge or more, where it is allowed to be. */
static void reach(graph *g, size_t from, const bool *allowed, bool *reached) {
  size_t height = 0;
  g->stack[height++] = from;
  while (height) {
    size_t at = g->stack[--height];
    for (intptr_t s = 0; s < successor_count(&g->nodes[at]); s++) {
      size_t to = successor(g, at, s);
      if (reached[to] || !allowed[to])
        continue;
      reached[to] = true;
      g->stack[height++] = to;
    }
  }
}

static bool *no_nodes(const graph *g) {
  bool *none = uw_alloc(g->arena, (g->count + 1) * sizeof *none);
  memset(none, 0, g->count * sizeof *none);
  return none;
}

typedef bool is_wanted(const node *n);
static bool is_launch(const node *n) { return n->sound == LAUNCH; }
static bool is_return(const node *n) {
  return n->ends_block && mlirBlockGetNumSuccessors(n->block) == 0 && uw_kind(uw_last(n->block)) == UW_OP_LLVM_RETURN;
}

/* leads[n]: does one edge or more lead from n to a node that is wanted, where it is allowed to go? */
static bool *leads_to(graph *g, const bool *allowed, is_wanted *wanted) {
  bool *leads = no_nodes(g);
  for (bool more = true; more;) {
    more = false;
    for (size_t n = g->count; n-- > 0;)
      for (intptr_t s = 0; !leads[n] && s < successor_count(&g->nodes[n]); s++) {
        size_t to = successor(g, n, s);
        leads[n] = allowed[to] && (wanted(&g->nodes[to]) || leads[to]);
        more = more || leads[n];
      }
  }
  return leads;
}

/* --- which launches ----------------------------------------------------------------------------------------------- */

/* The nodes of loops that launch. */
static bool *find_loops(graph *g, const bool *quiet) {
  bool *loops = no_nodes(g);
  for (size_t launch = 0; launch < g->count; launch++) {
    if (!is_launch(&g->nodes[launch]) || loops[launch])
      continue;
    bool *after = no_nodes(g);
    reach(g, launch, quiet, after);
    for (size_t n = 0; after[launch] && n < g->count; n++) {
      bool *again = no_nodes(g);
      if (after[n])
        reach(g, n, quiet, again);
      loops[n] = loops[n] || again[launch];
    }
  }
  return loops;
}

/* Is there a launch on each way from here? A loop with launches is supposed to run, and the program not to end on the
 * way. */
static bool *must_launch(graph *g, const bool *quiet, const bool *all) {
  bool *must = find_loops(g, quiet);
  const bool *returns = leads_to(g, all, is_return);
  for (bool more = true; more;) {
    more = false;
    for (size_t n = g->count; n-- > 0;) {
      bool every = quiet[n] && !must[n], any = false;
      for (intptr_t s = 0; every && s < successor_count(&g->nodes[n]); s++) {
        size_t to = successor(g, n, s);
        if (!returns[to] && !is_return(&g->nodes[to]))
          continue;
        every = quiet[to] && (is_launch(&g->nodes[to]) || must[to]);
        any = true;
      }
      if (every && any)
        must[n] = more = true;
    }
  }
  return must;
}

static bool mark_together(graph *g, const bool *quiet, const bool *all) {
  const bool *must = must_launch(g, quiet, all);
  bool *allowed = no_nodes(g), *after = no_nodes(g), any = false;
  for (size_t n = 0; n < g->count; n++)
    allowed[n] = quiet[n] && (must[n] || is_launch(&g->nodes[n]));
  for (size_t n = 0; n < g->count; n++)
    if (is_launch(&g->nodes[n]) && must[n])
      reach(g, n, allowed, after);
  for (size_t n = 0; n < g->count; n++) {
    node *at = &g->nodes[n];
    at->together = after[n] || (is_launch(at) && must[n]);
    any = any || at->together;
  }
  return any;
}

/* Those that follow it, itself among them in a loop. */
static void tell_launches(graph *g, const bool *together) {
  for (size_t n = 0; n < g->count; n++) {
    bool *after = no_nodes(g);
    size_t launches = 1;
    if (g->nodes[n].sound != LAUNCH || !together[n] || g->nodes[n].is_told)
      continue;
    reach(g, n, together, after);
    for (size_t i = 0; i < g->count; i++)
      if (after[i] && g->nodes[i].sound == LAUNCH) {
        g->nodes[i].is_told = true;
        launches += i != n;
      }
    if (after[n])
      uw_remark(g->nodes[n].place, "merge-parallel-regions",
                "host loop that launches kernels: its workers stay together");
    else if (launches > 1)
      uw_remark(g->nodes[n].place, "merge-parallel-regions",
                "%zu launches that follow each other: their workers stay together", launches);
  }
}

/* Without what frontend/launches.c puts before names of one file. */
static MlirStringRef name_in_source(MlirStringRef name) {
  static const char prefix[] = "__unwarp_host_";
  const char *dot = name.data && name.length > sizeof prefix && strncmp(name.data, prefix, sizeof prefix - 1) == 0
                        ? memchr(name.data, '.', name.length)
                        : NULL;
  return dot ? mlirStringRefCreate(dot + 1, (size_t)(name.data + name.length - dot - 1)) : name;
}

/* What stands between a launch and another one. */
static void tell_loud(graph *g, const bool *quiet, const bool *all) {
  bool *after = no_nodes(g);
  const bool *leads = leads_to(g, all, is_launch);
  for (size_t n = 0; n < g->count; n++)
    if (g->nodes[n].sound == LAUNCH)
      reach(g, n, quiet, after), after[n] = true;
  for (size_t n = 0; n < g->count; n++)
    for (intptr_t s = 0; after[n] && quiet[n] && s < successor_count(&g->nodes[n]); s++) {
      node *to = &g->nodes[successor(g, n, s)];
      MlirStringRef callee;
      if (to->sound != LOUD || to->is_told || !leads[to - g->nodes])
        continue;
      to->is_told = true;
      callee = name_in_source(uw_get_str_attr(to->loud, "callee"));
      if (callee.data)
        uw_remark(mlirOperationGetLocation(to->loud), "merge-parallel-regions",
                  "workers part between launches: %.*s might open a parallel region or not return", (int)callee.length,
                  callee.data);
      else
        uw_remark(mlirOperationGetLocation(to->loud), "merge-parallel-regions",
                  "workers part between launches: what is called here is not known");
    }
}

/* --- the calls ---------------------------------------------------------------------------------------------------- */

static void call_before(MlirOperation op, const char *function) {
  uw_builder b = uw_at(op);
  uw_call(&b, function, (uw_value_list){0}, (MlirType){NULL});
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

/* From the last node to the first, so that calls before one node's first operation come after those of the node before
 * it. */
static void place_calls(graph *g) {
  for (size_t n = g->count; n-- > 0;) {
    node *at = &g->nodes[n];
    bool is_last = at->together && at->sound == LAUNCH;
    for (intptr_t s = 0; s < successor_count(at); s++) {
      node *to = &g->nodes[successor(g, n, s)];
      const char *function = to->together ? "uwrt_crew_open" : "uwrt_crew_close";
      is_last = is_last && !to->together;
      if (at->together == to->together || (at->ends_block && is_unwinding(at->block, s)))
        continue;
      if (at->ends_block)
        call_on_edge(at->block, s, function);
      else
        call_before(to->first, function);
    }
    if (is_last)
      call_before(at->first, "uwrt_crew_last");
    if (n == 0 && at->together) /* the function begins with it */
      call_before(at->first, "uwrt_crew_open");
  }
}

static bool look_at(uw_arena *arena, MlirOperation function) {
  graph g = {.arena = arena, .firsts = uw_table_create(arena)};
  build_graph(&g, function);
  bool *quiet = no_nodes(&g), *together = no_nodes(&g), *all = no_nodes(&g);
  memset(all, true, g.count * sizeof *all);
  for (size_t n = 0; n < g.count; n++)
    quiet[n] = g.nodes[n].sound != LOUD;
  bool any = mark_together(&g, quiet, all);
  for (size_t n = 0; n < g.count; n++)
    together[n] = g.nodes[n].together;
  tell_launches(&g, together);
  tell_loud(&g, quiet, all);
  place_calls(&g);
  return any;
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

uw_change uw_pass_merge_parallel_regions(MlirOperation root, uw_pass_ctx *ctx) {
  MlirModule module = mlirModuleFromOperation(root);
  uw_change change = UW_SAME;
  bool nested = !uw_null(uw_find_symbol(module, "uwrt_launch_device"));
  uw_ops functions = {0};
  uw_foreach_op (op, mlirModuleGetBody(module))
    if (uw_kind(op) == UW_OP_LLVM_FUNC && uw_is_host(op) && wants_look(ctx->arena, op))
      uw_ops_push(ctx->arena, &functions, op);
  for (size_t i = 0; i < functions.count && !nested; i++)
    if (look_at(ctx->arena, functions.at[i]))
      change = UW_CHANGED;
  if (nested && functions.count)
    uw_remark(mlirOperationGetLocation(functions.at[0]), "merge-parallel-regions",
              "no workers stay together: kernels here launch kernels");
  if (change == UW_CHANGED) {
    uw_declare(module, "uwrt_crew_open", "!llvm.func<void ()>");
    uw_declare(module, "uwrt_crew_last", "!llvm.func<void ()>");
    uw_declare(module, "uwrt_crew_close", "!llvm.func<void ()>");
  }
  return change;
}
