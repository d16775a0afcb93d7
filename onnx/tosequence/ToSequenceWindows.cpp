//===- ToSequenceWindows.cpp - Windows of Conv and of pooling as slices ---===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/tosequence/internal/ImageWindows.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace onnxfold;
using ops::SlidingWindows;

/// Counts from the first element of a window to behind its last.
static int64_t extentOfWindow(const SlidingWindows &windows, size_t d) {
  return (windows.kernel[d] - 1) * windows.dilations[d] + 1;
}

/// The elements that the windows reach along a dimension, with padding.
static int64_t reachOfWindows(const SlidingWindows &windows, size_t d) {
  return (windows.positions[d] - 1) * windows.strides[d] +
         extentOfWindow(windows, d);
}

/// A list attribute; an empty one counts as left out.
static Shape listOf(Operator op, StringRef name, size_t count,
                    int64_t byDefault) {
  Shape list(op.getInts(name).value_or(SmallVector<int64_t>()));
  return list.empty() ? Shape(count, byDefault) : list;
}

/// The pads at both ends of a dimension; false for an unknown mode, and where
/// the kernel too asks what negative padding is.
static bool padDimension(SlidingWindows &windows, size_t d, StringRef autoPad) {
  if (autoPad.empty() || autoPad == "NOTSET")
    return true;
  windows.padsBegin[d] = windows.padsEnd[d] = 0;
  if (autoPad == "VALID")
    return true;
  int64_t total = reachOfWindows(windows, d) - windows.image[d];
  if (total < -1)
    return false;
  total = std::max<int64_t>(total, 0);
  bool isUpper = autoPad == "SAME_UPPER";
  windows.padsBegin[d] = isUpper ? total / 2 : total - total / 2;
  windows.padsEnd[d] = total - windows.padsBegin[d];
  return isUpper || autoPad == "SAME_LOWER";
}

/// Whether ONNX's formula gives that many positions. Rounded up (ceil_mode)
/// only where the last window begins before the padding at the end.
static bool hasPositions(Operator op, const SlidingWindows &windows, size_t d,
                         StringRef autoPad) {
  int64_t stride = windows.strides[d], found = windows.positions[d];
  if (autoPad.starts_with("SAME"))
    return found == (windows.image[d] + stride - 1) / stride;
  int64_t room = windows.image[d] + windows.padsBegin[d] + windows.padsEnd[d] -
                 extentOfWindow(windows, d);
  bool isUp = op.getInt("ceil_mode", 0) != 0;
  if (isUp && (found - 1) * stride >= windows.image[d] + windows.padsBegin[d])
    return false;
  return room >= 0 && (found == room / stride + 1 ||
                       (isUp && found == (room + stride - 1) / stride + 1));
}

std::optional<SlidingWindows> onnxfold::windowsOf(Operator op,
                                                  RankedTensorType input,
                                                  ShapeRef kernel,
                                                  RankedTensorType result) {
  constexpr int64_t largest = int64_t(1) << 31;
  size_t rank = kernel.size();
  if (rank == 0 || input.getRank() != int64_t(rank) + 2 ||
      result.getRank() != int64_t(rank) + 2 || !input.hasStaticShape() ||
      !result.hasStaticShape() || input.getNumElements() == 0 ||
      result.getNumElements() == 0)
    return std::nullopt;
  SlidingWindows windows;
  windows.image = Shape(input.getShape().drop_front(2));
  windows.positions = Shape(result.getShape().drop_front(2));
  windows.kernel = Shape(kernel);
  windows.strides = listOf(op, "strides", rank, 1);
  windows.dilations = listOf(op, "dilations", rank, 1);
  Shape pads = listOf(op, "pads", 2 * rank, 0);
  auto areWithin = [](ShapeRef list, size_t count, int64_t least) {
    return list.size() == count && llvm::all_of(list, [=](int64_t value) {
             return value >= least && value <= largest;
           });
  };
  if (!areWithin(kernel, rank, 1) || !areWithin(windows.strides, rank, 1) ||
      !areWithin(windows.dilations, rank, 1) || !areWithin(pads, 2 * rank, 0))
    return std::nullopt;
  windows.padsBegin.assign(pads.begin(), pads.begin() + rank);
  windows.padsEnd.assign(pads.begin() + rank, pads.end());
  StringRef autoPad = op.getString("auto_pad", "NOTSET");
  for (size_t d = 0; d < rank; ++d)
    if (!padDimension(windows, d, autoPad) ||
        !hasPositions(op, windows, d, autoPad))
      return std::nullopt;
  return windows;
}

Value onnxfold::padded(ToSequenceConverter &converter, Location location,
                       Value input, const SlidingWindows &windows,
                       TypedAttr fill) {
  OpBuilder &builder = converter.builder;
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0)), sizes,
      steps(shape.size(), builder.getIndexAttr(1));
  for (size_t d = 0; d < windows.rank(); ++d) {
    int64_t before = windows.padsBegin[d];
    shape[2 + d] =
        std::max(before + windows.image[d], reachOfWindows(windows, d));
    offsets.push_back(builder.getIndexAttr(before));
  }
  if (type.getShape() == ArrayRef<int64_t>(shape))
    return input;
  for (int64_t size : type.getShape())
    sizes.push_back(builder.getIndexAttr(size));
  Value element = arith::ConstantOp::create(builder, location, fill);
  Value empty =
      tensor::EmptyOp::create(builder, location, shape, type.getElementType());
  Value around =
      linalg::FillOp::create(builder, location, element, empty).result();
  return tensor::InsertSliceOp::create(builder, location, input, around,
                                       offsets, sizes, steps);
}

Shape onnxfold::placeOfTap(const SlidingWindows &windows, int64_t number) {
  Shape place(windows.rank());
  for (size_t d = windows.rank(); d-- > 0;) {
    place[d] = number % windows.kernel[d];
    number /= windows.kernel[d];
  }
  return place;
}

Value onnxfold::tapOf(ToSequenceConverter &converter, Location location,
                      Value image, const SlidingWindows &windows, ShapeRef tap,
                      OpFoldResult channel, int64_t channels) {
  OpBuilder &builder = converter.builder;
  auto type = cast<RankedTensorType>(image.getType());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<int64_t> shape = {type.getDimSize(0), channels};
  SmallVector<OpFoldResult> offsets = {zero, channel}, steps = {one, one},
                            sizes = {builder.getIndexAttr(type.getDimSize(0)),
                                     builder.getIndexAttr(channels)};
  for (size_t d = 0; d < windows.rank(); ++d) {
    offsets.push_back(builder.getIndexAttr(tap[d] * windows.dilations[d]));
    sizes.push_back(builder.getIndexAttr(windows.positions[d]));
    steps.push_back(builder.getIndexAttr(windows.strides[d]));
    shape.push_back(windows.positions[d]);
  }
  return tensor::ExtractSliceOp::create(
      builder, location, RankedTensorType::get(shape, type.getElementType()),
      image, offsets, sizes, steps);
}
