//===- IndexRanges.cpp - Which integers an input may hold -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/IndexRanges.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

/// The numbers that an operator takes as one of its inputs.
struct Reader {
  OperatorName opType;
  unsigned input;
  NumberRange range;
  bool isBound = true; // other numbers may be refused
};

/// Indices into a dimension of another input: [least, its size - 1 + last].
struct IndexReader {
  OperatorName opType;
  unsigned input, data;
  int64_t axis; // of `data`; attribute 'axis' if there is one; -1: any
  bool wraps = false;
  bool isDistinct = false;
  double least = 0, last = 0;
};

} // namespace

/// Small sizes that give small results, rates, and what has to be positive.
static const Reader readers[] = {
    {"ConstantOfShape", 0, {1, 4}},
    {"Expand", 1, {1, 1}},
    {"Tile", 1, {1, 2}},
    {"TopK", 1, {1, 1}},
    {"Range", 0, {0, 2}},
    {"Range", 1, {3, 8}},
    {"Range", 2, {1, 2}},
    {"Loop", 0, {0, 5}},
    {"Slice", 1, {0, 0}},
    {"Slice", 2, {1, 4}},
    {"Slice", 3, {0, 0}},
    {"Slice", 4, {1, 1}},
    {"Pad", 1, {0, 2}},
    {"Squeeze", 1, {0, 0}},
    {"Unsqueeze", 1, {0, 0}},
    {"CumSum", 1, {0, 0}},
    {"Trilu", 1, {-2, 2}, false},
    {"OneHot", 1, {2, 8}},
    {"DFT", 1, {4, 8}},
    {"HannWindow", 0, {4, 8}},
    {"HammingWindow", 0, {4, 8}},
    {"BlackmanWindow", 0, {4, 8}},
    {"Resize", 2, {1, 2}}, // scales, from version 11 on
    {"Upsample", 1, {1, 2}},
    {"BitShift", 1, {0, 7}},
    {"Div", 1, {1, 5}, false},
    {"Mod", 1, {1, 5}, false},
    {"Pow", 1, {0, 3}, false},
    {"SequenceAt", 1, {0, 0}},
    {"SequenceErase", 1, {0, 0}},
    {"SequenceInsert", 2, {0, 0}},
    {"SplitToSequence", 1, {1, 1}},
    {"NonMaxSuppression", 2, {1, 5}},
    {"NonMaxSuppression", 3, {0, 1}, false},
    {"NonMaxSuppression", 4, {0, 1}, false},
    {"BatchNormalization", 4, {0.5, 1.5}, false},
    {"QuantizeLinear", 1, {0.01, 0.1}},
    {"DequantizeLinear", 1, {0.01, 0.1}},
    {"Dropout", 1, {0, 0.5}},
};

static const IndexReader indexReaders[] = {
    {"Gather", 1, 0, 0, true},
    {"GatherElements", 1, 0, 0, true},
    {"GatherND", 1, 0, -1, true},
    {"Scatter", 1, 0, 0, true, true},
    {"ScatterElements", 1, 0, 0, true, true},
    {"ScatterND", 1, 0, -1, true, true},
    {"MaxUnpool", 1, 0, -1},
    {"NegativeLogLikelihoodLoss", 1, 0, 1},
    {"SoftmaxCrossEntropyLoss", 1, 0, 1},
    {"RoiAlign", 2, 0, 0},
    {"RotaryEmbedding", 3, 1, 0},
    {"ReverseSequence", 1, 0, 0, false, false, 1, 1},
    {"RNN", 4, 0, 0, false, false, 1, 1},
    {"GRU", 4, 0, 0, false, false, 1, 1},
    {"LSTM", 4, 0, 0, false, false, 1, 1},
};

/// Result #0 (all results of Split) holds numbers of these inputs.
static bool movesInput(Operator op, unsigned input) {
  static const llvm::StringLiteral ofFirst[] = {
      "Identity", "Cast",   "CastLike", "Reshape",        "Flatten",
      "Squeeze",  "Slice",  "Expand",   "Unsqueeze",      "Transpose",
      "Tile",     "Gather", "Split",    "GatherElements", "Dropout",
      "GatherND", "Clip"};
  if (!op.domain().empty())
    return false;
  if (op.is("Concat"))
    return true;
  if (op.is("Where"))
    return input != 0;
  return input == 0 && llvm::is_contained(ofFirst, op.opType());
}

static void narrow(std::optional<AcceptedNumbers> &accepted,
                   const AcceptedNumbers &other) {
  if (!accepted) {
    accepted = other;
    return;
  }
  // Readers that contradict each other: the last one is as good as any.
  NumberRange both = {std::fmax(accepted->range.least, other.range.least),
                      std::fmin(accepted->range.most, other.range.most)};
  accepted->range = both.least <= both.most ? both : other.range;
  accepted->isBound |= other.isBound;
  accepted->wraps &= other.wraps;
  if (other.distinct)
    accepted->distinct = other.distinct;
}

/// The sizes of an operand, if all are known.
static std::optional<Shape> sizesOf(Value value, Evaluation &shapes) {
  const ValueState &state = shapes.state(value);
  if (!state.shape)
    return std::nullopt;
  Shape sizes;
  for (DimExpr d : *state.shape) {
    std::optional<int64_t> size = shapes.exprs().valueOf(d);
    if (!size)
      return std::nullopt;
    sizes.push_back(*size);
  }
  return sizes;
}

/// Indices into `data`, if its dimensions are known.
static std::optional<AcceptedNumbers>
indicesOf(Operator op, const IndexReader &reader, Evaluation &shapes) {
  const ValueState &data = shapes.state(op->getOperand(reader.data));
  if (!data.shape || data.shape->empty())
    return std::nullopt;
  int64_t rank = data.shape->size();
  int64_t axis = reader.axis < 0 ? -1 : op.getInt("axis", reader.axis);
  if (reader.axis >= 0 && axis < 0)
    axis += rank;
  double least = INFINITY;
  for (int64_t i = 0; i != rank; ++i)
    if (reader.axis < 0 || i == axis)
      if (std::optional<int64_t> size =
              shapes.exprs().valueOf((*data.shape)[i]))
        least = std::fmin(least, double(*size));
  if (!std::isfinite(least))
    return std::nullopt;
  AcceptedNumbers result = {{reader.least, least - 1 + reader.last},
                            /*isBound=*/true,
                            reader.wraps,
                            std::nullopt};
  // A reduction takes the same element again and again.
  if (!reader.isDistinct || op.getString("reduction", "none") != "none")
    return result;
  std::optional<Shape> all = sizesOf(op->getOperand(reader.data), shapes);
  std::optional<Shape> own = sizesOf(op->getOperand(reader.input), shapes);
  if (all && own)
    result.distinct = {*own, *all, axis};
  return result;
}

namespace {

/// Follows a value to its readers.
class Walk {
public:
  explicit Walk(Evaluation &shapes) : shapes(shapes) {}

  /// `added`: what was added to the input's numbers so far.
  void follow(Value value, double added) {
    if (!seen.insert(value).second)
      return;
    for (OpOperand &use : value.getUses())
      if (Operator op = Operator::from(use.getOwner()))
        visit(op, use.getOperandNumber(), added);
  }

  std::optional<AcceptedNumbers> accepted;

private:
  void visit(Operator op, unsigned input, double added);
  void shift(Operator op, unsigned input, double added);

  Evaluation &shapes;
  llvm::SmallPtrSet<Value, 16> seen;
};

} // namespace

/// Positions that are counted from another number than 0: Add(positions, 2).
void Walk::shift(Operator op, unsigned input, double added) {
  if (op.numInputs() != 2 || (op.is("Sub") && input != 0))
    return;
  const ValueState &other = shapes.state(op->getOperand(1 - input));
  if (!other.isConstant() || other.value.size() != 1 ||
      !hasWideKind(other.value.type()))
    return;
  double step = other.value.number().to<double>();
  follow(op->getResult(0), added + (op.is("Sub") ? -step : step));
}

void Walk::visit(Operator op, unsigned input, double added) {
  if (movesInput(op, input))
    for (Value result : op->getResults())
      follow(result, added);
  if (op.is("Add") || op.is("Sub"))
    return shift(op, input, added);
  if (!op.domain().empty())
    return;
  auto take = [&](AcceptedNumbers taken) {
    taken.range = {taken.range.least - added, taken.range.most - added};
    if (added != 0) {
      taken.wraps = false;
      taken.distinct.reset();
    }
    narrow(accepted, taken);
  };
  for (const Reader &reader : readers)
    if (op.is(reader.opType) && input == reader.input)
      take({reader.range, reader.isBound});
  for (const IndexReader &reader : indexReaders)
    if (op.is(reader.opType) && input == reader.input)
      if (auto indices = indicesOf(op, reader, shapes))
        take(*indices);
}

std::optional<AcceptedNumbers> onnxfold::acceptedByReaders(Value value,
                                                           Evaluation &shapes) {
  Walk walk(shapes);
  walk.follow(value, 0);
  return walk.accepted;
}

/// Some reader takes the value as this input of one of these operators.
static bool isReadAs(Value value, unsigned input,
                     ArrayRef<llvm::StringLiteral> opTypes) {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    Operator op = Operator::from(use.getOwner());
    return op && op.domain().empty() && use.getOperandNumber() == input &&
           llvm::is_contained(opTypes, op.opType());
  });
}

bool onnxfold::isTargetShape(Value value) {
  return isReadAs(value, 1, {"Reshape"});
}

bool onnxfold::isListOfAxes(Value value) {
  return isReadAs(value, 1, {"Squeeze", "Unsqueeze"}) ||
         isReadAs(value, 3, {"Slice", "Pad"});
}
