// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private arrays that loops of known length index: loops up, down, in steps, one in the other, triangular ones, left early, of one trip,
// and arrays that stay memory, for an index that is only known when the thread runs or an address that goes elsewhere.
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { N = 1000, PER = 4 };

#define BOTH __host__ __device__

// What a thread computes; the host does the same.
BOTH static int rows(int x) {
  int m[PER][3], sum = 0;
  for (int i = 0; i < PER; i++)
    for (int j = 0; j < 3; j++)
      m[i][j] = x * (i + 1) - j;
  for (int i = PER - 1; i >= 0; i--)
    for (unsigned j = 0; j != 3; ++j)
      sum = sum * 3 + m[i][j];
  return sum;
}

BOTH static int triangle(int x) { // solves a system with a small triangular matrix, in integers
  int a[5][5], b[5];
  for (int i = 0; i < 5; i++) {
    b[i] = x + i;
    for (int j = 0; j <= i; j++)
      a[i][j] = (x ^ (i * 5 + j)) & 7;
  }
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < i; j++)
      b[i] -= a[i][j] * b[j];
  return b[0] + 3 * b[2] + 7 * b[4];
}

BOTH static int leaves_early(int x) {
  int found[8], count = 0;
  for (int i = 0; i < 8; i++)
    found[i] = 0;
  for (int i = 0; i < 8; i++) {
    found[i] = (x >> i) & 3;
    if (found[i] == 3)
      break;
    count += i;
  }
  int i = 0;
  do {
    count += found[i] << i;
    i += 2;
  } while (i < 8);
  return count;
}

struct Pair {
  float at[2];
  int kind;
};

BOTH static int copies(const Pair *pairs, int x) {
  Pair mine = pairs[x & 3], other[2];
  for (int i = 0; i < 2; i++)
    other[i] = pairs[(x + i) & 3];
  for (int i = 0; i < 2; i++)
    mine.at[i] += other[1 - i].at[i] * 2.0f;
  return (int)(mine.at[0] + 10.0f * mine.at[1]) + mine.kind + other[0].kind;
}

BOTH static int known_late(int x) { // the index of the last access is known when the thread runs
  int bins[16];
  for (int i = 0; i < 16; i++)
    bins[i] = i * x;
  bins[x & 15] += 5;
  return bins[(x >> 2) & 15];
}

BOTH static void add_all(int *at, int n, int by) {
  for (int i = 0; i < n; i++)
    at[i] += by;
}

BOTH static int goes_elsewhere(int x, int n) {
  int values[6];
  for (int i = 0; i < 6; i++)
    values[i] = i;
  add_all(values, n % 7, x);
  return values[0] + values[3] + values[5];
}

template <int TRIPS> BOTH static int few(int x) { // one trip, and none
  int v[TRIPS + 1] = {};
  for (int i = 0; i < TRIPS; i++)
    v[i] = x + i;
  int sum = v[TRIPS];
  for (int i = 0; i < TRIPS; i++)
    sum += v[i];
  return sum;
}

BOTH static int wide_steps(int x) {
  unsigned char v[100];
  for (int i = 0; i < 100; i++)
    v[i] = (unsigned char)(x + i);
  int sum = 0;
  for (int i = 1; i < 100; i *= 3)
    sum += v[i];
  for (long i = 99; i > 0; i -= 7)
    sum -= v[i];
  return sum;
}

__global__ void compute(const int *in, const Pair *pairs, int *out, int n, int trips) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = in[i];
  out[i] = rows(x) + 3 * triangle(x) + 5 * leaves_early(x) + copies(pairs, x) + known_late(x) +
           goes_elsewhere(x, trips) + few<0>(x) + 7 * few<1>(x) + few<2>(x) + wide_steps(x);
}

// Threads meet at barriers inside such loops.
__global__ void meet(const int *in, int *out, int n) {
  __shared__ int s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x, x = i < n ? in[i] : 0, kept[3], sum = 0;
  for (int k = 0; k < 3; k++) {
    s[threadIdx.x] = x + k;
    __syncthreads();
    kept[k] = s[(threadIdx.x + k) % blockDim.x];
    __syncthreads();
  }
  for (int k = 0; k < 3; k++)
    sum = sum * 5 + kept[2 - k];
  if (i < n)
    out[i] = sum;
}

int main() {
  const char *text = getenv("UW_BLOCK");
  int block = text ? atoi(text) : 64, blocks = (N + block - 1) / block, bad = 0;
  std::vector<int> in(N), got(N);
  for (int i = 0; i < N; i++)
    in[i] = (int)(((unsigned)i * 2654435761u) >> 20);
  Pair pairs[4] = {{{1, 2}, 3}, {{-4, 5}, 6}, {{0.5f, -7}, 8}, {{9, 10}, 11}};
  int *din, *dout;
  Pair *dpairs;
  cudaMalloc(&din, N * sizeof(int)), cudaMalloc(&dout, N * sizeof(int)), cudaMalloc(&dpairs, sizeof pairs);
  cudaMemcpy(din, in.data(), N * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(dpairs, pairs, sizeof pairs, cudaMemcpyHostToDevice);
  compute<<<blocks, block>>>(din, dpairs, dout, N, 5);
  cudaMemcpy(got.data(), dout, N * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) {
    int x = in[i];
    int want = rows(x) + 3 * triangle(x) + 5 * leaves_early(x) + copies(pairs, x) + known_late(x) +
               goes_elsewhere(x, 5) + few<0>(x) + 7 * few<1>(x) + few<2>(x) + wide_steps(x);
    bad += got[i] != want;
  }
  if (bad)
    return printf("compute: %d of %d are wrong\n", bad, N), 1;
  meet<<<blocks, block>>>(din, dout, N);
  cudaMemcpy(got.data(), dout, N * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) {
    int base = i / block * block, want = 0, kept[3];
    for (int k = 0; k < 3; k++) {
      int from = base + (i - base + k) % block;
      kept[k] = (from < N ? in[from] : 0) + k;
    }
    for (int k = 0; k < 3; k++)
      want = want * 5 + kept[2 - k];
    bad += got[i] != want;
  }
  if (bad)
    return printf("meet: %d of %d are wrong\n", bad, N), 1;
  puts("ok");
}
