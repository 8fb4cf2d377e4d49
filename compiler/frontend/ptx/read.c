/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Reads the text of an inline PTX statement. (PTX ISA, "Syntax", "Instruction Statements".)
 *
 *     { .reg .pred p;                      REGISTERS "pred" p
 *       setp.lt.u32 p|q, %1, 5;            INSTRUCTION "setp.lt.u32" p|q, %1, 5
 *       @!p add.u32 %0, %1, [%2+4]; }      … guard p, negated
 *
 * LLVM writes an operand as $0 and a dollar as $$: $0 is read as the register %0, which no PTX text can contain.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

typedef struct reader {
  uw_arena *arena;
  const char *at, *end;
  const char *why;
} reader;

static int peek(const reader *r) { return r->at < r->end ? (unsigned char)*r->at : 0; }

static void skip_space(reader *r) {
  for (;;) {
    while (r->at < r->end && isspace(peek(r)))
      r->at++;
    bool block = r->end - r->at >= 2 && memcmp(r->at, "/*", 2) == 0;
    bool line = r->end - r->at >= 2 && memcmp(r->at, "//", 2) == 0;
    if (!block && !line)
      return;
    while (r->at < r->end && (line ? *r->at != '\n' : r->end - r->at < 2 || memcmp(r->at, "*/", 2) != 0))
      r->at++;
    r->at += r->at < r->end ? line ? 1 : 2 : 0;
  }
}

static bool take(reader *r, char c) {
  skip_space(r);
  if (peek(r) != c)
    return false;
  r->at++;
  return true;
}

static bool fail(reader *r, const char *expected) {
  skip_space(r);
  if (!r->why) {
    int rest = (int)(r->end - r->at) < 24 ? (int)(r->end - r->at) : 24;
    r->why = uw_arena_format(r->arena, "%s expected before '%.*s'", expected, rest, r->at);
  }
  return false;
}

static bool in_name(int c, bool dots) { return isalnum(c) || c == '_' || c == '%' || (dots && (c == '.' || c == ':')); }

/* LLVM's $0, $$ and ${:uid} are expanded beforehand. Null if no name starts here. */
static const char *read_name(reader *r, bool dots) {
  skip_space(r);
  const char *start = r->at;
  while (r->at < r->end && (in_name(peek(r), dots) || peek(r) == '$')) {
    if (dots && *r->at == ':' && !(r->end - r->at >= 2 && r->at[1] == ':')) /* a label's colon, unless it is :: */
      break;
    r->at += *r->at == ':' ? 2 : 1;
  }
  return r->at == start ? NULL : uw_arena_format(r->arena, "%.*s", (int)(r->at - start), start);
}

static bool read_number(reader *r, uw_ptx_operand *operand) {
  skip_space(r);
  bool negative = take(r, '-');
  skip_space(r);
  const char *start = r->at;
  char *end;
  if (r->end - start > 2 && start[0] == '0' && strchr("fFdD", start[1])) {
    operand->kind = UW_PTX_BITS;
    operand->width = strchr("fF", start[1]) ? 32 : 64;
    operand->integer = strtoull(start + 2, &end, 16);
    if (negative)
      operand->integer ^= 1ull << (operand->width - 1);
  } else {
    bool binary = r->end - start > 2 && start[0] == '0' && strchr("bB", start[1]);
    operand->kind = UW_PTX_INTEGER;
    operand->integer = strtoull(binary ? start + 2 : start, &end, binary ? 2 : 0);
    if (!binary && (*end == '.' || *end == 'e' || *end == 'E')) {
      operand->kind = UW_PTX_DECIMAL;
      operand->decimal = strtod(start, &end) * (negative ? -1 : 1);
    } else {
      operand->integer = negative ? 0 - operand->integer : operand->integer;
      end += *end == 'U';
    }
  }
  if (end == start || in_name((unsigned char)*end, false))
    return fail(r, "a number");
  r->at = end;
  return true;
}

static bool starts_number(reader *r) {
  skip_space(r);
  return isdigit(peek(r)) || peek(r) == '-';
}

/* %r, %tid.x; WARP_SZ is a number. */
static bool read_register(reader *r, const char **name) {
  *name = read_name(r, false);
  if (!*name)
    return fail(r, "an operand");
  if (peek(r) == '.') {
    r->at++;
    const char *part = read_name(r, false);
    if (!part)
      return fail(r, "a part of a register");
    *name = uw_arena_format(r->arena, "%s.%s", *name, part);
  }
  return true;
}

static bool read_address(reader *r, uw_ptx_operand *operand) {
  operand->kind = UW_PTX_ADDRESS;
  uw_ptx_operand number = {0};
  if (!starts_number(r) && !read_register(r, &operand->name))
    return false;
  bool more = !operand->name || take(r, '+');
  skip_space(r);
  if (more || peek(r) == '-') {
    if (starts_number(r)) {
      if (!read_number(r, &number))
        return false;
      operand->integer = number.integer;
    } else if (!read_register(r, &operand->index)) {
      return false;
    }
  }
  return take(r, ']') || fail(r, "']'");
}

static bool read_operand(reader *r, uw_ptx_operand *operand) {
  *operand = (uw_ptx_operand){0};
  if (take(r, '['))
    return read_address(r, operand);
  if (take(r, '{')) {
    operand->kind = UW_PTX_VECTOR;
    operand->parts = uw_alloc(r->arena, 8 * sizeof *operand->parts);
    do {
      if (operand->count == 8)
        return fail(r, "at most eight parts");
      if (!read_operand(r, &operand->parts[operand->count++]))
        return false;
    } while (take(r, ','));
    return take(r, '}') || fail(r, "'}'");
  }
  if (starts_number(r))
    return read_number(r, operand);
  operand->negated = take(r, '!');
  if (!read_register(r, &operand->name))
    return false;
  operand->kind = strcmp(operand->name, "_") ? UW_PTX_NAME : UW_PTX_SINK;
  return !take(r, '|') || read_register(r, &operand->second);
}

/* .reg .u32 a, b; .reg .pred %p<4>; */
static bool read_directive(reader *r, uw_ptx_statement *s) {
  const char *directive = read_name(r, false);
  if (!directive || strcmp(directive, "reg")) {
    r->why = uw_arena_format(r->arena, "the directive '.%s' is not supported", directive ? directive : "");
    return false;
  }
  s->kind = UW_PTX_REGISTERS;
  if (!take(r, '.') || !(s->opcode = read_name(r, false)))
    return fail(r, "a type");
  do {
    uw_ptx_operand *operand = &s->operands[s->count];
    if (s->count++ == UW_PTX_OPERANDS || !(operand->name = read_name(r, false)))
      return fail(r, "the name of a register");
    if (take(r, '<') && (!starts_number(r) || !read_number(r, operand) || operand->integer > 4096 || !take(r, '>')))
      return fail(r, "a small number and '>'");
  } while (take(r, ','));
  return true;
}

static bool read_instruction(reader *r, uw_ptx_statement *s) {
  s->kind = UW_PTX_INSTRUCTION;
  if (take(r, '@')) {
    s->guard_negated = take(r, '!');
    if (!(s->guard = read_name(r, false)))
      return fail(r, "a predicate");
  }
  s->opcode = read_name(r, true);
  if (!s->opcode)
    return fail(r, "an instruction");
  if (!s->guard && take(r, ':')) {
    s->kind = UW_PTX_LABEL;
    return true;
  }
  skip_space(r);
  if (peek(r) == ';' || peek(r) == '}' || !peek(r))
    return true;
  do {
    if (s->count == UW_PTX_OPERANDS)
      return fail(r, "';'");
    if (!read_operand(r, &s->operands[s->count++]))
      return false;
  } while (take(r, ','));
  return true;
}

static bool read_statement(reader *r, uw_ptx_statement *s) {
  if (take(r, '{') || take(r, '}')) {
    s->kind = r->at[-1] == '{' ? UW_PTX_OPEN : UW_PTX_CLOSE;
    return true;
  }
  bool ok = take(r, '.') ? read_directive(r, s) : read_instruction(r, s);
  skip_space(r);
  /* the last statement may lack its semicolon */
  return ok && (s->kind == UW_PTX_LABEL || take(r, ';') || peek(r) == '}' || !peek(r) || fail(r, "';'"));
}

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

uw_ptx_statement *uw_ptx_read(uw_arena *arena, const char *text, size_t length, const char **why) {
  char *plain = expand_dollars(arena, text, length, why);
  if (!plain)
    return NULL;
  reader r = {arena, plain, plain + strlen(plain), NULL};
  uw_ptx_statement *first = NULL, **last = &first;
  for (skip_space(&r); r.at < r.end; skip_space(&r)) {
    if (take(&r, ';'))
      continue;
    uw_ptx_statement *s = uw_alloc(arena, sizeof *s);
    if (!read_statement(&r, s)) {
      *why = r.why;
      return NULL;
    }
    *last = s;
    last = &s->next;
  }
  if (!first) {
    first = uw_alloc(arena, sizeof *first);
    first->kind = UW_PTX_OPEN;
    first->next = uw_alloc(arena, sizeof *first);
    first->next->kind = UW_PTX_CLOSE;
  }
  return first;
}
