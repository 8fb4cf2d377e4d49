// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranks do in tests: all collectives, types and operators against plain loops, in place and out, groups of messages, streams, graphs, parts of a communicator;
// operations that do not fit, a rank that dies or stops, an abort. Each rank is a process.
#include "../check.h"
#include <cuda_fp8.h>
#include <nccl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static int rank, ranks;
static ncclComm_t comm;

// --- types ---

template <class T> struct type_of;
#define TYPE(T, N)                                                                                                     \
  template <> struct type_of<T> {                                                                                      \
    static constexpr ncclDataType_t number = N;                                                                        \
  };
TYPE(int8_t, ncclInt8)
TYPE(uint8_t, ncclUint8)
TYPE(int32_t, ncclInt32)
TYPE(uint32_t, ncclUint32)
TYPE(int64_t, ncclInt64)
TYPE(uint64_t, ncclUint64)
TYPE(__half, ncclFloat16)
TYPE(float, ncclFloat32)
TYPE(double, ncclFloat64)
TYPE(__nv_bfloat16, ncclBfloat16)
TYPE(__nv_fp8_e4m3, ncclFloat8e4m3)
TYPE(__nv_fp8_e5m2, ncclFloat8e5m2)

// Small whole numbers (of other signs and fractions where the type has them), exact in all types for sums of four.
template <class T> static double plain(int of, size_t at) {
  double whole = (double)((at * 7 + of * 5 + at / 97) % 4 + (of + at) % 2);
  return std::is_unsigned_v<T> || of % 2 ? whole : -whole;
}
template <class T> static T made(double x) {
  if constexpr (std::is_arithmetic_v<T>)
    return (T)x;
  else
    return T((float)x);
}
template <class T> static bool same(T a, double b) {
  T wanted = made<T>(b);
  if constexpr (std::is_arithmetic_v<T>)
    return a == wanted;
  else
    return (float)a == (float)wanted;
}

static double combined(ncclRedOp_t op, int (*of)(int), double (*value)(int, size_t), size_t at, bool whole) {
  double sum = value(of(0), at);
  for (int i = 1; i < ranks; i++) {
    double x = value(of(i), at);
    sum = op == ncclProd ? sum * x : op == ncclMax ? std::max(sum, x) : op == ncclMin ? std::min(sum, x) : sum + x;
  }
  if (op == ncclAvg)
    sum = whole ? std::trunc(sum / ranks) : sum / ranks;
  return sum;
}
static int itself(int i) { return i; }

// Device memory, which ranks work in directly where it is large.
template <class T> struct on_device {
  typedef T value_type;
  T *allocate(size_t count) {
    void *x;
    CHECK(cudaMalloc(&x, count * sizeof(T)) == cudaSuccess);
    return static_cast<T *>(x);
  }
  void deallocate(T *x, size_t) { cudaFree(x); }
  bool operator==(const on_device &) const { return true; }
  bool operator!=(const on_device &) const { return false; }
};

template <class T, class Memory = std::allocator<T>> static void reductions(size_t count) {
  constexpr bool whole = std::is_integral_v<T>;
  std::vector<T, Memory> from(count * ranks + 1), to(count * ranks + 1);
  for (int op = ncclSum; op <= ncclAvg; op++)
    for (int in_place = 0; in_place < 2; in_place++) {
      auto fill = [&] {
        for (size_t i = 0; i < from.size(); i++)
          from[i] = made<T>(plain<T>(rank, i)), to[i] = made<T>(3);
      };
      auto wanted = [&](size_t at) { return combined((ncclRedOp_t)op, itself, plain<T>, at, whole); };
      if (op == ncclAvg && sizeof(T) < 4 && !whole && ranks == 3)
        continue; // thirds: the plain loop would have to round as floats do
      auto close = [&](T x, size_t at) {
        if (op == ncclAvg && ranks == 3 && !whole)
          return std::abs((double)(float)x - wanted(at)) < 1e-6;
        return same(x, wanted(at));
      };
      const ncclDataType_t type = type_of<T>::number;
      size_t bad = 0;
      fill();
      T *result = in_place ? from.data() : to.data();
      CHECK(ncclAllReduce(from.data(), result, count, type, (ncclRedOp_t)op, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count; i++)
        bad += !close(result[i], i);
      bad += in_place ? 0 : !same(to[count], 3);
      CHECK(bad == 0);
      fill();
      const int root = (int)count % ranks;
      CHECK(ncclReduce(from.data(), rank == root || in_place ? result : nullptr, count, type, (ncclRedOp_t)op, root, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count; i++)
        bad += rank == root ? !close(result[i], i) : !same(from[i], plain<T>(rank, i));
      CHECK(bad == 0);
      fill();
      result = in_place ? from.data() + rank * count : to.data();
      CHECK(ncclReduceScatter(from.data(), result, count, type, (ncclRedOp_t)op, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count; i++)
        bad += !close(result[i], rank * count + i);
      CHECK(bad == 0);
    }
}

template <class T, class Memory = std::allocator<T>> static void moves(size_t count) {
  const ncclDataType_t type = type_of<T>::number;
  std::vector<T, Memory> from(count * ranks + 1), to(count * ranks + 1);
  size_t bad = 0;
  for (int in_place = 0; in_place < 2; in_place++)
    for (int root = 0; root < ranks; root++) {
      auto fill = [&] {
        for (size_t i = 0; i < from.size(); i++)
          from[i] = made<T>(plain<T>(rank, i)), to[i] = made<T>(3);
      };
      fill();
      T *result = in_place ? from.data() : to.data();
      CHECK(ncclBroadcast(from.data(), result, count, type, root, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count; i++)
        bad += !same(result[i], plain<T>(root, i));
      CHECK(bad == 0);
      fill(); // in place: of the large array each rank's part is there
      T *part = in_place ? to.data() + rank * count : from.data();
      for (size_t i = 0; i < count; i++)
        part[i] = made<T>(plain<T>(rank, i));
      CHECK(ncclAllGather(part, to.data(), count, type, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count * ranks; i++)
        bad += !same(to[i], plain<T>(i / count, i % count));
      CHECK(bad == 0);
      fill();
      CHECK(ncclGather(from.data(), to.data(), count, type, root, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count * ranks; i++)
        bad += !same(to[i], rank == root ? plain<T>(i / count, i % count) : 3);
      CHECK(bad == 0);
      fill();
      CHECK(ncclScatter(from.data(), to.data(), count, type, root, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      for (size_t i = 0; i < count; i++)
        bad += !same(to[i], plain<T>(root, rank * count + i));
      CHECK(bad == 0 && same(to[count], 3));
    }
  for (int grouped = 0; grouped < 2; grouped++) {
    for (size_t i = 0; i < from.size(); i++)
      from[i] = made<T>(plain<T>(rank, i)), to[i] = made<T>(3);
    if (grouped) {
      CHECK(ncclGroupStart() == ncclSuccess);
      for (int i = 0; i < ranks; i++) {
        CHECK(ncclSend(&from[i * count], count, type, i, comm, 0) == ncclSuccess);
        CHECK(ncclRecv(&to[i * count], count, type, i, comm, 0) == ncclSuccess);
      }
      CHECK(ncclGroupEnd() == ncclSuccess);
    } else {
      CHECK(ncclAlltoAll(from.data(), to.data(), count, type, comm, 0) == ncclSuccess);
    }
    cudaDeviceSynchronize();
    for (size_t i = 0; i < count * ranks; i++)
      bad += !same(to[i], plain<T>(i / count, rank * count + i % count));
    CHECK(bad == 0);
  }
}

template <class... T> static void all_types() {
  for (size_t count : {0, 1, 7, 1001})
    (reductions<T>(count), ...);
  (moves<T>(7), ...);
}

// From 1 MB on, in odd numbers; of memory that others cannot map, too, of some ranks or all.
static void large() {
  const size_t count = (1 << 18) + 77;
  reductions<float, on_device<float>>(count);
  moves<float, on_device<float>>(count);
  reductions<float>(count);
  // Memory of the device that comes and goes, often at the same place; every second round rank 0 has the host's.
  for (int round = 0; round < 6; round++) {
    float *x;
    const bool host = !rank && round % 2;
    if (host)
      x = new float[count];
    else
      CHECK(cudaMalloc(&x, count * sizeof *x) == cudaSuccess);
    for (int i = 0; i < 3; i++) {
      std::fill(x, x + count, (float)(rank + round));
      CHECK(ncclAllReduce(x, x, count, ncclFloat, ncclSum, comm, 0) == ncclSuccess);
      cudaDeviceSynchronize();
      CHECK(std::count(x, x + count, (float)(ranks * (ranks - 1) / 2 + ranks * round)) == (long)count);
    }
    if (host)
      delete[] x;
    else
      cudaFree(x);
  }
  if (ranks == 1)
    return;
  // Ranks that differ in what they ask for write nothing.
  std::vector<float, on_device<float>> x(2 * count, 1.f);
  ncclResult_t later, told = ncclAllReduce(x.data(), x.data(), rank ? count : 2 * count, ncclFloat, ncclSum, comm, 0);
  cudaDeviceSynchronize();
  CHECK(ncclCommGetAsyncError(comm, &later) == ncclSuccess && (told == ncclInvalidUsage || later == ncclInvalidUsage));
  CHECK(std::count(x.begin(), x.end(), 1.f) == (long)(2 * count));
}

// --- streams and operators ---

__global__ void add(float *x, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    x[i] += 1;
}
__global__ void wait_for(volatile int *flag) {
  while (!*flag)
    ;
}

static void order() {
  enum { COUNT = 5000 };
  float *x;
  int *flag;
  cudaStream_t stream, other;
  cudaMallocManaged(&x, COUNT * sizeof(float));
  cudaMallocManaged(&flag, sizeof(int));
  cudaStreamCreate(&stream);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  std::fill(x, x + COUNT, (float)rank);
  *flag = 0;
  // Behind a kernel that waits for the host: the calls return all the same, and the order stays.
  wait_for<<<1, 1, 0, stream>>>(flag);
  add<<<1, 32, 0, stream>>>(x, COUNT);
  CHECK(ncclAllReduce(x, x, COUNT, ncclFloat, ncclSum, comm, stream) == ncclSuccess);
  add<<<1, 32, 0, stream>>>(x, COUNT);
  int y = rank; // of another stream, but of the same communicator: behind
  CHECK(ncclAllReduce(&y, &y, 1, ncclInt, ncclMax, comm, other) == ncclSuccess);
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  *flag = 1;
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess && cudaStreamSynchronize(other) == cudaSuccess);
  const float sum = ranks * (ranks - 1) / 2 + ranks;
  CHECK(x[0] == sum + 1 && y == ranks - 1);

  // A rank that comes late: the others' calls return before.
  if (!rank)
    usleep(60000);
  std::fill(x, x + COUNT, 1.f);
  CHECK(ncclAllReduce(x, x, COUNT, ncclFloat, ncclSum, comm, stream) == ncclSuccess);
  add<<<1, 32, 0, stream>>>(x, COUNT);
  cudaStreamSynchronize(stream);
  CHECK(x[COUNT - 1] == ranks + 1);

  // A graph, launched three times.
  cudaGraph_t graph;
  cudaGraphExec_t made;
  std::fill(x, x + COUNT, 1.f);
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  add<<<1, 32, 0, stream>>>(x, COUNT);
  CHECK(ncclAllReduce(x, x, COUNT, ncclFloat, ncclSum, comm, stream) == ncclSuccess);
  CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess && x[0] == 1);
  CHECK(cudaGraphInstantiate(&made, graph, 0) == cudaSuccess);
  float wanted = 1;
  for (int i = 0; i < 3; i++) {
    CHECK(cudaGraphLaunch(made, stream) == cudaSuccess);
    wanted = (wanted + 1) * ranks;
  }
  cudaStreamSynchronize(stream);
  CHECK(x[COUNT / 2] == wanted);
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);

  // A sum of products, each rank with a factor of its own; the second one read when it runs.
  ncclRedOp_t op, second;
  float factor = rank + 1;
  x[COUNT - 1] = rank + 1;
  CHECK(ncclRedOpCreatePreMulSum(&op, &factor, ncclFloat, ncclScalarHostImmediate, comm) == ncclSuccess);
  CHECK(ncclRedOpCreatePreMulSum(&second, &x[COUNT - 1], ncclFloat, ncclScalarDevice, comm) == ncclSuccess);
  factor = 100;
  for (ncclRedOp_t each : {op, second}) {
    std::fill(x, x + COUNT - 1, 2.f);
    CHECK(ncclAllReduce(x, x, COUNT - 1, ncclFloat, each, comm, stream) == ncclSuccess);
    cudaStreamSynchronize(stream);
    CHECK(x[0] == ranks * (ranks + 1) && x[COUNT - 2] == x[0]);
    CHECK(ncclRedOpDestroy(each, comm) == ncclSuccess);
  }
  CHECK(ncclAllReduce(x, x, 1, ncclFloat, op, comm, stream) == ncclInvalidArgument);
  cudaFree(x);
}

static void memory() {
  void *x, *handle;
  int version;
  CHECK(ncclGetVersion(&version) == ncclSuccess && version == NCCL_VERSION_CODE && version == 23007);
  CHECK(std::string(pncclGetErrorString(ncclRemoteError)) == "remote process exited or there was a network error");
  CHECK(ncclMemAlloc(&x, 100) == ncclSuccess && ncclCommRegister(comm, x, 100, &handle) == ncclSuccess);
  CHECK(pncclCommDeregister(comm, handle) == ncclSuccess && ncclMemFree(x) == ncclSuccess);
}

static void parts() {
  ncclComm_t part, none;
  int number = -1;
  // The last rank is alone; the others in the reverse order.
  CHECK(ncclCommSplit(comm, rank == ranks - 1, -rank, &part, nullptr) == ncclSuccess);
  const int of_part = rank == ranks - 1 ? 1 : ranks - 1;
  CHECK(ncclCommCount(part, &number) == ncclSuccess && number == of_part);
  CHECK(ncclCommUserRank(part, &number) == ncclSuccess && number == (of_part == 1 ? 0 : of_part - 1 - rank));
  int x = 1 << rank;
  CHECK(ncclAllReduce(&x, &x, 1, ncclInt, ncclSum, part, 0) == ncclSuccess);
  cudaDeviceSynchronize();
  CHECK(x == (rank == ranks - 1 ? 1 << rank : (1 << (ranks - 1)) - 1));
  CHECK(ncclCommSplit(comm, rank ? 5 : NCCL_SPLIT_NOCOLOR, 0, &none, nullptr) == ncclSuccess && !none == !rank);
  CHECK(ncclCommDestroy(part) == ncclSuccess && ncclCommDestroy(none) == ncclSuccess);
}

static int sum_of_ranks(ncclComm_t of) {
  int x = rank + 1;
  CHECK(ncclAllReduce(&x, &x, 1, ncclInt, ncclSum, of, 0) == ncclSuccess);
  cudaDeviceSynchronize();
  return x;
}

// Without rank 1; then with it again, as the last one. Rank 1 gets the id as a message.
static void fewer_and_more() {
  ncclComm_t fewer = nullptr, more = nullptr;
  ncclUniqueId id;
  int out[] = {1}, twice[] = {1, 1}, number, all = ranks * (ranks + 1) / 2;
  CHECK(ncclCommShrink(comm, out, 0, &fewer, nullptr, NCCL_SHRINK_DEFAULT) == ncclInvalidArgument);
  CHECK(ncclCommShrink(comm, twice, 2, &fewer, nullptr, NCCL_SHRINK_DEFAULT) == ncclInvalidArgument);
  CHECK(ncclCommShrink(comm, out, 1, &fewer, nullptr, 8) == ncclInvalidArgument && !fewer);
  if (rank == 1) {
    CHECK(ncclCommShrink(comm, out, 1, &fewer, nullptr, NCCL_SHRINK_DEFAULT) == ncclInvalidArgument && !fewer);
    CHECK(ncclRecv(&id, sizeof id, ncclChar, 0, comm, 0) == ncclSuccess);
    cudaDeviceSynchronize();
    CHECK(ncclCommGrow(nullptr, ranks, &id, ranks - 1, &more, nullptr) == ncclSuccess);
  } else {
    CHECK(ncclCommShrink(comm, out, 1, &fewer, nullptr, NCCL_SHRINK_DEFAULT) == ncclSuccess);
    CHECK(ncclCommCount(fewer, &number) == ncclSuccess && number == ranks - 1);
    CHECK(ncclCommUserRank(fewer, &number) == ncclSuccess && number == rank - (rank > 1));
    CHECK(sum_of_ranks(fewer) == all - 2);
    if (!rank) {
      CHECK(ncclCommGetUniqueId(fewer, &id) == ncclSuccess);
      CHECK(ncclSend(&id, sizeof id, ncclChar, 1, comm, 0) == ncclSuccess);
    }
    CHECK(ncclCommGrow(fewer, ranks - 1, nullptr, -1, &more, nullptr) == ncclInvalidArgument);
    CHECK(ncclCommGrow(fewer, ranks, rank ? nullptr : &id, -1, &more, nullptr) == ncclSuccess);
    CHECK(ncclCommDestroy(fewer) == ncclSuccess);
  }
  CHECK(ncclCommUserRank(more, &number) == ncclSuccess && number == (rank == 1 ? ranks - 1 : rank - (rank > 1)));
  CHECK(sum_of_ranks(more) == all);
  // Revoked while rank 0 waits in a stream: that comes out of it, nothing else begins, and it can be parted.
  cudaStream_t stream;
  float x = 1;
  cudaStreamCreate(&stream);
  if (!rank)
    CHECK(ncclRecv(&x, 1, ncclFloat, 1, more, stream) == ncclSuccess);
  CHECK(ncclCommRevoke(more, 1) == ncclInvalidArgument && ncclCommRevoke(more, NCCL_REVOKE_DEFAULT) == ncclSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess && x == 1);
  ncclResult_t error;
  CHECK(ncclCommGetAsyncError(more, &error) == ncclSuccess && error == ncclSuccess);
  CHECK(ncclAllReduce(&x, &x, 1, ncclFloat, ncclSum, more, stream) == ncclInvalidUsage);
  CHECK(ncclCommRevoke(more, NCCL_REVOKE_DEFAULT) == ncclInvalidArgument && ncclCommFinalize(more) == ncclInvalidArgument);
  CHECK(ncclCommSplit(more, rank == 0, 0, &fewer, nullptr) == ncclSuccess);
  CHECK(sum_of_ranks(fewer) == (rank ? all - 1 : 1));
  CHECK(ncclCommDestroy(fewer) == ncclSuccess && ncclCommDestroy(more) == ncclSuccess);
}

static void windows() {
  ncclWindow_t window;
  void *memory, *back;
  CHECK(ncclMemAlloc(&memory, 4096) == ncclSuccess);
  CHECK(ncclCommWindowRegister(comm, memory, 4096, &window, NCCL_WIN_COLL_SYMMETRIC) == ncclSuccess);
  CHECK(ncclWinGetUserPtr(comm, window, &back) == ncclSuccess && back == memory);
  CHECK(ncclCommWindowRegister(comm, nullptr, 4096, &window, 0) == ncclInvalidArgument);
  CHECK(ncclCommWindowDeregister(comm, window) == ncclSuccess && ncclMemFree(memory) == ncclSuccess);
}

static void wrong_operations() {
  float x[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  int number;
  CHECK(ncclAllReduce(x, x, 4, ncclFloat, ncclSum, nullptr, 0) == ncclInvalidArgument);
  CHECK(ncclAllReduce(x, x, 4, (ncclDataType_t)12, ncclSum, comm, 0) == ncclInvalidArgument);
  CHECK(ncclAllReduce(x, x, 4, ncclFloat, (ncclRedOp_t)5, comm, 0) == ncclInvalidArgument);
  CHECK(ncclAllReduce(nullptr, x, 4, ncclFloat, ncclSum, comm, 0) == ncclInvalidArgument);
  CHECK(ncclBroadcast(x, x, 4, ncclFloat, ranks, comm, 0) == ncclInvalidArgument);
  CHECK(ncclSend(x, 4, ncclFloat, -1, comm, 0) == ncclInvalidArgument);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  CHECK(ncclCommCount(comm, nullptr) == ncclInvalidArgument && ncclCommCount(nullptr, &number) == ncclInvalidArgument);
  CHECK(ncclGroupStart() == ncclSuccess && ncclSend(x, 4, ncclFloat, 99, comm, 0) == ncclInvalidArgument);
  CHECK(ncclAllReduce(x, x, 4, ncclFloat, ncclSum, comm, 0) == ncclSuccess);
  CHECK(ncclGroupEnd() == ncclInvalidArgument);
  // What differs among ranks: all are told, nothing is written, and it goes on. (A rank that comes so late that it is the stream's is told by the async error.)
  ncclResult_t later, told = ncclAllReduce(x, x, rank ? 8 : 7, ncclFloat, ncclSum, comm, 0);
  cudaDeviceSynchronize();
  CHECK(ncclCommGetAsyncError(comm, &later) == ncclSuccess && (told == ncclInvalidUsage || later == ncclInvalidUsage));
  CHECK(x[0] == 1);
  // Each of the others differs from rank 0, which names the first of them.
  const std::string said = ncclGetLastError(comm);
  CHECK(said.find("rank 0 for ncclAllReduce of 7 float32, sum, rank " + std::to_string(rank ? rank : 1) + " for ncclAllReduce of 8 float32, sum") != std::string::npos);
  told = rank ? ncclAllReduce(x, x, 4, ncclFloat, ncclSum, comm, 0) : ncclAllReduce(x, x, 4, ncclInt, ncclSum, comm, 0);
  cudaDeviceSynchronize();
  ncclCommGetAsyncError(comm, &later);
  CHECK((told == ncclInvalidUsage || later == ncclInvalidUsage) && x[3] == 1);
  told = rank == 0 ? ncclSend(x, 4, ncclFloat, 1, comm, 0) : rank == 1 ? ncclRecv(x, 5, ncclFloat, 0, comm, 0) : ncclInvalidUsage;
  cudaDeviceSynchronize();
  ncclCommGetAsyncError(comm, &later);
  CHECK((told == ncclInvalidUsage || later == ncclInvalidUsage) && x[3] == 1);
  CHECK(ncclAllReduce(x, x, 4, ncclFloat, ncclSum, comm, 0) == ncclSuccess);
  cudaDeviceSynchronize();
  CHECK(x[0] == ranks && x[4] == 1);
}

// --- processes ---

// Runs `part` as so many ranks; their exit codes are 0.
static void in_processes(int count, const std::function<void(const ncclUniqueId &)> &part, int dies = -1) {
  // Made by rank 0, who holds the root, and passed on in memory that all share.
  auto *shared = (volatile char *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  std::vector<pid_t> children;
  fflush(stdout);
  for (int i = 0; i < count; i++)
    if (!(children.emplace_back(fork()))) {
      rank = i, ranks = count, wrong = 0;
      ncclUniqueId id;
      if (!rank) {
        CHECK(ncclGetUniqueId(&id) == ncclSuccess);
        memcpy((void *)(shared + 1), &id, sizeof id);
        *shared = 1;
      }
      while (!*shared)
        usleep(200);
      memcpy(&id, (void *)(shared + 1), sizeof id);
      part(id);
      fflush(stdout);
      _exit(wrong ? 1 : 0);
    }
  for (int i = 0; i < count; i++) {
    int status;
    CHECK(waitpid(children[i], &status, 0) == children[i]);
    if (i == dies ? !WIFSIGNALED(status) : status != 0)
      wrong++, printf("rank %d of %d ended with status %#x\n", i, count, (unsigned)status);
  }
  munmap((void *)shared, 4096);
}

static double seconds() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + 1e-9 * time.tv_nsec;
}

static void everything(const ncclUniqueId &id) {
  int number;
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  CHECK(ncclCommCount(comm, &number) == ncclSuccess && number == ranks);
  CHECK(ncclCommUserRank(comm, &number) == ncclSuccess && number == rank);
  CHECK(ncclCommCuDevice(comm, &number) == ncclSuccess && number == 0);
  all_types<int8_t, uint8_t, int32_t, uint32_t, int64_t, uint64_t, __half, float, double, __nv_bfloat16, __nv_fp8_e4m3, __nv_fp8_e5m2>();
  reductions<float>(100003 * 4); // several chunks
  reductions<__half>(100003);
  moves<double>(200003);
  large();
  order();
  memory();
  if (ranks > 1)
    parts(), wrong_operations(), windows();
  if (ranks > 2)
    fewer_and_more();
  CHECK(ncclCommFinalize(comm) == ncclSuccess && ncclCommDestroy(comm) == ncclSuccess);
}

// The last rank is killed between two operations, or while it is in one.
static void one_dies(const ncclUniqueId &id) {
  enum { COUNT = 4 << 20 };
  std::vector<float> x(COUNT, 1);
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  if (rank == ranks - 1)
    std::thread([] { usleep(150000), kill(getpid(), SIGKILL); }).detach();
  const double begin = seconds();
  ncclResult_t result = ncclSuccess, later = ncclSuccess;
  while (result == ncclSuccess && later == ncclSuccess && seconds() - begin < 20) {
    result = ncclAllReduce(x.data(), x.data(), COUNT, ncclFloat, ncclMax, comm, 0);
    cudaDeviceSynchronize();
    ncclCommGetAsyncError(comm, &later);
  }
  CHECK((result == ncclRemoteError || later == ncclRemoteError) && seconds() - begin < 5);
  CHECK(ncclAllReduce(x.data(), x.data(), 1, ncclFloat, ncclMax, comm, 0) == ncclRemoteError);
  // Those that are left go on.
  ncclComm_t left;
  int dead[] = {ranks - 1};
  CHECK(ncclCommShrink(comm, dead, 1, &left, nullptr, NCCL_SHRINK_ABORT) == ncclSuccess);
  CHECK(sum_of_ranks(left) == ranks * (ranks - 1) / 2);
  CHECK(ncclCommAbort(comm) == ncclSuccess && ncclCommDestroy(left) == ncclSuccess);
}

// The last rank is stopped for a while, and then goes on.
static void one_stops(const ncclUniqueId &id) {
  enum { COUNT = 1 << 20, TIMES = 200 };
  std::vector<float> x(COUNT, 1);
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  if (const pid_t own = getpid(); rank == ranks - 1 && !fork()) {
    usleep(20000), kill(own, SIGSTOP), usleep(300000), kill(own, SIGCONT);
    _exit(0);
  }
  bool right = true;
  for (int i = 0; i < TIMES; i++) {
    std::fill(x.begin(), x.end(), (float)(rank + i));
    CHECK(ncclAllReduce(x.data(), x.data(), COUNT, ncclFloat, ncclMax, comm, 0) == ncclSuccess);
    cudaDeviceSynchronize();
    right &= x[0] == ranks - 1 + i && x[COUNT - 1] == x[0];
  }
  CHECK(right && ncclCommDestroy(comm) == ncclSuccess);
}

// Rank 0 waits for one that never asks; another thread aborts it, and the others learn of it.
static void one_aborts(const ncclUniqueId &id) {
  float x = 1;
  cudaStream_t stream;
  ncclResult_t result, later;
  cudaStreamCreate(&stream);
  CHECK(ncclCommInitRank(&comm, ranks, id, rank) == ncclSuccess);
  const double begin = seconds();
  if (!rank) {
    CHECK(ncclRecv(&x, 1, ncclFloat, 1, comm, stream) == ncclSuccess);
    CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
    CHECK(ncclCommAbort(comm) == ncclSuccess);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess && x == 1);
  } else {
    result = ncclAllReduce(&x, &x, 1, ncclFloat, ncclSum, comm, stream);
    cudaStreamSynchronize(stream);
    ncclCommGetAsyncError(comm, &later);
    CHECK(result == ncclRemoteError || later == ncclRemoteError);
    CHECK(ncclCommDestroy(comm) == ncclSuccess);
  }
  CHECK(seconds() - begin < 5);
}

static void expect(ncclResult_t wanted, const char *text, ncclResult_t result) {
  CHECK(result == wanted && !comm);
  CHECK(std::string(ncclGetLastError(nullptr)).find(text) != std::string::npos);
}

