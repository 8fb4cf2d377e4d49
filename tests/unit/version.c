/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Versions of code (transform/version.h): what goes into which version, which results the choice has, what is marked,
 * and that all of it verifies.
 *
 * Objects: ir analysis transform
 */
#include <stdio.h>
#include <string.h>

#include "../../compiler/transform/loop_ranges.h"
#include "../../compiler/transform/version.h"

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

/* A loop with two results, the second of which is used by a sum after it; a loop over threads. */
static const char text[] = "func.func @f(%c: i1, %n: index, %p: !llvm.ptr) -> index {\n"
                           "  %zero = arith.constant 0 : index\n"
                           "  %one = arith.constant 1 : index\n"
                           "  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one)\n"
                           "      -> (index, index) {\n"
                           "    %s = arith.addi %a, %i : index\n"
                           "    %m = arith.muli %b, %s : index\n"
                           "    scf.yield %s, %m : index, index\n"
                           "  }\n"
                           "  %sum = arith.addi %r#1, %n : index\n"
                           "  scf.forall (%t) in (%n) {\n"
                           "    llvm.store %c, %p : i1, !llvm.ptr\n"
                           "  }\n"
                           "  return %sum : index\n"
                           "}\n";

typedef struct sample {
  uw_arena *arena;
  MlirModule module;
  MlirOperation function, loop, sum, threads, end;
  MlirValue asked;
} sample;

static sample start(MlirContext context) {
  sample s = {.arena = uw_arena_create(), .module = mlirModuleCreateParse(context, uw_str(text))};
  s.function = uw_find_symbol(s.module, "f");
  s.loop = uw_collect_kind(s.arena, s.function, UW_OP_SCF_FOR).at[0];
  s.sum = uw_next(s.loop);
  s.threads = uw_next(s.sum);
  s.end = uw_next(s.threads);
  s.asked = mlirBlockGetArgument(uw_block(s.function, 0), 0);
  return s;
}

static void end(sample *s) {
  CHECK(mlirOperationVerify(mlirModuleGetOperation(s->module)));
  mlirModuleDestroy(s->module);
  uw_arena_destroy(s->arena);
}

static bool is_in(MlirOperation op, const uw_versions *versions, uw_version version) {
  return mlirBlockEqual(mlirOperationGetBlock(op), uw_block(versions->choice, version));
}

static void check_copies(MlirContext context) {
  for (int own = UW_HOLDS; own <= UW_FAILS; own++) {
    sample s = start(context);
    uw_builder b = uw_at(s.loop);
    uw_versions v = uw_make_versions(s.arena, &b, .asked = s.asked, .first = s.loop, .own = (uw_version)own);
    CHECK(uw_same_op(v.first[own], s.loop) && is_in(s.loop, &v, (uw_version)own));
    CHECK(uw_kind(v.first[!own]) == UW_OP_SCF_FOR && is_in(v.first[!own], &v, (uw_version)!own));
    CHECK(uw_result_count(v.choice) == 1 && uw_same(uw_operand(s.sum, 0), uw_result(v.choice, 0)));
    for (unsigned i = 0; i < 2; i++)
      CHECK(uw_same(uw_operand(uw_last(uw_block(v.choice, i)), 0), uw_result(v.first[i], 1)));
    CHECK(uw_same_op(b.before, v.choice));
    uw_ops wanted = uw_collect_kind(s.arena, s.loop, UW_OP_ARITH_MULI);
    uw_ops found = uw_counterparts(s.arena, v.first[own], v.first[!own], &wanted);
    CHECK(found.count == 1 && uw_kind(found.at[0]) == UW_OP_ARITH_MULI && uw_inside(found.at[0], v.first[!own]));
    end(&s);
  }
}

/* The loop and what uses its result: one result comes out, and the copy of the sum uses the copy of the loop. */
static void check_sequence(MlirContext context) {
  sample s = start(context);
  uw_builder b = uw_at(s.loop);
  uw_versions v = uw_make_versions(s.arena, &b, .asked = s.asked, .first = s.loop, .last = s.threads, .fallback = true);
  MlirOperation copy = v.first[UW_FAILS], sum = uw_next(copy);
  CHECK(uw_same_op(uw_next(s.loop), s.sum) && uw_same(uw_operand(s.sum, 0), uw_result(s.loop, 1)));
  CHECK(uw_same(uw_operand(sum, 0), uw_result(copy, 1)));
  CHECK(uw_result_count(v.choice) == 1 && uw_same(uw_operand(s.end, 0), uw_result(v.choice, 0)));
  CHECK(!uw_is_fallback(s.threads) && uw_is_fallback(uw_next(sum)));
  end(&s);
}

static void check_written(MlirContext context) {
  sample s = start(context);
  uw_builder b = uw_at(s.loop);
  uw_versions v = uw_make_versions(s.arena, &b, .asked = s.asked, .first = s.loop, .own = UW_FAILS, .written = true);
  CHECK(uw_null(v.first[UW_HOLDS]) && uw_same_op(v.first[UW_FAILS], s.loop));
  MlirValue some = uw_const_index(&v.in[UW_HOLDS], 7), other = uw_const_index(&v.in[UW_HOLDS], 8);
  uw_end_version(&v, UW_HOLDS, VALS(some, other));
  CHECK(uw_same(uw_operand(uw_last(uw_block(v.choice, UW_HOLDS)), 0), other));
  b = uw_at(s.threads); /* without results it has its end, and another operation may take the place of a copy */
  v = uw_make_versions(s.arena, &b, .asked = s.asked, .first = s.threads, .written = true);
  CHECK(uw_is_empty(uw_block(v.choice, UW_FAILS)) && !uw_null(v.in[UW_FAILS].before));
  MlirOperation copy = uw_clone(&b, s.threads, uw_map_create(s.arena));
  b = uw_at(copy);
  v = uw_make_versions(s.arena, &b, .asked = s.asked, .first = copy, .other = s.threads, .fallback = true);
  CHECK(is_in(copy, &v, UW_HOLDS) && is_in(s.threads, &v, UW_FAILS));
  CHECK(uw_is_fallback(s.threads) && !uw_is_fallback(copy));
  end(&s);
}

static void check_no_question(MlirContext context) {
  sample s = start(context);
  uw_builder b = uw_at(s.loop);
  uw_versions v = uw_make_versions(s.arena, &b, .first = s.loop, .own = UW_FAILS, .fallback = true);
  CHECK(uw_null(v.choice) && uw_same_op(v.first[UW_HOLDS], s.loop) && uw_null(v.first[UW_FAILS]));
  v = uw_make_versions(s.arena, &b, .first = s.loop, .own = UW_FAILS, .written = true);
  CHECK(uw_null(v.choice) && uw_null(v.first[UW_HOLDS]) && uw_same_op(v.first[UW_FAILS], s.loop));
  CHECK(uw_same_op(v.in[UW_HOLDS].before, s.loop) && uw_same_op(uw_next(s.loop), s.sum));
  end(&s);
}

static void check_question(MlirContext context) {
  sample s = start(context);
  uw_builder b = uw_at(s.threads), in;
  MlirOperation question = uw_begin_question(&b, s.asked, &in);
  MlirValue n = uw_result(s.sum, 0), answer = uw_end_question(question, &in, uw_compare(&in, UW_EQ, n, n));
  uw_make_versions(s.arena, &b, .asked = answer, .first = s.threads);
  int64_t number = 1;
  CHECK(uw_const_value(uw_operand(uw_last(uw_block(question, 1)), 0), &number) && number == 0);
  end(&s);
}

int main(void) {
  MlirContext context = uw_context_create();
  check_copies(context);
  check_sequence(context);
  check_written(context);
  check_no_question(context);
  check_question(context);
  return failures != 0;
}
