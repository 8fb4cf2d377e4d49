/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *   grammar.y:9:7: error: …      ==>      parser.cu:112:7: error: …
 */
#include "said_lines.h"

#include "../support/files.h"
#include "../support/strings.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Lines `first` to `last` of the file are lines `said` and on of `name`. */
typedef struct stretch {
  const char *name;
  size_t first, last, said;
} stretch;

typedef struct stretches {
  stretch *items;
  size_t count, room;
} stretches;

static const char *after_blanks(const char *at) { return at + strspn(at, " \t"); }

/* The text of the string at `quote`, which is C's. */
static const char *unquoted(const char *quote) {
  char *text = uw_copy_text(quote, strcspn(quote, "\n")), *to = text;
  for (const char *from = text + 1; *from && *from != '"'; from++) {
    from += from[0] == '\\' && from[1];
    *to++ = *from;
  }
  *to = 0;
  return text;
}

/* Of the line at `line`, if it is a directive that names those after it; without a string the name stays. */
static bool read_directive(const char *line, const char *name, stretch *found) {
  const char *at = after_blanks(line);
  if (*at++ != '#')
    return false;
  at = after_blanks(at);
  const char *word = uw_after_prefix(at, "line");
  at = word ? after_blanks(word) : at;
  if (!isdigit((unsigned char)*at))
    return false;
  char *end;
  size_t said = strtoul(at, &end, 10);
  at = after_blanks(end);
  *found = (stretch){.name = *at == '"' ? unquoted(at) : name, .said = said};
  return true;
}

static void add(stretches *all, stretch next) {
  if (all->count == all->room) {
    all->room = all->room ? 2 * all->room : 8;
    all->items = uw_need_memory(realloc(all->items, all->room * sizeof *all->items));
  }
  all->items[all->count++] = next;
}

static stretches read_stretches(const char *text, const char *path) {
  stretches all = {0};
  size_t number = 1;
  for (const char *line = text; line; number++) {
    stretch next;
    if (read_directive(line, all.count ? all.items[all.count - 1].name : path, &next)) {
      if (all.count)
        all.items[all.count - 1].last = number - 1;
      next.first = number + 1;
      next.last = (size_t)-1;
      add(&all, next);
    }
    line = strchr(line, '\n');
    line += line != NULL;
  }
  return all;
}

/* "NAME:LINE:" at the begin of a line; what follows the second colon, or null. */
static const char *place_of(const char *line, const stretch *s, size_t *physical) {
  const char *after = uw_after_prefix(line, s->name);
  char *end;
  if (!after || *after != ':' || !isdigit((unsigned char)after[1]))
    return NULL;
  size_t said = strtoul(after + 1, &end, 10);
  if (*end != ':' || said < s->said || said - s->said > s->last - s->first)
    return NULL;
  *physical = s->first + (said - s->said);
  return end;
}

const char *uw_physical_places(const char *messages, const char *path, const char *file) {
  const char *text = strchr(messages, ':') ? uw_read_file(file) : NULL;
  stretches all = text ? read_stretches(text, path) : (stretches){0};
  if (!all.count)
    return messages;
  uw_strings lines = {0};
  uw_strings_add_split(&lines, messages, '\n');
  const char *result = "";
  for (size_t i = 0; i < lines.count; i++) {
    const char *line = lines.items[i];
    size_t physical;
    for (size_t s = 0; s < all.count; s++) {
      const char *rest = place_of(line, &all.items[s], &physical);
      if (rest) {
        line = uw_format("%s:%zu%s", path, physical, rest);
        break;
      }
    }
    result = uw_format("%s%s\n", result, line);
  }
  free(all.items);
  return result;
}
