/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * clang's messages, once. The text is cut into blocks: a block is a message ("file:line:col: error: ..."), with the
 * "In file included from" lines before it and the source lines and notes after it. A block of the second side whose
 * first message line the first side had too is left out. clang's count at the end is made anew, and messages of the
 * clang driver itself go by unwarp's name. */
#include "diagnostics.h"

#include "../support/files.h"
#include "forgotten.h"
#include "gaps.h"
#include "host_in_kernel.h"
#include "packages.h"
#include "report.h"
#include "slips.h"
#include "temp.h"
#include "toolchain.h"
#include "users_lines.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

typedef struct listing {
  uw_strings seen;         /* the message lines shown so far */
  size_t warnings, errors; /* in the source */
  bool own_error;          /* one that goes by unwarp's name */
} listing;

/* What a tool said. */
static const char *messages_of(const uw_job *job) {
  const char *text = job->error_file ? uw_read_file(job->error_file) : NULL;
  return text ? text : "";
}

char *uw_without_colours(const char *line) {
  char *copy = uw_copy_text(line, strlen(line)), *to = copy;
  for (const char *from = copy; *from;)
    if (from[0] == 033 && from[1] == '[') {
      from += 2;
      while (*from && !(*from >= '@' && *from <= '~'))
        from++;
      from += *from != 0;
    } else {
      *to++ = *from++;
    }
  *to = 0;
  return copy;
}

typedef enum { LINE_OTHER, LINE_PRELUDE, LINE_ERROR, LINE_WARNING, LINE_COUNT } line_kind;

bool uw_is_count(const char *line) {
  size_t digits = strspn(line, "0123456789");
  return digits && (uw_after_prefix(line + digits, " warning") || uw_after_prefix(line + digits, " error")) &&
         strstr(line, " generated");
}

static line_kind classify(const char *line) {
  if (uw_after_prefix(line, "In file included from ") || uw_after_prefix(line, "                 from "))
    return LINE_PRELUDE;
  if (uw_is_count(line))
    return LINE_COUNT;
  if (line[0] == ' ')
    return LINE_OTHER;
  if (strstr(line, ": error: ") || strstr(line, ": fatal error: ") || uw_after_prefix(line, "error: ") ||
      uw_after_prefix(line, "fatal error: "))
    return LINE_ERROR;
  if (strstr(line, ": warning: ") || strstr(line, ": remark: ") || uw_after_prefix(line, "warning: "))
    return LINE_WARNING;
  return LINE_OTHER;
}

/* "clang++-22: error: unknown argument: '-x'" and "error: ..." become unwarp's own messages; null for others. */
static const char *in_our_name(const char *text) {
  const char *message = NULL, *colon = strstr(text, ": error: ");
  if (uw_after_prefix(text, "error: "))
    message = text + strlen("error: ");
  else if (colon && uw_after_prefix(text, "clang") && !memchr(text, '/', (size_t)(colon - text)) &&
           !memchr(text, ' ', (size_t)(colon - text)))
    message = colon + strlen(": error: ");
  if (!message)
    return NULL;
  const char *unknown = uw_after_prefix(message, "unknown argument");
  if (unknown)
    return uw_format("unwarp: error: unknown option%s", unknown + (*unknown == ':'));
  return uw_format("unwarp: error: %s", message);
}

/* A linker misses a symbol of SYCL's part of the runtime, of which there are a dozen: one note says what is missing
 * (forgotten.c). */
static bool misses_sycl(const char *line) {
  static const char *const before[] = {"undefined symbol: ", "undefined reference to `", "undefined references to `"};
  for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
    const char *at = strstr(line, before[i]);
    if (at && uw_is_of_sycl(at + strlen(before[i])))
      return true;
  }
  return false;
}

/* Where clang speaks of a GPU that is not there. */
static const char *in_our_words(const char *line) {
  static const char *const theirs[] = {
      "requires 128 bit size 'long double' type support, but target 'nvptx64-nvidia-cuda' does not support it",
      "requires 128 bit size 'const long double' type support, but target 'nvptx64-nvidia-cuda' does not support it"};
  for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
    const char *at = strstr(line, theirs[i]);
    if (at)
      return uw_format("%.*sis of type long double, with which device code cannot compute; use double there%s",
                       (int)(at - line), line, at + strlen(theirs[i]));
  }
  return line;
}

/* What clang says of a GPU that is not there, and that no program's meaning depends on: the blocks of a cluster that a
 * kernel is for at most (the third of __launch_bounds__) are a hint. */
static bool is_of_a_gpu(const char *line) {
  return strstr(line, "warning: maxclusterrank requires sm_90 or higher") != NULL;
}

/* clang tells all errors, for what another form of the source may settle. Where the user set no limit, he is shown as
 * many as clang would have told. */
static size_t most_errors(const uw_job *job) {
  size_t limits = 0;
  for (size_t i = 0; i < job->command.count; i++)
    limits += uw_after_prefix(job->command.items[i], "-ferror-limit=") != NULL;
  return limits == 1 ? 20 : (size_t)-1;
}

static void show(listing *list, const uw_job *job) {
  uw_strings lines = {0};
  uw_strings_add_split(&lines, messages_of(job), '\n');
  if (job->own_headers)
    lines = uw_host_in_kernel(&lines);
  if (job->own_headers)
    lines = uw_users_lines(&lines, job->own_headers);
  const char *prelude = "";
  bool showing = true;
  size_t most = most_errors(job);
  for (size_t i = 0; i < lines.count; i++) {
    const char *line = lines.items[i], *bare = uw_without_colours(line);
    line_kind kind = classify(bare);
    if (kind == LINE_COUNT || (kind == LINE_WARNING && uw_is_unknown_warning(bare)))
      continue;
    if (kind == LINE_PRELUDE) {
      prelude = uw_format("%s%s\n", prelude, line);
      continue;
    }
    if (misses_sycl(bare)) {
      showing = kind != LINE_ERROR; /* GNU's linker has each in a line of its own */
      continue;
    }
    if (kind == LINE_WARNING && is_of_a_gpu(bare)) {
      showing = false;
      prelude = "";
      continue;
    }
    const char *own = in_our_name(bare);
    if (kind == LINE_ERROR && list->errors == most) {
      fputs("fatal error: too many errors emitted, stopping now [-ferror-limit=]\n", stderr);
      return;
    }
    if (kind == LINE_ERROR || kind == LINE_WARNING) {
      showing = !uw_strings_contains(&list->seen, bare);
      if (showing) {
        uw_strings_add(&list->seen, bare);
        list->errors += kind == LINE_ERROR && !own;
        list->warnings += kind == LINE_WARNING;
        list->own_error |= own != NULL;
      }
    }
    if (showing)
      fputs(uw_format("%s%s%s\n", prelude, own ? own : in_our_words(line),
                      kind == LINE_ERROR || own || strstr(bare, ": cannot find -l")
                          ? uw_suggestion(own ? own : bare, messages_of(job))
                          : ""),
            stderr);
    prelude = "";
  }
}

static const char *counted(size_t count, const char *word) {
  return count ? uw_format("%zu %s%s", count, word, count > 1 ? "s" : "") : "";
}

static void show_count(const listing *list) {
  const char *warnings = counted(list->warnings, "warning"), *errors = counted(list->errors, "error");
  if (*warnings || *errors)
    fprintf(stderr, "%s%s%s generated.\n", warnings, *warnings && *errors ? " and " : "", errors);
}

static bool has_linker(void) { return uw_find_program("ld") || uw_find_program("/usr/bin/ld"); }

/* Packages that a failure points to: the text to look for, and whether the package is there. */
static void hint_packages(const char *text) {
  static const struct {
    const char *text, *missing;
    bool (*is_there)(void);
    uw_need need;
  } hints[] = {
      {"file not found", "the C++ library's headers are", uw_has_cxx_library, UW_NEED_CXX_LIBRARY},
      {"file not found", "the C library's headers are", uw_has_c_library, UW_NEED_C_LIBRARY},
      {"crt1.o", "the C library's start files are", uw_has_c_library, UW_NEED_C_LIBRARY},
      {"stdc++", "the C++ library is", uw_has_cxx_library, UW_NEED_CXX_LIBRARY},
      {"unable to execute command", "the linker is", has_linker, UW_NEED_BINUTILS},
  };
  for (size_t i = 0; i < sizeof hints / sizeof hints[0]; i++)
    if (strstr(text, hints[i].text) && !hints[i].is_there()) {
      uw_report_note("%s missing; %s", hints[i].missing, uw_how_to_install(hints[i].need));
      return;
    }
}

/* A link of a file that has no main: the linker names the C library's start files, which are not what is missing. */
static void hint_main(const char *text) {
  if (strstr(text, "undefined symbol: main\n") || strstr(text, "undefined reference to `main'"))
    uw_report_note("a program needs a function main: -c compiles a file without one, -shared links a library");
}

static void report_crash(const uw_job *job, const char *text) {
  fputs(text, stderr);
  uw_report_error("%s crashed (%s) while %s: a bug in that program, not in the source", job->command.items[0],
                  strsignal(uw_job_signal(job)), job->what);
  uw_report_note("this command shows it%s: %s",
                 strstr(uw_quoted_command(&job->command), "/unwarp-") ? " (with --keep its files stay)" : "",
                 uw_quoted_command(&job->command));
}

/* Less than `room` bytes are free beside this file. */
static bool disk_is_full(const char *path, unsigned long room) {
  struct statvfs status;
  const char *slash = path ? strrchr(path, '/') : NULL;
  const char *folder = slash ? uw_copy_text(path, (size_t)(slash - path) + 1) : ".";
  return path && statvfs(folder, &status) == 0 && status.f_bavail * status.f_frsize < room;
}

/* A full disk makes tools say all sorts of things, stack dumps among them: one line says it better. lld writes through
 * a memory map, where a full disk is a bus error, and is gone when we look. What tools say is on disk itself. */
static bool report_full_disk(const uw_job *job, const char *text) {
  enum { NONE = 4096, FEW = 64 << 20 };
  bool bus_error = strstr(text, strsignal(SIGBUS)) && disk_is_full(job->result_file, FEW);
  bool unsaid = disk_is_full(job->error_file, NONE);
  if (!bus_error && !unsaid && !strstr(text, strerror(ENOSPC)))
    return false;
  uw_report_full_disk(job->what, "");
  return true;
}

static void show_failure(const uw_job *job, const char *text, bool count) {
  if (report_full_disk(job, text))
    return;
  if (uw_job_signal(job) == SIGPIPE) /* whoever reads our output has closed it: no failure of anybody's */
    return;
  if (uw_job_signal(job)) {
    report_crash(job, text);
    return;
  }
  listing list = {0};
  show(&list, job);
  if (!list.errors && !list.own_error)
    uw_report_error("%s failed while %s", job->command.items[0], job->what);
  else if (count)
    show_count(&list);
  hint_packages(text);
  hint_main(text);
  uw_note_gaps(text, uw_strings_contains(&job->command, "-fsycl"));
}

const char *uw_said(const uw_job *job) { return uw_without_colours(messages_of(job)); }

/* A line of the source that a message shows: "   12 | #  error this". */
static bool shows_error_directive(const char *line) {
  const char *text = *line == ' ' ? strstr(line, " | ") : NULL;
  text = text ? text + strlen(" | ") : "";
  text += strspn(text, " \t");
  const char *word = *text == '#' ? text + 1 + strspn(text + 1, " \t") : "";
  return uw_after_prefix(word, "error");
}

size_t uw_end_of_final(const char *messages, bool whole) {
  int missing = 0; /* lines of the message that is the last one */
  bool found = false, in_error = false;
  for (const char *line = messages, *end; (end = strchr(line, '\n')); line = end + 1) {
    const char *bare = uw_without_colours(uw_copy_text(line, (size_t)(end - line)));
    line_kind kind = classify(bare);
    if (found && *bare != ' ')
      return (size_t)(line - messages);
    in_error = kind == LINE_ERROR || (in_error && kind == LINE_OTHER && *bare == ' ');
    bool header = kind == LINE_ERROR && strstr(bare, "' file not found");
    if (found)
      missing--;
    else if ((found = header || (in_error && shows_error_directive(bare))))
      missing = header ? 2 : 1;
    if (found && missing == 0)
      return (size_t)(end + 1 - messages);
  }
  return found && whole ? strlen(messages) : 0;
}

void uw_show_front_ends(const uw_job *host, const uw_job *device) {
  const uw_job *failed = uw_job_failed(host) ? host : uw_job_failed(device) ? device : NULL;
  if (failed && uw_job_failed(device) && uw_job_signal(device))
    failed = device;
  if (failed) {
    if (failed->status != -1)
      show_failure(failed, messages_of(failed), true);
    return;
  }
  listing list = {0};
  show(&list, host);
  show(&list, device);
  show_count(&list);
}

void uw_show_tool(const uw_job *job, bool count) {
  const char *text = messages_of(job);
  if (job->status == -1)
    return;
  if (uw_job_failed(job)) {
    show_failure(job, text, count);
    return;
  }
  listing list = {0};
  show(&list, job);
  if (count)
    show_count(&list);
}
