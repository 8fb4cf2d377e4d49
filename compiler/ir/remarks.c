/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks: see remarks.h. */
#include "remarks.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

/* A kernel as it is compiled for one launch. file is null: for launches from elsewhere. */
typedef struct version {
  const char *kernel, *file; /* the kernel's mangled name */
  int line;
} version;

typedef struct remark {
  const char *file, *pass, *text; /* file: null if the location is not known */
  int line, column;
  const char *kernel; /* null: about host code */
  bool *about;        /* versions of the kernel, by index */
  size_t about_room, order;
} remark;

typedef struct sycl_kernel {
  const char *kernel, *shown, *file; /* file: null if it has no known line */
  int line;
} sycl_kernel;

static uw_remarks form;
static sycl_kernel *sycl_kernels;
static size_t sycl_kernel_count, sycl_kernel_room;
static const char *own_headers;
static uw_arena *arena; /* of what was said so far */
static version *versions;
static remark *remarks;
static size_t version_count, version_room, remark_count, remark_room;

void uw_set_own_headers(const char *folder) { own_headers = folder; }

void uw_set_remarks(uw_remarks wanted) {
  form = wanted;
  remark_count = 0;
  sycl_kernel_count = 0;
  if (form != UW_REMARKS_NONE && !arena)
    arena = uw_arena_create();
}
uw_remarks uw_remarks_form(void) { return form; }

static bool find(MlirLocation location, char *file, int *line, int *column);
static const char *keep(const char *text) { return text ? uw_arena_format(arena, "%s", text) : NULL; }

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

void uw_remark_sycl_kernel(const char *kernel, const char *shown, const char *place) {
  if (form == UW_REMARKS_NONE)
    return;
  const char *line = place ? strrchr(place, ':') : NULL;
  sycl_kernels = uw_grow(arena, sycl_kernels, sycl_kernel_count, &sycl_kernel_room, sizeof *sycl_kernels);
  sycl_kernels[sycl_kernel_count++] =
      (sycl_kernel){keep(kernel), keep(shown), line ? uw_arena_format(arena, "%.*s", (int)(line - place), place) : NULL,
                    line ? atoi(line + 1) : 0};
}
static const sycl_kernel *sycl_kernel_of(const char *kernel) {
  for (size_t i = 0; i < sycl_kernel_count; i++)
    if (kernel && same(sycl_kernels[i].kernel, kernel))
      return &sycl_kernels[i];
  return NULL;
}

/* --- versions ----------------------------------------------------------------------------------------------------- */

static const char version_prefix[] = "unwarp.version.";

MlirLocation uw_remark_version(MlirLocation location, const char *kernel, const MlirLocation *launch) {
  if (form == UW_REMARKS_NONE)
    return location;
  char file[UW_FILE_ROOM];
  int line = 0, column;
  version v = {.kernel = kernel};
  if (launch) {
    v.file = find(*launch, file, &line, &column) ? file : "";
    v.line = line;
  }
  size_t i = 0;
  while (i < version_count &&
         !(same(versions[i].kernel, v.kernel) && same(versions[i].file, v.file) && versions[i].line == v.line))
    i++;
  if (i == version_count) {
    versions = uw_grow(arena, versions, version_count, &version_room, sizeof *versions);
    versions[version_count++] = (version){keep(v.kernel), keep(v.file), v.line};
  }
  char name[sizeof version_prefix + 32];
  snprintf(name, sizeof name, "%s%zu", version_prefix, i);
  return mlirLocationNameGet(mlirLocationGetContext(location), uw_str(name), location);
}

/* The index of the version that the location is in; version_count if it is in none. */
static size_t version_of(MlirLocation location) {
  size_t found = version_count;
  if (mlirLocationIsAName(location)) {
    MlirStringRef name = mlirIdentifierStr(mlirLocationNameGetName(location));
    size_t length = sizeof version_prefix - 1;
    if (name.length > length && memcmp(name.data, version_prefix, length) == 0)
      return strtoull(name.data + length, NULL, 10);
    return version_of(mlirLocationNameGetChildLoc(location));
  }
  if (mlirLocationIsACallSite(location)) {
    found = version_of(mlirLocationCallSiteGetCaller(location));
    return found < version_count ? found : version_of(mlirLocationCallSiteGetCallee(location));
  }
  if (mlirLocationIsAFused(location)) {
    unsigned count = mlirLocationFusedGetNumLocations(location);
    MlirLocation parts[count + 1];
    mlirLocationFusedGetLocations(location, parts);
    for (unsigned i = 0; i < count && found == version_count; i++)
      found = version_of(parts[i]);
  }
  return found;
}

/* --- locations ---------------------------------------------------------------------------------------------------- */

/* In one of our headers, or clang's? clang leaves out what a path has in common with the current folder's. */
bool uw_is_own_header(const char *file) {
  if (strstr(file, "/lib/clang/"))
    return true;
  for (const char *end = own_headers; end && *end; end++) {
    size_t length = strlen(end);
    if ((end == own_headers || end[-1] == '/') && strncmp(file, end, length) == 0 && file[length] == '/')
      return true;
  }
  return false;
}

/* Where the code stands that the program has written: a function of ours is told as its call. */
static bool find(MlirLocation location, char *file, int *line, int *column) {
  if (mlirLocationIsAName(location))
    return find(mlirLocationNameGetChildLoc(location), file, line, column);
  bool known = uw_find_place(location, file, UW_FILE_ROOM, line, column);
  if (!mlirLocationIsACallSite(location))
    return known;
  known = find(mlirLocationCallSiteGetCallee(location), file, line, column);
  MlirLocation caller = mlirLocationCallSiteGetCaller(location);
  if ((known && !uw_is_own_header(file)) || version_of(caller) < version_count) /* after the kernel comes its launch */
    return known;
  return find(caller, file, line, column) || uw_find_place(location, file, UW_FILE_ROOM, line, column);
}

bool uw_has_place(MlirLocation location) {
  char file[UW_FILE_ROOM];
  int line, column;
  return find(location, file, &line, &column);
}

/* What no line of the program's is known of stands where its kernel does. */
static void find_kernels_place(remark *r) {
  const sycl_kernel *kernel = sycl_kernel_of(r->kernel);
  if (!kernel || !kernel->file || (r->file && !uw_is_own_header(r->file)))
    return;
  r->file = kernel->file;
  r->line = kernel->line;
  r->column = 0;
}

/* --- what is said ------------------------------------------------------------------------------------------------- */

static remark *remark_like(const remark *wanted) {
  for (size_t i = 0; i < remark_count; i++) {
    remark *r = &remarks[i];
    if (r->line == wanted->line && r->column == wanted->column && same(r->file, wanted->file) &&
        same(r->kernel, wanted->kernel) && same(r->pass, wanted->pass) && same(r->text, wanted->text))
      return r;
  }
  remarks = uw_grow(arena, remarks, remark_count, &remark_room, sizeof *remarks);
  remark *r = &remarks[remark_count];
  *r = (remark){keep(wanted->file), keep(wanted->pass), keep(wanted->text),   wanted->line,
                wanted->column,     wanted->kernel,     .order = remark_count};
  remark_count++;
  return r;
}

/* All versions are known by now: passes come after the launches. */
static void note_version(remark *r, size_t number) {
  if (number >= r->about_room) {
    bool *more = uw_alloc(arena, version_count * sizeof *more);
    memset(more, 0, version_count * sizeof *more);
    if (r->about_room)
      memcpy(more, r->about, r->about_room * sizeof *more);
    r->about = more;
    r->about_room = version_count;
  }
  r->about[number] = true;
}

void uw_remark(MlirLocation location, const char *pass, const char *format, ...) {
  if (form == UW_REMARKS_NONE || (mlirLocationIsAName(location) &&
                                  uw_string_is(mlirIdentifierStr(mlirLocationNameGetName(location)), UW_UNREMARKED)))
    return;
  va_list args;
  va_start(args, format);
  char *text = NULL;
  if (vasprintf(&text, format, args) < 0)
    uw_fatal("out of memory");
  va_end(args);
  char file[UW_FILE_ROOM];
  remark wanted = {.pass = pass, .text = text};
  if (find(location, file, &wanted.line, &wanted.column))
    wanted.file = file;
  size_t number = version_of(location);
  wanted.kernel = number < version_count ? versions[number].kernel : NULL;
  find_kernels_place(&wanted);
  remark *r = remark_like(&wanted);
  if (number < version_count)
    note_version(r, number);
  free(text);
}

const char *uw_remark_line(uw_arena *scratch, MlirLocation about, MlirLocation place) {
  char file[UW_FILE_ROOM], other[UW_FILE_ROOM];
  int line, column, here;
  if (!find(place, file, &line, &column))
    return "a location that is not known";
  if (find(about, other, &here, &column) && strcmp(file, other) == 0)
    return uw_arena_format(scratch, "line %d", line);
  return uw_arena_format(scratch, "%s:%d", file, line);
}

/* --- printing ----------------------------------------------------------------------------------------------------- */

/* By file and line; what is about one location in the order in which it was said. */
static int compare(const void *left, const void *right) {
  const remark *a = left, *b = right;
  int files = strcmp(a->file ? a->file : "", b->file ? b->file : "");
  if (files)
    return files;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return a->order < b->order ? -1 : 1;
}

/* "void scale<float>(float*)" to "scale<float>": without parameters and result. */
static const char *short_name(char *name) {
  int depth = 0;
  char *start = name;
  for (char *c = name; *c; c++) {
    depth += (*c == '<') - (*c == '>');
    if (*c == ' ' && depth == 0)
      start = c + 1;
    if (*c != '(' || depth != 0)
      continue;
    if (strncmp(c, "(anonymous namespace)", 21) == 0) {
      c += 20;
      continue;
    }
    *c = 0;
    break;
  }
  return start;
}

static const char *shown_name(const char *symbol) {
  const sycl_kernel *kernel = sycl_kernel_of(symbol);
  return kernel ? kernel->shown : uw_short_function_name(arena, symbol);
}
const char *uw_short_function_name(uw_arena *of, const char *symbol) {
  char *name = uw_shim_demangle(symbol);
  const char *kept = uw_arena_format(of, "%s", short_name(name));
  free(name);
  return kept;
}
static const char *said_text(const remark *r) { return sycl_kernel_count ? uw_in_sycl_words(arena, r->text) : r->text; }

/* Whether the same is said of the kernel at a column of its first line, or at a line of its own. */
static bool is_said_elsewhere(const remark *r) {
  if (!sycl_kernel_of(r->kernel) || r->column)
    return false;
  for (size_t i = 0; i < remark_count; i++)
    if (remarks[i].column && same(remarks[i].kernel, r->kernel) && same(remarks[i].pass, r->pass) &&
        same(remarks[i].text, r->text))
      return true;
  return false;
}

/* "", or the kernel and those of its versions that the remark is about, if it is not about all of them. */
static void print_versions(const remark *r) {
  if (!r->kernel)
    return;
  fprintf(stderr, " (%s", shown_name(r->kernel));
  bool all = true;
  for (size_t i = 0; i < version_count; i++)
    all = all && (!same(versions[i].kernel, r->kernel) || (i < r->about_room && r->about[i]));
  bool some = false;
  for (size_t i = 0; i < r->about_room && !all; i++) {
    if (!r->about[i])
      continue;
    const version *v = &versions[i];
    fputs(some ? ", " : ", launched ", stderr);
    if (!v->file)
      fputs("elsewhere", stderr);
    else if (!*v->file)
      fputs("at a location that is not known", stderr);
    else if (same(v->file, r->file))
      fprintf(stderr, "at line %d", v->line);
    else
      fprintf(stderr, "at %s:%d", v->file, v->line);
    some = true;
  }
  fputc(')', stderr);
}

static void print_text(const remark *r) {
  if (r->file && r->column)
    fprintf(stderr, "%s:%d:%d", r->file, r->line, r->column);
  else if (r->file)
    fprintf(stderr, "%s:%d", r->file, r->line);
  else
    fputs("unwarp", stderr);
  fprintf(stderr, ": remark: %s [%s]", said_text(r), r->pass);
  print_versions(r);
  fputc('\n', stderr);
}

static void print_quoted(const char *text) {
  putchar('"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      printf("\\%c", c);
    else if (c < 0x20)
      printf("\\u%04x", c);
    else
      putchar(c);
  }
  putchar('"');
}

static void print_file(const char *file) {
  fputs("\"file\":", stdout);
  print_quoted(file);
}

static void print_json(const remark *r) {
  putchar('{');
  if (r->file) {
    print_file(r->file);
    printf(",\"line\":%d,\"column\":%d,", r->line, r->column);
  }
  fputs("\"pass\":", stdout);
  print_quoted(r->pass);
  fputs(",\"remark\":", stdout);
  print_quoted(said_text(r));
  if (r->kernel) {
    const sycl_kernel *kernel = sycl_kernel_of(r->kernel);
    char *name = kernel ? NULL : uw_shim_demangle(r->kernel);
    fputs(",\"kernel\":", stdout);
    print_quoted(kernel ? kernel->shown : name);
    free(name);
    bool elsewhere = false, some = false;
    fputs(",\"launches\":[", stdout);
    for (size_t i = 0; i < r->about_room; i++) {
      if (!r->about[i])
        continue;
      elsewhere = elsewhere || !versions[i].file;
      if (!versions[i].file)
        continue;
      fputs(some ? ",{" : "{", stdout);
      print_file(versions[i].file);
      printf(",\"line\":%d}", versions[i].line);
      some = true;
    }
    printf("],\"elsewhere\":%s", elsewhere ? "true" : "false");
  }
  puts("}");
}

void uw_print_remarks(void) {
  if (remark_count)
    qsort(remarks, remark_count, sizeof *remarks, compare);
  for (size_t i = 0; i < remark_count; i++)
    if (is_said_elsewhere(&remarks[i]))
      continue;
    else if (form == UW_REMARKS_TEXT)
      print_text(&remarks[i]);
    else
      print_json(&remarks[i]);
  fflush(stdout);
  remark_count = 0;
}
