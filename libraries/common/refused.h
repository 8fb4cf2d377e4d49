/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Functions that are there by name alone, as programs ask for them when they are loaded: by a table of
 * UW_REFUSED(name, type of the first argument), or with all parameters, from which each library makes definitions with its own status. */
#ifndef UWLIB_REFUSED_H
#define UWLIB_REFUSED_H

#include "../../runtime/driver.h"

/* Arguments after the first are not looked at, of whatever types they are. */
#define UWLIB_REFUSE(type, status, name, first)                                                                        \
  type name(first argument, ...) {                                                                                     \
    (void)argument;                                                                                                    \
    uwrt_trace_refused(#name);                                                                                         \
    return status;                                                                                                     \
  }

/* Of a table whose rows have all parameters, with their names: UW_REFUSED(name, (parameters)). */
#define UWLIB_REFUSE_WHOLE(type, status, name, parameters)                                                             \
  type name parameters {                                                                                               \
    uwrt_trace_refused(#name);                                                                                         \
    return status;                                                                                                     \
  }

#endif
