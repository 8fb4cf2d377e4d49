/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What fault.c says, collected until it is sent: by one thread at a time. */
#ifndef UWRT_FAULT_MESSAGE_H
#define UWRT_FAULT_MESSAGE_H

#include "internal.h"

void uwrt_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line: which block and which thread, as far as the place tells. */
void uwrt_say_place(const uwrt_place *place);
/* Ends a line that was begun, where a fault cut it off. */
void uwrt_end_line(void);
void uwrt_forget_said(void);
/* Writes to stderr what was said since. */
void uwrt_send_said(void);

#endif
