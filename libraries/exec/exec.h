/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of libunwarp_exec share. */
#ifndef UWEXEC_H
#define UWEXEC_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* What a program is to call when it calls the C library's function of this name. */
uintptr_t uwexec_in_place_of(const char *name, uintptr_t function);

/* Where unwarp's own library of that plain name lies; 0: there is none. */
int uwexec_find_own(const char *plain, char *path, size_t room);

/* The loader looks for a library of that plain name, or has opened one: what of NVIDIA's is missing is told. */
void uwexec_look_for(const char *plain, int for_ours);
void uwexec_opened(const struct link_map *map);

#endif
