/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * FFTW's interface to cuFFT: here it is FFTW itself (package libfftw3-dev). */
#ifndef _CUFFTW_H_
#define _CUFFTW_H_
#include <fftw3.h>
#define FFTW_INVERSE 1
#endif
