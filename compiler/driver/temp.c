/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Intermediate files and unfinished results. Nothing here runs in a signal handler: jobs.c takes signals between steps
 * and calls uw_temp_clean as ordinary code. A forked child has the lists too but is not their owner: it cleans
 * nothing. */
#include "temp.h"

#include "../../libraries/jit/leftovers.h"
#include "../support/strings.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pid_t owner;
static const char *folder;      /* the private folder, once there is one */
static int folder_lock = -1;    /* held as long as this process lives */
static const char *keep_folder; /* --keep */
static bool pretending;
static uw_strings unfinished; /* results on their way */

/* The result, and what a linker that ended in the middle left beside it: lld writes to NAME.tmpXXXXXXX first. */
static void remove_unfinished(const char *path) {
  glob_t found;
  if (glob(uw_format("%s.tmp*", path), GLOB_NOSORT, NULL, &found) == 0) {
    for (size_t i = 0; i < found.gl_pathc; i++)
      unlink(found.gl_pathv[i]);
    globfree(&found);
  }
  unlink(path);
}

void uw_temp_clean(void) {
  if (getpid() != owner)
    return;
  for (size_t i = 0; i < unfinished.count; i++)
    remove_unfinished(unfinished.items[i]);
  unfinished.count = 0;
  if (folder)
    uwjit_remove_folder(folder);
  folder = NULL;
}

void uw_temp_begin(const char *keep, bool pretend) {
  owner = getpid();
  keep_folder = keep;
  pretending = pretend;
  atexit(uw_temp_clean);
}

static const char *temporary_root(void) {
  const char *root = getenv("TMPDIR");
  return root && *root ? root : "/tmp";
}

static bool make_folder(void) {
  char *path = uw_format("%s/unwarp-XXXXXX", temporary_root());
  folder_lock = uwjit_own_folder(path);
  if (folder_lock < 0) {
    uw_report_error("cannot make a folder for temporary files in '%s': %s", temporary_root(), strerror(errno));
    uw_report_note("set TMPDIR to a folder that can be written");
    return false;
  }
  folder = path;
  return true;
}

const char *uw_temp_folder(void) { return folder; }

const char *uw_temp_path(const char *name) {
  static unsigned serial;
  if (pretending)
    return uw_format("%s/unwarp/%u-%s", temporary_root(), serial++, name);
  if (!folder && !make_folder())
    return NULL;
  return uw_format("%s/%u-%s", folder, serial++, name);
}

const char *uw_temp_kept_path(const char *name) {
  if (!keep_folder)
    return uw_temp_path(name);
  if (!pretending && mkdir(keep_folder, 0777) != 0 && errno != EEXIST) {
    uw_report_error("cannot make the folder '%s': %s", keep_folder, strerror(errno));
    return NULL;
  }
  return strcmp(keep_folder, ".") == 0 ? name : uw_format("%s/%s", keep_folder, name);
}

static bool write_all(int descriptor, const char *data, size_t size) {
  while (size) {
    ssize_t wrote = write(descriptor, data, size);
    if (wrote < 0 && errno == EINTR)
      continue;
    if (wrote < 0)
      return false;
    data += wrote;
    size -= (size_t)wrote;
  }
  return true;
}

void uw_report_full_disk(const char *what, const char *name) {
  static bool told;
  const char *root = getenv("TMPDIR");
  if (told)
    return;
  uw_report_error("%s while %s%s", strerror(ENOSPC), what, name);
  uw_report_note("temporary files go to '%s' (TMPDIR says where)", root && *root ? root : "/tmp");
  told = true;
}

const char *uw_temp_file(const char *name, const char *contents, unsigned long size) {
  const char *path = uw_temp_path(name);
  if (!path || pretending)
    return path;
  int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  bool good = descriptor >= 0 && write_all(descriptor, contents, size);
  if (descriptor >= 0 && close(descriptor) != 0)
    good = false;
  if (good)
    return path;
  if (errno == ENOSPC)
    uw_report_full_disk("writing ", path);
  else
    uw_report_error("cannot write '%s': %s", path, strerror(errno));
  return NULL;
}

const char *uw_temp_rescue(const char *path) {
  static const char *rescue_folder;
  if (keep_folder)
    return path;
  if (!rescue_folder) {
    char *made = uw_format("%s/unwarp-bug-XXXXXX", temporary_root());
    rescue_folder = mkdtemp(made);
  }
  const char *name = strrchr(path, '/');
  char *rescued = uw_format("%s/%s", rescue_folder ? rescue_folder : ".", name ? name + 1 : path);
  return rename(path, rescued) == 0 ? rescued : path;
}

/* The file that a write to `target` would reach: through symbolic links, also one whose end does not exist yet. */
static const char *follow_links(const char *target) {
  for (int hops = 0; hops < 40; hops++) {
    char link[PATH_MAX];
    ssize_t length = readlink(target, link, sizeof link - 1);
    if (length < 0)
      return target;
    link[length] = 0;
    const char *slash = link[0] == '/' ? NULL : strrchr(target, '/');
    target = slash ? uw_format("%.*s/%s", (int)(slash - target), target, link) : uw_copy_text(link, (size_t)length);
  }
  return target;
}

static bool cannot_write(const char *target, int error) {
  return uw_report_error("cannot write '%s': %s", target, strerror(error));
}

bool uw_result_begin(uw_result *result, const char *target, bool executable) {
  *result = (uw_result){.target = target, .finally = target, .path = target, .executable = executable};
  if (pretending)
    return true;
  struct stat status;
  bool exists = stat(target, &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    return cannot_write(target, EISDIR);
  if (exists && access(target, W_OK) != 0)
    return cannot_write(target, errno);
  if (exists && !S_ISREG(status.st_mode)) {
    result->copy = true;
    return (result->path = uw_temp_path("result")) != NULL;
  }
  result->finally = follow_links(target);
  const char *slash = strrchr(result->finally, '/');
  int length = slash ? (int)(slash - result->finally) + 1 : 0;
  char *path = uw_format("%.*s.unwarp-XXXXXX", length, result->finally);
  int descriptor = mkstemp(path);
  if (descriptor < 0)
    return cannot_write(target, errno);
  close(descriptor);
  char *whole = realpath(path, NULL);
  if ((folder || make_folder()) && whole)
    uwjit_note_leftover(folder_lock, whole);
  free(whole);
  result->path = path;
  uw_strings_add(&unfinished, path);
  return true;
}

static bool copy_to(const char *from, const char *to) {
  int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CLOEXEC);
  char buffer[65536];
  ssize_t got = -1;
  while (in >= 0 && out >= 0 && (got = read(in, buffer, sizeof buffer)) > 0)
    if (!write_all(out, buffer, (size_t)got)) {
      got = -1;
      break;
    }
  int error = errno;
  close(in);
  bool closed = close(out) == 0;
  errno = got < 0 ? error : errno;
  return got == 0 && closed;
}

static void forget_unfinished(const char *path) {
  for (size_t i = 0; i < unfinished.count; i++)
    if (unfinished.items[i] == path)
      unfinished.items[i] = unfinished.items[--unfinished.count];
}

bool uw_result_finish(uw_result *result) {
  if (pretending)
    return true;
  if (result->copy)
    return copy_to(result->path, result->target) || cannot_write(result->target, errno);
  mode_t mask = umask(0);
  umask(mask);
  mode_t mode = (result->executable ? 0777 : 0666) & ~mask;
  if (chmod(result->path, mode) != 0 || rename(result->path, result->finally) != 0)
    return cannot_write(result->target, errno);
  forget_unfinished(result->path);
  return true;
}
