//===- Recurrence.h - Layers of recurrent cells -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs a cell along sequences: RNN, GRU, LSTM, and any other cell that computes
// the state at t from the state at t - 1 and a vector x[t]. A cell is defined
// by a function of one time step, which is called for many sequences at once:
//
//   // h[t] = tanh(x[t] * W^T + Wb + h[t-1] * R^T + Rb)
//   static void step(RecurrentStep &s) {
//     s.addRecurrence(s.h, 0, 1, s.gates, s.hidden);
//     for (int64_t row = 0; row < s.rows; ++row) {
//       s.activate(0, s.gate(row, 0));
//       std::copy_n(s.gate(row, 0), s.hidden, s.h + row * s.hidden);
//     }
//   }
//
// All values are double, from x to the results; the state is not rounded
// between time steps. Products are those of MatMul.h. Sequences are independent
// of each other, so blocks of them run in parallel; the blocks, and with them
// the bits, depend on shapes and lengths alone. A NaN in a result is always the
// positive quiet one.
// Results are deferred. Thread safety: pure functions; the step function is
// called from several threads. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_RECURRENCE_H
#define ONNXFOLD_ELEMENTS_NN_RECURRENCE_H

#include "onnxfold/elements/Elements.h"
#include <limits>

namespace onnxfold::ops {

/// values[i] = f(values[i]), with two parameters.
struct Activation {
  using Function = void (*)(double *values, size_t count, double alpha,
                            double beta);
  Function function = nullptr;
  double alpha = 0, beta = 0;
};

/// One direction in which a layer runs its sequences.
struct RecurrentDirection {
  bool backward = false; // each sequence from its last element to its first
  llvm::SmallVector<Activation, 3> activations;
};

/// One time step of several sequences, in one direction.
struct RecurrentStep {
  int64_t rows;    // sequences
  int64_t hidden;  // elements of a state
  int64_t width;   // number of gates * hidden
  double *gates;   // [rows, width]: x[t] * W^T + Wb
  double *h, *c;   // [rows, hidden]: the state at t - 1, then that at t
  double *scratch; // [rows, hidden], not initialised
  const double *p; // the direction's own weights

  double *gate(int64_t row, int64_t number) const {
    return gates + row * width + number * hidden;
  }

  /// to += state * R^T + Rb, for `count` gates from number `first` on. The rows
  /// of `state` have `hidden` elements; those of `to` are `pitch` apart.
  void addRecurrence(const double *state, int64_t first, int64_t count,
                     double *to, int64_t pitch) const;

  /// Limits `hidden` values to [-clip, clip] and applies an activation function
  /// of the direction to them.
  void activate(int64_t activation, double *values) const;

  const double *weights, *bias; // R^T [hidden, width], Rb [width] or null
  const RecurrentDirection *direction;
  double clip;
};

/// A layer and its operands, where D = directions.size(), W = gates * hidden.
/// REQUIRES: matching shapes; f64.
struct Recurrence {
  Elements x;    // [steps, batch, input]
  Elements w, r; // [D, W, input], [D, W, hidden]
  Elements b;    // null, or [D, 2 * W]: Wb and Rb
  Elements p;    // null, or [D, any]: other weights of the cell
  Elements h, c; // null (0), or [D, batch, hidden]: the first states
  Shape lengths; // [batch]: 0 <= length <= steps
  llvm::SmallVector<RecurrentDirection, 2> directions;
  double clip = std::numeric_limits<double>::infinity();
  void (*step)(RecurrentStep &) = nullptr;
  bool allSteps = true; // RecurrenceResult::y will be read, so it is computed
                        // together with the states and not by a second run

  int64_t steps() const { return x.dim(0); }
  int64_t batch() const { return x.dim(1); }
  int64_t hidden() const { return r.dim(2); }
};

struct RecurrenceResult {
  Elements y; // [steps, D, batch, hidden]: h of every step, 0 beyond a length
  Elements h, c; // [D, batch, hidden]: the states after the last step
};

/// Runs the layer. Backward directions start at the end of each sequence (its
/// length, not `steps`); y has the order of x in both directions.
RecurrenceResult recur(const Recurrence &layer);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_RECURRENCE_H
