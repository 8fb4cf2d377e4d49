/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory with one lifetime: a list of growing chunks, freed together. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir.h"

typedef struct chunk {
  struct chunk *next;
  size_t used, size;
  _Alignas(16) char bytes[];
} chunk;

struct uw_arena {
  chunk *chunks;
};

uw_arena *uw_arena_create(void) {
  uw_arena *arena = calloc(1, sizeof *arena);
  if (!arena)
    uw_fatal("out of memory");
  return arena;
}

void uw_arena_destroy(uw_arena *arena) {
  if (!arena)
    return;
  for (chunk *c = arena->chunks; c;) {
    chunk *next = c->next;
    free(c);
    c = next;
  }
  free(arena);
}

void *uw_alloc(uw_arena *arena, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  chunk *c = arena->chunks;
  if (!c || c->size - c->used < bytes) {
    size_t size = c ? c->size * 2 : 4096;
    if (size < bytes)
      size = bytes;
    c = malloc(sizeof *c + size);
    if (!c)
      uw_fatal("out of memory");
    c->next = arena->chunks;
    c->used = 0;
    c->size = size;
    arena->chunks = c;
  }
  void *memory = c->bytes + c->used;
  c->used += bytes;
  return memset(memory, 0, bytes);
}

char *uw_arena_format(uw_arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *text = uw_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  va_end(args);
  return text;
}

/* The old room stays in the arena. */
void *uw_grow(uw_arena *arena, void *at, size_t count, size_t *capacity, size_t element) {
  if (count < *capacity)
    return at;
  *capacity = *capacity ? *capacity * 2 : 8;
  void *room = uw_alloc(arena, *capacity * element);
  if (count)
    memcpy(room, at, count * element);
  return room;
}

void uw_ops_push(uw_arena *arena, uw_ops *list, MlirOperation op) {
  list->at = uw_grow(arena, list->at, list->count, &list->capacity, sizeof *list->at);
  list->at[list->count++] = op;
}

bool uw_ops_have(const uw_ops *list, MlirOperation op) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i].ptr == op.ptr)
      return true;
  return false;
}

void uw_vals_push(uw_arena *arena, uw_vals *list, MlirValue value) {
  list->at = uw_grow(arena, list->at, list->count, &list->capacity, sizeof *list->at);
  list->at[list->count++] = value;
}

bool uw_vals_have(const uw_vals *list, MlirValue value) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i].ptr == value.ptr)
      return true;
  return false;
}

void uw_vals_push_new(uw_arena *arena, uw_vals *list, MlirValue value) {
  if (!uw_vals_have(list, value))
    uw_vals_push(arena, list, value);
}
