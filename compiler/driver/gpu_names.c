/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See gpu_names.h. The table has the architectures of all of nvcc's releases: old Makefiles name those that newer
 * releases dropped.
 *
 * An architecture that the version has not is nvcc's error. Here it is one only where --cuda-version says a version: whoever
 * says nothing has not chosen 12.4, and an old project's Makefile (sm_35), or a new one's (sm_120), builds all the same,
 * with a warning. Nor has whoever builds an extension for a PyTorch of CUDA 13, for which NVCC_PREPEND_FLAGS says it. */
#include "gpu_names.h"

#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Versions as CUDA_VERSION has them; `end`: the first that has it no more, 0 for none. */
static const struct gpu {
  int number, first, end;
} gpus[] = {
    {10, 1000, 7000},  {11, 1000, 7000},  {12, 1000, 7000},    {13, 2000, 7000},  {20, 3000, 9000},  {21, 3020, 9000},
    {30, 4020, 11000}, {32, 6000, 11000}, {35, 5000, 12000},   {37, 6050, 12000}, {50, 6000, 13000}, {52, 6050, 13000},
    {53, 6050, 13000}, {60, 8000, 13000}, {61, 8000, 13000},   {62, 8000, 13000}, {70, 9000, 13000}, {72, 9020, 13000},
    {75, 10000, 0},    {80, 11000, 0},    {86, 11010, 0},      {87, 11040, 0},    {88, 13000, 0},    {89, 11080, 0},
    {90, 11080, 0},    {100, 12080, 0},   {101, 12080, 13000}, {103, 12090, 0},   {110, 13000, 0},   {120, 12080, 0},
    {121, 12090, 0},
};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

/* From 9.0 on there are variants by a letter: a for one architecture's own features, from 10.0 on f for its family's. */
enum { FIRST_OWN = 90, FIRST_FAMILY = 100, OWN_FROM = 12000, FAMILIES_FROM = 12090 };

typedef struct name {
  enum { REAL, VIRTUAL, LINKED, GROUP, NO_NAME } kind; /* sm_80; compute_80; lto_80; native, all, all-major */
  const struct gpu *gpu;                               /* null of a group */
  char letter;                                         /* a, f or 0 */
} name;

static name read_name(const char *text) {
  static const char *const prefixes[] = {[REAL] = "sm_", [VIRTUAL] = "compute_", [LINKED] = "lto_"};
  if (strcmp(text, "native") == 0 || strcmp(text, "all") == 0 || strcmp(text, "all-major") == 0)
    return (name){GROUP, NULL, 0};
  for (int kind = REAL; kind <= LINKED; kind++) {
    const char *number = uw_after_prefix(text, prefixes[kind]);
    size_t digits = number ? strspn(number, "0123456789") : 0;
    char letter = digits ? number[digits] : 0;
    if (!digits || digits > 3 || *number == '0' || (letter && number[digits + 1]))
      continue;
    for (size_t i = 0; i < GPUS; i++)
      if (gpus[i].number == atoi(number) && (!letter || (letter == 'a' && gpus[i].number >= FIRST_OWN) ||
                                             (letter == 'f' && gpus[i].number >= FIRST_FAMILY)))
        return (name){kind, &gpus[i], letter};
  }
  return (name){NO_NAME, NULL, 0};
}

/* The words without brackets and quotes: [sm_80,compute_80], "sm_80". */
static uw_strings names_in(const char *text) {
  char *copy = uw_copy_text(text, strlen(text)), *to = copy;
  for (; *text; text++)
    if (!strchr("[]\"'", *text))
      *to++ = *text;
  *to = 0;
  uw_strings names = {0};
  uw_strings_add_split(&names, copy, ',');
  return names;
}

bool uw_value_architecture(const char *option, const char *text) {
  uw_strings names = names_in(text);
  for (size_t i = 0; i < names.count; i++)
    if (read_name(names.items[i]).kind == NO_NAME)
      return uw_report_error("'%s' wants a GPU architecture such as sm_80, not '%s'", option, names.items[i]);
  return names.count > 0 || uw_report_error("'%s' wants a GPU architecture such as sm_80", option);
}

/* arch=A,code=B in either order. B is one name, or several in brackets or quotes. */
bool uw_value_generate_code(const char *option, const char *text, const char **arch, const char **code) {
  *arch = *code = NULL;
  for (const char *rest = text; rest;) {
    const char **value = uw_after_prefix(rest, "arch=") ? arch : uw_after_prefix(rest, "code=") ? code : NULL;
    if (!value && *code && read_name(uw_copy_text(rest, strcspn(rest, ","))).kind != NO_NAME)
      return uw_report_error("'%s': several names of code= stand in brackets: code=[%s,%s]", option, *code, rest);
    if (!value || *value)
      return uw_report_error("'%s' wants arch=ARCH,code=ARCH, not '%s'", option, text);
    rest += strlen("arch=");
    const char *close = *rest == '[' ? strchr(rest, ']') : *rest == '"' ? strchr(rest + 1, '"') : NULL;
    size_t length = close ? (size_t)(close - rest) + 1 : strcspn(rest, ",");
    *value = uw_copy_text(rest, length);
    if (rest[length] && rest[length] != ',')
      return uw_report_error("'%s' wants arch=ARCH,code=ARCH, not '%s'", option, text);
    rest = rest[length] ? rest + length + 1 : NULL;
  }
  if (!*arch || !*code)
    return uw_report_error("'%s' wants arch=ARCH,code=ARCH, not '%s'", option, text);
  return uw_value_architecture(option, *arch) && uw_value_architecture(option, *code);
}

/* Those whose code runs on each other's later ones. 10.1 became 11.0. */
static int family(int number) { return number == 101 ? 11 : number / 10; }

/* Whether nvcc makes `code` of what was compiled for `arch`: PTX of the same, and code of any later one that has the
 * features that arch's letter stands for. */
static bool can_become(name arch, name code) {
  int from = arch.gpu->number, to = code.gpu->number;
  if (code.kind == VIRTUAL)
    return arch.kind == VIRTUAL && from == to && arch.letter == code.letter;
  return to >= from && (!arch.letter || (arch.letter == 'a' ? code.letter == 'a' : family(from) == family(to)));
}

/* What was compiled for `arch` is to become each of `codes`; both are good names. */
static bool become(const char *option, const char *arch, const char *codes) {
  name from = read_name(names_in(arch).items[0]);
  uw_strings names = names_in(codes);
  if (names_in(arch).count > 1 || from.kind == GROUP)
    return uw_report_error("'%s': '%s' does not go with a code: name one architecture such as compute_80", option,
                           arch);
  if (from.kind == REAL) {
    const char *number = strchr(names_in(arch).items[0], '_') + 1;
    return uw_report_error("'%s': '%s' is real, and with a code goes a virtual one: compute_%s", option, arch, number);
  }
  for (size_t i = 0; i < names.count; i++) {
    name to = read_name(names.items[i]);
    if (to.kind == GROUP)
      return uw_report_error("'%s': '%s' is no code: name one such as sm_80", option, names.items[i]);
    if (!can_become(from, to))
      return uw_report_error("'%s': '%s' does not become '%s': code is of the same architecture or a later one", option,
                             arch, names.items[i]);
  }
  return true;
}

/* 12.4.131 is 12040. */
static int version_number(const char *whole) { return atoi(whole) * 1000 + atoi(strchr(whole, '.') + 1) * 10; }

static bool has(int version, name which) {
  int letter_from = which.letter == 'a' ? OWN_FROM : which.letter == 'f' ? FAMILIES_FROM : 0;
  return which.kind == GROUP ||
         (version >= which.gpu->first && version >= letter_from && (!which.gpu->end || version < which.gpu->end));
}

/* Names that the version has not, each once. */
static void find_missing(uw_strings *missing, const char *text, int version) {
  uw_strings names = names_in(text);
  for (size_t i = 0; i < names.count; i++)
    if (!has(version, read_name(names.items[i])) && !uw_strings_contains(missing, names.items[i]))
      uw_strings_add(missing, names.items[i]);
}

/* The version of --cuda-version that has them all, or null. */
static const char *version_with(const uw_strings *names) {
  static const char *const versions[] = {"11.8", "12.4", "12.9", "13.0"};
  for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++) {
    bool all = true;
    for (size_t k = 0; k < names->count; k++)
      all &= has(version_number(versions[i]), read_name(names->items[k]));
    if (all)
      return versions[i];
  }
  return NULL;
}

static bool check_version(const uw_options *o) {
  uw_strings missing = {0};
  int version = version_number(o->cuda_version);
  if (o->architecture)
    find_missing(&missing, o->architecture, version);
  for (size_t i = 0; i < o->codes.count; i++)
    find_missing(&missing, o->codes.items[i], version);
  for (size_t i = 0; i < o->generated.count; i++)
    find_missing(&missing, o->generated.items[i], version);
  if (!missing.count)
    return true;
  const char *all = missing.items[0], *other = version_with(&missing);
  for (size_t i = 1; i < missing.count; i++)
    all = uw_format("%s, %s", all, missing.items[i]);
  int release = (int)(strrchr(o->cuda_version, '.') - o->cuda_version);
  const char *way_out = other ? uw_format("--cuda-version=%s has %s", other, missing.count > 1 ? "them" : "it")
                              : "--list-gpu-arch shows what it has";
  if (o->cuda_version_given)
    return uw_report_error("CUDA %.*s has no %s: %s; without --cuda-version any architecture is taken", release,
                           o->cuda_version, all, way_out);
  if (!o->no_warnings && !o->any_gpu)
    uw_report_warning("nvcc of CUDA %.*s has no %s: %s; code for CPUs is the same (-Wno-deprecated-gpu-targets: no "
                      "warning)",
                      release, o->cuda_version, all, way_out);
  return true;
}

static bool check_single(const uw_options *o) {
  bool ptx = o->emit == UW_EMIT_PTX, cubin = o->module && strcmp(o->module, "cubin") == 0;
  const char *first = o->architecture;
  if (!ptx && !cubin)
    return true;
  if (first && strncmp(first, "all", strlen("all")) == 0)
    return uw_report_error("'%s' is of one architecture, not of '%s'", ptx ? "-ptx" : "-cubin", first);
  for (size_t i = 0; i < o->generated.count; i += 2) {
    const char *next = names_in(o->generated.items[i]).items[0];
    if (first && strcmp(first, "native") != 0 &&
        (read_name(next).gpu != read_name(first).gpu || read_name(next).letter != read_name(first).letter))
      return uw_report_error("'%s' is of one architecture, not of '%s' and '%s'%s", ptx ? "-ptx" : "-cubin", first,
                             next, ptx ? "" : ": -fatbin is of several");
    first = next;
  }
  return true;
}

bool uw_gpu_names_agree(const uw_options *o) {
  if (o->codes.count && !o->architecture)
    return uw_report_error("'-code=%s' wants -arch=compute_NN with it", o->codes.items[0]);
  if (o->architecture && !o->codes.count && names_in(o->architecture).count > 1)
    return uw_report_error("'-arch=%s' names several: -arch=all, or a -gencode arch=A,code=B for each",
                           o->architecture);
  for (size_t i = 0; i < o->codes.count; i++)
    if (!become("-arch", o->architecture, o->codes.items[i]))
      return false;
  for (size_t i = 0; i < o->generated.count; i += 2)
    if (!become("-gencode", o->generated.items[i], o->generated.items[i + 1]))
      return false;
  return check_single(o) && check_version(o);
}

void uw_print_gpu_names(const char *format, const char *cuda_version) {
  for (size_t i = 0; i < GPUS; i++)
    if (has(version_number(cuda_version), (name){REAL, &gpus[i], 0}))
      printf(format, gpus[i].number, gpus[i].number);
}
