/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Recurrent networks for rnn.cu: a loop over every sequence, layer and step in doubles, and the memory of a call. */
#pragma once
#include <algorithm>
#include <numeric>

#include "tensors.h"

struct problem {
  int mode, layers, directions, input, hidden, bias;
  std::vector<int> lengths; /* the longest first */
  double clip = 0;          /* of LSTM's cells; 0: none */
  int projected = 0;        /* the size of LSTM's h; 0: as its c */
  bool skips = false;       /* the first layer's input has no matrix */
  int h() const { return projected ? projected : hidden; }
  int gates() const { return mode == CUDNN_LSTM ? 4 : mode == CUDNN_GRU ? 3 : 1; }
  int parts() const { return 2 * gates() + (projected > 0); }
  int batch() const { return (int)lengths.size(); }
  int steps() const { return lengths[0]; }
  int pseudo() const { return layers * directions; }
  int output() const { return h() * directions; }
};

/* Where a matrix or bias lies among the weights, by pseudo-layer and number; -1: nowhere. */
struct places {
  std::vector<long> matrix, bias;
};

/* All that goes in and comes out, in doubles. x and y are by sequence, step and number, without gaps. */
struct state {
  numbers x, hx, cx, w;
  numbers y, hy, cy;
  numbers dx, dhx, dcx, dw; /* gradients of the sum of all results by their weights below */
};
static double weight_of(size_t i) { return 0.3 + 0.1 * (double)(i % 7) - 0.05 * (double)(i % 4); }

static double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

struct reference {
  const problem &p;
  const places &at;
  double product(const numbers &w, int pseudo, int id, const double *x, int width, int row) const {
    const size_t where = (size_t)(pseudo * p.parts() + id);
    double sum = at.bias[where] >= 0 ? w[(size_t)(at.bias[where] + row)] : 0;
    if (at.matrix[where] < 0)
      return sum + x[row];
    for (int i = 0; i < width; i++)
      sum += w[(size_t)(at.matrix[where] + row * width + i)] * x[i];
    return sum;
  }
  void step(const numbers &w, int pseudo, const double *x, int width, numbers &h, numbers &c) const {
    const int G = p.gates(), H = p.hidden;
    numbers in((size_t)(G * H)), again(in), before(h);
    for (int g = 0; g < G; g++)
      for (int i = 0; i < H; i++) {
        in[(size_t)(g * H + i)] = product(w, pseudo, g, x, width, i);
        again[(size_t)(g * H + i)] = product(w, pseudo, G + g, before.data(), p.h(), i);
      }
    numbers made((size_t)H);
    for (size_t i = 0, n = (size_t)H; i < n; i++)
      if (p.mode == CUDNN_LSTM) {
        c[i] = sigmoid(in[n + i] + again[n + i]) * c[i] +
               sigmoid(in[i] + again[i]) * std::tanh(in[2 * n + i] + again[2 * n + i]);
        c[i] = p.clip > 0 ? std::max(-p.clip, std::min(p.clip, c[i])) : c[i];
        made[i] = sigmoid(in[3 * n + i] + again[3 * n + i]) * std::tanh(c[i]);
        if (!p.projected)
          h[i] = made[i];
      } else if (p.mode == CUDNN_GRU) {
        const double update = sigmoid(in[n + i] + again[n + i]);
        h[i] =
            (1 - update) * std::tanh(in[2 * n + i] + sigmoid(in[i] + again[i]) * again[2 * n + i]) + update * before[i];
      } else
        h[i] = p.mode == CUDNN_RNN_TANH ? std::tanh(in[i] + again[i]) : std::max(0., in[i] + again[i]);
    for (int i = 0; i < p.projected; i++)
      h[(size_t)i] = product(w, pseudo, 2 * G, made.data(), H, i);
  }
  void run(state &s) const {
    const size_t H = (size_t)p.hidden, S = (size_t)p.h(), O = (size_t)p.output();
    s.y.clear(), s.hy = s.hx, s.cy = s.cx;
    size_t first = 0;
    for (int b = 0; b < p.batch(); b++) {
      const int length = p.lengths[(size_t)b];
      size_t width = (size_t)p.input;
      numbers rows(s.x.begin() + (long)first, s.x.begin() + (long)(first + (size_t)length * width));
      first += rows.size();
      for (int layer = 0; layer < p.layers; layer++) {
        numbers out((size_t)length * O);
        for (int d = 0; d < p.directions; d++) {
          const size_t pseudo = (size_t)(layer * p.directions + d), row = pseudo * (size_t)p.batch() + (size_t)b;
          const size_t from = row * H, h_from = row * S;
          numbers h(s.hx.begin() + (long)h_from, s.hx.begin() + (long)(h_from + S)),
              c(s.cx.begin() + (long)from, s.cx.begin() + (long)(from + H));
          for (int i = 0; i < length; i++) {
            const size_t t = (size_t)(d ? length - 1 - i : i);
            step(s.w, (int)pseudo, rows.data() + t * width, (int)width, h, c);
            std::copy(h.begin(), h.end(), out.begin() + (long)(t * O + (size_t)d * S));
          }
          std::copy(h.begin(), h.end(), s.hy.begin() + (long)h_from);
          std::copy(c.begin(), c.end(), s.cy.begin() + (long)from);
        }
        rows = out;
        width = O;
      }
      s.y.insert(s.y.end(), rows.begin(), rows.end());
    }
  }
  double loss(const state &given) const {
    state s = given;
    run(s);
    double sum = 0;
    for (const numbers *of : {&s.y, &s.hy, &s.cy})
      for (size_t i = 0; (of != &s.cy || p.mode == CUDNN_LSTM) && i < of->size(); i++)
        sum += (*of)[i] * weight_of(i);
    return sum;
  }
};

template <class T> static void fill(device<T> &to, const numbers &from) {
  for (size_t i = 0; i < from.size(); i++)
    to[i] = make<T>(from[i]);
}
template <class T> static numbers read(const device<T> &from) {
  numbers to(from.count);
  for (size_t i = 0; i < from.count; i++)
    to[i] = value(from[i]).real();
  return to;
}
static numbers weights_of(size_t count) {
  numbers to(count);
  for (size_t i = 0; i < count; i++)
    to[i] = weight_of(i);
  return to;
}

/* Numbers by sequence, from and to memory where each step of each sequence lies in a row. */
template <class F> static void each_row(const problem &p, F f) {
  size_t row = 0;
  for (int b = 0; b < p.batch(); b++)
    for (int t = 0; t < p.lengths[(size_t)b]; t++)
      f(row++, b, t);
}
static size_t row_of(const problem &p, int layout, int b, int t) {
  if (layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED)
    return (size_t)(t * p.batch() + b);
  if (layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED)
    return (size_t)(b * p.steps() + t);
  size_t row = (size_t)b;
  for (int i = 0; i < t; i++)
    row += (size_t)std::count_if(p.lengths.begin(), p.lengths.end(), [&](int length) { return length > i; });
  return row;
}
template <class T> static void put_rows(const problem &p, int layout, int width, const numbers &from, device<T> &to) {
  each_row(p, [&](size_t row, int b, int t) {
    for (size_t i = 0; i < (size_t)width; i++)
      to[row_of(p, layout, b, t) * (size_t)width + i] = make<T>(from[row * (size_t)width + i]);
  });
}
template <class T> static numbers get_rows(const problem &p, int layout, int width, const device<T> &from) {
  numbers to;
  each_row(p, [&](size_t, int b, int t) {
    for (size_t i = 0; i < (size_t)width; i++)
      to.push_back(value(from[row_of(p, layout, b, t) * (size_t)width + i]).real());
  });
  return to;
}

/* What both interfaces work on. */
template <class T> struct memory {
  size_t rows;
  device<T> x, y, hx, hy, cx, cy, dx, dy, dhx, dhy, dcx, dcy, w, dw;
  memory(const problem &p, int layout, const state &s)
      : rows((size_t)(p.batch() * p.steps())), x(rows * (size_t)p.input), y(rows * (size_t)p.output()), hx(s.hx.size()),
        hy(hx), cx(s.cx.size()), cy(cx), dx(x), dy(y), dhx(hx), dhy(hx), dcx(cx), dcy(cx), w(s.w.size()), dw(w) {
    put_rows(p, layout, p.input, s.x, x);
    put_rows(p, layout, p.output(), weights_of(rows * (size_t)p.output()), dy);
    fill(hx, s.hx), fill(cx, s.cx), fill(w, s.w), fill(dhy, weights_of(hx.count)), fill(dcy, weights_of(cx.count));
    fill(dw, numbers(dw.count, 1)); /* is added to */
  }
  void results(const problem &p, int layout, state &s) {
    s.y = get_rows(p, layout, p.output(), y), s.hy = read(hy), s.cy = read(cy);
    s.dx = get_rows(p, layout, p.input, dx), s.dhx = read(dhx), s.dcx = read(dcx), s.dw = read(dw);
    for (double &one : s.dw)
      one -= 1;
  }
};

/* Frameworks pad them to more dimensions. */
template <class T> static void set_states(const problem &p, cudnnTensorDescriptor_t states, int width) {
  const int dims[] = {p.pseudo(), p.batch(), width, 1, 1}, strides[] = {p.batch() * width, width, 1, 1, 1};
  GOOD(cudnnSetTensorNdDescriptor(states, type_of<T>, p.layers > 1 ? 5 : 3, dims, strides));
}
