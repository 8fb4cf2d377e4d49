/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The extension that lets a stock PyTorch compute on "cuda" by its CPU kernels (libraries/torch), compiled here against
 * the user's torch and kept in the cache. */
#ifndef UW_DRIVER_BUILD_TORCH_H
#define UW_DRIVER_BUILD_TORCH_H

#include <stdbool.h>
#include <stddef.h>

/* --build-torch [FOLDER]: prints the path of the extension for the torch in that folder (that of the python3 on PATH),
 * which is compiled if the cache has none. False after a message. */
bool uw_build_torch(char **arguments);

/* How many the cache has; and takes them away. */
size_t uw_torch_extensions(bool remove);

#endif
