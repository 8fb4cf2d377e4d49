/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A kernel, by now a func.func of one block, becomes the body of a loop over threads in a loop over blocks, in an entry
 * that the runtime calls (uwrt_entry in runtime/uwrt.h):
 *
 *   func.func @kernel(%p: !llvm.ptr)        func.func @__unwarp_entry_kernel(%dims: !llvm.ptr, %args: !llvm.ptr)
 *     body                            ==>     grid and block extents, parameters loaded
 *     return                                  scf.forall (%bz, %by, %bx) in (%gz, %gy, %gx)    #gpu.block<z>, …
 *                                               unwarp.shared …
 *                                               scf.forall (%z, %y, %x) in (%nz, %ny, %nx)     #gpu.thread<z>, …
 *                                                 body
 *
 * A kernel whose blocks wait for each other (waiting_blocks.c) has no grid loop: its entry runs one block, which dims names, and
 * the runtime has blocks run side by side (runtime/grid.c). Its launches go there.
 *
 * The same loops stand at each launch whose function came along (frontend/launches.c), where shape and parameters are
 * the launch's own values, often constants.
 *
 * An optimised kernel has a second entry, which runs one block and which only passes that are needed touch: when a
 * block of the first faults, the runtime finds the thread and the line with it (runtime/replay.c). A launch whose
 * values optimised code is not made for runs by it, too (passes/launch_question.h).
 *
 * Lowering makes one loop over numbers of blocks of it, x fastest, so that blocks start in index order.
 *
 * Functions that stayed calls (recursive, through pointers, noinline) find their position in the grid in the runtime's
 * thread context; a kernel stores it before it calls one that needs it.
 */
#include <string.h>

#include "../../runtime/uwrt.h"
#include "../analysis/dry_run.h"
#include "../ir/block_numbers.h"
#include "../ir/parallel.h"
#include "../ir/remarks.h"
#include "packed.h"
#include "raise.h"

typedef struct launch {
  MlirModule module;
  uw_arena *arena;
  MlirContext context;
  MlirType ptr, index, i32, i64;
  uw_table *needs_context; /* llvm.func -> 1 */
  bool keep_arguments;     /* where the runtime finds them, for a replay */
  bool versions;           /* of entries: there are no checks, which know one loop over blocks in an entry */
  uw_table *in_place;      /* kernels that are launched in place, which run by their entries seldom */
} launch;

static MlirValue to_index(uw_builder *b, MlirValue value) {
  return uw_build1(b, "arith.index_castui", .in = VALS(value), .out = TYPES(uw_index_type(b->context)));
}
static MlirValue to_i32(uw_builder *b, MlirValue value) {
  return uw_build1(b, "arith.index_castui", .in = VALS(value), .out = TYPES(uw_int_type(b->context, 32)));
}

/* --- the thread's position in the grid ---------------------------------------------------------------------------- */

typedef struct place {
  MlirValue thread[3], block[3], block_dim[3], grid_dim[3]; /* i32; x first */
} place;

/* Which of place's values a special register reads; null for other operations. */
static MlirValue *register_of(place *p, MlirOperation op) {
  static const struct {
    const char *prefix;
    size_t offset;
  } registers[] = {{"nvvm.read.ptx.sreg.tid.", offsetof(place, thread)},
                   {"nvvm.read.ptx.sreg.ntid.", offsetof(place, block_dim)},
                   {"nvvm.read.ptx.sreg.ctaid.", offsetof(place, block)},
                   {"nvvm.read.ptx.sreg.nctaid.", offsetof(place, grid_dim)}};
  MlirStringRef name = uw_name(op);
  for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
    size_t length = strlen(registers[i].prefix);
    if (name.length == length + 1 && memcmp(name.data, registers[i].prefix, length) == 0)
      return (MlirValue *)((char *)p + registers[i].offset) + (name.data[length] - 'x');
  }
  return NULL;
}

static bool is_report(MlirStringRef callee) {
  return uw_string_is(callee, "uwrt_assert_fail") || uw_string_is(callee, "uwrt_trap") ||
         uw_string_is(callee, "uwrt_stuck") || uw_string_is(callee, "uwrt_yield");
}

/* A call whose callee may ask where it runs. */
static bool call_needs_context(launch *l, MlirOperation call) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  if (!callee.data)
    return true; /* through a pointer */
  if (is_report(callee) || uw_is_device_symbol(callee.data, callee.length))
    return true; /* the latter may be in another file */
  MlirOperation function =
      uw_find_symbol(l->module, uw_arena_format(l->arena, "%.*s", (int)callee.length, callee.data));
  return !uw_null(function) && uw_table_get(l->needs_context, function.ptr);
}

static void find_context_users(launch *l) {
  for (bool changed = true; changed;) {
    changed = false;
    uw_foreach_op (function, mlirModuleGetBody(l->module)) {
      if (uw_kind(function) != UW_OP_LLVM_FUNC || uw_table_get(l->needs_context, function.ptr))
        continue;
      uw_ops ops = uw_collect(l->arena, function);
      place unused;
      for (size_t i = 0; i < ops.count; i++)
        if (register_of(&unused, ops.at[i]) ||
            (uw_kind(ops.at[i]) == UW_OP_LLVM_CALL && call_needs_context(l, ops.at[i]))) {
          uw_table_set(l->needs_context, function.ptr, 1);
          changed = true;
          break;
        }
    }
  }
}

static MlirValue context_pointer(launch *l, uw_builder *b) {
  uw_declare(l->module, "uwrt_context", "!llvm.func<ptr ()>");
  return uw_result(uw_call(b, "uwrt_context", (uw_value_list){0}, l->ptr), 0);
}

/* The special registers of a function that stayed a call: each is read once, at its entry, since a loop around a call
 * of uwrt_context and a load after the function's own stores would read it in each iteration. */
static void read_context(launch *l, MlirOperation function) {
  uw_ops ops = uw_collect(l->arena, function);
  place offsets; /* only the positions in it count: place and uwrt_thread_context list the same things */
  static const size_t bases[] = {offsetof(uwrt_thread_context, thread), offsetof(uwrt_thread_context, block),
                                 offsetof(uwrt_thread_context, block_dim), offsetof(uwrt_thread_context, grid_dim)};
  MlirValue context = {0}, values[12] = {{0}};
  uw_builder b = {0};
  for (size_t i = 0; i < ops.count; i++) {
    MlirValue *which = register_of(&offsets, ops.at[i]);
    if (!which)
      continue;
    size_t position = (size_t)(which - offsets.thread);
    if (!context.ptr) {
      b = uw_at(mlirBlockGetFirstOperation(uw_block(function, 0)));
      context = context_pointer(l, &b);
    }
    if (!values[position].ptr)
      values[position] =
          uw_build1(&b, "llvm.load", .in = VALS(uw_byte_address(&b, context, bases[position / 3] + 4 * (position % 3))),
                    .out = TYPES(l->i32));
    uw_replace_uses(uw_result(ops.at[i], 0), values[position]);
  }
  for (size_t i = 0; i < ops.count; i++) /* after: the first may be the position to build at */
    if (register_of(&offsets, ops.at[i]))
      uw_erase(ops.at[i]);
}

static void write_context(launch *l, MlirOperation call, const place *p) {
  uw_builder b = uw_at(call);
  MlirValue context = context_pointer(l, &b);
  const MlirValue *groups[] = {p->thread, p->block, p->block_dim, p->grid_dim};
  static const size_t bases[] = {offsetof(uwrt_thread_context, thread), offsetof(uwrt_thread_context, block),
                                 offsetof(uwrt_thread_context, block_dim), offsetof(uwrt_thread_context, grid_dim)};
  for (size_t g = 0; g < 4; g++)
    for (size_t d = 0; d < 3; d++)
      uw_build(&b, "llvm.store", .in = VALS(groups[g][d], uw_byte_address(&b, context, bases[g] + 4 * d)));
}

static void set_location(MlirOperation op, MlirLocation location) {
  mlirOperationSetLocation(op, location);
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region)) {
    MlirBlock block = mlirRegionGetFirstBlock(region);
    for (intptr_t a = 0; !mlirBlockIsNull(block) && a < mlirBlockGetNumArguments(block); a++)
      mlirBlockArgumentSetLocation(mlirBlockGetArgument(block, a), location);
  }
}

/* --- one kernel --------------------------------------------------------------------------------------------------- */

static MlirOperation make_entry(launch *l, const char *name, MlirOperation func) {
  MlirType inputs[] = {l->ptr, l->ptr};
  bool copy = mlirBlockIsNull(mlirOperationGetBlock(func));
  uw_builder b = copy ? uw_at_end(mlirModuleGetBody(l->module), mlirOperationGetLocation(func)) : uw_at(func);
  MlirOperation entry =
      uw_build(&b, "func.func", .regions = 1,
               .attrs = ATTRS({"sym_name", uw_str_attr(l->context, name)},
                              {"function_type", mlirTypeAttrGet(mlirFunctionTypeGet(l->context, 2, inputs, 0, NULL))}));
  MlirLocation locations[] = {b.location, b.location};
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(entry, 0), mlirBlockCreate(2, inputs, locations));
  uw_builder inner = uw_at_end(uw_block(entry, 0), b.location);
  uw_build(&inner, "func.return");
  return entry;
}

/* Block index (x, y, z) of the linear one. */
static void split_block_index(uw_builder *b, MlirValue linear, const MlirValue grid[3], MlirValue out[3]) {
  MlirValue row = uw_binary(b, "arith.divui", linear, grid[0]);
  out[0] = uw_binary(b, "arith.remui", linear, grid[0]);
  out[1] = uw_binary(b, "arith.remui", row, grid[1]);
  out[2] = uw_binary(b, "arith.divui", row, grid[1]);
}

/* What a launch is made of, as values where its loops will stand. */
typedef struct shape {
  MlirValue grid[3], block[3]; /* i32 */
  MlirValue dynamic_bytes;     /* i64 */
  MlirValue block_number;      /* i64: the one block to run; null for all */
  MlirValue cooperative;       /* i32: whether all blocks run at once */
  MlirValue *parameters;       /* by value: the address */
  MlirValue dims;              /* the runtime's uwrt_dims */
  bool in_place;
} shape;

/* The extents of the launch's clusters, where the code asks for them; a launch without clusters has zeros. */
static void load_cluster(launch *l, uw_builder *b, MlirValue dims, uw_ops ops, MlirValue cluster[3]) {
  bool asks = false;
  for (size_t i = 0; i < ops.count; i++)
    asks = asks || uw_attr_is_str(ops.at[i], "callee", "uwrt_cluster_extent");
  for (size_t d = 0; d < 3 && asks; d++)
    cluster[d] = uw_binary(b, "arith.maxui", uw_const_int(b, 32, 1),
                           uw_load_readonly(b, dims, offsetof(uwrt_dims, cluster) + 4 * d, l->i32));
}

/* Builds the loops at `b` and moves the body of `func`, which is consumed, into them. Gives the static shared bytes. */
static uint64_t place_body(launch *l, const uw_kernel *kernel, MlirOperation func, uw_builder b, const shape *s) {
  MlirBlock body = uw_block(func, 0);
  place p;
  MlirValue grid[3], block[3];
  for (size_t d = 0; d < 3; d++) {
    p.grid_dim[d] = s->grid[d];
    /* A launch with more threads than __launch_bounds__ says, or of another shape than .reqntid says, is refused. */
    bool checked = !(kernel->flags & UWRT_KERNEL_SYCL);
    p.block_dim[d] = checked && kernel->shape[0] ? uw_const_int(&b, 32, (int64_t)kernel->shape[d])
                     : kernel->max_threads == 1  ? uw_const_int(&b, 32, 1)
                                                 : s->block[d];
    grid[d] = to_index(&b, p.grid_dim[d]);
    block[d] = to_index(&b, p.block_dim[d]);
  }
  uw_builder in_grid = b, at_launch = b;
  MlirValue number, block_index[3];
  if (s->block_number.ptr) {
    number = to_index(&b, s->block_number);
    split_block_index(&in_grid, number, grid, block_index);
  } else {
    MlirOperation grid_loop = uw_build_parallel(&b, VALS(grid[2], grid[1], grid[0]), UW_OVER_BLOCKS);
    in_grid = uw_at_end(uw_block(grid_loop, 0), b.location);
    for (size_t d = 0; d < 3; d++)
      block_index[d] = uw_index(grid_loop, 2 - d);
    number = uw_block_number(&in_grid, block_index, grid);
    at_launch = uw_at(grid_loop);
  }
  for (size_t d = 0; d < 3; d++)
    p.block[d] = to_i32(&in_grid, block_index[d]);
  uw_declare(l->module, "uwrt_enter_block", "!llvm.func<ptr (ptr, i64)>");
  MlirValue entered = uw_build1(&in_grid, "arith.index_cast", .in = VALS(number), .out = TYPES(l->i64));
  uw_call(&in_grid, "uwrt_enter_block", VALS(s->dims, entered), l->ptr);
  MlirOperation block_loop = uw_build_parallel(&in_grid, VALS(block[2], block[1], block[0]), UW_OVER_THREADS);
  if (s->block_number.ptr)
    at_launch = uw_at(block_loop);
  uw_set_attr(block_loop, UW_KERNEL, uw_str_attr(l->context, kernel->name));
  MlirBlock thread_block = uw_block(block_loop, 0);
  uw_builder in_thread = uw_at_end(thread_block, b.location);
  for (size_t d = 0; d < 3; d++)
    p.thread[d] = to_i32(&in_thread, mlirBlockGetArgument(thread_block, (intptr_t)(2 - d)));

  for (uint32_t i = 0; i < kernel->param_count; i++) {
    MlirValue argument = mlirBlockGetArgument(body, i), value = s->parameters[i];
    if (kernel->param_by_value[i])
      value = uw_parameter_in_memory(l->arena, &at_launch, &in_thread, argument, value, kernel->param_sizes[i]);
    else if (!(kernel->flags & UWRT_KERNEL_SYCL) || s->in_place) /* the site has asked whether accessors are distinct */
      uw_mark_restrict(func, i, kernel->flags & UWRT_KERNEL_SYCL);
    uw_replace_uses(argument, value);
  }
  uint64_t static_bytes = 0;
  uw_foreach_op_safe (op, body) {
    if (uw_kind(op) == UW_OP_FUNC_RETURN)
      continue;
    if (uw_kind(op) != UW_OP_SHARED) {
      uw_move_to_end(op, thread_block);
      continue;
    }
    /* Shared memory stands in the grid loop, its size with it. */
    bool dynamic = !mlirAttributeIsNull(uw_get_attr(op, "unwarp.dynamic"));
    int64_t bytes = 0;
    uw_const_value(uw_operand(op, 0), &bytes);
    uw_builder at_block = uw_at(block_loop);
    mlirOperationSetOperand(op, 0, dynamic ? s->dynamic_bytes : uw_const_int(&at_block, 64, bytes));
    uw_move_before(op, block_loop);
    if (mlirAttributeIsNull(uw_get_attr(op, "unwarp.uncounted")))
      static_bytes += (uint64_t)bytes;
  }

  uw_ops ops = uw_collect(l->arena, block_loop);
  MlirValue cluster[3];
  load_cluster(l, &at_launch, s->dims, ops, cluster);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    const MlirValue *value = register_of(&p, op);
    if (!value && uw_attr_is_str(op, "callee", "uwrt_grid_is_cooperative"))
      value = &s->cooperative;
    bool all = uw_attr_is_str(op, "callee", "uwrt_all_shared_bytes");
    if (all || uw_attr_is_str(op, "callee", "uwrt_dynamic_shared_bytes")) {
      uw_builder at = uw_at(op);
      MlirValue bytes = uw_build1(&at, "arith.trunci", .in = VALS(s->dynamic_bytes), .out = TYPES(l->i32));
      if (all)
        bytes = uw_binary(&at, "arith.addi", bytes, uw_const_int(&at, 32, (int64_t)static_bytes));
      uw_replace_uses(uw_result(op, 0), bytes);
      uw_erase(op);
      continue;
    }
    int64_t dimension;
    if (!value && uw_attr_is_str(op, "callee", "uwrt_cluster_extent") && uw_const_value(uw_operand(op, 0), &dimension))
      value = &cluster[dimension];
    if (value) {
      uw_replace_uses(uw_result(op, 0), *value);
      uw_erase(op);
    } else if (uw_kind(op) == UW_OP_LLVM_CALL && call_needs_context(l, op)) {
      write_context(l, op, &p);
    }
  }
  mlirOperationDestroy(func);
  return static_bytes;
}

/* The same in two versions, where strides of the launch may make threads neighbours. */
static uint64_t place_versions(launch *l, const uw_kernel *kernel, MlirOperation func, uw_builder b, const shape *s) {
  uw_given_strides strides;
  if (!l->versions || uw_table_get(l->in_place, kernel))
    return place_body(l, kernel, func, b, s);
  uw_find_strides(l->arena, func, kernel, &strides);
  if (!strides.count)
    return place_body(l, kernel, func, b, s);
  MlirOperation near = mlirOperationClone(func);
  uw_find_strides(l->arena, near, kernel, &strides);
  uw_set_strides(near, &strides);
  uw_find_strides(l->arena, func, kernel, &strides);
  MlirOperation branch = uw_build_branch(&b, uw_strides_make_neighbours(&b, &strides, s->parameters));
  place_body(l, kernel, near, uw_at_end(uw_block(branch, 0), b.location), s);
  return place_body(l, kernel, func, uw_at_end(uw_block(branch, 1), b.location), s);
}

/* The out-of-line form: shape and parameters come from memory. Consumes func; gives the static shared bytes. */
static uint64_t raise_entry(launch *l, const uw_kernel *kernel, const char *name, bool one_block, MlirOperation func) {
  MlirOperation entry = make_entry(l, name, func);
  MlirBlock entry_block = uw_block(entry, 0), body = uw_block(func, 0);
  MlirValue dims = mlirBlockGetArgument(entry_block, 0), args = mlirBlockGetArgument(entry_block, 1);
  uw_builder b = uw_at_end(entry_block, mlirOperationGetLocation(func));
  shape s = {.dims = dims};
  for (size_t d = 0; d < 3; d++) {
    s.grid[d] = uw_load_readonly(&b, dims, offsetof(uwrt_dims, grid) + 4 * d, l->i32);
    s.block[d] = uw_load_readonly(&b, dims, offsetof(uwrt_dims, block) + 4 * d, l->i32);
  }
  s.dynamic_bytes = uw_load_readonly(&b, dims, offsetof(uwrt_dims, shared_bytes), l->i64);
  s.cooperative = uw_load_readonly(&b, dims, offsetof(uwrt_dims, cooperative), l->i32);
  if (one_block) {
    s.block_number = uw_load_readonly(&b, dims, offsetof(uwrt_dims, block_number), l->i64);
    uw_set_attr(uw_def(s.block_number), UW_BLOCK_NUMBER, mlirUnitAttrGet(l->context));
  }
  s.parameters = uw_alloc(l->arena, (kernel->param_count + 1) * sizeof *s.parameters);
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    MlirValue address = uw_load_readonly(&b, args, 8 * i, l->ptr);
    MlirType type = mlirValueGetType(mlirBlockGetArgument(body, i));
    s.parameters[i] = kernel->param_by_value[i] ? address : uw_load_readonly(&b, address, 0, type);
  }
  if (name == kernel->replay)
    uw_set_attr(entry, UW_REPLAY, mlirUnitAttrGet(l->context));
  return one_block ? place_body(l, kernel, func, b, &s) : place_versions(l, kernel, func, b, &s);
}

/* What passes make of a replay is no news to anybody. Where all code has its locations in the source, it has none: only
 * its threads are asked for. */
static MlirLocation replay_location(launch *l, MlirLocation location, bool with_places) {
  return mlirLocationNameGet(l->context, uw_str(UW_UNREMARKED),
                             with_places ? location : mlirLocationUnknownGet(l->context));
}

static void raise_replay(launch *l, uw_kernel *kernel, MlirOperation func, bool with_places) {
  MlirOperation copy = mlirOperationClone(func);
  uw_ops ops = uw_collect(l->arena, copy);
  for (size_t i = 0; i < ops.count; i++)
    set_location(ops.at[i], replay_location(l, mlirOperationGetLocation(ops.at[i]), with_places));
  mlirOperationSetLocation(copy, replay_location(l, mlirOperationGetLocation(copy), with_places));
  kernel->replay = uw_arena_format(l->arena, "__unwarp_replay_%s", kernel->name);
  raise_entry(l, kernel, kernel->replay, true, copy);
}

/* For remarks: the entry is for launches from elsewhere. */
static void name_version(launch *l, const uw_kernel *kernel, MlirOperation func) {
  if (uw_remarks_form() == UW_REMARKS_NONE)
    return;
  uw_ops ops = uw_collect(l->arena, func);
  for (size_t i = 0; i < ops.count; i++)
    set_location(ops.at[i], uw_remark_version(mlirOperationGetLocation(ops.at[i]), kernel->name, NULL));
  mlirOperationSetLocation(func, uw_remark_version(mlirOperationGetLocation(func), kernel->name, NULL));
}

/* --- launches at their call site ---------------------------------------------------------------------------------- */

/* The runtime's record of a kernel, which uw_merge makes. */
static MlirValue record_of(launch *l, uw_builder *b, const uw_kernel *kernel) {
  const char *name = uw_arena_format(l->arena, UW_KERNEL_RECORD "%s", kernel->name);
  if (uw_null(uw_find_symbol(l->module, name))) {
    uw_builder top = uw_at_start(mlirModuleGetBody(l->module), mlirLocationUnknownGet(l->context));
    uw_build(&top, "llvm.mlir.global", .regions = 1,
             .attrs = ATTRS({"sym_name", uw_str_attr(l->context, name)},
                            {"global_type", mlirTypeAttrGet(uw_int_type(l->context, 8))},
                            {"linkage", uw_attr(l->context, "#llvm.linkage<external>")}));
  }
  return uw_build1(b, "llvm.mlir.addressof", .out = TYPES(l->ptr),
                   .attrs = ATTRS({"global_name", uw_symbol_attr(l->context, name)}));
}

static MlirLocation place_of_launch(launch *l, const uw_kernel *kernel, MlirOperation call) {
  MlirLocation at = mlirOperationGetLocation(call);
  if (mlirLocationEqual(at, mlirLocationUnknownGet(l->context)))
    at = mlirOperationGetLocation(uw_parent_of_kind(call, UW_OP_LLVM_FUNC));
  /* The call comes from the kernel's stub, which was inlined where the program launches. */
  MlirLocation launched = mlirLocationIsACallSite(at) ? mlirLocationCallSiteGetCaller(at) : at;
  return uw_remark_version(at, kernel->name, &launched);
}

/* The body's locations keep their file and line and say where they were launched: gdb shows the kernel as inlined. */
static MlirOperation copy_for_site(launch *l, const uw_kernel *kernel, MlirOperation func, MlirOperation call) {
  MlirOperation copy = mlirOperationClone(func);
  MlirLocation at = place_of_launch(l, kernel, call);
  uw_ops ops = uw_collect(l->arena, copy);
  for (size_t i = 0; i < ops.count; i++)
    set_location(ops.at[i], mlirLocationCallSiteGet(mlirOperationGetLocation(ops.at[i]), at));
  return copy;
}

/* The parameters as cudaLaunchKernel wants them: a list of addresses, and the values after it, in one piece of
 * stack. */
static MlirValue pack_parameters(launch *l, const uw_kernel *kernel, MlirOperation call, uw_builder *b,
                                 const MlirValue *values) {
  enum { ALIGNMENT = 16 };
  size_t bytes = 8 * (size_t)kernel->param_count;
  size_t offsets[kernel->param_count + 1];
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    offsets[i] = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bytes = offsets[i] + (kernel->param_by_value[i] ? 0 : kernel->param_sizes[i]);
  }
  /* In the function's first block: a launch in a loop takes its stack once. */
  uw_builder top = uw_at_start(uw_block(uw_parent_of_kind(call, UW_OP_LLVM_FUNC), 0), b->location);
  MlirType room = uw_type(l->context, uw_arena_format(l->arena, "!llvm.array<%zu x i8>", bytes ? bytes : 1));
  MlirValue one = uw_const_int(&top, 64, 1);
  MlirValue list = uw_build1(
      &top, "llvm.alloca", .in = VALS(one), .out = TYPES(l->ptr),
      .attrs = ATTRS({"elem_type", mlirTypeAttrGet(room)}, {"alignment", uw_int_attr(l->context, 64, ALIGNMENT)}));
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    MlirValue address = values[i];
    if (!kernel->param_by_value[i]) {
      address = uw_byte_address(b, list, offsets[i]);
      uw_build(b, "llvm.store", .in = VALS(values[i], address));
    }
    uw_build(b, "llvm.store", .in = VALS(address, uw_byte_address(b, list, 8 * (size_t)i)));
  }
  return list;
}

/* A launch by handle: cudaLaunchKernel(stub, grid, block, args, bytes, stream). */
static void launch_by_handle(launch *l, const uw_kernel *kernel, MlirOperation call) {
  uw_builder b = uw_at(call);
  MlirValue values[kernel->param_count + 1];
  for (uint32_t i = 0; i < kernel->param_count; i++)
    values[i] = uw_operand(call, 6 + i);
  MlirValue args = pack_parameters(l, kernel, call, &b, values);
  MlirValue place = uw_byte_address(&b, record_of(l, &b, kernel), offsetof(uwrt_kernel, stub));
  MlirValue stub = uw_build1(&b, "llvm.load", .in = VALS(place), .out = TYPES(l->ptr));
  uw_declare(l->module, "cudaLaunchKernel", "!llvm.func<i32 (ptr, i64, i32, i64, i32, ptr, i64, ptr)>");
  uw_call(&b, "cudaLaunchKernel",
          VALS(stub, uw_operand(call, 0), uw_operand(call, 1), uw_operand(call, 2), uw_operand(call, 3), args,
               uw_operand(call, 4), uw_operand(call, 5)),
          l->i32);
  uw_erase(call);
}

/*   call @__unwarp_launch_K(%grid_xy, %grid_z, %block_xy, %block_z, %bytes, %stream, parameters…, launch_constants.c's)
 * ==>
 *   if (uwrt_launch_begin(record of K, …)) { loops; uwrt_launch_end(record of K) }
 *   else uwrt_launch_elsewhere(record of K, addresses of the parameters) */
static void raise_site(launch *l, const uw_kernel *kernel, MlirOperation func, MlirOperation call) {
  uw_builder b = uw_at(call);
  uw_table_set(l->in_place, kernel, 1);
  MlirValue record = record_of(l, &b, kernel), operands[7] = {record};
  for (size_t i = 0; i < 6; i++)
    operands[i + 1] = uw_operand(call, i);
  uw_declare(l->module, "uwrt_launch_begin", "!llvm.func<ptr (ptr, i64, i32, i64, i32, i64, ptr)>");
  uw_declare(l->module, "uwrt_launch_end", "!llvm.func<void (ptr)>");
  MlirValue dims = uw_result(uw_call(&b, "uwrt_launch_begin", (uw_value_list){operands, 7}, l->ptr), 0);
  MlirValue null = uw_build1(&b, "llvm.mlir.zero", .out = TYPES(l->ptr));
  MlirValue wanted = uw_build1(&b, "llvm.icmp", .in = VALS(dims, null), .out = TYPES(uw_int_type(l->context, 1)),
                               .attrs = ATTRS({"predicate", uw_int_attr(l->context, 64, UW_NE)}));
  MlirOperation branch = uw_build_branch(&b, wanted);
  uw_set_attr(branch, UW_LAUNCH, mlirUnitAttrGet(l->context));
  uw_builder in = uw_at_end(uw_block(branch, 0), b.location);
  shape s = {
      .dims = dims, .dynamic_bytes = uw_operand(call, 4), .cooperative = uw_const_int(&in, 32, 0), .in_place = true};
  for (size_t which = 0; which < 2; which++) {
    MlirValue xy = uw_operand(call, 2 * which), *dims = which ? s.block : s.grid;
    for (size_t d = 0; d < 2; d++)
      dims[d] = uw_half_of(&in, xy, d == 1);
    dims[2] = uw_operand(call, 2 * which + 1);
  }
  s.parameters = uw_alloc(l->arena, (kernel->param_count + 1) * sizeof *s.parameters);
  for (uint32_t i = 0; i < kernel->param_count; i++) {
    s.parameters[i] = uw_operand(call, 6 + i);
    if (kernel->param_by_value[i])
      uw_set_attr(branch, UW_MEMORY_PARAMETERS, mlirUnitAttrGet(l->context));
  }
  uw_builder other = uw_at(uw_last(uw_block(branch, 1)));
  uw_declare(l->module, "uwrt_launch_elsewhere", "!llvm.func<void (ptr, ptr)>");
  uw_call(&other, "uwrt_launch_elsewhere", VALS(record, pack_parameters(l, kernel, call, &other, s.parameters)),
          (MlirType){NULL});
  if (l->keep_arguments) {
    uw_declare(l->module, "uwrt_launch_arguments", "!llvm.func<void (ptr)>");
    uw_call(&in, "uwrt_launch_arguments", VALS(pack_parameters(l, kernel, call, &in, s.parameters)), (MlirType){NULL});
  }
  MlirOperation end = uw_call(&in, "uwrt_launch_end", VALS(record), (MlirType){NULL});
  uw_builder loops = uw_at(end);
  loops.location = place_of_launch(l, kernel, call);
  MlirOperation body = copy_for_site(l, kernel, func, call);
  uw_know_constants(l->arena, body, call, 6 + kernel->param_count);
  place_body(l, kernel, body, loops, &s);
  uw_erase(call);
}

static void raise_sites(launch *l, uw_program *program) {
  static const char prefix[] = "__unwarp_launch_";
  uw_ops calls = uw_collect_kind(l->arena, mlirModuleGetOperation(l->module), UW_OP_LLVM_CALL);
  for (size_t i = 0; i < calls.count; i++) {
    MlirStringRef callee = uw_get_str_attr(calls.at[i], "callee");
    if (!callee.data || callee.length < sizeof prefix || memcmp(callee.data, prefix, sizeof prefix - 1) != 0)
      continue;
    const char *name = uw_arena_format(l->arena, "%.*s", (int)callee.length, callee.data) + sizeof prefix - 1;
    for (size_t k = 0; k < program->kernel_count; k++)
      if (strcmp(program->kernels[k].name, name) != 0)
        continue;
      else if (program->kernels[k].flags & UWRT_KERNEL_BLOCKS_WAIT)
        launch_by_handle(l, &program->kernels[k], calls.at[i]);
      else
        raise_site(l, &program->kernels[k], uw_find_symbol(l->module, name), calls.at[i]);
  }
}

static void load_where_chosen(launch *l, const uw_program *program) {
  for (size_t i = 0; i < program->kernel_count; i++) {
    MlirOperation func = uw_find_symbol(l->module, program->kernels[i].name);
    for (uint32_t p = 0; !uw_null(func) && p < program->kernels[i].param_count; p++)
      if (program->kernels[i].param_by_value[p])
        uw_load_where_chosen(l->arena, mlirBlockGetArgument(uw_block(func, 0), p));
  }
}

bool uw_raise_launches(MlirModule module, uw_program *program) {
  MlirContext context = mlirModuleGetContext(module);
  launch l = {module,
              program->arena,
              context,
              uw_ptr_type(context),
              uw_index_type(context),
              uw_int_type(context, 32),
              uw_int_type(context, 64),
              uw_table_create(program->arena),
              program->options.replays,
              program->options.optimises,
              uw_table_create(program->arena)};
  find_context_users(&l);
  uw_ops functions = {0};
  uw_foreach_op (op, mlirModuleGetBody(module))
    if (uw_kind(op) == UW_OP_LLVM_FUNC)
      uw_ops_push(l.arena, &functions, op);
  for (size_t i = 0; i < functions.count; i++)
    read_context(&l, functions.at[i]);
  load_where_chosen(&l, program);
  raise_sites(&l, program);
  for (size_t i = 0; i < program->kernel_count; i++) {
    uw_kernel *kernel = &program->kernels[i];
    MlirOperation func = uw_find_symbol(module, kernel->name);
    if (uw_null(func))
      continue;
    if ((program->options.replays || program->options.optimises) && !program->levels.now)
      raise_replay(&l, kernel, func, program->options.lines == UW_LINES_OF_FAULTS);
    name_version(&l, kernel, func);
    bool one_block = kernel->flags & UWRT_KERNEL_BLOCKS_WAIT;
    kernel->static_shared_bytes = raise_entry(&l, kernel, kernel->entry, one_block, func);
    if (kernel->launched_in_place && !one_block && program->options.optimises)
      uw_set_attr(uw_find_symbol(module, kernel->entry), UW_RUNS_SELDOM, mlirUnitAttrGet(context));
  }
  return true;
}
