/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Takes attributes off when nobody reads them any more. So no later stage depends on how a pass marked what it has seen
 * to, and two operations are alike where they only differ in that. */
#include "attributes.h"

#include "stress.h"

#include <stdio.h>
#include <string.h>

#define PREFIX "unwarp."

typedef enum until { NOWHERE, ROW, PASSES, LOWER, NAME } until;

static until end_of(MlirStringRef name) {
  static const struct {
    const char *name;
    until until;
  } table[] = {
#define UW_ATTRIBUTE(id, end, what) {PREFIX #id, end},
#include "attributes.def"
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (uw_string_is(name, table[i].name))
      return table[i].until;
  return NOWHERE;
}

static bool is_ours(MlirStringRef name) {
  return name.length > strlen(PREFIX) && strncmp(name.data, PREFIX, strlen(PREFIX)) == 0;
}

static MlirStringRef name_of(MlirOperation op, intptr_t i) {
  return mlirIdentifierStr(mlirOperationGetDiscardableAttribute(op, i).name);
}

static void end_on(MlirOperation op, until last) {
  for (intptr_t i = mlirOperationGetNumDiscardableAttributes(op); i-- > 0;) {
    MlirStringRef name = name_of(op, i);
    until end = is_ours(name) ? end_of(name) : NOWHERE;
    if (end != NOWHERE && end <= last)
      mlirOperationRemoveDiscardableAttributeByName(op, name);
  }
}

static uw_ops all_of(uw_arena *arena, MlirModule module) {
  uw_ops ops = uw_collect(arena, mlirModuleGetOperation(module));
  uw_ops_push(arena, &ops, mlirModuleGetOperation(module));
  return ops;
}

void uw_end_attributes(MlirModule module) {
  uw_arena *arena = uw_arena_create();
  uw_ops ops = all_of(arena, module);
  for (size_t i = 0; i < ops.count; i++)
    end_on(ops.at[i], PASSES);
  uw_arena_destroy(arena);
}

void uw_check_attributes(const uw_row *row, MlirModule module) {
  if (!uw_stresses("attributes"))
    return;
  uw_arena *arena = uw_arena_create();
  uw_ops ops = all_of(arena, module);
  for (size_t i = 0; i < ops.count; i++)
    for (intptr_t k = 0; k < mlirOperationGetNumDiscardableAttributes(ops.at[i]); k++) {
      MlirStringRef name = name_of(ops.at[i], k);
      until end = is_ours(name) ? end_of(name) : LOWER;
      if (end <= ROW || end == NAME)
        fprintf(stderr, "bug in unwarp: '%.*s' is alive after '%s'%s\n", (int)name.length, name.data, row->name,
                end == ROW ? "" : ", and no attribute in ir/attributes.def");
    }
  uw_arena_destroy(arena);
}
