/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A quick look at the text of a source and of what it includes from the user's folders, before clang sees it: for
 * launch brackets that have to be closed up, for launches with braces, and for the old texture references. */
#include "source_look.h"

#include "../support/files.h"
#include "launch_brackets.h"
#include "old_references.h"
#include "temp.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct search {
  const uw_strings *folders;
  uw_strings paths; /* what is to be looked at, and what was */
  uw_strings seen;  /* their identities */
  uw_source_look *look;
  bool references, own_names;
} search;

/* clang's name for it, which is in its messages. */
static bool is_standard_input(const char *path) { return strcmp(path, UW_STANDARD_INPUT) == 0; }

static void add_entry(uw_source_look *look, const char *folder, const char *path, const char *shown) {
  const char *name = path[0] == '/' ? path : uw_format("%s/%s", folder, path);
  look->entries = uw_format("%s%s{\"type\": \"file\", \"name\": %s, \"external-contents\": %s}", look->entries,
                            *look->entries ? ",\n" : "", uw_json_quoted(name), uw_json_quoted(shown));
}

static bool add_to_overlay(uw_source_look *look, const char *path, const char *text) {
  const char *slash = strrchr(path, '/');
  const char *shown = uw_temp_file(slash ? slash + 1 : path, text, strlen(text));
  char folder[PATH_MAX];
  const char *named = getenv("PWD");
  if (shown && is_standard_input(path)) {
    look->standard_input = shown;
    return true;
  }
  if (!shown || !getcwd(folder, sizeof folder))
    return false;
  uw_strings_add(&look->paths, path);
  uw_strings_add(&look->contents, shown);
  add_entry(look, folder, path, shown);
  /* clang may go by the shell's name for the current folder. */
  if (path[0] != '/' && named && named[0] == '/' && strcmp(named, folder) != 0)
    add_entry(look, named, path, shown);
  return true;
}

/* Headers that include each other by "../api/x.hpp" have names without end: what the file is, and the name as the
 * overlay knows it, which takes "api/.." out. A file with two such names, by a link, is looked at by both. */
static const char *identity(const char *path) {
  uw_strings parts = {0}, kept = {0};
  char real[PATH_MAX];
  uw_strings_add_split(&parts, path, '/');
  for (size_t i = 0; i < parts.count; i++) {
    const char *part = parts.items[i];
    if (strcmp(part, "..") == 0 && kept.count && strcmp(kept.items[kept.count - 1], "..") != 0)
      kept.count--;
    else if (*part && strcmp(part, ".") != 0)
      uw_strings_add(&kept, part);
  }
  const char *key = realpath(path, real) ? real : path;
  for (size_t i = 0; i < kept.count; i++)
    key = uw_format("%s%c%s", key, i ? '/' : '\n', kept.items[i]);
  return key;
}

static void note_file(search *s, const char *path) {
  const char *key = identity(path);
  if (uw_strings_contains(&s->seen, key))
    return;
  uw_strings_add(&s->seen, key);
  uw_strings_add(&s->paths, path);
}

/* Notes what `#include` brings in: by quotes from the includer's folder too, by angle brackets from the user's
 * folders only. The system's headers are not looked at. */
static void note_include(search *s, const char *includer, char bracket, const char *name) {
  const char *slash = strrchr(includer, '/');
  const char *path = slash && name[0] != '/' ? uw_format("%.*s/%s", (int)(slash - includer), includer, name) : name;
  for (size_t i = 0; (i == 0 && bracket == '<') || access(path, R_OK) != 0; i++) {
    if (i == s->folders->count)
      return;
    path = uw_format("%s/%s", s->folders->items[i], name);
  }
  note_file(s, path);
}

static bool look_at(search *s, const char *path) {
  char *text = uw_read_file(is_standard_input(path) ? s->look->standard_input : path);
  if (!text)
    return true;
  for (char *at = text; (at = strchr(at, '#')); at++) {
    char *word = at + 1;
    word += strspn(word, " \t");
    if (!uw_after_prefix(word, "include"))
      continue;
    word += strlen("include");
    word += strspn(word, " \t");
    size_t length = *word == '"' ? strcspn(word + 1, "\"\n") : *word == '<' ? strcspn(word + 1, ">\n") : 0;
    if (length)
      note_include(s, path, *word, uw_copy_text(word + 1, length));
  }
  s->references = s->references || uw_has_old_references(text);
  s->own_names = s->own_names || uw_declares_reference_names(text);
  bool closed = uw_has_spaced_brackets(text) && uw_close_launch_brackets(text);
  const char *named = uw_name_launch_types(text);
  return (!closed && !named) || add_to_overlay(s->look, path, named ? named : text);
}

static bool write_overlay(uw_source_look *look) {
  const char *text = uw_format("{\"version\": 0, \"use-external-names\": false, \"roots\": [\n%s\n]}\n", look->entries);
  look->overlay = uw_temp_file("overlay.yaml", text, strlen(text));
  return look->overlay != NULL;
}

bool uw_look_at_source(const char *source, const char *standard_input, const uw_strings *folders,
                       uw_source_look *look) {
  search s = {.folders = folders, .look = look};
  *look = (uw_source_look){.entries = "", .standard_input = standard_input};
  note_file(&s, standard_input ? UW_STANDARD_INPUT : source);
  for (size_t i = 0; i < s.paths.count; i++)
    if (!look_at(&s, s.paths.items[i]))
      return false;
  look->old_references = s.references && !s.own_names;
  return !*look->entries || write_overlay(look);
}

static const char *shown_text(const uw_source_look *look, const char *path) {
  for (size_t i = 0; i < look->paths.count; i++)
    if (strcmp(look->paths.items[i], path) == 0)
      return uw_read_file(look->contents.items[i]);
  return uw_read_file(is_standard_input(path) ? look->standard_input : path);
}

/* A look in which `texts` are shown at `paths`, in place of what `old` shows there. */
static bool show_texts(const uw_source_look *old, const uw_strings *paths, const uw_strings *texts,
                       uw_source_look *look) {
  *look = *old;
  look->entries = "";
  look->paths = look->contents = (uw_strings){0};
  for (size_t i = 0; i < paths->count; i++)
    if (!add_to_overlay(look, paths->items[i], texts->items[i]))
      return false;
  for (size_t i = 0; i < old->paths.count; i++)
    if (!uw_strings_contains(paths, old->paths.items[i])) {
      char *text = uw_read_file(old->contents.items[i]);
      if (!text || !add_to_overlay(look, old->paths.items[i], text))
        return false;
    }
  return !*look->entries || write_overlay(look);
}

typedef struct forms {
  uw_strings paths, texts;
} forms;

static void add_form(forms *f, const char *path, const char *text) {
  uw_strings_add(&f->paths, path);
  uw_strings_add(&f->texts, text);
}

bool uw_look_again(uw_objections *objections, bool blanks, uw_source_look *look, uw_source_look own_look[2]) {
  uw_strings paths = {0};
  forms both = {0}, own[2] = {0};
  uw_objected_paths(objections, &paths);
  if (!look->standard_input && uw_strings_contains(&paths, UW_STANDARD_INPUT))
    return false; /* a file's #line says so */
  uw_strings texts = {0};
  for (size_t i = 0; i < paths.count; i++) {
    const char *path = paths.items[i], *text = shown_text(look, path);
    const char *with = text ? uw_accept_objected(objections, path, text) : NULL;
    if (with)
      add_form(&both, path, with);
    uw_strings_add(&texts, with ? with : text ? text : "");
  }
  for (size_t i = 0; blanks && i < 2 * paths.count; i++) {
    const char *path = paths.items[i / 2];
    const char *without = uw_blank_objected(objections, i % 2, path, texts.items[i / 2]);
    if (without)
      add_form(&own[i % 2], path, without);
  }
  uw_source_look old = *look;
  if (both.paths.count && !show_texts(&old, &both.paths, &both.texts, look))
    return false;
  for (int side = 0; side < 2; side++)
    if (own[side].paths.count && !show_texts(look, &own[side].paths, &own[side].texts, &own_look[side]))
      return false;
  return true;
}
