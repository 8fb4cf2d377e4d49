/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A part of the device language by its old name; empty, since clang includes it from its own headers.
 */
#ifndef __CRT_SM_70_RT_HPP__
#define __CRT_SM_70_RT_HPP__

#endif
