//===- Shapes.cpp - Constant kernels of shapes in tensor ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The elements stay what they are: other types and shapes, and sizes as
// numbers.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// The same tensor as a type that says more or less of its shape. A dimension
/// that is not as the type has it is undefined.
static FoldResult foldTensorCast(FoldContext &cx) {
  const Elements &x = cx.input(0);
  auto type =
      mlir::cast<mlir::ShapedType>(cx.operation()->getResult(0).getType());
  if (type.hasRank() &&
      mlir::failed(mlir::verifyCompatibleShape(type.getShape(), x.shape())))
    return undefined("its operand has shape " + toString(x.shape()));
  return x;
}

/// Groups of dimensions become one each.
static FoldResult foldTensorCollapseShape(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::CollapseShapeOp>(cx.operation());
  const Elements &x = cx.input(0);
  Shape shape;
  for (const auto &group : op.getReassociationIndices()) {
    shape.push_back(1);
    for (int64_t d : group)
      shape.back() *= x.dim(d);
  }
  return x.reshape(shape);
}

/// Dimensions become several each, whose sizes are partly operands.
static FoldResult foldTensorExpandShape(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::ExpandShapeOp>(cx.operation());
  const Elements &x = cx.input(0);
  unsigned next = 1;
  Shape shape = mixed(cx, op.getStaticOutputShape(), next);
  std::optional<int64_t> count = checkedNumElements(shape);
  if (count != x.size())
    return undefined("the shape " + toString(shape) + " has not " +
                     llvm::Twine(x.size()) + " elements");
  return x.reshape(shape);
}

/// The same elements in row-major order in the shape that an operand has.
static FoldResult foldTensorReshape(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape shape(cx.intsOf(1));
  std::optional<int64_t> count = checkedNumElements(shape);
  if (count != x.size())
    return undefined("the shape " + toString(shape) + " has not " +
                     llvm::Twine(x.size()) + " elements");
  return x.reshape(shape);
}

/// The number of dimensions of a tensor whose elements do not matter.
static FoldResult foldTensorRank(FoldContext &cx) {
  auto shape = cx.inputShape(0);
  if (!shape)
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  return Elements::fromValues<int64_t>({}, {int64_t(shape->size())});
}

/// The size of a dimension of a tensor whose elements do not matter.
static FoldResult foldTensorDim(FoldContext &cx) {
  auto shape = cx.inputShape(0);
  int64_t dimension = upstream::indexOf(cx, 1);
  if (!shape)
    return notFolded(ReasonCode::InputNotConstant, "the rank is not known");
  if (dimension < 0 || dimension >= int64_t(shape->size()))
    return undefined("dimension " + llvm::Twine(dimension) + " of " +
                     llvm::Twine(shape->size()));
  std::optional<int64_t> size = cx.exprs().valueOf((*shape)[dimension]);
  if (!size)
    return notFolded(ReasonCode::InputNotConstant,
                     "dimension " + llvm::Twine(dimension) + " is not known");
  return Elements::fromValues<int64_t>({}, {*size});
}

namespace onnxfold::upstream {
void registerTensorShapes(KernelRegistry &registry) {
  // The same bits as another type of their width.
  registry.add("bitcast", {1}, [](FoldContext &cx) -> FoldResult {
    return sameBits(cx.input(0), cx.resultType());
  });
  registry.add("cast", {1}, foldTensorCast);
  registry.add("collapse_shape", {1}, foldTensorCollapseShape);
  registry.add("expand_shape", {1}, foldTensorExpandShape);
  registry.add("reshape", {1}, foldTensorReshape);
  registry.add("rank", {1}, foldTensorRank).ignoresValue(0);
  registry.add("dim", {1}, foldTensorDim).ignoresValue(0);
}
} // namespace onnxfold::upstream
