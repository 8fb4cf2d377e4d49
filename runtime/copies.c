/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One runtime in a process, though several of its files have a copy in them. Where names are visible the loader sees to
 * that. A shared library may hide those of what it is linked with (a version script, -Bsymbolic, -fvisibility), and then
 * has a copy of its own, whose streams, memory and kernels the others do not know. So what is linked in
 * (libcudart_static.a) is entered by jumps through a table (scripts/runtime-jumps.sh), which is this copy's at first. In
 * a shared library, before its kernels are registered, the table becomes that of the copy which leads:
 *
 *   a) that of the program, or of a library, whose names all see, as those that are linked with libcudart.so.12 get it, too,
 *   b) libcudart.so.12, where the process has loaded it, from wherever,
 *   c) the program's, or that of the first library that has one.
 *
 * Any two copies that are loaded at the same time decide so for the same one, whichever asks first: what was decided for
 * stays so. A copy that leads already stays alone with those that follow it when libcudart.so.12 comes later. A program's
 * copy never looks: it has nobody to follow. One that has names which the leader, of an older unwarp, has not, stays
 * alone, too. A checker that is linked in here (-fcheck) has nothing to read of the leader's, and says so.
 *
 * Copies find each other by a note in their files, as their names are hidden. Nothing is loaded, and who is followed
 * stays loaded.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "copies.h"

/* Written by scripts/runtime-jumps.sh. Names stand one behind the other, in the order of their bytes, as targets do. */
typedef struct copy {
  uint32_t form, count;
  uint32_t state, reserved;
  void **targets;
  const char *names;
  const char *code, *code_end; /* of the jumps */
} copy;
enum { FORM = 1, NOTE = 1 };
enum { UNDECIDED, LEADS, FOLLOWS };
static const char note_name[] = "unwarp";

#pragma GCC visibility push(hidden)
extern copy uwrt_own_copy;
#pragma GCC visibility pop

/* --- which copies there are --------------------------------------------------------------------------------------- */

typedef struct search {
  int files;
  const char *seen;                      /* by all, in place of a function of the runtime, or null */
  copy *program, *shown, *leads, *first; /* the last three: of libraries */
  const char *shown_in, *leads_in, *first_in;
} search;

static copy *copy_in_notes(const char *at, size_t bytes, size_t align) {
  const char *end = at + bytes;
  while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
    const ElfW(Nhdr) *head = (const void *)at;
    size_t name = ((size_t)head->n_namesz + 3) & ~(size_t)3, text = ((size_t)head->n_descsz + 3) & ~(size_t)3;
    if (align == 8) /* of other notes than ours */
      name = ((sizeof *head + head->n_namesz + 7) & ~(size_t)7) - sizeof *head,
      text = (head->n_descsz + 7) & ~(size_t)7;
    if (name + text > (size_t)(end - at) - sizeof *head)
      return NULL;
    const char *described = at + sizeof *head + name;
    if (head->n_type == NOTE && head->n_namesz == sizeof note_name && head->n_descsz == sizeof(int32_t) &&
        memcmp(at + sizeof *head, note_name, sizeof note_name) == 0) {
      int32_t distance;
      memcpy(&distance, described, sizeof distance);
      return (copy *)(described + distance);
    }
    at = described + text;
  }
  return NULL;
}

static int is_jump_of(const copy *of, const char *address) { return address >= of->code && address < of->code_end; }

static int look(struct dl_phdr_info *file, size_t size, void *data) {
  search *all = data;
  const int is_program = all->files++ == 0 && !*file->dlpi_name;
  copy *found = NULL;
  (void)size;
  for (int i = 0; i < file->dlpi_phnum && !found; i++) {
    const ElfW(Phdr) *part = &file->dlpi_phdr[i];
    if (part->p_type == PT_NOTE)
      found = copy_in_notes((const char *)(file->dlpi_addr + part->p_vaddr), part->p_memsz, part->p_align);
  }
  if (!found || found->form != FORM || found->state == FOLLOWS)
    return 0;
  if (is_program) {
    all->program = found;
    return found == &uwrt_own_copy; /* then there is nothing to look for */
  }
  if (is_jump_of(found, all->seen))
    all->shown = found, all->shown_in = file->dlpi_name;
  if (!all->first)
    all->first = found, all->first_in = file->dlpi_name;
  if (!all->leads && found->state == LEADS)
    all->leads = found, all->leads_in = file->dlpi_name;
  return 0;
}

/* The host's linker has a program show no more than its libraries ask for. */
static int is_shown(const copy *program, void *global) {
  const char *name = program->names;
  for (uint32_t i = 0; i < program->count; i++, name += strlen(name) + 1)
    if (is_jump_of(program, dlsym(global, name)))
      return 1;
  return 0;
}

/* --- following ---------------------------------------------------------------------------------------------------- */

typedef void *find_target(void *leader, const char *name);

static void *in_library(void *library, const char *name) { return dlsym(library, name); }

/* Asked for names in their order. */
typedef struct walk {
  const copy *of;
  uint32_t place;
  const char *name;
} walk;

static void *in_copy(void *leader, const char *name) {
  walk *at = leader;
  for (; at->place < at->of->count; at->place++, at->name += strlen(at->name) + 1) {
    int order = strcmp(at->name, name);
    if (order == 0)
      return at->of->targets[at->place];
    if (order > 0)
      break;
  }
  return NULL;
}

static int follow(find_target *find, void *leader) {
  copy *own = &uwrt_own_copy;
  const char *name = own->names;
  void **targets = malloc(own->count * sizeof *targets);
  uint32_t found = 0;
  for (; targets && found < own->count; found++, name += strlen(name) + 1)
    if (!(targets[found] = find(leader, name)))
      break;
  const int all = targets && found == own->count;
  if (all) {
    memcpy(own->targets, targets, own->count * sizeof *targets);
    own->state = FOLLOWS;
  }
  free(targets);
  return all;
}

static void follow_copy(copy *leader, const char *file) {
  walk at = {leader, 0, leader->names};
  if (leader == &uwrt_own_copy || !follow(in_copy, &at)) {
    uwrt_own_copy.state = LEADS;
    return;
  }
  leader->state = LEADS;
  if (file)
    dlopen(file, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* The loader runs constructors one after the other. */
void uwrt_find_leader(void) {
  if (uwrt_own_copy.state != UNDECIDED)
    return;
  void *global = dlopen(NULL, RTLD_LAZY), *shared = NULL;
  search all = {.seen = global ? dlsym(global, "uwrt_register") : NULL};
  dl_iterate_phdr(look, &all);
  if (all.program != &uwrt_own_copy)
    shared = dlopen("libcudart.so.12", RTLD_LAZY | RTLD_NOLOAD);
  const int has_shared = shared && dlsym(shared, "uwrt_register"); /* else it is NVIDIA's */
  if (all.program && (!has_shared || is_shown(all.program, global)))
    follow_copy(all.program, NULL);
  else if (has_shared && !all.shown && follow(in_library, shared))
    shared = NULL; /* stays open */
  else if (all.leads && !has_shared)
    follow_copy(all.leads, all.leads_in);
  else if (all.shown)
    follow_copy(all.shown, all.shown_in);
  else if (all.first)
    follow_copy(all.first, all.first_in);
  if (shared)
    dlclose(shared);
}

const void *uwrt_leader(void) { return uwrt_own_copy.state == FOLLOWS ? *uwrt_own_copy.targets : NULL; }
