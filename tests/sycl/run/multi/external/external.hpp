// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sycl/sycl.hpp>

#include "../../check.hpp"

SYCL_EXTERNAL int of_main(int x);
SYCL_EXTERNAL int of_other(int x);
// Its constructor has two names in the file where it is.
struct scaled {
  int value;
  SYCL_EXTERNAL explicit scaled(int x);
};
SYCL_EXTERNAL extern "C" int plain_of_other(int x);
static inline int own_of_main(int x) { return x; }
template <int N> int counted(int x) { return x + N; }
void other(sycl::queue &q, int *data, int count);
