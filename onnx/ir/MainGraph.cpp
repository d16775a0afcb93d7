//===- MainGraph.cpp - The main graph as a function to change -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/MainGraph.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace onnxfold;
using namespace mlir;

void onnxfold::updateType(FunctionOpInterface function) {
  Block &block = function->getRegion(0).front();
  function.setType(function.cloneTypeWith(
      block.getArgumentTypes(), block.getTerminator()->getOperandTypes()));
}

BlockArgument onnxfold::addArgument(FunctionOpInterface function,
                                    StringRef name, Type type) {
  Builder builder(function->getContext());
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr(nameAttrName, builder.getStringAttr(name)));
  unsigned last = function.getNumArguments();
  [[maybe_unused]] LogicalResult done =
      function.insertArgument(last, type, attributes, function.getLoc());
  return function.getArgument(last);
}

llvm::SetVector<Value> onnxfold::valuesReadBy(Operation &op) {
  llvm::SetVector<Value> values;
  op.walk([&](Operation *inner) {
    for (Value value : inner->getOperands())
      if (!op.isAncestor(value.getParentRegion()->getParentOp()))
        values.insert(value);
  });
  return values;
}
