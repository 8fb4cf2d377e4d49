/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Modules and libraries, which are one thing here: what a module image holds (runtime/module_image.h) is a shared
 * object, opened from a file without a name, whose constructor registers its kernels and variables as any object's
 * does. Its symbols are its own, so that two modules may define the same kernel. PTX goes to the installed compiler
 * (jit/compiler.c) and becomes such an image; of a fat binary the best PTX is taken. GPU code has no place to run:
 * CUDA_ERROR_NO_BINARY_FOR_GPU.
 */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../runtime/module_image.h"
#include "../jit/fat.h"
#include "../jit/link.h"
#include "../jit/pieces.h"
#include "module.h"

typedef struct object {
  void *opened;
  uwrt_nameless *file; /* or null */
} object;

struct CUmod_st {
  struct CUmod_st *next;
  CUcontext context; /* null: a library's */
  object *objects;
  int object_count;
  const uwrt_module **registered;
  int registered_count, ready_count; /* ready: those that may be found, whose object is open and settled */
  uwjit_pieces *pieces;              /* of its PTX, what nobody asked for yet; or null */
  pthread_mutex_t compile;           /* of who takes a piece; others wait until it is ready */
};

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* the list and what its modules hold; opening is the loader's to serialize */
static CUmodule modules;

int uwcu_module_exists(CUmodule module) {
  pthread_mutex_lock(&lock);
  CUmodule at = modules;
  while (at && at != module)
    at = at->next;
  pthread_mutex_unlock(&lock);
  return at != NULL;
}

/* --- the log that the caller may have asked for ------------------------------------------------------------------- */

typedef struct log {
  char *buffer;
  size_t room;
  void **used; /* the option's value: in, how long the buffer is, out, how much was written */
} log;

static log log_of(unsigned int count, const CUjit_option *options, void **values, CUjit_option buffer,
                  CUjit_option size) {
  log found = {0};
  for (unsigned int i = 0; i < count; i++) {
    if (options[i] == buffer)
      found.buffer = values[i];
    if (options[i] == size) {
      found.room = (unsigned int)(uintptr_t)values[i];
      found.used = &values[i];
    }
  }
  return found;
}

static void say(log to, const char *text) {
  size_t length = strlen(text);
  if (to.buffer && to.room) {
    if (length >= to.room)
      length = to.room - 1;
    memcpy(to.buffer, text, length);
    to.buffer[length] = 0;
    length++;
  }
  if (to.used)
    *to.used = (void *)(uintptr_t)(to.buffer && to.room ? length : 0);
}

/* --- our images --------------------------------------------------------------------------------------------------- */

static void seen(const uwrt_module *registered, void *data) {
  CUmodule module = data;
  pthread_mutex_lock(&lock);
  const uwrt_module **larger = realloc(module->registered, ((size_t)module->registered_count + 1) * sizeof *larger);
  if (larger) {
    module->registered = larger;
    module->registered[module->registered_count++] = registered;
  }
  pthread_mutex_unlock(&lock);
}

/* The loader takes a name that it knows for the file that it knows. So each has a name of its own: the number of the
 * opening stands in it as a row of `/` and `/.`, which mean nothing in a path. */
static void name_file(char *path, int file) {
  static atomic_uint opened;
  unsigned int number = atomic_fetch_add(&opened, 1);
  path = stpcpy(path, "/proc/self/fd");
  for (int bit = 0; bit < 32; bit++)
    path = stpcpy(path, number >> bit & 1 ? "/." : "/");
  sprintf(path, "/%d", file);
}

static CUresult open_object(CUmodule module, const void *contents, size_t bytes, log errors) {
  char path[128];
  object *larger = realloc(module->objects, ((size_t)module->object_count + 1) * sizeof *larger);
  if (!larger)
    return CUDA_ERROR_OUT_OF_MEMORY;
  module->objects = larger;
  int file = memfd_create("cuModule", MFD_CLOEXEC);
  if (file < 0)
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUresult result = CUDA_ERROR_OUT_OF_MEMORY;
  size_t written = 0;
  while (written < bytes) {
    ssize_t got = write(file, (const char *)contents + written, bytes - written);
    if (got <= 0)
      break;
    written += (size_t)got;
  }
  if (written == bytes) {
    name_file(path, file);
    uwrt_modules_watch(seen, module);
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    uwrt_modules_watch(NULL, NULL);
    result = opened ? CUDA_SUCCESS : CUDA_ERROR_SHARED_OBJECT_INIT_FAILED;
    if (opened)
      module->objects[module->object_count++] = (object){opened, uwrt_nameless_keep(path, file, bytes)};
    else
      say(errors, dlerror());
  }
  close(file);
  return result;
}

/* CUDA's code for it is that of GPU code, which says little; few programs ask for a log, so that the sentence goes to
 * where the user looks, too. */
static CUresult refuse_stale(const uwrt_image *image, log errors) {
  char text[256];
  snprintf(text, sizeof text,
           "the module is stale: it was compiled for version %u of the runtime's interface and this is version %u; "
           "make the file (-cubin, "
           "-fatbin, -ptx) again with the unwarp that is installed",
           (unsigned int)image->abi, (unsigned int)UWRT_ABI_VERSION);
  fprintf(stderr, "unwarp: %s\n", text);
  say(errors, text);
  return CUDA_ERROR_NO_BINARY_FOR_GPU;
}

/* All that follow the first. Nobody says how long memory is, so the headers are believed. */
static CUresult open_image(CUmodule module, const uwrt_image *image, size_t room, log errors) {
  uint32_t followers = image->followers;
  for (uint32_t i = 0; i <= followers; i++) {
    if (!uwrt_image_is_good(image, room))
      return CUDA_ERROR_INVALID_IMAGE;
    if (image->abi != UWRT_ABI_VERSION)
      return refuse_stale(image, errors);
    CUresult result = open_object(module, (const char *)image + image->object, image->object_bytes, errors);
    if (result != CUDA_SUCCESS)
      return result;
    room -= image->bytes;
    image = (const uwrt_image *)((const char *)image + image->bytes);
  }
  return CUDA_SUCCESS;
}

/* --- PTX ---------------------------------------------------------------------------------------------------------- */

/* What `.target` names: 90 of sm_90, sm_90a; 0 where that is not found. */
static int architecture_of(const char *text, size_t bytes) {
  for (const char *at = text, *end = text + bytes; at < end;) {
    while (at < end && (*at == ' ' || *at == '\t'))
      at++;
    static const char directive[] = ".target";
    if ((size_t)(end - at) > sizeof directive && memcmp(at, directive, sizeof directive - 1) == 0) {
      int architecture = 0;
      at += sizeof directive - 1;
      while (at < end && *at != '_' && *at != '\n')
        at++;
      for (at++; at < end && *at >= '0' && *at <= '9' && architecture < 1000; at++)
        architecture = architecture * 10 + (*at - '0');
      return architecture;
    }
    const char *next = memchr(at, '\n', (size_t)(end - at));
    at = next ? next + 1 : end;
  }
  return 0;
}

/* What was registered since the last call may be found from now on, by its architecture. */
static void make_ready(CUmodule module, int architecture) {
  pthread_mutex_lock(&lock);
  for (; module->ready_count < module->registered_count; module->ready_count++) {
    const uwrt_module *fresh = module->registered[module->ready_count];
    for (uint32_t k = 0; k < fresh->kernel_count && architecture; k++)
      uwrt_kernel_set_architecture(fresh->kernels[k].stub, architecture);
  }
  pthread_mutex_unlock(&lock);
}

static CUresult compile_ptx(CUmodule module, const char *text, size_t bytes, log infos, log errors) {
  uwjit_result result;
  uwjit_compile_ptx(text, bytes, &result);
  CUresult code = CUDA_ERROR_OUT_OF_MEMORY;
  switch (result.state) {
  case UWJIT_DONE:
    code = open_image(module, result.image, result.bytes, errors);
    make_ready(module, architecture_of(text, bytes));
    break;
  case UWJIT_REFUSED: code = CUDA_ERROR_INVALID_PTX; break;
  case UWJIT_NO_COMPILER: code = CUDA_ERROR_JIT_COMPILER_NOT_FOUND; break;
  case UWJIT_NO_ROOM: break;
  }
  if (code == CUDA_SUCCESS)
    say(infos, result.log);
  else if (result.state != UWJIT_DONE)
    say(errors, result.log);
  uwjit_free(&result);
  return code;
}

/* CUDA's own setting; lazy is what its programs are used to. */
static int loads_lazily(void) {
  const char *mode = getenv("CUDA_MODULE_LOADING");
  return !mode || strcmp(mode, "EAGER") != 0;
}

/* Of a module with many kernels those are compiled that somebody asks for, unless all of it is there (NVRTC's). */
static CUresult open_ptx(CUmodule module, const char *text, size_t bytes, log infos, log errors) {
  if (loads_lazily() && !uwjit_has_ptx(text, bytes) && (module->pieces = uwjit_pieces_of(text, bytes)))
    return CUDA_SUCCESS;
  return compile_ptx(module, text, bytes, infos, errors);
}

/* The piece with that kernel or variable, or all that is left (no name), where it was not compiled before. The module's
 * loading is over: what the compiler says of a mistake has no place to go but here. */
static CUresult open_piece(CUmodule module, const char *name, int (*is_called)(const char *, const char *)) {
  if (!module->pieces)
    return CUDA_SUCCESS;
  enum { ROOM = 4096 };
  char said[ROOM];
  void *used = (void *)(uintptr_t)ROOM;
  log errors = {said, ROOM, &used};
  CUresult result = CUDA_SUCCESS;
  size_t bytes;
  pthread_mutex_lock(&module->compile);
  char *text =
      name ? uwjit_pieces_take(module->pieces, name, is_called, &bytes) : uwjit_pieces_rest(module->pieces, &bytes);
  if (text) {
    *said = 0;
    result = compile_ptx(module, text, bytes, (log){0}, errors);
    if (result != CUDA_SUCCESS)
      fprintf(stderr, "unwarp: a kernel of a module that was loaded before cannot be compiled\n%s", said);
  }
  pthread_mutex_unlock(&module->compile);
  free(text);
  return result;
}

/* --- fat binaries ------------------------------------------------------------------------------------------------- */

static CUresult open_fat(CUmodule module, const void *header, size_t room, log infos, log errors) {
  uwjit_fat_ptx found;
  uwjit_fat_read(header, room, &found);
  if (found.image) {
    free(found.owned);
    return open_image(module, found.image, found.image_bytes, errors);
  }
  CUresult result = found.state == UWJIT_FAT_FOUND     ? open_ptx(module, found.text, found.bytes, infos, errors)
                    : found.state == UWJIT_FAT_BROKEN  ? CUDA_ERROR_INVALID_IMAGE
                    : found.state == UWJIT_FAT_NO_ROOM ? CUDA_ERROR_OUT_OF_MEMORY
                                                       : CUDA_ERROR_NO_BINARY_FOR_GPU;
  if (found.state != UWJIT_FAT_FOUND)
    say(errors, found.why);
  free(found.owned);
  return result;
}

/* --- any ---------------------------------------------------------------------------------------------------------- */

/* room: bytes that may be read; memory that the program hands over has no end that is known. */
static CUresult open_any(CUmodule module, const void *image, size_t room, log infos, log errors) {
  const unsigned char *bytes = image;
  uint32_t magic;
  if (room < 16)
    return CUDA_ERROR_INVALID_IMAGE;
  if (memcmp(bytes, UWRT_IMAGE_MAGIC, 8) == 0)
    return open_image(module, image, room, errors);
  memcpy(&magic, bytes, sizeof magic);
  if (magic == UWJIT_FAT_WRAPPER) {
    const void *header = ((const uwjit_fat_wrapper *)image)->data;
    return header ? open_fat(module, header, (size_t)-1 / 2, infos, errors) : CUDA_ERROR_INVALID_IMAGE;
  }
  if (magic == UWJIT_FAT_HEADER)
    return open_fat(module, image, room, infos, errors);
  if (memcmp(bytes, ELFMAG, SELFMAG) == 0) {
    say(errors, "the module is GPU code: compile its source, or its PTX, by unwarp");
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  }
  if (uwjit_is_ptx(image, room))
    return open_ptx(module, image, strnlen(image, room), infos, errors);
  return CUDA_ERROR_INVALID_IMAGE;
}

static void close_all(CUmodule module) {
  while (module->object_count) {
    const object *last = &module->objects[--module->object_count];
    dlclose(last->opened);
    uwrt_nameless_free(last->file);
  }
  free(module->objects);
  free(module->registered);
  uwjit_pieces_free(module->pieces);
  pthread_mutex_destroy(&module->compile);
  free(module);
}

CUresult uwcu_load(CUmodule *module, const void *image, const char *path, unsigned int count, CUjit_option *options,
                   void **values) {
  if (!module || !(image || path) || (count && (!options || !values)))
    return CUDA_ERROR_INVALID_VALUE;
  log infos = log_of(count, options, values, CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES);
  log errors = log_of(count, options, values, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
  say(infos, "");
  say(errors, "");
  char *contents = NULL;
  size_t room = (size_t)-1 / 4;
  if (path) {
    if (!(contents = uwjit_file_bytes(path, &room)))
      return CUDA_ERROR_FILE_NOT_FOUND;
    image = contents;
    room += room < 16 ? 0 : 1; /* text ends with a 0 */
  }
  CUmodule fresh = calloc(1, sizeof *fresh);
  if (fresh)
    pthread_mutex_init(&fresh->compile, NULL);
  CUresult result = fresh ? open_any(fresh, image, room, infos, errors) : CUDA_ERROR_OUT_OF_MEMORY;
  free(contents);
  if (result != CUDA_SUCCESS) {
    if (fresh)
      close_all(fresh);
    return result;
  }
  make_ready(fresh, 0);
  pthread_mutex_lock(&lock);
  fresh->next = modules;
  modules = fresh;
  pthread_mutex_unlock(&lock);
  *module = fresh;
  return CUDA_SUCCESS;
}

static CUresult load(CUmodule *module, const void *image, const char *path, unsigned int count, CUjit_option *options,
                     void **values, CUcontext context) {
  CUresult result = uwcu_load(module, image, path, count, options, values);
  if (result == CUDA_SUCCESS)
    (*module)->context = context;
  return result;
}

CUresult uwcu_unload(CUmodule module) {
  pthread_mutex_lock(&lock);
  CUmodule *at = &modules;
  while (*at && *at != module)
    at = &(*at)->next;
  if (*at)
    *at = module->next;
  else
    module = NULL;
  pthread_mutex_unlock(&lock);
  if (!module)
    return CUDA_ERROR_INVALID_HANDLE;
  cudaDeviceSynchronize();
  close_all(module);
  return CUDA_SUCCESS;
}

void uwcu_unload_of(CUcontext context) {
  for (;;) {
    pthread_mutex_lock(&lock);
    CUmodule at = modules;
    while (at && at->context != context)
      at = at->next;
    pthread_mutex_unlock(&lock);
    if (!at || uwcu_unload(at) != CUDA_SUCCESS)
      return;
  }
}

/* --- what is in one ----------------------------------------------------------------------------------------------- */

CUmodule uwcu_module_of(const void *stub) {
  CUmodule found = NULL;
  pthread_mutex_lock(&lock);
  for (CUmodule at = modules; at && !found; at = at->next)
    for (int i = 0; i < at->ready_count && !found; i++)
      for (uint32_t k = 0; k < at->registered[i]->kernel_count && !found; k++)
        if (at->registered[i]->kernels[k].stub == stub)
          found = at;
  pthread_mutex_unlock(&lock);
  return found;
}

static const void *find_kernel(CUmodule module, const char *name) {
  const void *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < module->ready_count && !found; i++)
    for (uint32_t k = 0; k < module->registered[i]->kernel_count && !found; k++)
      if (strcmp(module->registered[i]->kernels[k].name, name) == 0)
        found = module->registered[i]->kernels[k].stub;
  pthread_mutex_unlock(&lock);
  return found;
}

static unsigned int list_kernels(CUmodule module, const void **stubs, unsigned int most) {
  unsigned int count = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < module->ready_count; i++)
    for (uint32_t k = 0; k < module->registered[i]->kernel_count; k++, count++)
      if (stubs && count < most)
        stubs[count] = module->registered[i]->kernels[k].stub;
  pthread_mutex_unlock(&lock);
  return count;
}

/* A file's own variable is called _ZL, the length, its name; nvcc calls it by its name alone. One that only device code
 * uses has a prefix (frontend/frontend.h, UW_HIDDEN_VARIABLE). */
static int is_called(const char *mangled, const char *name) {
  static const char hidden[] = "__unwarp_hidden_variable_";
  if (strncmp(mangled, hidden, sizeof hidden - 1) == 0)
    mangled += sizeof hidden - 1;
  if (strcmp(mangled, name) == 0)
    return 1;
  if (strncmp(mangled, "_ZL", 3) != 0)
    return 0;
  char *end;
  unsigned long length = strtoul(mangled + 3, &end, 10);
  return end != mangled + 3 && strlen(end) == length && strcmp(end, name) == 0;
}

static const uwrt_variable *find_variable(CUmodule module, const char *name) {
  const uwrt_variable *found = NULL;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < module->ready_count && !found; i++)
    for (uint32_t k = 0; k < module->registered[i]->variable_count && !found; k++)
      if (is_called(module->registered[i]->variables[k].name, name))
        found = &module->registered[i]->variables[k];
  pthread_mutex_unlock(&lock);
  return found;
}

static int is_same(const char *own, const char *name) { return strcmp(own, name) == 0; }

static CUresult get_function(CUfunction *function, CUmodule module, const char *name) {
  if (!function || !name || !*name)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_module_exists(module))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!(*function = (CUfunction)find_kernel(module, name))) {
    CUresult result = open_piece(module, name, is_same);
    if (result != CUDA_SUCCESS)
      return result;
    *function = (CUfunction)find_kernel(module, name);
  }
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult uwcu_get_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name, unsigned int flags) {
  if ((!address && !bytes) || !name)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_module_exists(module))
    return CUDA_ERROR_INVALID_HANDLE;
  const uwrt_variable *found = find_variable(module, name);
  if (!found) {
    CUresult result = open_piece(module, name, is_called);
    if (result != CUDA_SUCCESS)
      return result;
    found = find_variable(module, name);
  }
  if (!found || (found->flags & flags) != flags)
    return CUDA_ERROR_NOT_FOUND;
  if (address)
    *address = (CUdeviceptr)found->address;
  if (bytes)
    *bytes = found->bytes;
  return CUDA_SUCCESS;
}

static CUresult count_functions(unsigned int *count, CUmodule module) {
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_module_exists(module))
    return CUDA_ERROR_INVALID_HANDLE;
  *count = module->pieces ? (unsigned int)uwjit_pieces_kernels(module->pieces) : list_kernels(module, NULL, 0);
  return CUDA_SUCCESS;
}

static CUresult list_functions(const void **stubs, unsigned int most, CUmodule module) {
  if (!stubs || !most)
    return CUDA_ERROR_INVALID_VALUE;
  if (!uwcu_module_exists(module))
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult result = open_piece(module, NULL, NULL);
  list_kernels(module, stubs, most);
  return result;
}

CUresult cuModuleLoad(CUmodule *module, const char *fname) {
  CUcontext context = uwcu_current();
  RUN(fname ? load(module, NULL, fname, 0, NULL, NULL, context) : CUDA_ERROR_INVALID_VALUE);
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  CUcontext context = uwcu_current();
  RUN(load(module, image, NULL, 0, NULL, NULL, context));
}
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                            void **optionValues) {
  CUcontext context = uwcu_current();
  RUN(load(module, image, NULL, numOptions, options, optionValues, context));
}
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *fatCubin) {
  CUcontext context = uwcu_current();
  RUN(load(module, fatCubin, NULL, 0, NULL, NULL, context));
}
CUresult cuModuleUnload(CUmodule hmod) { RUN(uwcu_unload(hmod)); }
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
  RUN(mode ? (*mode = loads_lazily() ? CU_MODULE_LAZY_LOADING : CU_MODULE_EAGER_LOADING, CUDA_SUCCESS)
           : CUDA_ERROR_INVALID_VALUE);
}
/* A module has its context: what is asked of it needs none that is current. */
CUresult cuModuleGetFunction(CUfunction *hfunc, CUmodule hmod, const char *name) {
  ANYWHERE(get_function(hfunc, hmod, name));
}
CUresult cuModuleGetFunctionCount(unsigned int *count, CUmodule mod) { ANYWHERE(count_functions(count, mod)); }
CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int numFunctions, CUmodule mod) {
  ANYWHERE(list_functions((const void **)functions, numFunctions, mod));
}
CUresult cuModuleGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUmodule hmod, const char *name) {
  ANYWHERE(uwcu_get_global(dptr, bytes, hmod, name, 0));
}

/* --- libraries: modules that no context has ----------------------------------------------------------------------- */

#define M(library) ((CUmodule)(library))

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                           unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                           unsigned int numLibraryOptions) {
  (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions; /* code is copied in any case */
  ANYWHERE(uwcu_load((CUmodule *)library, code, NULL, numJitOptions, jitOptions, jitOptionsValues));
}
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *fileName, CUjit_option *jitOptions,
                               void **jitOptionsValues, unsigned int numJitOptions, CUlibraryOption *libraryOptions,
                               void **libraryOptionValues, unsigned int numLibraryOptions) {
  (void)libraryOptions, (void)libraryOptionValues, (void)numLibraryOptions;
  ANYWHERE(uwcu_load((CUmodule *)library, NULL, fileName, numJitOptions, jitOptions, jitOptionsValues));
}
CUresult cuLibraryUnload(CUlibrary library) { ANYWHERE(uwcu_unload(M(library))); }
CUresult cuLibraryGetKernel(CUkernel *pKernel, CUlibrary library, const char *name) {
  ANYWHERE(get_function((CUfunction *)pKernel, M(library), name));
}
CUresult cuLibraryGetKernelCount(unsigned int *count, CUlibrary lib) { ANYWHERE(count_functions(count, M(lib))); }
CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int numKernels, CUlibrary lib) {
  ANYWHERE(list_functions((const void **)kernels, numKernels, M(lib)));
}
CUresult cuLibraryGetModule(CUmodule *pMod, CUlibrary library) {
  RUN(!pMod                             ? CUDA_ERROR_INVALID_VALUE
      : !uwcu_module_exists(M(library)) ? CUDA_ERROR_INVALID_HANDLE
                                        : (*pMod = M(library), CUDA_SUCCESS));
}
CUresult cuLibraryGetGlobal(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  RUN(uwcu_get_global(dptr, bytes, M(library), name, 0));
}
CUresult cuLibraryGetManaged(CUdeviceptr *dptr, size_t *bytes, CUlibrary library, const char *name) {
  ANYWHERE(uwcu_get_global(dptr, bytes, M(library), name, UWRT_VARIABLE_MANAGED));
}
CUresult cuLibraryGetUnifiedFunction(void **fptr, CUlibrary library, const char *symbol) {
  (void)symbol;
  ANYWHERE(!fptr                             ? CUDA_ERROR_INVALID_VALUE
           : !uwcu_module_exists(M(library)) ? CUDA_ERROR_INVALID_HANDLE
                                             : CUDA_ERROR_NOT_FOUND);
}
