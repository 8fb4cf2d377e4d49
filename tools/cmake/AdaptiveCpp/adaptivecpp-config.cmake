# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# For projects that ask for find_package(AdaptiveCpp): add_sycl_to_target, and the variables that it sets.
include("${CMAKE_CURRENT_LIST_DIR}/../unwarp/unwarp-config.cmake")
set(AdaptiveCpp_FOUND ${unwarp_FOUND})
set(AdaptiveCpp_NOT_FOUND_MESSAGE "${unwarp_NOT_FOUND_MESSAGE}")
if(unwarp_FOUND)
  set(ACPP_COMPILER "${unwarp_COMPILER}")
  set(ACPP_CLANG "${CMAKE_CXX_COMPILER}")
  if(NOT TARGET AdaptiveCpp::acpp-rt)
    add_library(AdaptiveCpp::acpp-rt INTERFACE IMPORTED)
    target_link_libraries(AdaptiveCpp::acpp-rt INTERFACE unwarp::sycl)
  endif()
endif()
