/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From the command line to uw_options. Read from the bottom: uw_options_parse goes over the arguments; each is an input
 * or a row of options.def; `apply` does what the row means. Order matters only where it matters to cc: among inputs and
 * libraries, among the options passed on to clang, and for the last of several -o, -O, -std.
 *
 * -Xcompiler's words run through the same table (`from_host_list`): what both sides of clang must agree on (macros,
 * include folders, the standard) still reaches both, the rest only the host side. */
#include "options.h"
#include "sycl_names.h"

#include "inputs.h"
#include "option_table.h"
#include "libraries.h"
#include "option_conflicts.h"
#include "option_settings.h"
#include "option_values.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

typedef struct parser {
  uw_options *options;
  uw_strings arguments; /* a work list: options files are put in where they are named */
  size_t next, preset;  /* those before `preset` are NVCC_PREPEND_FLAGS': nobody chose them for this compile */
  const char *language; /* the last -x; null: by the suffix */
  bool have_source, only_inputs, from_host_list;
  bool forward_unknown, forward_unknown_to_linker;
  bool device_only; /* -fsycl-device-only, whatever the host's side of the result would be */
} parser;

static bool parse_argument(parser *p);

static void add_input(uw_options *options, uw_input input) {
  options->inputs = uw_need_memory(realloc(options->inputs, (options->input_count + 1) * sizeof input));
  options->inputs[options->input_count++] = input;
}

static void add_link_option(parser *p, const char *text) {
  add_input(p->options, (uw_input){.kind = UW_INPUT_LINK, .text = text, .is_option = true});
}

/* The host compiler says which folders and libraries it looks in, from which CMake learns them: without them
 * find_library has no folder of the processor's own (/usr/lib/x86_64-linux-gnu). */
static void say_where_it_looks(parser *p) {
  uw_strings_add(&p->options->host, "-v");
  add_link_option(p, "-v");
}

/* The kind is settled when all is read: a later -x may change it. */
static void add_source(parser *p, const char *text) {
  uw_input_kind kind;
  p->have_source |= !uw_kind_by_suffix(text, &kind) || kind != UW_INPUT_LINK;
  add_input(p->options, (uw_input){.text = text, .language = p->language});
}

/* nvcc takes -x wherever it stands: one at the end is for what came before, if no other is. */
static bool settle_inputs(parser *p) {
  uw_options *o = p->options;
  bool language_used = false;
  for (size_t i = 0; i < o->input_count; i++)
    language_used |= !o->inputs[i].is_option && o->inputs[i].language;
  for (size_t i = 0; i < o->input_count; i++) {
    uw_input *input = &o->inputs[i];
    if (o->run && o->input_count == 1 && !input->language && !p->language && uw_is_program(input)) {
      o->program = input->text;
      input->kind = UW_INPUT_LINK;
      continue;
    }
    if (!input->is_option && !uw_set_kind(input, language_used ? input->language : p->language))
      return false;
    if (o->sycl && (uw_is_cxx(input) || uw_is_c_by_name(input))) /* clang++ takes .c for C++ too */
      input->kind = UW_INPUT_SYCL;
  }
  return true;
}

static void set_stage(uw_options *options, uw_end stage) {
  if (stage > options->stage)
    options->stage = stage;
}

static void set_result(uw_options *options, uw_emit emit, bool to_stdout) {
  set_stage(options, UW_STAGE_RESULT);
  if (emit != UW_EMIT_OBJECT)
    options->emit = emit;
  options->emit_to_stdout |= to_stdout;
}

/* For both sides of clang, or from -Xcompiler for the host side alone. */
static void forward(parser *p, const char *text) {
  uw_strings_add(p->from_host_list ? &p->options->host : &p->options->both, text);
}

static bool add_library(parser *p, const char *name) {
  bool in_link = uw_is_provided_library(name) || strcmp(name, "cudart") == 0; /* the link knows where ours is */
  if (!uw_is_cuda_library(name) || in_link)
    add_link_option(p, uw_format("-l%s", name));
  else if (!uw_is_cuda_runtime_library(name))
    uw_strings_add(&p->options->left_out_libraries, name);
  return true;
}

/* The SDK's headers must not hide ours, the few of them that a wheel brings for NVRTC neither, and /usr/include ahead
 * of its position breaks the C++ library's #include_next. */
static void add_include_folder(parser *p, const char *option, const char *folder) {
  if (uw_is_cuda_include_folder(folder) || strcmp(folder, "/usr/include") == 0)
    return;
  if (uw_has_own_half_types(folder)) {
    uw_strings_add_many(&p->options->both, "-idirafter", folder, NULL);
    return;
  }
  if (strcmp(option, "-I") == 0) {
    uw_strings_add(&p->options->both, uw_format("-I%s", folder));
    return;
  }
  uw_strings_add_many(&p->options->both, option, folder, NULL);
}

static bool set_language(parser *p, const char *option, const char *language) {
  const char *processor = uw_intel_processor(language);
  if (processor)
    return uw_set_march(p->options, option, processor);
  static const char *const languages[] = {"cu", "c",    "c++", "cuda", "assembler", "assembler-with-cpp",
                                          "ir", "none", NULL};
  if (!uw_value_one_of(option, language, languages))
    return false;
  p->language = strcmp(language, "none") == 0 ? NULL : language;
  return true;
}

/* The words of -Xcompiler, read as options of their own. */
static bool apply_host_list(parser *p, const char *text) {
  parser inner = {.options = p->options, .from_host_list = true, .forward_unknown = true};
  uw_split_host_list(&inner.arguments, text);
  while (inner.next < inner.arguments.count)
    if (!parse_argument(&inner))
      return false;
  return true;
}

static bool apply_options_files(parser *p, const uw_strings *paths) {
  uw_strings arguments = {0};
  for (size_t i = 0; i < paths->count; i++)
    if (!uw_read_option_file(&arguments, paths->items[i]))
      return false;
  for (; p->next < p->arguments.count; p->next++)
    uw_strings_add(&arguments, p->arguments.items[p->next]);
  p->arguments = arguments;
  p->next = p->preset = 0;
  return true;
}

/* Those that clang's front end or our pipeline carries out. A program that only looks as if it were checked is worse
 * than none. */
static bool set_sanitizers(parser *p, const char *text, const char *value) {
  static const char *const known[] = {"address", "undefined", "leak", NULL};
  uw_strings words = {0};
  uw_strings_add_split(&words, value, ',');
  for (size_t i = 0; i < words.count; i++)
    if (!uw_value_one_of("-fsanitize", words.items[i], known))
      return false;
  /* Who called cudaMalloc a sanitizer reads off the frame pointers, which the runtime keeps too. */
  uw_strings_add_many(&p->options->host, "-fno-omit-frame-pointer", text, NULL);
  add_link_option(p, text);
  p->options->sanitized = true;
  return true;
}

/* Host functions of CUDA sources are covered by our own pipeline, files without kernels by clang. */
static bool set_coverage(parser *p, const char *text, const char *value) {
  static const char *const known[] = {"func",
                                      "bb",
                                      "edge",
                                      "indirect-calls",
                                      "trace-cmp",
                                      "trace-div",
                                      "trace-gep",
                                      "trace-pc",
                                      "trace-pc-guard",
                                      "no-prune",
                                      "inline-8bit-counters",
                                      "inline-bool-flag",
                                      "pc-table",
                                      "stack-depth",
                                      "trace-loads",
                                      "trace-stores",
                                      "control-flow",
                                      NULL};
  uw_options *o = p->options;
  uw_strings words = {0};
  uw_strings_add_split(&words, value, ',');
  for (size_t i = 0; i < words.count; i++)
    if (!uw_value_one_of("-fsanitize-coverage", words.items[i], known))
      return false;
  uw_strings_add(&o->host, text);
  o->coverage = o->coverage ? uw_format("%s,%s", o->coverage, value) : value;
  return true;
}

/* What is passed on or kept as text. `text` is the whole option in one word. */
static bool apply_forwarding(parser *p, const uw_option_row *row, const char *text, const char *value) {
  uw_options *o = p->options;
  if (row->form == FORM_FLAG && row->value)
    text = row->value;
  switch (row->meaning) {
  case MEANS_FORWARD: forward(p, text); return true;
  case MEANS_FORWARD_EQUALS: uw_strings_add(&o->both, text); return true;
  case MEANS_FORWARD_NUMBER: forward(p, uw_format("%s=%s", row->value, value)); return true;
  case MEANS_MACRO: uw_strings_add(&o->both, uw_format("%s%s", row->value, value)); return true;
  case MEANS_PRE_INCLUDE:
  case MEANS_FORWARD_NEXT: uw_strings_add_many(&o->both, row->value, value, NULL); return true;
  case MEANS_INCLUDE_FOLDER: add_include_folder(p, row->value, value); return true;
  case MEANS_FORWARD_AND_LINK:
    forward(p, text);
    add_link_option(p, text);
    return true;
  case MEANS_HOST: uw_strings_add(&o->host, text); return true;
  case MEANS_HOST_AND_LINK:
    uw_strings_add(&o->host, text);
    add_link_option(p, text);
    return true;
  case MEANS_COVERAGE: return set_coverage(p, text, value);
  case MEANS_SANITIZE: return set_sanitizers(p, text, value);
  case MEANS_HOST_LIST: return apply_host_list(p, value);
  case MEANS_LINK: add_link_option(p, text); return true;
  case MEANS_LIBRARY_FOLDER:
  case MEANS_LINK_JOINED: add_link_option(p, uw_format("%s%s", row->value ? row->value : text, value)); return true;
  case MEANS_LINKER_WORD: add_link_option(p, uw_format("-Wl,%s,%s", row->spelling, value)); return true;
  case MEANS_LINKER_CHOICE: o->linker = value; return true;
  case MEANS_HOST_COMPILER: o->host_compiler = value; return true;
  case MEANS_ARCHIVER: o->archiver = value; return true;
  case MEANS_ARCHIVER_LIST: uw_split_host_list(&o->archiver_options, value); return true;
  case MEANS_LIBRARY: return add_library(p, value);
  case MEANS_LINKER_LIST: {
    uw_strings words = {0};
    uw_strings_add_split(&words, value, ',');
    for (size_t i = 0; i < words.count; i++) {
      add_link_option(p, "-Xlinker");
      add_link_option(p, words.items[i]);
    }
    return true;
  }
  case MEANS_FORWARD_UNKNOWN: p->forward_unknown = true; return true;
  case MEANS_FORWARD_UNKNOWN_TO_LINKER: p->forward_unknown_to_linker = true; return true;
  case MEANS_FORWARD_UNKNOWN_TO_BOTH: p->forward_unknown = p->forward_unknown_to_linker = true; return true;
  default: return false;
  }
}

/* What is checked and changes nothing, and what is refused. */
static bool apply_checked(const uw_option_row *row, const char *option, const char *value) {
  bool truth = true;
  switch (row->meaning) {
  case MEANS_IGNORE: return true;
  case MEANS_BOOLEAN_IGNORE: return uw_value_boolean(option, value, &truth);
  case MEANS_THREADS: return uw_is_number(value) || uw_report_error("'%s' wants a number, not '%s'", option, value);
  case MEANS_MACHINE:
    return strcmp(value, "64") == 0 || uw_report_error("'%s %s': unwarp makes 64-bit programs only", option, value);
  case MEANS_REFUSE: return uw_report_error("'%s' is not supported: %s", option, row->value);
  default: return false;
  }
}

static void set_debug(parser *p, const char *text, const char *value) {
  p->options->debug = !value || strcmp(value, "0") != 0;
  uw_strings_add(&p->options->both, value ? text : "-g");
}

static bool are_werror_kinds(const uw_strings *words) {
  for (size_t i = 0; i < words->count; i++)
    if (!uw_werror_option(words->items[i]))
      return false;
  return words->count > 0;
}

/* `-Werror all-warnings` is nvcc's spelling, plain -Werror everyone's, -Werror=KIND clang's too, for its own kinds. */
static void set_warnings_are_errors(parser *p, const char *value) {
  uw_strings kinds = {0};
  if (!value && p->next < p->arguments.count) {
    uw_split_list(&kinds, p->arguments.items[p->next]);
    if (are_werror_kinds(&kinds))
      value = p->arguments.items[p->next++];
  }
  if (!value) {
    forward(p, "-Werror");
    return;
  }
  kinds.count = 0;
  uw_split_list(&kinds, value);
  for (size_t i = 0; i < kinds.count; i++) {
    const char *option = uw_werror_option(kinds.items[i]);
    if (!option || *option)
      forward(p, option ? option : uw_format("-Werror=%s", kinds.items[i]));
  }
}

static bool apply(parser *p, const uw_option_row *row, const char *option, const char *text, const char *value) {
  static const char *const cuda_runtimes[] = {"none", "shared", "static", NULL},
                           *const cache_values[] = {"clear", NULL}, *const doctor_forms[] = {"json", NULL};
  uw_options *o = p->options;
  bool truth;
  switch (row->meaning) {
  case MEANS_OUTPUT: o->output = value; return true;
  case MEANS_OUTPUT_FOLDER: o->output_folder = value; return true;
  case MEANS_COMPILE: set_result(o, UW_EMIT_OBJECT, false); return true;
  case MEANS_SEPARATE_COMPILATION: return uw_value_boolean(option, value, &truth) && (!truth || uw_set_relocatable(o));
  case MEANS_RELOCATABLE: return uw_set_relocatable(o);
  case MEANS_RELOCATABLE_OBJECT: set_result(o, UW_EMIT_OBJECT, false); return uw_set_relocatable(o);
  case MEANS_DEVICE_LINK: o->device_link = true; return true;
  case MEANS_ASSEMBLY: set_result(o, UW_EMIT_ASM, false); return true;
  case MEANS_PTX: set_result(o, UW_EMIT_PTX, false); return true;
  case MEANS_LTOIR: set_result(o, UW_EMIT_LTOIR, false); return true;
  case MEANS_EMIT: {
    uw_emit emit;
    if (!uw_value_emit(option, value, &emit))
      return false;
    set_result(o, emit, emit != UW_EMIT_OBJECT);
    return true;
  }
  case MEANS_PREPROCESS: set_stage(o, UW_STAGE_PREPROCESS); return true;
  case MEANS_SYNTAX_ONLY: set_stage(o, UW_STAGE_CHECK); return true;
  case MEANS_SHARED: o->shared = true; return true;
  case MEANS_ARCHIVE: o->archive = true; return true;
  case MEANS_PARTIAL_LINK: o->partial_link = true; return true;
  case MEANS_IGNORE_NEXT: p->next += p->next < p->arguments.count; return true;
  case MEANS_SYCL: o->sycl = !row->value; return true;
  case MEANS_SYCL_DEVICE_ONLY: o->sycl = p->device_only = true; return true;
  case MEANS_FP_MODEL: {
    static const char *const models[] = {"precise", "strict", "fast", "fast=1", "fast=2", NULL};
    if (!uw_value_one_of(option, value, models))
      return false;
    forward(p, uw_format("-ffp-model=%.*s", (int)strcspn(value, "="), value));
    return true;
  }
  case MEANS_STATIC:
    uw_report_warning(
        "the OpenMP library comes as a shared library only: all but that and the system's is linked statically");
    add_link_option(p, "-static-libgcc");
    add_link_option(p, "-static-libstdc++");
    return true;
  case MEANS_AS_CPP:
    o->as_cpp = true;
    set_result(o, UW_EMIT_ASM, false);
    return true;
  case MEANS_CUDA_VERSION: {
    const char *number;
    if (!uw_value_cuda_version(option, value, &number, &o->cuda_version))
      return false;
    o->cuda_version_given = p->next > p->preset;
    uw_strings_add(&o->both, uw_format("-DUNWARP_CUDA_VERSION=%s", number));
    return true;
  }
  case MEANS_MODULE:
    o->module = row->value;
    set_result(o, UW_EMIT_OBJECT, false);
    return true;
  case MEANS_ARCHITECTURE: return uw_set_architecture(o, option, value);
  case MEANS_NVCC_ARCHITECTURE: return uw_set_nvcc_architecture(o, option, value);
  case MEANS_CODE: return uw_set_code(o, option, value);
  case MEANS_GENERATE_CODE: return uw_add_generated(o, option, value);
  case MEANS_ANY_GPU: o->any_gpu = true; return true;
  case MEANS_DEFAULT_DEVICE: o->default_device = true; return true;
  case MEANS_DEFAULT_STREAM: return uw_set_default_stream(o, option, value);
  case MEANS_CUDA_RUNTIME: o->cuda_runtime = value; return uw_value_one_of(option, value, cuda_runtimes);
  case MEANS_RUN: o->run = true; return true;
  case MEANS_RUN_ARGUMENTS: uw_strings_add_split(&o->run_arguments, value, ','); return true;
  case MEANS_CLEAN: o->clean = true; return true;
  case MEANS_KEEP: o->keep = true; return true;
  case MEANS_KEEP_FOLDER: o->keep_folder = value; return true;

  case MEANS_LANGUAGE: return set_language(p, option, value);
  case MEANS_STANDARD: o->standard = value; return true;
  case MEANS_OPTIMISE:
    if (strcmp(value, "fast") == 0)
      forward(p, "-ffast-math");
    return uw_value_optimise(option, value, &o->opt_level);
  case MEANS_DEBUG: set_debug(p, text, value); return true;
  case MEANS_FAULT_INFO: o->fault_info = !row->value; return true;
  case MEANS_LOCKSTEP: o->any_order = row->value; return true;
  case MEANS_REASSOCIATE_ATOMICS: o->atomics_in_order = row->value; return true;
  case MEANS_LINE_INFO: set_debug(p, "-g", NULL); return true;
  case MEANS_DEVICE_DEBUG:
    set_debug(p, "-g", NULL);
    o->device_debug = true;
    uw_strings_add(&o->both, "-D__CUDACC_DEBUG__");
    if (o->opt_level < 0)
      o->opt_level = 0;
    return true;
  case MEANS_FAST_MATH: o->fast_math = o->flush_denormals = true; return true;
  case MEANS_FLUSH_DENORMALS: return uw_value_boolean(option, value, &o->flush_denormals);
  case MEANS_PRECISE_DIVISION: return uw_value_boolean(option, value, &truth) && (o->fast_division = !truth, true);
  case MEANS_PRECISE_ROOT: return uw_value_boolean(option, value, &truth) && (o->fast_root = !truth, true);
  case MEANS_FUSE_MULTIPLY_ADD:
    if (!uw_value_boolean(option, value, &truth))
      return false;
    o->no_fused_multiply_add = !truth;
    return true;
  case MEANS_POSITION_INDEPENDENT:
    o->pic = true;
    o->pic_flag = row->value;
    return true;
  case MEANS_POSITION_DEPENDENT:
    o->pic = false;
    o->pic_flag = row->value;
    return true;

  case MEANS_DEPENDENCIES:
    set_stage(o, UW_STAGE_DEPENDENCIES);
    o->dependencies = row->value;
    return true;
  case MEANS_DEPENDENCIES_TOO: o->dependencies = row->value; return true;
  case MEANS_DEPENDENCY_FILE: o->dependency_file = value; return true;
  case MEANS_DEPENDENCY_TARGET: uw_strings_add_many(&o->dependency_targets, row->value, value, NULL); return true;
  case MEANS_DEPENDENCY_PHONY: o->dependency_phony = true; return true;

  case MEANS_NO_WARNINGS:
    o->no_warnings = true;
    forward(p, "-w");
    return true;
  case MEANS_WARNINGS_ARE_ERRORS: set_warnings_are_errors(p, value); return true;
  case MEANS_VERBOSE:
    if (p->from_host_list)
      say_where_it_looks(p);
    o->verbose |= !p->from_host_list;
    return true;
  case MEANS_DRY_RUN: o->dry_run = true; return true;
  case MEANS_TIME: o->time_file = value; return true;
  case MEANS_HELP: o->question = UW_ASK_HELP; return true;
  case MEANS_REPORT: return uw_report_error("--report stands after --exec, and a command after it");
  case MEANS_EXEC: return uw_report_error("--exec stands first, and a command after it");
  case MEANS_BUILD_TORCH: return uw_report_error("--build-torch stands first, and at most a folder of torch after it");
  case MEANS_DOCTOR:
    o->question = value ? UW_ASK_DOCTOR_JSON : UW_ASK_DOCTOR;
    return !value || uw_value_one_of(option, value, doctor_forms);
  case MEANS_CACHE:
    o->question = value && *value ? UW_ASK_EMPTY_CACHE : UW_ASK_CACHE;
    return o->question == UW_ASK_CACHE || uw_value_one_of(option, value, cache_values);
  case MEANS_PATH: o->question = UW_ASK_PATH; return true;
  case MEANS_HELP_PASSES: o->question = UW_ASK_PASSES; return true;
  case MEANS_VERSION: o->question = UW_ASK_VERSION; return true;
  case MEANS_DUMP_VERSION: o->question = UW_ASK_BARE_VERSION; return true;
  case MEANS_LIST_CODE: return uw_ask_for_list(o, UW_ASK_CODE, UW_ASK_ARCH);
  case MEANS_LIST_ARCH: return uw_ask_for_list(o, UW_ASK_ARCH, UW_ASK_CODE);

  case MEANS_SKIP: return uw_value_pass(option, value, true, &o->skip);
  case MEANS_BISECT: o->bisect = value; return uw_value_passes(option, value);
  case MEANS_PRINT_AFTER: return uw_value_pass(option, value, false, &o->print_after);
  case MEANS_PRINT_AFTER_ALL: o->print_after_all = true; return true;
  case MEANS_THROUGH_PTX: o->through_ptx = true; return true;
  case MEANS_TIME_PASSES: o->time_passes = true; return true;
  case MEANS_PASS_STATISTICS: o->pass_statistics = true; return true;
  case MEANS_CHECK: return uw_value_checks(option, value, &o->checks);
  case MEANS_MARCH: return uw_set_march(o, option, value);
  case MEANS_REMARKS: return uw_ask_for_remarks(o, option, value);
  case MEANS_DIAGNOSTICS_FORMAT: return uw_set_diagnostics_format(o, option, value);
  case MEANS_CPUIFY: return uw_set_cpuify(o, option, value);
  case MEANS_OPTIONS_FILE: {
    uw_strings paths = {0};
    uw_split_list(&paths, value);
    return apply_options_files(p, &paths);
  }
  default: break;
  }
  if (row->meaning >= MEANS_FORWARD && row->meaning <= MEANS_FORWARD_UNKNOWN_TO_BOTH)
    return apply_forwarding(p, row, text, value);
  return apply_checked(row, option, value);
}

static bool forward_or_refuse_unknown(parser *p, const char *text) {
  if (p->forward_unknown_to_linker)
    add_link_option(p, text);
  if (p->forward_unknown)
    uw_strings_add(&p->options->host, text);
  if (p->forward_unknown || p->forward_unknown_to_linker)
    return true;
  const char *nearest = uw_nearest_option(text);
  if (nearest)
    return uw_report_error("unknown option '%s'; did you mean '%s'?", text, nearest);
  return uw_report_error("unknown option '%s'", text);
}

/* Reads one argument, and the next if it is this one's value. */
static bool parse_argument(parser *p) {
  const char *text = p->arguments.items[p->next++];
  if (text[0] != '-' || !text[1] || p->only_inputs) {
    if (p->from_host_list)
      uw_strings_add(&p->options->host, text);
    else if (text[0] == '@' && text[1])
      return apply_options_files(p, &(uw_strings){.items = (const char *[]){text + 1}, .count = 1});
    else if (*text)
      add_source(p, text);
    return true;
  }
  if (strcmp(text, "--") == 0) {
    p->only_inputs = true;
    return true;
  }
  const char *value;
  const uw_option_row *row = uw_find_option(text, &value);
  if (!row)
    return forward_or_refuse_unknown(p, text);
  const char *equals = strchr(text, '=');
  bool joined_by_equals = row->form == FORM_EQUALS || row->form == FORM_MAYBE;
  const char *option = joined_by_equals && equals ? uw_copy_text(text, (size_t)(equals - text)) : text;
  bool wants_next = row->form == FORM_NEXT || row->form == FORM_EITHER || row->form == FORM_EQUALS;
  if (wants_next && !value) {
    if (p->next == p->arguments.count)
      return uw_report_error("'%s' wants a value after it%s%s", option, row->argument ? ": " : "",
                             row->argument ? row->argument : "");
    value = p->arguments.items[p->next++];
  }
  if (row->form == FORM_NUMBER && !value) {
    bool next_is = p->next < p->arguments.count && uw_is_number(p->arguments.items[p->next]);
    value = next_is ? p->arguments.items[p->next++] : "";
  }
  /* One word with the table's own spelling, for whoever it is passed on to. */
  if (joined_by_equals && value)
    text = uw_format("%s=%s", row->spelling, value);
  else if (row->form == FORM_FLAG || joined_by_equals || wants_next)
    text = row->spelling;
  if (row->form == FORM_EITHER)
    option = row->spelling;
  if (uw_after_prefix(text, "-fcolor-diagnostics") || uw_after_prefix(text, "-fno-color-diagnostics") ||
      uw_after_prefix(text, "-fdiagnostics-color"))
    p->options->color_given = true;
  bool is_list = row->meaning >= MEANS_MACRO && row->meaning <= MEANS_LIBRARY && !p->from_host_list;
  if (!is_list)
    return apply(p, row, option, text, value);
  uw_strings words = {0};
  uw_split_list(&words, value);
  for (size_t i = 0; i < words.count; i++)
    if (!apply(p, row, option, text, words.items[i]))
      return false;
  return true;
}

/* nvcc's device link makes one object more for the host's link. Ours only looks at its inputs (device_link.c): device
 * code is linked there, as any code is. */
static void make_empty_object(uw_options *options) {
  for (size_t i = 0; i < options->input_count; i++)
    options->inputs[i].kind = UW_INPUT_LINK;
  if (options->input_count)
    add_input(options, (uw_input){.kind = UW_INPUT_HOST, .text = "/dev/null", .language = "c"});
  set_result(options, UW_EMIT_OBJECT, false);
  if (!options->output)
    options->output = "a_dlink.o";
}

bool uw_options_parse(uw_options *options, int argument_count, char **arguments) {
  *options = (uw_options){.opt_level = -1, .pic = true, .fault_info = true, .cuda_version = UW_CUDA_VERSION};
  parser p = {.options = options};
  uw_add_option_text(&p.arguments, getenv("NVCC_PREPEND_FLAGS"));
  p.preset = p.arguments.count;
  for (int i = 1; i < argument_count; i++)
    uw_strings_add(&p.arguments, arguments[i]);
  uw_called_as called = uw_called_as_of(arguments[0]);
  options->sycl = called == UW_CALLED_SYCL_COMPILER;
  p.forward_unknown = options->sycl || called == UW_CALLED_CPP_COMPILER;
  /* In clang++'s place: what unwarp does not know is clang's, wherever -fsycl stands. */
  for (size_t i = 0; i < p.arguments.count; i++)
    p.forward_unknown |= strcmp(p.arguments.items[i], "-fsycl") == 0;
  while (p.next < p.arguments.count) {
    if (called != UW_CALLED_NVCC && options->run && p.have_source) { /* nvcc knows of no arguments after the source */
      uw_strings_add(&options->run_arguments, p.arguments.items[p.next++]);
      continue;
    }
    if (!parse_argument(&p))
      return false;
  }
  uw_add_option_text(&p.arguments, getenv("NVCC_APPEND_FLAGS"));
  while (p.next < p.arguments.count)
    if (!parse_argument(&p))
      return false;
  if (!options->host_compiler)
    options->host_compiler = getenv("NVCC_CCBIN");
  options->opt_given = options->opt_level >= 0;
  if (!options->opt_given)
    options->opt_level = 3;
  bool for_people = options->emit == UW_EMIT_MLIR || options->emit == UW_EMIT_LLVM; /* who want to see what runs */
  options->fault_info =
      (options->fault_info && (!for_people || options->debug)) || options->checks; /* reports name lines */
  if (options->any_order && !uw_value_pass("-fno-lockstep", "sync-warps", false, &options->skip))
    return false;
  if (options->question != UW_ASK_NOTHING)
    return true;
  if (p.device_only)
    set_result(options, UW_EMIT_NVVM, true);
  if (!settle_inputs(&p))
    return false;
  if (options->verbose && uw_is_in_place_of_clang(options, called))
    say_where_it_looks(&p);
  if (options->device_link)
    make_empty_object(options);
  return uw_options_agree(options);
}
