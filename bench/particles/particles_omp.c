// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Potential and forces among particles in boxes by hand: boxes over the threads, the particles of a neighbouring box in
// vectors. Arguments: boxes along a side, iterations.
#include "boxes.h"

static void interact(const boxes *b, float *restrict out) {
  const float *restrict x = b->x, *restrict y = b->y, *restrict z = b->z, *restrict charge = b->charge;
  const int side = b->side;
#pragma omp parallel for schedule(static)
  for (int own = 0; own < b->particles; own++) {
    const int box = own / MEMBERS, bx = box % side, by = box / side % side, bz = box / side / side;
    const float px = x[own], py = y[own], pz = z[own];
    float fx = 0, fy = 0, fz = 0, potential = 0;
    for (int nz = bz > 0 ? bz - 1 : 0; nz <= bz + 1 && nz < side; nz++)
      for (int ny = by > 0 ? by - 1 : 0; ny <= by + 1 && ny < side; ny++) {
        const int row = (nz * side + ny) * side; // neighbours along x lie side by side
        const int first = (row + (bx > 0 ? bx - 1 : 0)) * MEMBERS;
        const int last = (row + (bx + 2 < side ? bx + 2 : side)) * MEMBERS;
#pragma omp simd reduction(+ : fx, fy, fz, potential)
        for (int k = first; k < last; k++) {
          const float gx = px - x[k], gy = py - y[k], gz = pz - z[k];
          const float near = 1.0f - (gx * gx + gy * gy + gz * gz);
          const float strength = near > 0 ? charge[k] * near * near : 0;
          potential += strength * near;
          fx += strength * gx;
          fy += strength * gy;
          fz += strength * gz;
        }
      }
    out[4 * own] = fx;
    out[4 * own + 1] = fy;
    out[4 * own + 2] = fz;
    out[4 * own + 3] = potential;
  }
}

int main(int argc, char **argv) {
  const int side = (int)bench_argument(argc, argv, 1, 10, 1, "side");
  const int iterations = (int)bench_argument(argc, argv, 2, 20, 1, "iterations");
  boxes b = make_boxes(side);
  float *out = bench_allocate((size_t)b.particles * 4 * sizeof(float));

  double start = bench_now_ms();
  for (int iteration = 0; iteration < iterations; iteration++)
    interact(&b, out);
  double time_ms = bench_now_ms() - start;

  bench_report_floats(time_ms, out, (size_t)b.particles * 4, 1e-4);
  free(out);
  free_boxes(b);
  return 0;
}
