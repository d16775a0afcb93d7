//===- LoopShapes.cpp - How Loop, Scan and SequenceMap run a body ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/LoopShapes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The body, if it has one block.
static Region *bodyOf(Operator op) {
  Region *body = op.getGraph("body");
  return body && body->hasOneBlock() && !body->front().empty() ? body : nullptr;
}

static unsigned numGiven(Region &body) {
  return body.front().back().getNumOperands();
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

/// A Loop has so many inputs before the loop-carried ones, and so many
/// arguments.
static constexpr unsigned loopHead = 2;

static std::optional<bool> truthOf(const ValueState &state) {
  if (!state.isConstant() || state.type != DataType::Bool ||
      state.value.size() != 1)
    return std::nullopt;
  return state.value.value<bool>(0);
}

/// The value of the condition before the first iteration.
static std::optional<bool> startsTrue(Operator op,
                                      ArrayRef<const ValueState *> operands) {
  return op.hasInput(1) ? truthOf(*operands[1]) : true;
}

/// Input M, as a number or a symbol.
static std::optional<DimExpr>
limitOf(Operator op, ArrayRef<const ValueState *> operands, DimExprs &exprs) {
  if (!op.hasInput(0) || operands[0]->type != DataType::Int64 ||
      !operands[0]->value || operands[0]->value.size() != 1)
    return std::nullopt;
  if (operands[0]->isSymbolic())
    return operands[0]->value.value<DimExpr>(0);
  return exprs.constant(operands[0]->value.ints()[0]);
}

/// The condition in a body that runs is true; it is a symbol, because that is
/// better handed on than stated again.
static DimExpr toldCondition(DimExprs &exprs) {
  constexpr int name = 301; // of this file
  DimExpr one = exprs.constant(1);
  return exprs.opaque(name, one, one, ExprRange::truth());
}

/// The body says that there is another iteration.
static bool goesOn(const ValueState &condition, DimExprs &exprs) {
  if (!condition.isSymbolic())
    return truthOf(condition) == true;
  return condition.value.size() == 1 &&
         condition.value.value<DimExpr>(0) == toldCondition(exprs);
}

/// The condition as the body gets it: runtimes give it as that declares it.
static ValueState conditionOf(Type declared, DimExprs &exprs) {
  ValueState state;
  state.type = DataType::Bool;
  auto type = dyn_cast<RankedTensorType>(declared);
  if (!type || type.getRank() > 1)
    return state;
  state.shape.emplace(type.getRank(), exprs.constant(1));
  state.value = Elements::fromValues<DimExpr>({}, {toldCondition(exprs)})
                    .expand(Shape(type.getRank(), 1));
  return state;
}

static std::optional<BodyLoop>
describePlainLoop(Operator op, Region &body,
                  ArrayRef<const ValueState *> operands, DimExprs &exprs) {
  unsigned carried = op.numInputs() - loopHead;
  if (op.numInputs() < loopHead || body.getNumArguments() != op.numInputs() ||
      numGiven(body) < 1 + carried || op.numOutputs() > numGiven(body) - 1)
    return std::nullopt;
  BodyLoop loop{&body};
  auto limit = limitOf(op, operands, exprs);
  loop.runs = startsTrue(op, operands) == true &&
              (!op.hasInput(0) || (limit && exprs.rangeOf(*limit).least > 0));
  loop.arguments.resize(op.numInputs());
  loop.arguments[0].first.type = DataType::Int64;
  loop.arguments[1].first = conditionOf(body.getArgument(1).getType(), exprs);
  for (unsigned i = loopHead; i < op.numInputs(); ++i)
    loop.arguments[i] = {*operands[i], i - 1};
  return loop;
}

/// How many iterations there are, if that is known.
static std::optional<DimExpr> countOf(Operator op, const ValueState &condition,
                                      ArrayRef<const ValueState *> operands,
                                      DimExprs &exprs) {
  if (startsTrue(op, operands) == false)
    return exprs.constant(0);
  auto limit = limitOf(op, operands, exprs);
  if (!limit || startsTrue(op, operands) != true || !goesOn(condition, exprs))
    return std::nullopt;
  return exprs.maximum(*limit, exprs.constant(0));
}

/// Slices of which `slice` is one, along a new axis of that length. What is not
/// known of the slices may be known otherwise.
static ValueState stacked(const ValueState &slice, int64_t axis,
                          std::optional<DimExpr> length, bool runs,
                          const ValueState &otherwise, DimExprs &exprs) {
  ValueState state;
  state.type = slice.type;
  if (runs && slice.shape) {
    int64_t rank = int64_t(slice.shape->size()) + 1;
    axis += axis < 0 ? rank : 0;
    if (axis < 0 || axis >= rank)
      return otherwise;
    state.shape = slice.shape;
    state.shape->insert(state.shape->begin() + axis,
                        length ? *length : exprs.freshDimension());
    return state;
  }
  state.shape = otherwise.shape;
  if (!state.shape || !length)
    return state;
  int64_t rank = state.shape->size();
  axis += axis < 0 ? rank : 0;
  if (axis >= 0 && axis < rank)
    (*state.shape)[axis] = *length;
  return state;
}

//===----------------------------------------------------------------------===//
// Scan
//===----------------------------------------------------------------------===//

namespace {

/// The roles of the inputs and outputs of a Scan.
struct ScanParts {
  unsigned head = 0;     ///< inputs before the states: lengths
  unsigned states = 0;   ///< then the scan inputs
  bool hasBatch = false; ///< of version 8: all have a first dimension for it
  SmallVector<int64_t> inputAxes, outputAxes;
};

} // namespace

static std::optional<ScanParts> partsOf(Operator op, Region &body) {
  constexpr int64_t ofBatches = 8;
  ScanParts parts;
  parts.hasBatch = op.since() == ofBatches;
  parts.head = parts.hasBatch;
  int64_t scanned = op.getInt("num_scan_inputs", 0);
  if (scanned < 1 || scanned > int64_t(op.numInputs()) - int64_t(parts.head))
    return std::nullopt;
  parts.states = op.numInputs() - parts.head - scanned;
  if (body.getNumArguments() != parts.states + scanned ||
      numGiven(body) < parts.states || op.numOutputs() > numGiven(body))
    return std::nullopt;
  // The axis of the length is the second of all in a batch.
  int64_t usual = parts.hasBatch;
  parts.inputAxes.assign(scanned, usual);
  parts.outputAxes.assign(numGiven(body) - parts.states, 0);
  if (parts.hasBatch)
    return parts;
  for (auto [name, axes] : {std::pair("scan_input_axes", &parts.inputAxes),
                            std::pair("scan_output_axes", &parts.outputAxes)})
    if (auto given = op.getInts(name)) {
      if (given->size() != axes->size())
        return std::nullopt;
      axes->assign(given->begin(), given->end());
    }
  return parts;
}

/// Dimension `axis`, if it is known that there is one.
static std::optional<DimExpr> sizeOf(const ValueState &state, int64_t axis) {
  if (!state.shape)
    return std::nullopt;
  int64_t rank = state.shape->size();
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return std::nullopt;
  return (*state.shape)[axis];
}

/// The state without a dimension, of which one slice is taken.
static ValueState without(const ValueState &state, int64_t axis) {
  ValueState slice;
  slice.type = state.type;
  if (!sizeOf(state, axis))
    return slice;
  slice.shape = state.shape;
  axis += axis < 0 ? int64_t(state.shape->size()) : 0;
  slice.shape->erase(slice.shape->begin() + axis);
  return slice;
}

/// The same in all inputs from `first` on; a number, if one of them has one.
static std::optional<DimExpr> commonSize(ArrayRef<const ValueState *> operands,
                                         unsigned first, ArrayRef<int64_t> axes,
                                         const DimExprs &exprs) {
  std::optional<DimExpr> common;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    auto size = sizeOf(*operands[first + i], axis);
    if (size && (!common || exprs.valueOf(*size)))
      common = size;
  }
  return common;
}

static bool isSomething(std::optional<DimExpr> size, const DimExprs &exprs) {
  return size && exprs.rangeOf(*size).least > 0;
}

/// The size of a batch, of which all inputs but the first have one.
static std::optional<DimExpr> batchOf(ArrayRef<const ValueState *> operands,
                                      const DimExprs &exprs) {
  SmallVector<int64_t> axes(operands.size() - 1, 0);
  return commonSize(operands, 1, axes, exprs);
}

static std::optional<BodyLoop>
describeScan(Operator op, Region &body, ArrayRef<const ValueState *> operands,
             DimExprs &exprs) {
  std::optional<ScanParts> parts = partsOf(op, body);
  if (!parts)
    return std::nullopt;
  BodyLoop loop{&body};
  unsigned firstInput = parts->head + parts->states;
  loop.runs =
      isSomething(commonSize(operands, firstInput, parts->inputAxes, exprs),
                  exprs) &&
      (!parts->hasBatch || isSomething(batchOf(operands, exprs), exprs));
  for (unsigned i = 0; i < parts->states; ++i) {
    const ValueState &state = *operands[parts->head + i];
    loop.arguments.push_back({parts->hasBatch ? without(state, 0) : state, i});
  }
  for (auto [i, axis] : llvm::enumerate(parts->inputAxes)) {
    ValueState slice = without(*operands[firstInput + i], axis);
    loop.arguments.push_back(
        {parts->hasBatch ? without(slice, 0) : slice, std::nullopt});
  }
  return loop;
}

/// Runtimes refuse to scan nothing, so of slices all is known that is known of
/// one.
static SmallVector<ValueState, 2>
resultsOfScan(Operator op, ArrayRef<const ValueState *> operands,
              ArrayRef<ValueState> last, ArrayRef<ValueState> results,
              DimExprs &exprs) {
  ScanParts parts = *partsOf(op, *bodyOf(op));
  auto length =
      commonSize(operands, parts.head + parts.states, parts.inputAxes, exprs);
  SmallVector<ValueState, 2> known(results);
  for (auto [k, state] : llvm::enumerate(known)) {
    state = last[k];
    if (k >= parts.states)
      state = stacked(state, parts.outputAxes[k - parts.states], length,
                      /*runs=*/true, results[k], exprs);
    if (parts.hasBatch)
      state = stacked(state, 0, batchOf(operands, exprs), /*runs=*/true,
                      results[k], exprs);
  }
  return known;
}

//===----------------------------------------------------------------------===//
// SequenceMap
//===----------------------------------------------------------------------===//

/// The type that the tensors of a sequence have, or null.
static Type elementOf(Type type) {
  auto sequence = dyn_cast<OnnxSequenceType>(type);
  return sequence ? sequence.getElementType() : Type();
}

static std::optional<BodyLoop>
describeMap(Operator op, Region &body, ArrayRef<const ValueState *> operands) {
  if (body.getNumArguments() != op.numInputs())
    return std::nullopt;
  BodyLoop loop{&body};
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Type type = op->getOperand(i).getType();
    BodyLoop::Argument argument;
    if (!elementOf(type) && isa<TensorType>(type))
      argument.first = *operands[i]; // each gets it whole
    loop.arguments.push_back(std::move(argument));
  }
  return loop;
}

//===----------------------------------------------------------------------===//

std::optional<BodyLoop>
onnxfold::describeLoop(Operator op, ArrayRef<const ValueState *> operands,
                       DimExprs &exprs) {
  if (!op || op->getNumRegions() == 0 || op.isCustom() || op.hasReferences())
    return std::nullopt;
  Region *body = bodyOf(op);
  if (body && op.is("Loop"))
    return describePlainLoop(op, *body, operands, exprs);
  if (body && op.is("Scan"))
    return describeScan(op, *body, operands, exprs);
  if (body && op.is("SequenceMap"))
    return describeMap(op, *body, operands);
  return std::nullopt;
}

Type onnxfold::typeOfLoopArgument(Operator op, unsigned i, Type type) {
  if (op.is("SequenceMap") && elementOf(type))
    return elementOf(type);
  constexpr int64_t ofBatches = 8; // its arguments are not as its operands
  if ((op.is("Loop") && i < loopHead) ||
      (op.is("Scan") && op.since() <= ofBatches))
    return {};
  // The sizes of slices differ, and those of loop-carried values may change.
  if (auto tensor = dyn_cast<TensorType>(type))
    return UnrankedTensorType::get(tensor.getElementType());
  return op.is("Loop") ? type : Type();
}

SmallVector<ValueState, 2> onnxfold::resultsOfLoop(
    Operator op, bool runs, ArrayRef<const ValueState *> operands,
    ArrayRef<ValueState> last, ArrayRef<ValueState> results, DimExprs &exprs) {
  if (op.is("Scan"))
    return resultsOfScan(op, operands, last, results, exprs);
  SmallVector<ValueState, 2> known(results);
  if (!op.is("Loop"))
    return known;
  unsigned carried = op.numInputs() - loopHead;
  auto count = countOf(op, last[0], operands, exprs);
  for (auto [k, state] : llvm::enumerate(known))
    state = k < carried
                ? last[1 + k]
                : stacked(last[1 + k], 0, count, runs, results[k], exprs);
  return known;
}
