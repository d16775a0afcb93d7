//===- Sequences.cpp - Sequences whose tensors are known by position ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "onnxfold/onnx/transforms/rewrite/SequenceLists.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The tensor that a SequenceAt takes; nothing if that is not known. `isLocal`:
/// new nodes in its place can read what the producers of the sequence read.
static std::optional<SequenceItem> itemAt(const CleanUpContext &cx,
                                          bool isLocal) {
  const Evaluation &evaluation = cx.knownValues();
  auto list = tensorsOf(cx.op.input(0), evaluation);
  auto position =
      list ? positionIn(cx.op, list->items.size(), evaluation) : std::nullopt;
  if (!position || (isLocal && list->block != cx.op->getBlock()))
    return std::nullopt;
  return list->items[*position];
}

Value patterns::matchSequenceAt(const CleanUpContext &cx) {
  auto item =
      cx.op.is("SequenceAt") ? itemAt(cx, /*isLocal=*/false) : std::nullopt;
  return item ? item->tensor : Value();
}

/// A part whose axis is gone is a Gather. A graph output needs a node of its
/// own.
Value patterns::matchSequencePart(const CleanUpContext &cx) {
  auto item =
      cx.op.is("SequenceAt") ? itemAt(cx, /*isLocal=*/true) : std::nullopt;
  if (!item)
    return {};
  if (item->tensor)
    return llvm::is_contained(cx.op->getUsers(),
                              cx.op->getBlock()->getTerminator())
               ? cx.nodes.create("Identity", {item->tensor})
               : Value();
  Operator split = Operator::from(item->split);
  auto parts = cutsOf(split, cx.knownValues());
  if (parts->keepsAxis)
    return {};
  Value index =
      cx.nodes.constant(Elements::splat<int64_t>(Shape(), item->part));
  return cx.nodes.create("Gather", {split.input(0), index},
                         cx.nodes.attribute("axis", parts->axis));
}

/// A chain of these becomes one node, step by step.
Value patterns::matchSequenceList(const CleanUpContext &cx) {
  constexpr unsigned mostInner = 32; // each step makes all operands anew
  Operator inner = cx.producer(0);
  if (!inner || inner.numInputs() > mostInner ||
      !inner.isAny({"SequenceConstruct", "SequenceEmpty"}))
    return {};
  auto list = tensorsOf(cx.op->getResult(0), cx.knownValues());
  if (!list || (inner.is("SequenceConstruct") && !cx.isOnlyReader(0)))
    return {};
  if (list->items.empty())
    return cx.nodes.create("SequenceEmpty", {},
                           cx.nodes.attribute("dtype", int64_t(list->type)));
  return cx.nodes.create("SequenceConstruct", list->values());
}

//===----------------------------------------------------------------------===//
// ConcatFromSequence
//===----------------------------------------------------------------------===//

/// The sizes of a stack, of which one may be -1: beside sizes that are not 0, so
/// that a runtime accepts it for every size.
static std::optional<SmallVector<int64_t>>
targetOfStack(const CleanUpContext &cx, ArrayRef<DimExpr> shape, int64_t axis,
              int64_t count) {
  const DimExprs &exprs = cx.knownValues().exprs();
  SmallVector<int64_t> target;
  bool mayBeEmpty = false;
  for (DimExpr size : shape.take_front(axis)) {
    target.push_back(0); // copied
    mayBeEmpty |= exprs.rangeOf(size).least <= 0;
  }
  target.push_back(count);
  for (DimExpr size : shape.drop_front(axis)) {
    target.push_back(exprs.valueOf(size).value_or(-1));
    if (target.back() == 0)
      return std::nullopt;
  }
  auto numOpen = llvm::count(target, -1);
  bool fits = numOpen == 0 || (numOpen == 1 && !mayBeEmpty);
  return fits ? std::optional(target) : std::nullopt;
}

/// A stack as a Concat that a Reshape divides, of tensors of one shape: nothing
/// is looked at but the order of elements.
static Value stackByReshape(const CleanUpContext &cx, ArrayRef<Value> tensors,
                            int64_t axis) {
  constexpr int copiesZeros = 5; // since then a size of 0 copies a dimension
  const auto &shape = cx.knownValues().state(tensors[0]).shape;
  if (axis >= int64_t(shape->size()) ||
      cx.nodes.sinceOf("Reshape").value_or(0) < copiesZeros ||
      !llvm::all_of(tensors, [&](Value tensor) {
        return cx.haveSameShape(tensor, tensors[0]);
      }))
    return {};
  auto target = targetOfStack(cx, *shape, axis, tensors.size());
  if (!target)
    return {};
  Value joined =
      cx.nodes.create("Concat", tensors, cx.nodes.attribute("axis", axis));
  return cx.nodes.create("Reshape", {joined, cx.nodes.integers(*target)});
}

static Value withNewAxis(const CleanUpContext &cx, Value tensor, int64_t axis) {
  constexpr int axesAreInput = 13;
  if (cx.nodes.sinceOf("Unsqueeze").value_or(0) < axesAreInput)
    return cx.nodes.create("Unsqueeze", {tensor},
                           cx.nodes.attribute("axes", ArrayRef<int64_t>{axis}));
  Value axes = cx.nodes.integers({axis});
  return cx.nodes.create("Unsqueeze", {tensor, axes});
}

/// The nodes that are unused once `op` does not read its sequence.
static size_t countProducers(const CleanUpContext &cx, Operator op) {
  size_t count = 0;
  for (Value sequence = op.input(0); cx.isReadOnce(sequence); ++count) {
    Operation *maker = sequence.getDefiningOp();
    if (!maker || maker->getNumOperands() == 0 ||
        Operator::from(maker).is("SequenceConstruct"))
      return count + (maker != nullptr);
    sequence = maker->getOperand(0);
  }
  return count;
}

/// Along a new axis.
static Value stackOf(const CleanUpContext &cx, ArrayRef<Value> tensors) {
  const auto &shape = cx.knownValues().state(tensors[0]).shape;
  if (!shape)
    return {};
  int64_t rank = shape->size() + 1, axis = cx.op.getInt("axis", 0);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis >= rank)
    return {};
  if (tensors.size() == 1)
    return withNewAxis(cx, tensors[0], axis);
  size_t producers = countProducers(cx, cx.op);
  if (producers == 0)
    return {};
  if (Value stack = stackByReshape(cx, tensors, axis))
    return stack;
  if (tensors.size() > producers) // and a Concat for the node itself
    return {};
  SmallVector<Value> rows;
  for (Value tensor : tensors)
    rows.push_back(withNewAxis(cx, tensor, axis));
  return cx.nodes.create("Concat", rows, cx.nodes.attribute("axis", axis));
}

Value patterns::matchConcatFromSequence(const CleanUpContext &cx) {
  auto axis = cx.op.getInt("axis");
  if (!cx.op.is("ConcatFromSequence") || !axis)
    return {};
  auto list = tensorsOf(cx.op.input(0), cx.knownValues());
  if (!list || list->items.empty() || !list->areValues() ||
      list->block != cx.op->getBlock())
    return {};
  int64_t isNew = cx.op.getInt("new_axis", 0);
  if (isNew == 1)
    return stackOf(cx, list->values());
  if (isNew != 0)
    return {};
  return cx.nodes.create("Concat", list->values(),
                         cx.nodes.attribute("axis", *axis));
}
