/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * UW_STRESS=growth (ir/growth.c): a step that makes more than four times the operations of a function is named, one
 * that makes four times as many is not, and neither is growth of what is tiny. Without the variable nothing is counted.
 *
 * Objects: ir
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../compiler/ir/growth.h"

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, printf("%s:%d: %s\n", __FILE__, __LINE__, #condition)))

static const char text[] = "func.func @large() {\n"
                           "  return\n"
                           "}\n"
                           "func.func @tiny() {\n"
                           "  return\n"
                           "}\n";

/* Makes the function one of so many operations, itself among them. */
static void grow(MlirModule module, const char *name, size_t count, size_t from) {
  MlirBlock body = uw_block(uw_find_symbol(module, name), 0);
  uw_builder b = uw_at(uw_last(body));
  for (; from < count; from++)
    uw_const_index(&b, 0);
}

/* What is said when the functions grow to so many operations; the last of it is kept until the next call. */
static const char *said(size_t large, size_t tiny) {
  static char told[4096];
  uw_arena *arena = uw_arena_create();
  MlirModule module = mlirModuleCreateParse(uw_context_create(), uw_str(text));
  const uw_code code = {.module = module};
  grow(module, "large", 600, 2);
  const uw_sizes *sizes = uw_sizes_of(arena, &code);
  grow(module, "large", large, 600);
  grow(module, "tiny", tiny, 2);
  FILE *file = freopen("/dev/null", "w", stderr);
  setvbuf(file, told, _IOFBF, sizeof told);
  memset(told, 0, sizeof told);
  uw_report_growth(sizes, &code, "some-step");
  mlirModuleDestroy(module);
  uw_arena_destroy(arena);
  return told;
}

int main(void) {
  setenv("UW_STRESS", "growth", 1);
  CHECK(strstr(said(2401, 2), "'some-step' makes 2401 operations of 600 in large\n"));
  CHECK(said(2400, 2)[0] == 0);
  CHECK(said(600, 1000)[0] == 0);
  const char *both = said(600, 2001);
  CHECK(strstr(both, "'some-step' makes 2001 operations of 2 in tiny\n") && strstr(both, "all functions") != NULL);
  unsetenv("UW_STRESS");
  CHECK(said(9000, 9000)[0] == 0);
  return failures != 0;
}
