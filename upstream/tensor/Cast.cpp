//===- Cast.cpp - Constant kernel of tensor.cast ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The same tensor as a type that says more or less of its shape. A dimension
// that is not as the type has it is undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace onnxfold;

static FoldResult foldTensorCast(FoldContext &cx) {
  const Elements &x = cx.input(0);
  auto type =
      mlir::cast<mlir::ShapedType>(cx.operation()->getResult(0).getType());
  if (type.hasRank() &&
      mlir::failed(mlir::verifyCompatibleShape(type.getShape(), x.shape())))
    return undefined("its operand has shape " + toString(x.shape()));
  return x;
}

namespace onnxfold::upstream {
void registerTensorCast(KernelRegistry &registry) {
  registry.add("cast", {1}, foldTensorCast);
}
} // namespace onnxfold::upstream
