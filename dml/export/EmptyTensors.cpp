//===- EmptyTensors.cpp - Tensors without elements ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/EmptyTensors.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The value is read, has no elements, and is no constant.
static bool isReplaced(Value value, const KnownTypes &types) {
  auto type = dyn_cast<RankedTensorType>(types.typeOf(value));
  if (!type || !type.hasStaticShape() || type.getNumElements() != 0 ||
      value.use_empty() || value.getDefiningOp<OnnxConstantOp>())
    return false;
  DataType element = toDataType(type.getElementType());
  return isNumeric(element) || element == DataType::Bool;
}

bool dml::replaceEmptyTensors(Region &graph, const KnownTypes &types) {
  llvm::SmallVector<Value> empty;
  auto note = [&](Region &region) {
    for (Block &block : region) {
      llvm::append_range(empty, block.getArguments());
      for (Operation &op : block)
        if (Operator::from(&op))
          llvm::append_range(empty, op.getResults());
    }
  };
  note(graph);
  graph.walk([&](Operation *op) { llvm::for_each(op->getRegions(), note); });
  llvm::erase_if(empty, [&](Value value) { return !isReplaced(value, types); });
  for (Value value : empty) {
    auto type = cast<RankedTensorType>(types.typeOf(value));
    OpBuilder builder(graph.getContext());
    if (Operation *maker = value.getDefiningOp())
      builder.setInsertionPoint(maker);
    else
      builder.setInsertionPointToStart(value.getParentBlock());
    Elements elements = Elements::splat(toDataType(type.getElementType()),
                                        type.getShape(), WideNum());
    value.replaceAllUsesWith(OnnxConstantOp::create(builder, value.getLoc(),
                                                    toAttribute(elements, type),
                                                    "", std::nullopt));
  }
  return !empty.empty();
}
