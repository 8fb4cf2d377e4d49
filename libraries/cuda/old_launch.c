/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The launch of CUDA 1 to 3: a function's block shape and arguments are set one by one, then it is launched. What was
 * set stays with the function; a few functions at a time are enough for such programs, and a thread's are its own:
 * memory that it asks for at its first such call, as what is thread-local every thread of the program pays for. */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 64, MOST_BYTES = 4096 };

typedef struct setting {
  CUfunction function;
  dim3 block;
  unsigned int shared, bytes;
  _Alignas(16) unsigned char arguments[MOST_BYTES];
} setting;

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_key(void) {
  if (pthread_key_create(&key, free) != 0)
    abort();
}

/* Threads may end after this library is gone. */
__attribute__((destructor)) static void leave(void) {
  pthread_once(&once, make_key);
  free(pthread_getspecific(key));
  pthread_key_delete(key);
}

static setting *settings_here(void) {
  pthread_once(&once, make_key);
  setting *settings = pthread_getspecific(key);
  if (!settings && (settings = calloc(MOST_FUNCTIONS, sizeof *settings)))
    pthread_setspecific(key, settings);
  return settings;
}

static setting *find(CUfunction f) {
  setting *settings = uwrt_kernel_known(f) ? settings_here() : NULL;
  if (!settings)
    return NULL;
  for (int i = 0; i < MOST_FUNCTIONS; i++) {
    if (!settings[i].function)
      settings[i] = (setting){.function = f, .block = {1, 1, 1}};
    if (settings[i].function == f)
      return &settings[i];
  }
  return NULL;
}

#define WITH_SETTING(f, condition, statement)                                                                          \
  setting *found = find(f);                                                                                            \
  RUN(!found ? (int)CUDA_ERROR_INVALID_HANDLE : !(condition) ? (int)CUDA_ERROR_INVALID_VALUE : (statement, 0))

static void put(setting *into, int offset, const void *value, unsigned int bytes) {
  memcpy(into->arguments + offset, value, bytes);
}
static int fits(int offset, unsigned int bytes) {
  return offset >= 0 && offset <= MOST_BYTES && bytes <= (unsigned int)(MOST_BYTES - offset);
}

CUresult cuFuncSetBlockShape(CUfunction f, int x, int y, int z) {
  WITH_SETTING(f, x > 0 && y > 0 && z > 0, (found->block = (dim3){(unsigned int)x, (unsigned int)y, (unsigned int)z}));
}
CUresult cuFuncSetSharedSize(CUfunction f, unsigned int bytes) { WITH_SETTING(f, 1, (found->shared = bytes)); }
CUresult cuParamSetSize(CUfunction f, unsigned int bytes) {
  WITH_SETTING(f, bytes <= MOST_BYTES, (found->bytes = bytes));
}
CUresult cuParamSeti(CUfunction f, int offset, unsigned int value) {
  WITH_SETTING(f, fits(offset, 4), put(found, offset, &value, 4));
}
CUresult cuParamSetf(CUfunction f, int offset, float value) {
  WITH_SETTING(f, fits(offset, 4), put(found, offset, &value, 4));
}
CUresult cuParamSetv(CUfunction f, int offset, void *ptr, unsigned int bytes) {
  WITH_SETTING(f, ptr && fits(offset, bytes), put(found, offset, ptr, bytes));
}

static int launch(CUfunction f, int width, int height, CUstream stream) {
  void *places[UWCU_MOST_PARAMETERS], **params;
  setting *found = find(f);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  if (width <= 0 || height <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  size_t bytes = found->bytes;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, found->arguments, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                   CU_LAUNCH_PARAM_END};
  int error = uwcu_parameters(f, NULL, extra, places, &params);
  return error ? error
               : (int)cudaLaunchKernel((const void *)f, (dim3){(unsigned int)width, (unsigned int)height, 1},
                                       found->block, params, found->shared, stream);
}

CUresult cuLaunch(CUfunction f) { RUN(launch(f, 1, 1, NULL)); }
CUresult cuLaunchGrid(CUfunction f, int width, int height) { RUN(launch(f, width, height, NULL)); }
CUresult cuLaunchGridAsync(CUfunction f, int width, int height, CUstream stream) {
  RUN(launch(f, width, height, stream));
}
