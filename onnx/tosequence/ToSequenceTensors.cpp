//===- ToSequenceTensors.cpp - Tensor operators around sequences ----------===//
//
// The few that models need between their sequences, in the plainest form that
// is right for every shape of known rank.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;

/// The type of an input, null with an error where it has no rank.
static RankedTensorType rankedInput(ToSequenceConverter &converter, Operator op,
                                    unsigned index) {
  Value value = converter.input(op, index);
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (!type)
    (void)errorAt(op, " of an input without rank");
  return type;
}

/// The integers of a constant input, or of an attribute in older versions;
/// nothing if there is neither, failure if the input is not constant.
static FailureOr<std::optional<SmallVector<int64_t>>>
constantInts(ToSequenceConverter &converter, Operator op, unsigned index,
             StringRef name) {
  if (Value value = converter.input(op, index)) {
    DenseIntElementsAttr known;
    if (!matchPattern(value, m_Constant(&known)))
      return errorAt(op, " with " + name + " that are not constant");
    SmallVector<int64_t> ints;
    for (const APInt &element : known)
      ints.push_back(element.getSExtValue());
    return std::optional(ints);
  }
  return op.getInts(name);
}

//===----------------------------------------------------------------------===//
// Elementwise
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
                         (op.opType() + ": shapes do not broadcast").str());
    extent = arith::SelectOp::create(builder, location, equal(extent, one), dim,
                                     extent);
    if (ShapedType::isDynamic(known))
      known = size;
  }
  shape.push_back(known);
  extents.push_back(extent);
}

Value Broadcast::make(Type elementType, MakeElement element) {
  auto type = RankedTensorType::get(shape, elementType);
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
  auto identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
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

template <typename FloatOp, typename IntegerOp>
static LogicalResult lowerBinary(ToSequenceConverter &converter, Operator op) {
  if (!rankedInput(converter, op, 0) || !rankedInput(converter, op, 1))
    return failure();
  SmallVector<Value> operands = {converter.input(op, 0),
                                 converter.input(op, 1)};
  Type type = getElementTypeOrSelf(operands[0].getType());
  if (!type.isSignlessInteger() && !isa<FloatType>(type))
    return op->emitError("convert-onnx-to-sequence: ")
           << op.opType() << " of elements of type " << type;
  Broadcast broadcast(converter, op, operands);
  converter.set(
      op->getResult(0),
      broadcast.make(
          type,
          [&](OpBuilder &builder, Location location, ValueRange read) -> Value {
            if (isa<FloatType>(type))
              return FloatOp::create(builder, location, read[0], read[1]);
            return IntegerOp::create(builder, location, read[0], read[1]);
          }));
  return success();
}

static LogicalResult lowerNot(ToSequenceConverter &converter, Operator op) {
  if (!rankedInput(converter, op, 0))
    return failure();
  SmallVector<Value> operands = {converter.input(op, 0)};
  Broadcast broadcast(converter, op, operands);
  converter.set(
      op->getResult(0),
      broadcast.make(
          converter.builder.getI1Type(),
          [](OpBuilder &builder, Location location, ValueRange read) -> Value {
            Value truth = arith::ConstantIntOp::create(builder, location, 1, 1);
            return arith::XOrIOp::create(builder, location, read[0], truth);
          }));
  return success();
}

//===----------------------------------------------------------------------===//
// Slices and shapes
//===----------------------------------------------------------------------===//

static LogicalResult lowerIdentity(ToSequenceConverter &converter,
                                   Operator op) {
  converter.setOptional(op->getResult(0), converter.input(op, 0),
                        converter.presence(op.input(0)));
  return success();
}

/// A bound of a slice, counted from the front and inside [0, dim].
static Value clampedBound(ToSequenceConverter &converter, Location location,
                          Value bound, Value dim) {
  OpBuilder &builder = converter.builder;
  Value zero = converter.index(location, 0);
  Value negative = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::slt, bound, zero);
  Value fromEnd = arith::AddIOp::create(builder, location, bound, dim);
  bound = arith::SelectOp::create(builder, location, negative, fromEnd, bound);
  bound = arith::MaxSIOp::create(builder, location, bound, zero);
  return arith::MinSIOp::create(builder, location, bound, dim);
}

static LogicalResult lowerSlice(ToSequenceConverter &converter, Operator op) {
  if (op.since() < 10)
    return errorAt(op, " of a version before 10");
  auto type = rankedInput(converter, op, 0);
  auto starts = rankedInput(converter, op, 1);
  auto ends = rankedInput(converter, op, 2);
  if (!type || !starts || !ends)
    return failure();
  auto axes = constantInts(converter, op, 3, "axes");
  auto steps = constantInts(converter, op, 4, "steps");
  if (failed(axes) || failed(steps))
    return failure();
  int64_t count = starts.getDimSize(0);
  if (ShapedType::isDynamic(count))
    return errorAt(op, " of a number of axes that is not known");
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  Value data = converter.input(op, 0);
  SmallVector<OpFoldResult> offsets, sizes, strides;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    offsets.push_back(builder.getIndexAttr(0));
    sizes.push_back(converter.dim(location, data, axis));
    strides.push_back(builder.getIndexAttr(1));
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t axis = *axes ? (**axes)[i] : i, step = *steps ? (**steps)[i] : 1;
    axis = axis < 0 ? axis + type.getRank() : axis;
    if (axis < 0 || axis >= type.getRank() || step <= 0)
      return errorAt(op,
                     " with axis " + Twine(axis) + " and step " + Twine(step));
    Value dim = converter.dim(location, data, axis);
    auto bound = [&](unsigned input) {
      return clampedBound(
          converter, location,
          converter.indexOf(location, converter.input(op, input), i), dim);
    };
    Value begin = bound(1), end = bound(2);
    Value extent = arith::MaxSIOp::create(
        builder, location, arith::SubIOp::create(builder, location, end, begin),
        converter.index(location, 0));
    Value rounded = arith::AddIOp::create(builder, location, extent,
                                          converter.index(location, step - 1));
    offsets[axis] = begin;
    sizes[axis] = Value(arith::DivUIOp::create(
        builder, location, rounded, converter.index(location, step)));
    strides[axis] = builder.getIndexAttr(step);
  }
  converter.set(op->getResult(0),
                tensor::ExtractSliceOp::create(builder, location, data, offsets,
                                               sizes, strides));
  return success();
}

/// Groups axes of a tensor with axes of extent 1 for those of one without them:
/// `isOne` has an entry for each axis of the former.
static SmallVector<ReassociationIndices>
groupsOfAxes(const llvm::BitVector &isOne) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices leading;
  for (unsigned axis = 0; axis < isOne.size(); ++axis) {
    if (isOne[axis] && groups.empty()) {
      leading.push_back(axis);
    } else if (isOne[axis]) {
      groups.back().push_back(axis);
    } else {
      groups.push_back(groups.empty() ? leading : ReassociationIndices());
      groups.back().push_back(axis);
    }
  }
  return groups;
}

/// Which of `rank` axes a list names; failure, with an error, where one is
/// none.
static FailureOr<llvm::BitVector> axisSet(Operator op, ArrayRef<int64_t> axes,
                                          int64_t rank) {
  llvm::BitVector set(rank);
  for (int64_t axis : axes) {
    int64_t fromFront = axis < 0 ? axis + rank : axis;
    if (fromFront < 0 || fromFront >= rank)
      return errorAt(op, " of axis " + Twine(axis));
    set.set(fromFront);
  }
  return set;
}

static LogicalResult lowerUnsqueeze(ToSequenceConverter &converter,
                                    Operator op) {
  auto type = rankedInput(converter, op, 0);
  auto axes = constantInts(converter, op, 1, "axes");
  if (!type || failed(axes))
    return failure();
  if (!*axes)
    return errorAt(op, " without axes");
  int64_t rank = type.getRank() + (*axes)->size();
  auto isOne = axisSet(op, **axes, rank);
  if (failed(isOne))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t axis = 0, own = 0; axis < rank; ++axis)
    shape.push_back((*isOne)[axis] ? 1 : type.getDimSize(own++));
  converter.set(op->getResult(0),
                tensor::ExpandShapeOp::create(
                    converter.builder, op->getLoc(),
                    RankedTensorType::get(shape, type.getElementType()),
                    converter.input(op, 0), groupsOfAxes(*isOne)));
  return success();
}

static LogicalResult lowerSqueeze(ToSequenceConverter &converter, Operator op) {
  auto type = rankedInput(converter, op, 0);
  auto axes = constantInts(converter, op, 1, "axes");
  if (!type || failed(axes))
    return failure();
  if (!*axes)
    return errorAt(op, " without axes");
  auto isOne = axisSet(op, **axes, type.getRank());
  if (failed(isOne))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!(*isOne)[axis])
      shape.push_back(type.getDimSize(axis));
    else if (type.getDimSize(axis) != 1)
      return errorAt(op, " of an axis that is not known to be 1");
  }
  converter.set(op->getResult(0),
                tensor::CollapseShapeOp::create(
                    converter.builder, op->getLoc(),
                    RankedTensorType::get(shape, type.getElementType()),
                    converter.input(op, 0), groupsOfAxes(*isOne)));
  return success();
}

static LogicalResult lowerShape(ToSequenceConverter &converter, Operator op) {
  auto type = rankedInput(converter, op, 0);
  if (!type)
    return failure();
  int64_t rank = type.getRank();
  auto bound = [&](StringRef name, int64_t byDefault) {
    int64_t axis = op.getInt(name, byDefault);
    return std::clamp(axis < 0 ? axis + rank : axis, int64_t(0), rank);
  };
  OpBuilder &builder = converter.builder;
  SmallVector<Value> extents;
  for (int64_t axis = bound("start", 0); axis < bound("end", rank); ++axis)
    extents.push_back(arith::IndexCastOp::create(
        builder, op->getLoc(), builder.getI64Type(),
        converter.dim(op->getLoc(), converter.input(op, 0), axis)));
  auto shape =
      RankedTensorType::get(int64_t(extents.size()), builder.getI64Type());
  converter.set(op->getResult(0), tensor::FromElementsOp::create(
                                      builder, op->getLoc(), shape, extents));
  return success();
}

ToSequenceLowering onnxfold::tensorLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("Add", lowerBinary<arith::AddFOp, arith::AddIOp>)
      .Case("Sub", lowerBinary<arith::SubFOp, arith::SubIOp>)
      .Case("Mul", lowerBinary<arith::MulFOp, arith::MulIOp>)
      .Case("Not", lowerNot)
      .Case("Identity", lowerIdentity)
      .Case("Slice", lowerSlice)
      .Case("Unsqueeze", lowerUnsqueeze)
      .Case("Squeeze", lowerSqueeze)
      .Case("Shape", lowerShape)
      .Default(nullptr);
}
