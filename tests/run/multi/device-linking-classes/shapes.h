// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

// The tables of these classes are in the file that defines area(): here the constructors and the other functions are inline.
struct shape {
  __device__ virtual int area() const;
  __device__ virtual int corners() const { return 0; }
};
struct box : shape {
  int side;
  __device__ explicit box(int s) : side(s) {}
  __device__ int area() const override;
  __device__ int corners() const override { return 4; }
};

// One for both files.
inline __device__ int inline_variable = 3;
template <typename T> __device__ T template_variable = T(5);
inline __device__ int count_up() {
  static int calls = 0;
  return ++calls;
}
// Each side has its own.
__host__ __device__ inline int count_both() {
  static int calls = 100;
  return ++calls;
}

typedef int (*operation)(int, int);
extern __device__ operation operations[2];
__device__ int add(int a, int b);
__device__ int multiply(int a, int b);
