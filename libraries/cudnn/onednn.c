/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * oneDNN 2.x. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "onednn.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(X)                                                                                                   \
  X(engine_create)                                                                                                     \
  X(stream_create)                                                                                                     \
  X(get_effective_cpu_isa)                                                                                             \
  X(memory_desc_init_by_strides)                                                                                       \
  X(memory_desc_init_by_tag)                                                                                           \
  X(memory_desc_equal)                                                                                                 \
  X(memory_desc_get_size)                                                                                              \
  X(memory_create)                                                                                                     \
  X(memory_destroy)                                                                                                    \
  X(primitive_attr_create)                                                                                             \
  X(primitive_attr_destroy)                                                                                            \
  X(primitive_attr_set_scratchpad_mode)                                                                                \
  X(dilated_convolution_forward_desc_init)                                                                             \
  X(dilated_convolution_backward_data_desc_init)                                                                       \
  X(dilated_convolution_backward_weights_desc_init)                                                                    \
  X(reorder_primitive_desc_create)                                                                                     \
  X(primitive_desc_create)                                                                                             \
  X(primitive_desc_destroy)                                                                                            \
  X(primitive_desc_query)                                                                                              \
  X(primitive_desc_query_md)                                                                                           \
  X(primitive_create)                                                                                                  \
  X(primitive_execute)

#define FIELD(name) __typeof__(&dnnl_##name) name;
static struct {
  FUNCTIONS(FIELD)
} dnnl;
static dnnl_engine_t engine;
static dnnl_primitive_attr_t attributes;
static int is_there;

/* Its calls of its own functions go to itself; sanitizers cannot have that, and there no other oneDNN is. */
static void *open_library(void) {
  const int own = dlsym(RTLD_DEFAULT, "__asan_init") || dlsym(RTLD_DEFAULT, "__tsan_init") ? 0 : RTLD_DEEPBIND;
  return dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL | own);
}

static void start(void) {
  void *library = open_library();
  is_there = library != NULL;
#define FIND(name) is_there = is_there && (dnnl.name = (__typeof__(dnnl.name))dlsym(library, "dnnl_" #name));
  FUNCTIONS(FIND)
  is_there = is_there && dnnl.engine_create(&engine, dnnl_cpu, 0) == dnnl_success &&
             dnnl.primitive_attr_create(&attributes) == dnnl_success &&
             dnnl.primitive_attr_set_scratchpad_mode(attributes, dnnl_scratchpad_mode_user) == dnnl_success;
}

int uwdnn_onednn(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return is_there;
}

int uwdnn_onednn_has(dnnl_cpu_isa_t instructions) {
  return (dnnl.get_effective_cpu_isa() & instructions) == instructions;
}

/* --- layouts ------------------------------------------------------------------------------------------------------ */

int uwdnn_layout_make(uwdnn_layout *layout, int rank, const int64_t *dims, const int64_t *strides,
                      dnnl_data_type_t type) {
  memset(layout, 0, sizeof *layout);
  dnnl_status_t status = strides ? dnnl.memory_desc_init_by_strides(layout, rank, dims, type, strides)
                                 : dnnl.memory_desc_init_by_tag(layout, rank, dims, type, dnnl_format_tag_any);
  return status == dnnl_success;
}

int uwdnn_layout_same(const uwdnn_layout *a, const uwdnn_layout *b) { return dnnl.memory_desc_equal(a, b); }
size_t uwdnn_layout_bytes(const uwdnn_layout *layout) { return dnnl.memory_desc_get_size(layout); }

/* --- primitives --------------------------------------------------------------------------------------------------- */

static int is_reference(dnnl_primitive_desc_t descriptor) {
  const char *name = "";
  return dnnl.primitive_desc_query(descriptor, dnnl_query_impl_info_str, 0, &name) != dnnl_success ||
         strstr(name, "ref") != NULL;
}

/* Takes the descriptor. */
static int make(uwdnn_primitive *primitive, dnnl_primitive_desc_t descriptor, int arguments, const int *ids) {
  primitive->arguments = arguments;
  for (int i = 0; i < arguments; i++) {
    primitive->ids[i] = ids[i];
    primitive->layouts[i] = *dnnl.primitive_desc_query_md(descriptor, dnnl_query_exec_arg_md, ids[i]);
  }
  primitive->scratch = *dnnl.primitive_desc_query_md(descriptor, dnnl_query_scratchpad_md, 0);
  primitive->scratch_bytes = uwdnn_layout_bytes(&primitive->scratch);
  dnnl_status_t status = dnnl.primitive_create(&primitive->made, descriptor);
  dnnl.primitive_desc_destroy(descriptor);
  return status == dnnl_success;
}

int uwdnn_make_reorder(uwdnn_primitive *primitive, const uwdnn_layout *from, const uwdnn_layout *to) {
  static const int ids[] = {DNNL_ARG_FROM, DNNL_ARG_TO};
  dnnl_primitive_desc_t descriptor;
  if (dnnl.reorder_primitive_desc_create(&descriptor, from, engine, to, engine, attributes) != dnnl_success)
    return 0;
  return make(primitive, descriptor, 2, ids);
}

int uwdnn_make_convolution(uwdnn_primitive *primitive, int pass, const uwdnn_layout of[3], const int64_t *strides,
                           const int64_t *dilations, const int64_t *pad, const int64_t *pad_end) {
  static const int ids[][UWDNN_ARGUMENTS] = {{DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST},
                                             {DNNL_ARG_DIFF_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DIFF_DST},
                                             {DNNL_ARG_SRC, DNNL_ARG_DIFF_WEIGHTS, DNNL_ARG_DIFF_DST}};
  const dnnl_alg_kind_t direct = dnnl_convolution_direct;
  dnnl_convolution_desc_t forward, backward;
  dnnl_primitive_desc_t hint = NULL, descriptor = NULL;
  if (dnnl.dilated_convolution_forward_desc_init(&forward, pass ? dnnl_forward_training : dnnl_forward_inference,
                                                 direct, &of[0], &of[1], NULL, &of[2], strides, dilations, pad,
                                                 pad_end) != dnnl_success ||
      dnnl.primitive_desc_create(&hint, &forward, attributes, engine, NULL) != dnnl_success)
    return 0;
  if (pass == 0)
    descriptor = hint;
  else {
    dnnl_status_t status =
        pass == 1 ? dnnl.dilated_convolution_backward_data_desc_init(&backward, direct, &of[0], &of[1], &of[2], strides,
                                                                     dilations, pad, pad_end)
                  : dnnl.dilated_convolution_backward_weights_desc_init(&backward, direct, &of[0], &of[1], NULL, &of[2],
                                                                        strides, dilations, pad, pad_end);
    if (status == dnnl_success)
      status = dnnl.primitive_desc_create(&descriptor, &backward, attributes, engine, hint);
    dnnl.primitive_desc_destroy(hint);
    if (status != dnnl_success)
      return 0;
  }
  if (is_reference(descriptor)) {
    dnnl.primitive_desc_destroy(descriptor);
    return 0;
  }
  return make(primitive, descriptor, UWDNN_ARGUMENTS, ids[pass]);
}

static void must(dnnl_status_t status) {
  if (status == dnnl_success)
    return;
  fprintf(stderr, "unwarp: error: oneDNN failed (%d)\n", (int)status);
  abort();
}

/* oneDNN's streams of a CPU do each work at once. */
static dnnl_stream_t own_stream(void) {
  static _Thread_local dnnl_stream_t own;
  if (!own)
    must(dnnl.stream_create(&own, engine, dnnl_stream_default_flags));
  return own;
}

void uwdnn_run(const uwdnn_primitive *primitive, void *const *memory, void *scratch) {
  dnnl_exec_arg_t arguments[UWDNN_ARGUMENTS + 1];
  int count = 0;
  for (; count < primitive->arguments; count++) {
    arguments[count].arg = primitive->ids[count];
    must(dnnl.memory_create(&arguments[count].memory, &primitive->layouts[count], engine, memory[count]));
  }
  if (primitive->scratch_bytes) {
    arguments[count].arg = DNNL_ARG_SCRATCHPAD;
    must(dnnl.memory_create(&arguments[count++].memory, &primitive->scratch, engine, scratch));
  }
  must(dnnl.primitive_execute(primitive->made, own_stream(), count, arguments));
  for (int i = 0; i < count; i++)
    dnnl.memory_destroy(arguments[i].memory);
}
