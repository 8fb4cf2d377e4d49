// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program in CUDA and MPI that hands device pointers to MPI where that says that it takes them, by two processes that mpirun starts. It is compiled once more, with MPI, where
// Open MPI is; elsewhere only the answer is tested.
#include "../check.h"
#include <unistd.h>

#ifdef WITH_MPI
#include <mpi.h>

#include <mpi-ext.h> // after it

enum { COUNT = 300001 };

__global__ void fill(double *x, int count, double from) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    x[i] = from + i;
}

static bool holds(const double *x, double first, double step) {
  std::vector<double> host(COUNT);
  CHECK(cudaMemcpy(host.data(), x, COUNT * sizeof *x, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (int i = 0; i < COUNT; i++)
    if (host[i] != first + step * i)
      return false;
  return true;
}

int main(int count, char **argument) {
  int rank, ranks;
  MPI_Init(&count, &argument);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  CHECK(ranks == 2 && MPIX_Query_cuda_support() == 1);
  double *from, *to;
  CHECK(cudaMalloc(&from, COUNT * sizeof *from) == cudaSuccess && cudaMalloc(&to, COUNT * sizeof *to) == cudaSuccess);
  fill<<<(COUNT + 255) / 256, 256>>>(from, COUNT, 10. * rank);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  MPI_Sendrecv(from, COUNT, MPI_DOUBLE, 1 - rank, 7, to, COUNT, MPI_DOUBLE, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  CHECK(holds(to, 10. * (1 - rank), 1));
  MPI_Allreduce(from, to, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  CHECK(holds(to, 10, 2));
  MPI_Finalize();
  return report("ranks");
}
#else

extern "C" int MPIX_Query_cuda_support(void);

static int run(std::string command) {
  fflush(stdout);
  return system(command.c_str());
}

int main(int, char **argument) {
  CHECK(MPIX_Query_cuda_support() == 1);
  if (run("mpicc.openmpi --version >/dev/null 2>&1 && mpirun.openmpi --version >/dev/null 2>&1") != 0) {
    printf("Open MPI is not here: what it moves is not tested\n");
    return report("mpi_pointers");
  }
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1), setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  const std::string program = std::string(argument[0]) + ".ranks";
  CHECK(run("\"$UNWARP\" -DWITH_MPI " __FILE__ " -std=c++17 $(mpicc.openmpi --showme:compile) $(mpicc.openmpi --showme:link) -o " + program) == 0);
  CHECK(run("mpirun.openmpi --oversubscribe -n 2 " + program) == 0);
  return report("mpi_pointers");
}
#endif
