//===- ToSequenceConvolution.cpp - Conv as loops --------------------------===//
//
// Conv of floats and known shapes, of one group or with a group for each
// channel: a linalg.generic whose innermost loop runs along the last axis of
// the result, so that LLVM vectorises it. Everything else is the kernel's.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
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
  Value padded();
  Value initial();

  OpBuilder &builder;
  ToSequenceConverter &converter;
  Operator op;
  Location location;
  const ConvolutionPlan &plan;
};
} // namespace

static RankedTensorType staticFloats(Type type) {
  auto tensor = dyn_cast_or_null<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0 ||
      !(tensor.getElementType().isF32() || tensor.getElementType().isF64()))
    return {};
  return tensor;
}

/// Nothing if the kernel has to do it.
static std::optional<ConvolutionPlan> planOf(ToSequenceConverter &converter,
                                             Operator op) {
  Value x = converter.input(op, 0), w = converter.input(op, 1);
  ConvolutionPlan plan;
  plan.input = x ? staticFloats(x.getType()) : RankedTensorType();
  plan.weights = w ? staticFloats(w.getType()) : RankedTensorType();
  plan.result = staticFloats(op->getResult(0).getType());
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
  if (plan.weights.getDimSize(1) != (plan.isDepthwise ? 1 : channels))
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
  Value input = converter.input(op, 0);
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

/// The bias, or 0, for each element of the result.
Value Convolution::initial() {
  Type element = plan.result.getElementType();
  Value empty = tensor::EmptyOp::create(builder, location,
                                        plan.result.getShape(), element);
  Value bias = converter.input(op, 2);
  if (!bias) {
    Value zero = arith::ConstantOp::create(builder, location,
                                           builder.getZeroAttr(element));
    return linalg::FillOp::create(builder, location, zero, empty).result();
  }
  unsigned rank = plan.result.getRank();
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, builder.getAffineDimExpr(1)),
      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [](OpBuilder &builder, Location location, ValueRange read) {
    linalg::YieldOp::create(builder, location, read[0]);
  };
  return linalg::GenericOp::create(builder, location, TypeRange(plan.result),
                                   bias, ValueRange(empty), maps, loops, body)
      .getResult(0);
}

/// Loops: image, channel of the result, channel of the input (not depthwise),
/// window, result.
Value Convolution::make() {
  unsigned rank = plan.spatialRank();
  unsigned next = 0;
  SmallVector<utils::IteratorType> loops;
  auto addLoop = [&](utils::IteratorType kind) {
    loops.push_back(kind);
    return builder.getAffineDimExpr(next++);
  };
  constexpr auto parallel = utils::IteratorType::parallel,
                 reduction = utils::IteratorType::reduction;
  AffineExpr image = addLoop(parallel), out = addLoop(parallel);
  AffineExpr in = plan.isDepthwise ? out : addLoop(reduction);
  AffineExpr zero = builder.getAffineConstantExpr(0);
  SmallVector<AffineExpr> inputAt = {image, in}, resultAt = {image, out},
                          weightAt = {out, plan.isDepthwise ? zero : in};
  for (unsigned i = 0; i < rank; ++i)
    weightAt.push_back(addLoop(reduction));
  for (unsigned i = 0; i < rank; ++i) {
    resultAt.push_back(addLoop(parallel));
    inputAt.push_back(resultAt.back() * plan.strides[i] +
                      weightAt[2 + i] * plan.dilations[i]);
  }
  auto mapOf = [&](ArrayRef<AffineExpr> places) {
    return AffineMap::get(next, 0, places, builder.getContext());
  };
  SmallVector<AffineMap> maps = {mapOf(inputAt), mapOf(weightAt),
                                 mapOf(resultAt)};
  auto body = [](OpBuilder &builder, Location location, ValueRange read) {
    Value product = arith::MulFOp::create(builder, location, read[0], read[1]);
    linalg::YieldOp::create(
        builder, location,
        arith::AddFOp::create(builder, location, read[2], product).getResult());
  };
  Value start = initial();
  Value input = padded();
  SmallVector<Value> operands = {input, converter.input(op, 1)};
  return linalg::GenericOp::create(builder, location, TypeRange(plan.result),
                                   operands, ValueRange(start), maps, loops,
                                   body)
      .getResult(0);
}

LogicalResult onnxfold::lowerConv(ToSequenceConverter &converter, Operator op) {
  std::optional<ConvolutionPlan> plan = planOf(converter, op);
  if (!plan)
    return lowerToKernel(converter, op);
  converter.set(op->getResult(0), Convolution(converter, op, *plan).make());
  return success();
}
