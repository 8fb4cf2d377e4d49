/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * --doctor. False if something that is needed is missing. */
#ifndef UW_DRIVER_DOCTOR_H
#define UW_DRIVER_DOCTOR_H

#include <stdbool.h>

bool uw_doctor(bool json);

#endif
