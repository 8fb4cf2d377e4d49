/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * See shim.h. This is the only C++ file of the compiler. */
#include "shim.h"

#include <cstring>

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
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
  options.MCOptions.MCUseDwarfDirectory = llvm::MCTargetOptions::DisableDwarfDirectory;
  options.VecLib = libmvec ? llvm::VectorLibrary::LIBMVEC : llvm::VectorLibrary::NoLibrary;
}

void uw_shim_strip_debug_info(LLVMValueRef function) {
  llvm::stripDebugInfo(*llvm::unwrap<llvm::Function>(function));
}

unsigned uw_shim_overflow_flags(MlirOperation op) {
  auto flagged = llvm::dyn_cast<mlir::LLVM::IntegerOverflowFlagsInterface>(unwrap(op));
  return flagged ? static_cast<unsigned>(flagged.getOverflowFlags()) : 0;
}

char *uw_shim_demangle(const char *symbol) { return strdup(llvm::demangle(symbol).c_str()); }

MlirAttribute uw_shim_fold(MlirOperation op, size_t count, const MlirAttribute *operands) {
  llvm::SmallVector<mlir::Attribute> known;
  for (size_t i = 0; i < count; i++)
    known.push_back(unwrap(operands[i]));
  mlir::Operation *copy = unwrap(op)->clone(); /* folding may change the operation itself */
  llvm::SmallVector<mlir::OpFoldResult> results;
  mlir::Attribute result;
  if (mlir::succeeded(copy->fold(known, results)) && results.size() == 1) {
    result = llvm::dyn_cast<mlir::Attribute>(results[0]);
    if (auto value = llvm::dyn_cast<mlir::Value>(results[0]))
      for (size_t i = 0; i < count; i++)
        if (value == copy->getOperand(i))
          result = known[i];
  }
  copy->destroy();
  return wrap(result);
}

MlirOperation uw_shim_previous(MlirOperation op) { return wrap(unwrap(op)->getPrevNode()); }

void uw_shim_split_if(LLVMValueRef condition, LLVMValueRef before, LLVMValueRef ends[2]) {
  llvm::Instruction *then_end = nullptr, *else_end = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(llvm::unwrap(condition), llvm::unwrap<llvm::Instruction>(before)->getIterator(), &then_end,
                                      &else_end);
  ends[0] = llvm::wrap(then_end);
  ends[1] = llvm::wrap(else_end);
}

unsigned uw_shim_register_bytes(LLVMTargetMachineRef machine, LLVMValueRef function) {
  auto info = reinterpret_cast<llvm::TargetMachine *>(machine)->getTargetTransformInfo(*llvm::unwrap<llvm::Function>(function));
  return static_cast<unsigned>(info.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() / 8);
}
