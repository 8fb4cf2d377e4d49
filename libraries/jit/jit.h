/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Compiling while a program runs: the installed compiler as a child process, so that nothing of LLVM comes into the
 * program, and a cache of results on disk. libcuda (for PTX), libnvrtc and the compiler's --cache use this.
 */
#ifndef UWJIT_H
#define UWJIT_H

#include <stddef.h>

typedef struct uwjit_file {
  const char *name;
  const void *text;
  size_t bytes;
} uwjit_file;

typedef struct uwjit_request {
  enum { UWJIT_MODULE, UWJIT_PTX, UWJIT_LTOIR } form; /* of the result: a module image, text, or bitcode of NVVM IR */
  const uwjit_file
      *sources; /* names: with the suffix that says what it is: .cu (one alone), .ptx, .ll or .bc; linked together */
  size_t source_count;
  const uwjit_file *headers; /* found by their names, before any folder */
  size_t header_count;
  const char *const *options; /* the compiler's */
  size_t option_count;
} uwjit_request;

typedef struct uwjit_result {
  enum { UWJIT_DONE, UWJIT_REFUSED, UWJIT_NO_COMPILER, UWJIT_NO_ROOM } state;
  void *
      image; /* in the form asked for; a module image is that of runtime/module_image.h; malloc's, with a zero after it */
  size_t bytes;
  char *log; /* what the compiler said; never null after a call; malloc's */
  int cached;
} uwjit_result;

typedef struct uwjit_bytes {
  char *data; /* malloc's */
  size_t count;
} uwjit_bytes;

/* compiler.c */
void uwjit_compile(const uwjit_request *request, uwjit_result *result);
void uwjit_free(uwjit_result *result);
/* A whole module of PTX as cuModuleLoadData has it compiled; what was kept for it is found there. */
void uwjit_compile_ptx(const char *text, size_t bytes, uwjit_result *result);
int uwjit_find_of_ptx(const char *text, size_t bytes, uwjit_bytes *image); /* was it compiled, or kept? malloc's */
int uwjit_has_ptx(const char *text, size_t bytes);
void uwjit_keep_of_ptx(const char *text, size_t bytes, const void *image, size_t image_bytes);

/* cache.c. An entry is found by its key and holds all of it, so that two keys never meet; files are those on which the
 * result hangs beyond its key, with their times and sizes: an entry whose files have changed is not found. */
int uwjit_append(uwjit_bytes *to, const void *data, size_t count); /* 0: no memory */
int uwjit_cache_find(const uwjit_bytes *key, uwjit_bytes *found);
void uwjit_cache_keep(const uwjit_bytes *key, const char *const *files, size_t file_count, const void *data,
                      size_t count);
/* Who makes the entry of a key holds its lock, and looks for the entry again when it has it. -1: there is none (no
 * cache, or another holds it for very long), and the caller goes on without. */
int uwjit_cache_lock(const uwjit_bytes *key);
void uwjit_cache_unlock(int lock, const uwjit_bytes *key);
/* Written into the caller's array, which is given back; null: there is none that may be used. */
enum { UWJIT_PATH_BYTES = 4096 };
const char *uwjit_cache_folder(char path[UWJIT_PATH_BYTES]);
/* A folder in it for what is kept in another form, made when it is not there; null as above. Nothing here counts or
 * removes what lies in it. */
const char *uwjit_cache_part(const char *name, char path[UWJIT_PATH_BYTES]);
typedef struct uwjit_cache_state {
  unsigned long long entries, bytes, limit;
} uwjit_cache_state;
int uwjit_cache_look(uwjit_cache_state *state);
int uwjit_cache_clear(void);

#endif
