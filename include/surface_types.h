/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Types of surfaces. (CUDA Runtime API, "Data types used by CUDA Runtime"; Programming Guide, "Surface Memory".)
 */
#ifndef __SURFACE_TYPES_H__
#define __SURFACE_TYPES_H__

#include "driver_types.h"

/* The shape of an old reference: surface<void, shape>. */
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC

/* What an access outside of the surface does: reads zero and writes nothing, takes the nearest element, or ends the
 * kernel with an error. */
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };

enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

typedef unsigned long long cudaSurfaceObject_t;

/* What surface<…> has in common. */
struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
  const struct __uw_texture *__bound;
};

#endif
