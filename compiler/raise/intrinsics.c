/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVVM intrinsics, which the importer leaves as llvm.call_intrinsic or nvvm.*, become operations that the passes know:
 *
 *   barriers                       unwarp.barrier, unwarp.reduce at level block; uwrt_grid_sync is one too, and barriers of a
 *                                  cluster, which wait where they are waited for, not where they are arrived at
 *   uwrt_warp_…                    unwarp.collective, which the lanes compute together
 *   shfl, vote, match, activemask  unwarp.shuffle, unwarp.reduce, unwarp.match with the lane arithmetic spelled out
 *   membar, fences                 llvm.fence
 *   clocks, trap, nanosleep        calls of the runtime
 *   lane and warp indices          arithmetic on tid and ntid
 *
 * tid, ntid, ctaid, nctaid stay nvvm.* here: launch.c knows their values. Source: PTX ISA, "shfl.sync", "vote.sync",
 * "match.sync", "bar", "Special Registers". What is not listed is refused with its name.
 */
#include <string.h>

#include "../ir/known_calls.h"
#include "raise.h"

typedef struct rewriter {
  MlirModule module;
  uw_arena *arena;
  uw_builder b;
  MlirType i1, i32, i64;
  bool checks; /* -fcheck */
} rewriter;

static MlirValue arith(rewriter *r, const char *name, MlirValue left, MlirValue right) {
  return uw_binary(&r->b, name, left, right);
}

static MlirValue number(rewriter *r, int64_t value) { return uw_const_int(&r->b, 32, value); }
static MlirValue truth(rewriter *r) { return uw_const_int(&r->b, 1, 1); }

static MlirValue special(rewriter *r, const char *name) { return uw_build1(&r->b, name, .out = TYPES(r->i32)); }

/* tid.x + ntid.x * (tid.y + ntid.y * tid.z) */
static MlirValue linear_thread(rewriter *r) {
  MlirValue z = special(r, "nvvm.read.ptx.sreg.tid.z"), y = special(r, "nvvm.read.ptx.sreg.tid.y");
  MlirValue plane = arith(r, "arith.addi", y, arith(r, "arith.muli", special(r, "nvvm.read.ptx.sreg.ntid.y"), z));
  return arith(r, "arith.addi", special(r, "nvvm.read.ptx.sreg.tid.x"),
               arith(r, "arith.muli", special(r, "nvvm.read.ptx.sreg.ntid.x"), plane));
}
static MlirValue lane(rewriter *r) { return arith(r, "arith.andi", linear_thread(r), number(r, 31)); }

static MlirValue reduce(rewriter *r, const char *level, const char *kind, MlirValue value) {
  return uw_build1(&r->b, "unwarp.reduce", .in = VALS(value, truth(r)), .out = TYPES(r->i32),
                   .attrs =
                       ATTRS({"level", uw_str_attr(r->b.context, level)}, {"kind", uw_str_attr(r->b.context, kind)}));
}

static MlirValue widen(rewriter *r, MlirValue bit) {
  return uw_build1(&r->b, "arith.extui", .in = VALS(bit), .out = TYPES(r->i32));
}

static MlirValue ballot(rewriter *r, MlirValue predicate) { return reduce(r, "warp", "ballot", widen(r, predicate)); }

static MlirValue invert(rewriter *r, MlirValue bit) { return arith(r, "arith.xori", bit, truth(r)); }

static void barrier(rewriter *r, const char *level) {
  uw_build(&r->b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(r->b.context, level)}));
}

/* For the checker: the mask of what the lanes do together next, which the operations themselves do not keep
 * (instrument/check.c). */
static void note_mask(rewriter *r, MlirValue mask) {
  if (!r->checks)
    return;
  uw_declare(r->module, UW_CHECK_MASK, "!llvm.func<void (i32)>");
  uw_call(&r->b, UW_CHECK_MASK, VALS(mask), (MlirType){NULL});
}

static void fence(rewriter *r, bool of_block) {
  MlirOperation op =
      uw_build(&r->b, "llvm.fence", .attrs = ATTRS({"ordering", uw_int_attr(r->b.context, 64, 7 /* seq_cst */)}));
  if (of_block && r->checks)
    uw_set_attr(op, UW_OF_BLOCK, mlirUnitAttrGet(r->b.context));
}

/* All threads are the CPU's: what holds for one block only is a word to the checker. LLVM would make it less. */
static void take_scope(const rewriter *r, MlirOperation op) {
  if (mlirAttributeIsNull(uw_get_attr(op, "syncscope")) || uw_attr_is_str(op, "syncscope", "singlethread"))
    return;
  if (r->checks && uw_attr_is_str(op, "syncscope", UW_SCOPE_OF_BLOCK))
    uw_set_attr(op, UW_OF_BLOCK, mlirUnitAttrGet(r->b.context));
  uw_remove_attr(op, "syncscope");
}

/* barrier.cta.red.KIND(0, predicate): popc counts, and/or give 0 or 1. */
static MlirValue block_reduce(rewriter *r, const char *kind, MlirValue predicate) {
  if (mlirTypeEqual(mlirValueGetType(predicate), r->i32))
    predicate = uw_compare(&r->b, UW_NE, predicate, number(r, 0));
  if (strncmp(kind, "popc", 4) == 0)
    return reduce(r, "block", "add", widen(r, predicate));
  if (strncmp(kind, "or", 2) == 0)
    return reduce(r, "block", "or", widen(r, predicate));
  MlirValue none = reduce(r, "block", "or", widen(r, invert(r, predicate)));
  return widen(r, uw_compare(&r->b, UW_EQ, none, number(r, 0)));
}

/* Of the four of shfl and of vote; anything else is another intrinsic. */
static bool is_mode(const char *mode, const char *const names[4]) {
  for (int i = 0; i < 4; i++)
    if (strncmp(mode, names[i], strlen(names[i])) == 0 && mode[strlen(names[i])] == '.')
      return true;
  return false;
}

/* shfl.sync.MODE(mask, value, b, c): c holds the segment mask in bits 8 to 12 and the clamp in bits 0 to 4. */
static MlirValue shuffle(rewriter *r, const char *mode, MlirOperation op, MlirValue *in_range) {
  MlirValue value = uw_operand(op, 1), b = uw_operand(op, 2), c = uw_operand(op, 3), here = lane(r);
  MlirValue segment = arith(r, "arith.andi", arith(r, "arith.shrui", c, number(r, 8)), number(r, 31));
  MlirValue clamp = arith(r, "arith.andi", c, number(r, 31)),
            not_segment = arith(r, "arith.xori", segment, number(r, 31));
  MlirValue lowest = arith(r, "arith.andi", here, segment);
  MlirValue highest = arith(r, "arith.ori", lowest, arith(r, "arith.andi", clamp, not_segment));
  b = arith(r, "arith.andi", b, number(r, 31));
  MlirValue source, fits;
  if (strncmp(mode, "up", 2) == 0) {
    source = arith(r, "arith.subi", here, b);
    fits = uw_compare(&r->b, UW_SGE, source, highest);
  } else {
    source = strncmp(mode, "down", 4) == 0   ? arith(r, "arith.addi", here, b)
             : strncmp(mode, "bfly", 4) == 0 ? arith(r, "arith.xori", here, b)
                                             : arith(r, "arith.ori", lowest, arith(r, "arith.andi", b, not_segment));
    fits = uw_compare(&r->b, UW_SLE, source, highest);
  }
  source = uw_select(&r->b, fits, source, here);
  if (in_range)
    *in_range = fits;
  return uw_build1(&r->b, "unwarp.shuffle", .in = VALS(value, source, truth(r)), .out = TYPES(mlirValueGetType(value)));
}

/* vote.sync KIND(mask, predicate). Only lanes of the mask that exist and are active count. */
static MlirValue vote(rewriter *r, const char *kind, MlirValue mask, MlirValue predicate) {
  MlirValue zero = number(r, 0);
  if (strncmp(kind, "ballot", 6) == 0)
    return arith(r, "arith.andi", ballot(r, predicate), mask);
  if (strncmp(kind, "any", 3) == 0)
    return uw_compare(&r->b, UW_NE, arith(r, "arith.andi", ballot(r, predicate), mask), zero);
  MlirValue all = uw_compare(&r->b, UW_EQ, arith(r, "arith.andi", ballot(r, invert(r, predicate)), mask), zero);
  if (strncmp(kind, "all", 3) == 0)
    return all;
  MlirValue none = uw_compare(&r->b, UW_EQ, arith(r, "arith.andi", ballot(r, predicate), mask), zero); /* uni */
  return arith(r, "arith.ori", all, none);
}

static MlirValue match_any(rewriter *r, MlirOperation op) {
  MlirValue same = uw_build1(&r->b, "unwarp.match", .in = VALS(uw_operand(op, 1), truth(r)), .out = TYPES(r->i32));
  return arith(r, "arith.andi", same, uw_operand(op, 0));
}

/* The two results of match.all and of shfl…p come as a struct {value, i1}. */
static MlirValue struct_of(rewriter *r, MlirType type, uw_value_list values) {
  MlirValue all = uw_build1(&r->b, "llvm.mlir.poison", .out = TYPES(type));
  for (int64_t i = 0; i < (int64_t)values.count; i++)
    all = uw_build1(&r->b, "llvm.insertvalue", .in = VALS(all, values.at[i]), .out = TYPES(type),
                    .attrs = ATTRS({"position", mlirDenseI64ArrayGet(r->b.context, 1, &i)}));
  return all;
}

/* What the runtime computes once for a warp, of values of all lanes: uwrt_warp_function. */
static bool is_collective(MlirOperation op) {
  MlirStringRef callee = uw_get_str_attr(op, "callee");
  static const char prefix[] = "uwrt_warp_";
  return uw_kind(op) == UW_OP_LLVM_CALL && callee.length > sizeof prefix - 1 &&
         strncmp(callee.data, prefix, sizeof prefix - 1) == 0;
}

/* The function as the runtime has it, in place of what the lanes call. */
static void declare_collective(rewriter *r, MlirStringRef name) {
  MlirContext context = r->b.context;
  MlirOperation function = uw_find_symbol(r->module, uw_arena_format(r->arena, "%.*s", (int)name.length, name.data));
  static const char *const flags[] = {"no_unwind", "will_return"};
  uw_remove_attr(function, "arg_attrs");
  uw_set_attr(function, "function_type", mlirTypeAttrGet(uw_type(context, "!llvm.func<void (ptr, ptr)>")));
  uw_set_attr(function, "memory_effects",
              uw_attr(context, "#llvm.memory_effects<other = none, argMem = readwrite, inaccessibleMem = none, "
                               "errnoMem = none, targetMem0 = none, targetMem1 = none>"));
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    uw_set_attr(function, flags[i], mlirUnitAttrGet(context));
}

static MlirType bits_type(rewriter *r, MlirType type) {
  return mlirTypeIsAFloat(type) ? uw_int_type(r->b.context, mlirFloatTypeGetWidth(type)) : type;
}

static MlirValue cast_bits(rewriter *r, MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : uw_build1(&r->b, "arith.bitcast", .in = VALS(value), .out = TYPES(type));
}

/* The vector that the call gave. libdevice/ptx takes it apart, so that mostly nobody uses it. */
static void replace_vector(rewriter *r, MlirOperation op, const MlirValue *elements) {
  MlirValue old = uw_result(op, 0), all = uw_build1(&r->b, "llvm.mlir.poison", .out = TYPES(mlirValueGetType(old)));
  int64_t count = mlirShapedTypeGetDimSize(mlirValueGetType(old), 0), index;
  for (int64_t i = 0; i < count; i++)
    all = uw_build1(&r->b, "llvm.insertelement", .in = VALS(all, elements[i], uw_const_int(&r->b, 64, i)),
                    .out = TYPES(mlirValueGetType(old)));
  for (MlirOpOperand use = mlirValueGetFirstUse(old); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (uw_string_is(uw_name(user), "llvm.extractelement") && uw_const_value(uw_operand(user, 1), &index) &&
        index >= 0 && index < count)
      uw_replace_uses(uw_result(user, 0), elements[index]);
  }
  uw_replace_uses(old, all);
}

static void rewrite_collective(rewriter *r, MlirOperation op) {
  enum { MOST_RESULTS = 4 };
  MlirType type = mlirValueGetType(uw_result(op, 0)), element = mlirShapedTypeGetElementType(type);
  size_t count = (size_t)mlirShapedTypeGetDimSize(type, 0);
  uw_assert(op, count <= MOST_RESULTS);
  MlirType results[MOST_RESULTS];
  MlirValue elements[MOST_RESULTS];
  uw_vals in = {0};
  uw_vals_push(r->arena, &in, truth(r));
  for (size_t i = 0; i < uw_operand_count(op); i++)
    uw_vals_push(r->arena, &in, cast_bits(r, uw_operand(op, i), bits_type(r, mlirValueGetType(uw_operand(op, i)))));
  for (size_t i = 0; i < count; i++)
    results[i] = bits_type(r, element);
  MlirOperation made = uw_build_op(&r->b, "unwarp.collective",
                                   (uw_op_spec){.in = {in.at, in.count},
                                                .out = {results, count},
                                                .attrs = ATTRS({"callee", uw_get_attr(op, "callee")})});
  for (size_t i = 0; i < count; i++)
    elements[i] = cast_bits(r, uw_result(made, i), element);
  replace_vector(r, op, elements);
  declare_collective(r, uw_get_str_attr(op, "callee"));
  uw_erase(op);
}

static MlirValue call_runtime(rewriter *r, const char *name, const char *type, MlirType result) {
  uw_declare(r->module, name, type);
  MlirOperation call = uw_call(&r->b, name, (uw_value_list){0}, result);
  return mlirTypeIsNull(result) ? (MlirValue){NULL} : uw_result(call, 0);
}

static MlirValue narrow(rewriter *r, MlirValue wide) {
  return uw_build1(&r->b, "arith.trunci", .in = VALS(wide), .out = TYPES(r->i32));
}

/* Bits of the lanes that stand in this relation to the own lane. */
static MlirValue lane_mask(rewriter *r, const char *relation) {
  MlirValue own = arith(r, "arith.shli", number(r, 1), lane(r)), below = arith(r, "arith.subi", own, number(r, 1));
  MlirValue all = number(r, -1);
  if (strcmp(relation, "eq") == 0)
    return own;
  if (strcmp(relation, "lt") == 0)
    return below;
  if (strcmp(relation, "le") == 0)
    return arith(r, "arith.ori", own, below);
  if (strcmp(relation, "ge") == 0)
    return arith(r, "arith.xori", below, all);
  return arith(r, "arith.xori", arith(r, "arith.ori", own, below), all); /* gt */
}

/* --- clusters: extents are the launch's, the rest follows from where the block is in the grid --- */

static MlirValue extent(rewriter *r, int64_t dimension) {
  uw_declare(r->module, "uwrt_cluster_extent", "!llvm.func<i32 (i32)>"); /* launch.c knows it */
  return uw_result(uw_call(&r->b, "uwrt_cluster_extent", VALS(number(r, dimension)), r->i32), 0);
}

static MlirValue in_grid(rewriter *r, const char *what, int64_t dimension) {
  return special(r, uw_arena_format(r->arena, "nvvm.read.ptx.sreg.%s.%c", what, (char)('x' + dimension)));
}

static MlirValue in_cluster(rewriter *r, int64_t dimension) {
  return arith(r, "arith.remui", in_grid(r, "ctaid", dimension), extent(r, dimension));
}

/* A special register of clusters; null for others. */
static MlirValue cluster_register(rewriter *r, const char *which) {
  static const struct {
    const char *name, *of_grid; /* this divided by the extent; null: no division */
  } registers[] = {
      {"clusterid.", "ctaid"}, {"nclusterid.", "nctaid"}, {"cluster.ctaid.", NULL}, {"cluster.nctaid.", NULL}};
  for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
    size_t length = strlen(registers[i].name);
    if (strncmp(which, registers[i].name, length) != 0 || which[length] < 'x' || which[length] > 'z' ||
        which[length + 1])
      continue;
    int64_t dimension = which[length] - 'x';
    if (registers[i].of_grid)
      return arith(r, "arith.divui", in_grid(r, registers[i].of_grid, dimension), extent(r, dimension));
    return i == 2 ? in_cluster(r, dimension) : extent(r, dimension);
  }
  if (strcmp(which, "cluster.nctarank") == 0)
    return arith(r, "arith.muli", arith(r, "arith.muli", extent(r, 0), extent(r, 1)), extent(r, 2));
  if (strcmp(which, "cluster.ctarank") == 0) {
    MlirValue plane = arith(r, "arith.addi", in_cluster(r, 1), arith(r, "arith.muli", extent(r, 1), in_cluster(r, 2)));
    return arith(r, "arith.addi", in_cluster(r, 0), arith(r, "arith.muli", extent(r, 0), plane));
  }
  return (MlirValue){NULL};
}

static bool starts(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

/* total_smem_size, in LLVM's form or in MLIR's with dots. */
static bool is_size(const char *name, const char *of) {
  size_t length = strlen(of);
  return strncmp(name, of, length) == 0 &&
         (strcmp(name + length, "_smem_size") == 0 || strcmp(name + length, ".smem.size") == 0);
}

typedef enum outcome { DONE, KEPT, UNKNOWN } outcome;

/* name: without "llvm.nvvm." or "nvvm."; *with is the replacement of the only result, if it has one. */
static outcome rewrite(rewriter *r, MlirOperation op, const char *name, MlirValue *with) {
  MlirType type = uw_result_count(op) ? mlirValueGetType(uw_result(op, 0)) : (MlirType){NULL};
  if (starts(name, "read.ptx.sreg.")) {
    const char *which = name + strlen("read.ptx.sreg.");
    if (starts(which, "tid.") || starts(which, "ntid.") || starts(which, "ctaid.") || starts(which, "nctaid.")) {
      if (uw_name_starts(op, "nvvm."))
        return KEPT;
      *with = special(r, uw_arena_format(r->arena, "nvvm.%s", name));
    } else if (strcmp(which, "laneid") == 0)
      *with = lane(r);
    else if (strcmp(which, "warpid") == 0)
      *with = arith(r, "arith.shrui", linear_thread(r), number(r, 5));
    else if (strcmp(which, "warpsize") == 0)
      *with = number(r, 32);
    else if (strcmp(which, "nwarpid") == 0 || strcmp(which, "nsmid") == 0)
      *with = number(r, 32);
    else if (strcmp(which, "smid") == 0 || strcmp(which, "gridid") == 0)
      *with = number(r, 0);
    else if (with->ptr = cluster_register(r, which).ptr, with->ptr)
      return DONE;
    else if (starts(which, "lanemask."))
      *with = lane_mask(r, which + strlen("lanemask."));
    else if (is_size(which, "dynamic"))
      *with = call_runtime(r, "uwrt_dynamic_shared_bytes", "!llvm.func<i32 ()>", r->i32); /* launch.c knows it */
    else if (is_size(which, "total") || is_size(which, "aggr"))
      *with = call_runtime(r, "uwrt_all_shared_bytes", "!llvm.func<i32 ()>", r->i32); /* the same */
    else if (strcmp(which, "clock") == 0)
      *with = narrow(r, call_runtime(r, "uwrt_clock64", "!llvm.func<i64 ()>", r->i64));
    else if (strcmp(which, "clock64") == 0)
      *with = call_runtime(r, "uwrt_clock64", "!llvm.func<i64 ()>", r->i64);
    else if (strcmp(which, "globaltimer") == 0)
      *with = call_runtime(r, "uwrt_globaltimer", "!llvm.func<i64 ()>", r->i64);
    else
      return UNKNOWN;
    return DONE;
  }
  if (starts(name, "barrier.cta.sync.") && strstr(name, ".all")) {
    barrier(r, "block"); /* all threads of the block meet in it, whatever its index */
  } else if (starts(name, "barrier.cluster.wait")) {
    reduce(r, "block", "cluster", number(r, 1));
  } else if (starts(name, "barrier.cluster.arrive")) {
    fence(r, false);
  } else if (strcmp(name, "is_explicit_cluster") == 0) {
    *with =
        uw_compare(&r->b, UW_NE, call_runtime(r, "uwrt_cluster_explicit", "!llvm.func<i32 ()>", r->i32), number(r, 0));
  } else if (starts(name, "barrier.cta.red.") && strstr(name, ".all")) {
    const char *kind = name + strlen("barrier.cta.red.");
    MlirValue result = block_reduce(r, kind, uw_operand(op, 1));
    *with = mlirTypeEqual(type, r->i1) ? uw_compare(&r->b, UW_NE, result, number(r, 0)) : result;
  } else if (strcmp(name, "bar.warp.sync") == 0) {
    note_mask(r, uw_operand(op, 0));
    barrier(r, "warp");
  } else if (starts(name, "shfl.sync.") &&
             is_mode(name + strlen("shfl.sync."), (const char *const[]){"idx", "up", "down", "bfly"})) {
    note_mask(r, uw_operand(op, 0));
    MlirValue fits;
    MlirValue value = shuffle(r, name + strlen("shfl.sync."), op, &fits);
    *with = mlirTypeIsALLVMStructType(type) ? struct_of(r, type, VALS(value, fits)) : value;
  } else if (starts(name, "vote.") &&
             is_mode(name + strlen("vote."), (const char *const[]){"all", "any", "uni", "ballot"}) &&
             strstr(name, ".sync")) {
    note_mask(r, uw_operand(op, 0));
    *with = vote(r, name + strlen("vote."), uw_operand(op, 0), uw_operand(op, 1));
  } else if (starts(name, "match.any.sync.")) {
    note_mask(r, uw_operand(op, 0));
    *with = match_any(r, op);
  } else if (starts(name, "match.all.sync.")) {
    note_mask(r, uw_operand(op, 0));
    MlirValue mask = uw_operand(op, 0), same = match_any(r, op);
    MlirValue present = arith(r, "arith.andi", ballot(r, truth(r)), mask),
              all = uw_compare(&r->b, UW_EQ, same, present);
    *with = struct_of(r, type, VALS(uw_select(&r->b, all, present, number(r, 0)), all));
  } else if (strcmp(name, "activemask") == 0) {
    *with = ballot(r, truth(r));
  } else if (starts(name, "membar.") || starts(name, "fence.")) {
    fence(r, strcmp(name, "membar.cta") == 0);
  } else if (strcmp(name, "nanosleep") == 0) {
    call_runtime(r, "uwrt_nap", "!llvm.func<void ()>", (MlirType){NULL});
  } else if (strcmp(name, "exit") == 0) {
    /* structure.c ends the thread at the unreachable after it */
  } else {
    return UNKNOWN;
  }
  return DONE;
}

/* "shfl.sync.down.i32" of llvm.call_intrinsic "llvm.nvvm.shfl.sync.down.i32" and of nvvm.*; null for others. */
static const char *nvvm_name(uw_arena *arena, MlirOperation op) {
  static const char prefix[] = "llvm.nvvm.";
  MlirStringRef name = uw_name(op);
  if (uw_kind(op) == UW_OP_LLVM_CALL_INTRINSIC)
    name = uw_get_str_attr(op, "intrin");
  const char *text = uw_arena_format(arena, "%.*s", (int)name.length, name.data);
  if (starts(text, prefix))
    return text + sizeof prefix - 1;
  return starts(text, "nvvm.") ? text + strlen("nvvm.") : NULL;
}

/* llvm.trap: the runtime reports, and launch.c's caller ends the thread at the unreachable after it. */
static void rewrite_trap(rewriter *r, MlirOperation op) {
  uw_declare(r->module, "uwrt_trap", "!llvm.func<void (ptr)>");
  MlirValue places = uw_build_text(&r->b, r->module, uw_places(r->arena, mlirOperationGetLocation(op)));
  uw_call(&r->b, "uwrt_trap", VALS(places), (MlirType){NULL});
  mlirOperationDestroy(op);
}

/* What our own headers call for want of an intrinsic. */
static const char *barrier_of_blocks(MlirOperation op) {
  return uw_kind(op) != UW_OP_LLVM_CALL                      ? NULL
         : uw_attr_is_str(op, "callee", "uwrt_grid_sync")    ? "grid"
         : uw_attr_is_str(op, "callee", "uwrt_cluster_sync") ? "cluster"
                                                             : NULL;
}

static bool raise_function(MlirModule module, MlirOperation function, uw_arena *arena) {
  MlirContext context = mlirModuleGetContext(module);
  uw_ops ops = uw_collect(arena, function);
  bool ok = true;
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    rewriter r = {module,
                  arena,
                  uw_at(op),
                  uw_int_type(context, 1),
                  uw_int_type(context, 32),
                  uw_int_type(context, 64),
                  uw_get_int_attr(mlirModuleGetOperation(module), UW_CHECK, 0) != 0};
    take_scope(&r, op);
    if (uw_string_is(uw_name(op), "llvm.intr.trap")) {
      rewrite_trap(&r, op);
      continue;
    }
    const char *blocks = barrier_of_blocks(op);
    if (blocks) {
      reduce(&r, "block", blocks, number(&r, 1));
      uw_erase(op);
      continue;
    }
    if (is_collective(op)) {
      rewrite_collective(&r, op);
      continue;
    }
    if (uw_kind(op) == UW_OP_LLVM_INLINE_ASM) {
      MlirStringRef text = uw_get_str_attr(op, "asm_string");
      uw_error(mlirOperationGetLocation(op),
               "inline PTX '%.*s' is not supported; write it in CUDA C++, or keep it under #ifndef __UNWARP__",
               (int)text.length, text.data);
      ok = false;
      continue;
    }
    const char *name = nvvm_name(arena, op);
    if (!name)
      continue;
    MlirValue with = {NULL};
    switch (rewrite(&r, op, name, &with)) {
    case DONE:
      if (with.ptr)
        uw_replace_uses(uw_result(op, 0), with);
      uw_erase(op);
      break;
    case UNKNOWN:
      uw_error(mlirOperationGetLocation(op),
               "the device intrinsic '%s' is not supported; guard it with #ifndef __UNWARP__ and write the plain form",
               name);
      ok = false;
      break;
    case KEPT: break;
    }
  }
  return ok;
}

bool uw_raise_intrinsics(MlirModule module, uw_arena *arena) {
  uw_ops functions = {0};
  uw_foreach_op (op, mlirModuleGetBody(module))
    if (uw_kind(op) == UW_OP_LLVM_FUNC && !uw_is_host(op))
      uw_ops_push(arena, &functions, op);
  bool ok = true;
  for (size_t i = 0; i < functions.count; i++)
    ok &= raise_function(module, functions.at[i], arena);
  return ok;
}
