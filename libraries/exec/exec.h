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

/* 12 or 13, by the libraries that the process uses; 0: by none yet. */
int uwexec_cuda_version(void);

/* The program begins; a module of device code is loaded; what stands in abort's place. */
void uwexec_watch_end(void);
void uwexec_runs_device_code(void);
uintptr_t uwexec_abort(uintptr_t function);

/* The loader looks for a library of that plain name, or has opened one: what of NVIDIA's is missing is told when the program fails. uwexec_opened gives back the version of the
 * runtime that it needs as a library, 10 times (101 is 10.1); 0: it needs none. */
void uwexec_look_for(const char *plain, int for_ours);
int uwexec_opened(const struct link_map *map);

/* An object is mapped, not yet run: NVIDIA's libraries that are linked into it statically are led to ours. version:
 * what uwexec_opened said of it. */
void uwexec_lead(const struct link_map *map, int version);

/* A function of a library that is linked in. What is written in its place jumps to where this says. */
struct uwexec_entry {
  void *target; /* first: what finds the function, then the function */
  const char *name, *library, *user;
  int refusal; /* what the library's functions give back for what is not supported */
};
void uwexec_find_entry(void);

/* Where an exported function of an object that is mapped lies, or null. entry: where a jump over its beginning is to lead, for as long as
 * the process lives; or null. */
void *uwexec_write_over(const struct link_map *map, const char *name, const struct uwexec_entry *entry);

/* The program's C library is mapped: what it runs as NVIDIA's ptxas is ours. */
void uwexec_lead_programs(const struct link_map *c_library);

/* Where ours lie, with a slash behind; empty: not known. */
const char *uwexec_folder(void);

#endif
