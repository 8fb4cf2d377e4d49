/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --build-torch: compiles libraries/torch, which lies as source in the tool kit, against the headers of a torch that is
 * installed, with the machine's C++ compiler.
 *
 * The result lies in the folder torch of the cache (libraries/jit/cache.c), named by the torch's version, the ABI of
 * its C++ library and a number: that of all that decides how it comes out, torch's own version file, the size and time
 * of its library, our sources and which unwarp this is. So an upgraded torch has another one. It is written under a name of its own and
 * renamed when it is whole. Who compiles holds a lock; a second process waits for it and takes what came out. A folder
 * that may be read but not written serves as long as what is wanted lies there.
 */
#include "build_torch.h"

#include "../../libraries/jit/jit.h"
#include "../support/files.h"
#include "../support/strings.h"
#include "jobs.h"
#include "report.h"
#include "temp.h"
#include "toolchain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 8 }; /* those used last stay */

typedef struct torch {
  const char *folder, *version, *cuda; /* as its version.py has them; cuda: null in one for CPUs alone */
  int new_abi;                         /* of libstdc++: std::__cxx11 */
  unsigned long long number;
} torch;

/* --- which torch -------------------------------------------------------------------------------------------------- */

static const char *ask_python(void) {
  const char *python = uw_find_program("python3");
  if (!python)
    return uw_report_error("--build-torch: there is no python3 on PATH; name the folder of torch"), NULL;
  uw_job job = {.what = "asking python3 for torch", .output_file = uw_temp_path("torch-folder")};
  uw_strings_add_many(&job.command, python, "-c",
                      "from importlib.util import find_spec\nspec = find_spec('torch')\n"
                      "print(spec.submodule_search_locations[0] if spec else '')",
                      NULL);
  char *said = job.output_file && uw_jobs_run(&job, 1) ? uw_read_file(job.output_file) : NULL;
  if (said)
    said[strcspn(said, "\n")] = 0;
  if (!said || !*said)
    return uw_report_error("--build-torch: '%s' has no torch; name the folder of one", python), NULL;
  return said;
}

/* The text of `name` = '…' or of name: type = '…' at a line's beginning; null: None, or none. */
static const char *assigned(const char *text, const char *name) {
  for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    const char *rest = uw_after_prefix(line, name), *end = line + strcspn(line, "\n");
    if (!rest || (*rest != ' ' && *rest != ':' && *rest != '='))
      continue;
    const char *equals = memchr(rest, '=', (size_t)(end - rest));
    const char *quote = equals ? equals + 1 + strspn(equals + 1, " ") : NULL;
    const char *last = quote && (*quote == '\'' || *quote == '"') ? strchr(quote + 1, *quote) : NULL;
    return last && last < end ? uw_copy_text(quote + 1, (size_t)(last - quote - 1)) : NULL;
  }
  return NULL;
}

static bool is_plain(const char *version) {
  return *version &&
         strspn(version, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-_") == strlen(version);
}

static unsigned long long mix(unsigned long long number, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; i++)
    number = (number ^ ((const unsigned char *)data)[i]) * 0x100000001b3ull;
  return (number ^ bytes) * 0x100000001b3ull;
}

static int is_source(const struct dirent *entry) {
  const char *dot = strrchr(entry->d_name, '.');
  return dot && (strcmp(dot, ".cpp") == 0 || strcmp(dot, ".h") == 0);
}

static bool mix_sources(const char *folder, unsigned long long *number) {
  struct dirent **entries;
  int count = scandir(folder, &entries, is_source, alphasort);
  bool good = count > 0;
  for (int i = 0; i < count; i++) {
    const char *source = uw_read_file(uw_format("%s/%s", folder, entries[i]->d_name));
    good = good && source;
    if (source)
      *number = mix(*number, source, strlen(source));
  }
  return good ||
         uw_report_error("what should lie in '%s', which comes with unwarp, is missing: build or install unwarp again",
                         folder);
}

static bool read_torch(torch *t, const char *source_folder) {
  const char *text = uw_read_file(uw_format("%s/version.py", t->folder));
  t->version = text ? assigned(text, "__version__") : NULL;
  if (!t->version || !is_plain(t->version))
    return uw_report_error("--build-torch: '%s' is no folder of torch: it has no version.py with a version", t->folder);
  t->cuda = assigned(text, "cuda");
  if (!t->cuda)
    return uw_report_error("torch %s in '%s' was built for CPUs alone and has no device \"cuda\": install the one for "
                           "CUDA (pip install torch, as PyPI has it)",
                           t->version, t->folder);
  t->number = mix(0xcbf29ce484222325ull, text, strlen(text));
  struct stat library;
  const char *core = uw_format("%s/lib/libc10.so", t->folder);
  FILE *file = fopen(core, "rb");
  size_t bytes = 0;
  char *contents = file ? uw_read_stream(file, &bytes) : NULL;
  if (!contents || stat(core, &library) != 0)
    return uw_report_error("'%s', a part of torch, cannot be read: %s", core, strerror(errno));
  fclose(file);
  t->new_abi = memmem(contents, bytes, "ErrorC1ENS_14SourceLocationENSt7__cxx11", 39) ||
               memmem(contents, bytes, "ErrorC2ENS_14SourceLocationENSt7__cxx11", 39);
  free(contents);
  const long long facts[] = {library.st_size, library.st_mtim.tv_sec, library.st_mtim.tv_nsec, t->new_abi};
  t->number = mix(t->number, facts, sizeof facts);
  const char *own = uw_read_file(uw_format("%s/../../unwarp.id", source_folder));
  if (own)
    t->number = mix(t->number, own, strlen(own));
  return mix_sources(source_folder, &t->number);
}

/* --- the cache ---------------------------------------------------------------------------------------------------- */

static bool is_extension(const char *name) {
  const char *dot = strrchr(name, '.');
  return uw_after_prefix(name, "torch-") && dot && strcmp(dot, ".so") == 0;
}

static bool is_there(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == geteuid() &&
         !(found.st_mode & (S_IWGRP | S_IWOTH)) && found.st_size > 0;
}

size_t uw_torch_extensions(bool remove) {
  char room[UWJIT_PATH_BYTES];
  const char *folder = uwjit_cache_part("torch", room);
  DIR *entries = folder ? opendir(folder) : NULL;
  size_t count = 0;
  for (struct dirent *entry; entries && (entry = readdir(entries));)
    if (is_extension(entry->d_name)) {
      count++;
      if (remove)
        unlink(uw_format("%s/%s", folder, entry->d_name));
    }
  if (entries)
    closedir(entries);
  return count;
}

/* Those used longest ago go, and what a compile that was killed left. */
static void drop_old(const char *folder) {
  for (;;) {
    const char *oldest = NULL;
    time_t used = 0;
    size_t count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
      const char *path = uw_format("%s/%s", folder, entry->d_name);
      struct stat s;
      if (stat(path, &s) != 0)
        continue;
      if (uw_after_prefix(entry->d_name, "new-") && s.st_mtim.tv_sec + 3600 < time(NULL))
        unlink(path);
      if (!is_extension(entry->d_name))
        continue;
      count++;
      if (!oldest || s.st_mtim.tv_sec < used)
        oldest = path, used = s.st_mtim.tv_sec;
    }
    if (entries)
      closedir(entries);
    if (count <= MOST || unlink(oldest) != 0)
      return;
  }
}

/* --- the compile -------------------------------------------------------------------------------------------------- */

static const char *find_cxx(void) {
  const char *own = getenv("CXX"), *const names[] = {"g++", "c++", "clang++", "clang++-22", NULL}, *found = NULL;
  if (own && *own) {
    if (!(found = uw_find_program(own)))
      uw_report_error("CXX names '%s', which is not there", own);
    return found;
  }
  for (size_t i = 0; names[i] && !found; i++)
    found = uw_find_program(names[i]);
  uw_toolchain toolchain = {0};
  if (!found && uw_find_compiler(&toolchain))
    found = toolchain.clangxx;
  if (!found)
    uw_report_error("PyTorch's operators need a C++ compiler here, once for a version: install g++, or set CXX; or run "
                    "unwarp --build-torch where there is one and take the folder torch of its cache along");
  return found;
}

static bool compile(const torch *t, const char *root, const char *source_folder, const char *folder,
                    const char *result) {
  const char *cxx = find_cxx();
  if (!cxx)
    return false;
  char *fresh = uw_format("%s/new-XXXXXX", folder);
  int file = mkstemp(fresh);
  if (file < 0)
    return uw_report_error("nothing can be written to '%s': %s", folder, strerror(errno));
  close(file);
  fprintf(stderr, "unwarp: compiling what PyTorch %s needs to compute on \"cuda\" here, once: about a minute\n",
          t->version);
  uw_job job = {.what = uw_format("compiling the extension for PyTorch %s", t->version),
                .error_file = uw_temp_path("torch-messages"),
                .result_file = fresh};
  uw_strings_add_many(&job.command, cxx, "-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-w",
                      uw_format("-D_GLIBCXX_USE_CXX11_ABI=%d", t->new_abi), uw_format("-I%s/include", root), "-isystem",
                      uw_format("%s/include", t->folder), "-isystem",
                      uw_format("%s/include/torch/csrc/api/include", t->folder), uw_format("%s/all.cpp", source_folder),
                      "-o", fresh, uw_format("-L%s/lib", t->folder), "-ltorch_cpu", "-ltorch_cuda", "-lc10",
                      "-lc10_cuda", NULL);
  if (!job.error_file || !uw_jobs_run(&job, 1)) {
    const char *messages = job.error_file ? uw_read_file(job.error_file) : NULL, *wrong = messages;
    for (const char *at = messages; at && (at = strstr(at, "error")); at++)
      if (uw_after_prefix(at, "error:")) {
        for (wrong = at; wrong > messages && wrong[-1] != '\n';)
          wrong--;
        break;
      }
    unlink(fresh);
    if (!wrong || !*wrong)
      wrong = "it failed without a word";
    return uw_report_error("the extension for PyTorch %s cannot be compiled by '%s': %.*s", t->version, cxx,
                           (int)strcspn(wrong, "\n"), wrong);
  }
  if (chmod(fresh, 0700) != 0 || rename(fresh, result) != 0) {
    unlink(fresh);
    return uw_report_error("'%s' cannot be written: %s", result, strerror(errno));
  }
  return true;
}

static bool make(const torch *t, const char *root, const char *source_folder, const char *folder, const char *result) {
  int lock = open(uw_format("%s/.lock", folder), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (lock < 0)
    return uw_report_error("what PyTorch %s needs is to be kept in '%s', which cannot be written: %s; run unwarp "
                           "--build-torch once where it can, or set UNWARP_CACHE_DIR to a folder of yours",
                           t->version, folder, strerror(errno));
  while (flock(lock, LOCK_EX) != 0 && errno == EINTR)
    ;
  bool good = is_there(result) || compile(t, root, source_folder, folder, result);
  close(lock);
  if (good)
    drop_old(folder);
  return good;
}

bool uw_build_torch(char **arguments) {
  const char *root = uw_find_toolkit();
  if (!root)
    return uw_report_error("the tool kit that comes with unwarp is missing: build or install unwarp again");
  if (arguments[0] && arguments[1])
    return uw_report_error("--build-torch wants one folder of torch, or nothing");
  const char *source_folder = uw_format("%s/lib64/python/unwarp_torch", root);
  uw_temp_begin(NULL, false);
  torch t = {.folder = arguments[0] ? arguments[0] : ask_python()};
  if (!t.folder || !read_torch(&t, source_folder))
    return false;
  char room[UWJIT_PATH_BYTES];
  const char *folder = uwjit_cache_part("torch", room);
  if (!folder)
    return uw_report_error(
        "what PyTorch %s needs is compiled once and kept, for which there is no folder: set "
        "UNWARP_CACHE_DIR to one of yours, or have a HOME that can be written (and UNWARP_CACHE_SIZE "
        "not be 0)",
        t.version);
  const char *result = uw_format("%s/torch-%s-abi%d-%016llx.so", folder, t.version, t.new_abi, t.number);
  if (is_there(result))
    utimensat(AT_FDCWD, result, NULL, 0); /* was used */
  else if (!make(&t, root, source_folder, folder, result))
    return false;
  puts(result);
  return fflush(stdout) == 0;
}
