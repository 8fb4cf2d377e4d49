/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Folders for temporary files that do not outlive their process, however that ends: each holds a lock of its process, and
 * who makes the next one removes those whose lock nobody holds. The compiler's and those of libraries/jit. */
#ifndef UWJIT_LEFTOVERS_H
#define UWJIT_LEFTOVERS_H

/* Makes a folder, of mode 0700. path ends in -XXXXXX as for mkdtemp, which becomes its name; folders beside it with such a
 * name that are the user's and whose process was killed are removed first. Gives back a descriptor that holds the lock
 * (close-on-exec, -1: errno says why there is no folder). The caller removes the folder, then closes it. */
int uwjit_own_folder(char *path);

/* Notes a file outside of the folder that goes with it if the process is killed: one with an absolute path, and a name
 * that nobody else gives. */
void uwjit_note_leftover(int lock, const char *file);

/* Removes a folder and all that is in it. */
void uwjit_remove_folder(const char *path);

#endif
