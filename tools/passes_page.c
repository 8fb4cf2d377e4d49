/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * docs/passes.md: the table of passes, and after it the head of each pass's file, which says what it does, with a
 * sketch of before and after, and why that is right. A test compares page and sources. */
#include <stdio.h>
#include <string.h>

#include "../compiler/driver/stages.h"
#include "../compiler/passes/passes.h"
#include "passes_page.h"

enum { LINE = 512 };

static const char *yes(bool is) { return is ? "yes" : "no"; }

static void print_table(const uw_stage *stage) {
  printf(
      "\n## %s: `compiler/%s`\n\n%s.\n\n"
      "| pass | what it does | optional | -O0 | -fcheck | -G | where |\n| --- | --- | --- | --- | --- | --- | --- |\n",
      stage->name, stage->table, stage->brief);
  for (size_t i = 0; i < stage->count; i++) {
    const uw_row *row = &stage->rows[i];
    unsigned when = row->when;
    bool needed = !(when & UW_OPTIONAL);
    printf("| `%s` | %s | %s | %s | %s | %s | ", row->name, row->brief, yes(!needed),
           yes(!(when & (UW_NOT_AT_O0 | UW_FROM_O2))), yes(needed || when & UW_UNDER_CHECK),
           yes(needed || when & UW_UNDER_DEBUG));
    if (row->source)
      printf("`compiler/%s` |\n", row->source);
    else
      puts("MLIR's own |");
  }
}

/* A line of a comment without what makes it one. */
static const char *content(const char *line) {
  if (strncmp(line, " *", 2) != 0)
    return line;
  return line[2] == ' ' ? line + 3 : line + 2;
}

/* The comment at the file's head, from its third line on: prose, and indented lines as they are. */
static bool print_head(const char *root, const char *source) {
  char path[LINE], line[LINE];
  snprintf(path, sizeof path, "%s/compiler/%s", root, source);
  FILE *file = fopen(path, "r");
  if (!file)
    return false;
  bool in_sketch = false, blank = false, ended = false;
  for (int number = 1; !ended && fgets(line, sizeof line, file); number++) {
    char *end = strstr(line, "*/");
    ended = end != NULL;
    if (number < 3)
      continue;
    end = end ? end : line + strcspn(line, "\n");
    while (end > line && end[-1] == ' ')
      end--;
    *end = 0;
    const char *text = content(line);
    if (!*text) {
      blank = true;
      continue;
    }
    bool indented = strncmp(text, "  ", 2) == 0;
    if (in_sketch && !indented)
      puts("```");
    if (blank || indented != in_sketch)
      puts("");
    if (indented && !in_sketch)
      puts("```text");
    in_sketch = indented;
    blank = false;
    puts(text);
  }
  if (in_sketch)
    puts("```");
  fclose(file);
  return ended;
}

static bool is_first(const uw_stage *const *stages, const uw_row *row) {
  for (; *stages; stages++)
    for (size_t i = 0; i < (*stages)->count; i++) {
      const uw_row *other = &(*stages)->rows[i];
      if (other->source && strcmp(other->source, row->source) == 0)
        return other == row;
    }
  return true;
}

/* Files of parts of rows, whose heads say what no row's does. */
static const char *const files_of_parts[] = {
    "passes/rows/coarsen_tiles.c",      "passes/rows/coarsen_columns.c",     "passes/rows/coarsen_rows.c",
    "passes/memory/guarded_licm.c",     "passes/memory/join_pairs.c",        "passes/memory/prefetch_rows.c",
    "passes/memory/prefetch_next.c",    "passes/memory/privatize_appends.c", "passes/lanes/transpose_loads.c",
    "passes/lanes/narrow_reductions.c", "passes/lanes/fuse_strided.c",
};

static bool print_file(const char *root, const char *source) {
  printf("\n## `compiler/%s`\n\n", source);
  if (print_head(root, source))
    return true;
  fprintf(stderr, "unwarp-opt: cannot read the head of compiler/%s in '%s'\n", source, root);
  return false;
}

/* Of the stages of steps the tables say enough: their files are what the folders' headers list. */
static bool print_heads(const char *root, const uw_stage *const *stages, const uw_stage *stage) {
  for (size_t i = 0; i < stage->count; i++) {
    const uw_row *row = &stage->rows[i];
    if (!row->source || !row->pass || !is_first(stages, row))
      continue;
    if (!print_file(root, row->source))
      return false;
  }
  return true;
}

static void print_thresholds(void) {
  static const struct {
    const char *name, *value, *unit, *decides, *measured;
  } all[] = {
#define UW_THRESHOLD(name, value, unit, decides, measured) {#name, #value, unit, decides, measured},
#include "../compiler/analysis/thresholds.def"
#undef UW_THRESHOLD
  };
  puts("\n## Thresholds: `compiler/analysis/thresholds.def`\n\n"
       "| threshold | value | unit | of what | measured on |\n| --- | ---: | --- | --- | --- |");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    printf("| `%s` | %s | %s | %s | %s |\n", all[i].name, all[i].value, all[i].unit, all[i].decides, all[i].measured);
}

bool uw_print_passes_page(const char *root) {
  const uw_stage *const *stages = uw_stages();
  puts("# Passes\n\n"
       "Made by `make docs` from the tables of the stages and the heads of the passes' files; do not edit.\n\n"
       "They run in this order; the columns say in which compiles (-G: at -O0). `unwarp --skip=NAME` leaves an "
       "optional one out, `--print-after=NAME` shows the module "
       "after it.\n"
       "A pass that runs at several places has a row for each, NAME{key=value}: a user's NAME is all of them, "
       "NAME{key=value} one, NAME{} the one without options.\n"
       "`unwarp-opt --NAME FILE` runs one of the stage passes alone on MLIR (FILE.mlir), one of recover or target on "
       "LLVM's IR (FILE.ll).\n"
       "`unwarp --remarks` says what they made of a program, with its lines ([remarks.md](remarks.md)).");
  for (size_t i = 0; stages[i]; i++)
    print_table(stages[i]);
  print_table(&uw_parts_of_passes);
  print_thresholds();
  for (size_t i = 0; stages[i]; i++)
    if (!print_heads(root, stages, stages[i]))
      return false;
  for (size_t i = 0; i < sizeof files_of_parts / sizeof *files_of_parts; i++)
    if (!print_file(root, files_of_parts[i]))
      return false;
  return print_heads(root, stages, &uw_parts_of_passes);
}
