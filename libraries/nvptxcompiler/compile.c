/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvPTXCompiler on jit/compiler.c. What each call refuses is as NVIDIA's library of 13.5 does it, but that PTX for a
 * newer GPU than the one named is compiled, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/nvPTXCompiler.h"
#pragma GCC visibility pop
#include "../../runtime/ptx_version.h"
#include "../jit/fat.h"
#include "../jit/jit.h"
#include "../jit/options.h"

struct nvPTXCompiler {
  char *text; /* malloc's */
  size_t bytes;
  uwjit_result result;
  char *errors; /* malloc's; null: none */
};

/* By both of their names. Registers, caches and code that only GPUs have mean nothing on a CPU. */
static const uwjit_option table[] = {
    {"fmad", UWJIT_TRUTH, "-fmad=%s"},
    {"gpu-name", UWJIT_GPU},
    {"arch", UWJIT_GPU},
    {"opt-level", UWJIT_NUMBER},
    {"O", UWJIT_NUMBER},
    {"O0", UWJIT_FLAG},
    {"O1", UWJIT_FLAG},
    {"O2", UWJIT_FLAG},
    {"O3", UWJIT_FLAG},
    {"O4", UWJIT_FLAG},
    {"Ofast-compile", UWJIT_TEXT},
    {"Ofc", UWJIT_TEXT},
    {"maxrregcount", UWJIT_TEXT},
    {"device-function-maxrregcount", UWJIT_TEXT},
    {"func-maxrregcount", UWJIT_TEXT},
    {"register-usage-level", UWJIT_NUMBER},
    {"regUsageLevel", UWJIT_NUMBER},
    {"maxntid", UWJIT_TEXT},
    {"minnctapersm", UWJIT_NUMBER},
    {"override-directive-values", UWJIT_FLAG},
    {"entry", UWJIT_TEXT},
    {"e", UWJIT_TEXT},
    {"machine", UWJIT_NUMBER},
    {"m", UWJIT_NUMBER},
    {"m64", UWJIT_FLAG},
    {"split-compile", UWJIT_NUMBER},
    {"def-load-cache", UWJIT_TEXT},
    {"dlcm", UWJIT_TEXT},
    {"def-store-cache", UWJIT_TEXT},
    {"dscm", UWJIT_TEXT},
    {"force-load-cache", UWJIT_TEXT},
    {"flcm", UWJIT_TEXT},
    {"force-store-cache", UWJIT_TEXT},
    {"fscm", UWJIT_TEXT},
    {"sanitize", UWJIT_TEXT},
    {"allow-expensive-optimizations", UWJIT_TRUTH},
    {"position-independent-code", UWJIT_TRUTH},
    {"pic", UWJIT_TRUTH},
    {"device-stack-protector", UWJIT_TRUTH},
    {"compile-as-tools-patch", UWJIT_FLAG},
    {"astoolspatch", UWJIT_FLAG},
    {"compile-only", UWJIT_FLAG},
    {"c", UWJIT_FLAG},
    {"compiler-annotations", UWJIT_FLAG},
    {"annotate", UWJIT_FLAG},
    {"device-debug", UWJIT_FLAG},
    {"g", UWJIT_FLAG},
    {"generate-line-info", UWJIT_FLAG},
    {"lineinfo", UWJIT_FLAG},
    {"disable-optimizer-constants", UWJIT_FLAG},
    {"disable-optimizer-consts", UWJIT_FLAG},
    {"disable-warnings", UWJIT_FLAG},
    {"w", UWJIT_FLAG},
    {"dont-merge-basicblocks", UWJIT_FLAG},
    {"no-bb-merge", UWJIT_FLAG},
    {"extensible-whole-program", UWJIT_FLAG},
    {"ewp", UWJIT_FLAG},
    {"legacy-bar-warp-wide-behavior", UWJIT_FLAG},
    {"make-errors-visible-at-exit", UWJIT_FLAG},
    {"optimize-float-atomics", UWJIT_FLAG},
    {"opt-fp-atomics", UWJIT_FLAG},
    {"preserve-relocs", UWJIT_FLAG},
    {"return-at-end", UWJIT_FLAG},
    {"ret-end", UWJIT_FLAG},
    {"sp-bounds-check", UWJIT_FLAG},
    {"g-tensor-memory-access-check", UWJIT_FLAG},
    {"g-tmem-access-check", UWJIT_FLAG},
    {"gno-tensor-memory-access-check", UWJIT_FLAG},
    {"gno-tmem-access-check", UWJIT_FLAG},
    {"suppress-async-bulk-multicast-advisory-warning", UWJIT_FLAG},
    {"suppress-debug-info", UWJIT_FLAG},
    {"suppress-double-demote-warning", UWJIT_FLAG},
    {"suppress-sparse-mma-advisory-info", UWJIT_FLAG},
    {"suppress-stack-size-warning", UWJIT_FLAG},
    {"verbose", UWJIT_FLAG},
    {"v", UWJIT_FLAG},
    {"warn-on-double-precision-use", UWJIT_FLAG},
    {"warn-double-usage", UWJIT_FLAG},
    {"warn-on-local-memory-usage", UWJIT_FLAG},
    {"warn-lmem-usage", UWJIT_FLAG},
    {"warn-on-spills", UWJIT_FLAG},
    {"warning-as-error", UWJIT_FLAG},
    {"Werror", UWJIT_FLAG},
};

static nvPTXCompileResult say_version(unsigned int *major, unsigned int *minor, unsigned int version) {
  if (!major || !minor)
    return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  *major = version / 1000;
  *minor = version % 1000 / 10;
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetVersion(unsigned int *major, unsigned int *minor) {
  return say_version(major, minor, 12040);
}

/* What headers of these versions call (unwarp/version.h). */
#define SAY_VERSION(number)                                                                                            \
  __attribute__((visibility("default"))) nvPTXCompileResult nvPTXCompilerGetVersion_##number(unsigned int *major,      \
                                                                                             unsigned int *minor);     \
  nvPTXCompileResult nvPTXCompilerGetVersion_##number(unsigned int *major, unsigned int *minor) {                      \
    return say_version(major, minor, number);                                                                          \
  }
SAY_VERSION(11080)
SAY_VERSION(12090)
SAY_VERSION(13000)
SAY_VERSION(13010)

nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle *compiler, size_t ptxCodeLen, const char *ptxCode) {
  if (!compiler || !ptxCode || !ptxCodeLen)
    return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  nvPTXCompilerHandle fresh = calloc(1, sizeof *fresh);
  if (fresh)
    fresh->text = strndup(ptxCode, ptxCodeLen);
  if (!fresh || !fresh->text) {
    free(fresh);
    return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
  }
  fresh->bytes = strlen(fresh->text);
  *compiler = fresh;
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle *compiler) {
  if (!compiler || !*compiler)
    return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  uwjit_free(&(*compiler)->result);
  free((*compiler)->errors);
  free((*compiler)->text);
  free(*compiler);
  *compiler = NULL;
  return NVPTXCOMPILE_SUCCESS;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

static nvPTXCompileResult fail(nvPTXCompilerHandle compiler, nvPTXCompileResult code, const char *text) {
  size_t length = strlen(text);
  compiler->errors = malloc(length + 2);
  if (!compiler->errors)
    return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
  snprintf(compiler->errors, length + 2, "%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
  return code;
}

static nvPTXCompileResult compile(nvPTXCompilerHandle compiler, const uwjit_options *options) {
  const char *word;
  size_t length;
  char said[160];
  if (!uwjit_is_ptx(compiler->text, compiler->bytes))
    return fail(compiler, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE,
                "ptxas application ptx input, line 1; fatal   : Missing .version directive at start of file");
  if (uwjit_ptx_version(compiler->text, compiler->bytes, &word, &length) > UWRT_NEWEST_PTX) {
    snprintf(said, sizeof said, "ptxas application ptx input, line 1; fatal   : " UWRT_TOO_NEW_PTX,
             length < 20 ? (int)length : 20, word, UWRT_NEWEST_PTX / 10, UWRT_NEWEST_PTX % 10);
    return fail(compiler, NVPTXCOMPILE_ERROR_UNSUPPORTED_PTX_VERSION, said);
  }
  /* Without options the request is cuModuleLoadData's, which finds what was made here. */
  uwjit_file source = {"module.ptx", compiler->text, compiler->bytes};
  uwjit_request request = {.form = UWJIT_MODULE,
                           .sources = &source,
                           .source_count = 1,
                           .options = (const char *const *)options->items,
                           .option_count = options->count};
  uwjit_compile(&request, &compiler->result);
  switch (compiler->result.state) {
  case UWJIT_DONE: return NVPTXCOMPILE_SUCCESS;
  case UWJIT_NO_ROOM: return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
  case UWJIT_REFUSED: return fail(compiler, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, compiler->result.log);
  case UWJIT_NO_COMPILER: break;
  }
  return fail(compiler, NVPTXCOMPILE_ERROR_INTERNAL, compiler->result.log);
}

nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle compiler, int numCompileOptions,
                                        const char *const *compileOptions) {
  if (!compiler)
    return NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (numCompileOptions < 0 || (numCompileOptions && !compileOptions))
    return NVPTXCOMPILE_ERROR_INVALID_INPUT;
  uwjit_free(&compiler->result);
  free(compiler->errors);
  compiler->errors = NULL;
  uwjit_options options;
  nvPTXCompileResult code = NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
  if (uwjit_options_read(&options, table, sizeof table / sizeof *table, numCompileOptions, compileOptions)) {
    if (uwjit_options_add(&options, "%s", "-march=native"))
      code = compile(compiler, &options);
  } else if (options.bad) {
    char said[160];
    snprintf(said, sizeof said, "ptxas fatal   : Unknown option, or value of it, '%.100s'", options.bad);
    code = fail(compiler, NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, said);
  }
  uwjit_options_free(&options);
  return code;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static int is_compiled(nvPTXCompilerHandle compiler) {
  return compiler->result.state == UWJIT_DONE && compiler->result.image;
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle compiler, size_t *binaryImageSize) {
  if (!compiler || !binaryImageSize)
    return compiler ? NVPTXCOMPILE_ERROR_INVALID_INPUT : NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  if (!is_compiled(compiler))
    return NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE;
  *binaryImageSize = compiler->result.bytes;
  return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle compiler, void *binaryImage) {
  size_t size;
  nvPTXCompileResult code = nvPTXCompilerGetCompiledProgramSize(compiler, &size);
  if (code == NVPTXCOMPILE_SUCCESS && !binaryImage)
    code = NVPTXCOMPILE_ERROR_INVALID_INPUT;
  if (code == NVPTXCOMPILE_SUCCESS)
    memcpy(binaryImage, compiler->result.image, size);
  return code;
}

/* Its final zero is not counted, and written, as NVIDIA's is. Null: nothing was said. */
static nvPTXCompileResult log_size(nvPTXCompilerHandle compiler, const char *text, size_t *size) {
  if (!compiler || !size)
    return compiler ? NVPTXCOMPILE_ERROR_INVALID_INPUT : NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE;
  *size = text ? strlen(text) : 0;
  return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult copy_log(nvPTXCompilerHandle compiler, const char *text, char *to) {
  size_t size;
  nvPTXCompileResult code = log_size(compiler, text, &size);
  if (code == NVPTXCOMPILE_SUCCESS && !to)
    code = NVPTXCOMPILE_ERROR_INVALID_INPUT;
  if (code == NVPTXCOMPILE_SUCCESS && size)
    memcpy(to, text, size + 1);
  return code;
}

static const char *errors(nvPTXCompilerHandle compiler) { return compiler ? compiler->errors : NULL; }
static const char *said(nvPTXCompilerHandle compiler) {
  return compiler && is_compiled(compiler) ? compiler->result.log : NULL;
}

nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle compiler, size_t *errorLogSize) {
  return log_size(compiler, errors(compiler), errorLogSize);
}
nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle compiler, char *errorLog) {
  return copy_log(compiler, errors(compiler), errorLog);
}
nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle compiler, size_t *infoLogSize) {
  return log_size(compiler, said(compiler), infoLogSize);
}
nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle compiler, char *infoLog) {
  return copy_log(compiler, said(compiler), infoLog);
}
