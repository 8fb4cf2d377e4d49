/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What only the link of relocatable device code can know: a kernel calls a function of another file which reaches a
 * barrier, a warp operation or a shared variable. Such a function must become part of the kernel, so it cannot be
 * another file's.
 *
 * Objects carry notes for this in their section .unwarp.device (frontend/collect.c and device.c write them, linkers
 * leave the section out), a line each, its parts separated by tabs:
 *
 *     defines  SYMBOL  PLACE  what the function is called  what it reaches
 *     calls    SYMBOL  PLACE  who calls it
 *
 * PLACE is "file:line: ".
 */
#include "device_link.h"

#include "../frontend/frontend.h"
#include "../ir/shim.h"

#include <ar.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PARTS = 5 };

/* A line's parts; "" where there is none. */
typedef struct note {
  const char *parts[PARTS];
} note;

static note note_of(const char *line) {
  uw_strings parts = {0};
  uw_strings_add_split(&parts, line, '\t');
  note result;
  for (size_t i = 0; i < PARTS; i++)
    result.parts[i] = i < parts.count ? parts.items[i] : "";
  return result;
}

static void read_object(uw_strings *all, const unsigned char *bytes, size_t size) {
  Elf64_Ehdr head;
  if (size < sizeof head || memcmp(bytes, ELFMAG, SELFMAG) != 0 || bytes[EI_CLASS] != ELFCLASS64)
    return;
  memcpy(&head, bytes, sizeof head);
  if (head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff > size ||
      head.e_shnum > (size - head.e_shoff) / sizeof(Elf64_Shdr) || head.e_shstrndx >= head.e_shnum)
    return;
  Elf64_Shdr sections[head.e_shnum];
  memcpy(sections, bytes + head.e_shoff, sizeof sections);
  const Elf64_Shdr *names = &sections[head.e_shstrndx];
  static const char wanted[] = ".unwarp.device";
  for (size_t i = 0; i < head.e_shnum; i++) {
    const Elf64_Shdr *s = &sections[i];
    uint64_t name = names->sh_offset + s->sh_name;
    if (name > size || size - name < sizeof wanted || memcmp(bytes + name, wanted, sizeof wanted) != 0)
      continue;
    if (s->sh_offset <= size && s->sh_size <= size - s->sh_offset)
      uw_strings_add_split(all, uw_copy_text((const char *)bytes + s->sh_offset, s->sh_size), '\n');
  }
}

static void read_archive(uw_strings *all, const unsigned char *bytes, size_t size) {
  for (size_t at = SARMAG; size - at >= sizeof(struct ar_hdr);) {
    struct ar_hdr head;
    memcpy(&head, bytes + at, sizeof head);
    at += sizeof head;
    size_t length = strtoull(uw_copy_text(head.ar_size, sizeof head.ar_size), NULL, 10);
    if (length > size - at)
      return;
    read_object(all, bytes + at, length);
    at += length + length % 2;
    if (at > size)
      return;
  }
}

static void read_file(uw_strings *all, const char *path) {
  struct stat status;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return; /* the linker says so */
  size_t size = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size : 0;
  void *bytes = size > SARMAG ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED)
    return;
  if (memcmp(bytes, ARMAG, SARMAG) == 0)
    read_archive(all, bytes, size);
  else
    read_object(all, bytes, size);
  munmap(bytes, size);
}

/* Files, and the archives that -L and -l name. */
static uw_strings read_all(const uw_strings *items) {
  uw_strings all = {0};
  uw_strings folders = {0};
  for (size_t i = 0; i < items->count; i++) {
    const char *folder = uw_after_prefix(items->items[i], "-L");
    if (folder && *folder)
      uw_strings_add(&folders, folder);
  }
  for (size_t i = 0; i < items->count; i++) {
    const char *library = uw_after_prefix(items->items[i], "-l");
    for (size_t f = 0; library && f < folders.count; f++)
      read_file(&all, uw_format("%s/lib%s.a", folders.items[f], library));
    if (items->items[i][0] != '-')
      read_file(&all, items->items[i]);
  }
  return all;
}

bool uw_check_device_link(const uw_strings *items) {
  uw_strings all = read_all(items);
  bool good = true;
  for (size_t c = 0; c < all.count; c++) {
    if (!uw_after_prefix(all.items[c], "calls\t"))
      continue;
    note call = note_of(all.items[c]);
    for (size_t d = 0; d < all.count; d++) {
      note definition = note_of(all.items[d]);
      if (strcmp(definition.parts[0], "defines") != 0 || strcmp(definition.parts[1], call.parts[1]) != 0)
        continue;
      fprintf(
          stderr,
          "%serror: '%s' calls '%s' of another file, which reaches %s and so must be part of the kernel; define it in "
          "the kernel's file, or in a header that it includes\n%snote: '%s' is defined here\n",
          call.parts[2], call.parts[3], definition.parts[3], definition.parts[4], definition.parts[2],
          definition.parts[3]);
      good = false;
      break;
    }
  }
  return good;
}

/* As linkers write it: lld "undefined symbol: f(int) (.unwarp_device_function)", GNU's "undefined reference to
 * `f(int) [clone .unwarp_device_function]'". */
static bool is_said_undefined(const char *messages, const char *name) {
  const char *const forms[] = {uw_format("undefined symbol: %s (" UW_DEVICE_SYMBOL, name),
                               uw_format("undefined reference to `%s [clone " UW_DEVICE_SYMBOL, name),
                               uw_format("undefined symbol: %s" UW_DEVICE_SYMBOL, name),
                               uw_format("undefined reference to `%s" UW_DEVICE_SYMBOL, name)};
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strstr(messages, forms[i]))
      return true;
  return false;
}

void uw_note_undefined_calls(const uw_strings *items, const char *messages, const char *way_out) {
  if (!strstr(messages, UW_DEVICE_SYMBOL))
    return;
  uw_strings all = read_all(items);
  for (size_t i = 0; i < all.count; i++) {
    note call = note_of(all.items[i]);
    const char *tail = strstr(call.parts[1], UW_DEVICE_SYMBOL);
    if (strcmp(call.parts[0], "calls") != 0 || !tail)
      continue;
    const char *name = uw_shim_demangle(uw_copy_text(call.parts[1], (size_t)(tail - call.parts[1])));
    if (is_said_undefined(messages, name))
      fprintf(stderr, "%serror: '%s' calls the device function '%s', which no file of this link defines%s\n",
              call.parts[2], call.parts[3], name, way_out);
  }
}
