// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sycl_ext_oneapi_device_architecture: what the device is, to the host and to kernels; what it writes of its back end.
#include <sycl/ext/oneapi/experimental/device_architecture.hpp>

#include <map>
#include <sstream>

#include "check.hpp"

using namespace sycl;
namespace ex = sycl::ext::oneapi::experimental;

static const std::map<ex::architecture, const char *> names = {{ex::architecture::intel_gpu_pvc, "pvc"},
                                                               {ex::architecture::nvidia_gpu_sm_90, "sm_90"},
                                                               {ex::architecture::amd_gpu_gfx90a, "gfx90a"},
                                                               {ex::architecture::x86_64, "x86_64"}};
static_assert(ex::architecture::intel_gpu_9_0_9 == ex::architecture::intel_gpu_skl);
static_assert(ex::architecture::intel_gpu_skl < ex::architecture::intel_gpu_bmg_g21);

int main() {
  queue q;
  const device d = q.get_device();
  const ex::architecture own = d.get_info<ex::info::device::architecture>();
#if defined(__x86_64__)
  CHECK(own == ex::architecture::x86_64 && std::string(names.at(own)) == "x86_64");
#endif
  CHECK(names.size() == 4 && d.ext_oneapi_architecture_is(own));
  CHECK(!d.ext_oneapi_architecture_is(ex::architecture::intel_gpu_pvc));
  CHECK(!d.ext_oneapi_architecture_is(ex::arch_category::intel_gpu) &&
        !d.ext_oneapi_architecture_is(ex::arch_category::nvidia_gpu));

  int *taken = malloc_shared<int>(6, q);
  q.single_task([=] {
     for (int i = 0; i < 6; i++)
       taken[i] = 0;
     ex::if_architecture_is<ex::architecture::nvidia_gpu_sm_80, ex::architecture::x86_64>([=] { taken[0] = 1; })
         .otherwise([=] { taken[0] = 2; });
     ex::if_architecture_is<ex::arch_category::amd_gpu>([=] { taken[1] = 1; })
         .else_if_architecture_is<ex::architecture::x86_64>([=](int x) { taken[1] = x; }, 7)
         .else_if_architecture_is<ex::architecture::x86_64>([=] { taken[1] = 3; })
         .otherwise([=] { taken[1] = 2; });
     ex::if_architecture_is_ge<ex::architecture::intel_gpu_pvc>([=] { taken[2] = 1; }).otherwise([=] { taken[2] = 2; });
     ex::if_architecture_is_lt<ex::architecture::nvidia_gpu_sm_90>([=] { taken[3] = 1; }).otherwise([=] { taken[3] = 2; });
     ex::if_architecture_is_le<ex::architecture::intel_cpu_gnr>([=] { taken[4] = 1; }).otherwise([=] { taken[4] = 2; });
     ex::if_architecture_is_between<ex::architecture::intel_gpu_bdw, ex::architecture::intel_gpu_pvc>([=] {
       taken[5] = 1;
     }).otherwise([=] { taken[5] = 2; });
   }).wait();
#if defined(__x86_64__)
  CHECK(taken[0] == 1 && taken[1] == 7 && taken[2] == 2 && taken[3] == 2 && taken[4] == 1 && taken[5] == 2);
#endif
  free(taken, q);

  std::ostringstream text;
  text << d.get_backend() << ' ' << backend::ext_oneapi_level_zero;
  CHECK(text.str() == "unwarp ext_oneapi_level_zero");
  const nd_range<2> none; // sycl_khr_default_constructors
  CHECK(none.get_global_range() == range<2>(0, 0) && none == nd_range<2>(range<2>(), range<2>()));
  return report();
}
