/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The arena, the lists and the tables of the IR layer: what they hold stays what was put in, whatever else is put in.
 * Sources: compiler/ir/arena.c compiler/ir/map.c
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../compiler/ir/ir.h"

_Noreturn void uw_fatal(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  abort();
}

static int failures;
#define CHECK(condition)                                                                                               \
  ((condition) ? (void)0 : (void)(failures++, fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition)))

/* Pieces do not overlap, are aligned and zero, also when one is larger than a chunk. */
static void check_arena(void) {
  uw_arena *arena = uw_arena_create();
  enum { COUNT = 300 };
  unsigned char *pieces[COUNT];
  for (size_t i = 0; i < COUNT; i++) {
    size_t bytes = i * 37 % 9000 + 1;
    pieces[i] = uw_alloc(arena, bytes);
    CHECK((uintptr_t)pieces[i] % 16 == 0);
    bool zero = true;
    for (size_t b = 0; b < bytes; b++)
      zero &= pieces[i][b] == 0;
    CHECK(zero);
    memset(pieces[i], (int)(i % 255) + 1, bytes);
  }
  for (size_t i = 0; i < COUNT; i++) {
    size_t bytes = i * 37 % 9000 + 1;
    CHECK(pieces[i][0] == i % 255 + 1 && pieces[i][bytes - 1] == i % 255 + 1);
  }
  char *text = uw_arena_format(arena, "%s %d", "block", 7);
  CHECK(strcmp(text, "block 7") == 0);
  uw_arena_destroy(arena);
  uw_arena_destroy(NULL);
}

static MlirValue value(uintptr_t number) { return (MlirValue){(const void *)number}; }

static void check_lists(void) {
  uw_arena *arena = uw_arena_create();
  uw_vals list = {0};
  for (uintptr_t i = 1; i <= 100; i++)
    uw_vals_push(arena, &list, value(i * 16));
  uw_vals_push_new(arena, &list, value(16));
  CHECK(list.count == 100);
  uw_vals_push_new(arena, &list, value(8));
  CHECK(list.count == 101);
  for (uintptr_t i = 1; i <= 100; i++)
    CHECK(list.at[i - 1].ptr == value(i * 16).ptr);
  CHECK(uw_vals_have(&list, value(1600)) && !uw_vals_have(&list, value(1601)));
  uw_arena_destroy(arena);
}

/* Keys that are multiples of a power of two, as pointers are, many more than the first capacity. */
static void check_tables(void) {
  uw_arena *arena = uw_arena_create();
  uw_table *table = uw_table_create(arena);
  enum { COUNT = 5000 };
  for (uintptr_t i = 1; i <= COUNT; i++)
    uw_table_set(table, (const void *)(i * 64), (intptr_t)i);
  for (uintptr_t i = 1; i <= COUNT; i += 2)
    uw_table_set(table, (const void *)(i * 64), -(intptr_t)i);
  for (uintptr_t i = 1; i <= COUNT; i++)
    CHECK(uw_table_get(table, (const void *)(i * 64)) == (i % 2 ? -(intptr_t)i : (intptr_t)i));
  CHECK(uw_table_get(table, (const void *)1) == 0);
  uw_map *map = uw_map_create(arena);
  uw_map_set(map, value(16), value(32));
  CHECK(uw_map_get(map, value(16)).ptr == value(32).ptr);
  CHECK(uw_map_get(map, value(48)).ptr == NULL);
  CHECK(uw_map_or_same(map, value(48)).ptr == value(48).ptr);
  uw_arena_destroy(arena);
}

int main(void) {
  check_arena();
  check_lists();
  check_tables();
  return failures != 0;
}
