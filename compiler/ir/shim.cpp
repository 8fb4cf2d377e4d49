/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See shim.h. This is the only C++ file of the compiler. */
#include "shim.h"

#include <cstring>

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Target/LLVMIR/Import.h"

void uw_shim_register_import(MlirDialectRegistry registry) {
  mlir::registerAllFromLLVMIRTranslations(*unwrap(registry));
}

MlirModule uw_shim_import_llvm(LLVMModuleRef owned_module, MlirContext context) {
  std::unique_ptr<llvm::Module> module(llvm::unwrap(owned_module));
  return wrap(mlir::translateLLVMIRToModule(std::move(module), unwrap(context), /*emitExpensiveWarnings=*/false,
                                            /*dropDICompositeTypeElements=*/true)
                  .release());
}

bool uw_shim_is_pure(MlirOperation op) { return mlir::isPure(unwrap(op)); }

bool uw_shim_is_effect_free(MlirOperation op) { return mlir::isMemoryEffectFree(unwrap(op)); }

void uw_shim_set_target_options(LLVMTargetMachineRef machine, bool libmvec) {
  llvm::TargetOptions &options = reinterpret_cast<llvm::TargetMachine *>(machine)->Options;
  options.UseInitArray = true;
  options.VecLib = libmvec ? llvm::VectorLibrary::LIBMVEC : llvm::VectorLibrary::NoLibrary;
}

unsigned uw_shim_overflow_flags(MlirOperation op) {
  auto flagged = llvm::dyn_cast<mlir::LLVM::IntegerOverflowFlagsInterface>(unwrap(op));
  return flagged ? static_cast<unsigned>(flagged.getOverflowFlags()) : 0;
}

char *uw_shim_demangle(const char *symbol) { return strdup(llvm::demangle(symbol).c_str()); }

MlirOperation uw_shim_previous(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }
