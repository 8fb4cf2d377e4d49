/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One MLIR context with all that the compiler uses, and operation names interned once, so that uw_kind is a lookup. */
#include <stdlib.h>
#include <string.h>

#include "ir.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/IRDL.h"
#include "mlir-c/RegisterEverything.h"
#include "shim.h"

/* dialect.irdl.mlir, made a C array by the Makefile. */
extern const char uw_dialect_text[];

static const char *const kind_names[UW_OP_COUNT] = {
    [UW_OP_OTHER] = "",
#define UW_OP(id, name) [UW_OP_##id] = name,
#include "ops.def"
};

static void append_part(MlirStringRef part, void *data) {
  struct {
    char *text;
    size_t length, room;
  } *message = data;
  for (size_t i = 0; i < part.length && message->length + 1 < message->room; i++)
    message->text[message->length++] = part.data[i];
  message->text[message->length] = 0;
}

/* MLIR's own messages leave the same way as ours. Remarks are dropped. */
static MlirLogicalResult show_diagnostic(MlirDiagnostic diagnostic, void *data) {
  (void)data;
  char text[8192] = "";
  struct {
    char *text;
    size_t length, room;
  } message = {text, 0, sizeof text};
  mlirDiagnosticPrint(diagnostic, append_part, &message);
  MlirLocation location = mlirDiagnosticGetLocation(diagnostic);
  if (mlirDiagnosticGetSeverity(diagnostic) == MlirDiagnosticError)
    uw_error(location, "%s", text);
  return mlirLogicalResultSuccess();
}

static uw_arena *kinds_arena;
static uw_table *kinds; /* identifier -> uw_kind_t */

MlirContext uw_context_create(void) {
  static bool registered;
  if (!registered)
    mlirRegisterAllPasses();
  registered = true;
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  uw_shim_register_import(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context);
  static const char *const dialects[] = {"builtin", "func", "scf", "cf",   "arith", "math",  "memref", "llvm",
                                         "nvvm",    "omp",  "ub",  "irdl", "dlti",  "index", "gpu",    "affine"};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
    mlirContextGetOrLoadDialect(context, uw_str(dialects[i]));
  mlirContextAttachDiagnosticHandler(context, show_diagnostic, NULL, NULL);
  MlirModule dialect = mlirModuleCreateParse(context, uw_str(uw_dialect_text));
  if (mlirModuleIsNull(dialect) || mlirLogicalResultIsFailure(mlirLoadIRDLDialects(dialect)))
    uw_fatal("bug in unwarp: its dialect does not load");
  mlirModuleDestroy(dialect);
  uw_shim_mark_pure(context, "unwarp.slice"); /* IRDL cannot say so */

  uw_arena_destroy(kinds_arena);
  kinds_arena = uw_arena_create();
  kinds = uw_table_create(kinds_arena);
  for (int kind = 1; kind < UW_OP_COUNT; kind++)
    uw_table_set(kinds, mlirIdentifierGet(context, uw_str(kind_names[kind])).ptr, kind);
  return context;
}

uw_kind_t uw_kind(MlirOperation op) {
  return uw_null(op) ? UW_OP_OTHER : (uw_kind_t)uw_table_get(kinds, mlirOperationGetName(op).ptr);
}
