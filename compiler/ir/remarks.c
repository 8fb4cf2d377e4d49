/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks: see remarks.h. */
#include "remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uw_remarks form;
static char **said; /* lives as long as the compile's process */
static size_t said_count;

void uw_set_remarks(uw_remarks wanted) { form = wanted; }
uw_remarks uw_remarks_form(void) { return form; }

/* Remembers the line; true if it is new. */
static bool is_new(const char *line) {
  for (size_t i = 0; i < said_count; i++)
    if (strcmp(said[i], line) == 0)
      return false;
  char **more = realloc(said, (said_count + 1) * sizeof *said), *copy = strdup(line);
  if (!more || !copy)
    uw_fatal("out of memory");
  said = more;
  said[said_count++] = copy;
  return true;
}

static void print_quoted(FILE *stream, const char *text) {
  fputc('"', stream);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(stream, "\\%c", c);
    else if (c < 0x20)
      fprintf(stream, "\\u%04x", c);
    else
      fputc(c, stream);
  }
  fputc('"', stream);
}

/* file: null if the place is not known */
static void say(const char *file, int line, int column, const char *pass, const char *text) {
  uw_arena *arena = uw_arena_create();
  char *place = file ? uw_arena_format(arena, "%s:%d:%d", file, line, column) : uw_arena_format(arena, "unwarp");
  char *whole = uw_arena_format(arena, "%s: remark: %s [%s]", place, text, pass);
  bool fresh = is_new(whole);
  if (fresh && form == UW_REMARKS_TEXT) {
    fprintf(stderr, "%s\n", whole);
  } else if (fresh) {
    fputc('{', stdout);
    if (file) {
      fputs("\"file\":", stdout);
      print_quoted(stdout, file);
      printf(",\"line\":%d,\"column\":%d,", line, column);
    }
    fputs("\"pass\":", stdout);
    print_quoted(stdout, pass);
    fputs(",\"remark\":", stdout);
    print_quoted(stdout, text);
    fputs("}\n", stdout);
  }
  uw_arena_destroy(arena);
}

void uw_remark(MlirLocation location, const char *pass, const char *format, ...) {
  if (form == UW_REMARKS_NONE ||
      (mlirLocationIsAName(location) && uw_string_is(mlirIdentifierStr(mlirLocationNameGetName(location)), UW_UNREMARKED)))
    return;
  va_list args;
  va_start(args, format);
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0)
    uw_fatal("out of memory");
  va_end(args);
  char file[4096];
  int line, column;
  bool known = uw_find_place(location, file, sizeof file, &line, &column);
  say(known ? file : NULL, known ? line : 0, known ? column : 0, pass, text);
  free(text);
}
