/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Taking PTX apart. One pass over the text finds the directives outside of functions and, for each, which names of
 * others stand in it; PTX declares what it uses beforehand. Then
 *
 * - a kernel needs what it names, and what that names, and so on: functions and constants go into each piece that needs
 * them;
 * - a variable is one for all: kernels that reach the same variable, directly or through functions, are one piece
 * (union by names);
 * - a module that calls through pointers stays whole, as nothing in the text says what is called.
 *
 * A constant is an initialised variable that is a file's own and that a compiler made up: strings and tables that no
 * statement of the program names. Kernels do not write to these, hosts cannot find them.
 */
#include "pieces.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_KERNELS = 8 };

typedef enum { ALWAYS, ENTRY, FUNCTION, VARIABLE, CONSTANT } kind;

typedef struct item {
  size_t start, end, line; /* line: of start, from 0 */
  size_t first_use, use_count;
  uint32_t name, next; /* next: with the same name; 0: none, else its index and 1 */
  kind kind;
} item;

typedef struct name {
  size_t start, length;
  uint64_t hash;
  uint32_t first, last; /* items, as in next */
  uint32_t root;        /* of its piece */
  uint32_t seen;
  unsigned char kind, taken, wanted;
} name;

struct uwjit_pieces {
  char *text;
  size_t bytes;
  item *items;
  size_t item_count, item_room;
  name *names;
  size_t name_count, name_room;
  uint32_t *uses; /* names */
  size_t use_count, use_room;
  uint32_t *slots; /* a name's index and 1, by its hash */
  size_t slot_count;
  uint32_t *stack;
  size_t kernels;
  uint32_t iteration;
  int whole; /* there are calls through pointers */
};

static int grow(void *array, size_t *room, size_t count, size_t size) {
  void *old;
  if (count < *room)
    return 1;
  memcpy(&old, array, sizeof old);
  size_t more = *room ? *room * 2 : 64;
  void *larger = more > UINT32_MAX / 2 ? NULL : realloc(old, more * size);
  if (!larger)
    return 0;
  memcpy(array, &larger, sizeof larger);
  *room = more;
  return 1;
}

/* --- names -------------------------------------------------------------------------------------------------------- */

static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * 1099511628211u;
  return hash;
}

static uint32_t *slot_of(const uwjit_pieces *p, const char *text, size_t length, uint64_t hash) {
  size_t at = (size_t)hash & (p->slot_count - 1);
  for (; p->slots[at]; at = (at + 1) & (p->slot_count - 1)) {
    const name *n = &p->names[p->slots[at] - 1];
    if (n->hash == hash && n->length == length && memcmp(p->text + n->start, text, length) == 0)
      break;
  }
  return &p->slots[at];
}

static int more_slots(uwjit_pieces *p) {
  size_t count = p->slot_count ? p->slot_count * 2 : 1024;
  uint32_t *larger = calloc(count, sizeof *larger);
  if (!larger)
    return 0;
  free(p->slots);
  p->slots = larger;
  p->slot_count = count;
  for (size_t i = 0; i < p->name_count; i++)
    *slot_of(p, p->text + p->names[i].start, p->names[i].length, p->names[i].hash) = (uint32_t)i + 1;
  return 1;
}

/* The item is what the name stands for, or one more of that: a declaration and its definition. */
static int set_name(uwjit_pieces *p, size_t start, size_t length, uint32_t number) {
  if ((p->name_count + 1) * 2 > p->slot_count && !more_slots(p))
    return 0;
  uint64_t hash = hash_of(p->text + start, length);
  uint32_t *slot = slot_of(p, p->text + start, length, hash);
  item *it = &p->items[number];
  if (!*slot) {
    if (!grow(&p->names, &p->name_room, p->name_count, sizeof *p->names))
      return 0;
    p->names[p->name_count] = (name){.start = start,
                                     .length = length,
                                     .hash = hash,
                                     .kind = (unsigned char)it->kind,
                                     .root = (uint32_t)p->name_count};
    *slot = (uint32_t)++p->name_count;
  }
  it->name = *slot - 1;
  name *n = &p->names[it->name];
  if (it->kind == VARIABLE || (it->kind == ENTRY && n->kind != VARIABLE))
    n->kind = (unsigned char)it->kind;
  if (n->last)
    p->items[n->last - 1].next = number + 1;
  else
    n->first = number + 1;
  n->last = number + 1;
  return 1;
}

static int add_use(uwjit_pieces *p, const char *text, size_t length) {
  uint32_t found = p->slot_count ? *slot_of(p, text, length, hash_of(text, length)) : 0;
  item *it = &p->items[p->item_count - 1];
  if (!found || (it->use_count && p->uses[p->use_count - 1] == found - 1))
    return 1;
  if (!grow(&p->uses, &p->use_room, p->use_count, sizeof *p->uses))
    return 0;
  p->uses[p->use_count++] = found - 1;
  it->use_count++;
  return 1;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

enum { BLANK = 1, FIRST = 2, LATER = 4 }; /* of a character: between words, begins one, is in one */

static unsigned char class_of[256];

static __attribute__((constructor)) void make_classes(void) {
  for (int c = 0; c < 256; c++) {
    int letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$', digit = c >= '0' && c <= '9';
    class_of[c] = (unsigned char)((c == ' ' || c == '\t' || c == '\r' ? BLANK : 0) | (letter ? FIRST : 0) |
                                  (letter || digit ? LATER : 0));
  }
}

typedef struct reader {
  uwjit_pieces *p;
  const char *at, *end;
  size_t line;
} reader;

static const char *line_end(const reader *r, const char *at) {
  const char *found = memchr(at, '\n', (size_t)(r->end - at));
  return found ? found : r->end;
}

/* Past blanks and comments; 0: a comment has no end. */
static int skip(reader *r) {
  for (;;) {
    while (r->at < r->end && ((class_of[(unsigned char)*r->at] & BLANK) || *r->at == '\n'))
      r->line += *r->at++ == '\n';
    if (r->end - r->at < 2 || r->at[0] != '/' || (r->at[1] != '/' && r->at[1] != '*'))
      return 1;
    if (r->at[1] == '/') {
      r->at = line_end(r, r->at);
      continue;
    }
    const char *close = r->at + 2;
    for (; r->end - close >= 2 && !(close[0] == '*' && close[1] == '/'); close++)
      r->line += *close == '\n';
    if (r->end - close < 2)
      return 0;
    r->at = close + 2;
  }
}

static size_t word_length(const reader *r, const char *at) {
  const char *end = at;
  while (end < r->end && (class_of[(unsigned char)*end] & LATER))
    end++;
  return (size_t)(end - at);
}

static int is(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

/* One directive, from its first word on. name: the last word in front of the first bracket or `=`, after what a
 * function returns. */
static int read_item(reader *r, kind what, size_t start, size_t start_line) {
  uwjit_pieces *p = r->p;
  size_t name_at = 0, name_length = 0;
  int depth = 0, braces = 0, named = 0, internal = 1, initialised = 0, done = 0;
  if (!grow(&p->items, &p->item_room, p->item_count, sizeof *p->items))
    return 0;
  p->items[p->item_count++] = (item){.start = start, .line = start_line, .first_use = p->use_count, .kind = what};
  while (!done) {
    if (!skip(r) || r->at == r->end)
      return 0;
    const char *at = r->at;
    char c = *at;
    if (class_of[(unsigned char)c] & FIRST) {
      size_t length = word_length(r, at);
      int after_dot = at > p->text && at[-1] == '.';
      r->at += length;
      if (after_dot) {
        internal &= !(is(at, length, "visible") || is(at, length, "extern") || is(at, length, "weak") ||
                      is(at, length, "common"));
        p->whole |= is(at, length, "callprototype") || is(at, length, "calltargets");
        continue;
      }
      if (!named && !depth)
        name_at = (size_t)(at - p->text), name_length = length;
      else if (!add_use(p, at, length))
        return 0;
      continue;
    }
    r->at++;
    switch (c) {
    case '"':
      while (r->at < r->end && *r->at != '"' && *r->at != '\n')
        r->at += *r->at == '\\' && r->end - r->at > 1 ? 2 : 1;
      if (r->at >= r->end || *r->at != '"')
        return 0;
      r->at++;
      break;
    case '%': /* a register */
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9': r->at += word_length(r, r->at); break;
    case '(':
    case '[':
      named |= name_length > 0;
      depth++;
      break;
    case ')':
    case ']':
      if (depth-- == 0)
        return 0;
      break;
    case '{':
      named |= name_length > 0;
      braces++;
      break;
    case '}':
      if (braces-- == 0)
        return 0;
      done = !braces && !depth && (what == ENTRY || what == FUNCTION || what == ALWAYS);
      break;
    case '=':
      initialised |= !braces;
      named |= name_length > 0;
      break;
    case ',': /* .alias NAME, OTHER; of several variables in one directive nobody writes */
      if (name_length && !depth && !braces && (what == VARIABLE || what == CONSTANT))
        return 0;
      named |= name_length > 0 && !depth && !braces;
      break;
    case ';': done = !braces && !depth; break;
    }
  }
  item *it = &p->items[p->item_count - 1];
  it->end = (size_t)(r->at - p->text);
  if (what == ALWAYS)
    return 1;
  if (!name_length)
    return 0;
  const char *name = p->text + name_at;
  int made_up = memchr(name, '$', name_length) || (name_length > 9 && memcmp(name, "__cudart_", 9) == 0) ||
                (name_length > 10 && memcmp(name, "__unnamed_", 10) == 0);
  if (what == VARIABLE && internal && initialised && made_up)
    it->kind = CONSTANT;
  return set_name(p, name_at, name_length, (uint32_t)(p->item_count - 1));
}

/* Lines of their own. */
static int read_line(reader *r, size_t start, size_t line) {
  uwjit_pieces *p = r->p;
  if (!grow(&p->items, &p->item_room, p->item_count, sizeof *p->items))
    return 0;
  r->at = line_end(r, r->at);
  p->items[p->item_count++] = (item){.start = start, .line = line, .end = (size_t)(r->at - p->text), .kind = ALWAYS};
  return 1;
}

/* Debug information is about all kernels: none is taken along. */
static int skip_section(reader *r) {
  const char *close = memchr(r->at, '}', (size_t)(r->end - r->at));
  for (; close && r->at <= close; r->at++)
    r->line += *r->at == '\n';
  return close != NULL;
}

static int read_all(reader *r) {
  static const struct {
    const char *word;
    kind what;
  } known[] = {{"entry", ENTRY},  {"func", FUNCTION},   {"global", VARIABLE}, {"const", VARIABLE},
               {"tex", VARIABLE}, {"shared", CONSTANT}, {"alias", FUNCTION},  {"pragma", ALWAYS}};
  for (;;) {
    if (!skip(r))
      return 0;
    if (r->at == r->end)
      return 1;
    size_t start = (size_t)(r->at - r->p->text), line = r->line;
    if (r->at[0] == ';') { /* nothing */
      r->at++;
      continue;
    }
    if (r->at[0] != '.')
      return 0;
    /* The linkage stands first, in words that begin with a dot. */
    const char *at = r->at;
    kind what = ALWAYS;
    int found = 0, is_line = 0, section = 0;
    while (!found && !is_line && !section && at < r->end && *at == '.') {
      size_t length = word_length(r, at + 1);
      for (size_t i = 0; i < sizeof known / sizeof *known && !found; i++)
        if (is(at + 1, length, known[i].word))
          found = 1, what = known[i].what;
      is_line = is(at + 1, length, "version") || is(at + 1, length, "target") || is(at + 1, length, "address_size") ||
                is(at + 1, length, "file");
      section = is(at + 1, length, "section");
      if (!found && !is_line && !section && !is(at + 1, length, "visible") && !is(at + 1, length, "extern") &&
          !is(at + 1, length, "weak") && !is(at + 1, length, "common"))
        return 0;
      at += 1 + length;
      while (at < r->end && (class_of[(unsigned char)*at] & BLANK))
        at++;
    }
    if (!(is_line ? read_line(r, start, line) : section ? skip_section(r) : found && read_item(r, what, start, line)))
      return 0;
  }
}

/* --- what hangs together ------------------------------------------------------------------------------------------ */

static uint32_t root_of(uwjit_pieces *p, uint32_t n) {
  while (p->names[n].root != n)
    n = p->names[n].root = p->names[p->names[n].root].root;
  return n;
}

/* Goes from a name to all that it needs. Of variables it only takes note, if `wanted` is not set. */
static void reach(uwjit_pieces *p, uint32_t from, int wanted) {
  size_t depth = 0;
  p->stack[depth++] = from;
  p->names[from].seen = p->iteration;
  while (depth) {
    uint32_t n = p->stack[--depth];
    p->names[n].wanted |= (unsigned char)wanted;
    for (uint32_t i = p->names[n].first; i; i = p->items[i - 1].next) {
      const item *it = &p->items[i - 1];
      for (size_t k = 0; k < it->use_count; k++) {
        uint32_t use = p->uses[it->first_use + k];
        if (p->names[use].seen == p->iteration)
          continue;
        p->names[use].seen = p->iteration;
        if (!wanted && (p->names[use].kind == VARIABLE || p->names[use].kind == ENTRY))
          p->names[root_of(p, use)].root = root_of(p, from);
        else
          p->stack[depth++] = use;
      }
    }
  }
}

uwjit_pieces *uwjit_pieces_of(const char *text, size_t bytes) {
  uwjit_pieces *p = bytes < UINT32_MAX ? calloc(1, sizeof *p) : NULL;
  if (!p)
    return NULL;
  p->text = malloc(bytes + 1);
  int good = p->text != NULL;
  if (good) {
    memcpy(p->text, text, bytes);
    p->text[bytes] = 0;
    p->bytes = strlen(p->text);
    reader r = {p, p->text, p->text + p->bytes, 0};
    good = read_all(&r);
    for (size_t n = 0; n < p->name_count; n++)
      p->kernels += p->names[n].kind == ENTRY;
    good = good && !p->whole && p->kernels >= FEWEST_KERNELS &&
           (p->stack = malloc((p->name_count + 1) * sizeof *p->stack));
  }
  if (!good) {
    uwjit_pieces_free(p);
    return NULL;
  }
  for (uint32_t n = 0; n < p->name_count; n++)
    if (p->names[n].kind == ENTRY || p->names[n].kind == VARIABLE) {
      p->iteration++;
      reach(p, n, 0);
    }
  return p;
}

void uwjit_pieces_free(uwjit_pieces *p) {
  if (!p)
    return;
  free(p->text);
  free(p->items);
  free(p->names);
  free(p->uses);
  free(p->slots);
  free(p->stack);
  free(p);
}

size_t uwjit_pieces_kernels(const uwjit_pieces *p) { return p->kernels; }

/* --- text of a piece ---------------------------------------------------------------------------------------------- */

/* Of all that is wanted. */
static char *write_piece(uwjit_pieces *p, size_t *bytes) {
  size_t room = 1;
  for (size_t i = 0; i < p->item_count; i++)
    if (p->items[i].kind == ALWAYS || p->names[p->items[i].name].wanted)
      room += p->items[i].end - p->items[i].start + sizeof "\n#line 4294967296\n";
  char *text = malloc(room), *to = text;
  size_t line = 0;
  for (size_t i = 0; i < p->item_count && text; i++) {
    const item *it = &p->items[i];
    if (it->kind != ALWAYS && !p->names[it->name].wanted)
      continue;
    if (line == it->line && to > text)
      *to++ = ' ';
    else if (line + 1 == it->line)
      *to++ = '\n';
    else if (line < it->line)
      to += sprintf(to, "\n#line %zu\n", it->line + 1);
    line = it->line;
    for (size_t k = it->start; k < it->end; k++)
      line += (*to++ = p->text[k]) == '\n';
  }
  for (size_t n = 0; n < p->name_count; n++)
    p->names[n].wanted = 0;
  if (text) {
    *to = 0;
    *bytes = (size_t)(to - text);
  }
  return text;
}

static void want(uwjit_pieces *p, uint32_t root) {
  p->iteration++;
  for (uint32_t n = 0; n < p->name_count; n++)
    if (root_of(p, n) == root && (p->names[n].kind == ENTRY || p->names[n].kind == VARIABLE)) {
      p->names[n].taken = 1;
      reach(p, n, 1);
    }
}

char *uwjit_pieces_take(uwjit_pieces *p, const char *called, int (*is_called)(const char *own, const char *name),
                        size_t *bytes) {
  for (uint32_t n = 0; n < p->name_count; n++) {
    name *at = &p->names[n];
    if ((at->kind != ENTRY && at->kind != VARIABLE) || at->taken)
      continue;
    char saved = p->text[at->start + at->length];
    p->text[at->start + at->length] = 0;
    int found = is_called(p->text + at->start, called);
    p->text[at->start + at->length] = saved;
    if (!found)
      continue;
    want(p, root_of(p, n));
    return write_piece(p, bytes);
  }
  return NULL;
}

char *uwjit_pieces_rest(uwjit_pieces *p, size_t *bytes) {
  int some = 0;
  p->iteration++;
  for (uint32_t n = 0; n < p->name_count; n++)
    if ((p->names[n].kind == ENTRY || p->names[n].kind == VARIABLE) && !p->names[n].taken) {
      p->names[n].taken = 1;
      some = 1;
      reach(p, n, 1);
    }
  return some ? write_piece(p, bytes) : NULL;
}
