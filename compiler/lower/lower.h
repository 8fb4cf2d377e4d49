/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From loops to LLVM's IR.
 *
 *   serialize.c  thread loops become serial loops; a worker runs a whole block
 *   lanes.c      what LLVM's vectoriser is told of a thread loop
 *   tiles.c      thread loops over arrays that are a few registers
 *   atomics.c    atomics on a block's own memory become plain
 *   tallies.c    workers' tallies of what their blocks add to a few addresses
 *   append_buffers.c    workers' buffers of what their threads append to queues
 *   workers.c    what a worker has of its own leaves the loop over its blocks
 *   block_memory.c     unwarp.shared and unwarp.slot become stack or scratch memory
 *   small_launches.c  asks whether a launch is less work than waking a worker
 *   worker_place.c      what a worker is at, for the message when a kernel faults
 *   seldom.c     loops over threads that hardly ever run become functions
 *   openmp.c     the grid loop becomes an OpenMP worksharing loop; all the rest becomes the llvm dialect
 *   crew_launches.c       launches of a host loop that keeps its workers together
 *   flush.c      -ftz=true by the processor's own mode, where that is right
 *   levels.c     code for several levels of x86-64 becomes one that picks; level_part.c, each one's part; inline_size.c, what it has of the host's
 *   merge.c      the device's LLVM module joins the host's: shadows, registration
 *   llvm_helpers.c what LLVM's IR is asked, here and in target/
 *   lower.c, finish.c   the stages that these are the steps of: lower.def, finish.def
 *
 * After it comes target/.
 */
#ifndef UW_LOWER_H
#define UW_LOWER_H

#include "llvm-c/TargetMachine.h"
#include "llvm-c/Transforms/PassBuilder.h"
#include "../frontend/frontend.h"
#include "../ir/ir.h"
#include "../ir/shim.h"

/* memory_remarks.c: how a loop over threads goes through memory. */
void uw_remark_memory(MlirOperation loop, uw_arena *arena);

/* note_threads: each thread leaves its index for the fault handler. */
void uw_lower_thread_loops(MlirModule module, uw_arena *arena, bool note_threads);
/* Marks the accesses of a thread loop; gives the annotation for the serial loops that it becomes. */
MlirAttribute uw_annotate_lanes(MlirOperation loop, uw_arena *arena);
/* Another one for the innermost of these, where threads do little more than to count in shared memory; else null. */
MlirAttribute uw_annotate_counting(MlirOperation loop, uw_arena *arena);
/* On thread loops that are to be unrolled. */
#define UW_WRITTEN_OUT "unwarp.unrolled"
void uw_mark_tiles(MlirModule module, uw_arena *arena);
void uw_note_threads(MlirOperation loop, bool noted);
void uw_lower_places(MlirModule module, uw_arena *arena);
void uw_lower_atomics(MlirModule module, uw_arena *arena);
MlirValue uw_stack_room(uw_builder *b, int64_t bytes); /* of a worker, 64-byte aligned */
void uw_lower_memory(MlirModule module, uw_arena *arena);
void uw_lower_tallies(MlirModule module, uw_arena *arena);
void uw_lower_appends(MlirModule module, uw_arena *arena);
/* Moves the calls that start what a worker has of its own (its first argument), with that room, the calls of the second
 * name (may be null) and the one that ends it out of the worker's loop over blocks. */
void uw_hoist_from_blocks(MlirModule module, uw_arena *arena, const char *start_name, const char *more_name,
                          const char *end_name);
void uw_hoist_tallies(MlirModule module, uw_arena *arena);
void uw_hoist_appends(MlirModule module, uw_arena *arena);
/* Regions of workers read arguments where they lie in memory (read_by_workers.c). */
void uw_read_by_workers(MlirModule module, uw_arena *arena);
void uw_number_blocks(MlirModule module, uw_arena *arena);
/* Before grids that may be less work than waking a worker: a call of this name that says whether the launch is more.
 * openmp.c takes it away. */
void uw_ask_for_small_launches(MlirModule module, uw_arena *arena);
bool uw_lower_to_llvm_dialect(MlirModule module, uw_arena *arena,
                              bool serial); /* serial: blocks run one after the other */

/* In LLVM's IR by then. */
void uw_lower_crews(LLVMModuleRef module);
/* In the place of a call: of the function of that name, with null for the data that a region without any has not. */
void uw_call_instead(LLVMModuleRef module, LLVMValueRef call, const char *name, unsigned arguments);
void uw_lower_trials(LLVMModuleRef module);

/* Threads that wait for each other: see told_stores.c, concurrent.c. */
void uw_lower_told_stores(MlirModule module, uw_arena *arena);
void uw_make_concurrent(MlirModule module, MlirOperation threads); /* erases the loop */
void uw_lower_waiting_threads(LLVMModuleRef module);

/* Of loops that serialize.c has marked with UW_RUNS_SELDOM. */
void uw_outline_seldom(MlirModule module, uw_arena *arena);

/* single_blocks.c: launches of one block as functions of their own, before and after the translation to LLVM IR. */
void uw_outline_single_blocks(MlirModule module, uw_arena *arena);
bool uw_is_single_block(MlirOperation region);
void uw_call_single_blocks(LLVMModuleRef module);

/* Debug information, as far as it is not wanted, goes; code stays what it is. In program->device, or where remarks are
 * wanted in the whole, when the last of them is said. */
void uw_strip_lines(const uw_program *program, LLVMModuleRef module);

extern const uw_stage uw_stage_lower;  /* lower.def */
extern const uw_stage uw_stage_finish; /* finish.def */
/* Both: the first makes LLVM IR in program->context, as program->device. Takes the module. */
bool uw_lower(MlirModule owned_module, uw_program *program);
bool uw_finish_device(uw_program *program); /* the second one */

bool uw_wants_address_sanitizer(uw_program *program);

/* In program->device, before it is merged: the checks of -fcheck that are inlined. */
void uw_link_checks(uw_program *program);
/* In the host's module: those of what host code reads and writes. */
void uw_check_host(LLVMModuleRef module);

/* In program->device, before it is merged. */
void uw_flush_in_hardware(uw_program *program);

/* levels.c and level_part.c: what several levels of x86-64, each translated in a process of its own, name of each
 * other. */
typedef struct uw_shared {
  const char *name;   /* when the processes part; until the levels are linked it is called that */
  LLVMValueRef value; /* in the host's process */
  const char *restored;
  LLVMLinkage linkage;
  uw_arena *arena;
  bool is_host; /* of those that are picked: a host function */
} uw_shared;

typedef struct uw_shared_list {
  uw_shared *items;
  size_t count, room;
} uw_shared_list;

typedef struct uw_level_plan {
  uw_shared_list host;      /* host code's */
  uw_shared_list variables; /* program->variables, one by one */
  uw_shared_list device;    /* variables and constants of the device module */
  uw_shared_list picked;    /* functions of which the level's form runs */
  uw_table *along;          /* of the host module's: what levels take along */
} uw_level_plan;

/* Is the device code, before passes, too much for kernels of levels that hardly anybody needs and nobody asked for? */
bool uw_is_too_much_for_all_levels(LLVMModuleRef device);
/* Whether a call may take in the host function's body, as far as can be said before it is optimised. The table keeps
 * what is known. */
bool uw_is_worth_inlining(LLVMValueRef function, uw_table *known);
/* Before the processes part. part: as of uw_copy_launchers, or null. */
uw_level_plan *uw_plan_levels(uw_program *program, LLVMModuleRef part);
bool uw_was_local(LLVMValueRef value); /* before uw_copy_launchers, of a host module after that */
bool uw_is_discardable(LLVMValueRef value);
bool uw_names_globals(LLVMValueRef constant, bool functions_only);
/* In a level's process, with its device code: program->host becomes that and what it may inline of the host's. */
void uw_make_level_part(uw_program *program, const uw_level_plan *plan);
/* What one of these is called at a level: declared in the module. */
LLVMValueRef uw_declare_form(const uw_program *program, LLVMModuleRef module, LLVMValueRef like, const char *name,
                             int number);
/* The entry of a kernel that runs at a level. */
LLVMValueRef uw_declare_entry(const uw_program *program, LLVMModuleRef module, LLVMValueRef like,
                              const uw_kernel *kernel, int number);
/* In the host's process: before uw_merge, after it, and after LLVM's optimiser. */
void uw_pick_levels(uw_program *program, uw_level_plan *plan);
void uw_end_optimising(
    const uw_program *program); /* when the host's module is optimised: its lowest level has what it needs */
void uw_show_shared(uw_program *program, uw_level_plan *plan);
void uw_link_level(uw_program *program, LLVMMemoryBufferRef owned_bitcode);
void uw_finish_levels(uw_program *program, const uw_level_plan *plan);
#define UW_LEVEL "__unwarp_level" /* the variable that says which one runs */

/* program->host becomes the whole: device code, kernels' entries, their registration. */
/* With -rdc=true: does its record have a name that other files know? */
bool uw_is_kernel_of_program(const uw_program *program, const uw_kernel *kernel);
void uw_merge(uw_program *program);

/* Is it a worker's share of the blocks of a launch? Those of the host's own OpenMP have names that clang gave. */
bool uw_is_share(LLVMValueRef function);
/* llvm_helpers.c */
bool uw_has_feature(LLVMValueRef function, const char *feature); /* such as "+avx512f" */
bool uw_calls_intrinsic(LLVMValueRef op, const char *name);      /* such as "llvm.sqrt", of any type */
LLVMValueRef uw_call_intrinsic(LLVMModuleRef module, LLVMBuilderRef b, const char *name, LLVMTypeRef *types,
                               size_t type_count, LLVMValueRef *arguments, unsigned count);

/* debug_records.c: in LLVM IR, when each function has the allocas of its own at its start. */
void uw_lower_debug_variables(uw_program *program);

#endif
