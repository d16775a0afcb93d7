//===- RowBlocks.cpp - Whether samples are independent --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Shapes say most of it. Only dimension 0 of a tensor can have the batch size,
// so a sum over the batch, or a transposition, gives a result without it, or
// was refused. What remains are operators that keep the batch size and mix its
// rows all the same: along axis 0, or as indices.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/internal/RowBlocks.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

namespace {

/// A node some of whose inputs and all of whose results have the batch size.
struct BatchedNode {
  Operator op;
  const KnownTypes &types;

  int64_t rankOf(Value value) const {
    return cast<RankedTensorType>(types.typeOf(value)).getRank();
  }
  bool isBatched(Value value) const {
    auto type = dyn_cast<RankedTensorType>(types.typeOf(value));
    return type && type.getRank() > 0 && type.isDynamicDim(0);
  }
  bool isBatched(unsigned input) const {
    return op.hasInput(input) && isBatched(op.input(input));
  }
  int64_t resultRank() const { return rankOf(op->getResult(0)); }
  /// The attribute `axis` is that of the batch.
  bool isAlongBatch(int64_t byDefault) const {
    return isFirst(op.getInt("axis", byDefault));
  }
  /// No input but the given ones has the batch size.
  bool onlyBatched(llvm::ArrayRef<unsigned> inputs) const {
    for (unsigned i = 0; i < op.numInputs(); ++i)
      if (isBatched(i) && !llvm::is_contained(inputs, i))
        return false;
    return true;
  }
  /// The integers of an attribute or a constant input; nothing if unknown.
  std::optional<Shape> ints(unsigned input, StringRef attribute) const {
    if (op.has(attribute))
      return Shape(*op.getInts(attribute));
    Value value = op.input(input);
    auto constant = value ? value.getDefiningOp<OnnxConstantOp>() : nullptr;
    return constant
               ? std::optional(Shape(fromAttribute(constant.getValue()).ints()))
               : std::nullopt;
  }
  /// An axis is that of the batch. REQUIRES: of input 0.
  bool isFirst(int64_t axis) const {
    return axis == 0 || axis == -rankOf(op.input(0));
  }
  /// Each of these inputs is not given or has the batch size.
  bool batchedIfGiven(llvm::ArrayRef<unsigned> inputs) const {
    return llvm::all_of(
        inputs, [&](unsigned i) { return !op.hasInput(i) || isBatched(i); });
  }
};

/// Whether results depend on the same sample of the inputs alone.
using Rule = bool (*)(const BatchedNode &);

} // namespace

/// Element by element with broadcasting: inputs of the result's rank have the
/// batch, or one row for all samples.
static bool elementwise(const BatchedNode &node) {
  return llvm::all_of(node.op->getOperands(), [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(node.types.typeOf(value));
    if (!type) // an input that is not given
      return true;
    bool isFull = type.getRank() == node.resultRank();
    return node.isBatched(value) ? isFull : !isFull || type.getDimSize(0) == 1;
  });
}

/// Input 0 is data, the others are weights, sizes, axes. What sums over the
/// batch has a result without it.
static bool ofData(const BatchedNode &node) { return node.onlyBatched({0}); }

/// Values move along an axis, or are normalised over it and later ones.
template <int byDefault> static bool alongAxis(const BatchedNode &node) {
  return !node.isAlongBatch(byDefault) && ofData(node);
}

static bool ofSoftmax(const BatchedNode &node) {
  return !node.isAlongBatch(node.op.since() < 13 ? 1 : -1);
}

static bool allBatched(const BatchedNode &node) {
  return llvm::all_of(node.op->getOperands(),
                      [&](Value value) { return node.isBatched(value); });
}

static bool ofConcat(const BatchedNode &node) {
  return !node.isAlongBatch(1) && allBatched(node);
}

static bool ofMatMul(const BatchedNode &node) {
  if (!node.isBatched(1u))
    return ofData(node);
  int64_t rank = node.resultRank();
  return rank > 2 && rank == node.rankOf(node.op.input(1)) && elementwise(node);
}

/// Rows of input 0 only, or one index of each sample into a table.
static bool ofGather(const BatchedNode &node) {
  return !node.isBatched(0u) || !node.isAlongBatch(0);
}

/// As above; but rows of a table that is no batch have places of their own.
static bool ofGatherElements(const BatchedNode &node) {
  return node.isBatched(0u) != node.isAlongBatch(0);
}

static bool ofSlice(const BatchedNode &node) {
  std::optional<Shape> axes = node.ints(3, "axes");
  return axes && ofData(node) &&
         llvm::none_of(*axes, [&](int64_t axis) { return node.isFirst(axis); });
}

static bool ofPad(const BatchedNode &node) {
  std::optional<Shape> pads = node.ints(1, "pads");
  return pads && !node.op.hasInput(3) && !pads->empty() && (*pads)[0] == 0 &&
         (*pads)[pads->size() / 2] == 0 && ofData(node);
}

/// Its second result counts elements through the whole batch.
static bool ofMaxPool(const BatchedNode &node) {
  return node.op.numOutputs() < 2 || node.op->getResult(1).use_empty();
}

static bool ofCumSum(const BatchedNode &node) {
  std::optional<Shape> axis = node.ints(1, "axis");
  return axis && axis->size() == 1 && !node.isFirst(axis->front());
}

static bool ofMatrices(const BatchedNode &node) {
  return node.rankOf(node.op.input(0)) > 2 && ofData(node);
}

static bool ofMeanVariance(const BatchedNode &node) {
  auto axes = node.op.getInts("axes");
  return axes &&
         llvm::none_of(*axes, [&](int64_t axis) { return node.isFirst(axis); });
}

static bool ofBatchNormalization(const BatchedNode &node) {
  return node.op.getInt("training_mode", 0) == 0 && ofData(node);
}

static bool ofCausalConv(const BatchedNode &node) {
  return node.batchedIfGiven({0, 3}) && node.onlyBatched({0, 3});
}

/// A mask of fewer dimensions is the same for all samples.
static bool ofAttention(const BatchedNode &node) {
  return node.batchedIfGiven({0, 1, 2, 4, 5, 6}) &&
         (!node.isBatched(3u) || node.rankOf(node.op.input(3)) == 4);
}

static bool ofRecurrence(const BatchedNode &node) {
  return node.op.getInt("layout", 0) == 1 &&
         node.batchedIfGiven({0, 4, 5, 6}) && node.onlyBatched({0, 4, 5, 6});
}

static bool ofScatter(const BatchedNode &node) {
  return !node.isAlongBatch(0) && allBatched(node);
}

static bool ofTensorScatter(const BatchedNode &node) {
  return !node.isAlongBatch(-2) && node.batchedIfGiven({0, 1, 2});
}

static bool ofGatherND(const BatchedNode &node) {
  return node.isBatched(0u) == (node.op.getInt("batch_dims", 0) > 0);
}

static bool ofReverseSequence(const BatchedNode &node) {
  return node.op.getInt("batch_axis", 1) == 0 && allBatched(node);
}

static bool ofCropping(const BatchedNode &node) {
  auto axes = node.op.getInts("axes");
  return ofData(node) && axes &&
         llvm::none_of(*axes, [&](int64_t axis) { return node.isFirst(axis); });
}

/// The batch is the same index of all terms that have it.
static bool ofEinsum(const BatchedNode &node) {
  std::string equation = node.op.getString("equation", "").str();
  llvm::erase(equation, ' ');
  auto [left, right] = StringRef(equation).split("->");
  if (right.empty() || equation.find('.') != std::string::npos)
    return false;
  llvm::SmallVector<StringRef> terms;
  left.split(terms, ',');
  for (auto [i, term] : llvm::enumerate(terms))
    if (node.isBatched(i) ? !term.starts_with(right.take_front())
                          : term.contains(right.front()))
      return false;
  return true;
}

/// One scale, or one for each index of an axis.
static bool ofQuantization(const BatchedNode &node) {
  return ofData(node) &&
         (node.rankOf(node.op.input(1)) == 0 || !node.isAlongBatch(1));
}

/// Its zero point may be a number for each row.
static bool ofMatMulInteger(const BatchedNode &node) {
  return ofData(node) &&
         (!node.op.hasInput(2) || node.rankOf(node.op.input(2)) == 0);
}

/// The third input are weights of the classes.
static bool ofLoss(const BatchedNode &node) {
  return node.batchedIfGiven({0, 1}) && node.onlyBatched({0, 1});
}

/// A list is one sample of ai.onnx.ml.
static bool ofFeatures(const BatchedNode &node) {
  return node.rankOf(node.op.input(0)) > 1 && allBatched(node);
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static llvm::StringMap<Rule> makeRules() {
  llvm::StringMap<Rule> rules;
  auto add = [&](Rule rule, StringRef names, StringRef domain = "") {
    for (StringRef name : llvm::split(names, ' '))
      rules[(domain + name).str()] = rule;
  };
  add(elementwise,
      "Abs Acos Acosh Add And Asin Asinh Atan Atanh BitShift BitwiseAnd "
      "BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu Clip Cos Cosh "
      "Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual HardSigmoid "
      "HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log Max "
      "Mean Min Mish Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu "
      "Shrink Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Sub Sum Swish Tan "
      "Tanh ThresholdedRelu Where Xor");
  add(ofData,
      "AffineGrid ArgMax ArgMin AveragePool Col2Im Conv ConvInteger "
      "ConvTranspose DepthToSpace Dropout Expand Flatten Gemm "
      "GlobalAveragePool GlobalLpPool GlobalMaxPool GroupNormalization "
      "InstanceNormalization LRN LpPool OneHot QLinearConv ReduceL1 ReduceL2 "
      "ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
      "ReduceProd ReduceSum ReduceSumSquare Reshape Resize SpaceToDepth "
      "Squeeze Tile TopK Transpose Unsqueeze Upsample");
  add(alongAxis<0>, "Split");
  add(alongAxis<-1>, "LayerNormalization LpNormalization RMSNormalization");
  add(allBatched, "GridSample");
  add(ofAttention, "Attention");
  add(ofBatchNormalization, "BatchNormalization");
  add(ofCausalConv, "CausalConvWithState");
  add(ofConcat, "Concat");
  add(ofCropping, "CenterCropPad");
  add(ofCumSum, "CumProd CumSum");
  add(ofEinsum, "Einsum");
  add(ofGather, "Gather");
  add(ofGatherElements, "GatherElements");
  add(ofGatherND, "GatherND");
  add(ofLoss, "NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss");
  add(ofMatMul, "MatMul");
  add(ofMatMulInteger, "MatMulInteger");
  add(ofMatrices, "Det Trilu");
  add(ofMaxPool, "MaxPool");
  add(ofMeanVariance, "MeanVarianceNormalization");
  add(ofPad, "Pad");
  add(ofQuantization, "DequantizeLinear QuantizeLinear");
  add(ofRecurrence, "GRU LSTM RNN");
  add(ofReverseSequence, "ReverseSequence");
  add(ofScatter, "Scatter ScatterElements");
  add(ofSlice, "Slice");
  add(ofSoftmax, "Hardmax LogSoftmax Softmax");
  add(ofTensorScatter, "TensorScatter");
  add(ofData, "ArrayFeatureExtractor", "ai.onnx.ml.");
  add(ofFeatures,
      "Binarizer FeatureVectorizer Imputer LinearClassifier LinearRegressor "
      "Normalizer SVMClassifier SVMRegressor Scaler TreeEnsemble "
      "TreeEnsembleClassifier TreeEnsembleRegressor",
      "ai.onnx.ml.");
  return rules;
}

/// Why a node is in the way; "" if it is not.
static StringRef problemOf(Operator op, StringRef name,
                           const KnownTypes &types) {
  static const llvm::StringMap<Rule> rules = makeRules();
  BatchedNode node{op, types};
  auto isBatched = [&](Value value) { return node.isBatched(value); };
  // Graphs see values of the outer one that are no inputs.
  if (op.numGraphs() == 0 && !llvm::any_of(op->getOperands(), isBatched))
    return "";
  for (Value result : op->getResults())
    if (!result.use_empty() && !node.isBatched(result))
      return "its result is one of the whole batch";
  auto rule = rules.find(name);
  if (rule == rules.end())
    return "whether its samples are independent is not known";
  return rule->second(node) ? "" : "its samples may depend on each other";
}

std::vector<DmlRefusal> dml::rowBlockProblems(FunctionOpInterface function,
                                              const KnownTypes &types,
                                              const GraphExport &graph) {
  std::vector<DmlRefusal> problems;
  if (graph.batchName.empty())
    problems.push_back({"", "inputs", "no input has a free dimension 0", ""});
  for (const GraphExport::Port &port : graph.outputs)
    if (port.dims.empty() || port.dims[0] != batchDim)
      problems.push_back({port.onnxName, "output",
                          "its dimension 0 is not the batch of the inputs",
                          ""});
  for (Operation &one : function.getFunctionBody().front()) {
    Operator op = Operator::from(&one);
    if (!op || op.numOutputs() == 0)
      continue;
    std::string name = operatorName(op);
    if (StringRef why = problemOf(op, name, types); !why.empty())
      problems.push_back({nodeLabel(op).str(), name, why.str(), ""});
  }
  return problems;
}
