/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The table of sites that a checked file has: one text, which the runtime reads (runtime/check/sites.c). For each site
 *
 *   bytes alignment object \n   file:line \n   file:line of the call around it \n   …  \x02
 *
 * Indices of sites are those in the file plus that of the file's first one, which the runtime gives out: code asks for
 * it once a launch, or a call. Locations in our own headers are left out, as remarks do. */
#include <stdlib.h>
#include <string.h>

#include "../ir/remarks.h"
#include "check_sites.h"

#define TABLE "__unwarp_check_table"
#define KNOWN "__unwarp_check_known"
#define END "\x02"

/* The lines of locations that are the program's; all, if none is. */
static char *places_of(uw_arena *arena, MlirLocation location) {
  char *all = uw_places(arena, location), *kept = uw_alloc(arena, strlen(all) + 1);
  for (char *at = all; *at;) {
    size_t length = strcspn(at, "\n");
    const char *file = uw_arena_format(arena, "%.*s", (int)length, at);
    if (!uw_is_own_header(file))
      strcat(strcat(kept, file), "\n");
    at += length + (at[length] == '\n');
  }
  return *kept ? kept : all;
}

int64_t uw_site_of(uw_sites *sites, MlirOperation op, int64_t bytes, int64_t alignment, const char *object) {
  char *text = uw_arena_format(sites->arena, "%lld %lld %s\n%s" END, (long long)bytes, (long long)alignment, object,
                               places_of(sites->arena, mlirOperationGetLocation(op)));
  sites->texts = uw_grow(sites->arena, sites->texts, sites->count, &sites->capacity, sizeof *sites->texts);
  sites->texts[sites->count] = text;
  return (int64_t)sites->count++;
}

bool uw_is_of_texture(MlirLocation location) {
  char file[UW_FILE_ROOM];
  int line, column;
  return uw_find_place(location, file, sizeof file, &line, &column) && uw_is_own_header(file) &&
         (strstr(file, "unwarp/texture") || strstr(file, "unwarp/surfaces") || strstr(file, "unwarp/graph"));
}

/* Of the C++ library (Itanium C++ ABI, "demangler API"), whose header is C++. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

const char *uw_object_name(uw_arena *arena, MlirStringRef symbol) {
  static const char prefix[] = "__unwarp_device_";
  const char *name = uw_arena_format(arena, "%.*s", (int)symbol.length, symbol.length ? symbol.data : "");
  int status;
  if (strncmp(name, prefix, sizeof prefix - 1) == 0)
    name += sizeof prefix - 1;
  char *shown = strncmp(name, "_Z", 2) == 0 ? __cxa_demangle(name, NULL, NULL, &status) : NULL;
  if (shown) { /* f(int)::name */
    char *last = NULL;
    for (char *at = shown; (at = strstr(at, "::")); at += 2)
      last = at + 2;
    name = uw_arena_format(arena, "%s", last ? last : shown);
    free(shown);
  }
  return name;
}

static MlirValue address_of(uw_builder *b, const char *name) {
  return uw_build1(b, "llvm.mlir.addressof", .out = TYPES(uw_ptr_type(b->context)),
                   .attrs = ATTRS({"global_name", uw_symbol_attr(b->context, name)}));
}

MlirValue uw_first_site(uw_sites *sites, uw_builder *b) {
  uw_declare(sites->module, "uwrt_check_sites", "!llvm.func<i32 (ptr, ptr, i32)>");
  return uw_result(uw_call(b, "uwrt_check_sites",
                           VALS(address_of(b, KNOWN), address_of(b, TABLE), uw_const_int(b, 32, sites->classes)),
                           uw_int_type(b->context, 32)),
                   0);
}

void uw_finish_sites(uw_sites *sites) {
  MlirContext context = mlirModuleGetContext(sites->module);
  size_t bytes = 1, at = 0;
  for (size_t i = 0; i < sites->count; i++)
    bytes += strlen(sites->texts[i]);
  char *all = uw_alloc(sites->arena, bytes);
  for (size_t i = 0; i < sites->count; i++) {
    size_t length = strlen(sites->texts[i]);
    memcpy(all + at, sites->texts[i], length);
    at += length;
  }
  uw_builder top = uw_at_start(mlirModuleGetBody(sites->module), mlirLocationUnknownGet(context));
  uw_build(&top, "llvm.mlir.global", .regions = 1,
           .attrs =
               ATTRS({"sym_name", uw_str_attr(context, TABLE)},
                     {"global_type",
                      mlirTypeAttrGet(uw_type(context, uw_arena_format(sites->arena, "!llvm.array<%zu x i8>", bytes)))},
                     {"value", mlirStringAttrGet(context, mlirStringRefCreate(all, bytes))},
                     {"constant", mlirUnitAttrGet(context)}, {"linkage", uw_attr(context, "#llvm.linkage<private>")}));
  uw_build(&top, "llvm.mlir.global", .regions = 1,
           .attrs = ATTRS(
               {"sym_name", uw_str_attr(context, KNOWN)}, {"global_type", mlirTypeAttrGet(uw_int_type(context, 32))},
               {"value", uw_int_attr(context, 32, 0)}, {"linkage", uw_attr(context, "#llvm.linkage<internal>")}));
}
