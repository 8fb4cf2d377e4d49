/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * NVRTC's programs. The installed compiler makes a module image of the source (jit/compiler.c), which is the CUBIN; PTX
 * is text that is written when it is asked for (text.c). A name expression becomes a variable after the source that takes its address, which instantiates
 * templates; the compiler tells the mangled names with the image (frontend/device_only.c). The log is what the compiler
 * said.
 */
#include "internal.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "../../runtime/module_image.h"

static const int architectures[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90};

const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const names[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION",
                                      "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                      "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                      "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                      "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                      "NVRTC_ERROR_INTERNAL_ERROR",
                                      "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
                                      "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
                                      "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
                                      "NVRTC_ERROR_PCH_CREATE",
                                      "NVRTC_ERROR_CANCELLED",
                                      "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED"};
  return (unsigned int)result < sizeof names / sizeof *names ? names[result] : "NVRTC_ERROR unknown";
}

static nvrtcResult say_version(int *major, int *minor, int version) {
  if (!major || !minor)
    return NVRTC_ERROR_INVALID_INPUT;
  *major = version / 1000;
  *minor = version % 1000 / 10;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcVersion(int *major, int *minor) {
  return say_version(major, minor, UWRTC_MAJOR == 12 ? 12040 : UWRTC_MAJOR * 1000);
}

/* What headers of these versions call (unwarp/version.h). */
#define SAY_VERSION(number)                                                                                            \
  __attribute__((visibility("default"))) nvrtcResult nvrtcVersion_##number(int *major, int *minor);                    \
  nvrtcResult nvrtcVersion_##number(int *major, int *minor) { return say_version(major, minor, number); }
SAY_VERSION(11080)
SAY_VERSION(12090)
SAY_VERSION(13000)
SAY_VERSION(13010)

nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs) {
  if (!numArchs)
    return NVRTC_ERROR_INVALID_INPUT;
  *numArchs = sizeof architectures / sizeof *architectures;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs) {
  if (!supportedArchs)
    return NVRTC_ERROR_INVALID_INPUT;
  memcpy(supportedArchs, architectures, sizeof architectures);
  return NVRTC_SUCCESS;
}

/* --- making and unmaking ------------------------------------------------------------------------------------------ */

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog) {
  if (!prog || !*prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  nvrtcProgram gone = *prog;
  for (int i = 0; i < gone->header_count && gone->headers; i++) {
    free((char *)gone->headers[i].name);
    free((char *)gone->headers[i].text);
  }
  for (int i = 0; i < gone->expression_count; i++)
    free(gone->expressions[i]);
  free(gone->headers);
  free(gone->expressions);
  free(gone->lowered);
  free(gone->name);
  free(gone->source.data);
  free(gone->log);
  free(gone->image);
  uwrtc_forget_source(gone);
  free(gone);
  *prog = NULL;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name, int numHeaders,
                               const char *const *headers, const char *const *includeNames) {
  if (!prog || !src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
    return NVRTC_ERROR_INVALID_INPUT;
  nvrtcProgram fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  int good = (fresh->name = strdup(name && *name ? name : "default_program")) != NULL &&
             uwjit_append(&fresh->source, src, strlen(src)) &&
             (fresh->headers = calloc((size_t)numHeaders + 1, sizeof *fresh->headers)) != NULL;
  for (int i = 0; i < numHeaders && good; i++) {
    good = headers[i] && includeNames[i];
    if (!good)
      break;
    uwjit_file *header = &fresh->headers[fresh->header_count++];
    *header = (uwjit_file){strdup(includeNames[i]), strdup(headers[i]), strlen(headers[i])};
    good = header->name && header->text;
  }
  if (!good) {
    nvrtcDestroyProgram(&fresh);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  *prog = fresh;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *const name_expression) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!name_expression || !*name_expression)
    return NVRTC_ERROR_INVALID_INPUT;
  if (prog->tried)
    return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
  for (int i = 0; i < prog->expression_count; i++)
    if (strcmp(prog->expressions[i], name_expression) == 0)
      return NVRTC_SUCCESS;
  char **larger = realloc(prog->expressions, ((size_t)prog->expression_count + 1) * sizeof *larger);
  char *copy = strdup(name_expression);
  if (larger)
    prog->expressions = larger;
  if (!larger || !copy) {
    free(copy);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  prog->expressions[prog->expression_count++] = copy;
  return NVRTC_SUCCESS;
}

/* --- compiling ---------------------------------------------------------------------------------------------------- */

static int append_text(uwjit_bytes *to, const char *text) { return uwjit_append(to, text, strlen(text)); }

/* A name as a string of C. */
static int append_quoted(uwjit_bytes *to, const char *text) {
  int good = append_text(to, "\"");
  for (; *text && good; text++) {
    if (*text == '"' || *text == '\\')
      good = append_text(to, "\\");
    good = good && uwjit_append(to, *text == '\n' ? " " : text, 1);
  }
  return good && append_text(to, "\"");
}

static int is_of_word(char c) { return c == '_' || isalnum((unsigned char)c); }

/* Whether the source has "typedef … NAME;". */
static int defines_type(const char *source, const char *name) {
  size_t length = strlen(name);
  for (const char *at = source; (at = strstr(at, name)); at += length) {
    const char *after = at + length + strspn(at + length, " \t"), *begin = at;
    if (*after != ';' || at == source || is_of_word(at[-1]))
      continue;
    while (begin > source && !strchr(";{}#\"", begin[-1]))
      begin--;
    for (; begin + 7 < at; begin++)
      if (strncmp(begin, "typedef", 7) == 0 && !is_of_word(begin[7]))
        return 1;
  }
  return 0;
}

/* NVRTC has no int64_t of its own, so that programs make it a long long; ours, the host's, is a long. Theirs gets
 * another name then. */
static int append_renamed(uwjit_bytes *to, const char *source) {
  static const char *const names[] = {"int64_t", "uint64_t"};
  int good = 1;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (good && defines_type(source, names[i]))
      good = append_text(to, "#define ") && append_text(to, names[i]) && append_text(to, " __program_") &&
             append_text(to, names[i]) && append_text(to, "\n");
  return good;
}

static int whole_source(uwjit_bytes *to, const struct _nvrtcProgram *prog, int default_device) {
  static const char
      device[] = "#pragma clang force_cuda_host_device begin\n",
      targets[] = "#include <nv/target>\n"; /* as NVRTC has it; by -include it would cost the precompiled prelude */
  char line[160];
  int good = append_text(to, targets) && append_renamed(to, prog->source.data) &&
             (!default_device || append_text(to, device)) && append_text(to, "#line 1 ") &&
             append_quoted(to, prog->name) && append_text(to, "\n") &&
             uwjit_append(to, prog->source.data, prog->source.count) &&
             (!default_device || append_text(to, "\n#pragma clang force_cuda_host_device end"));
  for (int i = 0; i < prog->expression_count && good; i++) {
    snprintf(line, sizeof line,
             "\n#line 1 \"name expression %d\"\nextern \"C\" %s__attribute__((used)) const void *__unwarp_name_%d "
             "= (const void *)(",
             i, default_device ? "__device__ " : "", i);
    good = append_text(to, line) && append_text(to, prog->expressions[i]) && append_text(to, ");");
  }
  return good && append_text(to, "\n");
}

/* The image's pairs: the expression's number, the name. */
static int read_names(nvrtcProgram prog) {
  const uwrt_image *image = prog->image;
  const char *at = (const char *)prog->image + image->names, *end = at + image->names_bytes;
  prog->lowered = calloc((size_t)prog->expression_count + 1, sizeof *prog->lowered);
  if (!prog->lowered)
    return 0;
  for (uint32_t i = 0; i < image->name_count && at < end; i++) {
    const char *number = at, *name = memchr(at, 0, (size_t)(end - at));
    if (!name || ++name >= end || !memchr(name, 0, (size_t)(end - name)))
      return 0;
    int which = atoi(number);
    if (which >= 0 && which < prog->expression_count)
      prog->lowered[which] = name;
    at = name + strlen(name) + 1;
  }
  for (int i = 0; i < prog->expression_count; i++)
    if (!prog->lowered[i])
      return 0;
  return 1;
}

static void set_log(nvrtcProgram prog, const char *before, const char *text) {
  size_t bytes = strlen(before) + strlen(text) + 1;
  char *log = malloc(bytes);
  if (log)
    snprintf(log, bytes, "%s%s", before, text);
  free(prog->log);
  prog->log = log;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (numOptions < 0 || (numOptions && !options))
    return NVRTC_ERROR_INVALID_INPUT;
  uwrtc_forget_source(prog);
  free(prog->image);
  prog->image = NULL;
  uwrtc_options *own = &prog->options;
  const char *bad = uwrtc_read_options(own, numOptions, options);
  if (bad) {
    set_log(prog, "nvrtc: error: unrecognized option found: ", bad);
    uwrtc_forget_source(prog);
    return NVRTC_ERROR_INVALID_OPTION;
  }
  if (!own->items || (!own->no_source_folder && !uwrtc_add_folder(own, prog->name)) ||
      !whole_source(&prog->whole, prog, own->default_device)) {
    uwrtc_forget_source(prog);
    return NVRTC_ERROR_OUT_OF_MEMORY;
  }
  prog->tried = 1;
  /* Names are asked of a module; one that others are linked with is text or bitcode. */
  prog->form = own->wants_lto ? UWJIT_LTOIR : own->relocatable && !prog->expression_count ? UWJIT_PTX : UWJIT_MODULE;
  uwjit_result result;
  uwrtc_compile(prog, prog->form, &result);
  set_log(prog, "", result.log ? result.log : "");
  nvrtcResult code = uwrtc_code_of(&result);
  if (code == NVRTC_SUCCESS) {
    prog->image = result.image;
    prog->image_bytes = result.bytes;
    result.image = NULL;
    free(prog->lowered);
    if (prog->form == UWJIT_MODULE && !read_names(prog))
      code = NVRTC_ERROR_INTERNAL_ERROR;
  }
  uwjit_free(&result);
  return code;
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static nvrtcResult image_size(nvrtcProgram prog, int form, size_t *bytes) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!bytes)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!prog->image || prog->form != form)
    return NVRTC_ERROR_INVALID_PROGRAM;
  *bytes = prog->image_bytes + (prog->form == UWJIT_PTX); /* the text's final zero */
  return NVRTC_SUCCESS;
}

static nvrtcResult copy_image(nvrtcProgram prog, int form, char *to) {
  size_t bytes;
  nvrtcResult result = to     ? image_size(prog, form, &bytes)
                       : prog ? NVRTC_ERROR_INVALID_INPUT
                              : NVRTC_ERROR_INVALID_PROGRAM;
  if (result == NVRTC_SUCCESS)
    memcpy(to, prog->image, bytes);
  return result;
}

/* Of a module the text is written now; the log then says why it cannot be. */
static nvrtcResult find_text(nvrtcProgram prog, const char **text, size_t *bytes) {
  if (!prog->image || prog->form == UWJIT_LTOIR)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (prog->form == UWJIT_MODULE && !prog->text) {
    uwjit_result result;
    nvrtcResult code = uwrtc_write_text(prog, &result);
    if (code != NVRTC_SUCCESS)
      set_log(prog, prog->log ? prog->log : "", result.log ? result.log : "");
    uwjit_free(&result);
    if (code != NVRTC_SUCCESS)
      return code;
  }
  *text = prog->text ? prog->text : prog->image;
  *bytes = (prog->text ? prog->text_bytes : prog->image_bytes) + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet) {
  const char *text;
  return !prog         ? NVRTC_ERROR_INVALID_PROGRAM
         : !ptxSizeRet ? NVRTC_ERROR_INVALID_INPUT
                       : find_text(prog, &text, ptxSizeRet);
}
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx) {
  const char *text;
  size_t bytes;
  nvrtcResult code = !prog  ? NVRTC_ERROR_INVALID_PROGRAM
                     : !ptx ? NVRTC_ERROR_INVALID_INPUT
                            : find_text(prog, &text, &bytes);
  if (code == NVRTC_SUCCESS)
    memcpy(ptx, text, bytes);
  return code;
}
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet) {
  return image_size(prog, UWJIT_MODULE, cubinSizeRet);
}
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin) { return copy_image(prog, UWJIT_MODULE, cubin); }
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram prog, size_t *LTOIRSizeRet) {
  return image_size(prog, UWJIT_LTOIR, LTOIRSizeRet);
}
nvrtcResult nvrtcGetLTOIR(nvrtcProgram prog, char *LTOIR) { return copy_image(prog, UWJIT_LTOIR, LTOIR); }

/* Forms that only NVIDIA's tools read: as where a program was not compiled to them. */
static nvrtcResult no_form(nvrtcProgram prog, const void *to) {
  return !prog ? NVRTC_ERROR_INVALID_PROGRAM : !to ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet) { return no_form(prog, nvvmSizeRet); }
nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm) { return no_form(prog, nvvm); }
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram prog, size_t *optixirSizeRet) { return no_form(prog, optixirSizeRet); }
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram prog, char *optixir) { return no_form(prog, optixir); }

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!logSizeRet)
    return NVRTC_ERROR_INVALID_INPUT;
  *logSizeRet = (prog->log ? strlen(prog->log) : 0) + 1;
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!log)
    return NVRTC_ERROR_INVALID_INPUT;
  strcpy(log, prog->log ? prog->log : "");
  return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *const name_expression, const char **lowered_name) {
  if (!prog)
    return NVRTC_ERROR_INVALID_PROGRAM;
  if (!name_expression || !lowered_name)
    return NVRTC_ERROR_INVALID_INPUT;
  if (!prog->image)
    return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
  for (int i = 0; i < prog->expression_count; i++)
    if (strcmp(prog->expressions[i], name_expression) == 0) {
      *lowered_name = prog->lowered[i];
      return NVRTC_SUCCESS;
    }
  return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

/* Precompiled headers are not made: the cache of results does more. */
static atomic_size_t heap_bytes;
nvrtcResult nvrtcGetPCHHeapSize(size_t *ret) {
  if (!ret)
    return NVRTC_ERROR_INVALID_INPUT;
  *ret = atomic_load(&heap_bytes);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcSetPCHHeapSize(size_t size) {
  atomic_store(&heap_bytes, size);
  return NVRTC_SUCCESS;
}
nvrtcResult nvrtcGetPCHCreateStatus(nvrtcProgram prog) {
  return prog ? NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED : NVRTC_ERROR_INVALID_PROGRAM;
}
nvrtcResult nvrtcGetPCHHeapSizeRequired(nvrtcProgram prog, size_t *size) {
  return !prog ? NVRTC_ERROR_INVALID_PROGRAM : !size ? NVRTC_ERROR_INVALID_INPUT : NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED;
}
nvrtcResult nvrtcSetFlowCallback(nvrtcProgram prog, int (*callback)(void *, void *), void *payload) {
  (void)payload;
  return !prog       ? NVRTC_ERROR_INVALID_PROGRAM
         : !callback ? NVRTC_ERROR_INVALID_INPUT
                     : NVRTC_SUCCESS; /* a compile is short */
}
