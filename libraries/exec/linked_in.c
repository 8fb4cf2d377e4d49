/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVIDIA's libraries that are linked into a program or library statically, where its symbol table is still there: a
 * jump to our function of that name is written over the beginning of each of their functions, before any of it runs
 * (PyTorch 1.4 has the runtime, cuBLAS, cuFFT, cuSPARSE, NCCL and cuDNN so). Nothing is done where a) the file has no
 * symbol table, which stripping takes away, b) it is one of NVIDIA's libraries itself, or c) it was built by unwarp.
 * A library counts as linked in if the function that nobody can do without is defined.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/identity.h"
#include "exec.h"

#ifdef __x86_64__
enum { JUMP_BYTES = 13, ALIGNMENT = 16, FAMILIES = 11 };

static const struct family {
  const char *prefix, *sign, *of_10, *of_12, *of_13; /* libraries, by CUDA's version */
  int refusal;                                       /* 0: only what ours has is led */
} families[FAMILIES] = {
    {"cublasLt", "cublasLtCreate", "libcublasLt.so.12", "libcublasLt.so.12", "libcublasLt.so.13", 15},
    {"cublas", "cublasCreate_v2", "libcublas.so.12", "libcublas.so.12", "libcublas.so.13", 15},
    {"cufft", "cufftPlan1d", "libcufft.so.11", "libcufft.so.11", "libcufft.so.12", 16},
    {"curand", "curandCreateGenerator", "libcurand.so.10", "libcurand.so.10", "libcurand.so.10", 999},
    {"cusparse", "cusparseCreate", "libcusparse.so.12", "libcusparse.so.12", "libcusparse.so.12", 10},
    {"cusolver", "cusolverDnCreate", "libcusolver.so.11", "libcusolver.so.11", "libcusolver.so.12", 9},
    {"cudnn", "cudnnCreate", "libcudnn.so.7", "libcudnn.so.9", "libcudnn.so.9", 9},
    {"nccl", "ncclCommInitAll", "libunwarp_nccl.so.2", "libunwarp_nccl.so.2", "libunwarp_nccl.so.2", 3},
    {"magma_", "magma_init", "libunwarp_magma.so.2", "libunwarp_magma.so.2", "libunwarp_magma.so.2", 0},
    {"magmablas_", "magma_init", "libunwarp_magma.so.2", "libunwarp_magma.so.2", "libunwarp_magma.so.2", 0},
    {"cuda", "__cudaRegisterFatBinary", NULL, NULL, NULL, 801},
};

typedef struct file {
  const char *bytes;
  size_t size;
  const Elf64_Sym *symbols;
  size_t count;
  const char *names;
  size_t names_size;
} file;

/* --- the symbol table --------------------------------------------------------------------------------------------- */

static int open_file(const char *path, file *f) {
  struct stat status;
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  *f = (file){0};
  if (descriptor < 0)
    return 0;
  if (fstat(descriptor, &status) == 0 && status.st_size > (off_t)sizeof(Elf64_Ehdr)) {
    void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    if (bytes != MAP_FAILED)
      *f = (file){.bytes = bytes, .size = (size_t)status.st_size};
  }
  close(descriptor);
  return f->bytes != NULL;
}

static int lies_inside(const file *f, const Elf64_Shdr *section) {
  return section->sh_offset <= f->size && section->sh_size <= f->size - section->sh_offset;
}

static int find_symbols(file *f, uint32_t type) {
  const Elf64_Ehdr *head = (const void *)f->bytes;
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
      head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > f->size || head->e_shoff % 8 ||
      (f->size - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum)
    return 0;
  const Elf64_Shdr *sections = (const void *)(f->bytes + head->e_shoff);
  for (unsigned i = 0; i < head->e_shnum; i++) {
    if (sections[i].sh_type != type || sections[i].sh_link >= head->e_shnum)
      continue;
    const Elf64_Shdr *table = &sections[i], *strings = &sections[table->sh_link];
    if (!lies_inside(f, table) || !lies_inside(f, strings) || !strings->sh_size || table->sh_offset % 8 ||
        f->bytes[strings->sh_offset + strings->sh_size - 1])
      return 0;
    f->symbols = (const void *)(f->bytes + table->sh_offset);
    f->count = table->sh_size / sizeof *f->symbols;
    f->names = f->bytes + strings->sh_offset;
    f->names_size = strings->sh_size;
    return 1;
  }
  return 0;
}

/* --- what is linked in -------------------------------------------------------------------------------------------- */

static const char *function_name(const file *f, const Elf64_Sym *symbol) {
  return ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_value &&
                 symbol->st_name < f->names_size
             ? f->names + symbol->st_name
             : NULL;
}

static int family_of(const char *name) {
  const char *plain = strncmp(name, "__cuda", 6) == 0 ? name + 2 : name;
  for (int i = 0; i < FAMILIES; i++) {
    size_t length = strlen(families[i].prefix);
    char next = strncmp(plain, families[i].prefix, length) == 0 ? plain[length] : 0;
    if ((next >= 'A' && next <= 'Z') || (next && plain[length - 1] == '_'))
      return i;
  }
  return -1;
}

typedef struct found {
  int signs[FAMILIES], own, count;
  int has_10_1, has_10_2, has_11, has_12, old; /* functions of the runtime that came, or went, with a version of it */
  const Elf64_Sym **functions;
} found;

static void note(found *all, const char *name) {
  for (int i = 0; i < FAMILIES; i++)
    all->signs[i] |= strcmp(name, families[i].sign) == 0;
  all->has_10_1 |= strcmp(name, "cudaThreadExchangeStreamCaptureMode") == 0;
  all->has_10_2 |= strcmp(name, "cudaGraphExecUpdate") == 0;
  all->has_11 |= strcmp(name, "cudaStreamSetAttribute") == 0;
  all->has_12 |= strcmp(name, "cudaGraphInstantiateWithParams") == 0;
  all->old |= strcmp(name, "cudaThreadSynchronize") == 0;
}

static void look(const file *f, found *all) {
  for (size_t i = 0; i < f->count && !all->own; i++) {
    const char *name = function_name(f, &f->symbols[i]);
    if (!name || !strchr("cmn_u", name[0]))
      continue;
    int family = family_of(name);
    all->own |= strcmp(name, "uwrt_register") == 0;
    if (family < 0)
      continue;
    const Elf64_Sym **larger = realloc(all->functions, ((size_t)all->count + 1) * sizeof *larger);
    if (!larger)
      return;
    all->functions = larger;
    all->functions[all->count++] = &f->symbols[i];
    note(all, name);
  }
}

/* Of the runtime that is linked in; 0: there is none, or one that is too old. */
static int version_of(const found *all) {
  return all->has_12 ? all->old ? 120 : 130 : all->has_11 ? 110 : all->has_10_2 ? 102 : all->has_10_1 ? 101 : 0;
}

static const char *library_for(int family, int version) {
  const struct family *of = &families[family];
  const char *runtime = version >= 130   ? "libcudart.so.13"
                        : version >= 120 ? "libcudart.so.12"
                        : version >= 110 ? "libcudart.so.11.0"
                        : version == 102 ? "libcudart.so.10.2"
                        : version == 101 ? "libcudart.so.10.1"
                                         : NULL;
  const char *name = !of->of_12                 ? runtime
                     : version >= 130           ? of->of_13
                     : version && version < 110 ? of->of_10
                                                : of->of_12;
  char path[PATH_MAX];
  return name && uwexec_find_own(name, path, sizeof path) ? name : NULL;
}

/* --- jumps -------------------------------------------------------------------------------------------------------- */

/* Behind a short function stands what fills up to where the next may begin. */
static int has_room(const unsigned char *at, size_t size) {
  if (size >= JUMP_BYTES)
    return 1;
  if ((uintptr_t)at % ALIGNMENT || !size)
    return 0;
  for (size_t i = size; i < JUMP_BYTES; i++)
    if (!memchr("\x90\xcc\x66\x2e\x0f\x1f\x80\x84\x00\x44\x40", at[i], 11))
      return 0;
  return 1;
}

static int write_jump(unsigned char *at, const struct uwexec_entry *entry) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *from = (unsigned char *)((uintptr_t)at & ~(page - 1));
  size_t bytes = (size_t)(at + JUMP_BYTES - from);
  unsigned char code[JUMP_BYTES] = {0x49, 0xbb, 0, 0,    0,    0,   0,
                                    0,    0,    0, 0x41, 0xff, 0x23}; /* mov $entry, %r11; jmp *(%r11) */
  memcpy(code + 2, &entry, sizeof entry);
  if (mprotect(from, bytes, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return 0;
  memcpy(at, code, sizeof code);
  return mprotect(from, bytes, PROT_READ | PROT_EXEC) == 0;
}

/* Has our library a function of that name? Its file stays mapped for the next question. */
static int has(const char *library, const char *name) {
  static const char *open;
  static file f;
  char path[PATH_MAX];
  if (open != library) {
    open = library;
    if (!uwexec_find_own(library, path, sizeof path) || !open_file(path, &f) || !find_symbols(&f, SHT_DYNSYM))
      f.count = 0;
  }
  for (size_t i = 0; i < f.count; i++) {
    const char *own = function_name(&f, &f.symbols[i]);
    if (own && strcmp(own, name) == 0)
      return 1;
  }
  return 0;
}

static void lead(const file *f, const found *all, const struct link_map *map, int version) {
  const char *name_of = *map->l_name ? map->l_name : program_invocation_name, *slash = strrchr(name_of, '/');
  const char *user = strdup(slash ? slash + 1 : name_of);
  struct uwexec_entry *entries = calloc((size_t)all->count, sizeof *entries);
  for (int i = 0; i < all->count && entries && user; i++) {
    const char *name = f->names + all->functions[i]->st_name;
    unsigned char *at = (unsigned char *)(map->l_addr + all->functions[i]->st_value);
    int family = family_of(name);
    const char *library = all->signs[family] ? library_for(family, version) : NULL;
    if (!library || (!families[family].refusal && !has(library, name)) || !has_room(at, all->functions[i]->st_size) ||
        !(name = strdup(name)))
      continue;
    entries[i] = (struct uwexec_entry){.target = (void *)uwexec_find_entry,
                                       .name = name,
                                       .library = library,
                                       .user = user,
                                       .refusal = families[family].refusal};
    if (!write_jump(at, &entries[i]))
      return;
  }
}

void *uwexec_write_over(const struct link_map *map, const char *name, const struct uwexec_entry *entry) {
  file f;
  void *found = NULL;
  if (!open_file(map->l_name, &f))
    return NULL;
  for (size_t i = find_symbols(&f, SHT_DYNSYM) ? 0 : f.count; i < f.count && !found; i++) {
    const char *function = function_name(&f, &f.symbols[i]);
    if (function && strcmp(function, name) == 0)
      found = (void *)(map->l_addr + f.symbols[i].st_value);
    if (found && entry && (!has_room(found, f.symbols[i].st_size) || !write_jump(found, entry)))
      break;
  }
  munmap((void *)f.bytes, f.size);
  return found;
}

static int is_nvidias(const char *path) {
  char plain[256];
  return uwlib_plain_name(path, plain, sizeof plain) && (uwlib_has_own(plain) || uwlib_foreign(plain));
}

void uwexec_lead(const struct link_map *map, int version) {
  file f;
  found all = {0};
  if (!*uwexec_folder() || is_nvidias(map->l_name) || !open_file(*map->l_name ? map->l_name : "/proc/self/exe", &f))
    return;
  if (find_symbols(&f, SHT_SYMTAB))
    look(&f, &all);
  if (all.count && !all.own)
    lead(&f, &all, map, version ? version : version_of(&all));
  free(all.functions);
  munmap((void *)f.bytes, f.size);
}
#else
void uwexec_lead(const struct link_map *map, int version) { (void)map, (void)version; }
void *uwexec_write_over(const struct link_map *map, const char *name, const struct uwexec_entry *entry) {
  (void)map, (void)name, (void)entry;
  return NULL;
}
#endif
