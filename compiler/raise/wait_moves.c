/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where a loop that waits gets further: the runtime is told (uwrt_thread_moved), so that it knows what waits in vain.
 *
 * Stores tell of it where they are lowered (lower/told_stores.c), atomic operations under a condition always. A lock
 * that is taken and given back is nothing that others wait for. Of a word that hands something over under its own lock
 * the loop adds up what it changed, for each address by a factor of its own; an iteration that gives the word back as
 * it was adds up to nothing:
 *
 *   old = atomicOr(word, bit); …; atomicExch(word, old);      ==>      … changes += h * (new - old) after each;
 *                                                                     if (changes) { uwrt_thread_moved(); changes = 0; }
 *
 * A loop may write something else each time, and get nowhere: it counts its iterations in memory. Such tallies tell of
 * nothing; instead the loop is looked at itself:
 *
 *   do { if (f[t]) done = true; o[t]++; } while (!done);     ==>      do { saw = done; saw = mix(saw, f[t]); … } while (…)
 *                                                                     { if (saw != before) uwrt_thread_moved(); before = saw; }
 *
 * What is looked at: all that decides whether the loop goes on, which is what it carries from iteration to iteration
 * and what it reads, also for the conditions and addresses of its stores, and for what it stores to an object that it
 * so reads. While that stays as it was, the next iteration is like the last one, as long as nobody else writes.
 * A write is a tally if its object decides nothing in the loop and no other loop of the kernel that waits reads it.
 */
#include "../analysis/calls.h"
#include "../analysis/loop_ends.h"
#include "../analysis/loop_locks.h"
#include "../analysis/uniformity.h"
#include "../ir/known_calls.h"
#include "raise.h"

static const char moved[] = "uwrt_thread_moved";

/* Odd, with bits all over. */
static const int64_t FACTOR = (int64_t)0x9e3779b97f4a7c15, OTHER_FACTOR = (int64_t)0xc2b2ae3d27d4eb4f;

typedef struct teller {
  MlirModule module;
  uw_arena *arena;
  MlirOperation loop;
  uw_ops ops; /* in it, before anything was added */
  uw_table *locks, *words;
  bool *tallies, has_tally; /* tallies: by operation */
} teller;

static void tell(MlirModule module, uw_builder b) {
  uw_declare(module, moved, "!llvm.func<void ()>");
  uw_call(&b, moved, (uw_value_list){0}, (MlirType){NULL});
}

static bool under_condition(MlirOperation op, MlirOperation loop) {
  for (op = uw_parent(op); !uw_same_op(op, loop); op = uw_parent(op))
    if (uw_kind(op) == UW_OP_SCF_IF || uw_kind(op) == UW_OP_SCF_INDEX_SWITCH)
      return true;
  return false;
}

static bool is_private(MlirValue address) { return uw_kind(uw_address_root(address)) == UW_OP_LLVM_ALLOCA; }

/* --- variables of a thread ---------------------------------------------------------------------------------------- */

static MlirValue new_variable(MlirOperation loop) {
  MlirOperation function = loop;
  while (!uw_null(uw_parent(function)) && uw_kind(function) != UW_OP_FUNC)
    function = uw_parent(function);
  uw_builder top = uw_at_start(uw_block(function, 0), mlirOperationGetLocation(loop));
  MlirType word = uw_int_type(top.context, 64);
  MlirValue one = uw_const_int(&top, 64, 1);
  MlirValue variable =
      uw_build1(&top, "llvm.alloca", .in = VALS(one), .out = TYPES(uw_ptr_type(top.context)),
                .attrs = ATTRS({"elem_type", mlirTypeAttrGet(word)}, {"alignment", uw_int_attr(top.context, 64, 8)}));
  return variable;
}

static MlirValue get(uw_builder *b, MlirValue variable) {
  return uw_build1(b, "llvm.load", .in = VALS(variable), .out = TYPES(uw_int_type(b->context, 64)));
}

static void set(uw_builder *b, MlirValue variable, MlirValue value) {
  uw_build(b, "llvm.store", .in = VALS(value, variable));
}

/* In each iteration that is not the last one, in front of what lets others run: where the variable is not as asked. */
static void tell_where_not(const teller *t, MlirValue variable, MlirValue other, bool keeps) {
  uw_builder b = uw_at_start(uw_block(t->loop, 1), mlirOperationGetLocation(t->loop));
  MlirValue now = get(&b, variable), asked = keeps ? get(&b, other) : uw_const_int(&b, 64, 0);
  MlirOperation choice = uw_build_branch(&b, uw_compare(&b, UW_NE, now, asked));
  uw_builder in = uw_at_end(uw_block(choice, 0), b.location);
  tell(t->module, in);
  in = uw_at_end(uw_block(choice, 0), b.location);
  set(&in, keeps ? other : variable, keeps ? now : asked);
}

/* --- words that are handed over ----------------------------------------------------------------------------------- */

/* The arithmetic of llvm.atomicrmw's bin_op; null: not known. "": the operand itself. */
static const char *arithmetic_of(MlirOperation rmw) {
  static const char *const of[] = {"",           "arith.addi",  "arith.subi",  "arith.andi",  NULL,         "arith.ori",
                                   "arith.xori", "arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui"};
  int64_t how = uw_get_int_attr(rmw, "bin_op", -1);
  return how >= 0 && how < (int64_t)(sizeof of / sizeof *of) ? of[how] : NULL;
}

static bool can_add_up(MlirOperation op) {
  MlirType type = uw_kind(op) == UW_OP_LLVM_STORE ? (MlirType){NULL} : mlirValueGetType(uw_operand(op, 1));
  return type.ptr && mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64 &&
         (uw_kind(op) == UW_OP_LLVM_CMPXCHG || arithmetic_of(op));
}

static bool is_word(const teller *t, MlirOperation op) {
  MlirValue address = uw_written_address(op);
  return address.ptr && t->words && uw_table_get(t->words, uw_object_of(address));
}

/* Only those are left of which each write can be added up. */
static void keep_known_words(teller *t) {
  for (size_t i = 0; i < t->ops.count; i++)
    if (is_word(t, t->ops.at[i]) && !can_add_up(t->ops.at[i]))
      uw_table_set(t->words, uw_object_of(uw_written_address(t->ops.at[i])), 0);
}

static MlirValue part_of(uw_builder *b, MlirOperation exchange, int64_t which, MlirType type) {
  return uw_build1(b, "llvm.extractvalue", .in = VALS(uw_result(exchange, 0)), .out = TYPES(type),
                   .attrs = ATTRS({"position", mlirDenseI64ArrayGet(b->context, 1, &which)}));
}

/* Its halves apart, so that none is lost where high bits alone change. */
static MlirValue weighed(uw_builder *b, MlirValue value, MlirValue factor) {
  enum { HALF = 32 };
  MlirType word = uw_int_type(b->context, 64);
  unsigned bits = mlirIntegerTypeGetWidth(mlirValueGetType(value));
  if (bits < 64)
    value = uw_build1(b, "arith.extui", .in = VALS(value), .out = TYPES(word));
  if (bits <= HALF)
    return uw_binary(b, "arith.muli", value, factor);
  MlirValue low = uw_binary(b, "arith.andi", value, uw_const_int(b, 64, 0xffffffff)),
            high = uw_binary(b, "arith.shrui", value, uw_const_int(b, 64, HALF)),
            other = uw_binary(b, "arith.muli", factor, uw_const_int(b, 64, OTHER_FACTOR));
  return uw_binary(b, "arith.addi", uw_binary(b, "arith.muli", low, factor), uw_binary(b, "arith.muli", high, other));
}

static void add_up(MlirOperation op, MlirValue changes) {
  enum { DOWN = 29 };
  uw_builder b = uw_after(op);
  if (uw_kind(op) == UW_OP_LLVM_ATOMICRMW && mlirOpOperandIsNull(mlirValueGetFirstUse(uw_result(op, 0))))
    uw_set_attr(op, UW_UNUSED, mlirUnitAttrGet(b.context)); /* -fcheck asks */
  MlirType type = mlirValueGetType(uw_operand(op, 1));
  MlirValue old = uw_result(op, 0), new = uw_operand(op, 1);
  if (uw_kind(op) == UW_OP_LLVM_CMPXCHG) {
    old = part_of(&b, op, 0, type);
    new = uw_select(&b, part_of(&b, op, 1, uw_int_type(b.context, 1)), uw_operand(op, 2), old);
  } else if (*arithmetic_of(op)) {
    new = uw_binary(&b, arithmetic_of(op), old, new);
  }
  MlirValue place =
      uw_build1(&b, "llvm.ptrtoint", .in = VALS(uw_operand(op, 0)), .out = TYPES(uw_int_type(b.context, 64)));
  MlirValue factor = uw_binary(&b, "arith.muli", place, uw_const_int(&b, 64, FACTOR));
  factor = uw_binary(&b, "arith.xori", factor, uw_binary(&b, "arith.shrui", factor, uw_const_int(&b, 64, DOWN)));
  factor = uw_binary(&b, "arith.ori", factor, uw_const_int(&b, 64, 1));
  MlirValue change = uw_binary(&b, "arith.subi", weighed(&b, new, factor), weighed(&b, old, factor));
  set(&b, changes, uw_binary(&b, "arith.addi", get(&b, changes), change));
}

static void tell_of_words(teller *t) {
  MlirValue changes = {NULL};
  for (size_t i = 0; i < t->ops.count; i++) {
    if (!is_word(t, t->ops.at[i]))
      continue;
    if (!changes.ptr)
      changes = new_variable(t->loop);
    add_up(t->ops.at[i], changes);
  }
  if (!changes.ptr)
    return;
  uw_builder before = uw_at(t->loop);
  set(&before, changes, uw_const_int(&before, 64, 0));
  tell_where_not(t, changes, changes, /*keeps=*/false);
}

/* --- what decides ------------------------------------------------------------------------------------------------- */

typedef struct slice {
  const teller *teller;
  uw_table *seen, *objects; /* values; objects that it reads */
  MlirOperation *reads;     /* as many as there are operations at most */
  size_t read_count, steps;
  bool carries, clear; /* it has arguments of the loop; all of it is known */
} slice;

static slice new_slice(const teller *t) {
  return (slice){.teller = t,
                 .seen = uw_table_create(t->arena),
                 .objects = uw_table_create(t->arena),
                 .reads = uw_alloc(t->arena, (t->ops.count + 1) * sizeof(MlirOperation)),
                 .clear = true};
}

static void follow(slice *s, MlirValue value);

static void follow_operands(slice *s, MlirOperation op) {
  for (size_t i = 0; i < uw_operand_count(op); i++)
    follow(s, uw_operand(op, i));
}

static void follow_argument(slice *s, MlirValue value) {
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  MlirOperation owner = mlirBlockGetParentOperation(block);
  size_t which = (size_t)mlirBlockArgumentGetArgNumber(value);
  if (uw_kind(owner) != UW_OP_SCF_WHILE) {
    s->clear = false;
    return;
  }
  bool own = uw_same_op(owner, s->teller->loop);
  if (!own)
    follow(s, uw_operand(uw_last(uw_block(owner, 0)), 0));
  if (mlirBlockEqual(block, uw_block(owner, 1))) {
    follow(s, uw_operand(uw_last(uw_block(owner, 0)), which + 1));
    return;
  }
  follow(s, uw_operand(uw_last(uw_block(owner, 1)), which));
  if (own)
    s->carries = true;
  else
    follow(s, uw_operand(owner, which));
}

static void follow_read(slice *s, MlirOperation op) {
  const void *object = uw_object_of(uw_operand(op, 0));
  s->reads[s->read_count++] = op;
  if (object)
    uw_table_set(s->objects, object, 1);
  else
    s->clear = false;
  follow(s, uw_operand(op, 0));
}

static void follow_result(slice *s, MlirOperation op, size_t which) {
  switch (uw_kind(op)) {
  case UW_OP_SCF_IF:
  case UW_OP_SCF_INDEX_SWITCH:
    follow(s, uw_operand(op, 0));
    for (intptr_t r = 0; r < uw_region_count(op); r++)
      follow(s, uw_operand(uw_last(uw_block(op, (unsigned)r)), which));
    return;
  case UW_OP_SCF_WHILE:
    follow(s, uw_operand(uw_last(uw_block(op, 0)), 0));
    follow(s, uw_operand(uw_last(uw_block(op, 0)), which + 1));
    return;
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG: follow_read(s, op); return;
  case UW_OP_SHUFFLE:
  case UW_OP_REDUCE:
  case UW_OP_COLLECTIVE:
  case UW_OP_MATCH: break;
  default:
    if (uw_region_count(op) != 0 || !uw_effect_free(op))
      s->clear = false;
  }
  follow_operands(s, op);
}

static void follow(slice *s, MlirValue value) {
  if (!s->clear || !uw_defined_inside(value, s->teller->loop) || uw_table_get(s->seen, value.ptr))
    return;
  uw_table_set(s->seen, value.ptr, 1);
  s->steps++;
  MlirOperation op = uw_def(value);
  if (uw_null(op))
    follow_argument(s, value);
  else if (uw_kind(op) == UW_OP_LLVM_LOAD || uw_result_count(op) == 1 || uw_region_count(op) != 0)
    follow_result(s, op, (size_t)mlirOpResultGetResultNumber(value));
  else
    s->clear = false;
}

/* Whether it may write memory in a way that is not seen by its kind. */
static bool is_unknown(MlirOperation op) {
  switch (uw_kind(op)) {
  case UW_OP_LLVM_LOAD:
  case UW_OP_LLVM_STORE:
  case UW_OP_LLVM_ATOMICRMW:
  case UW_OP_LLVM_CMPXCHG:
  case UW_OP_LLVM_FENCE:
  case UW_OP_SHUFFLE:
  case UW_OP_REDUCE:
  case UW_OP_MATCH:
  case UW_OP_COLLECTIVE:
  case UW_OP_BARRIER:
  case UW_OP_SCF_YIELD:
  case UW_OP_SCF_CONDITION:
  case UW_OP_SCF_IF:
  case UW_OP_SCF_WHILE:
  case UW_OP_SCF_INDEX_SWITCH: return false;
  default: break;
  }
  MlirStringRef callee = uw_kind(op) == UW_OP_LLVM_CALL ? uw_get_str_attr(op, "callee") : (MlirStringRef){NULL, 0};
  static const char *const known[] = {"uwrt_yield", "uwrt_waited", "uwrt_turn", moved, UW_CHECK_MASK};
  for (size_t i = 0; callee.data && i < sizeof known / sizeof *known; i++)
    if (uw_string_is(callee, known[i]))
      return false;
  return !uw_effect_free(op) && !uw_of_debugger(op) && !uw_name_starts(op, "llvm.intr.assume");
}

static void follow_branches(slice *s, MlirOperation op) {
  for (op = uw_parent(op); !uw_same_op(op, s->teller->loop); op = uw_parent(op))
    follow(s, uw_operand(uw_kind(op) == UW_OP_SCF_WHILE ? uw_last(uw_block(op, 0)) : op, 0));
}

/* All that decides whether the loop goes on. */
static slice what_decides(const teller *t) {
  slice s = new_slice(t);
  for (size_t i = 0; i < t->ops.count; i++)
    s.clear = s.clear && !is_unknown(t->ops.at[i]);
  follow(&s, uw_operand(uw_last(uw_block(t->loop, 0)), 0));
  for (size_t before = SIZE_MAX; s.clear && before != s.steps;) {
    before = s.steps;
    for (size_t i = 0; i < t->ops.count; i++) {
      MlirValue address = uw_written_address(t->ops.at[i]);
      if (!address.ptr)
        continue;
      bool decides = uw_table_get(s.objects, uw_object_of(address)) != 0;
      if (!decides && is_private(address))
        continue;
      follow(&s, address);
      follow_branches(&s, t->ops.at[i]);
      if (decides)
        follow_operands(&s, t->ops.at[i]);
    }
  }
  return s;
}

/* --- tallies ------------------------------------------------------------------------------------------------------ */

/* Whether another loop that waits reads the object. */
static bool others_read(const teller *t, uw_ops all, const uw_table *known, const void *object) {
  for (size_t i = 0; i < all.count; i++) {
    MlirOperation op = all.at[i];
    bool reads =
        uw_kind(op) == UW_OP_LLVM_LOAD || uw_kind(op) == UW_OP_LLVM_ATOMICRMW || uw_kind(op) == UW_OP_LLVM_CMPXCHG;
    if (!reads || uw_inside(op, t->loop) || uw_object_of(uw_operand(op, 0)) != object)
      continue;
    for (MlirOperation around = uw_parent(op); !uw_null(around); around = uw_parent(around))
      if (uw_table_get(known, around.ptr))
        return true;
  }
  return false;
}

/* Whether it writes something else each time, of itself. */
static bool goes_on_counting(const teller *t, MlirOperation write) {
  if (uw_kind(write) != UW_OP_LLVM_STORE)
    return true;
  slice s = new_slice(t);
  follow(&s, uw_operand(write, 0));
  return s.carries || uw_table_get(s.objects, uw_object_of(uw_operand(write, 1)));
}

static bool is_tally(const teller *t, const slice *decides, uw_ops all, const uw_table *known, MlirOperation write) {
  MlirValue address = uw_written_address(write);
  const void *object = address.ptr ? uw_object_of(address) : NULL;
  return object && !is_private(address) && !uw_table_get(decides->objects, object) &&
         !(t->locks && uw_table_get(t->locks, object)) && !uw_ends_after(t->loop, write) &&
         goes_on_counting(t, write) && !others_read(t, all, known, object);
}

/* As 64 bits; null where it is something else than a number or an address. */
static MlirValue as_word(uw_builder *b, MlirValue value) {
  MlirType type = mlirValueGetType(value), word = uw_int_type(b->context, 64);
  if (mlirTypeIsALLVMPointerType(type))
    return uw_build1(b, "llvm.ptrtoint", .in = VALS(value), .out = TYPES(word));
  if (mlirTypeIsAIndex(type))
    return uw_build1(b, "arith.index_castui", .in = VALS(value), .out = TYPES(word));
  if (mlirTypeIsAF32(type) || mlirTypeIsAF64(type) || mlirTypeIsAF16(type)) {
    type = uw_int_type(b->context, (unsigned)uw_type_bytes(type) * 8);
    value = uw_build1(b, "llvm.bitcast", .in = VALS(value), .out = TYPES(type));
  }
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) > 64)
    return (MlirValue){NULL};
  return mlirIntegerTypeGetWidth(type) == 64 ? value
                                             : uw_build1(b, "arith.extui", .in = VALS(value), .out = TYPES(word));
}

static bool is_word_type(MlirType type) {
  return mlirTypeIsALLVMPointerType(type) || mlirTypeIsAIndex(type) || mlirTypeIsAF32(type) || mlirTypeIsAF64(type) ||
         mlirTypeIsAF16(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64);
}

static MlirType read_type(MlirOperation read) {
  return mlirValueGetType(uw_kind(read) == UW_OP_LLVM_CMPXCHG ? uw_operand(read, 1) : uw_result(read, 0));
}

static bool can_be_seen(const slice *s) {
  bool yes = s->clear;
  for (size_t i = 0; yes && i < s->read_count; i++)
    yes = is_word_type(read_type(s->reads[i]));
  MlirBlock first = uw_block(s->teller->loop, 0);
  for (intptr_t i = 0; yes && i < mlirBlockGetNumArguments(first); i++)
    yes = !uw_table_get(s->seen, mlirBlockGetArgument(first, i).ptr) ||
          is_word_type(mlirValueGetType(mlirBlockGetArgument(first, i)));
  return yes;
}

static MlirValue mixed(uw_builder *b, MlirValue seen, MlirValue value) {
  enum { DOWN = 32 };
  MlirValue sum = uw_binary(b, "arith.xori", seen, as_word(b, value));
  sum = uw_binary(b, "arith.muli", sum, uw_const_int(b, 64, FACTOR));
  return uw_binary(b, "arith.xori", sum, uw_binary(b, "arith.shrui", sum, uw_const_int(b, 64, DOWN)));
}

/* Tells of iterations that are not like the one before. */
static void tell_of_changes(const slice *s) {
  MlirOperation loop = s->teller->loop;
  MlirValue seen = new_variable(loop), before = new_variable(loop);
  uw_builder outside = uw_at(loop);
  set(&outside, before, uw_const_int(&outside, 64, 0));
  for (size_t i = 0; i < s->read_count; i++) {
    uw_builder b = uw_after(s->reads[i]);
    MlirValue value = uw_kind(s->reads[i]) == UW_OP_LLVM_CMPXCHG ? part_of(&b, s->reads[i], 0, read_type(s->reads[i]))
                                                                 : uw_result(s->reads[i], 0);
    set(&b, seen, mixed(&b, get(&b, seen), value));
  }
  MlirBlock first = uw_block(loop, 0);
  uw_builder b = uw_at_start(first, mlirOperationGetLocation(loop));
  MlirValue carried = uw_const_int(&b, 64, FACTOR);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(first); i++)
    if (uw_table_get(s->seen, mlirBlockGetArgument(first, i).ptr))
      carried = mixed(&b, carried, mlirBlockGetArgument(first, i));
  set(&b, seen, carried);
  tell_where_not(s->teller, seen, before, /*keeps=*/true);
}

/* --- the loop ----------------------------------------------------------------------------------------------------- */

static void tell_of_write(const teller *t, MlirOperation write) {
  MlirValue address = uw_written_address(write);
  bool stores = uw_kind(write) == UW_OP_LLVM_STORE;
  const void *object = uw_object_of(address);
  bool handed = t->words && uw_table_get(t->words, object), lock = t->locks && uw_table_get(t->locks, object);
  if (is_private(address) || handed || lock)
    return;
  if (stores)
    uw_set_attr(write, UW_TOLD, mlirUnitAttrGet(mlirOperationGetContext(write)));
  else if (under_condition(write, t->loop))
    tell(t->module, uw_after(write));
}

static teller look(MlirModule module, uw_arena *arena, MlirOperation loop) {
  teller t = {.module = module, .arena = arena, .loop = loop, .ops = uw_collect(arena, loop)};
  t.locks = uw_loop_locks(arena, loop);
  t.words = uw_handed_words(arena, loop, t.locks);
  t.tallies = uw_alloc(arena, (t.ops.count + 1) * sizeof *t.tallies);
  if (t.words)
    keep_known_words(&t);
  return t;
}

static void find_tallies(teller *t, const slice *decides, uw_ops all, const uw_table *known) {
  bool counts = can_be_seen(decides);
  for (size_t i = 0; i < t->ops.count; i++) {
    t->tallies[i] = counts && is_tally(t, decides, all, known, t->ops.at[i]);
    t->has_tally = t->has_tally || t->tallies[i];
  }
}

static void tell_of_loop(teller *t, const slice *decides) {
  for (size_t i = 0; i < t->ops.count; i++)
    if (uw_written_address(t->ops.at[i]).ptr && !t->tallies[i])
      tell_of_write(t, t->ops.at[i]);
  if (t->has_tally)
    tell_of_changes(decides);
  if (t->words)
    tell_of_words(t);
}

/* All loops are looked at before anything is added to one. */
void uw_tell_of_moves(MlirModule module, uw_arena *arena, uw_ops all, const uw_table *writing, const uw_table *known) {
  size_t count = 0;
  for (size_t i = 0; i < all.count; i++)
    count += uw_table_get(writing, all.at[i].ptr) != 0;
  teller *loops = uw_alloc(arena, (count + 1) * sizeof *loops);
  slice *decide = uw_alloc(arena, (count + 1) * sizeof *decide);
  count = 0;
  for (size_t i = 0; i < all.count; i++)
    if (uw_table_get(writing, all.at[i].ptr)) {
      loops[count] = look(module, arena, all.at[i]);
      decide[count] = what_decides(&loops[count]);
      find_tallies(&loops[count], &decide[count], all, known);
      count++;
    }
  for (size_t i = 0; i < count; i++)
    tell_of_loop(&loops[i], &decide[i]);
}
