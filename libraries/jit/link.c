/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linking while a program runs (link.h). The compiler makes one module of all PTX and NVVM IR, whose functions and
 * variables see each other. Module images are machine code already: they come after it and are on their own.
 */
#define _GNU_SOURCE
#include "link.h"

#include <ar.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/module_image.h"
#include "../../runtime/ptx_version.h"
#include "fat.h"

uwjit_taken uwjit_link_add_source(uwjit_link *link, const void *text, size_t bytes, const char *name,
                                  const char *suffix) {
  uwjit_file *larger = realloc(link->sources, (link->source_count + 1) * sizeof *larger);
  char *own = NULL;
  if (!larger)
    return UWJIT_LINK_NO_ROOM;
  link->sources = larger;
  if (asprintf(&own, "%zu-%.100s%s", link->source_count, name && *name ? name : "module", suffix) < 0)
    return UWJIT_LINK_NO_ROOM;
  for (char *at = own; at < own + strlen(own) - strlen(suffix); at++)
    if (!((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') || *at == '_'))
      *at = '-';
  char *copy = malloc(bytes + 1);
  if (!copy) {
    free(own);
    return UWJIT_LINK_NO_ROOM;
  }
  memcpy(copy, text, bytes);
  copy[bytes] = 0;
  link->sources[link->source_count++] = (uwjit_file){own, copy, bytes};
  return UWJIT_TAKEN;
}

static uwjit_taken add_images(uwjit_link *link, const uwrt_image *image, size_t room) {
  uint32_t followers = room >= sizeof *image ? image->followers : 0;
  for (uint32_t i = 0; i <= followers; i++) {
    if (!uwrt_image_is_good(image, room))
      return UWJIT_LINK_INVALID;
    size_t at = link->images.count;
    if (!uwjit_append(&link->images, image, image->bytes))
      return UWJIT_LINK_NO_ROOM;
    ((uwrt_image *)(link->images.data + at))->followers = 0;
    link->image_count++;
    room -= image->bytes;
    image = (const uwrt_image *)((const char *)image + image->bytes);
  }
  return UWJIT_TAKEN;
}

static uwjit_taken add_fat(uwjit_link *link, const void *header, size_t room, const char *name, const char **why) {
  uwjit_fat_ptx found;
  uwjit_fat_read(header, room, &found);
  *why = found.why;
  uwjit_taken taken = found.image ? add_images(link, found.image, found.image_bytes)
                      : found.state == UWJIT_FAT_NO_PTX && found.bitcode
                          ? uwjit_link_add_source(link, found.bitcode, found.bitcode_bytes, name, ".ltoir")
                      : found.state == UWJIT_FAT_FOUND
                          ? uwjit_link_add_source(link, found.text, found.bytes, name, ".ptx")
                      : found.state == UWJIT_FAT_BROKEN  ? UWJIT_LINK_INVALID
                      : found.state == UWJIT_FAT_NO_ROOM ? UWJIT_LINK_NO_ROOM
                                                         : UWJIT_LINK_GPU_CODE;
  free(found.owned);
  return taken;
}

int uwjit_is_bitcode(const void *data, size_t bytes) {
  return bytes >= 4 && (memcmp(data, "BC\xC0\xDE", 4) == 0 || memcmp(data, "\xDE\xC0\x17\x0B", 4) == 0);
}

/* ar(5): what of the members is device code. NVIDIA's device runtime is one of them that is asked for and not needed:
 * its functions are the compiler's own. */
static uwjit_taken add_archive(uwjit_link *link, const char *archive, size_t bytes, const char *name,
                               const char **why) {
  enum { HEAD = 60, SIZE_AT = 48, SIZE_DIGITS = 10 };
  if (name && strstr(name, "cudadevrt"))
    return UWJIT_TAKEN;
  for (size_t at = SARMAG; at < bytes;) {
    char digits[SIZE_DIGITS + 1] = "";
    *why = "the archive is damaged";
    if (bytes - at < HEAD || memcmp(archive + at + HEAD - 2, ARFMAG, 2) != 0)
      return UWJIT_LINK_INVALID;
    memcpy(digits, archive + at + SIZE_AT, SIZE_DIGITS);
    char *end;
    unsigned long long size = strtoull(digits, &end, 10);
    const char *member = archive + at + HEAD;
    if (end == digits || size > bytes - at - HEAD)
      return UWJIT_LINK_INVALID;
    size_t fat_bytes;
    int is_object = size >= SELFMAG && memcmp(member, ELFMAG, SELFMAG) == 0,
        is_code = is_object || uwjit_is_bitcode(member, size);
    if (is_code && !(is_object && !uwjit_fat_of_object(
                                      member, size, &fat_bytes))) { /* others are host code, or a table of contents */
      uwjit_taken taken = uwjit_link_add(link, member, size, name, why);
      if (taken != UWJIT_TAKEN)
        return taken;
    }
    at += HEAD + size + (size & 1);
  }
  return UWJIT_TAKEN;
}

/* Programs ask which PTX is read by adding what is too new: that is to fail here, not when all is linked. */
static uwjit_taken add_ptx(uwjit_link *link, const char *text, size_t bytes, const char *name, const char **why) {
  static _Thread_local char said[160];
  const char *word;
  size_t length;
  if (uwjit_ptx_version(text, bytes, &word, &length) <= UWRT_NEWEST_PTX)
    return uwjit_link_add_source(link, text, bytes, name, ".ptx");
  snprintf(said, sizeof said, "ptxas application ptx input, line 1; fatal   : " UWRT_TOO_NEW_PTX,
           length < 20 ? (int)length : 20, word, UWRT_NEWEST_PTX / 10, UWRT_NEWEST_PTX % 10);
  *why = said;
  return UWJIT_LINK_TOO_NEW;
}

uwjit_taken uwjit_link_add(uwjit_link *link, const void *data, size_t bytes, const char *name, const char **why) {
  uint32_t magic = 0;
  *why = "this is no module";
  if (bytes >= sizeof magic)
    memcpy(&magic, data, sizeof magic);
  if (bytes >= sizeof(uwrt_image) && memcmp(data, UWRT_IMAGE_MAGIC, 8) == 0)
    return add_images(link, data, bytes);
  if (uwjit_is_bitcode(data, bytes))
    return uwjit_link_add_source(link, data, bytes, name, ".ltoir");
  if (magic == UWJIT_FAT_HEADER)
    return add_fat(link, data, bytes, name, why);
  if (bytes >= SELFMAG && memcmp(data, ELFMAG, SELFMAG) == 0) {
    size_t fat_bytes;
    const void *fat = uwjit_fat_of_object(data, bytes, &fat_bytes);
    *why = "the object has GPU code, or none: compile its source, or its PTX, by unwarp";
    return fat ? add_fat(link, fat, fat_bytes, name, why) : UWJIT_LINK_GPU_CODE;
  }
  if (bytes >= SARMAG && memcmp(data, ARMAG, SARMAG) == 0)
    return add_archive(link, data, bytes, name, why);
  if (uwjit_is_ptx(data, bytes))
    return add_ptx(link, data, strnlen(data, bytes), name, why);
  return UWJIT_LINK_INVALID;
}

void uwjit_link_finish(uwjit_link *link, int form, const char *const *options, size_t option_count,
                       uwjit_result *result) {
  *result = (uwjit_result){.state = UWJIT_DONE};
  if (link->source_count) {
    uwjit_request request = {.form = form,
                             .sources = link->sources,
                             .source_count = link->source_count,
                             .options = options,
                             .option_count = option_count};
    uwjit_compile(&request, result);
  }
  if (result->state != UWJIT_DONE || form != UWJIT_MODULE)
    return;
  uwjit_bytes all = {result->image, result->bytes};
  if (link->image_count && !uwjit_append(&all, link->images.data, link->images.count)) {
    uwjit_free(result);
    result->state = UWJIT_NO_ROOM;
    return;
  }
  result->image = all.data;
  result->bytes = all.count;
  if (all.data)
    ((uwrt_image *)all.data)->followers = link->image_count - (link->source_count ? 0 : 1);
}

void uwjit_link_free(uwjit_link *link) {
  for (size_t i = 0; i < link->source_count; i++) {
    free((char *)link->sources[i].name);
    free((void *)link->sources[i].text);
  }
  free(link->sources);
  free(link->images.data);
  *link = (uwjit_link){0};
}

char *uwjit_file_bytes(const char *path, size_t *bytes) {
  enum { AFTER = 16 };
  FILE *file = fopen(path, "re");
  char *all = NULL;
  long length;
  if (!file)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0 && (length = ftell(file)) >= 0 && fseek(file, 0, SEEK_SET) == 0 &&
      (all = malloc((size_t)length + AFTER))) {
    *bytes = fread(all, 1, (size_t)length, file);
    memset(all + *bytes, 0, AFTER);
    if (*bytes != (size_t)length) {
      free(all);
      all = NULL;
    }
  }
  fclose(file);
  return all;
}
