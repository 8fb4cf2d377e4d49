/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * nvJitLink on jit/link.c. NVIDIA's header gives each function a name with the version (__nvJitLinkCreate_12_4), so all
 * of these are here. The file is compiled for each version (UWJL_MAJOR).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)
#include "../../include/nvJitLink.h"
#pragma GCC visibility pop
#include "../jit/link.h"
#include "../jit/options.h"

struct nvJitLink {
  uwjit_link link;
  uwjit_options options;
  uwjit_result result;
  char *errors; /* malloc's */
  int complete, has_ptx;
};

enum { HAS_GPU = 1, WANTS_PTX = 2, IS_LTO = 4 };
static const uwjit_option table[] = {
    {"arch", UWJIT_GPU, "-arch=%s", HAS_GPU},
    {"maxrregcount", UWJIT_NUMBER},
    {"time", UWJIT_FLAG},
    {"verbose", UWJIT_FLAG},
    {"lto", UWJIT_FLAG, NULL, IS_LTO},
    {"ptx", UWJIT_FLAG, NULL, WANTS_PTX},
    {"O0", UWJIT_FLAG},
    {"O1", UWJIT_FLAG},
    {"O2", UWJIT_FLAG},
    {"O3", UWJIT_FLAG},
    {"g", UWJIT_FLAG},
    {"lineinfo", UWJIT_FLAG},
    {"ftz", UWJIT_TRUTH, "-ftz=%s"},
    {"prec-div", UWJIT_TRUTH, "-prec-div=%s"},
    {"prec-sqrt", UWJIT_TRUTH, "-prec-sqrt=%s"},
    {"fma", UWJIT_TRUTH, "-fmad=%s"},
    {"kernels-used", UWJIT_TEXT},
    {"variables-used", UWJIT_TEXT},
    {"optimize-unused-variables", UWJIT_FLAG},
    {"Xptxas", UWJIT_TEXT},
    {"Xnvvm", UWJIT_TEXT},
    {"split-compile", UWJIT_NUMBER},
    {"split-compile-extended", UWJIT_NUMBER},
    {"no-cache", UWJIT_FLAG},
    {"jump-table-density", UWJIT_NUMBER},
    {"device-stack-protector", UWJIT_FLAG},
};

static void add_error(nvJitLinkHandle handle, const char *text) {
  size_t have = handle->errors ? strlen(handle->errors) : 0;
  char *larger = realloc(handle->errors, have + strlen(text) + 2);
  if (!larger)
    return;
  handle->errors = larger;
  strcpy(larger + have, text);
  if (*text && text[strlen(text) - 1] != '\n')
    strcat(larger, "\n");
}

/* By its plain name, and by those that headers of other versions call (unwarp/version.h). */
#define SAY_VERSION(suffix, number)                                                                                    \
  __attribute__((visibility("default"))) nvJitLinkResult nvJitLinkVersion##suffix(unsigned int *major,                 \
                                                                                  unsigned int *minor);                \
  nvJitLinkResult nvJitLinkVersion##suffix(unsigned int *major, unsigned int *minor) {                                 \
    if (!major || !minor)                                                                                              \
      return NVJITLINK_ERROR_NULL_INPUT;                                                                               \
    *major = (number) / 1000;                                                                                          \
    *minor = (number) % 1000 / 10;                                                                                     \
    return NVJITLINK_SUCCESS;                                                                                          \
  }
SAY_VERSION(, UWJL_MAJOR == 12 ? 12040 : UWJL_MAJOR * 1000)
SAY_VERSION(_11080, 11080)
SAY_VERSION(_12090, 12090)
SAY_VERSION(_13000, 13000)
SAY_VERSION(_13010, 13010)

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle *handle) {
  if (!handle || !*handle)
    return NVJITLINK_ERROR_INVALID_INPUT;
  uwjit_link_free(&(*handle)->link);
  uwjit_options_free(&(*handle)->options);
  uwjit_free(&(*handle)->result);
  free((*handle)->errors);
  free(*handle);
  *handle = NULL;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle *handle, uint32_t numOptions, const char **options) {
  if (!handle || (numOptions && !options))
    return NVJITLINK_ERROR_INVALID_INPUT;
  nvJitLinkHandle fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return NVJITLINK_ERROR_INTERNAL;
  int good = uwjit_options_read(&fresh->options, table, sizeof table / sizeof *table, (int)numOptions, options);
  nvJitLinkResult code = !good && fresh->options.bad        ? NVJITLINK_ERROR_UNRECOGNIZED_OPTION
                         : !good                            ? NVJITLINK_ERROR_INTERNAL
                         : !(fresh->options.seen & HAS_GPU) ? NVJITLINK_ERROR_MISSING_ARCH
                                                            : NVJITLINK_SUCCESS;
  *handle = fresh; /* its log may be asked for */
  if (fresh->options.bad) {
    add_error(fresh, "ERROR: unrecognized option:");
    add_error(fresh, fresh->options.bad);
  }
  return code;
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType inputType, const void *data, size_t size,
                                 const char *name) {
  const char *why = NULL;
  if (!handle || !data || !size)
    return NVJITLINK_ERROR_INVALID_INPUT;
  if (handle->complete || inputType <= NVJITLINK_INPUT_NONE ||
      (inputType > NVJITLINK_INPUT_LIBRARY && inputType != NVJITLINK_INPUT_ANY))
    return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
  size_t before = handle->link.source_count;
  uwjit_taken taken = uwjit_link_add(&handle->link, data, size, name, &why);
  if (taken != UWJIT_TAKEN) {
    if (name && *name)
      add_error(handle, name);
    add_error(handle, why ? why : "out of memory");
    return taken == UWJIT_LINK_NO_ROOM                                       ? NVJITLINK_ERROR_INTERNAL
           : taken == UWJIT_LINK_TOO_NEW || inputType == NVJITLINK_INPUT_PTX ? NVJITLINK_ERROR_PTX_COMPILE
                                                                             : NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
  }
  const char *own = handle->link.source_count > before ? handle->link.sources[before].name : "";
  int is_ltoir = strlen(own) > 6 && strcmp(own + strlen(own) - 6, ".ltoir") == 0;
  if (inputType == NVJITLINK_INPUT_LTOIR && !is_ltoir) {
    add_error(handle, "ERROR: this is no LTO-IR of unwarp");
    return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
  }
  if (is_ltoir && !(handle->options.seen & IS_LTO)) {
    add_error(handle, "ERROR: LTO-IR without -lto");
    return NVJITLINK_ERROR_LTO_NOT_ENABLED;
  }
  handle->has_ptx |= !is_ltoir;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType inputType, const char *fileName) {
  size_t bytes;
  if (!handle || !fileName)
    return NVJITLINK_ERROR_INVALID_INPUT;
  char *all = uwjit_file_bytes(fileName, &bytes);
  const char *slash = strrchr(fileName, '/');
  nvJitLinkResult code = all ? nvJitLinkAddData(handle, inputType, all, bytes, slash ? slash + 1 : fileName)
                             : NVJITLINK_ERROR_INVALID_INPUT;
  free(all);
  return code;
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
  if (!handle)
    return NVJITLINK_ERROR_INVALID_INPUT;
  if (handle->complete)
    return NVJITLINK_SUCCESS;
  int wants_ptx = (handle->options.seen & WANTS_PTX) != 0;
  if (!handle->link.source_count && !handle->link.image_count)
    return NVJITLINK_ERROR_INVALID_INPUT;
  if (!wants_ptx && !uwjit_options_add(&handle->options, "%s", "-march=native"))
    return NVJITLINK_ERROR_INTERNAL;
  uwjit_link_finish(&handle->link, wants_ptx ? UWJIT_PTX : UWJIT_MODULE, (const char *const *)handle->options.items,
                    handle->options.count, &handle->result);
  handle->complete = handle->result.state == UWJIT_DONE;
  if (!handle->complete && handle->result.log)
    add_error(handle, handle->result.log);
  switch (handle->result.state) {
  case UWJIT_DONE: return NVJITLINK_SUCCESS;
  case UWJIT_REFUSED: return handle->has_ptx ? NVJITLINK_ERROR_PTX_COMPILE : NVJITLINK_ERROR_NVVM_COMPILE;
  default: return NVJITLINK_ERROR_INTERNAL;
  }
}

/* --- results ------------------------------------------------------------------------------------------------------ */

static nvJitLinkResult result_size(nvJitLinkHandle handle, int ptx, size_t *size) {
  if (!handle || !size || !handle->complete || ptx != ((handle->options.seen & WANTS_PTX) != 0))
    return NVJITLINK_ERROR_INVALID_INPUT;
  *size = handle->result.bytes + (size_t)ptx; /* the text's final zero */
  return NVJITLINK_SUCCESS;
}

static nvJitLinkResult copy_result(nvJitLinkHandle handle, int ptx, void *to) {
  size_t size;
  nvJitLinkResult code = to ? result_size(handle, ptx, &size) : NVJITLINK_ERROR_INVALID_INPUT;
  if (code == NVJITLINK_SUCCESS)
    memcpy(to, handle->result.image, size);
  return code;
}

static nvJitLinkResult log_size(nvJitLinkHandle handle, const char *text, size_t *size) {
  if (!handle || !size)
    return NVJITLINK_ERROR_INVALID_INPUT;
  *size = text && *text ? strlen(text) + 1 : 0;
  return NVJITLINK_SUCCESS;
}

static nvJitLinkResult copy_log(nvJitLinkHandle handle, const char *text, char *to) {
  if (!handle || !to)
    return NVJITLINK_ERROR_INVALID_INPUT;
  if (text && *text)
    strcpy(to, text);
  return NVJITLINK_SUCCESS;
}

static const char *said(nvJitLinkHandle handle) { return handle && handle->complete ? handle->result.log : NULL; }
static const char *errors(nvJitLinkHandle handle) { return handle ? handle->errors : NULL; }

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t *size) {
  return result_size(handle, 0, size);
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void *cubin) { return copy_result(handle, 0, cubin); }
nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t *size) { return result_size(handle, 1, size); }
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char *ptx) { return copy_result(handle, 1, ptx); }
nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t *size) {
  return log_size(handle, errors(handle), size);
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char *log) {
  return copy_log(handle, errors(handle), log);
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t *size) {
  return log_size(handle, said(handle), size);
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char *log) { return copy_log(handle, said(handle), log); }

/* --- names with versions ------------------------------------------------------------------------------------------ */

#define NAME(function, version)                                                                                        \
  extern __typeof__(nvJitLink##function) __nvJitLink##function##_##version                                             \
      __attribute__((alias("nvJitLink" #function), visibility("default")));
// clang-format off
#define ALL(version)                                                                                                   \
  NAME(Create, version) NAME(Destroy, version) NAME(AddData, version) NAME(AddFile, version) NAME(Complete, version)   \
  NAME(GetLinkedCubinSize, version) NAME(GetLinkedCubin, version) NAME(GetLinkedPtxSize, version)                      \
  NAME(GetLinkedPtx, version) NAME(GetErrorLogSize, version) NAME(GetErrorLog, version)                                \
  NAME(GetInfoLogSize, version) NAME(GetInfoLog, version)
// clang-format on
#if UWJL_MAJOR == 12
// clang-format off
ALL(12_0) ALL(12_1) ALL(12_2) ALL(12_3) ALL(12_4) ALL(12_5) ALL(12_6) ALL(12_7) ALL(12_8) ALL(12_9)
// clang-format on
#else
// clang-format off
ALL(13_0) ALL(13_1) ALL(13_2) ALL(13_3) ALL(13_4) ALL(13_5)
// clang-format on
#endif
