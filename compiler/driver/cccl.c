/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Thrust and CUB, as the distribution has them: their interfaces are taken as they are, in the place of some of their
 * files clang reads ours (include/unwarp/cccl), whose algorithms suit a CPU. Those fit one version; any other, as one
 * that the user's -I names, is compiled as it is.
 */
#include "cccl.h"

#include "../support/files.h"

#include <string.h>

#define KNOWN_VERSION "#define CUB_VERSION 101702"

const char *uw_cccl_overlay(const uw_toolchain *toolchain) {
  const char *version = uw_read_file("/usr/include/cub/version.cuh");
  bool known = version && strstr(version, KNOWN_VERSION);
  return known ? uw_format("%s/unwarp/cccl/overlay.yaml", toolchain->include_folder) : NULL;
}
