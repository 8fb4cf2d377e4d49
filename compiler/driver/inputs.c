/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What an input is, by -x or by its name. */
#include "inputs.h"

#include "../../runtime/module_image.h"
#include "report.h"
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The part after the last dot of the last component, or "". */
static const char *suffix(const char *path) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  return dot ? dot + 1 : "";
}

bool uw_kind_by_suffix(const char *path, uw_input_kind *kind) {
  static const struct {
    const char *suffix;
    uw_input_kind kind;
  } known[] = {{"cu", UW_INPUT_CUDA},    {"c", UW_INPUT_HOST},       {"cc", UW_INPUT_HOST}, {"cpp", UW_INPUT_HOST},
               {"cxx", UW_INPUT_HOST},   {"c++", UW_INPUT_HOST},     {"cp", UW_INPUT_HOST}, {"C", UW_INPUT_HOST},
               {"CC", UW_INPUT_HOST},    {"CPP", UW_INPUT_HOST},     {"i", UW_INPUT_HOST},  {"ii", UW_INPUT_HOST},
               {"s", UW_INPUT_HOST},     {"S", UW_INPUT_HOST},       {"ll", UW_INPUT_HOST}, {"bc", UW_INPUT_HOST},
               {"ptx", UW_INPUT_DEVICE}, {"ltoir", UW_INPUT_DEVICE}, {"o", UW_INPUT_LINK},  {"obj", UW_INPUT_LINK},
               {"lo", UW_INPUT_LINK},    {"a", UW_INPUT_LINK},       {"so", UW_INPUT_LINK}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(suffix(path), known[i].suffix) == 0) {
      *kind = known[i].kind;
      return true;
    }
  *kind = UW_INPUT_LINK;
  return strstr(path, ".so.") != NULL;
}

/* What -cubin, -fatbin and -ptx of unwarp write: compiled already, and loaded by programs. */
static bool is_module_of_ours(const char *path) {
  char magic[sizeof UWRT_IMAGE_MAGIC - 1];
  FILE *file = fopen(path, "rb");
  bool ours =
      file && fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, UWRT_IMAGE_MAGIC, sizeof magic) == 0;
  if (file)
    fclose(file);
  return ours;
}

bool uw_set_kind(uw_input *input, const char *language) {
  if (language) {
    bool is_cuda = strcmp(language, "cu") == 0 || strcmp(language, "cuda") == 0;
    input->kind = is_cuda ? UW_INPUT_CUDA : UW_INPUT_HOST;
    input->language = is_cuda ? NULL : language;
    return true;
  }
  if (strcmp(input->text, "-") == 0)
    return uw_report_error("standard input needs -x LANG before it");
  if (uw_kind_by_suffix(input->text, &input->kind)) {
    bool ir = strcmp(suffix(input->text), "ll") == 0 || strcmp(suffix(input->text), "bc") == 0;
    if (ir && uw_is_device_code(input->text))
      input->kind = UW_INPUT_DEVICE;
    return true;
  }
  struct stat status;
  if (stat(input->text, &status) == 0 && S_ISDIR(status.st_mode))
    return uw_report_error("'%s' is a folder", input->text);
  if (is_module_of_ours(input->text))
    return uw_report_error(
        "'%s' is a module that unwarp made: programs load it by cuModuleLoad or cudaLibraryLoadFromFile. "
        "To link its kernels into a program give their source, or an object of it",
        input->text);
  static const char *const gpu_code[] = {"cubin", "fatbin", "gpu"};
  for (size_t i = 0; i < sizeof gpu_code / sizeof gpu_code[0]; i++)
    if (strcmp(suffix(input->text), gpu_code[i]) == 0)
      return uw_report_error("'%s' holds GPU code, which a CPU cannot run: give the CUDA source, or PTX", input->text);
  if (stat(input->text, &status) == 0 && S_ISREG(status.st_mode) &&
      uw_is_device_code(input->text)) { /* programs give ptxas files of any name */
    input->kind = UW_INPUT_DEVICE;
    return true;
  }
  return uw_report_error("'%s': no language goes with this name; -x cu before it makes it CUDA", input->text);
}

bool uw_is_cxx(const uw_input *input) {
  static const char *const suffixes[] = {"cc", "cpp", "cxx", "c++", "cp", "C", "CC", "CPP"};
  if (input->is_option || input->kind != UW_INPUT_HOST)
    return false;
  if (input->language)
    return strcmp(input->language, "c++") == 0;
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
    if (strcmp(suffix(input->text), suffixes[i]) == 0)
      return true;
  return false;
}

bool uw_is_c_by_name(const uw_input *input) {
  return !input->is_option && input->kind == UW_INPUT_HOST && !input->language && strcmp(suffix(input->text), "c") == 0;
}

bool uw_is_program(const uw_input *input) {
  struct stat status;
  uw_input_kind kind;
  return !input->is_option && !uw_kind_by_suffix(input->text, &kind) && stat(input->text, &status) == 0 &&
         S_ISREG(status.st_mode) && access(input->text, X_OK) == 0;
}
