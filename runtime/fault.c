/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel that faults says before the process ends. On a GPU the next call would return cudaErrorIllegalAddress, and
 * the process could go on; here a worker cannot be taken out of the middle of a kernel, so the signal ends the process as
 * it would without us, after a message that names the kernel, the block, the thread and the source line.
 *
 * How it knows: workers keep their place in memory of their own (uwrt_place), which the handler, running in the worker that
 * faulted, reads. The thread it may have to find (replay.c). A fault outside of a kernel is none of our business: the default action is put back and the instruction
 * runs again. A handler of the program's own, or a sanitizer's, is left alone: ours is installed when the first object with
 * kernels is loaded, and only where there is none. UNWARP_FAULTS=0 keeps it out.
 *
 * A handler that must survive an overflown stack needs one of its own, which each worker gets at its first kernel.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "replay.h"

/* An index of 32 bits that was taken for a larger one goes no further astray. */
static const uintptr_t MOST_BEHIND = (uintptr_t)16 << 30;
enum { HANDLER_STACK = 128 << 10, MOST_FRAMES = 12, NEAR_STACK = 64 << 10 };

const struct uwrt_fault_signal uwrt_fault_signals[UWRT_FAULT_SIGNALS] = {{SIGSEGV, "segmentation fault"},
                                                                          {SIGBUS, "bus error"},
                                                                          {SIGFPE, "arithmetic exception"},
                                                                          {SIGILL, "illegal instruction"}};

static int installed;
static _Thread_local uwrt_place of_thread;
static _Thread_local uwrt_place *of_fiber; /* where the thread runs one */
static _Thread_local int prepared;
static pthread_key_t stack_key;

/* --- the place of a worker ---------------------------------------------------------------------------------------- */

uwrt_place *uwrt_place_here(void) { return of_fiber ? of_fiber : &of_thread; }

uwrt_place *uwrt_place_use(uwrt_place *place) {
  uwrt_place *before = of_fiber;
  of_fiber = place;
  return before;
}

static void free_stack(void *memory) {
  const stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  munmap(memory, HANDLER_STACK);
}

static void prepare_thread(void) {
  stack_t old;
  prepared = 1;
  if (!installed || sigaltstack(NULL, &old) != 0 || !(old.ss_flags & SS_DISABLE))
    return;
  void *memory = mmap(NULL, HANDLER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  const stack_t fresh = {.ss_sp = memory, .ss_size = HANDLER_STACK};
  if (sigaltstack(&fresh, NULL) != 0 || pthread_setspecific(stack_key, memory) != 0)
    munmap(memory, HANDLER_STACK);
}

uwrt_place *uwrt_enter_block(const uwrt_dims *launch, uint64_t block) {
  uwrt_place *own = &uwrt_own_place;
  if (__builtin_expect(!prepared, 0))
    prepare_thread();
  own->launch = launch;
  own->block = block;
  own->thread[0] = UWRT_THREAD_UNKNOWN;
  return own;
}

uwrt_place *uwrt_enter(const uwrt_dims *launch) { return uwrt_enter_block(launch, UINT64_MAX); }

/* --- the message -------------------------------------------------------------------------------------------------- */

static char message[8192];
static size_t message_length;

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...) {
  va_list arguments;
  size_t room = sizeof message - message_length;
  va_start(arguments, format);
  int length = vsnprintf(message + message_length, room, format, arguments);
  va_end(arguments);
  if (length > 0)
    message_length += (size_t)length < room ? (size_t)length : room - 1;
}

static void send(void) {
  for (size_t sent = 0; sent < message_length;) {
    ssize_t wrote = write(2, message + sent, message_length - sent);
    if (wrote <= 0)
      break;
    sent += (size_t)wrote;
  }
  message_length = 0;
}

static void say_thread(const uwrt_place *at, const uint32_t size[3]) {
  uint32_t thread[3] = {at->thread[0], at->thread[1], at->thread[2]};
  if (size[0] * size[1] * size[2] == 1)
    thread[0] = thread[1] = thread[2] = 0;
  if (thread[0] == UWRT_THREAD_UNKNOWN) {
    say("one of the threads of (%u,%u,%u): which one is known in code compiled with %s", size[0], size[1], size[2],
        at->launch->running->kernel->replay ? "-G" : "-lineinfo or -g");
  } else if (thread[0] == UWRT_NO_THREAD) {
    say("in code that runs once for all threads of (%u,%u,%u)", size[0], size[1], size[2]);
  } else {
    if (thread[1] == UWRT_NO_THREAD) { /* the number of a lane in the block */
      thread[2] = thread[0] / size[0] / size[1];
      thread[1] = thread[0] / size[0] % size[1];
      thread[0] %= size[0];
    }
    say("thread (%u,%u,%u) of (%u,%u,%u)", thread[0], thread[1], thread[2], size[0], size[1], size[2]);
  }
}

/* Code that takes the blocks of a row together knows the first of them, and without optimisation the thread, counted from there. */
static void say_place(const uwrt_place *place) {
  const uint32_t *grid = place->launch->grid, *size = place->launch->block;
  uwrt_place at = *place;
  if (at.block == UINT64_MAX) {
    say("unwarp:   in what is computed once for all blocks of (%u,%u,%u)\n", grid[0], grid[1], grid[2]);
    return;
  }
  int or_behind = (at.block & UWRT_BLOCK_OR_BEHIND) != 0, or_below = (at.block & UWRT_BLOCK_OR_BELOW) != 0;
  at.block &= ~(UWRT_BLOCK_OR_BEHIND | UWRT_BLOCK_OR_BELOW);
  if (or_behind && at.thread[0] != UWRT_THREAD_UNKNOWN && at.thread[0] != UWRT_NO_THREAD) {
    at.block += at.thread[0] / size[0] + at.thread[2] / size[2];
    at.thread[0] %= size[0];
    at.thread[2] %= size[2];
    or_behind = 0;
  }
  say("unwarp:   block (%u,%u,%u) of (%u,%u,%u)%s%s, ", (unsigned int)(at.block % grid[0]),
      (unsigned int)(at.block / grid[0] % grid[1]), (unsigned int)(at.block / grid[0] / grid[1]), grid[0], grid[1],
      grid[2], or_behind ? " or one behind it in its row" : "", or_below ? " or one below" : "");
  say_thread(&at, size);
  say("\n");
}

/* The frames of one address. The kernel's code stands in its entry or, inlined through its stub, where it was launched. */
static void say_frames(const uwrt_kernel *kernel, const uwrt_source_frame *frames, int count) {
  const char *verb = "at";
  for (int i = 0; i < count; i++) {
    const char *function = frames[i].function, *outlined = strstr(function, "..omp_par");
    if (frames[i].place && strstr(frames[i].place, "/include/unwarp/"))
      continue; /* our own headers */
    if (!frames[i].place) {
      say("unwarp:   in %s, at a line that is known in code compiled with -G: the optimiser moved this code\n", function);
      continue;
    }
    if (strstr(function, "__device_stub__")) {
      verb = "launched at";
      continue;
    }
    if (strncmp(function, "__unwarp_entry_", strlen("__unwarp_entry_")) == 0)
      say("unwarp:   %s %s, in %s\n", verb, frames[i].place, uwrt_kernel_shown(kernel));
    else if (*function == '?')
      say("unwarp:   %s %s\n", verb, frames[i].place);
    else
      say("unwarp:   %s %s, in %.*s\n", verb, frames[i].place,
          outlined ? (int)(outlined - function) : (int)strlen(function), function);
    verb = "called at";
  }
}

static void say_source(const uwrt_kernel *kernel, const uintptr_t *addresses, int count) {
  static char answer[8192];
  static uwrt_module_place module, own;
  uwrt_source_frame frames[MOST_FRAMES];
  uintptr_t in_module[MOST_FRAMES];
  int kept = 0;
  if (!uwrt_module_of((const void *)(uintptr_t)kernel->entry, &own))
    return;
  for (int i = 0; i < count; i++)
    if (uwrt_module_of((const void *)addresses[i], &module) && module.bias == own.bias)
      in_module[kept++] = addresses[i];
  if (!kept)
    return;
  int lines = uwrt_source_of(&own, in_module, kept, answer, sizeof answer, frames, MOST_FRAMES);
  if (lines > 0) {
    say_frames(kernel, frames, lines);
    return;
  }
  say("unwarp:   at %s+0x%llx", own.path, (unsigned long long)(in_module[0] - own.bias));
  say(lines < 0 ? ": no addr2line is there to say which line that is (on Debian: apt-get install binutils)\n"
                : ": the source line is known in programs compiled with -g or -lineinfo\n");
}

const char *uwrt_kernel_shown(const uwrt_kernel *kernel) { return kernel->shown ? kernel->shown : kernel->name; }

/* The address of a fault, and of the calls around it as far as code can be unwound. */
typedef struct path {
  uintptr_t addresses[MOST_FRAMES];
  int count, passed; /* whether the frames of the handler lie behind us */
  uintptr_t entry;   /* the kernel's: what called that is the runtime's */
} path;
static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument) {
  path *all = argument;
  uintptr_t address = _Unwind_GetIP(context);
  if (all->passed && address)
    all->addresses[all->count++] = address - 1; /* in the call, not behind it */
  all->passed |= address == all->addresses[0];
  int last = all->count == MOST_FRAMES || (all->passed && _Unwind_GetRegionStart(context) == all->entry);
  return last ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void uwrt_report_in_kernel(const char *what, const void *caller) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const uwrt_thread_context *context = &uwrt_thread;
  uwrt_place at = uwrt_own_place;
  uintptr_t address = (uintptr_t)caller - 1;
  if (!at.launch || !at.launch->running)
    return;
  memcpy(at.thread, context->thread, sizeof at.thread);
  pthread_mutex_lock(&lock);
  say("unwarp: %s in kernel %s\n", what, uwrt_kernel_shown(at.launch->running->kernel));
  say_place(&at);
  say_source(at.launch->running->kernel, &address, 1);
  send();
  pthread_mutex_unlock(&lock);
}

/* --- the handler -------------------------------------------------------------------------------------------------- */

static uintptr_t program_counter(const ucontext_t *context) {
#if defined __x86_64__
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

static uintptr_t stack_pointer(const ucontext_t *context) {
#if defined __x86_64__
  return (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
#elif defined __aarch64__
  return (uintptr_t)context->uc_mcontext.sp;
#endif
}

/* Sent by no instruction's address: the processor does not say which one it was. */
static int is_nameless(const siginfo_t *info) { return info->si_code == SI_KERNEL; }

uwrt_fault uwrt_fault_of(int number, const siginfo_t *info, const void *context) {
  uwrt_fault fault = {.number = number};
  if ((number == SIGSEGV || number == SIGBUS) && !is_nameless(info)) {
    fault.address = (uintptr_t)info->si_addr;
    fault.on_stack = fault.address - (stack_pointer(context) - NEAR_STACK) < 2 * NEAR_STACK;
  }
  return fault;
}

static void say_address(const siginfo_t *info, const uwrt_fault *fault) {
  static const char advice[] = "unwarp:   -fsanitize=address also finds accesses outside of allocations that hit other memory\n";
  uintptr_t address = fault->address;
  uwrt_allocation before;
  if (is_nameless(info)) {
    say(" at an address that no memory can have\n%s", advice);
    return;
  }
  say(" at address 0x%llx\n", (unsigned long long)address);
  if (fault->on_stack)
    say("unwarp:   the stack is full: recursion is too deep or a thread's own arrays are too large (OMP_STACKSIZE makes the "
        "workers' stacks larger, ulimit -s the first thread's)\n");
  else if (address < 4096)
    say("unwarp:   that is a null pointer\n");
  else if (uwrt_allocation_before((const void *)address, &before) && address - before.base >= before.bytes &&
           address - before.base - before.bytes < MOST_BEHIND)
    say("unwarp:   that is %llu bytes behind the end of the %llu bytes at 0x%llx\n%s",
        (unsigned long long)(address - before.base - before.bytes), (unsigned long long)before.bytes,
        (unsigned long long)before.base, advice);
  else
    say(advice);
}

static const char *name_of(int number) {
  for (int i = 0; i < UWRT_FAULT_SIGNALS; i++)
    if (uwrt_fault_signals[i].number == number)
      return uwrt_fault_signals[i].what;
  return "fault";
}

static void report(int number, const siginfo_t *info, const ucontext_t *context) {
  uwrt_place at = uwrt_own_place;
  const uwrt_fault fault = uwrt_fault_of(number, info, context);
  path code = {.addresses = {program_counter(context)},
               .count = 1,
               .entry = (uintptr_t)at.launch->running->kernel->entry};
  message_length = 0;
  say("unwarp: kernel %s: %s", uwrt_kernel_shown(at.launch->running->kernel), name_of(number));
  if (number == SIGSEGV || number == SIGBUS)
    say_address(info, &fault);
  else
    say("\n");
  send(); /* whatever happens from here on */
  if (at.thread[0] == UWRT_THREAD_UNKNOWN)
    uwrt_replay(&at, &fault);
  say_place(&at);
  send();
  if (at.launch->running->started)
    uwrt_trace_launch(at.launch->running, name_of(number));
  _Unwind_Backtrace(note_frame, &code);
  say_source(at.launch->running->kernel, code.addresses, code.count);
  if (number == SIGILL)
    say("unwarp:   was the program compiled for another CPU (-march)?\n");
  send();
}

static void handle(int number, siginfo_t *info, void *context) {
  static atomic_flag reporting = ATOMIC_FLAG_INIT;
  struct sigaction fallback = {.sa_handler = SIG_DFL};
  /* Sent by a process, or in no kernel: not ours. */
  if (info->si_code > 0 && uwrt_own_place.launch && uwrt_own_place.launch->running) {
    if (atomic_flag_test_and_set(&reporting))
      for (;;) /* another worker's report ends the process */
        pause();
    report(number, info, context);
  }
  sigaction(number, &fallback, NULL);
  if (info->si_code <= 0)
    raise(number); /* arrives when the handler returns */
}

static void install(void) {
  const char *wanted = getenv("UNWARP_FAULTS");
  if ((wanted && strcmp(wanted, "0") == 0) || pthread_key_create(&stack_key, free_stack) != 0)
    return;
  struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&ours.sa_mask);
  for (int i = 0; i < UWRT_FAULT_SIGNALS; i++) {
    struct sigaction old;
    if (sigaction(uwrt_fault_signals[i].number, NULL, &old) != 0 || (old.sa_flags & SA_SIGINFO) || old.sa_handler != SIG_DFL)
      continue;
    if (sigaction(uwrt_fault_signals[i].number, &ours, NULL) == 0)
      installed = 1;
  }
}

void uwrt_watch_faults(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}
