//===- ToSequenceTensors.cpp - Tensor operators around sequences ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The few that models need between their sequences, in the plainest form that
// is right for every shape of known rank.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Slices and shapes
//===----------------------------------------------------------------------===//

static LogicalResult lowerIdentity(ToSequenceConverter &converter,
                                   Operator op) {
  converter.setOptional(op->getResult(0), converter.input(op, 0),
                        converter.presence(op.input(0)));
  return success();
}

/// A shape that the run computes may contradict the one that the model states.
/// Failure if its length is not known.
static LogicalResult assertShape(ToSequenceConverter &converter, Operator op,
                                 RankedTensorType type,
                                 RankedTensorType result) {
  auto shape = converter.rankedInput(op, 1);
  if (!shape || shape.getShape() != ArrayRef(result.getRank()))
    return failure();
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIntOp::create(builder, location, value, 64);
  };
  bool copiesZero = op.getInt("allowzero", 0) == 0;
  Value sizes = converter.input(op, 1);
  Value fits = arith::ConstantIntOp::create(builder, location, 1, 1);
  Value isInferred = arith::ConstantIntOp::create(builder, location, 0, 1);
  for (auto [i, size] : llvm::enumerate(result.getShape())) {
    Value index = arith::ConstantIndexOp::create(builder, location, int64_t(i));
    Value given = tensor::ExtractOp::create(builder, location, sizes, index);
    auto is = [&](int64_t value) -> Value {
      return arith::CmpIOp::create(builder, location, arith::CmpIPredicate::eq,
                                   given, constant(value));
    };
    Value isSize = is(size);
    if (copiesZero && int64_t(i) < type.getRank() && type.getDimSize(i) == size)
      isSize = arith::OrIOp::create(builder, location, isSize, is(0));
    // One size may be -1.
    Value isRest = is(-1);
    Value isFirst = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::ugt, isRest, isInferred);
    isSize = arith::OrIOp::create(builder, location, isSize, isFirst);
    isInferred = arith::OrIOp::create(builder, location, isInferred, isRest);
    fits = arith::AndIOp::create(builder, location, fits, isSize);
  }
  cf::AssertOp::create(builder, location, fits,
                       describeNode(op) +
                           ": the shape that is computed is not the one that "
                           "the model says, " +
                           toString(result.getShape()));
  return success();
}

/// A reshape between known shapes keeps the elements.
static LogicalResult lowerReshape(ToSequenceConverter &converter, Operator op) {
  auto type = converter.rankedInput(op, 0);
  auto result = dyn_cast_or_null<RankedTensorType>(
      convertedTensor(op->getResult(0).getType()));
  if (!type || !result || !type.hasStaticShape() || !result.hasStaticShape() ||
      type.getNumElements() != result.getNumElements() ||
      type.getNumElements() == 0)
    return lowerToKernel(converter, op);
  bool isComputed =
      op.is("Reshape") && failed(converter.constantInts(op, 1, "shape"));
  if (isComputed && failed(assertShape(converter, op, type, result)))
    return lowerToKernel(converter, op);
  OpBuilder &builder = converter.builder;
  Value value = converter.input(op, 0);
  auto allAxes = [](int64_t rank) {
    ReassociationIndices axes(llvm::to_vector<2>(llvm::seq<int64_t>(0, rank)));
    return rank ? SmallVector<ReassociationIndices>{axes}
                : SmallVector<ReassociationIndices>{};
  };
  auto flat =
      RankedTensorType::get({type.getNumElements()}, type.getElementType());
  if (type == result) {
    converter.set(op->getResult(0), value);
    return success();
  }
  if (type.getRank() == 0)
    value = tensor::ExpandShapeOp::create(builder, op->getLoc(), flat, value,
                                          SmallVector<ReassociationIndices>());
  else if (type.getRank() > 1)
    value = tensor::CollapseShapeOp::create(builder, op->getLoc(), flat, value,
                                            allAxes(type.getRank()));
  if (result.getRank() == 0)
    value =
        tensor::CollapseShapeOp::create(builder, op->getLoc(), result, value,
                                        SmallVector<ReassociationIndices>());
  else if (result.getRank() > 1)
    value = tensor::ExpandShapeOp::create(builder, op->getLoc(), result, value,
                                          allAxes(result.getRank()));
  converter.set(op->getResult(0), value);
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
    return lowerToKernel(converter, op);
  auto type = converter.rankedInput(op, 0);
  auto starts = converter.rankedInput(op, 1);
  auto ends = converter.rankedInput(op, 2);
  if (!type || !starts || !ends)
    return lowerToKernel(converter, op);
  auto axes = converter.constantInts(op, 3, "axes");
  auto steps = converter.constantInts(op, 4, "steps");
  if (failed(axes) || failed(steps))
    return lowerToKernel(converter, op);
  if (starts.getRank() != 1 || ends.getRank() != 1)
    return errorAt(op, " with starts or ends that are not vectors");
  int64_t count = starts.getDimSize(0);
  if (ShapedType::isDynamic(count))
    return lowerToKernel(converter, op);
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
      return lowerToKernel(converter, op);
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
  Value result;
  if (hasNoElements(data))
    result = tensor::EmptyOp::create(builder, location, sizes,
                                     type.getElementType());
  else
    result = tensor::ExtractSliceOp::create(builder, location, data, offsets,
                                            sizes, strides);
  converter.set(op->getResult(0), result);
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

/// The axes of `rank` that a list names; failure where one is none.
static FailureOr<llvm::BitVector> axisSet(ArrayRef<int64_t> axes,
                                          int64_t rank) {
  llvm::BitVector set(rank);
  for (int64_t axis : axes) {
    int64_t fromFront = axis < 0 ? axis + rank : axis;
    if (fromFront < 0 || fromFront >= rank)
      return failure();
    set.set(fromFront);
  }
  return set;
}

static LogicalResult lowerUnsqueeze(ToSequenceConverter &converter,
                                    Operator op) {
  auto type = converter.rankedInput(op, 0);
  auto axes = converter.constantInts(op, 1, "axes");
  if (!type || failed(axes) || !*axes)
    return lowerToKernel(converter, op);
  int64_t rank = type.getRank() + (*axes)->size();
  auto isOne = axisSet(**axes, rank);
  if (failed(isOne))
    return lowerToKernel(converter, op);
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

/// The axes that the list names: no list and an empty one name all of size 1.
static FailureOr<llvm::BitVector>
squeezedAxes(std::optional<SmallVector<int64_t>> given, RankedTensorType type) {
  if (given && !given->empty())
    return axisSet(*given, type.getRank());
  if (!type.hasStaticShape())
    return failure();
  llvm::BitVector isOne(type.getRank());
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    isOne[axis] = size == 1;
  return isOne;
}

static LogicalResult lowerSqueeze(ToSequenceConverter &converter, Operator op) {
  auto type = converter.rankedInput(op, 0);
  auto axes = converter.constantInts(op, 1, "axes");
  if (!type || failed(axes))
    return lowerToKernel(converter, op);
  auto isOne = squeezedAxes(*axes, type);
  if (failed(isOne))
    return lowerToKernel(converter, op);
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!(*isOne)[axis])
      shape.push_back(type.getDimSize(axis));
    else if (type.getDimSize(axis) != 1)
      return lowerToKernel(converter, op);
  }
  converter.set(op->getResult(0),
                tensor::CollapseShapeOp::create(
                    converter.builder, op->getLoc(),
                    RankedTensorType::get(shape, type.getElementType()),
                    converter.input(op, 0), groupsOfAxes(*isOne)));
  return success();
}

static LogicalResult lowerShape(ToSequenceConverter &converter, Operator op) {
  auto type = converter.rankedInput(op, 0);
  if (!type)
    return lowerToKernel(converter, op);
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
  for (auto find : {elementwiseLowering, movementLowering, reductionLowering})
    if (ToSequenceLowering lowering = find(opType))
      return lowering;
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("Conv", lowerConv)
      .Case("MatMul", lowerMatMul)
      .Case("Gemm", lowerGemm)
      .Case("MaxPool", lowerMaxPool)
      .Case("AveragePool", lowerAveragePool)
      .Case("Dropout", lowerDropout)
      .Case("BatchNormalization", lowerBatchNormalization)
      .Case("Reshape", lowerReshape)
      .Case("Flatten", lowerReshape)
      .Case("Identity", lowerIdentity)
      .Case("Slice", lowerSlice)
      .Case("Unsqueeze", lowerUnsqueeze)
      .Case("Squeeze", lowerSqueeze)
      .Case("Shape", lowerShape)
      .Default(nullptr);
}
