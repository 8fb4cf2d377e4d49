/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * PTX: modules, and inline asm, each of which becomes a function that LLVM inlines again. One reader and one table of
 * instructions serve both.
 *
 *   lex.c, read.c, read_module.c   the text: words, statements, modules; nothing of LLVM
 *   read_places.c   what the text says of the source that it was made from: .loc, .file
 *   expand.c        finds the asm calls, makes the functions, reports what is not understood
 *   body.c          the statements of a function: registers, labels, scopes
 *   module.c        a module of PTX becomes the one that clang's device side would have made: variables, functions, kernels
 *   initial.c       what variables are initialised with
 *   call.c          call, ret, brx
 *   value.c         registers, variables and operands of a function that is being made
 *   opcode.c        opcodes: their words, in any order, and which function has them
 *   silent.def      modifiers that say nothing on a CPU
 *   isa.def         the instructions of the PTX ISA: the forms that are taken, and why others are refused
 *   instructions.c  the instructions: the few whose form varies
 *   functions.c     all others, calls of functions of libdevice/ptx
 *   loads_stores.c        ld, st, atom, red
 *   video.c         the scalar video instructions
 *   wmma.c          matrices of a warp by wmma.load, wmma.mma, wmma.store
 *   recover.c       the stage of the steps below, in the order of recover.def
 *   carry.c         the carry flag becomes a local variable
 *   places.c        lines of the source, or of the PTX, for messages
 *   pointers.c      wins pointers back out of the integers that PTX computes addresses with
 *   words.c         words that travelled as two halves
 *   types.c         floats that travelled as integers
 *   conditions.c    comparisons that became one
 *   induction.c     counters that follow from another one
 *   loops.c         loops that test at their end test at the top again
 */
#ifndef UW_PTX_READER_H
#define UW_PTX_READER_H

#include "../frontend.h"

/* Names, each one pointer. */
typedef struct uw_ptx_names uw_ptx_names;
uw_ptx_names *uw_ptx_names_create(uw_arena *arena);
const char *uw_ptx_intern(uw_ptx_names *names, const char *text, size_t length);
uw_arena *uw_ptx_arena_of(const uw_ptx_names *names);

/* A type of PTX: .u32 */
typedef struct uw_ptx_type {
  const char *name;
  unsigned bits;
  enum { UW_PTX_UNTYPED, UW_PTX_UNSIGNED, UW_PTX_SIGNED, UW_PTX_FLOAT, UW_PTX_BFLOAT, UW_PTX_PACKED } kind;
} uw_ptx_type;
const uw_ptx_type *uw_ptx_type_named(const char *name); /* null: none */

typedef enum uw_ptx_operand_kind {
  UW_PTX_NAME, /* a register, special register, variable (+ integer), function or label */
  UW_PTX_INTEGER,
  UW_PTX_BITS,    /* 0f… and 0d…: bits of a float or a double */
  UW_PTX_DECIMAL, /* 1.0 */
  UW_PTX_ADDRESS, /* [name + integer], or with no name [integer]; of textures parts stand behind the name */
  UW_PTX_VECTOR,  /* {a, b} */
  UW_PTX_LIST,    /* (a, b) of a call */
  UW_PTX_SINK,    /* _ */
} uw_ptx_operand_kind;

typedef struct uw_ptx_operand {
  uw_ptx_operand_kind kind;
  bool negated; /* !p */
  bool minus;   /* -r, of vmad */
  const char *name;
  const char *index;  /* [name + index] */
  const char *second; /* p of d|p */
  uint64_t integer;   /* also the bits of BITS and the offset of an address */
  unsigned width;     /* of BITS; of an initial NAME, 1 + the byte of its address that is meant, or 0 */
  double decimal;
  struct uw_ptx_operand *parts; /* of a vector */
  size_t count;
} uw_ptx_operand;

typedef enum uw_ptx_linkage {
  UW_PTX_INTERNAL,
  UW_PTX_VISIBLE,
  UW_PTX_WEAK,
  UW_PTX_COMMON,
  UW_PTX_EXTERN
} uw_ptx_linkage;

enum { UW_PTX_DIMENSIONS = 8 };

/* A variable or parameter. */
typedef struct uw_ptx_variable {
  struct uw_ptx_variable *next;
  const char *name, *space; /* "param", "global", … */
  uw_ptx_linkage linkage;
  const uw_ptx_type *type;
  unsigned align, lanes, line; /* align: 0 if it is not said; lanes: of .v2, .v4 */
  bool is_pointer, is_managed; /* .ptr */
  unsigned points_to_align;
  unsigned dimensions;                        /* 0: no array */
  uint64_t extents[UW_PTX_DIMENSIONS], count; /* of elements in all */
  uw_ptx_operand *initial;                    /* null: none */
} uw_ptx_variable;

/* What a call through a pointer calls. */
typedef struct uw_ptx_prototype {
  uw_ptx_variable *results, *parameters;
} uw_ptx_prototype;

typedef enum uw_ptx_statement_kind {
  UW_PTX_INSTRUCTION,
  UW_PTX_LABEL,     /* opcode: its name */
  UW_PTX_REGISTERS, /* .reg: opcode is the type, each operand a name (integer: so many numbered ones) */
  UW_PTX_OPEN,      /* { and } around statements */
  UW_PTX_CLOSE,
  UW_PTX_VARIABLES,
  UW_PTX_TARGETS,   /* .branchtargets, .calltargets: opcode is the label before them */
  UW_PTX_PROTOTYPE, /* the same */
} uw_ptx_statement_kind;

enum { UW_PTX_PARTS = 24, UW_PTX_TYPES = 8 };

/* What a .loc says: where in the source that the PTX was made from. */
typedef struct uw_ptx_source {
  const struct uw_ptx_source *before; /* in the text, of the same function */
  unsigned file, line, column;
  const char *function;                   /* the label of its name, if it was inlined */
  const struct uw_ptx_source *inlined_at; /* null: it is the function's own */
} uw_ptx_source;

/* A .file by its number, a string of .debug_str by its label. */
typedef struct uw_ptx_source_name {
  struct uw_ptx_source_name *next;
  unsigned number;
  const char *label, *text;
  LLVMMetadataRef made; /* the file, or the inlined function of that name; null: not yet */
} uw_ptx_source_name;

typedef struct uw_ptx_statement {
  struct uw_ptx_statement *next;
  uw_ptx_statement_kind kind;
  unsigned line, lanes; /* lanes: of .reg .v2 */
  bool guard_negated;
  const char *opcode;
  const char *guard; /* @p; null if there is none */
  uw_ptx_operand *operands;
  size_t count;
  uw_ptx_variable *variables;
  uw_ptx_prototype *prototype;
  const uw_ptx_source *source; /* null: none is said */
} uw_ptx_statement;

/* The statements of one asm, with its operands as %0, %1, …; null (and *why) where the text is not PTX that this reader
 * knows. An empty text has one UW_PTX_OPEN and UW_PTX_CLOSE. */
uw_ptx_statement *uw_ptx_read(uw_ptx_names *names, const char *text, size_t length, const char **why);

typedef struct uw_ptx_function {
  struct uw_ptx_function *next;
  const char *name;
  uw_ptx_linkage linkage;
  bool is_entry, is_defined, no_return, shape_required;
  unsigned cluster[3];     /* of .reqnctapercluster; 0: none */
  bool grid_of_clusters;   /* .blocksareclusters */
  unsigned shape[3], line; /* of .maxntid and .reqntid; 0: not said */
  uw_ptx_variable *results, *parameters;
  uw_ptx_statement *body;
} uw_ptx_function;

typedef struct uw_ptx_alias {
  struct uw_ptx_alias *next;
  const char *name, *of;
  unsigned line;
} uw_ptx_alias;

typedef struct uw_ptx_module {
  unsigned version;   /* 83: 8.3 */
  const char *target; /* sm_80 */
  uw_ptx_variable *variables, **last_variable;
  uw_ptx_function *functions, **last_function;
  uw_ptx_alias *aliases;
  uw_ptx_source_name *files, *strings;
} uw_ptx_module;

/* The text ends with a zero after its length. Null after a mistake: what and where. */
uw_ptx_module *uw_ptx_read_module(uw_ptx_names *names, const char *text, size_t length, const char **why,
                                  unsigned *line);

/* An opcode, taken apart: the parts as they are written, without those that say nothing here. */
typedef struct uw_ptx_opcode {
  const char *text; /* as written */
  const char *parts[UW_PTX_PARTS];
  size_t count;
  const uw_ptx_type *types[UW_PTX_TYPES]; /* those parts that are types */
  size_t type_count;
  const uw_ptx_type *type; /* the last one; null if there is none */
} uw_ptx_opcode;

/* A function of libdevice/ptx, by the words of its name in an order of their own. */
typedef struct uw_ptx_key {
  const char *key, *name;
} uw_ptx_key;
typedef struct uw_ptx_keys {
  uw_ptx_key *forms; /* sorted */
  size_t count, capacity;
} uw_ptx_keys;

/* What a name stands for within its braces. */
typedef struct uw_ptx_symbol {
  struct uw_ptx_symbol *next, *outer; /* of the same braces; the one that it hides */
  const char *name;
  LLVMValueRef
      room;      /* of a register an alloca of iN, of a variable its address, in space 0; of numbered registers null */
  unsigned bits; /* of a register; 0 for a variable */
  struct uw_ptx_scope *scope;
} uw_ptx_symbol;

typedef struct uw_ptx_label {
  struct uw_ptx_label *next;
  const char *name;
  LLVMBasicBlockRef block;
  unsigned depth;
} uw_ptx_label;

typedef struct uw_ptx_scope {
  struct uw_ptx_scope *outer;
  uw_ptx_symbol *symbols;
} uw_ptx_scope;

/* A function of a module, or one that it declares. */
typedef struct uw_ptx_callee {
  LLVMValueRef function; /* null: called through a pointer */
  LLVMTypeRef type;
  const uw_ptx_variable *results, *parameters; /* a result that is an array is the first parameter, a pointer to it */
} uw_ptx_callee;

/* A function that is being made. */
typedef struct uw_ptx_maker {
  uw_program *program;
  uw_ptx_names *names;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  uw_table *symbols; /* name -> uw_ptx_symbol */
  uw_ptx_scope *scope;
  uw_ptx_label *labels; /* innermost first */
  unsigned depth, line; /* line: of the statement */
  const char *why;      /* the first thing that is not understood; null while all is well */

  /* of a module, null in an asm */
  const char *file;
  uw_table *variables; /* name -> the LLVM value of a variable */
  uw_table *callees;   /* name -> uw_ptx_callee */
  uw_table *tables;    /* label -> the .branchtargets, .calltargets or .callprototype after it */
  const uw_ptx_function *of;
  struct LLVMOpaqueDIBuilder *places;
  LLVMMetadataRef place_file, place_scope, place_scope_file;
  uw_ptx_source_name *files, *strings; /* the module's */
  const uw_ptx_source *source;         /* the statement's, or null */
  LLVMValueRef result;                 /* what the function returns lies here; null: nothing, or a register */
  LLVMValueRef frame;                  /* the local variable whose address was put into 32 bits; null: none was */
} uw_ptx_maker;

/* Notes why the asm is refused. Returns false, to be returned. */
bool uw_ptx_refuse(uw_ptx_maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* expand.c */
void uw_ptx_link_library(
    uw_program *program); /* of the functions of libdevice/ptx those that are called, as the module's own */

/* body.c */
void uw_ptx_begin_body(uw_ptx_maker *m, const uw_ptx_statement *statements); /* after entry block and operands */
bool uw_ptx_statement_at(uw_ptx_maker *m, const uw_ptx_statement *s);
LLVMBasicBlockRef uw_ptx_block(uw_ptx_maker *m);                      /* a new one */
LLVMBasicBlockRef uw_ptx_label_at(uw_ptx_maker *m, const char *name); /* null: none in these braces */

/* value.c. Values are of the LLVM type asked for, or null after uw_ptx_refuse. */
LLVMTypeRef uw_ptx_int(uw_ptx_maker *m, unsigned bits);
LLVMTypeRef uw_ptx_llvm_type(uw_ptx_maker *m, const uw_ptx_type *type); /* packed types are integers */
uw_ptx_symbol *uw_ptx_declare(uw_ptx_maker *m, const char *name, unsigned bits);
void uw_ptx_declare_variable(uw_ptx_maker *m, const char *name, LLVMValueRef address);
void uw_ptx_declare_numbered(uw_ptx_maker *m, const char *name, uint64_t count, unsigned bits);
LLVMValueRef uw_ptx_stack_room(uw_ptx_maker *m, LLVMTypeRef type); /* in the function's first block */
uw_ptx_symbol *uw_ptx_find(uw_ptx_maker *m, const char *name);     /* a register */
LLVMValueRef uw_ptx_address_of(uw_ptx_maker *m, const char *name); /* of a variable or function; null: it is none */
LLVMValueRef uw_ptx_value(uw_ptx_maker *m, const uw_ptx_operand *operand, LLVMTypeRef type);
typedef enum uw_ptx_window { UW_PTX_GENERIC, UW_PTX_SHARED, UW_PTX_LOCAL } uw_ptx_window;
LLVMValueRef uw_ptx_address(uw_ptx_maker *m, const uw_ptx_operand *operand, uw_ptx_window window);
LLVMValueRef uw_ptx_local_address(uw_ptx_maker *m, LLVMValueRef address); /* whole again, where it has 32 bits */
/* Into the register or nowhere (_); a narrower value is extended. */
bool uw_ptx_store(uw_ptx_maker *m, const uw_ptx_operand *to, LLVMValueRef value, bool is_signed);
LLVMValueRef uw_ptx_call(uw_ptx_maker *m, LLVMValueRef function, LLVMValueRef *arguments, unsigned count);

/* module.c, initial.c, call.c */
LLVMTypeRef uw_ptx_memory_type(uw_ptx_maker *m, const uw_ptx_variable *v); /* in memory */
bool uw_ptx_by_address(const uw_ptx_variable *v);                          /* a parameter that is handed over so */
LLVMTypeRef uw_ptx_function_type(uw_ptx_maker *m, const uw_ptx_variable *results, const uw_ptx_variable *parameters);
LLVMValueRef uw_ptx_add_variable(uw_ptx_maker *m, const uw_ptx_variable *v);
LLVMValueRef uw_ptx_initialise(uw_ptx_maker *m, const uw_ptx_variable *v,
                               LLVMValueRef global); /* perhaps another one then; null: refused */
bool uw_ptx_call_statement(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_branch_indexed(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
void uw_ptx_return(uw_ptx_maker *m);

/* places.c */
void uw_ptx_begin_places(uw_ptx_maker *m, const uw_ptx_module *module);
void uw_ptx_begin_function_places(uw_ptx_maker *m, const uw_ptx_function *f);
/* Of what is built from here on; source: null where none is said. */
void uw_ptx_set_place(uw_ptx_maker *m, unsigned line, const uw_ptx_source *source);
void uw_ptx_end_places(uw_ptx_maker *m);

/* pointers.c */
void uw_ptx_recover_pointers(uw_program *program); /* in the device module; inlines first */
void uw_ptx_recover_elements(uw_program *program); /* after all else */

/* words.c, types.c, remainders.c, loops.c, induction.c, conditions.c, roll.c */
bool uw_ptx_recover_words(uw_program *program); /* whether there were any */
void uw_ptx_recover_types(uw_program *program);
void uw_ptx_recover_remainders(uw_program *program);
void uw_ptx_recover_loops(uw_program *program);
void uw_ptx_recover_induction(uw_program *program);
void uw_ptx_recover_conditions(uw_program *program);
void uw_ptx_recover_iterations(uw_program *program);

/* opcode.c */
bool uw_ptx_take_apart(uw_ptx_maker *m, const char *text, uw_ptx_opcode *opcode);
bool uw_ptx_has(const uw_ptx_opcode *opcode, const char *part);
void uw_ptx_set_block_scope(uw_ptx_maker *m, LLVMValueRef op); /* atomic, or a fence; for the checker */
/* A declaration of libdevice/ptx's function for the opcode, without .ftz and, unless asked, without .sat; with a suffix
 * as libdevice/ptx/ptx.h has them, or "". Null: there is none. */
LLVMValueRef uw_ptx_function_for(uw_ptx_maker *m, const uw_ptx_opcode *opcode, bool with_sat, const char *suffix);

/* instructions.c, functions.c, loads_stores.c, video.c, wmma.c */
bool uw_ptx_instruction(uw_ptx_maker *m, const uw_ptx_statement *statement);
bool uw_ptx_unsupported(uw_ptx_maker *m, const uw_ptx_opcode *opcode); /* refuses it by its name: false */
/* The same for an instruction that there is with other operands; has_sampler: one beside the texture. */
bool uw_ptx_unsupported_operands(uw_ptx_maker *m, const uw_ptx_opcode *opcode, bool has_sampler);
/* The instruction as a call of libdevice/ptx's function for its opcode, with .ftz and .sat around it. */
bool uw_ptx_call_function(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
/* Flushed if the opcode says .ftz; that of cvt is for its float, not for its half. */
LLVMValueRef uw_ptx_flushed(uw_ptx_maker *m, const uw_ptx_opcode *opcode, LLVMValueRef value);
bool uw_ptx_load(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_store_memory(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_atomic(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_video(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_wmma(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);
bool uw_ptx_video_mad(uw_ptx_maker *m, const uw_ptx_opcode *opcode, const uw_ptx_statement *s);

/* NVVM's intrinsics for barriers of a part of the block as calls of libdevice/ptx; whether there were any. */
bool uw_ptx_take_named_barriers(uw_program *program);

#endif
