/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * For -fcheck: the scope of the next atomic operation or fence, as clang numbers scopes (and libcu++ those that it has),
 * since clang's code for a CPU does not say it. Nothing is called without -fcheck.
 */
#ifndef __UW_SCOPES_H__
#define __UW_SCOPES_H__

#ifdef __CUDA_ARCH__
extern "C" __attribute__((device, nothrow)) void uwrt_note_scope(int);
#define __UW_NOTE_SCOPE(scope) uwrt_note_scope((int)(scope))
#else
#define __UW_NOTE_SCOPE(scope) ((void)0)
#endif

#endif
