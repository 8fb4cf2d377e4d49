/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The newest PTX that the compiler reads, which the libraries that take PTX say too.
 */
#ifndef UWRT_PTX_VERSION_H
#define UWRT_PTX_VERSION_H

enum { UWRT_NEWEST_PTX = 94 }; /* 9.4 */

/* In NVIDIA's words, by which programs ask what is read: of the version as it is written, ours in two parts. */
#define UWRT_TOO_NEW_PTX "Unsupported .version %.*s; current version is '%d.%d'"

#endif
