//===- ConvolutionFusion.cpp - Scales and shifts fused into weights -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/patterns/Patterns.h"
#include "onnxfold/onnx/transforms/patterns/internal/PatternFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

/// An operator that is linear in a constant weight: each channel of its result
/// is of weights of its own, and has an addend.
struct Linear {
  Operator op;
  Shape perChannel; ///< for one number per channel to broadcast to the weight
  int64_t channels = 0;
  int64_t axis = 0; ///< of the channels in the result
  int64_t rank = 0; ///< of the result
  /// Groups, input and output channels of each, of a grouped ConvTranspose.
  Shape grouped = {};
};

constexpr int broadcastsAll = 7; // Mul and Add, of themselves

} // namespace

/// A one-dimensional constant of one element for each channel.
static bool isPerChannel(const Elements &value, int64_t channels) {
  return value && value.rank() == 1 && value.shape()[0] == channels;
}

/// The addend of an operator: an optional input, and nothing for a MatMul.
static Value biasOf(const Linear &linear) {
  return linear.op.is("MatMul") ? Value() : linear.op.input(2);
}

/// The axis of the weight along which the channels lie.
static std::optional<int64_t> weightAxis(Operator op, int64_t rank) {
  if (op.is("Conv") && rank >= 3)
    return 0;
  if (op.is("ConvTranspose") && rank >= 3)
    return 1;
  if (op.is("MatMul") && rank >= 2)
    return rank - 1;
  if (op.is("Gemm") && rank == 2)
    return op.getInt("transB", 0) ? 0 : 1;
  return std::nullopt;
}

/// The linear operator that makes input #i.
static std::optional<Linear> linearOf(const CleanUpContext &cx, unsigned i) {
  Linear linear{cx.producer(i), {}, 0, 1, 0};
  const auto &result = cx.knownValues().state(cx.op.input(i)).shape;
  Elements weight = linear.op && linear.op.numInputs() > 1
                        ? cx.constantOf(linear.op.input(1))
                        : Elements();
  auto axis = weight ? weightAxis(linear.op, weight.rank()) : std::nullopt;
  if (!axis || !isFloat(weight.type()))
    return std::nullopt;
  linear.channels = weight.dim(*axis);
  linear.perChannel = Shape(weight.rank(), 1);
  linear.perChannel[*axis] = linear.channels;
  int64_t groups =
      linear.op.is("ConvTranspose") ? linear.op.getInt("group", 1) : 1;
  if (groups < 1 || weight.dim(0) % groups != 0)
    return std::nullopt;
  if (groups > 1) {
    linear.grouped = {groups, weight.dim(0) / groups, linear.channels};
    linear.perChannel[0] = weight.dim(0);
    linear.channels *= groups;
  }
  linear.rank =
      linear.op.is("MatMul") ? (result ? result->size() : 0) : weight.rank();
  linear.axis = linear.op.is("MatMul") ? linear.rank - 1 : 1;
  Value bias = biasOf(linear);
  if (linear.rank < 2 ||
      (bias && (!isPerChannel(cx.constantOf(bias), linear.channels) ||
                !patterns::mayMultiply(cx, linear.op.getFloat("beta", 1)))))
    return std::nullopt;
  return linear;
}

/// The addend of each sum, in a form that the new operator may take.
static Value addendOf(const CleanUpContext &cx, const Linear &linear) {
  Value bias = biasOf(linear);
  return bias ? patterns::times(cx, bias, linear.op.getFloat("beta", 1))
              : Value();
}

/// Its elements.
static Elements addendsOf(const CleanUpContext &cx, const Linear &linear) {
  Elements bias = cx.constantOf(biasOf(linear));
  float beta = linear.op.getFloat("beta", 1);
  if (!bias || beta == 1)
    return bias;
  Elements wide = ops::cast(bias, DataType::Float64);
  return ops::cast(
      ops::mapAs<double, double>(wide, [=](double v) { return v * beta; }),
      bias.type());
}

/// The addend may be there to round the sum.
static bool roundsItsSum(const CleanUpContext &cx, const Linear &linear) {
  Elements bias = addendsOf(cx, linear);
  return bias && patterns::addsToRound(bias);
}

/// The operator with another weight and addend (of a matrix product: a Gemm).
static Value rebuild(const CleanUpContext &cx, const Linear &linear,
                     Value weight, Value bias) {
  Operator op = linear.op;
  SmallVector<Value, 3> inputs{op.input(0), weight};
  if (bias)
    inputs.push_back(bias);
  bool becomesGemm = op.is("MatMul") && bias;
  NamedAttrList attributes(op->getAttrs());
  attributes.erase("beta"); // see addendOf
  return cx.nodes.create(becomesGemm ? OperatorName("Gemm") : op.name(), inputs,
                         attributes.getAttrs());
}

/// The weight times one number per channel. REQUIRES: mayScale().
static Value scaled(const CleanUpContext &cx, const Linear &linear,
                    OperatorName by, Value scale) {
  Value weight = linear.op.input(1);
  if (cx.nodes.sinceOf(by).value_or(0) < broadcastsAll)
    return cx.nodes.create(
        by, {weight, scale},
        {cx.nodes.attribute("axis",
                            *weightAxis(linear.op, linear.perChannel.size())),
         cx.nodes.attribute("broadcast", int64_t(1))});
  if (!linear.grouped.empty()) {
    // Each group has output channels of its own, for all its input channels.
    Value apart = cx.nodes.create(
        "Reshape",
        {scale, cx.nodes.integers({linear.grouped[0], 1, linear.grouped[2]})});
    Value ones = cx.nodes.constant(
        ops::cast(Elements::splat(linear.grouped, 1.0), cx.typeOf(weight)));
    scale = cx.nodes.create("Mul", {apart, ones});
  }
  Value column =
      cx.nodes.create("Reshape", {scale, cx.nodes.integers(linear.perChannel)});
  return cx.nodes.create(by, {weight, column});
}

/// scaled() can be written in the opset at hand.
static bool mayScale(const CleanUpContext &cx, const Linear &linear) {
  return linear.grouped.empty() ||
         cx.nodes.sinceOf("Mul").value_or(0) >= broadcastsAll;
}

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

/// A BatchNormalization that uses the statistics it is given, and nothing else.
static bool isInference(Operator op) {
  return op.is("BatchNormalization") && op.since() >= 7 &&
         op.getInt("training_mode", 0) == 0 && op.getInt("spatial", 1) == 1;
}

/// A larger weight that others read too would be there twice, or if the model
/// may not grow so much, be multiplied in each run.
static bool isSmall(const Elements &weight) {
  constexpr uint64_t most = 64 << 10;
  return uint64_t(weight.bytes()) <= most;
}

/// The operator that a BatchNormalization can be fused into.
static std::optional<Linear> beforeBatchNorm(const CleanUpContext &cx) {
  auto linear = isInference(cx.op) ? linearOf(cx, 0) : std::nullopt;
  if (!linear)
    return {};
  constexpr int broadcasts = 7; // Gemm's addend, of itself
  DataType type = cx.typeOf(linear->op.input(1));
  bool isProduct = linear->op.is("MatMul");
  if (isProduct &&
      (linear->rank != 2 || cx.nodes.sinceOf("Gemm").value_or(0) < broadcasts))
    return {};
  for (unsigned i = 1; i <= 4; ++i)
    if (!isPerChannel(cx.constant(i), linear->channels) ||
        cx.constant(i).type() != type)
      return {};
  Value weight = linear->op.input(1);
  if (roundsItsSum(cx, *linear) || patterns::addsToRound(cx.constant(2)) ||
      patterns::addsToRound(cx.constant(3)) || !cx.isOnlyReader(0) ||
      !(isSmall(cx.constantOf(weight)) || cx.isReadOnce(weight)))
    return {};
  return linear;
}

bool onnxfold::mayFuseBatchNorm(const CleanUpContext &cx) {
  if (!beforeBatchNorm(cx))
    return false;
  // Larger numbers might make a new constant that is not finite.
  constexpr double most = 1e4;
  double epsilon = cx.op.getFloat("epsilon", 1e-5f);
  Elements scales = ops::cast(cx.constant(1), DataType::Float64),
           biases = ops::cast(cx.constant(2), DataType::Float64),
           means = ops::cast(cx.constant(3), DataType::Float64),
           variances = ops::cast(cx.constant(4), DataType::Float64);
  for (auto [scale, bias, mean, variance] :
       llvm::zip(scales.values<double>(), biases.values<double>(),
                 means.values<double>(), variances.values<double>())) {
    double factor = scale / std::sqrt(variance + epsilon);
    if (!(std::fabs(factor) <= most && std::fabs(bias) <= most &&
          std::fabs(mean) <= most))
      return false;
  }
  return true;
}

Value patterns::matchConvBatchNorm(const CleanUpContext &cx) {
  auto linear = beforeBatchNorm(cx);
  if (!linear)
    return {};
  DataType type = cx.typeOf(linear->op.input(1));
  NodeBuilder &nodes = cx.nodes;
  Value epsilon = nodes.number(cx.op.getFloat("epsilon", 1e-5f), type);
  Value deviation =
      nodes.create("Sqrt", nodes.create("Add", {cx.op.input(4), epsilon}));
  Value scale = nodes.create("Div", {cx.op.input(1), deviation});
  Value bias = addendOf(cx, *linear), mean = cx.op.input(3);
  Value centred =
      bias ? nodes.create("Sub", {bias, mean}) : nodes.create("Neg", mean);
  Value shift = nodes.create(
      "Add", {nodes.create("Mul", {centred, scale}), cx.op.input(2)});
  return rebuild(cx, *linear, scaled(cx, *linear, "Mul", scale), shift);
}

//===----------------------------------------------------------------------===//
// Scales and shifts by constants
//===----------------------------------------------------------------------===//

/// One number for each channel, or one for all of them.
static bool isAlongChannels(const Elements &value, const Linear &linear) {
  if (!value || value.rank() > linear.rank || value.size() == 0)
    return false;
  for (auto [i, size] : llvm::enumerate(value.shape())) {
    int64_t axis = linear.rank - value.rank() + int64_t(i);
    if (size != 1 && (axis != linear.axis || size != linear.channels))
      return false;
  }
  return true;
}

/// Constant input #i of an elementwise operator in the shape that broadcasts as
/// numpy has it; null if there is none, or it decides the shape of the result.
static Elements alignedConstant(const CleanUpContext &cx, unsigned i,
                                int64_t rank) {
  Elements value = cx.constant(i);
  if (!value || cx.op.since() >= broadcastsAll)
    return value;
  // Before, the second operand alone was broadcast, from an axis on.
  if (i == 0 || value.rank() > rank)
    return {};
  if (cx.op.getInt("broadcast", 0) == 0 || !cx.op.has("axis"))
    return value;
  int64_t axis = cx.op.getInt("axis", 0);
  axis += axis < 0 ? rank : 0;
  if (axis < 0 || axis + value.rank() > rank)
    return {};
  Shape shape(value.shape());
  shape.append(rank - axis - value.rank(), 1);
  return value.reshape(shape);
}

/// One number for each channel, of a constant operand.
static Value forChannels(const CleanUpContext &cx, const Linear &linear,
                         Value operand, const Elements &value) {
  if (!cx.nodes.sinceOf("Expand"))
    return cx.nodes.constant(
        value.reshape({value.size()}).expand({linear.channels}).materialize());
  Value flat =
      cx.nodes.create("Reshape", {operand, cx.nodes.integers({value.size()})});
  return cx.nodes.create("Expand",
                         {flat, cx.nodes.integers({linear.channels})});
}

/// None is 0, infinite or so small that products with it lose bits.
static bool isModerate(const Elements &value) {
  constexpr double most = 1e4;
  Elements wide = ops::cast(value, DataType::Float64);
  return llvm::all_of(wide.values<double>(), [](double v) {
    return std::fabs(v) <= most && std::fabs(v) >= 1 / most;
  });
}

bool patterns::scalesWell(const Elements &weight, const Elements &factors,
                          bool isDiv) {
  if (isModerate(factors))
    return true;
  constexpr double most = 1e4, least = 0x1p-64;
  Elements wide = ops::cast(factors, DataType::Float64);
  if (!llvm::all_of(wide.values<double>(), [=](double c) {
        double factor = std::fabs(isDiv ? 1 / c : c);
        return factor <= most && factor >= least;
      }))
    return false;
  double normal = factors.type() == DataType::Float32 ? 0x1p-126 : 0x1p-1022;
  Elements loses = ops::zipTo<bool>(
      ops::cast(weight, DataType::Float64), wide, [=](double w, double c) {
        return w != 0 && !(std::fabs(isDiv ? w / c : w * c) >= normal);
      });
  return !ops::firstWhere<bool>(loses, [](bool one) { return one; });
}

/// One number for each channel, or one for all, in a shape that broadcasts to
/// the weight.
static Elements forWeightOf(const Linear &linear, const Elements &value) {
  Elements all = value.reshape({value.size()}).expand({linear.channels});
  if (linear.grouped.empty())
    return all.reshape(linear.perChannel);
  const Shape &grouped = linear.grouped;
  return all.reshape({grouped[0], 1, grouped[2]})
      .expand(grouped)
      .reshape(linear.perChannel);
}

Value patterns::matchLinearScale(const CleanUpContext &cx) {
  bool isDiv = cx.op.is("Div");
  if (!cx.op.is("Mul") && !isDiv)
    return {};
  for (unsigned i : {0u, 1u}) {
    Elements scale = isDiv && i == 1 ? Elements() : cx.constant(1 - i);
    auto linear = scale ? linearOf(cx, i) : std::nullopt;
    scale = linear ? alignedConstant(cx, 1 - i, linear->rank) : Elements();
    // A weight that others read would be there twice; products of halves may
    // pass their largest number.
    if (!scale || !mayScale(cx, *linear) ||
        scale.type() != cx.typeOf(linear->op.input(1)) ||
        bitWidth(scale.type()) < 32 || !cx.isLike(cx.op.input(i)) ||
        roundsItsSum(cx, *linear) || !isAlongChannels(scale, *linear) ||
        !patterns::scalesWell(cx.constantOf(linear->op.input(1)),
                              forWeightOf(*linear, scale), isDiv) ||
        !cx.isOnlyReader(i) || !cx.isReadOnce(linear->op.input(1)))
      continue;
    Value all = forChannels(cx, *linear, cx.op.input(1 - i), scale);
    OperatorName by = cx.op.name();
    // One after the other: names depend on the order, in which compilers
    // evaluate arguments as they like.
    Value bias = addendOf(cx, *linear);
    if (bias)
      bias = cx.nodes.create(by, {bias, all});
    return rebuild(cx, *linear, scaled(cx, *linear, by, all), bias);
  }
  return {};
}

/// The addend and what is added to the result may be there to round: in an
/// eighth of the channels they cancel, so that half of the digits of the larger
/// one are lost. In fewer they do by chance.
static bool cancels(const CleanUpContext &cx, const Linear &linear,
                    const Elements &shift, bool isSub) {
  Elements bias = addendsOf(cx, linear);
  if (!bias)
    return false;
  double kept = std::ldexp(1, -patterns::digitsOf(shift.type()) / 2);
  Elements others = ops::cast(shift, DataType::Float64)
                        .reshape({shift.size()})
                        .expand({linear.channels});
  Elements found = ops::zipTo<bool>(
      ops::cast(bias, DataType::Float64), others, [=](double b, double c) {
        double sum = isSub ? b - c : b + c;
        return std::fabs(sum) < std::fmax(std::fabs(b), std::fabs(c)) * kept;
      });
  constexpr int64_t mostByChance = 8; // one in so many
  int64_t count = 0;
  for (bool one : found.values<bool>())
    count += one;
  return count * mostByChance >= linear.channels && count != 0;
}

Value patterns::matchLinearShift(const CleanUpContext &cx) {
  bool isSub = cx.op.is("Sub");
  if (!cx.op.is("Add") && !isSub)
    return {};
  for (unsigned i : {0u, 1u}) {
    Elements shift = isSub && i == 1 ? Elements() : cx.constant(1 - i);
    auto linear = shift ? linearOf(cx, i) : std::nullopt;
    shift = linear ? alignedConstant(cx, 1 - i, linear->rank) : Elements();
    if (!shift || linear->op.is("MatMul") || !cx.isLike(cx.op.input(i)) ||
        !isAlongChannels(shift, *linear) || patterns::addsToRound(shift) ||
        roundsItsSum(cx, *linear) || cancels(cx, *linear, shift, isSub) ||
        !cx.isOnlyReader(i))
      continue;
    Value all = forChannels(cx, *linear, cx.op.input(1 - i), shift);
    Value bias = addendOf(cx, *linear);
    Value sum = bias    ? cx.nodes.create(cx.op.name(), {bias, all})
                : isSub ? cx.nodes.create("Neg", all)
                        : all;
    return rebuild(cx, *linear, linear->op.input(1), sum);
  }
  return {};
}
