/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: the loss of connectionist temporal classification against a sum over every way to write a sequence of labels, and its gradients against
 * differences of that; labels on the host and on the device; bad input. */
#include <cmath>

#include "tensors.h"

enum { STEPS = 5, BATCH = 5, LETTERS = 4, ROW = BATCH * LETTERS };
static const std::vector<std::vector<int>> words = {{1, 2}, {3, 3}, {2}, {}, {1, 2, 3, 1, 2}};
static const int inputs[BATCH] = {5, 4, 5, 3, 4}; /* the last cannot be written in four */

/* The probability, by every sequence of letters that there is. */
static double probability(const numbers &x, int n) {
  double sum = 0;
  int ways = 1;
  for (int t = 0; t < inputs[n]; t++)
    ways *= LETTERS;
  for (int way = 0; way < ways; way++) {
    std::vector<int> written;
    double product = 1;
    for (int t = 0, rest = way, before = 0; t < inputs[n]; t++, rest /= LETTERS) {
      const int letter = rest % LETTERS;
      const double *row = &x[(size_t)(t * ROW + n * LETTERS)];
      double all = 0;
      for (int a = 0; a < LETTERS; a++)
        all += std::exp(row[a]);
      product *= std::exp(row[letter]) / all;
      if (letter && letter != before)
        written.push_back(letter);
      before = letter;
    }
    if (written == words[(size_t)n])
      sum += product;
  }
  return sum;
}

static void softmax(tensor<float> &x) {
  for (size_t row = 0; row < x.count; row += LETTERS) {
    double all = 0;
    for (size_t a = row; a < row + LETTERS; a++)
      all += std::exp(x[a]);
    for (size_t a = row; a < row + LETTERS; a++)
      x.memory[x.place(a)] = (float)(std::exp(x[a]) / all);
  }
}

static void check(const tensor<float> &costs, const tensor<float> &gradients, const numbers &x, bool skipped) {
  for (int n = 0; n < BATCH; n++) {
    const double found = probability(x, n);
    CHECK(found > 0 ? std::abs(costs[(size_t)n] + std::log(found)) < 1e-5 : costs[(size_t)n] == INFINITY);
    for (int t = 0; t < STEPS; t++)
      for (int a = 0; a < LETTERS; a++) {
        const size_t i = (size_t)(t * ROW + n * LETTERS + a);
        numbers more = x, less = x;
        more[i] += 1e-5, less[i] -= 1e-5;
        const double slope = found > 0 ? std::log(probability(less, n) / probability(more, n)) / 2e-5 : 0;
        CHECK(std::abs(gradients[i] - (skipped && t >= inputs[n] ? 7 : slope)) < 1e-5);
      }
  }
}

int main() {
  GOOD(cudnnCreate(&handle));
  cudnnCTCLossDescriptor_t ctc;
  GOOD(cudnnCreateCTCLossDescriptor(&ctc));
  std::vector<int> labels, lengths;
  for (const auto &word : words) {
    labels.insert(labels.end(), word.begin(), word.end());
    lengths.push_back((int)word.size());
  }
  tensor<float> x({STEPS, BATCH, LETTERS}), gradients({STEPS, BATCH, LETTERS}, HOLES), costs({BATCH});
  const numbers all = x.all();
  size_t bytes = 0;
  BAD(cudnnGetCTCLossWorkspaceSize(handle, x.as, gradients.as, labels.data(), lengths.data(), inputs,
                                   CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, ctc, &bytes)); /* not set */
  GOOD(cudnnSetCTCLossDescriptorEx(ctc, CUDNN_DATA_FLOAT, CUDNN_LOSS_NORMALIZATION_SOFTMAX, CUDNN_NOT_PROPAGATE_NAN));
  GOOD(cudnnGetCTCLossWorkspaceSize(handle, x.as, gradients.as, labels.data(), lengths.data(), inputs,
                                    CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, ctc, &bytes));
  device<unsigned char> work(bytes);
  const auto from_host = [&](size_t room) {
    return cudnnCTCLoss(handle, x.as, x, labels.data(), lengths.data(), inputs, costs, gradients.as, gradients,
                        CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, ctc, work, room);
  };
  BAD(from_host(bytes - 1));
  GOOD(from_host(bytes));
  cudaDeviceSynchronize();
  check(costs, gradients, all, false);
  labels[0] = LETTERS;
  BAD(from_host(bytes));
  labels[0] = 1;
#if CUDNN_MAJOR >= 8
  device<int> on_device(labels.size()), device_lengths(BATCH), device_inputs(BATCH);
  std::copy(labels.begin(), labels.end(), on_device.at);
  std::copy(lengths.begin(), lengths.end(), device_lengths.at);
  std::copy(inputs, inputs + BATCH, device_inputs.at);
  gradients.fill([](size_t) { return 7.; });
#if CUDNN_MAJOR >= 9
  GOOD(cudnnSetCTCLossDescriptor_v9(ctc, CUDNN_DATA_FLOAT, CUDNN_LOSS_NORMALIZATION_SOFTMAX,
                                    CUDNN_CTC_SKIP_OOB_GRADIENTS, 255));
#else
  GOOD(cudnnSetCTCLossDescriptor_v8(ctc, CUDNN_DATA_FLOAT, CUDNN_LOSS_NORMALIZATION_SOFTMAX, CUDNN_NOT_PROPAGATE_NAN,
                                    255));
#endif
  GOOD(cudnnCTCLoss_v8(handle, CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC, ctc, x.as, x, on_device, device_lengths,
                       device_inputs, costs, gradients.as, gradients, 0, nullptr));
  cudaDeviceSynchronize();
  check(costs, gradients, all, CUDNN_MAJOR >= 9);
#endif
  /* Of probabilities the gradients are still by what they are the softmax of. */
  softmax(x);
  GOOD(cudnnSetCTCLossDescriptor(ctc, CUDNN_DATA_FLOAT));
  GOOD(from_host(bytes));
  cudaDeviceSynchronize();
  check(costs, gradients, all, false);
  NOT_SUPPORTED(cudnnSetCTCLossDescriptor(ctc, CUDNN_DATA_DOUBLE));
  GOOD(cudnnDestroyCTCLossDescriptor(ctc));
  GOOD(cudnnDestroy(handle));
  return report("ctc");
}
