/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The grid loop becomes omp.parallel + omp.wsloop, a barrier of the grid a call, the rest the llvm dialect by upstream
 * conversions. The order matters: convert-scf-to-openmp wraps bodies in memref.alloca_scope, which finalize-memref-to-llvm
 * must turn into stack save and restore before convert-scf-to-cf.
 *
 * Blocks go round robin to the workers in small chunks (schedule static), and each worker runs its own in index order. So a
 * block may wait for one with a lower number, as chained scans do: the lowest block that is not finished waits for nobody,
 * and its worker is not held up by an earlier one. A common counter (schedule dynamic) would balance uneven blocks better;
 * it costs 170 ns a block where two workers meet on it, which is more than many blocks take.
 */
#include "../raise/raise.h"
#include "lower.h"
#include "mlir-c/Target/LLVMIR.h"

static MlirValue combine(uw_builder *b, const char *name, MlirValue left, int64_t right) {
  return uw_binary(b, name, left, uw_const_index(b, right));
}

/* Blocks that a worker takes at a time: few enough to balance, and more than one where there are very many, so that
 * neighbours in memory stay together. max(1, min(64, blocks / 256)) */
static MlirValue chunk_of(uw_builder *b, MlirValue blocks) {
  enum { MOST = 64, TURNS = 256 };
  MlirValue chunk = combine(b, "arith.maxui", combine(b, "arith.minui", combine(b, "arith.divui", blocks, TURNS), MOST), 1);
  return uw_build1(b, "arith.index_cast", .in = VALS(chunk), .out = TYPES(uw_int_type(b->context, 64)));
}

/* Puts a value into an operand segment that was empty. */
static void add_operand(MlirOperation op, intptr_t segment, MlirValue value) {
  MlirAttribute sizes = uw_get_attr(op, "operandSegmentSizes");
  intptr_t count = mlirDenseArrayGetNumElements(sizes);
  int32_t counts[count];
  MlirValue operands[uw_operand_count(op) + 1];
  size_t from = 0, to = 0;
  for (intptr_t s = 0; s < count; s++) {
    counts[s] = mlirDenseI32ArrayGetElement(sizes, s);
    uw_assert(op, s != segment || counts[s] == 0);
    for (int32_t i = 0; i < counts[s]; i++)
      operands[to++] = uw_operand(op, from++);
    if (s == segment) {
      counts[s] = 1;
      operands[to++] = value;
    }
  }
  mlirOperationSetOperands(op, (intptr_t)to, operands);
  uw_set_attr(op, "operandSegmentSizes", mlirDenseI32ArrayGet(mlirOperationGetContext(op), count, counts));
}

/* Operand segments: the if of omp.parallel, the chunk of omp.wsloop, which is its last. */
enum { PARALLEL_IF = 2, WSLOOP_CHUNK = 6 };

static void set_schedule(MlirModule module, uw_arena *arena) {
  MlirContext context = mlirModuleGetContext(module);
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation loop = ops.at[i];
    if (!uw_string_is(uw_name(loop), "omp.wsloop"))
      continue;
    uw_set_attr(loop, "schedule_kind", uw_attr(context, "#omp<schedulekind static>"));
    uw_set_attr(loop, "nowait", mlirUnitAttrGet(context)); /* the region ends right behind it, and waits there */
    MlirOperation nest = uw_first(uw_block(loop, 0)); /* operands: lower, upper, step */
    MlirOperation region = uw_parent(loop);
    uw_builder b = uw_at(region);
    MlirValue blocks = uw_operand(nest, 1);
    add_operand(loop, WSLOOP_CHUNK, chunk_of(&b, blocks));
    /* A single block runs in the thread that launches it: nobody has to be woken. */
    add_operand(region, PARALLEL_IF, uw_compare(&b, UW_NE, blocks, uw_const_index(&b, 1)));
  }
}

bool uw_lower_to_llvm_dialect(MlirModule module, uw_arena *arena) {
  if (!uw_run_pipeline(module, "canonicalize,cse,convert-scf-to-openmp"))
    return false;
  set_schedule(module, arena);
  uw_lower_places(module, arena);
  return uw_run_pipeline(module, "finalize-memref-to-llvm,convert-scf-to-cf,convert-math-to-llvm,convert-arith-to-llvm,"
                     "convert-index-to-llvm,convert-ub-to-llvm,convert-cf-to-llvm,convert-func-to-llvm,"
                     "convert-openmp-to-llvm,reconcile-unrealized-casts");
}

/* A kernel that waits for the grid has no grid loop: its blocks run side by side, and the runtime lets one wait. */
static void lower_grid_barriers(MlirModule module, uw_arena *arena) {
  uw_ops barriers = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_BARRIER);
  for (size_t i = 0; i < barriers.count; i++) {
    if (!uw_attr_is_str(barriers.at[i], "level", "grid"))
      continue;
    uw_declare(module, "uwrt_grid_sync", "!llvm.func<void ()>");
    uw_builder b = uw_at(barriers.at[i]);
    uw_call(&b, "uwrt_grid_sync", (uw_value_list){0}, (MlirType){NULL});
    uw_erase(barriers.at[i]);
  }
}

/* What barrier lowering could not do away with would be lost in the LLVM dialect. */
static bool nothing_left(MlirModule module, uw_arena *arena) {
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  bool ok = true;
  for (size_t i = 0; i < ops.count; i++)
    if (uw_name_starts(ops.at[i], "unwarp.")) {
      MlirStringRef name = uw_name(ops.at[i]);
      uw_error(mlirOperationGetLocation(ops.at[i]),
               "this %.*s could not be lowered; move it out of the control flow around it", (int)name.length - 7,
               name.data + 7);
      ok = false;
    }
  return ok;
}

bool uw_lower(MlirModule module, uw_program *program) {
  uw_lower_thread_loops(module, program->arena, program->note_threads);
  uw_lower_atomics(module, program->arena);
  uw_lower_memory(module, program->arena);
  lower_grid_barriers(module, program->arena);
  if (!nothing_left(module, program->arena))
    return false;
  if (!uw_lower_to_llvm_dialect(module, program->arena))
    return false;
  program->device = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), program->context);
  mlirModuleDestroy(module);
  return program->device != NULL;
}
