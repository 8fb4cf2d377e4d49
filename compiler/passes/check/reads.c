/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parameters of a kernel that lead to memory which it only reads. The runtime is asked once a block (runtime/check/reads.c), as only there
 * it is known which parameters lead to the same memory:
 *
 *   %a = load param0, %b = load param1          uwrt_check_writes(%state, %b)
 *   parallel %t { load %a[i]; store %b[i] } ==> %bytes = uwrt_check_only_reads(%state, %a)
 *                                               parallel %t { __unwarp_check_read4(%state, %a[i], %a, %bytes, …); … }
 *
 * Holds when a) all that the kernel writes is known: its own variables, shared memory, device variables, and what is at a place that is
 * computed from a parameter; b) it calls nothing that may write: mathematical functions only. */
#include <string.h>

#include "../../raise/raise.h"
#include "reads.h"

typedef struct pointer {
  MlirValue value, bytes;
} pointer;

struct uw_reads {
  uw_arena *arena;
  MlirOperation entry, block_loop;
  pointer *read;
  size_t read_count, read_room;
  MlirValue *written;
  size_t written_count, written_room;
};

static MlirOperation root_of(MlirValue address) {
  MlirOperation op = uw_def(address);
  while (uw_kind(op) == UW_OP_LLVM_GEP || uw_kind(op) == UW_OP_LLVM_BITCAST)
    op = uw_def(uw_operand(op, 0));
  return op;
}

/* A pointer that the kernel was launched with: entry(dims, parameters): load (load (parameters + i) + offset), outside of the threads. */
static bool is_parameter(const uw_reads *r, MlirOperation root) {
  if (uw_null(root) || uw_kind(root) != UW_OP_LLVM_LOAD || !mlirTypeIsALLVMPointerType(mlirValueGetType(uw_result(root, 0))))
    return false;
  if (!mlirBlockEqual(mlirOperationGetBlock(root), uw_block(r->entry, 0)))
    return false;
  MlirOperation value = root_of(uw_operand(root, 0));
  if (uw_null(value) || uw_kind(value) != UW_OP_LLVM_LOAD)
    return false;
  MlirValue from = uw_operand(value, 0);
  while (!uw_null(uw_def(from)) && uw_kind(uw_def(from)) == UW_OP_LLVM_GEP)
    from = uw_operand(uw_def(from), 0);
  return uw_same(from, mlirBlockGetArgument(uw_block(r->entry, 0), 1));
}

static pointer *find_read(const uw_reads *r, MlirOperation root) {
  for (size_t i = 0; i < r->read_count; i++)
    if (uw_same(r->read[i].value, uw_result(root, 0)))
      return &r->read[i];
  return NULL;
}

static void note_read(uw_reads *r, MlirOperation root) {
  if (!is_parameter(r, root) || find_read(r, root))
    return;
  r->read = uw_grow(r->arena, r->read, r->read_count, &r->read_room, sizeof *r->read);
  r->read[r->read_count++] = (pointer){uw_result(root, 0), {NULL}};
}

/* Whether it is known what is written. */
static bool note_write(uw_reads *r, MlirOperation root) {
  if (uw_null(root))
    return false;
  uw_kind_t kind = uw_kind(root);
  if (kind == UW_OP_SHARED || kind == UW_OP_LLVM_ALLOCA || kind == UW_OP_LLVM_ADDRESSOF)
    return true;
  if (!is_parameter(r, root))
    return false;
  for (size_t i = 0; i < r->written_count; i++)
    if (uw_same(r->written[i], uw_result(root, 0)))
      return true;
  r->written = uw_grow(r->arena, r->written, r->written_count, &r->written_room, sizeof *r->written);
  r->written[r->written_count++] = uw_result(root, 0);
  return true;
}

/* Calls that touch no memory of the program's: mathematical functions, and what tells the checker something. */
static bool is_harmless(MlirOperation call) {
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  static const char *const known[] = {"__nv_", UW_CHECK_MASK, UW_NOTE_TILE, "uwrt_vprintf"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (callee.length >= strlen(known[i]) && memcmp(callee.data, known[i], strlen(known[i])) == 0)
      return true;
  return false;
}

/* Whether that is no writing, or writing that is known. */
static bool look_at(uw_reads *r, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD: note_read(r, root_of(uw_operand(op, 0))); return true;
  case UW_OP_LLVM_STORE: return note_write(r, root_of(uw_operand(op, 1)));
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: return note_write(r, root_of(uw_operand(op, 0)));
  case UW_OP_LLVM_CALL: return is_harmless(op);
  default: break;
  }
  if (uw_name_starts(op, "llvm.intr.mem"))
    return note_write(r, root_of(uw_operand(op, 0)));
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
  for (size_t i = 0; i < r->read_count; i++) {
    bool is_written = false;
    for (size_t k = 0; k < r->written_count; k++)
      is_written |= uw_same(r->written[k], r->read[i].value);
    if (!is_written)
      r->read[kept++] = r->read[i];
  }
  r->read_count = kept;
  return kept ? r : NULL;
}

void uw_ask_for_reads(uw_reads *r, MlirModule module, uw_builder *b, MlirValue state) {
  uw_declare(module, "uwrt_check_writes", "!llvm.func<void (ptr, ptr)>");
  uw_declare(module, "uwrt_check_only_reads", "!llvm.func<i64 (ptr, ptr)>");
  for (size_t i = 0; i < r->written_count; i++)
    uw_call(b, "uwrt_check_writes", VALS(state, r->written[i]), (MlirType){NULL});
  for (size_t i = 0; i < r->read_count; i++)
    r->read[i].bytes = uw_result(uw_call(b, "uwrt_check_only_reads", VALS(state, r->read[i].value), uw_int_type(b->context, 64)), 0);
}

MlirValue uw_only_read_bytes(const uw_reads *r, MlirOperation root) {
  pointer *found = r && !uw_null(root) && uw_kind(root) == UW_OP_LLVM_LOAD ? find_read(r, root) : NULL;
  return found ? found->bytes : (MlirValue){NULL};
}
