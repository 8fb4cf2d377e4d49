/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * How many devices there are. The machine has as many as UNWARP_DEVICES parts it into (numa.c: its nodes); without that, as many as ranks
 * that a launcher has started on it, since each of them sets the device of its own number; else one. Of these a program
 * sees what CUDA_VISIBLE_DEVICES lists, in that order, as on GPUs: numbers, or UUIDs or beginnings of them, up to the
 * first that is none or stands there twice.
 *
 * Devices of a launcher's ranks share nothing out: the process has its part of the cores by then (workers.c), and all of
 * that is for the one device that it uses. SYCL's programs have the CPU whatever is visible of GPUs.
 */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

extern char uwrt_sycl_cores[] __attribute__((weak));

static uwrt_layout layout;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find_parts(void) {
  const char *text = getenv("UNWARP_DEVICES");
  char *end = NULL;
  if (text && strcmp(text, "numa") == 0) {
    layout.is_numa = 1;
    return uwrt_numa_find();
  }
  if (text && *text) {
    long wanted = strtol(text, &end, 10);
    if (wanted < 1 || wanted > UWRT_DEVICE_MOST || *end)
      uwrt_fatal("UNWARP_DEVICES is \"%s\" and should be a number from 1 to %d, or numa", text, UWRT_DEVICE_MOST);
    return (int)wanted;
  }
  const long ranks = text ? 1 : uwrt_ranks_here();
  layout.is_launched = ranks > 1;
  return ranks < 1 ? 1 : ranks < UWRT_DEVICE_MOST ? (int)ranks : UWRT_DEVICE_MOST;
}

/* GPU-xxxxxxxx-xxxx-…, as NVML has it. */
static void write_uuid(int device, char text[48]) {
  unsigned char bytes[16];
  char *at = text + sprintf(text, "GPU-");
  uwrt_device_uuid(device, bytes);
  for (int i = 0; i < 16; i++)
    at += sprintf(at, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
}

/* -1: none, or several. */
static int find_named(const char *word, size_t length) {
  char text[48], *end;
  int found = -1;
  if (isdigit((unsigned char)*word)) {
    long number = strtol(word, &end, 10);
    return end == word + length && number < layout.parts ? (int)number : -1;
  }
  for (int i = 0; i < layout.parts && length > 4; i++) {
    write_uuid(i, text);
    if (strncasecmp(word, text, length) == 0) {
      if (found >= 0)
        return -1;
      found = i;
    }
  }
  return found;
}

static void read_list(const char *text) {
  unsigned char is_taken[UWRT_DEVICE_MOST] = {0};
  for (const char *at = text;;) {
    at += strspn(at, " \t");
    size_t length = strcspn(at, ","), word = length;
    while (word && isspace((unsigned char)at[word - 1]))
      word--;
    const int device = word ? find_named(at, word) : -1;
    if (device < 0 || is_taken[device])
      break;
    is_taken[device] = 1;
    layout.part[layout.count++] = (unsigned char)device;
    at += length;
    if (*at++ != ',')
      break;
  }
  const char *first = text + strspn(text, " \t");
  if (!layout.count && *first && *first != '-')
    fprintf(stderr,
            "unwarp: CUDA_VISIBLE_DEVICES is '%s' and this machine has %d device%s: the program sees none of them "
            "(UNWARP_DEVICES=n makes n)\n",
            text, layout.parts, layout.parts == 1 ? "" : "s");
}

static void find_layout(void) {
  const char *list = uwrt_sycl_cores ? NULL : getenv("CUDA_VISIBLE_DEVICES");
  layout.parts = find_parts();
  if (list) {
    read_list(list);
  } else {
    for (int i = 0; i < layout.parts; i++)
      layout.part[i] = (unsigned char)i;
    layout.count = layout.parts;
  }
}

const uwrt_layout *uwrt_device_layout(void) {
  pthread_once(&once, find_layout);
  return &layout;
}
