// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that go through rows of their own, of different lengths (none at all, too): bytes, shorts, floats, doubles, two arrays at once, counters
// without a sign and of 64 bits. The last row ends where the program's memory does: after it lies a page that nobody may read.
#include <sys/mman.h>

#include "check.h"

__global__ void hashes(const unsigned char *letters, const int *starts, unsigned long long *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned long long value = 14695981039346656037ull;
  for (int k = starts[i]; k < starts[i + 1]; k++)
    value = (value ^ letters[k]) * 1099511628211ull;
  out[i] = value;
}

template <class T, class C> __global__ void sums(const T *rows, const C *starts, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  T sum = 0;
  for (C k = starts[i]; k < starts[i + 1]; k++)
    sum += rows[k];
  out[i] = sum;
}

__global__ void both(const float *a, const float *b, const int *starts, float *out, int n, float limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || i % 7 == 3)
    return;
  float sum = 0, most = 0;
  for (int k = starts[i]; k < starts[i + 1]; k++) {
    sum = sum * 0.5f + a[k] * b[k];
    if (a[k] < limit)
      most = most > b[k] ? most : b[k];
  }
  out[i] = sum + most;
}

// As far as the condition holds: what lies behind is not read.
__global__ void lengths(const unsigned char *letters, const int *starts, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int k = starts[i];
  while (letters[k] != 0)
    k++;
  out[i] = k - starts[i];
}

// Elements that end where a page ends that nobody may read.
template <class T> T *at_the_end(size_t count) {
  const size_t page = 4096, bytes = (count * sizeof(T) + page - 1) / page * page;
  char *memory = (char *)mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(memory + bytes, page, PROT_NONE);
  cudaHostRegister(memory, bytes, cudaHostRegisterDefault);
  return (T *)(memory + bytes) - count;
}

template <class T, class C> void check_sums(buffer<int> &starts, int rows, int block) {
  const int count = starts[rows];
  buffer<C> as(rows + 1);
  buffer<T> out(rows);
  T *values = at_the_end<T>(count);
  for (int k = 0; k < count; k++)
    values[k] = (T)(k % 23);
  for (int i = 0; i <= rows; i++)
    as[i] = (C)starts[i];
  as.upload();
  sums<T, C><<<(rows + block - 1) / block, block>>>(values, as.device, out.device, rows);
  out.download();
  for (int i = 0; i < rows; i++) {
    T sum = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++)
      sum += values[k];
    expect(i, out[i], sum);
  }
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), rows = 1000;
  buffer<int> starts(rows + 1), found(rows);
  starts[0] = 0;
  unsigned random = 7;
  for (int i = 0; i < rows; i++) {
    random = random * 1664525u + 1013904223u;
    starts[i + 1] = starts[i] + (i % 90 < 30 ? 0 : 1) * (int)(random >> 8) % (i % 5 == 0 ? 70 : 9);
  }
  const int count = starts[rows];
  starts.upload();
  check_sums<short, int>(starts, rows, block);
  check_sums<float, unsigned>(starts, rows, block);
  check_sums<double, long>(starts, rows, block);
  check_sums<unsigned char, unsigned long>(starts, rows, block);

  unsigned char *letters = at_the_end<unsigned char>(count + 1);
  for (int k = 0; k < count; k++)
    letters[k] = (unsigned char)(1 + k * 37 % 250);
  letters[count] = 0;
  buffer<unsigned long long> hash(rows);
  hashes<<<(rows + block - 1) / block, block>>>(letters, starts.device, hash.device, rows);
  lengths<<<(rows + block - 1) / block, block>>>(letters, starts.device, found.device, rows);
  hash.download();
  found.download();
  for (int i = 0; i < rows; i++) {
    unsigned long long value = 14695981039346656037ull;
    for (int k = starts[i]; k < starts[i + 1]; k++)
      value = (value ^ letters[k]) * 1099511628211ull;
    expect(i, hash[i] == value, true);
    expect(i, found[i], count - starts[i]);
  }

  float *a = at_the_end<float>(count), *b = at_the_end<float>(count);
  for (int k = 0; k < count; k++)
    a[k] = (float)(k % 13), b[k] = (float)(k % 5) - 2;
  buffer<float> out(rows);
  for (int i = 0; i < rows; i++)
    out[i] = -1;
  out.upload();
  both<<<(rows + block - 1) / block, block>>>(a, b, starts.device, out.device, rows, 6.0f);
  out.download();
  for (int i = 0; i < rows; i++) {
    float sum = 0, most = 0;
    for (int k = starts[i]; k < starts[i + 1]; k++) {
      sum = sum * 0.5f + a[k] * b[k];
      if (a[k] < 6.0f)
        most = most > b[k] ? most : b[k];
    }
    expect(i, out[i], i % 7 == 3 ? -1 : sum + most);
  }
  return passed();
}
