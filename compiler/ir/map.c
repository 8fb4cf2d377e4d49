/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Pointer-keyed hash tables (open addressing, powers of two, never shrink). */
#include <string.h>

#include "ir.h"

struct uw_table {
  uw_arena *arena;
  const void **keys;
  intptr_t *numbers;
  size_t count, capacity;
};

static size_t hash(const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  return (size_t)((bits >> 4) * 0x9E3779B97F4A7C15u >> 16);
}

static size_t find(const uw_table *table, const void *key) {
  size_t at = hash(key) & (table->capacity - 1);
  while (table->keys[at] && table->keys[at] != key)
    at = (at + 1) & (table->capacity - 1);
  return at;
}

uw_table *uw_table_create(uw_arena *arena) {
  uw_table *table = uw_alloc(arena, sizeof *table);
  table->arena = arena;
  table->capacity = 32;
  table->keys = uw_alloc(arena, table->capacity * sizeof *table->keys);
  table->numbers = uw_alloc(arena, table->capacity * sizeof *table->numbers);
  return table;
}

void uw_table_set(uw_table *table, const void *key, intptr_t number) {
  if ((table->count + 1) * 2 > table->capacity) {
    uw_table old = *table;
    table->capacity *= 2;
    table->keys = uw_alloc(table->arena, table->capacity * sizeof *table->keys);
    table->numbers = uw_alloc(table->arena, table->capacity * sizeof *table->numbers);
    for (size_t i = 0; i < old.capacity; i++)
      if (old.keys[i]) {
        size_t at = find(table, old.keys[i]);
        table->keys[at] = old.keys[i];
        table->numbers[at] = old.numbers[i];
      }
  }
  size_t at = find(table, key);
  if (!table->keys[at]) {
    table->keys[at] = key;
    table->count++;
  }
  table->numbers[at] = number;
}

intptr_t uw_table_get(const uw_table *table, const void *key) {
  size_t at = find(table, key);
  return table->keys[at] ? table->numbers[at] : 0;
}

struct uw_map {
  uw_table *table;
};

uw_map *uw_map_create(uw_arena *arena) {
  uw_map *map = uw_alloc(arena, sizeof *map);
  map->table = uw_table_create(arena);
  return map;
}

void uw_map_set(uw_map *map, MlirValue from, MlirValue to) { uw_table_set(map->table, from.ptr, (intptr_t)to.ptr); }

MlirValue uw_map_get(const uw_map *map, MlirValue from) {
  return (MlirValue){(const void *)uw_table_get(map->table, from.ptr)};
}

MlirValue uw_map_or_same(const uw_map *map, MlirValue from) {
  MlirValue to = uw_map_get(map, from);
  return to.ptr ? to : from;
}
