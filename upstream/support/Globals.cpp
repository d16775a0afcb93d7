//===- Globals.cpp - Values of ml_program.global --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/Globals.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"

using namespace onnxfold;
using namespace mlir;

FoldResult upstream::foldGlobal(FoldContext &cx) {
  auto name = cx.operation()->getAttrOfType<SymbolRefAttr>("global");
  auto global =
      name ? SymbolTable::lookupNearestSymbolFrom<ml_program::GlobalOp>(
                 cx.operation(), name)
           : ml_program::GlobalOp();
  if (!global)
    return invalid("there is no such global");
  if (global.getIsMutable())
    return notFolded(ReasonCode::InputNotConstant, "its global may change");
  Elements value = elementsOf(global.getValueAttr());
  if (!value)
    return notFolded(ReasonCode::InputNotConstant,
                     "the value of its global is not known");
  return value;
}
