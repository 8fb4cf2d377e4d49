/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes threads that reach for every second, fourth or eighth element of shared memory by whole registers of that
 * memory. The iterations of trees are addressed so: as lanes of a vector, a thread each, they would be gathers and
 * scatters.
 *
 *   parallel (%t) to 128 {                           for (%t = 0 to 128 step 4) {           (16 elements in a register)
 *     %a = load %s[4 %t + 1]                           %v = load vector %s[4 %t]
 *     %b = load %s[4 %t + 3]               ==>         %w = shuffle %v [-, -, -, 1, -, -, -, 5, …]
 *     store %a + %b, %s[4 %t + 3]                      store select([0, 0, 0, 1, …], %v + %w, %v), vector %s[4 %t]
 *   }                                                }
 *
 * All accesses of a thread to one piece of memory lie in a window of its own, as long as the step from thread to
 * thread; a register holds the windows of several threads, and each element stays where it is in memory. A value of a
 * thread stands at the position of what is stored with it, and a shuffle takes loaded ones there: one for all positions
 * that get but one. What lies in between is computed too, and thrown away. Where a loaded element is stored elsewhere
 * as it is, and its own address is stored to as well, the shuffle swaps the two, and is what is stored: an iteration of
 * a scan on its way down is a shuffle and an addition under a mask (target/masks.c).
 *
 * Loops that follow each other over the same memory are then one, register by register (fuse_strided.c).
 *
 * Done when a) threads count from 0 by 1; the loop's body holds plain loads and stores and pure arithmetic, without
 * branches;
 * b) all loaded and stored elements have one size, 4 or 8 bytes, and addresses grow by the same 2 to half a register of
 * them;
 * c) accesses at addresses a constant apart form a window, and fit in one step; d) of what is stored either every
 * element of a window is, or it is shared memory of a known size that windows never leave, that one worker alone has,
 * that nobody else leads a pointer to, and that has only this window in the loop; e) accesses of one thread to
 * different windows do not meet; f) some window is stored to that LLVM would scatter to, or that is loaded after it was
 * stored to. Elements that no thread may touch are not loaded but of such shared memory.
 *
 * Legal because threads between two barriers do not race and may run in any order, also operation by operation: what a
 * thread loads only it stores to. What is written back between its elements is what was there: the worker that has the
 * block is the only one that could touch it.
 *
 * Requires: full-unroll, guards-to-bounds (constant steps, bounds instead of conditions). Preserves: each thread's order of accesses
 * to a window. Refuses: the rest, silently. */
#include "../../analysis/cpu.h"
#include "../../ir/parallel.h"
#include "../../ir/remarks.h"
#include "../../transform/loop_ranges.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "window_facts.h"
#include "vectorize_strided.h"

static MlirType vector_of(const uw_windows *w, MlirType element) { return mlirVectorTypeGet(1, &w->width, element); }

static MlirValue shuffle(uw_windows *w, MlirValue left, MlirValue right, const int32_t *from) {
  return uw_build1(&w->b, "llvm.shufflevector", .in = VALS(left, right), .out = TYPES(mlirValueGetType(left)),
                   .attrs = ATTRS({"mask", mlirDenseI32ArrayGet(w->b.context, (intptr_t)w->width, from)}));
}

static int64_t lane_of(const uw_windows *w, const uw_window_access *a) {
  return (a->offset - w->at[a->window].start) / w->bytes;
}

static const uw_window_access *access_of(const uw_windows *w, MlirOperation op) {
  size_t i = 0;
  while (!uw_same_op(w->accesses[i].op, op))
    i++;
  return &w->accesses[i];
}

/* What the value at this lane needs of loaded elements at others comes by one shuffle for all lanes of a window, as far
 * as each gets one. */
static void join_moves(uw_windows *w, MlirValue value, int64_t lane) {
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, w->loop))
    return;
  if (uw_kind(op) != UW_OP_LLVM_LOAD) {
    for (size_t i = 0; i < uw_operand_count(op); i++)
      join_moves(w, uw_operand(op, i), lane);
    return;
  }
  const uw_window_access *load = access_of(w, op);
  uw_window *own = &w->at[load->window];
  int64_t from = lane_of(w, load);
  if (own->joint[lane] == lane)
    own->joint[lane] = (int)from;
}

static void plan_moves(uw_windows *w) {
  for (size_t i = 0; i < w->count; i++)
    for (int l = 0; l < w->step; l++)
      w->at[i].joint[l] = l;
  for (size_t i = 0; i < w->access_count; i++) {
    const uw_window_access *a = &w->accesses[i];
    if (!a->writes)
      continue;
    MlirValue value = uw_operand(a->op, 0);
    bool loaded = uw_defined_inside(value, w->loop) && uw_kind(uw_def(value)) == UW_OP_LLVM_LOAD;
    w->at[a->window].swaps = w->at[a->window].swaps || (loaded && access_of(w, uw_def(value))->window == a->window);
    join_moves(w, value, lane_of(w, a));
  }
}

/* Takes what stands at lane `from` of each thread's window to lane `to`. Other lanes keep their own where the result
 * may be stored. */
static MlirValue move(uw_windows *w, const uw_window *own, MlirValue vector, int64_t from, int64_t to) {
  int32_t lanes[UW_WINDOW_LANES];
  bool joint = own->joint[to] == from;
  if (from == to)
    return vector;
  MlirValue done = joint ? uw_map_get(w->joint, vector) : (MlirValue){NULL};
  if (done.ptr)
    return done;
  for (int64_t l = 0; l < w->width; l++) {
    int64_t lane = l % w->step, source = joint ? own->joint[lane] : lane == to ? from : lane;
    lanes[l] = source == lane && !own->swaps ? -1 : (int32_t)(l - lane + source);
  }
  MlirValue moved = shuffle(w, vector, vector, lanes);
  if (joint)
    uw_map_set(w->joint, vector, moved);
  return moved;
}

/* The threads' values, each at this lane of its window. */
static MlirValue at_lane(uw_windows *w, MlirValue value, int64_t lane) {
  MlirValue done = uw_map_get(w->moved[lane], value), made = {NULL};
  if (done.ptr)
    return done;
  MlirOperation op = uw_def(value);
  if (!uw_defined_inside(value, w->loop)) {
    made = uw_splat(&w->b, value, w->width);
  } else if (uw_kind(op) == UW_OP_ARITH_CONSTANT) {
    made = uw_splat(&w->b, uw_result(uw_clone(&w->b, op, uw_map_create(w->arena)), 0), w->width);
  } else if (uw_kind(op) == UW_OP_LLVM_LOAD) {
    const uw_window_access *load = access_of(w, op);
    made = move(w, &w->at[load->window], uw_map_get(w->loaded, value), lane_of(w, load), lane);
  } else {
    uw_map *operands = uw_map_create(w->arena);
    for (size_t i = 0; i < uw_operand_count(op); i++)
      uw_map_set(operands, uw_operand(op, i), at_lane(w, uw_operand(op, i), lane));
    uw_clone(&w->b, op, operands);
    made = uw_map_get(operands, value);
    mlirValueSetType(made, vector_of(w, mlirValueGetType(value)));
  }
  uw_map_set(w->moved[lane], value, made);
  return made;
}

/* These lanes of each thread's window. */
static MlirValue mask_of(uw_windows *w, uint32_t chosen) {
  MlirType bit = uw_int_type(w->b.context, 1), type = vector_of(w, bit);
  MlirAttribute bits[UW_WINDOW_LANES];
  for (int64_t l = 0; l < w->width; l++)
    bits[l] = mlirIntegerAttrGet(bit, chosen >> (l % w->step) & 1);
  return uw_build1(&w->b, "arith.constant", .out = TYPES(type),
                   .attrs = ATTRS({"value", mlirDenseElementsAttrGet(type, (intptr_t)w->width, bits)}));
}

static bool is_arithmetic(const uw_windows *w, MlirValue value) {
  return uw_defined_inside(value, w->loop) && uw_kind(uw_def(value)) != UW_OP_LLVM_LOAD;
}

/* Is an element the first that is stored, at another lane of its window, as it is, where all else that the shuffle
 * moves is stored to later? Then what the shuffle leaves is the window: until then what others load is the original. */
static bool is_swap(const uw_windows *w, const uw_window_access *a) {
  const uw_window *own = &w->at[a->window];
  MlirValue value = uw_operand(a->op, 0);
  int64_t lane = lane_of(w, a);
  if (own->changed != 0 || !uw_defined_inside(value, w->loop) || is_arithmetic(w, value))
    return false;
  const uw_window_access *load = access_of(w, uw_def(value));
  if (load->window != a->window || own->joint[lane] != lane_of(w, load) || own->joint[lane] == lane)
    return false;
  uint32_t left = 0;
  for (int l = 0; l < w->step; l++)
    left |= own->joint[l] != l && l != lane ? 1u << l : 0;
  for (const uw_window_access *next = a + 1; next < w->accesses + w->access_count; next++)
    if (next->window == a->window && next->writes)
      left &= ~(1u << lane_of(w, next));
  return left == 0;
}

static void emit_access(uw_windows *w, const uw_window_access *a) {
  uw_window *own = &w->at[a->window];
  int64_t lane = lane_of(w, a);
  if (!a->writes) {
    uw_map_set(w->loaded, uw_result(a->op, 0), own->changed >> lane & 1 ? own->current : own->original);
    return;
  }
  MlirValue value = uw_operand(a->op, 0), fresh = at_lane(w, value, lane);
  int32_t from[UW_WINDOW_LANES];
  bool swap = is_swap(w, a);
  own->changed |= 1u << lane;
  if (swap) {
    own->current = fresh;
    return;
  }
  if (own->loaded && is_arithmetic(w, value) && w->target.has_masks) {
    own->current = uw_build1(&w->b, "arith.select", .in = VALS(mask_of(w, 1u << lane), fresh, own->current),
                             .out = TYPES(mlirValueGetType(fresh)));
    return;
  }
  for (int64_t l = 0; l < w->width; l++)
    from[l] = (int32_t)(l % w->step == lane ? l + w->width : l);
  own->current = shuffle(w, own->current, fresh, from);
}

static MlirAttribute alignment(const uw_windows *w, unsigned bits) { return uw_int_attr(w->b.context, bits, w->bytes); }

/* All of the register if threads touch all of it, or it is shared memory; else a load with a mask. */
static MlirValue load_window(uw_windows *w, const uw_window *own) {
  MlirType type = vector_of(w, own->element);
  if (!own->loaded && own->written == (1u << w->step) - 1)
    return uw_poison(&w->b, type);
  if (own->exact_shared || own->touched == (1u << w->step) - 1)
    return uw_build1(&w->b, "llvm.load", .in = VALS(own->address), .out = TYPES(type),
                     .attrs = ATTRS({"alignment", alignment(w, 64)}));
  return uw_build1(&w->b, "llvm.intr.masked.load",
                   .in = VALS(own->address, mask_of(w, own->touched), uw_poison(&w->b, type)), .out = TYPES(type),
                   .attrs = ATTRS({"alignment", alignment(w, 32)}));
}

static void emit(uw_windows *w) {
  uw_builder before = uw_at(w->loop);
  MlirValue extent = uw_upper_of(w->loop, w->dims - 1), zero = uw_const_index(&before, 0);
  MlirValue per = uw_const_index(&before, w->width / w->step);
  int64_t known;
  bool is_known = uw_const_value(extent, &known);
  MlirValue most = is_known ? extent : uw_binary(&before, "arith.maxsi", extent, zero);
  MlirValue end = is_known ? uw_const_index(&before, known - known % (w->width / w->step))
                           : uw_binary(&before, "arith.subi", most, uw_binary(&before, "arith.remui", most, per));
  uw_map *thread = uw_map_create(w->arena);
  w->b = before;
  for (size_t d = 0; d < w->dims; d++) {
    bool is_last = d + 1 == w->dims;
    int64_t count;
    uw_map_set(thread, uw_windows_index(w, d), zero);
    if (!is_last && uw_const_value(uw_upper_of(w->loop, d), &count) && count == 1)
      continue;
    MlirValue upper = is_last ? end : uw_upper_of(w->loop, d), step = is_last ? per : uw_step_of(w->loop, d);
    MlirOperation loop = uw_build_for(&w->b, zero, upper, step, (uw_value_list){0});
    uw_yield(uw_block(loop, 0), before.location, (uw_value_list){0});
    if (is_last)
      uw_set_attr(loop, UW_WINDOWS, mlirUnitAttrGet(before.context));
    w->b = uw_at_end(uw_block(loop, 0), before.location);
    uw_map_set(thread, uw_windows_index(w, d), mlirBlockGetArgument(uw_block(loop, 0), 0));
  }
  w->loaded = uw_map_create(w->arena);
  w->joint = uw_map_create(w->arena);
  plan_moves(w);
  for (int64_t l = 0; l < w->step; l++)
    w->moved[l] = uw_map_create(w->arena);
  for (size_t i = 0; i < w->count; i++) {
    uw_window *own = &w->at[i];
    MlirValue address = uw_operand(own->first, uw_kind(own->first) == UW_OP_LLVM_STORE);
    MlirValue place = uw_compute_outside(&w->b, address, w->loop, thread), far = uw_const_int(&w->b, 64, own->start);
    own->address = uw_add_bytes(&w->b, place, far);
    own->original = own->current = load_window(w, own);
  }
  for (size_t i = 0; i < w->access_count; i++)
    emit_access(w, &w->accesses[i]);
  for (size_t i = 0; i < w->count; i++)
    if (w->at[i].stored)
      uw_build(&w->b, "llvm.store", .in = VALS(w->at[i].current, w->at[i].address),
               .attrs = ATTRS({"alignment", alignment(w, 64)}));
  uw_keep_remainder(w->loop, w->dims - 1, end);
}

uw_change uw_pass_vectorize_strided(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  enum { LEAST_BYTES = 4 }; /* bound: of an element that masks are for */
  uw_target target = uw_target_of(root);
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count && uw_loads_under_masks(&target, LEAST_BYTES); i++) {
    uw_windows w = {.arena = ctx->arena, .loop = loops.at[i], .target = target};
    if (!uw_is_over(w.loop, UW_OVER_THREADS) || !uw_windows_match(&w))
      continue;
    uw_remark(mlirOperationGetLocation(w.accesses[0].op), "vectorize-strided",
              "threads reach for one element out of %d of shared memory: by whole registers", (int)w.step);
    emit(&w);
    change = UW_CHANGED;
  }
  return uw_fuse_strided(ctx->arena, root) == UW_CHANGED ? UW_CHANGED : change;
}
