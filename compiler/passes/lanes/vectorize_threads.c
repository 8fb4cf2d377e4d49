/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes 16, 32 or 64 neighbouring threads at a time through a compute loop, as lanes of vectors:
 *
 *   parallel (%y, %x) to (%ny, %nx) {              parallel (%y, %p) to (%ny, %nx / 16) {
 *     for (%k) sum += a[%y][%k] * b[%k][%x]   ==>    for (%k) vector sum += a[%y][%k] * b[%k][16 * %p to + 15]
 *     store sum }                                    store vector sum }
 *                                                  and the threads of %nx % 16 as they were
 *
 * The loop over packets stands around one over lanes, which vectors.c makes vector code. Where the body also holds what
 * vectors cannot do (atomics, calls), barriers of the lanes before and after the compute loop have lower-barriers'
 * machinery give it a loop over lanes of its own.
 *
 * Where that does not pay, 16 lanes do such things one after the other amid vector code (in_turn.h).
 *
 * What is the same for all lanes by uniformity.h, a call or a private array, is made once for them (lane_shapes.c). Other
 * private arrays of up to 512 bytes that data indexes become one, of a part for each lane, which they gather and scatter.
 *
 * Where 16 threads have a row of their own by bits of the thread index (lane_bits.c), 64 would gather: then there are
 * 16 lanes.
 *
 * Where each thread walks along rows of its own, so many go together as memory can follow rows (lane_rows.h); all, if
 * they also read columns.
 *
 * What is left of the threads is done in packets of 16 if those were wider, then as some lanes of a last one, under a
 * mask, where the CPU loads so, and else one by one.
 *
 * Done when a) the thread loop holds no exchange any more; b) somewhere in it is a loop, or strides that vectorize_interleaved.c
 * can do and LLVM cannot;
 * c) vectors can do all that is in the body (vector_cost.c), or all that is in a loop which all threads come by; d)
 * they are supposed to be min_gain times as fast as threads alone, which do some loops in vectors themselves (own_walks.h).
 *
 * Loops whose bounds move from lane to lane together are counted from 0 (same_counts.c). Lanes that go over ranges that
 * overlap, as products of images do, make their iterations together (overlap.c).
 *
 * Where 32-bit indices could wrap around among the lanes, that is asked before the packet: for an index that differs
 * from iteration to iteration of a serial loop, of its range over all of them (iteration_ranges.c).
 *
 * Legal because threads between two barriers do not wait for each other; vectors.c says what holds within a packet.
 * Requires: barriers lowered, guards-to-bounds. Preserves: each thread's order. Refuses: all else, silently. */
#include "../../analysis/budget.h"
#include "../../analysis/cpu.h"
#include "../../analysis/bounds.h"
#include "../../analysis/calls.h"
#include "../../ir/remarks.h"
#include "../../analysis/exchange.h"
#include "../../transform/loop_ranges.h"
#include "../barriers/reshape.h"
#include "../../transform/thread_loop.h"
#include "../passes.h"
#include "../../analysis/access_map.h"
#include "lane_rows.h"
#include "overlap.h"
#include "pressure.h"
#include "same_counts.h"
#include "vectors.h"
#include "memory_waits.h"
#include "weaves.h"

enum { LEAST = UW_LEAST_LANES, MOST = UW_MOST_LANES_AT_ONCE, WORD = 4 /* bytes */ };

static const double min_gain = UW_MIN_GAIN;

/* Where threads alone are quick, what shuffles and gathers are supposed to take has to leave more room. */
static bool pays(const uw_vector_price *price) {
  return price->gain >= (uw_null(price->walked) ? min_gain : UW_CLEARLY_BETTER * min_gain);
}

/* Is all control flow around the loop the same for all lanes, as barriers there need it? */
static bool reached_by_all(const uw_uniformity *facts, MlirOperation loop, MlirOperation lanes) {
  for (MlirOperation op = uw_parent(loop); !uw_same_op(op, lanes); op = uw_parent(op)) {
    bool uniform = uw_kind(op) == UW_OP_SCF_IF ? uw_uniform(facts, uw_operand(op, 0)) : uw_kind(op) == UW_OP_SCF_FOR;
    for (size_t i = 0; uniform && uw_kind(op) == UW_OP_SCF_FOR && i < 3; i++)
      uniform = uw_uniform(facts, uw_operand(op, i));
    if (!uniform)
      return false;
  }
  return true;
}

/* Floating-point values of the threads that what stands in the serial loop takes from outside of it. */
static void find_taken(uw_arena *arena, MlirOperation serial, MlirOperation threads, uw_vals *taken) {
  uw_ops ops = uw_collect(arena, serial);
  for (size_t i = 0; i < ops.count; i++)
    for (size_t k = 0; k < uw_operand_count(ops.at[i]); k++) {
      MlirValue value = uw_operand(ops.at[i], k);
      if (mlirTypeIsAFloat(mlirValueGetType(value)) && uw_defined_inside(value, threads) &&
          !uw_defined_inside(value, serial) && uw_kind(uw_def(value)) != UW_OP_ARITH_CONSTANT)
        uw_vals_push_new(arena, taken, value);
    }
}

static int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }

/* Bytes of a lane that stay in registers in the loops below op: what they carry; and what they take from outside, or
 * the values on the way, UW_LANE_OTHERS of them at the most. */
static int64_t kept_bytes(uw_arena *arena, MlirOperation op) {
  uw_ops ops = uw_collect(arena, op);
  uw_vals all = {0};
  int64_t carried = 0, taken = 0, widest = WORD;
  for (size_t i = 0; i < ops.count; i++) {
    if (!uw_is_loop(ops.at[i]))
      continue;
    for (size_t k = 0; k < uw_result_count(ops.at[i]); k++)
      carried += (int64_t)uw_type_bytes(mlirValueGetType(uw_result(ops.at[i], k)));
    find_taken(arena, ops.at[i], op, &all);
  }
  for (size_t i = 0; i < all.count; i++) {
    int64_t bytes = (int64_t)uw_type_bytes(mlirValueGetType(all.at[i]));
    taken += bytes;
    widest = larger(widest, bytes);
  }
  return carried + larger(taken, uw_values_on_the_way(arena, op, UW_LANE_OTHERS) * widest);
}

/* How many threads to take at a time: the more, the more operations are under way at once, as long as there are
 * registers for what the loops carry and a few values more. Where each waits for what it loaded, more of them that wait
 * are worth values in memory; so are longer pieces of rows that lie far apart. Lanes of a warp that go through a row together part in its last iteration, and the fewer
 * are taken at a time the more iterations are without masks. */
static int64_t choose_width(uw_arena *arena, MlirOperation loop, int64_t most) {
  int64_t times = uw_reads_far_rows(arena, loop)  ? UW_ROOM_FOR_ROWS
                  : uw_follows_loads(arena, loop) ? UW_ROOM_TO_WAIT
                                                  : 1;
  int64_t room = uw_register_room(loop) * times;
  int64_t width = uw_is_over(loop, UW_OVER_LANES) ? LEAST : MOST, needed = kept_bytes(arena, loop);
  while (width > LEAST && (width > most || width * needed > room))
    width /= 2;
  return width;
}

/* A copy of the loop's body as lanes, in a loop over packets before it: of threads first + packet * width + lane. So
 * many lanes, or all of `width`. */
static MlirOperation make_some_lanes(uw_arena *arena, MlirOperation loop, MlirValue first, MlirValue packets,
                                     int64_t width, MlirValue many) {
  MlirBlock body = uw_block(loop, 0);
  size_t dims = (size_t)mlirBlockGetNumArguments(body);
  uw_builder b = uw_at(loop);
  MlirOperation outer = uw_parallel_like(&b, loop);
  uw_set_range(outer, dims - 1, (uw_range){uw_const_index(&b, 0), packets});
  uw_move_before(outer, loop);
  uw_builder in = uw_at_end(uw_block(outer, 0), b.location);
  MlirValue factor = uw_const_index(&in, width);
  MlirOperation lanes = uw_build_parallel(&in, VALS(many.ptr ? many : factor), UW_OVER_LANES);
  uw_map *map = uw_map_create(arena);
  uw_builder at = uw_at_end(uw_block(lanes, 0), b.location);
  for (size_t d = 0; d < dims; d++) {
    MlirValue own = mlirBlockGetArgument(uw_block(outer, 0), (intptr_t)d);
    if (d + 1 == dims)
      own = uw_binary(&at, "arith.addi", uw_binary(&at, "arith.addi", first, uw_binary(&at, "arith.muli", own, factor)),
                      mlirBlockGetArgument(uw_block(lanes, 0), 0));
    uw_map_set(map, mlirBlockGetArgument(body, (intptr_t)d), own);
  }
  uw_foreach_op (op, body)
    if (uw_kind(op) != UW_OP_SCF_IN_PARALLEL)
      uw_clone(&at, op, map);
  uw_share_counts(arena, lanes);
  return lanes;
}

static MlirOperation make_lanes(uw_arena *arena, MlirOperation loop, MlirValue first, MlirValue packets,
                                int64_t width) {
  return make_some_lanes(arena, loop, first, packets, width, (MlirValue){NULL});
}

/* A for that lanes leave after different iterations as a while, a switch as ifs. */
static void reshape(uw_arena *arena, MlirOperation lanes) {
  uw_ops switches = uw_collect_kind(arena, lanes, UW_OP_SCF_INDEX_SWITCH);
  for (size_t i = 0; i < switches.count; i++)
    uw_switch_to_ifs(arena, switches.at[i]);
  uw_shapes *shapes = uw_shapes_of(arena, lanes);
  uw_ops loops = uw_collect_kind(arena, lanes, UW_OP_SCF_FOR), uneven = {0};
  for (size_t i = 0; i < loops.count; i++)
    if (!uw_same_iterations(shapes, loops.at[i]) && !uw_overlaps(loops.at[i]))
      uw_ops_push(arena, &uneven, loops.at[i]);
  for (size_t i = uneven.count; i-- > 0;) {
    uw_for_to_while(arena, uneven.at[i]);
    uw_erase(uneven.at[i]);
  }
}

/* The outermost loops that vectors are good for. */
static uw_ops choose_loops(uw_arena *arena, uw_shapes *shapes, MlirOperation lanes, int64_t width) {
  const uw_uniformity *facts = uw_uniformity_of(arena, lanes, "warp");
  uw_ops ops = uw_collect(arena, lanes), chosen = {0};
  uw_vector_price price;
  for (size_t i = 0; i < ops.count; i++) {
    bool inside = false;
    for (size_t k = 0; k < chosen.count; k++)
      inside = inside || uw_inside(ops.at[i], chosen.at[k]);
    if (uw_is_loop(ops.at[i]) && !inside && reached_by_all(facts, ops.at[i], lanes) &&
        uw_vectors_fit(arena, shapes, ops.at[i], width, uw_target_of(lanes).register_bytes, &price) && pays(&price))
      uw_ops_push(arena, &chosen, ops.at[i]);
  }
  return chosen;
}

static void put_barrier(uw_builder b) {
  uw_build(&b, "unwarp.barrier", .attrs = ATTRS({"level", uw_str_attr(b.context, "warp")}));
}

static void remark(MlirOperation loop, int64_t width) {
  uw_remark(mlirOperationGetLocation(loop), "vectorize-threads", "compute loop: %d threads at a time, as SIMD lanes",
            (int)width);
}

/* Once LLVM has written the loop out it sees accesses that are so many elements apart, and what is further than its
 * groups go it gathers. */
static bool is_beyond_groups(MlirOperation walked) {
  enum { GROUP = 8 /* LLVM's, of interleaved accesses */ };
  int64_t low, high, step;
  return uw_kind(walked) == UW_OP_SCF_FOR && uw_const_value(uw_operand(walked, 0), &low) &&
         uw_const_value(uw_operand(walked, 1), &high) && uw_const_value(uw_operand(walked, 2), &step) && step > 0 &&
         (high - low) / step > GROUP;
}

/* At the loop that each thread does in lanes of its own, else at the first loop of the lanes. */
static void remark_slow(uw_arena *arena, MlirOperation lanes, const uw_vector_price *price) {
  if (!uw_null(price->walked)) {
    if (is_beyond_groups(price->walked))
      uw_set_attr(lanes, UW_ONE_BY_ONE, mlirUnitAttrGet(mlirOperationGetContext(lanes)));
    uw_remark(mlirOperationGetLocation(price->walked), "vectorize-threads",
              "threads go one by one: each walks along memory of its own, and does that in SIMD lanes");
    return;
  }
  uw_ops ops = uw_collect(arena, lanes);
  size_t i = 0;
  while (i < ops.count && !uw_is_loop(ops.at[i]))
    i++;
  if (i < ops.count)
    uw_remark(mlirOperationGetLocation(ops.at[i]), "vectorize-threads",
              "threads go one by one, not as SIMD lanes: supposed to be %.1f times as fast, %.1f is the least that "
              "pays (gathers, divisions and "
              "iterations of different number are done lane after lane)",
              price->gain, (double)min_gain);
}

/* Makes the lanes vector code, amid which they do in turn what vectors cannot; false if that does not pay, with what it
 * is supposed to gain. */
static bool make_in_turn(uw_arena *arena, uw_shapes *shapes, MlirOperation lanes, uw_vector_price *price) {
  if (!uw_vectors_fit_in_turn(arena, shapes, lanes, LEAST, uw_target_of(lanes).register_bytes, price))
    price->gain = 0;
  if (!pays(price))
    return false;
  uw_ops ops = uw_collect(arena, lanes);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_is_loop(ops.at[i]))
      remark(ops.at[i], LEAST);
  uw_make_vectors(arena, lanes, LEAST);
  return true;
}

/* Makes the lanes, whose operations all fit, vector code. */
static void make_whole(uw_arena *arena, MlirOperation lanes, int64_t width) {
  uw_ops ops = uw_collect(arena, lanes);
  for (size_t i = 0; i < ops.count; i++)
    if (uw_is_loop(ops.at[i]))
      remark(ops.at[i], width);
  uw_make_vectors(arena, lanes, width);
}

/* Makes the lanes, or their compute loops alone, vector code; false if that does not pay. */
static bool make_vectors(uw_arena *arena, MlirOperation lanes, int64_t width, bool says_why, bool *failed) {
  reshape(arena, lanes);
  uw_shapes *shapes = uw_shapes_of(arena, lanes);
  uw_vector_price price;
  if (uw_vectors_fit(arena, shapes, lanes, width, uw_target_of(lanes).register_bytes, &price)) {
    if (!pays(&price)) {
      if (says_why)
        remark_slow(arena, lanes, &price);
      return false;
    }
    make_whole(arena, lanes, width);
    return true;
  }
  uw_ops chosen = choose_loops(arena, shapes, lanes, width);
  for (size_t i = 0; i < chosen.count; i++) {
    remark(chosen.at[i], width);
    put_barrier(uw_at(chosen.at[i]));
    put_barrier(uw_after(chosen.at[i]));
  }
  uw_vector_price in_turn = {0};
  if (chosen.count == 0 && width == LEAST && make_in_turn(arena, shapes, lanes, &in_turn))
    return true;
  if (chosen.count == 0 && in_turn.gain > 0) {
    if (says_why)
      remark_slow(arena, lanes, &in_turn);
    return false;
  }
  if (chosen.count == 0) {
    if (says_why)
      uw_remark(mlirOperationGetLocation(price.hinders), "vectorize-threads",
                "threads go one by one, not as SIMD lanes: vectors cannot do %s", uw_what_hinders(price.hinders));
    return false;
  }
  *failed = !uw_lower_thread_loop(arena, lanes);
  for (size_t i = 0; i < chosen.count && !*failed; i++) {
    MlirOperation own = uw_parent_of_kind(chosen.at[i], UW_OP_SCF_FORALL);
    if (uw_vectors_fit(arena, uw_shapes_of(arena, own), own, width, uw_target_of(own).register_bytes, &price))
      uw_make_vectors(arena, own, width);
  }
  return true;
}

/* Does an access go from thread to thread by a stride that vectorize_interleaved.c can do, and neither LLVM's vectoriser can nor
 * vectorize_strided.c? As far as the sum's terms say: what a quotient in it does, lane_shapes.h knows. */
static bool has_odd_strides(uw_arena *arena, MlirOperation loop) {
  static const bool others_can[UW_MOST_STREAMS + 1] = {[1] = true, [2] = true, [3] = true,
                                                       [4] = true, [8] = true, [16] = true};
  MlirValue thread = mlirBlockGetArgument(uw_block(loop, 0), mlirBlockGetNumArguments(uw_block(loop, 0)) - 1);
  uw_ops ops = uw_collect(arena, loop);
  for (size_t i = 0; i < ops.count; i++) {
    bool is_store = uw_kind(ops.at[i]) == UW_OP_LLVM_STORE;
    if (!is_store && uw_kind(ops.at[i]) != UW_OP_LLVM_LOAD)
      continue;
    uw_address at = uw_address_of(uw_operand(ops.at[i], is_store));
    int64_t bytes =
        (int64_t)uw_type_bytes(mlirValueGetType(is_store ? uw_operand(ops.at[i], 0) : uw_result(ops.at[i], 0)));
    int64_t stride = uw_constant_stride(uw_stride_in(&at.offset, thread)),
            streams = bytes && stride % bytes == 0 ? stride / bytes : 0;
    if (streams > 1 && streams <= UW_MOST_STREAMS && !others_can[streams])
      return true;
  }
  return false;
}

/* Code for processors that hardly anybody has stays small (driver/compile_unit.c). */
static bool is_for_few(MlirOperation loop) { return uw_is_fallback(uw_parent_of_kind(loop, UW_OP_MODULE)); }

static bool is_candidate(uw_arena *arena, MlirOperation loop) {
  size_t dims = uw_dims(loop);
  int64_t upper;
  bool threads = uw_is_over(loop, UW_OVER_THREADS) || uw_is_over(loop, UW_OVER_LANES);
  if (!threads || dims == 0 || uw_target_of(loop).register_bytes == 0 || is_for_few(loop) || uw_stays_small(loop) ||
      uw_has_exchange(loop, "block") || uw_has_exchange(loop, "warp") ||
      uw_collect_kind(arena, loop, UW_OP_SCF_FORALL).count || uw_holds_checks(arena, loop) ||
      (uw_const_value(uw_upper_of(loop, dims - 1), &upper) && upper < LEAST))
    return false;
  return uw_collect_kind(arena, loop, UW_OP_SCF_FOR).count || uw_collect_kind(arena, loop, UW_OP_SCF_WHILE).count ||
         has_odd_strides(arena, loop);
}

/* How many times as fast so many lanes are supposed to be; 0 if vectors cannot do all that is in the loop. */
static double gain_of(uw_arena *arena, MlirOperation loop, MlirValue first, int64_t width) {
  MlirOperation lanes = make_lanes(arena, loop, first, uw_upper_of(loop, uw_dims(loop) - 1), width);
  uw_vector_price price;
  reshape(arena, lanes);
  bool fit =
      uw_vectors_fit(arena, uw_shapes_of(arena, lanes), lanes, width, uw_target_of(lanes).register_bytes, &price);
  uw_erase(uw_parent(lanes));
  return fit ? price.gain : 0;
}

/* Fewer lanes may be better where bits of the thread index make them read rows of theirs: 16 of them one row, 64
 * four. */
static bool fewer_are_better(uw_arena *arena, MlirOperation loop, MlirValue first, int64_t width) {
  static const uw_kind_t kinds[] = {UW_OP_ARITH_ANDI, UW_OP_ARITH_SHRUI, UW_OP_ARITH_SHRSI, UW_OP_ARITH_REMUI,
                                    UW_OP_ARITH_DIVUI};
  bool takes_bits = false;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !takes_bits; i++)
    takes_bits = uw_collect_kind(arena, loop, kinds[i]).count != 0;
  return width > LEAST && takes_bits &&
         gain_of(arena, loop, first, LEAST) > UW_CLEARLY_BETTER * gain_of(arena, loop, first, width);
}

/* The same lanes, or fewer where each reads rows of its own: memory follows only so many at once. */
static int64_t follow_rows(uw_arena *arena, MlirOperation loop, MlirValue first, int64_t width) {
  if (width == LEAST)
    return width;
  MlirValue extent = uw_upper_of(loop, uw_dims(loop) - 1);
  MlirOperation lanes = make_lanes(arena, loop, first, extent, width);
  reshape(arena, lanes);
  int64_t rows = uw_rows_of_lane(arena, lanes);
  uw_erase(uw_parent(lanes));
  while (width > LEAST && rows * width > UW_MOST_ROWS_OF_LANES)
    width /= 2;
  return width;
}

/* Makes lanes that go over overlapping ranges together, as marked (overlap.c), vector code; false if that does not pay,
 * or, where it is asked first how much they overlap, is not clearly better than loops that lanes leave one by one. */
static bool make_overlapping(uw_arena *arena, MlirOperation loop, MlirValue first, MlirOperation lanes, int64_t width) {
  uw_vector_price price;
  reshape(arena, lanes);
  if (!uw_vectors_fit(arena, uw_shapes_of(arena, lanes), lanes, width, uw_target_of(lanes).register_bytes, &price) ||
      !pays(&price) ||
      (!uw_overlaps_move_little(arena, lanes) && price.gain < UW_CLEARLY_BETTER * gain_of(arena, loop, first, width)))
    return false;
  make_whole(arena, lanes, width);
  return true;
}

/* The last threads, fewer than lanes, as some lanes of a packet, under a mask: false if that does not pay. Half as many
 * as there could be are supposed to be there. Of rows that begin somewhere in the block, as others are of whole packets
 * in most programs but for the grid's last block; and of threads without branches, on which lanes under a mask part
 * further. */
static bool make_remainder(uw_arena *arena, MlirOperation loop, MlirValue first) {
  const uw_target target = uw_target_of(loop);
  const size_t dims = uw_dims(loop);
  MlirValue extent = uw_upper_of(loop, dims - 1);
  int64_t number;
  if (uw_collect(arena, loop).count > UW_REMAINDER_MOST_OPS || uw_collect_kind(arena, loop, UW_OP_SCF_IF).count ||
      uw_const_value(uw_lower_of(loop, dims - 1), &number) || !uw_loads_under_masks(&target, WORD) ||
      uw_is_over(loop, UW_OVER_LANES))
    return false;
  uw_builder b = uw_at(loop);
  MlirValue zero = uw_const_index(&b, 0), one = uw_const_index(&b, 1);
  MlirValue left = uw_binary(&b, "arith.maxsi", uw_binary(&b, "arith.subi", extent, first), zero);
  MlirValue packets = uw_binary(&b, "arith.minsi", left, one);
  MlirOperation lanes = make_some_lanes(arena, loop, first, packets, LEAST, left);
  reshape(arena, lanes);
  uw_vector_price price;
  if (!uw_vectors_fit(arena, uw_shapes_of(arena, lanes), lanes, LEAST, target.register_bytes, &price) ||
      !uw_null(price.walked) || price.gain < 2 * min_gain) {
    uw_erase(uw_parent(lanes));
    return false;
  }
  uw_make_some_vectors(arena, lanes, LEAST, left);
  return true;
}

/* Takes the threads of the loop in packets: as wide ones as pay, then those of 16, then what is left one by one. */
static bool pack(uw_arena *arena, MlirOperation loop, bool *failed) {
  size_t dims = uw_dims(loop);
  MlirValue extent = uw_upper_of(loop, dims - 1);
  int64_t known = 0, done = 0;
  MlirValue first = uw_lower_of(loop, dims - 1);
  bool is_known = uw_const_value(first, &done) && uw_const_value(extent, &known), packed = false;
  bool has_loops =
      uw_collect_kind(arena, loop, UW_OP_SCF_FOR).count || uw_collect_kind(arena, loop, UW_OP_SCF_WHILE).count;
  /* Without a loop all values live at once: a register each. */
  int64_t width = has_loops ? choose_width(arena, loop, uw_most_of(extent)) : LEAST;
  if (fewer_are_better(arena, loop, first, width))
    width = LEAST;
  width = follow_rows(arena, loop, first, width);
  for (; width >= LEAST; width = width > LEAST ? LEAST : 0) {
    if (is_known && known - done < width)
      continue;
    uw_builder b = uw_at(loop);
    MlirValue factor = uw_const_index(&b, width);
    MlirValue left = uw_binary(&b, "arith.maxsi", uw_binary(&b, "arith.subi", extent, first), uw_const_index(&b, 0));
    MlirValue packets =
        is_known ? uw_const_index(&b, (known - done) / width) : uw_binary(&b, "arith.divsi", left, factor);
    MlirOperation lanes = make_lanes(arena, loop, first, packets, width), outer = uw_parent(lanes);
    bool overlap = uw_mark_overlaps(arena, lanes),
         done_so = overlap && make_overlapping(arena, loop, first, lanes, width);
    if (overlap && !done_so) {
      uw_erase(outer);
      lanes = make_lanes(arena, loop, first, packets, width);
      outer = uw_parent(lanes);
    }
    if (!done_so && !make_vectors(arena, lanes, width, width == LEAST && !packed, failed)) {
      if (!mlirAttributeIsNull(uw_get_attr(lanes, UW_ONE_BY_ONE)))
        uw_set_attr(loop, UW_ONE_BY_ONE, mlirUnitAttrGet(mlirOperationGetContext(loop)));
      uw_erase(outer);
      continue;
    }
    packed = true;
    if (*failed)
      return true;
    b = uw_at(loop);
    done += is_known ? (known - done) / width * width : 0;
    first = is_known ? uw_const_index(&b, done)
                     : uw_binary(&b, "arith.addi", first, uw_binary(&b, "arith.muli", packets, factor));
  }
  if (packed && has_loops && !(is_known && done >= known) && make_remainder(arena, loop, first))
    uw_erase(loop);
  else if (packed)
    uw_keep_remainder(loop, dims - 1, first);
  return packed;
}

uw_change uw_pass_vectorize_threads(MlirOperation root, uw_pass_ctx *ctx) {
  uw_change change = UW_SAME;
  uw_ops loops = uw_collect_kind(ctx->arena, root, UW_OP_SCF_FORALL);
  for (size_t i = 0; i < loops.count; i++) {
    bool failed = false;
    if (is_candidate(ctx->arena, loops.at[i]) && pack(ctx->arena, loops.at[i], &failed))
      change = UW_CHANGED;
    if (failed)
      return UW_FAILED;
  }
  return uw_finish_slots(ctx->arena, root) ? UW_CHANGED : change;
}
