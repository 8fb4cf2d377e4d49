/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Fibers: a stack of its own for each block of a kernel whose blocks wait for each other, so that a worker can leave
 * one block in the middle and run another. All threads of a block meet before it waits (the compiler has lowered the
 * block's barriers), so there is one stack for a block, not one for each of its threads.
 *
 * A fiber may go on on another thread than the one that started it (grid.c): code in it may not keep addresses of
 * thread-local objects over a pause. So compiled code asks for them by calls, and with the fiber go the scratch memory,
 * the place and the thread context of its block. Fibers are kept for the next launch, stacks with their pages.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "internal.h"

enum { STACK_BYTES = 1 << 20, GUARD_BYTES = 1 << 16 /* at least a page, whatever its size */ };

/* What a sanitizer wants to know about a change of stacks; not there without one. */
#define WEAK __attribute__((weak, visibility("default")))
WEAK void __sanitizer_start_switch_fiber(void **keep, const void *bottom, size_t bytes);
WEAK void __sanitizer_finish_switch_fiber(void *kept, const void **old_bottom, size_t *old_bytes);
WEAK void __asan_unpoison_memory_region(const volatile void *memory, size_t bytes);
WEAK void *__tsan_get_current_fiber(void);
WEAK void *__tsan_create_fiber(unsigned int flags);
WEAK void __tsan_destroy_fiber(void *fiber);
WEAK void __tsan_switch_to_fiber(void *fiber, unsigned int flags);

struct uwrt_fiber {
  uwrt_fiber *next_free;
  unsigned char *memory; /* the guard, then the stack */
  uwrt_stack_place place, home;
  int news; /* what the last pause said */
  void (*run)(void *);
  void *argument;
  uwrt_scratch scratch;
  uwrt_place block, *at;                            /* at: this one, or that of the code which started it */
  void *fake_frames, *race_state, *home_race_state; /* the sanitizers' */
  const void *home_bottom;
  size_t home_bytes;
};

static _Thread_local uwrt_fiber *running;
static uwrt_fiber *free_fibers;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- the two stacks ----------------------------------------------------------------------------------------------- */

/* Tells the sanitizers where the fiber's code came from. */
static void arrive(uwrt_fiber *fiber, void *fake_frames) {
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(fake_frames, &fiber->home_bottom, &fiber->home_bytes);
}

static void start(void *argument) {
  uwrt_fiber *fiber = argument;
  arrive(fiber, NULL);
  fiber->run(fiber->argument);
  uwrt_fiber_pause(UWRT_FIBER_FINISHED);
}

/* In functions of their own: the thread may be another one after the change of stacks. */
static __attribute__((noinline)) uwrt_thread_context read_context(void) { return uwrt_thread; }
static __attribute__((noinline)) void write_context(const uwrt_thread_context *context) { uwrt_thread = *context; }

void uwrt_fiber_pause(int news) {
  uwrt_fiber *fiber = running;
  const uwrt_thread_context context = read_context(); /* the worker goes on with others */
  void *const checked = uwrt_checks ? uwrt_checks->use(NULL) : NULL;
  fiber->news = news;
  if (__tsan_switch_to_fiber)
    __tsan_switch_to_fiber(fiber->home_race_state, 0);
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(news == UWRT_FIBER_FINISHED ? NULL : &fiber->fake_frames, fiber->home_bottom,
                                   fiber->home_bytes);
  uwrt_stack_switch(&fiber->place, &fiber->home);
  arrive(fiber, fiber->fake_frames);
  write_context(&context);
  if (uwrt_checks)
    uwrt_checks->use(checked);
}

int uwrt_fiber_resume(uwrt_fiber *fiber) {
  uwrt_fiber *outer = running;
  uwrt_scratch *outer_scratch = uwrt_scratch_use(&fiber->scratch);
  uwrt_place *outer_place = uwrt_place_use(fiber->at);
  void *fake_frames = NULL;
  running = fiber;
  if (__tsan_switch_to_fiber) {
    fiber->home_race_state = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber->race_state, 0);
  }
  if (__sanitizer_start_switch_fiber)
    __sanitizer_start_switch_fiber(&fake_frames, fiber->memory + GUARD_BYTES, STACK_BYTES);
  void *const checked = uwrt_checks ? uwrt_checks->use(NULL) : NULL;
  uwrt_stack_switch(&fiber->home, &fiber->place);
  if (uwrt_checks)
    uwrt_checks->use(checked);
  if (__sanitizer_finish_switch_fiber)
    __sanitizer_finish_switch_fiber(fake_frames, NULL, NULL);
  running = outer;
  uwrt_scratch_use(outer_scratch);
  uwrt_place_use(outer_place);
  return fiber->news;
}

void *uwrt_fiber_argument(void) { return running ? running->argument : NULL; }
int uwrt_fiber_runs(void (*run)(void *)) { return running && running->run == run; }

/* --- where fibers come from --------------------------------------------------------------------------------------- */

static uwrt_fiber *create(void) {
  uwrt_fiber *fiber = calloc(1, sizeof *fiber);
  size_t bytes = (size_t)GUARD_BYTES + STACK_BYTES;
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (!fiber || memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0)
    uwrt_fatal("out of memory: no stack for one more block that waits for others");
  fiber->memory = memory;
  return fiber;
}

uwrt_fiber *uwrt_fiber_take(void (*run)(void *), void *argument) {
  pthread_mutex_lock(&lock);
  uwrt_fiber *fiber = free_fibers;
  if (fiber)
    free_fibers = fiber->next_free;
  pthread_mutex_unlock(&lock);
  if (!fiber)
    fiber = create();
  fiber->run = run;
  fiber->argument = argument;
  fiber->block = (uwrt_place){0};
  fiber->at = &fiber->block;
  if (__tsan_create_fiber)
    fiber->race_state = __tsan_create_fiber(0);
  uwrt_stack_prepare(&fiber->place, fiber->memory + GUARD_BYTES, STACK_BYTES, start, fiber);
  return fiber;
}

uwrt_fiber *uwrt_fiber_take_here(void (*run)(void *), void *argument) {
  uwrt_fiber *fiber = uwrt_fiber_take(run, argument);
  fiber->at = uwrt_place_here();
  return fiber;
}

void uwrt_fiber_give(uwrt_fiber *fiber) {
  if (__tsan_destroy_fiber)
    __tsan_destroy_fiber(fiber->race_state);
  if (__asan_unpoison_memory_region) /* a block that ended at a trap left its frames behind */
    __asan_unpoison_memory_region(fiber->memory + GUARD_BYTES, STACK_BYTES);
  uwrt_scratch *own = uwrt_scratch_use(&fiber->scratch);
  uwrt_scratch_release(0);
  uwrt_scratch_use(own);
  pthread_mutex_lock(&lock);
  fiber->next_free = free_fibers;
  free_fibers = fiber;
  pthread_mutex_unlock(&lock);
}
