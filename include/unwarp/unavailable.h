/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types of CUDA that unwarp does not have yet. They are declared so that a use of one is refused with what it is and a way
 * out, at its line, and not as an unknown name (CUDA C++ Programming Guide, "Texture and Surface Memory"). The old
 * references, texture<…> and surface<…>, are not here: CUDA 12 dropped them, and programs use the names for themselves.
 */
#ifndef UNWARP_UNAVAILABLE_H
#define UNWARP_UNAVAILABLE_H

#define UNWARP_NO_TEXTURES \
  __attribute__((unavailable("unwarp does not support textures and surfaces yet; read the memory through a pointer")))

typedef unsigned long long cudaTextureObject_t UNWARP_NO_TEXTURES;
typedef unsigned long long cudaSurfaceObject_t UNWARP_NO_TEXTURES;

#undef UNWARP_NO_TEXTURES
#endif
