// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements that each thread has side by side, from 2 to 16 of them, all or some: in lanes they are loaded and stored by whole registers and
// shuffled (passes/lanes/vectorize_interleaved.c). After the last one that a thread reads ends the allocation; what no thread stores to stays.
#include "check.h"

template <class T, int N> struct Numbers {
  T at[N];
};

// A loop, so that lanes are vectors; what it adds is the same for all.
template <class T> __device__ T series(int iterations, T start) {
  T sum = start;
  for (int i = 0; i < iterations; i++)
    sum = sum * (T)0.5 + (T)(i & 3);
  return sum;
}

template <class T, int N> __global__ void all(Numbers<T, N> *a, int count, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  Numbers<T, N> own = a[i];
  T sum = series<T>(iterations, own.at[0]);
  for (int k = 0; k < N; k++)
    own.at[k] = own.at[k] * 2 + sum;
  a[i] = own;
}

// The first and the last but one; only these are stored too.
template <class T, int N> __global__ void some(Numbers<T, N> *a, int count, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  T first = a[i].at[0], other = a[i].at[N > 2 ? N - 2 : 1], sum = series<T>(iterations, other);
  a[i].at[0] = first + sum;
  a[i].at[N > 2 ? N - 2 : 1] = other - sum;
}

// Threads differ in whether they take part.
template <class T, int N> __global__ void masked(Numbers<T, N> *a, const int *takes, int count, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  T sum = series<T>(iterations + takes[i], 1);
  if (takes[i] % 3) {
    for (int r = 0; r < iterations; r++)
      sum += (T)(r & 1);
    for (int k = 0; k < N; k++)
      a[i].at[k] += sum;
  }
}

// One by one, in a loop that steps through the thread's elements.
template <class T, int N> __global__ void turned(const T *in, T *out, int count, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  T numbers[N];
  for (int k = 0; k < N; k++)
    numbers[k] = in[i * N + k];
  for (int k = 0; k < N; k++) {
    T sum = 0;
    for (int j = 0; j < N; j++)
      sum += numbers[j] * (T)((j * k) % 5);
    out[i * N + k] = sum + series<T>(iterations, 0);
  }
}

template <class T> static T host_series(int iterations, T start) {
  T sum = start;
  for (int i = 0; i < iterations; i++)
    sum = sum * (T)0.5 + (T)(i & 3);
  return sum;
}

template <class T, int N> static void run(int block) {
  const int count = 301, iterations = 4;
  // Whole pages, with the elements at their end: what is read after them faults, or is found by the sanitizers.
  const size_t bytes = count * N * sizeof(T), room = (bytes + 4095) / 4096 * 4096;
  char *pages, *more;
  int *takes;
  CHECK(cudaMallocManaged(&pages, room));
  CHECK(cudaMallocManaged(&more, room));
  CHECK(cudaMallocManaged(&takes, count * sizeof(int)));
  T *a = (T *)(pages + room - bytes), *b = (T *)(more + room - bytes);
  auto *of_threads = (Numbers<T, N> *)a;
  T start[count * N];
  auto fill = [&] {
    for (int i = 0; i < count * N; i++)
      start[i] = a[i] = (T)((i * 7) % 32);
  };
  for (int i = 0; i < count; i++)
    takes[i] = i % 7;
  const int blocks = (count + block - 1) / block, other = N > 2 ? N - 2 : 1;

  fill();
  all<T, N><<<blocks, block>>>(of_threads, count, iterations);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count * N; i++)
    expect(i, a[i], start[i] * 2 + host_series<T>(iterations, start[i / N * N]));

  fill();
  some<T, N><<<blocks, block>>>(of_threads, count, iterations);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count * N; i++) {
    T sum = host_series<T>(iterations, start[i / N * N + other]);
    T wanted = i % N == 0 ? start[i] + sum : i % N == other ? start[i] - sum : start[i];
    expect(i, a[i], wanted);
  }

  fill();
  masked<T, N><<<blocks, block>>>(of_threads, takes, count, iterations);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count * N; i++) {
    int taken = takes[i / N];
    expect(i, a[i], taken % 3 ? start[i] + host_series<T>(iterations + taken, 1) + iterations / 2 : start[i]);
  }

  fill();
  turned<T, N><<<blocks, block>>>(a, b, count, iterations);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; i++)
    for (int k = 0; k < N; k++) {
      T sum = 0;
      for (int j = 0; j < N; j++)
        sum += start[i * N + j] * (T)((j * k) % 5);
      expect(i * N + k, b[i * N + k], sum + host_series<T>(iterations, 0));
    }
  CHECK(cudaFree(pages));
  CHECK(cudaFree(more));
  CHECK(cudaFree(takes));
}

template <int N> static void run_types(int block) {
  run<float, N>(block);
  if (N <= 5)
    run<double, N <= 5 ? N : 5>(block);
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv);
  run_types<2>(block);
  run_types<3>(block);
  run_types<4>(block);
  run_types<5>(block);
  run_types<6>(block);
  run_types<8>(block);
  run_types<9>(block);
  run_types<16>(block);
  return passed();
}
