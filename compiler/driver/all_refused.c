/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * One compile names all kernels that are refused. What is not supported is met in many places on the way from clang's
 * module to code, and the first of them ends the compile. So after a failure each kernel is compiled alone, the others
 * doing nothing, and what is said then and was not said yet is shown: as long as that takes little time. */
#include "all_refused.h"

#include "../support/files.h"
#include "jobs.h"
#include "temp.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_KERNELS = 200, MOST_SECONDS = 20, AT_ONCE = 2 };

static int compile_in_child(const void *unit) { return uw_compile_unit(unit); }

static bool is_error(const char *line) { return uw_after_prefix(line, "error: ") || strstr(line, ": error: "); }

/* The errors of a text, each with the lines after it; what else was said, warnings, was said before. */
static void add_errors(uw_strings *errors, const char *text) {
  uw_strings lines = {0};
  uw_strings_add_split(&lines, text, '\n');
  const char *error = NULL;
  for (size_t i = 0; i < lines.count; i++) {
    const char *line = lines.items[i];
    bool starts = is_error(line);
    if (error && (starts || strstr(line, "warning: ") || strstr(line, "remark: "))) {
      uw_strings_add(errors, error);
      error = NULL;
    }
    if (starts)
      error = uw_format("%s\n", line);
    else if (error)
      error = uw_format("%s%s\n", error, line);
  }
  if (error)
    uw_strings_add(errors, error);
}

static void show_new(uw_strings *shown, const char *text) {
  uw_strings errors = {0};
  add_errors(&errors, text);
  for (size_t i = 0; i < errors.count; i++)
    if (!uw_strings_contains(shown, errors.items[i])) {
      uw_strings_add(shown, errors.items[i]);
      fputs(errors.items[i], stderr);
    }
}

/* Compiles some kernels side by side. False where there are no more. */
static bool try_kernels(const uw_unit *whole, size_t first, uw_strings *shown) {
  uw_unit units[AT_ONCE];
  uw_job jobs[AT_ONCE];
  for (size_t i = 0; i < AT_ONCE; i++) {
    units[i] = *whole;
    units[i].only_kernel = first + i;
    units[i].print_after = (uw_strings){0};
    units[i].print_after_all = units[i].time_passes = units[i].pass_statistics = false;
    units[i].bisect = NULL;
    units[i].remarks = NULL;
    units[i].levels = 0;
    jobs[i] = (uw_job){
        .what = uw_format("looking at kernel %zu", first + i), .function = compile_in_child, .argument = &units[i]};
    if (!(jobs[i].error_file = uw_temp_path("kernel.messages")) || !(units[i].output = uw_temp_path("kernel.result")))
      return false;
  }
  uw_jobs_run(jobs, AT_ONCE);
  bool more = true;
  for (size_t i = 0; i < AT_ONCE; i++) {
    int status = jobs[i].status;
    more &= status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == UW_NO_SUCH_KERNEL);
    const char *said = status != -1 && WIFEXITED(status) ? uw_read_file(jobs[i].error_file) : NULL;
    if (said)
      show_new(shown, said);
  }
  return more;
}

void uw_show_all_refused(const uw_unit *unit, const char *said) {
  uw_strings shown = {0};
  add_errors(&shown, said ? said : "");
  if (!shown.count)
    return;
  time_t end = time(NULL) + MOST_SECONDS;
  for (size_t first = 1; first <= MOST_KERNELS && time(NULL) < end; first += AT_ONCE)
    if (!try_kernels(unit, first, &shown))
      return;
}
