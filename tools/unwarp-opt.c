/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unwarp-opt [--PASS…] [FILE]: runs the named rows of the compiler's stages on a module and prints the result: passes
 * on MLIR, steps of recover and target on LLVM's IR (FILE.ll). For tests and for looking.
 * --print-analysis=NAME prints, in place of the module, what an analysis (analysis/print.c) finds in it then.
 * unwarp-opt --passes-page=ROOT prints docs/passes.md for the sources in ROOT, unwarp-opt --optional the names of all
 * that can be left out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/analysis/effects.h"
#include "../compiler/driver/stages.h"
#include "../compiler/frontend/frontend.h"
#include "../compiler/ir/ir.h"
#include "../compiler/target/code.h"
#include "../compiler/passes/passes.h"
#include "llvm-c/IRReader.h"
#include "passes_page.h"

static void print_part(MlirStringRef part, void *stream) { fwrite(part.data, 1, part.length, stream); }

static void print_rows(const uw_stage *stage, FILE *stream) {
  fprintf(stream, "%s:\n", stage->name);
  for (size_t i = 0; i < stage->count; i++)
    fprintf(stream, "  --%-24s %s\n", stage->rows[i].name, stage->rows[i].brief);
}

static int usage(FILE *stream) {
  fputs("usage: unwarp-opt [--PASS]... [--print-after-all] [--print-analysis=NAME] [FILE.mlir | FILE.ll]   (MLIR on "
        "standard input without FILE)\n",
        stream);
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++)
    print_rows(*stage, stream);
  print_rows(&uw_parts_of_passes, stream);
  fputs("analyses:", stream);
  for (const char *const *name = uw_analysis_names(); *name; name++)
    fprintf(stream, " %s", *name);
  fputc('\n', stream);
  return stream == stdout ? 0 : 2;
}

/* A line each: what tests leave out. */
static int print_optional(void) {
  uw_arena *arena = uw_arena_create();
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++)
    for (size_t i = 0; i < (*stage)->count; i++)
      if ((*stage)->rows[i].when & UW_OPTIONAL)
        puts(uw_row_alone(arena, &(*stage)->rows[i]));
  uw_arena_destroy(arena);
  return 0;
}

static char *read_all(FILE *file, size_t *length) {
  char *text = NULL;
  size_t room = 0;
  *length = 0;
  do {
    room = room * 2 + 4096;
    text = realloc(text, room);
    if (!text)
      uw_fatal("out of memory");
    *length += fread(text + *length, 1, room - *length - 1, file);
  } while (*length == room - 1);
  text[*length] = 0;
  return text;
}

static bool has_row(const uw_stage *stage, const char *name) {
  for (size_t i = 0; i < stage->count; i++)
    if (strcmp(stage->rows[i].name, name) == 0)
      return true;
  return false;
}

/* Runs the rows, each of which is in one of the two tables. */
static bool run_rows(const uw_stage *const tables[2], uw_code *code, const char *const *names,
                     const uw_run_options *options) {
  for (; *names; names++) {
    const uw_stage *stage = tables[!has_row(tables[0], *names)];
    if (!has_row(stage, *names))
      uw_fatal("'%s' is no step on %s that runs alone; unwarp-opt --help lists those of %s and %s", *names,
               code->llvm ? "LLVM's IR" : "MLIR", tables[0]->name, tables[1]->name);
    if (!uw_run_stage(stage, code, (const char *const[]){*names, NULL}, options))
      return false;
  }
  return true;
}

static int run_on_llvm(const char *file, const char *const *names, const uw_run_options *options) {
  uw_program program = {.arena = uw_arena_create(), .context = LLVMContextCreate()};
  LLVMMemoryBufferRef buffer;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message) ||
      LLVMParseIRInContext2(program.context, buffer, &program.device, &message))
    uw_fatal("'%s': %s", file, message);
  program.host = program.device;
  uw_code code = {.program = &program, .llvm = program.device, .machine = uw_make_machine(&program)};
  if (!run_rows((const uw_stage *const[]){&uw_stage_recover, &uw_stage_target}, &code, names, options))
    return 1;
  char *text = LLVMPrintModuleToString(code.llvm);
  fputs(text, stdout);
  LLVMDisposeMessage(text);
  return 0;
}

static bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text);
  return length >= strlen(end) && strcmp(text + length - strlen(end), end) == 0;
}

static int run_on_mlir(const char *file, const char *const *names, const char *analysis,
                       const uw_run_options *options) {
  FILE *stream = file && strcmp(file, "-") ? fopen(file, "r") : stdin;
  if (!stream)
    uw_fatal("cannot read '%s'", file);
  size_t length;
  char *text = read_all(stream, &length);
  MlirContext context = uw_context_create();
  uw_code code = {.module = mlirModuleCreateParse(context, mlirStringRefCreate(text, length))};
  if (mlirModuleIsNull(code.module)) /* MLIR itself says nothing of some */
    uw_fatal("'%s' is no MLIR module", file ? file : "-");
  MlirOperation root = mlirModuleGetOperation(code.module);
  bool ok = run_rows((const uw_stage *const[]){&uw_stage_passes, &uw_parts_of_passes}, &code, names, options);
  if (ok && analysis) {
    if (!uw_print_analysis(root, analysis))
      uw_fatal("there is no analysis '%s'; unwarp-opt --help lists them", analysis);
  } else if (ok) {
    mlirOperationPrint(root, print_part, stdout);
    fputc('\n', stdout);
  }
  mlirModuleDestroy(code.module);
  mlirContextDestroy(context);
  free(text);
  return ok ? 0 : 1;
}

int main(int argc, char **argv) {
  const char *file = NULL, *analysis = NULL, **names = calloc((size_t)argc + 1, sizeof *names);
  size_t count = 0;
  uw_run_options options = {.verify_each = true};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0)
      return usage(stdout);
    else if (strncmp(argv[i], "--passes-page=", 14) == 0)
      return uw_print_passes_page(argv[i] + 14) ? 0 : 1;
    else if (strcmp(argv[i], "--optional") == 0)
      return print_optional();
    else if (strcmp(argv[i], "--print-after-all") == 0)
      options.print_after_all = true;
    else if (strncmp(argv[i], "--print-analysis=", 17) == 0)
      analysis = argv[i] + 17;
    else if (strncmp(argv[i], "--", 2) == 0)
      names[count++] = argv[i] + 2;
    else if (!file)
      file = argv[i];
    else
      return usage(stderr);
  }
  int status = file && ends_with(file, ".ll") ? run_on_llvm(file, names, &options)
                                              : run_on_mlir(file, names, analysis, &options);
  free(names);
  return status;
}
