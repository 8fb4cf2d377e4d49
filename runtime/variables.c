/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Device variables of several devices. Compiled code knows one location for each variable; with several devices each
 * has values of its own, and the location holds those of the device that used it last. Before a kernel of another
 * device runs, or a symbol of another device is copied, the values are exchanged:
 *
 *   the location's values become the old device's copy; the new device's copy, or at first what the program was loaded
 *   with, becomes the location's values
 *
 * Kernels of one device run side by side; those of another one wait until none runs, which aside.c is told: one that
 * runs may wait for one that is held up. A device without variables in the program waits for nobody. Managed variables
 * are one object for all devices, and stay where they are.
 *
 * The address of a variable, which only the home device hands out (the first one; of a launcher's ranks, the one that each uses first),
 * is the location: copies through it are those of that device.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef struct shadow {
  void *place;
  size_t bytes;
  void *loaded;                   /* the values at the program's start */
  void *copies[UWRT_DEVICE_MOST]; /* null: never used there */
  struct shadow *next;
} shadow;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t left = PTHREAD_COND_INITIALIZER;
static shadow *shadows;
static int resident = -1, users; /* -1: nobody has used any, so it is the home device's turn */

static void *copy_of(const void *values, size_t bytes) {
  void *copy = malloc(bytes);
  if (!copy)
    uwrt_fatal("out of memory: no room for one more device's variables");
  return memcpy(copy, values, bytes);
}

void uwrt_variables_add(void *place, size_t bytes) {
  if (uwrt_device_count() == 1 || !bytes)
    return;
  pthread_mutex_lock(&lock);
  shadow *found = shadows;
  while (found && found->place != place)
    found = found->next;
  if (!found) {
    found = calloc(1, sizeof *found);
    if (!found)
      uwrt_fatal("out of memory: no room for one more device's variables");
    found->place = place;
    found->next = shadows;
    shadows = found;
  }
  if (bytes > found->bytes) { /* an extern declaration may have come first, without its size */
    free(found->loaded);
    found->loaded = copy_of(place, bytes);
    found->bytes = bytes;
  }
  pthread_mutex_unlock(&lock);
}

void uwrt_variables_remove(void *place) {
  pthread_mutex_lock(&lock);
  for (shadow **at = &shadows; *at; at = &(*at)->next)
    if ((*at)->place == place) {
      shadow *gone = *at;
      *at = gone->next;
      for (int device = 0; device < UWRT_DEVICE_MOST; device++)
        free(gone->copies[device]);
      free(gone->loaded);
      free(gone);
      break;
    }
  pthread_mutex_unlock(&lock);
}

/* The caller holds the lock, and nobody uses the variables. */
static void exchange(int device) {
  if (resident < 0)
    resident = uwrt_device_home(device);
  if (resident == device)
    return;
  for (shadow *at = shadows; at; at = at->next) {
    if (at->copies[resident])
      memcpy(at->copies[resident], at->place, at->bytes);
    else
      at->copies[resident] = copy_of(at->place, at->bytes);
    memcpy(at->place, at->copies[device] ? at->copies[device] : at->loaded, at->bytes);
  }
  resident = device;
}

static int is_taken_from(int device) { return shadows && resident != device && users; }

void uwrt_variables_enter(int device) {
  if (uwrt_device_count() == 1)
    return;
  pthread_mutex_lock(&lock);
  if (is_taken_from(device)) {
    uwrt_aside_held_up(1);
    while (is_taken_from(device))
      pthread_cond_wait(&left, &lock);
    uwrt_aside_held_up(0);
  }
  if (resident != device && !users)
    exchange(device);
  users++;
  pthread_mutex_unlock(&lock);
}

void uwrt_variables_leave(void) {
  if (uwrt_device_count() == 1)
    return;
  pthread_mutex_lock(&lock);
  if (--users == 0)
    pthread_cond_broadcast(&left);
  pthread_mutex_unlock(&lock);
}

/* A device begins again with the values that the program was loaded with. */
void uwrt_variables_reset(int device) {
  if (uwrt_device_count() == 1)
    return;
  pthread_mutex_lock(&lock);
  for (shadow *at = shadows; at; at = at->next) {
    free(at->copies[device]);
    at->copies[device] = NULL;
    if (device == resident && !users)
      memcpy(at->place, at->loaded, at->bytes);
  }
  pthread_mutex_unlock(&lock);
}
