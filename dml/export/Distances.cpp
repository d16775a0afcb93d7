//===- Distances.cpp - CDist in operators of ONNX -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// scikit-learn's exporter writes nearest neighbours with com.microsoft.CDist if
// it is asked to (optim='cdist'): the distances of the rows of A to those of B.
//
//   |a - b|^2 = |a|^2 + |b|^2 - 2 a b
//
// which may be a little below 0 where it is 0. The terms cancel, and those of
// constants are folded, so all of them are doubles.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/internal/Preparation.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// Makes nodes in the place of another one.
class Distances {
public:
  Distances(Operator cdist, int64_t opset)
      : cdist(cdist), opset(opset), builder(cdist.getOperation()) {}
  void replace();

private:
  Value node(StringRef opType, ValueRange inputs,
             ArrayRef<NamedAttribute> attributes = {});
  Value rowSquares(Value x);
  Value cast(Value x, DataType type);

  Operator cdist;
  int64_t opset;
  OpBuilder builder;
};

} // namespace

Value Distances::node(StringRef opType, ValueRange inputs,
                      ArrayRef<NamedAttribute> attributes) {
  if (!builder.getContext()->isMultithreadingEnabled())
    registerOperator(*builder.getContext(), "", opType);
  Operator made = Operator::create(
      builder, cdist->getLoc(),
      {"", opType, resolveSince("", opType, opset).value_or(1)}, inputs,
      OnnxUnknownType::get(builder.getContext()), attributes);
  made.setNodeName(nodeLabel(cdist));
  return made->getResult(0);
}

/// The sum of the squares of each row, as a column.
Value Distances::rowSquares(Value x) {
  constexpr int64_t axesAreAnInput = 18;
  constexpr int64_t last[] = {1};
  if (opset < axesAreAnInput)
    return node(
        "ReduceSumSquare", x,
        builder.getNamedAttr("axes", builder.getDenseI64ArrayAttr(last)));
  auto type = RankedTensorType::get({1}, builder.getI64Type());
  Elements list = Elements::fromValues<int64_t>({1}, last);
  Value axes = OnnxConstantOp::create(
      builder, cdist->getLoc(), toAttribute(list, type), "", std::nullopt);
  return node("ReduceSumSquare", {x, axes});
}

Value Distances::cast(Value x, DataType type) {
  return node(
      "Cast", x,
      builder.getNamedAttr("to", builder.getI64IntegerAttr(int64_t(type))));
}

/// The element type of the operands; Undefined if it is not known.
static DataType typeOf(Operator cdist) {
  for (Value x : cdist->getOperands())
    if (auto type = dyn_cast<ShapedType>(x.getType()))
      return toDataType(type.getElementType());
  return DataType::Undefined;
}

void Distances::replace() {
  Value a = cdist.input(0), b = cdist.input(1);
  bool isNarrow = typeOf(cdist) == DataType::Float32;
  if (isNarrow) {
    a = cast(a, DataType::Float64);
    b = cast(b, DataType::Float64);
  }
  auto transposed = [&](Value x) {
    constexpr int64_t swapped[] = {1, 0};
    return node(
        "Transpose", x,
        builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(swapped)));
  };
  Value product = node("MatMul", {a, transposed(b)});
  Value near = node("Sub", {node("Add", {product, product}), rowSquares(a)});
  Value squares = node("Relu", node("Sub", {transposed(rowSquares(b)), near}));
  Value made = cdist.getString("metric", "sqeuclidean") == "euclidean"
                   ? node("Sqrt", squares)
                   : squares;
  if (isNarrow)
    made = cast(made, DataType::Float32);
  Operator::from(made.getDefiningOp()).setOutputNames(cdist.outputName(0));
  cdist->getResult(0).replaceAllUsesWith(made);
  cdist->erase();
}

bool dml::replaceDistances(ModuleOp module) {
  SmallVector<Operator> found;
  for (Operation &op : mainBlock(module)) {
    Operator node = Operator::from(&op);
    if (node && node.domain() == "com.microsoft" && node.opType() == "CDist" &&
        node.numInputs() == 2 && node.hasInput(0) && node.hasInput(1) &&
        llvm::is_contained({"euclidean", "sqeuclidean"},
                           node.getString("metric", "sqeuclidean")))
      found.push_back(node);
  }
  for (Operator node : found) {
    int64_t latest = latestOpset(""),
            opset = importedOpset(node.getOperation(), "").value_or(latest);
    Distances(node, std::min(opset, latest)).replace();
  }
  return !found.empty();
}
