/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A driver for the runtime's tests: what it loads are the test's own functions, which stand behind a fat binary's
 * wrapper. So the runtime's way to a driver runs without a compiler, under a sanitizer, too.
 */
#include <stddef.h>
#include <string.h>

#include "fake.h"

static int start(unsigned int flags) { return (int)flags; }

static int load(void **library, const void *code, int *options, void **values, unsigned int option_count,
                int *library_options, void **library_values, unsigned int library_count) {
  (void)options, (void)values, (void)option_count, (void)library_options, (void)library_values, (void)library_count;
  *library = (void *)code;
  return ((const fake_binary *)code)->load();
}

static int kernel(void **found, void *library, const char *name) {
  return (*found = ((const fake_binary *)library)->kernel(name)) ? 0 : 500;
}

static int variable(void **found, size_t *bytes, void *library, const char *name) {
  return (*found = ((const fake_binary *)library)->variable(name, bytes)) ? 0 : 500;
}

static int unload(void *library) {
  (void)library;
  return 0;
}

__attribute__((visibility("default"))) int cuGetProcAddress_v2(const char *symbol, void **function, int version,
                                                               unsigned long long flags, int *status);
int cuGetProcAddress_v2(const char *symbol, void **function, int version, unsigned long long flags, int *status) {
  static const struct {
    const char *name;
    void (*function)(void);
  } known[] = {{"cuInit", (void (*)(void))start},
               {"cuLibraryLoadData", (void (*)(void))load},
               {"cuLibraryGetKernel", (void (*)(void))kernel},
               {"cuLibraryGetGlobal", (void (*)(void))variable},
               {"cuLibraryUnload", (void (*)(void))unload}};
  (void)version, (void)flags, (void)status;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, symbol) == 0)
      *function = (void *)known[i].function;
  return 0;
}
