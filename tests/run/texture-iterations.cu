// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fetches from textures in the loops of threads, whose format is asked once (unswitch): formats that are a load and one that is not,
// positions outside of the memory, and loops of no iteration with no texture at all.
#include <cmath>
#include <cstdio>
#include <cstring>

enum { POINTS = 300, DIMS = 9, CENTERS = 4 };

__global__ void nearest(cudaTextureObject_t points, const float *centers, int *index, float *distance, int n, int dims,
                        int count) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= n)
    return;
  float least = 1e30f;
  int best = -1;
  for (int c = 0; c < count; c++) {
    float sum = 0;
    for (int d = 0; d < dims; d++) {
      float x = tex1Dfetch<float>(points, p + d * n) - centers[c * dims + d];
      sum += x * x;
    }
    if (sum < least) {
      least = sum;
      best = c;
    }
  }
  index[p] = best;
  distance[p] = least;
}

// Two textures in one loop.
__global__ void product(cudaTextureObject_t a, cudaTextureObject_t b, float *out, int n, unsigned iterations) {
  int t = threadIdx.x;
  float sum = 0;
  for (unsigned k = 0; k < iterations; k++)
    sum += tex1Dfetch<float>(a, t + k) * tex1Dfetch<float>(b, t + 2 * k) + 0.25f * k;
  if (t < n)
    out[t] = sum;
}

static cudaTextureObject_t texture_of(void *memory, cudaChannelFormatDesc format, size_t bytes,
                                      cudaTextureReadMode mode) {
  cudaResourceDesc resource;
  cudaTextureDesc description;
  memset(&resource, 0, sizeof resource);
  memset(&description, 0, sizeof description);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = bytes;
  description.readMode = mode;
  cudaTextureObject_t texture = 0;
  cudaCreateTextureObject(&texture, &resource, &description, NULL);
  return texture;
}

int main() {
  float *floats, *centers, *distance, *out;
  unsigned char *bytes;
  int *index, wrong = 0;
  cudaMallocManaged(&floats, POINTS * DIMS * sizeof *floats);
  cudaMallocManaged(&bytes, POINTS * DIMS);
  cudaMallocManaged(&centers, CENTERS * DIMS * sizeof *centers);
  cudaMallocManaged(&distance, POINTS * sizeof *distance);
  cudaMallocManaged(&index, POINTS * sizeof *index);
  cudaMallocManaged(&out, POINTS * sizeof *out);
  for (int i = 0; i < POINTS * DIMS; i++) {
    bytes[i] = i * 29 % 256;
    floats[i] = bytes[i] / 255.0f;
  }
  for (int i = 0; i < CENTERS * DIMS; i++)
    centers[i] = i * 7 % 16 / 16.0f;
  cudaTextureObject_t plain =
      texture_of(floats, cudaCreateChannelDesc<float>(), POINTS * DIMS * sizeof *floats, cudaReadModeElementType);
  cudaTextureObject_t other =
      texture_of(bytes, cudaCreateChannelDesc<unsigned char>(), POINTS * DIMS, cudaReadModeNormalizedFloat);
  for (cudaTextureObject_t texture : {plain, other})
    for (int dims : {DIMS + 0, DIMS + 2, 0}) { // beyond the end: zeros
      nearest<<<(POINTS + 63) / 64, 64>>>(dims ? texture : 0, centers, index, distance, POINTS, dims,
                                          CENTERS - (dims > DIMS));
      cudaDeviceSynchronize();
      for (int p = 0; p < POINTS; p++) {
        float least = 1e30f;
        for (int c = 0; c < CENTERS - (dims > DIMS); c++) {
          float sum = 0;
          for (int d = 0; d < dims; d++) {
            float x = (d < DIMS ? floats[p + d * POINTS] : 0) - centers[c * dims + d];
            sum += x * x;
          }
          least = fminf(least, sum);
        }
        wrong += fabsf(distance[p] - least) > 1e-4f || index[p] < 0;
      }
    }
  nearest<<<2, 64>>>(0, centers, index, distance, 100, DIMS, 0);
  cudaDeviceSynchronize();
  for (int p = 0; p < 100; p++)
    wrong += index[p] != -1;
  for (int mix = 0; mix < 4; mix++) {
    product<<<1, 96>>>(mix & 1 ? plain : other, mix & 2 ? plain : other, out, 90, 50);
    cudaDeviceSynchronize();
    for (int t = 0; t < 90; t++) {
      float sum = 0;
      for (int k = 0; k < 50; k++)
        sum += floats[t + k] * floats[t + 2 * k] + 0.25f * k;
      wrong += fabsf(out[t] - sum) > 1e-2f;
    }
  }
  puts(wrong ? "wrong" : "ok");
  return wrong != 0;
}
