/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * libNVVM's programs. The installed compiler links their modules and writes PTX of them, or bitcode (jit/compiler.c).
 * Verifying is compiling: the answer is kept, so that the compile that mostly follows has it at once. libdevice among
 * the modules is left out by the compiler, which has those functions for this processor.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/nvvm.h"
#pragma GCC visibility pop
#include "../jit/options.h"
#include "../jit/link.h"

struct _nvvmProgram {
  uwjit_link link;    /* its modules */
  uwjit_bytes result; /* no data: not compiled */
  char *log;
};

const char *nvvmGetErrorString(nvvmResult result) {
  static const char *const names[] = {"NVVM_SUCCESS",
                                      "NVVM_ERROR_OUT_OF_MEMORY",
                                      "NVVM_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVVM_ERROR_IR_VERSION_MISMATCH",
                                      "NVVM_ERROR_INVALID_INPUT",
                                      "NVVM_ERROR_INVALID_PROGRAM",
                                      "NVVM_ERROR_INVALID_IR",
                                      "NVVM_ERROR_INVALID_OPTION",
                                      "NVVM_ERROR_NO_MODULE_IN_PROGRAM",
                                      "NVVM_ERROR_COMPILATION"};
  return (unsigned int)result < sizeof names / sizeof *names ? names[result] : "NVVM_ERROR unknown";
}

nvvmResult nvvmVersion(int *major, int *minor) {
  if (!major || !minor)
    return NVVM_ERROR_INVALID_INPUT;
  *major = 2;
  *minor = 0;
  return NVVM_SUCCESS;
}

nvvmResult nvvmIRVersion(int *majorIR, int *minorIR, int *majorDbg, int *minorDbg) {
  if (!majorIR || !minorIR || !majorDbg || !minorDbg)
    return NVVM_ERROR_INVALID_INPUT;
  *majorIR = 2;
  *minorIR = 0;
  *majorDbg = 3;
  *minorDbg = 1;
  return NVVM_SUCCESS;
}

nvvmResult nvvmLLVMVersion(const char *arch, int *major) {
  enum { READ = 22 };
  if (!arch || !major)
    return NVVM_ERROR_INVALID_INPUT;
  *major = READ;
  return NVVM_SUCCESS;
}

/* --- modules ------------------------------------------------------------------------------------------------------ */

nvvmResult nvvmCreateProgram(nvvmProgram *prog) {
  if (!prog)
    return NVVM_ERROR_INVALID_INPUT;
  *prog = calloc(1, sizeof **prog);
  return *prog ? NVVM_SUCCESS : NVVM_ERROR_OUT_OF_MEMORY;
}

nvvmResult nvvmDestroyProgram(nvvmProgram *prog) {
  if (!prog || !*prog)
    return NVVM_ERROR_INVALID_PROGRAM;
  uwjit_link_free(&(*prog)->link);
  free((*prog)->result.data);
  free((*prog)->log);
  free(*prog);
  *prog = NULL;
  return NVVM_SUCCESS;
}

nvvmResult nvvmAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name) {
  if (!prog)
    return NVVM_ERROR_INVALID_PROGRAM;
  if (!buffer || !size)
    return NVVM_ERROR_INVALID_INPUT;
  int bitcode = uwjit_is_bitcode(buffer, size);
  uwjit_taken taken =
      uwjit_link_add_source(&prog->link, buffer, bitcode ? size : strnlen(buffer, size), name, bitcode ? ".bc" : ".ll");
  return taken == UWJIT_TAKEN ? NVVM_SUCCESS : NVVM_ERROR_OUT_OF_MEMORY;
}

/* What is not used is left out in any case. */
nvvmResult nvvmLazyAddModuleToProgram(nvvmProgram prog, const char *buffer, size_t size, const char *name) {
  return nvvmAddModuleToProgram(prog, buffer, size, name);
}

/* --- options ------------------------------------------------------------------------------------------------------ */

enum { WANTS_LTO = 1 };
static const uwjit_option table[] = {
    {"g", UWJIT_FLAG},
    {"generate-line-info", UWJIT_FLAG},
    {"opt", UWJIT_NUMBER},
    {"arch", UWJIT_GPU, "-arch=%s"},
    {"ftz", UWJIT_TRUTH, "-ftz=%s"},
    {"prec-sqrt", UWJIT_TRUTH, "-prec-sqrt=%s"},
    {"prec-div", UWJIT_TRUTH, "-prec-div=%s"},
    {"fma", UWJIT_TRUTH, "-fmad=%s"},
    {"gen-lto", UWJIT_FLAG, NULL, WANTS_LTO},
    {"opt-ltoir", UWJIT_FLAG},
    {"split-compile", UWJIT_NUMBER},
    {"jump-table-density", UWJIT_NUMBER},
    {"Ofast-compile", UWJIT_TEXT},
};

/* --- compiling ---------------------------------------------------------------------------------------------------- */

static void set_log(nvvmProgram prog, char *owned) {
  free(prog->log);
  prog->log = owned;
}

static nvvmResult compile(nvvmProgram prog, int count, const char **given, nvvmResult refused) {
  if (!prog)
    return NVVM_ERROR_INVALID_PROGRAM;
  if (count < 0 || (count && !given))
    return NVVM_ERROR_INVALID_INPUT;
  if (!prog->link.source_count)
    return NVVM_ERROR_NO_MODULE_IN_PROGRAM;
  uwjit_options own;
  free(prog->result.data);
  prog->result = (uwjit_bytes){0};
  if (!uwjit_options_read(&own, table, sizeof table / sizeof *table, count, given)) {
    char *log = NULL;
    set_log(prog, own.bad && asprintf(&log, "libnvvm: error: %s is an unsupported option", own.bad) >= 0 ? log : NULL);
    nvvmResult code = own.bad ? NVVM_ERROR_INVALID_OPTION : NVVM_ERROR_OUT_OF_MEMORY;
    uwjit_options_free(&own);
    return code;
  }
  uwjit_result result;
  uwjit_link_finish(&prog->link, own.seen & WANTS_LTO ? UWJIT_LTOIR : UWJIT_PTX, (const char *const *)own.items,
                    own.count, &result);
  uwjit_options_free(&own);
  nvvmResult code = result.state == UWJIT_DONE          ? NVVM_SUCCESS
                    : result.state == UWJIT_REFUSED     ? refused
                    : result.state == UWJIT_NO_COMPILER ? NVVM_ERROR_COMPILATION
                                                        : NVVM_ERROR_OUT_OF_MEMORY;
  if (code == NVVM_SUCCESS)
    prog->result = (uwjit_bytes){result.image, result.bytes};
  result.image = code == NVVM_SUCCESS ? NULL : result.image;
  set_log(prog, result.log);
  result.log = NULL;
  uwjit_free(&result);
  return code;
}

nvvmResult nvvmCompileProgram(nvvmProgram prog, int numOptions, const char **options) {
  return compile(prog, numOptions, options, NVVM_ERROR_COMPILATION);
}

/* The compile that follows finds the result in the cache on disk. */
nvvmResult nvvmVerifyProgram(nvvmProgram prog, int numOptions, const char **options) {
  nvvmResult code = compile(prog, numOptions, options, NVVM_ERROR_INVALID_IR);
  if (prog) {
    free(prog->result.data);
    prog->result = (uwjit_bytes){0};
  }
  return code;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

nvvmResult nvvmGetCompiledResultSize(nvvmProgram prog, size_t *bufferSizeRet) {
  if (!prog || !prog->result.data)
    return NVVM_ERROR_INVALID_PROGRAM;
  if (!bufferSizeRet)
    return NVVM_ERROR_INVALID_INPUT;
  *bufferSizeRet = prog->result.count + !uwjit_is_bitcode(prog->result.data, prog->result.count);
  return NVVM_SUCCESS;
}

nvvmResult nvvmGetCompiledResult(nvvmProgram prog, char *buffer) {
  size_t size;
  nvvmResult code = nvvmGetCompiledResultSize(prog, &size);
  if (code == NVVM_SUCCESS && !buffer)
    return NVVM_ERROR_INVALID_INPUT;
  if (code == NVVM_SUCCESS)
    memcpy(buffer, prog->result.data, size);
  return code;
}

nvvmResult nvvmGetProgramLogSize(nvvmProgram prog, size_t *bufferSizeRet) {
  if (!prog)
    return NVVM_ERROR_INVALID_PROGRAM;
  if (!bufferSizeRet)
    return NVVM_ERROR_INVALID_INPUT;
  *bufferSizeRet = (prog->log ? strlen(prog->log) : 0) + 1;
  return NVVM_SUCCESS;
}

nvvmResult nvvmGetProgramLog(nvvmProgram prog, char *buffer) {
  if (!prog)
    return NVVM_ERROR_INVALID_PROGRAM;
  if (!buffer)
    return NVVM_ERROR_INVALID_INPUT;
  strcpy(buffer, prog->log ? prog->log : "");
  return NVVM_SUCCESS;
}
