/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The kernels and variables of all loaded objects. Several objects may define the same kernel or variable (a template,
 * an inline variable): each address has one record that lists its definitions in the order of their registration, and
 * the first is the one in force. It leaves with its object, and then the next one is.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "internal.h"

typedef struct definition {
  const void *what; /* uwrt_kernel or uwrt_variable */
  struct definition *next;
} definition;

typedef struct record {
  definition *first;
  uwrt_kernel_settings settings; /* of a kernel */
} record;

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static uwrt_table kernels;   /* by stub */
static uwrt_table variables; /* by address */

static uwrt_kernel_settings settings_of(const uwrt_kernel *kernel, int architecture) {
  uint64_t used = kernel->static_shared_bytes;
  int left = used < UWRT_SHARED_DEFAULT ? (int)(UWRT_SHARED_DEFAULT - used) : 0;
  return (uwrt_kernel_settings){
      .dynamic_shared = left, .carveout = cudaSharedmemCarveoutDefault, .architecture = architecture};
}

/* Adds a definition after those that an address has. The caller holds the lock. */
static record *add_definition(uwrt_table *table, const void *address, const void *what) {
  record *found = uwrt_table_find(table, address);
  definition *fresh = malloc(sizeof *fresh);
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found || !uwrt_table_insert(table, address, found))
      uwrt_fatal("out of memory");
  }
  if (!fresh)
    uwrt_fatal("out of memory");
  *fresh = (definition){what, NULL};
  definition **end = &found->first;
  while (*end)
    end = &(*end)->next;
  *end = fresh;
  return found;
}

/* Returns whether that was the address's last definition. The caller holds the lock. */
static int remove_definition(uwrt_table *table, const void *address, const void *what) {
  record *found = uwrt_table_find(table, address);
  if (!found)
    return 0;
  for (definition **at = &found->first; *at; at = &(*at)->next) {
    if ((*at)->what == what) {
      definition *gone = *at;
      *at = gone->next;
      free(gone);
      break;
    }
  }
  if (found->first)
    return 0;
  free(uwrt_table_remove(table, address));
  return 1;
}

/* An extern declaration may not know its size: the largest is the variable's. The caller holds the lock. */
static size_t variable_bytes(const record *found) {
  size_t bytes = 0;
  for (const definition *at = found->first; at; at = at->next) {
    const uwrt_variable *variable = at->what;
    if (variable->bytes > bytes)
      bytes = (size_t)variable->bytes;
  }
  return bytes;
}

static void add_variable(const uwrt_variable *variable) {
  uwrt_allocation taken;
  if (variable->flags & UWRT_VARIABLE_HIDDEN) {
    uwrt_variables_add(variable->address, (size_t)variable->bytes);
    return;
  }
  const unsigned int spaces = UWRT_SPACE_VARIABLE | UWRT_SPACE_MANAGED_VARIABLE;
  uwrt_space space = variable->flags & UWRT_VARIABLE_MANAGED ? UWRT_SPACE_MANAGED_VARIABLE : UWRT_SPACE_VARIABLE;
  size_t bytes = variable_bytes(add_definition(&variables, variable->address, variable));
  if (uwrt_allocation_take(variable->address, spaces, &taken)) {
    if (taken.space == UWRT_SPACE_MANAGED_VARIABLE)
      space = taken.space;
  }
  if (bytes) {
    uwrt_allocation range = {(uintptr_t)variable->address, bytes, space, 0, NULL, NULL, 0, NULL, {0}};
    if (uwrt_allocation_add(&range) == cudaErrorMemoryAllocation)
      uwrt_fatal("out of memory");
    if (space == UWRT_SPACE_VARIABLE && !(variable->flags & UWRT_VARIABLE_REFERENCE))
      uwrt_variables_add(variable->address, bytes);
    else
      uwrt_variables_remove(variable->address);
  }
}

static void remove_variable(const uwrt_variable *variable) {
  uwrt_allocation taken;
  if (variable->flags & UWRT_VARIABLE_HIDDEN)
    uwrt_variables_remove(variable->address);
  else if (remove_definition(&variables, variable->address, variable)) {
    uwrt_allocation_take(variable->address, UWRT_SPACE_VARIABLE | UWRT_SPACE_MANAGED_VARIABLE, &taken);
    uwrt_variables_remove(variable->address);
  }
}

static _Thread_local uwrt_module_seen *module_seen;
static _Thread_local void *module_seen_data;

void uwrt_modules_watch(uwrt_module_seen *seen, void *data) {
  module_seen = seen;
  module_seen_data = data;
}

/* Which of the module's levels, by index from the lowest. */
static size_t place_of_level(uint32_t levels, int32_t level) {
  size_t place = 0;
  for (int32_t lower = 0; lower < level; lower++)
    place += levels >> lower & 1;
  return place;
}

static void pick_level(const uwrt_module *module) {
  *module->level = uwrt_pick_level(module->levels);
  size_t place = place_of_level(module->levels, *module->level);
  for (uint32_t i = 0; i < module->kernel_count; i++) {
    uwrt_kernel *kernel = (uwrt_kernel *)&module->kernels[i];
    if (kernel->entries)
      kernel->entry = kernel->entries[place];
  }
}

void uwrt_register_made_for(const uwrt_module *module, int architecture) {
  if (module->abi_version != UWRT_ABI_VERSION)
    uwrt_fatal("an object file was compiled for version %u of the runtime's interface and this is version %u: compile "
               "the program again",
               (unsigned int)module->abi_version, (unsigned int)UWRT_ABI_VERSION);
  if (module->level)
    pick_level(module);
  if (module->kernel_count)
    uwrt_watch_faults();
  pthread_rwlock_wrlock(&lock);
  for (uint32_t i = 0; i < module->kernel_count; i++) {
    const uwrt_kernel *kernel = &module->kernels[i];
    record *found = add_definition(&kernels, kernel->stub, kernel);
    if (found->first->what == kernel)
      found->settings = settings_of(kernel, architecture);
  }
  for (uint32_t i = 0; i < module->variable_count; i++)
    add_variable(&module->variables[i]);
  pthread_rwlock_unlock(&lock);
  if (module_seen)
    module_seen(module, module_seen_data);
}

void uwrt_register(const uwrt_module *module) { uwrt_register_made_for(module, 0); }

void uwrt_unregister(const uwrt_module *module) {
  pthread_rwlock_wrlock(&lock);
  for (uint32_t i = 0; i < module->kernel_count; i++)
    remove_definition(&kernels, module->kernels[i].stub, &module->kernels[i]);
  for (uint32_t i = 0; i < module->variable_count; i++)
    remove_variable(&module->variables[i]);
  if (!kernels.count)
    uwrt_table_free(&kernels);
  if (!variables.count)
    uwrt_table_free(&variables);
  pthread_rwlock_unlock(&lock);
}

static int find_kernel(const void *stub, const uwrt_kernel **kernel, uwrt_kernel_settings *settings) {
  pthread_rwlock_rdlock(&lock);
  const record *found = uwrt_table_find(&kernels, stub);
  if (found && kernel)
    *kernel = found->first->what;
  if (found && settings)
    *settings = found->settings;
  pthread_rwlock_unlock(&lock);
  return found != NULL;
}

int uwrt_kernel_find(const void *stub, const uwrt_kernel **kernel, uwrt_kernel_settings *settings) {
  return find_kernel(stub, kernel, settings) || (uwrt_fat_kernel(stub) && find_kernel(stub, kernel, settings));
}

int uwrt_kernel_set_dynamic_shared(const void *stub, int bytes) {
  pthread_rwlock_wrlock(&lock);
  record *found = uwrt_table_find(&kernels, stub);
  if (found)
    found->settings.dynamic_shared = bytes;
  pthread_rwlock_unlock(&lock);
  return found != NULL;
}

void uwrt_kernel_set_architecture(const void *stub, int architecture) {
  pthread_rwlock_wrlock(&lock);
  record *found = uwrt_table_find(&kernels, stub);
  if (found)
    found->settings.architecture = architecture;
  pthread_rwlock_unlock(&lock);
}

int uwrt_kernel_set_carveout(const void *stub, int carveout) {
  pthread_rwlock_wrlock(&lock);
  record *found = uwrt_table_find(&kernels, stub);
  if (found)
    found->settings.carveout = carveout;
  pthread_rwlock_unlock(&lock);
  return found != NULL;
}

_Atomic int uwrt_clusters_are_set;

int uwrt_kernel_set_cluster(const void *stub, int dimension, int blocks) {
  pthread_rwlock_wrlock(&lock);
  record *found = uwrt_table_find(&kernels, stub);
  if (found)
    found->settings.cluster[dimension] = blocks;
  pthread_rwlock_unlock(&lock);
  uwrt_clusters_are_set = 1;
  return found != NULL;
}

int uwrt_kernel_allow_large_clusters(const void *stub, int allowed) {
  pthread_rwlock_wrlock(&lock);
  record *found = uwrt_table_find(&kernels, stub);
  if (found)
    found->settings.large_clusters = allowed;
  pthread_rwlock_unlock(&lock);
  uwrt_clusters_are_set = 1;
  return found != NULL;
}

void uwrt_kernel_settings_reset(void) {
  pthread_rwlock_wrlock(&lock);
  for (size_t i = 0; i < kernels.capacity; i++) {
    record *found = kernels.entries[i].value;
    if (found)
      found->settings = settings_of(found->first->what, found->settings.architecture);
  }
  pthread_rwlock_unlock(&lock);
}

int uwrt_variable_find(const void *address, size_t *bytes) {
  pthread_rwlock_rdlock(&lock);
  const record *found = uwrt_table_find(&variables, address);
  if (found)
    *bytes = variable_bytes(found);
  pthread_rwlock_unlock(&lock);
  return found != NULL;
}

/* A file's own variable is called _ZL, the length, its name. */
static int is_called(const char *mangled, const char *name) {
  if (strncmp(mangled, "_ZL", 3) == 0)
    for (mangled += 3; *mangled >= '0' && *mangled <= '9';)
      mangled++;
  return strcmp(mangled, name) == 0;
}

const void *uwrt_symbol(const char *name) {
  const void *found = name;
  pthread_rwlock_rdlock(&lock);
  if (!uwrt_table_find(&variables, name))
    for (size_t i = 0; i < variables.capacity; i++) {
      const record *at = variables.entries[i].value;
      const uwrt_variable *variable = at ? at->first->what : NULL;
      if (variable && !(variable->flags & UWRT_VARIABLE_FIXED) && is_called(variable->name, name))
        found = variables.entries[i].key;
    }
  pthread_rwlock_unlock(&lock);
  return found;
}
