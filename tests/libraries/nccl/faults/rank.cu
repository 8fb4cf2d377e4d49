// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank of faults.sh: collectives and messages of random kinds and sizes, the same in all ranks, whose results are looked at.
//
//   rank RANK RANKS OPERATIONS SEED
//
// 0: all are done; 3: the communicator said ncclRemoteError, or in its beginning an error of the system; 9: a wrong result; 8: another error.
#include <cstdio>
#include <cstdlib>
#include <nccl.h>
#include <time.h>
#include <unistd.h>
#include <vector>

static int rank, ranks;
static ncclComm_t comm;

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static int value(int of, int operation, size_t at) { return of * 1000003 + operation * 101 + (int)(at % 9973); }

[[noreturn]] static void end(int status, const char *what, int operation) {
  printf("rank %d: %s in operation %d: %s\n", rank, what, operation, ncclGetLastError(nullptr));
  if (comm)
    ncclCommAbort(comm);
  fflush(stdout);
  _Exit(status);
}

static ncclResult_t start(int kind, const std::vector<int> &from, std::vector<int> &to, size_t count, int root) {
  switch (kind) {
  case 0: return ncclAllReduce(from.data(), to.data(), count, ncclInt, ncclSum, comm, 0);
  case 1: return ncclAllGather(from.data(), to.data(), count, ncclInt, comm, 0);
  case 2: return ncclBroadcast(from.data(), to.data(), count, ncclInt, root, comm, 0);
  default:
    ncclGroupStart();
    ncclSend(from.data(), count, ncclInt, (rank + 1) % ranks, comm, 0);
    ncclRecv(to.data(), count, ncclInt, (rank + ranks - 1) % ranks, comm, 0);
    return ncclGroupEnd();
  }
}

static bool right(int kind, const std::vector<int> &to, size_t count, int root, int operation) {
  for (size_t i = 0; i < count; i++) {
    int sum = 0;
    switch (kind) {
    case 0:
      for (int of = 0; of < ranks; of++)
        sum += value(of, operation, i);
      if (to[i] != sum)
        return false;
      break;
    case 1:
      for (int of = 0; of < ranks; of++)
        if (to[of * count + i] != value(of, operation, i))
          return false;
      break;
    default:
      if (to[i] != value(kind == 2 ? root : (rank + ranks - 1) % ranks, operation, i))
        return false;
    }
  }
  return true;
}

int main(int, char **argument) {
  rank = atoi(argument[1]), ranks = atoi(argument[2]);
  printf("rank %d: process %d\n", rank, (int)getpid());
  fflush(stdout);
  const int operations = atoi(argument[3]);
  unsigned state = (unsigned)atoi(argument[4]) * 2654435761u + 1;
  auto random = [&](unsigned below) { return (state = state * 1664525u + 1013904223u) >> 8, (state >> 8) % below; };
  ncclUniqueId id;
  if (ncclGetUniqueId(&id) != ncclSuccess)
    end(8, "no id", -1);
  if (ncclResult_t result = ncclCommInitRank(&comm, ranks, id, rank); result != ncclSuccess) {
    comm = nullptr;
    end(result == ncclRemoteError || result == ncclSystemError ? 3 : 8, ncclGetErrorString(result), -1);
  }
  printf("rank %d: begins\n", rank);
  fflush(stdout);
  std::vector<int> from, to;
  const double begin = seconds();
  for (int operation = 0; operation < operations; operation++) {
    static const size_t sizes[] = {1, 100, 10007, 300001, 1 << 20};
    const int kind = (int)random(4), root = (int)random(ranks);
    const size_t count = sizes[random(sizeof sizes / sizeof *sizes)];
    from.resize(count);
    to.assign(count * ranks, -1);
    for (size_t i = 0; i < count; i++)
      from[i] = value(rank, operation, i);
    ncclResult_t result = start(kind, from, to, count, root), later = ncclSuccess;
    cudaStreamSynchronize(0);
    ncclCommGetAsyncError(comm, &later);
    if (result == ncclSuccess)
      result = later;
    if (result != ncclSuccess)
      end(result == ncclRemoteError ? 3 : 8, ncclGetErrorString(result), operation);
    if (!right(kind, to, count, root, operation))
      end(9, "wrong result", operation);
  }
  printf("rank %d: all right in %.2f s\n", rank, seconds() - begin);
  return ncclCommDestroy(comm) == ncclSuccess ? 0 : 8;
}
