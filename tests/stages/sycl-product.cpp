// Listing 6 of "Experiences Building an MLIR-Based SYCL Compiler": a product of matrices that adds up in memory. The accessors are
// of different memory (the launch asks), so the sum stays in a register; rows of items then go through the loop side by side, which is what
// tiles in local memory are for on a GPU (listing 7). Where items part before the loop, they do not.
// RUN: %unwarp -fsycl -O2 -march=x86-64-v4 -c %s -o %t.o --remarks 2>&1 | FileCheck %s
// RUN: %unwarp -fsycl -O2 -march=x86-64-v4 -c %s -o %t.o -DPART --remarks 2>&1 | FileCheck --check-prefix=PART %s
// CHECK-DAG: sycl-product.cpp:{{.*}}kept in a register while the loop runs, and nothing else is there: accessors of different memory [scalar-replace]{{.*}}launched at
// CHECK-DAG: is copied into a tile of {{.*}}: nothing is stored before the loop ends [tile-and-pack]
// CHECK-DAG: rows of work-items go through the compute loop side by side
// PART-NOT: go through the compute loop side by side
// PART: work-groups run in parallel
// PART-NOT: go through the compute loop side by side
#include <sycl/sycl.hpp>

using matrix = sycl::buffer<float, 2>;

void product(sycl::queue &q, matrix &a_, matrix &b_, matrix &c_, size_t n) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(a_, h, sycl::read_only);
    sycl::accessor b(b_, h, sycl::read_only);
    sycl::accessor c(c_, h, sycl::read_write);
    h.parallel_for(sycl::nd_range<2>({n, n}, {16, 16}), [=](sycl::nd_item<2> item) {
      const size_t i = item.get_global_id(0), j = item.get_global_id(1);
#ifdef PART
      if (c[i][j] < 0)
        return;
#endif
      for (size_t k = 0; k < n; k++)
        c[i][j] += a[i][k] * b[k][j];
    });
  });
}
