/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVVM tells kinds of memory apart by address space; on a CPU there is one. Before the spaces go, what they say is
 * kept:
 *
 *   space 3, shared    each `addressof` in a kernel becomes a use of one unwarp.shared at the kernel's start, which
 *                      launch.c moves out of the thread loop; all `extern __shared__` names are the dynamic part
 *                      (attribute unwarp.dynamic), aligned for each of them. One of them, UW_SHARED_WINDOW, says that
 *                      the kernel keeps shared addresses in 32 bits: all its unwarp.shared are marked unwarp.window.
 *                      So does UW_CLUSTER_WINDOW, which says that other blocks reach it.
 *                      What our headers put into the section .unwarp.scratch is not the user's (unwarp.uncounted).
 *                      More than a GPU's block may have is refused, as ptxas does: such a kernel runs nowhere else
 *   space 4, constant  loads from it are marked unwarp.readonly: no kernel changes that memory while it runs
 *
 * A load that clang marked invariant (__ldg, const __restrict__) becomes unwarp.readonly as well: its promise holds for
 * one kernel, and host code around it may write that memory.
 */
#include "raise.h"

#include "../../runtime/uwrt.h"
#include "../ir/shim.h"

#include <stdlib.h>

static unsigned global_space(MlirOperation global) { return (unsigned)uw_get_int_attr(global, "addr_space", 0); }

/* The global that an address is based on by constant steps; null if unknown. */
static MlirOperation base_global(MlirModule module, MlirValue address) {
  for (MlirOperation op = uw_def(address); !uw_null(op); op = uw_def(uw_operand(op, 0))) {
    uw_kind_t kind = uw_kind(op);
    if (kind == UW_OP_LLVM_ADDRESSOF) {
      MlirStringRef name = uw_get_str_attr(op, "global_name");
      uw_foreach_op (global, mlirModuleGetBody(module)) {
        MlirStringRef other = uw_get_str_attr(global, "sym_name");
        if (other.data && mlirStringRefEqual(name, other))
          return global;
      }
      break;
    }
    if (kind != UW_OP_LLVM_GEP && kind != UW_OP_LLVM_ADDRSPACECAST)
      break;
  }
  return (MlirOperation){NULL};
}

static void mark_readonly(MlirModule module, MlirOperation load) {
  MlirContext context = mlirModuleGetContext(module);
  MlirOperation global = base_global(module, uw_operand(load, 0));
  bool invariant = !mlirAttributeIsNull(uw_get_attr(load, "invariant"));
  if (invariant)
    uw_remove_attr(load, "invariant");
  if (invariant || (!uw_null(global) && uw_kind(global) == UW_OP_LLVM_GLOBAL && global_space(global) == 4))
    uw_set_attr(load, "unwarp.readonly", mlirUnitAttrGet(context));
}

/* The kernel's unwarp.shared for this global, made at its start on first use. */
static MlirValue shared_of(MlirOperation function, MlirOperation global) {
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock entry = uw_block(function, 0);
  MlirType type = mlirTypeAttrGetValue(uw_get_attr(global, "global_type"));
  bool of_runtime = uw_attr_is_str(global, "sym_name", UW_CLUSTER_WINDOW),
       dynamic = !of_runtime && uw_type_bytes(type) == 0;
  int64_t size = of_runtime ? UWRT_CLUSTER_HEADER : (int64_t)uw_type_bytes(type);
  MlirAttribute name = dynamic ? uw_str_attr(context, "") : uw_get_attr(global, "sym_name");
  int64_t align = uw_get_int_attr(global, "alignment", 16);
  align = align < 16 ? 16 : align;
  uw_foreach_op (op, entry)
    if (uw_kind(op) == UW_OP_SHARED && mlirAttributeEqual(uw_get_attr(op, "unwarp.name"), name)) {
      if (uw_get_int_attr(op, "alignment", 16) < align) /* another name of the dynamic part */
        uw_set_attr(op, "alignment", uw_int_attr(context, 64, align));
      return uw_result(op, 0);
    }
  uw_builder b = uw_at_start(entry, mlirOperationGetLocation(function));
  MlirValue bytes = uw_const_int(&b, 64, size);
  MlirOperation shared =
      uw_build(&b, "unwarp.shared", .in = VALS(bytes), .out = TYPES(uw_ptr_type(context)),
               .attrs = ATTRS({"alignment", uw_int_attr(context, 64, align)}, {"unwarp.name", name}));
  if (dynamic)
    uw_set_attr(shared, "unwarp.dynamic", mlirUnitAttrGet(context));
  if (of_runtime)
    uw_set_attr(shared, "unwarp.uncounted", mlirUnitAttrGet(context));
  if (uw_attr_is_str(global, "section", ".unwarp.scratch"))
    uw_set_attr(shared, "unwarp.uncounted", mlirUnitAttrGet(context));
  return uw_result(shared, 0);
}

/* A kernel that completes 32-bit shared addresses from that of the window has all its shared memory in one piece. */
static void mark_window(MlirOperation function) {
  MlirBlock entry = uw_block(function, 0);
  uw_foreach_op (op, entry)
    if (uw_kind(op) == UW_OP_SHARED)
      uw_set_attr(op, "unwarp.window", mlirUnitAttrGet(mlirOperationGetContext(function)));
}

static char *shown(MlirStringRef symbol, uw_arena *arena) {
  char *demangled = uw_shim_demangle(uw_arena_format(arena, "%.*s", (int)symbol.length, symbol.data));
  char *copy = uw_arena_format(arena, "%s", demangled);
  free(demangled);
  return copy;
}

static bool check_size(MlirOperation function, uw_arena *arena) {
  int64_t bytes = 0, most = 0;
  MlirOperation largest = {NULL};
  uw_foreach_op (op, uw_block(function, 0)) {
    int64_t size = 0;
    if (uw_kind(op) != UW_OP_SHARED || !uw_const_value(uw_operand(op, 0), &size) ||
        !mlirAttributeIsNull(uw_get_attr(op, "unwarp.uncounted")))
      continue;
    bytes += size;
    if (size > most) {
      most = size;
      largest = op;
    }
  }
  if (bytes <= UWRT_SHARED_DEFAULT)
    return true;
  uw_error(
      mlirOperationGetLocation(function),
      "'%s' has %lld bytes of shared memory, '%s' most of them; at most %u can be declared. Make it `extern "
      "__shared__`, give "
      "the launch its size, and raise the limit by cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize)",
      shown(uw_get_str_attr(function, "sym_name"), arena), (long long)bytes,
      shown(uw_get_str_attr(largest, "unwarp.name"), arena), UWRT_SHARED_DEFAULT);
  return false;
}

static void flatten(MlirValue value, MlirType plain) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsALLVMPointerType(type) && mlirLLVMPointerTypeGetAddressSpace(type) != 0)
    mlirValueSetType(value, plain);
}

bool uw_raise_spaces(MlirModule module, uw_arena *arena) {
  MlirType plain = uw_ptr_type(mlirModuleGetContext(module));
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  uw_ops windowed = {0}; /* functions */
  bool ok = true;
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_LOAD)
      mark_readonly(module, ops.at[i]);
  for (size_t i = 0; i < ops.count; i++) {
    if (uw_kind(ops.at[i]) != UW_OP_LLVM_ADDRESSOF)
      continue;
    MlirOperation global = base_global(module, uw_result(ops.at[i], 0));
    if (uw_null(global) || uw_kind(global) != UW_OP_LLVM_GLOBAL || global_space(global) != 3)
      continue;
    MlirOperation function = uw_parent_of_kind(ops.at[i], UW_OP_LLVM_FUNC);
    if (uw_null(function)) {
      uw_error(mlirOperationGetLocation(global), "the address of a shared variable stands in a global's initial value; "
                                                 "take it inside the kernel");
      ok = false;
      continue;
    }
    uw_replace_uses(uw_result(ops.at[i], 0), shared_of(function, global));
    if (uw_attr_is_str(global, "sym_name", UW_SHARED_WINDOW) || uw_attr_is_str(global, "sym_name", UW_CLUSTER_WINDOW))
      uw_ops_push(arena, &windowed, function);
  }
  for (size_t i = 0; i < windowed.count; i++)
    mark_window(windowed.at[i]);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_FUNC && !mlirRegionIsNull(mlirOperationGetFirstRegion(ops.at[i])) &&
        !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(ops.at[i]))))
      ok &= check_size(ops.at[i], arena);
  for (size_t i = 0; i < ops.count; i++) {
    MlirOperation op = ops.at[i];
    for (size_t r = 0; r < uw_result_count(op); r++)
      flatten(uw_result(op, r), plain);
    for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
         region = mlirRegionGetNextInOperation(region))
      for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
           block = mlirBlockGetNextInRegion(block))
        for (intptr_t a = 0; a < mlirBlockGetNumArguments(block); a++)
          flatten(mlirBlockGetArgument(block, a), plain);
  }
  /* Casts are copies now; shared globals have no use left; the others are plain. */
  for (size_t i = ops.count; i-- > 0;) {
    MlirOperation op = ops.at[i];
    if (uw_kind(op) == UW_OP_LLVM_ADDRSPACECAST) {
      uw_replace_uses(uw_result(op, 0), uw_operand(op, 0));
      uw_erase(op);
    } else if (uw_kind(op) == UW_OP_LLVM_ADDRESSOF && uw_unused(op)) {
      uw_erase(op);
    } else if (uw_kind(op) == UW_OP_LLVM_GLOBAL && global_space(op) != 0) {
      if (global_space(op) == 3)
        mlirOperationDestroy(op);
      else
        uw_set_attr(op, "addr_space", uw_int_attr(mlirModuleGetContext(module), 32, 0));
    }
  }
  return ok;
}
