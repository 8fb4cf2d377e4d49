/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * From NVVM as imported to the parallel representation: structured control flow, arith and math, launches as loops.
 *
 *   raise.def     the stage that the steps are rows of
 *   spaces.c      shared variables become memory of the block; address spaces go
 *   intrinsics.c  NVVM intrinsics become unwarp, arith and llvm operations
 *   saturate.c    float to integer as a GPU converts
 *   structure.c   branches become scf.if, scf.while, scf.index_switch
 *   arith.c       llvm arithmetic becomes arith and math
 *   waiting_blocks.c       kernels whose blocks wait for each other; loop_waits.c finds the loops
 *   restrict.c    what is accessed through a __restrict__ parameter
 *   chosen.c      loads from places that a branch chose among parameters and others
 *   strides.c     strides that make threads neighbours where the launch says so
 *   parameters.c  parameters in memory; these three are parts of the next
 *   launch.c      each kernel becomes a loop over blocks around a loop over threads, in an entry of its own
 */
#ifndef UW_RAISE_H
#define UW_RAISE_H

#include "../analysis/budget.h"
#include "../frontend/frontend.h"
#include "../ir/ir.h"

/* uw_copy_launchers, where MLIR has all that is in them. */
LLVMModuleRef uw_importable_launchers(uw_program *program, MlirContext context);

/* The whole way, for program->levels.now, or for all that are built: then uw_note_registers is for later. Takes
 * program->device. Null module after messages. */
MlirModule uw_raise(uw_program *program, MlirContext context, bool for_all);
/* What passes that make vector code ask: how many bytes the CPU's vector registers hold, for program->levels.now. */
void uw_note_registers(MlirModule module, uw_program *program);
/* For one of several levels, as soon as it is raised and apart: drops functions that it has none of. The lowest launches
 * nothing in place, only it has replays, and some entries are another's (uw_level_of_entry). Where the lowest is plain
 * (uw_levels), its entries run replays. */
void uw_drop_other_levels(MlirModule module, uw_program *program);

extern const uw_stage uw_stage_raise; /* raise.def: its steps, in their order */

/* Those steps. Each is false after messages on stderr. */
void uw_raise_conversions(MlirModule module, uw_arena *arena);
bool uw_raise_spaces(MlirModule module, uw_arena *arena);
bool uw_raise_intrinsics(MlirModule module, uw_arena *arena);
bool uw_raise_structure(MlirModule module, uw_program *program);
void uw_raise_arith(MlirModule module, uw_arena *arena);
void uw_raise_waits(MlirModule module, uw_program *program);
/* Part of it: has loops that wait and write tell the runtime where they get further. all: the operations of their kernel;
 * known: its loops that wait; writing: those of them. */
void uw_tell_of_moves(MlirModule module, uw_arena *arena, uw_ops all, const uw_table *writing, const uw_table *known);
bool uw_raise_launches(MlirModule module, uw_program *program);

/* Part of the last one, for each parameter that is no struct: notes on its accesses that it is __restrict__, if it
 * is. */
void uw_mark_restrict(MlirOperation func, uint32_t parameter, bool of_accessor);

/* Another part: what stands for `argument`, a structure by value of so many bytes, in a thread's code; `launched` is
 * where the launch has it. */
MlirValue uw_parameter_in_memory(uw_arena *arena, uw_builder *at_launch, uw_builder *thread, MlirValue argument,
                                 MlirValue launched, uint32_t bytes);
MlirValue uw_load_readonly(uw_builder *b, MlirValue base, size_t offset, MlirType type); /* of what no kernel writes */

/* Is the address that many bytes after a value that no getelementptr makes? That nothing makes? And: is what it points
 * to only read? */
bool uw_field_of(MlirValue address, int64_t *offset, MlirValue *base);
bool uw_field_of_parameter(MlirValue address, int64_t *offset, MlirValue *base);
bool uw_parameter_is_only_read(MlirValue address);

/* The body of a kernel at a launch whose operands, from `first` on, say what variables hold for it (launch_constants.c). */
void uw_know_constants(uw_arena *arena, MlirOperation func, MlirOperation launch, size_t first);

/* Another: loads from the structure that a branch chooses are made in the branch. */
void uw_load_where_chosen(uw_arena *arena, MlirValue parameter);

/* Another: strides that the launch gives. */
enum { UW_MOST_STRIDES = 16 };
typedef struct uw_given_stride {
  MlirValue value;    /* in the function */
  uint32_t parameter; /* number */
  int64_t offset;     /* of its field; -1: it is no structure */
  int64_t wanted;     /* what makes threads neighbours */
} uw_given_stride;
typedef struct uw_given_strides {
  uw_given_stride at[UW_MOST_STRIDES];
  size_t count;
} uw_given_strides;
void uw_find_strides(uw_arena *arena, MlirOperation func, const uw_kernel *kernel, uw_given_strides *all);
MlirValue uw_strides_make_neighbours(uw_builder *b, const uw_given_strides *all, const MlirValue *parameters);
void uw_set_strides(MlirOperation func, const uw_given_strides *all); /* to what is wanted */

/* A function of the host that came along because it launches: what holds for device code only leaves it alone. */
bool uw_is_host(MlirOperation function);

/* Marks a barrier that stands where it does so that the loop around it is swapped with the loop over threads, and
 * stays. */
#define UW_SWAP "unwarp.swap"

/* Several workers have slices of a block's threads (passes/rows/distribute_teams.c): on a barrier that they all come to, as the
 * level of the barrier between loops that it becomes, on memory that they share, and on the grid loops that are made or
 * were looked at. */
#define UW_TEAM "unwarp.team"

/* Stores that may go past the caches: of an alias scope that they are in (passes/memory/nontemporal_stores.c, target/streams.c). */
#define UW_STREAM "unwarp.stream"

#define UW_MEMORY_PARAMETERS "unwarp.memory_parameters" /* on such a branch: some lie in memory of the host's */

/* A store in a loop that waits: the runtime is told where it changes memory (raise/waiting_blocks.c, lower/told_stores.c). */
#define UW_TOLD "unwarp.told"

/* On a loop over the threads of a block: the name of its kernel (passes/barriers/sync_warps.c). */
#define UW_KERNEL "unwarp.kernel"

#define UW_NO_REPLAYS "unwarp.no_replays" /* on a module: kernels have none */

/* On a module: variables get memory, for debuggers (instrument/thread_variables.c). */
#define UW_KEEPS_VARIABLES "unwarp.variables"

/* On a module: floating-point atomics add one by one (-fno-reassociate-atomics; passes/memory/privatize_atomics.c). */
#define UW_ATOMICS_IN_ORDER "unwarp.atomics_in_order"

/* Classes to check for (UWRT_CHECK_*), on the module (instrument/check.c); absent: none. And on memory of a block
 * that is checked: it stays apart from other memory, with room after it. */
#define UW_CHECK "unwarp.check"
#define UW_ANSWERED "unwarp.checks_answered" /* a branch: what -fcheck would find in its first arm is known before */
#define UW_CHECKED "unwarp.checked"
#define UW_OF_BLOCK "unwarp.of_block" /* an atomic operation or fence for the threads of one block */
#define UW_UNUSED "unwarp.unused"     /* an atomic operation: the program has no use for its result; we may */

#endif
