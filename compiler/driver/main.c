/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unwarp, from the command line to the exit status.
 *
 *   options.c        the command line, by the table in options.def
 *   toolchain.c      where clang, libomp and our own files are
 *   compile.c        each source: clang twice, then uw_compile_unit
 *   link.c           all objects into a program; archive.c: into a library
 *   jobs.c, temp.c   child processes, signals; files that must not stay
 *   diagnostics.c    what the tools said, each message once; sarif.c: all of it as SARIF
 *
 * Exit status: 0, or 1 after a message on stderr; with --run the program's own. */
#include "../support/files.h"
#include "archive.h"
#include "build_torch.h"
#include "compile.h"
#include "crash.h"
#include "device_link.h"
#include "exec.h"
#include "help.h"
#include "host_compiler.h"
#include "jobs.h"
#include "link.h"
#include "module_file.h"
#include "ptxas.h"
#include "report.h"
#include "sarif.h"
#include "temp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Standard input becomes a file, since two clangs read it, each as its own standard input. */
static bool take_standard_input(uw_input *input) {
  size_t size;
  char *text = uw_read_stream(stdin, &size);
  if (!text)
    return uw_report_error("cannot read standard input: %s", strerror(errno));
  input->standard_input = uw_temp_file("stdin", text, size);
  return input->standard_input != NULL;
}

static bool check_input(uw_input *input, const char *output) {
  struct stat status, output_status;
  if (strcmp(input->text, "-") == 0)
    return take_standard_input(input);
  if (stat(input->text, &status) != 0 || access(input->text, R_OK) != 0)
    return uw_report_error("cannot read '%s': %s", input->text, strerror(errno));
  if (S_ISDIR(status.st_mode))
    return uw_report_error("'%s' is a folder", input->text);
  if (output && stat(output, &output_status) == 0 && S_ISREG(status.st_mode) && status.st_dev == output_status.st_dev &&
      status.st_ino == output_status.st_ino)
    return uw_report_error("the result would take the place of its source '%s'", input->text);
  return true;
}

/* Two results with one name would be one file in the end. */
static bool check_names(const uw_options *o) {
  for (size_t i = 0; i < o->input_count; i++)
    for (size_t j = 0; j < i; j++) {
      if (o->inputs[i].kind == UW_INPUT_LINK || o->inputs[j].kind == UW_INPUT_LINK)
        continue;
      const char *name = uw_result_name(o, &o->inputs[i]), *other = uw_result_name(o, &o->inputs[j]);
      if (name && strcmp(name, "-") != 0 && strcmp(name, other) == 0)
        return uw_report_error("'%s' and '%s' would both be written to '%s'", o->inputs[j].text, o->inputs[i].text,
                               name);
    }
  return true;
}

/* A dry run is asked by configure scripts, of files that are not there. */
static bool check_inputs(uw_options *o) {
  for (size_t i = 0; i < o->input_count; i++)
    if (!o->inputs[i].is_option && !(o->dry_run && access(o->inputs[i].text, F_OK) != 0) &&
        !check_input(&o->inputs[i], o->output))
      return false;
  return o->stage != UW_STAGE_RESULT || o->joins || check_names(o);
}

static bool wants_libdevice(const uw_options *o) {
  bool cuda = false, device = false;
  for (size_t i = 0; i < o->input_count; i++)
    cuda |= o->inputs[i].kind == UW_INPUT_CUDA || o->inputs[i].kind == UW_INPUT_SYCL;
  for (size_t i = 0; i < o->input_count; i++)
    device |= o->inputs[i].kind == UW_INPUT_DEVICE;
  return device || (cuda && (o->stage == UW_STAGE_LINK || o->stage == UW_STAGE_RESULT));
}

static void remove_result(const char *path) {
  if (path && strcmp(path, "-") != 0)
    unlink(path);
}

static const char *program_name(const uw_options *o) {
  const char *name = o->output ? o->output : o->archive ? "a.a" : "a.out";
  return o->output || !o->output_folder ? name : uw_format("%s/%s", o->output_folder, name);
}

static bool clean(const uw_options *o) {
  if (o->stage == UW_STAGE_LINK)
    remove_result(program_name(o));
  for (size_t i = 0; i < o->input_count; i++)
    if (o->inputs[i].kind != UW_INPUT_LINK && o->stage == UW_STAGE_RESULT)
      remove_result(uw_result_name(o, &o->inputs[i]));
  return true;
}

static const char *object_name(const char *source) {
  const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
  return uw_format("%.*s.o", dot ? (int)(dot - name) : (int)strlen(name), name);
}

/* Compiles all sources; fills `items` with what the link takes, in order. */
static bool compile_all(const uw_options *o, const uw_toolchain *toolchain, uw_strings *items) {
  for (size_t i = 0; i < o->input_count; i++) {
    const uw_input *input = &o->inputs[i];
    const char *object = o->archive && input->is_option ? NULL : input->text;
    if (input->kind != UW_INPUT_LINK) {
      object = o->stage == UW_STAGE_LINK ? uw_temp_kept_path(object_name(input->text)) : NULL;
      if ((o->stage == UW_STAGE_LINK && !object) || !uw_compile_source(o, toolchain, input, object))
        return false;
    }
    if (object)
      uw_strings_add(items, object);
    if (o->joins)
      return true;
  }
  return true;
}

/* The program's path is settled before the work begins. For --run alone it is a temporary file. */
static bool begin_program(const uw_options *o, uw_result *program) {
  if (!o->run || o->output)
    return uw_result_begin(program, program_name(o), true);
  const char *name = "a.out";
  for (size_t i = o->input_count; i-- > 0;)
    if (o->inputs[i].kind != UW_INPUT_LINK)
      name = object_name(o->inputs[i].text);
  *program = (uw_result){.path = uw_temp_path(uw_copy_text(name, strlen(name) - 2))};
  return program->path != NULL;
}

static bool make_modules(const uw_options *o, const uw_toolchain *toolchain) {
  for (size_t i = 0; i < o->input_count; i++)
    if (o->inputs[i].kind != UW_INPUT_LINK) {
      if (!uw_make_module(o, toolchain, &o->inputs[i]))
        return false;
      if (o->joins)
        return true;
    }
  return true;
}

static bool make_archive(const uw_options *o, const uw_toolchain *toolchain) {
  uw_strings objects = {0};
  return compile_all(o, toolchain, &objects) && uw_archive(o, &objects, program_name(o));
}

/* Comes back only where nothing is run. */
static bool run_program(const uw_options *o, const char *path) {
  if (!o->dry_run)
    uw_run_and_exit(strchr(path, '/') ? path : uw_format("./%s", path), &o->run_arguments);
  return true;
}

static bool make_program(const uw_options *o, const uw_toolchain *toolchain) {
  uw_strings items = {0};
  uw_result program;
  if (!begin_program(o, &program) || !compile_all(o, toolchain, &items) ||
      !uw_link(o, toolchain, &items, program.path) || (program.target && !uw_result_finish(&program)))
    return false;
  return !o->run || run_program(o, program.target ? program.finally : program.path);
}

/* -dlink makes nothing of its objects and archives, but knows them all. */
static bool check_device_code(const uw_options *o) {
  uw_strings items = {0};
  for (size_t i = 0; o->device_link && i < o->input_count; i++)
    uw_strings_add(&items, o->inputs[i].text);
  return uw_check_device_link(&items);
}

static bool make_all(uw_options *o) {
  uw_toolchain toolchain = {0};
  uw_temp_begin(o->keep || o->keep_folder ? (o->keep_folder ? o->keep_folder : ".") : NULL, o->dry_run);
  uw_jobs_settings(o->verbose, o->dry_run, o->time_file);
  if (o->clean)
    return clean(o);
  if (o->program)
    return run_program(o, o->program);
  uw_find_vector_math(&toolchain);
  if (!check_inputs(o) || !uw_find_compiler(&toolchain) || (wants_libdevice(o) && !uw_find_libdevice(&toolchain)))
    return false;
  uw_add_wrapper_options(o);
  if (o->archive)
    return make_archive(o, &toolchain);
  if (o->stage == UW_STAGE_LINK)
    return uw_find_linker(&toolchain, o->host_compiler) && make_program(o, &toolchain);
  if (o->module)
    return uw_find_linker(&toolchain, o->host_compiler) && make_modules(o, &toolchain);
  uw_strings items = {0};
  return (o->dry_run || check_device_code(o)) && compile_all(o, &toolchain, &items);
}

/* As the whole of a child, which waits for children of its own and leaves by _exit. */
static int make_all_in_child(const void *options) {
  uw_options own = *(const uw_options *)options;
  uw_jobs_begin();
  if (own.verbose || own.dry_run)
    uw_show_environment(&own.architectures);
  bool good = make_all(&own);
  uw_temp_clean();
  return good ? 0 : 1;
}

static bool run(int argument_count, char **arguments) {
  uw_options options;
  bool good = uw_options_parse(&options, argument_count, arguments);
  if ((options.verbose || options.dry_run) && !(good && options.sarif))
    uw_show_environment(&options.architectures);
  if (!good)
    return false;
  if (options.question != UW_ASK_NOTHING)
    return uw_answer(&options);
  return options.sarif ? uw_as_sarif(&options, make_all_in_child, &options) == 0 : make_all(&options);
}

int main(int argument_count, char **arguments) {
  if (argument_count > 1 && strcmp(arguments[1], "--exec") == 0)
    return uw_exec(arguments + 2) ? 0 : 1;
  uw_report_crashes(arguments);
  uw_jobs_begin();
  if (argument_count > 1 && strcmp(arguments[1], "--build-torch") == 0)
    return uw_build_torch(arguments + 2) ? 0 : 1;
  int status;
  bool is_ptxas = uw_is_called_ptxas(arguments[0]);
  if (is_ptxas && !uw_ptxas(&argument_count, &arguments, &status))
    return status;
  if (!run(argument_count, arguments))
    return 1;
  if (is_ptxas)
    uw_ptxas_keep();
  return 0;
}
