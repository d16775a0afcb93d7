//===- TreeEnsemble.cpp - Lowering of onnx.ml.TreeEnsemble ---------------===//
//
// The votes of trees, one of each leaf, aggregated, then post_transform. A set of
// members is a chain of comparisons with each.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/WeightFile.h"
#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/support/Scores.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

struct Ensemble {
  Shape features, modes, whenTrue, whenFalse, isTrueLeaf, isFalseLeaf, missing;
  std::vector<double> splits, members;
};

} // namespace

static Shape listOf(LoweringContext &cx, llvm::StringRef name, size_t size) {
  auto list = cx.op().getInts(name);
  return list ? Shape(std::move(*list)) : Shape(size);
}

static std::vector<double> tensorOf(LoweringContext &cx, llvm::StringRef name) {
  mlir::ElementsAttr tensor = cx.op().getTensor(name);
  return tensor ? asDoubles(fromAttribute(tensor)).values<double>()
                : std::vector<double>();
}

/// Node i; if it has a set of members, it asks for the first of them, and nodes
/// at the end for the others.
static void addNode(const Ensemble &lists, size_t i, size_t &member,
                    Forest &forest) {
  ForestNode node{lists.features[i],
                  lists.splits[i],
                  TreeMode(lists.modes[i]),
                  {lists.whenTrue[i], lists.isTrueLeaf[i] != 0},
                  {lists.whenFalse[i], lists.isFalseLeaf[i] != 0},
                  lists.missing[i] == 1};
  size_t at = i;
  while (node.mode == TreeMode::Member && member < lists.members.size()) {
    ForestNode one = node;
    one.mode = TreeMode::Equal;
    one.split = lists.members[member++];
    bool isLast =
        member == lists.members.size() || std::isnan(lists.members[member]);
    if (!isLast)
      one.whenFalse = {int64_t(forest.nodes.size()), false};
    forest.nodes[at] = one;
    if (isLast) {
      ++member;
      return;
    }
    at = forest.nodes.size();
    forest.nodes.emplace_back();
  }
  forest.nodes[at] = node;
}

static Lowered readEnsemble(LoweringContext &cx, Forest &forest) {
  auto features = cx.op().getInts("nodes_featureids");
  size_t size = features ? features->size() : 0;
  Ensemble lists{listOf(cx, "nodes_featureids", 0),
                 listOf(cx, "nodes_modes", 0),
                 listOf(cx, "nodes_truenodeids", 0),
                 listOf(cx, "nodes_falsenodeids", 0),
                 listOf(cx, "nodes_trueleafs", 0),
                 listOf(cx, "nodes_falseleafs", 0),
                 listOf(cx, "nodes_missing_value_tracks_true", size),
                 tensorOf(cx, "nodes_splits"),
                 tensorOf(cx, "membership_values")};
  // nodes_modes is a tensor of uint8.
  if (mlir::ElementsAttr modes = cx.op().getTensor("nodes_modes"))
    lists.modes = Shape(fromAttribute(modes).ints());
  for (size_t other :
       {lists.modes.size(), lists.whenTrue.size(), lists.whenFalse.size(),
        lists.isTrueLeaf.size(), lists.isFalseLeaf.size(), lists.missing.size(),
        lists.splits.size()})
    if (other != size || size == 0)
      return Lowered::refused("the lists of nodes do not fit together");
  forest.nodes.resize(size);
  size_t member = 0;
  for (size_t i = 0; i < size; ++i)
    addNode(lists, i, member, forest);
  Shape targets = listOf(cx, "leaf_targetids", 0);
  std::vector<double> weights = tensorOf(cx, "leaf_weights");
  if (targets.size() != weights.size())
    return Lowered::refused("the lists of leaves do not fit together");
  for (size_t i = 0; i < targets.size(); ++i)
    forest.votes.push_back({int64_t(i), targets[i], weights[i]});
  for (int64_t root : listOf(cx, "tree_roots", 0))
    forest.roots.push_back({root, false});
  // Single leaves are nodes whose branches are the same.
  for (const ForestNode &node : forest.nodes)
    for (ForestChild child : {node.whenTrue, node.whenFalse})
      if (child.index < 0 ||
          size_t(child.index) >=
              (child.isLeaf ? targets.size() : forest.nodes.size()))
        return Lowered::refused("a branch leads to nothing");
  for (ForestChild root : forest.roots)
    if (root.index < 0 || size_t(root.index) >= size)
      return Lowered::refused("a root is no node");
  return Lowered::done();
}

static Lowered lowerTreeEnsemble(LoweringContext &cx) {
  Forest forest;
  forest.targets = cx.op().getInt("n_targets", 0);
  if (Lowered wrong = readEnsemble(cx, forest); !wrong.isDone())
    return wrong;
  constexpr llvm::StringLiteral aggregates[] = {"AVERAGE", "SUM", "MIN", "MAX"},
                                transforms[] = {"NONE", "SOFTMAX", "LOGISTIC",
                                                "SOFTMAX_ZERO", "PROBIT"};
  int64_t aggregate = cx.op().getInt("aggregate_function", 1),
          transform = cx.op().getInt("post_transform", 0);
  if (aggregate < 0 || aggregate > 3 || transform < 0 || transform > 4)
    return Lowered::refused(
        "the aggregate function or post_transform is wrong");
  View scores;
  if (Lowered wrong = countVotes(cx, forest, aggregates[aggregate], scores);
      !wrong.isDone())
    return wrong;
  return defineRegression(cx, scores, transforms[transform]);
}

namespace onnxfold::dml {
void registerTreeEnsembleLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.TreeEnsemble", {5}, lowerTreeEnsemble);
}
} // namespace onnxfold::dml
