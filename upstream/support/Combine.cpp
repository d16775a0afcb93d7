//===- Combine.cpp - Reductions as bodies of linalg write them ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/Combine.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace onnxfold;
using namespace onnxfold::upstream;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Recognising
//===----------------------------------------------------------------------===//

/// An overflow would be poison.
static bool mayBePoison(Operation *op) {
  auto integer = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return integer && integer.getOverflowAttr().getValue() !=
                        arith::IntegerOverflowFlags::none;
}

static bool isMonoid(Operation *op) {
  return isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
             arith::MaxNumFOp, arith::MinNumFOp, arith::AddIOp, arith::MulIOp,
             arith::MaxSIOp, arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op) &&
         !mayBePoison(op);
}

/// Types that products of matrices have.
static bool hasProducts(Type type) {
  DataType known = toDataType(type);
  return typeClass(known) == TypeClass::Float ||
         (isInteger(known) && !isSubByte(known));
}

/// Nobody but the end of the body reads the combined value, so that what is
/// combined with an accumulator depends on none.
std::optional<Combination> upstream::combinationOf(Value yielded,
                                                   BlockArgument accumulator) {
  Operation *op = yielded.getDefiningOp();
  if (!op || !accumulator.hasOneUse() || *accumulator.user_begin() != op ||
      !yielded.hasOneUse())
    return std::nullopt;
  bool multiplies = hasProducts(yielded.getType());
  if (auto fma = dyn_cast<math::FmaOp>(op); fma && multiplies)
    if (fma.getC() == accumulator)
      return Combination{op, {fma.getA(), fma.getB()}};
  if (!isMonoid(op))
    return std::nullopt;
  Value other = op->getOperand(op->getOperand(0) == accumulator ? 1 : 0);
  Operation *product = other.getDefiningOp();
  if (product && multiplies && product->getBlock() == op->getBlock() &&
      isa<arith::AddFOp, arith::AddIOp>(op) &&
      isa<arith::MulFOp, arith::MulIOp>(product) && !mayBePoison(product))
    return Combination{op, {product->getOperand(0), product->getOperand(1)}};
  return Combination{op, {other}};
}

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

/// Dimensions that are more than one element, or summed, labelled by their
/// number.
static ops::Labelled labelled(const Elements &x, ShapeRef axes) {
  ops::Labelled result;
  Shape unused;
  for (int64_t axis = 0; axis < x.rank(); ++axis)
    if (x.dim(axis) != 1 || llvm::is_contained(axes, axis))
      result.labels.push_back(axis);
    else
      unused.push_back(axis);
  result.value = x.squeeze(unused);
  return result;
}

static Elements contracted(const Elements &a, const Elements &b,
                           ShapeRef axes) {
  ops::Labelled x = labelled(a, axes), y = labelled(b, axes);
  Shape shape(a.rank(), 1);
  ops::Labels kept;
  for (int64_t axis = 0; axis < a.rank(); ++axis)
    if (!llvm::is_contained(axes, axis)) {
      shape[axis] = a.dim(axis) == 1 ? b.dim(axis) : a.dim(axis);
      if (shape[axis] != 1)
        kept.push_back(axis);
    }
  Elements sums = ops::arranged(ops::contract(x, y, kept), kept);
  return sums ? sums.reshape(shape) : sums;
}

static bool isZero(const Elements &x) {
  return x.isSplat() && x.size() != 0 && x.number().to<double>() == 0;
}

static Elements sumOf(const Elements &x, const Elements &y) {
  return ops::zip(x, y, [](auto a, auto b) { return ops::add(a, b); });
}

Elements upstream::sumOfProducts(const Elements &a, const Elements &b,
                                 ShapeRef axes, const Elements &init) {
  DataType type = a.type();
  if (!isFloat(type))
    return sumOf(contracted(a, b, axes), init);
  if (isZero(init))
    return contracted(a, b, axes);
  auto wide = [](const Elements &x) { return ops::cast(x, DataType::Float64); };
  Elements sums = contracted(wide(a), wide(b), axes);
  return ops::cast(sumOf(sums, wide(init)), type);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// arith takes +0 for larger than -0.
template <class T> static T largest(T a, T b) {
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return ops::maximum(a, b);
}
template <class T> static T smallest(T a, T b) {
  if (a == 0 && b == 0)
    return std::signbit(a) ? a : b;
  return ops::minimum(a, b);
}

template <class T>
static Elements extremeOf(Operation *op, const Elements &x, ShapeRef axes) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  auto by = [&](T identity, auto combine) {
    return ops::reduceWith<T>(x, axes, /*keepDims=*/true, identity, combine);
  };
  // A NaN is the identity of maxnumf and minnumf.
  auto skippingNan = [](auto f) {
    return [f](T a, T b) { return a != a ? b : b != b ? a : f(a, b); };
  };
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  if (isa<arith::MaximumFOp>(op))
    return by(-infinity, largest<T>);
  if (isa<arith::MinimumFOp>(op))
    return by(infinity, smallest<T>);
  if (isa<arith::MaxNumFOp>(op))
    return by(nan, skippingNan(largest<T>));
  return by(nan, skippingNan(smallest<T>));
}

/// One after the other along an axis; others broadcast.
static Elements joined(const Elements &x, const Elements &y, int64_t axis) {
  auto [a, b] = ops::broadcast(x, y);
  return ops::concat({a, b}, axis);
}

static Elements combinedFloats(Operation *op, const Elements &x, ShapeRef axes,
                               const Elements &init) {
  DataType type = x.type();
  if (isa<arith::AddFOp, arith::MulFOp>(op)) {
    bool isSum = isa<arith::AddFOp>(op);
    Elements wide =
        ops::reduce(ops::cast(x, DataType::Float64), axes, /*keepDims=*/true,
                    isSum ? ops::Reduction::Sum : ops::Reduction::Product);
    Elements start = ops::cast(init, DataType::Float64);
    return ops::cast(
        ops::zip(wide, start,
                 [isSum](auto a, auto b) { return isSum ? a + b : a * b; }),
        type);
  }
  auto of = [&](const Elements &values) {
    return type == DataType::Float64
               ? extremeOf<double>(op, values, axes)
               : extremeOf<float>(op, ops::cast(values, DataType::Float32),
                                  axes);
  };
  Elements most = of(x);
  DataType computed = most.type();
  Elements both = joined(most, ops::cast(init, computed), axes[0]);
  Elements result = computed == DataType::Float64
                        ? extremeOf<double>(op, both, {axes[0]})
                        : extremeOf<float>(op, both, {axes[0]});
  return ops::cast(result, type);
}

/// Bits are what all monoids are made of where there is only one.
static ops::Reduction reductionOfBits(Operation *op) {
  // -1 is the only other signed number of one bit.
  if (isa<arith::AddIOp, arith::XOrIOp>(op))
    return ops::Reduction::Xor;
  if (isa<arith::OrIOp, arith::MaxUIOp, arith::MinSIOp>(op))
    return ops::Reduction::Or;
  return ops::Reduction::And;
}

static ops::Reduction reductionOf(Operation *op) {
  using ops::Reduction;
  return llvm::TypeSwitch<Operation *, Reduction>(op)
      .Case<arith::AddIOp>([](auto) { return Reduction::Sum; })
      .Case<arith::MulIOp>([](auto) { return Reduction::Product; })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([](auto) { return Reduction::Max; })
      .Case<arith::MinSIOp, arith::MinUIOp>([](auto) { return Reduction::Min; })
      .Case<arith::AndIOp>([](auto) { return Reduction::And; })
      .Case<arith::OrIOp>([](auto) { return Reduction::Or; })
      .Default([](auto) { return Reduction::Xor; });
}

/// The type in which integers are reduced: a byte at least, and unsigned if the
/// operation reads them so.
static DataType typeToReduce(Operation *op, DataType type) {
  bool isUnsigned = isa<arith::MaxUIOp, arith::MinUIOp>(op);
  switch (bitWidth(type)) {
  case 16:
    return isUnsigned ? DataType::UInt16 : DataType::Int16;
  case 32:
    return isUnsigned ? DataType::UInt32 : DataType::Int32;
  case 64:
    return isUnsigned ? DataType::UInt64 : DataType::Int64;
  default:
    return isUnsigned ? DataType::UInt8 : DataType::Int8;
  }
}

/// Negative numbers of a few bits are large as unsigned ones of as many bits.
static DataType unsignedOfFewBits(DataType type) {
  if (type == DataType::Int4)
    return DataType::UInt4;
  return type == DataType::Int2 ? DataType::UInt2 : type;
}

Elements upstream::combined(Operation *op, const Elements &x, ShapeRef axes,
                            const Elements &init) {
  DataType type = x.type();
  if (axes.empty() ||
      !(isFloat(type) || isInteger(type) || type == DataType::Bool))
    return {};
  if (isFloat(type))
    return typeClass(type) == TypeClass::Float
               ? combinedFloats(op, x, axes, init)
               : Elements();
  DataType computed = type == DataType::Bool ? type : typeToReduce(op, type);
  ops::Reduction kind =
      type == DataType::Bool ? reductionOfBits(op) : reductionOf(op);
  auto toComputed = [&](Elements values) {
    if (isUnsigned(computed) && isSubByte(type))
      values = ops::cast(values, unsignedOfFewBits(type));
    return ops::cast(values, computed);
  };
  Elements both =
      joined(ops::reduce(toComputed(x), axes, /*keepDims=*/true, kind),
             toComputed(init), axes[0]);
  return ops::cast(ops::reduce(both, {axes[0]}, true, kind), type);
}
