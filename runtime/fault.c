/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a kernel that faults says before the process ends. On a GPU the next call would return cudaErrorIllegalAddress,
 * and the process could go on; here a worker cannot be taken out of the middle of a kernel, so the signal ends the
 * process as it would without us, after a message that names the kernel, the block, the thread and the source line.
 *
 * How it knows: workers keep their position in memory of their own (uwrt_place), which the handler, running in the
 * worker that faulted, reads. The thread and the line it may have to find (replay.c). A fault in a copy or a fill is
 * told with its addresses. Any other fault outside of a kernel is none of our business: the default action is put back
 * and the instruction runs again. A handler of the program's own, or a sanitizer's, is left alone: ours is installed
 * when the first object with kernels is loaded, and only where there is none. UNWARP_FAULTS=0 keeps it out. Python's
 * faulthandler, which pytest turns on, can only report: it is told no address. It has its turn after ours, whichever of
 * the two was there first.
 *
 * A handler that must survive an overflown stack needs one of its own, which each worker gets at its first kernel.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>

#include "fault_message.h"
#include "source.h"
#include "replay.h"

/* An index of 32 bits that was taken for a larger one goes no further astray. */
static const uintptr_t MOST_AFTER = (uintptr_t)16 << 30;
static const char *const own_headers[] = {"include/unwarp/", "include/sycl/"};
static int names_own_header(const char *text, size_t length) {
  for (size_t i = 0; i < sizeof own_headers / sizeof *own_headers; i++)
    if (memmem(text, length, own_headers[i], strlen(own_headers[i])))
      return 1;
  return 0;
}
enum { HANDLER_STACK = 128 << 10, MOST_FRAMES = 12, NEAR_STACK = 64 << 10 };

const struct uwrt_fault_signal uwrt_fault_signals[UWRT_FAULT_SIGNALS] = {{SIGSEGV, "segmentation fault"},
                                                                         {SIGBUS, "bus error"},
                                                                         {SIGFPE, "arithmetic exception"},
                                                                         {SIGILL, "illegal instruction"}};

static struct sigaction before[UWRT_FAULT_SIGNALS]; /* what has its turn after ours */
static int installed;
static _Thread_local uwrt_place of_thread;
static _Thread_local uwrt_place *of_fiber; /* where the thread runs one */
static _Thread_local int prepared;
static pthread_key_t stack_key;

/* --- the position of a worker ------------------------------------------------------------------------------------- */

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

/* --- the lines ---------------------------------------------------------------------------------------------------- */

/* How much of a function's name people know: what was made of it has more after. */
static int known_part(const char *function) {
  static const char *const ends[] = {"..omp_par", " (.unwarp_device_function)", " [clone .unwarp_device_function]",
                                     " [clone .v"};
  static const char *const levels[] = {".v1", ".v3", ".v4"};
  size_t length = strlen(function);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    const char *end = strstr(function, ends[i]);
    if (end)
      return (int)(end - function);
  }
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    if (length > 3 && strcmp(function + length - 3, levels[i]) == 0)
      return (int)length - 3;
  return (int)length;
}

/* The frames of one address. The kernel's code stands in its entry or, inlined through its stub, where it was
 * launched. */
static void say_frames(const uwrt_kernel *kernel, const char *verb, const uwrt_source_frame *frames, int count) {
  static const char *const entries[] = {"__unwarp_entry_", "__unwarp_replay_"};
  for (int i = 0; i < count; i++) {
    const char *function = frames[i].function, *outlined = strstr(function, "..omp_par");
    if (frames[i].place && names_own_header(frames[i].place, strlen(frames[i].place)))
      continue; /* our own headers */
    if (i && frames[i].place && frames[i - 1].place && strcmp(frames[i].place, frames[i - 1].place) == 0)
      continue; /* recursion */
    if (!frames[i].place) {
      uwrt_say("unwarp:   in %s, at a line that is known in code compiled with -G: the optimiser moved this code\n",
               function);
      continue;
    }
    if (strstr(function,
               "__device_stub__")) { /* innermost: binutils' addr2line may miss the kernel that was inlined there */
      if (i == 0)
        uwrt_say("unwarp:   %s %s, in %s\n", verb, frames[i].place, uwrt_kernel_shown(kernel));
      verb = "launched at";
      continue;
    }
    int is_entry = 0;
    for (size_t k = 0; k < sizeof entries / sizeof *entries; k++)
      is_entry |= strncmp(function, entries[k], strlen(entries[k])) == 0;
    if (is_entry)
      uwrt_say("unwarp:   %s %s, in %s\n", verb, frames[i].place, uwrt_kernel_shown(kernel));
    else if (*function == '?')
      uwrt_say("unwarp:   %s %s\n", verb, frames[i].place);
    else
      uwrt_say("unwarp:   %s %s, in %.*s\n", verb, frames[i].place, known_part(function), function);
    verb = "called at";
    if (is_entry || outlined)
      break; /* what is around that is the runtime's */
  }
}

/* Says the lines of the path's first address that has some. Gives how many, or -1 without a tool. */
static int say_path(const uwrt_kernel *kernel, const uwrt_module_place *own, const char *verb, const uwrt_path *path) {
  static char answer[8192];
  static uwrt_module_place module;
  uwrt_source_frame frames[MOST_FRAMES];
  uintptr_t in_module[UWRT_MOST_CALLS];
  int kept = 0;
  for (int i = 0; i < path->count; i++) /* called functions of other modules, ours, and not the runtimes' around it */
    if (uwrt_module_of((const void *)path->addresses[i], &module) && module.bias == own->bias)
      in_module[kept++] = path->addresses[i];
    else if (kept)
      break;
  int lines = kept ? uwrt_source_of(own, in_module, kept, answer, sizeof answer, frames, MOST_FRAMES) : 0;
  if (lines > 0)
    say_frames(kernel, verb, frames, lines);
  return lines;
}

/* As the compiler knew them: file:line and a newline each. */
static void say_places(const char *places) {
  const char *verb = "at";
  for (; *places; places = strchr(places, '\n') + 1) {
    int length = (int)strcspn(places, "\n");
    if (names_own_header(places, (size_t)length))
      continue;
    uwrt_say("unwarp:   %s %.*s\n", verb, length, places);
    verb = "called at";
  }
}

/* Code that ran again knows its lines. Without it, there may be some of the code that faulted, or the compiler knew
 * locations. */
static void say_source(const uwrt_kernel *kernel, const uwrt_path *code, const uwrt_path *again,
                       uwrt_replay_result result, const char *places) {
  static uwrt_module_place own;
  int lines = 0;
  if (!uwrt_module_of((const void *)(uintptr_t)kernel->entry, &own))
    return;
  if (result == UWRT_REPLAY_AGREES)
    lines = say_path(kernel, &own, "at", again);
  if (lines == 0)
    lines = say_path(kernel, &own, "at", code);
  if (lines == 0 && result == UWRT_REPLAY_DIFFERS)
    lines = say_path(kernel, &own, "most likely at", again);
  if (lines <= 0)
    say_places(places);
  if (lines > 0 || *places)
    return;
  uwrt_say("unwarp:   at %s+0x%llx", own.path, (unsigned long long)(code->addresses[0] - own.bias));
  uwrt_say(lines < 0 ? ": no addr2line is there to say which line that is (on Debian: apt-get install binutils)\n"
                     : ": the source line is known in programs compiled with -g or -lineinfo\n");
}

const char *uwrt_kernel_shown(const uwrt_kernel *kernel) { return kernel->shown ? kernel->shown : kernel->name; }

typedef struct unwinding {
  uwrt_path *path;
  int passed;      /* whether the frames of the handler lie behind us */
  uintptr_t entry; /* the kernel's: what called that is the runtime's */
} unwinding;

static _Unwind_Reason_Code note_frame(struct _Unwind_Context *context, void *argument) {
  unwinding *all = argument;
  uwrt_path *path = all->path;
  uintptr_t address = _Unwind_GetIP(context);
  if (all->passed && address)
    path->addresses[path->count++] = address - 1; /* in the call, not after it */
  all->passed |= address == path->addresses[0];
  int last = path->count == UWRT_MOST_CALLS || (all->passed && _Unwind_GetRegionStart(context) == all->entry);
  return last ? _URC_END_OF_STACK : _URC_NO_REASON;
}

void uwrt_add_calls(uwrt_path *path, uwrt_entry entry) {
  _Unwind_Backtrace(note_frame, &(unwinding){path, 0, (uintptr_t)entry});
}

static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER; /* outside of the handler */

void uwrt_report_in_kernel(const char *what, const void *caller, const char *places) {
  const uwrt_thread_context *context = &uwrt_thread;
  uwrt_place at = uwrt_own_place;
  const uwrt_path code = {{(uintptr_t)caller - 1}, 1};
  if (!at.launch || !at.launch->running)
    return;
  memcpy(at.thread, context->thread, sizeof at.thread);
  pthread_mutex_lock(&telling);
  uwrt_say("unwarp: %s in kernel %s\n", what, uwrt_kernel_shown(at.launch->running->kernel));
  uwrt_say_place(&at);
  say_source(at.launch->running->kernel, &code, NULL, UWRT_REPLAY_FAILED, places);
  uwrt_send_said();
  pthread_mutex_unlock(&telling);
}

/* The kernel may be over, and its module gone, while its line is looked for. */
void uwrt_report_endless(const uwrt_kernel *kernel, double seconds) {
  static uwrt_module_place own;
  char shown[512];
  const uwrt_path entry = {{(uintptr_t)kernel->entry}, 1};
  snprintf(shown, sizeof shown, "%s", uwrt_kernel_shown(kernel));
  kernel = &(uwrt_kernel){.shown = shown};
  pthread_mutex_lock(&telling);
  uwrt_say("unwarp: kernel %s has run for %g s and still does: an endless loop? The program waits for it "
           "(UNWARP_WAIT_LIMIT=seconds changes that time, 0: not told)\n",
           shown, seconds);
  if (uwrt_module_of((const void *)entry.addresses[0], &own))
    say_path(kernel, &own, "at", &entry);
  uwrt_send_said();
  pthread_mutex_unlock(&telling);
}

/* --- the handler -------------------------------------------------------------------------------------------------- */

static uintptr_t program_counter(const ucontext_t *context) {
#if defined __x86_64__
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return (uintptr_t)context->uc_mcontext.pc;
#endif
}

uwrt_path uwrt_path_at(const void *context) { return (uwrt_path){{program_counter(context)}, 1}; }

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
  static const char advice[] =
      "unwarp:   -fsanitize=address also finds accesses outside of allocations that hit other memory\n";
  uintptr_t address = fault->address;
  uwrt_allocation before;
  if (is_nameless(info)) {
    uwrt_say(" at an address that no memory can have, or that is not aligned for an access of 16 bytes and more\n%s",
             advice);
    return;
  }
  uwrt_say(" at address 0x%llx\n", (unsigned long long)address);
  if (fault->on_stack)
    uwrt_say("unwarp:   the stack is full: recursion is too deep or a thread's own arrays are too large (OMP_STACKSIZE "
             "makes the "
             "workers' stacks larger, ulimit -s the first thread's)\n");
  else if (address < 4096)
    uwrt_say("unwarp:   that is a null pointer\n");
  else if (uwrt_allocation_before((const void *)address, &before) && address - before.base >= before.bytes &&
           address - before.base - before.bytes < MOST_AFTER)
    uwrt_say("unwarp:   that is %llu bytes after the end of the %llu bytes at 0x%llx\n%s",
             (unsigned long long)(address - before.base - before.bytes), (unsigned long long)before.bytes,
             (unsigned long long)before.base, advice);
  else
    uwrt_say(advice);
}

static const char *name_of(int number) {
  for (int i = 0; i < UWRT_FAULT_SIGNALS; i++)
    if (uwrt_fault_signals[i].number == number)
      return uwrt_fault_signals[i].what;
  return "fault";
}

/* What a report is made of and has found so far. */
typedef struct report {
  int number;
  const siginfo_t *info;
  uwrt_fault fault;
  uwrt_place at;
  const uwrt_kernel *kernel, *joined; /* joined: or in that one; null: surely not */
  uwrt_path code, again;
  uwrt_replay_result result;
} report;

static void tell_address(report *r) {
  uwrt_say("unwarp: kernel %s", uwrt_kernel_shown(r->kernel));
  if (r->joined)
    uwrt_say(", or %s, which runs with it", uwrt_kernel_shown(r->joined));
  uwrt_say(": %s", name_of(r->number));
  if (r->number == SIGSEGV || r->number == SIGBUS)
    say_address(r->info, &r->fault);
  else
    uwrt_say("\n");
}

/* A worker copies what its threads appended to a queue, in this block or before. */
static void say_copied(const uwrt_place *at) {
  const uint32_t *grid = at->launch->grid;
  uint64_t block = at->block & ~(UWRT_BLOCK_OR_AFTER | UWRT_BLOCK_OR_BELOW);
  uwrt_say("unwarp:   block (%u,%u,%u) of (%u,%u,%u) or one that the same worker ran before: ",
           (unsigned int)(block % grid[0]), (unsigned int)(block / grid[0] % grid[1]),
           (unsigned int)(block / grid[0] / grid[1]), grid[0], grid[1], grid[2]);
  uwrt_say("what they append to the queue goes there together\n");
}

static void tell_place(report *r) {
  if (uwrt_appends_copied()) {
    say_copied(&r->at);
    return;
  }
  if (r->at.thread[0] == UWRT_THREAD_UNKNOWN)
    r->result = uwrt_replay(&r->at, &r->fault, &r->again);
  uwrt_say_place(&r->at);
}

static void tell_source(report *r) {
  if (uwrt_appends_copied()) {
    say_places(uwrt_appends_copied());
    return;
  }
  uwrt_add_calls(&r->code, r->kernel->entry);
  say_source(r->kernel, &r->code, &r->again, r->result, "");
  if (r->number == SIGILL)
    uwrt_say("unwarp:   was the program compiled for another CPU (-march)?\n");
}

static void end_trace(report *r) {
  if (r->at.launch->running->started)
    uwrt_trace_launch(r->at.launch->running, name_of(r->number));
}

/* The kernel may have written over whatever a step reads, so it may fault itself: then the next one has its turn. */
static sigjmp_buf next_step;
static uwrt_place *reporter; /* the own place of the thread that reports */

static void tell(report *r) {
  static void (*const steps[])(report *) = {tell_address, tell_place, end_trace, tell_source};
  static volatile size_t step;
  reporter = &uwrt_own_place;
  uwrt_forget_said();
  for (step = 0; step < sizeof steps / sizeof *steps; step++) {
    if (sigsetjmp(next_step, 1) == 0)
      steps[step](r);
    else
      uwrt_end_line();
    uwrt_send_said();
  }
}

static void wait_for_the_end(int number) {
  (void)number;
  for (;;)
    pause();
}

/* Where a kernel wrote over all kinds of memory, what the other threads meet there would end the process before this
 * one has said what it knows; and what they write would not be there for a replay. A thread that aborts waits as
 * well. */
static void stop_others(void) {
  static _Alignas(8) char entries[4096]; /* struct linux_dirent64: offset 16 has the length of the entry, 19 the name */
  const struct sigaction wait = {.sa_handler = wait_for_the_end, .sa_flags = SA_ONSTACK};
  const int stop = SIGRTMAX - 1;
  pid_t own = (pid_t)syscall(SYS_gettid);
  int tasks = open("/proc/self/task", O_RDONLY | O_DIRECTORY);
  sigaction(stop, &wait, NULL);
  sigaction(SIGABRT, &wait, NULL);
  for (long bytes; tasks >= 0 && (bytes = syscall(SYS_getdents64, tasks, entries, sizeof entries)) > 0;)
    for (long at = 0; at < bytes; at += *(unsigned short *)(entries + at + 16)) {
      pid_t thread = (pid_t)atol(entries + at + 19); /* of "." and ".." none */
      if (thread > 0 && thread != own)
        syscall(SYS_tgkill, getpid(), thread, stop);
    }
  if (tasks >= 0)
    close(tasks);
}

/* A copy or a fill whose address is not memory of ours, which would have been refused. */
static void tell_move(int number, const siginfo_t *info) {
  const uwrt_bulk *b = uwrt_moving;
  unsigned long long bytes = (unsigned long long)b->width * b->height * b->depth, to = (uintptr_t)b->to.start;
  uwrt_say("unwarp: %s at address 0x%llx in a ", name_of(number), (unsigned long long)(uintptr_t)info->si_addr);
  if (b->from.start)
    uwrt_say("copy of %llu bytes from 0x%llx to 0x%llx\n", bytes, (unsigned long long)(uintptr_t)b->from.start, to);
  else
    uwrt_say("fill of %llu bytes at 0x%llx\n", bytes, to);
  uwrt_allocation before;
  uintptr_t address = (uintptr_t)info->si_addr;
  if (uwrt_allocation_before(info->si_addr, &before) && address - before.base < before.bytes)
    uwrt_say("unwarp:   that is memory of the device's which is gone for the process: was it unmapped?\n");
  else
    uwrt_say("unwarp:   that is host memory: it is smaller than the copy, cannot be written, was freed, or never was "
             "there\n");
  uwrt_send_said();
}

static void give_way(int number) {
  for (int i = 0; i < UWRT_FAULT_SIGNALS; i++)
    if (uwrt_fault_signals[i].number == number)
      sigaction(number, &before[i], NULL);
}

/* A handler over ours has reported the fault of a kernel, and raises the signal for ours. As raised, it has no address;
 * but the instruction faults again when all handlers are done. */
static int comes_again(const siginfo_t *info) {
  static atomic_flag came = ATOMIC_FLAG_INIT;
  return info->si_code == SI_TKILL && info->si_pid == getpid() && uwrt_own_place.launch &&
         uwrt_own_place.launch->running && !atomic_flag_test_and_set(&came);
}

static void handle(int number, siginfo_t *info, void *context) {
  static atomic_flag reporting = ATOMIC_FLAG_INIT;
  if (number == SIGSEGV && info->si_code == SEGV_ACCERR && uwrt_ipc_is_shared(info->si_addr))
    return; /* its page is on the way to a file: once more */
  if (comes_again(info))
    return;
  /* Sent by a process, or in no kernel: not ours. */
  if (info->si_code > 0 && reporter == &uwrt_own_place)
    siglongjmp(next_step, 1);
  if (info->si_code > 0 && uwrt_own_place.launch && uwrt_own_place.launch->running) {
    static report made;
    if (atomic_flag_test_and_set(&reporting))
      for (;;) /* another worker's report ends the process */
        pause();
    stop_others();
    made = (report){.number = number,
                    .info = info,
                    .fault = uwrt_fault_of(number, info, context),
                    .at = uwrt_own_place,
                    .kernel = uwrt_own_place.launch->running->kernel,
                    .joined = uwrt_own_place.launch->running->joined,
                    .code = uwrt_path_at(context)};
    tell(&made);
    reporter = NULL;
  } else if (info->si_code > 0 && uwrt_moving) {
    if (!atomic_flag_test_and_set(&reporting))
      tell_move(number, info);
  }
  if (uwrt_checks)
    uwrt_checks->dies(number);
  give_way(number);
  if (info->si_code <= 0)
    raise(number); /* arrives when the handler returns */
}

/* A handler in the code of Python itself. */
static int is_pythons(const struct sigaction *action) {
  Dl_info handler, python;
  void *known = dlsym(RTLD_DEFAULT, "Py_IsInitialized");
  return known && dladdr(known, &python) && dladdr((void *)(uintptr_t)action->sa_handler, &handler) &&
         handler.dli_fbase == python.dli_fbase;
}

/* Whether ours may take its place. */
static int may_follow(const struct sigaction *action) {
  return !(action->sa_flags & SA_SIGINFO) &&
         (action->sa_handler == SIG_DFL || (uwrt_checks && action->sa_handler == uwrt_checks->signal) ||
          is_pythons(action));
}

static void install(void) {
  const char *wanted = getenv("UNWARP_FAULTS");
  if ((wanted && strcmp(wanted, "0") == 0) || pthread_key_create(&stack_key, free_stack) != 0)
    return;
  struct sigaction ours = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&ours.sa_mask);
  for (int i = 0; i < UWRT_FAULT_SIGNALS; i++) {
    struct sigaction old;
    if (sigaction(uwrt_fault_signals[i].number, NULL, &old) != 0 || !may_follow(&old) ||
        sigaction(uwrt_fault_signals[i].number, &ours, NULL) != 0)
      continue;
    if (old.sa_handler != SIG_DFL && is_pythons(&old))
      before[i] = old;
    installed = 1;
  }
}

void uwrt_watch_faults(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
}
