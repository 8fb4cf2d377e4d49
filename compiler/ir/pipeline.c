/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs MLIR's own passes. */
#include <stdio.h>

#include "ir.h"
#include "mlir-c/Pass.h"

bool uw_run_pipeline(MlirModule module, const char *pipeline) {
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  mlirPassManagerEnableVerifier(manager, false);
  bool ok = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                                    uw_str(pipeline), uw_print_part, stderr)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
  mlirPassManagerDestroy(manager);
  return ok;
}
