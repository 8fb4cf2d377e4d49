/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuLink: its states are jit/link.c's, with the logs that the caller asked for. Inputs are compiled when the link is
 * completed.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../jit/link.h"

struct CUlinkState_st {
  uwjit_link link;
  uwjit_result result;
  int complete;
  char *buffers[2]; /* of what is said, and of errors */
  size_t rooms[2];
};

static void say(CUlinkState state, int which, const char *text) {
  size_t have = state->buffers[which] ? strlen(state->buffers[which]) : 0;
  if (state->buffers[which] && have + 1 < state->rooms[which])
    snprintf(state->buffers[which] + have, state->rooms[which] - have, "%s", text);
}

static CUresult create(unsigned int count, CUjit_option *options, void **values, CUlinkState *state) {
  if (!state || (count && (!options || !values)))
    return CUDA_ERROR_INVALID_VALUE;
  CUlinkState fresh = calloc(1, sizeof *fresh);
  if (!fresh)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (unsigned int i = 0; i < count; i++)
    switch (options[i]) {
    case CU_JIT_INFO_LOG_BUFFER: fresh->buffers[0] = values[i]; break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES: fresh->rooms[0] = (unsigned int)(uintptr_t)values[i]; break;
    case CU_JIT_ERROR_LOG_BUFFER: fresh->buffers[1] = values[i]; break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES: fresh->rooms[1] = (unsigned int)(uintptr_t)values[i]; break;
    default: break;
    }
  for (int i = 0; i < 2; i++)
    if (fresh->buffers[i] && fresh->rooms[i])
      fresh->buffers[i][0] = 0;
    else
      fresh->buffers[i] = NULL;
  *state = fresh;
  return CUDA_SUCCESS;
}

static CUresult add(CUlinkState state, CUjitInputType type, const void *data, size_t bytes, const char *name) {
  const char *why = NULL;
  if (!state || state->complete || !data || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  uwjit_taken taken = uwjit_link_add(&state->link, data, bytes, name, &why);
  if (taken != UWJIT_TAKEN && why) {
    say(state, 1, why);
    say(state, 1, "\n");
  }
  return taken == UWJIT_TAKEN           ? CUDA_SUCCESS
         : taken == UWJIT_LINK_NO_ROOM  ? CUDA_ERROR_OUT_OF_MEMORY
         : taken == UWJIT_LINK_GPU_CODE ? CUDA_ERROR_NO_BINARY_FOR_GPU
         : taken == UWJIT_LINK_TOO_NEW  ? CUDA_ERROR_UNSUPPORTED_PTX_VERSION
         : type == CU_JIT_INPUT_PTX     ? CUDA_ERROR_INVALID_PTX
         : type == CU_JIT_INPUT_CUBIN   ? CUDA_ERROR_NO_BINARY_FOR_GPU
                                        : CUDA_ERROR_INVALID_IMAGE;
}

static CUresult add_file(CUlinkState state, CUjitInputType type, const char *path) {
  size_t bytes;
  if (!path)
    return CUDA_ERROR_INVALID_VALUE;
  char *all = uwjit_file_bytes(path, &bytes);
  const char *slash = strrchr(path, '/');
  CUresult result = all ? add(state, type, all, bytes, slash ? slash + 1 : path) : CUDA_ERROR_FILE_NOT_FOUND;
  free(all);
  return result;
}

static CUresult complete(CUlinkState state, void **image, size_t *bytes) {
  static const char *const options[] = {"-march=native"};
  if (!state || !image)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state->link.source_count && !state->link.image_count)
    return CUDA_ERROR_INVALID_IMAGE;
  if (!state->complete) {
    uwjit_link_finish(&state->link, UWJIT_MODULE, options, 1, &state->result);
    if (state->result.log)
      say(state, state->result.state != UWJIT_DONE, state->result.log);
    state->complete = 1;
  }
  switch (state->result.state) {
  case UWJIT_DONE: break;
  case UWJIT_REFUSED: return CUDA_ERROR_INVALID_PTX;
  case UWJIT_NO_COMPILER: return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  case UWJIT_NO_ROOM: return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *image = state->result.image;
  if (bytes)
    *bytes = state->result.bytes;
  return CUDA_SUCCESS;
}

static CUresult destroy(CUlinkState state) {
  if (!state)
    return CUDA_ERROR_INVALID_VALUE;
  uwjit_link_free(&state->link);
  uwjit_free(&state->result);
  free(state);
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  RUN(create(numOptions, options, optionValues, stateOut));
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int numOptions, CUjit_option *options, void **optionValues) {
  (void)numOptions, (void)options, (void)optionValues;
  RUN(add(state, type, data, size, name));
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                       CUjit_option *options, void **optionValues) {
  (void)numOptions, (void)options, (void)optionValues;
  RUN(add_file(state, type, path));
}
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut) {
  RUN(complete(state, cubinOut, sizeOut));
}
CUresult cuLinkDestroy(CUlinkState state) { RUN(destroy(state)); }
