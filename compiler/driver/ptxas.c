/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Called ptxas, unwarp takes that program's command line: `ptxas -v --gpu-name=sm_80 x.ptx -o x.o` is `unwarp -cubin
 * -march=native x.ptx -o x.o`. The result is a module that cuModuleLoadData takes, for this processor. It is kept in the cache of
 * libraries/jit/cache.c, where it is looked for first: that of cuModuleLoadData, given the same text, is found there as well.
 */
#include "ptxas.h"

#include "../../libraries/jit/jit.h"
#include "../support/files.h"
#include "../support/strings.h"
#include "help.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool uw_is_called_ptxas(const char *program) {
  const char *slash = strrchr(program, '/');
  return strcmp(slash ? slash + 1 : program, "ptxas") == 0;
}

/* Those of ptxas's options whose value may be the next word; all others are one word. */
static bool has_value(const char *option) {
  static const char *const names[] = {"--gpu-name",        "-arch",
                                      "--opt-level",       "-O",
                                      "--maxrregcount",    "-maxrregcount",
                                      "--machine",         "-m",
                                      "--entry",           "-e",
                                      "--options-file",    "-optf",
                                      "--input-as-string", "-ias",
                                      "--def-load-cache",  "-dlcm",
                                      "--def-store-cache", "-dscm",
                                      "--split-compile",   "-split-compile"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(option, names[i]) == 0)
      return true;
  return false;
}

static char *read_whole(const char *path, size_t *size) {
  FILE *file = fopen(path, "re");
  char *text = file ? uw_read_stream(file, size) : NULL;
  if (file)
    fclose(file);
  return text;
}

typedef struct files {
  const char *input, *output;
} files;
static files made; /* that the compiler is to make */

/* XLA has the same modules made in each process, to find the fastest of them. */
static bool take_kept(const char *input, const char *output) {
  size_t size;
  uwjit_bytes image;
  const char *text = read_whole(input, &size);
  if (!text || !uwjit_find_of_ptx(text, size, &image))
    return false;
  FILE *file = fopen(output, "we");
  bool good = file && fwrite(image.data, 1, image.count, file) == image.count;
  free(image.data);
  return file && fclose(file) == 0 && good;
}

void uw_ptxas_keep(void) {
  size_t size, image_size;
  const char *text = made.input ? read_whole(made.input, &size) : NULL;
  const char *image = text ? read_whole(made.output, &image_size) : NULL;
  if (image)
    uwjit_keep_of_ptx(text, size, image, image_size);
}

bool uw_ptxas(int *argument_count, char ***arguments, int *status) {
  uw_strings command = {0};
  const char *input = NULL, *output = "elf.o";
  uw_strings_add_many(&command, (*arguments)[0], "-cubin", "-march=native", NULL);
  *status = 1;
  unsetenv("NVCC_PREPEND_FLAGS"); /* nvcc's alone: -fcheck there is not for what Triton compiles */
  unsetenv("NVCC_APPEND_FLAGS");
  for (int i = 1; i < *argument_count; i++) {
    const char *word = (*arguments)[i], *next = i + 1 < *argument_count ? (*arguments)[i + 1] : NULL;
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
      printf("ptxas: unwarp's, which makes modules for this CPU of PTX\n");
      uw_print_cuda_release(UW_CUDA_VERSION);
      *status = 0;
      return false;
    }
    if (strcmp(word, "-o") == 0 || strcmp(word, "--output-file") == 0) {
      output = next;
      i++;
    } else if (word[0] == '-' && word[1]) {
      i += has_value(word);
    } else if (input) {
      return uw_report_error("ptxas: one file at a time: '%s' and '%s'", input, word);
    } else {
      input = word;
    }
  }
  if (!input || !output)
    return uw_report_error("ptxas: %s", input ? "-o wants a file" : "no input file");
  setenv("UNWARP", "/proc/self/exe", 1); /* whose results are kept, whatever this one was called by */
  if (take_kept(input, output)) {
    *status = 0;
    return false;
  }
  made = (files){input, output};
  uw_strings_add_many(&command, "-o", output, input, NULL);
  *argument_count = (int)command.count;
  *arguments = (char **)command.items;
  return true;
}
