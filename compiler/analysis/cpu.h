/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The CPU that a module is for: its vector registers, what it does under masks, its cache lines and pages.
 *
 *   | CPU            | register | registers | masked loads of       | masks of all |
 *   | -------------- | -------: | --------: | --------------------- | ------------ |
 *   | x86-64, others |       16 |        16 | nothing               | no           |
 *   | AVX2           |       32 |        16 | 4 and 8 bytes         | no           |
 *   | AVX-512        |       64 |        32 | elements of any size  | yes          |
 *
 * Told by "unwarp.register_bytes" of the module (raise.c). A module without it is for the first, and one with 0 makes
 * no vectors. */
#ifndef UW_TARGET_H
#define UW_TARGET_H

#include "../ir/ir.h"

/* The attribute of a module that is for several CPUs still: see passes/multiversion.c. */
enum { UW_SEVERAL_CPUS = -1 };

/* Bytes: the same for all CPUs that unwarp knows. */
enum { UW_CACHE_LINE = 64, UW_PAGE = 4096 };

typedef struct uw_target {
  int64_t register_bytes; /* of a vector register; 0: there are to be no vectors */
  int64_t registers;      /* how many */
  bool has_masks;         /* any operation, and loads of elements of any size */
} uw_target;

/* The op is a module or in one. */
uw_target uw_target_of(MlirOperation op);
uw_target uw_target_with(int64_t register_bytes);

/* Elements of so many bytes in a register: 0 where there are to be no vectors. */
int64_t uw_lanes_for(const uw_target *target, int64_t element_bytes);
/* Can elements of so many bytes be loaded under a mask? */
bool uw_loads_under_masks(const uw_target *target, int64_t element_bytes);
/* Are there loads under masks and gathers, of 4 and of 8 bytes at least? */
bool uw_gathers(const uw_target *target);

#endif
