//===- ValueRanges.cpp - Bounds of integers -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A schema does not say what an operator computes, so there is a list of
// operators here. One that is missing costs a conversion, never a value.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/transforms/convert/internal/ValueRanges.h"
#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/convert/internal/TypeClasses.h"
#include <algorithm>
#include <limits>

using namespace onnxfold;
using namespace mlir;

using Range = std::optional<ValueRange64>;
using Wide = __int128;

static Range rangeOf(Wide least, Wide most) {
  constexpr Wide low = std::numeric_limits<int64_t>::min();
  constexpr Wide high = std::numeric_limits<int64_t>::max();
  if (least > most || least < low || most > high)
    return std::nullopt; // it would wrap
  return ValueRange64{int64_t(least), int64_t(most)};
}

static Range join(Range a, Range b) {
  if (!a || !b)
    return std::nullopt;
  return ValueRange64{std::min(a->least, b->least), std::max(a->most, b->most)};
}

/// All numbers of an integer type; of other types none are known.
static Range rangeOfType(DataType type) {
  if (type == DataType::Bool)
    return ValueRange64{0, 1};
  if (!isInteger(type) || bitWidth(type) >= 64)
    return std::nullopt;
  int64_t bits = bitWidth(type);
  return isSigned(type)
             ? rangeOf(-(Wide(1) << (bits - 1)), (Wide(1) << (bits - 1)) - 1)
             : rangeOf(0, (Wide(1) << bits) - 1);
}

static Range rangeOfValue(ElementsAttr attribute) {
  constexpr int64_t most = 1 << 22; // more are no sizes or tables of indices
  Elements value = fromAttribute(attribute);
  if (!value || !isInteger(value.type()) || value.type() == DataType::UInt64 ||
      value.size() > most)
    return std::nullopt;
  if (value.size() == 0)
    return ValueRange64{0, 0};
  SmallVector<int64_t> numbers = value.ints();
  auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  return ValueRange64{*least, *greatest};
}

/// The largest size of the axes of a value; of one axis if it is given.
static std::optional<int64_t> largestSize(Value value,
                                          std::optional<int64_t> axis = {}) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return std::nullopt;
  int64_t rank = type.getRank();
  if (axis) {
    int64_t one = *axis < 0 ? *axis + rank : *axis;
    if (one < 0 || one >= rank || type.isDynamicDim(one))
      return std::nullopt;
    return type.getDimSize(one);
  }
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t most = 0;
  for (int64_t size : type.getShape())
    most = std::max(most, size);
  return most;
}

static Range upTo(std::optional<int64_t> most) {
  return most ? rangeOf(0, std::max<int64_t>(*most, 0)) : std::nullopt;
}

/// Operators whose results are sizes and positions.
static Range rangeOfSizes(Operator op, unsigned result) {
  if (op.is("Shape"))
    return upTo(largestSize(op->getOperand(0)));
  if (op.is("Size")) {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    return type && type.hasStaticShape() ? upTo(type.getNumElements())
                                         : std::nullopt;
  }
  if (op.isAny({"ArgMax", "ArgMin"}))
    return upTo(largestSize(op->getOperand(0), op.getInt("axis", 0)));
  if (op.is("TopK") && result == 1)
    return upTo(largestSize(op->getOperand(0), op.getInt("axis", -1)));
  if (op.is("NonZero"))
    return upTo(largestSize(op->getOperand(0)));
  return std::nullopt;
}

SmallVector<unsigned> onnxfold::movedInputs(Operator op) {
  if (op.isAny({"Identity", "Reshape", "Transpose", "Squeeze", "Unsqueeze",
                "Flatten", "Expand", "Tile", "Split", "Slice", "Gather",
                "GatherND", "GatherElements", "Compress", "ReverseSequence",
                "ReduceMax", "ReduceMin", "Unique"}))
    return {0};
  if (op.isAny({"Concat", "Max", "Min"}))
    return llvm::to_vector(llvm::seq<unsigned>(0, op.numInputs()));
  if (op.is("Where"))
    return {1, 2};
  if (op.isAny({"ScatterElements", "ScatterND"}) &&
      op.getString("reduction", "none") == "none")
    return {0, 2};
  return {};
}

Range ValueRanges::ofInputs(Operator op, ArrayRef<unsigned> inputs) const {
  Range all;
  for (unsigned i : inputs) {
    if (!op.hasInput(i))
      return std::nullopt;
    Range one = of(op->getOperand(i));
    all = i == inputs.front() ? one : join(all, one);
    if (!all)
      return std::nullopt;
  }
  return all;
}

/// The products or quotients of the ends have the ends of the result.
template <class F>
static Range ofEnds(ValueRange64 a, ValueRange64 b, F combine) {
  Wide ends[] = {combine(a.least, b.least), combine(a.least, b.most),
                 combine(a.most, b.least), combine(a.most, b.most)};
  return rangeOf(*std::min_element(ends, ends + 4),
                 *std::max_element(ends, ends + 4));
}

static Range arithmetic(Operator op, ValueRange64 a, ValueRange64 b) {
  if (op.is("Add"))
    return rangeOf(Wide(a.least) + b.least, Wide(a.most) + b.most);
  if (op.is("Sub"))
    return rangeOf(Wide(a.least) - b.most, Wide(a.most) - b.least);
  if (op.is("Mul"))
    return ofEnds(a, b, [](Wide x, Wide y) { return x * y; });
  if (op.is("Div") && b.least > 0)
    return ofEnds(a, b, [](Wide x, Wide y) { return x / y; });
  if (op.is("Mod") && b.least > 0)
    return rangeOf(-(Wide(b.most) - 1), Wide(b.most) - 1);
  return std::nullopt;
}

/// `start` to `limit`, both of which a Range stays between.
static Range rangeOfRange(Range start, Range limit) {
  return join(start, limit);
}

Range ValueRanges::compute(Operator op, unsigned result) const {
  if (Range sizes = rangeOfSizes(op, result))
    return sizes;
  if (op.is("Cast") || op.is("CastLike")) {
    Range before = of(op->getOperand(0));
    return before ? before
                  : rangeOfType(elementTypeOf(op->getOperand(0).getType()));
  }
  if (op.is("ConstantOfShape"))
    return op.has("value") ? rangeOfValue(op.getTensor("value"))
                           : Range(ValueRange64{0, 0});
  if (op.is("Unique") && result != 0)
    return std::nullopt;
  if (SmallVector<unsigned> moved = movedInputs(op); !moved.empty())
    return ofInputs(op, moved);
  if (op.is("Range"))
    return rangeOfRange(of(op->getOperand(0)), of(op->getOperand(1)));
  if (op.isAny({"Neg", "Abs", "Sign"})) {
    Range x = of(op->getOperand(0));
    if (!x)
      return std::nullopt;
    Wide most = std::max(-Wide(x->least), Wide(x->most));
    return op.is("Sign")  ? Range(ValueRange64{-1, 1})
           : op.is("Abs") ? rangeOf(0, std::max(most, Wide(0)))
                          : rangeOf(-Wide(x->most), -Wide(x->least));
  }
  if (op.numInputs() == 2) {
    Range a = of(op->getOperand(0)), b = of(op->getOperand(1));
    return a && b ? arithmetic(op, *a, *b) : std::nullopt;
  }
  return std::nullopt;
}

ValueRanges::ValueRanges(ModuleOp module) {
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto note = [&](Value value, Range range) {
      if (range)
        ranges.try_emplace(value, *range);
    };
    if (auto constant = dyn_cast<OnnxConstantOp>(op))
      return note(constant.getResult(), rangeOfValue(constant.getValue()));
    Operator node = Operator::from(op);
    if (!node || !node.domain().empty() || node.isCustom() ||
        node.hasReferences() || node.numGraphs() != 0)
      return;
    for (OpResult result : op->getResults())
      if (isInteger(elementTypeOf(result.getType())))
        note(result, compute(node, result.getResultNumber()));
  });
}

Range ValueRanges::of(Value value) const {
  auto found = ranges.find(value);
  return found == ranges.end() ? rangeOfType(elementTypeOf(value.getType()))
                               : Range(found->second);
}

bool ValueRanges::fits(Value value, DataType type) const {
  Range mine = of(value);
  if (!mine)
    return false;
  if (bitWidth(type) >= 64)
    return isSigned(type) || mine->least >= 0;
  Range theirs = rangeOfType(type);
  return mine->least >= theirs->least && mine->most <= theirs->most;
}

std::optional<int64_t> onnxfold::boundOfIndices(OpOperand &place) {
  Operator op = Operator::from(place.getOwner());
  if (!op || !op.domain().empty() || op.isCustom() ||
      place.getOperandNumber() != 1 ||
      !op.isAny({"Gather", "GatherElements", "ScatterElements"}))
    return std::nullopt;
  return largestSize(op->getOperand(0), op.getInt("axis", 0));
}
