/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What cuDNN's files about recurrent networks share: rnn_descriptor.c describes, rnn.c checks calls, rnn_work.c and
 * rnn_loops.h compute. */
#ifndef UWDNN_RNN_H
#define UWDNN_RNN_H

#include "internal.h"

enum { UWDNN_RNN_BATCH = 768 }; /* of sequences whose lengths differ: a call's record holds them */

typedef struct uwdnn_rnn {
  int is_set, mode, bias, directions, layers, hidden, input; /* input 0: the tensors of x say */
  int projected, skips, algo; /* projected: the size of LSTM's h where it is not that of c, else 0; skips: the first
                                 layer's input has no matrix */
  int is_typed;               /* 0: type is that of the computation, the tensors of x say theirs */
  cudnnDataType_t type, compute;
  cudnnMathType_t math;
  struct cudnnDropoutStruct dropout;
  int clips, clip_nan, padded; /* padded: told, and so asked; sequences of every layout are taken without it */
  double least, most;          /* of LSTM's c, where clips */
} uwdnn_rnn;
struct cudnnRNNStruct {
  uwdnn_rnn rnn;
  cudnnDropoutDescriptor_t dropout; /* as given */
};

/* Where the rows of a sequence lie. */
typedef struct uwdnn_rnn_rows {
  cudnnDataType_t type;
  int layout, steps, batch, width, has_fill;
  double fill;
} uwdnn_rnn_rows;
struct cudnnRNNDataStruct {
  uwdnn_rnn_rows rows;
  int *lengths;
};

typedef enum uwdnn_rnn_pass {
  UWDNN_RNN_INFERENCE,
  UWDNN_RNN_TRAINING,
  UWDNN_RNN_DATA,
  UWDNN_RNN_WEIGHTS
} uwdnn_rnn_pass;

/* A call, to work on later. Backward, y is dy, x is dx, hx is dhx and so on, but for weights, where x is x and w is
 * dw. */
typedef struct uwdnn_rnn_call {
  int pass;
  uwdnn_rnn rnn;
  uwdnn_rnn_rows x, y;
  void *x_at, *y_at, *w, *reserve;
  uwdnn_view hx, hy, cx, cy; /* pseudo-layers, batch, hidden */
  void *hx_at, *hy_at, *cx_at, *cy_at;
  int differ; /* lengths are given; else all are steps */
  int lengths[UWDNN_RNN_BATCH];
} uwdnn_rnn_call;

extern const char uwdnn_rnn_kind, uwdnn_rnn_data_kind;

static inline int uwdnn_rnn_gates(const uwdnn_rnn *rnn) {
  return rnn->mode == CUDNN_LSTM ? 4 : rnn->mode == CUDNN_GRU ? 3 : 1;
}
/* The size of h; of c it is hidden. */
static inline int64_t uwdnn_rnn_state(const uwdnn_rnn *rnn) { return rnn->projected ? rnn->projected : rnn->hidden; }
static inline int64_t uwdnn_rnn_input(const uwdnn_rnn *rnn, int layer) {
  return layer ? uwdnn_rnn_state(rnn) * rnn->directions : rnn->input;
}
/* The weights, in numbers: all matrices by pseudo-layers, then all biases. of: 0 input, 1 recurrent, 2 projection. -1:
 * there is none such. */
int64_t uwdnn_rnn_columns(const uwdnn_rnn *rnn, int pseudo_layer, int of); /* of a matrix, 0: there is none */
int64_t uwdnn_rnn_matrix(const uwdnn_rnn *rnn, int pseudo_layer, int of);
int64_t uwdnn_rnn_bias(const uwdnn_rnn *rnn, int pseudo_layer, int of);
int64_t uwdnn_rnn_weights(const uwdnn_rnn *rnn);
size_t uwdnn_rnn_reserve_bytes(const uwdnn_rnn *rnn, int64_t rows);

void uwdnn_rnn_work(const uwdnn_rnn_call *call);

#endif
