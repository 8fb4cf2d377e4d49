// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A class template of the host's that is instantiated explicitly: its destructor has a second name, and no kernel calls
// it, so that what it does (count references in a variable of the host's, throw, take memory) is no kernel's.
#include <sycl/sycl.hpp>

#include <memory>
#include <stdexcept>

#include "check.hpp"

static int gone = 0;

template <class T> class record {
public:
  explicit record(std::shared_ptr<T> held) : held(held) {}
  virtual ~record();
  virtual T get() const;
  T twice() const { return get() * 2; }

private:
  std::shared_ptr<T> held;
};
template <class T> record<T>::~record() { gone += *held; }
template <class T> T record<T>::get() const {
  if (!held)
    throw std::runtime_error("nothing is held");
  return *held;
}
template class record<int>;

int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *x = 21; }).wait();
  {
    record<int> one(std::make_shared<int>(*x));
    CHECK(one.twice() == 42);
  }
  CHECK(gone == 21);
  sycl::free(x, q);
  return report();
}
