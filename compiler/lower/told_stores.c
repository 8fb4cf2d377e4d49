/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Stores in loops that wait (raise/waiting_blocks.c): the runtime is told where they change memory, since others may wait for that.
 * A thread that stores what is there already gets no further by it:
 *
 *   *p = v;          ==>          if (*p != v) uwrt_thread_moved(); *p = v;
 *
 * That comes so late because passes would take the look for an access of the program's, which lanes in step order.
 */
#include "../raise/raise.h"
#include "lower.h"

static const char moved[] = "uwrt_thread_moved";

static void tell(MlirModule module, uw_builder b) {
  uw_declare(module, moved, "!llvm.func<void ()>");
  uw_call(&b, moved, (uw_value_list){0}, (MlirType){NULL});
}

/* A value of the type as an integer; null where that is not a number or an address. */
static MlirValue bits_of(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAInteger(type))
    return value;
  bool number = mlirTypeIsAF32(type) || mlirTypeIsAF64(type) || mlirTypeIsAF16(type) || mlirTypeIsABF16(type);
  if (!number && !mlirTypeIsALLVMPointerType(type))
    return (MlirValue){NULL};
  MlirType bits = uw_int_type(b->context, (unsigned)uw_type_bytes(type) * 8);
  return uw_build1(b, number ? "llvm.bitcast" : "llvm.ptrtoint", .in = VALS(value), .out = TYPES(bits));
}

/* As the store is: volatile, or atomic. */
static MlirValue look(uw_builder *b, MlirOperation store) {
  enum { MONOTONIC = 2 };
  MlirValue old =
      uw_build1(b, "llvm.load", .in = VALS(uw_operand(store, 1)), .out = TYPES(mlirValueGetType(uw_operand(store, 0))));
  static const char *const same[] = {"volatile_", "alignment"};
  for (size_t i = 0; i < sizeof same / sizeof *same; i++)
    if (!mlirAttributeIsNull(uw_get_attr(store, same[i])))
      uw_set_attr(uw_def(old), same[i], uw_get_attr(store, same[i]));
  if (uw_get_int_attr(store, "ordering", 0))
    uw_set_attr(uw_def(old), "ordering", uw_int_attr(b->context, 64, MONOTONIC));
  return old;
}

static void tell_of(MlirModule module, MlirOperation store) {
  uw_builder b = uw_at(store);
  MlirValue now = bits_of(&b, uw_operand(store, 0));
  if (!now.ptr) {
    tell(module, b);
    return;
  }
  MlirValue differs = uw_compare(&b, UW_NE, bits_of(&b, look(&b, store)), now);
  MlirOperation choice = uw_build_if(&b, differs, (uw_type_list){0});
  tell(module, uw_at_end(uw_block(choice, 0), b.location));
  uw_yield(uw_block(choice, 0), b.location, (uw_value_list){0});
  uw_yield(uw_block(choice, 1), b.location, (uw_value_list){0});
}

void uw_lower_told_stores(MlirModule module, uw_arena *arena) {
  uw_ops stores = uw_collect_kind(arena, mlirModuleGetOperation(module), UW_OP_LLVM_STORE);
  for (size_t i = 0; i < stores.count; i++)
    if (!mlirAttributeIsNull(uw_get_attr(stores.at[i], UW_TOLD))) {
      uw_remove_attr(stores.at[i], UW_TOLD);
      tell_of(module, stores.at[i]);
    }
}
