/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Opcodes, and the functions of libdevice/ptx that carry their names. ptxas reads the words after an instruction's name
 * in any order, but for those that tell operands apart: types, state spaces and the layouts of matrices count in the
 * order in which they stand. So two opcodes are one where they have the same words and the same words of these three
 * kinds in the same order:
 *
 *     ldmatrix.sync.aligned.x4.m8n8.shared.b16      ldmatrix.sync.aligned.m8n8.x4.shared.b16
 *     mma…row.col.s32.s8.u8.s32.satfinite           mma…row.col.satfinite.s32.s8.u8.s32
 *
 * A function whose name has no state space is taken with .shared and without, where the address may be generic. */
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

/* --- opcodes ------------------------------------------------------------------------------------------------------ */

bool uw_ptx_has(const uw_ptx_opcode *opcode, const char *part) {
  for (size_t i = 1; i < opcode->count; i++)
    if (strcmp(opcode->parts[i], part) == 0)
      return true;
  return false;
}

/* Whether a part of this instruction says nothing on a CPU. */
static bool is_silent(const char *base, const char *part) {
  static const struct {
    const char *base, *word;
  } rows[] = {
#define UW_PTX_SILENT(base, word, reason) {base, word},
#include "silent.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    size_t length = strlen(rows[i].word);
    bool begins = rows[i].word[length - 1] == '*' && strncmp(rows[i].word, part, length - 1) == 0;
    if ((!*rows[i].base || strcmp(rows[i].base, base) == 0) && (begins || strcmp(rows[i].word, part) == 0))
      return true;
  }
  return false;
}

/* `words`: some, with | between them; none is any. */
static bool has_one_of(const uw_ptx_opcode *opcode, const char *words) {
  if (!*words)
    return true;
  for (size_t i = 1; i < opcode->count; i++)
    for (const char *word = words; word; word = strchr(word, '|')) {
      word += *word == '|';
      size_t length = strcspn(word, "|");
      if (strlen(opcode->parts[i]) == length && strncmp(opcode->parts[i], word, length) == 0)
        return true;
    }
  return false;
}

bool uw_ptx_unsupported(uw_ptx_maker *m, const uw_ptx_opcode *opcode) {
  static const struct {
    const char *base, *word, *reason;
  } rows[] = {
#define UW_PTX_REFUSED(instruction, word, example, operands, reason) {instruction, word, reason},
#include "isa.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].base, opcode->parts[0]) == 0 && has_one_of(opcode, rows[i].word))
      return uw_ptx_refuse(m, "the PTX instruction '%s' is not supported: %s", opcode->text, rows[i].reason);
  return uw_ptx_refuse(m, "the PTX instruction '%s' is not supported", opcode->text);
}

bool uw_ptx_unsupported_operands(uw_ptx_maker *m, const uw_ptx_opcode *opcode, bool has_sampler) {
  static const struct {
    const char *base, *what, *reason;
  } rows[] = {
#define UW_PTX_REFUSED_WITH(instruction, what, example, operands, reason) {instruction, what, reason},
#include "isa.def"
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp(rows[i].base, opcode->parts[0]) == 0 && (strcmp(rows[i].what, "a sampler") == 0) == has_sampler)
      return uw_ptx_refuse(m, "the PTX instruction '%s' is not supported with these operands: %s", opcode->text,
                           rows[i].reason);
  return uw_ptx_refuse(m, "the PTX instruction '%s' is not supported with these operands", opcode->text);
}

static void drop_end(char *part, const char *end) {
  char *found = strstr(part, end);
  if (found && found[strlen(end)] == '\0')
    *found = '\0';
}

bool uw_ptx_take_apart(uw_ptx_maker *m, const char *text, uw_ptx_opcode *opcode) {
  *opcode = (uw_ptx_opcode){.text = text};
  char *rest = uw_arena_format(m->program->arena, "%s", text);
  for (char *part; (part = strsep(&rest, "."));) {
    if (opcode->count && is_silent(opcode->parts[0], part))
      continue;
    drop_end(part, "::cta"); /* shared::cta is what shared means */
    if (strcmp(part, "shared::cluster") == 0)
      drop_end(part, "::cluster");        /* without clusters, too */
    drop_end(part, "::ordered_metadata"); /* a promise */
    const uw_ptx_type *type = opcode->count ? uw_ptx_type_named(part) : NULL;
    if (opcode->count == UW_PTX_PARTS || (type && opcode->type_count == UW_PTX_TYPES))
      return uw_ptx_unsupported(m, opcode);
    opcode->parts[opcode->count++] = part;
    if (type)
      opcode->types[opcode->type_count++] = opcode->type = type;
  }
  if (strcmp(opcode->parts[0], "barrier") == 0)
    opcode->parts[0] = "bar";
  return true;
}

/* --- the functions of libdevice/ptx ------------------------------------------------------------------------------- */

/* The words of an opcode, or of a function's name. */
enum { WORDS = 48, LENGTH = 320 };
typedef struct words {
  const char *words[WORDS];
  size_t count;
  char text[LENGTH];
} words;

/* A word counts in the order in which it stands: 1 to 3, the kinds; 0: in any order. */
static int order_of(const char *word) {
  static const char *const spaces[] = {"shared", "global", "local", "const", "param"};
  if (uw_ptx_type_named(word))
    return 1;
  for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
    if (strcmp(word, spaces[i]) == 0)
      return 2;
  return strcmp(word, "row") == 0 || strcmp(word, "col") == 0 ? 3 : 0;
}

static int compare_words(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The same for all opcodes that are one: the words of each kind, those without order sorted. False: too long. */
static bool write_key(const words *w, char key[LENGTH]) {
  const char *sorted[WORDS];
  size_t count = 0, length = 0;
  for (size_t i = 1; i < w->count; i++)
    if (!order_of(w->words[i]))
      sorted[count++] = w->words[i];
  qsort(sorted, count, sizeof *sorted, compare_words);
  for (int kind = 1; kind <= 3; kind++)
    for (size_t i = 1; i < w->count; i++)
      if (order_of(w->words[i]) == kind)
        sorted[count++] = w->words[i];
  for (size_t i = 0; i <= count; i++) {
    const char *word = i ? sorted[i - 1] : w->words[0];
    if (length + strlen(word) + 2 > LENGTH)
      return false;
    length += (size_t)(stpcpy(stpcpy(key + length, word), ".") - (key + length));
  }
  return w->count > 0;
}

/* Parts, each of which may be several words (try_wait, shared::cluster); .ftz, and .sat if it is not wanted, are done
 * around the function. `without`: a word that is left out. */
static bool list_words(words *w, const char *const *parts, size_t count, bool with_sat, const char *without) {
  char *to = w->text, *end = w->text + sizeof w->text;
  for (size_t i = 0; i < count; i++) {
    if (strcmp(parts[i], "ftz") == 0 || (!with_sat && strcmp(parts[i], "sat") == 0) ||
        (without && strcmp(parts[i], without) == 0))
      continue;
    if (to + strlen(parts[i]) + 1 >= end)
      return false;
    char *rest = to;
    to = stpcpy(to, parts[i]) + 1;
    for (char *word; (word = strsep(&rest, "_:"));)
      if (*word) {
        if (w->count == WORDS)
          return false;
        w->words[w->count++] = word;
      }
  }
  return true;
}

static const char prefix[] = "__ptx_";

static int compare_forms(const void *left, const void *right) {
  const uw_ptx_key *l = left, *r = right;
  return strcmp(l->key, r->key);
}

static void note_form(uw_program *program, const char *name) {
  words w = {.count = 0};
  char key[LENGTH];
  const char *rest = name + sizeof prefix - 1;
  if (strncmp(name, prefix, sizeof prefix - 1) || !list_words(&w, &rest, 1, true, NULL) || !write_key(&w, key))
    return;
  uw_ptx_keys *forms = program->ptx_keys;
  forms->forms = uw_grow(program->arena, forms->forms, forms->count, &forms->capacity, sizeof *forms->forms);
  forms->forms[forms->count++] =
      (uw_ptx_key){uw_arena_format(program->arena, "%s", key), uw_arena_format(program->arena, "%s", name)};
}

/* All functions by their keys; read when an opcode is first met that is in another order than its function's name. */
static const uw_ptx_keys *forms_of(uw_program *program) {
  if (!program->ptx_keys) {
    program->ptx_keys = uw_alloc(program->arena, sizeof *program->ptx_keys);
    uw_each_library_function(program, UW_LIBPTX, note_form);
    qsort(program->ptx_keys->forms, program->ptx_keys->count, sizeof *program->ptx_keys->forms, compare_forms);
  }
  return program->ptx_keys;
}

static LLVMValueRef find(uw_ptx_maker *m, const uw_ptx_opcode *opcode, bool with_sat, const char *suffix,
                         const char *without) {
  words w = {.count = 0};
  char name[LENGTH + sizeof prefix], key[LENGTH];
  if (!list_words(&w, opcode->parts, opcode->count, with_sat, without) || w.count == WORDS)
    return NULL;
  if (*suffix)
    w.words[w.count++] = suffix + 1; /* after its _ */
  char *to = stpcpy(name, "__ptx");
  for (size_t i = 0, left = LENGTH; i < w.count; i++) {
    if (strlen(w.words[i]) + 1 >= left)
      return NULL;
    left -= strlen(w.words[i]) + 1;
    to = stpcpy(stpcpy(to, "_"), w.words[i]);
  }
  LLVMValueRef found = uw_library_function(m->program, UW_LIBPTX, name); /* as it is usually written */
  if (found || !write_key(&w, key))
    return found;
  const uw_ptx_keys *forms = forms_of(m->program);
  const uw_ptx_key wanted = {key, NULL},
                   *form =
                       forms->count ? bsearch(&wanted, forms->forms, forms->count, sizeof wanted, compare_forms) : NULL;
  return form ? uw_library_function(m->program, UW_LIBPTX, form->name) : NULL;
}

LLVMValueRef uw_ptx_function_for(uw_ptx_maker *m, const uw_ptx_opcode *opcode, bool with_sat, const char *suffix) {
  LLVMValueRef found = find(m, opcode, with_sat, suffix, NULL);
  return found || !uw_ptx_has(opcode, "shared") ? found : find(m, opcode, with_sat, suffix, "shared");
}
