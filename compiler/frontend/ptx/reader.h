/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the reader's files share: a position in the text, and the names met so far.
 *
 *   lex.c           space, names, numbers and constant expressions
 *   read.c          statements of a function and their operands
 *   read_module.c   what stands outside of functions, and variables
 */
#ifndef UW_PTX_READING_H
#define UW_PTX_READING_H

#include "ptx.h"

typedef struct uw_ptx_reader {
  uw_arena *arena;
  uw_ptx_names *names;
  const char *at, *end;
  unsigned line;               /* of at */
  const char *why;             /* the first mistake */
  const uw_ptx_source *source; /* the last .loc of the function, or null */
  bool in_asm;                 /* between the comments that compilers put around an inline asm */
} uw_ptx_reader;

/* lex.c. Space is skipped before each. Those that are bool return false after uw_ptx_expected, but for take and
 * starts. */
int uw_ptx_peek(uw_ptx_reader *r);
bool uw_ptx_take(uw_ptx_reader *r, char c);
bool uw_ptx_take_word(uw_ptx_reader *r, const char *word); /* a whole name */
bool uw_ptx_expect(uw_ptx_reader *r, char c);
bool uw_ptx_expected(uw_ptx_reader *r, const char *what);
bool uw_ptx_unknown(uw_ptx_reader *r, const char *what, const char *which);
const char *uw_ptx_name(uw_ptx_reader *r, bool dots); /* null if none starts here */
const char *uw_ptx_string(uw_ptx_reader *r);          /* "text" */
bool uw_ptx_starts_number(uw_ptx_reader *r);          /* also '-', '(' and the like of a constant expression */
bool uw_ptx_number(uw_ptx_reader *r, uw_ptx_operand *operand);
bool uw_ptx_count(uw_ptx_reader *r, uint64_t *number);       /* a constant integer */
bool uw_ptx_plain_count(uw_ptx_reader *r, uint64_t *number); /* a number alone: the 4 of <4> */
void uw_ptx_skip_line(uw_ptx_reader *r);
bool uw_ptx_skip_braces(uw_ptx_reader *r); /* after a '{', to its '}' */

/* read.c. The statements after a function's '{', and its '}'. */
bool uw_ptx_body(uw_ptx_reader *r, uw_ptx_statement **first);
bool uw_ptx_operand_at(uw_ptx_reader *r, uw_ptx_operand *operand);

/* read_places.c. After the directive's word: .loc, .file and .section. */
void uw_ptx_source_line(uw_ptx_reader *r);
void uw_ptx_source_file(uw_ptx_reader *r, uw_ptx_module *m);
bool uw_ptx_section(uw_ptx_reader *r, uw_ptx_module *m);

/* read_module.c. After the dot of the directive `first`: .align 4 .v2 .b32 a[2], b = 5; (in a list of parameters
 * one). */
bool uw_ptx_variables(uw_ptx_reader *r, const char *first, bool parameter, uw_ptx_variable **last);
/* (.param .b32 a, .reg .u32 b) */
bool uw_ptx_parameters(uw_ptx_reader *r, uw_ptx_variable **list);

#endif
