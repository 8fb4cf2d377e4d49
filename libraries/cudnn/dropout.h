/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Dropout, for other files that drop. */
#ifndef UWDNN_DROPOUT_H
#define UWDNN_DROPOUT_H

#include "internal.h"

/* Draws count numbers from the states: 1 in passes for each that is let through. Null states let through all, if
 * probability is 0. */
void uwdnn_draw(void *states, double probability, int64_t count, unsigned char *passes);

#endif
