// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks that may meet, over a graph of rows of edges: addresses out of memory, atomic operations whose results are used. They
// are tried at the same time; what is said is the same on any number of threads, and nothing that a trial wrote is left.
// flags: -g -fcheck
// threads: 1 2 7
#include "cases.h"
#include <cstdlib>

#define EACH_EDGE(e) for (int e = row[v]; e < row[v + 1]; e++)
#define VERTEX int v = blockIdx.x * blockDim.x + threadIdx.x
#define WARP int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31

// Right ones.
__global__ void sums(const int *row, const int *col, int *out) { VERTEX; EACH_EDGE(e) atomicAdd(&out[col[e]], v & 3); }
__global__ void guarded(const int *row, const int *col, int *out) {
  VERTEX;
  EACH_EDGE(e) if (out[col[e]] < v) atomicMax(&out[col[e]], v);
}
__global__ void swaps(const int *row, const int *col, int *out) {
  WARP;
  for (int e = row[v] + lane; e < row[v + 1]; e += 32) {
    int seen, old = out[col[e]];
    do { seen = old; if (seen >= v) break; old = atomicCAS(&out[col[e]], seen, v); } while (old != seen);
  }
}
__global__ void permute(const int *id, const int *in, int *out) { VERTEX; out[id[v]] = in[v] + 1; }
__global__ void tickets(const int *row, const int *col, int *dist, int *work, int *count, int round) {
  VERTEX;
  EACH_EDGE(e) if (atomicMin(&dist[col[e]], round) > round) work[atomicAdd(count, 1)] = col[e];
}
__global__ void trees(const int *row, const int *col, int *out, int *last) {
  __shared__ int s[64];
  for (int v = blockIdx.x; v < 4096; v += gridDim.x) {
    int sum = 0;
    for (int e = row[v] + threadIdx.x; e < row[v + 1]; e += blockDim.x) sum += col[e] & 15;
    s[threadIdx.x] = sum;
    __syncthreads();
    for (int o = blockDim.x / 2; o; o /= 2) {
      if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
      __syncthreads();
    }
    if (threadIdx.x == 0) last[col[row[v]] & 1] = 4; // all store the same
    if (threadIdx.x == 0) atomicAdd(&out[col[row[v]]], s[0]);
    __syncthreads();
  }
}
// clean right
// clean twice

// Each block alone: a count of its own, set before its threads add to it.
__global__ void own_counts(const int *row, const int *col, int *counts) {
  VERTEX;
  if (threadIdx.x == 0) counts[col[row[0]] * 0 + blockIdx.x] = 0;
  __syncthreads();
  EACH_EDGE(e) atomicAdd(&counts[blockIdx.x], 1);
}
// The same, where two blocks have one: set plainly by one, while the other one's threads add. The last access is atomic.
__global__ void shared_counts(const int *row, const int *col, int *counts) {
  VERTEX;
  if (threadIdx.x == 0) counts[blockIdx.x / 2 * 2] = 0;
  __syncthreads();
  EACH_EDGE(e) atomicAdd(&counts[blockIdx.x / 2 * 2], 1);
}
// case counts: ^unwarp: race: write of 4 bytes .* in no order with an atomic write
// case counts: ^  write: block .* of shared_counts.*meeting.cu:61$

// Without an atomic operation.
__global__ void plain_sums(const int *row, const int *col, int *out) { VERTEX; EACH_EDGE(e) out[col[e]] += v & 3; }
// case sums: ^unwarp: race: .* by another (thread of the block|block|lane of the warp)$
// case sums: of plain_sums.*meeting.cu:69$
// several sums
// Two blocks far from each other store to one place.
__global__ void collide(const int *id, const int *in, int *out) { VERTEX; out[id[v] == 4095 ? 1 : id[v]] = v; }
// case store: ^unwarp: race: write of 4 bytes .value .*. at byte 4 of 16384 bytes of device memory, in no order with a write .* by another block$
// case store: of collide.*meeting.cu:74$
// A plain store beside atomic operations, in a branch that few take.
__global__ void clears(const int *row, const int *col, int *out) {
  VERTEX;
  EACH_EDGE(e) if (v == 4000) out[col[e]] = -1; else atomicMax(&out[col[e]], v);
}
// case clears: ^unwarp: race: write of 4 bytes .value -1. .* with an atomic write
// case clears: ^  write: block .15,0,0., thread .160,0,0. of clears.*meeting.cu:80$
// several clears
// A plain read of what other blocks add to.
__global__ void looks(const int *row, const int *col, int *out, int *seen) {
  VERTEX;
  EACH_EDGE(e) atomicAdd(&out[col[e]], 1);
  seen[v] = out[v];
}
// case looks: ^unwarp: race: (atomic operation|read) of 4 bytes
// case looks: meeting.cu:89$
// several looks
// Places in a worklist without tickets by atomic operations.
__global__ void plain_tickets(const int *row, const int *col, int *dist, int *work, int *count, int round) {
  VERTEX;
  EACH_EDGE(e) if (atomicMin(&dist[col[e]], round) > round) { int at = *count; *count = at + 1; work[at] = col[e]; }
}
// case tickets: ^unwarp: race: (read|write) of 4 bytes
// case tickets: of plain_tickets.*meeting.cu:97$
// several tickets
// A barrier is missing before the tree.
__global__ void no_barrier(const int *row, const int *col, int *out) {
  __shared__ int s[64];
  int v = blockIdx.x;
  s[threadIdx.x] = row[v] + threadIdx.x < row[v + 1] ? col[row[v] + threadIdx.x] : 0;
  for (int o = blockDim.x / 2; o; o /= 2) {
    if (threadIdx.x < o) s[threadIdx.x] += s[threadIdx.x + o];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(&out[col[row[v]]], s[0]);
}
// case barrier: ^unwarp: race: .* shared memory s, .* by another thread of the block$
// several barrier
// One edge leads out of the graph.
__global__ void outside(const int *row, const int *col, int *out) { VERTEX; EACH_EDGE(e) atomicAdd(&out[v == 3000 ? 4096 + (col[e] & 0) : col[e]], 1); }
// case outside: ^unwarp: memory: atomic operation of 4 bytes 0 bytes after the end of 16384 bytes of device memory$
// case outside: ^  atomic operation: block .11,0,0., thread .184,0,0. of outside
// One vertex of the result is left out, and read by the next launch.
__global__ void gap(const int *id, int *out) { VERTEX; if (id[v] != 2222) out[id[v]] = v; }
__global__ void gather(const int *id, const int *in, int *out) { VERTEX; atomicAdd(&out[v], in[id[v]]); }
// case gap: ^unwarp: init: read of 4 bytes that nobody has written: byte 8888 of 16384 bytes of device memory$
// case gap: ^  read: block .* of gather

// A lock whose holder finds a mistake: who waits for it must not wait for ever.
__global__ void locks(const int *row, const int *col, int *lock, int *out) {
  VERTEX;
  bool done = v % 64 != 0;
  while (!done)
    if (atomicCAS(lock, 0, 1) == 0) {
      out[col[row[0]]] += 1;
      atomicExch(lock, 0);
      done = true;
    }
}
// case locks: ^unwarp: race: .* of 4 bytes
// case locks: of locks.*meeting.cu:131$
// several locks

// The first block takes long, so that others take what is behind it. An earlier block adds to what a later one sets; another
// one stores what is there already, and a later one reads it: by index it is found, and not the other way round.
__global__ void sets(const int *id, int *out, int *fresh) {
  for (int i = 0; blockIdx.x == 0 && i < 20000; i++) atomicAdd(&out[id[i & 4095] & 15], 1);
  if (threadIdx.x == 0 && blockIdx.x == 100) atomicAdd(&fresh[id[7] * 0], 1);
  if (threadIdx.x == 0 && blockIdx.x == 120) atomicExch(&fresh[id[9] * 0], 1);
}
// case sets: ^unwarp: init: atomic operation of 4 bytes that nobody has written: byte 0 of 16384 bytes of device memory$
__global__ void keeps(const int *id, int *out, int *in) {
  for (int i = 0; blockIdx.x == 0 && i < 20000; i++) atomicAdd(&out[id[i & 4095] & 15], 1);
  if (threadIdx.x == 0 && blockIdx.x == 100) in[id[7] * 0] = 0;
  if (threadIdx.x == 0 && blockIdx.x == 120) in[id[9] * 0 + 1] = in[id[8] * 0];
}
// case keeps: ^unwarp: race: read of 4 bytes at byte 0 of 16384 bytes of device memory, in no order with a write .value 0. by another block$

#include <sys/wait.h>
#include <thread>
#include <unistd.h>
// A process that is forked in the midst of a trial, by another thread, goes on.
// clean forks

// Variables of the device, beside which the program has others; memory of the host's that kernels may reach, too, is not tried.
__device__ int counter;
__managed__ int managed_counter;
__global__ void count_all(const int *id, int *work) { VERTEX; work[atomicAdd(&counter, 1)] = id[v]; }
__global__ void count_managed(const int *id, int *work) { VERTEX; work[atomicAdd(&managed_counter, 1)] = id[v]; }
__global__ void begins_to_count() { counter = 0; }
// clean variables

CASES
  const int n = 4096, degree = 8;
  static int rows[n + 1], cols[n * degree], ids[n];
  unsigned random = 1;
  for (int v = 0; v <= n; v++) rows[v] = v * degree;
  for (int &c : cols) c = (random = random * 1664525u + 1013904223u) >> 8 & (n - 1);
  for (int v = 0; v < n; v++) ids[v] = v * 1771 + 5 & (n - 1);
  int *row = device<int>(n + 1), *col = device<int>(n * degree), *id = device<int>(n), *out = device<int>(n), *in = device<int>(n),
      *work = device<int>(n), *count = device<int>(1), *fresh;
  cudaMemcpy(row, rows, sizeof rows, cudaMemcpyHostToDevice);
  cudaMemcpy(col, cols, sizeof cols, cudaMemcpyHostToDevice);
  cudaMemcpy(id, ids, sizeof ids, cudaMemcpyHostToDevice);
  cudaMalloc(&fresh, n * sizeof(int));
  static int found[n], wanted[n];
  auto expect = [&](const int *from) {
    cudaMemcpy(found, from, sizeof found, cudaMemcpyDeviceToHost);
    for (int v = 0; v < n; v++)
      if (found[v] != wanted[v]) { printf("%d: %d, not %d\n", v, found[v], wanted[v]); exit(3); }
  };
  const int shape = 256, grid = n / shape;
  CASE(right) {
    for (int round = 0; round < 3; round++) {
      sums<<<grid, shape>>>(row, col, out);
      for (int v = 0; v < n; v++) for (int e = rows[v]; e < rows[v + 1]; e++) wanted[cols[e]] += v & 3;
      expect(out);
      permute<<<grid, shape>>>(id, out, fresh);
      guarded<<<grid, shape>>>(row, col, in);
      swaps<<<n * 32 / shape, shape>>>(row, col, work);
      for (int i = 0; i < 2; i++) own_counts<<<grid, shape>>>(row, col, fresh);
    }
    cudaMemset(in, 127, n * sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    tickets<<<grid, shape>>>(row, col, in, work, count, 1);
    tickets<<<grid, shape>>>(row, col, in, work, count, 2);
  }
  // A trial that is taken back leaves nothing: sums where one launch has threads that store the same value.
  CASE(twice)
    for (int round = 0; round < 2; round++) {
      cudaMemset(out, 0, n * sizeof(int));
      for (int &w : wanted) w = 0;
      trees<<<64, 64>>>(row, col, out, in);
      for (int v = 0; v < n; v++) {
        int sum = 0;
        for (int e = rows[v]; e < rows[v + 1]; e++) sum += cols[e] & 15;
        wanted[cols[rows[v]]] += sum;
      }
      expect(out);
    }
  CASE(counts) shared_counts<<<grid, shape>>>(row, col, out);
  CASE(sums) plain_sums<<<grid, shape>>>(row, col, out);
  CASE(store) collide<<<grid, shape>>>(id, in, out);
  CASE(clears) clears<<<grid, shape>>>(row, col, out);
  CASE(looks) looks<<<grid, shape>>>(row, col, out, in);
  CASE(tickets) {
    cudaMemset(in, 127, n * sizeof(int));
    plain_tickets<<<grid, shape>>>(row, col, in, work, count, 1);
  }
  CASE(barrier) no_barrier<<<n, 64>>>(row, col, out);
  CASE(outside) outside<<<grid, shape>>>(row, col, out);
  CASE(gap) {
    gap<<<grid, shape>>>(id, fresh);
    gather<<<grid, shape>>>(id, fresh, out);
  }
  CASE(locks) locks<<<grid, shape>>>(row, col, count, out);
  CASE(sets) sets<<<256, 64>>>(id, out, fresh);
  CASE(keeps) keeps<<<256, 64>>>(id, out, in);
  CASE(forks) {
    std::thread other([] {
      for (int i = 0; i < 8; i++) {
        usleep(2000);
        pid_t child = fork();
        if (child == 0) {
          int *more;
          _exit(cudaMalloc(&more, 100) != cudaSuccess || cudaFree(more) != cudaSuccess);
        }
        int status;
        waitpid(child, &status, 0);
        if (status) printf("child: %x\n", status), exit(3);
      }
    });
    for (int i = 0; i < 40; i++) swaps<<<n * 32 / shape, shape>>>(row, col, out), cudaDeviceSynchronize();
    other.join();
  }
  CASE(variables) {
    begins_to_count<<<1, 1>>>();
    count_all<<<grid, shape>>>(id, work);
    managed_counter = 0;
    count_managed<<<grid, shape>>>(id, fresh);
    cudaDeviceSynchronize();
    int counted;
    cudaMemcpyFromSymbol(&counted, counter, sizeof counted);
    if (counted != n || managed_counter != n) printf("%d, %d\n", counted, managed_counter), exit(3);
  }
  cudaFree(row), cudaFree(col), cudaFree(id), cudaFree(out), cudaFree(in), cudaFree(work), cudaFree(count), cudaFree(fresh);
END
