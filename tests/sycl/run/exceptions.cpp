// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors: codes, categories, texts, contexts; comparison with errc; asynchronous ones go to the handler of their queue.
#include <sycl/sycl.hpp>

#include <stdexcept>
#include <string>

#include "check.hpp"

using namespace sycl;

int main() {
  const exception e(make_error_code(errc::nd_range), "too many");
  CHECK(e.code() == errc::nd_range && e.category() == sycl_category() &&
        std::string(e.what()).find("too many") != std::string::npos);
  CHECK(!e.has_context());
  context where;
  const exception with(where, errc::invalid, "here");
  CHECK(with.has_context() && with.get_context() == where);
  try {
    throw exception(errc::runtime);
  } catch (const std::exception &caught) {
    CHECK(std::string(caught.what()) != "");
  }
  int seen = 0;
  std::string text;
  queue q([&](exception_list all) {
    for (const std::exception_ptr &one : all)
      try {
        std::rethrow_exception(one);
      } catch (const std::runtime_error &error) {
        seen++;
        text += error.what();
      }
  });
  q.submit([&](handler &h) { h.host_task([] { throw std::runtime_error("a"); }); });
  q.submit([&](handler &h) { h.host_task([] { throw std::runtime_error("b"); }); });
  q.wait();
  CHECK(seen == 0);
  q.throw_asynchronous();
  CHECK(seen == 2 && (text == "ab" || text == "ba"));
  q.wait_and_throw();
  CHECK(seen == 2);
  return report();
}
