// Loops over threads that hardly ever run are functions where several are alike or differ in constants alone, launched in place
// and through their addresses: here threads of narrow pictures, and of indices that wrap around.
// RUN: %unwarp -O2 -march=x86-64-v3 -c %s -o /dev/null --print-after=outline-seldom 2>&1 | FileCheck %s
// CHECK: after outline-seldom
// CHECK-COUNT-2: call @__unwarp_seldom_0(
// CHECK: call @__unwarp_seldom_1({{.*}}%c100_i32
// CHECK: call @__unwarp_seldom_1({{.*}}%c150_i32
// CHECK: func.func @__unwarp_seldom_0({{.*}}passthrough = ["cold", "noinline", "optsize"]
// CHECK: func.func @__unwarp_seldom_1(
// CHECK-NOT: func.func @__unwarp_seldom_

// One loop alone stays where it is.
// RUN: %unwarp -O2 -march=x86-64-v3 -DALONE -c %s -o /dev/null --print-after=outline-seldom 2>&1 | FileCheck --check-prefix=ALONE %s
// ALONE: unwarp.runs_seldom
// ALONE-NOT: __unwarp_seldom_

// Lines of the kernels are wanted: nothing is outlined that would lose them.
// RUN: not %S/changes.sh %unwarp outline-seldom -O2 -lineinfo -march=x86-64-v3 %s

// RUN: %unwarp -O2 -march=native %s -o %t && %t
// RUN: env UW_STRESS=masks %unwarp -O2 -march=native %s -o %t && %t
// RUN: %unwarp -O2 -march=native --skip=outline-seldom %s -o %t && %t
#ifdef ALONE
#define LINKAGE static
#else
#define LINKAGE
#endif
template <int ROWS> LINKAGE __global__ void turn(const float *in, float *out, int width, int height) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) {
    int x = i % width, y = i / width;
    float sum = in[y * width + x] * 2 + in[i] * in[i] - in[y * width];
    out[(ROWS * height + x) * height + y] = sum * sum + in[x] * 3 - in[y] * 5 + in[y * width + x] / 4;
  }
}

static float expected(const float *in, int x, int y, int width) {
  float here = in[y * width + x], sum = here * 2 + here * here - in[y * width];
  return sum * sum + in[x] * 3 - in[y] * 5 + here / 4;
}

int main() {
  const int widths[] = {1, 3, 15, 16, 40}, height = 50;
  float *in, *out;
  cudaMallocManaged(&in, 4096 * sizeof *in);
  cudaMallocManaged(&out, 8 * 4096 * sizeof *out);
  for (int i = 0; i < 4096; i++) in[i] = i % 7;
  for (int width : widths) {
    turn<2><<<32, 64>>>(in, out, width, height);
#ifndef ALONE
    turn<3><<<32, 64>>>(in, out, width, height);
#endif
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        if (out[(2 * height + x) * height + y] != expected(in, x, y, width) || out[(3 * height + x) * height + y] != expected(in, x, y, width))
          return 1;
  }
}
