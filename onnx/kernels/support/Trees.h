//===- Trees.h - Ensembles of decision trees --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The common part of TreeEnsemble, TreeEnsembleClassifier and
// TreeEnsembleRegressor: a forest that was checked (every index is in range, no
// node is its own descendant), and the scores of a row of features, which are
// the aggregated votes of the leaves that it reaches.
//
//   ReasonOr<Forest> forest = readForest(cx, x, {"class", labels.size()});
//   if (!forest)
//     return forest.reason();
//   ReasonOr<Scores> scores = countVotes(cx, forest, x, Aggregate::Sum);
//
// Everything is computed in double. A NaN takes the branch that the node states
// for missing values (by default the false one). At BRANCH_NEQ without such a
// statement the result is undefined: the specification takes the false branch,
// runtimes take the true one.
//
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_TREES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_TREES_H

#include "onnxfold/onnx/kernels/support/Scores.h"

namespace onnxfold {

/// The numbers are those of TreeEnsemble's nodes_modes.
enum class TreeMode : uint8_t {
  LessOrEqual,
  Less,
  GreaterOrEqual,
  Greater,
  Equal,
  NotEqual,
  Member,
};

/// A child (or a root): a node, or a leaf.
struct TreeChild {
  int64_t index = 0;
  bool isLeaf = false;
};

struct TreeNode {
  double split = 0;
  int64_t feature = 0;
  TreeChild whenTrue, whenFalse;
  /// Member: the values are members[first] to members[end - 1].
  int64_t firstMember = 0, endMember = 0;
  TreeMode mode = TreeMode::LessOrEqual;
  bool missingIsTrue = false;
};

struct TreeVote {
  int64_t target;
  double weight;
};

struct Forest {
  std::vector<TreeNode> nodes;
  std::vector<TreeChild> roots;
  std::vector<double> members;
  /// Leaf i has votes[firstVote[i]] to votes[firstVote[i + 1] - 1].
  std::vector<TreeVote> votes;
  std::vector<int64_t> firstVote;
  int64_t targets = 0;
  /// The number of nodes on the longest paths of all trees, plus the number of
  /// votes of the leaves.
  double steps = 0;
};

/// The forest of TreeEnsembleClassifier and -Regressor: it is read from the
/// attributes nodes_*, and its votes from <prefix>_*. The root of a tree is the
/// node of it that is listed first.
struct ForestVotes {
  llvm::StringRef prefix;
  int64_t targets;
};
ReasonOr<Forest> readForest(FoldContext &cx, const FeatureMatrix &x,
                            ForestVotes votes);

/// The forest of TreeEnsemble.
ReasonOr<Forest> readEnsemble(FoldContext &cx, const FeatureMatrix &x);

/// Whether a leaf votes for one target more than once.
bool hasRepeatedVote(const Forest &forest);

/// Floats from attribute `name`, or of any float type from `<name>_as_tensor`;
/// an empty list if neither is present, nothing if both are.
std::optional<std::vector<double>> realsOrTensor(FoldContext &cx,
                                                 llvm::StringRef name);

/// The numbers are those of TreeEnsemble's aggregate_function.
enum class Aggregate : uint8_t { Average, Sum, Min, Max };

/// The aggregated votes for each target, for each row of x. For a target
/// without votes Sum and Average (over the number of trees) are 0, and Min and
/// Max are undefined. `whyAll`, if it is not empty, is the reason why Sum and
/// Average are undefined too where a row gives a target no vote.
ReasonOr<Scores> countVotes(FoldContext &cx, const Forest &forest,
                            const FeatureMatrix &x, Aggregate aggregate,
                            llvm::StringRef whyAll = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_TREES_H
