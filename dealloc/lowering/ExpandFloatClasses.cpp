//===- ExpandFloatClasses.cpp - math.isinf and its kind by bits -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APFloat.h"

namespace onnxfold {
#define GEN_PASS_DEF_EXPANDFLOATCLASSESPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

/// The types whose order of bits is that of their sizes: in f80 the bit between
/// exponent and fraction is 1 where the exponent is not 0, unless no processor
/// takes it for a number. Those of 8 bits are not computed with.
static bool isOrderedByBits(Type type) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float80Type,
             Float128Type>(type);
}

static Value constantLike(OpBuilder &builder, Location loc, Type type,
                          const APInt &value) {
  TypedAttr attribute =
      builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<ShapedType>(type))
    attribute = DenseElementsAttr::get(shaped, value);
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// LLVM has an intrinsic for the others, but not for arrays of vectors.
static bool isExpanded(Operation *op) {
  if (isa<math::IsInfOp, math::IsNormalOp>(op))
    return true;
  if (!isa<math::IsNaNOp, math::IsFiniteOp>(op))
    return false;
  auto vector = dyn_cast<VectorType>(op->getOperand(0).getType());
  return vector && vector.getRank() > 1;
}

/// How the bits without the sign are to those of infinity.
static arith::CmpIPredicate predicateOf(Operation *op) {
  if (isa<math::IsInfOp>(op))
    return arith::CmpIPredicate::eq;
  return isa<math::IsNaNOp>(op) ? arith::CmpIPredicate::ugt
                                : arith::CmpIPredicate::ult;
}

/// size = bits(x) without the sign is compared to infinity; x is normal if
/// size - least < infinity - least, without signs.
static void expand(Operation *op) {
  Value x = op->getOperand(0);
  auto shaped = dyn_cast<ShapedType>(x.getType());
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(x.getType()));
  if (!element || !isOrderedByBits(element) ||
      (shaped && !shaped.hasStaticShape()))
    return;
  OpBuilder builder(op);
  Location loc = op->getLoc();
  const llvm::fltSemantics &semantics = element.getFloatSemantics();
  unsigned width = element.getWidth();
  Type integer = builder.getIntegerType(width);
  Type type = shaped ? Type(shaped.clone(integer)) : integer;
  auto constant = [&](const APInt &value) {
    return constantLike(builder, loc, type, value);
  };
  APInt infinity = llvm::APFloat::getInf(semantics).bitcastToAPInt();
  Value bits = arith::BitcastOp::create(builder, loc, type, x);
  Value size = arith::AndIOp::create(builder, loc, bits,
                                     constant(APInt::getSignedMaxValue(width)));
  if (isa<math::IsNormalOp>(op)) {
    APInt least =
        llvm::APFloat::getSmallestNormalized(semantics).bitcastToAPInt();
    size = arith::SubIOp::create(builder, loc, size, constant(least));
    infinity -= least;
  }
  Value answer = arith::CmpIOp::create(builder, loc, predicateOf(op), size,
                                       constant(infinity));
  op->replaceAllUsesWith(ValueRange(answer));
  op->erase();
}

namespace {

struct ExpandFloatClassesPass
    : onnxfold::impl::ExpandFloatClassesPassBase<ExpandFloatClassesPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (isExpanded(op))
        expand(op);
    });
  }
};

} // namespace
