/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The words of PTX. (PTX ISA, "Syntax": "Source Format", "Identifiers", "Constants".) Names are one pointer each, so
 * that all that follows compares pointers. A constant expression is computed as it is read, on 64 bits; .s64 and .u64
 * say how.
 */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

/* --- names -------------------------------------------------------------------------------------------------------- */

struct uw_ptx_names {
  uw_arena *arena;
  const char **at;
  size_t count, capacity; /* a power of two */
};

uw_ptx_names *uw_ptx_names_create(uw_arena *arena) {
  uw_ptx_names *names = uw_alloc(arena, sizeof *names);
  *names = (uw_ptx_names){arena, NULL, 0, 256};
  names->at = uw_alloc(arena, names->capacity * sizeof *names->at);
  return names;
}

uw_arena *uw_ptx_arena_of(const uw_ptx_names *names) { return names->arena; }

static size_t hash(const char *text, size_t length) {
  size_t h = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++)
    h = (h ^ (unsigned char)text[i]) * 0x100000001b3u;
  return h ^ h >> 29;
}

static size_t place_of(const uw_ptx_names *names, const char *text, size_t length) {
  size_t at = hash(text, length) & (names->capacity - 1);
  while (names->at[at] && (strncmp(names->at[at], text, length) != 0 || names->at[at][length]))
    at = (at + 1) & (names->capacity - 1);
  return at;
}

static void widen(uw_ptx_names *names) {
  uw_ptx_names old = *names;
  names->capacity *= 2;
  names->at = uw_alloc(names->arena, names->capacity * sizeof *names->at);
  for (size_t i = 0; i < old.capacity; i++)
    if (old.at[i])
      names->at[place_of(names, old.at[i], strlen(old.at[i]))] = old.at[i];
}

const char *uw_ptx_intern(uw_ptx_names *names, const char *text, size_t length) {
  size_t at = place_of(names, text, length);
  if (names->at[at])
    return names->at[at];
  char *fresh = uw_alloc(names->arena, length + 1);
  memcpy(fresh, text, length);
  names->at[at] = fresh;
  if (++names->count * 2 > names->capacity)
    widen(names);
  return fresh;
}

/* --- characters --------------------------------------------------------------------------------------------------- */

static bool follows(const uw_ptx_reader *r, const char *text) {
  size_t length = strlen(text);
  return (size_t)(r->end - r->at) >= length && memcmp(r->at, text, length) == 0;
}

/* In front of the end of a line: the next one may be "#line N", where text that was left out would stand (PTX ISA,
 * "Source Format"). */
static void take_line_number(uw_ptx_reader *r) {
  static const char directive[] = "\n#line ";
  if (!follows(r, directive))
    return;
  const char *digits = r->at + strlen(directive);
  unsigned long number = 0;
  while (digits < r->end && isdigit((unsigned char)*digits) && number < UINT_MAX / 10 - 1)
    number = number * 10 + (unsigned long)(*digits++ - '0');
  if (digits == r->end || *digits != '\n' || !number)
    return;
  r->at = digits; /* whose end ends the line, too */
  r->line = (unsigned)number - 1;
}

static void skip_space(uw_ptx_reader *r) {
  for (; r->at < r->end; r->at++) {
    if (follows(r, "//")) {
      if (follows(r, "// begin inline asm") || follows(r, "// end inline asm"))
        r->in_asm = r->at[3] == 'b';
      while (r->at < r->end && *r->at != '\n')
        r->at++;
    } else if (follows(r, "/*")) {
      for (r->at += 2; r->at < r->end && !follows(r, "*/"); r->at++)
        r->line += *r->at == '\n';
      r->at += r->at < r->end;
      continue;
    }
    if (r->at == r->end || !isspace((unsigned char)*r->at))
      return;
    take_line_number(r);
    r->line += *r->at == '\n';
  }
}

int uw_ptx_peek(uw_ptx_reader *r) {
  skip_space(r);
  return r->at < r->end ? (unsigned char)*r->at : 0;
}

bool uw_ptx_take(uw_ptx_reader *r, char c) {
  if (uw_ptx_peek(r) != c || !c)
    return false;
  r->at++;
  return true;
}

bool uw_ptx_expected(uw_ptx_reader *r, const char *what) {
  skip_space(r);
  if (!r->why) {
    size_t rest = strcspn(r->at, "\n");
    rest = rest < (size_t)(r->end - r->at) ? rest : (size_t)(r->end - r->at);
    r->why = rest ? uw_arena_format(r->arena, "%s expected before '%.*s'", what, rest < 24 ? (int)rest : 24, r->at)
                  : uw_arena_format(r->arena, "%s expected at the end", what);
  }
  return false;
}

bool uw_ptx_unknown(uw_ptx_reader *r, const char *what, const char *which) {
  if (!r->why)
    r->why = uw_arena_format(r->arena, "the %s '.%s' is not supported", what, which ? which : "");
  return false;
}

bool uw_ptx_expect(uw_ptx_reader *r, char c) {
  const char text[] = {'\'', c, '\'', '\0'};
  return uw_ptx_take(r, c) || uw_ptx_expected(r, text);
}

void uw_ptx_skip_line(uw_ptx_reader *r) {
  while (r->at < r->end && *r->at != '\n')
    r->at++;
}

bool uw_ptx_skip_braces(uw_ptx_reader *r) {
  for (int depth = 1; depth;) {
    int c = uw_ptx_peek(r);
    if (!c)
      return uw_ptx_expected(r, "'}'");
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    if (c == '"')
      uw_ptx_string(r);
    else
      r->at++;
  }
  return true;
}

/* --- words -------------------------------------------------------------------------------------------------------- */

/* '%' only begins a name: "mov.u32%r1" is an opcode and a register, as inline asm of macros writes it. */
static bool in_name(int c, bool dots) { return isalnum(c) || c == '_' || c == '$' || (dots && (c == '.' || c == ':')); }

const char *uw_ptx_name(uw_ptx_reader *r, bool dots) {
  skip_space(r);
  const char *start = r->at;
  r->at += r->at < r->end && *r->at == '%';
  while (r->at < r->end && in_name((unsigned char)*r->at, dots)) {
    if (*r->at == ':' && !follows(r, "::")) /* a label's colon */
      break;
    r->at += *r->at == ':' ? 2 : 1;
  }
  return r->at == start ? NULL : uw_ptx_intern(r->names, start, (size_t)(r->at - start));
}

bool uw_ptx_take_word(uw_ptx_reader *r, const char *word) {
  skip_space(r);
  size_t length = strlen(word);
  if (!follows(r, word) || (r->at + length < r->end && in_name((unsigned char)r->at[length], false)))
    return false;
  r->at += length;
  return true;
}

const char *uw_ptx_string(uw_ptx_reader *r) {
  if (!uw_ptx_take(r, '"'))
    return NULL;
  const char *start = r->at;
  while (r->at < r->end && *r->at != '"' && *r->at != '\n')
    r->at++;
  const char *text = uw_arena_format(r->arena, "%.*s", (int)(r->at - start), start);
  return uw_ptx_take(r, '"') ? text : NULL;
}

/* --- numbers ------------------------------------------------------------------------------------------------------ */

bool uw_ptx_starts_number(uw_ptx_reader *r) {
  int c = uw_ptx_peek(r);
  return isdigit(c) || c == '-' || c == '(' || c == '~' || c == '+' ||
         (c == '.' && r->end - r->at > 1 && isdigit((unsigned char)r->at[1]));
}

/* A number without an operator around it. */
static bool plain_number(uw_ptx_reader *r, uw_ptx_operand *operand) {
  skip_space(r);
  const char *start = r->at;
  char *end;
  if (r->end - start > 2 && start[0] == '0' && strchr("fFdD", start[1])) {
    operand->kind = UW_PTX_BITS;
    operand->width = strchr("fF", start[1]) ? 32 : 64;
    operand->integer = strtoull(start + 2, &end, 16);
  } else {
    bool binary = r->end - start > 2 && start[0] == '0' && strchr("bB", start[1]);
    operand->kind = UW_PTX_INTEGER;
    operand->integer = strtoull(binary ? start + 2 : start, &end, binary ? 2 : 0);
    if (!binary && (*end == '.' || *end == 'e' || *end == 'E')) {
      operand->kind = UW_PTX_DECIMAL;
      operand->decimal = strtod(start, &end);
    } else {
      end += *end == 'U';
    }
  }
  if (end == start || in_name((unsigned char)*end, false))
    return uw_ptx_expected(r, "a number");
  r->at = end;
  return true;
}

static bool expression(uw_ptx_reader *r, unsigned least, uw_ptx_operand *value);

static bool unary(uw_ptx_reader *r, uw_ptx_operand *value) {
  int c = uw_ptx_peek(r);
  if (c == '-' || c == '~' || c == '!' || c == '+') {
    r->at++;
    if (!unary(r, value))
      return false;
    if (value->kind == UW_PTX_INTEGER) {
      uint64_t n = value->integer;
      value->integer = c == '-' ? 0 - n : c == '~' ? ~n : c == '!' ? n == 0 : n;
    } else if (c == '-') {
      value->decimal = -value->decimal;
      value->integer ^= 1ull << (value->width ? value->width - 1 : 0);
    } else if (c != '+') {
      return uw_ptx_expected(r, "an integer");
    }
    return true;
  }
  if (c != '(')
    return plain_number(r, value);
  r->at++;
  if (uw_ptx_take(r, '.')) /* a cast: what follows is 64 bits anyway */
    return (uw_ptx_take_word(r, "s64") || uw_ptx_take_word(r, "u64") || uw_ptx_expected(r, "s64 or u64")) &&
           uw_ptx_expect(r, ')') && unary(r, value);
  return expression(r, 0, value) && uw_ptx_expect(r, ')');
}

static const struct {
  const char *text;
  unsigned level;
} operators[] = {{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"|", 3},
                 {"^", 4},  {"&", 5},  {"<", 7},  {">", 7},  {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static uint64_t combined(const char *op, uint64_t a, uint64_t b) {
  int64_t left = (int64_t)a, right = (int64_t)b;
  switch (op[0]) {
  case '|': return op[1] ? a || b : a | b;
  case '&': return op[1] ? a && b : a & b;
  case '^': return a ^ b;
  case '=': return a == b;
  case '!': return a != b;
  case '<': return op[1] == '<' ? b < 64 ? a << b : 0 : op[1] ? left <= right : left < right;
  case '>': return op[1] == '>' ? b < 64 ? (uint64_t)(left >> b) : 0 : op[1] ? left >= right : left > right;
  case '+': return a + b;
  case '-': return a - b;
  case '*': return a * b;
  default: /* by zero, or the least by -1: what comes out is nobody's */
    if (b == 0 || b == UINT64_MAX)
      return op[0] == '/' ? 0 - a : 0;
    return op[0] == '/' ? (uint64_t)(left / right) : (uint64_t)(left % right);
  }
}

static bool expression(uw_ptx_reader *r, unsigned least, uw_ptx_operand *value) {
  if (!unary(r, value))
    return false;
  while (value->kind == UW_PTX_INTEGER) {
    size_t i = 0, known = sizeof operators / sizeof *operators;
    skip_space(r);
    while (i < known && !follows(r, operators[i].text))
      i++;
    if (i == known || operators[i].level <= least)
      break;
    r->at += strlen(operators[i].text);
    uw_ptx_operand right = {0};
    if (!expression(r, operators[i].level, &right))
      return false;
    if (right.kind != UW_PTX_INTEGER)
      return uw_ptx_expected(r, "an integer");
    value->integer = combined(operators[i].text, value->integer, right.integer);
  }
  if (least == 0 && value->kind == UW_PTX_INTEGER && uw_ptx_take(r, '?')) {
    uw_ptx_operand yes = {0}, no = {0};
    if (!expression(r, 0, &yes) || !uw_ptx_expect(r, ':') || !expression(r, 0, &no))
      return false;
    *value = value->integer ? yes : no;
  }
  return true;
}

bool uw_ptx_number(uw_ptx_reader *r, uw_ptx_operand *operand) { return expression(r, 0, operand); }

bool uw_ptx_plain_count(uw_ptx_reader *r, uint64_t *number) {
  uw_ptx_operand operand = {0};
  if (!plain_number(r, &operand) || operand.kind != UW_PTX_INTEGER)
    return uw_ptx_expected(r, "an integer");
  *number = operand.integer;
  return true;
}

bool uw_ptx_count(uw_ptx_reader *r, uint64_t *number) {
  uw_ptx_operand operand = {0};
  if (!uw_ptx_starts_number(r) || !uw_ptx_number(r, &operand) || operand.kind != UW_PTX_INTEGER)
    return uw_ptx_expected(r, "an integer");
  *number = operand.integer;
  return true;
}
