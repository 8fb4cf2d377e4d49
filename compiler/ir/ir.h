/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The thin layer over the MLIR C API that makes a pass short to write and to read. It knows no CUDA.
 *
 * Ownership: a function with `owned` in its name, and uw_build, take what they are given; everything else borrows.
 * Operations belong to their block, the module to the driver, all other memory to an arena and dies with it.
 *
 * Read in this order: arena, kinds, builder, walking, values, maps, diagnostics.
 */
#ifndef UW_IR_H
#define UW_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- arena: memory with one lifetime ------------------------------------------------------------------------------ */

typedef struct uw_arena uw_arena;
uw_arena *uw_arena_create(void);
void uw_arena_destroy(uw_arena *arena);
void *uw_alloc(uw_arena *arena, size_t bytes); /* zeroed, aligned to 16; never null */
/* Room for one more than count elements in a list of the arena, which is doubled when it is full: the list, perhaps at
 * another address. */
void *uw_grow(uw_arena *arena, void *at, size_t count, size_t *capacity, size_t element);
char *uw_arena_format(uw_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A growable list of operations or values in an arena. */
typedef struct uw_ops {
  MlirOperation *at;
  size_t count, capacity;
} uw_ops;
typedef struct uw_vals {
  MlirValue *at;
  size_t count, capacity;
} uw_vals;
void uw_ops_push(uw_arena *arena, uw_ops *list, MlirOperation op);
bool uw_ops_have(const uw_ops *list, MlirOperation op);
void uw_vals_push(uw_arena *arena, uw_vals *list, MlirValue value);
bool uw_vals_have(const uw_vals *list, MlirValue value);
void uw_vals_push_new(uw_arena *arena, uw_vals *list, MlirValue value); /* unless it is there */

/* --- context and kinds -------------------------------------------------------------------------------------------- */

/* A context with every dialect and pass the compiler uses, the unwarp dialect among them. One at a time a process:
 * kinds are interned for the latest context made. */
MlirContext uw_context_create(void);

typedef enum uw_kind_t {
  UW_OP_OTHER,
#define UW_OP(id, name) UW_OP_##id,
#include "ops.def"
  UW_OP_COUNT
} uw_kind_t;
uw_kind_t uw_kind(MlirOperation op);     /* UW_OP_OTHER for null and for names that ops.def does not list */
MlirStringRef uw_name(MlirOperation op); /* "scf.for" */
bool uw_name_starts(MlirOperation op, const char *prefix);
bool uw_string_is(MlirStringRef string, const char *text);
MlirStringRef uw_str(const char *text);

/* --- types and attributes ----------------------------------------------------------------------------------------- */

MlirType uw_type(MlirContext context, const char *text); /* parsed; a bad text is a bug and aborts */
MlirAttribute uw_attr(MlirContext context, const char *text);
MlirType uw_ptr_type(MlirContext context); /* !llvm.ptr */
MlirType uw_int_type(MlirContext context, unsigned bits);
MlirType uw_index_type(MlirContext context);
MlirAttribute uw_int_attr(MlirContext context, unsigned bits, int64_t value);
MlirAttribute uw_str_attr(MlirContext context, const char *text);
MlirAttribute uw_symbol_attr(MlirContext context, const char *name);
MlirAttribute uw_get_attr(MlirOperation op, const char *name); /* null if absent */
void uw_set_attr(MlirOperation op, const char *name, MlirAttribute attribute);
void uw_remove_attr(MlirOperation op, const char *name);
bool uw_attr_is_str(MlirOperation op, const char *name, const char *text);
int64_t uw_get_int_attr(MlirOperation op, const char *name, int64_t otherwise);
MlirStringRef uw_get_str_attr(MlirOperation op, const char *name); /* {NULL, 0} if absent; symbols too */

/* --- builder ------------------------------------------------------------------------------------------------------ */

/* Where new operations go: before `before`, or at the end of `block` when `before` is null. */
typedef struct uw_builder {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before;
} uw_builder;

uw_builder uw_at(MlirOperation op);                             /* before op, at op's location */
uw_builder uw_after(MlirOperation op);                          /* after op */
uw_builder uw_at_start(MlirBlock block, MlirLocation location); /* first in block */
uw_builder uw_at_end(MlirBlock block, MlirLocation location);   /* last in block, or before its terminator */

typedef struct uw_value_list {
  const MlirValue *at;
  size_t count;
} uw_value_list;
typedef struct uw_type_list {
  const MlirType *at;
  size_t count;
} uw_type_list;
typedef struct uw_named {
  const char *name;
  MlirAttribute attribute;
} uw_named;
typedef struct uw_named_list {
  const uw_named *at;
  size_t count;
} uw_named_list;

#define UW_LIST_(list, type, ...)                                                                                      \
  ((list){(const type[]){__VA_ARGS__}, sizeof((const type[]){__VA_ARGS__}) / sizeof(type)})
#define VALS(...) UW_LIST_(uw_value_list, MlirValue, __VA_ARGS__)
#define TYPES(...) UW_LIST_(uw_type_list, MlirType, __VA_ARGS__)
#define ATTRS(...) UW_LIST_(uw_named_list, uw_named, __VA_ARGS__)
#define VALS_OF(list) ((uw_value_list){(list).at, (list).count})

typedef struct uw_op_spec {
  uw_value_list in;
  uw_type_list out;
  uw_named_list attrs;
  unsigned regions;        /* this many empty regions */
  const int32_t *segments; /* operandSegmentSizes */
  size_t segment_count;
} uw_op_spec;

MlirOperation uw_build_op(uw_builder *b, const char *name, uw_op_spec spec);
MlirOperation uw_place_copy(uw_builder *b, MlirOperation op); /* its operands are the original's: see uw_clone */
size_t uw_operations_made(void);                              /* so far, by these and all that is built on them */
#define uw_build(b, name, ...) uw_build_op((b), (name), (uw_op_spec){__VA_ARGS__})
/* The same, giving the only result. */
#define uw_build1(b, name, ...) mlirOperationGetResult(uw_build((b), (name), __VA_ARGS__), 0)

/* Constants are arith.constant. */
MlirValue uw_const_index(uw_builder *b, int64_t value);
MlirValue uw_const_int(uw_builder *b, unsigned bits, int64_t value);
MlirValue uw_poison(uw_builder *b, MlirType type); /* ub.poison */

/* The arithmetic that passes write most. */
typedef enum uw_predicate { /* of arith.cmpi */
                            UW_EQ,
                            UW_NE,
                            UW_SLT,
                            UW_SLE,
                            UW_SGT,
                            UW_SGE,
                            UW_ULT,
                            UW_ULE,
                            UW_UGT,
                            UW_UGE
} uw_predicate;
uw_predicate uw_opposite(uw_predicate predicate); /* of what does not hold */
uw_predicate uw_swapped(uw_predicate predicate);  /* with the operands in each other's place */
MlirValue uw_compare(uw_builder *b, uw_predicate predicate, MlirValue left, MlirValue right);
MlirValue uw_binary(uw_builder *b, const char *name, MlirValue left, MlirValue right); /* of the operands' type */
MlirValue uw_with(uw_builder *b, const char *name, MlirValue left, int64_t right);     /* of an index and a constant */
MlirValue uw_and(uw_builder *b, MlirValue left, MlirValue right);                      /* right where left is null */
MlirValue uw_select(uw_builder *b, MlirValue condition, MlirValue yes, MlirValue no);
/* An integer or index as an index, or as an integer of 64 bits, with its sign. */
MlirValue uw_as_index(uw_builder *b, MlirValue value);
MlirValue uw_to_index(uw_builder *b, MlirValue value, bool is_signed); /* the same of an integer that may be unsigned */
MlirValue uw_as_i64(uw_builder *b, MlirValue value);
void uw_build_prefetch(uw_builder *b, MlirValue address, bool writes); /* into all caches */

MlirValue uw_splat(uw_builder *b, MlirValue scalar, int64_t lanes); /* a vector with it in each lane */
/* The address so many elements (i64) after another one, or so many bytes, or a constant number of bytes. It promises
 * nothing. Vectors of counts, of addresses or of both give a vector of addresses. */
MlirValue uw_add_elements(uw_builder *b, MlirValue address, MlirType element, MlirValue count);
MlirValue uw_add_bytes(uw_builder *b, MlirValue address, MlirValue bytes);
MlirValue uw_byte_address(uw_builder *b, MlirValue address, int64_t bytes);

MlirValue uw_build_text(uw_builder *b, MlirModule module, const char *text); /* the address of a constant */

/* Structured operations with empty bodies; give each body its terminator with uw_yield. */
MlirOperation uw_build_if(uw_builder *b, MlirValue condition, uw_type_list results); /* both blocks present */
MlirOperation uw_build_branch(uw_builder *b, MlirValue condition); /* an scf.if without results, with its terminators */
MlirOperation uw_build_for(uw_builder *b, MlirValue lower, MlirValue upper, MlirValue step, uw_value_list inits);
MlirOperation uw_build_while(uw_builder *b, uw_value_list inits,
                             uw_type_list results); /* before(inits), after(results) */
void uw_yield(MlirBlock block, MlirLocation location, uw_value_list values);

/* --- functions of the module -------------------------------------------------------------------------------------- */

/* The func.func or llvm.func of this name; null if there is none. */
MlirOperation uw_find_symbol(MlirModule module, const char *name);
/* Declares an llvm.func once a module. */
void uw_declare(MlirModule module, const char *name, const char *type);
/* The same of a function that computes, touches no memory and returns. */
void uw_declare_pure(MlirModule module, const char *name, MlirType type);
/* Calls it. Without a result when result is null. */
MlirOperation uw_call(uw_builder *b, const char *name, uw_value_list arguments, MlirType result);

/* --- walking ------------------------------------------------------------------------------------------------------ */

MlirBlock uw_block(MlirOperation op, unsigned region); /* the first block of the region; null if empty */
MlirOperation uw_first(MlirBlock block);
MlirOperation uw_next(MlirOperation op);
MlirOperation uw_prev(MlirOperation op); /* linear: for tests of neighbours, not for loops */
MlirOperation uw_last(MlirBlock block);  /* the terminator; null in an empty block */
MlirOperation uw_parent(MlirOperation op);
MlirOperation uw_parent_of_kind(MlirOperation op, uw_kind_t kind); /* nearest proper ancestor */
bool uw_null(MlirOperation op);
bool uw_same_op(MlirOperation a, MlirOperation b);
bool uw_same(MlirValue a, MlirValue b);
MlirOperation uw_ancestor_in(MlirBlock block, MlirOperation op); /* what op is or is inside of; null: nothing there */
bool uw_inside(MlirOperation op, MlirOperation ancestor);        /* op is ancestor or below it */
void uw_drop_lifetimes(uw_arena *arena, MlirValue memory);       /* of an alloca that becomes other memory: its marks */

#define uw_foreach_op(op, block_) for (MlirOperation op = uw_first(block_); !uw_null(op); op = uw_next(op))
/* The body may erase or move op itself. */
#define uw_foreach_op_safe(op, block_)                                                                                 \
  for (MlirOperation op = uw_first(block_), op##_next = uw_null(op) ? op : uw_next(op); !uw_null(op);                  \
       op = op##_next, op##_next = uw_null(op) ? op : uw_next(op))

/* Every operation below root (root itself not), outer before inner, as a list that survives changes to the IR. */
uw_ops uw_collect(uw_arena *arena, MlirOperation root);
uw_ops uw_collect_kind(uw_arena *arena, MlirOperation root, uw_kind_t kind);
uw_ops uw_block_ops(uw_arena *arena, MlirBlock block); /* terminator included */

/* --- values ------------------------------------------------------------------------------------------------------- */

MlirOperation uw_def(MlirValue value); /* null for block arguments */
MlirValue uw_operand(MlirOperation op, size_t index);
MlirValue uw_result(MlirOperation op, size_t index);
size_t uw_operand_count(MlirOperation op);
size_t uw_result_count(MlirOperation op);
intptr_t uw_region_count(MlirOperation op); /* scf.forall.in_parallel, which only ends a loop, counts as without */
MlirBlock uw_value_block(MlirValue value);  /* the block that defines it */
bool uw_defined_inside(MlirValue value, MlirOperation op); /* result or block argument at any depth below op */
bool uw_unused(MlirOperation op);                          /* no result has a use */
bool uw_used_once(MlirValue value);
unsigned uw_int_width(MlirValue value);                /* 64 of an index; 0: it is no integer */
bool uw_is_loop(MlirOperation op);                     /* a for or a while */
bool uw_is_zero(MlirValue value);                      /* as uw_const_value finds it */
bool uw_const_value(MlirValue value, int64_t *number); /* arith.constant or llvm.mlir.constant of an integer or index */
void uw_replace_uses(MlirValue from, MlirValue to);
/* Only uses at or below root. */
void uw_replace_uses_inside(MlirValue from, MlirValue to, MlirOperation root);
uint64_t uw_type_bytes(MlirType type); /* storage size on a 64-bit target, padded to its alignment */
uint64_t uw_type_align(MlirType type);
bool uw_type_is_array(MlirType type); /* !llvm.array */

/* No effect on memory, cannot trap, needs nothing but its operands: may run anywhere they are available. */
bool uw_speculatable(MlirOperation op);
/* Neither reads nor writes memory (it may trap, as a division can). */
bool uw_effect_free(MlirOperation op);
/* Is it said that the integer arithmetic does not wrap, as signed or as unsigned integers? */
bool uw_no_wrap(MlirOperation op, bool is_signed);
bool uw_wraps(MlirOperation op); /* has it no promise of that kind? */
bool uw_same_attributes(MlirOperation a, MlirOperation b);
/* A load or store that is neither volatile nor atomic. */
bool uw_plain_access(MlirOperation op);
/* Computes, and reads memory by plain or masked loads at most, with all that is in it: a branch or a loop of such
 * operations too. */
bool uw_only_reads(MlirOperation op);
/* Only uses of op's one result at any depth in the block. */
bool uw_used_only_inside(MlirOperation op, MlirBlock block);
bool uw_is_empty(MlirBlock block); /* null, or nothing but a terminator */

/* --- moving and copying ------------------------------------------------------------------------------------------- */

void uw_move_before(MlirOperation op, MlirOperation where);
void uw_move_to_end(MlirOperation op, MlirBlock block); /* before the terminator, if there is one */
void uw_erase(MlirOperation op);                        /* its results have no uses */
bool uw_drop_unused(
    uw_arena *arena,
    MlirOperation root); /* erases below root what has neither effects nor uses, loads and branches too; true if any */
void uw_take_arm(MlirOperation branch,
                 unsigned arm); /* in the place of an scf.if whose condition is known stands what it does */

/* value -> value */
typedef struct uw_map uw_map;
uw_map *uw_map_create(uw_arena *arena);
void uw_map_set(uw_map *map, MlirValue from, MlirValue to);
MlirValue uw_map_get(const uw_map *map, MlirValue from); /* null (ptr == NULL) if absent */
MlirValue uw_map_or_same(const uw_map *map, MlirValue from);
/* Copies op at the builder's position with its operands (at any depth) mapped; maps its results. */
MlirOperation uw_clone(uw_builder *b, MlirOperation op, uw_map *map);
/* The same for a getelementptr, without what it promises: for an address that may lie outside of the object. */
MlirOperation uw_clone_address(uw_builder *b, MlirOperation gep, uw_map *map);

/* A value computed again, from what stays as it is. */
typedef struct uw_again {
  bool (*stays)(const void *of, MlirValue value);
  const void *of;
  bool outside; /* addresses may lie outside of their objects: they promise nothing */
} uw_again;
bool uw_can_compute_again(const uw_again *again, MlirValue value);
MlirValue uw_compute_again(uw_builder *b, const uw_again *again, MlirValue value,
                           uw_map *map); /* what the map has is taken from there */

/* value -> small integer, and op -> small integer: absent is 0 */
typedef struct uw_table uw_table;
uw_table *uw_table_create(uw_arena *arena);
void uw_table_set(uw_table *table, const void *key, intptr_t number);
intptr_t uw_table_get(const uw_table *table, const void *key);

/* --- upstream passes ---------------------------------------------------------------------------------------------- */

/* Runs a pipeline in MLIR's textual form, without verifying in between. False after messages. */
bool uw_run_pipeline(MlirModule module, const char *pipeline);

/* --- diagnostics -------------------------------------------------------------------------------------------------- */

/* The user's error: file:line:column, the source line, a caret, on stderr. The text ends with the way out. */
void uw_error(MlirLocation location, const char *format, ...) __attribute__((format(printf, 2, 3)));
size_t uw_error_count(void);
/* The file that messages show lines of standard input from; null: there is none. */
void uw_set_standard_input(const char *file);
/* "file:line:column" of the innermost known location, "unknown location" if there is none. */
char *uw_place(uw_arena *arena, MlirLocation location);
/* "file:line" of that location and of each call that was inlined around it, a line each; "" if none is known. */
char *uw_places(uw_arena *arena, MlirLocation location);
/* The parts of that location; false if none is known, or the file's name has not room. */
bool uw_find_place(MlirLocation location, char *file, size_t room, int *line, int *column);
/* Our bug: prints the operation and where in the compiler, then aborts. */
#define uw_assert(op, condition) ((condition) ? (void)0 : uw_assert_failed((op), #condition, __FILE__, __LINE__))
_Noreturn void uw_assert_failed(MlirOperation op, const char *condition, const char *file, int line);
void uw_print_part(MlirStringRef part, void *stream); /* what MLIR prints with, to a FILE */
_Noreturn void uw_fatal(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
