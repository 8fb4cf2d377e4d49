/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The link. Libraries follow the user's inputs, by the names that the tool kit has for them (toolkit.mk). The path of
 * libomp goes into the program, so that it runs as it is.
 *
 * Our folder comes before those of the user's -L: they may be those of the CUDA SDK, whose libraries have the same
 * names.
 *
 * The inputs are one group, as nvcc has it: a library may stand before the objects that need it. And objects come before
 * all libraries: what both define, as main is in libraries for tests, is the objects'.
 *
 * A process has one runtime, though its program and its shared libraries each bring one: the runtime's names are
 * visible, and the first object in the loader's order defines all of them. A program lists them for libraries that it
 * opens while it runs, too. */
#include "link.h"

#include "device_link.h"
#include "diagnostics.h"
#include "forgotten.h"
#include "gaps.h"
#include "jobs.h"
#include "libraries.h"
#include "report.h"
#include "temp.h"

#include <string.h>
#include <unistd.h>

/* The shared runtime's name, which wins over the one that would be linked in, as with nvcc. */
static bool is_shared_runtime(const char *item) {
  const char *slash = strrchr(item, '/');
  return strcmp(item, "-lcudart") == 0 || (*item != '-' && strcmp(slash ? slash + 1 : item, "libcudart.so") == 0);
}

/* Options by which a shared library binds what it is linked with to itself. */
static bool hides_names(const char *item) {
  return strstr(item, "-version-script") || strstr(item, "-exclude-libs") || strstr(item, "-Bsymbolic");
}

/* A shared library whose runtime nobody sees would be the process's second one. */
static bool takes_shared_runtime(const uw_options *options, const uw_strings *items) {
  if (options->cuda_runtime)
    return strcmp(options->cuda_runtime, "shared") == 0;
  for (size_t i = 0; options->shared && i < items->count; i++)
    if (is_shared_runtime(items->items[i]) || hides_names(items->items[i]))
      return true;
  return false;
}

static void add_runtime(uw_strings *command, const uw_options *options, const char *own, bool shared) {
  if (options->cuda_runtime && strcmp(options->cuda_runtime, "none") == 0)
    return;
  if (!options->shared)
    uw_strings_add(command, uw_format("-Wl,--dynamic-list=%s/unwarp.symbols", own));
  if (options->checks) /* before the shared runtime, which has a checker that waits */
    uw_strings_add_many(command, "-lunwarp_check", "-Wl,-u,uwrt_check_sites", "-Wl,--wrap=_exit", "-Wl,--wrap=_Exit",
                        uw_format("-Wl,--defsym=uwrt_check_linked=%d", options->checks), NULL);
  if (shared)
    uw_strings_add_many(command, uw_format("%s/libcudart.so.12", own), uw_format("-Wl,-rpath,%s", own),
                        "-Wl,--disable-new-dtags", NULL); /* LD_LIBRARY_PATH may name the SDK's */
  if (options->sycl)
    uw_strings_add(command, "-lsycl");
  uw_strings_add_many(command, "-lcudadevrt", shared ? "-lcudart" : "-lcudart_static", NULL);
}

static bool has_groups(const uw_strings *items) {
  for (size_t i = 0; i < items->count; i++)
    if (strstr(items->items[i], "--start-group") || strstr(items->items[i], "-("))
      return true;
  return false;
}

static bool is_object(const char *item) {
  static const char *const suffixes[] = {".o", ".obj", ".lo"};
  size_t length = strlen(item);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && item[0] != '-'; i++)
    if (length > strlen(suffixes[i]) && strcmp(item + length - strlen(suffixes[i]), suffixes[i]) == 0)
      return true;
  return false;
}

/* OpenCL's loader, which programs for other SYCL compilers name and do not use: left out where it is not installed. */
static bool is_opencl_without_loader(const uw_strings *items, const char *item) {
  static const char *const folders[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib", "/usr/local/lib"};
  if (strcmp(item, "-lOpenCL") != 0)
    return false;
  for (size_t i = 0; i < items->count; i++)
    if (strncmp(items->items[i], "-L", 2) == 0 && access(uw_format("%s/libOpenCL.so", items->items[i] + 2), R_OK) == 0)
      return false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (access(uw_format("%s/libOpenCL.so", folders[i]), R_OK) == 0)
      return false;
  return true;
}

/* Groups do not nest. */
static bool add_items(uw_strings *command, const uw_options *options, const uw_toolchain *toolchain,
                      const uw_strings *items) {
  bool group = !has_groups(items), found = true, own = false;
  for (size_t i = 0; i < items->count; i++)
    if (is_object(items->items[i]))
      uw_strings_add(command, items->items[i]);
  if (group)
    uw_strings_add(command, "-Wl,--start-group");
  for (size_t i = 0; i < items->count; i++) {
    if (is_object(items->items[i]))
      continue;
    const char *name = uw_provided_library_of(items->items[i]);
    if (is_opencl_without_loader(items, items->items[i]))
      continue;
    if (is_shared_runtime(items->items[i])) /* add_runtime's matter */
      continue;
    if (!name)
      uw_strings_add(command, items->items[i]);
    else if (!options->partial_link)
      found &= uw_add_provided_library(command, toolchain->library_folder, name);
    own |= !name && uw_is_own_library(items->items[i], toolchain->library_folder);
  }
  if (own && !options->partial_link) /* CMake hands libraries over by path, and takes our folder for the system's */
    uw_strings_add(command, uw_format("-Wl,-rpath,%s", toolchain->library_folder));
  if (group)
    uw_strings_add(command, "-Wl,--end-group");
  return found;
}

static void add_libraries(uw_strings *command, const uw_options *options, const uw_toolchain *toolchain, bool shared) {
  const char *omp = toolchain->omp_folder;
  add_runtime(command, options, toolchain->library_folder, shared);
  uw_strings_add_many(command, uw_format("-L%s", omp), uw_format("-Wl,-rpath,%s", omp), "-lomp", "-Wl,--as-needed",
                      NULL);
  if (toolchain->have_mvec)
    uw_strings_add(command, "-lmvec");
  if (toolchain->sleef) /* by its path: CMake takes -l:NAME apart */
    uw_strings_add(command, toolchain->sleef);
  uw_strings_add_many(command, "-lm", "-lrt", "-lpthread", "-ldl", NULL);
}

/* Makefiles name libraries that the program does not use, so that is no error; what it does use the linker has
 * missed. */
static void note_left_out(const uw_options *options, bool good) {
  for (size_t i = 0; i < options->left_out_libraries.count && !(good && options->no_warnings); i++) {
    const char *name = options->left_out_libraries.items[i], *gap = uw_library_gap(name);
    if (gap)
      uw_report_note("-l%s was left out: %s", name, gap);
    else if (!good)
      uw_report_note("-l%s was left out: it is GPU code, and libunwarp takes its place as far as it goes", name);
  }
}

/* What clang would add is for programs: a module has no start of its own, and what it needs is in a handful of shared
 * libraries. So the linker is called itself, which takes a third of the time. Another way of linking than that, or
 * something that is in none of them, is uw_link's matter. */
static bool link_directly(const uw_options *options, const uw_toolchain *toolchain, const char *object,
                          const char *output) {
  if (!toolchain->lld || toolchain->linker || options->linker || options->sanitized || options->checks ||
      options->sycl || !toolchain->system_folder)
    return false;
  uw_job job = {.what = "linking", .result_file = output};
  uw_strings *command = &job.command;
  const char *own = toolchain->library_folder, *omp = toolchain->omp_folder;
  uw_strings_add_many(command, toolchain->lld, "-shared", "-Bsymbolic", "-z", "defs", "--eh-frame-hdr",
                      "--hash-style=gnu", "-o", output, object, uw_format("%s/libcudart.so.12", own),
                      uw_format("%s/libomp.so", omp), uw_format("-rpath=%s:%s", own, omp), "--disable-new-dtags",
                      uw_format("-L%s", toolchain->system_folder), "--as-needed", NULL);
  if (toolchain->have_mvec)
    uw_strings_add(command, "-l:libmvec.so.1");
  if (toolchain->sleef)
    uw_strings_add(command, toolchain->sleef);
  uw_strings_add_many(command, "-l:libm.so.6", "-l:libgcc_s.so.1", "-l:libc.so.6", NULL);
  return (job.error_file = uw_temp_path("link.direct")) && uw_jobs_run(&job, 1);
}

bool uw_link_module(const uw_options *options, const uw_toolchain *toolchain, const char *object, const char *output) {
  uw_strings items = {0};
  uw_strings_add_many(&items, object, "-Wl,-Bsymbolic", NULL);
  return link_directly(options, toolchain, object, output) || uw_link(options, toolchain, &items, output);
}

bool uw_link(const uw_options *options, const uw_toolchain *toolchain, const uw_strings *items, const char *output) {
  if (!options->dry_run && !uw_check_device_link(items))
    return false;
  uw_job job = {.what = uw_format("linking %s", options->output ? options->output : "a.out"), .result_file = output};
  uw_strings *command = &job.command;
  bool by_clang = !toolchain->linker || options->sanitized; /* its sanitizers are not those of other compilers */
  uw_strings_add(command, by_clang ? toolchain->clangxx : toolchain->linker);
  if (by_clang)
    uw_strings_add(command, "-Qunused-arguments");
  if (by_clang && options->coverage) /* what the program does not define itself */
    uw_strings_add(command, uw_format("-fsanitize-coverage=%s", options->coverage));
  if (options->linker)
    uw_strings_add(command, uw_format("-fuse-ld=%s", options->linker));
  else if (by_clang && toolchain->lld)
    uw_strings_add(command, "-fuse-ld=lld");
  if (options->shared)
    uw_strings_add(command, "-shared");
  if (options->partial_link)
    uw_strings_add_many(command, "-r", "-nostdlib", NULL);
  uw_strings_add_many(command, "-o", output, NULL);
  if (!options->partial_link)
    uw_strings_add(command, uw_format("-L%s", toolchain->link_folder));
  if (!add_items(command, options, toolchain, items))
    return false;
  if (!options->partial_link)
    add_libraries(command, options, toolchain, takes_shared_runtime(options, items));

  if (!(job.error_file = uw_temp_path("link.messages")))
    return false;
  bool good = uw_jobs_run(&job, 1);
  if (!options->dry_run)
    uw_show_tool(&job, false);
  if (!good && !options->dry_run) {
    uw_note_forgotten_sycl(options, uw_said(&job));
    uw_note_undefined_calls(items, uw_said(&job),
                            options->sycl ? "; SYCL_EXTERNAL stands before its definition, and that file is linked"
                                          : "");
  }
  note_left_out(options, good);
  return good;
}
