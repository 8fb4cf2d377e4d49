/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The whole compile of one CUDA file, from clang's two modules to the result:
 *
 *   host.bc ───▶ registry ─────────────────────────────────────────────┐
 *   device.bc ─▶ prepare ─▶ import ─▶ raise ─▶ passes ─▶ lower ─▶ merge ─▶ optimise ─▶ output
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../frontend/frontend.h"
#include "../frontend/frontends.h"
#include "../frontend/sycl/sycl.h"
#include "../target/code.h"
#include "../ir/remarks.h"
#include "../ir/run_log.h"
#include "../passes/passes.h"
#include "../raise/raise.h"
#include "../transform/loop_ranges.h"
#include "emit.h"
#include "level_jobs.h"
#include "llvm-c/BitWriter.h"
#include "unit.h"

static FILE *open_output(const uw_unit *unit) {
  const char *path = unit->output;
  FILE *file = strcmp(path, "-") ? fopen(path, "w") : stdout;
  if (!file)
    uw_fatal("error: cannot write '%s': %s", unit->target, strerror(errno));
  return file;
}

static int close_output(FILE *file, const uw_unit *unit) {
  bool ok = fflush(file) == 0 && !ferror(file);
  if (file != stdout)
    ok = fclose(file) == 0 && ok;
  if (!ok)
    fprintf(stderr, "unwarp: error: cannot write '%s': %s\n", unit->target, strerror(errno));
  return ok ? 0 : 1;
}

static int emit_nvvm(uw_program *program, const uw_unit *unit) {
  FILE *file = open_output(unit);
  char *text = LLVMPrintModuleToString(program->device);
  fputs(text, file);
  LLVMDisposeMessage(text);
  return close_output(file, unit);
}

/* Device code as clang left it, before anything of ours. */
static int emit_device_code(const uw_unit *unit) {
  uw_program program = {.arena = uw_arena_create(), .options.headers = unit->headers};
  bool alone = !unit->device_bitcode;
  LLVMModuleRef module = alone ? uw_load_nvvm(&program, unit->device_files.items, unit->device_files.count)
                               : uw_read_device(unit->device_bitcode);
  if (!module)
    return 1;
  uw_drop_asked_names(module);
  uw_ptx_form form = {.gpu = unit->gpu,
                      .flush_denormals = alone && unit->flush_denormals,
                      .fuses = alone && !unit->no_fused_multiply_add,
                      .fast_division = unit->fast_division,
                      .fast_root = unit->fast_root};
  uw_shape_device_code(module, &form);
  LLVMMemoryBufferRef text =
      unit->emit == UW_EMIT_PTX ? uw_write_ptx(&program, module, &form) : LLVMWriteBitcodeToMemoryBuffer(module);
  if (!text)
    return 1;
  FILE *file = open_output(unit);
  fwrite(LLVMGetBufferStart(text), 1, LLVMGetBufferSize(text), file);
  return close_output(file, unit);
}

static int emit_mlir(MlirModule module, const uw_unit *unit) {
  FILE *file = open_output(unit);
  mlirOperationPrint(mlirModuleGetOperation(module), uw_print_part, file);
  fputc('\n', file);
  return close_output(file, unit);
}

/* A null-terminated copy of a list of names. */
static const char *const *names_of(uw_arena *arena, const uw_strings *list) {
  const char **names = uw_alloc(arena, (list->count + 1) * sizeof *names);
  for (size_t i = 0; i < list->count; i++)
    names[i] = list->items[i];
  return names;
}

static bool keeps_variables(const uw_unit *unit) {
  return unit->device_debug && unit->opt_level == 0 && !unit->checks && !unit->sycl;
}

/* Checks are there for each access and each barrier of the program, thread by thread, variables for each statement:
 * only what neither moves nor drops them is done. */
static uw_mode mode_of(const uw_unit *unit) {
  return unit->checks            ? UW_MODE_CHECKED
         : keeps_variables(unit) ? UW_MODE_DEBUG
         : unit->opt_level == 0  ? UW_MODE_O0
                                 : UW_MODE_OPTIMISED;
}

/* Kernels for the other levels are worth their time only in what is optimised and run, and only where host code is for
 * exactly the lowest of them: what the user adds to that holds for kernels, too. */
static uint32_t levels_of(uw_program *program, const uw_unit *unit) {
  int host = 0;
  while (host < 32 && !(unit->levels >> host & 1))
    host++;
  const uw_level *lowest = uw_level_of_number(host);
  const char *cpu = uw_host_attribute(program, "target-cpu"), *features = uw_host_attribute(program, "target-features");
  bool plain = lowest && cpu && features && strcmp(cpu, lowest->cpu) == 0 && strcmp(features, lowest->features) == 0 &&
               strncmp(LLVMGetTarget(program->host), "x86_64-", strlen("x86_64-")) == 0;
  bool wanted = unit->opt_level > 1 && !keeps_variables(unit) && !unit->device_only && unit->host_bitcode;
  return plain && wanted && !program->address_sanitizer && !program->coverage && program->kernel_count > 0
             ? unit->levels
             : 0;
}

/* A level is a version of all kernels. Where there is much code, and unless the user asks for them, the highest one is
 * left out, as most processors have the one below, and so has each that has the highest; and for the lowest, which
 * hardly any processor needs, kernels are as they were written. */
static void keep_within_budget(uw_program *program, const uw_unit *unit, MlirContext context) {
  const uint32_t highest = 1u << UW_HIGHEST_LEVEL;
  if (unit->levels_given || !(program->levels.built & highest) || !uw_is_too_much_for_all_levels(program->device))
    return;
  uw_remark(mlirLocationFileLineColGet(context, uw_str(unit->target), 0, 0), "multiversion",
            "no code for x86-64-v%d, and none for x86-64 that passes have optimised: the kernels of this file are too "
            "much code; -march=x86-64,x86-64-v3,x86-64-v4 makes both",
            UW_HIGHEST_LEVEL);
  program->levels.built &= ~highest;
  program->levels.plain = program->options.optimises;
}

static uw_run_options run_options(uw_arena *arena, const uw_unit *unit, uw_run_log *log) {
  *log = (uw_run_log){.bisect = unit->bisect ? atol(unit->bisect) : -1, .statistics = unit->pass_statistics};
  return (uw_run_options){.mode = mode_of(unit),
                          .opt_level = unit->opt_level,
                          .skip = names_of(arena, &unit->skip),
                          .print_after = names_of(arena, &unit->print_after),
                          .print_after_all = unit->print_after_all,
                          .time_passes = unit->time_passes,
                          .log = log};
}

static void join_host(uw_program *program) {
  if (program->options.checks && program->host)
    uw_check_host(program->host);
  uw_merge(program);
}

/* --- several levels of x86-64 ------------------------------------------------------------------------------------- */

typedef struct levels {
  uw_program *program;
  MlirContext context;
  const uw_unit *unit;
  uw_level_plan *plan; /* null: the compile is for one level */
  uw_hidden *hidden;   /* the host's, without functions that launch */
  bool has_launchers, parted;
  uw_level_job jobs[UW_HIGHEST_LEVEL];
  size_t count;
  uw_level_job *own; /* in a level's process */
} levels;

static void be_silent(levels *l) {
  uw_run_options *run = &l->program->options.run;
  run->print_after = NULL;
  run->print_after_all = run->time_passes = false;
  run->log->silent = true;
  uw_set_remarks(UW_REMARKS_NONE);
}

/* From here on each level but the lowest has a process of its own. What is told, also of passes, is of the best
 * level. */
static void part_levels(levels *l) {
  uw_program *program = l->program;
  l->parted = true;
  for (int number = UW_HIGHEST_LEVEL; number > 0; number--) {
    if (!uw_is_level_apart(program, number))
      continue;
    uw_level_job *job = &l->jobs[l->count];
    if (uw_level_job_start(job)) {
      l->own = job;
      program->levels.now = uw_level_of_number(number);
      if (l->has_launchers)
        uw_drop_launchers(program);
      if (l->count > 0)
        be_silent(l);
      return;
    }
    l->count++;
  }
  program->launches.hidden = l->hidden;
  be_silent(l);
}

/* Hardly any processor runs the lowest level where there are others: its code stays small. */
static void mark_fallback(const levels *l, MlirOperation module) {
  if (!l->own && l->count > 0)
    uw_set_fallback(module);
}

static void leave_one_level(levels *l, MlirModule module) {
  uw_drop_other_levels(module, l->program);
  mark_fallback(l, mlirModuleGetOperation(module));
}

static void part(uw_code *code) {
  levels *l = code->parting;
  part_levels(l);
  leave_one_level(l, code->module);
  uw_note_registers(code->module, l->program);
}

/* From program->device, as clang's became ours, to LLVM's IR, or with `passed` as far as the passes go. Levels, where
 * there are several, go together until passes/multiversion.c; where the lowest computes with half precision otherwise than the
 * others, they part before all passes. */
static bool translate(levels *l, MlirModule *passed) {
  uw_program *program = l->program;
  if (l->plan && uw_uses_half(program))
    part_levels(l);
  bool together = l->plan && !l->parted;
  MlirModule module = uw_raise(program, l->context, together);
  if (mlirModuleIsNull(module))
    return false;
  if (l->parted)
    leave_one_level(l, module);
  uw_code code = {.program = program, .module = module, .part = together ? part : NULL, .parting = l};
  if (!uw_run_stage(&uw_stage_passes, &code, NULL, &program->options.run))
    return false;
  if (passed)
    *passed = module;
  return passed || uw_lower(module, program);
}

static bool make_level(levels *l) {
  uw_program *program = l->program;
  FILE *result = l->own->result;
  uw_make_level_part(program, l->plan);
  uw_optimise(program);
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(program->host);
  bool good = fwrite(LLVMGetBufferStart(bitcode), 1, LLVMGetBufferSize(bitcode), result) == LLVMGetBufferSize(bitcode);
  uw_print_remarks();
  uw_log_report(program->options.run.log);
  return good;
}

static LLVMMemoryBufferRef bytes_of(FILE *file) {
  long length = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  char *bytes = length > 0 ? malloc((size_t)length) : NULL;
  rewind(file);
  if (!bytes || fread(bytes, 1, (size_t)length, file) != (size_t)length)
    uw_fatal("error: cannot read what a level of x86-64 became");
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, (size_t)length, "level");
  free(bytes);
  return buffer;
}

/* The lowest level and the host's code, in this process. */
static LLVMTargetMachineRef make_host(levels *l) {
  uw_program *program = l->program;
  uw_pick_levels(program, l->plan);
  join_host(program);
  uw_show_shared(program, l->plan);
  LLVMTargetMachineRef machine = uw_optimise(program);
  uw_end_optimising(program);
  return machine;
}

static int compile_levels(levels *l, LLVMModuleRef part) {
  l->plan = uw_plan_levels(l->program, part);
  l->hidden = l->program->launches.hidden;
  l->has_launchers = part != NULL;
  if (part)
    uw_take_launchers_along(l->program, part);
  bool good = translate(l, NULL);
  if (l->own)
    uw_level_job_end(l->own, good && make_level(l));
  LLVMTargetMachineRef machine = good ? make_host(l) : NULL;
  for (size_t i = 0; i < l->count; i++) {
    if (!good) {
      uw_level_job_stop(&l->jobs[i]);
    } else if ((good = uw_level_job_wait(&l->jobs[i]))) {
      uw_link_level(l->program, bytes_of(l->jobs[i].result));
      if (i == 0)
        uw_level_job_show(&l->jobs[i]);
    }
  }
  if (!good)
    return 1;
  uw_finish_levels(l->program, l->plan);
  return uw_emit_result(l->program, machine, l->unit) ? 0 : 1;
}

static int compile(const uw_unit *unit, uw_run_log *log) {
  if (unit->emit == UW_EMIT_PTX || unit->emit == UW_EMIT_LTOIR)
    return emit_device_code(unit);
  uw_use_vector_math(unit->have_mvec, unit->have_sleef);
  uw_arena *arena = uw_arena_create();
  uw_compile_options options = {.run = run_options(arena, unit, log),
                                .no_warnings = unit->no_warnings,
                                .headers = unit->headers,
                                .relocatable = unit->relocatable,
                                .pic = unit->pic,
                                .through_ptx = unit->through_ptx,
                                .keeps_all = unit->keeps_all,
                                .atomics_in_order = unit->atomics_in_order,
                                .checks = unit->checks,
                                .note_threads = unit->opt_level == 0 || unit->checks,
                                .replays = unit->opt_level > 0 && unit->fault_info && !unit->checks,
                                .optimises = unit->opt_level > 0 && !unit->checks,
                                .is_whole = unit->host_bitcode && !unit->device_only && !unit->relocatable,
                                .keeps_variables = keeps_variables(unit),
                                .lines = unit->debug || unit->checks ? UW_LINES_ALL
                                         : !unit->fault_info         ? UW_LINES_NONE
                                         : unit->opt_level           ? UW_LINES_OF_FAULTS
                                                                     : UW_LINES_ALL,
                                .libdevice = unit->libdevice};
  uw_program program = {.arena = arena, .options = options};
  uw_sources sources = {.host = unit->host_bitcode,
                        .device = unit->device_bitcode,
                        .device_files = unit->device_files.items,
                        .device_file_count = unit->device_files.count,
                        .cpu = unit->cpu,
                        .names = unit->names};
  const uw_frontend *frontend = program.frontend = uw_frontend_of(&sources, unit->sycl);
  bool has_host = unit->host_bitcode;
  if (!frontend->load(&program, &sources) || !frontend->find_kernels(&program))
    return 1;
  if (unit->only_kernel > program.kernel_count)
    return UW_NO_SUCH_KERNEL;
  if (unit->only_kernel)
    uw_leave_one_kernel(&program, unit->only_kernel);
  if ((unit->device_only && has_host && !uw_keep_device_code(&program, unit->names)) || !uw_prepare_device(&program))
    return 1;
  program.address_sanitizer = uw_wants_address_sanitizer(&program);
  program.coverage = unit->coverage;
  program.options.replays &= !program.address_sanitizer; /* which reports faults itself */
  program.levels.built = levels_of(&program, unit);
  if (unit->emit == UW_EMIT_NVVM) {
    uw_lower_half(&program);
    return emit_nvvm(&program, unit);
  }
  MlirContext context = uw_context_create();
  keep_within_budget(&program, unit, context);
  LLVMModuleRef part = program.options.optimises ? uw_importable_launchers(&program, context) : NULL;
  levels l = {.program = &program, .context = context, .unit = unit};
  if (program.levels.built && unit->emit != UW_EMIT_MLIR)
    return compile_levels(&l, part);
  if (part)
    uw_join_launchers(&program, part);
  if (unit->emit == UW_EMIT_MLIR) {
    MlirModule module;
    return translate(&l, &module) ? emit_mlir(module, unit) : 1;
  }
  if (!translate(&l, NULL))
    return 1;
  join_host(&program);
  return uw_emit_result(&program, uw_optimise(&program), unit) ? 0 : 1;
}

bool uw_is_device_code(const char *path) { return uw_is_device_module(path); }

bool uw_make_empty_device(const char *host_bitcode, const char *device_bitcode) {
  return uw_sycl_make_empty_device(host_bitcode, device_bitcode);
}

int uw_compile_unit(const uw_unit *unit) {
  uw_set_standard_input(unit->standard_input);
  uw_set_own_headers(unit->headers);
  if (unit->remarks)
    uw_set_remarks(strcmp(unit->remarks, "json") == 0 ? UW_REMARKS_JSON : UW_REMARKS_TEXT);
  uw_run_log log = {.bisect = -1};
  int status = compile(unit, &log);
  uw_print_remarks();
  if (status == 0)
    uw_log_report(&log);
  return status;
}
