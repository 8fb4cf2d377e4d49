/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Names of functions that device code calls and that several stages know. */
#ifndef UW_KNOWN_CALLS_H
#define UW_KNOWN_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What tells debuggers of variables: see frontend/debug_variables.c. */
#define UW_DECLARE_VARIABLE "__unwarp_declare_variable" /* (memory, index, how many addresses lie between) */
#define UW_SET_VARIABLE "__unwarp_set_variable."        /* (memory, value); one for each type */

/* void (dims, args): the runtime runs each block of a launch by the kernel's replay. */
#define UW_LAUNCH_PLAIN "uwrt_launch_plain"
#define UW_LAUNCH_PLAIN_TYPE "!llvm.func<void (ptr, ptr)>"

/* What code tells the checker of -fcheck by calls, which do nothing else. */
/* A call of it stands before what the lanes that its mask names do together. */
#define UW_CHECK_MASK "__unwarp_check_mask"
#define UW_NOTE_TILE "uwrt_note_tile"         /* void (): the next barrier of the block is that of a part of it */
#define UW_NOTE_MBARRIER "uwrt_note_mbarrier" /* void (barrier, UWRT_MBARRIER_*, count or token): what is done next */
#define UW_NOTE_SCOPE                                                                                                  \
  "uwrt_note_scope" /* void (clang's __MEMORY_SCOPE_*): that of the next atomic operation or fence */

/* void (i1), in front of a grid: shall other workers take its blocks? Of small launches, that are not worth waking them
 * (lower/small_launches.c), and of checked ones (instrument/parallel_blocks.c). */
#define UW_WORTH_SHARING "unwarp.worth_sharing"

#define UW_SCOPE_OF_BLOCK "block" /* as LLVM calls it for NVIDIA's */

/* What -fcheck asks of a shared array that is only read: i64 (state, start), how much of it the block has written; and,
 * with the bytes of a load behind the name, that such a load is from there. */
#define UW_CHECK_FILLED "uwrt_check_filled"
#define UW_CHECK_FILLED_READ "__unwarp_check_filled"

/* That all lanes of a warp came to an exchange: void (state, site, thread). */
#define UW_CHECK_MET "__unwarp_check_met"

/* The functions of libdevice/ptx that get at textures and surfaces. */
static inline bool uw_ptx_is_of_texture(const char *function) {
  static const char *const starts[] = {"__ptx_tex_",  "__ptx_tld4_", "__ptx_txq_",
                                       "__ptx_suld_", "__ptx_sust_", "__ptx_suq_"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(function, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

#endif
