/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Inline PTX: each `asm("…")` of device code becomes a function that LLVM inlines again.
 *
 *   read.c          the text of one asm: statements and operands, nothing of LLVM
 *   expand.c        finds the asm calls, makes the functions, reports what is not understood
 *   value.c         registers and operands of a function that is being made
 *   instructions.c  the instructions: the few whose form varies here, all others are functions of libdevice/ptx
 *   memory.c        ld, st, atom, red
 *   carry.c         the carry flag becomes a local variable
 */
#ifndef UW_PTX_READER_H
#define UW_PTX_READER_H

#include "../frontend.h"

typedef enum uw_ptx_operand_kind {
  UW_PTX_NAME, /* a register, special register or label */
  UW_PTX_INTEGER,
  UW_PTX_BITS,    /* 0f… and 0d…: bits of a float or a double */
  UW_PTX_DECIMAL, /* 1.0 */
  UW_PTX_ADDRESS, /* [name + integer], or with no name [integer] */
  UW_PTX_VECTOR,  /* {a, b} */
  UW_PTX_SINK,    /* _ */
} uw_ptx_operand_kind;

typedef struct uw_ptx_operand {
  uw_ptx_operand_kind kind;
  bool negated; /* !p */
  const char *name;
  const char *index;  /* [name + index] */
  const char *second; /* p of d|p */
  uint64_t integer;   /* also the bits of BITS and the offset of an address */
  unsigned width;     /* of BITS */
  double decimal;
  struct uw_ptx_operand *parts; /* of a vector */
  size_t count;
} uw_ptx_operand;

typedef enum uw_ptx_statement_kind {
  UW_PTX_INSTRUCTION,
  UW_PTX_LABEL,     /* opcode: its name */
  UW_PTX_REGISTERS, /* .reg: opcode is the type, each operand a name (integer: so many numbered ones) */
  UW_PTX_OPEN,      /* { and } around statements */
  UW_PTX_CLOSE,
} uw_ptx_statement_kind;

enum { UW_PTX_OPERANDS = 16, UW_PTX_PARTS = 16 };

typedef struct uw_ptx_statement {
  struct uw_ptx_statement *next;
  uw_ptx_statement_kind kind;
  const char *opcode;
  const char *guard; /* @p; null if there is none */
  bool guard_negated;
  uw_ptx_operand operands[UW_PTX_OPERANDS];
  size_t count;
} uw_ptx_statement;

/* The statements of one asm, with its operands as %0, %1, …; null (and *why) where the text is not PTX that this reader
 * knows. An empty text has one UW_PTX_OPEN and UW_PTX_CLOSE. */
uw_ptx_statement *uw_ptx_read(uw_arena *arena, const char *text, size_t length, const char **why);

/* A type of PTX: .u32 */
typedef struct uw_ptx_type {
  const char *name;
  unsigned bits;
  enum { UW_PTX_UNTYPED, UW_PTX_UNSIGNED, UW_PTX_SIGNED, UW_PTX_FLOAT, UW_PTX_BFLOAT, UW_PTX_PACKED } kind;
} uw_ptx_type;
const uw_ptx_type *uw_ptx_type_named(const char *name); /* null: none */

/* An opcode, taken apart. */
typedef struct uw_ptx_opcode {
  const char *text; /* as written */
  const char *parts[UW_PTX_PARTS];
  size_t count;
  const uw_ptx_type *type; /* the last part; null if that is none */
} uw_ptx_opcode;

typedef struct uw_ptx_register {
  struct uw_ptx_register *next;
  const char *name;
  LLVMValueRef room; /* an alloca of iN */
  unsigned bits, depth;
} uw_ptx_register;

typedef struct uw_ptx_label {
  struct uw_ptx_label *next;
  const char *name;
  LLVMBasicBlockRef block;
  unsigned depth;
} uw_ptx_label;

/* A function that is being made. */
typedef struct uw_ptx_maker {
  uw_program *program;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  uw_ptx_register *registers; /* innermost first */
  uw_ptx_label *labels;       /* innermost first */
  unsigned depth;
  const char *why; /* the first thing that is not understood; null while all is well */
} uw_ptx_maker;

/* Notes why the asm is refused. Returns false, to be returned. */
bool uw_ptx_refuse(uw_ptx_maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* value.c. Values are of the LLVM type asked for, or null after uw_ptx_refuse. */
LLVMTypeRef uw_ptx_int(uw_ptx_maker *m, unsigned bits);
LLVMTypeRef uw_ptx_llvm_type(uw_ptx_maker *m, const uw_ptx_type *type); /* packed types are integers */
void uw_ptx_declare(uw_ptx_maker *m, const char *name, unsigned bits);
uw_ptx_register *uw_ptx_find(uw_ptx_maker *m, const char *name);
LLVMValueRef uw_ptx_value(uw_ptx_maker *m, const uw_ptx_operand *operand, LLVMTypeRef type);
LLVMValueRef uw_ptx_address(uw_ptx_maker *m, const uw_ptx_operand *operand, bool shared);
/* Into the register or nowhere (_); a narrower value is extended. */
bool uw_ptx_store(uw_ptx_maker *m, const uw_ptx_operand *to, LLVMValueRef value, bool is_signed);
LLVMValueRef uw_ptx_call(uw_ptx_maker *m, LLVMValueRef function, LLVMValueRef *arguments, unsigned count);

/* instructions.c, memory.c */
bool uw_ptx_instruction(uw_ptx_maker *m, const uw_ptx_statement *statement);
bool uw_ptx_has(const uw_ptx_opcode *opcode, const char *part);
bool uw_ptx_load(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_store_memory(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_atomic(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);

#endif
