# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For projects that ask for find_package(IntelSYCL).
include("${CMAKE_CURRENT_LIST_DIR}/../unwarp/unwarp-config.cmake")
set(IntelSYCL_FOUND ${unwarp_FOUND})
set(IntelSYCL_NOT_FOUND_MESSAGE "${unwarp_NOT_FOUND_MESSAGE}")
if(unwarp_FOUND AND NOT TARGET IntelSYCL::SYCL_CXX)
  add_library(IntelSYCL::SYCL_CXX INTERFACE IMPORTED)
  target_link_libraries(IntelSYCL::SYCL_CXX INTERFACE unwarp::sycl)
endif()
