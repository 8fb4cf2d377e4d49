/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --help from options.def, --help-passes from the pass table, --version in words and in nvcc's form. */
#include "../../libraries/jit/jit.h"
#include "help.h"

#include "build_torch.h"
#include "doctor.h"
#include "gpu_names.h"
#include "option_table.h"
#include "precompiled.h"
#include "report.h"
#include "toolchain.h"
#include "stages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HELP_COLUMN = 30 };

/* CMake and others look for nvcc's last two lines, to the letter. */
static const char version_text[] =
    "unwarp " UW_VERSION "%s%s%s: compiles CUDA programs for the CPU. It takes the place of, and is not,\n"
    "nvcc: NVIDIA (R) Cuda compiler driver\n";

static void print_row(const char *left, const char *help) {
  if (strlen(left) + 3 > HELP_COLUMN)
    printf("  %s\n%*s%s\n", left, HELP_COLUMN, "", help);
  else
    printf("  %-*s%s\n", HELP_COLUMN - 2, left, help);
}

static void print_environment(bool of_program) {
  size_t count;
  const uw_environment_row *rows = uw_environment_table(&count);
  printf(of_program ? "\nEnvironment of the programs that it makes:\n" : "\nEnvironment:\n");
  for (size_t i = 0; i < count; i++)
    if (rows[i].of_program == of_program)
      print_row(rows[i].name, rows[i].help);
}

static void print_help(void) {
  size_t count;
  const uw_option_row *rows = uw_option_table(&count);
  printf("usage: unwarp [options] file...\n"
         "       unwarp [options] --run file.cu [argument...]\n"
         "\n"
         "Compiles CUDA programs into native programs for this CPU. Takes nvcc's options: a long name may have one\n"
         "dash or two, and its value may follow '=' or be the next word.\n");
  const char *section = NULL;
  for (size_t i = 0; i < count; i++) {
    if (rows[i].section) {
      section = rows[i].section;
      continue;
    }
    if (!rows[i].help)
      continue;
    if (section)
      printf("\n%s:\n", section);
    section = NULL;
    print_row(uw_option_usage(&rows[i]), rows[i].help);
  }
  print_environment(false);
  print_environment(true);
}

static void print_passes(void) {
  printf("The passes, in order, stage by stage. Those marked with * are optional: --skip=NAME leaves one out,\n"
         "--bisect=N all after the Nth that changes something. NAME is all places of a pass, 'NAME{key=value}' one,\n"
         "'NAME{}' the one without.\n");
  for (const uw_stage *const *stage = uw_stages(); *stage; stage++) {
    printf("\n%s: %s\n\n", (*stage)->name, (*stage)->brief);
    for (size_t i = 0; i < (*stage)->count; i++) {
      const uw_row *row = &(*stage)->rows[i];
      printf("%c %-26s %s\n", row->when & UW_OPTIONAL ? '*' : ' ', row->name, row->brief);
    }
  }
}

/* What libnvrtc and libcuda keep (libraries/jit/cache.c), and precompiled headers. */
static void print_cache(void) {
  uwjit_cache_state state;
  char folder[UWJIT_PATH_BYTES];
  if (!uwjit_cache_look(&state)) {
    puts("no cache: there is no folder for it that only this user may write to, or UNWARP_CACHE_SIZE is 0");
    return;
  }
  printf("%s: %llu entries, %.1f of %.0f MiB\n", uwjit_cache_folder(folder), state.entries,
         (double)state.bytes / (1 << 20), (double)state.limit / (1 << 20));
  printf("%zu precompiled headers\n", uw_precompiled_headers(false));
  if (uw_torch_extensions(false))
    printf("%zu extensions for PyTorch\n", uw_torch_extensions(false));
}

static bool print_path(void) {
  const char *root = uw_find_toolkit();
  if (!root)
    return uw_report_error("the tool kit that comes with unwarp is missing: build or install unwarp again");
  printf("%s/bin\n", root);
  return fflush(stdout) == 0;
}

void uw_print_cuda_release(const char *version) {
  printf("Cuda compilation tools, release %.*s, V%s\n", (int)(strrchr(version, '.') - version), version, version);
}

bool uw_answer(const uw_options *options) {
  switch (options->question) {
  case UW_ASK_HELP: print_help(); break;
  case UW_ASK_PASSES: print_passes(); break;
  case UW_ASK_VERSION:
    printf(version_text, *UW_COMMIT ? " (" : "", UW_COMMIT, *UW_COMMIT ? ")" : "");
    uw_print_cuda_release(options->cuda_version);
    break;
  case UW_ASK_BARE_VERSION: puts(options->cuda_version); break;
  case UW_ASK_CODE: uw_print_gpu_names("sm_%d\n", options->cuda_version); break;
  case UW_ASK_ARCH: uw_print_gpu_names("compute_%d\n", options->cuda_version); break;
  case UW_ASK_CODE_AND_ARCH: uw_print_gpu_names("arch=compute_%d,code=sm_%d\n", options->cuda_version); break;
  case UW_ASK_PATH: return print_path();
  case UW_ASK_DOCTOR: return uw_doctor(false);
  case UW_ASK_DOCTOR_JSON: return uw_doctor(true);
  case UW_ASK_CACHE: print_cache(); break;
  case UW_ASK_EMPTY_CACHE:
    if (!uwjit_cache_clear())
      return uw_report_error("there is no cache that may be cleared");
    uw_precompiled_headers(true);
    uw_torch_extensions(true);
    break;
  case UW_ASK_NOTHING: break;
  }
  return fflush(stdout) == 0 || uw_report_error("cannot write to standard output: %s", strerror(errno));
}
