// In SYCL it is the command group's accessors that keep a load apart from what is written before it: the launch asks whether they are of
// different memory. A pointer (USM) promises nothing, so the load stays.
// RUN: %unwarp -fsycl -O2 -march=x86-64-v3 -c %s -o %t.o --remarks 2>&1 | FileCheck %s --implicit-check-not=":[[#@LINE+22]]:{{.*}}[licm]"
#include <sycl/sycl.hpp>

// CHECK: :[[#@LINE+10]]:{{.*}}moved out of the loop over work-items: the same for all, and what is written before it lies elsewhere: accessors of different memory [licm]{{.*}}launched at
void accessors(sycl::queue &q, sycl::buffer<float> &kept_, sycl::buffer<float> &out_, sycl::buffer<float> &scale_,
               size_t n) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor kept(kept_, h, sycl::write_only);
    sycl::accessor out(out_, h, sycl::read_write);
    sycl::accessor scale(scale_, h, sycl::read_only);
    h.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
      const size_t at = item.get_global_id(0);
      kept[at] = out[at];
      out[at] *= scale[n];
    });
  });
}

void pointers(sycl::queue &q, float *kept, float *out, const float *scale, size_t n) {
  q.parallel_for(sycl::nd_range<1>(n, 64), [=](sycl::nd_item<1> item) {
    const size_t at = item.get_global_id(0);
    kept[at] = out[at];
    out[at] *= scale[n];
  });
}
