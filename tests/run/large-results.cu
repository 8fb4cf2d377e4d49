// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results larger than the caches, which may go past them: from the start of an array and from the middle of a line, with a last
// block that is not full, of several types, several arrays at once, in place, read by the next launch and by other threads.
#include "check.h"

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
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
  if (i < n) a[i] = a[i] + 1;
}

__global__ void fill_rows(int *out, int width, int height) {
  for (int y = blockIdx.x; y < height; y += gridDim.x)
    for (int x = threadIdx.x; x < width; x += blockDim.x) out[y * width + x] = y * 7 - x;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = (17 << 20) + 5; // 68 MiB of floats: more than the most that the runtime asks for
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
    for (int i = 0; i < n; i++) expect(i, c[i + shift], a[i] + b[i + shift]);
  }
  add<<<blocks_for(n, block), block>>>(c.device, b.device, a.device, n); // a reads what the last launch wrote
  a.download();
  for (int i = 16; i < n; i++) expect(i, a[i], c[i] + b[i]);
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
  for (int i = 16; i < n; i++) expect(i, again[i], a[i] + 1);
  const int width = 4096, height = n / width;
  fill_rows<<<64, 256>>>(whole.device, width, height);
  whole.download();
  for (int i = 0; i < width * height; i++) expect(i, whole[i], i / width * 7 - i % width);
  return passed();
}
