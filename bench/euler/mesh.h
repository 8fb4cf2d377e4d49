// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mesh of cells that are numbered at random in small neighbourhoods: a cell has four faces, each with a neighbour (or
// a wall, -1) and a normal. One array for each face and each component. The same in both programs of the pair.
#ifndef BENCH_MESH_H
#define BENCH_MESH_H

#include "../common/bench.h"

enum { FACES = 4, FIELDS = 4, DENSITY = 0, MOMENTUM_X = 1, MOMENTUM_Y = 2, ENERGY = 3, SHUFFLED = 64 };
#define GAMMA 1.4f

typedef struct mesh {
  int cells;
  int *neighbours; // [FACES][cells]
  float *normals;  // [FACES][2][cells]
  float *fields;   // [FIELDS][cells]
} mesh;

static inline mesh make_mesh(int side) {
  mesh m;
  const int cells = side * side;
  uint32_t state = 21;
  m.cells = cells;
  m.neighbours = (int *)bench_allocate((size_t)FACES * cells * sizeof(int));
  m.normals = (float *)bench_allocate((size_t)FACES * 2 * cells * sizeof(float));
  m.fields = (float *)bench_allocate((size_t)FIELDS * cells * sizeof(float));
  int *number = (int *)bench_allocate(cells * sizeof(int));
  for (int i = 0; i < cells; i++)
    number[i] = i;
  for (int i = 0; i < cells; i++) {
    int first = i / SHUFFLED * SHUFFLED, size = cells - first < SHUFFLED ? cells - first : SHUFFLED;
    int other = first + (int)(bench_random(&state) % (uint32_t)size), kept = number[i];
    number[i] = number[other];
    number[other] = kept;
  }
  const int dx[FACES] = {-1, 1, 0, 0}, dy[FACES] = {0, 0, -1, 1};
  for (int y = 0; y < side; y++)
    for (int x = 0; x < side; x++) {
      const int i = number[y * side + x];
      for (int face = 0; face < FACES; face++) {
        const int nx = x + dx[face], ny = y + dy[face];
        const int beyond = nx < 0 || ny < 0 || nx >= side || ny >= side;
        m.neighbours[(size_t)face * cells + i] = beyond ? -1 : number[ny * side + nx];
        m.normals[(size_t)(2 * face) * cells + i] = (float)dx[face];
        m.normals[(size_t)(2 * face + 1) * cells + i] = (float)dy[face];
      }
      m.fields[DENSITY * (size_t)cells + i] = 1 + 0.1f * bench_random_float(&state);
      m.fields[MOMENTUM_X * (size_t)cells + i] = 0.3f + 0.05f * bench_random_float(&state);
      m.fields[MOMENTUM_Y * (size_t)cells + i] = 0.05f * bench_random_float(&state);
      m.fields[ENERGY * (size_t)cells + i] = 2.5f + 0.1f * bench_random_float(&state);
    }
  free(number);
  return m;
}

static inline void free_mesh(mesh m) {
  free(m.neighbours);
  free(m.normals);
  free(m.fields);
}

#endif
