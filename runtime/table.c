/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A hash map from addresses to addresses: open addressing with linear probes, at most half full. Removing moves later
 * entries of the run back, so there are no tombstones and a look-up ends at the first empty slot.
 */
#include <stdlib.h>

#include "internal.h"

static size_t home_of(const uwrt_table *table, const void *key) {
  uint64_t bits = (uint64_t)(uintptr_t)key;
  bits *= UINT64_C(0x9E3779B97F4A7C15);
  return (size_t)(bits >> 32) & (table->capacity - 1);
}

/* The slot of key, or the empty slot where it would go. */
static size_t place_of(const uwrt_table *table, const void *key) {
  size_t place = home_of(table, key);
  while (table->entries[place].key && table->entries[place].key != key)
    place = (place + 1) & (table->capacity - 1);
  return place;
}

void *uwrt_table_find(const uwrt_table *table, const void *key) {
  if (!table->capacity || !key)
    return NULL;
  return table->entries[place_of(table, key)].value;
}

static int grow(uwrt_table *table) {
  uwrt_table larger = {.capacity = table->capacity ? table->capacity * 2 : 64, .count = table->count};
  larger.entries = calloc(larger.capacity, sizeof *larger.entries);
  if (!larger.entries)
    return 0;
  for (size_t i = 0; i < table->capacity; i++)
    if (table->entries[i].key)
      larger.entries[place_of(&larger, table->entries[i].key)] = table->entries[i];
  free(table->entries);
  *table = larger;
  return 1;
}

int uwrt_table_insert(uwrt_table *table, const void *key, void *value) {
  if ((table->count + 1) * 2 > table->capacity && !grow(table))
    return 0;
  uwrt_table_entry *entry = &table->entries[place_of(table, key)];
  if (!entry->key)
    table->count++;
  entry->key = key;
  entry->value = value;
  return 1;
}

void *uwrt_table_remove(uwrt_table *table, const void *key) {
  if (!table->capacity || !key)
    return NULL;
  size_t mask = table->capacity - 1;
  size_t hole = place_of(table, key);
  void *value = table->entries[hole].value;
  if (!table->entries[hole].key)
    return NULL;
  /* An entry may fill the hole if its home is not between the hole and its slot. */
  for (size_t place = (hole + 1) & mask; table->entries[place].key; place = (place + 1) & mask) {
    size_t home = home_of(table, table->entries[place].key);
    if (((place - home) & mask) >= ((place - hole) & mask)) {
      table->entries[hole] = table->entries[place];
      hole = place;
    }
  }
  table->entries[hole] = (uwrt_table_entry){NULL, NULL};
  table->count--;
  return value;
}

void uwrt_table_free(uwrt_table *table) {
  free(table->entries);
  *table = (uwrt_table){NULL, 0, 0};
}
