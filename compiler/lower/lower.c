/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * lower.def as a stage: from loops to the llvm dialect, and the translation of that to LLVM's IR. */
#include "../ir/known_calls.h"
#include "../ir/parallel.h"
#include "../ir/slices.h"
#include "../ir/remarks.h"
#include "../ir/shim.h"
#include "../raise/raise.h"
#include "lower.h"
#include "mlir-c/Target/LLVMIR.h"

/* What stands between thread loops and waits for other workers. A kernel that waits for the grid has no grid loop: its
 * blocks run side by side, and the runtime lets one wait. */
static void lower_barriers_of_workers(MlirModule module, uw_arena *arena) {
  uw_ops barriers = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_BARRIER);
  for (size_t i = 0; i < barriers.count; i++) {
    MlirOperation op = barriers.at[i];
    const char *function = uw_attr_is_str(op, "level", "grid")      ? "uwrt_grid_sync"
                           : uw_attr_is_str(op, "level", "cluster") ? "uwrt_cluster_sync"
                           : uw_attr_is_str(op, "level", UW_TEAM)   ? "uwrt_team_barrier"
                                                                    : NULL;
    if (!function)
      continue;
    uw_declare(module, function, "!llvm.func<void ()>");
    uw_builder b = uw_at(barriers.at[i]);
    uw_call(&b, function, (uw_value_list){0}, (MlirType){NULL});
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

/* The kernel's line is its replay's, and LLVM wants it to be one function's. Remarks of the stage target need lines of
 * the entry too. */
static void leave_lines_to_replays(MlirModule module, const uw_program *program) {
  for (size_t i = 0; i < program->kernel_count && program->options.lines == UW_LINES_OF_FAULTS; i++) {
    MlirOperation entry = uw_find_symbol(module, program->kernels[i].entry);
    if (!uw_null(entry) && uw_remarks_form() != UW_REMARKS_NONE)
      uw_shim_own_subprogram(entry);
    else if (!uw_null(entry))
      mlirOperationSetLocation(entry, mlirLocationUnknownGet(mlirModuleGetContext(module)));
  }
}

/* Where nobody asks which thread faulted, a replay is there for what its kernel's entry hands to it. */
static void drop_replays(MlirModule module, uw_program *program) {
  for (size_t i = 0; i < program->kernel_count && !program->options.replays && !program->levels.built; i++) {
    uw_kernel *kernel = &program->kernels[i];
    MlirOperation entry = uw_find_symbol(module, kernel->entry);
    uw_ops calls = {0};
    if (!kernel->replay)
      continue;
    if (!uw_null(entry))
      calls = uw_collect_kind(program->arena, entry, UW_OP_LLVM_CALL);
    bool used = false;
    for (size_t k = 0; k < calls.count; k++)
      used = used || uw_attr_is_str(calls.at[k], "callee", UW_LAUNCH_PLAIN);
    if (used)
      continue;
    uw_erase(uw_find_symbol(module, kernel->replay));
    kernel->replay = NULL;
  }
}

#define ARENA code->program->arena
#define UW_STAGE_TABLE "lower/lower.def"
#include "../ir/stage.inc"

const uw_stage uw_stage_lower = {"lower", "MLIR, from loops to the llvm dialect", "lower/lower.def", rows,
                                 sizeof rows / sizeof *rows};

bool uw_lower(MlirModule module, uw_program *program) {
  uw_code code = {.program = program, .module = module};
  if (!uw_run_stage(&uw_stage_lower, &code, NULL, &program->options.run))
    return false;
  leave_lines_to_replays(module, program);
  program->device = mlirTranslateModuleToLLVMIR(mlirModuleGetOperation(module), program->context);
  mlirModuleDestroy(module);
  return program->device && uw_finish_device(program);
}
