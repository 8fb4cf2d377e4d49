/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Thrust and CUB, as the distribution has them: their interfaces are taken as they are, in the place of some of their
 * files clang reads ours (include/unwarp/cccl), whose algorithms suit a CPU. Those fit one version; any other, as one
 * that the user's -I names, is compiled as it is. A tool kit may bring them (packaging/wheel), for systems without.
 */
#include "cccl.h"

#include "../support/files.h"

#include <string.h>
#include <unistd.h>

#define KNOWN_VERSION "#define CUB_VERSION 101702"

const char *uw_cccl_folder(const uw_toolchain *toolchain) {
  const char *folder = uw_format("%s/../cccl", toolchain->include_folder);
  return access(uw_format("%s/thrust", folder), F_OK) == 0 ? folder : NULL;
}

static const char *version_in(const char *folder) { return uw_read_file(uw_format("%s/cub/version.cuh", folder)); }

const char *uw_cccl_overlay(const uw_toolchain *toolchain) {
  const char *version = version_in("/usr/include"), *own = uw_cccl_folder(toolchain);
  if (version)
    return strstr(version, KNOWN_VERSION) ? uw_format("%s/unwarp/cccl/overlay.yaml", toolchain->include_folder) : NULL;
  version = own ? version_in(own) : NULL;
  return version && strstr(version, KNOWN_VERSION) ? uw_format("%s/overlay.yaml", own) : NULL;
}
