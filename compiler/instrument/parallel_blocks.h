/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels whose blocks may run at the same time under -fcheck: none touches what another one writes, or that can be taken back. */
#ifndef UW_PARALLEL_BLOCKS_H
#define UW_PARALLEL_BLOCKS_H

#include "../passes/passes.h"

/* Before the checks are put in. Where the text shows it as far as it can, the runtime is asked for the rest before the
 * grid begins. Whether it is. may_try: where it does not; all accesses are checked. */
bool uw_ask_for_blocks_apart(uw_arena *arena, MlirModule module, MlirOperation entry, MlirOperation block_loop,
                             bool may_try);

#endif
