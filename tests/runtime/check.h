/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the runtime's tests share: checks that say what was wrong and count it, the output of a call as a string, and
 * the registration of hand-written kernels in the form that the compiler emits.
 */
#ifndef CHECK_H
#define CHECK_H

#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/cuda_runtime_api.h"
#include "../../runtime/uwrt.h"

static int failures;

static inline void failed(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static inline void failed(const char *file, int line, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s:%d: ", file, line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  __atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
}

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition))                                                                                                  \
      failed(__FILE__, __LINE__, "not true: %s", #condition);                                                          \
  } while (0)

#define CHECK_NUMBER(value, wanted)                                                                                    \
  do {                                                                                                                 \
    long long got_ = (long long)(value), wanted_ = (long long)(wanted);                                                \
    if (got_ != wanted_)                                                                                               \
      failed(__FILE__, __LINE__, "%s is %lld and should be %lld", #value, got_, wanted_);                              \
  } while (0)

#define CHECK_TEXT(value, wanted)                                                                                      \
  do {                                                                                                                 \
    const char *got_ = (value), *wanted_ = (wanted);                                                                   \
    if (strcmp(got_, wanted_) != 0)                                                                                    \
      failed(__FILE__, __LINE__, "%s is \"%s\" and should be \"%s\"", #value, got_, wanted_);                          \
  } while (0)

/* An API call and the error that it should return; an error must also be the thread's last one, which this clears. */
#define CHECK_ERROR(call, wanted)                                                                                      \
  do {                                                                                                                 \
    cudaError_t got_ = (call), wanted_ = (wanted), last_ = cudaGetLastError();                                         \
    if (got_ != wanted_)                                                                                               \
      failed(__FILE__, __LINE__, "%s gives %s and should give %s", #call, cudaGetErrorName(got_),                      \
             cudaGetErrorName(wanted_));                                                                               \
    else if (last_ != got_)                                                                                            \
      failed(__FILE__, __LINE__, "after %s the last error is %s", #call, cudaGetErrorName(last_));                     \
  } while (0)
#define CHECK_OK(call) CHECK_ERROR(call, cudaSuccess)

/* Runs statements with a stream of this process in a file, and leaves what they wrote in text. */
#define CAPTURE(stream, text, statements)                                                                              \
  do {                                                                                                                 \
    fflush(stream);                                                                                                    \
    int kept_ = dup(fileno(stream));                                                                                   \
    FILE *file_ = tmpfile();                                                                                           \
    dup2(fileno(file_), fileno(stream));                                                                               \
    statements;                                                                                                        \
    fflush(stream);                                                                                                    \
    dup2(kept_, fileno(stream));                                                                                       \
    close(kept_);                                                                                                      \
    rewind(file_);                                                                                                     \
    size_t length_ = fread(text, 1, sizeof text - 1, file_);                                                           \
    text[length_] = 0;                                                                                                 \
    fclose(file_);                                                                                                     \
  } while (0)

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static inline int finish(void) {
  if (failures)
    fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}

#endif
