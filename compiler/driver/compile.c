/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One source file.
 *
 *   CUDA   source ─┬─▶ clang, host side   ─▶ host.bc   ─┬─▶ uw_compile_unit, in a forked child ─▶ object or text
 *   SYCL           └─▶ clang, device side ─▶ device.bc ─┘
 *   C, C++ source ───▶ clang ─▶ object or text
 *
 * The two clangs run side by side. The child makes a crash in our own code one more message instead of the end. */
#include "compile.h"

#include "../support/files.h"
#include "all_refused.h"
#include "clang_commands.h"
#include "cpp_result.h"
#include "diagnostics.h"
#include "forgotten.h"
#include "jobs.h"
#include "own_builtins.h"
#include "precompiled.h"
#include "report.h"
#include "rewrites.h"
#include "said_lines.h"
#include "source_look.h"
#include "temp.h"

#include <signal.h>
#include <string.h>

enum { MOST_READINGS = 4 }; /* of a source, for each to be of use to somebody */

typedef struct compile {
  uw_command_context context; /* first the input and the options */
  const char *name;           /* the last component of the source's path */
  uw_result result, dependencies;
  const char *output; /* where the result is written now, or "-" */
  bool has_result, has_dependencies;
} compile;

/* A path for the source's bitcode. */
static const char *bitcode_path(const compile *c, const char *suffix) {
  const char *dot = strrchr(c->name, '.');
  int length = dot && dot != c->name ? (int)(dot - c->name) : (int)strlen(c->name);
  return uw_temp_kept_path(uw_format("%.*s.%s", length, c->name, suffix));
}

/* Every result's path is settled before the work begins: what cannot be written is said at once. */
static bool begin_results(compile *c, const char *object) {
  const uw_options *o = c->context.options;
  const char *target = object ? NULL : uw_result_name(o, c->context.input);
  bool to_stdout = target && strcmp(target, "-") == 0;
  c->output = object ? object : target;
  c->has_result = target && !to_stdout;
  if (c->has_result && !uw_result_begin(&c->result, target, false))
    return false;
  if (c->has_result)
    c->output = c->result.path;
  if (to_stdout && o->stage == UW_STAGE_RESULT && (o->emit == UW_EMIT_OBJECT || o->emit == UW_EMIT_LTOIR))
    return uw_report_error("an object file is not for standard output: name a file with -o");

  bool beside = o->dependencies && o->stage != UW_STAGE_DEPENDENCIES;
  c->context.dependency_target = uw_dependency_target(o, c->context.input);
  if (!beside && !(o->stage == UW_STAGE_DEPENDENCIES && o->dependency_file))
    return true;
  c->has_dependencies = true;
  if (!uw_result_begin(&c->dependencies, uw_dependency_name(o, c->context.input), false))
    return false;
  c->context.dependency_file = c->dependencies.path;
  return true;
}

static bool finish_results(compile *c) {
  return (!c->has_dependencies || uw_result_finish(&c->dependencies)) &&
         (!c->has_result || uw_result_finish(&c->result));
}

/* For messages. */
static const char *source_of(const compile *c) {
  return c->context.input->standard_input ? UW_STANDARD_INPUT : c->context.input->text;
}

typedef uw_strings plain_command(const uw_command_context *context, const char *output);

/* One clang, whose output goes to a file or to stdout; once more where it has a builtin with the name of a function of
 * the program's. */
static bool run_clang(compile *c, const char *what, plain_command *command_of, const char *output) {
  uw_job job = {.what = uw_format("%s %s", what, source_of(c))};
  job.input_file = c->context.look.standard_input ? c->context.look.standard_input : c->context.input->standard_input;
  if (!(job.error_file = uw_temp_path("messages")))
    return false;
  bool good;
  do {
    job.command = command_of(&c->context, output);
    good = uw_jobs_run(&job, 1);
  } while (!good && uw_job_failed(&job) && uw_find_own_builtins(uw_said(&job), &c->context.own_builtins));
  if (!c->context.options->dry_run)
    uw_show_tool(&job, true);
  if (!good && !c->context.options->dry_run)
    uw_note_forgotten_language(c->context.input, uw_said(&job));
  return good;
}

static bool preprocess(compile *c) {
  const char *file = c->has_result ? c->output : NULL;
  bool lists = c->context.options->stage == UW_STAGE_DEPENDENCIES;
  if (lists && c->has_dependencies)
    file = NULL;
  return run_clang(c, lists ? "listing the headers of" : "preprocessing", uw_preprocess_command, file);
}

static bool compile_host_code(compile *c) {
  uw_emit emit = c->context.options->emit;
  if (c->context.options->as_cpp)
    return uw_report_error("'%s' is not CUDA: --cuda has nothing to translate", source_of(c));
  if (emit == UW_EMIT_MLIR || emit == UW_EMIT_NVVM || emit == UW_EMIT_PTX || emit == UW_EMIT_LTOIR)
    return uw_report_error("'%s' is not CUDA, so it has no such form", source_of(c));
  return run_clang(c, "compiling", uw_host_command, c->output);
}

typedef uw_strings side_command(const uw_command_context *context, uw_side side, const char *output);

/* For who changes the source: what places a side's messages name in it. */
static const char *said_of_source(const uw_command_context *context, const uw_job *side) {
  const uw_input *input = context->input;
  return uw_physical_places(uw_said(side), input->standard_input ? UW_STANDARD_INPUT : input->text,
                            input->standard_input ? input->standard_input : input->text);
}

static bool wants_relocatable(const char *message, void *unused) {
  (void)unused;
  return strstr(message, "requires relocatable device code") != NULL; /* of a launch by a kernel */
}

static bool has_own_builtin(const char *message, void *names) { return uw_find_own_builtins(message, names); }

static bool is_final(const uw_job sides[2]) {
  for (int side = 0; side < 2; side++)
    if (uw_job_failed(&sides[side]) && uw_end_of_final(uw_said(&sides[side]), true))
      return true;
  return false;
}

/* Settles what both sides object to, by options and by other forms of the source. Null where nothing of it can be, or
 * where errors are left that none of this bears upon: a template without a body mends no other error. */
static uw_objections *settle(uw_command_context *context, const uw_job sides[2]) {
  bool cuda = context->input->kind != UW_INPUT_SYCL;
  const char *said[2];
  for (int side = 0; side < 2; side++) {
    bool failed = uw_job_failed(&sides[side]) && !uw_job_signal(&sides[side]);
    said[side] = failed ? said_of_source(context, &sides[side]) : "";
  }
  uw_objections *objections = uw_objections_of(said, !cuda);
  if (cuda && !context->relocatable)
    context->relocatable = uw_settle_objections(objections, wants_relocatable, NULL);
  if (cuda)
    uw_settle_objections(objections, has_own_builtin, &context->own_builtins);
  bool shown = uw_look_again(objections, cuda, &context->look, context->own_look);
  bool settled = uw_has_objection(objections, UW_SETTLED), blanked = uw_has_objection(objections, UW_BLANKED);
  return shown && (settled || (blanked && !uw_has_objection(objections, UW_OPEN))) ? objections : NULL;
}

/* A file that cannot be used as what it was made as. */
static bool names_precompiled(const uw_command_context *context, const uw_job sides[2]) {
  for (int side = 0; side < 2; side++)
    if (context->precompiled[side] && uw_job_failed(&sides[side]) &&
        strstr(uw_said(&sides[side]), context->precompiled[side]))
      return true;
  return false;
}

/* The host side, of a source in which nothing suggests a kernel. Where it launches one all the same, the device side is
 * read now; where it has errors, both sides are to say what they object to. */
static bool read_host_alone(compile *c, const char *const bitcode[2], uw_job sides[2]) {
  c->context.host_alone = false;
  if (!uw_jobs_run(sides, 1))
    return false;
  if (c->context.options->dry_run || uw_make_empty_device(bitcode[UW_SIDE_HOST], bitcode[UW_SIDE_DEVICE]))
    return true;
  c->context.needs_device = true;
  uw_use_precompiled(&c->context);
  sides[UW_SIDE_DEVICE].command = uw_sycl_command(&c->context, UW_SIDE_DEVICE, bitcode[UW_SIDE_DEVICE]);
  return uw_jobs_run(sides + UW_SIDE_DEVICE, 1);
}

static bool read_source(compile *c, const char *const bitcode[2], uw_job sides[2]) {
  side_command *command = c->context.input->kind == UW_INPUT_SYCL ? uw_sycl_command : uw_cuda_command;
  for (int side = 0; side < 2; side++) {
    const char *own = c->context.own_look[side].standard_input;
    sides[side].input_file = own ? own : c->context.look.standard_input;
    sides[side].command = command(&c->context, side, bitcode[side]);
    if (c->context.lacks_header)
      uw_only_preprocess(&sides[side].command);
  }
  bool alone = c->context.options->default_device;
  if (c->context.host_alone && read_host_alone(c, bitcode, sides))
    return true;
  bool good = uw_jobs_run(sides + alone, 2 - alone);
  if (good && c->context.lacks_header) { /* there now */
    c->context.lacks_header = false;
    return read_source(c, bitcode, sides);
  }
  if (good)
    return true;
  if (!names_precompiled(&c->context, sides))
    return false;
  c->context.precompiled[UW_SIDE_HOST] = c->context.precompiled[UW_SIDE_DEVICE] = NULL;
  return read_source(c, bitcode, sides);
}

/* Whether a second reading failed for want of the body of a template that was taken away. */
static bool needs_bodies(const uw_job sides[2]) {
  for (int side = 0; side < 2; side++)
    if (uw_job_failed(&sides[side]) && uw_says_blanked(uw_said(&sides[side])))
      return true;
  return false;
}

static void tell(uw_job sides[2], const char *const messages[2]) {
  for (int side = 0; side < 2; side++)
    if ((sides[side].error_file = uw_temp_file("first.messages", messages[side], strlen(messages[side]))))
      sides[side].status = strstr(messages[side], "error: ") ? 1 << 8 : 0;
}

/* Both sides read the source once; and once more where what they object to has another form. Clang leaves out what stands
 * behind some errors, a function after a pragma: another form may be what a further reading wants. */
static bool run_front_ends(compile *c, const char *host_bitcode, const char *device_bitcode) {
  const char *source = source_of(c), *const bitcode[2] = {host_bitcode, device_bitcode};
  uw_job sides[2] = {{.what = uw_format("compiling the host side of %s", source)},
                     {.what = uw_format("compiling the device side of %s", source)}};
  if (!(sides[0].error_file = uw_temp_path("host.messages")) ||
      !(sides[1].error_file = uw_temp_path("device.messages")) ||
      !(c->context.gpu_binary = uw_temp_file("gpu-binary", "unwarp", strlen("unwarp"))))
    return false;
  for (int side = 0; side < 2; side++) {
    sides[side].ends_at = uw_end_of_final;
    sides[side].own_headers = c->context.options->verbose ? NULL : c->context.toolchain->include_folder;
  }
  bool good = read_source(c, bitcode, sides);
  for (int reading = 1; !good && reading < MOST_READINGS; reading++) {
    uw_objections *objections = settle(&c->context, sides);
    if (!objections)
      break;
    const char *first[2];
    for (int side = 0; side < 2; side++) {
      const char *messages = uw_read_file(sides[side].error_file); /* null: that side is not compiled */
      first[side] = uw_left_of_messages(objections, side, messages ? messages : "");
    }
    bool final = is_final(sides);
    good = !final && read_source(c, bitcode, sides);
    bool needed = !good && (final || needs_bodies(sides));
    if (needed)
      tell(sides, first);
    if (needed || uw_has_objection(objections, UW_BLANKED))
      break;
  }
  if (!c->context.options->dry_run)
    uw_show_front_ends(&sides[0], &sides[1]);
  if (good && c->context.precompiled[UW_SIDE_HOST])
    uw_forget_header(&c->context);
  return good;
}

static int compile_in_child(const void *unit) { return uw_compile_unit(unit); }

static bool report_bug(const uw_job *job, const uw_unit *unit) {
  if (uw_job_signal(job) == SIGKILL)
    return uw_report_error("killed while %s: too little memory?", job->what);
  uw_report_error("unwarp crashed (%s) while %s: a bug in unwarp, not in the source", strsignal(uw_job_signal(job)),
                  job->what);
  if (!unit->host_bitcode)
    return false;
  const char *host = uw_temp_rescue(unit->host_bitcode), *device = uw_temp_rescue(unit->device_bitcode);
  uw_report_note("these files show it: %s %s", host, device);
  return false;
}

/* Says all that a unit's process said, and what is refused of its kernels beyond that (all_refused.c). */
static bool run_unit(const uw_unit *unit) {
  uw_job job = {.what = uw_format("translating %s", unit->source), .function = compile_in_child, .argument = unit};
  if (!(job.error_file = uw_temp_path("unit.messages")))
    return false;
  bool good = uw_jobs_run(&job, 1);
  const char *said = job.status == -1 ? NULL : uw_read_file(job.error_file);
  fputs(said ? said : "", stderr);
  if (good)
    return true;
  /* Whoever read what was printed had enough. */
  bool nobody_reads = uw_job_signal(&job) == SIGPIPE;
  if (uw_job_signal(&job))
    return nobody_reads ? false : report_bug(&job, unit);
  uw_show_all_refused(unit, said);
  return false;
}

static uw_strings include_folders(const uw_options *options) {
  uw_strings folders = {0};
  for (size_t i = 0; i < options->both.count; i++) {
    const char *folder = uw_after_prefix(options->both.items[i], "-I");
    if (folder && *folder)
      uw_strings_add(&folders, folder);
  }
  return folders;
}

/* The processor that -march names; null: none. */
static const char *named_cpu(const uw_options *o) {
  const char *cpu = NULL, *found;
  const uw_strings *const lists[] = {&o->both, &o->host};
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l]->count; i++)
      if ((found = uw_after_prefix(lists[l]->items[i], "-march=")))
        cpu = found;
  return cpu;
}

/* What kernels are built for where nobody says it: x86-64, -v3 and -v4. The text forms show one. */
enum { ALL_LEVELS = 1 << 1 | 1 << 3 | 1 << 4 };

static uw_unit make_unit(const compile *c) {
  const uw_options *o = c->context.options;
  return (uw_unit){
      .standard_input = c->context.input->standard_input,
      .source = source_of(c),
      .libdevice = c->context.toolchain->libdevice,
      .output = c->output,
      .target = c->has_result ? c->result.target : c->output,
      .emit = o->emit,
      .opt_level = o->opt_level,
      .levels_given = o->march_given,
      .levels = o->march_given || o->emit != UW_EMIT_OBJECT ? o->levels : ALL_LEVELS,
      .debug = o->debug,
      .device_debug = o->device_debug,
      .fault_info = o->fault_info,
      .have_mvec = c->context.toolchain->have_mvec,
      .have_sleef = c->context.toolchain->sleef,
      .no_warnings = o->no_warnings,
      .checks = o->checks,
      .coverage = o->coverage,
      .pic = o->pic,
      .cpu = named_cpu(o),
      .gpu = uw_format("sm_%s", o->architectures.count ? o->architectures.items[0] : "80"),
      .flush_denormals = o->flush_denormals,
      .no_fused_multiply_add = o->no_fused_multiply_add,
      .fast_division = o->fast_division,
      .fast_root = o->fast_root,
      .device_only = o->module,
      .names = o->module_names,
      .relocatable = o->relocatable,
      .skip = o->skip,
      .print_after = o->print_after,
      .print_after_all = o->print_after_all,
      .time_passes = o->time_passes,
      .pass_statistics = o->pass_statistics,
      .bisect = o->bisect,
      .remarks = o->remarks,
      .headers = c->context.toolchain->include_folder,
  };
}

/* PTX, or NVVM IR. */
static bool compile_device_code(compile *c) {
  const uw_options *o = c->context.options;
  if (o->stage == UW_STAGE_PREPROCESS || o->stage == UW_STAGE_DEPENDENCIES || o->as_cpp)
    return uw_report_error("'%s' is device code: there is nothing to preprocess or to translate", source_of(c));
  uw_unit unit = make_unit(c);
  for (size_t i = 0; o->joins && i < o->input_count; i++)
    if (o->inputs[i].kind == UW_INPUT_DEVICE)
      uw_strings_add(&unit.device_files, o->inputs[i].text);
  if (!o->joins)
    uw_strings_add(&unit.device_files, c->context.input->text);
  if (o->stage == UW_STAGE_CHECK) {
    unit.output = "/dev/null";
    unit.emit = UW_EMIT_NVVM;
  }
  return run_unit(&unit);
}

/* CUDA or SYCL. */
static bool compile_with_kernels(compile *c) {
  const uw_options *o = c->context.options;
  bool sycl = c->context.input->kind == UW_INPUT_SYCL;
  uw_strings folders = include_folders(o);
  if (!sycl && !uw_look_at_source(c->context.input->text, c->context.input->standard_input, &folders, &c->context.look))
    return false;
  bool compiles = o->stage == UW_STAGE_CHECK || o->stage == UW_STAGE_LINK || o->stage == UW_STAGE_RESULT;
  if (compiles)
    uw_use_precompiled(&c->context);
  if (o->stage == UW_STAGE_CHECK)
    return run_front_ends(c, NULL, NULL);
  if (o->stage != UW_STAGE_LINK && o->stage != UW_STAGE_RESULT)
    return preprocess(c);
  uw_unit unit = make_unit(c);
  if (!o->default_device)
    unit.host_bitcode = bitcode_path(c, "host.bc");
  unit.device_bitcode = bitcode_path(c, "device.bc");
  unit.sycl = sycl;
  unit.through_ptx = o->through_ptx && !sycl;
  unit.keeps_all = o->keeps_all;
  unit.atomics_in_order = o->atomics_in_order;
  if (o->as_cpp && !(unit.output = uw_temp_kept_path(uw_format("%s.s", c->name))))
    return false;
  return (unit.host_bitcode || o->default_device) && unit.device_bitcode &&
         run_front_ends(c, unit.host_bitcode, unit.device_bitcode) && run_unit(&unit) &&
         (!o->as_cpp || o->dry_run || uw_write_cpp(unit.output, c->output));
}

bool uw_compile_source(const uw_options *options, const uw_toolchain *toolchain, const uw_input *input,
                       const char *object) {
  const char *slash = strrchr(input->text, '/');
  compile c = {.context = {.options = options,
                           .toolchain = toolchain,
                           .input = input,
                           .relocatable = options->relocatable && input->kind == UW_INPUT_CUDA},
               .name = input->standard_input ? "stdin"
                       : slash               ? slash + 1
                                             : input->text};
  if (!begin_results(&c, object))
    return false;
  bool only_preprocessed = options->stage == UW_STAGE_PREPROCESS || options->stage == UW_STAGE_DEPENDENCIES;
  bool good = input->kind == UW_INPUT_DEVICE ? compile_device_code(&c)
              : input->kind != UW_INPUT_HOST ? compile_with_kernels(&c)
              : only_preprocessed            ? preprocess(&c)
                                             : compile_host_code(&c);
  return good && finish_results(&c);
}
