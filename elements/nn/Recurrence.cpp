//===- Recurrence.cpp - Layers of recurrent cells -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Blocks of sequences, longest first, so that those that still run are the
// first rows. x * W^T + Wb is one product for as many time steps as fit a
// buffer. Whoever computes y leaves the last states for h and c, which are
// small.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Recurrence.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <mutex>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Sequences of a block, rows of a product x * W^T, and doubles of x and gates
/// in memory for them.
static constexpr int64_t blockRows = 32, productRows = 128;
static constexpr int64_t blockDoubles = 1 << 20;

void RecurrentStep::addRecurrence(const double *state, int64_t first,
                                  int64_t count, double *to,
                                  int64_t pitch) const {
  int64_t cols = count * hidden;
  if (bias)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < cols; ++i)
        to[row * pitch + i] += bias[first * hidden + i];
  multiplyAdd(to, pitch, {state, rows, hidden, hidden},
              {weights + first * hidden, hidden, cols, width});
}

void RecurrentStep::activate(int64_t activation, double *values) const {
  for (int64_t i = 0; i < hidden; ++i)
    values[i] = values[i] > clip ? clip : values[i] < -clip ? -clip : values[i];
  const Activation &f = direction->activations[activation];
  f.function(values, hidden, f.alpha, f.beta);
}

namespace {

/// The weights, which all threads read, as doubles.
struct Weights {
  explicit Weights(const Recurrence &layer)
      : x(layer.x), w(layer.w.transpose({0, 2, 1})),
        r(layer.r.transpose({0, 2, 1})) {
    auto copy = [](std::optional<ElementsArray<double>> &to,
                   const Elements &from) {
      if (from)
        to.emplace(from);
    };
    copy(b, layer.b);
    copy(p, layer.p);
    copy(h, layer.h);
    copy(c, layer.c);
  }

  Elements::Reader x;
  ElementsArray<double> w, r;
  std::optional<ElementsArray<double>> b, p, h, c;
};

/// The memory that results are written to.
struct Outputs {
  double *y;      // all steps; null: not wanted
  double *states; // h, then c
};

/// Sequences [begin, end) of the batch in one direction.
class SequenceBlock {
public:
  SequenceBlock(const Recurrence &layer, const Weights &weights,
                int64_t direction, int64_t begin, int64_t end, Outputs out)
      : layer(layer), weights(weights), direction(direction),
        input(layer.x.dim(2)), hidden(layer.hidden()), width(layer.r.dim(1)),
        sequences(llvm::to_vector(llvm::seq(begin, end))), out(out) {
    llvm::stable_sort(sequences, [&](int64_t a, int64_t b) {
      return layer.lengths[a] > layer.lengths[b];
    });
  }

  void run() {
    h = firstStates(weights.h);
    c = firstStates(weights.c);
    scratch.resize(h.size());
    int64_t count = sequences.size(), last = layer.lengths[sequences[0]];
    int64_t rows = std::min(productRows, blockDoubles / (input + width + 1));
    int64_t steps = std::max<int64_t>(1, rows / count);
    gates.resize(std::min(steps, last) * count * width);
    inputs.resize(std::min(steps, last) * count * input);
    for (int64_t first = 0; first < last; first += steps)
      runSteps(first, std::min(first + steps, last));
    int64_t size = layer.directions.size() * layer.batch() * hidden;
    for (auto [row, sequence] : llvm::enumerate(sequences)) {
      int64_t at = (direction * layer.batch() + sequence) * hidden;
      write(h.data() + row * hidden, out.states + at);
      write(c.data() + row * hidden, out.states + size + at);
    }
  }

private:
  std::vector<double>
  firstStates(const std::optional<ElementsArray<double>> &states) const {
    std::vector<double> rows(sequences.size() * hidden, 0.0);
    if (states)
      for (auto [row, sequence] : llvm::enumerate(sequences))
        std::copy_n(states->data() +
                        (direction * layer.batch() + sequence) * hidden,
                    hidden, rows.begin() + row * hidden);
    return rows;
  }

  /// Returns the time in its sequence at which a row is at a step.
  int64_t timeOf(int64_t row, int64_t step) const {
    return layer.directions[direction].backward
               ? layer.lengths[sequences[row]] - 1 - step
               : step;
  }

  /// Sequences that are longer than `step`: the first rows.
  int64_t rowsAt(int64_t step) const {
    return llvm::partition_point(
               sequences, [&](int64_t s) { return layer.lengths[s] > step; }) -
           sequences.begin();
  }

  /// gates = x[t] * W^T + Wb, for the steps [first, end).
  void project(int64_t first, int64_t end) {
    int64_t rows = 0;
    for (int64_t step = first; step < end; ++step)
      for (int64_t row = 0, n = rowsAt(step); row < n; ++row, ++rows) {
        int64_t at = timeOf(row, step) * layer.batch() + sequences[row];
        weights.x.read(at * input, input, inputs.data() + rows * input);
        double *to = gates.data() + rows * width;
        if (weights.b)
          std::copy_n(weights.b->data() + direction * 2 * width, width, to);
        else
          std::fill_n(to, width, 0.0);
      }
    multiplyAdd(
        gates.data(), width, {inputs.data(), rows, input, input},
        {weights.w.data() + direction * input * width, input, width, width});
  }

  void runSteps(int64_t first, int64_t end) {
    project(first, end);
    RecurrentStep s;
    s.hidden = hidden;
    s.width = width;
    s.gates = gates.data();
    s.h = h.data();
    s.c = c.data();
    s.scratch = scratch.data();
    s.p = weights.p ? weights.p->data() + direction * layer.p.dim(1) : nullptr;
    s.weights = weights.r.data() + direction * hidden * width;
    s.bias =
        weights.b ? weights.b->data() + (direction * 2 + 1) * width : nullptr;
    s.direction = &layer.directions[direction];
    s.clip = layer.clip;
    for (int64_t step = first; step < end; ++step) {
      s.rows = rowsAt(step);
      layer.step(s);
      s.gates += s.rows * width;
      for (int64_t row = 0; out.y && row < s.rows; ++row)
        write(h.data() + row * hidden, y(row, step));
    }
  }

  double *y(int64_t row, int64_t step) const {
    int64_t directions = layer.directions.size();
    return out.y +
           ((timeOf(row, step) * directions + direction) * layer.batch() +
            sequences[row]) *
               hidden;
  }

  void write(const double *state, double *to) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    for (int64_t i = 0; i < hidden; ++i)
      to[i] = isNan(state[i]) ? nan : state[i];
  }

  const Recurrence &layer;
  const Weights &weights;
  int64_t direction, input, hidden, width;
  llvm::SmallVector<int64_t> sequences; // of each row
  Outputs out;
  std::vector<double> inputs, gates, h, c, scratch;
};

} // namespace

static void runAll(const Recurrence &layer, Outputs out) {
  int64_t directions = layer.directions.size();
  if (directions * layer.batch() * layer.hidden() == 0)
    return;
  Weights weights(layer);
  if (out.y) // beyond the lengths
    std::fill_n(out.y,
                layer.steps() * directions * layer.batch() * layer.hidden(),
                0.0);
  int64_t rowSize = layer.x.dim(2) + layer.r.dim(1) + 1;
  int64_t rows = std::clamp<int64_t>(blockDoubles / rowSize, 1, blockRows);
  int64_t blocks = llvm::divideCeil(layer.batch(), rows);
  parallelFor(directions * blocks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t first = i % blocks * rows;
      SequenceBlock(layer, weights, i / blocks, first,
                    std::min(first + rows, layer.batch()), out)
          .run();
    }
  });
}

namespace {

/// The last states, once somebody has computed them.
class LastStates {
public:
  void keep(std::vector<double> states) {
    std::lock_guard guard(mutex);
    if (values.empty())
      values = std::move(states);
  }

  bool copyTo(double *out) {
    std::lock_guard guard(mutex);
    std::copy(values.begin(), values.end(), out);
    return !values.empty();
  }

private:
  std::mutex mutex;
  std::vector<double> values;
};

} // namespace

RecurrenceResult ops::recur(const Recurrence &layer) {
  if (!layer.x || !layer.w || !layer.r)
    return {};
  assert(int64_t(layer.lengths.size()) == layer.batch());
  int64_t directions = layer.directions.size();
  Shape state = {directions, layer.batch(), layer.hidden()};
  int64_t size = numElements(state);
  llvm::SmallVector<Elements, 7> operands;
  for (const Elements &e :
       {layer.x, layer.w, layer.r, layer.b, layer.p, layer.h, layer.c})
    if (e) {
      assert(e.type() == DataType::Float64);
      operands.push_back(e);
    }
  auto last = std::make_shared<LastStates>();
  RecurrenceResult result;
  result.y = Elements::deferred(
      DataType::Float64,
      {layer.steps(), directions, layer.batch(), layer.hidden()}, operands,
      [layer, last, size](char *out) {
        std::vector<double> states(2 * size);
        runAll(layer, {reinterpret_cast<double *>(out), states.data()});
        last->keep(std::move(states));
      });
  Elements y = layer.allSteps ? result.y : Elements();
  Elements states = Elements::deferred(
      DataType::Float64, {2 * size}, operands, [layer, last, y](char *out) {
        auto *to = reinterpret_cast<double *>(out);
        if (last->copyTo(to))
          return;
        if (!y)
          return runAll(layer, {nullptr, to});
        y.materialize(); // computes it, to be kept for those that read it
        last->copyTo(to);
      });
  result.h = states.slice(0, 0, size).reshape(state);
  result.c = states.slice(0, size, size).reshape(state);
  return result;
}
