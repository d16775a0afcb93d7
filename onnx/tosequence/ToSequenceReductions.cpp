//===- ToSequenceReductions.cpp - Reductions and Softmax as loops ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of f32 and f64 (sums and extremes of i32 and i64 too) along known
// axes, and Softmax of f32 along the last axis. Where the last axis is reduced,
// loops inside of the body carry a scalar; otherwise the innermost loop is
// along an axis that is kept, and adds to the elements of the result. Sums are
// in double, in an order that LLVM may choose: vectors of them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/AxisReduction.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// What is reduced how
//===----------------------------------------------------------------------===//

namespace {
/// The arithmetic of one reduction.
struct ReductionRule {
  Reduced kind;
  Type element;

  bool isExtreme() const {
    return kind == Reduced::Max || kind == Reduced::Min;
  }
  bool isMean() const {
    return kind == Reduced::Mean || kind == Reduced::MeanSquare;
  }
  /// The type of the loop-carried scalar.
  Type carried() const {
    return isa<FloatType>(element) && !isExtreme()
               ? Float64Type::get(element.getContext())
               : element;
  }
  TypedAttr start(OpBuilder &builder) const;
  /// The loop-carried scalar, combined with one more element.
  Value combine(OpBuilder &builder, Location location, Value total,
                Value next) const;
  /// The element of the result; `count` elements were reduced.
  Value finish(OpBuilder &builder, Location location, Value total,
               Value count) const;
};
} // namespace

TypedAttr ReductionRule::start(OpBuilder &builder) const {
  if (!isExtreme())
    return builder.getZeroAttr(carried());
  bool isMax = kind == Reduced::Max;
  if (auto type = dyn_cast<FloatType>(element))
    return builder.getFloatAttr(
        type, APFloat::getInf(type.getFloatSemantics(), /*Negative=*/isMax));
  unsigned bits = element.getIntOrFloatBitWidth();
  return builder.getIntegerAttr(element, isMax
                                             ? APInt::getSignedMinValue(bits)
                                             : APInt::getSignedMaxValue(bits));
}

Value ReductionRule::combine(OpBuilder &builder, Location location, Value total,
                             Value next) const {
  bool isFloat = isa<FloatType>(element);
  if (kind == Reduced::Max)
    return isFloat ? arith::MaximumFOp::create(builder, location, total, next)
                         .getResult()
                   : arith::MaxSIOp::create(builder, location, total, next)
                         .getResult();
  if (kind == Reduced::Min)
    return isFloat ? arith::MinimumFOp::create(builder, location, total, next)
                         .getResult()
                   : arith::MinSIOp::create(builder, location, total, next)
                         .getResult();
  if (!isFloat)
    return arith::AddIOp::create(builder, location, total, next);
  if (next.getType() != carried())
    next = arith::ExtFOp::create(builder, location, carried(), next);
  auto anyOrder = arith::FastMathFlagsAttr::get(
      builder.getContext(),
      arith::FastMathFlags::reassoc | arith::FastMathFlags::contract);
  if (kind == Reduced::SumSquare || kind == Reduced::MeanSquare ||
      kind == Reduced::L2)
    next = arith::MulFOp::create(builder, location, next, next, anyOrder);
  if (kind == Reduced::L1)
    next = math::AbsFOp::create(builder, location, next);
  return arith::AddFOp::create(builder, location, total, next, anyOrder);
}

Value ReductionRule::finish(OpBuilder &builder, Location location, Value total,
                            Value count) const {
  if (isMean())
    total = arith::DivFOp::create(builder, location, total, count);
  if (kind == Reduced::L2)
    total = math::SqrtOp::create(builder, location, total);
  if (total.getType() != element)
    total = arith::TruncFOp::create(builder, location, element, total);
  return total;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {
/// Reduces some axes of a tensor.
class AxisReduction {
public:
  AxisReduction(ToSequenceConverter &converter, Location location, Value input,
                llvm::BitVector reduced, bool keepsAxes, ReductionRule rule);

  Value make() {
    if (!reduced.test(type.getRank() - 1))
      return inElements();
    joinLastAxes();
    return inScalars();
  }

private:
  void joinLastAxes();
  Value inScalars();
  Value inElements();
  Value emptyOf(Type element);
  Value carriedAlong(OpBuilder &builder, Location location, int64_t axis,
                     SmallVector<Value> &indices, Value total);
  SmallVector<utils::IteratorType> parallel() const {
    return SmallVector<utils::IteratorType>(shape.size(),
                                            utils::IteratorType::parallel);
  }

  ToSequenceConverter &converter;
  OpBuilder &builder;
  Location location;
  Value input;
  RankedTensorType type;
  llvm::BitVector reduced;
  bool keepsAxes;
  ReductionRule rule;
  SmallVector<int64_t> shape; // of the result
  SmallVector<Value> dynamicSizes;
  SmallVector<Value> extents; // of all axes of the input
  Value count;
  Value zero, one;
};
} // namespace

AxisReduction::AxisReduction(ToSequenceConverter &converter, Location location,
                             Value input, llvm::BitVector reduced,
                             bool keepsAxes, ReductionRule rule)
    : converter(converter), builder(converter.builder), location(location),
      input(input), type(cast<RankedTensorType>(input.getType())),
      reduced(std::move(reduced)), keepsAxes(keepsAxes), rule(rule) {
  zero = converter.index(location, 0);
  one = converter.index(location, 1);
  Value elements = one;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    extents.push_back(converter.dim(location, input, axis));
    if (this->reduced.test(axis)) {
      elements =
          arith::MulIOp::create(builder, location, elements, extents.back());
      if (keepsAxes)
        shape.push_back(1);
      continue;
    }
    shape.push_back(type.getDimSize(axis));
    if (type.isDynamicDim(axis))
      dynamicSizes.push_back(extents.back());
  }
  if (!rule.isMean())
    return;
  count = arith::IndexCastOp::create(builder, location, builder.getI64Type(),
                                     elements);
  count =
      arith::SIToFPOp::create(builder, location, builder.getF64Type(), count);
}

Value AxisReduction::emptyOf(Type element) {
  return tensor::EmptyOp::create(
      builder, location, RankedTensorType::get(shape, element), dynamicSizes);
}

/// Loops from `axis` on over the reduced axes; `indices` has those of the
/// others.
Value AxisReduction::carriedAlong(OpBuilder &builder, Location location,
                                  int64_t axis, SmallVector<Value> &indices,
                                  Value total) {
  while (axis < type.getRank() && !reduced.test(axis))
    ++axis;
  if (axis == type.getRank()) {
    Value next = tensor::ExtractOp::create(builder, location, input, indices);
    return rule.combine(builder, location, total, next);
  }
  auto loop = scf::ForOp::create(builder, location, zero, extents[axis], one,
                                 ValueRange(total));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  indices[axis] = loop.getInductionVar();
  Value result = carriedAlong(builder, location, axis + 1, indices,
                              loop.getRegionIterArg(0));
  scf::YieldOp::create(builder, location, result);
  return loop.getResult(0);
}

/// The last axes as one where all of them are reduced: one long loop.
void AxisReduction::joinLastAxes() {
  int64_t rank = type.getRank(), first = rank - 1;
  while (first > 0 && reduced.test(first - 1))
    --first;
  if (first == rank - 1 || !type.hasStaticShape())
    return;
  SmallVector<ReassociationIndices> groups;
  for (int64_t axis = 0; axis < first; ++axis)
    groups.push_back({axis});
  groups.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(first, rank)));
  input = tensor::CollapseShapeOp::create(builder, location, input, groups);
  type = cast<RankedTensorType>(input.getType());
  reduced.resize(first + 1);
  extents.resize(first);
  extents.push_back(converter.index(location, type.getDimSize(first)));
}

Value AxisReduction::inScalars() {
  auto body = [&](OpBuilder &builder, Location location, ValueRange) {
    SmallVector<Value> indices(type.getRank());
    for (int64_t axis = 0, own = 0; axis < type.getRank(); ++axis) {
      if (!reduced.test(axis))
        indices[axis] = linalg::IndexOp::create(builder, location, own++);
      else
        own += keepsAxes;
    }
    Value total =
        arith::ConstantOp::create(builder, location, rule.start(builder));
    total = carriedAlong(builder, location, 0, indices, total);
    linalg::YieldOp::create(builder, location,
                            rule.finish(builder, location, total, count));
  };
  Value empty = emptyOf(rule.element);
  return linalg::GenericOp::create(
             builder, location, TypeRange(empty.getType()), ValueRange(),
             ValueRange(empty),
             ArrayRef<AffineMap>(builder.getMultiDimIdentityMap(shape.size())),
             parallel(), body)
      .getResult(0);
}

Value AxisReduction::inElements() {
  Value start =
      arith::ConstantOp::create(builder, location, rule.start(builder));
  Value empty = emptyOf(rule.carried());
  Value totals =
      linalg::FillOp::create(builder, location, start, empty).result();
  unsigned rank = type.getRank();
  SmallVector<AffineExpr> places;
  SmallVector<utils::IteratorType> loops;
  for (unsigned axis = 0; axis < rank; ++axis) {
    bool isReduced = reduced.test(axis);
    loops.push_back(isReduced ? utils::IteratorType::reduction
                              : utils::IteratorType::parallel);
    if (!isReduced)
      places.push_back(builder.getAffineDimExpr(axis));
    else if (keepsAxes)
      places.push_back(builder.getAffineConstantExpr(0));
  }
  AffineMap maps[] = {builder.getMultiDimIdentityMap(rank),
                      AffineMap::get(rank, 0, places, builder.getContext())};
  auto add = [&](OpBuilder &builder, Location location, ValueRange read) {
    linalg::YieldOp::create(builder, location,
                            rule.combine(builder, location, read[1], read[0]));
  };
  totals =
      linalg::GenericOp::create(builder, location, TypeRange(totals.getType()),
                                input, ValueRange(totals), maps, loops, add)
          .getResult(0);
  if (rule.carried() == rule.element && !rule.isMean() &&
      rule.kind != Reduced::L2)
    return totals;
  AffineMap identity = builder.getMultiDimIdentityMap(shape.size());
  Value result = emptyOf(rule.element);
  auto finish = [&](OpBuilder &builder, Location location, ValueRange read) {
    linalg::YieldOp::create(builder, location,
                            rule.finish(builder, location, read[0], count));
  };
  return linalg::GenericOp::create(
             builder, location, TypeRange(result.getType()), totals,
             ValueRange(result), ArrayRef<AffineMap>({identity, identity}),
             parallel(), finish)
      .getResult(0);
}

Value onnxfold::reduceAxes(ToSequenceConverter &converter, Location location,
                           Value input, const llvm::BitVector &reduced,
                           bool keepsAxes, Reduced kind) {
  Type element = cast<RankedTensorType>(input.getType()).getElementType();
  return AxisReduction(converter, location, input, reduced, keepsAxes,
                       {kind, element})
      .make();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The axes that an operator reduces; failure where they are not known.
static FailureOr<llvm::BitVector> reducedAxes(ToSequenceConverter &converter,
                                              Operator op, int64_t rank) {
  auto axes = converter.constantInts(op, 1, "axes");
  if (failed(axes))
    return failure();
  llvm::BitVector set(rank);
  if (!*axes || (*axes)->empty()) {
    if (op.getInt("noop_with_empty_axes", 0) == 0)
      set.set();
    return set;
  }
  for (int64_t axis : **axes) {
    std::optional<int64_t> fromFront = normalizeAxis(axis, rank);
    if (!fromFront)
      return failure();
    set.set(*fromFront); // a repeated one counts once, as in the kernel
  }
  return set;
}

template <Reduced kind>
static LogicalResult lowerReduction(ToSequenceConverter &converter,
                                    Operator op) {
  Value input = converter.input(op, 0);
  RankedTensorType type = converter.rankedInput(op, 0);
  if (!type || isStrings(op.input(0).getType()))
    return lowerToKernel(converter, op);
  ReductionRule rule{kind, type.getElementType()};
  bool isFloat = rule.element.isF32() || rule.element.isF64();
  bool isInteger =
      rule.element.isSignlessInteger(32) || rule.element.isSignlessInteger(64);
  if (!isFloat && !(isInteger && (rule.isExtreme() || kind == Reduced::Sum)))
    return lowerToKernel(converter, op);
  auto axes = reducedAxes(converter, op, type.getRank());
  if (failed(axes) || axes->none())
    return lowerToKernel(converter, op);
  // An empty axis has no mean, and its extreme depends on the version.
  for (unsigned axis : axes->set_bits())
    if (kind != Reduced::Sum &&
        (type.isDynamicDim(axis) || type.getDimSize(axis) == 0))
      return lowerToKernel(converter, op);
  converter.set(op->getResult(0),
                reduceAxes(converter, op->getLoc(), input, *axes,
                           op.getInt("keepdims", 1) != 0, kind));
  return success();
}

/// Reduces the axes of an image behind batch and channels.
template <Reduced kind>
static LogicalResult lowerGlobalPool(ToSequenceConverter &converter,
                                     Operator op) {
  Value input = converter.input(op, 0);
  RankedTensorType type = converter.rankedInput(op, 0);
  if (!type || type.getRank() < 3 ||
      (!type.getElementType().isF32() && !type.getElementType().isF64()))
    return lowerToKernel(converter, op);
  llvm::BitVector axes(type.getRank());
  axes.set(2, type.getRank());
  for (unsigned axis : axes.set_bits())
    if (type.isDynamicDim(axis) || type.getDimSize(axis) == 0)
      return lowerToKernel(converter, op);
  converter.set(op->getResult(0),
                reduceAxes(converter, op->getLoc(), input, axes,
                           /*keepsAxes=*/true, kind));
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// Arithmetic on f32 and i32, for functions that are polynomials.
class Polynomials {
public:
  Polynomials(OpBuilder &builder, Location location)
      : builder(builder), location(location),
        fused(arith::FastMathFlagsAttr::get(builder.getContext(),
                                            arith::FastMathFlags::contract)) {}

  /// exp(x) where x is not above 0, within two units in the last place: 2^n
  /// times a polynomial of the rest, as Cephes has it. NaN gives NaN.
  Value expOfNegative(Value x);

private:
  Value real(float value) {
    return arith::ConstantOp::create(builder, location,
                                     builder.getF32FloatAttr(value));
  }
  Value integer(int32_t value) {
    return arith::ConstantOp::create(builder, location,
                                     builder.getI32IntegerAttr(value));
  }
  Value times(Value a, Value b) {
    return arith::MulFOp::create(builder, location, a, b, fused);
  }
  Value plus(Value a, Value b) {
    return arith::AddFOp::create(builder, location, a, b, fused);
  }
  /// 2^n for n in [-126, 127], by its bits.
  Value powerOfTwo(Value n);

  OpBuilder &builder;
  Location location;
  arith::FastMathFlagsAttr fused;
};
} // namespace

Value Polynomials::powerOfTwo(Value n) {
  Value biased = arith::AddIOp::create(builder, location, n, integer(127));
  Value bits = arith::ShLIOp::create(builder, location, biased, integer(23));
  return arith::BitcastOp::create(builder, location, builder.getF32Type(),
                                  bits);
}

Value Polynomials::expOfNegative(Value x) {
  // exp is 0 from there on. The exponent is a number also where x is NaN.
  Value least = real(-104);
  Value bounded = arith::MaximumFOp::create(builder, location, x, least);
  Value isNumber = arith::CmpFOp::create(
      builder, location, arith::CmpFPredicate::ORD, bounded, bounded);
  Value known =
      arith::SelectOp::create(builder, location, isNumber, bounded, least);
  Value whole = math::RoundEvenOp::create(builder, location,
                                          times(known, real(1.44269504f)));
  Value rest = plus(bounded, times(whole, real(-0.693359375f)));
  rest = plus(rest, times(whole, real(2.12194440e-4f)));
  Value sum = real(1.9875691500e-4f);
  for (float factor : {1.3981999507e-3f, 8.3334519073e-3f, 4.1665795894e-2f,
                       1.6666665459e-1f, 5.0000001201e-1f})
    sum = plus(times(sum, rest), real(factor));
  sum = plus(times(sum, times(rest, rest)), plus(rest, real(1)));
  // Two steps scale the result, which may be below the smallest normal number.
  Value n =
      arith::FPToSIOp::create(builder, location, builder.getI32Type(), whole);
  Value half = arith::ShRSIOp::create(builder, location, n, integer(1));
  Value other = arith::SubIOp::create(builder, location, n, half);
  return times(times(sum, powerOfTwo(half)), powerOfTwo(other));
}

/// f(element, that of its row), for each element of a tensor.
static Value
withRows(ToSequenceConverter &converter, Location location, Value tensor,
         Value rows, Value into,
         llvm::function_ref<Value(OpBuilder &, Location, Value, Value)> f) {
  OpBuilder &builder = converter.builder;
  unsigned rank = cast<RankedTensorType>(tensor.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps = {identity, identity.dropResult(rank - 1)};
  SmallVector<Value> inputs = {tensor, rows};
  if (tensor == into) { // in place
    maps.erase(maps.begin());
    inputs.erase(inputs.begin());
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &builder, Location location, ValueRange read) {
    Value element = tensor == into ? read[1] : read[0];
    Value row = tensor == into ? read[0] : read[1];
    linalg::YieldOp::create(builder, location,
                            f(builder, location, element, row));
  };
  return linalg::GenericOp::create(builder, location,
                                   TypeRange(tensor.getType()), inputs,
                                   ValueRange(into), maps, loops, body)
      .getResult(0);
}

static LogicalResult lowerSoftmax(ToSequenceConverter &converter, Operator op) {
  Value input = converter.input(op, 0);
  RankedTensorType type = converter.rankedInput(op, 0);
  if (!type || type.getRank() == 0 || !type.getElementType().isF32())
    return lowerToKernel(converter, op);
  int64_t last = type.getRank() - 1;
  int64_t axis = op.getInt("axis", op.since() < 13 ? 1 : -1);
  if (axis != last && axis != -1)
    return lowerToKernel(converter, op);
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  llvm::BitVector rows(type.getRank());
  rows.set(last);
  auto alongRows = [&](Value tensor, Reduced kind) {
    return reduceAxes(converter, location, tensor, rows, /*keepsAxes=*/false,
                      kind);
  };
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(i))
      sizes.push_back(converter.dim(location, input, i));
  Value empty = tensor::EmptyOp::create(builder, location, type, sizes);
  Value powers = withRows(
      converter, location, input, alongRows(input, Reduced::Max), empty,
      [](OpBuilder &builder, Location location, Value x, Value most) -> Value {
        Value below = arith::SubFOp::create(builder, location, x, most);
        return Polynomials(builder, location).expOfNegative(below);
      });
  Value result = withRows(
      converter, location, powers, alongRows(powers, Reduced::Sum), powers,
      [](OpBuilder &builder, Location location, Value x, Value sum) -> Value {
        return arith::DivFOp::create(builder, location, x, sum);
      });
  converter.set(op->getResult(0), result);
  return success();
}

ToSequenceLowering onnxfold::reductionLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("ReduceSum", lowerReduction<Reduced::Sum>)
      .Case("ReduceMean", lowerReduction<Reduced::Mean>)
      .Case("ReduceSumSquare", lowerReduction<Reduced::SumSquare>)
      .Case("ReduceL1", lowerReduction<Reduced::L1>)
      .Case("ReduceL2", lowerReduction<Reduced::L2>)
      .Case("ReduceMax", lowerReduction<Reduced::Max>)
      .Case("ReduceMin", lowerReduction<Reduced::Min>)
      .Case("GlobalAveragePool", lowerGlobalPool<Reduced::Mean>)
      .Case("GlobalMaxPool", lowerGlobalPool<Reduced::Max>)
      .Case("Softmax", lowerSoftmax)
      .Default(nullptr);
}
