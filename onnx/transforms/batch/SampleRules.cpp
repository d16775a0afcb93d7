//===- SampleRules.cpp - Which operators compute each sample for itself ---===//
// SPDX-License-Identifier: Apache-2.0
//
// One rule for each family of operators of ai.onnx. A rule knows where the
// samples of the operands are, and says where those of the results are; or why
// the operator mixes them, and it is refused. An operator without a rule is
// refused, too.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/batch/internal/SampleRule.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

/// The samples of a result that has those of input #0 and its shape.
std::string onnxfold::asInput(SampleRule &rule) {
  for (unsigned i = 1; i < rule.op.numInputs(); ++i)
    if (rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  giveAll(rule, *rule.at(0));
  return "";
}

/// An operand that is the same for all samples may have size 1 where they are.
std::string onnxfold::fitShared(SampleRule &rule, unsigned i, int64_t fromRight,
                                BatchAxis axis) {
  std::optional<Shape> shape = rule.flow.shapeOf(rule.op.input(i));
  if (!shape)
    return rule.unknownShape(i);
  int64_t own = int64_t(shape->size()) - fromRight;
  if (own < 0 || (*shape)[own] == 1)
    return "";
  if ((*shape)[own] == rule.flow.size() && axis.factor == 1 &&
      rule.flow.narrow(rule.op, i, own))
    return "";
  return rule.mixes("has another value for each sample in input #" + Twine(i));
}

/// numpy's broadcasting, with the samples of all operands in one axis.
std::string onnxfold::broadcast(SampleRule &rule, ArrayRef<unsigned> inputs) {
  std::optional<BatchAxis> axis;
  int64_t fromRight = 0, rank = 0;
  bool isStrict =
      !rule.op.domain().empty() ? false
      : rule.op.since() < 7
          ? !rule.op.is("MatMul")
          : rule.op.since() < 8 && rule.op.isAny({"Max", "Mean", "Min", "Sum"});
  if (isStrict && !llvm::all_of(inputs, [&](unsigned i) { return rule.at(i); }))
    return rule.mixes("repeats no operand for each sample at this opset (see " +
                      setting("target-opset") + ")");
  for (unsigned i : inputs) {
    std::optional<int64_t> own = rule.flow.rankOf(rule.op.input(i));
    if (!own)
      return rule.unknownShape(i);
    rank = std::max(rank, *own);
    std::optional<BatchAxis> here = rule.at(i);
    if (!here)
      continue;
    int64_t right = *own - here->axis;
    if (axis && (right != fromRight || axis->factor != here->factor))
      return rule.mixes("has samples in different axes");
    axis = here;
    fromRight = right;
  }
  for (unsigned i : inputs)
    if (!rule.at(i))
      if (std::string why = fitShared(rule, i, fromRight, *axis); !why.empty())
        return why;
  rule.give(0, {rank - fromRight, axis->factor});
  return "";
}

static std::string elementwise(SampleRule &rule) {
  return broadcast(rule, rule.given());
}

std::string onnxfold::wantSamples(SampleRule &rule,
                                  ArrayRef<InputPlace> places) {
  llvm::SmallDenseSet<unsigned> named;
  for (auto [i, axis] : places) {
    named.insert(i);
    if (!rule.op.hasInput(i))
      continue;
    std::optional<BatchAxis> here = rule.at(i);
    if (here && *here != BatchAxis{axis, 1})
      return rule.mixes("wants the samples of input #" + Twine(i) +
                        " in dimension " + Twine(axis));
    if (!here && !rule.flow.repeat(rule.op, i, axis))
      return rule.mixes("reads in input #" + Twine(i) +
                        " what cannot be repeated for each sample");
  }
  for (unsigned i : rule.given())
    if (!named.contains(i) && rule.at(i))
      return rule.mixes("reads samples in input #" + Twine(i));
  return "";
}

void onnxfold::giveAll(SampleRule &rule, BatchAxis axis) {
  for (unsigned i = 0; i < rule.op.numOutputs(); ++i)
    rule.give(i, axis);
}

/// The other input says a type, and nothing else.
static std::string castLike(SampleRule &rule) {
  if (std::optional<BatchAxis> at = rule.at(0))
    rule.give(0, *at);
  return "";
}

static std::string dropout(SampleRule &rule) {
  Value training = rule.op.input(2);
  Elements mode = training ? rule.flow.known(training) : Elements();
  if (training && !mode)
    return rule.mixes("may be training");
  bool isOff =
      !training || (mode.size() == 1 && mode.type() == DataType::Bool &&
                    !mode.value<bool>());
  if (!isOff || rule.op.since() < 7)
    return rule.mixes("may be training");
  return asInput(rule);
}

/// Scales and zero points are for all, or along another axis.
std::string onnxfold::ruleOfQuantization(SampleRule &rule) {
  std::optional<int64_t> scale = rule.flow.rankOf(rule.op.input(1));
  std::optional<int64_t> rank = rule.rank(0);
  if (!scale || !rank || rule.op.getInt("block_size", 0) != 0)
    return rule.mixes("has scales of unknown shape, or of blocks");
  if (*scale > 0 && rule.axis("axis", 1) == rule.at(0)->axis)
    return rule.mixes("has scales along the samples");
  return asInput(rule);
}

//===----------------------------------------------------------------------===//
// One axis
//===----------------------------------------------------------------------===//

std::string onnxfold::checkAxis(SampleRule &rule, std::optional<int64_t> axis) {
  if (!axis)
    return rule.mixes("has an axis that is not known");
  return *axis == rule.at(0)->axis ? rule.mixes("works along the samples") : "";
}

static std::string softmax(SampleRule &rule) {
  bool isOld = rule.op.since() < 13;
  std::optional<int64_t> axis = rule.axis("axis", isOld ? 1 : -1);
  // Before opset 13 the axis is the first of those that are taken together.
  if (isOld && axis && rule.at(0)->axis > *axis)
    return rule.mixes("works along the samples");
  std::string why = checkAxis(rule, axis);
  return why.empty() ? asInput(rule) : why;
}

std::string onnxfold::ruleOfLayerNormalization(SampleRule &rule) {
  std::optional<int64_t> axis = rule.axis("axis", -1);
  if (!axis || rule.at(0)->axis >= *axis)
    return rule.mixes("works along the samples");
  for (unsigned i : rule.given()) // a scale may have more axes than usual
    if (i != 0 && rule.rank(i).value_or(*axis + 1) > *rule.rank(0) - *axis)
      return rule.mixes("may have another scale for each sample");
  return asInput(rule);
}

static std::string lpNormalization(SampleRule &rule) {
  std::string why = checkAxis(rule, rule.axis("axis", -1));
  return why.empty() ? asInput(rule) : why;
}

static std::string cumulative(SampleRule &rule) {
  std::optional<Shape> axis = rule.flow.knownInts(rule.op.input(1));
  std::optional<int64_t> rank = rule.rank(0);
  if (!axis || axis->size() != 1 || !rank)
    return rule.mixes("has an axis that is not known");
  int64_t own = axis->front() < 0 ? axis->front() + *rank : axis->front();
  std::string why = checkAxis(rule, own);
  return why.empty() ? asInput(rule) : why;
}

static std::string topK(SampleRule &rule) {
  std::string why = checkAxis(rule, rule.axis("axis", -1));
  return why.empty() ? asInput(rule) : why;
}

static std::string split(SampleRule &rule) {
  std::string why = checkAxis(rule, rule.axis("axis", 0));
  return why.empty() ? asInput(rule) : why;
}

/// The rule of every reduction, sums and positions of extremes too.
static std::string reduction(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  std::optional<Shape> axes = rule.ints("axes", 1);
  bool isArg = rule.op.opType().starts_with("Arg");
  if (isArg)
    axes = Shape{rule.op.getInt("axis", 0)};
  if (!rank || !axes)
    return rule.mixes("has axes that are not known");
  if (axes->empty() && rule.op.getInt("noop_with_empty_axes", 0) != 0)
    return asInput(rule);
  BatchAxis at = *rule.at(0);
  int64_t before = 0;
  for (int64_t axis : *axes) {
    axis = axis < 0 ? axis + *rank : axis;
    if (axis == at.axis)
      return rule.mixes("works along the samples");
    before += axis < at.axis;
  }
  if (axes->empty())
    return rule.mixes("works along all axes");
  if (rule.op.getInt("keepdims", 1) == 0)
    at.axis -= before;
  rule.give(0, at);
  return "";
}

std::string onnxfold::concatenate(SampleRule &rule, ArrayRef<unsigned> inputs) {
  std::optional<BatchAxis> at;
  for (unsigned i : inputs)
    if (std::optional<BatchAxis> here = rule.at(i)) {
      if (at && *at != *here)
        return rule.mixes("has samples in different axes");
      at = here;
    }
  std::optional<int64_t> rank = rule.rank(inputs.front());
  std::optional<int64_t> axis = rule.op.getInt("axis");
  if (!rank || !axis)
    return rule.mixes("has an axis that is not known");
  if ((*axis < 0 ? *axis + *rank : *axis) == at->axis)
    return rule.mixes("works along the samples");
  for (unsigned i : inputs)
    if (!rule.at(i) &&
        (at->factor != 1 || !rule.flow.repeat(rule.op, i, at->axis)))
      return rule.mixes("reads in input #" + Twine(i) +
                        " what cannot be repeated for each sample");
  rule.give(0, *at);
  return "";
}

static std::string concat(SampleRule &rule) {
  return concatenate(rule, rule.given());
}

//===----------------------------------------------------------------------===//
// Windows and channels: the samples are in axis 0
//===----------------------------------------------------------------------===//

std::string onnxfold::leading(SampleRule &rule) {
  if (rule.at(0)->axis != 0)
    return rule.mixes("wants the samples in dimension 0");
  return asInput(rule);
}

static std::string maxPool(SampleRule &rule) {
  if (rule.op.numOutputs() > 1 && !rule.op->getResult(1).use_empty())
    return rule.mixes("counts positions over all samples");
  return leading(rule);
}

static std::string batchNormalization(SampleRule &rule) {
  bool isTraining = rule.op.getInt("training_mode", 0) != 0 ||
                    (rule.op.since() < 7 && rule.op.getInt("is_test", 0) == 0);
  for (unsigned i = 1; i < rule.op.numOutputs(); ++i)
    isTraining |= !isa<NoneType>(rule.op->getResult(i).getType());
  if (isTraining)
    return rule.mixes("normalizes over all samples (it is training)");
  return leading(rule);
}

static std::string meanVariance(SampleRule &rule) {
  auto axes = rule.op.getInts("axes").value_or(SmallVector<int64_t>{0, 2, 3});
  std::optional<int64_t> rank = rule.rank(0);
  if (!rank || llvm::any_of(axes, [&](int64_t axis) {
        return (axis < 0 ? axis + *rank : axis) == rule.at(0)->axis;
      }))
    return rule.mixes("works along the samples");
  return asInput(rule);
}

/// Both the image and the places have a part for each sample.
static std::string gridSample(SampleRule &rule) {
  if (rule.at(0) != rule.at(1) || rule.at(0)->axis != 0)
    return rule.mixes("wants the samples of both inputs in dimension 0");
  rule.give(0, *rule.at(0));
  return "";
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static std::string recurrence(SampleRule &rule) {
  bool isFirst = rule.op.getInt("layout", 0) != 0;
  std::optional<BatchAxis> at = rule.at(0);
  int64_t ofX = isFirst ? 0 : 1, ofState = isFirst ? 0 : 1;
  if (!at || *at != BatchAxis{ofX, 1})
    return rule.mixes("wants the samples in dimension " + Twine(ofX));
  for (unsigned i = 1; i < rule.op.numInputs(); ++i) {
    bool isState = i == 5 || i == 6;
    std::optional<BatchAxis> here = rule.at(i);
    int64_t axis = i == 4 ? 0 : ofState;
    if (!rule.op.hasInput(i))
      continue;
    if (i != 4 && !isState) {
      if (here)
        return rule.mixes("reads samples in input #" + Twine(i));
      continue;
    }
    if (here ? *here != BatchAxis{axis, 1}
             : !rule.flow.repeat(rule.op, i, axis))
      return rule.mixes("reads in input #" + Twine(i) +
                        " what cannot be repeated for each sample");
  }
  int64_t ofY[] = {isFirst ? 0 : 2, ofState, ofState};
  for (unsigned i = 0; i < rule.op.numOutputs(); ++i)
    rule.give(i, {ofY[i], 1});
  return "";
}

/// Image, offsets and mask have a part for each sample.
static std::string deformConv(SampleRule &rule) {
  if (std::string why = wantSamples(rule, {{0, 0}, {2, 0}, {4, 0}});
      !why.empty())
    return why;
  rule.give(0, {0, 1});
  return "";
}

static std::string reverseSequence(SampleRule &rule) {
  int64_t axis = rule.op.getInt("batch_axis", 1);
  if (std::string why = wantSamples(rule, {{0, axis}, {1, 0}}); !why.empty())
    return why;
  rule.give(0, {axis, 1});
  return "";
}

/// The last two dimensions are matrices.
static std::string matrices(SampleRule &rule) {
  std::optional<int64_t> rank = rule.rank(0);
  if (!rank || rule.at(0)->axis >= *rank - 2)
    return rule.mixes("works along the samples");
  return asInput(rule);
}

/// Each row for itself.
std::string onnxfold::rows(SampleRule &rule) {
  return rule.rank(0) == 2 ? leading(rule)
                           : rule.mixes("wants the samples in rows");
}

static std::string loss(SampleRule &rule) {
  if (rule.op.getString("reduction", "mean") != "none")
    return rule.mixes("adds up samples");
  if (std::string why = wantSamples(rule, {{0, 0}, {1, 0}}); !why.empty())
    return why;
  giveAll(rule, {0, 1});
  return "";
}

std::string onnxfold::withOneScale(SampleRule &rule) {
  return rule.mixes("quantizes all samples with one scale");
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

namespace {

struct RuleEntry {
  SampleRuleOf rule;
  std::initializer_list<OperatorName> operators;
};

} // namespace

static constexpr RuleEntry entries[] = {
    {asInput,
     {"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Sin",
      "Sinh", "Tan", "Tanh"}},
    {asInput,
     {"Celu", "Clip", "Elu", "Gelu", "HardSigmoid", "HardSwish", "LeakyRelu",
      "Mish", "Relu", "Selu", "Shrink", "Sigmoid", "Softplus", "Softsign",
      "Swish", "ThresholdedRelu"}},
    {asInput,
     {"Abs", "BitwiseNot", "Cast", "Ceil", "Erf", "Exp", "Floor", "Identity",
      "IsInf", "IsNaN", "Log", "Neg", "Not", "Reciprocal", "RegexFullMatch",
      "Round", "Sign", "Sqrt"}},
    {elementwise, {"Add",         "And",  "BitShift",    "BitwiseAnd",
                   "BitwiseOr",   "Div",  "BitwiseXor",  "Equal",
                   "Greater",     "Less", "Max",         "Mean",
                   "Min",         "Mod",  "Mul",         "Or",
                   "PRelu",       "Pow",  "Sub",         "Sum",
                   "Where",       "Xor",  "LessOrEqual", "GreaterOrEqual",
                   "StringConcat"}},
    {leading,
     {"Conv", "ConvTranspose", "AveragePool", "LpPool", "GlobalAveragePool",
      "GlobalMaxPool", "GlobalLpPool", "InstanceNormalization",
      "GroupNormalization", "LRN", "SpaceToDepth", "DepthToSpace",
      "ConvInteger", "QLinearConv", "Col2Im"}},
    {reduction,
     {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
      "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare",
      "ArgMax", "ArgMin"}},
    {softmax, {"Softmax", "LogSoftmax", "Hardmax"}},
    {ruleOfLayerNormalization, {"LayerNormalization", "RMSNormalization"}},
    {lpNormalization, {"LpNormalization"}},
    {cumulative, {"CumSum", "CumProd"}},
    {ruleOfQuantization, {"QuantizeLinear", "DequantizeLinear"}},
    {recurrence, {"LSTM", "GRU", "RNN"}},
    {dropout, {"Dropout"}},
    {topK, {"TopK"}},
    {split, {"Split"}},
    {concat, {"Concat"}},
    {maxPool, {"MaxPool"}},
    {batchNormalization, {"BatchNormalization"}},
    {meanVariance, {"MeanVarianceNormalization"}},
    {gridSample, {"GridSample"}},
    {castLike, {"CastLike"}},
    {deformConv, {"DeformConv"}},
    {reverseSequence, {"ReverseSequence"}},
    {matrices, {"Trilu", "Det"}},
    {rows, {"TfIdfVectorizer"}},
    {loss, {"NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss"}},
    {withOneScale, {"DynamicQuantizeLinear"}},
    {ruleOfMatMul, {"MatMul"}},
    {ruleOfMatMulInteger, {"MatMulInteger"}},
    {ruleOfQLinearMatMul, {"QLinearMatMul"}},
    {ruleOfGemm, {"Gemm"}},
    {ruleOfEinsum, {"Einsum"}},
    {ruleOfAttention, {"Attention"}},
    {ruleOfRotaryEmbedding, {"RotaryEmbedding"}},
    {ruleOfGatherND, {"GatherND"}},
    {ruleOfScatterElements, {"ScatterElements"}},
    {ruleOfOneHot, {"OneHot"}},
    {ruleOfTranspose, {"Transpose"}},
    {ruleOfReshape, {"Reshape"}},
    {ruleOfFlatten, {"Flatten"}},
    {ruleOfSqueeze, {"Squeeze"}},
    {ruleOfUnsqueeze, {"Unsqueeze"}},
    {ruleOfExpand, {"Expand"}},
    {ruleOfTile, {"Tile"}},
    {ruleOfSlice, {"Slice"}},
    {ruleOfPad, {"Pad"}},
    {ruleOfGather, {"Gather"}},
    {ruleOfGatherElements, {"GatherElements"}},
    {ruleOfResize, {"Resize", "Upsample"}},
};

static const llvm::StringMap<SampleRuleOf> &rules() {
  static const llvm::StringMap<SampleRuleOf> table = [] {
    llvm::StringMap<SampleRuleOf> made;
    for (const RuleEntry &entry : entries)
      for (StringRef name : entry.operators)
        made[name] = entry.rule;
    return made;
  }();
  return table;
}

/// Null if there is none.
static SampleRuleOf ruleOf(Operator op) {
  if (!op.domain().empty())
    return ruleOfDomain(op.domain(), op.opType());
  // ONNX Runtime had this one before ONNX did.
  if (op.isCustom())
    return op.opType() == "LayerNormalization" ? ruleOfLayerNormalization
                                               : nullptr;
  auto found = rules().find(op.opType());
  return found == rules().end() ? nullptr : found->second;
}

std::string onnxfold::applySampleRule(Operator op, SampleFlow &flow) {
  SampleRuleOf apply = ruleOf(op);
  if (!apply)
    return "is not known to compute each sample for itself";
  if (op.hasReferences())
    return "has attributes that are parameters of a function";
  SampleRule rule{op, flow};
  static const llvm::StringSet<> ofAny = {
      "Add",           "And",
      "BitShift",      "BitwiseAnd",
      "BitwiseOr",     "BitwiseXor",
      "Div",           "Equal",
      "Greater",       "GreaterOrEqual",
      "Less",          "LessOrEqual",
      "Max",           "Mean",
      "Min",           "Mod",
      "Mul",           "Or",
      "Pow",           "Sub",
      "Sum",           "Where",
      "Xor",           "Concat",
      "MatMul",        "Gather",
      "CastLike",      "Einsum",
      "MatMulInteger", "QLinearMatMul",
      "GatherND",      "StringConcat",
      "QLinearAdd",    "QLinearMul",
      "QLinearConcat", "QLinearWhere",
      "FusedMatMul",   "MatMulIntegerToFloat",
      "Attention",     "MultiHeadAttention"};
  if (!ofAny.contains(op.opType()) && !rule.at(0))
    return rule.mixes("reads samples in an input other than #0");
  return apply(rule);
}
