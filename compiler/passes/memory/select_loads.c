/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Loads from each of the addresses that conditions choose from, and chooses values. Threads at the rim of a tile read
 * another tile: of lanes, each would have an address of its own, and be loaded for alone.
 *
 *   %p = if (%x == 0) { yield %west[%x] }            %a = load %west[%x]
 *        else { yield %tile[%x - 1] }          ==>   %b = load %tile[%x - 1]
 *   %v = load %p                                     %v = select (%x == 0), %a, %b
 *
 * Branches and selects that yield such an address, or an index of it, become one mask for each address but the first.
 *
 * Done in loops over threads of which LLVM makes vectors: no calls, atomics, serial loops or loops over threads in
 * them, and rows no shorter than a register. A load is changed when a) the choice differs along the row; b) each
 * address goes along the row by elements, or is the same for all of it; c) they are UW_MOST_CHOSEN_ADDRESSES at most,
 * and cost less than a gather by cost.h; d) all threads may read each of them: something is loaded or stored there in
 * any case before, or it leads to a shared array of known size by an index of known bounds; e) all other accesses of
 * the loop go along its rows, too: where LLVM made no vectors, a thread would load more than it needs.
 *
 * An array that is read beyond its ends by lanes whose value nobody takes has a margin there, up to UW_MOST_MARGIN.
 *
 * Legal because all loads stand where the one stood, and what is not chosen is not looked at: neither memory that is
 * not set yet, nor what another thread may store there meanwhile. Addresses are computed anew from the sums that they
 * are, so that nothing promised under a condition is left in them.
 *
 * Requires: one CPU (multiversion). Preserves: all effects. Refuses: the rest, silently. */
#include "../../analysis/access_map.h"
#include "../../analysis/cost.h"
#include "../../analysis/thresholds.h"
#include "../../analysis/truth.h"
#include "../../ir/remarks.h"
#include "../../raise/raise.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"

enum { MOST_PATHS = 32 /* bound of a search: ways through the conditions */ };

/* A choice between two others, or an address. */
typedef struct node {
  MlirValue condition; /* where it stands now; null: an address */
  struct node *yes, *no;
  size_t address;
} node;

typedef struct choice {
  uw_arena *arena;
  MlirOperation load, loop;
  MlirValue index; /* of the thread along its row */
  int64_t bytes;
  size_t paths;
  bool varies;
  size_t count;
  uw_address addresses[UW_MOST_CHOSEN_ADDRESSES];
  MlirValue known[UW_MOST_CHOSEN_ADDRESSES]; /* an address as a value that is accessed in any case; or null */
  uw_comparisons comparisons;
  bool has_truth; /* the conditions are short enough for tables of when each address is chosen: */
  uw_truth chosen[UW_MOST_CHOSEN_ADDRESSES];
  bool is_short[UW_MOST_CHOSEN_ADDRESSES]; /* and this one comes to: */
  uw_short_condition text[UW_MOST_CHOSEN_ADDRESSES];
} choice;

static bool is_select(MlirOperation op) {
  return (uw_kind(op) == UW_OP_ARITH_SELECT || uw_string_is(uw_name(op), "llvm.select")) &&
         mlirTypeIsAInteger(mlirValueGetType(uw_operand(op, 0)));
}

/* Is the value chosen by a condition or by a branch? Gives the condition and the values. */
static bool read_choice(const choice *c, MlirValue value, MlirValue *condition, MlirValue arms[2]) {
  MlirOperation op = uw_def(value);
  if (uw_null(op) || !uw_inside(op, c->loop) || (!is_select(op) && uw_kind(op) != UW_OP_SCF_IF))
    return false;
  *condition = uw_operand(op, 0);
  if (is_select(op)) {
    arms[0] = uw_operand(op, 1);
    arms[1] = uw_operand(op, 2);
    return true;
  }
  intptr_t number = mlirOpResultGetResultNumber(value);
  for (unsigned r = 0; r < 2; r++)
    arms[r] = uw_operand(uw_last(uw_block(op, r)), (size_t)number);
  return true;
}

/* Does the value stand where the load can use it? */
static bool is_available(const void *of, MlirValue value) {
  const choice *c = of;
  MlirBlock block = uw_value_block(value);
  for (MlirOperation op = c->load; !uw_null(op) && !mlirBlockIsNull(mlirOperationGetBlock(op)); op = uw_parent(op))
    if (mlirBlockEqual(mlirOperationGetBlock(op), block))
      return true;
  return false;
}

/* An access before the load that all threads make which come by the load; null if none touches that address. */
static MlirValue accessed_before(const choice *c, const uw_address *address) {
  uw_foreach_op (op, mlirOperationGetBlock(c->load)) {
    if (uw_same_op(op, c->load))
      break;
    bool stores = uw_kind(op) == UW_OP_LLVM_STORE;
    if ((!stores && uw_kind(op) != UW_OP_LLVM_LOAD) || !uw_plain_access(op))
      continue;
    MlirType type = mlirValueGetType(stores ? uw_operand(op, 0) : uw_result(op, 0));
    uw_address there = uw_address_in_64(uw_operand(op, stores));
    int64_t gap;
    if ((int64_t)uw_type_bytes(type) >= c->bytes && uw_gap_between(&there, address, &gap) && gap == 0)
      return uw_operand(op, stores);
  }
  return (MlirValue){NULL};
}

/* Values of a sum that any thread may take: they promise nothing of it. */
static bool is_plain_sum(const choice *c, const uw_linear *sum) {
  for (size_t i = 0; i < sum->count; i++) {
    const MlirValue both[] = {sum->terms[i].symbol, sum->terms[i].scale};
    for (size_t k = 0; k < 2; k++)
      if (both[k].ptr && uw_defined_inside(both[k], c->loop) &&
          (mlirValueIsAOpResult(both[k]) || !is_available(c, both[k])))
        return false;
  }
  return true;
}

/* Bytes that the address reaches over before and after the shared array. */
static bool find_margins(const choice *c, const uw_address *address, int64_t *before, int64_t *after) {
  MlirOperation array = uw_def(address->base);
  int64_t size, least, most;
  if (uw_kind(array) != UW_OP_SHARED || !uw_const_value(uw_operand(array, 0), &size) ||
      !is_plain_sum(c, &address->offset) || !uw_bounds_of_sum(&address->offset, &least, &most))
    return false;
  *before = least < 0 ? -least : 0;
  *after = most + c->bytes > size ? most + c->bytes - size : 0;
  bool may_grow = mlirAttributeIsNull(uw_get_attr(array, UW_TEAM)) &&
                  mlirAttributeIsNull(uw_get_attr(array, UW_CHECKED)) &&
                  mlirAttributeIsNull(uw_get_attr(array, "unwarp.window"));
  return (*before == 0 && *after == 0) || (may_grow && *before <= UW_MOST_MARGIN && *after <= UW_MOST_MARGIN);
}

static bool add_address(choice *c, const uw_address *address, size_t *number) {
  int64_t gap, before, after;
  for (size_t i = 0; i < c->count; i++)
    if (uw_gap_between(&c->addresses[i], address, &gap) && gap == 0) {
      *number = i;
      return true;
    }
  uw_stride stride = uw_stride_along(&address->offset, c->index);
  if (c->count == UW_MOST_CHOSEN_ADDRESSES || uw_changes_with(address->base, c->index) ||
      (!uw_is_stride(stride, 0) && !uw_is_stride(stride, c->bytes)))
    return false;
  MlirValue known = accessed_before(c, address);
  if (!known.ptr && !find_margins(c, address, &before, &after))
    return false;
  *number = c->count++;
  c->addresses[*number] = *address;
  c->known[*number] = known;
  return true;
}

/* The address with another value in the place of one that it is made of: of the base (term == count), or of a term. */
static bool put_in(uw_address *address, size_t term, MlirValue value) {
  if (term == address->offset.count) {
    uw_address other = uw_address_in_64(value);
    address->base = other.base;
    address->offset = uw_linear_sum(&other.offset, &address->offset, 1);
  } else {
    int64_t factor = address->offset.terms[term].factor;
    uw_linear other = uw_linear_in_64(value);
    address->offset.terms[term] = address->offset.terms[--address->offset.count];
    address->offset = uw_linear_sum(&address->offset, &other, factor);
  }
  return address->offset.known;
}

/* All addresses that it may be; null if one of them is not to be loaded from. */
static node *read_address(choice *c, uw_address address) {
  node *n = uw_alloc(c->arena, sizeof *n);
  MlirValue condition, arms[2];
  for (size_t i = 0; i <= address.offset.count; i++) {
    bool is_base = i == address.offset.count;
    if ((!is_base && address.offset.terms[i].scale.ptr) ||
        !read_choice(c, is_base ? address.base : address.offset.terms[i].symbol, &condition, arms))
      continue;
    if (!uw_can_compute_again(&(uw_again){is_available, c, true}, condition))
      return NULL;
    c->varies = c->varies || uw_changes_with(condition, c->index);
    n->condition = condition;
    node *of[2];
    for (size_t k = 0; k < 2; k++) {
      uw_address other = address;
      if (!put_in(&other, i, arms[k]) || !(of[k] = read_address(c, other)))
        return NULL;
    }
    n->yes = of[0];
    n->no = of[1];
    return n;
  }
  return ++c->paths <= MOST_PATHS && add_address(c, &address, &n->address) ? n : NULL;
}

/* --- when each is chosen ------------------------------------------------------------------------------------------ */

static bool read_truth(choice *c, const node *n, uw_truth here) {
  uw_truth own;
  if (!n->condition.ptr) {
    c->chosen[n->address] |= here;
    return true;
  }
  return uw_truth_of(&c->comparisons, n->condition, &own) && read_truth(c, n->yes, here & own) &&
         read_truth(c, n->no, here & ~own);
}

/* Is the first address the second one wherever it is chosen? What was written for %x == 0 has 0 in the place of %x. */
static bool is_the_same(const choice *c, size_t first, size_t second) {
  if (!uw_same(c->addresses[first].base, c->addresses[second].base))
    return false;
  uw_linear gap = uw_linear_sum(&c->addresses[second].offset, &c->addresses[first].offset, -1);
  for (size_t i = 0; gap.known && i < c->comparisons.count; i++) {
    const uw_comparison *own = &c->comparisons.at[i];
    uw_linear left = own->left.ptr ? uw_linear_in_64(own->left) : (uw_linear){.known = false};
    if (!left.known || left.count != 1 || left.constant != 0 || left.terms[0].factor != 1 || left.terms[0].scale.ptr ||
        !uw_implies(&c->comparisons, c->chosen[first], uw_truth_of_comparison(i)))
      continue;
    for (size_t k = 0; k < gap.count; k++)
      if (uw_same(gap.terms[k].symbol, left.terms[0].symbol) && !gap.terms[k].scale.ptr) {
        gap.constant += gap.terms[k].factor * own->number;
        gap.terms[k] = gap.terms[--gap.count];
        break;
      }
  }
  return gap.known && gap.count == 0 && gap.constant == 0;
}

static void rename_address(node *n, size_t from, size_t to) {
  if (n->condition.ptr) {
    rename_address(n->yes, from, to);
    rename_address(n->no, from, to);
  } else if (n->address == from) {
    n->address = to;
  }
}

/* Takes the address out: where it is chosen, so is another one. */
static void merge(choice *c, node *all, size_t first, size_t second) {
  size_t last = --c->count;
  c->chosen[second] |= c->chosen[first];
  rename_address(all, first, second);
  if (first != last)
    rename_address(all, last, first);
  c->addresses[first] = c->addresses[last];
  c->known[first] = c->known[last];
  c->chosen[first] = c->chosen[last];
}

/* May all threads compare so? Under a condition that not all pass, arithmetic may promise what holds for those alone. */
static bool is_for_all(const choice *c, const uw_short_condition *text) {
  for (size_t i = 0; i < text->count; i++) {
    const uw_comparison *own = &c->comparisons.at[text->numbers[i]];
    if ((!own->condition.ptr || !is_available(c, own->condition)) && (!own->left.ptr || !is_available(c, own->left)))
      return false;
  }
  return true;
}

static void find_when(choice *c, node *all) {
  uw_comparisons_start(&c->comparisons);
  c->has_truth = read_truth(c, all, ~(uw_truth)0);
  for (size_t i = 0; c->has_truth && i < c->count; i++)
    for (size_t k = 0; k < c->count; k++)
      if (k != i && is_the_same(c, i, k)) {
        merge(c, all, i, k);
        i = SIZE_MAX; /* from the start */
        break;
      }
  for (size_t i = 0; i < c->count; i++)
    c->is_short[i] =
        c->has_truth && uw_shorten(&c->comparisons, c->chosen[i], &c->text[i]) && is_for_all(c, &c->text[i]);
}

/* How many steps it takes to say when the address is chosen. */
static size_t steps_of(const choice *c, size_t number) {
  const uw_short_condition *text = &c->text[number];
  return c->is_short[number] ? 2 * text->count + text->negated[0] + text->negated[1] : c->paths;
}

/* The address that is loaded where no other one is chosen: its mask is not needed. */
static size_t longest(const choice *c) {
  size_t found = 0;
  for (size_t i = 1; i < c->count; i++)
    if (steps_of(c, i) > steps_of(c, found))
      found = i;
  return found;
}

/* --- the new loads ------------------------------------------------------------------------------------------------ */

/* Gives the array the margins, and leads what uses it behind the first one. */
static void add_margins(MlirOperation array, int64_t before, int64_t after) {
  int64_t size, unit = uw_get_int_attr(array, "alignment", UW_CACHE_LINE);
  unit = unit > UW_CACHE_LINE ? unit : UW_CACHE_LINE;
  uw_const_value(uw_operand(array, 0), &size);
  before = (before + unit - 1) / unit * unit;
  uw_builder b = uw_after(array);
  MlirValue start = uw_byte_address(&b, uw_result(array, 0), before);
  for (MlirOpOperand use = mlirValueGetFirstUse(uw_result(array, 0)), next; !mlirOpOperandIsNull(use); use = next) {
    next = mlirOpOperandGetNextUse(use);
    if (!uw_same_op(mlirOpOperandGetOwner(use), uw_def(start)))
      mlirOperationSetOperand(mlirOpOperandGetOwner(use), mlirOpOperandGetOperandNumber(use), start);
  }
  b = uw_at(array);
  mlirOperationSetOperand(array, 0, uw_const_int(&b, 64, before + size + after));
}

static MlirValue in_64(uw_builder *b, MlirValue integer) {
  MlirType type = mlirValueGetType(integer), wide = uw_int_type(b->context, 64);
  if (mlirTypeEqual(type, wide))
    return integer;
  return uw_build1(b, mlirTypeIsAIndex(type) ? "arith.index_cast" : "arith.extsi", .in = VALS(integer),
                   .out = TYPES(wide));
}

static MlirValue build_address(uw_builder *b, const uw_address *address) {
  MlirValue sum = uw_const_int(b, 64, address->offset.constant);
  for (size_t i = 0; i < address->offset.count; i++) {
    const uw_term *term = &address->offset.terms[i];
    MlirValue product = uw_binary(b, "arith.muli", in_64(b, term->symbol), uw_const_int(b, 64, term->factor));
    if (term->scale.ptr)
      product = uw_binary(b, "arith.muli", product, in_64(b, term->scale));
    sum = uw_binary(b, "arith.addi", sum, product);
  }
  return uw_add_bytes(b, address->base, sum);
}

/* Is it the address of that number that is chosen? The map has the conditions as they are computed for the load. */
static MlirValue long_mask(uw_builder *b, const choice *c, const node *n, size_t number, uw_map *map) {
  if (!n->condition.ptr)
    return uw_const_int(b, 1, n->address == number);
  int64_t left, right;
  MlirValue yes = long_mask(b, c, n->yes, number, map), no = long_mask(b, c, n->no, number, map);
  if (uw_const_value(yes, &left) && uw_const_value(no, &right) && left == right)
    return yes;
  return uw_select(b, uw_compute_again(b, &(uw_again){is_available, c, true}, n->condition, map), yes, no);
}

static MlirValue one_comparison(uw_builder *b, const choice *c, size_t number, bool negated) {
  const uw_comparison *own = &c->comparisons.at[number];
  MlirValue value = own->condition;
  if (!value.ptr || !is_available(c, value)) {
    MlirType type = mlirValueGetType(own->left);
    value = uw_compare(b, UW_EQ, own->left,
                       mlirTypeIsAIndex(type) ? uw_const_index(b, own->number)
                                              : uw_const_int(b, mlirIntegerTypeGetWidth(type), own->number));
  }
  return negated ? uw_binary(b, "arith.xori", value, uw_const_int(b, 1, 1)) : value;
}

static MlirValue mask_of(uw_builder *b, const choice *c, const node *all, size_t number, uw_map *map) {
  const uw_short_condition *text = &c->text[number];
  if (!c->is_short[number])
    return long_mask(b, c, all, number, map);
  if (text->count == 0)
    return uw_const_int(b, 1, text->always);
  MlirValue first = one_comparison(b, c, text->numbers[0], text->negated[0]);
  if (text->count == 1)
    return first;
  MlirValue second = one_comparison(b, c, text->numbers[1], text->negated[1]);
  return uw_binary(b, text->either ? "arith.ori" : "arith.andi", first, second);
}

static void select_values(choice *c, const node *all) {
  uw_builder b = uw_at(c->load);
  uw_map *map = uw_map_create(c->arena);
  MlirType type = mlirValueGetType(uw_result(c->load, 0));
  size_t otherwise = longest(c);
  MlirValue value = {NULL};
  for (size_t i = 0; i < c->count; i++) {
    size_t number = i == 0 ? otherwise : i - (i <= otherwise);
    MlirValue address = c->known[number].ptr ? c->known[number] : build_address(&b, &c->addresses[number]);
    MlirValue own = uw_build1(&b, "llvm.load", .in = VALS(address), .out = TYPES(type),
                              .attrs = ATTRS({"alignment", uw_get_attr(c->load, "alignment")}));
    value = i == 0 ? own : uw_select(&b, mask_of(&b, c, all, number, map), own, value);
  }
  uw_replace_uses(uw_result(c->load, 0), value);
  uw_erase(c->load);
}

/* --- where it pays ------------------------------------------------------------------------------------------------ */

/* For a register of lanes: a load of each address, and a choice and a mask for each but one; in place of a gather, and
 * of a choice of addresses, in 64 bits, for each way to one. */
static bool is_cheaper(const choice *c, const uw_target *target) {
  enum { POINTER = 8 };
  double gather = uw_gather_cost(uw_costs_of(target), c->bytes, false) * (double)uw_lanes_for(target, c->bytes);
  size_t steps = 0, otherwise = longest(c);
  for (size_t i = 0; i < c->count; i++)
    steps += i == otherwise ? 1 : 2 + steps_of(c, i);
  return (double)steps < gather + (double)(c->paths * POINTER) / (double)c->bytes;
}

/* Reads the load's choice; null if it stays as it is. */
static node *read_load(uw_arena *arena, MlirOperation load, MlirOperation loop, choice *c) {
  size_t dims = uw_dims(loop);
  MlirType type = mlirValueGetType(uw_result(load, 0));
  uw_target target = uw_target_of(loop);
  *c = (choice){.arena = arena, .load = load, .loop = loop, .bytes = (int64_t)uw_type_bytes(type)};
  c->index = mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)dims - 1);
  if (!uw_plain_access(load) || (!mlirTypeIsAInteger(type) && !mlirTypeIsAFloat(type)) ||
      mlirAttributeIsNull(uw_get_attr(load, "alignment")))
    return NULL;
  node *all = read_address(c, uw_address_in_64(uw_operand(load, 0)));
  if (!all || c->count < 2 || !c->varies)
    return NULL;
  find_when(c, all);
  return is_cheaper(c, &target) ? all : NULL;
}

/* Where arrays have grown, the load's choice is read again. */
static bool change_load(uw_arena *arena, MlirOperation load, MlirOperation loop) {
  choice c;
  const node *all = read_load(arena, load, loop, &c);
  for (size_t i = 0; all && i < c.count; i++) {
    int64_t before, after;
    if (c.known[i].ptr || !find_margins(&c, &c.addresses[i], &before, &after) || before + after == 0)
      continue;
    add_margins(uw_def(c.addresses[i].base), before, after);
    all = read_load(arena, load, loop, &c);
  }
  if (!all)
    return false;
  /* Loads that LLVM has moved below the choice have no line of their own. */
  uw_remark(mlirOperationGetLocation(loop), "select-loads",
            "conditions choose from %zu addresses: loaded from each of them, and values chosen", c.count);
  select_values(&c, all);
  return true;
}

static bool goes_along(MlirOperation access, MlirValue index) {
  bool stores = uw_kind(access) == UW_OP_LLVM_STORE;
  MlirType type = mlirValueGetType(stores ? uw_operand(access, 0) : uw_result(access, 0));
  uw_address address = uw_address_of(uw_operand(access, stores));
  uw_stride stride = uw_stride_along(&address.offset, index);
  return uw_plain_access(access) && !uw_changes_with(address.base, index) &&
         (uw_is_stride(stride, (int64_t)uw_type_bytes(type)) || (!stores && uw_is_stride(stride, 0)));
}

/* Is the loop one that LLVM makes vectors of, but for loads whose address is chosen? */
static bool has_lanes(uw_arena *arena, MlirOperation loop, const uw_ops *ops) {
  size_t dims = uw_dims(loop);
  uw_target target = uw_target_of(loop);
  int64_t lower, upper, lanes = uw_lanes_for(&target, 4);
  if (lanes < 2 || uw_is_fallback(loop) ||
      (uw_const_value(uw_lower_of(loop, dims - 1), &lower) && uw_const_value(uw_upper_of(loop, dims - 1), &upper) &&
       upper - lower < lanes))
    return false;
  MlirValue index = mlirBlockGetArgument(uw_block(loop, 0), (intptr_t)dims - 1);
  for (size_t i = 0; i < ops->count; i++) {
    uw_kind_t kind = uw_kind(ops->at[i]);
    choice c;
    bool access = kind == UW_OP_LLVM_LOAD || kind == UW_OP_LLVM_STORE;
    if (access ? !goes_along(ops->at[i], index) && (kind == UW_OP_LLVM_STORE || !read_load(arena, ops->at[i], loop, &c))
               : kind != UW_OP_SCF_IF && kind != UW_OP_SCF_YIELD && kind != UW_OP_SCF_IN_PARALLEL &&
                     (uw_region_count(ops->at[i]) != 0 || !uw_effect_free(ops->at[i])))
      return false;
  }
  return true;
}

/* Branches of which nobody takes the address any more. */
static void drop_branches(uw_arena *arena, MlirOperation loop) {
  uw_drop_unused(arena, loop);
  uw_ops branches = uw_collect_kind(arena, loop, UW_OP_SCF_IF);
  for (size_t i = branches.count; i-- > 0;) /* inner before outer */
    if (uw_unused(branches.at[i]) && uw_only_reads(branches.at[i]))
      uw_erase(branches.at[i]);
  uw_drop_unused(arena, loop);
}

uw_change uw_pass_select_loads(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    uw_ops ops = uw_collect(ctx->arena, loops.at[i]);
    bool has_choice = false;
    for (size_t k = 0; k < ops.count && !has_choice; k++)
      has_choice = is_select(ops.at[k]) || (uw_kind(ops.at[k]) == UW_OP_SCF_IF && uw_result_count(ops.at[k]) > 0);
    if (!has_choice || uw_is_over(loops.at[i], UW_OVER_NOTHING) || uw_is_over(loops.at[i], UW_OVER_BLOCKS) ||
        !has_lanes(ctx->arena, loops.at[i], &ops))
      continue;
    bool changed = false;
    for (size_t k = 0; k < ops.count; k++)
      if (uw_kind(ops.at[k]) == UW_OP_LLVM_LOAD && change_load(ctx->arena, ops.at[k], loops.at[i]))
        changed = true;
    if (!changed)
      continue;
    drop_branches(ctx->arena, loops.at[i]);
    change = UW_CHANGED;
  }
  return change;
}
