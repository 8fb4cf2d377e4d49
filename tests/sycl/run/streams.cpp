// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams of kernels: numbers in each base and form, vectors, places; the text itself is compared.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>
#include <unistd.h>

#include "check.hpp"

using namespace sycl;

int main() {
  std::FILE *file = std::tmpfile();
  const int keep = dup(1);
  std::fflush(stdout);
  dup2(fileno(file), 1);
  {
    queue q;
    q.submit([&](handler &h) {
       stream out(1024, 256, h);
       CHECK(out.size() == 1024 && out.get_work_item_buffer_size() == 256);
       h.single_task([=] {
         out << "int " << -5 << ' ' << 7u << " " << true << sycl::endl;
         out << hex << showbase << 255 << " " << dec << 255 << endl;
         out << setprecision(3) << 3.14159 << " " << scientific << 1234.5f << endl;
         out << int4(1, 2, 3, 4) << " " << id<2>(5, 6) << " " << range<1>(7) << endl;
       });
     }).wait();
  }
  std::fflush(stdout);
  dup2(keep, 1);
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;)
    text += char(c);
  std::fclose(file);
  const std::string wanted = "int -5 7 1\n0xff 255\n3.14 1.234e+03\n1, 2, 3, 4 {5, 6} {7}\n";
  if (!CHECK(text == wanted))
    std::printf("%s", text.c_str());
  return report();
}
