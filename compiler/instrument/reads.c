/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parameters of a kernel that lead to memory which it only reads, and variables of the device that it only reads, as
 * constants are. The runtime is asked once a block (runtime/check/reads.c), as only there it is known which of them
 * lead to the same memory:
 *
 *   %a = load param0, %b = load param1          uwrt_check_writes(%state, %b)
 *   parallel %t { load %a[i]; store %b[i] } ==> %bytes = uwrt_check_only_reads(%state, %a)
 *                                               parallel %t { __unwarp_check_read4(%state, %a[i], %a, %bytes, …); … }
 *
 * Holds when a) all that the kernel writes is known: its own variables, shared memory, device variables, and what is at
 * an address that is computed from a parameter; b) it calls nothing that may write: mathematical functions only. */
#include <string.h>

#include "../raise/raise.h"
#include "reads.h"
#include "address_roots.h"

typedef struct pointer {
  MlirValue value; /* a parameter; null: */
  MlirStringRef variable;
  MlirValue bytes;
} pointer;

struct uw_reads {
  uw_arena *arena;
  MlirOperation entry, block_loop;
  pointer *read;
  size_t read_count, read_room;
  pointer *written;
  size_t written_count, written_room;
};

/* What the root is, if it is a parameter or a variable. */
static bool is_pointer(const uw_reads *r, MlirOperation root, pointer *found) {
  *found = (pointer){0};
  if (uw_null(root))
    return false;
  if (uw_kind(root) == UW_OP_LLVM_ADDRESSOF)
    found->variable = uw_get_str_attr(root, "global_name");
  else if (uw_is_parameter_of(r->entry, root))
    found->value = uw_result(root, 0);
  return found->variable.length || found->value.ptr;
}

static bool is_same(const pointer *one, const pointer *other) {
  if (one->value.ptr || other->value.ptr)
    return uw_same(one->value, other->value);
  return one->variable.length == other->variable.length &&
         memcmp(one->variable.data, other->variable.data, one->variable.length) == 0;
}

static pointer *find(pointer *list, size_t count, const pointer *wanted) {
  for (size_t i = 0; i < count; i++)
    if (is_same(&list[i], wanted))
      return &list[i];
  return NULL;
}

static void note_read(uw_reads *r, MlirOperation root) {
  pointer read;
  if (!is_pointer(r, root, &read) || find(r->read, r->read_count, &read))
    return;
  r->read = uw_grow(r->arena, r->read, r->read_count, &r->read_room, sizeof *r->read);
  r->read[r->read_count++] = read;
}

/* Whether it is known what is written. */
static bool note_write(uw_reads *r, MlirOperation root) {
  pointer written;
  if (!uw_null(root) && (uw_kind(root) == UW_OP_SHARED || uw_kind(root) == UW_OP_LLVM_ALLOCA))
    return true;
  if (!is_pointer(r, root, &written))
    return false;
  if (find(r->written, r->written_count, &written))
    return true;
  r->written = uw_grow(r->arena, r->written, r->written_count, &r->written_room, sizeof *r->written);
  r->written[r->written_count++] = written;
  return true;
}

/* Whether that is no writing, or writing that is known. */
static bool look_at(uw_reads *r, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD: note_read(r, uw_root_of(uw_operand(op, 0))); return true;
  case UW_OP_LLVM_STORE: return note_write(r, uw_root_of(uw_operand(op, 1)));
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return note_write(r, uw_root_of(uw_operand(op, 0)));
  case UW_OP_LLVM_CALL: return uw_is_harmless_call(op);
  default: break;
  }
  if (uw_name_starts(op, "llvm.intr.mem"))
    return note_write(r, uw_root_of(uw_operand(op, 0)));
  return !uw_string_is(uw_name(op), "llvm.inline_asm") && !uw_name_starts(op, "llvm.call_intrinsic");
}

uw_reads *uw_find_reads(uw_arena *arena, MlirOperation entry, MlirOperation block_loop) {
  uw_reads *r = uw_alloc(arena, sizeof *r);
  *r = (uw_reads){.arena = arena, .entry = entry, .block_loop = block_loop};
  uw_ops ops = uw_collect(arena, block_loop);
  for (size_t i = 0; i < ops.count; i++)
    if (!look_at(r, ops.at[i]))
      return NULL;
  size_t kept = 0;
  for (size_t i = 0; i < r->read_count; i++)
    if (!find(r->written, r->written_count, &r->read[i]))
      r->read[kept++] = r->read[i];
  r->read_count = kept;
  return kept ? r : NULL;
}

static MlirValue address_of(uw_builder *b, const pointer *at) {
  if (at->value.ptr)
    return at->value;
  return uw_build1(b, "llvm.mlir.addressof", .out = TYPES(uw_ptr_type(b->context)),
                   .attrs = ATTRS({"global_name", mlirFlatSymbolRefAttrGet(b->context, at->variable)}));
}

void uw_ask_for_reads(uw_reads *r, MlirModule module, uw_builder *b, MlirValue state) {
  uw_declare(module, "uwrt_check_writes", "!llvm.func<void (ptr, ptr)>");
  uw_declare(module, "uwrt_check_only_reads", "!llvm.func<i64 (ptr, ptr)>");
  for (size_t i = 0; i < r->written_count; i++)
    uw_call(b, "uwrt_check_writes", VALS(state, address_of(b, &r->written[i])), (MlirType){NULL});
  for (size_t i = 0; i < r->read_count; i++)
    r->read[i].bytes = uw_result(
        uw_call(b, "uwrt_check_only_reads", VALS(state, address_of(b, &r->read[i])), uw_int_type(b->context, 64)), 0);
}

MlirValue uw_only_read_bytes(const uw_reads *r, MlirOperation root) {
  pointer wanted, *found = r && is_pointer(r, root, &wanted) ? find(r->read, r->read_count, &wanted) : NULL;
  return found ? found->bytes : (MlirValue){NULL};
}
