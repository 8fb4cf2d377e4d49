/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Puts the checks of -fcheck into kernels, while threads, blocks and barriers are there as such:
 *
 *   parallel %block (grid) {                     parallel %block (grid) {
 *     %s = unwarp.shared                           %state = uwrt_check_block(%dims, %block)
 *                                                  %s = unwarp.shared {checked}; uwrt_check_shared(%state, %s, …)
 *     parallel %t (block) {                        parallel %t (block) {
 *       store %v, %p                      ==>        __unwarp_check_store4(%state, %p, site, %t, %v); store %v, %p
 *       barrier                                      __unwarp_check_arrive(…); barrier; __unwarp_check_pass(…)
 *       load %q } }                                  __unwarp_check_load4(%state, %q, site, %t); load %q }
 *                                                  uwrt_check_block_end(%state) }
 *
 * A function that stayed a call asks the runtime for the block, and the kernel leaves the thread's index there before
 * a call. The checks of single accesses are inlined later (libdevice/check/access.c); the others are the runtime's
 * (runtime/check/). Does nothing in a module without the attribute unwarp.check.
 * Requires: to run before all passes that drop or move accesses. Preserves: what the program does.
 * Leaves alone: parameters and what the runtime keeps for a kernel; fetches from textures. */
#include <string.h>

#include "../ir/block_numbers.h"
#include "../ir/known_calls.h"
#include "../../runtime/uwrt.h"
#include "../analysis/bases.h"
#include "../ir/parallel.h"
#include "../transform/thread_loop.h"
#include "../passes/passes.h"
#include "parallel_blocks.h"
#include "polls.h"
#include "guards.h"
#include "phases.h"
#include "reads.h"
#include "address_roots.h"
#include "check_sites.h"

typedef struct checks {
  uw_arena *arena;
  MlirModule module;
  uw_sites sites;
  MlirType ptr, i32, i64;
  /* of the code at hand */
  MlirValue state, first_site, thread;
  uw_phases *phases;       /* null: not a kernel's body */
  uw_reads *reads;         /* null: not a kernel's body, or it has none */
  MlirValue mask;          /* of the next exchange of the warp; null: not said */
  bool has_fences;         /* the module: a compare-and-swap may take a lock */
  bool by_tile;            /* the next barrier of the block is one of a part of it */
  uw_ops gone;             /* to be erased at the end: phases know them */
  MlirOperation arguments; /* the function whose second argument are a kernel's parameters; null: none */
} checks;

static bool wants(const checks *c, int64_t classes) { return (c->sites.classes & classes) != 0; }
static bool wants_accesses(const checks *c) { return wants(c, UWRT_CHECK_MEMORY | UWRT_CHECK_RACE | UWRT_CHECK_INIT); }

static MlirValue site_at(checks *c, uw_builder *b, int64_t number) {
  return uw_binary(b, "arith.addi", c->first_site, uw_const_int(b, 32, number));
}

/* --- what is accessed --------------------------------------------------------------------------------------------- */

/* What our own headers exchange values in (mma.h) is in order, as each warp passes it by itself. */
static bool is_scratch(const checks *c, MlirOperation root) {
  return uw_kind(root) == UW_OP_SHARED &&
         strncmp(uw_object_name(c->arena, uw_get_str_attr(root, "unwarp.name")), "__uw_", strlen("__uw_")) == 0;
}

/* An object of known size: its bytes and name; 0 if the root is none. */
static int64_t object_of(checks *c, MlirOperation root, const char **name, bool *is_constant) {
  int64_t count = 0;
  *name = "";
  *is_constant = false;
  if (uw_kind(root) == UW_OP_LLVM_ALLOCA) {
    MlirAttribute type = uw_get_attr(root, "elem_type");
    if (mlirAttributeIsNull(type) || !uw_const_value(uw_operand(root, 0), &count))
      return 0;
    *name = "a local variable";
    return count * (int64_t)uw_type_bytes(mlirTypeAttrGetValue(type));
  }
  if (uw_kind(root) == UW_OP_SHARED) {
    MlirStringRef of = uw_get_str_attr(root, "unwarp.name");
    *name = of.length ? uw_arena_format(c->arena, "shared %s", uw_object_name(c->arena, of)) : "dynamic shared memory";
    return uw_const_value(uw_operand(root, 0), &count) ? count : 0;
  }
  if (uw_kind(root) == UW_OP_LLVM_ADDRESSOF) {
    MlirStringRef symbol = uw_get_str_attr(root, "global_name");
    MlirOperation global =
        uw_find_symbol(c->module, uw_arena_format(c->arena, "%.*s", (int)symbol.length, symbol.data));
    if (uw_null(global) || uw_kind(global) != UW_OP_LLVM_GLOBAL)
      return 0;
    *is_constant = uw_has_unit(global, "constant");
    *name = uw_object_name(c->arena, symbol);
    return (int64_t)uw_type_bytes(
        mlirTypeAttrGetValue(uw_get_attr(global, "global_type"))); /* 0: declared elsewhere as [] */
  }
  return 0;
}

/* In 64 bits, for the report; 0 for what is no number. */
static MlirValue bits_of(checks *c, uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsALLVMPointerType(type))
    return uw_build1(b, "llvm.ptrtoint", .in = VALS(value), .out = TYPES(c->i64));
  if (mlirTypeIsAFloat(type) && uw_type_bytes(type) <= 8) {
    type = uw_int_type(b->context, (unsigned)uw_type_bytes(type) * 8);
    value = uw_build1(b, "llvm.bitcast", .in = VALS(value), .out = TYPES(type));
  }
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) > 64)
    return uw_const_int(b, 64, 0);
  return mlirIntegerTypeGetWidth(type) == 64 ? value
                                             : uw_build1(b, "arith.extui", .in = VALS(value), .out = TYPES(c->i64));
}

/* --- single accesses ---------------------------------------------------------------------------------------------- */

static void check_object(checks *c, uw_builder *b, MlirValue address, int64_t bytes, MlirOperation root, MlirValue size,
                         int64_t site) {
  if (!wants(c, UWRT_CHECK_MEMORY))
    return;
  uw_declare(c->module, "__unwarp_check_object", "!llvm.func<void (ptr, ptr, i64, ptr, i64, i32, i32)>");
  uw_call(b, "__unwarp_check_object",
          VALS(c->state, address, uw_const_int(b, 64, bytes), uw_result(root, 0), size, site_at(c, b, site), c->thread),
          (MlirType){NULL});
}

static bool is_unused(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (!uw_effect_free(user) || uw_result_count(user) != 1 || !is_unused(uw_result(user, 0)))
      return false;
  }
  return true;
}

/* A store, in the words of an exchange. */
static bool is_blind(MlirOperation op) {
  enum { EXCHANGE = 0 };
  return uw_kind(op) == UW_OP_LLVM_ATOMICRMW && uw_get_int_attr(op, "bin_op", -1) == EXCHANGE &&
         (uw_has_unit(op, UW_UNUSED) || is_unused(uw_result(op, 0)));
}

static int64_t order_of(MlirOperation op, int64_t ordering) {
  enum { ACQUIRE = 4, RELEASE = 5, BOTH = 6 }; /* LLVM's; sequentially consistent is more than both */
  return (ordering == ACQUIRE || ordering >= BOTH ? UWRT_CHECK_ACQUIRES : 0) |
         (ordering >= RELEASE ? UWRT_CHECK_RELEASES : 0) | (uw_has_unit(op, UW_OF_BLOCK) ? UWRT_CHECK_OF_BLOCK : 0);
}

static bool has_fences(uw_arena *arena, MlirModule module) {
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  for (size_t i = 0; i < ops.count; i++)
    if (uw_kind(ops.at[i]) == UW_OP_LLVM_FENCE ||
        (order_of(ops.at[i],
                  uw_get_int_attr(ops.at[i], "success_ordering", uw_get_int_attr(ops.at[i], "ordering", 0))) &
         (UWRT_CHECK_ACQUIRES | UWRT_CHECK_RELEASES)))
      return true;
  return false;
}

/* Kept for its check alone (frontend/unused_loads.c). */
static bool is_unused_load(MlirOperation op) {
  return uw_kind(op) == UW_OP_LLVM_LOAD && uw_has_unit(op, "volatile_") && uw_has_unit(op, "nontemporal") &&
         is_unused(uw_result(op, 0));
}

static int64_t kind_of(MlirOperation op) {
  int64_t ordering = uw_get_int_attr(op, "ordering", 0), kind;
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
    kind =
        ordering || (uw_has_unit(op, "volatile_") && !is_unused_load(op)) ? UWRT_CHECK_MEETING_LOAD : UWRT_CHECK_LOAD;
    break;
  case UW_OP_LLVM_STORE:
    kind = ordering || uw_has_unit(op, "volatile_") ? UWRT_CHECK_MEETING_STORE : UWRT_CHECK_STORE;
    break;
  default: kind = UWRT_CHECK_ATOMIC; ordering = uw_get_int_attr(op, "success_ordering", ordering);
  }
  return kind | order_of(op, ordering) |
         (uw_has_unit(op, "volatile_") && !ordering && !is_unused_load(op) ? UWRT_CHECK_VOLATILE : 0) |
         (is_blind(op) ? UWRT_CHECK_BLIND : 0);
}

static void check_access(checks *c, MlirOperation op) {
  bool stores = uw_kind(op) == UW_OP_LLVM_STORE;
  MlirValue address = uw_operand(op, stores ? 1 : 0), value = {NULL};
  MlirType type = mlirValueGetType(stores                           ? uw_operand(op, 0)
                                   : uw_kind(op) == UW_OP_LLVM_LOAD ? uw_result(op, 0)
                                                                    : uw_operand(op, 1));
  int64_t bytes = uw_access_bytes(type), alignment = uw_get_int_attr(op, "alignment", (int64_t)uw_type_align(type)),
          kind = kind_of(op);
  MlirOperation root = uw_root_of(address);
  const char *name;
  bool is_constant;
  if (bytes <= 0 || uw_is_of_launch(c->arguments, root) || is_scratch(c, root))
    return;
  int64_t size = object_of(c, root, &name, &is_constant);
  bool of_shared = uw_kind(root) == UW_OP_SHARED, of_stack = uw_kind(root) == UW_OP_LLVM_ALLOCA;
  if (of_stack && (!size || (uw_same(address, uw_result(root, 0)) && bytes <= size)))
    return;
  uw_builder b = uw_at(op);
  int64_t site = uw_site_of(&c->sites, op, bytes, alignment, name);
  bool is_only_read = of_shared && kind == UWRT_CHECK_LOAD && c->phases && uw_is_only_read(c->phases, op, root);
  if (size)
    check_object(c, &b, address, bytes, root, uw_const_int(&b, 64, size), site);
  else if (is_only_read)
    check_object(c, &b, address, bytes, root, uw_operand(root, 0), site);
  if (of_stack || is_constant || (is_only_read && !wants(c, UWRT_CHECK_INIT)))
    return;
  if (kind == UWRT_CHECK_LOAD && bytes <= 8 && !is_only_read && wants(c, UWRT_CHECK_RACE) && uw_is_guard(c->arena, op))
    kind |= UWRT_CHECK_GUARD;
  if (c->has_fences && wants(c, UWRT_CHECK_RACE))
    kind |= uw_kind(op) == UW_OP_LLVM_CMPXCHG                                         ? UWRT_CHECK_SWAPS
            : (kind & UWRT_CHECK_KIND) >= UWRT_CHECK_ATOMIC && uw_polls(c->arena, op) ? UWRT_CHECK_POLLS
                                                                                      : 0;
  if (of_shared) /* it is the block's */
    kind &= ~UWRT_CHECK_OF_BLOCK;
  bool has_width = bytes <= 16 && (bytes & (bytes - 1)) == 0 && alignment >= bytes;
  if (is_only_read && has_width) { /* nobody races for it: that it was written is all there is to ask */
    const char *function = uw_arena_format(c->arena, UW_CHECK_FILLED_READ "%lld", (long long)bytes);
    uw_declare(c->module, function, "!llvm.func<void (ptr, ptr, ptr, i32, i32)>");
    uw_declare(c->module, UW_CHECK_FILLED, "!llvm.func<i64 (ptr, ptr)>");
    uw_call(&b, function, VALS(c->state, address, uw_result(root, 0), site_at(c, &b, site), c->thread),
            (MlirType){NULL});
    return;
  }
  MlirValue read = kind == UWRT_CHECK_LOAD && has_width ? uw_only_read_bytes(c->reads, root) : (MlirValue){NULL};
  if (read.ptr) {
    const char *function = uw_arena_format(c->arena, "__unwarp_check_read%lld", (long long)bytes);
    uw_declare(c->module, function, "!llvm.func<void (ptr, ptr, ptr, i64, i32, i32)>");
    uw_call(&b, function, VALS(c->state, address, uw_result(root, 0), read, site_at(c, &b, site), c->thread),
            (MlirType){NULL});
    return;
  }
  value = uw_kind(op) == UW_OP_LLVM_LOAD ? uw_const_int(&b, 64, 0) : bits_of(c, &b, uw_operand(op, stores ? 0 : 1));
  static const char *const inlined[] = {
      [UWRT_CHECK_LOAD] = "load", [UWRT_CHECK_STORE] = "store", [UWRT_CHECK_ATOMIC] = "atomic"};
  bool is_of_block = kind == (UWRT_CHECK_ATOMIC | UWRT_CHECK_OF_BLOCK);
  if ((is_of_block || kind < (int64_t)(sizeof inlined / sizeof *inlined)) && has_width) {
    const char *function = uw_arena_format(c->arena, "__unwarp_check_%s%s%lld",
                                           of_shared     ? "shared_"
                                           : is_of_block ? "block_"
                                                         : "",
                                           inlined[is_of_block ? UWRT_CHECK_ATOMIC : kind], (long long)bytes);
    uw_declare(c->module, function, "!llvm.func<void (ptr, ptr, i32, i32, i64)>");
    uw_call(&b, function, VALS(c->state, address, site_at(c, &b, site), c->thread, value), (MlirType){NULL});
    return;
  }
  uw_declare(c->module, "uwrt_check_access", "!llvm.func<void (ptr, ptr, i64, i32, i32, i32, i64)>");
  uw_call(&b, "uwrt_check_access",
          VALS(c->state, address, uw_const_int(&b, 64, bytes), site_at(c, &b, site), c->thread,
               uw_const_int(&b, 32, kind | (of_shared ? UWRT_CHECK_OF_SHARED : 0)), value),
          (MlirType){NULL});
}

static bool is_checked(const checks *c, MlirOperation root) {
  return uw_kind(root) != UW_OP_LLVM_ALLOCA && !uw_is_of_launch(c->arguments, root) && !is_scratch(c, root);
}

/* What addresses of the bytes that a copy or fill moves at once are a multiple of: of a structure that says so, as
 * float4 does, a GPU moves 16 at most. */
static int64_t alignment_of_bulk(MlirOperation op, size_t places) {
  enum { AT_ONCE = 16 };
  MlirAttribute attributes = uw_get_attr(op, "arg_attrs");
  int64_t least = AT_ONCE;
  for (size_t i = 0; i < places; i++) {
    MlirAttribute one = mlirAttributeIsNull(attributes) || (intptr_t)i >= mlirArrayAttrGetNumElements(attributes)
                            ? (MlirAttribute){NULL}
                            : mlirArrayAttrGetElement(attributes, (intptr_t)i);
    MlirAttribute align =
        mlirAttributeIsNull(one) ? one : mlirDictionaryAttrGetElementByName(one, uw_str("llvm.align"));
    int64_t bytes = mlirAttributeIsNull(align) ? 1 : mlirIntegerAttrGetValueInt(align);
    least = bytes < least ? bytes : least;
  }
  return least;
}

/* memcpy, memmove, memset: their addresses may be of any kind. */
static void check_bulk(checks *c, MlirOperation op) {
  bool fills = uw_string_is(uw_name(op), "llvm.intr.memset");
  uw_builder b = uw_at(op);
  int64_t site = uw_site_of(&c->sites, op, 0, alignment_of_bulk(op, fills ? 1 : 2), "");
  MlirValue bytes = uw_operand(op, 2), sources[2] = {uw_operand(op, 0), uw_operand(op, 1)};
  if (mlirIntegerTypeGetWidth(mlirValueGetType(bytes)) < 64)
    bytes = uw_build1(&b, "arith.extui", .in = VALS(bytes), .out = TYPES(c->i64));
  uw_declare(c->module, "uwrt_check_access", "!llvm.func<void (ptr, ptr, i64, i32, i32, i32, i64)>");
  uw_declare(c->module, "uwrt_check_move", "!llvm.func<void (ptr, ptr, ptr, i64, i32, i32)>");
  bool moves = !fills;
  for (size_t i = 0; i < (fills ? 1 : 2); i++) {
    MlirOperation root = uw_root_of(sources[i]);
    moves = moves && is_checked(c, root);
  }
  if (moves) { /* both at once: what was never written is no news to the other address */
    uw_call(&b, "uwrt_check_move", VALS(c->state, sources[0], sources[1], bytes, site_at(c, &b, site), c->thread),
            (MlirType){NULL});
    return;
  }
  for (size_t i = 0; i < (fills ? 1 : 2); i++) {
    MlirOperation root = uw_root_of(sources[i]);
    int64_t kind = i ? UWRT_CHECK_LOAD : UWRT_CHECK_STORE;
    if (is_checked(c, root))
      uw_call(&b, "uwrt_check_access",
              VALS(c->state, sources[i], bytes, site_at(c, &b, site), c->thread,
                   uw_const_int(&b, 32, kind | (uw_kind(root) == UW_OP_SHARED ? UWRT_CHECK_OF_SHARED : 0)),
                   uw_const_int(&b, 64, 0)),
              (MlirType){NULL});
  }
}

/* --- threads together --------------------------------------------------------------------------------------------- */

static void check_block_exchange(checks *c, MlirOperation op) {
  uw_builder before = uw_at(op), after = uw_after(op);
  MlirValue scope =
      uw_const_int(&before, 32,
                   c->by_tile                ? UWRT_BARRIER_OF_TILE
                   : uw_waits_for_blocks(op) ? UWRT_BARRIER_OF_GRID /* or of the cluster, which is a part of it */
                                             : UWRT_BARRIER_OF_BLOCK);
  MlirValue site = site_at(c, &before, uw_site_of(&c->sites, op, 0, 1, ""));
  uw_declare(c->module, "__unwarp_check_arrive", "!llvm.func<void (ptr, i32, i32, i32)>");
  uw_declare(c->module, "__unwarp_check_pass", "!llvm.func<void (ptr, i32, i32, i32)>");
  uw_call(&before, "__unwarp_check_arrive", VALS(c->state, site, c->thread, scope), (MlirType){NULL});
  uw_call(&after, "__unwarp_check_pass", VALS(c->state, site, c->thread, scope), (MlirType){NULL});
  c->by_tile = false;
}

/* The mask is that of the call in front of it (raise/intrinsics.c), for all exchanges that one operation of CUDA's
 * became; where there is none, all lanes that come there take part. */
static void check_warp_exchange(checks *c, MlirOperation op) {
  uw_builder before = uw_at(op), after = uw_after(op);
  MlirValue site = site_at(c, &before, uw_site_of(&c->sites, op, 0, 1, ""));
  MlirValue mask = c->mask.ptr ? c->mask : uw_const_int(&before, 32, 0);
  MlirValue source = uw_kind(op) == UW_OP_SHUFFLE ? uw_operand(op, 1) : uw_const_int(&before, 32, -1);
  uw_declare(c->module, "__unwarp_check_warp_arrive", "!llvm.func<void (ptr, i32, i32, i32)>");
  uw_declare(c->module, "__unwarp_check_warp_pass", "!llvm.func<void (ptr, i32, i32, i32)>");
  uw_call(&before, "__unwarp_check_warp_arrive", VALS(c->state, site, c->thread, mask), (MlirType){NULL});
  uw_call(&after, "__unwarp_check_warp_pass", VALS(c->state, site, c->thread, source), (MlirType){NULL});
  c->mask = (MlirValue){NULL};
}

/* --- who goes on after code with exchanges in it: a thread that left one out must have nothing more to do --- */

static bool has_exchange(MlirOperation op) { return uw_has_exchange(op, "block") || uw_has_exchange(op, "warp"); }

static bool does_something(MlirOperation op) {
  uw_kind_t kind = uw_kind(op);
  return kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE || kind == UW_OP_LLVM_ATOMICRMW ||
         kind == UW_OP_LLVM_CMPXCHG;
}

static void note_goes_on(checks *c, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue site = site_at(c, &b, uw_site_of(&c->sites, op, 0, 1, ""));
  uw_declare(c->module, "__unwarp_check_goes_on", "!llvm.func<void (ptr, i32, i32)>");
  uw_call(&b, "__unwarp_check_goes_on", VALS(c->state, site, c->thread), (MlirType){NULL});
}

/* is_after: of an exchange in a branch or a loop, and nothing was done since. */
static void note_goers(checks *c, MlirBlock block, bool is_after) {
  uw_foreach_op_safe (op, block) {
    if (is_after && does_something(op)) {
      note_goes_on(c, op);
      is_after = false;
    }
    bool holds = uw_region_count(op) > 0 && has_exchange(op),
         is_loop = uw_kind(op) == UW_OP_SCF_FOR || uw_kind(op) == UW_OP_SCF_WHILE;
    for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
         region = mlirRegionGetNextInOperation(region))
      for (MlirBlock inner = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(inner);
           inner = mlirBlockGetNextInRegion(inner))
        note_goers(c, inner, is_after || (is_loop && holds));
    is_after = is_after || holds;
  }
}

/* What our headers and libdevice tell of mbarriers: before it happens. */
static void check_mbarrier(checks *c, MlirOperation call) {
  uw_builder b = uw_at(call);
  MlirValue site = site_at(c, &b, uw_site_of(&c->sites, call, 0, 1, ""));
  uw_declare(c->module, "uwrt_check_mbarrier", "!llvm.func<void (ptr, ptr, i32, i64, i32, i32)>");
  if (wants(c, UWRT_CHECK_SYNC))
    uw_call(&b, "uwrt_check_mbarrier",
            VALS(c->state, uw_operand(call, 0), uw_operand(call, 1), uw_operand(call, 2), site, c->thread),
            (MlirType){NULL});
  uw_ops_push(c->arena, &c->gone, call);
}

static void check_fence(checks *c, MlirOperation op) {
  uw_builder b = uw_at(op);
  MlirValue what = uw_const_int(&b, 32, order_of(op, uw_get_int_attr(op, "ordering", 0)));
  uw_declare(c->module, "uwrt_check_fence", "!llvm.func<void (ptr, i32, i32)>");
  uw_call(&b, "uwrt_check_fence", VALS(c->state, c->thread, what), (MlirType){NULL});
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

static void check_heap(checks *c, MlirOperation call, bool allocates) {
  uw_builder b = uw_at(call);
  MlirValue site = site_at(c, &b, uw_site_of(&c->sites, call, 0, 1, ""));
  MlirValue given = uw_operand(call, 0);
  uw_declare(c->module, "uwrt_check_malloc", "!llvm.func<ptr (ptr, i64, i32, i32)>");
  uw_declare(c->module, "uwrt_check_free", "!llvm.func<void (ptr, ptr, i32, i32)>");
  if (allocates)
    uw_replace_uses(uw_result(call, 0),
                    uw_result(uw_call(&b, "uwrt_check_malloc", VALS(c->state, given, site, c->thread), c->ptr), 0));
  else
    uw_call(&b, "uwrt_check_free", VALS(c->state, given, site, c->thread), (MlirType){NULL});
  uw_ops_push(c->arena, &c->gone, call);
}

/* Mathematical functions, and PTX's for textures and surfaces: nothing that is checked is accessed in them. */
static bool is_libdevice(const checks *c, MlirStringRef name) {
  static const char prefix[] = "__nv_";
  return (name.length >= sizeof prefix && memcmp(name.data, prefix, sizeof prefix - 1) == 0) ||
         (name.length && uw_ptx_is_of_texture(uw_arena_format(c->arena, "%.*s", (int)name.length, name.data)));
}

static void check_call(checks *c, MlirOperation call) {
  if (uw_is_call_of(call, UW_CHECK_MASK)) {
    c->mask = uw_operand(call, 0);
    uw_ops_push(c->arena, &c->gone, call);
    return;
  }
  if (uw_is_call_of(call, UW_NOTE_TILE)) {
    c->by_tile = true;
    uw_ops_push(c->arena, &c->gone, call);
    return;
  }
  if (uw_is_call_of(call, UW_NOTE_MBARRIER)) {
    check_mbarrier(c, call);
    return;
  }
  MlirStringRef callee = uw_get_str_attr(call, "callee");
  const char *name = callee.data ? uw_arena_format(c->arena, "%.*s", (int)callee.length, callee.data) : "";
  if (strcmp(name, "malloc") == 0 || strcmp(name, "free") == 0) {
    check_heap(c, call, *name == 'm');
    return;
  }
  MlirOperation function = *name ? uw_find_symbol(c->module, name) : (MlirOperation){NULL};
  bool has_code = !uw_null(function) && !mlirBlockIsNull(uw_block(function, 0));
  if (is_libdevice(c, callee))
    return;
  if (!has_code && *name && strstr(name, ".unwarp_device_function") == NULL)
    return;
  uw_builder b = uw_at(call);
  uw_declare(c->module, "__unwarp_check_calls", "!llvm.func<void (ptr, i32)>");
  uw_call(&b, "__unwarp_check_calls", VALS(c->state, c->thread), (MlirType){NULL});
}

/* --- a body ------------------------------------------------------------------------------------------------------- */

static void check_op(checks *c, MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_STORE:
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG:
    if (wants_accesses(c) && !uw_is_of_texture(mlirOperationGetLocation(op)))
      check_access(c, op);
    if (is_unused_load(op) && uw_unused(op)) /* no debugger shows it */
      uw_ops_push(c->arena, &c->gone, op);
    break;
  case UW_OP_LLVM_FENCE: check_fence(c, op); break;
  case UW_OP_LLVM_CALL: check_call(c, op); break;
  default:
    if (uw_is_exchange(op, "block")) {
      if (!uw_has_unit(op, UW_SWAP)) /* that one is not the program's (raise/waiting_blocks.c) */
        check_block_exchange(c, op);
    } else if (uw_is_exchange(op, "warp"))
      check_warp_exchange(c, op);
    else if (uw_name_starts(op, "llvm.intr.mem") && wants_accesses(c))
      check_bulk(c, op);
  }
}

static void check_shared(checks *c, MlirOperation shared, MlirOperation block_loop) {
  enum { ROOM = 256 };
  int64_t bytes = 0;
  MlirStringRef name = uw_get_str_attr(shared, "unwarp.name");
  int64_t site = uw_site_of(&c->sites, shared, 0, 1, uw_object_name(c->arena, name));
  uw_const_value(uw_operand(shared, 0), &bytes);
  uw_builder at = uw_at(shared), b = uw_at(block_loop);
  MlirValue size = uw_operand(shared, 0), room = uw_const_int(&at, 64, ROOM);
  bool is_dynamic = uw_has_unit(shared, "unwarp.dynamic");
  /* A constant size stays one: what has a known size is told apart by that. */
  MlirValue more = is_dynamic ? uw_binary(&at, "arith.addi", size, room) : uw_const_int(&at, 64, bytes + ROOM);
  mlirOperationSetOperand(shared, 0, more);
  uw_set_attr(shared, UW_CHECKED, mlirUnitAttrGet(at.context));
  uw_declare(c->module, "uwrt_check_shared", "!llvm.func<void (ptr, ptr, i64, i64, i32)>");
  uw_call(&b, "uwrt_check_shared", VALS(c->state, uw_result(shared, 0), size, room, site_at(c, &b, site)),
          (MlirType){NULL});
}

static void check_kernel(checks *c, MlirOperation entry, MlirOperation enter) {
  MlirOperation block_loop = uw_next(enter);
  while (!uw_is_over(block_loop, UW_OVER_THREADS))
    block_loop = uw_next(block_loop);
  uw_ask_for_blocks_apart(c->arena, c->module, entry, block_loop, wants_accesses(c));
  uw_ops ops = uw_collect(c->arena, block_loop);
  uw_ops around = uw_block_ops(c->arena, mlirOperationGetBlock(block_loop));
  uw_builder b = uw_at_start(uw_block(entry, 0), mlirOperationGetLocation(entry));
  c->first_site = uw_first_site(&c->sites, &b);
  c->arguments = entry;
  b = uw_after(enter);
  uw_declare(c->module, "uwrt_check_block", "!llvm.func<ptr (ptr, i64)>");
  uw_declare(c->module, "uwrt_check_block_end", "!llvm.func<void (ptr)>");
  c->state = uw_result(uw_call(&b, "uwrt_check_block", VALS(uw_operand(enter, 0), uw_operand(enter, 1)), c->ptr), 0);
  c->reads = wants_accesses(c) ? uw_find_reads(c->arena, entry, block_loop) : NULL;
  if (c->reads)
    uw_ask_for_reads(c->reads, c->module, &b, c->state);
  b = uw_after(block_loop);
  uw_call(&b, "uwrt_check_block_end", VALS(c->state), (MlirType){NULL});
  b = uw_at_start(uw_block(block_loop, 0), mlirOperationGetLocation(block_loop));
  c->thread = uw_build1(&b, "arith.index_castui", .in = VALS(uw_linear_thread(&b, block_loop)), .out = TYPES(c->i32));
  if (wants(c, UWRT_CHECK_SYNC))
    note_goers(c, uw_block(block_loop, 0), false);
  /* What nobody writes in a phase is read in order: where a thread does so, that it is there and was written is all
   * there is to ask. */
  c->phases = uw_find_phases(c->arena, block_loop);
  /* The accesses first: they ask how large shared arrays are. */
  for (size_t i = 0; i < ops.count; i++)
    check_op(c, ops.at[i]);
  for (size_t i = 0; i < around.count; i++)
    if (uw_kind(around.at[i]) == UW_OP_SHARED)
      check_shared(c, around.at[i], block_loop);
}

static void check_function(checks *c, MlirOperation function) {
  uw_ops ops = uw_collect(c->arena, function);
  uw_builder b = uw_at_start(uw_block(function, 0), mlirOperationGetLocation(function));
  uw_declare(c->module, "uwrt_check_here", "!llvm.func<ptr ()>");
  uw_declare(c->module, "__unwarp_check_called", "!llvm.func<i32 (ptr)>");
  c->arguments = (MlirOperation){NULL};
  c->phases = NULL;
  c->reads = NULL;
  c->first_site = uw_first_site(&c->sites, &b);
  c->state = uw_result(uw_call(&b, "uwrt_check_here", (uw_value_list){0}, c->ptr), 0);
  c->thread = uw_result(uw_call(&b, "__unwarp_check_called", VALS(c->state), c->i32), 0);
  for (size_t i = 0; i < ops.count; i++)
    check_op(c, ops.at[i]);
}

static void erase_gone(checks *c) {
  for (size_t i = 0; i < c->gone.count; i++)
    uw_erase(c->gone.at[i]);
  c->gone.count = 0;
}

uw_change uw_pass_check(MlirOperation root, uw_pass_ctx *ctx) {
  int64_t classes = uw_get_int_attr(root, UW_CHECK, 0);
  if (!classes)
    return UW_SAME;
  MlirModule module = mlirModuleFromOperation(root);
  checks c = {.arena = ctx->arena,
              .module = module,
              .sites = {.arena = ctx->arena, .module = module, .classes = classes},
              .ptr = uw_ptr_type(ctx->context),
              .i32 = uw_int_type(ctx->context, 32),
              .i64 = uw_int_type(ctx->context, 64)};
  c.has_fences = has_fences(ctx->arena, module);
  uw_ops functions = uw_block_ops(ctx->arena, mlirModuleGetBody(module));
  for (size_t i = 0; i < functions.count; i++) {
    MlirOperation function = functions.at[i];
    if ((uw_kind(function) != UW_OP_FUNC && uw_kind(function) != UW_OP_LLVM_FUNC) ||
        mlirBlockIsNull(uw_block(function, 0)))
      continue;
    uw_ops calls = uw_collect_kind(ctx->arena, function, UW_OP_LLVM_CALL);
    MlirOperation enter = {NULL};
    for (size_t k = 0; k < calls.count && uw_null(enter); k++)
      if (uw_is_block_mark(calls.at[k]))
        enter = calls.at[k];
    if (!uw_null(enter))
      check_kernel(&c, function, enter);
    else if (uw_kind(function) == UW_OP_LLVM_FUNC && !is_libdevice(&c, uw_get_str_attr(function, "sym_name")))
      check_function(&c, function);
    erase_gone(&c);
  }
  uw_finish_sites(&c.sites);
  uw_remove_attr(root, UW_CHECK); /* twice is once */
  return UW_CHANGED;
}
