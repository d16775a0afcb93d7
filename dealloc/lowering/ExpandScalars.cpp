//===- ExpandScalars.cpp - What MLIR 22 lowers wrongly, or not ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dealloc/lowering/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

namespace onnxfold {
#define GEN_PASS_DEF_EXPANDSCALARSPASS
#include "onnxfold/dealloc/lowering/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;

/// A type of the same shape with other elements.
static Type withElements(Type type, Type element) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped ? Type(shaped.clone(element)) : element;
}

/// Constants need a size, and those below an infinity.
static bool hasConstants(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return (!shaped || shaped.hasStaticShape()) &&
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type, Float80Type,
             Float128Type>(getElementTypeOrSelf(type));
}

static Value constantLike(ImplicitLocOpBuilder &builder, Type type,
                          TypedAttr element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    element = DenseElementsAttr::get(shaped, element);
  return arith::ConstantOp::create(builder, element);
}

static Value integerLike(ImplicitLocOpBuilder &builder, Type type,
                         int64_t value) {
  return constantLike(
      builder, type, builder.getIntegerAttr(getElementTypeOrSelf(type), value));
}

static void replace(Operation *op, ValueRange results) {
  op->replaceAllUsesWith(results);
  op->erase();
}

/// MLIR takes the minimum with the lower bound and then the maximum with the
/// upper one, which is the upper one for each x.
static void expandClamp(math::ClampFOp op) {
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  arith::FastMathFlags flags = op.getFastmath();
  Value most =
      arith::MinimumFOp::create(builder, op.getValue(), op.getMax(), flags);
  Value result = arith::MaximumFOp::create(builder, most, op.getMin(), flags);
  replace(op, result);
}

static Value floatLike(ImplicitLocOpBuilder &builder, Type type, double value) {
  auto element = cast<FloatType>(getElementTypeOrSelf(type));
  return constantLike(builder, type, builder.getFloatAttr(element, value));
}

/// The result of the last choice whose a equals b, or `otherwise`.
static Value
choose(ImplicitLocOpBuilder &builder, Value otherwise,
       std::initializer_list<std::tuple<Value, Value, Value>> choices) {
  for (auto [a, b, result] : choices) {
    Value isEqual =
        arith::CmpFOp::create(builder, arith::CmpFPredicate::OEQ, a, b);
    otherwise = arith::SelectOp::create(builder, isEqual, result, otherwise);
  }
  return otherwise;
}

/// MLIR takes 1 from exp(x), which loses all digits of a small x. With u =
/// exp(x) as it is rounded, x / log(u) mends what u - 1 has lost (Kahan); the
/// limits are those at which that is no number. No flag of `op` may undo it.
static void expandExpM1(math::ExpM1Op op) {
  Value x = op.getOperand();
  Type type = x.getType();
  if (!hasConstants(type))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value one = floatLike(builder, type, 1);
  Value infinity = floatLike(builder, type, HUGE_VAL);
  Value u = math::ExpOp::create(builder, x);
  Value rest = arith::SubFOp::create(builder, u, one);
  Value mended =
      arith::DivFOp::create(builder, x, math::LogOp::create(builder, u));
  Value result = arith::MulFOp::create(builder, rest, mended);
  replace(op, choose(builder, result,
                     {{u, one, x},
                      {u, infinity, u},
                      {rest, floatLike(builder, type, -1), rest}}));
}

/// As for expm1: u = 1 + x as it is rounded, and x / (u - 1) mends log(u).
static void expandLog1P(math::Log1pOp op) {
  Value x = op.getOperand();
  Type type = x.getType();
  if (!hasConstants(type))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value one = floatLike(builder, type, 1);
  Value u = arith::AddFOp::create(builder, x, one);
  Value mended =
      arith::DivFOp::create(builder, x, arith::SubFOp::create(builder, u, one));
  Value log = math::LogOp::create(builder, u);
  Value result = arith::MulFOp::create(builder, log, mended);
  replace(op,
          choose(builder, result,
                 {{u, floatLike(builder, type, HUGE_VAL), u}, {u, one, x}}));
}

/// LLVM calls a function for f64 to bf16 that not every system has. Through
/// f32 it would be rounded twice, so that f32 is the one of the two next to x
/// that is odd: it is never half way between two of bf16.
static void expandTruncation(arith::TruncFOp op) {
  Value x = op.getIn();
  Type type = op.getType();
  if (!hasConstants(type) || !getElementTypeOrSelf(x.getType()).isF64() ||
      !getElementTypeOrSelf(type).isBF16())
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Type single = withElements(type, builder.getF32Type());
  Type word = withElements(type, builder.getI32Type());
  Value near = arith::TruncFOp::create(builder, single, x);
  Value back = arith::ExtFOp::create(builder, x.getType(), near);
  auto compare = [&](arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(builder, predicate, a, b);
  };
  Value isInexact = compare(arith::CmpFPredicate::ONE, back, x);
  Value isAbove =
      compare(arith::CmpFPredicate::OGT, math::AbsFOp::create(builder, back),
              math::AbsFOp::create(builder, x));
  Value bits = arith::BitcastOp::create(builder, word, near);
  Value one = integerLike(builder, word, 1);
  Value below = arith::SelectOp::create(
      builder, isAbove, arith::SubIOp::create(builder, bits, one), bits);
  Value odd = arith::OrIOp::create(builder, below, one);
  Value chosen = arith::SelectOp::create(builder, isInexact, odd, bits);
  Value rounded = arith::BitcastOp::create(builder, single, chosen);
  replace(op, ValueRange(
                  arith::TruncFOp::create(builder, type, rounded).getResult()));
}

/// MLIR's conversion leaves the type index in the sum.
static void expandSum(arith::AddUIExtendedOp op) {
  if (!isa<IndexType>(getElementTypeOrSelf(op.getLhs().getType())))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Value sum = arith::AddIOp::create(builder, op.getLhs(), op.getRhs());
  Value overflow = arith::CmpIOp::create(builder, arith::CmpIPredicate::ult,
                                         sum, op.getLhs());
  replace(op, {sum, overflow});
}

/// MLIR makes loops of powers by integers that have a width, and takes the -1
/// of one bit for 1.
static void widenExponent(math::FPowIOp op) {
  Type type = op.getRhs().getType();
  Type element = getElementTypeOrSelf(type);
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Type wide = withElements(type, builder.getI64Type());
  if (isa<IndexType>(element))
    op.getRhsMutable().assign(
        arith::IndexCastOp::create(builder, wide, op.getRhs()));
  else if (element.isInteger(1))
    op.getRhsMutable().assign(
        arith::ExtSIOp::create(builder, wide, op.getRhs()));
}

static Value indexCast(ImplicitLocOpBuilder &builder, Value value, Type type) {
  return arith::IndexCastOp::create(builder, type, value);
}

/// MLIR makes loops of powers of integers that have a width.
static void expandPower(math::IPowIOp op) {
  Type type = op.getType();
  if (!isa<IndexType>(getElementTypeOrSelf(type)))
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Type word = withElements(type, builder.getI64Type());
  Value power =
      math::IPowIOp::create(builder, indexCast(builder, op.getLhs(), word),
                            indexCast(builder, op.getRhs(), word));
  replace(op, indexCast(builder, power, type));
}

/// LLVM ends the process for vectors of i128 that become f16. No integer is
/// rounded twice by way of f32: what f32 does not hold is infinite in f16.
template <typename Conversion> static void convertBySingle(Conversion op) {
  Type from = getElementTypeOrSelf(op.getIn().getType());
  Type type = op.getType();
  if (from.getIntOrFloatBitWidth() <= 64)
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  Type single = withElements(type, builder.getF32Type());
  Value near = Conversion::create(builder, single, op.getIn());
  replace(op,
          ValueRange(arith::TruncFOp::create(builder, type, near).getResult()));
}

/// An integer that f64 holds, and that bf16 rounds as it rounds the 64 bits of
/// `value`: itself, or if it has more than 53 bits the odd one of the multiples
/// of 2048 on both sides, which is never half way between two of bf16.
static Value roundToOdd(ImplicitLocOpBuilder &builder, Value value,
                        bool isSigned) {
  Type type = value.getType();
  auto constant = [&](int64_t number) {
    return integerLike(builder, type, number);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, predicate, a, b);
  };
  Value rest = arith::AndIOp::create(builder, value, constant(2047));
  Value below = arith::SubIOp::create(builder, value, rest);
  Value odd = arith::OrIOp::create(builder, below, constant(2048));
  Value isMultiple = compare(arith::CmpIPredicate::eq, rest, constant(0));
  Value rounded = arith::SelectOp::create(builder, isMultiple, value, odd);
  Value size = value; // from 0, if it is signed from -2^52
  if (isSigned)
    size = arith::AddIOp::create(builder, value, constant(int64_t(1) << 52));
  Value isHeld =
      compare(arith::CmpIPredicate::ult, size, constant(int64_t(1) << 53));
  return arith::SelectOp::create(builder, isHeld, value, rounded);
}

/// Integers that f32 does not hold become bf16 by way of f64. MLIR goes by way
/// of f32, which rounds them twice; so are those of more than 64 bits still.
template <typename Conversion, typename Extension>
static void convertByDouble(Conversion op) {
  Value integer = op.getIn();
  Type type = op.getType();
  unsigned width =
      getElementTypeOrSelf(integer.getType()).getIntOrFloatBitWidth();
  if (width <= 24 || width > 64 || !hasConstants(type) ||
      !getElementTypeOrSelf(type).isBF16())
    return;
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  if (width > 53) {
    Type word = withElements(type, builder.getI64Type());
    if (width < 64)
      integer = Extension::create(builder, word, integer);
    integer = roundToOdd(builder, integer,
                         std::is_same_v<Conversion, arith::SIToFPOp>);
  }
  Type wide = withElements(type, builder.getF64Type());
  Value held = Conversion::create(builder, wide, integer);
  auto rounded = arith::TruncFOp::create(builder, type, held);
  replace(op, ValueRange(rounded.getResult()));
  expandTruncation(rounded);
}

template <typename Conversion, typename Extension>
static void convertInteger(Conversion op) {
  if (getElementTypeOrSelf(op.getType()).isF16())
    convertBySingle(op);
  else
    convertByDouble<Conversion, Extension>(op);
}

namespace {

struct ExpandScalarsPass
    : onnxfold::impl::ExpandScalarsPassBase<ExpandScalarsPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<math::ClampFOp>(expandClamp)
          .Case<math::ExpM1Op>(expandExpM1)
          .Case<math::Log1pOp>(expandLog1P)
          .Case<arith::TruncFOp>(expandTruncation)
          .Case<arith::AddUIExtendedOp>(expandSum)
          .Case<math::FPowIOp>(widenExponent)
          .Case<math::IPowIOp>(expandPower)
          .Case<arith::SIToFPOp>(
              convertInteger<arith::SIToFPOp, arith::ExtSIOp>)
          .Case<arith::UIToFPOp>(
              convertInteger<arith::UIToFPOp, arith::ExtUIOp>);
    });
  }
};

} // namespace
