//===- ConstantTypes.cpp - What a file can state as a constant ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/ConstantTypes.h"

#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "onnx/defs/schema.h"

using namespace mlir;
using namespace onnxfold;

/// Initializers have to be inputs before.
static constexpr int64_t freeInitializers = 4;

/// Constant takes all types from this version on. (Later versions brought none
/// that an operator could give before.)
static constexpr int64_t anyType = 9;

bool onnxfold::constantTakes(int64_t opset, Type element) {
  return opset >= anyType || element.isF16() || element.isF32() ||
         element.isF64();
}

bool onnxfold::constantHolds(int64_t opset, Type element) {
  const onnx::OpSchema *schema = lookupSchema("", "Constant", int(opset));
  onnx::TypeProto type;
  return schema && toTypeProto(RankedTensorType::get({}, element), type) &&
         schema->outputs().front().GetTypes().count(
             onnx::Utils::DataTypeUtils::ToType(type)) != 0;
}

/// `op` stands in a function of the model, and in no graph.
static bool isInFunction(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op->getParentOp());
  return function && function.getName() != mainGraphSymbol;
}

bool onnxfold::mayState(Operation *op, Type element) {
  // Asked of every value that folds.
  if (constantTakes(0, element) ||
      constantTakes(importedOpset(op, "").value_or(latestOpset("")), element))
    return true;
  auto module = op->getParentOfType<ModuleOp>();
  if (module && module->hasAttr(anyConstantAttrName))
    return true;
  return irVersion(op).value_or(freeInitializers) >= freeInitializers &&
         !isInFunction(op);
}

bool onnxfold::mayStateIntegers(Operation *op) {
  return mayState(op, IntegerType::get(op->getContext(), 64));
}
