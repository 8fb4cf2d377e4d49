/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The variables of the environment that this NCCL reads, as programs ask for them (docs/nodes.md has what they do).
 * Others of NCCL's are none of its parameters: ncclInvalidArgument. */
#define _GNU_SOURCE
#include "api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ncclParamHandle {
  const char *key;
  int (*number)(void); /* null: it is a text */
};

static const struct ncclParamHandle all[] = {
    {"NCCL_COMM_ID", NULL},
    {"NCCL_DEBUG", NULL},
    {"NCCL_DEBUG_FILE", NULL},
    {"NCCL_HOSTID", NULL},
    {"NCCL_SOCKET_IFNAME", NULL},
    {"UNWARP_NCCL", NULL},
    {"UNWARP_NCCL_TIMEOUT", uwnccl_seconds},
};
enum { COUNT = sizeof all / sizeof *all };

static const struct ncclParamHandle *find(const char *key) {
  for (int i = 0; key && i < COUNT; i++)
    if (strcmp(all[i].key, key) == 0)
      return &all[i];
  return NULL;
}

static int is_handle(const struct ncclParamHandle *h) {
  for (int i = 0; i < COUNT; i++)
    if (h == &all[i])
      return 1;
  return 0;
}

static int number_of(const struct ncclParamHandle *h) {
  uwnccl_read_environment();
  return h->number();
}

/* Until the thread's next call with the same room: the program may change the variable meanwhile. */
typedef struct uwnccl_text {
  char bytes[1024];
} text;

static const char *text_of(const struct ncclParamHandle *h, text *room) {
  const char *set = h->number ? NULL : getenv(h->key);
  if (h->number)
    snprintf(room->bytes, sizeof room->bytes, "%d", number_of(h));
  else
    snprintf(room->bytes, sizeof room->bytes, "%s", set ? set : "");
  return room->bytes;
}

NCCL(ncclParamBind, ncclParamHandle_t *out, const char *key) {
  REQUIRE(out && key, "ncclParamBind: a null pointer");
  *out = (ncclParamHandle_t)find(key);
  REQUIRE(*out, "ncclParamBind: %s is no parameter here", key);
  return ncclSuccess;
}

#define GET(name, type, least, most)                                                                                   \
  NCCL(name, ncclParamHandle_t h, type *out) {                                                                         \
    REQUIRE(is_handle(h) && out, #name ": a null pointer, or no handle of ncclParamBind's");                           \
    REQUIRE(h->number, #name ": %s is a text: ncclParamGetStr", h->key);                                               \
    const int64_t value = number_of(h);                                                                                \
    REQUIRE(value >= (int64_t)(least) && value <= (int64_t)(most), #name ": %s is %lld, which does not fit", h->key,   \
            (long long)value);                                                                                         \
    *out = (type)value;                                                                                                \
    return ncclSuccess;                                                                                                \
  }
GET(ncclParamGetI8, int8_t, INT8_MIN, INT8_MAX)
GET(ncclParamGetI16, int16_t, INT16_MIN, INT16_MAX)
GET(ncclParamGetI32, int32_t, INT32_MIN, INT32_MAX)
GET(ncclParamGetI64, int64_t, INT64_MIN, INT64_MAX)
GET(ncclParamGetU8, uint8_t, 0, UINT8_MAX)
GET(ncclParamGetU16, uint16_t, 0, UINT16_MAX)
GET(ncclParamGetU32, uint32_t, 0, UINT32_MAX)
GET(ncclParamGetU64, uint64_t, 0, INT64_MAX)

NCCL(ncclParamGetStr, ncclParamHandle_t h, const char **out) {
  static _Thread_local text room;
  REQUIRE(is_handle(h) && out, "ncclParamGetStr: a null pointer, or no handle of ncclParamBind's");
  *out = text_of(h, &room);
  return ncclSuccess;
}

NCCL(ncclParamGet, ncclParamHandle_t h, void *out, int most, int *length) {
  text room;
  REQUIRE(is_handle(h) && out && length, "ncclParamGet: a null pointer, or no handle of ncclParamBind's");
  const int number = h->number ? number_of(h) : 0;
  const void *from = h->number ? (const void *)&number : text_of(h, &room);
  *length = h->number ? (int)sizeof number : (int)strlen(room.bytes);
  REQUIRE(*length <= most, "ncclParamGet: %s has %d bytes, and there is room for %d", h->key, *length, most);
  memcpy(out, from, (size_t)*length);
  return ncclSuccess;
}

NCCL(ncclParamGetParameter, const char *key, const char **value, int *length) {
  static _Thread_local text room;
  REQUIRE(key && value && length, "ncclParamGetParameter: a null pointer");
  const struct ncclParamHandle *h = find(key);
  REQUIRE(h, "ncclParamGetParameter: %s is no parameter here", key);
  *value = text_of(h, &room);
  *length = (int)strlen(*value);
  return ncclSuccess;
}

NCCL(ncclParamGetAllParameterKeys, const char ***table, int *length) {
  static _Thread_local const char *keys[COUNT];
  REQUIRE(table && length, "ncclParamGetAllParameterKeys: a null pointer");
  for (int i = 0; i < COUNT; i++)
    keys[i] = all[i].key;
  *table = keys;
  *length = COUNT;
  return ncclSuccess;
}

extern __typeof__(ncclParamDumpAll) pncclParamDumpAll __attribute__((alias("ncclParamDumpAll")));
void ncclParamDumpAll(void) {
  for (int i = 0; i < COUNT; i++) {
    text room;
    char line[sizeof room.bytes + 64];
    snprintf(line, sizeof line, "%s=%s", all[i].key, text_of(&all[i], &room));
    uwnccl_show(line);
  }
}
