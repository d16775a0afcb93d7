//===- ToSequenceElementwise.cpp - Element by element ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operators that compute each element by itself, with ONNX's broadcasting, as
// linalg.generic: those that are a few instructions and whose results are the
// kernels' in every bit. Functions of mathematics are left to the kernels, whose
// loops are vectorised.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

namespace {
/// Reads tensors with ONNX's broadcasting: extents are equal or 1, also where
/// only the running program knows them.
class Broadcast {
public:
  Broadcast(ToSequenceConverter &converter, Operator op,
            ArrayRef<Value> operands);

  /// One element of the result from one of each operand.
  using MakeElement =
      llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;
  Value make(Type elementType, MakeElement element);

private:
  void addAxis(int64_t axis);
  bool isStatic() const;
  AffineMap mapOf(Value operand) const;
  /// The operand's own axis for one of the result; -1 if it has none.
  int64_t ownAxis(Value operand, int64_t axis) const {
    int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
    return axis - (this->rank - rank);
  }

  ToSequenceConverter &converter;
  OpBuilder &builder;
  Operator op;
  Location location;
  ArrayRef<Value> operands;
  int64_t rank = 0;
  SmallVector<int64_t> shape;
  SmallVector<Value> extents;
};
} // namespace

Broadcast::Broadcast(ToSequenceConverter &converter, Operator op,
                     ArrayRef<Value> operands)
    : converter(converter), builder(converter.builder), op(op),
      location(op->getLoc()), operands(operands) {
  for (Value operand : operands)
    rank = std::max(rank, cast<RankedTensorType>(operand.getType()).getRank());
  for (int64_t axis = 0; axis < rank; ++axis)
    addAxis(axis);
}

/// Appends the extent of an axis of the result: that of the operand whose is
/// not 1. Stops the program where two differ.
void Broadcast::addAxis(int64_t axis) {
  int64_t known = 1;
  Value extent = converter.index(location, 1);
  using Predicate = arith::CmpIPredicate;
  auto equal = [&](Value left, Value right) -> Value {
    return arith::CmpIOp::create(builder, location, Predicate::eq, left, right);
  };
  Value one = extent;
  for (Value operand : operands) {
    int64_t own = ownAxis(operand, axis);
    if (own < 0)
      continue;
    int64_t size = cast<RankedTensorType>(operand.getType()).getDimSize(own);
    if (size == 1)
      continue;
    Value dim = converter.dim(location, operand, own);
    if (known == 1) {
      known = size;
      extent = dim;
      continue;
    }
    Value fits = arith::OrIOp::create(builder, location, equal(dim, extent),
                                      arith::OrIOp::create(builder, location,
                                                           equal(dim, one),
                                                           equal(extent, one)));
    cf::AssertOp::create(builder, location, fits,
                         describeNode(op) + ": shapes do not broadcast");
    extent = arith::SelectOp::create(builder, location, equal(extent, one), dim,
                                     extent);
    if (ShapedType::isDynamic(known))
      known = size;
  }
  shape.push_back(known);
  extents.push_back(extent);
}

bool Broadcast::isStatic() const {
  return llvm::all_of(operands, [](Value operand) {
    return cast<RankedTensorType>(operand.getType()).hasStaticShape();
  });
}

/// The place at which an operand of known extents is read for an element.
AffineMap Broadcast::mapOf(Value operand) const {
  auto type = cast<RankedTensorType>(operand.getType());
  SmallVector<AffineExpr> places;
  for (int64_t own = 0; own < type.getRank(); ++own)
    places.push_back(type.getDimSize(own) == 1
                         ? getAffineConstantExpr(0, builder.getContext())
                         : getAffineDimExpr(rank - type.getRank() + own,
                                            builder.getContext()));
  return AffineMap::get(rank, 0, places, builder.getContext());
}

Value Broadcast::make(Type elementType, MakeElement element) {
  auto type = RankedTensorType::get(shape, elementType);
  auto identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  if (isStatic()) {
    Value empty =
        tensor::EmptyOp::create(builder, location, type, ValueRange());
    SmallVector<AffineMap> maps;
    for (Value operand : operands)
      maps.push_back(mapOf(operand));
    maps.push_back(identity);
    auto yield = [&](OpBuilder &builder, Location location, ValueRange read) {
      linalg::YieldOp::create(builder, location,
                              element(builder, location, read.drop_back()));
    };
    return linalg::GenericOp::create(builder, location, TypeRange(type),
                                     operands, ValueRange(empty), maps, loops,
                                     yield)
        .getResult(0);
  }
  SmallVector<Value> dynamic;
  for (auto [size, extent] : llvm::zip_equal(shape, extents))
    if (ShapedType::isDynamic(size))
      dynamic.push_back(extent);
  Value empty = tensor::EmptyOp::create(builder, location, type, dynamic);
  Value zero = converter.index(location, 0), one = converter.index(location, 1);
  // An axis of extent 1 is read at 0 for every index.
  SmallVector<SmallVector<Value>> isOne;
  for (Value operand : operands) {
    auto ranked = cast<RankedTensorType>(operand.getType());
    auto &flags = isOne.emplace_back();
    for (int64_t own = 0; own < ranked.getRank(); ++own)
      flags.push_back(
          arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                                converter.dim(location, operand, own), one));
  }
  auto body = [&](OpBuilder &builder, Location location, ValueRange) {
    SmallVector<Value> read;
    for (auto [operand, flags] : llvm::zip_equal(operands, isOne)) {
      SmallVector<Value> indices;
      int64_t offset = rank - int64_t(flags.size());
      for (auto [own, flag] : llvm::enumerate(flags))
        indices.push_back(arith::SelectOp::create(
            builder, location, flag, zero,
            linalg::IndexOp::create(builder, location, offset + own)));
      read.push_back(
          tensor::ExtractOp::create(builder, location, operand, indices));
    }
    linalg::YieldOp::create(builder, location,
                            element(builder, location, read));
  };
  return linalg::GenericOp::create(builder, location, TypeRange(type),
                                   ValueRange(), ValueRange(empty),
                                   ArrayRef<AffineMap>(identity), loops, body)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Makes one element of the result from those of the operands, all of one type.
using ElementOf = Value (*)(OpBuilder &, Location, ValueRange);

/// The inputs if all have a rank, and elements that arith computes with.
static std::optional<SmallVector<Value>>
elementwiseOperands(ToSequenceConverter &converter, Operator op) {
  SmallVector<Value> operands;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value value = converter.input(op, i);
    auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
    if (!type || isStrings(op.input(i).getType()) ||
        (!type.getElementType().isSignlessInteger() &&
         !type.getElementType().isF16() && !type.getElementType().isBF16() &&
         !type.getElementType().isF32() && !type.getElementType().isF64()))
      return std::nullopt;
    operands.push_back(value);
  }
  return operands;
}

/// `real` and `integer` are null where there is no such form.
template <ElementOf real, ElementOf integer, bool isTruth = false>
static LogicalResult lowerElements(ToSequenceConverter &converter,
                                   Operator op) {
  // Before version 7 broadcasting was said by attributes.
  auto operands = elementwiseOperands(converter, op);
  if (!operands || operands->empty() || op.has("broadcast"))
    return lowerToKernel(converter, op);
  Type type = getElementTypeOrSelf(operands->back().getType());
  ElementOf element = isa<FloatType>(type) ? real : integer;
  if (!element)
    return lowerToKernel(converter, op);
  Broadcast broadcast(converter, op, *operands);
  converter.set(
      op->getResult(0),
      broadcast.make(isTruth ? converter.builder.getI1Type() : type, element));
  return success();
}

template <typename Op>
static Value makeOf(OpBuilder &builder, Location location, ValueRange read) {
  return Op::create(builder, location, read[0], read[1]);
}

template <typename Op>
static Value makeOfOne(OpBuilder &builder, Location location, ValueRange read) {
  return Op::create(builder, location, read[0]);
}

/// Combines any number of operands, from left to right.
template <typename Op>
static Value makeOfAll(OpBuilder &builder, Location location, ValueRange read) {
  Value result = read[0];
  for (Value next : read.drop_front())
    result = Op::create(builder, location, result, next);
  return result;
}

template <arith::CmpFPredicate predicate>
static Value compareReals(OpBuilder &builder, Location location,
                          ValueRange read) {
  return arith::CmpFOp::create(builder, location, predicate, read[0], read[1]);
}

template <arith::CmpIPredicate predicate>
static Value compareIntegers(OpBuilder &builder, Location location,
                             ValueRange read) {
  return arith::CmpIOp::create(builder, location, predicate, read[0], read[1]);
}

static Value zeroOf(OpBuilder &builder, Location location, Type type) {
  return arith::ConstantOp::create(builder, location,
                                   builder.getZeroAttr(type));
}

static Value makeRelu(OpBuilder &builder, Location location, ValueRange read) {
  return arith::MaximumFOp::create(
      builder, location, read[0], zeroOf(builder, location, read[0].getType()));
}

static Value makeNegative(OpBuilder &builder, Location location,
                          ValueRange read) {
  return arith::SubIOp::create(
      builder, location, zeroOf(builder, location, read[0].getType()), read[0]);
}

static Value makeClipped(OpBuilder &builder, Location location,
                         ValueRange read) {
  Value raised = arith::MaximumFOp::create(builder, location, read[0], read[1]);
  return arith::MinimumFOp::create(builder, location, raised, read[2]);
}

/// Lowers a Clip with both bounds, which are attributes before version 11.
static LogicalResult lowerClip(ToSequenceConverter &converter, Operator op) {
  if (op.numInputs() == 3)
    return lowerElements<makeClipped, nullptr>(converter, op);
  auto operands = elementwiseOperands(converter, op);
  if (op.numInputs() != 1 || !operands || !op.has("min") || !op.has("max"))
    return lowerToKernel(converter, op);
  Type type = getElementTypeOrSelf(operands->front().getType());
  if (!isa<FloatType>(type))
    return lowerToKernel(converter, op);
  Broadcast broadcast(converter, op, *operands);
  auto bound = [&](OpBuilder &builder, Location location, StringRef name) {
    return arith::ConstantOp::create(
        builder, location, builder.getFloatAttr(type, op.getFloat(name, 0)));
  };
  converter.set(op->getResult(0),
                broadcast.make(type, [&](OpBuilder &builder, Location location,
                                         ValueRange read) {
                  Value low = bound(builder, location, "min");
                  Value high = bound(builder, location, "max");
                  return makeClipped(builder, location, {read[0], low, high});
                }));
  return success();
}

static Value makeNot(OpBuilder &builder, Location location, ValueRange read) {
  Value truth = arith::ConstantIntOp::create(builder, location, 1, 1);
  return arith::XOrIOp::create(builder, location, read[0], truth);
}

static Value makeWhere(OpBuilder &builder, Location location, ValueRange read) {
  return arith::SelectOp::create(builder, location, read[0], read[1], read[2]);
}

//===----------------------------------------------------------------------===//
// Cast
//===----------------------------------------------------------------------===//

/// A float as an integer, as the kernel has it (castOfAnyRange): the low bits of
/// the number as i32 or i64, whose smallest value stands for all that these
/// cannot hold.
static Value integerOfReal(OpBuilder &builder, Location location, Value value,
                           IntegerType type) {
  Type wide = builder.getF64Type();
  if (value.getType() != wide)
    value = arith::ExtFOp::create(builder, location, wide, value);
  auto whole = builder.getIntegerType(std::max(32u, type.getWidth()));
  double beyond = std::exp2(whole.getWidth() - 1);
  auto constant = [&](double number) -> Value {
    return arith::ConstantOp::create(builder, location,
                                     builder.getF64FloatAttr(number));
  };
  auto is = [&](arith::CmpFPredicate predicate, double bound) -> Value {
    return arith::CmpFOp::create(builder, location, predicate, value,
                                 constant(bound));
  };
  Value fits = arith::AndIOp::create(builder, location,
                                     is(arith::CmpFPredicate::OGE, -beyond),
                                     is(arith::CmpFPredicate::OLT, beyond));
  value = arith::SelectOp::create(builder, location, fits, value,
                                  constant(-beyond));
  value = arith::FPToSIOp::create(builder, location, whole, value);
  return type == whole
             ? value
             : arith::TruncIOp::create(builder, location, type, value);
}

/// Null if there is no plain way.
static Value castElement(OpBuilder &builder, Location location, Value value,
                         Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  bool isTruth = from.isInteger(1);
  if (type.isInteger(1)) {
    Value zero = zeroOf(builder, location, from);
    if (isa<FloatType>(from))
      return arith::CmpFOp::create(builder, location, arith::CmpFPredicate::UNE,
                                   value, zero);
    return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne,
                                 value, zero);
  }
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (isa<FloatType>(from))
      return integerOfReal(builder, location, value, integer);
    if (from.getIntOrFloatBitWidth() > integer.getWidth())
      return arith::TruncIOp::create(builder, location, type, value);
    if (isTruth)
      return arith::ExtUIOp::create(builder, location, type, value);
    return arith::ExtSIOp::create(builder, location, type, value);
  }
  if (isa<IntegerType>(from)) {
    if (isTruth)
      return arith::UIToFPOp::create(builder, location, type, value);
    return arith::SIToFPOp::create(builder, location, type, value);
  }
  if (from.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return arith::ExtFOp::create(builder, location, type, value);
  return arith::TruncFOp::create(builder, location, type, value);
}

static LogicalResult lowerCast(ToSequenceConverter &converter, Operator op) {
  auto operands = elementwiseOperands(converter, op);
  auto result = dyn_cast<TensorType>(op->getResult(0).getType());
  if (!operands || !result)
    return lowerToKernel(converter, op);
  auto isPlain = [](Type type) {
    return type.isSignlessInteger(1) || type.isSignlessInteger(8) ||
           type.isSignlessInteger(16) || type.isSignlessInteger(32) ||
           type.isSignlessInteger(64) || type.isF16() || type.isF32() ||
           type.isF64();
  };
  Type from = getElementTypeOrSelf((*operands)[0].getType());
  Type to = result.getElementType();
  // Integers as f16 would be rounded twice.
  if (!isPlain(from) || !isPlain(to) ||
      (isa<IntegerType>(from) && !from.isInteger(1) && to.isF16()))
    return lowerToKernel(converter, op);
  operands->resize(1);
  Broadcast broadcast(converter, op, *operands);
  converter.set(op->getResult(0),
                broadcast.make(to, [&](OpBuilder &builder, Location location,
                                       ValueRange read) {
                  return castElement(builder, location, read[0], to);
                }));
  return success();
}

constexpr ElementOf none = nullptr;

ToSequenceLowering onnxfold::elementwiseLowering(StringRef opType) {
  using enum arith::CmpFPredicate;
  namespace a = mlir::arith;
  using I = arith::CmpIPredicate;
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("Add", lowerElements<makeOf<a::AddFOp>, makeOf<a::AddIOp>>)
      .Case("Sub", lowerElements<makeOf<a::SubFOp>, makeOf<a::SubIOp>>)
      .Case("Mul", lowerElements<makeOf<a::MulFOp>, makeOf<a::MulIOp>>)
      .Case("Div", lowerElements<makeOf<a::DivFOp>, none>)
      .Case("Neg", lowerElements<makeOfOne<a::NegFOp>, makeNegative>)
      .Case("Abs", lowerElements<makeOfOne<math::AbsFOp>, none>)
      .Case("Sqrt", lowerElements<makeOfOne<math::SqrtOp>, none>)
      .Case("Relu", lowerElements<makeRelu, none>)
      .Case("Max",
            lowerElements<makeOfAll<a::MaximumFOp>, makeOfAll<a::MaxSIOp>>)
      .Case("Min",
            lowerElements<makeOfAll<a::MinimumFOp>, makeOfAll<a::MinSIOp>>)
      .Case("Clip", lowerClip)
      .Case("Sum", lowerElements<makeOfAll<a::AddFOp>, none>)
      .Case("And", lowerElements<none, makeOf<a::AndIOp>>)
      .Case("Or", lowerElements<none, makeOf<a::OrIOp>>)
      .Case("Xor", lowerElements<none, makeOf<a::XOrIOp>>)
      .Case("Not", lowerElements<none, makeNot>)
      .Case("Where", lowerElements<makeWhere, makeWhere>)
      .Case("Equal",
            lowerElements<compareReals<OEQ>, compareIntegers<I::eq>, true>)
      .Case("Less",
            lowerElements<compareReals<OLT>, compareIntegers<I::slt>, true>)
      .Case("LessOrEqual",
            lowerElements<compareReals<OLE>, compareIntegers<I::sle>, true>)
      .Case("Greater",
            lowerElements<compareReals<OGT>, compareIntegers<I::sgt>, true>)
      .Case("GreaterOrEqual",
            lowerElements<compareReals<OGE>, compareIntegers<I::sge>, true>)
      .Case("Cast", lowerCast)
      .Default(nullptr);
}
