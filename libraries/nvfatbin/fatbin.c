/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvFatbin. Entries are written one after the other as they are added; the header is put in front when the binary is
 * asked for. What each call refuses is as NVIDIA's library of 12.9 does it. The file is compiled for each version
 * (UWFB_MAJOR).
 */
#include <ctype.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/nvFatbin.h"
#pragma GCC visibility pop
#include "../../runtime/module_image.h"
#include "../jit/fat.h"
#include "../jit/link.h"

struct _nvFatbinHandle {
  uwjit_bytes entries;
};

/* By its plain name, and by those that headers of other versions call (unwarp/version.h). */
#define SAY_VERSION(suffix, number)                                                                                    \
  __attribute__((visibility("default"))) nvFatbinResult nvFatbinVersion##suffix(unsigned int *major,                   \
                                                                                unsigned int *minor);                  \
  nvFatbinResult nvFatbinVersion##suffix(unsigned int *major, unsigned int *minor) {                                   \
    if (!major || !minor)                                                                                              \
      return NVFATBIN_ERROR_NULL_POINTER;                                                                              \
    *major = (number) / 1000;                                                                                          \
    *minor = (number) % 1000 / 10;                                                                                     \
    return NVFATBIN_SUCCESS;                                                                                           \
  }
SAY_VERSION(, UWFB_MAJOR == 12 ? 12040 : UWFB_MAJOR * 1000)
SAY_VERSION(_11080, 11080)
SAY_VERSION(_12090, 12090)
SAY_VERSION(_13000, 13000)
SAY_VERSION(_13010, 13010)

const char *nvFatbinGetErrorString(nvFatbinResult result) {
  static const char *const texts[] = {NULL,
                                      "internal error",
                                      "the ELF file is for another architecture",
                                      "the ELF file is damaged or for another size of addresses",
                                      "the PTX has no .version",
                                      "a pointer is null",
                                      "compressing failed",
                                      "the compressed entry is too large",
                                      "unknown option",
                                      "the architecture is no number",
                                      "the NVVM IR is none",
                                      "there is nothing to add",
                                      "the PTX has no .target",
                                      "the PTX is for another architecture",
                                      "the object file has no fat binary",
                                      "the index is none",
                                      "two entries have one identifier",
                                      "an option of PTX is not for programs"};
  return (unsigned int)result < sizeof texts / sizeof *texts ? texts[result] : "unknown error";
}

/* Nothing is compressed here; the rest is about the host that NVIDIA's tools write for. */
static int is_option(const char *option) {
  static const char *const known[] = {
      "-32", "-64", "-c", "-g", "-cuda", "-opencl", "-compress-all", "-compress=true", "-compress=false"};
  static const char *const begins[] = {"-host=", "-compress-mode=", "-compress-level="};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(option, known[i]) == 0)
      return 1;
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(option, begins[i], strlen(begins[i])) == 0 && option[strlen(begins[i])])
      return 1;
  return 0;
}

nvFatbinResult nvFatbinCreate(nvFatbinHandle *handle_indirect, const char **options, size_t optionsCount) {
  if (!handle_indirect || (optionsCount && !options))
    return NVFATBIN_ERROR_NULL_POINTER;
  for (size_t i = 0; i < optionsCount; i++)
    if (!options[i] || !is_option(options[i]))
      return options[i] ? NVFATBIN_ERROR_UNRECOGNIZED_OPTION : NVFATBIN_ERROR_NULL_POINTER;
  *handle_indirect = calloc(1, sizeof **handle_indirect);
  return *handle_indirect ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_INTERNAL;
}

nvFatbinResult nvFatbinDestroy(nvFatbinHandle *handle_indirect) {
  if (!handle_indirect || !*handle_indirect)
    return NVFATBIN_ERROR_NULL_POINTER;
  free((*handle_indirect)->entries.data);
  free(*handle_indirect);
  *handle_indirect = NULL;
  return NVFATBIN_SUCCESS;
}

/* --- entries ------------------------------------------------------------------------------------------------------ */

/* "80", "90a" */
static int read_architecture(const char *text, uint32_t *architecture) {
  char *end;
  unsigned long number = strtoul(text, &end, 10);
  if ((*text && !isdigit((unsigned char)*text)) || number > 9999)
    return 0;
  *architecture = (uint32_t)number;
  return isalpha((unsigned char)*end) ? !end[1] : !*end;
}

static size_t padded(size_t bytes) { return (bytes + 7) / 8 * 8; }

static int append_padded(uwjit_bytes *to, const void *data, size_t bytes, size_t room) {
  static const char zeros[8];
  return uwjit_append(to, data, bytes) && uwjit_append(to, zeros, room - bytes);
}

/* An entry's name, and options for the compiler of its text, follow the header's fields. */
static nvFatbinResult append_entry(nvFatbinHandle handle, uwjit_fat_entry entry, const void *code, size_t bytes,
                                   const char *identifier, const char *options) {
  struct {
    uint32_t offset, bytes;
  } where = {0};
  size_t name_bytes = identifier ? strlen(identifier) : 0, name_room = padded(name_bytes + 1),
         option_bytes = options ? strlen(options) : 0, option_room = options ? padded(option_bytes + 1) : 0;
  entry.version = 0x101;
  entry.header_bytes = (uint32_t)(UWJIT_FAT_ENTRY_BYTES + name_room + (options ? sizeof where + option_room : 0));
  entry.bytes = padded(bytes + (entry.kind == UWJIT_FAT_PTX)); /* text ends with a 0 */
  entry.name = UWJIT_FAT_ENTRY_BYTES;
  entry.name_bytes = (uint32_t)name_bytes;
  entry.flags = 0x11; /* of 64 bits, for Linux */
  if (options) {
    entry.options = (uint32_t)(UWJIT_FAT_ENTRY_BYTES + name_room);
    where.offset = (uint32_t)(entry.options + sizeof where);
    where.bytes = (uint32_t)option_bytes;
  }
  size_t before = handle->entries.count;
  if (uwjit_append(&handle->entries, &entry, UWJIT_FAT_ENTRY_BYTES) &&
      append_padded(&handle->entries, identifier ? identifier : "", name_bytes, name_room) &&
      (!options || (uwjit_append(&handle->entries, &where, sizeof where) &&
                    append_padded(&handle->entries, options, option_bytes, option_room))) &&
      append_padded(&handle->entries, code, bytes, entry.bytes))
    return NVFATBIN_SUCCESS;
  handle->entries.count = before;
  return NVFATBIN_ERROR_INTERNAL;
}

/* What all kinds of code have in common. */
static nvFatbinResult begin_entry(nvFatbinHandle handle, const void *code, size_t bytes, const char *arch,
                                  uwjit_fat_entry *entry) {
  return !handle || !code || !arch                        ? NVFATBIN_ERROR_NULL_POINTER
         : !bytes                                         ? NVFATBIN_ERROR_EMPTY_INPUT
         : !read_architecture(arch, &entry->architecture) ? NVFATBIN_ERROR_INVALID_ARCH
                                                          : NVFATBIN_SUCCESS;
}

nvFatbinResult nvFatbinAddPTX(nvFatbinHandle handle, const char *code, size_t size, const char *arch,
                              const char *identifier, const char *optionsCmdLine) {
  uwjit_fat_entry entry = {.kind = UWJIT_FAT_PTX};
  size_t bytes = code ? strnlen(code, size) : 0, length;
  nvFatbinResult result = begin_entry(handle, code, bytes, arch, &entry);
  if (result != NVFATBIN_SUCCESS)
    return result;
  const char *word;
  int version = uwjit_is_ptx(code, bytes) ? uwjit_ptx_version(code, bytes, &word, &length) : 0;
  if (!version)
    return NVFATBIN_ERROR_MISSING_PTX_VERSION;
  entry.major = (uint16_t)(version / 10);
  entry.minor = (uint16_t)(version % 10);
  return append_entry(handle, entry, code, bytes, identifier, optionsCmdLine ? optionsCmdLine : "");
}

/* A module of ours, or GPU code, which other programs may read. */
static int is_cubin(const void *code, size_t bytes) {
  const Elf64_Ehdr *head = code;
  enum { GPU = 190 };
  return uwrt_image_is_good(code, bytes) || (bytes >= sizeof *head && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
                                             head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_machine == GPU);
}

nvFatbinResult nvFatbinAddCubin(nvFatbinHandle handle, const void *code, size_t size, const char *arch,
                                const char *identifier) {
  uwjit_fat_entry entry = {.kind = UWJIT_FAT_CUBIN};
  nvFatbinResult result = begin_entry(handle, code, size, arch, &entry);
  if (result != NVFATBIN_SUCCESS)
    return result;
  if (!is_cubin(code, size))
    return NVFATBIN_ERROR_ELF_SIZE_MISMATCH;
  return append_entry(handle, entry, code, size, identifier, NULL);
}

nvFatbinResult nvFatbinAddLTOIR(nvFatbinHandle handle, const void *code, size_t size, const char *arch,
                                const char *identifier, const char *optionsCmdLine) {
  uwjit_fat_entry entry = {.kind = UWJIT_FAT_LTOIR};
  nvFatbinResult result = begin_entry(handle, code, size, arch, &entry);
  if (result != NVFATBIN_SUCCESS)
    return result;
  if (!uwjit_is_bitcode(code, size))
    return NVFATBIN_ERROR_INVALID_NVVM;
  return append_entry(handle, entry, code, size, identifier, optionsCmdLine ? optionsCmdLine : "");
}

nvFatbinResult nvFatbinAddIndex(nvFatbinHandle handle, const void *code, size_t size, const char *identifier) {
  (void)identifier;
  return !handle || !code ? NVFATBIN_ERROR_NULL_POINTER
         : !size          ? NVFATBIN_ERROR_EMPTY_INPUT
                          : NVFATBIN_ERROR_INVALID_INDEX;
}

nvFatbinResult nvFatbinAddReloc(nvFatbinHandle handle, const void *code, size_t size) {
  if (!handle || !code)
    return NVFATBIN_ERROR_NULL_POINTER;
  size_t room = 0, added = 0;
  const char *at = size ? uwjit_fat_of_object(code, size, &room) : NULL;
  if (!at)
    return size < SELFMAG || memcmp(code, ELFMAG, SELFMAG) ? NVFATBIN_ERROR_EMPTY_INPUT : NVFATBIN_ERROR_MISSING_FATBIN;
  uwjit_fat_header header;
  for (; room >= sizeof header; added++) { /* what a linker joined stands one after the other */
    memcpy(&header, at, sizeof header);
    if (header.magic != UWJIT_FAT_HEADER || header.header_bytes < sizeof header || header.header_bytes > room ||
        header.bytes > room - header.header_bytes)
      break;
    if (!uwjit_append(&handle->entries, at + header.header_bytes, header.bytes))
      return NVFATBIN_ERROR_INTERNAL;
    size_t whole = padded(header.header_bytes + header.bytes);
    at += whole < room ? whole : room;
    room -= whole < room ? whole : room;
  }
  return added ? NVFATBIN_SUCCESS : NVFATBIN_ERROR_MISSING_FATBIN;
}

/* --- the result --------------------------------------------------------------------------------------------------- */

nvFatbinResult nvFatbinSize(nvFatbinHandle handle, size_t *size) {
  if (!handle || !size)
    return NVFATBIN_ERROR_NULL_POINTER;
  *size = sizeof(uwjit_fat_header) + handle->entries.count;
  return NVFATBIN_SUCCESS;
}

nvFatbinResult nvFatbinGet(nvFatbinHandle handle, void *buffer) {
  if (!handle || !buffer)
    return NVFATBIN_ERROR_NULL_POINTER;
  uwjit_fat_header header = {UWJIT_FAT_HEADER, 1, sizeof header, handle->entries.count};
  memcpy(buffer, &header, sizeof header);
  if (handle->entries.count)
    memcpy((char *)buffer + sizeof header, handle->entries.data, handle->entries.count);
  return NVFATBIN_SUCCESS;
}
