//===- Bodies.cpp - Graphs as attributes ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Bodies.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Concatenation.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

FoldResult onnxfold::runGraph(FoldContext &cx, StringRef attribute,
                              ArrayRef<FoldedValue> arguments) {
  Region *graph = Operator::from(cx.operation()).getGraph(attribute);
  if (!graph)
    return invalid("attribute '" + attribute + "' is missing");
  return cx.runBody(*graph, arguments);
}

FoldResult onnxfold::runBranch(FoldContext &cx, StringRef attribute) {
  Region *graph = Operator::from(cx.operation()).getGraph(attribute);
  if (!graph)
    return invalid("attribute '" + attribute + "' is missing");
  return cx.runBranch(*graph);
}

Shape onnxfold::shapeOfScalar(FoldContext &cx, StringRef attribute,
                              unsigned i) {
  Region *graph = Operator::from(cx.operation()).getGraph(attribute);
  if (!graph || !graph->hasOneBlock() || graph->getNumArguments() <= i)
    return {};
  auto type = dyn_cast<RankedTensorType>(graph->getArgument(i).getType());
  return type && type.getRank() == 1 ? Shape{1} : Shape{};
}

Reason onnxfold::checkScalar(FoldContext &cx, unsigned i, DataType type) {
  Elements value = cx.hasInput(i) ? cx.anyInput(i).tensor : Elements();
  if (value && value.type() == type)
    return checkOneElement(cx, i);
  return invalid("input #" + Twine(i) + " is not a tensor of " + name(type));
}

int64_t onnxfold::graphResults(FoldContext &cx, StringRef attribute) {
  Region *graph = Operator::from(cx.operation()).getGraph(attribute);
  if (!graph || !graph->hasOneBlock())
    return 0;
  return graph->front().getTerminator()->getNumOperands();
}

static Type declaredResult(Operation *op, unsigned result) {
  if (auto declared = op->getAttrOfType<ArrayAttr>(declaredResultsName))
    return cast<TypeAttr>(declared[result]).getValue();
  return op->getResult(result).getType();
}

/// The output of a graph that runs in no iteration.
static FoldResult emptyScan(FoldContext &cx, unsigned result, int64_t axis) {
  auto type =
      dyn_cast<RankedTensorType>(declaredResult(cx.operation(), result));
  if (!type)
    return undefined("makes no iteration, and what it would make is not known");
  if (axis < 0)
    axis += type.getRank();
  if (axis < 0 || axis >= type.getRank())
    return invalid("result #" + Twine(result) + " has no axis " + Twine(axis));
  Shape shape(type.getShape());
  shape[axis] = 0;
  if (ShapedType::isDynamicShape(shape))
    return undefined("makes no iteration, and of result #" + Twine(result) +
                     " not all dimensions are known");
  return Elements::fromBuffer(toDataType(type.getElementType()), shape,
                              llvm::makeIntrusiveRefCnt<HeapBuffer>(0));
}

Reason Slices::add(FoldContext &cx, const FoldedValue &value) {
  if (!value.tensor)
    return invalid("the body yields something that is not a tensor");
  size += value.tensor.size();
  if (Reason limit = cx.checkResult(value.tensor.type(), {size}))
    return limit;
  Elements part = value.tensor;
  if (part.retainedBytes() > part.bytes())
    part = std::move(part).materialize();
  tensors.push_back(std::move(part));
  return {};
}

bool Slices::isUnneeded(FoldContext &cx, unsigned result) const {
  return tensors.empty() && cx.operation()->getResult(result).use_empty();
}

FoldResult Slices::stack(FoldContext &cx, unsigned result, int64_t axis) const {
  if (tensors.empty())
    return emptyScan(cx, result, axis);
  if (axis < 0)
    axis += tensors[0].rank() + 1;
  if (axis < 0)
    return invalid("result #" + Twine(result) + " has no such axis");
  return stacked(cx, tensors, axis, "iteration");
}
