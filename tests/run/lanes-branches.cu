// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches in compute loops: with results and with stores, with loads that would fault in threads that do not take them, with
// divisions by what is zero there; and indices that wrap around or run backwards between neighbouring threads.
#include "check.h"

__global__ void sums(const int *const *rows, const int *in, const float4 *points, unsigned *out, float *near,
                     int *counts, int n, int iterations) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned state = (unsigned)i * 2654435761u + 1, sum = 0;
  const int *row = rows[i]; // null for many
  int zero = i % 3, taken = 0;
  float px = (float)(i % 17), potential = 0, weight = 0;
  for (int k = 0; k < iterations; k++) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    unsigned x = state & 0x7fff, y = state >> 17;
    if (x * x + y * y < 0x7fffu * 0x7fffu)
      sum++;
    if (row)
      sum += (unsigned)row[k % 4] * 3u;
    if (zero)
      taken += (int)(state & 0xffff) / zero;
    else
      taken ^= k;
    float4 p = points[k];
    float gap = px - p.x, square = gap * gap + p.y * p.y;
    if (square < 64.0f) {
      potential += p.w * square;
      weight += p.z;
    }
    if ((state & 63) == 5)
      counts[(long long)k * n + i] = (int)sum;
  }
  out[2 * i] = sum + (unsigned)taken;
  out[2 * i + 1] = state;
  near[2 * i] = potential;
  near[2 * i + 1] = weight;
}

// Threads at the left edge have no neighbour so far away: the index, taken as unsigned, would be huge there.
__global__ void shifted(const int *in, int *out, int n, unsigned away, int iterations) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (int k = 0; k < iterations; k++) {
    int a = in[n - 1 - i], b = i >= away ? in[i - away] : -1, c = in[(i * 4u + k) % n];
    short narrow = (short)(a + k * 1000);
    unsigned char byte = (unsigned char)(i + 250 + k);
    sum = sum * 5 + a * 3 + b - c + narrow + byte * 65536;
    sum += in[(unsigned char)(i + k)];
    sum ^= in[(i + 0xfffffff8u + k) & 127];
  }
  out[i] = sum;
}

__global__ void doubles(const double *in, double *out, long long *big, int n, int iterations) {
  int i = blockIdx.y * 8 * gridDim.x * blockDim.x + threadIdx.y * gridDim.x * blockDim.x + blockIdx.x * blockDim.x +
          threadIdx.x;
  double x = i < n ? in[i] : 1, sum = 0;
  long long product = i + 1;
  for (int k = 0; k < iterations; k++) {
    double y = in[k];
    sum += x > y ? x - y : (y - x) * 0.5;
    product = product * 6364136223846793005ll + (x > y ? k : -k);
  }
  if (i >= n)
    return;
  out[i] = sum;
  big[i] = product;
}

int main(int argc, char **argv) {
  const int block = block_size(argc, argv), n = 290, iterations = 37;
  buffer<int> in(n), data(4 * n), counts(n * iterations), out2(n);
  buffer<const int *> rows(n);
  buffer<float4> points(iterations);
  buffer<unsigned> out(2 * n);
  buffer<float> near(2 * n);
  buffer<double> xs(n), totals(n);
  buffer<long long> big(n);
  unsigned state = 77;
  for (int i = 0; i < n; i++)
    in[i] = (int)(next_random(state) % 5000);
  for (int i = 0; i < 4 * n; i++)
    data[i] = (int)next_random(state);
  for (int i = 0; i < n; i++)
    rows[i] = i % 4 == 1 || i % 50 > 30 ? NULL : data.device + 4 * i;
  for (int k = 0; k < iterations; k++)
    points[k] =
        make_float4((float)(next_random(state) % 32), (float)(next_random(state) % 16), (float)(k % 7), (float)(k % 3));
  for (int i = 0; i < n; i++)
    xs[i] = (double)(next_random(state) % 64) * 0.25;
  in.upload(), data.upload(), rows.upload(), points.upload(), xs.upload();
  sums<<<blocks_for(n, block), block>>>(rows.device, in.device, points.device, out.device, near.device, counts.device,
                                        n, iterations);
  shifted<<<blocks_for(n, block), block>>>(in.device, out2.device, n, 21, iterations);
  const int across = block < 128 ? block : 128;
  const dim3 shape((unsigned)across, 8), grid((unsigned)blocks_for(blocks_for(n, 8), across), 1);
  doubles<<<grid, shape>>>(xs.device, totals.device, big.device, n, iterations);
  out.download(), near.download(), counts.download(), out2.download(), totals.download(), big.download();
  for (int i = 0; i < n; i++) {
    unsigned s = (unsigned)i * 2654435761u + 1, sum = 0;
    int taken = 0;
    float potential = 0, weight = 0;
    for (int k = 0; k < iterations; k++) {
      s ^= s << 13;
      s ^= s >> 17;
      s ^= s << 5;
      unsigned x = s & 0x7fff, y = s >> 17;
      sum += x * x + y * y < 0x7fffu * 0x7fffu;
      sum += rows[i] ? (unsigned)data[4 * i + k % 4] * 3u : 0;
      taken = i % 3 ? taken + (int)(s & 0xffff) / (i % 3) : taken ^ k;
      float gap = (float)(i % 17) - points[k].x, square = gap * gap + points[k].y * points[k].y;
      potential += square < 64 ? points[k].w * square : 0;
      weight += square < 64 ? points[k].z : 0;
      expect(k * n + i, counts[k * n + i], (s & 63) == 5 ? (int)sum : (int)0xA5A5A5A5);
    }
    expect(2 * i, out[2 * i], sum + (unsigned)taken);
    expect(2 * i + 1, out[2 * i + 1], s);
    expect_near(2 * i, near[2 * i], potential, 1e-6);
    expect_near(2 * i + 1, near[2 * i + 1], weight, 1e-6);
    unsigned total = 0;
    for (int k = 0; k < iterations; k++) {
      unsigned a = (unsigned)in[n - 1 - i], b = i >= 21 ? (unsigned)in[i - 21] : ~0u, c = (unsigned)in[(i * 4 + k) % n];
      total = total * 5 + a * 3 + b - c + (unsigned)(short)(a + (unsigned)k * 1000) +
              ((unsigned)(i + 250 + k) & 255) * 65536;
      total += (unsigned)in[(i + k) & 255];
      total ^= (unsigned)in[(i + k + 120) & 127];
    }
    expect(i, out2[i], (int)total);
    double sum2 = 0;
    unsigned long long product = (unsigned long long)i + 1;
    for (int k = 0; k < iterations; k++) {
      bool above = xs[i] > xs[k];
      sum2 += above ? xs[i] - xs[k] : (xs[k] - xs[i]) * 0.5;
      product = product * 6364136223846793005ull + (unsigned long long)(long long)(above ? k : -k);
    }
    expect_near(i, totals[i], sum2, 1e-12);
    expect(i, big[i], (long long)product);
  }
  return passed();
}
