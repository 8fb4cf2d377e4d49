/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Linking while the program runs. Each input is compiled, if it is PTX, and becomes a module image; the result is these images one behind the
 * other, which is one module. That does for inputs that do not need each other's functions: where one does, opening the module says so.
 */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../runtime/module_image.h"
#include "../jit/jit.h"

struct CUlinkState_st {
  uwjit_bytes images;
  uint32_t count;
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

static CUresult add_images(CUlinkState state, const uwrt_image *image, size_t room) {
  uint32_t followers = room >= sizeof *image ? image->followers : 0;
  for (uint32_t i = 0; i <= followers; i++) {
    if (!uwrt_image_is_good(image, room))
      return CUDA_ERROR_INVALID_IMAGE;
    size_t at = state->images.count;
    if (!uwjit_append(&state->images, image, image->bytes))
      return CUDA_ERROR_OUT_OF_MEMORY;
    ((uwrt_image *)(state->images.data + at))->followers = 0;
    state->count++;
    room -= image->bytes;
    image = (const uwrt_image *)((const char *)image + image->bytes);
  }
  return CUDA_SUCCESS;
}

static CUresult add(CUlinkState state, CUjitInputType type, const void *data, size_t bytes) {
  static const char *const options[] = {"-march=native"};
  if (!state || state->complete || !data || !bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_JIT_INPUT_PTX) {
    if (bytes >= sizeof(uwrt_image) && memcmp(data, UWRT_IMAGE_MAGIC, 8) == 0)
      return add_images(state, data, bytes);
    say(state, 1, "not an object of unwarp\n");
    return type == CU_JIT_INPUT_LIBRARY || type == CU_JIT_INPUT_NVVM ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (bytes >= sizeof(uwrt_image) && memcmp(data, UWRT_IMAGE_MAGIC, 8) == 0)
    return add_images(state, data, bytes); /* what our NVRTC calls PTX */
  uwjit_request request = {.source = {"module.ptx", data, strnlen(data, bytes)}, .options = options, .option_count = 1};
  uwjit_result result;
  uwjit_compile(&request, &result);
  CUresult code = result.state == UWJIT_DONE          ? add_images(state, result.image, result.bytes)
                  : result.state == UWJIT_REFUSED     ? CUDA_ERROR_INVALID_PTX
                  : result.state == UWJIT_NO_COMPILER ? CUDA_ERROR_JIT_COMPILER_NOT_FOUND
                                                      : CUDA_ERROR_OUT_OF_MEMORY;
  say(state, code != CUDA_SUCCESS, result.log);
  uwjit_free(&result);
  return code;
}

static CUresult add_file(CUlinkState state, CUjitInputType type, const char *path) {
  FILE *file = path ? fopen(path, "re") : NULL;
  uwjit_bytes all = {0};
  char part[65536];
  size_t got;
  if (!file)
    return path ? CUDA_ERROR_FILE_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
  int good = 1;
  while (good && (got = fread(part, 1, sizeof part, file)) > 0)
    good = uwjit_append(&all, part, got);
  fclose(file);
  CUresult result = good ? add(state, type, all.data, all.count) : CUDA_ERROR_OUT_OF_MEMORY;
  free(all.data);
  return result;
}

static CUresult complete(CUlinkState state, void **image, size_t *bytes) {
  if (!state || !image)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state->count)
    return CUDA_ERROR_INVALID_IMAGE;
  state->complete = 1;
  ((uwrt_image *)state->images.data)->followers = state->count - 1;
  *image = state->images.data;
  if (bytes)
    *bytes = state->images.count;
  return CUDA_SUCCESS;
}

static CUresult destroy(CUlinkState state) {
  if (!state)
    return CUDA_ERROR_INVALID_VALUE;
  free(state->images.data);
  free(state);
  return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *stateOut) {
  RUN(create(numOptions, options, optionValues, stateOut));
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                       unsigned int numOptions, CUjit_option *options, void **optionValues) {
  (void)name, (void)numOptions, (void)options, (void)optionValues;
  RUN(add(state, type, data, size));
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                       CUjit_option *options, void **optionValues) {
  (void)numOptions, (void)options, (void)optionValues;
  RUN(add_file(state, type, path));
}
CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut) { RUN(complete(state, cubinOut, sizeOut)); }
CUresult cuLinkDestroy(CUlinkState state) { RUN(destroy(state)); }
