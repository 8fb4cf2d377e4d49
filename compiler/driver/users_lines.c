/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * An error that clang meets in a template of unwarp's headers is about what the user handed to it. clang names the
 * header first and the user's line after the whole chain of instantiations:
 *
 *   In file included from x.cpp:1:                         x.cpp:5:5: error: no matching function for call …
 *   …/sycl/detail/launch.hpp:158:7: error: no matching …       5 |   q.parallel_for(…
 *     158 |       f(…                                   ==>  x.cpp:5:53: note: candidate function not viable: …
 *   …/queue.hpp:125:3: note: in instantiation of …             5 |   q.parallel_for(…
 *   x.cpp:5:5: note: in instantiation of … requested here  note: 12 lines about unwarp's headers are left out; -v …
 *       5 |   q.parallel_for(…
 *   x.cpp:5:53: note: candidate function not viable: …
 *
 * A message and what belongs to it is a block; its error and each of its notes, with the source lines after it, is a
 * part. Blocks whose chain names no line of the user's stay as they are, but for what macros of the headers expand to. */
#include "users_lines.h"

#include <stdbool.h>
#include <string.h>

typedef struct part {
  size_t first, end; /* lines */
} part;

enum { MOST_PARTS = 256 };

typedef struct block {
  const uw_strings *lines;
  const char *headers;
  part prelude, parts[MOST_PARTS];
  size_t count;
} block;

static bool starts_prelude(const char *line) {
  return uw_after_prefix(line, "In file included from ") || uw_after_prefix(line, "                 from ");
}

static bool is_message(const char *line) {
  return line[0] != ' ' &&
         (strstr(line, ": error: ") || strstr(line, ": fatal error: ") || strstr(line, ": warning: "));
}

static bool is_note(const char *line) {
  return line[0] != ' ' && (strstr(line, ": note: ") || uw_after_prefix(line, "note: (skipping "));
}

static bool is_in_headers(const block *b, const char *line) { return uw_after_prefix(line, b->headers) != NULL; }

/* Neither in the headers nor in the system's, as clang names them by their full paths. */
static bool is_users(const block *b, const char *line) {
  return !is_in_headers(b, line) && !uw_after_prefix(line, "/usr/");
}

static bool is_source_line(const char *line) { return line[0] == ' ' && !starts_prelude(line); }

/* The block that begins at this line; its end. */
static size_t read_block(block *b, size_t at) {
  const uw_strings *lines = b->lines;
  b->count = 0;
  b->prelude = (part){at, at};
  while (at < lines->count && starts_prelude(lines->items[at]))
    b->prelude.end = ++at;
  while (at < lines->count && b->count < MOST_PARTS) {
    const char *line = lines->items[at];
    if (b->count ? !is_note(line) : !is_message(line))
      break;
    part *own = &b->parts[b->count++];
    own->first = at++;
    while (at < lines->count && is_source_line(lines->items[at]))
      at++;
    own->end = at;
  }
  return at;
}

/* The part that names the user's line which asked for the template; 0: none. */
static size_t asking_part(const block *b) {
  for (size_t i = 1; i < b->count; i++) {
    const char *line = b->lines->items[b->parts[i].first];
    if (is_users(b, line) && strstr(line, " requested here"))
      return i;
  }
  return 0;
}

static void add_lines(uw_strings *to, const block *b, size_t first, size_t end) {
  for (size_t i = first; i < end; i++)
    uw_strings_add(to, b->lines->items[i]);
}

static void say_left_out(uw_strings *to, size_t lines) {
  uw_strings_add(to, uw_format("note: %zu lines about unwarp's headers are left out; -v shows them", lines));
}

/* Of a message at a line of the user's, the notes that take a macro of the headers apart. clang names what a macro
 * pastes together "<scratch space>", and skips in the middle of a long chain. */
static bool is_expansion(const block *b, const char *line) {
  return uw_after_prefix(line, "note: (skipping ") ||
         (strstr(line, ": note: expanded from ") && (is_in_headers(b, line) || line[0] == '<'));
}

static bool has_expansion(const block *b) {
  for (size_t i = 1; i < b->count; i++)
    if (is_in_headers(b, b->lines->items[b->parts[i].first]) && is_expansion(b, b->lines->items[b->parts[i].first]))
      return true;
  return false;
}

static void add_without_expansions(uw_strings *to, const block *b) {
  size_t left_out = 0;
  add_lines(to, b, b->prelude.first, b->prelude.end);
  for (size_t i = 0; i < b->count; i++) {
    part own = b->parts[i];
    if (i && is_expansion(b, b->lines->items[own.first]))
      left_out += own.end - own.first;
    else
      add_lines(to, b, own.first, own.end);
  }
  say_left_out(to, left_out);
}

/* The error's text at the location of the part that asked, then the notes at lines of the user's. */
static void add_at_users_line(uw_strings *to, const block *b, size_t asking) {
  const char *error = strstr(b->lines->items[b->parts[0].first], ": "), *line = b->lines->items[b->parts[asking].first],
             *end = strstr(line, ": note: ");
  uw_strings_add(to, uw_format("%.*s%s", (int)(end - line), line, error));
  add_lines(to, b, b->parts[asking].first + 1, b->parts[asking].end);
  size_t left_out = b->prelude.end - b->prelude.first + b->parts[0].end - b->parts[0].first;
  for (size_t i = 1; i < b->count; i++) {
    part own = b->parts[i];
    if (i != asking && is_users(b, b->lines->items[own.first]))
      add_lines(to, b, own.first, own.end);
    else if (i != asking)
      left_out += own.end - own.first;
  }
  say_left_out(to, left_out);
}

uw_strings uw_users_lines(const uw_strings *lines, const char *headers) {
  uw_strings shown = {0};
  block b = {.lines = lines, .headers = headers};
  for (size_t at = 0; at < lines->count;) {
    size_t end = read_block(&b, at), asking = 0;
    bool is_ours = b.count && is_in_headers(&b, lines->items[b.parts[0].first]);
    if (is_ours && (asking = asking_part(&b)) != 0)
      add_at_users_line(&shown, &b, asking);
    else if (b.count && !is_ours && has_expansion(&b))
      add_without_expansions(&shown, &b);
    else
      add_lines(&shown, &b, at, end > at ? end : at + 1);
    at = end > at ? end : at + 1;
  }
  return shown;
}
