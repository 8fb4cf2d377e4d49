// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of the elements, and how far apart they are, are given by the launch, and each thread asks for them: what it loads, how it
// combines that and what it stores are choices among many, which all threads make alike (unswitch). Types that are not there end in a call.
// In a loop, too, and where each thread has a type of its own (packets).
#include "check.h"

enum type { U8, I8, I16, I32, I64, F32, F64, TYPES, NONE = TYPES };
static const int sizes[] = {1, 1, 2, 4, 8, 4, 8};

__device__ __noinline__ void count_unknown(int *unknown) { atomicAdd(unknown, 1); }

__host__ __device__ static inline double load(const char *at, int type, bool *known) {
  *known = true;
  switch (type) {
  case U8: return *(const unsigned char *)at;
  case I8: return *(const signed char *)at;
  case I16: return *(const short *)at;
  case I32: return *(const int *)at;
  case I64: return (double)*(const long long *)at;
  case F32: return *(const float *)at;
  case F64: return *(const double *)at;
  }
  *known = false;
  return -1;
}

__host__ __device__ static inline bool store(char *at, int type, double value) {
  switch (type) {
  case U8: *(unsigned char *)at = (unsigned char)value; break;
  case I8: *(signed char *)at = (signed char)value; break;
  case I16: *(short *)at = (short)value; break;
  case I32: *(int *)at = (int)value; break;
  case I64: *(long long *)at = (long long)value; break;
  case F32: *(float *)at = (float)value; break;
  case F64: *(double *)at = value; break;
  default: return false;
  }
  return true;
}

struct array {
  char *data;
  int stride;
  int type;
};

__global__ void scale(int n, array out, array in, double by, int *unknown) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  bool known;
  double value = load(in.data + i * in.stride, in.type, &known);
  if (!known)
    count_unknown(unknown);
  if (!store(out.data + i * out.stride, out.type, value * by))
    count_unknown(unknown);
}

// Each thread combines a row; how is its own affair where `own`, else the launch's.
__host__ __device__ static inline float combine(float sum, float x, int how) {
  switch (how) {
  case 0: return sum + x;
  case 1: return sum * 0.5f + x;
  case 2: return sum > x ? sum : x;
  case 3: return x - sum;
  case 4: return sum;
  default: return sum - x;
  }
}

template <bool own> __global__ void rows(const float *in, float *out, int n, int columns, int how) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 1;
  for (int k = 0; k < columns; k++)
    sum = combine(sum, in[k * n + i], own ? i % 6 : how);
  out[i] = sum;
}

static void fill(buffer<char> &memory) {
  unsigned state = 5;
  for (size_t i = 0; i < memory.count; i++)
    memory.host[i] = (char)(next_random(state) % 100);
}

static void check_types(int block, int from, int to, int in_stride, int out_stride, int n) {
  buffer<char> in((size_t)n * 16), out((size_t)n * 16);
  buffer<int> unknown(1);
  fill(in);
  for (int i = 0; from != NONE && i < n; i++) /* numbers that all types hold */
    store(in.host + i * in_stride, from, i % 50);
  in.upload();
  out.upload();
  unknown.upload();
  array source = {in.device, in_stride, from}, target = {out.device, out_stride, to};
  scale<<<blocks_for(n, block) + 2, block>>>(n, target, source, 2, unknown.device); // two blocks have no threads to do
  out.download();
  unknown.download();
  int expected = (from == NONE ? n : 0) + (to == NONE ? n : 0);
  if (unknown.host[0] != expected) {
    printf("types %d to %d: %d unknown, not %d\n", from, to, unknown.host[0], expected);
    exit(1);
  }
  for (int i = 0; to != NONE && out_stride && i < n; i++) {
    bool known;
    double wanted = from == NONE ? -2 : 2 * (in_stride ? i % 50 : (n - 1) % 50);
    double found = load(out.host + i * out_stride, to, &known);
    if (to == U8 && from == NONE)
      continue; /* a negative number has no meaning there */
    if (found != wanted) {
      printf("types %d to %d, strides %d and %d: element %d is %g, not %g\n", from, to, in_stride, out_stride, i, found,
             wanted);
      exit(1);
    }
  }
}

template <bool own> static void check_rows(int block, int how, int n) {
  const int columns = 13;
  buffer<float> in((size_t)n * columns), out(n);
  for (size_t i = 0; i < in.count; i++)
    in.host[i] = (float)(i * 7 % 31);
  in.upload();
  rows<own><<<blocks_for(n, block) + 2, block>>>(in.device, out.device, n, columns, how);
  out.download();
  for (int i = 0; i < n; i++) {
    float sum = 1;
    for (int k = 0; k < columns; k++)
      sum = combine(sum, in.host[k * n + i], own ? i % 6 : how);
    if (std::fabs(out.host[i] - sum) > 1e-4f * std::fabs(sum)) {
      printf("rows, %d: element %d is %g, not %g\n", how, i, out.host[i], sum);
      exit(1);
    }
  }
}

int main(int argc, char **argv) {
  int block = block_size(argc, argv);
  for (int from = 0; from <= NONE; from++)
    for (int to = 0; to <= NONE; to++)
      check_types(block, from, to, from == NONE ? 4 : sizes[from], to == NONE ? 4 : sizes[to], 300);
  check_types(block, F32, F32, 8, 12, 777); /* far apart */
  check_types(block, F64, F32, 0, 4, 777);  /* the same for all */
  check_types(block, I16, F64, 6, 16, 1);
  for (int how = 0; how < 6; how++)
    check_rows<false>(block, how, 500);
  check_rows<true>(block, 0, 500);
  return passed();
}
