// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Docking: the energy of a small molecule in many poses at a large one. A thread has four poses, whose transforms and
// energies are private arrays indexed by loops of constant trip counts; the loops over atoms are serial and do/while.
// Arguments: poses, iterations.
#include "molecules.h"

template <int POSES>
__global__ void dock(const atom *large, const atom *small, const kind *kinds, const float *poses, float *energies,
                     int count) {
  const int first = blockIdx.x * blockDim.x * POSES + threadIdx.x;
  float transform[POSES][3][4], energy[POSES];
  for (int p = 0; p < POSES; p++) {
    const int pose = min(first + p * (int)blockDim.x, count - 1);
    const float sx = sinf(poses[0 * count + pose]), cx = cosf(poses[0 * count + pose]);
    const float sy = sinf(poses[1 * count + pose]), cy = cosf(poses[1 * count + pose]);
    const float sz = sinf(poses[2 * count + pose]), cz = cosf(poses[2 * count + pose]);
    transform[p][0][0] = cy * cz, transform[p][0][1] = sx * sy * cz - cx * sz,
    transform[p][0][2] = cx * sy * cz + sx * sz;
    transform[p][1][0] = cy * sz, transform[p][1][1] = sx * sy * sz + cx * cz,
    transform[p][1][2] = cx * sy * sz - sx * cz;
    transform[p][2][0] = -sy, transform[p][2][1] = sx * cy, transform[p][2][2] = cx * cy;
    for (int axis = 0; axis < 3; axis++)
      transform[p][axis][3] = poses[(3 + axis) * count + pose];
    energy[p] = 0;
  }
  int l = 0;
  do {
    const atom mine = small[l];
    const kind my_kind = kinds[mine.kind];
    float place[POSES][3];
    for (int p = 0; p < POSES; p++)
      for (int axis = 0; axis < 3; axis++)
        place[p][axis] = transform[p][axis][3] + mine.x * transform[p][axis][0] + mine.y * transform[p][axis][1] +
                         mine.z * transform[p][axis][2];
    int k = 0;
    do {
      const atom other = large[k];
      const kind other_kind = kinds[other.kind];
      const float reach = my_kind.radius + other_kind.radius, depth = my_kind.depth * other_kind.depth;
      const float charge = my_kind.charge * other_kind.charge;
      for (int p = 0; p < POSES; p++) {
        const float x = place[p][0] - other.x, y = place[p][1] - other.y, z = place[p][2] - other.z;
        const float distance = sqrtf(x * x + y * y + z * z), gap = distance - reach;
        if (gap < 0)
          energy[p] += depth * (1.0f - distance / reach);
        if (gap < 4.0f)
          energy[p] += charge * (1.0f - gap * 0.25f);
      }
    } while (++k < LARGE);
  } while (++l < SMALL);
  for (int p = 0; p < POSES; p++)
    if (first + p * (int)blockDim.x < count)
      energies[first + p * blockDim.x] = energy[p];
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "poses");
  const int iterations = (int)bench_argument(argc, argv, 2, 3, 1, "iterations");
  const int block = 64, poses_a_thread = 4, poses_a_block = block * poses_a_thread;
  atom *large = make_atoms(LARGE, 52, 30), *small = make_atoms(SMALL, 53, 6);
  kind *kinds = make_kinds();
  float *poses = bench_random_floats((size_t)count * FREEDOMS, 54, -3, 3),
        *energies = bench_random_floats(count, 1, 0, 1);
  atom *large_device = bench_to_device(large, LARGE), *small_device = bench_to_device(small, SMALL);
  kind *kinds_device = bench_to_device(kinds, KINDS);
  float *poses_device = bench_to_device(poses, (size_t)count * FREEDOMS),
        *energies_device = bench_to_device(energies, count);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    dock<poses_a_thread><<<(count + poses_a_block - 1) / poses_a_block, block>>>(
        large_device, small_device, kinds_device, poses_device, energies_device, count);
  BENCH_CHECK(cudaDeviceSynchronize());
  double time_ms = bench_now_ms() - start;

  bench_to_host(energies, energies_device, count);
  bench_report_floats(time_ms, energies, count, 1e-4);
  return 0;
}
