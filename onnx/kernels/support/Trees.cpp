//===- Trees.cpp - Ensembles of decision trees ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Trees.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <tuple>

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// The length of the longest way from each node that the roots reach, or
/// nothing if a node is below itself. Iterative: trees may be deep.
static std::optional<std::vector<int64_t>> heights(const Forest &forest) {
  enum : int64_t { Unseen = 0, Open = -1 };
  std::vector<int64_t> height(forest.nodes.size(), Unseen), stack;
  for (TreeChild root : forest.roots)
    if (!root.isLeaf)
      stack.push_back(root.index);
  while (!stack.empty()) {
    int64_t at = stack.back();
    if (height[at] > 0) {
      stack.pop_back();
      continue;
    }
    const TreeNode &node = forest.nodes[at];
    bool wasOpen = height[at] == Open;
    int64_t longest = 0;
    height[at] = Open;
    for (TreeChild child : {node.whenTrue, node.whenFalse}) {
      if (child.isLeaf)
        continue;
      if (height[child.index] == Open)
        return std::nullopt;
      if (height[child.index] == Unseen)
        stack.push_back(child.index);
      longest = std::max(longest, height[child.index]);
    }
    // The second time all below are done; the first time if nothing was open.
    if (wasOpen || stack.back() == at) {
      height[at] = longest + 1;
      stack.pop_back();
    }
  }
  return height;
}

/// Whether both branches lead to one leaf, so that nothing is compared.
static bool isPlainLeaf(const TreeNode &node) {
  return node.whenTrue.isLeaf && node.whenFalse.isLeaf &&
         node.whenTrue.index == node.whenFalse.index;
}

/// Checks a forest whose children are inside, and sets its `steps`.
static Reason checkForest(Forest &forest, int64_t features) {
  auto height = heights(forest);
  if (!height)
    return invalid("a node of a tree stands below itself");
  for (auto [i, node] : llvm::enumerate(forest.nodes))
    if ((*height)[i] != 0 && (node.feature < 0 || node.feature >= features) &&
        !isPlainLeaf(node))
      return invalid("node " + Twine(i) + " asks for feature " +
                     Twine(node.feature) + " of " + Twine(features));
  for (const TreeVote &vote : forest.votes)
    if (vote.target < 0 || vote.target >= forest.targets)
      return invalid("a leaf votes for target " + Twine(vote.target) + " of " +
                     Twine(forest.targets));
  int64_t most = 1;
  for (size_t leaf = 0; leaf + 1 < forest.firstVote.size(); ++leaf)
    most = std::max(most, forest.firstVote[leaf + 1] - forest.firstVote[leaf]);
  for (TreeChild root : forest.roots)
    forest.steps += most + (root.isLeaf ? 0 : (*height)[root.index]);
  return {};
}

/// A node whose outcome does not depend on x asks for no feature.
static void dropComparisons(Forest &forest) {
  for (TreeNode &node : forest.nodes)
    if (isPlainLeaf(node))
      node.feature = 0;
}

static ReasonOr<Forest> checkedForest(Forest forest, int64_t features) {
  if (Reason wrong = checkForest(forest, features))
    return wrong;
  // x has no feature 0 to be read if it has none at all.
  if (features == 0 && !forest.nodes.empty())
    return undefined("input #0 has no features");
  dropComparisons(forest);
  return forest;
}

//===----------------------------------------------------------------------===//
// TreeEnsembleClassifier and TreeEnsembleRegressor
//===----------------------------------------------------------------------===//

bool onnxfold::hasRepeatedVote(const Forest &forest) {
  for (size_t leaf = 0; leaf + 1 < forest.firstVote.size(); ++leaf) {
    llvm::SmallDenseSet<int64_t> targets;
    for (int64_t i = forest.firstVote[leaf]; i < forest.firstVote[leaf + 1];
         ++i)
      if (!targets.insert(forest.votes[i].target).second)
        return true;
  }
  return false;
}

std::optional<std::vector<double>>
onnxfold::realsOrTensor(FoldContext &cx, llvm::StringRef name) {
  auto reals = cx.reals(name);
  Elements tensor = cx.tensor((name + "_as_tensor").str());
  if (reals && tensor)
    return std::nullopt;
  if (reals)
    return std::vector<double>(reals->begin(), reals->end());
  if (!tensor)
    return std::vector<double>();
  if (typeClass(tensor.type()) != TypeClass::Float)
    return std::nullopt;
  return cast(tensor, DataType::Float64).values<double>();
}

static std::optional<TreeMode> modeOf(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<TreeMode>>(name)
      .Case("BRANCH_LEQ", TreeMode::LessOrEqual)
      .Case("BRANCH_LT", TreeMode::Less)
      .Case("BRANCH_GTE", TreeMode::GreaterOrEqual)
      .Case("BRANCH_GT", TreeMode::Greater)
      .Case("BRANCH_EQ", TreeMode::Equal)
      .Case("BRANCH_NEQ", TreeMode::NotEqual)
      .Default(std::nullopt);
}

namespace {
/// The lists of attributes nodes_* and <prefix>_*.
struct NodeLists {
  Shape trees, ids, features, whenTrue, whenFalse, missing;
  std::vector<double> splits;
  std::vector<std::string> modes;
  Shape voteTrees, voteNodes, voteTargets;
  std::vector<double> weights;

  static ReasonOr<NodeLists> read(FoldContext &cx, llvm::StringRef prefix);
  size_t size() const { return trees.size(); }
  bool isLeaf(size_t i) const { return modes[i] == "LEAF"; }

private:
  Reason checkLengths(llvm::StringRef prefix) const;
};

/// Finds the place in the lists of the node of a tree with some id.
class NodeNumbers {
public:
  explicit NodeNumbers(const NodeLists &lists) {
    for (size_t i = 0; i < lists.size(); ++i)
      numbers.push_back({lists.trees[i], lists.ids[i], i});
    llvm::sort(numbers);
  }
  bool hasRepeats() const {
    for (size_t i = 1; i < numbers.size(); ++i)
      if (std::get<0>(numbers[i - 1]) == std::get<0>(numbers[i]) &&
          std::get<1>(numbers[i - 1]) == std::get<1>(numbers[i]))
        return true;
    return false;
  }
  std::optional<int64_t> find(int64_t tree, int64_t id) const {
    Number wanted = {tree, id, 0};
    auto it = llvm::lower_bound(numbers, wanted);
    if (it == numbers.end() || std::get<0>(*it) != tree ||
        std::get<1>(*it) != id)
      return std::nullopt;
    return std::get<2>(*it);
  }

private:
  using Number = std::tuple<int64_t, int64_t, int64_t>;
  std::vector<Number> numbers;
};
} // namespace

ReasonOr<NodeLists> NodeLists::read(FoldContext &cx, llvm::StringRef prefix) {
  auto ints = [&](const Twine &name) {
    return cx.ints(name.str()).value_or(Shape());
  };
  NodeLists lists;
  lists.trees = ints("nodes_treeids");
  lists.ids = ints("nodes_nodeids");
  lists.features = ints("nodes_featureids");
  lists.whenTrue = ints("nodes_truenodeids");
  lists.whenFalse = ints("nodes_falsenodeids");
  lists.missing = ints("nodes_missing_value_tracks_true");
  lists.modes = cx.strings("nodes_modes").value_or(std::vector<std::string>());
  lists.voteTrees = ints(prefix + "_treeids");
  lists.voteNodes = ints(prefix + "_nodeids");
  lists.voteTargets = ints(prefix + "_ids");
  auto given = realsOrTensor(cx, "nodes_values");
  auto givenWeights = realsOrTensor(cx, (prefix + "_weights").str());
  if (!given || !givenWeights)
    return invalid("attributes 'nodes_values' and '" + prefix +
                   "_weights' are given twice, or are not floats");
  lists.splits = std::move(*given);
  lists.weights = std::move(*givenWeights);
  if (lists.missing.empty())
    lists.missing.resize(lists.size());
  if (Reason wrong = lists.checkLengths(prefix))
    return wrong;
  return lists;
}

/// The last of several that are wrong is named.
Reason NodeLists::checkLengths(llvm::StringRef prefix) const {
  Reason wrong;
  for (size_t other :
       {ids.size(), features.size(), whenTrue.size(), whenFalse.size(),
        missing.size(), splits.size(), modes.size()})
    if (other != size() || other == 0)
      wrong = invalid("attributes 'nodes_*' have " + Twine(size()) + " and " +
                      Twine(other) + " elements, expected one length");
  for (size_t other : {voteNodes.size(), voteTargets.size(), weights.size()})
    if (other != voteTrees.size())
      wrong = invalid("attributes '" + prefix + "_*' have " +
                      Twine(voteTrees.size()) + " and " + Twine(other) +
                      " elements, expected one length");
  return wrong;
}

/// The votes of each leaf, which has the number of its node.
static Reason readVotes(const NodeLists &lists, const NodeNumbers &numbers,
                        Forest &forest) {
  std::vector<int64_t> nodeOf;
  forest.firstVote.resize(lists.size() + 1);
  for (size_t i = 0; i < lists.voteTrees.size(); ++i) {
    auto node = numbers.find(lists.voteTrees[i], lists.voteNodes[i]);
    if (!node)
      return invalid("there is no node " + Twine(lists.voteNodes[i]) +
                     " of tree " + Twine(lists.voteTrees[i]) + " to vote");
    nodeOf.push_back(*node);
    ++forest.firstVote[*node + 1];
  }
  for (size_t i = 0; i < lists.size(); ++i)
    forest.firstVote[i + 1] += forest.firstVote[i];
  std::vector<int64_t> next = forest.firstVote;
  forest.votes.resize(nodeOf.size());
  for (size_t i = 0; i < nodeOf.size(); ++i)
    forest.votes[next[nodeOf[i]]++] = {lists.voteTargets[i], lists.weights[i]};
  return {};
}

/// The roots: the nodes that are listed first of their trees, which nothing
/// may lead to.
static Reason findRoots(const NodeLists &lists, Forest &forest) {
  std::vector<std::pair<int64_t, int64_t>> trees;
  for (size_t i = 0; i < lists.size(); ++i)
    trees.push_back({lists.trees[i], i});
  llvm::sort(trees);
  std::vector<bool> isRoot(lists.size());
  for (size_t i = 0; i < trees.size(); ++i)
    if (i == 0 || trees[i - 1].first != trees[i].first)
      isRoot[trees[i].second] = true;
  for (size_t i = 0; i < lists.size(); ++i) {
    if (isRoot[i])
      forest.roots.push_back({int64_t(i), lists.isLeaf(i)});
    if (lists.isLeaf(i))
      continue;
    for (TreeChild child :
         {forest.nodes[i].whenTrue, forest.nodes[i].whenFalse})
      if (isRoot[child.index])
        return undefined("node " + Twine(child.index) +
                         " is the first of its tree and stands below another");
  }
  return {};
}

ReasonOr<Forest> onnxfold::readForest(FoldContext &cx, const FeatureMatrix &x,
                                      ForestVotes votes) {
  ReasonOr<NodeLists> read = NodeLists::read(cx, votes.prefix);
  if (!read)
    return read.reason();
  const NodeLists &lists = *read;
  NodeNumbers numbers(lists);
  if (numbers.hasRepeats())
    return invalid("two nodes of a tree have one id");
  Forest forest;
  forest.targets = votes.targets;
  forest.nodes.resize(lists.size());
  for (auto [i, node] : llvm::enumerate(forest.nodes)) {
    if (lists.isLeaf(i))
      continue;
    auto mode = modeOf(lists.modes[i]);
    auto whenTrue = numbers.find(lists.trees[i], lists.whenTrue[i]);
    auto whenFalse = numbers.find(lists.trees[i], lists.whenFalse[i]);
    if (!mode || !whenTrue || !whenFalse)
      return invalid("node " + Twine(i) + " has mode '" + lists.modes[i] +
                     "' and leads to nodes " + Twine(lists.whenTrue[i]) +
                     " and " + Twine(lists.whenFalse[i]) +
                     " of its tree, one of which there is not");
    node.split = lists.splits[i];
    node.feature = lists.features[i];
    node.whenTrue = {*whenTrue, lists.isLeaf(*whenTrue)};
    node.whenFalse = {*whenFalse, lists.isLeaf(*whenFalse)};
    node.mode = *mode;
    node.missingIsTrue = lists.missing[i] == 1;
  }
  if (Reason wrong = readVotes(lists, numbers, forest))
    return wrong;
  if (Reason wrong = findRoots(lists, forest))
    return wrong;
  return checkedForest(std::move(forest), x.columns);
}

//===----------------------------------------------------------------------===//
// TreeEnsemble
//===----------------------------------------------------------------------===//

/// The sets of the nodes of mode Member, in their order, each ended by a NaN.
static bool readMembers(FoldContext &cx, Forest &forest) {
  if (Elements members = cx.tensor("membership_values"))
    if (typeClass(members.type()) == TypeClass::Float)
      forest.members = cast(members, DataType::Float64).values<double>();
  int64_t at = 0, end = forest.members.size();
  for (TreeNode &node : forest.nodes) {
    if (node.mode != TreeMode::Member)
      continue;
    node.firstMember = at;
    while (at != end && forest.members[at] == forest.members[at])
      ++at;
    if (at == end)
      return false;
    node.endMember = at++;
  }
  return at == end;
}

/// A child of TreeEnsemble, or nothing if it is outside.
static std::optional<TreeChild> childAt(int64_t index, bool isLeaf,
                                        const Forest &forest) {
  size_t count = isLeaf ? forest.votes.size() : forest.nodes.size();
  if (index < 0 || size_t(index) >= count)
    return std::nullopt;
  return TreeChild{index, isLeaf};
}

/// One vote for each leaf, and the roots.
static bool readLeaves(FoldContext &cx, const Elements &weights,
                       Forest &forest) {
  Shape targets = cx.ints("leaf_targetids").value_or(Shape());
  Shape roots = cx.ints("tree_roots").value_or(Shape());
  if (!weights || typeClass(weights.type()) != TypeClass::Float ||
      weights.size() != int64_t(targets.size()) || roots.empty())
    return false;
  ElementsArray<double> values(cast(weights, DataType::Float64));
  for (auto [target, weight] : llvm::zip_equal(targets, values)) {
    forest.firstVote.push_back(forest.votes.size());
    forest.votes.push_back({target, weight});
  }
  forest.firstVote.push_back(forest.votes.size());
  for (int64_t root : roots) {
    auto node = childAt(root, /*isLeaf=*/false, forest);
    if (!node)
      return false;
    forest.roots.push_back(*node);
  }
  return true;
}

ReasonOr<Forest> onnxfold::readEnsemble(FoldContext &cx,
                                        const FeatureMatrix &x) {
  auto ints = [&](llvm::StringRef name) {
    return cx.ints(name).value_or(Shape());
  };
  Shape features = ints("nodes_featureids"), modes = ints("nodes_modes");
  Shape whenTrue = ints("nodes_truenodeids"), isTrueLeaf;
  Shape whenFalse = ints("nodes_falsenodeids"), isFalseLeaf;
  Shape missing = ints("nodes_missing_value_tracks_true");
  isTrueLeaf = ints("nodes_trueleafs");
  isFalseLeaf = ints("nodes_falseleafs");
  Elements splits = cx.tensor("nodes_splits");
  if (missing.empty())
    missing.resize(features.size());
  for (size_t other : {modes.size(), whenTrue.size(), whenFalse.size(),
                       isTrueLeaf.size(), isFalseLeaf.size(), missing.size()})
    if (other != features.size() || !splits ||
        typeClass(splits.type()) != TypeClass::Float ||
        splits.size() != int64_t(other))
      return invalid("attributes 'nodes_*' are not lists of one "
                     "length");
  Forest forest;
  forest.targets = cx.integer("n_targets").value_or(0);
  forest.nodes.resize(features.size());
  if (!readLeaves(cx, cx.tensor("leaf_weights"), forest))
    return invalid("attributes 'leaf_*' are not lists of one "
                   "length, or a root is not a node");
  ElementsArray<double> split(cast(splits, DataType::Float64));
  for (auto [i, node] : llvm::enumerate(forest.nodes)) {
    auto yes = childAt(whenTrue[i], isTrueLeaf[i] != 0, forest);
    auto no = childAt(whenFalse[i], isFalseLeaf[i] != 0, forest);
    if (!yes || !no || modes[i] < 0 || modes[i] > int64_t(TreeMode::Member))
      return invalid("node " + Twine(i) + " has mode " + Twine(modes[i]) +
                     " and leads to " + Twine(whenTrue[i]) + " and " +
                     Twine(whenFalse[i]) + ", which is outside");
    node = {split[i], features[i],        *yes,           *no, 0,
            0,        TreeMode(modes[i]), missing[i] == 1};
  }
  if (!readMembers(cx, forest))
    return invalid("attribute 'membership_values' does not have a "
                   "set for each node of mode BRANCH_MEMBER");
  return checkedForest(std::move(forest), x.columns);
}

//===----------------------------------------------------------------------===//
// Walking
//===----------------------------------------------------------------------===//

static bool compare(const Forest &forest, const TreeNode &node, double v) {
  switch (node.mode) {
  case TreeMode::LessOrEqual:
    return v <= node.split;
  case TreeMode::Less:
    return v < node.split;
  case TreeMode::GreaterOrEqual:
    return v >= node.split;
  case TreeMode::Greater:
    return v > node.split;
  case TreeMode::Equal:
    return v == node.split;
  case TreeMode::NotEqual:
    return v != node.split;
  case TreeMode::Member:
    break;
  }
  for (int64_t i = node.firstMember; i < node.endMember; ++i)
    if (v == forest.members[i])
      return true;
  return false;
}

/// The leaf that x reaches, or -1 if no branch is specified for x.
static int64_t walk(const Forest &forest, TreeChild at, const double *x) {
  while (!at.isLeaf) {
    const TreeNode &node = forest.nodes[at.index];
    double v = x[node.feature];
    bool yes = v == v ? compare(forest, node, v) : node.missingIsTrue;
    if (v != v && !yes && node.mode == TreeMode::NotEqual)
      return -1;
    at = yes ? node.whenTrue : node.whenFalse;
  }
  return at.index;
}

enum class RowVotes { Complete, WithoutSome, Unknown };

/// The votes that one row of features gets: for all targets, or for some of
/// them; or it is not said which.
static RowVotes countRow(const Forest &forest, const double *x,
                         Aggregate aggregate,
                         llvm::MutableArrayRef<double> scores,
                         std::vector<char> &voted) {
  voted.assign(scores.size(), false);
  bool isSum = aggregate == Aggregate::Sum || aggregate == Aggregate::Average;
  for (TreeChild root : forest.roots) {
    int64_t leaf = walk(forest, root, x);
    if (leaf < 0)
      return RowVotes::Unknown;
    for (int64_t i = forest.firstVote[leaf]; i < forest.firstVote[leaf + 1];
         ++i) {
      auto [target, weight] = forest.votes[i];
      double &score = scores[target];
      if (isSum)
        score += weight;
      else if (!voted[target])
        score = weight;
      else if (aggregate == Aggregate::Min)
        score = minimum(score, weight);
      else
        score = maximum(score, weight);
      voted[target] = true;
    }
  }
  if (aggregate == Aggregate::Average)
    for (double &score : scores)
      score /= forest.roots.size();
  return llvm::all_of(voted, [](char v) { return v; }) ? RowVotes::Complete
                                                       : RowVotes::WithoutSome;
}

ReasonOr<Scores> onnxfold::countVotes(FoldContext &cx, const Forest &forest,
                                      const FeatureMatrix &x,
                                      Aggregate aggregate,
                                      llvm::StringRef whyAll) {
  if (aggregate == Aggregate::Min || aggregate == Aggregate::Max)
    whyAll = "a row gives a target no vote";
  ReasonOr<Scores> result =
      makeScores(cx, DataType::Float64, x.rows, forest.targets);
  if (!result)
    return result;
  if (Reason limit = cx.checkWork(x.rows * (forest.steps + forest.targets)))
    return limit;
  std::atomic<bool> isUnknown = false, isPartial = false;
  ElementsArray<double> features(x.values);
  // Threads take rows; one row of a thousand trees is work enough.
  int64_t rows = std::max<int64_t>(1, int64_t(10000 / (1 + forest.steps)));
  parallelFor(x.rows, rows, [&](int64_t begin, int64_t end) {
    std::vector<char> voted;
    for (int64_t i = begin; i < end; ++i) {
      RowVotes votes = countRow(forest, features.data() + i * x.columns,
                                aggregate, result->row(i), voted);
      isUnknown = isUnknown || votes == RowVotes::Unknown;
      isPartial = isPartial || votes == RowVotes::WithoutSome;
    }
  });
  if (isUnknown)
    return undefined("a NaN meets BRANCH_NEQ");
  if (isPartial && !whyAll.empty())
    return undefined(whyAll);
  return result;
}
