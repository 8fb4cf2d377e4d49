/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What PTX says of the source that it was made from (PTX ISA, "Debugging Directives"):
 *
 *   .loc 1 20 5                                                 file, line and column of the instructions after it
 *   .loc 1 9 12, function_name $L__info_string0, inlined_at 1 15 13
 *   .file 1 "/home/me/kernels.py"                               anywhere in the module, mostly at its end
 *   .section .debug_str { $L__info_string0: .b8 95, 105, 0 }    the names of inlined functions
 *
 * None of it is an error's business: what cannot be read is left out, and instructions then have the PTX's own lines.
 */
#include <string.h>

#include "reader.h"

enum { NESTED_LOOK = 64 /* .loc directives back; what is around an inlined call stands close before it */ };

static bool read_numbers(uw_ptx_reader *r, unsigned numbers[3]) {
  for (int i = 0; i < 3; i++) {
    uint64_t number;
    if (!uw_ptx_starts_number(r) || !uw_ptx_plain_count(r, &number))
      return false;
    numbers[i] = (unsigned)number;
  }
  return true;
}

/* The call's own .loc, which may itself be of code that was inlined. */
static const uw_ptx_source *call_at(uw_ptx_reader *r, const unsigned numbers[3]) {
  const uw_ptx_source *at = r->source;
  for (int i = 0; at && i < NESTED_LOOK; i++, at = at->before)
    if (at->file == numbers[0] && at->line == numbers[1] && at->column == numbers[2])
      return at;
  uw_ptx_source *alone = uw_alloc(r->arena, sizeof *alone);
  *alone = (uw_ptx_source){.file = numbers[0], .line = numbers[1], .column = numbers[2]};
  return alone;
}

static uw_ptx_source *read_loc(uw_ptx_reader *r) {
  unsigned own[3], around[3];
  if (!read_numbers(r, own))
    return NULL;
  uw_ptx_source *source = uw_alloc(r->arena, sizeof *source);
  *source = (uw_ptx_source){.before = r->source, .file = own[0], .line = own[1], .column = own[2]};
  while (uw_ptx_take(r, ',')) {
    uint64_t offset;
    if (uw_ptx_take_word(r, "function_name")) {
      source->function = uw_ptx_name(r, true);
      if (uw_ptx_take(r, '+') && !uw_ptx_plain_count(r, &offset)) /* into one long string: none is known then */
        return NULL;
    } else if (uw_ptx_take_word(r, "inlined_at") && read_numbers(r, around)) {
      source->inlined_at = call_at(r, around);
    } else {
      return NULL;
    }
  }
  return source;
}

/* Of an inline asm the line is that of its statement: LLVM counts the lines of its text up from there.
 * A copy reads, so that the directive's line is all that is ever passed, whatever stands there. */
void uw_ptx_source_line(uw_ptx_reader *r) {
  uw_ptx_reader own = *r;
  const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
  own.end = end ? end : r->end;
  uw_ptx_source *source = read_loc(&own);
  if (source && source->line && !r->in_asm) /* line 0: of nobody; the one before is as good as any */
    r->source = source;
  uw_ptx_skip_line(r);
}

void uw_ptx_source_file(uw_ptx_reader *r, uw_ptx_module *m) {
  uw_ptx_reader own = *r;
  uint64_t number;
  const char *name = uw_ptx_starts_number(&own) && uw_ptx_plain_count(&own, &number) ? uw_ptx_string(&own) : NULL;
  uw_ptx_skip_line(r);
  if (!name || !*name)
    return;
  uw_ptx_source_name *file = uw_alloc(r->arena, sizeof *file);
  *file = (uw_ptx_source_name){.next = m->files, .number = (unsigned)number, .text = name};
  m->files = file;
}

/* After a section's '{'. */
static void read_strings(uw_ptx_reader *r, uw_ptx_module *m) {
  enum { LONGEST = 1024 };
  char text[LONGEST];
  while (uw_ptx_peek(r) && !uw_ptx_take(r, '}')) {
    const char *label = uw_ptx_name(r, false);
    size_t length = 0;
    if (!label || !uw_ptx_take(r, ':'))
      return;
    while (uw_ptx_take(r, '.')) {
      uint64_t byte;
      if (!uw_ptx_take_word(r, "b8"))
        return;
      do {
        if (!uw_ptx_count(r, &byte))
          return;
        if (length < LONGEST)
          text[length++] = (char)byte;
      } while (uw_ptx_take(r, ','));
    }
    if (!length || text[length - 1])
      continue;
    uw_ptx_source_name *string = uw_alloc(r->arena, sizeof *string);
    *string = (uw_ptx_source_name){.next = m->strings, .label = label, .text = uw_arena_format(r->arena, "%s", text)};
    m->strings = string;
  }
}

bool uw_ptx_section(uw_ptx_reader *r, uw_ptx_module *m) {
  bool strings = uw_ptx_take(r, '.') && uw_ptx_take_word(r, "debug_str");
  while (uw_ptx_peek(r) && uw_ptx_peek(r) != '{')
    r->at++;
  if (!uw_ptx_expect(r, '{'))
    return false;
  uw_ptx_reader own = *r;
  if (strings)
    read_strings(&own, m);
  return uw_ptx_skip_braces(r);
}
