//===- Forest.cpp - Ensembles of decision trees in DML --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/support/Probe.h"
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Paths from roots to leaves are as many as columns of a matrix.
static constexpr size_t mostPaths = 1 << 20;
static constexpr double infinity = std::numeric_limits<double>::infinity();
/// What infinities of the features become in the product.
static constexpr double most = std::numeric_limits<double>::max();

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

template <typename Read>
static ReasonOr<Forest> readTrees(LoweringContext &cx, Read read) {
  if (cx.input(0).rank() != 2)
    return invalid("input #0 is not rows of features");
  FeatureMatrix x;
  x.columns = cx.input(0).dims[1];
  Forest forest;
  Reason wrong = readAsKernel(cx, {}, [&](FoldContext &context) {
    ReasonOr<Forest> made = read(context, x);
    if (made)
      forest = std::move(*made);
    return made.reason();
  });
  if (wrong)
    return wrong;
  return forest;
}

ReasonOr<Forest> dml::forestOf(LoweringContext &cx, ForestVotes votes) {
  return readTrees(cx, [=](FoldContext &context, const FeatureMatrix &x) {
    return readForest(context, x, votes);
  });
}

/// A node with a set of members asks for the first of them, and new nodes for
/// the others. A node without a set is kept.
static void splitMembers(Forest &forest) {
  for (size_t i = 0, size = forest.nodes.size(); i < size; ++i) {
    TreeNode node = forest.nodes[i];
    if (node.mode != TreeMode::Member)
      continue;
    size_t at = i;
    for (int64_t member = node.firstMember; member < node.endMember; ++member) {
      TreeNode one = node;
      one.mode = TreeMode::Equal;
      one.split = forest.members[member];
      size_t next = forest.nodes.size();
      if (member + 1 < node.endMember) {
        one.whenFalse = {int64_t(next), false};
        forest.nodes.emplace_back();
      }
      forest.nodes[at] = one;
      at = next;
    }
  }
}

ReasonOr<Forest> dml::ensembleOf(LoweringContext &cx) {
  ReasonOr<Forest> forest = readTrees(cx, readEnsemble);
  if (forest)
    splitMembers(*forest);
  return forest;
}

ReasonOr<std::vector<double>> dml::baseValuesOf(LoweringContext &cx,
                                                int64_t targets) {
  std::vector<double> result;
  Reason wrong = readAsKernel(cx, {}, [&](FoldContext &context) -> Reason {
    auto base = realsOrTensor(context, "base_values");
    if (!base || (!base->empty() && int64_t(base->size()) != targets))
      return invalid("base_values is not one for each target");
    result = std::move(*base);
    return {};
  });
  if (wrong)
    return wrong;
  return result;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

namespace {

/// A sparse matrix as three columns.
struct SparseMatrix {
  std::vector<double> rows, columns, values;
  void add(int64_t row, int64_t column, double value) {
    rows.push_back(row + 1);
    columns.push_back(column + 1);
    values.push_back(value);
  }
};

/// The columns of the matrices, one for each node that asks for a feature and
/// one for each path to a leaf.
class ForestTables {
public:
  ForestTables(const Forest &forest, bool hasDoubles)
      : forest(forest), hasDoubles(hasDoubles),
        column(forest.nodes.size(), -1) {}

  Lowered build();
  /// Each row gives each target a vote: of some tree, all leaves have one.
  bool everyRowVotes() const;

  SparseMatrix nodeFeatures, sides, votes;
  std::vector<double> splits, below, missing, trueSteps;
  std::vector<size_t> treeOfPath;
  bool hasEqual = false, hasMissing = false;

private:
  struct Step {
    int64_t node;
    bool isTrue;
  };
  struct Open {
    TreeChild at;
    size_t depth;
    Step step; ///< the last one before `at`
  };
  Lowered walk(size_t tree);
  int64_t columnOf(int64_t node);
  void addPath(int64_t leaf, size_t tree, llvm::ArrayRef<Step> steps);

  const Forest &forest;
  bool hasDoubles; ///< features are float64
  std::vector<int64_t> column;
};

} // namespace

/// True and false are exchanged in the modes that are the opposite of <=, <.
static bool isOpposite(TreeMode mode) {
  return mode == TreeMode::GreaterOrEqual || mode == TreeMode::Greater ||
         mode == TreeMode::NotEqual;
}

/// Whether features as the largest doubles stand for infinities alone here: no
/// float32 is as large, and some comparisons with infinity have one answer.
static bool isExact(const TreeNode &node, bool hasDoubles) {
  if (std::isfinite(node.split))
    return std::abs(node.split) < most;
  bool isAlwaysOrNever =
      node.split > 0
          ? node.mode == TreeMode::LessOrEqual || node.mode == TreeMode::Greater
          : node.mode == TreeMode::Less ||
                node.mode == TreeMode::GreaterOrEqual;
  return !std::isnan(node.split) && (isAlwaysOrNever || !hasDoubles);
}

int64_t ForestTables::columnOf(int64_t number) {
  if (column[number] >= 0)
    return column[number];
  const TreeNode &node = forest.nodes[number];
  int64_t result = column[number] = splits.size();
  bool isEqual =
           node.mode == TreeMode::Equal || node.mode == TreeMode::NotEqual,
       isStrict =
           node.mode == TreeMode::Less || node.mode == TreeMode::GreaterOrEqual;
  double split = std::clamp(node.split, -most, most);
  // No feature is below -infinity, and none as the largest double below that.
  double before = std::nextafter(split, -infinity);
  splits.push_back(isStrict ? before : split);
  below.push_back(isEqual ? before : -infinity);
  bool missingSide = node.missingIsTrue != isOpposite(node.mode);
  missing.push_back(missingSide);
  hasEqual |= isEqual;
  hasMissing |= missingSide;
  nodeFeatures.add(node.feature, result, 1);
  return result;
}

void ForestTables::addPath(int64_t leaf, size_t tree,
                           llvm::ArrayRef<Step> steps) {
  int64_t path = trueSteps.size(), count = 0;
  for (const Step &step : steps) {
    bool isTrue = step.isTrue != isOpposite(forest.nodes[step.node].mode);
    sides.add(columnOf(step.node), path, isTrue ? 1 : -1);
    count += isTrue;
  }
  trueSteps.push_back(count);
  treeOfPath.push_back(tree);
  for (int64_t i = forest.firstVote[leaf]; i < forest.firstVote[leaf + 1]; ++i)
    votes.add(path, forest.votes[i].target, forest.votes[i].weight);
}

/// All paths of a tree. Iterative: trees may be deep.
Lowered ForestTables::walk(size_t tree) {
  std::vector<Step> steps;
  std::vector<Open> open{{forest.roots[tree], 0, {}}};
  while (!open.empty()) {
    Open now = open.back();
    open.pop_back();
    if (now.depth > 0) {
      steps.resize(now.depth - 1);
      steps.push_back(now.step);
    }
    if (now.at.isLeaf) {
      addPath(now.at.index, tree, steps);
      if (trueSteps.size() > mostPaths)
        return Lowered::refused("the trees have too many leaves");
      continue;
    }
    const TreeNode &node = forest.nodes[now.at.index];
    if (node.whenTrue.isLeaf && node.whenFalse.isLeaf &&
        node.whenTrue.index == node.whenFalse.index) {
      open.push_back({node.whenTrue, now.depth, now.step}); // nothing is asked
      continue;
    }
    open.push_back({node.whenFalse, now.depth + 1, {now.at.index, false}});
    open.push_back({node.whenTrue, now.depth + 1, {now.at.index, true}});
  }
  return Lowered::done();
}

Lowered ForestTables::build() {
  for (const TreeVote &vote : forest.votes)
    if (!std::isfinite(vote.weight))
      return Lowered::refused("a vote is not finite");
  for (const TreeNode &node : forest.nodes)
    if (node.mode == TreeMode::Member || !isExact(node, hasDoubles))
      return Lowered::refused(
          "a node compares with " + numberText(node.split) +
          (std::isnan(node.split)
               ? ""
               : ", and features of float64 may be as large"));
  for (size_t tree = 0; tree < forest.roots.size(); ++tree)
    if (Lowered wrong = walk(tree); !wrong.isDone())
      return wrong;
  return Lowered::done();
}

bool ForestTables::everyRowVotes() const {
  std::vector<int64_t> leaves(forest.roots.size());
  for (size_t tree : treeOfPath)
    ++leaves[tree];
  std::set<std::pair<int64_t, int64_t>> seen; // path and target
  std::map<std::pair<int64_t, size_t>, int64_t> votesOfTree;
  std::set<int64_t> sure;
  for (auto [row, column] : llvm::zip_equal(votes.rows, votes.columns)) {
    size_t tree = treeOfPath[size_t(row) - 1];
    if (seen.insert({int64_t(row), int64_t(column)}).second &&
        ++votesOfTree[{int64_t(column), tree}] == leaves[tree])
      sure.insert(int64_t(column));
  }
  return int64_t(sure.size()) == forest.targets;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

static Expr doubles(LoweringContext &cx, llvm::StringRef name,
                    const std::vector<double> &values, bool isRow) {
  int64_t size = values.size(), rows = isRow ? 1 : size;
  return cx.constantMatrix(
      name, Elements::fromValues<double>({rows, size / rows}, values), rows,
      size / rows);
}

/// table(rows, columns, values, ...): the sparse matrix.
static Expr sparse(LoweringContext &cx, llvm::StringRef name,
                   const SparseMatrix &matrix, int64_t rows, int64_t columns) {
  std::string prefix = name.str();
  Expr i = doubles(cx, prefix + "_rows", matrix.rows, false),
       j = doubles(cx, prefix + "_columns", matrix.columns, false),
       v = doubles(cx, prefix + "_values", matrix.values, false);
  return cx.local(name, call("table", {i, j, v, rows, columns}));
}

/// Which nodes are true: rows x nodes.
static Expr decisions(LoweringContext &cx, const ForestTables &tables,
                      const View &x) {
  int64_t features = x.columns.count, nodes = tables.splits.size();
  Expr pick = sparse(cx, "node_features", tables.nodeFeatures, features, nodes);
  Expr isMissing = cx.local("missing", call("isNaN", {x.expr}));
  // 0 * Inf would be NaN in the product.
  Expr finite = call(
      "replace",
      {{"target", x.expr}, {"pattern", Expr::name("NaN")}, {"replacement", 0}});
  finite =
      cx.local("features", call("max", {call("min", {finite, most}), -most}));
  Expr seen = cx.local("seen", finite.times(pick));
  Expr isTrue =
      Expr::binary("<=", seen, doubles(cx, "splits", tables.splits, true));
  if (tables.hasEqual)
    isTrue = isTrue -
             Expr::binary("<=", seen, doubles(cx, "below", tables.below, true));
  isTrue = cx.local("is_true", isTrue);
  Expr missing = cx.local("seen_missing", isMissing.times(pick));
  Expr present = isTrue * (1 - missing);
  if (tables.hasMissing)
    present = present +
              missing * doubles(cx, "missing_is_true", tables.missing, true);
  return cx.local("decisions", present);
}

/// Which paths are taken: rows x paths. Trees that ask for nothing, such as those
/// of a booster that found no split, have one path each.
static Expr takenPaths(LoweringContext &cx, const ForestTables &tables,
                       const View &x) {
  int64_t nodes = tables.splits.size(), paths = tables.trueSteps.size();
  if (nodes == 0)
    return cx.filled(1, x.rows, {paths});
  Expr isTrue = decisions(cx, tables, x);
  Expr sides = sparse(cx, "sides", tables.sides, nodes, paths);
  Expr trueSteps = doubles(cx, "true_steps", tables.trueSteps, true);
  return Expr::binary("==", isTrue.times(sides), trueSteps);
}

/// The smallest or largest vote of all trees for each target; null if some leaf
/// does not vote once for each.
static Expr extremes(LoweringContext &cx, const ForestTables &tables,
                     const Forest &forest, Expr reached, bool isMin) {
  int64_t paths = tables.trueSteps.size();
  if (int64_t(tables.votes.rows.size()) != paths * forest.targets)
    return {};
  std::vector<SparseMatrix> perTarget(forest.targets);
  std::vector<int64_t> seen(forest.targets, -1);
  for (size_t i = 0; i < tables.votes.rows.size(); ++i) {
    int64_t path = int64_t(tables.votes.rows[i]) - 1,
            target = int64_t(tables.votes.columns[i]) - 1;
    if (std::exchange(seen[target], path) == path)
      return {};
    perTarget[target].add(path, tables.treeOfPath[path],
                          tables.votes.values[i]);
  }
  std::vector<Argument> columns;
  for (const SparseMatrix &votes : perTarget) {
    Expr all =
        reached.times(sparse(cx, "votes", votes, paths, forest.roots.size()));
    columns.push_back(call(isMin ? "rowMins" : "rowMaxs", {all}));
  }
  return columns.size() == 1 ? columns[0].value : call("cbind", columns);
}

Lowered dml::countVotes(LoweringContext &cx, const Forest &forest,
                        llvm::StringRef aggregate, View &scores,
                        llvm::StringRef disputed) {
  if (!llvm::is_contained({"SUM", "AVERAGE", "MIN", "MAX"}, aggregate))
    return Lowered::refused("aggregate_function is " + aggregate);
  View x = cx.natural(0);
  ForestTables tables(forest, cx.input(0).type == DataType::Float64);
  if (Lowered wrong = tables.build(); !wrong.isDone())
    return wrong;
  if (!disputed.empty() && !tables.everyRowVotes())
    return Lowered::refused(disputed);
  int64_t paths = tables.trueSteps.size();
  Expr reached = cx.local("reached", takenPaths(cx, tables, x));
  if (aggregate == "MIN" || aggregate == "MAX") {
    scores.expr = extremes(cx, tables, forest, reached, aggregate == "MIN");
    if (!scores.expr)
      return Lowered::refused("not every leaf votes once for each target, and "
                              "the aggregate function is " +
                              aggregate);
  } else {
    scores.expr =
        reached.times(sparse(cx, "votes", tables.votes, paths, forest.targets));
    if (aggregate == "AVERAGE")
      scores.expr = scores.expr / int64_t(forest.roots.size());
  }
  scores.rows = x.rows;
  scores.columns = {forest.targets};
  return Lowered::done();
}
