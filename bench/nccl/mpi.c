/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What MPI_Allreduce of floats, in place, takes: beside bench/nccl/nodes.cu with UNWARP_NCCL=mpi.
 *
 *   mpicc -O2 bench/nccl/mpi.c -o mpi && mpirun -n 2 ./mpi BYTES RUNS
 *   UNWARP_NCCL=mpi NCCL_COMM_ID=127.0.0.1:29512 mpirun -n 2 sh -c './nodes $OMPI_COMM_WORLD_RANK BYTES RUNS'
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int order(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **argument) {
  int rank, level, runs = atoi(argument[2]);
  const size_t bytes = strtoull(argument[1], NULL, 10);
  float *x = calloc(bytes, 1);
  double *times = calloc((size_t)runs, sizeof *times);
  (void)count;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < runs; i++) {
    const double begin = MPI_Wtime();
    MPI_Allreduce(MPI_IN_PLACE, x, (int)(bytes / sizeof *x), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    times[i] = MPI_Wtime() - begin;
  }
  qsort(times, (size_t)runs, sizeof *times, order);
  if (!rank)
    printf("MPI_Allreduce  %9zu bytes: median %9.1f us, least %9.1f us\n", bytes, times[runs / 2] * 1e6, times[0] * 1e6);
  MPI_Finalize();
}
