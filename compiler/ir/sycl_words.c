/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What passes say is in CUDA's words. To who compiles SYCL it is said in SYCL's. */
#include "remarks.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole words; the first that fits is the one. */
static const struct {
  const char *cuda, *sycl;
} words[] = {
    {"sycl::_V1::", "sycl::"},
    {"shared memory", "local memory"},
    {"local memory", "private memory"},
    {"blocks", "work-groups"},
    {"block", "work-group"},
    {"threads", "work-items"},
    {"thread", "work-item"},
    {"warps", "sub-groups"},
    {"warp", "sub-group"},
    {"grid", "range"},
    {"__syncthreads", "group_barrier"},
    {"cudaDeviceSynchronize", "a wait"},
};

static bool is_word(const char *text, const char *at, size_t length) {
  bool is_prefix = at[length - 1] == ':';
  return (at == text || !(isalnum((unsigned char)at[-1]) || strchr("_-.", at[-1]))) &&
         (is_prefix || (!isalnum((unsigned char)at[length]) && at[length] != '_' && at[length] != '-'));
}

static size_t symbol_length(const char *at) {
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || at[length] == '_')
    length++;
  return length;
}

const char *uw_in_sycl_words(uw_arena *arena, const char *text) {
  char *out = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&out, &size);
  if (!to)
    uw_fatal("out of memory");
  for (const char *at = text; *at;) {
    size_t length = 0;
    for (size_t i = 0; i < sizeof words / sizeof *words && !length; i++)
      if (strncmp(at, words[i].cuda, strlen(words[i].cuda)) == 0 && is_word(text, at, strlen(words[i].cuda))) {
        length = strlen(words[i].cuda);
        fputs(words[i].sycl, to);
      }
    if (!length && strncmp(at, "_Z", 2) == 0 && is_word(text, at, symbol_length(at))) {
      length = symbol_length(at);
      fputs(uw_in_sycl_words(arena, uw_short_function_name(arena, uw_arena_format(arena, "%.*s", (int)length, at))),
            to);
    }
    if (!length)
      fputc(at[length++], to);
    at += length;
  }
  fclose(to);
  const char *said = uw_arena_format(arena, "%s", out);
  free(out);
  return said;
}
