/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The old name of cusparse.h. */
#include "cusparse.h"
