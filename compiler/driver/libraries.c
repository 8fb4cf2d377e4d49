/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * CUDA's libraries that unwarp has. They go to the link by their paths, so that the SDK's in a folder that the user
 * names do not come before them. A build has only those whose package was there (libraries/libraries.mk). */
#include "libraries.h"

#include "packages.h"
#include "report.h"

#include <elf.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uw_provided_library libraries[] = {
    {"nvrtc", NULL, "nvrtc", false},
    {"nvvm", NULL, "nvvm", false},
    {"nvJitLink", NULL, "nvJitLink", false},
    {"nvfatbin", NULL, "nvFatbin", false},
    {"nvptxcompiler", NULL, "nvPTXCompiler", false},
    {"cufilt", NULL, "__cu_demangle", false},
    {"nvidia-ml", NULL, "nvml", false},
    {"cublasLt", "libopenblas-openmp-dev", "cublasLt", false},
    {"cublas", "libopenblas-openmp-dev", "cublas", false},
    {"cusolverMg", "libopenblas-openmp-dev", "cusolverMg", false},
    {"cusolver", "libopenblas-openmp-dev", "cusolver", false},
    {"curand", NULL, "curand", false},
    {"cusparse", NULL, "cusparse", false},
    {"cudnn", "libdnnl-dev", "cudnn", false},
    {"cufft", "libfftw3-dev", "cufft", false},
    {"cufftw", "libfftw3-dev", "fftw", true},
    {"nccl", NULL, "nccl", false},
    {"cuda", NULL, "cu", false},
};

const uw_provided_library *uw_provided_libraries(size_t *count) {
  *count = sizeof libraries / sizeof libraries[0];
  return libraries;
}

/* Its row, or -1. Static forms are the same library here. */
static int row_of(const char *name) {
  size_t length = strlen(name), tail = strlen("_static");
  if (length > tail && strcmp(name + length - tail, "_static") == 0)
    length -= tail;
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++)
    if (strlen(libraries[i].name) == length && strncmp(libraries[i].name, name, length) == 0)
      return (int)i;
  return -1;
}

bool uw_is_provided_library(const char *name) { return row_of(name) >= 0; }

const char *uw_provided_library_of(const char *item) {
  return strncmp(item, "-l", 2) == 0 && uw_is_provided_library(item + 2) ? item + 2 : NULL;
}

/* --- handed over by their files ----------------------------------------------------------------------------------- */

/* A linker script of ours is another name of such a library where it has a row: libcuda.so, libcublas_static.a. The
 * others stand for the runtime, which goes into the program. */
static bool has_row(const char *file) {
  size_t length = strcspn(file, ".");
  return strncmp(file, "lib", 3) == 0 && row_of(uw_copy_text(file + 3, length - 3)) >= 0;
}

static bool is_shared_object(const char *path) {
  char start[SELFMAG] = {0};
  FILE *file = fopen(path, "rb");
  bool yes = file && fread(start, 1, SELFMAG, file) == SELFMAG && memcmp(start, ELFMAG, SELFMAG) == 0;
  if (file)
    fclose(file);
  const char *slash = strrchr(path, '/');
  return yes && strstr(slash ? slash : path, ".so");
}

/* Links are followed, as tool kits have several ways to their libraries: lib64, stubs, targets. */
static bool lies_in(const char *path, const char *folder) {
  char real[PATH_MAX], own[PATH_MAX];
  if (!realpath(path, real) || !realpath(folder, own))
    return false;
  char *slash = strrchr(real, '/');
  *slash = 0;
  bool inside = strcmp(real, own) == 0;
  *slash = '/';
  return inside && (has_row(slash + 1) || is_shared_object(real));
}

bool uw_is_own_library(const char *item, const char *library_folder) {
  if (strncmp(item, "-l:", 3) == 0)
    return lies_in(uw_format("%s/%s", library_folder, item + 3), library_folder);
  if (strncmp(item, "-Wl,", 4) != 0)
    return *item != '-' && lies_in(item, library_folder);
  uw_strings words = {0};
  uw_strings_add_split(&words, item + 4, ',');
  for (size_t i = 0; i < words.count; i++)
    if (*words.items[i] != '-' && lies_in(words.items[i], library_folder))
      return true;
  return false;
}

/* package: what it stands on; null if nothing. */
static void report_lacking(const char *name, const char *package, const char *path) {
  if (!package) {
    uw_report_error("-l%s: there is no %s, which comes with unwarp", name, path);
    uw_report_note("build or install unwarp again");
    return;
  }
  uw_report_error("-l%s: this build of unwarp lacks it, as %s was not installed when it was built", name, package);
  uw_report_note("on Debian: apt-get install %s, then run make again where unwarp was built", package);
}

/* --- what they stand on ------------------------------------------------------------------------------------------- */

/* What a library loads that does not come with unwarp; a program starts where it finds that. */
static const struct {
  const char *library, *loads;
  uw_need need;
  bool in_extra; /* of unwarp's package for pip: unwarp[blas] */
} stands_on[] = {
    {"cublas", "libopenblas.so.0", UW_NEED_OPENBLAS, true},
    {"cublasLt", "libopenblas.so.0", UW_NEED_OPENBLAS, true},
    {"cusolver", "libopenblas.so.0", UW_NEED_OPENBLAS, true},
    {"cusolverMg", "libopenblas.so.0", UW_NEED_OPENBLAS, true},
    {"cudnn", "libopenblas.so.0", UW_NEED_OPENBLAS, true},
    {"cufft", "libfftw3.so.3", UW_NEED_FFTW, false},
    {"cufft", "libfftw3f.so.3", UW_NEED_FFTW, false},
    {"cufft", "libfftw3_omp.so.3", UW_NEED_FFTW, false},
    {"cufftw", "libfftw3.so.3", UW_NEED_FFTW, false},
};

/* Where the libraries' run paths (libraries.mk, packaging/wheel/build.py) and the loader look. */
static bool is_found(const char *name, const char *library_folder) {
  const char *const patterns[] = {"/usr/lib/*/openblas-openmp",
                                  "/usr/lib64/openblas-openmp",
                                  "/usr/lib/*",
                                  "/usr/lib64",
                                  "/usr/lib",
                                  "/lib/*",
                                  "/lib64",
                                  "/usr/local/lib",
                                  "/usr/local/lib64"};
  const char *path = getenv("LD_LIBRARY_PATH");
  uw_strings folders = {0};
  uw_strings_add_many(&folders, uw_format("%s/../../../unwarp_blas/lib", library_folder),
                      uw_format("%s/../../../../..", library_folder), NULL);
  uw_strings_add_split(&folders, path ? path : "", ':');
  for (size_t i = 0; i < folders.count; i++)
    if (access(uw_format("%s/%s", folders.items[i], name), F_OK) == 0)
      return true;
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
    glob_t found;
    bool is_there = false; /* a link may lead nowhere */
    if (glob(uw_format("%s/%s", patterns[i], name), GLOB_NOSORT, NULL, &found) != 0)
      continue;
    for (size_t j = 0; j < found.gl_pathc; j++)
      is_there |= access(found.gl_pathv[j], F_OK) == 0;
    globfree(&found);
    if (is_there)
      return true;
  }
  return false;
}

/* No error: the program may be meant for another machine. */
static void look_for_what_it_loads(int row, const char *library_folder) {
  for (size_t i = 0; i < sizeof stands_on / sizeof *stands_on; i++) {
    if (strcmp(stands_on[i].library, libraries[row].name) != 0 || is_found(stands_on[i].loads, library_folder))
      continue;
    uw_report_warning("-l%s: %s, which it loads, is not on this machine: the program will not start here",
                      libraries[row].name, stands_on[i].loads);
    uw_report_note("%s%s", stands_on[i].in_extra ? "pip install 'unwarp[blas]', or " : "",
                   uw_how_to_install(stands_on[i].need));
    return;
  }
}

bool uw_add_provided_library(uw_strings *command, const char *library_folder, const char *name) {
  int row = row_of(name);
  const char *path = uw_format("%s/lib%s.so", library_folder, libraries[row].name);
  if (access(path, F_OK) != 0) {
    report_lacking(name, libraries[row].package, path);
    return false;
  }
  look_for_what_it_loads(row, library_folder);
  uw_strings_add_many(command, path, uw_format("-Wl,-rpath,%s", library_folder), NULL);
  return true;
}
