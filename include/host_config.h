/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The host compiler is known: nothing to configure.
 */
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__

#include "host_defines.h"

#endif
