//===- ToyFolding.cpp - How the engine folds the toy dialect --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A kernel says what one operator does with tensors that are known. It sees no
// IR: values come as `Elements`, attributes as C++ values. It returns a value,
// or the reason why there is none, and then the operation is kept.
//
// `Elements` are handles: what a kernel returns is seldom computed yet. An
// addition is a note "add these two", a transposition a view with other
// strides. Bytes are computed when somebody reads them, which for a chain of
// operators is once, after the last one, in one pass over memory.
//
//===----------------------------------------------------------------------===//

#include "ToyDialect.h"
#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// The meaning for one element is enough: zip takes it for all element types,
/// and broadcasts. ops::add wraps integers (a + b could overflow).
static FoldResult foldAdd(FoldContext &cx) {
  return zip(cx.input(0), cx.input(1),
             [](auto a, auto b) { return add(a, b); });
}

/// maximum() hands NaN on. `a > 0 ? a : 0` would make it 0.
static FoldResult foldRelu(FoldContext &cx) {
  return map(cx.input(0), [](auto a) { return maximum(a, decltype(a)(0)); });
}

/// What is computed later cannot fail any more. So what may fail, a division of
/// integers, is looked at first; the operation is then kept, with the reason.
static FoldResult foldDiv(FoldContext &cx) {
  const Elements &x = cx.input(0), &y = cx.input(1);
  Elements bad = zipTo<bool>(x, y, [](auto a, auto b) {
    if constexpr (std::is_integral_v<decltype(a)>)
      return divisionUndefined(a, b);
    return false;
  });
  if (!bad)
    return bad; // no loop for this element type: is reported as that
  if (auto where = firstWhere<bool>(bad, [](bool isBad) { return isBad; }))
    return undefined("divisor element " +
                     toString(indexOf(*where, bad.shape())) + " is " +
                     llvm::Twine(y.number(*where).to<int64_t>()));
  return zip(x, y, [](auto a, auto b) { return decltype(a)(a / b); });
}

/// A view: no byte is touched. The guard is not for decoration: kernels are
/// total, whatever the IR says.
static FoldResult foldTranspose(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape permutation = cx.ints("permutation").value_or(Shape());
  if (!isPermutation(permutation, x.rank()))
    return invalid("attribute 'permutation' is " + toString(permutation) +
                   ", expected a permutation of " + llvm::Twine(x.rank()) +
                   " dimensions");
  return x.transpose(permutation);
}

/// Ask the limits before something large is computed: users set them.
static FoldResult foldMatMul(FoldContext &cx) {
  const Elements &a = cx.input(0), &b = cx.input(1);
  std::optional<Shape> shape = matmulShape(a.shape(), b.shape());
  if (!shape)
    return invalid("the shapes " + toString(a.shape()) + " and " +
                   toString(b.shape()) + " do not fit");
  double work = double(numElements(*shape)) * a.dim(a.rank() - 1);
  if (Reason reason = cx.checkWork(work))
    return reason;
  return matmul(a, b);
}

//===----------------------------------------------------------------------===//
// The dialect's answers to the engine
//===----------------------------------------------------------------------===//

namespace {

struct ToyFolding : FoldingInterface {
  explicit ToyFolding(mlir::Dialect *dialect)
      : FoldingInterface(dialect), registry("toy") {
    // The list of versions is for dialects that have several of an operator.
    registry.add("add", {1}, foldAdd);
    registry.add("div", {1}, foldDiv);
    registry.add("relu", {1}, foldRelu);
    registry.add("transpose", {1}, foldTranspose);
    registry.add("matmul", {1}, foldMatMul);
  }

  const KernelRegistry &kernels() const override { return registry; }

  /// toAttribute makes small values ordinary attributes, so that equal ones are
  /// one, and large ones disposable ones, which leave memory when no operation
  /// refers to them any more.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                          unsigned result,
                          const Elements &value) const override {
    auto type = mlir::cast<mlir::ShapedType>(op->getResult(result).getType());
    return toy::ConstantOp::create(builder, op->getLoc(),
                                   toAttribute(value, type));
  }

  KernelRegistry registry;
};

} // namespace

void toy::addFolding(ToyDialect *dialect) {
  dialect->addInterfaces<ToyFolding>();
}
