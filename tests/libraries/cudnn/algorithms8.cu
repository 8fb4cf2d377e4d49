/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN before 9: algorithms as objects, saved and restored, and what was measured of them. */
// library: libcudnn.so.8
#ifndef CUDNN_MAJOR
#define CUDNN_MAJOR 8
#endif
#include <vector>

#include "tensors.h"

int main() {
  GOOD(cudnnCreate(&handle));
  cudnnAlgorithmDescriptor_t one, other;
  cudnnAlgorithm_t given = {}, found = {};
  GOOD(cudnnCreateAlgorithmDescriptor(&one));
  GOOD(cudnnCreateAlgorithmDescriptor(&other));
  given.algo.convFwdAlgo = CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD;
  GOOD(cudnnSetAlgorithmDescriptor(one, given));
  GOOD(cudnnCopyAlgorithmDescriptor(one, other));
  GOOD(cudnnGetAlgorithmDescriptor(other, &found));
  CHECK(found.algo.convFwdAlgo == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
  BAD(cudnnGetAlgorithmDescriptor(other, nullptr));

  size_t bytes = 0;
  GOOD(cudnnGetAlgorithmSpaceSize(handle, one, &bytes));
  std::vector<char> space(bytes);
  GOOD(cudnnSaveAlgorithm(handle, one, space.data(), bytes));
  given.algo.RNNAlgo = CUDNN_RNN_ALGO_PERSIST_STATIC;
  GOOD(cudnnSetAlgorithmDescriptor(one, given));
  BAD(cudnnRestoreAlgorithm(handle, space.data(), bytes - 1, one));
  GOOD(cudnnGetAlgorithmDescriptor(one, &found));
  CHECK(found.algo.RNNAlgo == CUDNN_RNN_ALGO_PERSIST_STATIC);
  GOOD(cudnnRestoreAlgorithm(handle, space.data(), bytes, one));
  GOOD(cudnnGetAlgorithmDescriptor(one, &found));
  CHECK(found.algo.convFwdAlgo == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD);
  BAD(cudnnSaveAlgorithm(handle, one, nullptr, bytes));

  cudnnAlgorithmPerformance_t measured[3];
  cudnnAlgorithmDescriptor_t of;
  cudnnStatus_t status;
  float time = 0;
  size_t memory = 0;
  GOOD(cudnnCreateAlgorithmPerformance(measured, 3));
  GOOD(cudnnSetAlgorithmPerformance(measured[1], one, CUDNN_STATUS_NOT_SUPPORTED, 2.5f, 77));
  GOOD(cudnnDestroyAlgorithmDescriptor(one));
  GOOD(cudnnGetAlgorithmPerformance(measured[1], &of, &status, &time, &memory));
  GOOD(cudnnGetAlgorithmDescriptor(of, &found));
  CHECK(found.algo.convFwdAlgo == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD && time == 2.5f && memory == 77);
  NOT_SUPPORTED(status);
  BAD(cudnnSetAlgorithmPerformance(measured[0], one, CUDNN_STATUS_SUCCESS, 1, 1));
  GOOD(cudnnDestroyAlgorithmPerformance(measured, 3));
  BAD(cudnnDestroyAlgorithmPerformance(measured, 1));
  BAD(cudnnDestroyAlgorithmDescriptor(one));

  cudnnRNNDescriptor_t rnn;
  GOOD(cudnnCreateRNNDescriptor(&rnn));
  BAD(cudnnSetRNNAlgorithmDescriptor(handle, rnn, other)); /* not set yet */
  GOOD(cudnnSetRNNDescriptor_v6(handle, rnn, 6, 1, nullptr, CUDNN_LINEAR_INPUT, CUDNN_UNIDIRECTIONAL, CUDNN_LSTM,
                                CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_FLOAT));
  given.algo.RNNAlgo = CUDNN_RNN_ALGO_PERSIST_STATIC;
  GOOD(cudnnSetAlgorithmDescriptor(other, given));
  GOOD(cudnnSetRNNAlgorithmDescriptor(handle, rnn, other));
  cudnnRNNAlgo_t algo = CUDNN_RNN_ALGO_STANDARD;
  GOOD(cudnnGetRNNDescriptor_v6(handle, rnn, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &algo, nullptr));
  CHECK(algo == CUDNN_RNN_ALGO_PERSIST_STATIC);
  given.algo.RNNAlgo = CUDNN_RNN_ALGO_COUNT;
  GOOD(cudnnSetAlgorithmDescriptor(other, given));
  BAD(cudnnSetRNNAlgorithmDescriptor(handle, rnn, other));
  GOOD(cudnnDestroyRNNDescriptor(rnn));
  GOOD(cudnnDestroyAlgorithmDescriptor(other));
  GOOD(cudnnDestroy(handle));
  return report("algorithms");
}
