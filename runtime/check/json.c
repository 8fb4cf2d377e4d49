/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The report for programs: JSON, an object a line, on stderr (UNWARP_CHECK=json) or in a file (json=FILE), and SARIF 2.1.0,
 * which editors and code scanning read (sarif=FILE). Files are whole after each finding, and several processes may add to
 * one. docs/schemas/checker.json and sarif.json say what is written. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../shared_list.h"
#include "check.h"

static void quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text; text++)
    if (*text == '"' || *text == '\\')
      fprintf(out, "\\%c", *text);
    else if ((unsigned char)*text < ' ')
      fprintf(out, "\\u%04x", (unsigned char)*text);
    else
      fputc(*text, out);
  fputc('"', out);
}

/* --- JSON: an object a line --- */

static void field(FILE *out, const char *name, const char *text) {
  fprintf(out, ", \"%s\": ", name);
  quoted(out, text);
}

static void indices(FILE *out, const char *name, uint64_t number, const uint32_t extents[3]) {
  char text[64];
  uwrt_check_index(text, sizeof text, number, extents);
  text[0] = '[';
  text[strlen(text) - 1] = ']';
  fprintf(out, ", \"%s\": %s", name, text);
}

static void places(FILE *out, uint32_t site) {
  uwrt_check_site of = uwrt_check_site_of(site);
  fprintf(out, ", \"places\": [");
  for (const char *at = of.text, *end = of.text + of.places_length; at < end;) {
    int length = (int)strcspn(at, "\n\x02");
    char *line = strndup(at, (size_t)length);
    fprintf(out, "%s", at == of.text ? "" : ", ");
    quoted(out, line ? line : "");
    free(line);
    at += length + 1;
  }
  fprintf(out, "]");
}

static void access_of(FILE *out, const char *name, const char *what, const uwrt_check_launch *launch, uint64_t block,
                      uint32_t thread, uint32_t site) {
  fprintf(out, ", \"%s\": {\"what\": ", name);
  quoted(out, what ? what : "");
  char place[1024];
  if (launch && !launch->kernel) {
    const char *known = uwrt_check_lines(launch->calls, UWRT_CHECK_CALLS, place, sizeof place);
    field(out, "place", known ? known : "");
  } else if (launch) {
    field(out, "kernel", uwrt_kernel_shown(launch->kernel));
    fprintf(out, ", \"launch\": %llu", (unsigned long long)launch->number);
    if (block != UWRT_CHECK_SOME_BLOCK)
      indices(out, "block", block, launch->grid);
    indices(out, "thread", thread, launch->block);
  }
  places(out, site);
  fprintf(out, "}");
}

static void write_line(FILE *out, const uwrt_check_finding *f) {
  fprintf(out, "{\"class\": \"%s\", \"rule\": \"%s\"", uwrt_check_class_name(f->class), f->rule);
  field(out, "message", f->what);
  if (f->state)
    access_of(out, "access", f->access, f->state->launch, f->state->block, f->thread, f->site);
  else if (f->place)
    field(out, "place", f->place);
  if (f->has_other)
    access_of(out, "other", f->other_access, f->other_is_unknown ? NULL : f->other_launch, f->other_block,
              f->other_thread, f->other_site);
  for (int freed = 0; f->object && freed <= f->object->is_freed; freed++) {
    char text[1024];
    const char *place = uwrt_check_made(f->object, freed, text, sizeof text);
    if (place)
      field(out, freed ? "freed" : "allocated", place);
  }
  fprintf(out, "}\n");
}

/* --- SARIF --- */

static void uri(FILE *out, const char *path, size_t length) {
  fputs(*path == '/' ? "\"file://" : "\"", out);
  for (size_t i = 0; i < length; i++) {
    while (length - i > 2 && strncmp(path + i, "./", 2) == 0 && (!i || path[i - 1] == '/')) /* as in "/here/./x.h" */
      i += 2;
    unsigned char letter = (unsigned char)path[i];
    int plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                (letter >= '0' && letter <= '9') || strchr("/._-~+", letter);
    fprintf(out, plain ? "%c" : "%%%02X", letter);
  }
  fputc('"', out);
}

/* The locations of `place`, "file.cu:7, called from main.cu:9 (main)", each with what it is. None for an unknown line. */
static int locations(FILE *out, const char *place, const char *what, int already) {
  static const char next[] = ", called from ";
  for (const char *at = place, *end; *at; at = *end ? end + sizeof next - 1 : end) {
    end = strstr(at, next);
    end = end ? end : at + strlen(at);
    const char *colon = NULL;
    for (const char *c = at; c < end; c++)
      if (*c == ':' && c[1] >= '0' && c[1] <= '9')
        colon = c;
    int line = colon ? atoi(colon + 1) : 0;
    if (line > 0) {
      fprintf(out, "%s{\"physicalLocation\": {\"artifactLocation\": {\"uri\": ", already ? ", " : "");
      uri(out, at, (size_t)(colon - at));
      fprintf(out, "}, \"region\": {\"startLine\": %d}}", line);
      if (what) {
        fprintf(out, ", \"message\": {\"text\": ");
        quoted(out, at == place ? what : "called from here");
        fprintf(out, "}");
      }
      fprintf(out, "}");
      already = 1;
    }
  }
  return already;
}

/* Where an access is: "at …" of a copy has its place in the text alone. */
static const char *place_of(const uwrt_check_launch *launch, uint32_t site, char *room, size_t bytes) {
  if (!launch || launch->kernel)
    return uwrt_check_place(site, room, bytes);
  const char *known = uwrt_check_lines(launch->calls, UWRT_CHECK_CALLS, room, bytes);
  return known ? known : "";
}

/* Levels are by what it does to the program's result: what is never freed does nothing. */
static void write_result(FILE *out, const uwrt_check_finding *f) {
  char place[1024], line[2048];
  fprintf(out,
          "    {\"ruleId\": \"%s/%s\", \"level\": \"%s\", \"message\": {\"text\": ", uwrt_check_class_name(f->class),
          f->rule, f->class == UWRT_CHECK_LEAK ? "warning" : "error");
  quoted(out, f->what);
  const uwrt_check_launch *launch = f->state ? f->state->launch : NULL;
  const char *own = f->state ? place_of(launch, f->site, place, sizeof place) : f->place ? f->place : "";
  /* The first line is the location; the calls around it are beside it. */
  const char *calls = strstr(own, ", called from ");
  char *first = strndup(own, calls ? (size_t)(calls - own) : strlen(own));
  fprintf(out, "}, \"locations\": [");
  locations(out, first ? first : "", NULL, 0);
  free(first);
  fprintf(out, "], \"relatedLocations\": [");
  int any = 0;
  if (f->state) {
    uwrt_check_where(line, sizeof line, launch, f->state->block, f->thread, f->site);
    char *what = NULL;
    if (asprintf(&what, "%s: %s", f->access ? f->access : "there", line) > 0)
      any = locations(out, own, what, any);
    free(what);
  }
  if (f->has_other) {
    const uwrt_check_launch *other = f->other_is_unknown ? NULL : f->other_launch;
    const char *at = place_of(other, f->other_site, place, sizeof place);
    char *what = NULL;
    if (f->other_is_unknown)
      snprintf(line, sizeof line, "by some thread here or at a line like this");
    else
      uwrt_check_where(line, sizeof line, other, f->other_block, f->other_thread, f->other_site);
    if (asprintf(&what, "%s: %s", f->other_access, line) > 0)
      any = locations(out, at, what, any);
    free(what);
  }
  if (!f->state && calls)
    any = locations(out, calls + strlen(", called from "), "called from here", any);
  for (int freed = 0; f->object && freed <= f->object->is_freed; freed++) {
    const char *at = uwrt_check_made(f->object, freed, place, sizeof place);
    if (at)
      any = locations(out, at, freed ? "freed here" : "allocated here", any);
  }
  fprintf(out, "]}");
}

/* --- files --- */

static uwrt_shared_list lists[UWRT_CHECK_FORMS] = {
    [UWRT_CHECK_LINES] = UWRT_SHARED_LIST(.opening = "", .separator = "", .closing = ""),
    [UWRT_CHECK_SARIF] = UWRT_SHARED_LIST(
            .opening =
                "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\", \"version\": \"2.1.0\", \"runs\": [\n"
                "  {\"tool\": {\"driver\": {\"name\": \"unwarp -fcheck\", \"rules\": [\n"
                "    {\"id\": \"memory\", \"shortDescription\": {\"text\": \"An access that memory does not "
                "allow\"}},\n"
                "    {\"id\": \"race\", \"shortDescription\": {\"text\": \"Two accesses without an order\"}},\n"
                "    {\"id\": \"init\", \"shortDescription\": {\"text\": \"A read of what nobody wrote\"}},\n"
                "    {\"id\": \"sync\", \"shortDescription\": {\"text\": \"A barrier or a warp operation misused\"}},\n"
                "    {\"id\": \"leak\", \"shortDescription\": {\"text\": \"Memory that is never freed\"}}]}},\n"
                "   \"columnKind\": \"utf16CodeUnits\", \"results\": [\n",
            .separator = ",\n", .closing = "\n]}]}\n"),
};

static void give_up(uwrt_shared_list *list, int error) {
  fprintf(stderr, "unwarp: cannot write the checker's report '%s': %s; the program goes on without\n", list->path,
          error == EILSEQ ? "the file is there and has something else in it" : strerror(error));
  close(list->file);
  list->file = -1;
}

void uwrt_check_report_into(uwrt_check_form form, const char *name) {
  uwrt_shared_list *list = &lists[form];
  int error = uwrt_shared_list_open(list, name);
  if (!error)
    error = uwrt_shared_list_add(list, "", 0); /* a program without mistakes leaves a list of none */
  if (error)
    give_up(list, error);
}

void uwrt_check_say_to_programs(const uwrt_check_finding *f) {
  static void (*const writers[])(FILE *, const uwrt_check_finding *) = {write_line, write_result};
  if (uwrt_check_settings.json)
    write_line(stderr, f);
  for (int form = 0; form < UWRT_CHECK_FORMS; form++) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = lists[form].file < 0 ? NULL : open_memstream(&text, &length);
    if (!out)
      continue;
    writers[form](out, f);
    int error = fclose(out) ? errno : uwrt_shared_list_add(&lists[form], text, length);
    if (error)
      give_up(&lists[form], error);
    free(text);
  }
}
