//===- RunCopy.cpp - A copy of a module for one run -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/RunCopy.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/kernels/support/Bodies.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/verify/internal/InlineCalls.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

FunctionOpInterface onnxfold::runnableGraph(ModuleOp module) {
  return module.lookupSymbol<FunctionOpInterface>(mainGraphSymbol);
}

/// Others are run by their bodies, or by nobody: their results have declared
/// sizes.
static bool hasKernel(Operation *op) {
  const FoldingInterface &dialect = FoldingInterface::orDefault(op);
  return op->getNumRegions() == 0 &&
         bool(dialect.kernelOf(op, dialect.versionOf(op)));
}

/// The type without sizes, also of the tensors of a sequence or an optional.
static Type withoutSizes(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor && !tensor.getEncoding())
    return UnrankedTensorType::get(tensor.getElementType());
  if (auto sequence = dyn_cast<OnnxSequenceType>(type))
    return OnnxSequenceType::get(type.getContext(),
                                 withoutSizes(sequence.getElementType()));
  if (auto optional = dyn_cast<OnnxOptionalType>(type))
    return OnnxOptionalType::get(type.getContext(),
                                 withoutSizes(optional.getElementType()));
  return type;
}

/// The value has the sizes that are computed, whatever the model declares.
static void forgetSizes(Value value) {
  value.setType(withoutSizes(value.getType()));
}

/// A Loop gives its body the number and the condition with the declared rank.
static unsigned numScalars(Operator node) { return node.is("Loop") ? 2 : 0; }

/// Declared types are only those of nodes whose bodies run in no iteration.
static void forgetBodies(Operator node) {
  Operation *op = node.getOperation();
  if (op->getNumRegions() == 0)
    return;
  SmallVector<Attribute> declared;
  for (Value result : op->getResults()) {
    declared.push_back(TypeAttr::get(result.getType()));
    forgetSizes(result);
  }
  op->setAttr(declaredResultsName, ArrayAttr::get(op->getContext(), declared));
  for (Region &region : op->getRegions())
    for (BlockArgument argument : region.getArguments())
      if (argument.getArgNumber() >= numScalars(node))
        forgetSizes(argument);
}

RunCopy::RunCopy(ModuleOp module, BodyTypes believed) : module(module.clone()) {
  inlineNamedCalls(*this->module, graph());
  Attribute runs = UnitAttr::get(module.getContext());
  this->module->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || node.isCustom())
      return;
    op->setAttr(runsName, runs);
    bool isInBody = op->getParentOp() != graph();
    if (hasKernel(op) && (!isInBody || believed == BodyTypes::Forgotten))
      llvm::for_each(op->getResults(), forgetSizes);
    if (believed == BodyTypes::Forgotten)
      forgetBodies(node);
  });
}
