/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tool chain discovery.
 *
 *   clang      $UNWARP_CLANG, else the one in the tool kit (packaging/wheel), else clang++-22 on PATH, else in
 *              /usr/lib/llvm-22/bin
 *   libomp     in the tool kit's own libraries, else beside clang's, else where the system keeps libraries
 *   our files  in a folder laid out as a CUDA tool kit (toolkit.mk), found from the location of this program: in an
 *              installation <prefix>/lib/unwarp beside <prefix>/bin/unwarp, else the folder around bin: a build tree */
#include "toolchain.h"

#include "../support/strings.h"
#include "host_compiler.h"
#include "jobs.h"
#include "packages.h"
#include "report.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LLVM_BIN "/usr/lib/llvm-22/bin"

static bool is_file(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISDIR(status.st_mode);
}

static bool is_program(const char *path) { return is_file(path) && access(path, X_OK) == 0; }

const char *uw_find_program(const char *name) {
  if (strchr(name, '/'))
    return is_program(name) ? name : NULL;
  const char *path = getenv("PATH");
  uw_strings folders = {0};
  uw_strings_add_split(&folders, path ? path : "", ':');
  for (size_t i = 0; i < folders.count; i++) {
    const char *candidate = uw_format("%s/%s", folders.items[i], name);
    if (is_program(candidate))
      return candidate;
  }
  return NULL;
}

/* The folder of a path, without the last component. */
static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? uw_copy_text(path, (size_t)(slash - path)) : uw_copy_text(".", 1);
}

/* Symbolic links followed. */
static const char *real_folder_of(const char *path) {
  char *real = realpath(path, NULL);
  return folder_of(real ? real : path);
}

static bool clang_missing(void) {
  uw_report_error("clang++-22 is missing: looked on PATH and in " LLVM_BIN);
  uw_report_note("%s (another location: set UNWARP_CLANG to the path of clang++)", uw_how_to_install(UW_NEED_CLANG));
  return false;
}

static const char *find_root(void);

/* A tool kit may bring its own, of the LLVM that unwarp itself is linked with: null where it does not. */
static const char *own_clang(void) {
  const char *root = find_root(), *llvm = root ? uw_format("%s/llvm", root) : NULL;
  return llvm && access(llvm, F_OK) == 0 ? uw_format("%s/bin/clang++", llvm) : NULL;
}

static bool own_clang_missing(const char *path) {
  uw_report_error("'%s', which comes with unwarp, is missing", path);
  uw_report_note("install unwarp again: pip install --force-reinstall unwarp");
  return false;
}

static bool find_clang(uw_toolchain *toolchain) {
  const char *wanted = getenv("UNWARP_CLANG"), *own = own_clang();
  if (wanted && *wanted) {
    toolchain->clangxx = uw_find_program(wanted);
    if (!toolchain->clangxx)
      return uw_report_error("UNWARP_CLANG names '%s', which is no program", wanted);
  } else if (own) {
    if (!(toolchain->clangxx = uw_find_program(own)))
      return own_clang_missing(own);
  } else if (!(toolchain->clangxx = uw_find_program("clang++-22")) &&
             !(toolchain->clangxx = uw_find_program(LLVM_BIN "/clang++"))) {
    return clang_missing();
  }
  /* The C driver is the C++ one's neighbour without the "++". */
  const char *plus =
      strstr(strrchr(toolchain->clangxx, '/') ? strrchr(toolchain->clangxx, '/') : toolchain->clangxx, "++");
  toolchain->clang = toolchain->clangxx;
  if (plus) {
    const char *neighbour = uw_format("%.*s%s", (int)(plus - toolchain->clangxx), toolchain->clangxx, plus + 2);
    if (is_program(neighbour))
      toolchain->clang = neighbour;
  }
  return true;
}

static const char *own_folder(void) {
  char path[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length < 0)
    return ".";
  path[length] = 0;
  return folder_of(path);
}

static const char *const roots[] = {"../lib/unwarp", "..", NULL};

/* The tool kit's folder, by the header that every compile needs; null if there is none. */
static const char *find_root(void) {
  for (size_t i = 0; roots[i]; i++) {
    char *root = realpath(uw_format("%s/%s", own_folder(), roots[i]), NULL);
    if (root && is_file(uw_format("%s/include/unwarp_cuda.h", root)))
      return root;
  }
  return NULL;
}

/* The folder of the tool kit that holds `file`; null after a message. */
static const char *find_own(const char *folder, const char *file) {
  const char *root = find_root(), *all = "";
  if (root && is_file(uw_format("%s/%s/%s", root, folder, file)))
    return uw_format("%s/%s", root, folder);
  for (size_t i = 0; roots[i]; i++)
    all = uw_format("%s%s%s/%s/%s", all, i ? ", " : "", own_folder(), roots[i], folder);
  uw_report_error("'%s', which comes with unwarp, is missing: looked in %s", file, all);
  uw_report_note("build or install unwarp again");
  return NULL;
}

#define LIBRARIES "lib64"

/* What -L names (toolkit.mk). */
static const char *link_folder(const char *libraries) {
  const char *folder = uw_format("%s/link", libraries);
  return is_file(uw_format("%s/libcudart_static.a", folder)) ? folder : libraries;
}

void uw_show_environment(const uw_strings *architectures) {
  const char *root = find_root(), *path = getenv("PATH");
  if (!root)
    return;
  fprintf(stderr, "#$ _HERE_=%s\n#$ TOP=%s\n#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n", own_folder(), root, root);
  uw_strings libraries = {0}; /* quoted as in the link's command, by which CMake finds that */
  uw_strings_add(&libraries, uw_format("-L%s", link_folder(uw_format("%s/" LIBRARIES, root))));
  fprintf(stderr, "#$ PATH=%s\n#$ INCLUDES=\"-I%s/include\"\n#$ LIBRARIES=%s\n", path ? path : "", root,
          uw_quoted_command(&libraries));
  fprintf(stderr, "#$ ARCHITECTURES=\"%s", architectures->count ? "" : "-arch compute_80");
  for (size_t i = 0; i < architectures->count; i++)
    fprintf(stderr, "%s-arch compute_%s", i ? " " : "", architectures->items[i]);
  fputs("\"\n", stderr);
}

const char *uw_find_toolkit(void) { return find_root(); }

bool uw_find_compiler(uw_toolchain *toolchain) {
  return find_clang(toolchain) && (toolchain->include_folder = find_own("include", "unwarp_cuda.h"));
}

bool uw_find_libdevice(uw_toolchain *toolchain) {
  const char *folder = find_own("nvvm/libdevice", "libdevice.bc");
  if (folder)
    toolchain->libdevice = uw_format("%s/libdevice.bc", folder);
  return folder != NULL;
}

static const char *first_folder_with(const char *const *folders, const char *file) {
  for (size_t i = 0; folders[i]; i++)
    if (is_file(uw_format("%s/%s", folders[i], file)))
      return folders[i];
  return NULL;
}

static const char *const system_folders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64",
                                             "/usr/lib", NULL};

/* The forms that unwarp calls are those of x86-64. Without SLEEF at hand when unwarp was built, the linker scripts for
 * other linkers (toolkit.mk) do not name it. */
void uw_find_vector_math(uw_toolchain *toolchain) {
#if defined __x86_64__
  toolchain->have_mvec = first_folder_with(system_folders, "libmvec.so") != NULL;
  const char *root = find_root(), *own[] = {uw_format("%s/" LIBRARIES, root ? root : ""), NULL};
  const char *folder = UW_WITH_SLEEF ? first_folder_with(own, UW_SLEEF) : NULL;
  if (UW_WITH_SLEEF && !folder)
    folder = first_folder_with(system_folders, UW_SLEEF);
  toolchain->sleef = folder ? uw_format("%s/" UW_SLEEF, folder) : NULL;
#else
  toolchain->have_mvec = false;
#endif
}

bool uw_find_linker(uw_toolchain *toolchain, const char *host_compiler) {
  if (host_compiler)
    toolchain->linker = uw_find_host_linker(host_compiler);
  if (!(toolchain->library_folder = find_own(LIBRARIES, "libunwarp.a")))
    return false;
  toolchain->link_folder = link_folder(toolchain->library_folder);
  const char *clang_folder = real_folder_of(toolchain->clangxx);
  const char *const omp_folders[] = {uw_format("%s/../lib", clang_folder),
                                     "/usr/lib/llvm-22/lib",
                                     "/usr/lib/x86_64-linux-gnu",
                                     "/usr/lib/aarch64-linux-gnu",
                                     "/usr/lib64",
                                     "/usr/local/lib",
                                     NULL};
  /* The library itself, as programs look for it there: an installation has a link to the system's. */
  const char *omp = is_file(uw_format("%s/libomp.so.5", toolchain->library_folder))
                        ? toolchain->library_folder
                        : first_folder_with(omp_folders, "libomp.so");
  if (!omp) {
    uw_report_error("libomp, the OpenMP library, is missing: looked in %s and in the system's folders", omp_folders[0]);
    uw_report_note("%s", uw_how_to_install(UW_NEED_LIBOMP));
    return false;
  }
  char *real = realpath(omp, NULL);
  toolchain->omp_folder = real ? real : omp;
  const char *lld = uw_format("%s/ld.lld", clang_folder);
  toolchain->lld = is_program(lld) ? lld : NULL;
  toolchain->system_folder = first_folder_with(system_folders, "libm.so.6");
  uw_find_vector_math(toolchain);
  if (!toolchain->lld && !uw_find_program("ld") && !is_program("/usr/bin/ld")) {
    uw_report_error("the linker 'ld' is missing: looked on PATH and in /usr/bin");
    uw_report_note("%s (or lld, which is quicker)", uw_how_to_install(UW_NEED_BINUTILS));
    return false;
  }
  return true;
}
