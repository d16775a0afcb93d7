//===- TreeSums.cpp - Sums over trees as one ensemble ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/export/internal/TreeSums.h"
#include "onnxfold/dml/export/internal/Makers.h"
#include "onnxfold/dml/support/Probe.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <set>

using namespace onnxfold;
using namespace onnxfold::dml;
using namespace mlir;

static constexpr llvm::StringLiteral treeLists[] = {"nodes_treeids",
                                                    "target_treeids"};
static constexpr llvm::StringLiteral intLists[] = {
    "nodes_nodeids",
    "nodes_featureids",
    "nodes_truenodeids",
    "target_nodeids",
    "nodes_falsenodeids",
    "target_ids",
    "nodes_missing_value_tracks_true"};
/// Is all zeros if it is not given.
static constexpr llvm::StringLiteral mayMiss =
    "nodes_missing_value_tracks_true";
static constexpr llvm::StringLiteral floatLists[] = {"nodes_values",
                                                     "target_weights"};

//===----------------------------------------------------------------------===//
// Ensembles
//===----------------------------------------------------------------------===//

/// The regressor that makes the value as a plain sum for one target; else null.
static Operator sumOfTrees(Value value) {
  Operator op = makerOf(value);
  bool isPlain = op && op.domain() == "ai.onnx.ml" &&
                 op.opType() == "TreeEnsembleRegressor" && op.hasInput(0) &&
                 op.getInt("n_targets", 0) == 1 &&
                 op.getString("aggregate_function", "SUM") == "SUM" &&
                 op.getString("post_transform", "NONE") == "NONE" &&
                 !op.has("base_values") && !op.has("base_values_as_tensor") &&
                 !op.has("nodes_values_as_tensor") &&
                 !op.has("target_weights_as_tensor");
  return isPlain ? op : Operator();
}

/// The votes of one tree, a column, if each leaf has one; else null.
static Elements votesOfTree(Operator op) {
  auto trees = op.getInts("nodes_treeids"), ids = op.getInts("target_nodeids");
  auto modes = op.getStrings("nodes_modes");
  auto weights = op.getFloats("target_weights");
  if (!trees || !ids || !modes || !weights || !llvm::all_equal(*trees) ||
      ids->size() != weights->size() ||
      std::set<int64_t>(ids->begin(), ids->end()).size() != ids->size() ||
      llvm::count(*modes, "LEAF") != int64_t(ids->size()))
    return {};
  return Elements::fromValues<float>({int64_t(weights->size()), 1}, *weights);
}

/// The numbers of the columns that the node before takes from its input become
/// those of the features.
static bool readAllFeatures(Operator op) {
  Operator gather = makerOf(op.input(0));
  if (!gather || !gather.is("Gather") || gather.getInt("axis", 0) != 1)
    return false;
  Elements columns = constantOf(gather.input(1));
  auto features = op.getInts("nodes_featureids");
  if (!columns || columns.shape().size() != 1 || !features)
    return false;
  Shape from(columns.ints());
  for (int64_t &feature : *features) {
    if (feature < 0 || feature >= int64_t(from.size()) || from[feature] < 0)
      return false;
    feature = from[feature];
  }
  op->setAttr("nodes_featureids",
              OpBuilder(op.getOperation()).getDenseI64ArrayAttr(*features));
  op->setOperand(0, gather.input(0));
  return true;
}

//===----------------------------------------------------------------------===//
// Functions of leaves
//===----------------------------------------------------------------------===//

namespace {

/// A value that the leaf of one tree decides: one for each leaf.
struct LeafFunction {
  Operator tree;
  Elements values;
};

class LeafFunctions {
public:
  /// Notes what the result of the node is, if it is one.
  void visit(Operator op);
  /// Makes trees of those that other nodes read.
  bool replace();

private:
  bool isInner(Operation *op) const {
    return op->getNumResults() == 1 && known.contains(op->getResult(0));
  }
  llvm::MapVector<Value, LeafFunction> known;
};

} // namespace

/// The result of a node has one element for each of its first input, and nothing
/// else decides that.
static bool isByElement(Operator op) {
  if (op.domain() == "ai.onnx.ml")
    return op.opType() == "LabelEncoder";
  return op.isAny({"Abs",
                   "Add",
                   "And",
                   "Cast",
                   "Ceil",
                   "Div",
                   "Equal",
                   "Exp",
                   "Floor",
                   "Greater",
                   "GreaterOrEqual",
                   "Identity",
                   "Less",
                   "LessOrEqual",
                   "Log",
                   "Max",
                   "Min",
                   "Mul",
                   "Neg",
                   "Not",
                   "Or",
                   "Pow",
                   "Reciprocal",
                   "Reshape",
                   "Round",
                   "Sqrt",
                   "Sub",
                   "Sum",
                   "Where"});
}

void LeafFunctions::visit(Operator op) {
  if (op->getNumResults() != 1)
    return;
  Value result = op->getResult(0);
  if (Operator tree = sumOfTrees(result)) {
    if (Elements votes = votesOfTree(tree))
      known[result] = {tree, votes};
    return;
  }
  if (!isByElement(op) || op->getNumRegions() != 0)
    return;
  Operator tree;
  std::vector<Elements> inputs;
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    auto found = known.find(op.input(i));
    bool isFunction = op.hasInput(i) && found != known.end();
    if (isFunction && tree &&
        tree.getOperation() != found->second.tree.getOperation())
      return;
    if (isFunction)
      tree = found->second.tree;
    Elements values =
        isFunction ? found->second.values : constantOf(op.input(i));
    bool isSizes = op.is("Reshape") && i == 1;
    if (!values || (!isFunction && !isSizes && values.size() != 1))
      return;
    inputs.push_back(std::move(values));
  }
  if (!tree)
    return;
  ReasonOr<Elements> values = probed(op, inputs);
  if (values && values->shape() == known[tree->getResult(0)].values.shape())
    known[result] = {tree, *values};
}

bool LeafFunctions::replace() {
  bool isAny = false;
  for (auto &[value, function] : known) {
    Operation *tree = function.tree.getOperation();
    bool isRead = llvm::any_of(value.getUsers(),
                               [&](Operation *user) { return !isInner(user); });
    if (value.getDefiningOp() == tree || !isRead ||
        function.values.type() != DataType::Float32)
      continue;
    std::vector<float> votes = function.values.values<float>();
    if (!llvm::all_of(votes, [](float v) { return std::isfinite(v); }))
      continue;
    OpBuilder builder(value.getDefiningOp());
    Operation *made = builder.clone(*tree);
    made->setAttr("target_weights", builder.getDenseF32ArrayAttr(votes));
    made->getResult(0).setType(value.getType());
    Operator::from(made).setOutputNames(
        Operator::from(value.getDefiningOp()).outputName(0));
    value.replaceAllUsesWith(made->getResult(0));
    isAny = true;
  }
  return isAny;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Gives the node all trees of the ensembles, with numbers of their own.
static void setTrees(Operation *made, ArrayRef<Operator> ensembles) {
  Builder builder(made->getContext());
  auto joinInts = [&](StringRef name, bool areTrees) {
    SmallVector<int64_t> all;
    int64_t first = 0;
    for (Operator one : ensembles) {
      SmallVector<int64_t> trees = *one.getInts("nodes_treeids");
      auto list = one.getInts(name).value_or(SmallVector<int64_t>());
      if (name == mayMiss && list.empty())
        list.resize(trees.size());
      for (int64_t number : list)
        all.push_back(areTrees ? first + number : number);
      first += *llvm::max_element(trees) + 1;
    }
    made->setAttr(name, builder.getDenseI64ArrayAttr(all));
  };
  for (StringRef name : treeLists)
    joinInts(name, true);
  for (StringRef name : intLists)
    joinInts(name, false);
  for (StringRef name : floatLists) {
    SmallVector<float> all;
    for (Operator one : ensembles)
      llvm::append_range(all, *one.getFloats(name));
    made->setAttr(name, builder.getDenseF32ArrayAttr(all));
  }
  SmallVector<StringRef> modes;
  for (Operator one : ensembles)
    llvm::append_range(modes, *one.getStrings("nodes_modes"));
  made->setAttr("nodes_modes", builder.getStrArrayAttr(modes));
  made->removeAttr("nodes_hitrates");
  made->removeAttr("nodes_hitrates_as_tensor");
}

/// The lists of the ensemble are there, and the numbers of its trees have room
/// after those of other ensembles.
static bool canJoin(Operator op) {
  auto isThere = [&](StringRef name) {
    return name == mayMiss || op.getInts(name);
  };
  auto hasRoom = [&](StringRef name) {
    auto trees = op.getInts(name);
    return trees && !trees->empty() && llvm::all_of(*trees, [](int64_t tree) {
             return tree >= 0 && tree <= INT32_MAX;
           });
  };
  return llvm::all_of(treeLists, hasRoom) && llvm::all_of(intLists, isThere) &&
         op.getFloats("nodes_values") && op.getFloats("target_weights") &&
         op.getStrings("nodes_modes");
}

/// The ensembles that a sum adds; none if it adds anything else.
static SmallVector<Operator> summands(Operator op) {
  SmallVector<Operator> trees;
  if (!op.isAny({"Add", "Sum"}))
    return {};
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Operator one = op.hasInput(i) ? sumOfTrees(op.input(i)) : Operator();
    bool isLike = one && canJoin(one) && one->hasOneUse() &&
                  (trees.empty() || one.input(0) == trees[0].input(0)) &&
                  (trees.empty() || one.since() == trees[0].since());
    if (!isLike)
      return {};
    trees.push_back(one);
  }
  return trees.size() > 1 ? trees : SmallVector<Operator>();
}

static bool joinSum(Operator op) {
  SmallVector<Operator> trees = summands(op);
  if (trees.empty())
    return false;
  OpBuilder builder(op.getOperation());
  Operation *made = builder.clone(*trees[0].getOperation());
  setTrees(made, trees);
  made->getResult(0).setType(op->getResult(0).getType());
  Operator::from(made).setOutputNames(op.outputName(0));
  op->getResult(0).replaceAllUsesWith(made->getResult(0));
  op->erase();
  return true;
}

bool dml::joinTrees(Region &graph) {
  bool hasTrees = llvm::any_of(graph.front(), [](Operation &op) {
    return op.getNumResults() == 1 && sumOfTrees(op.getResult(0));
  });
  if (!hasTrees)
    return false;
  bool isChanged = false;
  LeafFunctions functions;
  for (Operation &one : graph.front())
    if (Operator op = Operator::from(&one)) {
      if (op->getNumResults() == 1 && sumOfTrees(op->getResult(0)))
        isChanged |= readAllFeatures(op);
      functions.visit(op);
    }
  isChanged |= functions.replace();
  for (Operation &one : llvm::make_early_inc_range(graph.front()))
    if (Operator op = Operator::from(&one))
      isChanged |= joinSum(op);
  return isChanged;
}
