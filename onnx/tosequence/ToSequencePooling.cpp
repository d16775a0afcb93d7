//===- ToSequencePooling.cpp - MaxPool and AveragePool as loops -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Pooling of known shapes: the slices that the taps of a window read, up to 16
// of them in one body. Everything else is the kernel's: indices of the largest
// elements, elements that arith does not compute with, windows of more than 64
// taps or of nothing but padding.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ImageWindows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace onnxfold;
using ops::SlidingWindows;

namespace {
/// A pooling whose windows are known.
class Pooling {
public:
  Pooling(ToSequenceConverter &converter, Operator op)
      : builder(converter.builder), converter(converter), op(op),
        location(op->getLoc()) {}

  /// Whether it is one that the loops are right for; `withPads`: padding counts
  /// as elements.
  bool isPlain(bool withPads);

  using Combine =
      llvm::function_ref<Value(OpBuilder &, Location, Value, Value)>;
  /// All that a window meets, combined; padding is `fill`.
  Value combined(TypedAttr fill, Combine combine);

  /// The sums over the number of elements that their windows meet.
  Value divided(Value sums, bool withPads);

  Type element() const { return type.getElementType(); }

private:
  /// Combines the slices alone if `total` is null.
  Value combineSlices(ArrayRef<Value> slices, Value total, Combine combine);

  OpBuilder &builder;
  ToSequenceConverter &converter;
  Operator op;
  Location location;
  SlidingWindows windows;
  RankedTensorType type; // of the result
};
} // namespace

bool Pooling::isPlain(bool withPads) {
  constexpr int64_t mostTaps = 64;
  RankedTensorType from = converter.rankedInput(op, 0);
  type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto kernel = op.getInts("kernel_shape");
  if (!from || !type || !kernel ||
      from.getElementType() != type.getElementType() ||
      from.getShape().take_front(2) != type.getShape().take_front(2))
    return false;
  auto found = windowsOf(op, from, *kernel, type);
  if (!found || numElements(*kernel) > mostTaps ||
      found->hasEmptyWindow(withPads))
    return false;
  windows = *found;
  return true;
}

Value Pooling::combineSlices(ArrayRef<Value> slices, Value total,
                             Combine combine) {
  int64_t rank = type.getRank();
  SmallVector<AffineMap> maps(slices.size() + 1,
                              builder.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [&](OpBuilder &builder, Location location, ValueRange read) {
    Value result = total ? read.back() : read.front();
    for (Value next : read.drop_back().drop_front(total ? 0 : 1))
      result = combine(builder, location, result, next);
    linalg::YieldOp::create(builder, location, result);
  };
  Value into = total ? total
                     : tensor::EmptyOp::create(builder, location,
                                               type.getShape(), element());
  return linalg::GenericOp::create(builder, location, TypeRange(type), slices,
                                   ValueRange(into), maps, loops, body)
      .getResult(0);
}

Value Pooling::combined(TypedAttr fill, Combine combine) {
  constexpr size_t most = 16; // of one body
  Value image =
      padded(converter, location, converter.input(op, 0), windows, fill);
  Value result;
  SmallVector<Value> slices;
  for (int64_t tap = 0, count = numElements(windows.kernel); tap < count;
       ++tap) {
    slices.push_back(tapOf(converter, location, image, windows,
                           placeOfTap(windows, tap), builder.getIndexAttr(0),
                           type.getDimSize(1)));
    if (slices.size() == most || tap + 1 == count) {
      result = combineSlices(slices, result, combine);
      slices.clear();
    }
  }
  return result;
}

Value Pooling::divided(Value sums, bool withPads) {
  auto floats = cast<FloatType>(element());
  auto numberOf = [&](int64_t count) {
    return builder.getFloatAttr(floats, double(count));
  };
  SmallVector<Attribute> counts;
  for (int64_t p = 0, size = numElements(windows.positions); p < size; ++p) {
    int64_t count = 1, rest = p;
    for (size_t d = windows.rank(); d-- > 0; rest /= windows.positions[d])
      count *= windows.tapsInside(d, rest % windows.positions[d], withPads);
    counts.push_back(numberOf(count));
  }
  Value divisors = arith::ConstantOp::create(
      builder, location,
      DenseElementsAttr::get(RankedTensorType::get(windows.positions, floats),
                             counts));
  int64_t rank = type.getRank();
  SmallVector<AffineExpr> spatial;
  for (int64_t axis = 2; axis < rank; ++axis)
    spatial.push_back(builder.getAffineDimExpr(axis));
  AffineMap maps[] = {AffineMap::get(rank, 0, spatial, builder.getContext()),
                      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [](OpBuilder &builder, Location location, ValueRange read) {
    linalg::YieldOp::create(
        builder, location,
        arith::DivFOp::create(builder, location, read[1], read[0]).getResult());
  };
  return linalg::GenericOp::create(builder, location, TypeRange(type), divisors,
                                   ValueRange(sums), maps, loops, body)
      .getResult(0);
}

LogicalResult onnxfold::lowerMaxPool(ToSequenceConverter &converter,
                                     Operator op) {
  Pooling pooling(converter, op);
  bool hasIndices = op->getNumResults() > 1 && !op->getResult(1).use_empty();
  if (hasIndices || !pooling.isPlain(/*withPads=*/false))
    return lowerToKernel(converter, op);
  Type type = pooling.element();
  OpBuilder &builder = converter.builder;
  Value result;
  if (type.isF32() || type.isF64()) {
    auto least = builder.getFloatAttr(
        type, APFloat::getInf(cast<FloatType>(type).getFloatSemantics(),
                              /*Negative=*/true));
    result = pooling.combined(
        least, [](OpBuilder &builder, Location location, Value a, Value b) {
          return arith::MaximumFOp::create(builder, location, a, b).getResult();
        });
  } else if (type.isSignlessInteger(8)) {
    result = pooling.combined(
        builder.getI8IntegerAttr(std::numeric_limits<int8_t>::min()),
        [](OpBuilder &builder, Location location, Value a, Value b) {
          return arith::MaxSIOp::create(builder, location, a, b).getResult();
        });
  } else {
    return lowerToKernel(converter, op);
  }
  converter.set(op->getResult(0), result);
  return success();
}

LogicalResult onnxfold::lowerAveragePool(ToSequenceConverter &converter,
                                         Operator op) {
  Pooling pooling(converter, op);
  bool withPads = op.getInt("count_include_pad", 0) != 0;
  if (!pooling.isPlain(withPads) ||
      (!pooling.element().isF32() && !pooling.element().isF64()))
    return lowerToKernel(converter, op);
  Value sums = pooling.combined(
      converter.builder.getFloatAttr(pooling.element(), 0),
      [](OpBuilder &builder, Location location, Value a, Value b) {
        return arith::AddFOp::create(builder, location, a, b).getResult();
      });
  converter.set(op->getResult(0), pooling.divided(sums, withPads));
  return success();
}
