/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Buffers of what threads append to queues: the positions of all, in order, also where the counter's value wraps around, and none at or
 * above the bound. And which pointers lead into allocations of their own.
 */
#define _GNU_SOURCE /* anonymous memory */
#include <stdlib.h>
#include <sys/mman.h>

#include "check.h"

enum { ROOM = 64 };

typedef struct queue {
  _Alignas(64) uwrt_appends head;
  _Alignas(64) unsigned char buffer[2][ROOM * 8];
} queue;

static void append(queue *q, uint64_t number, uint32_t room) {
  memcpy((unsigned char *)q + UWRT_APPENDS_HEAD + q->head.count * 8, &number, 8);
  memcpy((unsigned char *)q + UWRT_APPENDS_HEAD + ROOM * 8 + q->head.count * 2, &number, 2);
  if (++q->head.count == room)
    uwrt_appends_flush(&q->head);
}

static void start(queue *q, void *counter, uint64_t bound, uint32_t bits, uint32_t is_signed, uint64_t *wide,
                  uint16_t *narrow) {
  memset(q, 0xA5, sizeof *q);
  uwrt_appends_start(&q->head, counter, bound, bits, is_signed, "");
  uwrt_appends_array(&q->head, wide, 8, UWRT_APPENDS_HEAD);
  uwrt_appends_array(&q->head, narrow, 2, UWRT_APPENDS_HEAD + ROOM * 8);
}

/* From slot `first` on `count` elements, of which those below the bound are there. */
static void check_places(uint32_t bits, uint32_t is_signed, uint32_t room, int64_t first, uint64_t bound,
                         uint64_t count) {
  enum { SLOTS = 400, BEFORE = 100 };
  static queue q;
  uint64_t wide[SLOTS] = {0}, counter64 = (uint64_t)first;
  uint16_t narrow[SLOTS] = {0};
  uint32_t counter32 = (uint32_t)first;
  start(&q, bits == 32 ? (void *)&counter32 : (void *)&counter64, bound, bits, is_signed, wide + BEFORE,
        narrow + BEFORE);
  for (uint64_t i = 0; i < count; i++)
    append(&q, 1000 + i, room);
  uwrt_appends_end(&q.head);
  uwrt_appends_end(&q.head);
  CHECK_NUMBER(bits == 32 ? counter32 : counter64,
               bits == 32 ? (uint32_t)first + (uint32_t)count : (uint64_t)first + count);
  for (int64_t k = -BEFORE; k < SLOTS - BEFORE; k++) {
    uint64_t element = (uint64_t)(k - first);
    int there = element < count && (is_signed ? k < (int64_t)bound : (uint64_t)k < bound);
    CHECK_NUMBER(wide[BEFORE + k], there ? 1000 + element : 0);
    CHECK_NUMBER(narrow[BEFORE + k], there ? 1000 + element : 0);
  }
}

/* A counter of 32 bits that wraps: the slots go on at the array's other end, gigabytes away. */
static void check_wrap(uint32_t is_signed) {
  const uint64_t slots = (uint64_t)1 << 32, bytes = slots * 2;
  const uint32_t first = (is_signed ? INT32_MAX : UINT32_MAX) - 9;
  uint16_t *all = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return; /* no room for that here */
  static queue q;
  uint32_t counter = first;
  memset(&q, 0xA5, sizeof q);
  uint16_t *array = is_signed ? all + slots / 2 : all;
  uwrt_appends_start(&q.head, &counter, is_signed ? INT64_MAX : UINT64_MAX, 32, is_signed, "");
  uwrt_appends_array(&q.head, array, 2, UWRT_APPENDS_HEAD + ROOM * 8);
  for (uint64_t i = 0; i < 30; i++)
    append(&q, 1 + i, ROOM);
  uwrt_appends_end(&q.head);
  CHECK_NUMBER(counter, first + 30);
  const uint16_t *last = is_signed ? array + first : all + first, *begin = all;
  for (int i = 0; i < 10; i++)
    CHECK_NUMBER(last[i], 1 + i);
  for (int i = 10; i < 31; i++)
    CHECK_NUMBER(begin[i - 10], i < 30 ? 1 + i : 0);
  munmap(all, bytes);
}

static void check_objects(void) {
  int on_stack = 0;
  char *first = NULL, *second = NULL, *own = malloc(1 << 16);
  cudaMalloc((void **)&first, 1000);
  cudaMallocManaged((void **)&second, 1000, cudaMemAttachGlobal);
  CHECK(uwrt_object(first) != 0 && uwrt_object(first) == uwrt_object(first + 999));
  CHECK(uwrt_object(second) != 0 && uwrt_object(first) != uwrt_object(second));
  CHECK_NUMBER(uwrt_object(&on_stack), 0);
  CHECK_NUMBER(uwrt_object(NULL), 0);
  /* A part of what the program allocated: the rest of that is not apart. */
  cudaHostRegister(own, 4096, cudaHostRegisterDefault);
  CHECK_NUMBER(uwrt_object(own), 0);
  cudaHostUnregister(own);
  cudaFree(first);
  CHECK_NUMBER(uwrt_object(first), 0);
  cudaFree(second);
  free(own);
}

int main(void) {
  for (uint32_t bits = 32; bits <= 64; bits += 32)
    for (uint32_t is_signed = 0; is_signed < 2; is_signed++)
      for (uint64_t count = 0; count <= 200; count += count < 3 ? 1 : 61)
        for (uint32_t room = 1; room <= ROOM; room += 21) {
          check_places(bits, is_signed, room, 0, is_signed ? INT64_MAX : UINT64_MAX, count);
          check_places(bits, is_signed, room, 7, 50, count);
          check_places(bits, is_signed, room, 7, 7, count);
          check_places(bits, is_signed, room, 7, 0, count);
          if (is_signed) {
            check_places(bits, 1, room, -90, INT64_MAX, count);
            check_places(bits, 1, room, -90, (uint64_t)-40, count);
          }
        }
  check_wrap(0);
  check_wrap(1);
  check_objects();
  return finish();
}
