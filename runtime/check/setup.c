/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The beginning and the end of a checked run. The object files say which classes they were compiled for; $UNWARP_CHECK,
 * a list with commas, may narrow that and says more (docs/checker.md):
 *   memory, race, init, sync, leak   only these
 *   kernel=NAME     only kernels with NAME in theirs
 *   json            a line of JSON for each mistake, in place of the report
 *   json=FILE       such lines in a file, which several processes may add to; the report stays
 *   sarif=FILE      SARIF in a file; %p in these names is the process's number
 *   strict          also what is no mistake by intent
 *   exitcode=N      the status of a program with mistakes that would end with 0
 *   limit=N         so many mistakes are shown */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "../copies.h"
#include "check.h"

enum { EXIT_STATUS = 66, LIMIT = 100 };

struct uwrt_check_settings uwrt_check_settings = {.exit_status = EXIT_STATUS, .limit = LIMIT};
static bool by_link;
static uint32_t wanted; /* by the environment; 0: all that objects have */

static void set(const char *word, size_t length) {
  static const struct {
    const char *name;
    uint32_t class;
  } classes[] = {{"memory", UWRT_CHECK_MEMORY}, {"race", UWRT_CHECK_RACE}, {"init", UWRT_CHECK_INIT},
                 {"sync", UWRT_CHECK_SYNC},     {"leak", UWRT_CHECK_LEAK}, {"all", UWRT_CHECK_ALL}};
  char *text = strndup(word, length);
  if (!text)
    return;
  for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(text, classes[i].name) == 0) {
      wanted |= classes[i].class;
      free(text);
      return;
    }
  if (strcmp(text, "json") == 0)
    uwrt_check_settings.json = 1;
  else if (strcmp(text, "strict") == 0)
    uwrt_check_settings.is_strict = 1, uwrt_check_fences |= UWRT_CHECK_IN_FULL;
  else if (strncmp(text, "json=", 5) == 0)
    uwrt_check_report_into(UWRT_CHECK_LINES, text + 5);
  else if (strncmp(text, "sarif=", 6) == 0)
    uwrt_check_report_into(UWRT_CHECK_SARIF, text + 6);
  else if (strncmp(text, "kernel=", 7) == 0) {
    uwrt_check_settings.kernel = text + 7;
    return; /* it keeps the text */
  } else if (strncmp(text, "exitcode=", 9) == 0)
    uwrt_check_settings.exit_status = atoi(text + 9);
  else if (strncmp(text, "limit=", 6) == 0)
    uwrt_check_settings.limit = atoi(text + 6);
  else if (*text)
    fprintf(stderr,
            "unwarp: UNWARP_CHECK knows no '%s': memory, race, init, sync, leak, all, json, json=, sarif=, kernel=, "
            "strict, exitcode=, limit=\n",
            text);
  free(text);
}

static void at_end(int status, void *none) {
  (void)none;
  if (!uwrt_check_ends())
    return;
  uwrt_check_say_late();
  if (uwrt_check_wants(UWRT_CHECK_LEAK) &&
      uwrt_sticky_error() == cudaSuccess) /* a program whose context is lost cannot free anything */
    uwrt_check_leaks();
  uwrt_check_tell_unasked();
  int found = uwrt_check_sum_up();
  if (found && status == 0 && uwrt_check_settings.exit_status) {
    fflush(NULL);
    _exit(uwrt_check_settings.exit_status);
  }
}

void uwrt_check_begin(uint32_t classes) {
  uint32_t those = classes & UWRT_CHECK_ALL;
  if (by_link)
    return;
  uwrt_check_settings.classes |= wanted ? those & wanted : those;
  uwrt_check_settings.json |= (classes & UWRT_CHECK_JSON) != 0;
}

/* By the link (compiler/driver/link.c): its address is the classes that it was asked for. A link without -fcheck has
 * none; then they are those that any object was compiled for. */
__attribute__((weak, visibility("default"))) extern char uwrt_check_linked[];

static const uwrt_checker checker = {.allocated = uwrt_check_allocated,
                                     .freed = uwrt_check_freed,
                                     .not_freed = uwrt_check_not_freed,
                                     .moves = uwrt_check_moves,
                                     .refused = uwrt_check_refused,
                                     .forgets = uwrt_check_forgets,
                                     .launch_begins = uwrt_check_launch_begins,
                                     .launch_ends = uwrt_check_launch_ends,
                                     .use = uwrt_check_use,
                                     .work_begins = uwrt_check_work_begins,
                                     .work_ends = uwrt_check_work_ends,
                                     .orders = uwrt_check_orders,
                                     .not_launched = uwrt_check_not_launched,
                                     .error_asked = uwrt_check_error_asked,
                                     .part = uwrt_check_part,
                                     .dies = uwrt_check_dies,
                                     .signal = uwrt_check_signal};

static const void *module_at(const void *address) {
  Dl_info of;
  return address && dladdr(address, &of) ? of.dli_fbase : NULL;
}

/* Several libraries of a program may have brought the checker, and a runtime. Their kernels call the one whose symbols the
 * dynamic linker finds first, so that one it is; the program's own, where it has one, comes before all. */
static bool is_the_one(void) {
  const void *own = module_at((const void *)at_end), *first = module_at(dlsym(RTLD_DEFAULT, "uwrt_check_access"));
  return !first || first == own || module_at((const void *)getauxval(AT_PHDR)) == own;
}

#pragma weak uwrt_leader /* not in the shared runtime */

/* A library's, whose objects register with a runtime that has none, or does not know this one. */
static bool is_apart(void) {
  const void *register_first = dlsym(RTLD_DEFAULT, "uwrt_register"), *own = module_at((const void *)at_end);
  const bool hides = (!register_first || module_at(register_first) == own) && &uwrt_leader && uwrt_leader();
  if (hides)
    register_first = uwrt_leader();
  Dl_info of;
  if (!register_first || module_at(register_first) == own || module_at((const void *)getauxval(AT_PHDR)) == own ||
      !dladdr(register_first, &of))
    return false;
  Dl_info here;
  dladdr((void *)at_end, &here);
  fprintf(
      stderr,
      hides ? "unwarp: kernels of %s are not checked: it hides the runtime that it was linked with, in place of which "
              "it uses that in %s; link it with -cudart shared\n"
            : "unwarp: kernels of %s are not checked: it uses the runtime in %s, which has no checker; link that "
              "with -fcheck, or with -cudart shared\n",
      here.dli_fname, of.dli_fname);
  return true;
}

static void begin_once(void) {
  if (is_apart()) {
    uwrt_shadow_reserve(); /* which kernels look at */
    return;
  }
  const char *text = getenv("UNWARP_CHECK");
  for (; text && *text; text += strcspn(text, ",") + (text[strcspn(text, ",")] == ','))
    set(text, strcspn(text, ","));
  uwrt_check_begin((uint32_t)(uintptr_t)uwrt_check_linked);
  by_link = (uintptr_t)uwrt_check_linked != 0;
  uwrt_shadow_reserve();
  uwrt_check_adopt_all();
  on_exit(at_end, NULL);
  uwrt_check_watch_ends();
  uwrt_checks_begin(&checker);
}

/* Before the constructors of objects, which register variables, and of the program. */
static void begin(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, begin_once);
}

/* Modules whose objects are checked. */
enum { MOST_MODULES = 256 };
static const void *modules[MOST_MODULES];
static int module_count;
static pthread_mutex_t modules_lock = PTHREAD_MUTEX_INITIALIZER;

bool uwrt_check_is_checked(const void *address) {
  const void *module = module_at(address);
  bool is_known = false;
  pthread_mutex_lock(&modules_lock);
  for (int i = 0; module && i < module_count && !is_known; i++)
    is_known = modules[i] == module;
  pthread_mutex_unlock(&modules_lock);
  return is_known;
}

void uwrt_check_brings(uint32_t classes) {
  const void *caller = __builtin_return_address(0);
  begin();
  if (!uwrt_check_is_checked(caller)) {
    pthread_mutex_lock(&modules_lock);
    if (module_count < MOST_MODULES)
      modules[module_count++] = module_at(caller);
    pthread_mutex_unlock(&modules_lock);
  }
  uwrt_check_begin(classes);
}

/* Also of a program none of whose objects has a kernel. Else the checker waits for an object that brings classes: a library may have it for
 * no reason but that it takes all of an archive (--whole-archive), and the shared runtime has it always. */
__attribute__((constructor(101))) static void begin_where_linked(void) {
  if (is_the_one() && (uintptr_t)uwrt_check_linked)
    begin();
}
