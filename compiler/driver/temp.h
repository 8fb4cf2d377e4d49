/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Files that must not outlive the compile: intermediate ones, in one private folder under $TMPDIR; and results on
 * their way, each beside its target under a hidden name, renamed when it is whole. Whatever way unwarp ends, save by
 * SIGKILL, uw_temp_clean has run and nothing of either is left; after that the next run cleans. */
#ifndef UW_DRIVER_TEMP_H
#define UW_DRIVER_TEMP_H

#include <stdbool.h>

/* Call first: arranges for the cleaning at exit. With `pretend`, paths are only made up, no file is. */
void uw_temp_begin(const char *keep_folder, bool pretend);
/* A path for a new intermediate file whose name ends in `name`; no two calls give the same. Null after a message. */
const char *uw_temp_path(const char *name);
/* The same for one that stays, under just that name, if there is a folder to keep it in. */
const char *uw_temp_kept_path(const char *name);
/* A new intermediate file with contents. */
const char *uw_temp_file(const char *name, const char *contents, unsigned long size);
/* That the disk is full, at what (and a name after it), and where temporary files go: once, as what comes after fails
 * for the same reason. */
void uw_report_full_disk(const char *what, const char *name);
/* Moves an intermediate file out of harm's way, into a fresh folder that stays, and returns its new path. */
const char *uw_temp_rescue(const char *path);
void uw_temp_clean(void);
/* The folder of the intermediate files; null as long as there is none. */
const char *uw_temp_folder(void);

typedef struct uw_result {
  const char *target;  /* as the user wrote it, for messages */
  const char *path;    /* where to write */
  const char *finally; /* what `path` becomes: the target, symbolic links followed */
  bool executable;
  bool copy; /* the target is a device or a pipe: its contents are copied, its name stays */
} uw_result;

/* Finds out whether `target` can be written, before any work is done. False after a message. */
bool uw_result_begin(uw_result *result, const char *target, bool executable);
/* Puts the result in place. False after a message. */
bool uw_result_finish(uw_result *result);

#endif
