/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the statements of a function, or of an inline asm. (PTX ISA, "Syntax", "Instruction Statements".)
 *
 *     { .reg .pred p;                      REGISTERS "pred" p
 *       setp.lt.u32 p|q, %1, 5;            INSTRUCTION "setp.lt.u32" p|q, %1, 5
 *       @!p add.u32 %0, %1, [%2+4];        … guard p, negated
 *       call (r), f, (a, b);               … with two lists
 *       .local .b8 room[16];               VARIABLES
 *     T: .branchtargets A, B; }            TARGETS "T" A, B
 *
 * LLVM writes an operand of an asm as $0 and a dollar as $$: $0 is read as the register %0, which no PTX text can
 * contain.
 */
#include <ctype.h>
#include <string.h>

#include "reader.h"

/* --- operands ----------------------------------------------------------------------------------------------------- */

/* %r, %tid.x; WARP_SZ is a number. */
static bool read_register(uw_ptx_reader *r, const char **name) {
  *name = uw_ptx_name(r, false);
  if (!*name)
    return uw_ptx_expected(r, "an operand");
  if (r->at < r->end && *r->at == '.') {
    r->at++;
    const char *part = uw_ptx_name(r, false);
    if (!part)
      return uw_ptx_expected(r, "a part of a register");
    const char *whole = uw_arena_format(r->arena, "%s.%s", *name, part);
    *name = uw_ptx_intern(r->names, whole, strlen(whole));
  }
  return true;
}

/* Behind a name: + 4, - 4, + -4. */
static bool read_offset(uw_ptx_reader *r, uw_ptx_operand *operand) {
  int c = uw_ptx_peek(r);
  if (c != '+' && c != '-')
    return true;
  uw_ptx_operand number = {0};
  if (c == '+') {
    r->at++;
    if (!uw_ptx_starts_number(r))
      return read_register(r, &operand->index);
  }
  if (!uw_ptx_number(r, &number))
    return false;
  operand->integer = number.integer;
  return true;
}

static bool read_list(uw_ptx_reader *r, uw_ptx_operand *operand, char end) {
  size_t capacity = 0;
  if (uw_ptx_take(r, end))
    return true;
  do {
    operand->parts = uw_grow(r->arena, operand->parts, operand->count, &capacity, sizeof *operand->parts);
    if (!uw_ptx_operand_at(r, &operand->parts[operand->count++]))
      return false;
  } while (uw_ptx_take(r, ','));
  return uw_ptx_expect(r, end);
}

/* [a], [a + 4], [4]; of textures [t, {x, y}]. */
static bool read_address(uw_ptx_reader *r, uw_ptx_operand *operand) {
  operand->kind = UW_PTX_ADDRESS;
  if (uw_ptx_starts_number(r)) {
    if (!uw_ptx_count(r, &operand->integer))
      return false;
  } else if (!read_register(r, &operand->name) || !read_offset(r, operand)) {
    return false;
  }
  return uw_ptx_take(r, ',') ? read_list(r, operand, ']') : uw_ptx_expect(r, ']');
}

/* The minus before a register, not that of a number. */
static bool takes_minus(uw_ptx_reader *r) {
  if (uw_ptx_peek(r) != '-' || r->end - r->at < 2 ||
      !(r->at[1] == '%' || r->at[1] == '_' || isalpha((unsigned char)r->at[1])))
    return false;
  return uw_ptx_take(r, '-');
}

bool uw_ptx_operand_at(uw_ptx_reader *r, uw_ptx_operand *operand) {
  *operand = (uw_ptx_operand){0};
  if (uw_ptx_take(r, '['))
    return read_address(r, operand);
  if (uw_ptx_take(r, '{')) {
    operand->kind = UW_PTX_VECTOR;
    return read_list(r, operand, '}') && (!uw_ptx_take(r, '|') || read_register(r, &operand->second));
  }
  operand->minus = takes_minus(r);
  if (!operand->minus && uw_ptx_starts_number(r))
    return uw_ptx_number(r, operand);
  operand->negated = uw_ptx_take(r, '!');
  if (!read_register(r, &operand->name))
    return false;
  operand->kind = strcmp(operand->name, "_") ? UW_PTX_NAME : UW_PTX_SINK;
  if (uw_ptx_take(r, '|'))
    return read_register(r, &operand->second);
  if (uw_ptx_peek(r) != '[')
    return read_offset(r, operand);
  r->at++; /* a[4] is what lies 4 bytes after a */
  return uw_ptx_count(r, &operand->integer) && uw_ptx_expect(r, ']');
}

/* --- directives --------------------------------------------------------------------------------------------------- */

/* .u32 a, b; .pred %p<4>; */
static bool read_registers(uw_ptx_reader *r, uw_ptx_statement *s) {
  size_t capacity = 0;
  s->kind = UW_PTX_REGISTERS;
  s->lanes = 1;
  do {
    if (!uw_ptx_take(r, '.') || !(s->opcode = uw_ptx_name(r, false)))
      return uw_ptx_expected(r, "a type");
    if (s->opcode[0] == 'v' && (s->opcode[1] == '2' || s->opcode[1] == '4') && !s->opcode[2])
      s->lanes = (unsigned)(s->opcode[1] - '0');
  } while (uw_ptx_peek(r) == '.');
  do {
    s->operands = uw_grow(r->arena, s->operands, s->count, &capacity, sizeof *s->operands);
    uw_ptx_operand *operand = &s->operands[s->count++];
    *operand = (uw_ptx_operand){.kind = UW_PTX_NAME, .name = uw_ptx_name(r, false)};
    if (!operand->name)
      return uw_ptx_expected(r, "the name of a register");
    if (uw_ptx_take(r, '<')) {
      operand->kind = UW_PTX_INTEGER;
      if (!uw_ptx_plain_count(r, &operand->integer) || !uw_ptx_expect(r, '>'))
        return false;
    }
  } while (uw_ptx_take(r, ','));
  return true;
}

/* .branchtargets A, B; .calltargets f, g; .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn; */
static bool read_labelled(uw_ptx_reader *r, const char *directive, uw_ptx_statement *s) {
  if (strcmp(directive, "callprototype")) {
    uw_ptx_operand list = {0};
    size_t capacity = 0;
    do {
      list.parts = uw_grow(r->arena, list.parts, list.count, &capacity, sizeof *list.parts);
      if (!uw_ptx_operand_at(r, &list.parts[list.count++]))
        return false;
    } while (uw_ptx_take(r, ','));
    s->kind = UW_PTX_TARGETS;
    s->operands = list.parts, s->count = list.count;
    return true;
  }
  s->kind = UW_PTX_PROTOTYPE;
  s->prototype = uw_alloc(r->arena, sizeof *s->prototype);
  if (uw_ptx_peek(r) == '(' && !uw_ptx_parameters(r, &s->prototype->results))
    return false;
  if (!uw_ptx_take_word(r, "_"))
    return uw_ptx_expected(r, "'_'");
  if (uw_ptx_peek(r) == '(' && !uw_ptx_parameters(r, &s->prototype->parameters))
    return false;
  while (uw_ptx_take(r, '.')) { /* .noreturn, .abi_preserve 8 */
    uint64_t number;
    uw_ptx_name(r, false);
    if (uw_ptx_starts_number(r) && !uw_ptx_count(r, &number))
      return false;
  }
  return true;
}

typedef enum outcome { MISTAKE, READ, NOTHING } outcome;

static outcome read_directive(uw_ptx_reader *r, uw_ptx_statement *s) {
  static const char *const spaces[] = {"param", "local", "shared", "global", "const", "align", "extern", "tex", NULL};
  const char *directive = uw_ptx_name(r, false);
  if (!directive)
    return uw_ptx_expected(r, "a directive");
  if (strcmp(directive, "loc") == 0) {
    uw_ptx_source_line(r);
    return NOTHING;
  }
  if (strcmp(directive, "file") == 0) {
    uw_ptx_skip_line(r);
    return NOTHING;
  }
  if (strcmp(directive, "section") == 0) {
    while (uw_ptx_peek(r) && uw_ptx_peek(r) != '{')
      r->at++;
    return uw_ptx_take(r, '{') && uw_ptx_skip_braces(r) ? NOTHING : MISTAKE;
  }
  if (strcmp(directive, "pragma") == 0) {
    do
      uw_ptx_string(r);
    while (uw_ptx_take(r, ','));
    return uw_ptx_expect(r, ';') ? NOTHING : MISTAKE;
  }
  bool ok = false;
  if (strcmp(directive, "reg") == 0)
    ok = read_registers(r, s);
  else if (strcmp(directive, "branchtargets") == 0 || strcmp(directive, "calltargets") == 0 ||
           strcmp(directive, "callprototype") == 0)
    ok = read_labelled(r, directive, s);
  else {
    size_t i = 0;
    while (spaces[i] && strcmp(spaces[i], directive))
      i++;
    if (!spaces[i])
      return uw_ptx_unknown(r, "directive", directive);
    s->kind = UW_PTX_VARIABLES;
    ok = uw_ptx_variables(r, directive, false, &s->variables);
  }
  return ok && uw_ptx_expect(r, ';') ? READ : MISTAKE;
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static bool read_operands(uw_ptx_reader *r, uw_ptx_statement *s) {
  enum { MOST = 64 };
  uw_ptx_operand operands[MOST];
  do {
    if (s->count == MOST)
      return uw_ptx_expected(r, "';'");
    uw_ptx_operand *operand = &operands[s->count++];
    bool list = uw_ptx_peek(r) == '(' && strncmp(s->opcode, "call", 4) == 0;
    *operand = (uw_ptx_operand){.kind = UW_PTX_LIST};
    if (list ? !uw_ptx_take(r, '(') || !read_list(r, operand, ')') : !uw_ptx_operand_at(r, operand))
      return false;
  } while (uw_ptx_take(r, ','));
  s->operands = uw_alloc(r->arena, s->count * sizeof *operands);
  memcpy(s->operands, operands, s->count * sizeof *operands);
  return true;
}

/* Also a label, and what it stands before where that belongs to it. */
static outcome read_instruction(uw_ptx_reader *r, uw_ptx_statement *s) {
  s->kind = UW_PTX_INSTRUCTION;
  if (uw_ptx_take(r, '@')) {
    s->guard_negated = uw_ptx_take(r, '!');
    if (!read_register(r, &s->guard))
      return MISTAKE;
  }
  s->opcode = uw_ptx_name(r, true);
  if (!s->opcode)
    return uw_ptx_expected(r, "an instruction");
  if (!s->guard && uw_ptx_take(r, ':')) {
    s->kind = UW_PTX_LABEL;
    if (uw_ptx_peek(r) != '.')
      return READ;
    const char *before = r->at;
    r->at++;
    const char *directive = uw_ptx_name(r, false);
    if (directive && (strcmp(directive, "branchtargets") == 0 || strcmp(directive, "calltargets") == 0 ||
                      strcmp(directive, "callprototype") == 0))
      return read_labelled(r, directive, s) && uw_ptx_expect(r, ';') ? READ : MISTAKE;
    r->at = before;
    return READ;
  }
  int c = uw_ptx_peek(r);
  if (c && c != ';' && c != '}' && !read_operands(r, s))
    return MISTAKE;
  /* the last statement of an asm may lack its semicolon */
  c = uw_ptx_peek(r);
  return !c || c == '}' || uw_ptx_expect(r, ';') ? READ : MISTAKE;
}

static outcome read_statement(uw_ptx_reader *r, uw_ptx_statement *s) {
  if (uw_ptx_take(r, ';'))
    return NOTHING;
  if (uw_ptx_take(r, '{') || uw_ptx_take(r, '}')) {
    s->kind = r->at[-1] == '{' ? UW_PTX_OPEN : UW_PTX_CLOSE;
    return READ;
  }
  return uw_ptx_peek(r) == '.' ? uw_ptx_take(r, '.') ? read_directive(r, s) : MISTAKE : read_instruction(r, s);
}

/* Up to the '}' of a function, which is taken, or to the end of the text. */
static bool read_all(uw_ptx_reader *r, bool in_braces, uw_ptx_statement **first) {
  unsigned depth = 0;
  for (uw_ptx_statement **last = first; uw_ptx_peek(r);) {
    if (in_braces && !depth && uw_ptx_take(r, '}'))
      return true;
    uw_ptx_statement *s = uw_alloc(r->arena, sizeof *s);
    s->line = r->line;
    s->source = r->source;
    outcome is = read_statement(r, s);
    if (is == MISTAKE)
      return false;
    if (is == NOTHING)
      continue;
    depth += s->kind == UW_PTX_OPEN ? 1 : s->kind == UW_PTX_CLOSE ? -1u : 0;
    *last = s;
    last = &s->next;
  }
  return !in_braces || uw_ptx_expected(r, "'}'");
}

bool uw_ptx_body(uw_ptx_reader *r, uw_ptx_statement **first) {
  r->source = NULL;
  return read_all(r, true, first);
}

/* --- inline asm --------------------------------------------------------------------------------------------------- */

/* $0 and ${0} become %0, $$ becomes $, ${:uid} (a number of its own for each asm) goes. */
static char *expand_dollars(uw_arena *arena, const char *text, size_t length, const char **why) {
  char *plain = uw_alloc(arena, length + 1), *to = plain;
  for (size_t i = 0; i < length; i++) {
    if (text[i] != '$') {
      *to++ = text[i];
    } else if (i + 1 < length && isdigit((unsigned char)text[i + 1])) {
      *to++ = '%';
    } else if (i + 1 < length && text[i + 1] == '$') {
      *to++ = text[++i];
    } else if (length - i >= 7 && memcmp(text + i, "${:uid}", 7) == 0) {
      i += 6;
    } else {
      *why = "a modifier of an operand is not supported";
      return NULL;
    }
  }
  return plain;
}

uw_ptx_statement *uw_ptx_read(uw_ptx_names *names, const char *text, size_t length, const char **why) {
  uw_arena *arena = uw_ptx_arena_of(names);
  char *plain = expand_dollars(arena, text, length, why);
  if (!plain)
    return NULL;
  uw_ptx_reader r = {arena, names, plain, plain + strlen(plain), 1, NULL, NULL, false};
  uw_ptx_statement *first = NULL;
  if (!read_all(&r, false, &first)) {
    *why = r.why;
    return NULL;
  }
  if (!first) {
    first = uw_alloc(arena, sizeof *first);
    first->kind = UW_PTX_OPEN;
    first->next = uw_alloc(arena, sizeof *first);
    first->next->kind = UW_PTX_CLOSE;
  }
  return first;
}
