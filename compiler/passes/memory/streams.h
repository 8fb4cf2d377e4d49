/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The name by which lower/streams.c knows stores that may go past the caches: that of an alias scope. */
#ifndef UW_STREAMS_H
#define UW_STREAMS_H

#define UW_STREAM "unwarp.stream"

#endif
