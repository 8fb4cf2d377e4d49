/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: recurrent networks against a loop over every sequence, layer and step, which reads the weights where the library says that they
 * lie; gradients against differences of that loop; the interfaces of before and since cuDNN 8; and calls that are to fail. */
#include <algorithm>
#include <numeric>

#include "rnn_reference.h"

#if CUDNN_MAJOR < 9
/* By descriptors of each step. */
template <class T> struct by_steps {
  const problem &p;
  cudnnRNNDescriptor_t rnn;
  cudnnDropoutDescriptor_t dropout;
  cudnnFilterDescriptor_t w;
  cudnnTensorDescriptor_t states, cells;
  std::vector<cudnnTensorDescriptor_t> x, y;
  size_t bytes = 0, reserve_bytes = 0, work_bytes = 0;
  /* Halves are computed in floats every other time. */
  cudnnDataType_t math_of() const {
    return type_of<T> == CUDNN_DATA_HALF && p.layers > 1 ? CUDNN_DATA_FLOAT : type_of<T>;
  }
  by_steps(const problem &p) : p(p) {
    cudnnCreateRNNDescriptor(&rnn), cudnnCreateDropoutDescriptor(&dropout), cudnnCreateFilterDescriptor(&w);
    cudnnCreateTensorDescriptor(&states), cudnnCreateTensorDescriptor(&cells);
    GOOD(cudnnSetDropoutDescriptor(dropout, handle, 0, nullptr, 0, 0));
    GOOD(cudnnSetRNNDescriptor_v6(
        handle, rnn, p.hidden, p.layers, dropout, p.skips ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT,
        (cudnnDirectionMode_t)(p.directions - 1), (cudnnRNNMode_t)p.mode, CUDNN_RNN_ALGO_STANDARD, math_of()));
    GOOD(cudnnSetRNNBiasMode(rnn, (cudnnRNNBiasMode_t)p.bias));
    if (p.projected)
      GOOD(cudnnSetRNNProjectionLayers(handle, rnn, p.projected, 0));
    int found = 0, none = 1;
    GOOD(cudnnGetRNNProjectionLayers(handle, rnn, &found, &none));
    CHECK(found == p.h() && none == 0);
    NOT_SUPPORTED(cudnnSetRNNProjectionLayers(handle, rnn, p.projected, 3));
    BAD(cudnnSetRNNProjectionLayers(handle, rnn, p.hidden + 1, 0));
    told();
    if (p.clip > 0)
      GOOD(cudnnRNNSetClip(handle, rnn, CUDNN_RNN_CLIP_MINMAX, CUDNN_NOT_PROPAGATE_NAN, -p.clip, p.clip));
    set_states<T>(p, states, p.h()), set_states<T>(p, cells, p.hidden);
    for (int t = 0; t < p.steps(); t++) {
      const int rows = (int)std::count_if(p.lengths.begin(), p.lengths.end(), [&](int length) { return length > t; });
      const int dx[] = {rows, p.input, 1}, sx[] = {p.input, 1, 1}, dy[] = {rows, p.output(), 1},
                sy[] = {p.output(), 1, 1};
      x.push_back(nullptr), y.push_back(nullptr);
      cudnnCreateTensorDescriptor(&x.back()), cudnnCreateTensorDescriptor(&y.back());
      GOOD(cudnnSetTensorNdDescriptor(x.back(), type_of<T>, 3, dx, sx));
      GOOD(cudnnSetTensorNdDescriptor(y.back(), type_of<T>, 3, dy, sy));
    }
    GOOD(cudnnGetRNNParamsSize(handle, rnn, x[0], &bytes, type_of<T>));
    const int dims[] = {(int)(bytes / sizeof(T)), 1, 1};
    GOOD(cudnnSetFilterNdDescriptor(w, type_of<T>, CUDNN_TENSOR_NCHW, 3, dims));
    GOOD(cudnnGetRNNTrainingReserveSize(handle, rnn, p.steps(), x.data(), &reserve_bytes));
    GOOD(cudnnGetRNNWorkspaceSize(handle, rnn, p.steps(), x.data(), &work_bytes));
  }
  ~by_steps() {
    for (auto one : x)
      cudnnDestroyTensorDescriptor(one);
    for (auto one : y)
      cudnnDestroyTensorDescriptor(one);
    cudnnDestroyTensorDescriptor(states), cudnnDestroyTensorDescriptor(cells), cudnnDestroyFilterDescriptor(w),
        cudnnDestroyDropoutDescriptor(dropout);
    cudnnDestroyRNNDescriptor(rnn);
  }
  void told() {
    int hidden = 0, layers = 0;
    cudnnDropoutDescriptor_t given;
    cudnnRNNInputMode_t input;
    cudnnDirectionMode_t direction;
    cudnnRNNMode_t mode;
    cudnnRNNAlgo_t algo;
    cudnnDataType_t type;
    GOOD(cudnnGetRNNDescriptor_v6(handle, rnn, &hidden, &layers, &given, &input, &direction, &mode, &algo, &type));
    CHECK(hidden == p.hidden && layers == p.layers && given == dropout && (int)direction == p.directions - 1);
    CHECK(input == (p.skips ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT) && (int)mode == p.mode);
    CHECK(algo == CUDNN_RNN_ALGO_STANDARD && type == math_of());
  }
  int found_count = 0;
  int *found() { return found_count = 0, &found_count; }
  void check_found(cudnnAlgorithmPerformance_t *results) {
    cudnnAlgorithmDescriptor_t of;
    cudnnAlgorithm_t algorithm;
    cudnnStatus_t status;
    float took = -1;
    size_t memory = 1;
    CHECK(found_count == 1);
    GOOD(cudnnGetAlgorithmPerformance(results[0], &of, &status, &took, &memory));
    GOOD(cudnnGetAlgorithmDescriptor(of, &algorithm));
    GOOD(status);
    CHECK(algorithm.algo.RNNAlgo == CUDNN_RNN_ALGO_STANDARD && took >= 0 && memory == 0);
    GOOD(cudnnSetRNNAlgorithmDescriptor(handle, rnn, of));
  }
  places find() {
    places found;
    device<T> weights(bytes / sizeof(T));
    cudnnFilterDescriptor_t part;
    cudnnCreateFilterDescriptor(&part);
    for (int pseudo = 0; pseudo < p.pseudo(); pseudo++)
      for (int id = 0; id < p.parts(); id++) {
        void *at = nullptr;
        int rank, dims[3];
        cudnnDataType_t type;
        cudnnTensorFormat_t format;
        GOOD(cudnnGetRNNLinLayerMatrixParams(handle, rnn, pseudo, x[0], w, weights, id, part, &at));
        GOOD(cudnnGetFilterNdDescriptor(part, 3, &type, &format, &rank, dims));
        const bool projects = id == 2 * p.gates(), skipped = p.skips && pseudo < p.directions && id < p.gates();
        CHECK(skipped ? !at && rank == 0 : rank == 3 && dims[0] == 1 && dims[1] == (projects ? p.projected : p.hidden));
        if (!skipped)
          CHECK(dims[2] == (projects                 ? p.hidden
                            : id >= p.gates()        ? p.h()
                            : pseudo >= p.directions ? p.output()
                                                     : p.input));
        found.matrix.push_back(skipped ? -1 : (T *)at - weights.at);
        const bool has =
            !projects && (p.bias == CUDNN_RNN_DOUBLE_BIAS ||
                          p.bias == (id < p.gates() ? CUDNN_RNN_SINGLE_INP_BIAS : CUDNN_RNN_SINGLE_REC_BIAS));
        const cudnnStatus_t status =
            cudnnGetRNNLinLayerBiasParams(handle, rnn, pseudo, x[0], w, weights, id, part, &at);
        CHECK((status == CUDNN_STATUS_SUCCESS) == has);
        found.bias.push_back(has ? (T *)at - weights.at : -1);
      }
    cudnnDestroyFilterDescriptor(part);
    return found;
  }
  void run(state &s) {
    const int layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
    memory<T> m(p, layout, s), again(p, layout, s);
    device<unsigned char> reserve(reserve_bytes), work(work_bytes);
    memory<T> tried(p, layout, s);
    cudnnAlgorithmPerformance_t results[2];
    GOOD(cudnnCreateAlgorithmPerformance(results, 2));
    GOOD(cudnnFindRNNForwardInferenceAlgorithmEx(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, cells, m.cx, w,
                                                 m.w, y.data(), tried.y, states, tried.hy, cells, tried.cy, 0, 2,
                                                 found(), results, work, work_bytes));
    check_found(results);
    GOOD(cudnnFindRNNForwardTrainingAlgorithmEx(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, cells, m.cx, w,
                                                m.w, y.data(), tried.y, states, tried.hy, cells, tried.cy, 0, 2,
                                                found(), results, work, work_bytes, reserve, reserve_bytes));
    check_found(results);
    BAD(cudnnFindRNNForwardTrainingAlgorithmEx(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, cells, m.cx, w, m.w,
                                               y.data(), tried.y, states, tried.hy, cells, tried.cy, 0, 0, found(),
                                               results, work, work_bytes, reserve, reserve_bytes));
    GOOD(cudnnRNNForwardInference(handle, rnn, p.steps(), x.data(), again.x, states, again.hx, cells, again.cx, w,
                                  again.w, y.data(), again.y, states, again.hy, cells, again.cy, work, work_bytes));
    GOOD(cudnnRNNForwardTraining(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, cells, m.cx, w, m.w, y.data(),
                                 m.y, states, m.hy, cells, m.cy, work, work_bytes, reserve, reserve_bytes));
    GOOD(cudnnFindRNNBackwardDataAlgorithmEx(handle, rnn, p.steps(), y.data(), m.y, y.data(), m.dy, states, m.dhy,
                                             cells, m.dcy, w, m.w, states, m.hx, cells, m.cx, x.data(), tried.dx,
                                             states, tried.dhx, cells, tried.dcx, 0, 2, found(), results, work,
                                             work_bytes, reserve, reserve_bytes));
    check_found(results);
    GOOD(cudnnRNNBackwardData(handle, rnn, p.steps(), y.data(), m.y, y.data(), m.dy, states, m.dhy, cells, m.dcy, w,
                              m.w, states, m.hx, cells, m.cx, x.data(), m.dx, states, m.dhx, cells, m.dcx, work,
                              work_bytes, reserve, reserve_bytes));
    GOOD(cudnnFindRNNBackwardWeightsAlgorithmEx(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, y.data(), m.y, 0,
                                                2, found(), results, work, work_bytes, w, m.dw, reserve,
                                                reserve_bytes));
    check_found(results);
    GOOD(cudnnDestroyAlgorithmPerformance(results, 2));
    GOOD(cudnnRNNBackwardWeights(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, y.data(), m.y, work, work_bytes,
                                 w, m.dw, reserve, reserve_bytes));
    cudaDeviceSynchronize();
    CHECK(get_rows(p, layout, p.output(), again.y) == get_rows(p, layout, p.output(), m.y) &&
          read(again.hy) == read(m.hy));
    m.results(p, layout, s);
    BAD(cudnnRNNForwardTraining(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, cells, m.cx, w, m.w, y.data(), m.y,
                                states, m.hy, cells, m.cy, work, work_bytes, reserve, reserve_bytes - 1));
    BAD(cudnnRNNForwardTraining(handle, rnn, p.steps(), y.data(), m.x, states, m.hx, cells, m.cx, w, m.w, x.data(), m.y,
                                states, m.hy, cells, m.cy, work, work_bytes, reserve, reserve_bytes));
    BAD(cudnnRNNForwardInference(handle, rnn, p.steps(), x.data(), m.x, states, m.hx, cells, m.cx, w, nullptr, y.data(),
                                 m.y, states, m.hy, cells, m.cy, work, work_bytes));
  }
};

/* The same network, with a sequence that is described at once. */
template <class T> struct by_sequence_before : by_steps<T> {
  int layout;
  using by_steps<T>::p, by_steps<T>::rnn, by_steps<T>::w, by_steps<T>::states, by_steps<T>::cells;
  by_sequence_before(const problem &of, int layout) : by_steps<T>(of), layout(layout) {}
  void run(state &s) {
    memory<T> m(p, layout, s), again(p, layout, s);
    device<unsigned char> reserve(this->reserve_bytes), work(this->work_bytes);
    const size_t work_bytes = this->work_bytes, reserve_bytes = this->reserve_bytes;
    cudnnRNNDataDescriptor_t x, y;
    cudnnCreateRNNDataDescriptor(&x), cudnnCreateRNNDataDescriptor(&y);
    const auto as = (cudnnRNNDataLayout_t)layout;
    cudnnRNNPaddingMode_t padding = CUDNN_RNN_PADDED_IO_DISABLED;
    GOOD(cudnnSetRNNPaddingMode(rnn, CUDNN_RNN_PADDED_IO_ENABLED));
    GOOD(cudnnGetRNNPaddingMode(rnn, &padding));
    CHECK(padding == CUDNN_RNN_PADDED_IO_ENABLED);
    GOOD(cudnnSetRNNDataDescriptor(x, type_of<T>, as, p.steps(), p.batch(), p.input, p.lengths.data(), nullptr));
    GOOD(cudnnSetRNNDataDescriptor(y, type_of<T>, as, p.steps(), p.batch(), p.output(), p.lengths.data(), nullptr));
    GOOD(cudnnRNNForwardInferenceEx(handle, rnn, x, again.x, states, again.hx, cells, again.cx, w, again.w, y, again.y,
                                    states, again.hy, cells, again.cy, nullptr, nullptr, nullptr, nullptr, nullptr,
                                    nullptr, nullptr, nullptr, work, work_bytes));
    GOOD(cudnnRNNForwardTrainingEx(handle, rnn, x, m.x, states, m.hx, cells, m.cx, w, m.w, y, m.y, states, m.hy, cells,
                                   m.cy, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, work,
                                   work_bytes, reserve, reserve_bytes));
    GOOD(cudnnRNNBackwardDataEx(handle, rnn, y, m.y, y, m.dy, nullptr, nullptr, states, m.dhy, cells, m.dcy, w, m.w,
                                states, m.hx, cells, m.cx, x, m.dx, states, m.dhx, cells, m.dcx, nullptr, nullptr, work,
                                work_bytes, reserve, reserve_bytes));
    GOOD(cudnnRNNBackwardWeightsEx(handle, rnn, x, m.x, states, m.hx, y, m.y, work, work_bytes, w, m.dw, reserve,
                                   reserve_bytes));
    NOT_SUPPORTED(cudnnRNNForwardInferenceEx(handle, rnn, x, m.x, states, m.hx, cells, m.cx, w, m.w, y, m.y, states,
                                             m.hy, cells, m.cy, nullptr, m.x, nullptr, nullptr, nullptr, nullptr,
                                             nullptr, nullptr, work, work_bytes));
    BAD(cudnnRNNForwardInferenceEx(handle, rnn, y, m.y, states, m.hx, cells, m.cx, w, m.w, x, m.x, states, m.hy, cells,
                                   m.cy, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, work,
                                   work_bytes));
    cudaDeviceSynchronize();
    CHECK(get_rows(p, layout, p.output(), again.y) == get_rows(p, layout, p.output(), m.y) &&
          read(again.hy) == read(m.hy));
    m.results(p, layout, s);
    cudnnDestroyRNNDataDescriptor(x), cudnnDestroyRNNDataDescriptor(y);
  }
};
#endif

#if CUDNN_MAJOR >= 8
/* By descriptors of the sequence. */
template <class T> struct by_sequence {
  const problem &p;
  int layout;
  cudnnRNNDescriptor_t rnn;
  cudnnRNNDataDescriptor_t x, y;
  cudnnTensorDescriptor_t states, cells;
  size_t bytes = 0, reserve_bytes = 0, work_bytes = 0;
  by_sequence(const problem &p, int layout) : p(p), layout(layout) {
    cudnnCreateRNNDescriptor(&rnn), cudnnCreateRNNDataDescriptor(&x), cudnnCreateRNNDataDescriptor(&y);
    cudnnCreateTensorDescriptor(&states), cudnnCreateTensorDescriptor(&cells);
    GOOD(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, (cudnnRNNMode_t)p.mode, (cudnnRNNBiasMode_t)p.bias,
                                  (cudnnDirectionMode_t)(p.directions - 1),
                                  p.skips ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT, type_of<T>, CUDNN_DATA_FLOAT,
                                  CUDNN_DEFAULT_MATH, p.input, p.hidden, p.h(), p.layers, nullptr,
                                  CUDNN_RNN_PADDED_IO_ENABLED));
    told();
    if (p.clip > 0)
      GOOD(cudnnRNNSetClip_v8(rnn, CUDNN_RNN_CLIP_MINMAX, CUDNN_NOT_PROPAGATE_NAN, -p.clip, p.clip));
    cudnnRNNClipMode_t mode;
    cudnnNanPropagation_t nan;
    double least = 0, most = 0;
    GOOD(cudnnRNNGetClip_v8(rnn, &mode, &nan, &least, &most));
    CHECK(mode == (p.clip > 0 ? CUDNN_RNN_CLIP_MINMAX : CUDNN_RNN_CLIP_NONE) && least == -p.clip && most == p.clip);
    T filler = make<T>(7);
    const auto as = (cudnnRNNDataLayout_t)layout;
    GOOD(cudnnSetRNNDataDescriptor(x, type_of<T>, as, p.steps(), p.batch(), p.input, p.lengths.data(), nullptr));
    GOOD(cudnnSetRNNDataDescriptor(y, type_of<T>, as, p.steps(), p.batch(), p.output(), p.lengths.data(), &filler));
    set_states<T>(p, states, p.h()), set_states<T>(p, cells, p.hidden);
    GOOD(cudnnGetRNNWeightSpaceSize(handle, rnn, &bytes));
    GOOD(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_TRAINING, x, &work_bytes, &reserve_bytes));
  }
  void told() {
    cudnnRNNAlgo_t algo;
    cudnnRNNMode_t mode;
    cudnnRNNBiasMode_t bias;
    cudnnDirectionMode_t direction;
    cudnnRNNInputMode_t input;
    cudnnDataType_t type, compute;
    cudnnMathType_t math;
    int32_t sizes[4] = {};
    cudnnDropoutDescriptor_t dropout;
    uint32_t flags = 0;
    GOOD(cudnnGetRNNDescriptor_v8(rnn, &algo, &mode, &bias, &direction, &input, &type, &compute, &math, &sizes[0],
                                  &sizes[1], &sizes[2], &sizes[3], &dropout, &flags));
    CHECK(algo == CUDNN_RNN_ALGO_STANDARD && (int)mode == p.mode && (int)bias == p.bias);
    CHECK((int)direction == p.directions - 1 && input == (p.skips ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT));
    CHECK(type == type_of<T> && compute == CUDNN_DATA_FLOAT && math == CUDNN_DEFAULT_MATH && !dropout);
    CHECK(sizes[0] == p.input && sizes[1] == p.hidden && sizes[2] == p.h() && sizes[3] == p.layers);
    CHECK(flags == CUDNN_RNN_PADDED_IO_ENABLED);
  }
  ~by_sequence() {
    cudnnDestroyRNNDataDescriptor(x), cudnnDestroyRNNDataDescriptor(y), cudnnDestroyTensorDescriptor(states);
    cudnnDestroyRNNDescriptor(rnn);
  }
  places find() {
    places found;
    device<T> weights(bytes / sizeof(T));
    cudnnTensorDescriptor_t matrix, bias;
    cudnnCreateTensorDescriptor(&matrix), cudnnCreateTensorDescriptor(&bias);
    for (int pseudo = 0; pseudo < p.pseudo(); pseudo++)
      for (int id = 0; id < p.parts(); id++) {
        void *at = nullptr, *bias_at = nullptr;
        GOOD(cudnnGetRNNWeightParams(handle, rnn, pseudo, bytes, weights, id, matrix, &at, bias, &bias_at));
        // One of the two alone, as PyTorch asks.
        void *at_alone = nullptr, *bias_alone = nullptr;
        GOOD(cudnnGetRNNWeightParams(handle, rnn, pseudo, bytes, weights, id, matrix, &at_alone, nullptr, nullptr));
        GOOD(cudnnGetRNNWeightParams(handle, rnn, pseudo, bytes, weights, id, nullptr, nullptr, bias, &bias_alone));
        CHECK(at_alone == at && bias_alone == bias_at);
        CHECK((at == nullptr) == (p.skips && pseudo < p.directions && id < p.gates()));
        found.matrix.push_back(at ? (T *)at - weights.at : -1);
        found.bias.push_back(bias_at ? (T *)bias_at - weights.at : -1);
      }
    cudnnDestroyTensorDescriptor(matrix), cudnnDestroyTensorDescriptor(bias);
    return found;
  }
  void run(state &s) {
    memory<T> m(p, layout, s), again(p, layout, s);
    device<unsigned char> reserve(reserve_bytes), work(work_bytes);
    device<int> lengths((size_t)p.batch());
    std::copy(p.lengths.begin(), p.lengths.end(), lengths.at);
    GOOD(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_INFERENCE, lengths, x, again.x, y, again.y, states, again.hx,
                         again.hy, cells, again.cx, again.cy, bytes, again.w, work_bytes, work, 0, nullptr));
    GOOD(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_TRAINING, lengths, x, m.x, y, m.y, states, m.hx, m.hy, cells, m.cx,
                         m.cy, bytes, m.w, work_bytes, work, reserve_bytes, reserve));
    GOOD(cudnnRNNBackwardData_v8(handle, rnn, lengths, y, m.y, m.dy, x, m.dx, states, m.hx, m.dhy, m.dhx, cells, m.cx,
                                 m.dcy, m.dcx, bytes, m.w, work_bytes, work, reserve_bytes, reserve));
    GOOD(cudnnRNNBackwardWeights_v8(handle, rnn, CUDNN_WGRAD_MODE_ADD, lengths, x, m.x, states, m.hx, y, m.y, bytes,
                                    m.dw, work_bytes, work, reserve_bytes, reserve));
    cudaDeviceSynchronize();
    CHECK(get_rows(p, layout, p.output(), again.y) == get_rows(p, layout, p.output(), m.y) &&
          read(again.hy) == read(m.hy));
    if (layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED)
      for (int b = 0; b < p.batch(); b++)
        if (p.lengths[(size_t)b] < p.steps())
          CHECK(value(m.y[row_of(p, layout, b, p.steps() - 1) * (size_t)p.output()]) == 7.);
    m.results(p, layout, s);
    BAD(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_TRAINING, lengths, x, m.x, y, m.y, states, m.hx, m.hy, cells, m.cx,
                        m.cy, bytes - 1, m.w, work_bytes, work, reserve_bytes, reserve));
    BAD(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_TRAINING, lengths, x, m.x, x, m.y, states, m.hx, m.hy, cells, m.cx,
                        m.cy, bytes, m.w, work_bytes, work, reserve_bytes, reserve));
    BAD(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_TRAINING, lengths, x, m.x, y, m.y, states, m.hx, m.hy, cells, m.cx,
                        m.cy, bytes, m.w, work_bytes, work, 0, nullptr));
  }
};
#endif

static void same(const char *what, const numbers &found, const numbers &expected, double tolerance) {
  size_t differ = found.size() != expected.size();
  for (size_t i = 0; i < std::min(found.size(), expected.size()); i++)
    if (!(std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i]))) && differ++ < 2)
      printf("%s, number %zu: %g is not %g\n", what, i, found[i], expected[i]);
  CHECK(!differ);
}

/* Some of the gradients against differences of the reference, but where those of the two sides differ (ReLU). */
static void differences(const reference &r, const state &s, const numbers state::*of, const numbers &found,
                        double tolerance) {
  const double here = r.loss(s);
  for (size_t i = 0; i < found.size(); i += 1 + found.size() / 23) {
    state moved = s;
    const double h = 1e-5;
    (moved.*const_cast<numbers state::*>(of))[i] += h;
    const double more = r.loss(moved);
    (moved.*const_cast<numbers state::*>(of))[i] -= 2 * h;
    const double less = r.loss(moved), slope = (more - less) / (2 * h);
    if (std::abs(more + less - 2 * here) / h > 1e-3)
      continue;
    if (!(std::abs(found[i] - slope) <= tolerance * (2 + std::abs(slope))))
      printf("gradient %zu of %zu: %g is not %g\n", i, found.size(), found[i], slope);
    CHECK(std::abs(found[i] - slope) <= tolerance * (2 + std::abs(slope)));
  }
}

template <class T, class I> static void check(const problem &p, I &by) {
  state s;
  const places at = by.find();
  const size_t rows = (size_t)std::accumulate(p.lengths.begin(), p.lengths.end(), 0);
  s.x.resize(rows * (size_t)p.input), s.w.resize(by.bytes / sizeof(T));
  s.hx.resize((size_t)(p.pseudo() * p.batch() * p.h())), s.cx.resize((size_t)(p.pseudo() * p.batch() * p.hidden));
  for (numbers *of : {&s.x, &s.hx, &s.cx, &s.w})
    for (double &one : *of)
      one = value(make<T>(next_number() * (of == &s.w ? 0.4 : 1))).real();
  const reference r = {p, at};
  state expected = s;
  r.run(expected);
  by.run(s);
  const double tolerance = std::max(precision<T> * 20, 1e-9);
  same("y", s.y, expected.y, tolerance);
  same("hy", s.hy, expected.hy, tolerance);
  const double slope = std::max(precision<T> * 60, 1e-6);
  differences(r, s, &state::x, s.dx, slope);
  differences(r, s, &state::hx, s.dhx, slope);
  differences(r, s, &state::w, s.dw, slope);
  if (p.mode == CUDNN_LSTM) {
    same("cy", s.cy, expected.cy, tolerance);
    differences(r, s, &state::cx, s.dcx, slope);
  }
}

template <class T> static void sweep() {
  int turn = 0;
  for (int mode = 0; mode < 4; mode++)
    for (int layers = 1; layers < 4; layers += 2)
      for (int directions = 1; directions < 3; directions++, turn++) {
        if (mode == CUDNN_RNN_RELU && sizeof(T) < 4)
          continue; /* its slopes jump */
        const problem even = {mode, layers, directions, 5, 4, turn % 4, {4, 4, 4}},
                      uneven = {mode, layers, directions, 3, 6, CUDNN_RNN_DOUBLE_BIAS, {7, 5, 5, 2, 1}};
#if CUDNN_MAJOR < 9
        for (const problem *p : {&even, &uneven}) {
          by_steps<T> by(*p);
          check<T>(*p, by);
          by_sequence_before<T> after(*p, turn % 3);
          check<T>(*p, after);
        }
#endif
#if CUDNN_MAJOR >= 8
        for (int layout = 0; layout < 3; layout++)
          for (problem p : {even, uneven}) {
            if (layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED && p.lengths.size() > 4)
              std::swap(p.lengths[1], p.lengths[3]); /* in any order */
            by_sequence<T> by(p, layout);
            check<T>(p, by);
          }
#endif
      }
}

template <class T> static void check_one(const problem &p) {
#if CUDNN_MAJOR < 9
  by_steps<T> before(p);
  check<T>(p, before);
  by_sequence_before<T> after(p, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED);
  check<T>(p, after);
#endif
#if CUDNN_MAJOR >= 8
  by_sequence<T> by(p, CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED);
  check<T>(p, by);
#endif
}

/* LSTM's h smaller than its c, and no matrix for the first layer's input. */
template <class T> static void projected_and_skipped() {
  check_one<T>({CUDNN_LSTM, 1, 1, 5, 4, CUDNN_RNN_DOUBLE_BIAS, {4, 4, 4}, 0, 3});
  check_one<T>({CUDNN_LSTM, 3, 2, 5, 6, CUDNN_RNN_SINGLE_INP_BIAS, {6, 4, 4, 1}, 0.3, 2});
  check_one<T>({CUDNN_LSTM, 2, 2, 6, 6, CUDNN_RNN_SINGLE_REC_BIAS, {5, 3}, 0, 4, true});
  check_one<T>({CUDNN_GRU, 2, 2, 5, 5, CUDNN_RNN_DOUBLE_BIAS, {5, 3, 2}, 0, 0, true});
  check_one<T>({CUDNN_RNN_TANH, 1, 2, 5, 5, CUDNN_RNN_NO_BIAS, {5, 5}, 0, 0, true});
}

/* What is not there: a projection of others than LSTM, and an input that cannot be skipped. */
static void refused() {
  cudnnRNNDescriptor_t rnn;
  GOOD(cudnnCreateRNNDescriptor(&rnn));
#if CUDNN_MAJOR >= 8
  BAD(cudnnGetRNNDescriptor_v8(rnn, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                               nullptr, nullptr, nullptr, nullptr, nullptr));
#endif
#if CUDNN_MAJOR < 9
  cudnnPersistentRNNPlan_t plan;
  const auto set_dynamic = [&](cudnnRNNAlgo_t algo) {
    GOOD(cudnnSetRNNDescriptor_v6(handle, rnn, 6, 1, nullptr, CUDNN_LINEAR_INPUT, CUDNN_UNIDIRECTIONAL, CUDNN_LSTM,
                                  algo, CUDNN_DATA_FLOAT));
  };
  int count = 0;
  GOOD(cudnnGetRNNForwardInferenceAlgorithmMaxCount(handle, rnn, &count));
  GOOD(cudnnGetRNNForwardTrainingAlgorithmMaxCount(handle, rnn, &count));
  GOOD(cudnnGetRNNBackwardDataAlgorithmMaxCount(handle, rnn, &count));
  GOOD(cudnnGetRNNBackwardWeightsAlgorithmMaxCount(handle, rnn, &count));
  CHECK(count == 1);
  BAD(cudnnGetRNNBackwardWeightsAlgorithmMaxCount(handle, rnn, nullptr));
  set_dynamic(CUDNN_RNN_ALGO_STANDARD);
  BAD(cudnnCreatePersistentRNNPlan(rnn, 4, CUDNN_DATA_FLOAT, &plan));
  set_dynamic(CUDNN_RNN_ALGO_PERSIST_DYNAMIC);
  GOOD(cudnnCreatePersistentRNNPlan(rnn, 4, CUDNN_DATA_FLOAT, &plan));
  GOOD(cudnnSetPersistentRNNPlan(rnn, plan));
  GOOD(cudnnDestroyPersistentRNNPlan(plan));
  BAD(cudnnSetPersistentRNNPlan(rnn, plan));
#endif
#if CUDNN_MAJOR >= 8
  const auto set = [&](cudnnRNNMode_t mode, cudnnRNNInputMode_t input, int projected) {
    return cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, mode, CUDNN_RNN_NO_BIAS, CUDNN_UNIDIRECTIONAL, input,
                                    CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, 4, 6, projected, 1, nullptr,
                                    0);
  };
  NOT_SUPPORTED(set(CUDNN_GRU, CUDNN_LINEAR_INPUT, 3));
  BAD(set(CUDNN_LSTM, CUDNN_LINEAR_INPUT, 7));
  BAD(set(CUDNN_LSTM, CUDNN_SKIP_INPUT, 0));
  GOOD(set(CUDNN_LSTM, CUDNN_LINEAR_INPUT, 0));
  BAD(cudnnBuildRNNDynamic(handle, rnn, 4)); /* not that algorithm */
  GOOD(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_PERSIST_DYNAMIC, CUDNN_LSTM, CUDNN_RNN_NO_BIAS,
                                CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT,
                                CUDNN_DEFAULT_MATH, 4, 6, 6, 1, nullptr, 0));
  GOOD(cudnnBuildRNNDynamic(handle, rnn, 4));
  BAD(cudnnBuildRNNDynamic(handle, rnn, 0));
#endif
  GOOD(cudnnDestroyRNNDescriptor(rnn));
}

static void clipped() {
  const problem p = {CUDNN_LSTM, 2, 2, 5, 4, CUDNN_RNN_DOUBLE_BIAS, {6, 4, 3}, 0.25};
#if CUDNN_MAJOR < 9
  by_steps<double> before(p);
  check<double>(p, before);
#endif
#if CUDNN_MAJOR >= 8
  by_sequence<double> by(p, CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED);
  check<double>(p, by);
#endif
}

#if CUDNN_MAJOR >= 8
/* Dropout between layers: the seed decides what is dropped, gradients are those of what was computed, and inference drops nothing. */
struct dropping {
  const problem p = {CUDNN_LSTM, 3, 1, 4, 5, CUDNN_RNN_DOUBLE_BIAS, {5, 5, 3}};
  by_sequence<double> by;
  cudnnDropoutDescriptor_t dropout;
  size_t states_bytes = 0;
  device<unsigned char> states, reserve, work;
  memory<double> m;
  static size_t bytes_of_states() {
    size_t bytes = 0;
    GOOD(cudnnDropoutGetStatesSize(handle, &bytes));
    return bytes;
  }
  static state random(const problem &p, size_t weights) {
    state s;
    s.x.resize(13 * (size_t)p.input), s.w.resize(weights), s.hx.resize((size_t)(p.pseudo() * p.batch() * p.hidden));
    s.cx.resize(s.hx.size());
    for (numbers *of : {&s.x, &s.hx, &s.cx, &s.w})
      for (double &one : *of)
        one = next_number() * (of == &s.w ? 0.5 : 1);
    return s;
  }
  dropping(float probability)
      : by(p, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED), states_bytes(bytes_of_states()), states(states_bytes),
        reserve(prepare(probability)), work(by.work_bytes), m(p, by.layout, random(p, by.bytes / sizeof(double))) {}
  size_t prepare(float probability) {
    cudnnCreateDropoutDescriptor(&dropout);
    GOOD(cudnnSetDropoutDescriptor(dropout, handle, probability, states, states_bytes, 1));
    GOOD(cudnnSetRNNDescriptor_v8(by.rnn, CUDNN_RNN_ALGO_STANDARD, (cudnnRNNMode_t)p.mode, CUDNN_RNN_DOUBLE_BIAS,
                                  CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE,
                                  CUDNN_DEFAULT_MATH, p.input, p.hidden, p.hidden, p.layers, dropout, 0));
    GOOD(cudnnGetRNNTempSpaceSizes(handle, by.rnn, CUDNN_FWD_MODE_TRAINING, by.x, &by.work_bytes, &by.reserve_bytes));
    return by.reserve_bytes;
  }
  ~dropping() { cudnnDestroyDropoutDescriptor(dropout); }
  double loss(unsigned long long seed, bool trains = true) {
    GOOD(cudnnSetDropoutDescriptor(dropout, handle, 0.4f, states, states_bytes, seed));
    GOOD(cudnnRNNForward(handle, by.rnn, trains ? CUDNN_FWD_MODE_TRAINING : CUDNN_FWD_MODE_INFERENCE, nullptr, by.x,
                         m.x, by.y, m.y, by.states, m.hx, m.hy, by.cells, m.cx, m.cy, by.bytes, m.w, by.work_bytes,
                         work, by.reserve_bytes, reserve));
    cudaDeviceSynchronize();
    double sum = 0;
    for (size_t i = 0; i < 13 * (size_t)p.output(); i++)
      sum += m.y[i] * m.dy[i];
    return sum;
  }
  void gradients(device<double> &of, const device<double> &found, size_t count, double before) {
    for (size_t i = 0; i < count; i += 1 + count / 19) {
      const double kept = of[i], h = 1e-5;
      of[i] = kept + h;
      const double more = loss(3);
      of[i] = kept - h;
      const double slope = (more - loss(3)) / (2 * h);
      of[i] = kept;
      CHECK(std::abs(found[i] - before - slope) < 1e-6 * (2 + std::abs(slope)));
    }
  }
  void check() {
    const double first = loss(3);
    GOOD(cudnnRNNBackwardData_v8(handle, by.rnn, nullptr, by.y, m.y, m.dy, by.x, m.dx, by.states, m.hx, nullptr, m.dhx,
                                 by.cells, m.cx, nullptr, m.dcx, by.bytes, m.w, by.work_bytes, work, by.reserve_bytes,
                                 reserve));
    GOOD(cudnnRNNBackwardWeights_v8(handle, by.rnn, CUDNN_WGRAD_MODE_ADD, nullptr, by.x, m.x, by.states, m.hx, by.y,
                                    m.y, by.bytes, m.dw, by.work_bytes, work, by.reserve_bytes, reserve));
    cudaDeviceSynchronize();
    CHECK(loss(3) == first && loss(4) != first);
    gradients(m.x, m.dx, 13 * (size_t)p.input, 0);
    gradients(m.w, m.dw, m.w.count, 1);
    const double whole = loss(3, false);
    CHECK(whole == loss(9, false) && whole != first);
  }
};
#endif

int main() {
  GOOD(cudnnCreate(&handle));
  clipped();
  refused();
  projected_and_skipped<double>();
  projected_and_skipped<float>();
#if CUDNN_MAJOR >= 8
  dropping(0.4f).check();
#endif
  sweep<float>();
  sweep<double>();
  sweep<__half>();
  cudnnDestroy(handle);
  return report("rnn");
}
