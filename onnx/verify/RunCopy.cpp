//===- RunCopy.cpp - A copy of a module for one run -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/RunCopy.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/verify/internal/InlineCalls.h"

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

/// The results of an operator have the sizes that it computes, whatever the
/// model declares. (Not in a body, which may make no iteration.)
static void forgetSizes(Operation *op) {
  for (Value result : op->getResults())
    if (auto type = dyn_cast<RankedTensorType>(result.getType());
        type && !type.getEncoding())
      result.setType(UnrankedTensorType::get(type.getElementType()));
}

RunCopy::RunCopy(ModuleOp module) : module(module.clone()) {
  inlineNamedCalls(*this->module, graph());
  Attribute runs = UnitAttr::get(module.getContext());
  this->module->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || node.isCustom())
      return;
    op->setAttr(runsName, runs);
    if (op->getParentOp() == graph() && hasKernel(op))
      forgetSizes(op);
  });
}
