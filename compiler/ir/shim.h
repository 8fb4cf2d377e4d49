/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The few things that MLIR has only in C++. Each function names the C API that is missing. */
#ifndef UW_SHIM_H
#define UW_SHIM_H

#include "llvm-c/Error.h"
#include "llvm-c/TargetMachine.h"
#include "llvm-c/Types.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Missing: mlir-c/RegisterEverything registers the way out to LLVM IR, not what translates intrinsics and metadata on
 * the way in. */
void uw_shim_register_import(MlirDialectRegistry registry);

/* Missing: mlir-c/Target has a way out to LLVM IR, none in (mlir::translateLLVMIRToModule). Takes the LLVM module.
 * Null module on failure, after diagnostics. */
MlirModule uw_shim_import_llvm(LLVMModuleRef owned_module, MlirContext context);

/* Missing: mlir-c/Interfaces has no MemoryEffectOpInterface and no ConditionallySpeculatable queries. */
bool uw_shim_is_pure(MlirOperation op);
bool uw_shim_is_effect_free(MlirOperation op);
/* Has operations of a dialect that IRDL defined no effect, and be right wherever they run. */
void uw_shim_mark_pure(MlirContext context, const char *name);

/* Missing: mlir-c/Dialect/LLVM makes array types and tells their elements' type, not how many there are. */
uint64_t uw_shim_array_length(MlirType type);

/* Missing: mlir-c has nothing of arith's attributes; to print or parse them takes microseconds, and analyses ask for
 * each addition. */
enum { UW_WRAPS = 0, UW_NSW = 1, UW_NUW = 2 };
unsigned uw_shim_no_wrap_flags(MlirOperation op); /* what arith's overflowFlags say */

/* Missing: mlir-c/Dialect/SCF has nothing of scf.forall, whose bounds are operands or numbers. which: 0 for lower bounds,
 * 1 for upper ones, 2 for steps. A null value: it is *number. */
MlirValue uw_shim_forall_bound(MlirOperation loop, unsigned which, size_t dimension, int64_t *number);
void uw_shim_forall_set_bound(MlirOperation loop, unsigned which, size_t dimension, MlirValue value);
/* One more dimension, the innermost, from 0 to upper by 1. */
void uw_shim_forall_add_dim(MlirOperation loop, MlirValue upper, MlirAttribute mapping);
/* Missing: mlir-c/Dialect/GPU has nothing of mappings. What the loop's first one is. */
enum { UW_MAPS_NOTHING, UW_MAPS_BLOCKS, UW_MAPS_THREADS, UW_MAPS_WARPS, UW_MAPS_LANES };
int uw_shim_mapping(MlirOperation op); /* nothing: no scf.forall, or one that is not mapped */
/* What a dimension of a mapped loop counts: 0 for x, 1 for y, 2 for z, 3 for linear_dim_0. */
int uw_shim_mapped_dim(MlirOperation loop, size_t dimension);

/* Missing: llvm-c/TargetMachine cannot ask for .init_array, without which no constructor of the object runs, nor for
 * line numbers that GNU's assembler reads. */
void uw_shim_set_target_options(LLVMTargetMachineRef machine);

/* Missing: llvm-c can make aliases but not delete them. Nothing may use it any more. */
void uw_shim_delete_alias(LLVMValueRef alias);

/* Missing: llvm-c links whole modules only. Takes of a module that is read lazily what the other one declares, and what
 * that calls; true on failure. */
bool uw_shim_link_needed(LLVMModuleRef to, LLVMModuleRef owned_from);

/* Missing: llvm-c strips debug information of whole modules only. */
void uw_shim_strip_debug_info(LLVMValueRef function);

/* Missing: mlir-c/IR can replace no attribute within locations. The function's debug information, and that of all in it,
 * becomes another subprogram's, which no other function has. */
void uw_shim_own_subprogram(MlirOperation function);

/* Whether a symbol's uses go to this library's own definition, whatever else is loaded. LLVM-C has no LLVMSetDSOLocal. */
void uw_shim_set_local(LLVMValueRef global, bool local);

/* Missing: mlir-c/IR reads attributes, and the overflow flags of llvm arithmetic are a property that is none.
 * 1: nsw, 2: nuw. */
unsigned uw_shim_overflow_flags(MlirOperation op);

/* Missing: llvm-c has no demangler. The caller frees the result. */
char *uw_shim_demangle(const char *symbol);

/* Missing: mlir-c/IR has no Operation::fold. The only result of op if its operands were these constants (null: not
 * known); null if that is no constant. Changes nothing. */
MlirAttribute uw_shim_fold(MlirOperation op, size_t count, const MlirAttribute *operands);

/* Missing: mlir-c/IR has the next operation of a block but not the previous one. */
MlirOperation uw_shim_previous(MlirOperation op);

/* Missing: llvm-c cannot split a block, for phis keep the blocks that they had. Before an instruction, an if and an
 * else: ends are where these two end. */
void uw_shim_split_if(LLVMValueRef condition, LLVMValueRef before, LLVMValueRef ends[2]);

/* Missing: llvm-c knows nothing of the registers of a target. Bytes of the widest vectors that it works with in this
 * function. */
unsigned uw_shim_register_bytes(LLVMTargetMachineRef machine, LLVMValueRef function);

/* Missing: the same. Has the function's CPU an instruction, and a quick one, that gathers (or scatters) vectors of that
 * type? */
bool uw_shim_can_gather(LLVMTargetMachineRef machine, LLVMValueRef function, LLVMTypeRef type, bool stores);

/* Missing: llvm-c knows no bits of a value. The alignment of an address as far as it can be seen. */
unsigned uw_shim_known_alignment(LLVMValueRef address, LLVMModuleRef module);

/* A division or remainder in a conditional block of an innermost loop, which may have no meaning elsewhere, gives an
 * address there, and is something that LLVM's analysis of loops looks into. In front of `before` the loop has not begun
 * and its operands are known; null if it depends on the iteration. */
typedef void (*uw_tame_division)(LLVMValueRef division, LLVMValueRef before);

/* A function for so many lanes at once, and what LLVM calls that form of it. */
typedef struct uw_vector_function {
  const char *scalar, *symbol, *variant;
  unsigned lanes;
} uw_vector_function;

/* A vector library, and whether a function may call one of it. */
typedef struct uw_vector_library {
  const uw_vector_function *functions;
  size_t count;
  bool (*can_call)(LLVMTargetMachineRef machine, LLVMValueRef function, const char *symbol, size_t length);
} uw_vector_library;

/* Missing: llvm-c runs pipelines as they are: it can put nothing in front of their vectorisers, and has no vector
 * library but those that LLVM knows, all of which LLVM offers to every function, whatever its target. As LLVMRunPasses,
 * but for that. `coverage`: the words of
 * clang's -fsanitize-coverage, with commas, or null; LLVM's pass for it has its options from clang's driver alone. */
LLVMErrorRef uw_shim_optimise(LLVMModuleRef module, const char *pipeline, LLVMTargetMachineRef machine, bool vectorise,
                              uw_tame_division tame, const uw_vector_library *library, const char *coverage);

#ifdef __cplusplus
}
#endif
#endif
