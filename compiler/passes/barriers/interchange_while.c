/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Swaps a thread loop with a while in it (see interchange.c, and Figure 8 of the paper).
 *
 *   parallel %i in n {                      while {
 *     while (%a) {                            parallel %i in n { A; store %more, %slot }
 *       A; condition(%more) %x      ==>       %more = load %slot
 *     } do { B; yield %b }                    condition(%more)
 *   }                                       } do { parallel %i in n { B } }
 *
 * Requires: the condition is uniform. Preserves: program order in each thread. Refuses: nothing. */
#include "interchange.h"

/* The same for a while: what comes into the condition's region (in), and what it hands on (out). */
static void choose_kept_while(swap *s, MlirOperation op, carried *in, carried *out) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  size_t ins = uw_operand_count(op), outs = uw_result_count(op);
  for (size_t i = 0; i < ins; i++)
    in[i].kept = uw_computable_outside(s->arena, uw_operand(op, i), s->loop, NULL);
  for (size_t j = 0; j < outs; j++)
    out[j].kept = true;
  for (bool changed = true; changed;) {
    changed = false;
    uw_map *known = uw_map_create(s->arena);
    for (size_t i = 0; i < ins; i++)
      if (in[i].kept)
        uw_map_set(known, argument(before, i), argument(before, i));
    for (size_t j = 0; j < outs; j++)
      if (out[j].kept)
        uw_map_set(known, argument(after, j), argument(after, j));
    for (size_t i = 0; i < ins; i++)
      if (in[i].kept && !uw_computable_outside(s->arena, uw_operand(uw_last(after), i), s->loop, known)) {
        in[i].kept = false;
        changed = true;
      }
    for (size_t j = 0; j < outs; j++)
      if (out[j].kept && !uw_computable_outside(s->arena, uw_operand(uw_last(before), j + 1), s->loop, known)) {
        out[j].kept = false;
        changed = true;
      }
  }
}

/* Slots for what is not kept, and the writes of them at the ends of the regions. Two cases save a slot and a copy
 * in each iteration:
 *   through   the condition's region hands on a value as it came in: the slot that it came in has it;
 *   back      the body hands a value back as it got it: the condition's region writes it where the next one expects it.
 * A slot that something reads through is not overwritten at the end of the condition's region, so the two exclude
 * each other. */
static void create_while_slots(swap *s, MlirOperation op, carried *in, carried *out) {
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  size_t ins = uw_operand_count(op), outs = uw_result_count(op);
  intptr_t *same = uw_alloc(s->arena, (outs + 1) * sizeof *same); /* index of what has the same slot, or -1 */
  bool *through = uw_alloc(s->arena, (outs + 1) * sizeof *through);
  bool *shares = uw_alloc(s->arena, (ins + 1) * sizeof *shares);
  for (size_t i = 0; i < ins; i++)
    if (!in[i].kept)
      uw_swap_create_slot(s, &in[i], argument(before, i), uw_uniform(s->facts, argument(before, i)));
  for (int iteration = 0; iteration < 2; iteration++) /* through, then back */
    for (size_t j = 0; j < outs; j++) {
      MlirValue handed = argument(after, j);
      bool shared = uw_uniform(s->facts, handed) && uw_uniform(s->facts, uw_result(op, j));
      if (iteration == 0)
        same[j] = -1;
      for (size_t i = 0; i < ins && !out[j].kept && same[j] < 0; i++) {
        bool fits = iteration == 0 ? uw_same(uw_operand(uw_last(before), j + 1), argument(before, i))
                                   : uw_same(uw_operand(uw_last(after), i), handed) && !shares[i];
        if (in[i].kept || !fits || in[i].slot.shared != shared)
          continue;
        same[j] = (intptr_t)i;
        through[j] = iteration == 0;
        shares[i] = true;
        out[j].slot = in[i].slot;
      }
    }
  for (size_t i = 0; i < ins; i++) {
    MlirValue next = uw_operand(uw_last(after), i);
    bool there = in[i].kept;
    MlirValue reads = {NULL}; /* what comes from the slot in the body, if that is one value */
    size_t readers = 0;
    for (size_t j = 0; j < outs; j++) {
      there = there || (same[j] == (intptr_t)i && uw_same(next, argument(after, j)));
      if (same[j] == (intptr_t)i && used(argument(after, j))) {
        reads = argument(after, j);
        readers++;
      }
    }
    if (!there && readers <= 1)
      uw_swap_keep_carried(s, after, &in[i], reads, next);
    else if (!there)
      uw_swap_keep_at_end(s, after, &in[i], next);
  }
  for (size_t j = 0; j < outs; j++) {
    MlirValue value = uw_operand(uw_last(before), j + 1);
    bool wanted = same[j] >= 0 || used(uw_result(op, j)) || used(argument(after, j));
    if (out[j].kept || through[j] || !wanted)
      continue;
    if (same[j] < 0)
      uw_swap_create_slot(s, &out[j], value,
                          uw_uniform(s->facts, argument(after, j)) && uw_uniform(s->facts, uw_result(op, j)));
    MlirValue reads = same[j] < 0 ? (MlirValue){NULL} : argument(before, same[j]);
    uw_swap_keep_carried(s, before, &out[j], reads, value);
  }
}

void uw_swap_while(swap *s, uw_ops *inner) {
  MlirOperation op = s->construct;
  MlirBlock before = uw_block(op, 0), after = uw_block(op, 1);
  MlirOperation condition = uw_last(before);
  size_t ins = uw_operand_count(op), outs = uw_result_count(op);
  carried *in = uw_alloc(s->arena, (ins + 1) * sizeof *in), *out = uw_alloc(s->arena, (outs + 1) * sizeof *out);
  choose_kept_while(s, op, in, out);
  create_while_slots(s, op, in, out);
  uw_map *known = uw_map_create(s->arena);
  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_map_set(known, argument(before, i), argument(before, i));
  MlirValue goes_on = uw_operand(condition, 0);
  bool condition_known = uw_computable_outside(s->arena, goes_on, s->loop, known);
  uw_slot condition_slot = {0};
  if (!condition_known) {
    uw_assert(op, uw_uniform(s->facts, goes_on));
    condition_slot = uw_slot_create(s->threads, mlirValueGetType(goes_on), true);
    uw_builder b = uw_at(condition);
    uw_slot_keep(&b, &condition_slot, s->loop, goes_on);
  }
  for (size_t i = 0; i < ins; i++) {
    if (!in[i].kept)
      uw_swap_read_at_start(s, before, &in[i], argument(before, i));
    uw_swap_place_init(s, &in[i], i);
  }
  for (size_t j = 0; j < outs; j++)
    if (!out[j].kept)
      uw_swap_read_at_start(s, after, &out[j], argument(after, j));
  uw_swap_read_results(s, out);
  uw_split_before(s->threads, s->loop, op);

  uw_builder b = uw_at(s->loop);
  b.location = mlirOperationGetLocation(op);
  uw_vals inits = {0}, handed = {0}, yields = {0};
  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_vals_push(s->arena, &inits, uw_operand(op, i));
  MlirOperation copy = uw_build_while(&b, VALS_OF(inits), uw_swap_kept_types(s, out, outs));
  uw_swap_replace_kept_results(s, out, copy);
  MlirOperation own = uw_swap_split_after(s), second = {NULL};
  MlirBlock copy_before = uw_block(copy, 0), copy_after = uw_block(copy, 1);

  uw_map *map = uw_map_create(s->arena);
  for (size_t i = 0, k = 0; i < ins; i++)
    if (in[i].kept)
      uw_map_set(map, argument(before, i), argument(copy_before, k++));
  for (size_t j = 0, k = 0; j < outs; j++)
    if (out[j].kept)
      uw_map_set(map, argument(after, j), argument(copy_after, k++));
  uw_builder start = uw_at_start(copy_before, b.location);
  MlirValue block_condition = {NULL};
  if (condition_known)
    block_condition = uw_compute_outside(&start, uw_operand(condition, 0), own, map);
  uw_vals_push(s->arena, &handed, block_condition);
  for (size_t j = 0; j < outs; j++)
    if (out[j].kept)
      uw_vals_push(s->arena, &handed, uw_compute_outside(&start, uw_operand(condition, j + 1), own, map));
  /* Copies made for one region are of no use in the other. */
  uw_map *after_map = uw_map_create(s->arena);
  for (size_t j = 0; j < outs; j++)
    if (out[j].kept)
      uw_map_set(after_map, argument(after, j), uw_map_get(map, argument(after, j)));
  start = uw_at_start(copy_after, b.location);
  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_vals_push(s->arena, &yields, uw_compute_outside(&start, uw_operand(uw_last(after), i), own, after_map));

  for (size_t i = 0; i < ins; i++)
    if (in[i].kept)
      uw_replace_uses(argument(before, i), uw_map_get(map, argument(before, i)));
  for (size_t j = 0; j < outs; j++)
    if (out[j].kept)
      uw_replace_uses(argument(after, j), uw_map_get(map, argument(after, j)));
  if (uw_swap_has_operations(after)) {
    uw_builder end = uw_at_end(copy_after, b.location);
    second = uw_swap_second_loop(s, own, &end, after);
  }
  uw_yield(copy_after, b.location, VALS_OF(yields));
  uw_move_to_end(own, copy_before);
  uw_swap_move_body(before, own);
  uw_builder end = uw_at_end(copy_before, b.location);
  if (!condition_known)
    handed.at[0] = uw_slot_read(&end, &condition_slot, condition_slot.memory, false);
  uw_build(&end, "scf.condition", .in = VALS_OF(handed));
  uw_swap_finish(s, own, second, inner);
}
