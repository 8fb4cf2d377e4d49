/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory that a launch only reads: its threads cannot race for it, and where nobody else can be at it either, and all
 * of it was written, a load has to be inside, and that is all. Such loads are settled in line by a comparison, and
 * leave no note in the memory's cells.
 *
 * That holds for the memory that a parameter of the kernel points into, and for a variable that it names, when a launch
 * begins, if
 *   - the kernel writes through parameters and to variables only, and none of those points into the same allocation;
 *   - it is from cudaMalloc and its kin, or a variable of the device or a constant, so that the host is not at it, and every byte of it was written (where that is asked);
 *   - nothing can run at the same time, now or later: all that was launched before is over, the launch is in the null stream or no
 *     other stream was used, and the program has no call that makes a stream which does not wait for the null stream.
 * The compiler finds the first (compiler/instrument/reads.c) and the last part of the last
 * (compiler/lower/host_checks.c). */
#include "check.h"

/* The program's own code defines it where it makes streams beside the null stream. */
extern const char uwrt_check_makes_streams __attribute__((weak));

void uwrt_check_note_writes(uwrt_check_launch *launch, const void *pointer) {
  if (launch->read_count || launch->written_count > UWRT_CHECK_MOST_WRITTEN) /* an earlier block said so */
    return;
  for (uint32_t i = 0; i < launch->written_count; i++)
    if (launch->written[i] == pointer)
      return;
  if (launch->written_count < UWRT_CHECK_MOST_WRITTEN)
    launch->written[launch->written_count] = pointer;
  launch->written_count++;
}

void uwrt_check_writes(uwrt_check_state *fast, const void *pointer) {
  uwrt_check_launch *launch = uwrt_check_full(fast)->launch;
  if (launch && !launch->is_shared) /* else all is noted */
    uwrt_check_note_writes(launch, pointer);
}

int uwrt_check_runs_alone(const uwrt_check_launch *launch) {
  return !&uwrt_check_makes_streams && launch->since == launch->start && !uwrt_check_has_streams();
}

/* Nothing is known of a variable before the first access to its page. */
int uwrt_check_is_written(const uwrt_check_object *read) {
  uintptr_t end = read->start + read->bytes;
  for (uintptr_t at = read->start; at < end; at = (at | (UWRT_PAGE_BYTES - 1)) + 1)
    if (!uwrt_shadow_is_known(at) && !uwrt_check_adopt(at))
      return 0;
  return uwrt_shadow_is_written(read->start, read->bytes);
}

static uint64_t bytes_at(const uwrt_check_launch *launch, const void *pointer) {
  uwrt_check_object read, written;
  uintptr_t at = (uintptr_t)pointer;
  if (launch->written_count > UWRT_CHECK_MOST_WRITTEN ||
      (uwrt_check_wants(UWRT_CHECK_RACE) && !uwrt_check_runs_alone(launch)))
    return 0;
  if (!uwrt_check_find_object(at, &read) || !read.is_device || read.is_freed || at - read.start >= read.bytes)
    return 0;
  for (uint32_t i = 0; i < launch->written_count; i++) {
    uintptr_t to = (uintptr_t)launch->written[i];
    if (to &&
        (!uwrt_check_find_object(to, &written) || to - written.start >= written.bytes || written.start == read.start))
      return 0;
  }
  return !uwrt_check_wants(UWRT_CHECK_INIT) || uwrt_check_is_written(&read) ? read.start + read.bytes - at : 0;
}

uint64_t uwrt_check_note_reads(uwrt_check_launch *launch, const void *pointer) {
  for (uint32_t i = 0; i < launch->read_count; i++)
    if (launch->read[i].at == pointer)
      return launch->read[i].bytes;
  if (launch->read_count == UWRT_CHECK_MOST_READ || launch->is_shared)
    return 0;
  launch->read[launch->read_count].at = pointer;
  return launch->read[launch->read_count++].bytes = bytes_at(launch, pointer);
}

uint64_t uwrt_check_only_reads(uwrt_check_state *fast, const void *pointer) {
  uwrt_check_launch *launch = uwrt_check_full(fast)->launch;
  return launch ? uwrt_check_note_reads(launch, pointer) : 0;
}
