// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NCCL over MPI: what ranks.h has, by two processes that mpirun starts. Without mpirun, or unwarp's library for it, nothing is tested but what is said.
#include "ranks.h"
#include <cstring>
#include <dlfcn.h>

int main(int count, char **argument) {
  setenv("UNWARP_NCCL", "mpi", 1);
  if (count > 1) { // started by mpirun, or by MPICH's
    const char *own = getenv("OMPI_COMM_WORLD_RANK") ? getenv("OMPI_COMM_WORLD_RANK") : getenv("PMI_RANK");
    ncclUniqueId id;
    ranks = atoi(argument[1]), rank = own ? atoi(own) : 0;
    if (count > 2) { // by a program that begins MPI for one thread: with another engine, which says so
      void *mpi = dlopen(argument[2], RTLD_NOW | RTLD_GLOBAL);
      CHECK(mpi && ((int (*)(int *, char ***))dlsym(mpi, "MPI_Init"))(nullptr, nullptr) == 0);
      CHECK(ncclGetUniqueId(&id) == ncclSuccess && strstr(ncclGetLastError(nullptr), "without MPI_THREAD_MULTIPLE"));
      everything(id);
      CHECK(((int (*)())dlsym(mpi, "MPI_Finalize"))() == 0);
      return report("ranks");
    }
    CHECK(ncclGetUniqueId(&id) == ncclSuccess);
    everything(id);
    return report("ranks");
  }
  in_processes(1, [](const ncclUniqueId &id) {
    expect(ncclSystemError, "not started by mpirun", ncclCommInitRank(&comm, 1, id, rank));
  });
  Dl_info nccl;
  CHECK(dladdr((void *)ncclAllReduce, &nccl) != 0);
  std::string library = nccl.dli_fname;
  library.replace(library.rfind('/'), std::string::npos, "/libunwarp_nccl_openmpi.so");
  if (access(library.c_str(), R_OK) != 0 || system("mpirun.openmpi --version >/dev/null 2>&1") != 0) {
    printf("Open MPI is not here: what it moves is not tested\n");
    return report("mpi");
  }
  setenv("NCCL_COMM_ID", ("127.0.0.1:" + std::to_string(20000 + getpid() % 20000)).c_str(), 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1), setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  fflush(stdout);
  CHECK(system(("mpirun.openmpi --oversubscribe -n 2 " + std::string(argument[0]) + " 2").c_str()) == 0);
  for (const char *machines : {"", "NCCL_HOSTID=$OMPI_COMM_WORLD_RANK "})
    CHECK(system(("mpirun.openmpi --oversubscribe -n 2 sh -c '" + std::string(machines) + argument[0] + " 2 libmpi.so.40'").c_str()) == 0);
  return report("mpi");
}
