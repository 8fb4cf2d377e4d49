/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "objections.h"

#include "diagnostics.h"
#include "leniency.h"
#include "rewrites.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Where a line of clang's names something, as the text is now: each change moves what follows it on its line. */
typedef struct spot {
  const char *path;
  size_t line, column; /* line 0: nowhere, or no longer there */
} spot;

typedef struct form {
  size_t place; /* of its spot */
  uw_rewrite *rewrite;
  const char *name; /* its place as clang said it, by which both sides' are one */
  size_t line;      /* of the message: the first form that fits is enough */
  bool done;
} form;

typedef struct objection {
  int side;
  const char *message; /* with its notes */
  size_t place, first_form, forms;
  uw_objection_state state;
} objection;

struct uw_objections {
  objection *items;
  size_t count;
  form *forms;
  size_t form_count;
  spot *spots;
  size_t spot_count;
};

#define APPEND(array, count, ...)                                                                                      \
  ((array) = uw_need_memory(realloc((array), ((count) + 1) * sizeof *(array))), (array)[(count)++] = __VA_ARGS__)

/* --- from messages ------------------------------------------------------------------------------------------------ */

/* The number before `end`, which must stand behind a colon; `end` moves to the colon. */
static size_t number_before(const char *start, const char **end) {
  const char *at = *end;
  while (at > start && isdigit((unsigned char)at[-1]))
    at--;
  if (at == *end || at == start || at[-1] != ':')
    return 0;
  *end = at - 1;
  return strtoul(at, NULL, 10);
}

/* Where the kind of the message begins in a line of clang's, which shows lines of the source after a blank. */
static const char *kind_in(const char *line) {
  static const char *const kinds[] = {": error: ", ": fatal error: ", ": warning: ", ": remark: ", ": note: "};
  if (*line == ' ')
    return NULL;
  for (const char *at = line; (at = strchr(at, ':')); at++)
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
      if (uw_after_prefix(at, kinds[i]))
        return at;
  return NULL;
}

static bool is_error(const char *kind) {
  return uw_after_prefix(kind, ": error: ") || uw_after_prefix(kind, ": fatal error: ");
}

static size_t add_spot(uw_objections *o, const char *line, const char *kind) {
  const char *end = kind;
  spot found = {0};
  found.column = number_before(line, &end);
  found.line = found.column ? number_before(line, &end) : 0;
  found.path = uw_copy_text(line, (size_t)(end - line));
  APPEND(o->spots, o->spot_count, found);
  return o->spot_count - 1;
}

/* Whether the line stands in messages. */
static bool has_line(const char *messages, const char *line) {
  size_t length = strlen(line);
  for (const char *at = messages; (at = strstr(at, line)); at++)
    if ((at == messages || at[-1] == '\n') && (at[length] == '\n' || !at[length]))
      return true;
  return false;
}

static void add_forms(uw_objections *o, size_t place, const char *line, const char *name, bool sycl, bool alone) {
  uw_rewrite *rewrite;
  for (size_t from = 0; (rewrite = uw_form_for(line, sycl, alone, &from));) {
    APPEND(o->forms, o->form_count, (form){.place = place, .rewrite = rewrite, .name = name, .line = place});
    o->items[o->count - 1].forms++;
  }
}

static void read_side(uw_objections *o, const char *const said[2], int side, bool sycl) {
  uw_strings lines = {0};
  bool open = false;
  uw_strings_add_split(&lines, said[side], '\n');
  for (size_t i = 0; i < lines.count; i++) {
    const char *line = lines.items[i], *kind = kind_in(line);
    if (open)
      o->items[o->count - 1].message = uw_format("%s%s\n", o->items[o->count - 1].message, line);
    if (!kind)
      continue;
    bool error = is_error(kind), note = uw_after_prefix(kind, ": note: ");
    size_t place = error || (open && note) ? add_spot(o, line, kind) : 0;
    if (error) {
      objection next = {.side = side, .place = place, .first_form = o->form_count};
      next.message = uw_format("%s\n", line);
      APPEND(o->items, o->count, next);
    }
    open = error || (open && note);
    if (open && o->spots[place].line)
      add_forms(o, place, line, uw_copy_text(line, (size_t)(kind - line)), sycl, side == 1 && !has_line(said[0], line));
  }
}

uw_objections *uw_objections_of(const char *const said[2], bool sycl) {
  uw_objections *o = uw_need_memory(calloc(1, sizeof *o));
  for (int side = 0; side < 2; side++)
    read_side(o, said, side, sycl);
  return o;
}

bool uw_settle_objections(uw_objections *o, bool (*settles)(const char *message, void *argument), void *argument) {
  bool any = false;
  for (size_t i = 0; i < o->count; i++)
    if (settles(o->items[i].message, argument)) {
      o->items[i].state = UW_SETTLED;
      any = true;
    }
  return any;
}

void uw_objected_paths(const uw_objections *o, uw_strings *paths) {
  for (size_t i = 0; i < o->spot_count; i++)
    if (o->spots[i].line && !uw_strings_contains(paths, o->spots[i].path))
      uw_strings_add(paths, o->spots[i].path);
}

/* --- changes of a text -------------------------------------------------------------------------------------------- */

static const char *line_of(const char *text, size_t number) {
  for (size_t line = 1; line < number; line++) {
    text = strchr(text, '\n');
    if (!text++)
      return NULL;
  }
  return text;
}

static const char *at_spot(const char *text, const spot *where) {
  const char *line = where->line ? line_of(text, where->line) : NULL;
  return line && strcspn(line, "\n") >= where->column ? line + where->column - 1 : NULL;
}

/* A spot goes with what follows the change on its line; what was itself changed is there no more. */
static void move_spot(spot *where, const char *before, const char *after) {
  const char *old = line_of(before, where->line), *new = line_of(after, where->line);
  size_t old_length = old ? strcspn(old, "\n") : 0, new_length = new ? strcspn(new, "\n") : 0, tail = 0, head = 0;
  size_t column = where->column - 1, shorter = old_length < new_length ? old_length : new_length;
  while (tail < shorter && old[old_length - 1 - tail] == new[new_length - 1 - tail])
    tail++;
  while (head < shorter - tail && old[head] == new[head])
    head++;
  if (column >= old_length - tail)
    where->column = column + new_length - old_length + 1;
  else if (column >= head)
    where->line = 0;
}

static void move_spots(uw_objections *o, const char *path, const char *before, const char *after) {
  for (size_t i = 0; i < o->spot_count; i++)
    if (o->spots[i].line && strcmp(o->spots[i].path, path) == 0)
      move_spot(&o->spots[i], before, after);
}

/* Whether the other side had the same form at the same place, or another form has changed what is there. */
static bool is_done(const uw_objections *o, const form *f) {
  if (!o->spots[f->place].line)
    return true;
  for (size_t i = 0; i < o->form_count; i++)
    if (o->forms[i].done && o->forms[i].rewrite == f->rewrite && strcmp(o->forms[i].name, f->name) == 0)
      return true;
  return false;
}

static char *settle(uw_objections *o, objection *objection, const char *path, const char *text) {
  const char *now = text;
  bool changed = false;
  for (size_t i = objection->first_form; i < objection->first_form + objection->forms; i++) {
    form *f = &o->forms[i];
    if (strcmp(o->spots[f->place].path, path) != 0)
      continue;
    bool done = is_done(o, f);
    const char *at = done ? NULL : at_spot(now, &o->spots[f->place]);
    char *with = at ? f->rewrite(now, at) : NULL;
    if (!done && !with)
      continue;
    objection->state = UW_SETTLED;
    if (!with || with == now)
      continue;
    f->done = changed = true;
    move_spots(o, path, now, with);
    now = with;
  }
  return changed ? (char *)now : NULL;
}

char *uw_accept_objected(uw_objections *o, const char *path, const char *text) {
  char *changed = NULL;
  for (size_t i = 0; i < o->count; i++) {
    char *with = settle(o, &o->items[i], path, changed ? changed : text);
    changed = with ? with : changed;
  }
  /* Where one error hides a function, its macros may be another's that is told only then. */
  char *with = changed ? uw_make_pragma_operators(changed) : NULL;
  if (with)
    move_spots(o, path, changed, with);
  return with ? with : changed;
}

/* Whether something that is settled is between the first and the last line that a change is about. */
static bool changes_settled(const uw_objections *o, const char *path, const char *before, const char *after) {
  size_t first = 1, head = 0, old = strlen(before), new = strlen(after), shorter = old < new ? old : new, tail = 0;
  for (; head < shorter && before[head] == after[head]; head++)
    first += before[head] == '\n';
  while (tail < shorter - head && before[old - 1 - tail] == after[new - 1 - tail])
    tail++;
  size_t last = first;
  for (size_t i = head; i < old - tail; i++)
    last += before[i] == '\n';
  for (size_t i = 0; i < o->count; i++) {
    const spot *where = &o->spots[o->items[i].place];
    if (o->items[i].state == UW_SETTLED && strcmp(where->path, path) == 0 && where->line >= first &&
        where->line <= last)
      return true;
  }
  return false;
}

/* Whether `at` is in a body that was taken away. */
static bool is_blanked(const char *text, const char *at) {
  for (; at > text && !uw_after_prefix(at, ")__uw\""); at--)
    if (uw_after_prefix(at, "R\"__uw("))
      return true;
  return false;
}

char *uw_blank_objected(uw_objections *o, int side, const char *path, const char *text) {
  char *changed = NULL;
  spot *kept = uw_need_memory(malloc((o->spot_count + 1) * sizeof *kept));
  memcpy(kept, o->spots, o->spot_count * sizeof *kept);
  for (size_t i = 0; i < o->count; i++) {
    objection *objection = &o->items[i];
    const spot *where = &o->spots[objection->place];
    if (objection->side != side || objection->state != UW_OPEN || strcmp(where->path, path) != 0)
      continue;
    const char *now = changed ? changed : text, *at = at_spot(now, where);
    bool gone = !where->line || (at && is_blanked(now, at));
    char *with = at && !gone ? uw_blank_template(now, at) : NULL;
    if (!gone && (!with || changes_settled(o, path, now, with)))
      continue;
    objection->state = UW_BLANKED;
    if (gone)
      continue;
    move_spots(o, path, now, with);
    changed = with;
  }
  memcpy(o->spots, kept, o->spot_count * sizeof *kept);
  free(kept);
  return changed;
}

/* --- what is left ------------------------------------------------------------------------------------------------- */

bool uw_has_objection(const uw_objections *o, uw_objection_state state) {
  for (size_t i = 0; i < o->count; i++)
    if (o->items[i].state == state)
      return true;
  return false;
}

/* Both are cut at the same errors, as only places may be named otherwise. */
char *uw_left_of_messages(const uw_objections *o, int side, const char *messages) {
  uw_strings lines = {0};
  const char *left = "", *prelude = "";
  size_t next = 0;
  bool shown = true;
  uw_strings_add_split(&lines, messages, '\n');
  for (size_t i = 0; i < lines.count; i++) {
    const char *bare = uw_without_colours(lines.items[i]), *kind = kind_in(bare);
    if (uw_after_prefix(bare, "In file included from ")) {
      prelude = uw_format("%s%s\n", prelude, lines.items[i]);
      continue;
    }
    if (kind && is_error(kind)) {
      while (next < o->count && o->items[next].side != side)
        next++;
      shown = next >= o->count || o->items[next++].state != UW_SETTLED;
    } else if (kind && !uw_after_prefix(kind, ": note: ")) {
      shown = true;
    }
    if (shown)
      left = uw_format("%s%s%s\n", left, prelude, lines.items[i]);
    prelude = "";
  }
  return (char *)left;
}
