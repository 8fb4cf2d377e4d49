// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that go past the caches: rows that begin anywhere in a line, several of them for each block, two results whose rows begin at the
// same position of a line or not, rows that are too short. All launches count as large ones here.
#include "check.h"

#ifdef __UNWARP__
extern "C" unsigned long uwrt_stream_bytes; // runtime/caches.c: set before main, as here
__attribute__((constructor(200))) static void store_past_caches() { uwrt_stream_bytes = 0; }
#endif

__global__ void plane(const float *__restrict__ in, float *__restrict__ out, int nx, int ny, int rim) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= rim && y >= rim && x < nx - rim && y < ny - rim)
    out[y * nx + x] = 2 * in[y * nx + x] + 1;
}

__global__ void two(const float *__restrict__ in, float *__restrict__ a, double *__restrict__ b, float *__restrict__ c,
                    int n, int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[i] + 1;
    b[i] = in[i] + 2;
    c[i + shift] = in[i] + 3;
  }
}

__global__ void two_alike(const float *__restrict__ in, float *__restrict__ a, float *__restrict__ c, int n,
                          int shift) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    a[i] = in[i] + 1;
    c[i + shift] = in[i] + 3;
  }
}

int main() {
  for (int nx : {40, 1000, 1024, 3333})
    for (int rim = 0; rim < 20; rim += rim < 2 ? 1 : 7) {
      const int ny = 45;
      buffer<float> in(nx * ny), out(nx * ny);
      for (int i = 0; i < nx * ny; i++)
        in[i] = i % 1000, out[i] = -5;
      in.upload();
      out.upload();
      plane<<<dim3(blocks_for(nx, 16), blocks_for(ny, 16)), dim3(16, 16)>>>(in.device, out.device, nx, ny, rim);
      out.download();
      for (int i = 0; i < nx * ny; i++) {
        int x = i % nx, y = i / nx;
        bool inside = x >= rim && y >= rim && x < nx - rim && y < ny - rim;
        expect(i, out[i], inside ? 2.0f * (i % 1000) + 1 : -5.0f);
      }
    }
  for (int shift = 0; shift < 18; shift++)
    for (int n : {300, 5000}) {
      buffer<float> in(n + 64), a(n + 64), c(n + 64);
      buffer<double> b(n + 64);
      for (int i = 0; i < n + 64; i++)
        in[i] = i, a[i] = c[i] = -5, b[i] = -5;
      for (int kind = 0; kind < 2; kind++) {
        in.upload(), a.upload(), b.upload(), c.upload();
        if (kind == 0)
          two<<<blocks_for(n, 256), 256>>>(in.device, a.device + 3, b.device, c.device, n, shift);
        else
          two_alike<<<blocks_for(n, 256), 256>>>(in.device, a.device + 3, c.device, n, shift);
        a.download(), b.download(), c.download();
        for (int i = 0; i < n + 20; i++) {
          expect(i, a[i], i >= 3 && i < n + 3 ? i - 2.0f : -5.0f);
          expect(i, b[i], kind == 0 && i < n ? i + 2.0 : kind == 0 || i >= n ? -5.0 : i + 2.0);
          expect(i, c[i], i >= shift && i < n + shift ? i - shift + 3.0f : -5.0f);
        }
        for (int i = 0; i < n + 64; i++)
          a[i] = c[i] = -5;
      }
    }
  return passed();
}
