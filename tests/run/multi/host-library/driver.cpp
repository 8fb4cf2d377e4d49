// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program of host_library.cu: no CUDA in sight.
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" int multiply_up(double *values, int n, int block);

int main() {
  const char *text = std::getenv("UW_BLOCK");
  int block = text ? std::atoi(text) : 256, n = block < 40 ? block : 40;
  std::vector<double> values(n);
  for (int i = 0; i < n; i++)
    values[i] = i % 3 == 0 ? 2 : i % 3 == 1 ? 0.5 : -1;
  double expected = 1;
  std::vector<double> input = values;
  if (multiply_up(values.data(), n, block) != 0)
    return 1;
  for (int i = 0; i < n; i++) {
    expected *= input[i];
    if (values[i] != expected) {
      std::printf("mismatch at index %d: got %g, expected %g\n", i, values[i], expected);
      return 1;
    }
  }
  std::printf("ok\n");
}
