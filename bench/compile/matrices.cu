// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compile time: a filter per thread on small private matrices, whose loops have constant bounds, in three sizes.
template <int SIZE> struct matrix {
  double at[SIZE][SIZE];
};

template <int SIZE> __device__ matrix<SIZE> product(const matrix<SIZE> &a, const matrix<SIZE> &b) {
  matrix<SIZE> c;
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++) {
      double sum = 0;
      for (int j = 0; j < SIZE; j++)
        sum += a.at[i][j] * b.at[j][k];
      c.at[i][k] = sum;
    }
  return c;
}

template <int SIZE> __global__ void filter(const double *seen, const double *steps, double *last, int series, int length) {
  int own = blockIdx.x * blockDim.x + threadIdx.x;
  if (own >= series)
    return;
  matrix<SIZE> step, turned, spread;
  double state[SIZE] = {}, gain[SIZE];
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++) {
      step.at[i][k] = steps[(own * SIZE + i) * SIZE + k];
      turned.at[k][i] = step.at[i][k];
      spread.at[i][k] = i == k;
    }
  for (int t = 0; t < length; t++) {
    double error = seen[own * length + t] - state[0], scale = spread.at[0][0] + 1;
    for (int i = 0; i < SIZE; i++) {
      gain[i] = spread.at[i][0] / scale;
      state[i] += gain[i] * error;
    }
    spread = product(product(step, spread), turned);
    for (int i = 0; i < SIZE; i++)
      for (int k = 0; k < SIZE; k++)
        spread.at[i][k] -= gain[i] * gain[k] * scale;
  }
  last[own] = state[0] + spread.at[SIZE - 1][SIZE - 1];
}

int main() {
  double *seen, *steps, *last;
  cudaMallocManaged(&seen, 1 << 20);
  cudaMallocManaged(&steps, 1 << 20);
  cudaMallocManaged(&last, 1 << 20);
  filter<4><<<1, 32>>>(seen, steps, last, 8, 4);
  filter<6><<<1, 32>>>(seen, steps, last, 8, 4);
  filter<8><<<1, 32>>>(seen, steps, last, 8, 4);
  return cudaDeviceSynchronize();
}
