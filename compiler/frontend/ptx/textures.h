/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The functions of libdevice/ptx that get at textures and surfaces. */
#ifndef UW_PTX_TEXTURES_H
#define UW_PTX_TEXTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static inline bool uw_ptx_is_of_texture(const char *function) {
  static const char *const starts[] = {"__ptx_tex_",  "__ptx_tld4_", "__ptx_txq_",
                                       "__ptx_suld_", "__ptx_sust_", "__ptx_suq_"};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    if (strncmp(function, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

#endif
