/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which engine moves a communicator's bytes: shared memory where all ranks are processes of one machine, Gloo where any
 * two are not, or what UNWARP_NCCL says. Gloo, or MPI, is opened here, when it is first needed. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const uwnccl_engine_names[UWNCCL_ENGINES] = {"", "shm", "gloo", "mpi"};

/* Functions of whichever MPI the program uses, which are the same to call; null: it uses none so far. */
static void *function_of_mpi(const char *name) {
  static const char *const libraries[] = {"libmpi.so.40", "libmpich.so.12"};
  void *found = NULL;
  for (size_t i = 0; i < sizeof libraries / sizeof *libraries && !found; i++) {
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
    found = library ? dlsym(library, name) : NULL;
    if (library)
      dlclose(library); /* the program has it, too */
  }
  return found;
}

/* A program that has begun MPI for one of its threads alone, as nccl-tests do, has no other of MPI's levels to give. */
static int has_mpi_for_one_thread(void) {
  int (*is_begun)(int *) = (int (*)(int *))function_of_mpi("MPI_Initialized");
  int (*is_ended)(int *) = (int (*)(int *))function_of_mpi("MPI_Finalized");
  int (*query)(int *) = (int (*)(int *))function_of_mpi("MPI_Query_thread");
  enum { MULTIPLE = 3 }; /* in both: SINGLE, FUNNELED, SERIALIZED, MULTIPLE */
  int begun = 0, ended = 0, level = MULTIPLE;
  return is_begun && is_ended && query && is_begun(&begun) == 0 && begun && is_ended(&ended) == 0 && !ended &&
         query(&level) == 0 && level < MULTIPLE;
}

ncclResult_t uwnccl_wanted(int32_t *engine) {
  const char *text = getenv("UNWARP_NCCL");
  *engine = UWNCCL_ANY;
  if (!text)
    return ncclSuccess;
  while (*engine < UWNCCL_ENGINES && strcmp(text, uwnccl_engine_names[*engine]) != 0)
    ++*engine;
  if (*engine == UWNCCL_ENGINES)
    return uwnccl_say(ncclInvalidUsage, "UNWARP_NCCL=%s: shm, gloo or mpi", text);
  if (*engine == UWNCCL_MPI && has_mpi_for_one_thread()) {
    static atomic_int is_told;
    *engine = UWNCCL_ANY;
    if (!atomic_exchange(&is_told, 1))
      uwnccl_say(ncclSuccess,
                 "UNWARP_NCCL=mpi: the program has begun MPI without MPI_THREAD_MULTIPLE "
                 "(MPI_Init_thread), so bytes go through shared memory, and through Gloo between machines");
  }
  return ncclSuccess;
}

int uwnccl_are_apart(const uwnccl_address *a, const uwnccl_address *b) { return a->host != b->host; }

/* Beside the library, or, where that is linked into a program, wherever the loader finds it. Null: `why` says why. */
static const uwnccl_transport *load(const char *name, int options, char why[512]) {
  char path[4096] = "";
  Dl_info here;
  if (dladdr(&uwnccl_engine_names, &here) && here.dli_fname) {
    const char *slash = strrchr(here.dli_fname, '/');
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash + 1 - here.dli_fname) : 0, here.dli_fname, name);
  }
  void *library = dlopen(access(path, F_OK) == 0 ? path : name, RTLD_NOW | RTLD_LOCAL | options);
  const uwnccl_transport *found = library ? dlsym(library, "uwnccl_transport_of_library") : NULL;
  if (!found)
    snprintf(why, 512, "%s", dlerror());
  return found;
}

static const uwnccl_transport *load_gloo(void) {
  char why[512];
  /* PyTorch has a Gloo of its own: each keeps to itself. Sanitizers cannot have that. */
  const int own = dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") ? 0 : RTLD_DEEPBIND;
  const uwnccl_transport *found = load("libunwarp_nccl_gloo.so", own, why);
  if (!found && strstr(why, "libgloo.so"))
    uwnccl_say(ncclSystemError,
               "ranks on several machines talk through Gloo, which is missing (%s): apt-get install libgloo0", why);
  else if (!found)
    uwnccl_say(ncclSystemError,
               "ranks on several machines talk through Gloo, without which this unwarp was built (%s): apt-get install "
               "libgloo-dev, and make again",
               why);
  return found;
}

static int is_loaded(const char *name) {
  void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (library)
    dlclose(library);
  return library != NULL;
}

/* That of the program; else that whose mpirun has started it. */
static const uwnccl_transport *load_mpi(void) {
  char why[512];
  const int is_mpich = is_loaded("libmpich.so.12") || (!is_loaded("libmpi.so.40") && getenv("PMI_SIZE"));
  if (!is_mpich && !is_loaded("libmpi.so.40") && !getenv("OMPI_COMM_WORLD_SIZE")) {
    uwnccl_say(ncclSystemError, "UNWARP_NCCL=mpi: the program was not started by mpirun (Open MPI's or MPICH's)");
    return NULL;
  }
  const uwnccl_transport *found = load(is_mpich ? "libunwarp_nccl_mpich.so" : "libunwarp_nccl_openmpi.so", 0, why);
  if (!found)
    uwnccl_say(
        ncclSystemError,
        "UNWARP_NCCL=mpi: unwarp was built without it, or it is missing here (%s): apt-get install %s, and make again",
        why, is_mpich ? "libmpich-dev" : "libopenmpi-dev");
  return found;
}

static const uwnccl_transport *transport_for(int wanted) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static const uwnccl_transport *gloo, *mpi;
  const uwnccl_transport **found = wanted == UWNCCL_MPI ? &mpi : &gloo;
  pthread_mutex_lock(&lock);
  if (!*found)
    *found = wanted == UWNCCL_MPI ? load_mpi() : load_gloo();
  const uwnccl_transport *result = *found;
  pthread_mutex_unlock(&lock);
  return result;
}

ncclResult_t uwnccl_join(struct ncclComm *c, const uwnccl_address *all, const uwnccl_doors *doors) {
  ncclResult_t result;
  int apart = all[c->rank].wants == UWNCCL_GLOO || all[c->rank].wants == UWNCCL_MPI;
  for (int i = 1; i < c->count; i++)
    apart |= uwnccl_are_apart(&all[0], &all[i]);
  if (!apart) {
    c->engine = &uwnccl_shared;
    result = uwnccl_join_shared(c, all, doors->local);
  } else {
    const uwnccl_transport *transport = transport_for(all[c->rank].wants);
    if (!transport)
      return ncclSystemError;
    c->engine = &uwnccl_by_nodes;
    result = uwnccl_join_nodes(c, all, doors->tcp, transport);
  }
  if (result == ncclSuccess) {
    uwnccl_tell_version(c);
    uwnccl_inform(c, "Using network %s",
                  apart ? c->nodes->transport->name : "of shared memory: all ranks are on this machine");
    uwnccl_inform(c, "comm %p rank %d nranks %d cudaDev %d - Init COMPLETE", (void *)c, c->rank, c->count, c->device);
  }
  return result;
}
