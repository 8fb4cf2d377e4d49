# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(unwarp): SYCL in CMake projects whose C++ compiler is unwarp (cmake -DCMAKE_CXX_COMPILER=unwarp).
#
#   add_sycl_to_target(TARGET name [SOURCES files…])   these sources of the target, or all, may hold kernels
#   unwarp::sycl                                       the same for all of a target that links it
#   unwarp_COMPILER                                    the compiler
#
# find_package(IntelSYCL) gives the same, and IntelSYCL::SYCL_CXX, where this folder is the one it finds.
cmake_minimum_required(VERSION 3.13)

get_filename_component(unwarp_ROOT_FOLDER "${CMAKE_CURRENT_LIST_DIR}/../../.." REALPATH)
find_program(unwarp_COMPILER unwarp HINTS "${unwarp_ROOT_FOLDER}/bin" "${unwarp_ROOT_FOLDER}/../../bin")
mark_as_advanced(unwarp_COMPILER)

execute_process(COMMAND "${CMAKE_CXX_COMPILER}" --version OUTPUT_VARIABLE unwarp_SAYS ERROR_QUIET)
if(NOT unwarp_SAYS MATCHES "unwarp")
  set(unwarp_FOUND FALSE)
  set(unwarp_NOT_FOUND_MESSAGE
    "the C++ compiler is ${CMAKE_CXX_COMPILER}: configure in a new folder with -DCMAKE_CXX_COMPILER=${unwarp_COMPILER}")
  return()
endif()
set(unwarp_FOUND TRUE)

if(NOT TARGET unwarp::sycl)
  add_library(unwarp::sycl INTERFACE IMPORTED)
  set_property(TARGET unwarp::sycl PROPERTY INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-fsycl>")
  set_property(TARGET unwarp::sycl PROPERTY INTERFACE_LINK_OPTIONS "-fsycl")
endif()

if(NOT COMMAND add_sycl_to_target)
  function(add_sycl_to_target)
    cmake_parse_arguments(sycl "" "TARGET" "SOURCES" ${ARGN})
    if(NOT TARGET "${sycl_TARGET}")
      message(FATAL_ERROR "add_sycl_to_target(TARGET name [SOURCES files…]): '${sycl_TARGET}' is no target")
    endif()
    get_target_property(kind "${sycl_TARGET}" TYPE)
    if(kind STREQUAL "INTERFACE_LIBRARY")
      target_link_libraries("${sycl_TARGET}" INTERFACE unwarp::sycl)
      return()
    endif()
    if(sycl_SOURCES)
      set_property(SOURCE ${sycl_SOURCES} APPEND PROPERTY COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:CXX>:-fsycl>")
    else()
      target_compile_options("${sycl_TARGET}" PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-fsycl>")
    endif()
    # INTERFACE: who links a static library with kernels brings SYCL's runtime.
    set_property(TARGET "${sycl_TARGET}" APPEND PROPERTY LINK_OPTIONS "-fsycl")
    set_property(TARGET "${sycl_TARGET}" APPEND PROPERTY INTERFACE_LINK_OPTIONS "-fsycl")
  endfunction()
endif()
