/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Parts of a loop's range (transform/loop_ranges.h): which loop runs from where to where, and that all of it verifies.
 *
 * Objects: ir analysis transform
 */
#include <stdio.h>

#include "../../compiler/ir/parallel.h"
#include "../../compiler/transform/loop_ranges.h"

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static const char text[] = "func.func @f(%n: index, %mid: index, %p: !llvm.ptr, %v: i64) {\n"
                           "  %zero = arith.constant 0 : index\n"
                           "  %one = arith.constant 1 : index\n"
                           "  %four = arith.constant 4 : index\n"
                           "  %ten = arith.constant 10 : index\n"
                           "  scf.for %i = %zero to %n step %one {\n"
                           "    llvm.store %v, %p : i64, !llvm.ptr\n"
                           "  }\n"
                           "  scf.forall (%y, %x) = (0, 1) to (%n, %ten) step (1, 1) {\n"
                           "    llvm.store %v, %p : i64, !llvm.ptr\n"
                           "  }\n"
                           "  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %v) -> (i64) {\n"
                           "    %more = arith.addi %s, %v : i64\n"
                           "    scf.yield %more : i64\n"
                           "  }\n"
                           "  llvm.store %sum, %p : i64, !llvm.ptr\n"
                           "  return\n"
                           "}\n";

typedef struct sample {
  uw_arena *arena;
  MlirModule module;
  MlirOperation loop, threads, sum, store;
  MlirValue n, mid, zero, one, four, ten;
} sample;

static sample start(MlirContext context) {
  sample s = {.arena = uw_arena_create(), .module = mlirModuleCreateParse(context, uw_str(text))};
  MlirBlock body = uw_block(uw_find_symbol(s.module, "f"), 0);
  MlirValue *const constants[] = {&s.zero, &s.one, &s.four, &s.ten};
  MlirOperation op = uw_first(body);
  for (size_t i = 0; i < 4; i++, op = uw_next(op))
    *constants[i] = uw_result(op, 0);
  s.loop = op;
  s.threads = uw_next(op);
  s.sum = uw_next(s.threads);
  s.store = uw_next(s.sum);
  s.n = mlirBlockGetArgument(body, 0);
  s.mid = mlirBlockGetArgument(body, 1);
  return s;
}

static void end(sample *s) {
  CHECK(mlirOperationVerify(mlirModuleGetOperation(s->module)));
  mlirModuleDestroy(s->module);
  uw_arena_destroy(s->arena);
}

/* The same value, or the same number. */
static bool same(MlirValue a, MlirValue b) {
  int64_t one, other;
  return uw_same(a, b) || (uw_const_value(a, &one) && uw_const_value(b, &other) && one == other);
}

static bool runs(MlirOperation loop, size_t dimension, MlirValue lower, MlirValue upper) {
  return same(uw_lower_of(loop, dimension), lower) && same(uw_upper_of(loop, dimension), upper);
}

static void check_split(MlirContext context) {
  sample s = start(context);
  MlirOperation made[3];
  uw_split_range(s.arena, s.loop, 0, (const uw_range[]){{.upper = s.mid}, {.lower = s.mid}}, 2, made);
  CHECK(uw_same_op(made[0], s.loop) && uw_same_op(uw_next(made[0]), made[1]) &&
        uw_same_op(uw_next(made[1]), s.threads));
  CHECK(runs(made[0], 0, s.zero, s.mid) && runs(made[1], 0, s.mid, s.n));
  uw_split_range(s.arena, s.threads, 1, (const uw_range[]){{.upper = s.four}, {s.four, s.mid}, {.lower = s.mid}}, 3,
                 made);
  CHECK(uw_same_op(uw_next(made[1]), made[2]));
  CHECK(runs(made[0], 1, s.one, s.four) && runs(made[1], 1, s.four, s.mid) && runs(made[2], 1, s.mid, s.ten));
  for (size_t i = 0; i < 3; i++)
    CHECK(runs(made[i], 0, s.zero, s.n));
  end(&s);
}

/* What is carried goes through all parts. */
static void check_carried(MlirContext context) {
  sample s = start(context);
  MlirOperation made[3];
  MlirValue first = uw_operand(s.sum, 3);
  uw_split_range(s.arena, s.sum, 0, (const uw_range[]){{.upper = s.four}, {s.four, s.mid}, {.lower = s.mid}}, 3, made);
  CHECK(uw_same(uw_operand(made[0], 3), first) && uw_same(uw_operand(made[1], 3), uw_result(made[0], 0)));
  CHECK(uw_same(uw_operand(made[2], 3), uw_result(made[1], 0)));
  CHECK(uw_same(uw_operand(s.store, 0), uw_result(made[2], 0)));
  end(&s);
}

static void check_remainder(MlirContext context) {
  sample s = start(context);
  uw_keep_remainder(s.threads, 1, s.four);
  CHECK(runs(s.threads, 1, s.four, s.ten));
  uw_keep_remainder(s.threads, 0, s.mid);
  CHECK(runs(s.threads, 0, s.mid, s.n));
  uw_keep_remainder(s.threads, 1, s.ten);
  CHECK(uw_same_op(uw_next(s.loop), s.sum));
  end(&s);
}

/* Both ends in one loop around the row, or all of it once. */
static void check_ends(MlirContext context) {
  sample s = start(context);
  uw_builder b = uw_at(s.threads);
  uw_do_ends(&b, s.threads, (MlirValue){NULL}, s.four, s.mid);
  MlirOperation ends = uw_parent(s.threads);
  CHECK(uw_kind(ends) == UW_OP_SCF_FOR && runs(s.threads, 0, s.zero, s.n));
  CHECK(uw_kind(uw_def(uw_lower_of(s.threads, 1))) == uw_kind(uw_def(uw_upper_of(s.threads, 1))));
  int64_t number = 0;
  CHECK(uw_const_value(uw_operand(ends, 1), &number) && number == 2);
  end(&s);
}

static void check_mark(MlirContext context) {
  sample s = start(context);
  CHECK(!uw_is_fallback(s.threads));
  uw_set_fallback(s.threads);
  CHECK(uw_is_fallback(s.threads) && !uw_is_fallback(s.loop));
  uw_set_fallback(mlirModuleGetOperation(s.module));
  CHECK(uw_is_fallback(s.loop));
  end(&s);
}

int main(void) {
  MlirContext context = uw_context_create();
  check_split(context);
  check_carried(context);
  check_remainder(context);
  check_ends(context);
  check_mark(context);
  return failures != 0;
}
