/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The locations that the checker's reports name. */
#ifndef UW_CHECK_SITES_H
#define UW_CHECK_SITES_H

#include "../raise/raise.h"
#include "../passes/passes.h"

typedef struct uw_sites {
  uw_arena *arena;
  MlirModule module;
  char **texts;
  size_t count, capacity;
  int64_t classes;
} uw_sites;

/* The location of a module is found once: what the operation accesses, bytes and alignment of it, object: what it is
 * called, or "". */
int64_t uw_site_of(uw_sites *sites, MlirOperation op, int64_t bytes, int64_t alignment, const char *object);
/* The index of the file's first site, as a value where it stands. */
MlirValue uw_first_site(uw_sites *sites, uw_builder *b);
/* Makes the table, when all are known. */
void uw_finish_sites(uw_sites *sites);
/* In our header of textures: what it reads there is the runtime's. */
/* What people call the object of that symbol. */
const char *uw_object_name(uw_arena *arena, MlirStringRef symbol);
bool uw_is_of_texture(MlirLocation location);

#endif
