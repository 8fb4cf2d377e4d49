/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Work that a thread gives and that is kept, to be run later, once or often: SYCL's commands that stand behind a host
 * task, and the nodes of its command graphs. Between begin and end a launch of this thread is copied, as a capture of a
 * stream copies it (capture.c); what is no launch is kept by call. "uwrt_record_run borrows the record, the rest of its
 * life is the caller's." */
#ifndef UWRT_RECORD_H
#define UWRT_RECORD_H

typedef struct uwrt_record uwrt_record;

#pragma GCC visibility push(default) /* libsycl.a is not the runtime's object */
void uwrt_record_begin(void);
uwrt_record *uwrt_record_end(void); /* owned by the caller; what could not be kept is an error of its run */
/* Into this thread's record: function(argument) in each run. drop(argument) when the record goes. */
void uwrt_record_call(void (*function)(void *), void *argument, void (*drop)(void *));
int uwrt_record_run(
    const uwrt_record *record); /* a cudaError_t; on the calling thread, in the order in which it was given */
void uwrt_record_free(uwrt_record *record);
#pragma GCC visibility pop

#endif
