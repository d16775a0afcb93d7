//===- ToSequenceConvolution.cpp - Conv as loops --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Conv of floats and known shapes, of one group or with a group for each
// channel, as sums of products. Everything else is the kernel's.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ImageWindows.h"
#include "onnxfold/onnx/tosequence/internal/SumOfProducts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace onnxfold;

namespace {
/// The facts about a Conv that the loops need.
struct ConvolutionPlan {
  RankedTensorType input, weights, result;
  ops::SlidingWindows windows;
  bool isDepthwise = false;

  int64_t channels() const { return isDepthwise ? 1 : input.getDimSize(1); }
  /// The elements of a window.
  int64_t taps() const { return numElements(windows.kernel); }
  /// Input channels whose products one body adds up: a divisor of all.
  int64_t channelsAtOnce() const {
    int64_t count =
        std::clamp(SumOfProducts::most / taps(), int64_t(1), channels());
    while (channels() % count)
      --count;
    return count;
  }
};

class Convolution {
public:
  Convolution(ToSequenceConverter &converter, Operator op,
              const ConvolutionPlan &plan)
      : builder(converter.builder), converter(converter), op(op),
        location(op->getLoc()), plan(plan) {}

  Value make();

private:
  void flatten();
  void addProducts(SumOfProducts &sum, Value channel, int64_t further);

  OpBuilder &builder;
  ToSequenceConverter &converter;
  Operator op;
  Location location;
  ConvolutionPlan plan;
  Value input, weights;
};
} // namespace

static RankedTensorType staticFloats(Value value) {
  RankedTensorType type = rankedFloats(value);
  bool fits = type && type.hasStaticShape() && type.getNumElements() != 0;
  return fits ? type : RankedTensorType();
}

/// There is no bias, or it has an element for each channel of the result.
static bool fitsBias(Value bias, RankedTensorType result) {
  if (!bias)
    return true;
  RankedTensorType type = staticFloats(bias);
  return type && type.getRank() == 1 &&
         type.getDimSize(0) == result.getDimSize(1) &&
         type.getElementType() == result.getElementType();
}

/// Nothing if the kernel has to do it.
static std::optional<ConvolutionPlan> planOf(ToSequenceConverter &converter,
                                             Operator op) {
  ConvolutionPlan plan;
  plan.input = staticFloats(converter.input(op, 0));
  plan.weights = staticFloats(converter.input(op, 1));
  plan.result = staticFloats(op->getResult(0));
  if (!plan.input || !plan.weights || !plan.result ||
      plan.weights.getRank() < 3)
    return std::nullopt;
  int64_t group = op.getInt("group", 1), channels = plan.input.getDimSize(1);
  plan.isDepthwise =
      group == channels && group != 1 && plan.weights.getDimSize(0) == channels;
  if (!plan.isDepthwise && group != 1)
    return std::nullopt;
  auto windows = windowsOf(op, plan.input,
                           plan.weights.getShape().drop_front(2), plan.result);
  constexpr int64_t mostTaps = 64;
  if (!windows || numElements(windows->kernel) > mostTaps ||
      plan.weights.getDimSize(1) != plan.channels() ||
      plan.result.getDimSize(0) != plan.input.getDimSize(0) ||
      plan.result.getDimSize(1) != plan.weights.getDimSize(0) ||
      !fitsBias(converter.input(op, 2), plan.result))
    return std::nullopt;
  plan.windows = *windows;
  return plan;
}

static RankedTensorType withShape(RankedTensorType type,
                                  ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

static SmallVector<ReassociationIndices> lastAxes(int64_t rank) {
  return {{0}, {1}, llvm::to_vector<2>(llvm::seq<int64_t>(2, rank))};
}

/// Windows of one element that meet each element of the image: all positions
/// are one axis, and a longer loop. A stride is 1 or has no second position.
void Convolution::flatten() {
  ops::SlidingWindows &windows = plan.windows;
  auto isZero = [](int64_t pad) { return pad == 0; };
  if (plan.taps() != 1 || windows.rank() == 1 ||
      windows.positions != windows.image ||
      !llvm::all_of(windows.padsBegin, isZero) ||
      !llvm::all_of(windows.padsEnd, isZero))
    return;
  auto groups = lastAxes(plan.result.getRank());
  auto flat = [&](RankedTensorType type) {
    ArrayRef<int64_t> shape = type.getShape();
    return withShape(type, {shape[0], shape[1],
                            ShapedType::getNumElements(shape.drop_front(2))});
  };
  plan.input = flat(plan.input);
  plan.weights = flat(plan.weights);
  plan.result = flat(plan.result);
  input = tensor::CollapseShapeOp::create(builder, location, plan.input, input,
                                          groups);
  weights = tensor::CollapseShapeOp::create(builder, location, plan.weights,
                                            weights, groups);
  windows.image = windows.positions = {plan.result.getDimSize(2)};
  windows.kernel = windows.strides = windows.dilations = {1};
  windows.padsBegin = windows.padsEnd = {0};
}

/// The slices of input channel `channel` + `further`, one for each tap: of the
/// input what each element of the result reads, of the weights an element for
/// each channel of the result. A slice of one channel keeps that axis, because
/// MLIR takes another axis of extent 1 for it where slices have steps.
void Convolution::addProducts(SumOfProducts &sum, Value channel,
                              int64_t further) {
  unsigned rank = plan.result.getRank();
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  OpFoldResult place = sum.place(channel, further);
  int64_t channels = plan.result.getDimSize(1);
  SmallVector<AffineExpr> places;
  for (unsigned axis = 0; axis < rank; ++axis)
    places.push_back(axis == 1 && !plan.isDepthwise
                         ? builder.getAffineConstantExpr(0)
                         : builder.getAffineDimExpr(axis));
  AffineMap inputMap = AffineMap::get(rank, 0, places, builder.getContext());
  AffineMap weightMap = AffineMap::get(rank, 0, builder.getAffineDimExpr(1));
  for (int64_t number = 0; number < plan.taps(); ++number) {
    Shape tap = placeOfTap(plan.windows, number);
    Value read =
        tapOf(converter, location, input, plan.windows, tap,
              plan.isDepthwise ? zero : place, plan.isDepthwise ? channels : 1);
    SmallVector<OpFoldResult> weightAt = {zero, place}, ones(rank, one),
                              weightSizes(rank, one);
    for (int64_t at : tap)
      weightAt.push_back(builder.getIndexAttr(at));
    weightSizes[0] = builder.getIndexAttr(channels);
    Value factors = tensor::ExtractSliceOp::create(
        builder, location, withShape(plan.weights, {channels}), weights,
        weightAt, weightSizes, ones);
    sum.add(read, inputMap, factors, weightMap);
  }
}

Value Convolution::make() {
  RankedTensorType type = plan.result;
  input = converter.input(op, 0);
  weights = converter.input(op, 1);
  flatten();
  Value result = filled(converter, location, plan.result, {},
                        converter.input(op, 2), /*axis=*/1);
  input = padded(converter, location, input, plan.windows,
                 builder.getZeroAttr(type.getElementType()));
  SumOfProducts sum(converter, location, plan.result);
  result = sum.inBlocks(plan.channels(), plan.channelsAtOnce(), result,
                        [&](Value channel, int64_t further) {
                          addProducts(sum, channel, further);
                        });
  if (plan.result == type)
    return result;
  return tensor::ExpandShapeOp::create(builder, location, type, result,
                                       lastAxes(type.getRank()));
}

LogicalResult onnxfold::lowerConv(ToSequenceConverter &converter, Operator op) {
  std::optional<ConvolutionPlan> plan = planOf(converter, op);
  if (!plan)
    return lowerToKernel(converter, op);
  converter.set(op->getResult(0), Convolution(converter, op, *plan).make());
  return success();
}
