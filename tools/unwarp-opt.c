/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * unwarp-opt [--PASS…] [FILE.mlir]: runs the named passes on MLIR text and prints the result. For tests and for
 * looking.
 * --print-analysis=NAME prints, in place of the module, what an analysis (analysis/print.c) finds in it then.
 * unwarp-opt --passes-page=ROOT prints docs/passes.md for the sources in ROOT, unwarp-opt --optional the names of the
 * optional passes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../compiler/analysis/effects.h"
#include "../compiler/ir/ir.h"
#include "../compiler/passes/passes.h"
#include "passes_page.h"

static void print_part(MlirStringRef part, void *stream) { fwrite(part.data, 1, part.length, stream); }

static int usage(FILE *stream) {
  size_t count;
  const uw_pass_info *passes = uw_pass_table(&count);
  fputs("usage: unwarp-opt [--PASS]... [--print-after-all] [--print-analysis=NAME] [FILE.mlir]   (standard input "
        "without FILE)\n"
        "passes:\n",
        stream);
  for (size_t i = 0; i < count; i++)
    fprintf(stream, "  --%-24s %s\n", passes[i].name, passes[i].brief);
  fputs("analyses:", stream);
  for (const char *const *name = uw_analysis_names(); *name; name++)
    fprintf(stream, " %s", *name);
  fputc('\n', stream);
  return stream == stdout ? 0 : 2;
}

/* The names of the optional passes, a line each: what tests leave out. */
static int print_optional(void) {
  size_t count;
  const uw_pass_info *passes = uw_pass_table(&count);
  for (size_t i = 0; i < count; i++)
    if (passes[i].when & UW_OPTIONAL)
      puts(passes[i].name);
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
  FILE *stream = file && strcmp(file, "-") ? fopen(file, "r") : stdin;
  if (!stream)
    uw_fatal("cannot read '%s'", file);
  size_t length;
  char *text = read_all(stream, &length);
  MlirContext context = uw_context_create();
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreate(text, length));
  if (mlirModuleIsNull(module)) /* MLIR itself says nothing of some */
    uw_fatal("'%s' is no MLIR module", file ? file : "-");
  bool ok = uw_run_passes(module, names, &options);
  if (ok && analysis) {
    if (!uw_print_analysis(mlirModuleGetOperation(module), analysis))
      uw_fatal("there is no analysis '%s'; unwarp-opt --help lists them", analysis);
  } else if (ok) {
    mlirOperationPrint(mlirModuleGetOperation(module), print_part, stdout);
    fputc('\n', stdout);
  }
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  free(names);
  free(text);
  return ok ? 0 : 1;
}
