/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * docs/passes.md: the table of passes, and after it the head of each pass's file, which says what it does, with a
 * sketch of before and after, and why that is right. A test compares page and sources. */
#include <stdio.h>
#include <string.h>

#include "../compiler/passes/passes.h"
#include "passes_page.h"

enum { LINE = 512 };

static const char *yes(bool is) { return is ? "yes" : "no"; }

static void print_table(const uw_pass_info *passes, size_t count) {
  puts("# Passes\n\n"
       "Made by `make docs` from `compiler/passes/passes.def` and the heads of the passes' files; do not edit.\n\n"
       "They run in this order; the columns say in which compiles (-G: at -O0). `unwarp --skip=NAME` leaves an "
       "optional one out, `--print-after=NAME` shows the module "
       "after it,\n"
       "`unwarp-opt --NAME file.mlir` runs one alone. `unwarp --remarks` says what they made of a program, with its "
       "lines\n"
       "([remarks.md](remarks.md)).\n\n"
       "| pass | what it does | optional | -O0 | -fcheck | -G | where |\n| --- | --- | --- | --- | --- | --- | --- |");
  for (size_t i = 0; i < count; i++) {
    unsigned when = passes[i].when;
    bool needed = !(when & UW_OPTIONAL);
    printf("| `%s` | %s | %s | %s | %s | %s | ", passes[i].name, passes[i].brief, yes(!needed),
           yes(!(when & UW_NOT_AT_O0)), yes(needed || when & UW_UNDER_CHECK), yes(needed || when & UW_UNDER_DEBUG));
    if (passes[i].source)
      printf("`compiler/passes/%s` |\n", passes[i].source);
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
  snprintf(path, sizeof path, "%s/compiler/passes/%s", root, source);
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

bool uw_print_passes_page(const char *root) {
  size_t count;
  const uw_pass_info *passes = uw_pass_table(&count);
  print_table(passes, count);
  for (size_t i = 0; i < count; i++) {
    bool is_first = passes[i].source != NULL;
    for (size_t k = 0; k < i && is_first; k++)
      is_first = !passes[k].source || strcmp(passes[k].source, passes[i].source) != 0;
    if (!is_first)
      continue;
    printf("\n## `compiler/passes/%s`\n\n", passes[i].source);
    if (!print_head(root, passes[i].source)) {
      fprintf(stderr, "unwarp-opt: cannot read the head of compiler/passes/%s in '%s'\n", passes[i].source, root);
      return false;
    }
  }
  return true;
}
