//===- NodeNumbers.cpp - Which node of the model this was -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/NodeNumbers.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/IR/SymbolTable.h"

using namespace onnxfold;
using namespace mlir;

/// The first name that it has; names of nodes follow a byte that no name of a
/// value begins with.
static std::string labelOf(Operator op) {
  for (unsigned i = 0; i != op.numOutputs(); ++i)
    if (!op.outputName(i).empty())
      return op.outputName(i).str();
  return std::string(1, '\0') + op.nodeName().str();
}

static void takeNumbers(Region &written, Region &folded) {
  if (written.empty() || folded.empty())
    return;
  llvm::StringMap<Operator> operators;
  for (Operation &op : folded.front())
    if (Operator onnxOp = Operator::from(&op))
      operators[labelOf(onnxOp)] = onnxOp;
  for (Operation &op : written.front()) {
    Operator onnxOp = Operator::from(&op);
    if (!onnxOp)
      continue;
    Operator other = operators.lookup(labelOf(onnxOp));
    if (!other || other.opType() != onnxOp.opType()) {
      onnxOp.setNode(std::nullopt);
      continue;
    }
    onnxOp.setNode(other.node());
    for (auto [mine, theirs] : llvm::zip(op.getRegions(), other->getRegions()))
      takeNumbers(mine, theirs);
  }
}

void onnxfold::takeNodeNumbers(ModuleOp written, ModuleOp folded) {
  SymbolTable functions(folded);
  for (Operation &op : *written.getBody()) {
    auto name = op.getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
    if (Operation *other = name ? functions.lookup(name.getValue()) : nullptr)
      takeNumbers(op.getRegion(0), other->getRegion(0));
  }
}
