//===- Bodies.cpp - Graphs as attributes ----------------------------------===//

#include "onnxfold/onnx/kernels/support/Bodies.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/kernels/support/Parts.h"
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

int64_t onnxfold::graphResults(FoldContext &cx, StringRef attribute) {
  Region *graph = Operator::from(cx.operation()).getGraph(attribute);
  if (!graph || !graph->hasOneBlock())
    return 0;
  return graph->front().getTerminator()->getNumOperands();
}

FoldResult onnxfold::emptyScan(FoldContext &cx, unsigned result, int64_t axis) {
  auto type =
      dyn_cast<RankedTensorType>(cx.operation()->getResult(result).getType());
  if (!type || axis >= type.getRank())
    return undefined("makes no iteration, and what it would make is not known");
  Shape shape(type.getShape());
  shape[axis] = 0;
  if (ShapedType::isDynamicShape(shape))
    return undefined("makes no iteration, and of result #" + Twine(result) +
                     " not all dimensions are known");
  DataType element = toDataType(type.getElementType());
  return element == DataType::String
             ? Elements::fromStrings(shape, {})
             : Elements::splat(element, shape, WideNum());
}

FoldResult onnxfold::scanned(FoldContext &cx, unsigned result,
                             ArrayRef<Elements> parts, int64_t axis) {
  return parts.empty() ? emptyScan(cx, result, axis)
                       : stacked(cx, parts, axis, "iteration");
}
