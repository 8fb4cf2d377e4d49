/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * cuDNN: multi-head attention against loops over every head, step and number, which read the weights where the library says that they lie;
 * gradients against differences of those loops; step by step against all at once; and calls that are to fail. */
#include <algorithm>
#include <array>

#include "tensors.h"

enum { Q, K, V, O };
using axes_of = std::array<cudnnSeqDataAxis_t, 4>;
constexpr auto TIME = CUDNN_SEQDATA_TIME_DIM, BATCH = CUDNN_SEQDATA_BATCH_DIM, BEAM = CUDNN_SEQDATA_BEAM_DIM,
               VECTOR = CUDNN_SEQDATA_VECT_DIM;

struct problem {
  int heads, size[3], projected[4], batch, beams, steps, keys;
  unsigned mode;
  bool residual;
  double dropout, post;
  axes_of axes;
  int width(int i) const { return projected[i] ? projected[i] : size[i]; }
  int output() const { return projected[O] ? projected[O] : heads * width(V); }
  int beams_in(int i) const { return i == Q || i == O || (mode & CUDNN_ATTN_QUERYMAP_ONE_TO_ONE) ? beams : 1; }
  int steps_in(int i) const { return i == Q || i == O ? steps : keys; }
  int vector(int i) const { return i == O ? output() : size[i]; }
  size_t sequences(int i) const { return (size_t)(batch * beams_in(i)); }
  size_t count(int i) const { return sequences(i) * (size_t)(steps_in(i) * vector(i)); }
  /* Some sequences are short, one has nothing. */
  int length(int i, size_t sequence) const {
    const int all = steps_in(i);
    return i == Q || i == O ? sequence % 3 == 1 ? all - 1 : all : sequence % 4 == 1 ? 0 : all - (int)(sequence % 2);
  }
  double scaler() const { return 0.7; }
  int from(int t) const { return t % 3 - 1; } /* -1 is as 0 */
  int end(int t) const { return t == 2 ? 0 : std::min(keys + 1, t + 3); }
};

/* Where each kind of weights begins, -1: nowhere. */
using places = std::array<long, CUDNN_ATTN_WKIND_COUNT>;

struct state {
  numbers x[3], residuals, w, passes, post; /* the last two: factors of dropout */
  numbers out, dx[3], dw;
};
static double weight_of(size_t i) { return 0.3 + 0.1 * (double)(i % 7) - 0.05 * (double)(i % 4); }

struct reference {
  const problem &p;
  const places &at;
  double number(const state &s, int i, int head, size_t row, int j) const {
    const size_t size = (size_t)p.size[i], first = row * size;
    if (!p.projected[i])
      return s.x[i][first + (size_t)j];
    const size_t line = (size_t)(head * p.projected[i] + j);
    double sum = at[(size_t)i + 4] >= 0 ? s.w[(size_t)at[(size_t)i + 4] + line] : 0;
    for (size_t c = 0; c < size; c++)
      sum += s.w[(size_t)at[(size_t)i] + line * size + c] * s.x[i][first + c];
    return sum;
  }
  size_t key_row(size_t sequence, int i) const {
    return (p.beams_in(K) == 1 ? sequence / (size_t)p.beams : sequence) * (size_t)p.keys + (size_t)i;
  }
  numbers head(const state &s, size_t sequence, int t, int h) const {
    const size_t group = key_row(sequence, 0) / (size_t)p.keys, row = sequence * (size_t)p.steps + (size_t)t;
    const int first = std::max(0, p.from(t)), end = std::min(p.end(t), p.length(K, group));
    numbers alpha((size_t)p.keys), result((size_t)p.width(V));
    double sum = 0;
    for (int i = first; i < end; i++) {
      for (int j = 0; j < p.width(Q); j++)
        alpha[(size_t)i] += number(s, Q, h, row, j) * number(s, K, h, key_row(sequence, i), j);
      sum += alpha[(size_t)i] = std::exp(p.scaler() * alpha[(size_t)i]);
    }
    for (int i = first; i < end; i++) {
      const size_t which = ((sequence * (size_t)p.heads + (size_t)h) * (size_t)p.steps + (size_t)t) * (size_t)p.keys;
      for (int j = 0; j < p.width(V); j++)
        result[(size_t)j] +=
            alpha[(size_t)i] / sum * s.passes[which + (size_t)i] * number(s, V, h, key_row(sequence, i), j);
    }
    return result;
  }
  void step(state &s, size_t sequence, int t) const {
    const size_t out = (size_t)p.output(), to = (sequence * (size_t)p.steps + (size_t)t) * out;
    const size_t width = (size_t)p.width(V);
    for (size_t o = 0; o < out; o++)
      s.out[to + o] = at[7] >= 0 ? s.w[(size_t)at[7] + o] : 0;
    for (int h = 0; h < p.heads; h++) {
      const numbers found = head(s, sequence, t, h);
      for (size_t j = 0; j < width; j++)
        if (!p.projected[O])
          s.out[to + (size_t)h * width + j] = found[j];
        else
          for (size_t o = 0; o < out; o++)
            s.out[to + o] += s.w[(size_t)at[O] + ((size_t)h * out + o) * width + j] * found[j];
    }
    for (size_t o = 0; o < out; o++)
      s.out[to + o] = s.out[to + o] * s.post[to + o] + (p.residual ? s.residuals[to + o] : 0);
  }
  void run(state &s) const {
    s.out.assign(p.count(O), 7);
    for (size_t b = 0; b < p.sequences(Q); b++)
      for (int t = 0; t < p.length(Q, b); t++)
        step(s, b, t);
  }
  double loss(state s) const {
    run(s);
    double sum = 0;
    for (size_t i = 0; i < s.out.size(); i++)
      sum += s.out[i] * weight_of(i);
    return sum;
  }
};

/* Sequences in memory in the order of the axes, and without gaps by batch, beam and step as the reference has them. */
template <class T> struct sequences {
  const problem &p;
  int which;
  cudnnSeqDataDescriptor_t as;
  device<T> memory;
  device<int> lengths;
  sequences(const problem &p, int which, const numbers &from)
      : p(p), which(which), memory(p.count(which)), lengths(p.sequences(which)) {
    const int dims[] = {p.steps_in(which), p.batch, p.beams_in(which), p.vector(which)};
    for (size_t i = 0; i < lengths.count; i++)
      lengths[i] = p.length(which, i);
    T filler = make<T>(7);
    GOOD(cudnnCreateSeqDataDescriptor(&as));
    GOOD(cudnnSetSeqDataDescriptor(as, type_of<T>, 4, dims, p.axes.data(), lengths.count, lengths, &filler));
    for (size_t i = 0; i < memory.count; i++)
      memory[place(i)] = make<T>(i < from.size() ? from[i] : -3);
  }
  sequences(const sequences &) = delete;
  ~sequences() { cudnnDestroySeqDataDescriptor(as); }
  size_t place(size_t i) const {
    const size_t dims[] = {(size_t)p.steps_in(which), (size_t)p.batch, (size_t)p.beams_in(which),
                           (size_t)p.vector(which)};
    size_t index[4], at = 0;
    for (int axis : {VECTOR, TIME, BEAM, BATCH})
      index[axis] = i % dims[axis], i /= dims[axis];
    for (auto axis : p.axes)
      at = at * dims[axis] + index[axis];
    return at;
  }
  numbers all() const {
    numbers found(memory.count);
    for (size_t i = 0; i < memory.count; i++)
      found[i] = value(memory[place(i)]).real();
    return found;
  }
};

static void same(const char *what, const numbers &found, const numbers &expected, double tolerance) {
  size_t differ = found.size() != expected.size();
  for (size_t i = 0; i < std::min(found.size(), expected.size()); i++)
    if (!(std::abs(found[i] - expected[i]) <= tolerance * (1 + std::abs(expected[i]))) && differ++ < 2)
      printf("%s, number %zu: %g is not %g\n", what, i, found[i], expected[i]);
  CHECK(!differ);
}

static void differences(const char *what, const reference &r, const state &s, numbers &(*of)(state &),
                        const numbers &found, double tolerance) {
  for (size_t i = 0; i < found.size(); i += 1 + found.size() / 29) {
    state moved = s;
    const double h = 1e-5;
    of(moved)[i] += h;
    const double more = r.loss(moved);
    of(moved)[i] -= 2 * h;
    const double slope = (more - r.loss(moved)) / (2 * h);
    if (!(std::abs(found[i] - slope) <= tolerance * (2 + std::abs(slope))))
      printf("gradient %zu of %s: %g is not %g\n", i, what, found[i], slope);
    CHECK(std::abs(found[i] - slope) <= tolerance * (2 + std::abs(slope)));
  }
}

/* The factors that a dropout draws next. */
static numbers draws(cudnnDropoutDescriptor_t dropout, size_t count) {
  tensor<double> ones({1, 1, 1, (int)count});
  device<unsigned char> reserve(count);
  ones.fill([](size_t) { return 1; });
  GOOD(cudnnDropoutForward(handle, dropout, ones.as, ones, ones.as, ones, reserve, count));
  cudaDeviceSynchronize();
  return ones.all();
}

template <class T> struct attention {
  const problem &p;
  cudnnAttnDescriptor_t as;
  cudnnDropoutDescriptor_t dropout[2] = {};
  std::array<device<unsigned char>, 2> states;
  size_t bytes = 0, work_bytes = 0, reserve_bytes = 0;
  static size_t states_bytes() {
    size_t size = 0;
    GOOD(cudnnDropoutGetStatesSize(handle, &size));
    return size;
  }
  void seed() {
    for (int i = 0; i < 2; i++)
      GOOD(cudnnSetDropoutDescriptor(dropout[i], handle, (float)(i ? p.post : p.dropout), states[(size_t)i].at,
                                     states[(size_t)i].count, 42 + (unsigned)i));
  }
  attention(const problem &p)
      : p(p), states{device<unsigned char>(states_bytes()), device<unsigned char>(states_bytes())} {
    GOOD(cudnnCreateAttnDescriptor(&as));
    GOOD(cudnnCreateDropoutDescriptor(&dropout[0]));
    GOOD(cudnnCreateDropoutDescriptor(&dropout[1]));
    seed();
    GOOD(set(p.scaler(), p.projected[K]));
    GOOD(cudnnGetMultiHeadAttnBuffers(handle, as, &bytes, &work_bytes, &reserve_bytes));
  }
  cudnnStatus_t set(double scaler, int k_projected) {
    return cudnnSetAttnDescriptor(
        as, p.mode, p.heads, scaler, type_of<T>, type_of<T> == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT,
        CUDNN_DEFAULT_MATH, dropout[0], dropout[1], p.size[Q], p.size[K], p.size[V], p.projected[Q], k_projected,
        p.projected[V], p.projected[O], p.steps + 1, p.keys, p.batch, p.beams);
  }
  ~attention() {
    cudnnDestroyAttnDescriptor(as), cudnnDestroyDropoutDescriptor(dropout[0]);
    cudnnDestroyDropoutDescriptor(dropout[1]);
  }
  places find() {
    places found;
    device<T> weights(bytes / sizeof(T) + 1);
    cudnnTensorDescriptor_t part;
    cudnnCreateTensorDescriptor(&part);
    for (int kind = 0; kind < CUDNN_ATTN_WKIND_COUNT; kind++) {
      void *at = nullptr;
      cudnnDataType_t type;
      int rank = 0, dims[3], strides[3];
      GOOD(cudnnGetMultiHeadAttnWeights(handle, as, (cudnnMultiHeadAttnWeightKind_t)kind, bytes, weights, part, &at));
      GOOD(cudnnGetTensorNdDescriptor(part, 3, &type, &rank, dims, strides));
      const int i = kind % 4;
      const bool has = p.projected[i] && (kind < 4 || (p.mode & CUDNN_ATTN_ENABLE_PROJ_BIASES));
      CHECK(has == (at != nullptr) && rank == (has ? 3 : 0) && type == type_of<T>);
      if (has) {
        CHECK(dims[0] == (kind == CUDNN_MH_ATTN_O_BIASES ? 1 : p.heads) && dims[1] == p.projected[i]);
        CHECK(dims[2] == (kind >= 4 ? 1 : i == O ? p.width(V) : p.size[i]));
        CHECK(strides[2] == 1 && strides[1] == dims[2] && strides[0] == dims[1] * dims[2]);
      }
      found[(size_t)kind] = has ? (T *)at - weights.at : -1;
    }
    BAD(cudnnGetMultiHeadAttnWeights(handle, as, (cudnnMultiHeadAttnWeightKind_t)8, bytes, weights, part, &dropped));
    if (bytes)
      BAD(cudnnGetMultiHeadAttnWeights(handle, as, CUDNN_MH_ATTN_Q_WEIGHTS, bytes - 1, weights, part, &dropped));
    cudnnDestroyTensorDescriptor(part);
    return found;
  }
  void *dropped = nullptr;
};

template <class T>
static void check_failures(attention<T> &a, sequences<T> &q, sequences<T> &k, sequences<T> &v, sequences<T> &out,
                           device<T> &w, const std::vector<int> &from, const std::vector<int> &end) {
  device<unsigned char> work(a.work_bytes), reserve(a.reserve_bytes);
  const numbers before = out.all();
  const auto run = [&](int step, const sequences<T> &keys, size_t bytes, size_t work_bytes, size_t reserve_bytes) {
    return cudnnMultiHeadAttnForward(handle, a.as, step, from.data(), end.data(), q.lengths, k.lengths, q.as, q.memory,
                                     nullptr, keys.as, k.memory, v.as, v.memory, out.as, out.memory, bytes, w,
                                     work_bytes, work, reserve_bytes, reserve_bytes ? reserve.at : nullptr);
  };
  BAD(run(a.p.steps, k, a.bytes, a.work_bytes, 0));
  BAD(run(0, k, a.bytes, a.work_bytes, a.reserve_bytes));
  BAD(run(-1, q, a.bytes, a.work_bytes, 0));
  BAD(run(-1, k, a.bytes - 1, a.work_bytes, 0));
  BAD(run(-1, k, a.bytes, 4, 0));
  BAD(run(-1, k, a.bytes, a.work_bytes, 16));
  BAD(cudnnMultiHeadAttnForward(handle, a.as, -1, nullptr, end.data(), q.lengths, k.lengths, q.as, q.memory, nullptr,
                                k.as, k.memory, v.as, v.memory, out.as, out.memory, a.bytes, w, a.work_bytes, work, 0,
                                nullptr));
  BAD(a.set(-1, a.p.projected[K]));
  BAD(a.set(1, a.p.projected[K] + 1));
  cudaDeviceSynchronize();
  CHECK(out.all() == before);
}

template <class T> static void check(const problem &p) {
  attention<T> a(p);
  const places at = a.find();
  state s;
  for (int i = 0; i < 3; i++)
    s.x[i].resize(p.count(i));
  s.residuals.resize(p.residual ? p.count(O) : 0), s.w.resize(a.bytes / sizeof(T));
  for (numbers *of : {&s.x[0], &s.x[1], &s.x[2], &s.residuals, &s.w})
    for (double &one : *of)
      one = value(make<T>(next_number() * 0.5)).real();
  const size_t alphas = p.sequences(Q) * (size_t)(p.heads * p.steps * p.keys);
  const double nothing = std::nan("");
  s.passes.assign(alphas, 1), s.post.assign(p.count(O), 1);
  const reference r = {p, at};
  state plain = s;
  r.run(plain);

  /* What no step may read is NaN. */
  state given = s;
  int last = 0;
  for (int t = 0; t < p.steps; t++)
    last = std::max(last, p.end(t));
  for (int i = 0; i < 3; i++)
    for (size_t row = 0; row < p.sequences(i) * (size_t)p.steps_in(i); row++) {
      const int t = (int)(row % (size_t)p.steps_in(i)), length = p.length(i, row / (size_t)p.steps_in(i));
      if (t >= (i == Q ? length : std::min(length, last)))
        std::fill_n(given.x[i].begin() + (long)(row * (size_t)p.size[i]), p.size[i], nothing);
    }
  sequences<T> q(p, Q, given.x[Q]), k(p, K, given.x[K]), v(p, V, given.x[V]), out(p, O, {}), steps(p, O, {});
  sequences<T> residuals(p, Q, s.residuals), dout(p, O, [&] {
    numbers to(p.count(O));
    for (size_t i = 0; i < to.size(); i++)
      to[i] = weight_of(i);
    return to;
  }());
  sequences<T> dq(p, Q, {}), dk(p, K, {}), dv(p, V, {});
  device<T> w(a.bytes / sizeof(T) + 1), dw(a.bytes / sizeof(T) + 1), added(a.bytes / sizeof(T) + 1);
  for (size_t i = 0; i < s.w.size(); i++)
    w[i] = make<T>(s.w[i]), added[i] = make<T>(1), dw[i] = make<T>(nothing);
  device<unsigned char> work(a.work_bytes), reserve(a.reserve_bytes);
  T *more = p.residual ? residuals.memory.at : nullptr;
  std::vector<int> from, end;
  for (int t = 0; t < p.steps; t++)
    from.push_back(p.from(t)), end.push_back(p.end(t));
  const double tolerance = std::max(precision<T> * 20, 1e-9), slope = std::max(precision<T> * 60, 1e-6);

  for (int t = -1; t < p.steps; t++) {
    auto windows = std::make_pair(from, end); /* which are gone when the work may run */
    GOOD(cudnnMultiHeadAttnForward(handle, a.as, t, windows.first.data(), windows.second.data(), q.lengths, k.lengths,
                                   q.as, q.memory, more, k.as, k.memory, v.as, v.memory, out.as,
                                   t < 0 ? out.memory : steps.memory, a.bytes, w, a.work_bytes, work, 0, nullptr));
  }
  cudaDeviceSynchronize();
  same("out", out.all(), plain.out, tolerance);
  same("out by steps", steps.all(), plain.out, tolerance);

  s.passes = draws(a.dropout[0], alphas), s.post = draws(a.dropout[1], p.count(O));
  a.seed();
  r.run(s);
  GOOD(cudnnMultiHeadAttnForward(handle, a.as, -1, from.data(), end.data(), q.lengths, k.lengths, q.as, q.memory, more,
                                 k.as, k.memory, v.as, v.memory, out.as, out.memory, a.bytes, w, a.work_bytes, work,
                                 a.reserve_bytes, reserve));
  GOOD(cudnnMultiHeadAttnBackwardData(handle, a.as, from.data(), end.data(), q.lengths, k.lengths, out.as, dout.memory,
                                      q.as, dq.memory, q.memory, k.as, dk.memory, k.memory, v.as, dv.memory, v.memory,
                                      a.bytes, w, a.work_bytes, work, a.reserve_bytes, reserve));
  cudaDeviceSynchronize();
  same("out in training", out.all(), s.out, tolerance);
  /* Weights' gradients read all steps that the sequences have. */
  for (size_t i = 0; i < k.memory.count; i++)
    k.memory[k.place(i)] = make<T>(s.x[K][i]);
  for (size_t i = 0; i < v.memory.count; i++)
    v.memory[v.place(i)] = make<T>(s.x[V][i]);
  for (int sets = 0; sets < 2; sets++)
    GOOD(cudnnMultiHeadAttnBackwardWeights(handle, a.as, sets ? CUDNN_WGRAD_MODE_SET : CUDNN_WGRAD_MODE_ADD, q.as,
                                           q.memory, k.as, k.memory, v.as, v.memory, out.as, dout.memory, a.bytes, w,
                                           sets ? dw : added, a.work_bytes, work, a.reserve_bytes, reserve));
  cudaDeviceSynchronize();
  const sequences<T> *const slopes[] = {&dq, &dk, &dv};
  for (int i = 0; i < 3; i++) {
    s.dx[i] = slopes[i]->all();
    for (size_t j = 0; j < s.dx[i].size(); j++) {
      const size_t row = j / (size_t)p.size[i], t = row % (size_t)p.steps_in(i);
      if ((int)t >= p.length(i, row / (size_t)p.steps_in(i))) {
        CHECK(s.dx[i][j] == 7); /* the filler */
        s.dx[i][j] = 0;
      }
    }
  }
  differences("q", r, s, [](state &of) -> numbers & { return of.x[Q]; }, s.dx[Q], slope);
  differences("k", r, s, [](state &of) -> numbers & { return of.x[K]; }, s.dx[K], slope);
  differences("v", r, s, [](state &of) -> numbers & { return of.x[V]; }, s.dx[V], slope);
  numbers sums;
  for (size_t i = 0; i < s.w.size(); i++)
    s.dw.push_back(value(dw[i]).real()), sums.push_back(value(added[i]).real() - 1);
  differences("w", r, s, [](state &of) -> numbers & { return of.w; }, s.dw, slope);
  same("added", sums, s.dw, std::max(precision<T> * 20, 1e-9));
  if (a.bytes)
    check_failures(a, q, k, v, out, w, from, end);
}

static const axes_of orders[] = {{BATCH, BEAM, TIME, VECTOR}, {TIME, BATCH, BEAM, VECTOR}, {BEAM, TIME, BATCH, VECTOR}};

template <class T> static void sweep() {
  const unsigned one = CUDNN_ATTN_QUERYMAP_ONE_TO_ONE, bias = CUDNN_ATTN_ENABLE_PROJ_BIASES;
  check<T>({2, {5, 4, 3}, {4, 4, 3, 6}, 3, 1, 4, 5, bias, false, 0, 0, orders[0]});
  check<T>({3, {5, 4, 3}, {4, 4, 5, 5}, 2, 3, 4, 5, bias | one, true, 0.3, 0, orders[1]});
  check<T>({3, {6, 4, 3}, {4, 0, 2, 0}, 2, 3, 4, 6, bias, true, 0.25, 0.4, orders[2]});
  check<T>({2, {4, 4, 3}, {0, 0, 0, 0}, 2, 2, 5, 4, one, false, 0, 0.5, orders[1]});
  check<T>({2, {4, 3, 3}, {0, 4, 0, 4}, 2, 2, 5, 7, 0, true, 0.2, 0.2, orders[2]});
}

/* Windows of more steps than a record holds; the second half of each is what it itself is. */
static void check_long() {
  const problem p = {1, {1, 1, 1}, {0, 0, 0, 0}, 1, 1, 1500, 1500, 0, false, 0, 0, orders[0]};
  numbers x((size_t)p.steps);
  for (size_t i = 0; i < x.size(); i++)
    x[i] = (double)(i % 97);
  attention<float> a(p);
  sequences<float> q(p, Q, x), k(p, K, x), out(p, O, {});
  std::vector<int> from, end;
  for (int t = 0; t < p.steps; t++)
    from.push_back(t), end.push_back(t + 1);
  device<unsigned char> work(a.work_bytes);
  GOOD(cudnnMultiHeadAttnForward(handle, a.as, -1, from.data(), end.data(), q.lengths, k.lengths, q.as, q.memory,
                                 nullptr, k.as, k.memory, k.as, k.memory, out.as, out.memory, 0, nullptr, a.work_bytes,
                                 work, 0, nullptr));
  cudaDeviceSynchronize();
  same("long", out.all(), x, 1e-6);
}

static void descriptors() {
  cudnnSeqDataDescriptor_t as;
  GOOD(cudnnCreateSeqDataDescriptor(&as));
  const int dims[] = {4, 2, 3, 5}, lengths[] = {4, 3, 2, 1, 0, 4}, longer[] = {4, 3, 2, 1, 0, 5}, none[] = {4, 2, 0, 5};
  const axes_of twice = {BATCH, BATCH, TIME, VECTOR};
  float filler = 2.5f, found_filler = 0;
  int found[4], found_lengths[6], rank = 0;
  axes_of axes;
  size_t count = 0;
  cudnnDataType_t type;
  BAD(cudnnGetSeqDataDescriptor(as, &type, &rank, 4, found, axes.data(), &count, 6, found_lengths, &found_filler));
  GOOD(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_FLOAT, 4, dims, orders[2].data(), 6, lengths, &filler));
  BAD(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_FLOAT, 3, dims, orders[0].data(), 6, lengths, nullptr));
  BAD(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_FLOAT, 4, dims, twice.data(), 6, lengths, nullptr));
  BAD(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_FLOAT, 4, dims, orders[0].data(), 5, lengths, nullptr));
  BAD(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_FLOAT, 4, dims, orders[0].data(), 6, longer, nullptr));
  BAD(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_FLOAT, 4, none, orders[0].data(), 0, lengths, nullptr));
  NOT_SUPPORTED(cudnnSetSeqDataDescriptor(as, CUDNN_DATA_INT32, 4, dims, orders[0].data(), 6, lengths, nullptr));
  GOOD(cudnnGetSeqDataDescriptor(as, &type, &rank, 4, found, axes.data(), &count, 6, found_lengths, &found_filler));
  CHECK(type == CUDNN_DATA_FLOAT && rank == 4 && count == 6 && found_filler == 2.5f && axes == orders[2]);
  CHECK(!memcmp(found, dims, sizeof dims) && !memcmp(found_lengths, lengths, sizeof lengths));
  GOOD(cudnnDestroySeqDataDescriptor(as));
  BAD(cudnnDestroySeqDataDescriptor(as));

  const problem p = {2, {5, 4, 3}, {4, 4, 3, 6}, 3, 1, 4, 5, CUDNN_ATTN_ENABLE_PROJ_BIASES, false, 0, 0, orders[0]};
  attention<double> a(p);
  unsigned mode = 0;
  int heads = 0, sizes[11];
  double scaler = 0;
  cudnnDataType_t compute;
  cudnnMathType_t math;
  cudnnDropoutDescriptor_t dropout[2];
  GOOD(cudnnGetAttnDescriptor(a.as, &mode, &heads, &scaler, &type, &compute, &math, &dropout[0], &dropout[1], &sizes[0],
                              &sizes[1], &sizes[2], &sizes[3], &sizes[4], &sizes[5], &sizes[6], &sizes[7], &sizes[8],
                              &sizes[9], &sizes[10]));
  CHECK(mode == p.mode && heads == 2 && scaler == p.scaler() && type == CUDNN_DATA_DOUBLE);
  CHECK(compute == CUDNN_DATA_DOUBLE && math == CUDNN_DEFAULT_MATH && dropout[0] == a.dropout[0]);
  CHECK(dropout[1] == a.dropout[1]);
  const int expected[] = {5, 4, 3, 4, 4, 3, 6, 5, 5, 3, 1};
  CHECK(!memcmp(sizes, expected, sizeof sizes));
  const auto set = [&](unsigned mode, int heads, cudnnDataType_t type, cudnnDataType_t compute) {
    return cudnnSetAttnDescriptor(a.as, mode, heads, 1, type, compute, CUDNN_DEFAULT_MATH, nullptr, nullptr, 4, 4, 4, 0,
                                  0, 0, 0, 1, 1, 1, 1);
  };
  BAD(set(4, 1, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT));
  BAD(set(0, 0, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT));
  NOT_SUPPORTED(set(0, 1, CUDNN_DATA_FLOAT, CUDNN_DATA_DOUBLE));
  NOT_SUPPORTED(set(0, 1 << 30, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT));
  GOOD(set(0, 1, CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT));
  size_t bytes = 1, work = 0;
  GOOD(cudnnGetMultiHeadAttnBuffers(handle, a.as, &bytes, &work, nullptr));
  CHECK(bytes == 0 && work > 0);
}

int main() {
  GOOD(cudnnCreate(&handle));
  descriptors();
  check_long();
  sweep<double>();
  sweep<float>();
  sweep<__half>();
  GOOD(cudnnDestroy(handle));
  return report("attention");
}
