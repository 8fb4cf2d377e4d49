/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From LLVM's IR of the whole to what its back end makes code of: target.def, whose stage is target.c.
 *
 *   widths.c     lets vectors be as wide as passes made them
 *   tips.c       what loops over threads hand to the next one in memory
 *   doubles.c    sums in double that are rounded to float
 *   divisions.c  works around a miscompilation of LLVM's loop vectoriser
 *   shifts.c     works around a miscompilation of LLVM's x86 back end
 *   streams.c    stores that go past the caches
 *   masks.c      arithmetic in some lanes of a vector
 *   compress.c   scatters of what lies side by side
 *   gathers.c    gathers and scatters of some lanes
 *   indices.c    gathers of all lanes
 *   blends.c     stores of some lanes to arrays on the stack
 *   mask_tests.c stores of some lanes to memory of others
 *   some_lanes.c what these and compress.c share
 *   square_roots.c      rsqrtf by the processor's estimate
 *   scales.c     powers of two in exponentials
 *   vector_functions.c  mathematical functions for vectors
 *   products.c   products that several sums use
 *   base_registers.c      addresses of arrays on the stack
 */
#ifndef UW_TARGET_CODE_H
#define UW_TARGET_CODE_H

#include "../lower/lower.h"

/* Before LLVM's optimiser: lets vectors be as wide as passes made them, and shares use the whole of AVX-512's registers
 * (widths.c). */
void uw_allow_widths(LLVMModuleRef module);
unsigned uw_allowed_width(LLVMValueRef function); /* bits */
/* Before LLVM's optimiser: marks functions for uw_forward_tips. */
void uw_mark_tips(LLVMModuleRef module);
/* Gives constant masks of whole registers values that LLVM does not know. */
void uw_hide_masks(LLVMModuleRef module);
/* Adds up in float what double adds up and rounds to float, where the result is the same. */
void uw_narrow_doubles(LLVMModuleRef module);
/* In front of LLVM's vectoriser, for uw_shim_optimise. */
void uw_tame_address_division(LLVMValueRef division, LLVMValueRef before);
/* Before all passes: which libraries of vector math the program may call (analysis/vector_math.h). */
void uw_use_vector_math(bool libmvec, bool sleef);
/* The vector functions that LLVM's vectorisers may call (uw_vector_library). */
const uw_vector_function *uw_vector_functions(uw_arena *arena, size_t *count);
bool uw_can_call_vector_math(LLVMTargetMachineRef machine, LLVMValueRef function, const char *symbol, size_t length);

/* After LLVM's optimiser. */
void uw_forward_tips(LLVMModuleRef module, LLVMTargetMachineRef machine);
void uw_tame_shifts(LLVMModuleRef module);
void uw_lower_streams(LLVMModuleRef module);
/* Gives arrays on the stack that are accessed in vectors and at fixed positions a register for their address. */
void uw_lower_bases(LLVMModuleRef module);
void uw_compress_stores(LLVMModuleRef module, LLVMTargetMachineRef machine, uw_arena *arena);
/* Where the CPU gathers slowly or not at all: without branches. */
void uw_make_gathers_safe(LLVMModuleRef module, LLVMTargetMachineRef machine);
/* There: those of all lanes by indices in memory. */
void uw_gather_by_memory(LLVMModuleRef module, LLVMTargetMachineRef machine);
/* On CPUs with AVX2 and without AVX-512: masked stores to arrays on the stack become a load, a blend and a store. */
void uw_blend_stores(LLVMModuleRef module, uw_arena *arena);
/* There, others become a store of the whole register where all lanes store. Says so of each, and of those that stay. */
void uw_test_masks(LLVMModuleRef module);
void uw_call_vector_math(LLVMModuleRef module, LLVMTargetMachineRef machine);
void uw_estimate_roots(LLVMModuleRef module, LLVMTargetMachineRef machine);
void uw_scale_powers(LLVMModuleRef module, LLVMTargetMachineRef machine);
/* Fuses a product into each of the sums that use it. */
void uw_fuse_products(LLVMModuleRef module);

/* Some lanes of a vector: itself if these are all. */
enum { UW_LANES_OF_A_STORE = 64 /* at most */ };
LLVMValueRef uw_some_lanes(LLVMBuilderRef b, LLVMValueRef vector, unsigned first, unsigned count);
LLVMValueRef uw_in_each_lane(LLVMBuilderRef b, LLVMValueRef scalar, unsigned lanes);
/* Where lanes go that do not count: a place on the stack of the function, for any element of so many bytes. */
enum { UW_PLACE_BYTES = 8 };
LLVMValueRef uw_place_on_stack(LLVMValueRef function);
/* Of a call of llvm.masked.store or llvm.masked.scatter, which are built here, in bytes. */
unsigned uw_alignment_of_masked(LLVMValueRef call);
LLVMValueRef uw_build_masked(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMValueRef value,
                             LLVMValueRef to, LLVMValueRef mask, unsigned alignment);

/* For program->host. */
LLVMTargetMachineRef uw_make_machine(uw_program *program);
extern const uw_stage uw_stage_target; /* target.def */
/* That stage, on program->host. The machine that it is for; null after messages. */
LLVMTargetMachineRef uw_optimise(uw_program *program);

#endif
