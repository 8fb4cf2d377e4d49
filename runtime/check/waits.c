/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * In the shared runtime alone, which is loaded also where nobody asks for checks: it begins with the first object that
 * does (setup.c). Of streams nobody knows then that the program makes none (reads.c). */
#include "check.h"

const int uwrt_check_waits = 1;

extern const char uwrt_check_makes_streams;
const char uwrt_check_makes_streams = 1;
