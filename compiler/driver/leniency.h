/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What nvcc (of SYCL: DPC++) takes and clang refuses without an option that would let it through. Where clang says so, the source is
 * shown to it once more with those locations in another form. */
#ifndef UW_DRIVER_LENIENCY_H
#define UW_DRIVER_LENIENCY_H

#include "../support/strings.h"

/* UW_SAID_BY_DEVICE: all messages are the device pass's, the host pass has no objection. UW_SAID_OF_SYCL: they
 * are about a SYCL source. UW_IN_TEMPLATES: any error counts that stands in the body of a template; should somebody
 * instantiate that after all, it is an error then. */
typedef enum { UW_SAID_BY_ANY, UW_SAID_BY_DEVICE, UW_SAID_OF_SYCL, UW_IN_TEMPLATES } uw_leniency;

/* Adds the paths of the sources in which clang's messages name such locations. */
void uw_find_refused(const char *messages, uw_leniency kind, uw_strings *paths);

/* The text of the source at `path`, as clang saw it, with those locations in another form; null if none can be changed.
 * Lines stay. */
char *uw_accept_refused(const char *path, const char *text, const char *messages, uw_leniency kind);

#endif
