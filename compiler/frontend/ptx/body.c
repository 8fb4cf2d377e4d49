/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The statements of a function that is being made: braces, labels, declarations. Like a register, a label is known in
 * its braces.
 */
#include <string.h>

#include "ptx.h"

LLVMBasicBlockRef uw_ptx_block(uw_ptx_maker *m) {
  return LLVMAppendBasicBlockInContext(m->program->context, m->function, "");
}

LLVMBasicBlockRef uw_ptx_label_at(uw_ptx_maker *m, const char *name) {
  for (const uw_ptx_label *label = m->labels; label; label = label->next)
    if (label->name == name)
      return label->block;
  return NULL;
}

/* The labels of the braces in which s stands, not of those inside. */
static void make_labels(uw_ptx_maker *m, const uw_ptx_statement *s) {
  for (unsigned inside = 0; s && (inside || s->kind != UW_PTX_CLOSE); s = s->next)
    if (s->kind == UW_PTX_OPEN) {
      inside++;
    } else if (s->kind == UW_PTX_CLOSE) {
      inside--;
    } else if (s->kind == UW_PTX_LABEL && !inside) {
      uw_ptx_label *label = uw_alloc(m->program->arena, sizeof *label);
      *label = (uw_ptx_label){m->labels, s->opcode, uw_ptx_block(m), m->depth};
      m->labels = label;
    }
}

void uw_ptx_begin_body(uw_ptx_maker *m, const uw_ptx_statement *statements) {
  make_labels(m, statements);
  for (const uw_ptx_statement *s = statements; s && m->tables; s = s->next)
    if (s->kind == UW_PTX_TARGETS || s->kind == UW_PTX_PROTOTYPE)
      uw_table_set(m->tables, s->opcode, (intptr_t)s);
}

static void open_scope(uw_ptx_maker *m, const uw_ptx_statement *inside) {
  uw_ptx_scope *scope = uw_alloc(m->program->arena, sizeof *scope);
  scope->outer = m->scope;
  m->scope = scope;
  m->depth++;
  make_labels(m, inside);
}

static bool close_scope(uw_ptx_maker *m) {
  if (!m->depth)
    return uw_ptx_refuse(m, "a '}' without its '{'");
  while (m->labels && m->labels->depth == m->depth)
    m->labels = m->labels->next;
  for (const uw_ptx_symbol *symbol = m->scope->symbols; symbol; symbol = symbol->next)
    uw_table_set(m->symbols, symbol->name, (intptr_t)symbol->outer);
  m->scope = m->scope->outer;
  m->depth--;
  return true;
}

static bool declare_registers(uw_ptx_maker *m, const uw_ptx_statement *s) {
  static const char *const parts[] = {"x", "y", "z", "w"};
  const uw_ptx_type *type = uw_ptx_type_named(s->opcode);
  if (!type)
    return uw_ptx_refuse(m, "registers of type '.%s' are not supported", s->opcode);
  for (size_t i = 0; i < s->count; i++) {
    const uw_ptx_operand *operand = &s->operands[i];
    if (operand->kind == UW_PTX_INTEGER) {
      uw_ptx_declare_numbered(m, operand->name, operand->integer, type->bits);
      continue;
    }
    if (s->lanes == 1)
      uw_ptx_declare(m, operand->name, type->bits);
    for (unsigned lane = 0; s->lanes > 1 && lane < s->lanes; lane++) {
      const char *name = uw_arena_format(m->program->arena, "%s.%s", operand->name, parts[lane]);
      uw_ptx_declare(m, uw_ptx_intern(m->names, name, strlen(name)), type->bits);
    }
  }
  return true;
}

/* .local and the .param of a call lie on the stack; the others are the module's, known in these braces. */
static bool declare_variables(uw_ptx_maker *m, const uw_ptx_variable *v) {
  for (; v; v = v->next) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(m->program->context, 0);
    LLVMValueRef address;
    if (strcmp(v->space, "local") == 0 || strcmp(v->space, "param") == 0) {
      address = uw_ptx_stack_room(m, uw_ptx_memory_type(m, v));
      unsigned natural = LLVMGetAlignment(address), least = strcmp(v->space, "local") ? 8 : 1;
      LLVMSetAlignment(address, v->align > natural ? v->align : natural > least ? natural : least);
    } else {
      LLVMValueRef global = uw_ptx_add_variable(m, v);
      if (!global || !(global = uw_ptx_initialise(m, v, global)))
        return false;
      address = LLVMConstAddrSpaceCast(global, pointer);
    }
    uw_ptx_declare_variable(m, v->name, address);
  }
  return true;
}

bool uw_ptx_statement_at(uw_ptx_maker *m, const uw_ptx_statement *s) {
  uw_ptx_set_place(m, s->line, s->source);
  switch (s->kind) {
  case UW_PTX_OPEN: open_scope(m, s->next); return true;
  case UW_PTX_CLOSE: return close_scope(m);
  case UW_PTX_REGISTERS: return declare_registers(m, s);
  case UW_PTX_VARIABLES:
    return m->variables ? declare_variables(m, s->variables)
                        : uw_ptx_refuse(m, "variables within an asm are not supported");
  case UW_PTX_TARGETS:
  case UW_PTX_PROTOTYPE:
    return m->tables || uw_ptx_refuse(m, "calls and tables of branches within an asm are not supported");
  case UW_PTX_LABEL: {
    LLVMBasicBlockRef block = uw_ptx_label_at(m, s->opcode);
    if (LLVMGetBasicBlockTerminator(block) || LLVMGetInsertBlock(m->builder) == block)
      return uw_ptx_refuse(m, "the label '%s' stands twice between the same braces", s->opcode);
    LLVMBuildBr(m->builder, block);
    LLVMPositionBuilderAtEnd(m->builder, block);
    return true;
  }
  case UW_PTX_INSTRUCTION: return uw_ptx_instruction(m, s);
  }
  return false;
}
