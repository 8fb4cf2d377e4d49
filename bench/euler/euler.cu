// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Flow of a gas on an unstructured mesh (Euler's equations, finite volumes): a thread for each cell gathers the
// fields of its neighbours by their indices and sums the fluxes through its faces; a second kernel makes the step of
// time. Arguments: cells along a side, steps.
#include "mesh.h"

struct state {
  float density, x, y, energy, pressure, speed; // x, y: momentum; speed: of the gas and of sound
};

__device__ inline state load(const float *fields, int cells, int i) {
  state s;
  s.density = fields[DENSITY * cells + i];
  s.x = fields[MOMENTUM_X * cells + i];
  s.y = fields[MOMENTUM_Y * cells + i];
  s.energy = fields[ENERGY * cells + i];
  float square = (s.x * s.x + s.y * s.y) / s.density;
  s.pressure = (GAMMA - 1) * (s.energy - 0.5f * square);
  s.speed = sqrtf(square / s.density) + sqrtf(GAMMA * s.pressure / s.density);
  return s;
}

__global__ void compute_fluxes(const int *neighbours, const float *normals, const float *fields, float *fluxes,
                               int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  state own = load(fields, cells, i);
  float density = 0, x = 0, y = 0, energy = 0;
  for (int face = 0; face < FACES; face++) {
    int neighbour = neighbours[face * cells + i];
    float nx = normals[2 * face * cells + i], ny = normals[(2 * face + 1) * cells + i];
    if (neighbour >= 0) {
      state other = load(fields, cells, neighbour);
      float out = (own.x * nx + own.y * ny) / own.density, in = (other.x * nx + other.y * ny) / other.density;
      float blur = 0.5f * (own.speed + other.speed);
      density += 0.5f * (own.density * out + other.density * in + blur * (own.density - other.density));
      x += 0.5f * (own.x * out + other.x * in + (own.pressure + other.pressure) * nx + blur * (own.x - other.x));
      y += 0.5f * (own.y * out + other.y * in + (own.pressure + other.pressure) * ny + blur * (own.y - other.y));
      energy += 0.5f * ((own.energy + own.pressure) * out + (other.energy + other.pressure) * in +
                        blur * (own.energy - other.energy));
    } else {
      x += own.pressure * nx;
      y += own.pressure * ny;
    }
  }
  fluxes[DENSITY * cells + i] = density;
  fluxes[MOMENTUM_X * cells + i] = x;
  fluxes[MOMENTUM_Y * cells + i] = y;
  fluxes[ENERGY * cells + i] = energy;
}

__global__ void advance(float *fields, const float *fluxes, float time, int cells) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells)
    return;
  for (int field = 0; field < FIELDS; field++)
    fields[field * cells + i] -= time * fluxes[field * cells + i];
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 512, 1, "side");
  const int steps = (int)bench_argument(argc, argv, 2, 80, 1, "steps");
  const int block = 128;
  mesh m = make_mesh(side);
  const int cells = m.cells, blocks = (cells + block - 1) / block;
  int *neighbours = bench_to_device(m.neighbours, (size_t)FACES * cells);
  float *normals = bench_to_device(m.normals, (size_t)FACES * 2 * cells);
  float *fields = bench_to_device(m.fields, (size_t)FIELDS * cells);
  float *fluxes = bench_to_device(m.fields, (size_t)FIELDS * cells);

  double start = bench_now_ms();
  for (int step = 0; step < steps; step++) {
    compute_fluxes<<<blocks, block>>>(neighbours, normals, fields, fluxes, cells);
    advance<<<blocks, block>>>(fields, fluxes, 0.05f, cells);
  }
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(m.fields, fields, (size_t)FIELDS * cells);
  bench_report_floats(time_ms, m.fields, (size_t)FIELDS * cells, 1e-4);
  cudaFree(neighbours);
  cudaFree(normals);
  cudaFree(fields);
  cudaFree(fluxes);
  free_mesh(m);
  return 0;
}
