//===- Operands.cpp - Checks of operands and attributes -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;
using llvm::Twine;

Reason hlo::checkCount(FoldContext &cx, unsigned count) {
  if (cx.numInputs() == count)
    return {};
  return invalid("it has " + Twine(cx.numInputs()) + " operands, expected " +
                 Twine(count));
}

Reason hlo::checkAlike(FoldContext &cx, unsigned first, unsigned count) {
  if (Reason wrong = checkCount(cx, first + count))
    return wrong;
  ShapeRef shape = {};
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    const Elements &x = cx.input(i);
    if (i > first && x.type() != cx.input(first).type())
      return invalid("operand #" + Twine(i) + " is of " + name(x.type()) +
                     ", expected " + name(cx.input(first).type()));
    if (x.rank() == 0)
      continue;
    if (!shape.empty() && x.shape() != shape)
      return invalid("operand #" + Twine(i) + " has shape " +
                     toString(x.shape()) + ", expected " + toString(shape));
    shape = x.shape();
  }
  return {};
}

ReasonOr<Shape> hlo::resultShape(FoldContext &cx, unsigned result) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(
      cx.operation()->getResult(result).getType());
  if (!type || !type.hasStaticShape())
    return notFolded(ReasonCode::InputNotConstant,
                     "the shape of its result is not known");
  if (Reason large = cx.checkResult(cx.resultType(result), type.getShape()))
    return large;
  return Shape(type.getShape());
}

ReasonOr<Shape> hlo::listOf(FoldContext &cx, llvm::StringRef name,
                            int64_t count, std::optional<int64_t> otherwise) {
  std::optional<Shape> list = cx.ints(name);
  if (!list && otherwise && !cx.hasAttribute(name))
    return Shape(count, *otherwise);
  if (!list)
    return invalid("attribute '" + name + "' is not a list of integers");
  if (count >= 0 && int64_t(list->size()) != count)
    return invalid("attribute '" + name + "' has " + Twine(list->size()) +
                   " elements, expected " + Twine(count));
  return *list;
}

ReasonOr<int64_t> hlo::dimensionOf(FoldContext &cx, llvm::StringRef name,
                                   int64_t rank) {
  std::optional<int64_t> dim = cx.integer(name);
  if (!dim || *dim < 0 || *dim >= rank)
    return invalid("attribute '" + name + "' is " +
                   (dim ? Twine(*dim) : Twine("missing")) +
                   ", expected a dimension of " + Twine(rank));
  return *dim;
}

Reason hlo::checkDimensions(ShapeRef dims, int64_t rank, llvm::StringRef name) {
  Shape seen;
  for (int64_t dim : dims) {
    if (dim < 0 || dim >= rank || llvm::is_contained(seen, dim))
      return invalid("'" + name + "' is " + toString(dims) +
                     ", expected different dimensions of " + Twine(rank));
    seen.push_back(dim);
  }
  return {};
}

Elements hlo::computable(const Elements &x) {
  switch (x.type()) {
  case DataType::Int2:
  case DataType::Int4:
    return ops::cast(x, DataType::Int8);
  case DataType::UInt2:
  case DataType::UInt4:
    return ops::cast(x, DataType::UInt8);
  case DataType::Float8E4M3FN:
  case DataType::Float8E4M3FNUZ:
  case DataType::Float8E5M2:
  case DataType::Float8E5M2FNUZ:
    return ops::cast(x, DataType::Float32);
  default:
    return x;
  }
}

Elements hlo::narrowed(const Elements &result, DataType type) {
  return ops::cast(result, type, {.saturate = false});
}

/// Floats of 8 bits in double, so that a function of them is rounded once.
static Elements wideOperand(const Elements &x) {
  Elements number = computable(x);
  return number.type() == x.type() || isInteger(number.type())
             ? x
             : ops::cast(number, DataType::Float64);
}

Elements hlo::mapWide(const Elements &x, ops::WideFunction f) {
  return narrowed(ops::mapWide(wideOperand(x), f), x.type());
}

Elements hlo::zipWide(const Elements &x, const Elements &y,
                      ops::WideFunction2 f) {
  return narrowed(ops::zipWide(wideOperand(x), wideOperand(y), f), x.type());
}
