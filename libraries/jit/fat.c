/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fat binaries (fat.h). Compressed entries need the libraries lz4 and zstd, which are opened when such an entry is met,
 * so that who has none needs none.
 */
#define _GNU_SOURCE
#include "fat.h"

#include "../../runtime/module_image.h"
#include "../../runtime/uwrt.h"
#include "link.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHORTEST_ENTRY = UWJIT_FAT_ENTRY_BYTES, PACKED_BY_LZ4 = 0x2000, PACKED_BY_ZSTD = 0x8000, OURS = 80 };

/* --- compression -------------------------------------------------------------------------------------------------- */

static size_t unpack_lz4(const char *from, size_t bytes, char *to, size_t room) {
  void *library = dlopen("liblz4.so.1", RTLD_NOW | RTLD_LOCAL);
  int (*unpack)(const char *, char *, int, int) =
      library ? (int (*)(const char *, char *, int, int))dlsym(library, "LZ4_decompress_safe") : NULL;
  if (!unpack)
    return (size_t)-1;
  int got = bytes < INT32_MAX && room < INT32_MAX ? unpack(from, to, (int)bytes, (int)room) : 0;
  return got > 0 ? (size_t)got : 0;
}

static size_t unpack_zstd(const char *from, size_t bytes, char *to, size_t room) {
  void *library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
  size_t (*unpack)(void *, size_t, const void *, size_t) =
      library ? (size_t (*)(void *, size_t, const void *, size_t))dlsym(library, "ZSTD_decompress") : NULL;
  if (!unpack)
    return (size_t)-1;
  size_t got = unpack(to, room, from, bytes);
  return got <= room ? got : 0; /* errors are values beyond all sizes */
}

static void unpack(const uwjit_fat_entry *entry, const char *payload, uwjit_fat_ptx *found) {
  enum { MOST = 1 << 30 };
  int lz4 = (entry->flags & PACKED_BY_LZ4) != 0;
  found->state = UWJIT_FAT_BROKEN;
  found->why = "the fat binary's compressed PTX is damaged";
  if (entry->packed_bytes > entry->bytes || entry->whole_bytes > MOST || !entry->whole_bytes)
    return;
  if (!(found->owned = malloc(entry->whole_bytes + 1))) {
    found->state = UWJIT_FAT_NO_ROOM;
    return;
  }
  size_t got = (lz4 ? unpack_lz4 : unpack_zstd)(payload, entry->packed_bytes, found->owned, entry->whole_bytes);
  if (got == (size_t)-1) {
    found->state = UWJIT_FAT_NO_LIBRARY;
    found->why = lz4 ? "the fat binary's PTX is compressed by LZ4, and liblz4.so.1 is not there (on Debian: apt-get "
                       "install liblz4-1)"
                     : "the fat binary's PTX is compressed by zstd, and libzstd.so.1 is not there (on Debian: apt-get "
                       "install libzstd1)";
  } else if (got == entry->whole_bytes) {
    found->owned[got] = 0;
    found->text = found->owned;
    found->bytes = strnlen(found->owned, got);
    found->state = UWJIT_FAT_FOUND;
  }
}

/* --- the best entry ----------------------------------------------------------------------------------------------- */

static int is_better(uint32_t architecture, uint32_t than) {
  return (architecture <= OURS) != (than <= OURS) ? architecture <= OURS
         : architecture <= OURS                   ? architecture >= than
                                                  : architecture < than;
}

/* An entry that nvFatbin made of what unwarp makes. */
static void see_own(const uwjit_fat_entry *entry, const char *payload, uwjit_fat_ptx *found) {
  const uwrt_image *image = (const void *)payload;
  if (entry->kind == UWJIT_FAT_CUBIN && !found->image && uwrt_image_is_good(payload, entry->bytes) &&
      image->abi == UWRT_ABI_VERSION) {
    found->image = payload;
    found->image_bytes = entry->bytes;
  } else if (entry->kind == UWJIT_FAT_LTOIR && !found->bitcode && !(entry->flags & (PACKED_BY_LZ4 | PACKED_BY_ZSTD)) &&
             uwjit_is_bitcode(payload, entry->bytes)) {
    found->bitcode = payload;
    found->bitcode_bytes = entry->bytes;
  }
}

/* NVIDIA's tools may keep the version in the entry alone. */
static void complete(const uwjit_fat_entry *entry, uwjit_fat_ptx *found) {
  enum { LONGEST_VERSION = 40 };
  if (found->state != UWJIT_FAT_FOUND || !entry->major || uwjit_is_ptx(found->text, found->bytes))
    return;
  char *whole = malloc(found->bytes + LONGEST_VERSION);
  if (!whole) {
    found->state = UWJIT_FAT_NO_ROOM;
    return;
  }
  int length =
      snprintf(whole, LONGEST_VERSION, ".version %u.%u\n", (unsigned int)entry->major, (unsigned int)entry->minor);
  memcpy(whole + length, found->text, found->bytes);
  whole[(size_t)length + found->bytes] = 0;
  free(found->owned);
  found->text = found->owned = whole;
  found->bytes += (size_t)length;
}

void uwjit_fat_read(const void *from, size_t room, uwjit_fat_ptx *found) {
  const uwjit_fat_header *header = from;
  *found = (uwjit_fat_ptx){.state = UWJIT_FAT_BROKEN, .why = "the fat binary is damaged"};
  if (room < sizeof *header || header->magic != UWJIT_FAT_HEADER || header->header_bytes < sizeof *header ||
      header->header_bytes > room || header->bytes > room - header->header_bytes)
    return;
  const char *at = (const char *)header + header->header_bytes, *payload = NULL;
  uwjit_fat_entry entry, best = {0};
  for (const char *end = at + header->bytes; at < end; at += entry.header_bytes + entry.bytes) {
    if (end - at < SHORTEST_ENTRY)
      return;
    memset(&entry, 0, sizeof entry);
    memcpy(&entry, at, SHORTEST_ENTRY < sizeof entry ? SHORTEST_ENTRY : sizeof entry);
    if (entry.header_bytes < SHORTEST_ENTRY || entry.header_bytes > (size_t)(end - at) ||
        entry.bytes > (size_t)(end - at) - entry.header_bytes)
      return;
    if (entry.kind == UWJIT_FAT_PTX && (!payload || is_better(entry.architecture, best.architecture))) {
      best = entry;
      payload = at + entry.header_bytes;
    }
    see_own(&entry, at + entry.header_bytes, found);
  }
  if (!payload) {
    found->state = UWJIT_FAT_NO_PTX;
    found->why = "the fat binary has GPU code only, no PTX: compile its source by unwarp, or with PTX (-gencode "
                 "arch=compute_80,code=compute_80)";
  } else if (best.flags & (PACKED_BY_LZ4 | PACKED_BY_ZSTD)) {
    unpack(&best, payload, found);
  } else {
    found->state = UWJIT_FAT_FOUND;
    found->text = payload;
    found->bytes = strnlen(payload, best.bytes);
  }
  complete(&best, found);
}

/* --- objects ------------------------------------------------------------------------------------------------------ */

const void *uwjit_fat_of_object(const void *object, size_t bytes, size_t *fat_bytes) {
  const Elf64_Ehdr *head = object;
  if (bytes < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64 ||
      head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > bytes ||
      (bytes - head->e_shoff) / sizeof(Elf64_Shdr) < head->e_shnum || head->e_shstrndx >= head->e_shnum)
    return NULL;
  const Elf64_Shdr *sections = (const void *)((const char *)object + head->e_shoff),
                   *names = &sections[head->e_shstrndx];
  if (names->sh_offset > bytes || names->sh_size > bytes - names->sh_offset || !names->sh_size)
    return NULL;
  const char *text = (const char *)object + names->sh_offset;
  if (text[names->sh_size - 1])
    return NULL;
  for (unsigned i = 0; i < head->e_shnum; i++) {
    const Elf64_Shdr *section = &sections[i];
    if (section->sh_name >= names->sh_size || section->sh_type == SHT_NOBITS || section->sh_offset > bytes ||
        section->sh_size > bytes - section->sh_offset)
      continue;
    const char *name = text + section->sh_name;
    if (strcmp(name, "__nv_relfatbin") == 0 || strcmp(name, ".nv_fatbin") == 0) {
      *fat_bytes = section->sh_size;
      return (const char *)object + section->sh_offset;
    }
  }
  return NULL;
}

/* --- text --------------------------------------------------------------------------------------------------------- */

/* Where that directive is; room: there is none. */
static size_t find_version(const char *text, size_t room) {
  size_t at = 0;
  for (;;) {
    while (at < room && text[at] && strchr(" \t\r\n", text[at]))
      at++;
    if (at + 1 < room && text[at] == '/' && text[at + 1] == '/') {
      while (at < room && text[at] && text[at] != '\n')
        at++;
    } else if (at + 1 < room && text[at] == '/' && text[at + 1] == '*') {
      for (at += 2; at + 1 < room && text[at] && !(text[at] == '*' && text[at + 1] == '/');)
        at++;
      if (at + 1 >= room || !text[at])
        return room;
      at += 2;
    } else {
      return at + 8 < room && strncmp(text + at, ".version", 8) == 0 ? at : room;
    }
  }
}

int uwjit_is_ptx(const char *text, size_t room) { return find_version(text, room) < room; }

int uwjit_ptx_version(const char *text, size_t room, const char **word, size_t *length) {
  int parts[2] = {0}, part = 0;
  size_t at = find_version(text, room) + 8, end;
  while (at < room && (text[at] == ' ' || text[at] == '\t'))
    at++;
  for (end = at; end < room && ((text[end] >= '0' && text[end] <= '9') || (text[end] == '.' && part == 0)); end++)
    if (text[end] == '.')
      part = 1;
    else if (parts[part] < 1000)
      parts[part] = parts[part] * 10 + (text[end] - '0');
  *word = text + (at < room ? at : room);
  *length = end > at ? end - at : 0;
  return parts[0] * 10 + (parts[1] < 10 ? parts[1] : 9);
}
