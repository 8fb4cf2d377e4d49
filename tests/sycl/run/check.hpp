// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of this folder share. A program has many small checks; each compares what kernels computed with a loop on the host.
#ifndef TESTS_SYCL_CHECK_HPP
#define TESTS_SYCL_CHECK_HPP

#include <cstdio>
#include <vector>

inline int failures = 0;

// line: of the check, in the program.
inline bool check_at(int line, bool good, const char *what) {
  if (!good && failures++ < 20)
    std::printf("line %d: not so: %s\n", line, what);
  return good;
}
#define CHECK(condition) check_at(__LINE__, (condition), #condition)

template <class A, class B>
bool same_values(int line, const char *what, const A &got, const B &wanted, std::size_t count) {
  for (std::size_t i = 0; i < count; i++)
    if (!(got[i] == wanted[i])) {
      if (failures++ < 20)
        std::printf("line %d: %s: element %zu is %g, not %g\n", line, what, i, double(got[i]), double(wanted[i]));
      return false;
    }
  return true;
}
#define CHECK_SAME(got, wanted, count) same_values(__LINE__, #got, got, wanted, count)

inline int report() {
  if (failures)
    std::printf("%d checks failed\n", failures);
  else
    std::puts("ok");
  return failures != 0;
}
#endif
