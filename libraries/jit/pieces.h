/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A module of PTX taken apart, so that only those kernels are compiled that a program asks for.
 */
#ifndef UWJIT_PIECES_H
#define UWJIT_PIECES_H

#include <stddef.h>

typedef struct uwjit_pieces uwjit_pieces;

/* Null where that is not worth it (few kernels), where kernels hang together by more than variables (calls through
 * pointers), or where the text is not understood: then it is compiled as a whole, which says what is wrong with it.
 * Copies the text. */
uwjit_pieces *uwjit_pieces_of(const char *text, size_t bytes);
void uwjit_pieces_free(uwjit_pieces *pieces);

size_t uwjit_pieces_kernels(const uwjit_pieces *pieces); /* how many kernels there are */

/* The text of the piece with a kernel, or with a variable, of this name, as far as is_called says so; null if there is
 * none that was not taken yet, or no memory. A piece is a kernel with what it calls, or several that share variables:
 * lines stand where they stand in the module. The caller frees it. */
char *uwjit_pieces_take(uwjit_pieces *pieces, const char *name, int (*is_called)(const char *own, const char *name),
                        size_t *bytes);
/* All that was not taken yet; null if there is nothing. */
char *uwjit_pieces_rest(uwjit_pieces *pieces, size_t *bytes);

#endif
