//===- ToSequenceConvolution.cpp - Conv as loops --------------------------===//
//
// Conv of floats and known shapes, of one group or with a group for each
// channel, as sums of products. Everything else is the kernel's.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/SumOfProducts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace onnxfold;

namespace {
/// What the loops need to know of a Conv.
struct ConvolutionPlan {
  RankedTensorType input, weights, result;
  SmallVector<int64_t> strides, dilations, padsBefore, padsAfter;
  bool isDepthwise = false;

  int64_t spatialRank() const { return result.getRank() - 2; }
  int64_t channels() const { return isDepthwise ? 1 : input.getDimSize(1); }
  /// The elements of a window.
  int64_t taps() const {
    return ShapedType::getNumElements(weights.getShape().drop_front(2));
  }
  /// Input channels whose products one body adds up: a divisor of all.
  int64_t channelsAtOnce() const {
    int64_t count =
        std::clamp(SumOfProducts::most / taps(), int64_t(1), channels());
    while (channels() % count)
      --count;
    return count;
  }
  bool hasStrides() const {
    return llvm::any_of(strides, [](int64_t step) { return step != 1; });
  }
  bool hasPads() const {
    auto isPad = [](int64_t size) { return size != 0; };
    return llvm::any_of(padsBefore, isPad) || llvm::any_of(padsAfter, isPad);
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
  Value padded();
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

/// Nothing if the kernel has to do it.
static std::optional<ConvolutionPlan> planOf(ToSequenceConverter &converter,
                                             Operator op) {
  Value x = converter.input(op, 0), w = converter.input(op, 1);
  ConvolutionPlan plan;
  plan.input = staticFloats(x);
  plan.weights = staticFloats(w);
  plan.result = staticFloats(op->getResult(0));
  if (!plan.input || !plan.weights || !plan.result ||
      plan.input.getRank() < 3 ||
      plan.weights.getRank() != plan.input.getRank() ||
      plan.result.getRank() != plan.input.getRank())
    return std::nullopt;
  StringRef autoPad = op.getString("auto_pad", "NOTSET");
  if (autoPad != "NOTSET" && autoPad != "VALID")
    return std::nullopt;
  int64_t group = op.getInt("group", 1), channels = plan.input.getDimSize(1);
  int64_t rank = plan.spatialRank();
  plan.isDepthwise =
      group == channels && group != 1 && plan.weights.getDimSize(0) == channels;
  if (!plan.isDepthwise && group != 1)
    return std::nullopt;
  constexpr int64_t mostTaps = 64;
  if (plan.weights.getDimSize(1) != plan.channels() || plan.taps() > mostTaps)
    return std::nullopt;
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  plan.strides = op.getInts("strides").value_or(ones);
  plan.dilations = op.getInts("dilations").value_or(ones);
  SmallVector<int64_t> pads = op.getInts("pads").value_or(zeros);
  if (autoPad == "VALID")
    pads = zeros;
  if (int64_t(plan.strides.size()) != rank ||
      int64_t(plan.dilations.size()) != rank ||
      int64_t(pads.size()) != 2 * rank)
    return std::nullopt;
  plan.padsBefore.assign(pads.begin(), pads.begin() + rank);
  plan.padsAfter.assign(pads.begin() + rank, pads.end());
  for (int64_t i = 0; i < rank; ++i) {
    int64_t extent =
        plan.input.getDimSize(2 + i) + plan.padsBefore[i] + plan.padsAfter[i];
    int64_t window =
        (plan.weights.getDimSize(2 + i) - 1) * plan.dilations[i] + 1;
    if (plan.padsBefore[i] < 0 || plan.padsAfter[i] < 0 || extent < window ||
        plan.result.getDimSize(2 + i) !=
            (extent - window) / plan.strides[i] + 1)
      return std::nullopt;
  }
  if (plan.result.getDimSize(0) != plan.input.getDimSize(0) ||
      plan.result.getDimSize(1) != plan.weights.getDimSize(0))
    return std::nullopt;
  return plan;
}

/// The input with zeros around it.
Value Convolution::padded() {
  if (!plan.hasPads())
    return input;
  SmallVector<int64_t> shape(plan.input.getShape());
  SmallVector<OpFoldResult> offsets(2, builder.getIndexAttr(0)), sizes,
      steps(shape.size(), builder.getIndexAttr(1));
  for (int64_t i = 0; i < plan.spatialRank(); ++i) {
    shape[2 + i] += plan.padsBefore[i] + plan.padsAfter[i];
    offsets.push_back(builder.getIndexAttr(plan.padsBefore[i]));
  }
  for (int64_t size : plan.input.getShape())
    sizes.push_back(builder.getIndexAttr(size));
  Type element = plan.input.getElementType();
  Value zero = arith::ConstantOp::create(builder, location,
                                         builder.getZeroAttr(element));
  Value empty = tensor::EmptyOp::create(builder, location, shape, element);
  Value zeros = linalg::FillOp::create(builder, location, zero, empty).result();
  return tensor::InsertSliceOp::create(builder, location, input, zeros, offsets,
                                       sizes, steps);
}

static RankedTensorType withShape(RankedTensorType type,
                                  ArrayRef<int64_t> shape) {
  return RankedTensorType::get(shape, type.getElementType());
}

static SmallVector<ReassociationIndices> lastAxes(int64_t rank) {
  return {{0}, {1}, llvm::to_vector<2>(llvm::seq<int64_t>(2, rank))};
}

/// Windows of one element: all positions are one axis, and a longer loop.
void Convolution::flatten() {
  if (plan.taps() != 1 || plan.hasPads() || plan.hasStrides() ||
      plan.spatialRank() == 1)
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
  for (auto *perAxis :
       {&plan.strides, &plan.dilations, &plan.padsBefore, &plan.padsAfter})
    perAxis->resize(1);
}

/// The slices of input channel `channel` + `further`, one for each tap: of the
/// input what each element of the result reads, of the weights an element for
/// each channel of the result.
void Convolution::addProducts(SumOfProducts &sum, Value channel,
                              int64_t further) {
  unsigned rank = plan.result.getRank();
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  OpFoldResult place = sum.place(channel, further);
  SmallVector<AffineExpr> places;
  SmallVector<int64_t> shape;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (axis != 1 || plan.isDepthwise) {
      places.push_back(builder.getAffineDimExpr(axis));
      shape.push_back(plan.result.getDimSize(axis));
    }
  AffineMap inputMap = AffineMap::get(rank, 0, places, builder.getContext());
  AffineMap weightMap = AffineMap::get(rank, 0, builder.getAffineDimExpr(1));
  for (int64_t tap = 0; tap < plan.taps(); ++tap) {
    SmallVector<OpFoldResult> offsets = {zero, plan.isDepthwise ? zero : place};
    SmallVector<OpFoldResult> weightAt = {zero, place};
    SmallVector<OpFoldResult> sizes = {
        builder.getIndexAttr(plan.result.getDimSize(0)),
        plan.isDepthwise ? builder.getIndexAttr(plan.result.getDimSize(1))
                         : one};
    SmallVector<OpFoldResult> steps(2, one), ones(rank, one);
    SmallVector<int64_t> at(plan.spatialRank());
    for (int64_t i = plan.spatialRank(), rest = tap; i-- > 0;) {
      at[i] = rest % plan.weights.getDimSize(2 + i);
      rest /= plan.weights.getDimSize(2 + i);
    }
    for (int64_t i = 0; i < plan.spatialRank(); ++i) {
      offsets.push_back(builder.getIndexAttr(at[i] * plan.dilations[i]));
      weightAt.push_back(builder.getIndexAttr(at[i]));
      sizes.push_back(builder.getIndexAttr(plan.result.getDimSize(2 + i)));
      steps.push_back(builder.getIndexAttr(plan.strides[i]));
    }
    Value read = tensor::ExtractSliceOp::create(builder, location,
                                                withShape(plan.input, shape),
                                                input, offsets, sizes, steps);
    SmallVector<OpFoldResult> weightSizes(rank, one);
    int64_t channels = plan.result.getDimSize(1);
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
  input = padded();
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
