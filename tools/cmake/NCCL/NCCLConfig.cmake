# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# find_package(NCCL): NCCL::nccl, and the variables that modules of the same name give. It brings the CUDA runtime of
# the same tool kit, which its header is about.
get_filename_component(NCCL_ROOT_FOLDER "${CMAKE_CURRENT_LIST_DIR}" REALPATH) # a link leads here, too
get_filename_component(NCCL_ROOT_FOLDER "${NCCL_ROOT_FOLDER}/../../.." ABSOLUTE)
set(NCCL_INCLUDE_DIRS "${NCCL_ROOT_FOLDER}/include")
set(NCCL_LIBRARIES NCCL::nccl)

if(NOT TARGET NCCL::nccl)
  add_library(NCCL::nccl SHARED IMPORTED)
  set_target_properties(NCCL::nccl PROPERTIES
    IMPORTED_LOCATION "${NCCL_ROOT_FOLDER}/lib/libnccl.so.2"
    IMPORTED_SONAME libnccl.so.2
    INTERFACE_INCLUDE_DIRECTORIES "${NCCL_INCLUDE_DIRS}"
    INTERFACE_LINK_LIBRARIES "${NCCL_ROOT_FOLDER}/lib/libcudart.so")
endif()
if(NOT TARGET NCCL::nccl_static)
  add_library(NCCL::nccl_static INTERFACE IMPORTED)
  set_property(TARGET NCCL::nccl_static PROPERTY INTERFACE_LINK_LIBRARIES NCCL::nccl)
endif()
