/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The installed compiler as a child: source and headers go into a folder of their own, `unwarp -cubin` makes a module
 * image of them, what it says is the log. It is $UNWARP, or the one of the tool kit that this library is in. Each call has
 * its own folder and its own child; what several ask for at the same time, in one process or in several, is compiled by
 * the first of them.
 */
#define _GNU_SOURCE
#include "jit.h"
#include "leftovers.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../runtime/module_image.h"

extern char **environ;

/* --- where it is -------------------------------------------------------------------------------------------------- */

static int find_compiler(char path[PATH_MAX]) {
  static const char *const places[] = {"/../bin/unwarp", "/../bin/nvcc", "/../../bin/unwarp"};
  const char *named = getenv("UNWARP");
  char here[PATH_MAX];
  Dl_info info;
  if (named && *named)
    return realpath(named, path) && access(path, X_OK) == 0;
  if (!dladdr((void *)find_compiler, &info) || !info.dli_fname || !realpath(info.dli_fname, here))
    return 0;
  char *slash = strrchr(here, '/');
  for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
    if ((size_t)(slash - here) + strlen(places[i]) >= sizeof here)
      return 0;
    strcpy(slash, places[i]);
    if (realpath(here, path) && access(path, X_OK) == 0)
      return 1;
  }
  return 0;
}

/* --- the key ------------------------------------------------------------------------------------------------------ */

static int add_text(uwjit_bytes *key, const void *text, size_t bytes) {
  return uwjit_append(key, &bytes, sizeof bytes) && uwjit_append(key, text, bytes);
}

/* What this processor can do, or is to do, which -march=native means. */
static __attribute__((noinline)) int add_processor(uwjit_bytes *key) {
  FILE *file = fopen("/proc/cpuinfo", "re");
  const char *named = getenv("UNWARP_MARCH");
  char line[8192];
  int good = file != NULL && (!named || add_text(key, named, strlen(named))), found = 0;
  while (good && found < 2 && fgets(line, sizeof line, file))
    if (strncmp(line, "model name", 10) == 0 || strncmp(line, "flags", 5) == 0 || strncmp(line, "Features", 8) == 0) {
      good = add_text(key, line, strlen(line));
      found++;
    }
  if (file)
    fclose(file);
  return good;
}

static int is_older(const struct stat *one, const struct stat *than) {
  return one->st_mtim.tv_sec != than->st_mtim.tv_sec ? one->st_mtim.tv_sec < than->st_mtim.tv_sec
                                                     : one->st_mtim.tv_nsec < than->st_mtim.tv_nsec;
}

/* The identifier that the build gave to the compiler and what it reads of its own (toolkit.mk), which is that of their
 * contents: the same wherever they lie. Not where one of them was made again since. */
static int add_number(uwjit_bytes *key, const char *compiler, const struct stat *status) {
  static const char *const places[] = {"/../lib64", "/../lib/unwarp/lib64"};
  char path[PATH_MAX], number[80];
  const char *slash = strrchr(compiler, '/');
  for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
    struct stat own, device;
    int length = snprintf(path, sizeof path, "%.*s%s/unwarp.id", (int)(slash - compiler), compiler, places[i]);
    if (length >= (int)sizeof path - 8)
      return 0;
    FILE *file = fopen(path, "re");
    int good = file && fstat(fileno(file), &own) == 0 && fgets(number, sizeof number, file);
    if (file)
      fclose(file);
    strcpy(path + length - (int)strlen("unwarp.id"), "libdevice.bc");
    if (good && stat(path, &device) == 0 && !is_older(&own, status) && !is_older(&own, &device))
      return add_text(key, number, strlen(number));
  }
  return 0;
}

static __attribute__((noinline)) int add_compiler(uwjit_bytes *key, const char *compiler) {
  struct stat status;
  char stamp[PATH_MAX + 100];
  if (stat(compiler, &status) != 0)
    return 0;
  if (add_number(key, compiler, &status))
    return 1;
  snprintf(stamp, sizeof stamp, "%s %lld %lld.%09ld", compiler, (long long)status.st_size,
           (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  return add_text(key, stamp, strlen(stamp));
}

static __attribute__((noinline)) int make_key(uwjit_bytes *key, const uwjit_request *request, const char *compiler) {
  int good = add_compiler(key, compiler) && add_processor(key) && add_text(key, &request->form, sizeof request->form);
  for (size_t i = 0; i < request->source_count && good; i++)
    good = add_text(key, request->sources[i].name, strlen(request->sources[i].name)) &&
           add_text(key, request->sources[i].text, request->sources[i].bytes);
  for (size_t i = 0; i < request->header_count && good; i++)
    good = add_text(key, request->headers[i].name, strlen(request->headers[i].name)) &&
           add_text(key, request->headers[i].text, request->headers[i].bytes);
  for (size_t i = 0; i < request->option_count && good; i++)
    good = add_text(key, request->options[i], strlen(request->options[i]));
  return good;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static __attribute__((noinline)) int write_file(const char *folder, const uwjit_file *from) {
  char path[PATH_MAX];
  if (!*from->name || from->name[0] == '/' || strstr(from->name, "..") ||
      (size_t)snprintf(path, sizeof path, "%s/%s", folder, from->name) >= sizeof path)
    return 0;
  for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  FILE *file = fopen(path, "wxe");
  if (!file)
    return 0;
  int good = fwrite(from->text, 1, from->bytes, file) == from->bytes;
  return fclose(file) == 0 && good;
}

static __attribute__((noinline)) int read_file(const char *folder, const char *name, uwjit_bytes *to) {
  char path[PATH_MAX], part[1024];
  size_t got;
  *to = (uwjit_bytes){0};
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  int good = file && uwjit_append(to, "", 0);
  while (good && (got = fread(part, 1, sizeof part, file)) > 0)
    good = uwjit_append(to, part, got);
  if (file)
    fclose(file);
  return good;
}

/* The folder's name in what is said to the user is an accident. */
static void hide_folder(char *log, const char *folder) {
  size_t length = strlen(folder);
  for (char *at = log; (at = strstr(at, folder));) {
    size_t drop = length + (at[length] == '/');
    memmove(at, at + drop, strlen(at + drop) + 1);
  }
}

/* --- the child ---------------------------------------------------------------------------------------------------- */

/* PTX and NVVM IR depend on no other files. */
static int reads_headers(const uwjit_request *request) {
  const char *dot = strrchr(request->sources[0].name, '.');
  return dot && strcmp(dot, ".cu") == 0;
}

static int is_good(const uwjit_request *request, const uwjit_bytes *result) {
  return request->form == UWJIT_MODULE ? uwrt_image_is_good(result->data, result->count) : result->count > 0;
}

/* Of one call; the caller's stack may be small. */
typedef struct paths {
  char result[PATH_MAX], listed[PATH_MAX], said[PATH_MAX], include[PATH_MAX + 3];
  char sources[][PATH_MAX];
} paths;

/* The environment without options for nvcc, which are for what a program's build compiles, not for what the program
 * does. Null: no memory. */
static char **own_environment(void) {
  static const char *const left_out[] = {"NVCC_PREPEND_FLAGS=", "NVCC_APPEND_FLAGS="};
  size_t count = 0, kept = 0;
  while (environ[count])
    count++;
  char **own = malloc((count + 1) * sizeof *own);
  for (size_t i = 0; own && i <= count; i++) {
    int drops = 0;
    for (size_t k = 0; environ[i] && k < sizeof left_out / sizeof *left_out; k++)
      drops |= strncmp(environ[i], left_out[k], strlen(left_out[k])) == 0;
    if (!drops)
      own[kept++] = environ[i];
  }
  return own;
}

static int spawn(const char *compiler, const char *const *command, const char *said, int *status) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none;
  sigemptyset(&none);
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, said, O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, said, O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&attributes, &none);
  pid_t pid, ended = 0;
  char **environment = own_environment();
  int started = environment && posix_spawn(&pid, compiler, &actions, &attributes, (char **)command, environment) == 0;
  free(environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  while (started && (ended = waitpid(pid, status, 0)) < 0 && errno == EINTR)
    ;
  /* A program may have taken the child's end for one of its own: then the result tells. */
  if (ended < 0)
    *status = -1;
  return started;
}

static int run(const char *compiler, const char *folder, const uwjit_request *request) {
  static const char *const forms[] = {"-cubin", "-ptx", "-ltoir"};
  const char **command = calloc(request->option_count + request->source_count + 16, sizeof *command);
  paths *of = malloc(sizeof *of + request->source_count * sizeof *of->sources);
  int good = command && of, status = -1;
  size_t count = 0;
  if (!good)
    goto out;
  snprintf(of->result, sizeof of->result, "%s/result", folder);
  snprintf(of->listed, sizeof of->listed, "%s/listed", folder);
  snprintf(of->said, sizeof of->said, "%s/said", folder);
  snprintf(of->include, sizeof of->include, "-I%s/headers", folder);
  command[count++] = compiler;
  command[count++] = forms[request->form];
  command[count++] = of->include;
  for (size_t i = 0; i < request->option_count; i++)
    command[count++] = request->options[i];
  if (reads_headers(request)) {
    command[count++] = "-MD";
    command[count++] = "-MF";
    command[count++] = of->listed;
  }
  command[count++] = "-o";
  command[count++] = of->result;
  for (size_t i = 0; i < request->source_count; i++) {
    snprintf(of->sources[i], sizeof of->sources[i], "%s/source/%s", folder, request->sources[i].name);
    command[count++] = of->sources[i];
  }
  good = spawn(compiler, command, of->said, &status) &&
         (status == -1 ? access(of->result, R_OK) == 0 : WIFEXITED(status) && WEXITSTATUS(status) == 0);
out:
  free(command);
  free(of);
  return good;
}

/* The files outside of our folder that the compile read, off what a Makefile would be told: `result: file file \`. */
static size_t listed_files(char *text, const char *folder, const char **files, size_t most) {
  size_t count = 0, length = strlen(folder);
  char *at = strstr(text, ": ");
  for (at = at ? at + 2 : text + strlen(text); *at;) {
    at += strspn(at, " \\\n");
    char *end = at;
    while (*end && *end != '\n' && !(*end == ' ' && end > at && end[-1] != '\\'))
      end++;
    int last = !*end;
    *end = 0;
    char *to = at; /* blanks are written `\ ` */
    for (char *from = at; *from; from++)
      if (!(from[0] == '\\' && from[1] == ' '))
        *to++ = *from;
    *to = 0;
    if (*at && strncmp(at, folder, length) != 0 && count < most)
      files[count++] = at;
    at = last ? end : end + 1;
  }
  return count;
}

/* Where one compile works; the caller's stack may be small. */
typedef struct places {
  char folder[PATH_MAX - 300], part[PATH_MAX];
} places;

static void compile_in(places *at, const char *compiler, const uwjit_request *request, const uwjit_bytes *key,
                       uwjit_result *result) {
  enum { MOST_FILES = 4096 };
  const char *tmp = getenv("TMPDIR");
  uwjit_bytes log = {0}, image = {0}, listed = {0};
  result->state = UWJIT_NO_ROOM;
  int length = snprintf(at->folder, sizeof at->folder, "%s/unwarp-jit-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
  int lock = length < 0 || (size_t)length >= sizeof at->folder ? -1 : uwjit_own_folder(at->folder);
  if (lock < 0)
    return;
  int good = 1;
  snprintf(at->part, sizeof at->part, "%s/headers", at->folder);
  good &= mkdir(at->part, 0700) == 0;
  for (size_t i = 0; i < request->header_count; i++)
    good &= write_file(at->part, &request->headers[i]);
  snprintf(at->part, sizeof at->part, "%s/source", at->folder);
  good &= mkdir(at->part, 0700) == 0;
  for (size_t i = 0; i < request->source_count; i++)
    good &= write_file(at->part, &request->sources[i]);
  if (good) {
    int compiled = run(compiler, at->folder, request);
    read_file(at->folder, "said", &log);
    if (log.data) {
      snprintf(at->part, sizeof at->part, "%s/source", at->folder);
      hide_folder(log.data, at->part);
      snprintf(at->part, sizeof at->part, "%s/headers", at->folder);
      hide_folder(log.data, at->part);
      hide_folder(log.data, at->folder);
      result->log = log.data;
    }
    result->state = UWJIT_REFUSED;
    if (compiled && read_file(at->folder, "result", &image) && is_good(request, &image)) {
      result->state = UWJIT_DONE;
      result->image = image.data;
      result->bytes = image.count;
      static const char *none[1];
      const char **files = calloc(MOST_FILES, sizeof *files);
      if (!reads_headers(request)) {
        uwjit_cache_keep(key, none, 0, image.data, image.count);
      } else if (files && read_file(at->folder, "listed", &listed)) {
        size_t count = listed_files(listed.data, at->folder, files, MOST_FILES);
        if (count < MOST_FILES)
          uwjit_cache_keep(key, count ? files : none, count, image.data, image.count);
      }
      free(files);
      free(listed.data);
    } else {
      free(image.data);
    }
  }
  uwjit_remove_folder(at->folder);
  close(lock);
}

static void compile(const char *compiler, const uwjit_request *request, const uwjit_bytes *key, uwjit_result *result) {
  places *at = malloc(sizeof *at);
  result->state = UWJIT_NO_ROOM;
  if (at)
    compile_in(at, compiler, request, key, result);
  free(at);
}

/* --- what the user sees ------------------------------------------------------------------------------------------- */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The runtime's, where there is one in the process (runtime/driver.h): NVRTC needs none. */
void uwrt_trace_compiled(int cached, uint64_t nanoseconds) __attribute__((weak));

/* UNWARP_TRACE=1 has lines for launches; these are among them. A compile that is felt is said in
 * any case; one that was refused has its own message, and is in no cache. */
static void tell(const uwjit_request *request, const uwjit_result *result, double seconds) {
  static const char *const ons[] = {"1", "true", "yes", "on"};
  const double FELT = 2;
  const char *wanted = getenv("UNWARP_TRACE");
  int traces = 0;
  size_t bytes = 0;
  for (size_t i = 0; wanted && i < sizeof ons / sizeof *ons; i++)
    traces |= strcasecmp(wanted, ons[i]) == 0;
  for (size_t i = 0; i < request->source_count; i++)
    bytes += request->sources[i].bytes;
  const char *name = request->sources[0].name, *more = request->source_count > 1 ? " and others" : "";
  if (traces && result->cached)
    fprintf(stderr, "unwarp: %s%s, %zu bytes: compiled before, read from the cache in %.1f ms\n", name, more, bytes,
            seconds * 1e3);
  else if (traces)
    fprintf(stderr, "unwarp: %s%s, %zu bytes: %s in %.1f ms\n", name, more, bytes,
            result->state == UWJIT_DONE ? "compiled" : "not compiled", seconds * 1e3);
  else if (result->state == UWJIT_DONE && !result->cached && seconds > FELT)
    fprintf(stderr, "unwarp: compiling %s%s (%zu bytes) took %.1f s; the next run finds it in the cache\n", name, more,
            bytes, seconds);
}

static int find_kept(const uwjit_request *request, const uwjit_bytes *key, uwjit_result *result) {
  uwjit_bytes found;
  if (!uwjit_cache_find(key, &found))
    return 0;
  if (!is_good(request, &found)) {
    free(found.data);
    return 0;
  }
  result->state = UWJIT_DONE;
  result->image = found.data;
  result->bytes = found.count;
  result->cached = 1;
  return 1;
}

static void find_or_compile(const char *compiler, const uwjit_request *request, const uwjit_bytes *key,
                            uwjit_result *result) {
  if (find_kept(request, key, result))
    return;
  int lock = uwjit_cache_lock(key);
  if (lock < 0 || !find_kept(request, key, result)) /* another may have made it meanwhile */
    compile(compiler, request, key, result);
  uwjit_cache_unlock(lock, key);
}

void uwjit_compile(const uwjit_request *request, uwjit_result *result) {
  const double started = now();
  char compiler[PATH_MAX];
  uwjit_bytes key = {0};
  *result = (uwjit_result){.state = UWJIT_NO_COMPILER};
  if (find_compiler(compiler)) {
    result->state = UWJIT_NO_ROOM;
    if (make_key(&key, request, compiler))
      find_or_compile(compiler, request, &key, result);
    free(key.data);
    tell(request, result, now() - started);
    if (uwrt_trace_compiled)
      uwrt_trace_compiled(result->cached, (uint64_t)((now() - started) * 1e9));
  }
  if (!result->log)
    result->log = strdup(result->state == UWJIT_NO_COMPILER
                             ? "unwarp: the compiler is not there: looked beside this library, and in UNWARP\n"
                         : result->state == UWJIT_NO_ROOM ? "unwarp: no room for temporary files\n"
                                                          : "");
}

/* --- whole modules of PTX ----------------------------------------------------------------------------------------- */

static uwjit_request ptx_request(const uwjit_file *source) {
  static const char *const options[] = {"-march=native"};
  return (uwjit_request){.sources = source, .source_count = 1, .options = options, .option_count = 1};
}

void uwjit_compile_ptx(const char *text, size_t bytes, uwjit_result *result) {
  uwjit_file source = {"module.ptx", text, bytes};
  uwjit_request request = ptx_request(&source);
  uwjit_compile(&request, result);
}

static int ptx_key(uwjit_bytes *key, const char *text, size_t bytes) {
  uwjit_file source = {"module.ptx", text, bytes};
  uwjit_request request = ptx_request(&source);
  char compiler[PATH_MAX];
  return find_compiler(compiler) && make_key(key, &request, compiler);
}

int uwjit_find_of_ptx(const char *text, size_t bytes, uwjit_bytes *image) {
  uwjit_bytes key = {0};
  *image = (uwjit_bytes){0};
  int has = ptx_key(&key, text, bytes) && uwjit_cache_find(&key, image);
  free(key.data);
  return has;
}

int uwjit_has_ptx(const char *text, size_t bytes) {
  uwjit_bytes found;
  int has = uwjit_find_of_ptx(text, bytes, &found);
  free(found.data);
  return has;
}

void uwjit_keep_of_ptx(const char *text, size_t bytes, const void *image, size_t image_bytes) {
  static const char *none[1];
  uwjit_bytes key = {0};
  if (!uwjit_has_ptx(text, bytes) && ptx_key(&key, text, bytes))
    uwjit_cache_keep(&key, none, 0, image, image_bytes);
  free(key.data);
}

void uwjit_free(uwjit_result *result) {
  free(result->image);
  free(result->log);
  *result = (uwjit_result){0};
}
