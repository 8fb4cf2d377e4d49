// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results larger than the caches, which may go past them: from the start of an array and from the middle of a line, with a last
// block that is not full, of several types, several arrays at once, in place, read by the next launch and by other threads.
// flags: -march=native
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void two(const float *a, double *twice, int *whole, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    twice[i] = 2.0 * a[i];
    whole[i] = (int)a[i];
  }
}

__global__ void in_place(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = a[i] + 1;
}

__global__ void fill_rows(int *out, int width, int height) {
  for (int y = blockIdx.x; y < height; y += gridDim.x)
    for (int x = threadIdx.x; x < width; x += blockDim.x)
      out[y * width + x] = y * 7 - x;
}

// The last iterations of a tree in shared memory, from where it goes out.
__global__ void down(const float *in, float *out) {
  __shared__ float tile[512];
  int me = threadIdx.x, base = blockIdx.x * 512;
  tile[2 * me] = in[base + 2 * me];
  tile[2 * me + 1] = in[base + 2 * me + 1];
  for (int offset = 2, active = 128; offset > 0; offset >>= 1, active *= 2) {
    __syncthreads();
    if (me < active) {
      int left = offset * (2 * me + 1) - 1, right = offset * (2 * me + 2) - 1;
      float kept = tile[left];
      tile[left] = tile[right];
      tile[right] += kept;
    }
  }
  __syncthreads();
  out[base + 2 * me] = tile[2 * me];
  out[base + 2 * me + 1] = tile[2 * me + 1];
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv),
            n = (17 << 20) + 5; // 68 MiB of floats: more than the most that the runtime asks for
  buffer<float> a(n + 16), b(n + 16), c(n + 16);
  buffer<int> whole(n);
  buffer<double> twice(n);
  for (int i = 0; i < n + 16; i++) {
    a[i] = (float)(i % 1000);
    b[i] = (float)(i % 77) * 0.5f;
  }
  a.upload();
  b.upload();
  for (int shift = 0; shift < 17; shift += 4) {
    add<<<blocks_for(n, 256), 256>>>(a.device, b.device + shift, c.device + shift, n);
    c.download();
    for (int i = 0; i < n; i++)
      expect(i, c[i + shift], a[i] + b[i + shift]);
  }
  add<<<blocks_for(n, block), block>>>(c.device, b.device, a.device, n); // a reads what the last launch wrote
  a.download();
  for (int i = 16; i < n; i++)
    expect(i, a[i], c[i] + b[i]);
  two<<<blocks_for(n, 512), 512>>>(a.device, twice.device, whole.device, n);
  in_place<<<blocks_for(n, 256), 256>>>(a.device, n);
  twice.download();
  whole.download();
  for (int i = 16; i < n; i++) {
    expect(i, twice[i], 2.0 * a[i]);
    expect(i, whole[i], (int)a[i]);
  }
  buffer<float> again(n);
  CHECK(cudaMemcpy(again.host, a.device, n * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 16; i < n; i++)
    expect(i, again[i], a[i] + 1);
  const int width = 4096, height = n / width;
  fill_rows<<<64, 256>>>(whole.device, width, height);
  whole.download();
  for (int i = 0; i < width * height; i++)
    expect(i, whole[i], i / width * 7 - i % width);
  for (int i = 0; i < n + 16; i++)
    a[i] = (float)(i % 1000);
  a.upload();
  for (int shift = 0; shift < 17; shift += 8) {
    down<<<n / 512, 256>>>(a.device, c.device + shift);
    c.download();
    for (int i = 0; i < n / 512 * 512; i++) {
      float four[4], sum;
      for (int k = 0; k < 4; k++)
        four[k] = a[i / 4 * 4 + k];
      sum = four[3] + (i % 4 == 1 ? four[0] : i % 4 >= 2 ? four[1] : 0) + (i % 4 == 3 ? four[2] : 0);
      expect(i, c[i + shift], sum);
    }
  }
  return passed();
}
