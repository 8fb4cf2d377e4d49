/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What the files of libnvrtc share. */
#ifndef UWRTC_INTERNAL_H
#define UWRTC_INTERNAL_H

#ifndef UWRTC_MAJOR
#define UWRTC_MAJOR 12 /* the version that the library says it is */
#endif

#pragma GCC visibility push(default)
#define NVRTC_GET_TYPE_NAME 0
#include "../../include/nvrtc.h"
#pragma GCC visibility pop
#include "../jit/jit.h"

/* options.c: what NVRTC's options are to the compiler. */
typedef struct uwrtc_options {
  const char **items; /* malloc's, as each item is */
  size_t count;
  int default_device;   /* functions without an attribute are for the device */
  int no_source_folder; /* headers are not looked for where the source is said to be */
  int relocatable;      /* for a link with other modules */
  int wants_lto;        /* bitcode of NVVM IR */
} uwrtc_options;
/* Null, or the option that is none. Memory that is missing shows as no items. */
const char *uwrtc_read_options(uwrtc_options *to, int count, const char *const *options);
int uwrtc_add_folder(uwrtc_options *to, const char *source); /* of that file; 0: no memory */
void uwrtc_free_options(uwrtc_options *options);

struct _nvrtcProgram {
  char *name;
  uwjit_bytes source;
  uwjit_file *headers;
  int header_count;
  char **expressions;
  const char **lowered; /* in the image */
  int expression_count;
  char *log;
  void *image; /* what the source became */
  size_t image_bytes;
  int form;          /* of that: UWJIT_MODULE and so on */
  int tried;         /* to compile */
  uwjit_bytes whole; /* what was compiled, and how: the text may be asked for */
  uwrtc_options options;
  char *text; /* PTX, where the image is a module; null: not asked for yet */
  size_t text_bytes;
};

/* text.c */
nvrtcResult uwrtc_code_of(const uwjit_result *result);
void uwrtc_compile(nvrtcProgram program, int form, uwjit_result *result); /* program->whole, as program->options say */
nvrtcResult uwrtc_write_text(nvrtcProgram program,
                             uwjit_result *result); /* the caller frees the result, with its log */
void uwrtc_forget_source(nvrtcProgram program);     /* and the text that it became */

#endif
