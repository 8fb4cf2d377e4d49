// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Docking by hand: 64 poses at once in vectors, one array for each value of a transform. Arguments: poses, iterations.
#include "molecules.h"

enum { GROUP = 64 };

static void place_poses(const float *restrict poses, int count, int first, float transform[3][4][GROUP]) {
  for (int p = 0; p < GROUP; p++) {
    const int pose = first + p < count ? first + p : count - 1;
    const float sx = sinf(poses[pose]), cx = cosf(poses[pose]);
    const float sy = sinf(poses[count + pose]), cy = cosf(poses[count + pose]);
    const float sz = sinf(poses[2 * count + pose]), cz = cosf(poses[2 * count + pose]);
    const float rotation[3][3] = {{cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz},
                                  {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz},
                                  {-sy, sx * cy, cx * cy}};
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++)
        transform[i][j][p] = rotation[i][j];
      transform[i][3][p] = poses[(3 + i) * count + pose];
    }
  }
}

static void dock(const atom *large, const atom *small, const kind *kinds, const float *poses, float *energies,
                 int count) {
#pragma omp parallel for schedule(static)
  for (int first = 0; first < count; first += GROUP) {
    float transform[3][4][GROUP], energy[GROUP] = {0}, place[3][GROUP];
    place_poses(poses, count, first, transform);
    for (int l = 0; l < SMALL; l++) {
      const atom mine = small[l];
      const kind my_kind = kinds[mine.kind];
      for (int i = 0; i < 3; i++)
        for (int p = 0; p < GROUP; p++)
          place[i][p] = transform[i][3][p] + mine.x * transform[i][0][p] + mine.y * transform[i][1][p] +
                        mine.z * transform[i][2][p];
      for (int k = 0; k < LARGE; k++) {
        const atom other = large[k];
        const kind other_kind = kinds[other.kind];
        const float reach = my_kind.radius + other_kind.radius, depth = my_kind.depth * other_kind.depth;
        const float charge = my_kind.charge * other_kind.charge, inverse = 1.0f / reach;
#pragma omp simd
        for (int p = 0; p < GROUP; p++) {
          const float x = place[0][p] - other.x, y = place[1][p] - other.y, z = place[2][p] - other.z;
          const float distance = __builtin_elementwise_sqrt(x * x + y * y + z * z), gap = distance - reach;
          energy[p] += gap < 0 ? depth * (1.0f - distance * inverse) : 0.0f;
          energy[p] += gap < 4.0f ? charge * (1.0f - gap * 0.25f) : 0.0f;
        }
      }
    }
    memcpy(energies + first, energy, (count - first < GROUP ? count - first : GROUP) * sizeof(float));
  }
}

int main(int argc, char **argv) {
  const int count = (int)bench_argument(argc, argv, 1, 1 << 14, 1, "poses");
  const int iterations = (int)bench_argument(argc, argv, 2, 3, 1, "iterations");
  atom *large = make_atoms(LARGE, 52, 30), *small = make_atoms(SMALL, 53, 6);
  kind *kinds = make_kinds();
  float *poses = bench_random_floats((size_t)count * FREEDOMS, 54, -3, 3),
        *energies = bench_random_floats(count, 1, 0, 1);

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    dock(large, small, kinds, poses, energies, count);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, energies, count, 1e-4);
  return 0;
}
