/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Remarks: what the passes made of a kernel, with locations in the source, for people who want to know why it is fast
 * or slow. Off unless asked for. docs/remarks.md says how to read them.
 *
 * A kernel is compiled once for each launch whose function came along, with that launch's shape and parameters, and
 * once for launches from elsewhere. What is said about all of these versions is said once; else the remark names those
 * that it is about. All remarks come at the end of the compile, in the order of the source.
 *
 *   text    kernel.cu:12:3: remark: barrier dropped: it orders nothing [barrier-elim] (scale<float>, launched at line 40)
 *           on standard error
 *   JSON    {"file":"kernel.cu","line":12,"column":3,"pass":"barrier-elim","remark":"…","kernel":"void scale<float>(float*)",
 *           "launches":[{"file":"kernel.cu","line":40}],"elsewhere":false}
 *           a line each, on standard output. Without file, line and column where the location is not known; without the
 *           last three where it is about host code. elsewhere: also about launches from elsewhere. */
#ifndef UW_REMARKS_H
#define UW_REMARKS_H

#include "ir.h"

enum { UW_FILE_ROOM = 4096 };

typedef enum uw_remarks { UW_REMARKS_NONE, UW_REMARKS_TEXT, UW_REMARKS_JSON } uw_remarks;

void uw_set_remarks(uw_remarks form);
/* The folder of our own headers, whose lines are told as those that use them; may be null. */
void uw_set_own_headers(const char *folder);
bool uw_is_own_header(const char *file); /* or one of clang's */
uw_remarks uw_remarks_form(void);

/* The name of locations (mlirLocationNameGet) about which nothing is said. */
#define UW_UNREMARKED "unwarp.unremarked"

/* The location as one in the version of the kernel (its mangled name) for the launch there; launch is null for launches
 * from elsewhere. Itself where no remarks are wanted. */
MlirLocation uw_remark_version(MlirLocation location, const char *kernel, const MlirLocation *launch);

/* About the code at the location; pass is the name of who did it. */
void uw_remark(MlirLocation location, const char *pass, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "line 7", or "file.h:7" if it is in another file than the one that the remark is about; "a location that is not
 * known". */
const char *uw_remark_line(uw_arena *arena, MlirLocation about, MlirLocation place);

bool uw_has_place(MlirLocation location);

/* A kernel of SYCL: what people call it, and its line ("file:line") or null. What is said of it is in SYCL's words, and
 * what stands at no line of the program's is said at that one. */
void uw_remark_sycl_kernel(const char *kernel, const char *shown, const char *place);
const char *uw_in_sycl_words(uw_arena *arena, const char *text); /* sycl_words.c */
/* "scale<float>" of "_Z5scaleIfEvPf" */
const char *uw_short_function_name(uw_arena *arena, const char *symbol);

/* Prints what was said, and forgets it. */
void uw_print_remarks(void);

#endif
