/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Child processes and signals. No signal handler cleans up: the signals that matter are blocked from the start and taken
 * where unwarp waits for children, and ahead of each file that it reads, so cleaning up is ordinary code. A signal that
 * was ignored when unwarp started (nohup) stays ignored. LLVM's tools set handlers without asking, which remove what
 * they write and go on: they start with such signals blocked. */
#include "jobs.h"

#include "../support/files.h"
#include "report.h"
#include "temp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static sigset_t waited, original_mask, tools_mask;
static bool showing, pretending;
static const char *time_file;

static const int ending[] = {SIGINT, SIGTERM, SIGHUP};

static void take_signals(int descriptor);

void uw_jobs_begin(void) {
  /* A closed standard stream would give its descriptor to the next file that is opened. */
  for (int descriptor = 0; descriptor < 3; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0)
      open("/dev/null", O_RDWR);
  signal(SIGCHLD, SIG_DFL);
  sigemptyset(&waited);
  sigset_t ignored;
  sigemptyset(&ignored);
  sigaddset(&waited, SIGCHLD);
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++) {
    struct sigaction action;
    bool is_ignored = sigaction(ending[i], NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    sigaddset(is_ignored ? &ignored : &waited, ending[i]);
  }
  sigprocmask(SIG_BLOCK, &waited, &original_mask);
  sigorset(&tools_mask, &original_mask, &ignored);
  uw_before_reading = take_signals;
}

void uw_jobs_settings(bool show_commands, bool pretend, const char *file) {
  showing = show_commands || pretend;
  pretending = pretend;
  time_file = file;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

const char *uw_quoted_command(const uw_strings *command) {
  const char *line = "";
  for (size_t i = 0; i < command->count; i++) {
    const char *word = command->items[i], *space = i ? " " : "";
    bool plain = *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                             "_-+=./:,@%^")];
    if (plain) {
      line = uw_format("%s%s%s", line, space, word);
      continue;
    }
    const char *quoted = "'";
    for (; *word; word++)
      quoted = *word == '\'' ? uw_format("%s'\\''", quoted) : uw_format("%s%c", quoted, *word);
    line = uw_format("%s%s%s'", line, space, quoted);
  }
  return line;
}

/* A tool that crashes leaves files of its own after: ours is the folder that goes. */
static uw_strings tool_environment(void) {
  uw_strings variables = {0};
  const char *folder = uw_temp_folder();
  for (char **variable = environ; *variable; variable++)
    if (!folder || !uw_after_prefix(*variable, "TMPDIR="))
      uw_strings_add(&variables, *variable);
  if (folder)
    uw_strings_add(&variables, uw_format("TMPDIR=%s", folder));
  return variables;
}

static int spawn(uw_job *job) {
  uw_strings variables = tool_environment();
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setsigmask(&attributes, &tools_mask);
  posix_spawnattr_setpgroup(&attributes, 0);
  if (job->input_file)
    posix_spawn_file_actions_addopen(&actions, 0, job->input_file, O_RDONLY, 0);
  if (job->output_file)
    posix_spawn_file_actions_addopen(&actions, 1, job->output_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (job->error_file)
    posix_spawn_file_actions_addopen(&actions, 2, job->error_file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  int error = posix_spawn(&job->pid, job->command.items[0], &actions, &attributes, (char **)job->command.items,
                          (char **)variables.items);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

static int fork_function(uw_job *job) {
  fflush(NULL);
  job->pid = fork();
  if (job->pid < 0)
    return errno;
  if (job->pid == 0) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &tools_mask, NULL);
    int messages = job->error_file ? open(job->error_file, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666) : -1;
    if (messages >= 0) {
      dup2(messages, 2);
      close(messages);
    }
    int status = job->function(job->argument);
    /* What was written to stdout must have arrived: a full disk shows itself here. */
    if (fflush(stdout) != 0) {
      uw_report_error("cannot write to standard output: %s", strerror(errno));
      status = 1;
    }
    _exit(status);
  }
  setpgid(job->pid, job->pid);
  return 0;
}

static bool start(uw_job *job) {
  job->seconds = now();
  job->status = -1;
  int error = job->function ? fork_function(job) : spawn(job);
  if (error == 0)
    return true;
  job->pid = 0;
  return uw_report_error("cannot start '%s': %s", job->function ? job->what : job->command.items[0], strerror(error));
}

/* Takes the results of those that have ended; gives how many still run. */
static size_t reap(uw_job *jobs, size_t count) {
  size_t running = 0;
  for (size_t i = 0; i < count; i++) {
    if (!jobs[i].pid)
      continue;
    if (waitpid(jobs[i].pid, &jobs[i].status, WNOHANG) == 0) {
      running++;
      continue;
    }
    jobs[i].pid = 0;
    jobs[i].seconds = now() - jobs[i].seconds;
  }
  return running;
}

static void kill_all(const uw_job *jobs, size_t count, int signal_number) {
  for (size_t i = 0; i < count; i++)
    if (jobs[i].pid)
      kill(-jobs[i].pid, signal_number);
}

static _Noreturn void die_by(int signal_number) {
  uw_temp_clean();
  fflush(NULL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal_number);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
  sigprocmask(SIG_UNBLOCK, &one, NULL);
  _exit(128 + signal_number);
}

/* Ends by an ending signal that has come. */
static void die_if_asked(void) {
  sigset_t pending;
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
    if (sigismember(&waited, ending[i]) && sigpending(&pending) == 0 && sigismember(&pending, ending[i]))
      die_by(ending[i]);
}

static volatile sig_atomic_t interrupted_by;
static void note_interruption(int signal_number) { interrupted_by = signal_number; }

/* Waits until there is something to read. Ending signals interrupt that, and nothing else. */
static void take_signals(int descriptor) {
  struct pollfd poll_for = {.fd = descriptor, .events = POLLIN};
  struct sigaction action = {.sa_handler = note_interruption}, before[sizeof ending / sizeof ending[0]];
  die_if_asked();
  if (poll(&poll_for, 1, 0) != 0) /* as regular files always are */
    return;
  sigset_t mask = tools_mask;
  sigaddset(&mask, SIGCHLD);
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
    if (sigismember(&waited, ending[i])) {
      sigdelset(&mask, ending[i]);
      sigaction(ending[i], &action, &before[i]);
    }
  while (ppoll(&poll_for, 1, NULL, &mask) < 0 && errno == EINTR && !interrupted_by)
    ;
  for (size_t i = 0; i < sizeof ending / sizeof ending[0]; i++)
    if (sigismember(&waited, ending[i]))
      sigaction(ending[i], &before[i], NULL);
  if (interrupted_by)
    die_by(interrupted_by);
}

/* The children first get the chance to end in their own way, then not. */
static _Noreturn void interrupt(uw_job *jobs, size_t count, int signal_number) {
  kill_all(jobs, count, SIGTERM);
  double deadline = now() + 2;
  while (reap(jobs, count) && now() < deadline)
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  kill_all(jobs, count, SIGKILL);
  while (reap(jobs, count))
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  die_by(signal_number);
}

static void record_times(const uw_job *jobs, size_t count) {
  if (!time_file)
    return;
  FILE *file = strcmp(time_file, "-") == 0 ? stdout : fopen(time_file, "a");
  if (!file) {
    uw_report_warning("cannot write '%s': %s", time_file, strerror(errno));
    return;
  }
  for (size_t i = 0; i < count; i++)
    fprintf(file, "%s, %.1f ms\n", jobs[i].what, jobs[i].seconds * 1e3);
  if (file == stdout)
    fflush(file);
  else
    fclose(file);
}

/* Results and objects between quotation marks, as nvcc has them: configure scripts take what follows for the
 * libraries. */
static const char *shown_command(const uw_strings *command) {
  const char *line = "";
  for (size_t i = 0; i < command->count; i++) {
    const char *word = command->items[i];
    uw_strings alone = {&word, 1, 1};
    const char *quoted = uw_quoted_command(&alone);
    size_t length = strlen(word);
    bool is_file = (i && strcmp(command->items[i - 1], "-o") == 0) ||
                   (*word != '-' && length > 2 && strcmp(word + length - 2, ".o") == 0);
    line = uw_format(is_file && *quoted != '\'' ? "%s%s\"%s\"" : "%s%s%s", line, i ? " " : "", quoted);
  }
  return line;
}

/* Whether a job has said what ends all of them. */
static bool is_at_end(const uw_job *job, bool whole) {
  const char *messages = job->ends_at && job->error_file ? uw_read_file(job->error_file) : NULL;
  return messages && job->ends_at(messages, whole);
}

static bool any_is_at_end(const uw_job *jobs, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (is_at_end(&jobs[i], !jobs[i].pid))
      return true;
  return false;
}

/* Of jobs that were ended: the ones that said what ends them have failed, the others have not. Either way messages are
 * the same as if they had run to their end. */
static void settle_ends(uw_job *jobs, size_t count, bool ended) {
  for (size_t i = 0; i < count; i++) {
    uw_job *job = &jobs[i];
    if (!job->ends_at || !uw_job_failed(job) || job->status == -1)
      continue;
    bool killed = ended && WIFSIGNALED(job->status) && WTERMSIG(job->status) == SIGKILL;
    if (is_at_end(job, true)) {
      job->status = 1 << 8;
      if (truncate(job->error_file, (off_t)job->ends_at(uw_read_file(job->error_file), true)) != 0)
        uw_report_warning("cannot write '%s': %s", job->error_file, strerror(errno));
    } else if (killed) {
      job->status = 0;
    }
  }
}

/* The next signal; none within a moment, where jobs may say what ends them. */
static int wait_for_signal(const uw_job *jobs, size_t count, siginfo_t *info) {
  bool watched = false;
  for (size_t i = 0; i < count; i++)
    watched |= jobs[i].ends_at != NULL;
  return watched ? sigtimedwait(&waited, info, &(struct timespec){.tv_nsec = 30000000}) : sigwaitinfo(&waited, info);
}

bool uw_jobs_run(uw_job *jobs, size_t count) {
  for (size_t i = 0; showing && i < count; i++)
    fputs(jobs[i].function ? uw_format("#$ : %s, in this program\n", jobs[i].what)
                           : uw_format("#$ %s%s%s\n", shown_command(&jobs[i].command), jobs[i].input_file ? " < " : "",
                                       jobs[i].input_file ? jobs[i].input_file : ""),
          stderr);
  if (pretending)
    return true;
  bool good = true;
  for (size_t i = 0; i < count; i++)
    good &= start(&jobs[i]);
  bool at_end = false, ended = false;
  while (reap(jobs, count)) {
    siginfo_t info;
    int taken = wait_for_signal(jobs, count, &info);
    if (taken > 0 && taken != SIGCHLD)
      interrupt(jobs, count, taken);
    if (at_end && !ended) { /* a moment later, so that the other side may have said it, too */
      kill_all(jobs, count, SIGKILL);
      ended = true;
    }
    at_end = at_end || any_is_at_end(jobs, count);
  }
  settle_ends(jobs, count, ended);
  die_if_asked();
  record_times(jobs, count);
  for (size_t i = 0; i < count; i++)
    good &= !uw_job_failed(&jobs[i]);
  return good;
}

bool uw_job_failed(const uw_job *job) { return !(WIFEXITED(job->status) && WEXITSTATUS(job->status) == 0); }

int uw_job_signal(const uw_job *job) {
  if (job->status == -1)
    return 0;
  if (WIFSIGNALED(job->status))
    return WTERMSIG(job->status);
  return WIFEXITED(job->status) && WEXITSTATUS(job->status) > 128 ? WEXITSTATUS(job->status) - 128 : 0;
}

/* The terminal sends its signals to the program as well, as both are in the foreground; a `kill` reaches unwarp alone
 * and is handed on. Either way the program decides what happens. */
_Noreturn void uw_run_and_exit(const char *path, const uw_strings *arguments) {
  uw_strings command = {0};
  uw_strings_add(&command, path);
  uw_strings_add_all(&command, arguments);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &original_mask);
  fflush(NULL);
  pid_t pid;
  int error = posix_spawn(&pid, path, NULL, &attributes, (char **)command.items, environ), status;
  if (error) {
    uw_report_error("cannot run '%s': %s", path, strerror(error));
    exit(1);
  }
  sigset_t also = waited;
  sigaddset(&also, SIGQUIT);
  sigprocmask(SIG_BLOCK, &also, NULL);
  while (waitpid(pid, &status, WNOHANG) == 0) {
    siginfo_t info;
    int taken = sigwaitinfo(&also, &info);
    if (taken > 0 && taken != SIGCHLD && info.si_code <= 0)
      kill(pid, taken);
  }
  if (WIFSIGNALED(status)) {
    /* The program has left its core file if there is to be one. */
    prctl(PR_SET_DUMPABLE, 0);
    die_by(WTERMSIG(status));
  }
  exit(WEXITSTATUS(status));
}
