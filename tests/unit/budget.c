/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What versions may add to a kernel (analysis/budget.h): small kernels anything, large ones up to a limit, which counts at
 * the launch that the code is of; code that seldom runs a large gain only.
 *
 * Objects: ir analysis transform
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../compiler/analysis/budget.h"
#include "../../compiler/analysis/thresholds.h"
#include "../../compiler/transform/version.h"

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

/* A function with two launches, each a loop over threads with so many stores. */
static MlirModule make(MlirContext context, size_t stores, const char *attributes) {
  size_t size = 4096 + 2 * stores * 64;
  char *text = malloc(size), *at = text;
  at += sprintf(at,
                "func.func @f(%%c: i1, %%n: index, %%p: !llvm.ptr) %s {\n"
                "  %%zero = arith.constant 0 : index\n"
                "  %%one = arith.constant 1 : index\n",
                attributes);
  for (int launch = 0; launch < 2; launch++) {
    at += sprintf(at, "  scf.if %%c {\n    scf.forall (%%t) in (%%n) {\n");
    for (size_t i = 0; i < stores; i++)
      at += sprintf(at, "      llvm.store %%c, %%p : i1, !llvm.ptr\n");
    at += sprintf(at, "    }\n  } {unwarp.launch}\n");
  }
  sprintf(at, "  return\n}\n");
  MlirModule module = mlirModuleCreateParse(context, uw_str(text));
  free(text);
  return module;
}

/* How many versions of its first loop a function lets be made, at most 20, and whether it lets the second launch have
 * one then. */
static size_t versions_of(MlirContext context, size_t stores, const char *attributes, uw_gain gain, bool *other) {
  enum { MOST = 20 };
  uw_arena *arena = uw_arena_create();
  MlirModule module = make(context, stores, attributes);
  MlirOperation function = uw_find_symbol(module, "f");
  uw_ops loops = uw_collect_kind(arena, function, UW_OP_SCF_FORALL);
  size_t made = 0;
  while (made < MOST && uw_may_copy(loops.at[0], gain, "test")) {
    uw_builder b = uw_at(loops.at[0]);
    uw_make_versions(arena, &b, .asked = mlirBlockGetArgument(uw_block(function, 0), 0), .first = loops.at[0]);
    made++;
  }
  *other = uw_may_copy(loops.at[1], gain, "test");
  CHECK(mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
  uw_arena_destroy(arena);
  return made;
}

int main(void) {
  MlirContext context = uw_context_create();
  bool other;
  size_t large = UW_SMALL_CODE;
  CHECK(versions_of(context, 10, "", UW_SOME_GAIN, &other) == 20 && other);
  /* The code is there three times then; the other launch has a limit of its own. */
  CHECK(versions_of(context, large, "", UW_SOME_GAIN, &other) == UW_MOST_GROWTH - 1 && other);
  CHECK(versions_of(context, large, "", UW_LARGE_GAIN, &other) == UW_MOST_GROWTH - 1 && other);
  const char *seldom = "attributes {unwarp.runs_seldom}";
  CHECK(versions_of(context, 10, seldom, UW_SOME_GAIN, &other) == 0 && !other);
  CHECK(versions_of(context, 10, seldom, UW_LARGE_GAIN, &other) == 20 && other);
  mlirContextDestroy(context);
  return failures != 0;
}
