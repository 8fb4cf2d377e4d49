/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Messages: the user's errors with location, source line and caret; our own bugs with the operation. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/files.h"
#include "ir.h"

static size_t errors;
size_t uw_error_count(void) { return errors; }

typedef struct place {
  char file[4096];
  int line, column;
} place;

/* The innermost file, line and column of a location: call sites give their callee (where the code stands), fused ones
 * their first part that knows. */
static bool find_place(MlirLocation location, place *found) {
  if (mlirLocationIsAFileLineColRange(location)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
    found->line = mlirLocationFileLineColRangeGetStartLine(location);
    found->column = mlirLocationFileLineColRangeGetStartColumn(location);
    if (found->line == 0 || name.length >= sizeof found->file)
      return false;
    memcpy(found->file, name.data, name.length);
    found->file[name.length] = 0;
    return true;
  }
  if (mlirLocationIsACallSite(location))
    return find_place(mlirLocationCallSiteGetCallee(location), found) ||
           find_place(mlirLocationCallSiteGetCaller(location), found);
  if (mlirLocationIsAName(location))
    return find_place(mlirLocationNameGetChildLoc(location), found);
  if (mlirLocationIsAFused(location)) {
    unsigned count = mlirLocationFusedGetNumLocations(location);
    MlirLocation *parts = malloc(count * sizeof *parts);
    if (!parts)
      uw_fatal("out of memory");
    mlirLocationFusedGetLocations(location, parts);
    bool known = false;
    for (unsigned i = 0; i < count && !known; i++)
      known = find_place(parts[i], found);
    free(parts);
    return known;
  }
  return false;
}

bool uw_find_place(MlirLocation location, char *file, size_t room, int *line, int *column) {
  place at;
  if (!find_place(location, &at) || strlen(at.file) >= room)
    return false;
  strcpy(file, at.file);
  *line = at.line;
  *column = at.column;
  return true;
}

char *uw_place(uw_arena *arena, MlirLocation location) {
  place at;
  if (!find_place(location, &at))
    return uw_arena_format(arena, "unknown location");
  return uw_arena_format(arena, "%s:%d:%d", at.file, at.line, at.column);
}

char *uw_places(uw_arena *arena, MlirLocation location) {
  place at;
  if (mlirLocationIsACallSite(location))
    return uw_arena_format(arena, "%s%s", uw_places(arena, mlirLocationCallSiteGetCallee(location)),
                           uw_places(arena, mlirLocationCallSiteGetCaller(location)));
  if (mlirLocationIsAFused(location) &&
      mlirLocationFusedGetNumLocations(location) == 1) { /* in the scope of a function */
    MlirLocation only;
    mlirLocationFusedGetLocations(location, &only);
    return uw_places(arena, only);
  }
  return find_place(location, &at) ? uw_arena_format(arena, "%s:%d\n", at.file, at.line) : uw_arena_format(arena, "");
}

static const char *standard_input;
void uw_set_standard_input(const char *file) { standard_input = file; }

static void show_line(const place *at) {
  FILE *file = fopen(standard_input && strcmp(at->file, UW_STANDARD_INPUT) == 0 ? standard_input : at->file, "r");
  if (!file)
    return;
  char *line = NULL;
  size_t room = 0;
  ssize_t length = 0;
  for (int i = 0; i < at->line && length >= 0; i++)
    length = getline(&line, &room, file);
  if (length >= 0) {
    while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
      line[--length] = 0;
    fprintf(stderr, "%5d | %s\n", at->line, line);
    if (at->column)
      fputs("      | ", stderr);
    for (int i = 0; i + 1 < at->column && i < length; i++)
      fputc(line[i] == '\t' ? '\t' : ' ', stderr);
    if (at->column)
      fputs("^\n", stderr);
  }
  free(line);
  fclose(file);
}

static void report(MlirLocation location, const char *severity, const char *format, va_list args) {
  place at;
  bool known = find_place(location, &at);
  if (known && at.column)
    fprintf(stderr, "%s:%d:%d: ", at.file, at.line, at.column);
  else if (known) /* a function as a whole */
    fprintf(stderr, "%s:%d: ", at.file, at.line);
  else
    fputs("unwarp: ", stderr);
  fprintf(stderr, "%s: ", severity);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  if (known)
    show_line(&at);
}

void uw_error(MlirLocation location, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(location, "error", format, args);
  va_end(args);
  errors++;
}

void uw_print_part(MlirStringRef part, void *stream) { fwrite(part.data, 1, part.length, stream); }

_Noreturn void uw_assert_failed(MlirOperation op, const char *condition, const char *file, int line) {
  fprintf(stderr, "unwarp: bug in unwarp: %s:%d: '%s' does not hold", file, line, condition);
  if (!uw_null(op)) {
    uw_arena *arena = uw_arena_create();
    fprintf(stderr, " for the operation from %s:\n", uw_place(arena, mlirOperationGetLocation(op)));
    mlirOperationPrint(op, uw_print_part, stderr);
  }
  fputc('\n', stderr);
  fflush(stderr);
  abort();
}

_Noreturn void uw_fatal(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("unwarp: ", stderr);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  exit(1);
}
