/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Imports the device module, and the stage "raise", of raise.def. */
#include "raise.h"

#include <string.h>

#include "../analysis/cpu.h"
#include "../analysis/mincut.h"
#include "../ir/known_calls.h"
#include "../ir/shim.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Support.h"

#define HOST "unwarp.host"
bool uw_is_host(MlirOperation function) { return !mlirAttributeIsNull(uw_get_attr(function, HOST)); }

static void mark_host(MlirModule module, const uw_program *program) {
  for (const uw_hidden *hidden = program->launches.hidden; hidden; hidden = hidden->next) {
    MlirOperation function = uw_find_symbol(module, hidden->name);
    if (!uw_null(function) && uw_kind(function) == UW_OP_LLVM_FUNC)
      uw_set_attr(function, HOST, mlirUnitAttrGet(mlirModuleGetContext(module)));
  }
}

static MlirLogicalResult swallow(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

/* The functions that launch are host code of any kind: where the importer lacks something, they stay outside and their
 * launches go through the runtime. So a copy is tried first. */
static bool imports(LLVMModuleRef part, MlirContext context) {
  MlirDiagnosticHandlerID handler = mlirContextAttachDiagnosticHandler(context, swallow, NULL, NULL);
  MlirModule trial = uw_shim_import_llvm(LLVMCloneModule(part), context);
  mlirContextDetachDiagnosticHandler(context, handler);
  if (mlirModuleIsNull(trial))
    return false;
  mlirModuleDestroy(trial);
  return true;
}

/* Where threads are noted for the fault handler, one by one, none. */
void uw_note_registers(MlirModule module, uw_program *program) {
  const char *features = uw_device_attribute(program, "target-features");
  int64_t bytes = program->options.note_threads && !program->options.checks ? 0
                  : features && strstr(features, "+avx512f")                ? 64
                  : features && strstr(features, "+avx2")                   ? 32
                                                                            : 16;
  uw_set_attr(mlirModuleGetOperation(module), "unwarp.register_bytes",
              uw_int_attr(mlirModuleGetContext(module), 64, bytes));
}

LLVMModuleRef uw_importable_launchers(uw_program *program, MlirContext context) {
  LLVMModuleRef part = uw_copy_launchers(program);
  if (!part || !imports(part, context))
    return NULL;
  uw_note_in_place(program, part);
  return part;
}

static void drop(MlirModule module, const char *name) {
  MlirOperation function = name ? uw_find_symbol(module, name) : (MlirOperation){NULL};
  if (!uw_null(function))
    uw_erase(function);
}

/* What came along with the launches: nothing of the device's names it. */
static void drop_launchers(MlirModule module, const uw_program *program) {
  for (const uw_known_name *name = program->launches.came_along; name; name = name->next)
    drop(module, name->name);
}

/* The entry is left with a call of the runtime's, which runs block after block by the kernel's replay. */
static void run_by_replay(MlirModule module, const uw_kernel *kernel) {
  MlirOperation entry = uw_find_symbol(module, kernel->entry);
  if (uw_null(entry) || !kernel->replay)
    return;
  MlirBlock body = uw_block(entry, 0);
  for (MlirOperation last = uw_prev(uw_last(body)); !uw_null(last); last = uw_prev(uw_last(body)))
    uw_erase(last);
  uw_builder b = uw_at(uw_last(body));
  uw_declare(module, UW_LAUNCH_PLAIN, UW_LAUNCH_PLAIN_TYPE);
  uw_call(&b, UW_LAUNCH_PLAIN, VALS(mlirBlockGetArgument(body, 0), mlirBlockGetArgument(body, 1)), (MlirType){NULL});
}

void uw_drop_other_levels(MlirModule module, uw_program *program) {
  if (!program->levels.now)
    drop_launchers(module, program);
  for (size_t i = 0; i < program->kernel_count && !program->levels.now && program->levels.plain; i++)
    run_by_replay(module, &program->kernels[i]);
  for (size_t i = 0; i < program->kernel_count && program->levels.now; i++) {
    uw_kernel *kernel = &program->kernels[i];
    drop(module, kernel->replay);
    kernel->replay = NULL;
    if (uw_level_of_entry(program, kernel, program->levels.now->number) != program->levels.now->number)
      drop(module, kernel->entry);
  }
}

/* What passes count and move would be other operations, and values would have more uses. Lines are kept; variables under
 * -G have memory, which values would contradict (instrument/thread_variables.c). */
static void drop_variables(const uw_code *code) {
  uw_ops ops = uw_collect(code->program->arena, mlirModuleGetOperation(code->module));
  for (size_t i = 0; i < ops.count; i++)
    if (uw_name_starts(ops.at[i], "llvm.intr.dbg."))
      uw_erase(ops.at[i]);
}

#define UW_STAGE_TABLE "raise/raise.def"
#include "../ir/stage.inc"

const uw_stage uw_stage_raise = {"raise", "MLIR, from what the importer makes to loops over blocks and threads",
                                 "raise/raise.def", rows, sizeof rows / sizeof *rows};

MlirModule uw_raise(uw_program *program, MlirContext context, bool for_all) {
  uw_lower_half(program);
  LLVMModuleRef device = program->device;
  program->device = NULL;
  MlirModule module = uw_shim_import_llvm(device, context);
  if (mlirModuleIsNull(module)) {
    if (uw_error_count() == 0)
      uw_error(mlirLocationUnknownGet(context), "the device code does not import into MLIR; this is a bug in unwarp");
    return module;
  }
  mark_host(module, program);
  if (for_all)
    uw_set_attr(mlirModuleGetOperation(module), "unwarp.register_bytes", uw_int_attr(context, 64, UW_SEVERAL_CPUS));
  else
    uw_note_registers(module, program);
  if (!program->options.optimises)
    uw_set_attr(mlirModuleGetOperation(module), UW_NO_REPLAYS, mlirUnitAttrGet(context));
  if (program->options.keeps_variables)
    uw_set_attr(mlirModuleGetOperation(module), UW_KEEPS_VARIABLES, mlirUnitAttrGet(context));
  if (program->options.atomics_in_order)
    uw_set_attr(mlirModuleGetOperation(module), UW_ATOMICS_IN_ORDER, mlirUnitAttrGet(context));
  if (program->options.keeps_all)
    uw_set_attr(mlirModuleGetOperation(module), UW_KEEP_ALL, mlirUnitAttrGet(context));
  if (program->options.checks)
    uw_set_attr(mlirModuleGetOperation(module), UW_CHECK, uw_int_attr(context, 32, program->options.checks));
  uw_code code = {.program = program, .module = module};
  return uw_run_stage(&uw_stage_raise, &code, NULL, &program->options.run) ? module : (MlirModule){NULL};
}
