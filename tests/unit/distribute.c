/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loops taken apart by what their bodies do (transform/distribute.h): which statements there are, what has to stay
 * together, and the loops that come out.
 *
 * Objects: ir analysis transform
 */
#include <stdio.h>

#include "../../compiler/transform/distribute.h"

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

/* Two stores of what is computed, and a third one of what is loaded. */
static const char text[] = "func.func @f(%n: index, %p: !llvm.ptr, %q: !llvm.ptr, %v: i64) {\n"
                           "  %zero = arith.constant 0 : index\n"
                           "  %one = arith.constant 1 : index\n"
                           "  scf.forall (%x) in (%n) {\n"
                           "    %i = arith.index_cast %x : index to i64\n"
                           "    %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64\n"
                           "    %b = llvm.getelementptr %q[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i64\n"
                           "    llvm.store %i, %a : i64, !llvm.ptr\n"
                           "    %l = llvm.load %b : !llvm.ptr -> i64\n"
                           "    %s = arith.addi %l, %v : i64\n"
                           "    llvm.store %s, %b : i64, !llvm.ptr\n"
                           "  } {mapping = [#gpu.thread<x>]}\n"
                           "  return\n"
                           "}\n";

static void check_loops(uw_arena *arena, MlirOperation function) {
  uw_ops loops = uw_collect_kind(arena, function, UW_OP_SCF_FORALL);
  const size_t loads[] = {0, 1};
  CHECK(loops.count == 2);
  for (size_t i = 0; i < loops.count && i < 2; i++) {
    CHECK(uw_collect_kind(arena, loops.at[i], UW_OP_LLVM_STORE).count == 1);
    CHECK(uw_collect_kind(arena, loops.at[i], UW_OP_LLVM_LOAD).count == loads[i]);
    CHECK(uw_collect_kind(arena, loops.at[i], UW_OP_ARITH_ADDI).count == loads[i]);
    CHECK(uw_get_int_attr(loops.at[i], "unwarp.here", 0) == 7);
  }
}

int main(void) {
  MlirContext context = uw_context_create();
  MlirModule module = mlirModuleCreateParse(context, uw_str(text));
  MlirOperation function = uw_find_symbol(module, "f");
  uw_arena *arena = uw_arena_create();
  uw_parts all = {.arena = arena, .loop = uw_collect_kind(arena, function, UW_OP_SCF_FORALL).at[0]};
  CHECK(uw_parts_collect(&all) && all.count == 3);
  for (size_t i = 0; i < all.count; i++)
    all.at[i].part = i;
  size_t parts = uw_parts_merge(&all);
  CHECK(parts == 2 && all.at[0].part == 0 && all.at[1].part == 1 && all.at[2].part == 1);
  uw_parts_split(&all, parts, "unwarp.here", 7);
  check_loops(arena, function);
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
  uw_arena_destroy(arena);
  return failures != 0;
}
