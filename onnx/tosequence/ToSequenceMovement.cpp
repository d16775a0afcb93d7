//===- ToSequenceMovement.cpp - Elements at other places ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Transpose, Concat, Split, Gather and Pad: slices, loops that read elsewhere,
// and copies into a part of the result. Axes, sizes of parts and pads must be
// known, extents mostly need not be.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;

/// An extent of a tensor as an offset or size.
static OpFoldResult extentOfAxis(ToSequenceConverter &converter,
                                 Location location, Value tensor,
                                 int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return converter.builder.getIndexAttr(type.getDimSize(axis));
  return converter.dim(location, tensor, axis);
}

static SmallVector<OpFoldResult> extentsOf(ToSequenceConverter &converter,
                                           Location location, Value tensor) {
  SmallVector<OpFoldResult> extents;
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    extents.push_back(extentOfAxis(converter, location, tensor, axis));
  return extents;
}

static OpFoldResult sumOf(ToSequenceConverter &converter, Location location,
                          OpFoldResult a, OpFoldResult b) {
  OpBuilder &builder = converter.builder;
  auto left = getConstantIntValue(a), right = getConstantIntValue(b);
  if (left && right)
    return builder.getIndexAttr(*left + *right);
  Value x = getValueOrCreateConstantIndexOp(builder, location, a);
  Value y = getValueOrCreateConstantIndexOp(builder, location, b);
  return arith::AddIOp::create(builder, location, x, y).getResult();
}

//===----------------------------------------------------------------------===//
// Transpose
//===----------------------------------------------------------------------===//

/// Whether plain loops are good enough: rows stay rows, or there is not much.
/// (The kernel transposes in blocks: 66 us instead of 440 for 768x768.)
static bool isCheapTranspose(RankedTensorType type, ArrayRef<int64_t> perm) {
  constexpr int64_t few = 1024;
  return perm.empty() || perm.back() == type.getRank() - 1 ||
         (type.hasStaticShape() && type.getNumElements() <= few);
}

static LogicalResult lowerTranspose(ToSequenceConverter &converter,
                                    Operator op) {
  auto type = converter.rankedInput(op, 0);
  if (!type)
    return lowerToKernel(converter, op);
  auto reversed =
      llvm::to_vector(llvm::reverse(llvm::seq<int64_t>(0, type.getRank())));
  SmallVector<int64_t> perm = op.getInts("perm").value_or(reversed);
  if (!isPermutation(perm, type.getRank()) || !isCheapTranspose(type, perm))
    return lowerToKernel(converter, op);
  Value input = converter.input(op, 0);
  // MLIR's verifier ends the process on one of rank 0.
  if (perm.empty()) {
    converter.set(op->getResult(0), input);
    return success();
  }
  auto extents = extentsOf(converter, op->getLoc(), input);
  SmallVector<OpFoldResult> sizes;
  for (int64_t axis : perm)
    sizes.push_back(extents[axis]);
  OpBuilder &builder = converter.builder;
  Value empty = tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                        type.getElementType());
  auto transposed =
      linalg::TransposeOp::create(builder, op->getLoc(), input, empty, perm);
  converter.set(op->getResult(0), transposed->getResult(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Concat and Split
//===----------------------------------------------------------------------===//

/// MLIR's analysis of a chain of slices takes the cube of its length: 0.02 s for
/// 32, minutes for 300.
constexpr size_t mostConcatenated = 32;

/// Whether tensors can be put together: they are few, and all extents but that
/// of the axis are known and equal.
static bool mayConcat(ArrayRef<RankedTensorType> types, int64_t axis) {
  if (types.size() > mostConcatenated)
    return false;
  for (RankedTensorType type : types) {
    if (!type || type.getRank() != types[0].getRank() ||
        type.getElementType() != types[0].getElementType())
      return false;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (i != axis && (type.isDynamicDim(i) ||
                        type.getDimSize(i) != types[0].getDimSize(i)))
        return false;
  }
  return true;
}

static LogicalResult lowerConcatenation(ToSequenceConverter &converter,
                                        Operator op) {
  SmallVector<RankedTensorType> types;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    types.push_back(converter.rankedInput(op, i));
  if (types.empty() || !types[0] || (op.since() >= 4 && !op.has("axis")))
    return lowerToKernel(converter, op);
  auto axis = normalizeAxis(op.getInt("axis", 1), types[0].getRank());
  if (!axis || !mayConcat(types, *axis))
    return lowerToKernel(converter, op);
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  SmallVector<OpFoldResult> starts = {builder.getIndexAttr(0)};
  for (unsigned i = 0; i < op.numInputs(); ++i)
    starts.push_back(sumOf(
        converter, location, starts.back(),
        extentOfAxis(converter, location, converter.input(op, i), *axis)));
  auto sizes = extentsOf(converter, location, converter.input(op, 0));
  sizes[*axis] = starts.back();
  Value result = tensor::EmptyOp::create(builder, location, sizes,
                                         types[0].getElementType());
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      steps(sizes.size(), builder.getIndexAttr(1));
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value part = converter.input(op, i);
    if (hasNoElements(part))
      continue;
    offsets[*axis] = starts[i];
    sizes[*axis] = extentOfAxis(converter, location, part, *axis);
    result = tensor::InsertSliceOp::create(builder, location, part, result,
                                           offsets, sizes, steps);
  }
  converter.set(op->getResult(0), result);
  return success();
}

/// The sizes of the parts; nothing where they are not known or do not fit.
static std::optional<SmallVector<int64_t>>
partsOf(ToSequenceConverter &converter, Operator op, int64_t extent) {
  int64_t count = op->getNumResults();
  auto given = converter.constantInts(op, 1, "split");
  if (failed(given) || (*given && op.has("num_outputs")))
    return std::nullopt;
  SmallVector<int64_t> parts;
  if (*given) {
    parts = **given;
  } else {
    int64_t size = (extent + count - 1) / count;
    parts.assign(count, size);
    parts.back() = extent - size * (count - 1);
    bool maySmaller = op.getInt("num_outputs", 0) == count;
    if (op.since() >= 18 ? !maySmaller : parts.back() != size)
      return std::nullopt;
  }
  int64_t sum = 0;
  for (int64_t part : parts)
    sum = part < 0 ? -1 : sum < 0 ? sum : sum + part;
  if (int64_t(parts.size()) != count || sum != extent)
    return std::nullopt;
  return parts;
}

static LogicalResult lowerParts(ToSequenceConverter &converter, Operator op) {
  auto type = converter.rankedInput(op, 0);
  auto axis =
      type ? normalizeAxis(op.getInt("axis", 0), type.getRank()) : std::nullopt;
  if (!axis || op.since() < 2 || type.isDynamicDim(*axis))
    return lowerToKernel(converter, op);
  auto parts = partsOf(converter, op, type.getDimSize(*axis));
  if (!parts)
    return lowerToKernel(converter, op);
  OpBuilder &builder = converter.builder;
  Value input = converter.input(op, 0);
  auto sizes = extentsOf(converter, op->getLoc(), input);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0)),
      steps(sizes.size(), builder.getIndexAttr(1));
  int64_t start = 0;
  for (auto [result, size] : llvm::zip_equal(op->getResults(), *parts)) {
    offsets[*axis] = builder.getIndexAttr(start);
    sizes[*axis] = builder.getIndexAttr(size);
    start += size;
    Value part;
    if (size == 0 || hasNoElements(input))
      part = tensor::EmptyOp::create(builder, op->getLoc(), sizes,
                                     type.getElementType());
    else
      part = tensor::ExtractSliceOp::create(builder, op->getLoc(), input,
                                            offsets, sizes, steps);
    converter.set(result, part);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// An index as one from the front.
static Value indexFromFront(OpBuilder &builder, Location location, Value index,
                            Value extent) {
  index = arith::IndexCastOp::create(builder, location, builder.getIndexType(),
                                     index);
  Value zero = arith::ConstantIndexOp::create(builder, location, 0);
  Value isNegative = arith::CmpIOp::create(
      builder, location, arith::CmpIPredicate::slt, index, zero);
  Value fromEnd = arith::AddIOp::create(builder, location, index, extent);
  return arith::SelectOp::create(builder, location, isNegative, fromEnd, index);
}

/// Stops the program where an index is outside of the axis.
static void assertIndices(ToSequenceConverter &converter, Operator op,
                          Value indices, Value extent) {
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  unsigned rank = cast<RankedTensorType>(indices.getType()).getRank();
  Value yes = arith::ConstantIntOp::create(builder, location, 1, 1);
  Value start = converter.scalar(location, yes);
  AffineMap maps[] = {builder.getMultiDimIdentityMap(rank),
                      AffineMap::get(rank, 0, builder.getContext())};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::reduction);
  auto body = [&](OpBuilder &builder, Location location, ValueRange read) {
    Value index = indexFromFront(builder, location, read[0], extent);
    // Negative numbers are large ones.
    Value isInside = arith::CmpIOp::create(
        builder, location, arith::CmpIPredicate::ult, index, extent);
    linalg::YieldOp::create(
        builder, location,
        arith::AndIOp::create(builder, location, read[1], isInside)
            .getResult());
  };
  Value all =
      linalg::GenericOp::create(builder, location, TypeRange(start.getType()),
                                indices, ValueRange(start), maps, loops, body)
          .getResult(0);
  Value areInside =
      tensor::ExtractOp::create(builder, location, all, ValueRange());
  cf::AssertOp::create(builder, location, areInside,
                       describeNode(op) + ": an index is out of range");
}

static LogicalResult lowerGather(ToSequenceConverter &converter, Operator op) {
  auto type = converter.rankedInput(op, 0);
  auto indexType = converter.rankedInput(op, 1);
  auto axis =
      type ? normalizeAxis(op.getInt("axis", 0), type.getRank()) : std::nullopt;
  if (!axis || !indexType || op.since() < 11 ||
      (!indexType.getElementType().isSignlessInteger(32) &&
       !indexType.getElementType().isSignlessInteger(64)))
    return lowerToKernel(converter, op);
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  Value data = converter.input(op, 0), indices = converter.input(op, 1);
  Value extent = converter.dim(location, data, *axis);
  assertIndices(converter, op, indices, extent);
  auto sizes = extentsOf(converter, location, data);
  auto middle = extentsOf(converter, location, indices);
  sizes.erase(sizes.begin() + *axis);
  sizes.insert(sizes.begin() + *axis, middle.begin(), middle.end());
  Value empty =
      tensor::EmptyOp::create(builder, location, sizes, type.getElementType());
  unsigned rank = sizes.size();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineMap maps[] = {identity.getSliceMap(*axis, middle.size()), identity};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &builder, Location location, ValueRange read) {
    SmallVector<Value> places;
    for (int64_t i = 0; i < type.getRank(); ++i) {
      int64_t loop = i < *axis ? i : i - 1 + int64_t(middle.size());
      places.push_back(
          i == *axis
              ? indexFromFront(builder, location, read[0], extent)
              : linalg::IndexOp::create(builder, location, loop).getResult());
    }
    linalg::YieldOp::create(
        builder, location,
        tensor::ExtractOp::create(builder, location, data, places).getResult());
  };
  converter.set(op->getResult(0),
                linalg::GenericOp::create(builder, location,
                                          TypeRange(empty.getType()), indices,
                                          ValueRange(empty), maps, loops, body)
                    .getResult(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Pad
//===----------------------------------------------------------------------===//

/// The value around the tensor; null where the kernel has to say it.
static Value padValue(ToSequenceConverter &converter, Operator op, Type type) {
  OpBuilder &builder = converter.builder;
  if (isStrings(op.input(0).getType()) ||
      (!isa<FloatType>(type) && !type.isSignlessInteger()))
    return {};
  Value given = op.since() >= 11 ? converter.input(op, 2) : Value();
  if (given && getElementTypeOrSelf(given.getType()) != type)
    return {};
  if (given)
    return converter.onlyElement(op.getOperation(), given);
  double value = op.since() < 11 ? op.getFloat("value", 0) : 0;
  TypedAttr zero = builder.getZeroAttr(type);
  if (value != 0 && !isa<FloatType>(type))
    return {};
  return arith::ConstantOp::create(
      builder, op->getLoc(),
      value != 0 ? builder.getFloatAttr(type, value) : zero);
}

static LogicalResult lowerPad(ToSequenceConverter &converter, Operator op) {
  auto type = converter.rankedInput(op, 0);
  auto pads = converter.constantInts(op, 1, "pads");
  auto axes = converter.constantInts(op, 3, "axes");
  if (!type || failed(pads) || failed(axes) || !*pads || op.since() < 2 ||
      op.getString("mode", "constant") != "constant" ||
      llvm::any_of(**pads, [](int64_t pad) { return pad < 0; }))
    return lowerToKernel(converter, op);
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  auto padded =
      normalizeAxes(*axes ? ArrayRef(**axes) : ArrayRef(all), type.getRank());
  if (!padded || (*pads)->size() != 2 * padded->size())
    return lowerToKernel(converter, op);
  Value fill = padValue(converter, op, type.getElementType());
  if (!fill)
    return lowerToKernel(converter, op);
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  Value input = converter.input(op, 0);
  auto sizes = extentsOf(converter, location, input);
  SmallVector<OpFoldResult> around = sizes,
                            offsets(sizes.size(), builder.getIndexAttr(0)),
                            steps(sizes.size(), builder.getIndexAttr(1));
  for (auto [i, axis] : llvm::enumerate(*padded)) {
    int64_t before = (**pads)[i], after = (**pads)[padded->size() + i];
    offsets[axis] = builder.getIndexAttr(before);
    around[axis] = sumOf(converter, location, around[axis],
                         builder.getIndexAttr(before + after));
  }
  Value empty =
      tensor::EmptyOp::create(builder, location, around, type.getElementType());
  Value filled =
      linalg::FillOp::create(builder, location, fill, empty).result();
  converter.set(op->getResult(0), hasNoElements(input)
                                      ? filled
                                      : Value(tensor::InsertSliceOp::create(
                                            builder, location, input, filled,
                                            offsets, sizes, steps)));
  return success();
}

ToSequenceLowering onnxfold::movementLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("Transpose", lowerTranspose)
      .Case("Concat", lowerConcatenation)
      .Case("Split", lowerParts)
      .Case("Gather", lowerGather)
      .Case("Pad", lowerPad)
      .Default(nullptr);
}
