/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * oneDNN's C API, as far as it is used here: what differs between its versions is in this pair of files, which is
 * written for 2.x (3.x has memory descriptors behind pointers and no operation descriptors). The library is opened when
 * it is first needed, for itself alone: a process may have another oneDNN (in libtorch_cpu, in TensorFlow) whose
 * functions have the same names, and neither is to call the other's. */
#ifndef UWDNN_ONEDNN_H
#define UWDNN_ONEDNN_H

#include <oneapi/dnnl/dnnl.h>

#include "internal.h"

#if DNNL_VERSION_MAJOR != 2
#error "libraries/cudnn/onednn.h is written for oneDNN 2"
#endif

enum { UWDNN_ARGUMENTS = 3 };

/* How an operand lies in memory. */
typedef dnnl_memory_desc_t uwdnn_layout;

/* Something that oneDNN computes, from and to up to three operands; never destroyed. */
typedef struct uwdnn_primitive {
  dnnl_primitive_t made;
  int arguments, ids[UWDNN_ARGUMENTS]; /* DNNL_ARG_ */
  uwdnn_layout layouts[UWDNN_ARGUMENTS];
  uwdnn_layout scratch;
  size_t scratch_bytes;
} uwdnn_primitive;

int uwdnn_onednn(void); /* is it there? */
int uwdnn_onednn_has(dnnl_cpu_isa_t instructions);

/* strides null: as oneDNN likes it. 0: not possible. */
int uwdnn_layout_make(uwdnn_layout *layout, int rank, const int64_t *dims, const int64_t *strides,
                      dnnl_data_type_t type);
int uwdnn_layout_same(const uwdnn_layout *a, const uwdnn_layout *b);
size_t uwdnn_layout_bytes(const uwdnn_layout *layout);

/* pass: 0 forward, 1 data, 2 filter; operands are x, w, y. Dilations as in oneDNN: 0 is none. 0: oneDNN has none, or
 * only its plain reference. */
int uwdnn_make_convolution(uwdnn_primitive *primitive, int pass, const uwdnn_layout operands[3], const int64_t *strides,
                           const int64_t *dilations, const int64_t *pad, const int64_t *pad_end);
int uwdnn_make_reorder(uwdnn_primitive *primitive, const uwdnn_layout *from, const uwdnn_layout *to);
/* On the calling thread and its team; ends the process where oneDNN fails. */
void uwdnn_run(const uwdnn_primitive *primitive, void *const *memory, void *scratch);

#endif
