/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stress.h"

#include <stdlib.h>
#include <string.h>

bool uw_stresses(const char *what) {
  size_t length = strlen(what);
  for (const char *at = getenv("UW_STRESS"); at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, what, length) == 0 && (at[length] == 0 || at[length] == ','))
      return true;
  return false;
}
