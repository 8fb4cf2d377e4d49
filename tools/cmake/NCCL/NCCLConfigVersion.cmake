# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# As nccl.h has it.
get_filename_component(folder "${CMAKE_CURRENT_LIST_DIR}" REALPATH) # a link leads here, too
set(PACKAGE_VERSION "")
foreach(part MAJOR MINOR PATCH)
  file(STRINGS "${folder}/../../../include/nccl.h" line REGEX "^#define NCCL_${part} [0-9]+" LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+" number "${line}")
  string(APPEND PACKAGE_VERSION ".${number}")
endforeach()
string(SUBSTRING "${PACKAGE_VERSION}" 1 -1 PACKAGE_VERSION)

if(NOT PACKAGE_FIND_VERSION VERSION_GREATER PACKAGE_VERSION AND PACKAGE_FIND_VERSION_MAJOR MATCHES "^2?$")
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
  if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
    set(PACKAGE_VERSION_EXACT TRUE)
  endif()
endif()
