//===- Recurrent.cpp - What RNN, GRU and LSTM share -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Recurrent.h"
#include "onnxfold/onnx/kernels/support/Activations.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/RoundedResults.h"

using namespace onnxfold;
using namespace onnxfold::ops;

enum Input { X, W, R, B, sequenceLens, initialH, initialC, P };

namespace {

/// One operation while it is read: `layer` is complete if nothing is wrong.
class Reading {
public:
  Reading(FoldContext &cx, const RecurrentCell &cell) : cx(cx), cell(cell) {}

  Reason read() {
    for (auto step :
         {&Reading::readDirections, &Reading::readShapes, &Reading::checkInputs,
          &Reading::readLengths, &Reading::readClip, &Reading::checkOutputs,
          &Reading::checkLimits})
      if (Reason wrong = (this->*step)())
        return wrong;
    readValues();
    return {};
  }

  Recurrence layer;
  bool batchFirst = false; // layout = 1

private:
  Reason readDirections();
  Reason readShapes();
  Reason checkInputs();
  Reason readLengths();
  Reason readClip();
  Reason checkOutputs();
  Reason checkLimits();
  void readValues();

  FoldContext &cx;
  const RecurrentCell &cell;
  int64_t directions = 1, steps = 0, batch = 0, input = 0, hidden = 0;
};

} // namespace

Reason Reading::readDirections() {
  std::string name = cx.string("direction").value_or("forward");
  bool backward = name == "reverse", both = name == "bidirectional";
  // GRU-1 spells its default so.
  bool forward = name == "forward" || (name == "foward" && cx.version() == 1);
  if (!forward && !backward && !both)
    return invalid("attribute 'direction' is '" + name +
                   "', expected forward, reverse or bidirectional");
  directions = both ? 2 : 1;
  ReasonOr<Activations> functions =
      readActivations(cx, cell.activations, directions);
  if (!functions)
    return functions.reason();
  llvm::ArrayRef<Activation> list = *functions;
  size_t each = cell.activations.size();
  layer.directions.push_back({backward, {}});
  if (both)
    layer.directions.push_back({true, {}});
  for (auto [i, direction] : llvm::enumerate(layer.directions))
    llvm::append_range(direction.activations, list.slice(i * each, each));
  return {};
}

Reason Reading::readShapes() {
  const Elements &x = cx.input(X), &r = cx.input(R);
  if (x.rank() != 3 || r.rank() != 3)
    return invalid("X has shape " + toString(x.shape()) + " and R " +
                   toString(r.shape()) + ", expected three dimensions");
  int64_t layout = cx.version() >= 14 ? cx.integer("layout").value_or(0) : 0;
  if (layout != 0 && layout != 1)
    return invalid("attribute 'layout' is " + llvm::Twine(layout));
  batchFirst = layout == 1;
  steps = x.dim(batchFirst);
  batch = x.dim(!batchFirst);
  input = x.dim(2);
  hidden = r.dim(2);
  if (int64_t size = cx.integer("hidden_size").value_or(hidden); size != hidden)
    return invalid("attribute 'hidden_size' is " + llvm::Twine(size) +
                   ", R has shape " + toString(r.shape()));
  return {};
}

Reason Reading::checkInputs() {
  DataType type = cx.input(X).type();
  if (typeClass(type) != TypeClass::Float)
    return notFolded(ReasonCode::UnsupportedType, "element type " + name(type));
  auto check = [&](unsigned i, llvm::StringRef what, ShapeRef shape) -> Reason {
    if (!cx.hasInput(i))
      return {};
    const Elements &value = cx.input(i);
    if (value.shape() != shape)
      return invalid(what + " has shape " + toString(value.shape()) +
                     ", expected " + toString(shape));
    if (value.type() != (i == sequenceLens ? DataType::Int32 : type))
      return invalid(what + " has element type " + name(value.type()));
    return {};
  };
  int64_t width = cell.gates * hidden;
  Shape state = batchFirst ? Shape{batch, directions, hidden}
                           : Shape{directions, batch, hidden};
  auto wrong = check(W, "W", {directions, width, input});
  if (!wrong)
    wrong = check(R, "R", {directions, width, hidden});
  if (!wrong)
    wrong = check(B, "B", {directions, 2 * width});
  if (!wrong)
    wrong = check(sequenceLens, "sequence_lens", {batch});
  if (!wrong)
    wrong = check(initialH, "initial_h", state);
  if (cell.isLSTM && !wrong)
    wrong = check(initialC, "initial_c", state);
  if (cell.isLSTM && !wrong)
    wrong = check(P, "P", {directions, 3 * hidden});
  return wrong;
}

Reason Reading::readLengths() {
  // One length for each sequence: a batch over the limit is refused first.
  if (auto limit = cx.checkResult(DataType::Int64, {batch}))
    return limit;
  layer.lengths = cx.hasInput(sequenceLens) ? Shape(cx.intsOf(sequenceLens))
                                            : Shape(batch, steps);
  for (auto [i, length] : llvm::enumerate(layer.lengths)) {
    if (length < 0 || length > steps)
      return invalid("sequence_lens " + toString(int64_t(i)) + " is " +
                     llvm::Twine(length) + ", X has " + llvm::Twine(steps) +
                     " time steps");
    if (length == 0 && (cx.needsResult(1) || cx.needsResult(2)))
      return undefined("sequence " + llvm::Twine(i) +
                       " has no element, so no last state");
  }
  return {};
}

Reason Reading::readClip() {
  std::optional<float> clip = cx.real("clip");
  if (!clip)
    return {};
  if (!(*clip >= 0))
    return invalid("attribute 'clip' is negative or no number");
  layer.clip = *clip;
  return {};
}

Reason Reading::checkOutputs() {
  layer.allSteps = cx.needsResult(0);
  if (cx.version() < 7 && layer.allSteps &&
      cx.integer("output_sequence").value_or(0) == 0)
    return undefined("attribute 'output_sequence' is 0 and output #0 is read");
  return {};
}

Reason Reading::checkLimits() {
  DataType type = cx.input(X).type();
  if (layer.allSteps)
    if (auto limit = cx.checkResult(type, {steps, directions, batch, hidden}))
      return limit;
  if (auto limit = cx.checkResult(type, {directions, batch, hidden}))
    return limit;
  // The weights are held in double while the layer runs.
  for (Input weights : {W, R})
    if (auto limit =
            cx.checkResult(DataType::Float64, cx.input(weights).shape()))
      return limit;
  return cx.checkWork(double(directions) * steps * batch * cell.gates * hidden *
                      (double(input) + hidden));
}

void Reading::readValues() {
  auto value = [&](unsigned i) {
    return cx.hasInput(i) ? cx.input(i).unrounded() : Elements();
  };
  auto stepsFirst = [&](const Elements &v) {
    return v && batchFirst ? v.transpose({1, 0, 2}) : v;
  };
  layer.x = stepsFirst(value(X));
  layer.w = value(W);
  layer.r = value(R);
  layer.b = value(B);
  layer.h = stepsFirst(value(initialH));
  if (cell.isLSTM) {
    layer.c = stepsFirst(value(initialC));
    layer.p = value(P);
  }
  layer.step = cell.step;
}

/// A reason if a state is NaN behind HardSigmoid, of which ONNX Runtime makes 0.
static Reason findHardNaN(FoldContext &cx, const Elements &h) {
  auto names = cx.strings("activations").value_or(std::vector<std::string>());
  if (mustDecide(cx) || !llvm::is_contained(names, "HardSigmoid") ||
      !firstWhere<double>(h, [](double v) { return isNan(v); }))
    return {};
  return undefined("HardSigmoid of a NaN is a NaN, and 0 in ONNX Runtime");
}

FoldResult onnxfold::foldRecurrent(FoldContext &cx, const RecurrentCell &cell) {
  Reading reading(cx, cell);
  if (Reason wrong = reading.read())
    return wrong;
  DataType type = cx.input(X).type();
  bool batchFirst = reading.batchFirst;
  RecurrenceResult all = recur(reading.layer);
  if (Reason nan = findHardNaN(cx, all.h))
    return nan;
  llvm::SmallVector<Elements, 1> results(cx.numResults());
  if (cx.needsResult(0))
    results[0] =
        rounded(cx, batchFirst ? all.y.transpose({2, 0, 1, 3}) : all.y, type);
  for (unsigned i : {1, 2})
    if (cx.needsResult(i)) {
      const Elements &state = i == 1 ? all.h : all.c;
      results[i] =
          rounded(cx, batchFirst ? state.transpose({1, 0, 2}) : state, type);
    }
  return results;
}
