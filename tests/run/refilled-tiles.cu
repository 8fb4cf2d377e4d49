// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared arrays that are filled again and again, in part or as a whole, with readers that reach for cells of the last fill or of an earlier one;
// marks that one phase sets and the next one asks; values loaded before a barrier and needed after it, while the same memory is written or is not;
// tiles that are copied from where the results go. On grids with and without blocks inside of the data.
#include "check.h"

#define TILE 16
#define INNER 12

__host__ __device__ int mix(int here, int left, int right) { return 3 * here + 5 * left + 7 * right; }

// Three fills of one array: the copy, and two steps, each a cell narrower.
__global__ void three_fills(const int *in, int *out, int n) {
  __shared__ int row[TILE];
  int t = threadIdx.x, x = (int)blockIdx.x * (TILE - 6) + t - 3;
  bool within = x >= 0 && x < n;
  row[t] = within ? in[x] : 0;
  __syncthreads();
  for (int step = 1; step <= 2; step++) {
    int value = 0;
    bool mine = within && t >= step && t < TILE - step;
    if (mine)
      value = mix(row[t], row[t - 1], row[t + 1]);
    __syncthreads();
    if (mine)
      row[t] = value;
    __syncthreads();
  }
  if (within && t >= 3 && t < TILE - 3)
    out[x] = mix(row[t], row[t - 1], row[t + 1]);
}

// The second fill leaves the ends out, and the last phase reads them: they are of the first fill still.
__global__ void reads_old_ends(const int *in, int *out, int n) {
  __shared__ int tile[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  bool within = x < n && y < n, middle = within && tx > 0 && tx < TILE - 1 && x < n - 1, done = false;
  if (within)
    tile[ty][tx] = in[y * n + x];
  __syncthreads();
  int value = 0;
  if (middle) {
    value = mix(tile[ty][tx], tile[ty][tx - 1], tile[ty][tx + 1]);
    done = true;
  }
  __syncthreads();
  if (done)
    tile[ty][tx] = value;
  __syncthreads();
  if (middle)
    out[y * n + x] = mix(tile[ty][tx], tile[ty][tx - 1], tile[ty][tx + 1]);
  else if (within)
    out[y * n + x] = tile[ty][tx];
}

// Whether a cell is filled again depends on its value.
__global__ void sometimes(const int *in, int *out, int n) {
  __shared__ int tile[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  bool within = x < n && y < n;
  if (within)
    tile[ty][tx] = in[y * n + x];
  __syncthreads();
  int left = within && tx > 0 ? tile[ty][tx - 1] : 1;
  bool odd = within && (tile[ty][tx] & 1);
  __syncthreads();
  if (odd)
    tile[ty][tx] = left;
  __syncthreads();
  if (within)
    out[y * n + x] = tile[ty][tx] + (tx < TILE - 1 && x < n - 1 ? 3 * tile[ty][tx + 1] : 0);
}

// What each thread loaded first is needed last. The results may go to the same memory, and then the value is the one from before.
__global__ void needed_late(const int *in, const int *weights, int *out, int n) {
  __shared__ int tile[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * TILE + tx, y = blockIdx.y * TILE + ty;
  int own = 0, weight = 0;
  if (x < n && y < n) {
    own = in[y * n + x];
    weight = weights[y * n + x];
  }
  tile[ty][tx] = own;
  __syncthreads();
  int turned = tile[TILE - 1 - ty][TILE - 1 - tx];
  if (x < n && y < n)
    out[y * n + x] = turned;
  __syncthreads();
  if (x < n && y < n)
    out[y * n + x] += own * weight;
}

// Two steps in a tile with a rim that neighbours fill too, marks from phase to phase; the results may go to where the tile came from.
__device__ void mark(const int *in, int *out, int n) {
  __shared__ int now[TILE][TILE];
  __shared__ int next[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, x = (int)blockIdx.x * INNER + tx - 2, y = (int)blockIdx.y * INNER + ty - 2;
  bool within = x >= 0 && y >= 0 && x < n && y < n;
  if (within)
    now[ty][tx] = in[y * n + x];
  __syncthreads();
  int west = x == 0 ? 0 : -1, east = x == n - 1 ? 0 : 1;
  bool done = false;
  if (within && tx > 0 && tx < TILE - 1 && ty > 0 && ty < TILE - 1) {
    done = true;
    next[ty][tx] = mix(now[ty][tx], now[ty][tx + west], now[ty][tx + east]) + 11 * now[y > 0 ? ty - 1 : ty][tx];
  }
  __syncthreads();
  if (done)
    now[ty][tx] = next[ty][tx];
  __syncthreads();
  done = false;
  if (within && tx > 1 && tx < TILE - 2 && ty > 1 && ty < TILE - 2) {
    done = true;
    next[ty][tx] = mix(now[ty][tx], now[ty][tx + west], now[ty][tx + east]) + 11 * now[y > 0 ? ty - 1 : ty][tx];
  }
  if (done)
    out[y * n + x] = next[ty][tx];
}

__global__ void marked(const int *in, int *out, int n) { mark(in, out, n); }
__global__ void marked_apart(const int *__restrict__ in, int *__restrict__ out, int n) { mark(in, out, n); }

static int at(const int *row, int n, int x) { return x >= 0 && x < n ? row[x] : 0; }

static void check_rows(int n) {
  buffer<int> in(n), out(n);
  unsigned state = 3;
  for (int i = 0; i < n; i++)
    in.host[i] = (int)(next_random(state) % 100);
  in.upload();
  three_fills<<<blocks_for(n, TILE - 6), TILE>>>(in.device, out.device, n);
  out.download();
  int *now = new int[n], *next = new int[n];
  for (int i = 0; i < n; i++)
    now[i] = in.host[i];
  for (int step = 0; step < 3; step++) {
    for (int i = 0; i < n; i++)
      next[i] = mix(at(now, n, i), at(now, n, i - 1), at(now, n, i + 1));
    for (int i = 0; i < n; i++)
      now[i] = next[i];
  }
  for (int i = 0; i < n; i++)
    expect(i, out.host[i], now[i]);
  delete[] now;
  delete[] next;
}

static void check_ends(int n, const int *in, const int *got) {
  for (int y = 0; y < n; y++) {
    int *filled = new int[n];
    const int *row = in + y * n;
    for (int x = 0; x < n; x++) {
      bool middle = x % TILE > 0 && x % TILE < TILE - 1 && x < n - 1;
      filled[x] = middle ? mix(row[x], row[x - 1], row[x + 1]) : row[x];
    }
    for (int x = 0; x < n; x++) {
      bool middle = x % TILE > 0 && x % TILE < TILE - 1 && x < n - 1;
      expect(y * n + x, got[y * n + x], middle ? mix(filled[x], filled[x - 1], filled[x + 1]) : filled[x]);
    }
    delete[] filled;
  }
}

static void check_sometimes(int n, const int *in, const int *got) {
  for (int y = 0; y < n; y++) {
    const int *row = in + y * n;
    int *filled = new int[n];
    for (int x = 0; x < n; x++)
      filled[x] = row[x] & 1 ? (x % TILE ? row[x - 1] : 1) : row[x];
    for (int x = 0; x < n; x++)
      expect(y * n + x, got[y * n + x], filled[x] + (x % TILE < TILE - 1 && x < n - 1 ? 3 * filled[x + 1] : 0));
    delete[] filled;
  }
}

static void check_late(int n, const int *in, const int *weights, const int *got) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      int ox = x / TILE * TILE + TILE - 1 - x % TILE, oy = y / TILE * TILE + TILE - 1 - y % TILE;
      int turned = ox < n && oy < n ? in[oy * n + ox] : 0;
      expect(y * n + x, got[y * n + x], turned + in[y * n + x] * weights[y * n + x]);
    }
}

static void step_on_host(const int *now, int *next, int n) {
  for (int y = 0; y < n; y++)
    for (int x = 0; x < n; x++) {
      int west = x > 0 ? x - 1 : 0, east = x < n - 1 ? x + 1 : n - 1, north = y > 0 ? y - 1 : 0;
      next[y * n + x] = mix(now[y * n + x], now[y * n + west], now[y * n + east]) + 11 * now[north * n + x];
    }
}

static void check_squares(int n) {
  const int cells = n * n;
  buffer<int> in(cells), weights(cells), out(cells), same(cells);
  unsigned state = 5;
  for (int i = 0; i < cells; i++) {
    same.host[i] = in.host[i] = (int)(next_random(state) % 100);
    weights.host[i] = (int)(next_random(state) % 9);
  }
  in.upload();
  weights.upload();
  const dim3 block(TILE, TILE), blocks(blocks_for(n, TILE), blocks_for(n, TILE));
  reads_old_ends<<<blocks, block>>>(in.device, out.device, n);
  out.download();
  check_ends(n, in.host, out.host);
  sometimes<<<blocks, block>>>(in.device, out.device, n);
  out.download();
  check_sometimes(n, in.host, out.host);
  needed_late<<<blocks, block>>>(in.device, weights.device, out.device, n);
  out.download();
  check_late(n, in.host, weights.host, out.host);
  same.upload();
  needed_late<<<blocks, block>>>(same.device, weights.device, same.device,
                                 n); // a block reads and writes its own cells alone
  same.download();
  check_late(n, in.host, weights.host, same.host);

  int *once = new int[cells], *twice = new int[cells];
  step_on_host(in.host, once, n);
  step_on_host(once, twice, n);
  marked<<<dim3(blocks_for(n, INNER), blocks_for(n, INNER)), block>>>(in.device, out.device, n);
  out.download();
  for (int i = 0; i < cells; i++)
    expect(i, out.host[i], twice[i]);
  marked_apart<<<dim3(blocks_for(n, INNER), blocks_for(n, INNER)), block>>>(in.device, same.device, n);
  same.download();
  for (int i = 0; i < cells; i++)
    expect(i, same.host[i], twice[i]);
  if (n <= INNER) { // one block: it has copied all before it writes
    in.upload();
    marked<<<1, block>>>(in.device, in.device, n);
    in.download();
    for (int i = 0; i < cells; i++)
      expect(i, in.host[i], twice[i]);
  }
  delete[] once;
  delete[] twice;
}

int main(void) {
  for (int n : {1, 9, 10, 11, 63, 500})
    check_rows(n);
  for (int n : {1, 5, 12, 15, 16, 17, 40, 129, 200})
    check_squares(n);
  return passed();
}
