/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads what a module of PTX has outside of functions. (PTX ISA, "Directives", "State Spaces, Types, and Variables".)
 *
 *     .version 8.3  .target sm_80  .address_size 64
 *     .visible .global .align 4 .u32 table[2][2] = {{1, 2}, {3}};
 *     .visible .entry f(.param .u64 .ptr .global .align 4 p) .maxntid 256 { statements }
 *
 * Debug sections are skipped; their locations in the source say nothing that the text of the PTX would not.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../runtime/ptx_version.h"
#include "reader.h"

/* --- variables ---------------------------------------------------------------------------------------------------- */

/* 5, 0f3F800000, {1, {2, 3}}, name, generic(name) + 4, and a byte of an address: 0xFF00(name). */
static bool read_initial(uw_ptx_reader *r, uw_ptx_operand *value) {
  *value = (uw_ptx_operand){0};
  if (uw_ptx_take(r, '{')) {
    size_t capacity = 0;
    value->kind = UW_PTX_VECTOR;
    if (uw_ptx_take(r, '}'))
      return true;
    do {
      value->parts = uw_grow(r->arena, value->parts, value->count, &capacity, sizeof *value->parts);
      if (!read_initial(r, &value->parts[value->count++]))
        return false;
    } while (uw_ptx_take(r, ',') && uw_ptx_peek(r) != '}');
    return uw_ptx_expect(r, '}');
  }
  if (uw_ptx_starts_number(r)) {
    if (!uw_ptx_number(r, value) || value->kind != UW_PTX_INTEGER || !uw_ptx_take(r, '('))
      return !r->why;
    uint64_t mask = value->integer;
    unsigned byte = 0;
    while (byte < 8 && mask != 0xffull << 8 * byte)
      byte++;
    if (byte == 8)
      return uw_ptx_expected(r, "a mask of one byte");
    if (!read_initial(r, value) || value->kind != UW_PTX_NAME || value->width)
      return uw_ptx_expected(r, "the name of a variable");
    value->width = byte + 1;
    return uw_ptx_expect(r, ')');
  }
  value->kind = UW_PTX_NAME;
  bool generic = uw_ptx_take_word(r, "generic");
  if (generic && !uw_ptx_expect(r, '('))
    return false;
  if (!(value->name = uw_ptx_name(r, false)))
    return uw_ptx_expected(r, "a value");
  for (int closed = !generic;;) {
    int c = uw_ptx_peek(r);
    uint64_t offset;
    if (c == '+' || c == '-') {
      r->at += c == '+';
      if (!uw_ptx_count(r, &offset))
        return false;
      value->integer += offset;
    } else if (!closed) {
      if (!uw_ptx_expect(r, ')'))
        return false;
      closed = 1;
    } else {
      return true;
    }
  }
}

static bool read_dimensions(uw_ptx_reader *r, uw_ptx_variable *v) {
  v->count = 1;
  while (uw_ptx_take(r, '[')) {
    uint64_t extent = 0;
    if (v->dimensions == UW_PTX_DIMENSIONS)
      return uw_ptx_expected(r, "fewer dimensions");
    if (uw_ptx_peek(r) != ']' && !uw_ptx_count(r, &extent))
      return false;
    v->extents[v->dimensions++] = extent;
    if (extent && v->count > (1ull << 40) / extent)
      return uw_ptx_expected(r, "a smaller array");
    v->count *= extent;
    if (!uw_ptx_expect(r, ']'))
      return false;
  }
  return true;
}

/* An array whose first extent is left to what it is initialised with. */
static void count_initial(uw_ptx_variable *v) {
  if (!v->dimensions || v->extents[0] || !v->initial)
    return;
  v->extents[0] = v->initial->kind == UW_PTX_VECTOR ? v->initial->count : 1;
  v->count = v->extents[0];
  for (unsigned i = 1; i < v->dimensions; i++)
    v->count *= v->extents[i];
}

/* One of the words with a dot before a name. */
static bool read_attribute(uw_ptx_reader *r, const char *word, uw_ptx_variable *v) {
  static const char *const spaces[] = {"param", "reg", "local", "shared", "global", "const", "tex", NULL};
  uint64_t number;
  for (size_t i = 0; spaces[i]; i++)
    if (strcmp(word, spaces[i]) == 0) {
      if (v->is_pointer) /* .ptr .global: to what it points */
        return true;
      v->space = word;
      return true;
    }
  if (strcmp(word, "align") == 0) {
    if (!uw_ptx_count(r, &number))
      return false;
    if (v->is_pointer)
      v->points_to_align = (unsigned)number;
    else
      v->align = (unsigned)number;
    return !number || (number & (number - 1)) || number > 4096 ? uw_ptx_expected(r, "a power of two") : true;
  }
  if (strcmp(word, "ptr") == 0)
    return v->is_pointer = true;
  if (strcmp(word, "v2") == 0 || strcmp(word, "v4") == 0) {
    v->lanes = (unsigned)(word[1] - '0');
    return true;
  }
  if (strcmp(word, "attribute") == 0) {
    if (!uw_ptx_expect(r, '('))
      return false;
    for (int c; (c = uw_ptx_peek(r)) && c != ')';) /* .managed, .unified(1, 2) */
      if (c == '.') {
        r->at++;
        v->is_managed |= uw_ptx_take_word(r, "managed");
      } else if (c == '(') {
        while (uw_ptx_peek(r) && uw_ptx_peek(r) != ')')
          r->at++;
        r->at++;
      } else {
        r->at++;
      }
    return uw_ptx_expect(r, ')');
  }
  static const uw_ptx_linkage linkages[] = {UW_PTX_EXTERN, UW_PTX_VISIBLE, UW_PTX_WEAK, UW_PTX_COMMON};
  static const char *const names[] = {"extern", "visible", "weak", "common"};
  for (size_t i = 0; i < 4; i++)
    if (strcmp(word, names[i]) == 0) {
      v->linkage = linkages[i];
      return true;
    }
  v->type = uw_ptx_type_named(word);
  return v->type || uw_ptx_unknown(r, "type", word);
}

bool uw_ptx_variables(uw_ptx_reader *r, const char *first, bool parameter, uw_ptx_variable **last) {
  uw_ptx_variable like = {.lanes = 1, .line = r->line};
  for (const char *word = first; word; word = uw_ptx_take(r, '.') ? uw_ptx_name(r, false) : NULL)
    if (!read_attribute(r, word, &like))
      return false;
  if (!like.type || !like.space)
    return uw_ptx_expected(r, like.type ? "a state space" : "a type");
  do {
    uw_ptx_variable *v = uw_alloc(r->arena, sizeof *v);
    *v = like;
    v->line = r->line;
    if (!(v->name = uw_ptx_name(r, false)))
      return uw_ptx_expected(r, "the name of a variable");
    uint64_t numbered = 0;
    if (uw_ptx_take(r, '<') && (!uw_ptx_plain_count(r, &numbered) || !uw_ptx_expect(r, '>')))
      return false;
    if (!read_dimensions(r, v))
      return false;
    if (uw_ptx_take(r, '=')) {
      v->initial = uw_alloc(r->arena, sizeof *v->initial);
      if (!read_initial(r, v->initial))
        return false;
      count_initial(v);
    }
    for (uint64_t i = 0; i < (numbered ? numbered : 1); i++) {
      uw_ptx_variable *one = uw_alloc(r->arena, sizeof *one);
      *one = *v;
      if (numbered) {
        const char *name = uw_arena_format(r->arena, "%s%llu", v->name, (unsigned long long)i);
        one->name = uw_ptx_intern(r->names, name, strlen(name));
      }
      *last = one;
      last = &one->next;
    }
  } while (!parameter && uw_ptx_take(r, ','));
  return true;
}

bool uw_ptx_parameters(uw_ptx_reader *r, uw_ptx_variable **list) {
  if (!uw_ptx_expect(r, '('))
    return false;
  if (uw_ptx_take(r, ')'))
    return true;
  do {
    const char *word = uw_ptx_take(r, '.') ? uw_ptx_name(r, false) : NULL;
    if (!word)
      return uw_ptx_expected(r, "a parameter");
    if (!uw_ptx_variables(r, word, true, list))
      return false;
    while (*list)
      list = &(*list)->next;
  } while (uw_ptx_take(r, ','));
  return uw_ptx_expect(r, ')');
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static bool read_shape(uw_ptx_reader *r, unsigned shape[3]) {
  for (int i = 0; i < 3; i++) {
    uint64_t number = 1;
    if ((i == 0 || uw_ptx_take(r, ',')) && !uw_ptx_count(r, &number))
      return false;
    shape[i] = (unsigned)number;
  }
  return true;
}

/* What stands between the parameters and the body. */
static bool read_promises(uw_ptx_reader *r, uw_ptx_function *f) {
  while (uw_ptx_take(r, '.')) {
    const char *word = uw_ptx_name(r, false);
    unsigned numbers[3];
    if (!word)
      return uw_ptx_expected(r, "a directive");
    if (strcmp(word, "pragma") == 0) {
      do
        uw_ptx_string(r);
      while (uw_ptx_take(r, ','));
      if (!uw_ptx_expect(r, ';'))
        return false;
      continue;
    }
    if (strcmp(word, "maxntid") == 0 || strcmp(word, "reqntid") == 0) {
      f->shape_required = word[0] == 'r';
      if (!read_shape(r, f->shape))
        return false;
      continue;
    }
    if (strcmp(word, "reqnctapercluster") == 0) {
      if (!read_shape(r, f->cluster))
        return false;
      continue;
    }
    if (strcmp(word, "blocksareclusters") == 0)
      f->grid_of_clusters = true;
    if (strcmp(word, "noreturn") == 0)
      f->no_return = true;
    else if (uw_ptx_starts_number(r) && !read_shape(r, numbers)) /* .minnctapersm 2, .maxnreg 32 and the like */
      return false;
  }
  return true;
}

static bool read_function(uw_ptx_reader *r, uw_ptx_module *m, uw_ptx_linkage linkage, bool is_entry) {
  uw_ptx_function *f = uw_alloc(r->arena, sizeof *f);
  *f = (uw_ptx_function){.linkage = linkage, .is_entry = is_entry, .line = r->line};
  if (uw_ptx_take(r, '.')) { /* .attribute(…) */
    if (!uw_ptx_take_word(r, "attribute") || !uw_ptx_expect(r, '('))
      return uw_ptx_expected(r, "attribute");
    for (int depth = 1; depth && uw_ptx_peek(r); r->at++)
      depth += *r->at == '(' ? 1 : *r->at == ')' ? -1 : 0;
  }
  if (uw_ptx_peek(r) == '(' && !uw_ptx_parameters(r, &f->results))
    return false;
  if (!(f->name = uw_ptx_name(r, false)))
    return uw_ptx_expected(r, "the name of a function");
  if (uw_ptx_peek(r) == '(' && !uw_ptx_parameters(r, &f->parameters))
    return false;
  if (!read_promises(r, f))
    return false;
  if (uw_ptx_take(r, '{')) {
    f->is_defined = true;
    if (!uw_ptx_body(r, &f->body))
      return false;
  } else {
    uw_ptx_take(r, ';');
  }
  *m->last_function = f;
  m->last_function = &f->next;
  return true;
}

/* --- the module --------------------------------------------------------------------------------------------------- */

static bool read_target(uw_ptx_reader *r, uw_ptx_module *m) {
  do {
    const char *word = uw_ptx_name(r, false);
    if (!word)
      return uw_ptx_expected(r, "a target");
    if (strncmp(word, "sm_", 3) == 0)
      m->target = word;
  } while (uw_ptx_take(r, ','));
  return true;
}

static bool read_version(uw_ptx_reader *r, uw_ptx_module *m) {
  uw_ptx_operand number = {0};
  if (!uw_ptx_number(r, &number) || number.kind != UW_PTX_DECIMAL)
    return uw_ptx_expected(r, "a version");
  m->version = (unsigned)(number.decimal * 10 + 0.5);
  if (m->version <= UWRT_NEWEST_PTX)
    return true;
  char *written = uw_arena_format(r->arena, "%.1f", number.decimal);
  if (strtod(written, NULL) != number.decimal) /* 99.99 */
    written = uw_arena_format(r->arena, "%g", number.decimal);
  if (!r->why)
    r->why = uw_arena_format(r->arena, UWRT_TOO_NEW_PTX, (int)strlen(written), written, UWRT_NEWEST_PTX / 10,
                             UWRT_NEWEST_PTX % 10);
  return false;
}

static bool read_address_size(uw_ptx_reader *r) {
  uint64_t bits;
  if (!uw_ptx_plain_count(r, &bits))
    return false;
  if (bits == 64)
    return true;
  r->why = "only modules with '.address_size 64' are supported";
  return false;
}

static bool read_alias(uw_ptx_reader *r, uw_ptx_module *m) {
  uw_ptx_alias *alias = uw_alloc(r->arena, sizeof *alias);
  *alias = (uw_ptx_alias){m->aliases, uw_ptx_name(r, false), NULL, r->line};
  if (!alias->name || !uw_ptx_expect(r, ','))
    return uw_ptx_expected(r, "the name of a function");
  alias->of = uw_ptx_name(r, false);
  m->aliases = alias;
  return alias->of ? uw_ptx_expect(r, ';') : uw_ptx_expected(r, "the name of a function");
}

static bool read_directive(uw_ptx_reader *r, uw_ptx_module *m) {
  static const char *const names[] = {"extern", "visible", "weak", "common"};
  static const uw_ptx_linkage linkages[] = {UW_PTX_EXTERN, UW_PTX_VISIBLE, UW_PTX_WEAK, UW_PTX_COMMON};
  uw_ptx_linkage linkage = UW_PTX_INTERNAL;
  const char *word = uw_ptx_name(r, false);
  for (size_t i = 0; word && i < 4; i++)
    if (strcmp(word, names[i]) == 0) {
      linkage = linkages[i];
      word = uw_ptx_take(r, '.') ? uw_ptx_name(r, false) : NULL;
      i = (size_t)-1;
    }
  if (!word)
    return uw_ptx_expected(r, "a directive");
  if (strcmp(word, "version") == 0)
    return read_version(r, m);
  if (strcmp(word, "target") == 0)
    return read_target(r, m);
  if (strcmp(word, "address_size") == 0)
    return read_address_size(r);
  if (strcmp(word, "alias") == 0)
    return read_alias(r, m);
  if (strcmp(word, "entry") == 0 || strcmp(word, "func") == 0)
    return read_function(r, m, linkage, word[0] == 'e');
  if (strcmp(word, "file") == 0) {
    uw_ptx_source_file(r, m);
    return true;
  }
  if (strcmp(word, "loc") == 0) {
    uw_ptx_skip_line(r);
    return true;
  }
  if (strcmp(word, "pragma") == 0) {
    do
      uw_ptx_string(r);
    while (uw_ptx_take(r, ','));
    return uw_ptx_expect(r, ';');
  }
  if (strcmp(word, "section") == 0)
    return uw_ptx_section(r, m);
  uw_ptx_variable **first = m->last_variable;
  if (!uw_ptx_variables(r, word, false, first))
    return false;
  for (; *m->last_variable; m->last_variable = &(*m->last_variable)->next)
    if (linkage != UW_PTX_INTERNAL)
      (*m->last_variable)->linkage = linkage;
  return uw_ptx_expect(r, ';');
}

uw_ptx_module *uw_ptx_read_module(uw_ptx_names *names, const char *text, size_t length, const char **why,
                                  unsigned *line) {
  uw_arena *arena = uw_ptx_arena_of(names);
  uw_ptx_reader r = {arena, names, text, text + length, 1, NULL, NULL, false};
  uw_ptx_module *m = uw_alloc(arena, sizeof *m);
  m->last_variable = &m->variables;
  m->last_function = &m->functions;
  bool ok = true;
  while (ok && uw_ptx_peek(&r)) {
    if (uw_ptx_take(&r, ';') || (*r.at == '@' && uw_ptx_take_word(&r, "@@DWARF"))) {
      if (r.at[-1] != ';')
        uw_ptx_skip_line(&r);
      continue;
    }
    ok = uw_ptx_expect(&r, '.') && read_directive(&r, m);
  }
  *why = r.why, *line = r.line;
  return ok ? m : NULL;
}
