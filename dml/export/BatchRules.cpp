//===- BatchRules.cpp - Nodes for tensors with the batch in front ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// One rule for each family of operators. Of tensors with the batch in front,
// axis i of the node is axis i + 1; one that counts from the end is the same.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/internal/FrontRule.h"
#include "onnxfold/dml/export/internal/GraphExport.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;
using llvm::SmallVector;

std::optional<Shape> FrontRule::resultDims(unsigned i,
                                           const SamplePlace &samples) const {
  auto type = dyn_cast<RankedTensorType>(graph.typeOf(op->getResult(i)));
  if (!type || samples.axis >= type.getRank())
    return std::nullopt;
  Shape dims(type.getShape());
  dims[samples.axis] = samples.each();
  if (llvm::is_contained(dims, ShapedType::kDynamic))
    return std::nullopt;
  return dims;
}

bool dml::frontGiveAll(FrontRule &rule, Operator made,
                       const SamplePlace &samples) {
  for (unsigned i = 0; i < rule.op.numOutputs(); ++i) {
    if (rule.op->getResult(i).use_empty())
      continue;
    std::optional<Shape> dims = rule.resultDims(i, samples);
    if (!dims)
      return false;
    rule.graph.give(rule.op, i, made->getResult(i), {samples, *dims});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Element by element
//===----------------------------------------------------------------------===//

static bool frontUnary(FrontRule &rule) {
  if (!rule.isFirstAlone())
    return false;
  Operator made = rule.graph.copy(rule.op, rule.frontInputs());
  return frontGiveAll(rule, made, *rule.first().samples);
}

/// numpy's broadcasting, with the samples of all operands in one place from the
/// right. The place in the result; nothing if they differ.
static std::optional<SamplePlace>
commonSamples(FrontRule &rule, ArrayRef<unsigned> operands, int64_t &rank) {
  std::optional<SamplePlace> common;
  int64_t fromRight = 0;
  rank = 0;
  for (unsigned i : operands) {
    const SampledTensor &one = *rule.inputs[i];
    rank = std::max(rank, one.rank());
    if (!one.samples)
      continue;
    int64_t here = one.rank() - one.samples->axis;
    if (common && (here != fromRight || common->before != one.samples->before ||
                   common->after != one.samples->after))
      return std::nullopt;
    common = one.samples;
    fromRight = here;
  }
  for (unsigned i : operands) {
    const SampledTensor &one = *rule.inputs[i];
    int64_t own = one.rank() - fromRight;
    if (!one.samples && own >= 0 && one.dims[own] != 1)
      return std::nullopt; // another value for each sample
  }
  if (common)
    common->axis = rank - fromRight;
  return common;
}

static bool frontBroadcast(FrontRule &rule) {
  SmallVector<unsigned> operands;
  for (unsigned i = 0; i < rule.inputs.size(); ++i)
    if (rule.inputs[i])
      operands.push_back(i);
  int64_t rank;
  std::optional<SamplePlace> samples = commonSamples(rule, operands, rank);
  if (!samples || rule.op.since() < 7)
    return false;
  SmallVector<Value> given(rule.op->getOperands());
  for (unsigned i : operands)
    given[i] = rule.graph.front(given[i], rank);
  return frontGiveAll(rule, rule.graph.copy(rule.op, given), *samples);
}

//===----------------------------------------------------------------------===//
// One axis
//===----------------------------------------------------------------------===//

static bool frontOneAxis(FrontRule &rule, int64_t byDefault) {
  std::optional<int64_t> axis =
      rule.isFirstAlone() ? rule.otherAxis(rule.op.getInt("axis", byDefault))
                          : std::nullopt;
  if (!axis)
    return false;
  Operator made = rule.graph.copy(rule.op, rule.frontInputs(),
                                  rule.graph.attribute("axis", *axis + 1));
  return frontGiveAll(rule, made, *rule.first().samples);
}

static bool frontLastAxis(FrontRule &rule) { return frontOneAxis(rule, -1); }
static bool frontFirstAxis(FrontRule &rule) { return frontOneAxis(rule, 0); }

/// Before opset 13 the axis is the first of those that are taken together.
static bool frontSoftmax(FrontRule &rule) {
  return rule.op.since() >= 13 && frontOneAxis(rule, -1);
}

static bool frontLayerNormalization(FrontRule &rule) {
  if (!rule.isFirstAlone())
    return false;
  std::optional<int64_t> axis = rule.otherAxis(rule.op.getInt("axis", -1));
  if (!axis || rule.at() > *axis)
    return false;
  for (unsigned i = 1; i < rule.inputs.size(); ++i)
    if (rule.inputs[i] && rule.inputs[i]->rank() > rule.first().rank() - *axis)
      return false; // it may have another scale for each sample
  return frontOneAxis(rule, -1);
}

/// The axes of a reduction; empty: all.
static std::optional<Shape> frontAxesOf(FrontRule &rule) {
  if (rule.op.opType().starts_with("Arg"))
    return Shape{rule.op.getInt("axis", 0)};
  if (auto list = rule.op.getInts("axes"))
    return Shape(list->begin(), list->end());
  if (!rule.op.hasInput(1))
    return Shape();
  return rule.graph.ints(rule.op.input(1));
}

static bool frontReduction(FrontRule &rule) {
  std::optional<Shape> axes = frontAxesOf(rule);
  if (!rule.isFirstAlone() || !axes || axes->empty())
    return false;
  SamplePlace samples = *rule.first().samples;
  SmallVector<int64_t> moved;
  int64_t before = 0;
  for (int64_t given : *axes) {
    std::optional<int64_t> axis = rule.otherAxis(given);
    if (!axis)
      return false;
    before += *axis < samples.axis;
    moved.push_back(*axis + 1);
  }
  SmallVector<Value> inputs = rule.frontInputs();
  Operator made;
  if (rule.op.opType().starts_with("Arg"))
    made = rule.graph.copy(rule.op, inputs,
                           rule.graph.attribute("axis", moved[0]));
  else if (rule.op.has("axes"))
    made =
        rule.graph.copy(rule.op, inputs, rule.graph.attribute("axes", moved));
  else {
    inputs[1] = rule.graph.constant(moved);
    made = rule.graph.copy(rule.op, inputs);
  }
  if (rule.op.getInt("keepdims", 1) == 0)
    samples.axis -= before;
  return frontGiveAll(rule, made, samples);
}

static bool frontCumulative(FrontRule &rule) {
  std::optional<Shape> axis = rule.graph.ints(rule.op.input(1));
  std::optional<int64_t> own = rule.isFirstAlone() && axis && axis->size() == 1
                                   ? rule.otherAxis(axis->front())
                                   : std::nullopt;
  if (!own)
    return false;
  SmallVector<Value> inputs = rule.frontInputs();
  inputs[1] = rule.graph.constant(*own + 1);
  return frontGiveAll(rule, rule.graph.copy(rule.op, inputs),
                      *rule.first().samples);
}

/// Along the samples, those of the operands stand one after the other.
static bool frontConcat(FrontRule &rule) {
  std::optional<int64_t> given = rule.op.getInt("axis");
  if (!given || !rule.hasSamples(0))
    return false;
  int64_t axis = *given < 0 ? *given + rule.first().rank() : *given;
  SamplePlace samples = *rule.first().samples;
  bool isAlong = axis == samples.axis;
  SmallVector<Value> inputs;
  int64_t count = 0;
  for (auto [i, one] : llvm::enumerate(rule.inputs)) {
    if (!one || !one->samples || one->samples->axis != samples.axis ||
        one->samples->after != samples.after ||
        (isAlong ? samples.after != 1 : *one->samples != samples))
      return false;
    count += one->samples->before;
    inputs.push_back(rule.graph.front(rule.op.input(i)));
  }
  if (isAlong)
    samples.before = count;
  Operator made =
      rule.graph.copy(rule.op, inputs, rule.graph.attribute("axis", axis + 1));
  if (!isAlong)
    return frontGiveAll(rule, made, samples);
  Shape dims = rule.first().dims; // inference may not know the sum
  dims[axis] = count;
  rule.graph.give(rule.op, 0, made->getResult(0), {samples, dims});
  return true;
}

static bool frontSlice(FrontRule &rule) {
  if (!rule.isFirstAlone() || rule.op.since() < 10)
    return false;
  std::optional<Shape> axes;
  if (rule.op.hasInput(3))
    axes = rule.graph.ints(rule.op.input(3));
  else if (rule.inputs[1] && rule.inputs[1]->rank() == 1)
    axes = llvm::to_vector<4>(llvm::seq<int64_t>(0, rule.inputs[1]->dims[0]));
  if (!axes)
    return false;
  for (int64_t &axis : *axes) {
    std::optional<int64_t> own = rule.otherAxis(axis);
    if (!own)
      return false;
    axis = *own + 1;
  }
  SmallVector<Value> inputs = rule.frontInputs();
  inputs.resize(std::max<size_t>(inputs.size(), 4));
  inputs[3] = rule.graph.constant(*axes);
  return frontGiveAll(rule, rule.graph.copy(rule.op, inputs),
                      *rule.first().samples);
}

/// Of a table at the places that samples have, or of samples at known places.
static bool frontGather(FrontRule &rule) {
  int64_t rank = rule.first().rank(), more = rule.inputs[1]->rank() - 1;
  int64_t axis = rule.op.getInt("axis", 0);
  axis = axis < 0 ? axis + rank : axis;
  SmallVector<Value> inputs(rule.op->getOperands());
  if (rule.hasSamples(0) == rule.hasSamples(1))
    return rule.hasSamples(0) && frontGatherOfSamples(rule);
  if (rule.hasSamples(1)) {
    if (axis != 0)
      return false;
    inputs[1] = rule.graph.front(inputs[1]);
    return frontGiveAll(rule, rule.graph.copy(rule.op, inputs),
                        *rule.inputs[1]->samples);
  }
  SamplePlace samples = *rule.first().samples;
  if (axis == samples.axis)
    return false;
  if (axis < samples.axis)
    samples.axis += more;
  Operator made = rule.graph.copy(rule.op, rule.frontInputs(),
                                  rule.graph.attribute("axis", axis + 1));
  return frontGiveAll(rule, made, samples);
}

/// Cells of the last dimension of a table at the places that samples have, which
/// become its last dimension: nearest neighbours have several places each.
static bool frontCellsOfTable(FrontRule &rule) {
  const SampledTensor &x = rule.first(), &places = *rule.inputs[1];
  int64_t last = x.rank() - 1, at = places.samples->axis;
  ArrayRef<int64_t> dims = places.dims;
  SamplePlace samples{std::max<int64_t>(last, 1),
                      countOf(dims.take_front(at)) * places.samples->before,
                      countOf(dims.drop_front(at + 1)) * places.samples->after};
  int64_t each = samples.each();
  Value table = rule.op.input(0);
  auto permuted = [&](Value value, ArrayRef<int64_t> order) {
    return rule.graph.node("Transpose", value,
                           rule.graph.attribute("perm", order));
  };
  if (last > 0) {
    Shape order = {last};
    llvm::append_range(order, llvm::seq<int64_t>(0, last));
    table = permuted(table, order);
  }
  Shape rows(ArrayRef<int64_t>(x.dims).take_front(last));
  Value numbers = rule.graph.front(rule.op.input(1));
  Value found = rule.graph.node("Gather", {table, numbers});
  if (last > 0 && each > 1)
    found =
        permuted(rule.graph.shaped(found, {each, countOf(rows)}), {0, 2, 1});
  if (last == 0)
    rows.push_back(1); // of a list
  rows.push_back(each);
  rule.graph.give(rule.op, 0, rule.graph.shaped(found, rows), {samples, rows});
  return true;
}

/// Cells of the last dimension of each sample, or of a table.
static bool frontFeatures(FrontRule &rule) {
  const SampledTensor &x = rule.first();
  if (x.rank() < 1)
    return false;
  if (!x.samples)
    return rule.hasSamples(1) && frontCellsOfTable(rule);
  std::optional<Shape> list = rule.graph.ints(rule.op.input(1));
  if (rule.hasSamples(1) || !list || rule.at() == x.rank() - 1)
    return false;
  SampledTensor made = x;
  made.dims.back() = list->size();
  Value found = rule.graph.node(
      "Gather",
      {rule.graph.front(rule.op.input(0)), rule.graph.constant(*list)},
      rule.graph.attribute("axis", x.rank()));
  rule.graph.give(rule.op, 0, found, made);
  return true;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The product of every sample; samples may be rows or columns of one operand,
/// or a leading dimension of both.
static bool frontMatMul(FrontRule &rule) {
  const SampledTensor &a = rule.first(), &b = *rule.inputs[1];
  if (a.rank() < 2 || b.rank() < 2)
    return false;
  int64_t rank = std::max(a.rank(), b.rank());
  auto fromRight = [](const SampledTensor &one) {
    return one.samples ? one.rank() - one.samples->axis : 0;
  };
  if (fromRight(a) == 1 || fromRight(b) == 2)
    return false; // it adds up samples
  std::optional<SamplePlace> samples;
  if (fromRight(a) == 2 || fromRight(b) == 1) {
    if (a.samples && b.samples)
      return false; // samples are multiplied with each other
    samples = a.samples ? *a.samples : *b.samples;
    samples->axis = rank - std::max(fromRight(a), fromRight(b));
  } else {
    int64_t all;
    samples = commonSamples(rule, {0, 1}, all);
  }
  if (!samples)
    return false;
  Value left = rule.graph.front(rule.op.input(0), rank),
        right = rule.graph.front(rule.op.input(1), rank);
  return frontGiveAll(rule, rule.graph.copy(rule.op, {left, right}), *samples);
}

/// Rows that are samples, or parts of them: a product of more than two
/// dimensions, which Gemm does not have.
static bool frontGemm(FrontRule &rule) {
  const SampledTensor &a = rule.first();
  bool hasAddend = rule.op.hasInput(2);
  if (!a.samples || a.samples->axis != 0 || rule.hasSamples(1) ||
      rule.op.getInt("transA", 0) != 0 || rule.op.since() < 7)
    return false;
  if (hasAddend) {
    const SampledTensor &c = *rule.inputs[2];
    if (c.samples ? c.samples != a.samples
                  : c.rank() == 2 && c.dims[0] != 1) // another row for each
      return false;
  }
  double alpha = rule.op.getFloat("alpha", 1),
         beta = rule.op.getFloat("beta", 1);
  Value right = rule.op.input(1);
  if (rule.op.getInt("transB", 0) != 0)
    right = rule.graph.node("Transpose", right,
                            rule.graph.attribute("perm", {1, 0}));
  Value made =
      rule.graph.node("MatMul", {rule.graph.front(rule.op.input(0)), right});
  Type element = cast<ShapedType>(rule.graph.typeOf(rule.op->getResult(0)))
                     .getElementType();
  made = rule.graph.scaled(made, alpha, element);
  if (hasAddend)
    made = rule.graph.node(
        "Add", {made, rule.graph.scaled(rule.graph.front(rule.op.input(2)),
                                        beta, element)});
  std::optional<Shape> dims = rule.resultDims(0, *a.samples);
  if (!dims)
    return false;
  rule.graph.give(rule.op, 0, made, {a.samples, *dims});
  return true;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// layout = 0 has the samples of X and of states in dimension 1.
static bool frontRecurrence(FrontRule &rule) {
  if (rule.op.getInt("layout", 0) != 0 || !rule.hasSamples(0))
    return false;
  SamplePlace ofSteps{1};
  SmallVector<Value> inputs(rule.op->getOperands());
  for (unsigned i = 0; i < rule.inputs.size(); ++i) {
    bool isMoved = i == 0 || i == 5 || i == 6; // X, initial_h, initial_c
    if (!rule.inputs[i])
      continue;
    if (isMoved ? rule.inputs[i]->samples != ofSteps
                : i != 4 && rule.hasSamples(i))
      return false;
    ArrayRef<int64_t> dims = rule.inputs[i]->dims;
    if (isMoved)
      inputs[i] =
          rule.graph.shaped(rule.graph.front(inputs[i]), {dims[0], dims[2]});
  }
  Operator made =
      rule.graph.copy(rule.op, inputs, rule.graph.attribute("layout", 1));
  for (unsigned i = 0; i < rule.op.numOutputs(); ++i) {
    if (rule.op->getResult(i).use_empty())
      continue;
    SamplePlace samples{i == 0 ? 2 : 1};
    std::optional<Shape> dims = rule.resultDims(i, samples);
    if (!dims)
      return false;
    rule.graph.give(rule.op, i, rule.graph.shaped(made->getResult(i), *dims),
                    {samples, *dims});
  }
  return true;
}

/// The slices of scan outputs, whose rows are the samples, become columns.
static bool frontScan(FrontRule &rule) {
  Region *body = rule.op.getGraph("body");
  int64_t scanned = rule.op.getInt("num_scan_inputs", 0),
          states = int64_t(rule.inputs.size()) - scanned;
  if (!body || rule.op.since() < 9 || states < 0 ||
      rule.op.getInts("scan_output_axes"))
    return false;
  for (auto [i, one] : llvm::enumerate(rule.inputs))
    if (!one ||
        (one->samples && (!one->samples->areRows() || int64_t(i) >= states)))
      return false;
  SmallVector<int64_t> axes;
  for (int64_t i = states; i < int64_t(rule.op.numOutputs()); ++i) {
    Value slice = body->front().getTerminator()->getOperand(i);
    std::optional<SampledTensor> made = rule.graph.tensor(slice);
    if (!made || (made->samples && !made->samples->areRows()))
      return false;
    axes.push_back(made->samples ? 1 : 0);
  }
  Operator made =
      rule.graph.copy(rule.op, llvm::to_vector(rule.op->getOperands()),
                      rule.graph.attribute("scan_output_axes", axes));
  for (unsigned i = 0; i < rule.op.numOutputs(); ++i) {
    Value result = rule.op->getResult(i);
    if (result.use_empty())
      continue;
    bool isSample = int64_t(i) >= states && axes[i - states] == 1;
    std::optional<Shape> dims =
        isSample ? rule.resultDims(i, SamplePlace{1}) : std::nullopt;
    if (!isSample)
      rule.graph.replace(rule.op, i, made->getResult(i));
    else if (!dims)
      return false;
    else
      rule.graph.give(rule.op, i, rule.graph.shaped(made->getResult(i), *dims),
                      {SamplePlace{1}, *dims});
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using Apply = bool (*)(FrontRule &);
using Add =
    llvm::function_ref<void(Apply, std::initializer_list<llvm::StringRef>)>;

static void addElementwise(Add add) {
  add(frontUnary, {"Abs",         "Acos",
                   "Acosh",       "Asin",
                   "Asinh",       "Atan",
                   "Atanh",       "BitwiseNot",
                   "Cast",        "CastLike",
                   "Ceil",        "Celu",
                   "Clip",        "Cos",
                   "Cosh",        "Elu",
                   "Erf",         "Exp",
                   "Floor",       "Gelu",
                   "HardSigmoid", "HardSwish",
                   "Identity",    "IsInf",
                   "IsNaN",       "LeakyRelu",
                   "Log",         "Mish",
                   "Neg",         "Not",
                   "Relu",        "Reciprocal",
                   "Round",       "Selu",
                   "Shrink",      "Sigmoid",
                   "Sign",        "Sin",
                   "Sinh",        "Softplus",
                   "Softsign",    "Sqrt",
                   "Swish",       "Tan",
                   "Tanh",        "ThresholdedRelu"});
  add(frontBroadcast,
      {"Add",   "And",        "BitShift",    "BitwiseAnd",    "BitwiseOr",
       "Div",   "BitwiseXor", "Equal",       "Greater",       "Less",
       "Max",   "Mean",       "Min",         "Mod",           "Mul",
       "Or",    "PRelu",      "Pow",         "Sub",           "Sum",
       "Where", "Xor",        "LessOrEqual", "GreaterOrEqual"});
}

static llvm::StringMap<Apply> makeTable() {
  llvm::StringMap<Apply> made;
  auto add = [&](Apply rule, std::initializer_list<llvm::StringRef> names) {
    for (llvm::StringRef name : names)
      made[name] = rule;
  };
  addElementwise(add);
  add(frontReduction,
      {"ArgMax", "ArgMin", "ReduceL1", "ReduceL2", "ReduceLogSum",
       "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd",
       "ReduceSum", "ReduceSumSquare"});
  add(frontSoftmax, {"Hardmax", "LogSoftmax", "Softmax"});
  add(frontLastAxis, {"LpNormalization", "TopK"});
  add(frontFirstAxis, {"Split"});
  add(frontLayerNormalization, {"LayerNormalization", "RMSNormalization"});
  add(frontCumulative, {"CumProd", "CumSum"});
  add(frontConcat, {"Concat"});
  add(frontSlice, {"Slice"});
  add(frontGather, {"Gather"});
  add(frontGatherND, {"GatherND"});
  add(frontFeatures, {"ai.onnx.ml.ArrayFeatureExtractor"});
  add(frontReinterpretation, {"Flatten", "Reshape", "Squeeze", "Unsqueeze"});
  add(frontTranspose, {"Transpose"});
  add(frontExpand, {"ConstantOfShape", "Expand"});
  add(frontShape, {"Shape"});
  add(frontMatMul, {"MatMul"});
  add(frontGemm, {"Gemm"});
  add(frontConv, {"Conv"});
  add(frontChannels,
      {"AveragePool", "BatchNormalization", "GlobalAveragePool",
       "GlobalMaxPool", "InstanceNormalization", "LpPool", "MaxPool"});
  add(frontEinsum, {"Einsum"});
  add(frontRecurrence, {"GRU", "LSTM", "RNN"});
  add(frontScan, {"Scan"});
  return made;
}

bool dml::applyFrontRule(Operator op, BatchFront &graph) {
  static const llvm::StringMap<Apply> table = makeTable();
  auto found = table.find(operatorName(op));
  if (op.isCustom() || found == table.end())
    return false;
  FrontRule rule{op, graph, {}};
  bool isSampled = false;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    rule.inputs.push_back(op.hasInput(i) ? graph.tensor(op.input(i))
                                         : std::nullopt);
    if (op.hasInput(i) && !rule.inputs.back())
      return false;
    isSampled |= rule.hasSamples(i);
  }
  if (!isSampled && found->second != frontExpand)
    return false;
  bool isOfFirst =
      found->second == frontTranspose || found->second == frontShape;
  return (!isOfFirst || rule.hasSamples(0)) && found->second(rule);
}
