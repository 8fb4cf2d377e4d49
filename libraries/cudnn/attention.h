/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuDNN's files about attention share: attention_descriptor.c describes, attention.c checks calls,
 * attention_work.c and attention_loops.h compute. */
#ifndef UWDNN_ATTENTION_H
#define UWDNN_ATTENTION_H

#include "internal.h"

enum { UWDNN_Q, UWDNN_K, UWDNN_V, UWDNN_O, UWDNN_QKVO };

/* A container of sequences: all by axis, strides in numbers. */
typedef struct uwdnn_sequences {
  cudnnDataType_t type;
  int dims[CUDNN_SEQDATA_DIM_COUNT], has_fill; /* dims[0] 0: not set yet */
  int64_t strides[CUDNN_SEQDATA_DIM_COUNT];
  double fill;
} uwdnn_sequences;
struct cudnnSeqDataStruct {
  uwdnn_sequences all;
  cudnnSeqDataAxis_t axes[CUDNN_SEQDATA_DIM_COUNT];
  int *lengths;
};

/* size: of q, k, v; projected: of q, k, v, o; 0: as they are. */
typedef struct uwdnn_attention {
  int is_set;
  unsigned mode;
  int heads, size[UWDNN_O], projected[UWDNN_QKVO], most_queries, most_keys, most_batch, most_beams;
  double scaler;
  cudnnDataType_t type, compute;
  cudnnMathType_t math;
  struct cudnnDropoutStruct dropout, post; /* of the softmax's result, and of all before the residuals */
} uwdnn_attention;
struct cudnnAttnStruct {
  uwdnn_attention attention;
  cudnnDropoutDescriptor_t dropout, post; /* as given */
};

typedef enum uwdnn_attention_pass {
  UWDNN_ATTENTION_INFERENCE,
  UWDNN_ATTENTION_TRAINING,
  UWDNN_ATTENTION_DATA,
  UWDNN_ATTENTION_WEIGHTS
} uwdnn_attention_pass;

/* A call, to work on later. of and at: q, k, v and o; backward o is dout and, for data, dqkv are the results. */
typedef struct uwdnn_attention_call {
  int pass, step, sets; /* step: -1: all; sets: weights' gradients are not added to */
  uwdnn_attention attention;
  uwdnn_sequences of[UWDNN_QKVO];
  const void *at[UWDNN_QKVO], *residuals, *weights;
  void *result, *dqkv[UWDNN_O], *reserve; /* result: out or dweights */
  const int *queries, *keys;              /* lengths; weights take those that the reserve has */
  const int *windows;                     /* first ones of all steps, then the ends; as lengths */
} uwdnn_attention_call;

extern const char uwdnn_sequences_kind, uwdnn_attention_kind;

/* The size of a head's vectors, and of the output. */
static inline int64_t uwdnn_attention_width(const uwdnn_attention *of, int which) {
  return of->projected[which] ? of->projected[which] : of->size[which];
}
static inline int64_t uwdnn_attention_output(const uwdnn_attention *of) {
  return of->projected[UWDNN_O] ? of->projected[UWDNN_O] : of->heads * uwdnn_attention_width(of, UWDNN_V);
}
/* How many numbers of a kind of weights there are, 0 if none; where they begin (kind CUDNN_ATTN_WKIND_COUNT: the end of
 * all). */
int64_t uwdnn_attention_count(const uwdnn_attention *of, int kind);
int64_t uwdnn_attention_first(const uwdnn_attention *of, int kind);
/* For sequences of these dimensions. */
size_t uwdnn_attention_reserve_bytes(const uwdnn_attention *of, int64_t batch, int64_t beams, int64_t queries,
                                     int64_t keys);

void uwdnn_attention_work(const uwdnn_attention_call *call);

#endif
