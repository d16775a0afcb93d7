//===- Forest.cpp - Ensembles of decision trees in DML --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/support/Probe.h"
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <set>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Paths from roots to leaves are as many as columns of a matrix.
static constexpr size_t mostPaths = 1 << 20;
static constexpr double infinity = std::numeric_limits<double>::infinity();
/// What infinities of the features become in tree_decisions.dml.
static constexpr double farthest = 0x1p1022;

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

/// A column of decisions: whether a feature is at most `most`, or missing if
/// that is a yes, too. Nodes of all trees share it.
struct Question {
  int64_t feature;
  double most;
  bool missingIsTrue;
  auto operator<=>(const Question &) const = default;
};

/// The columns of the matrices, one for each question and one for each path to a
/// leaf.
class ForestTables {
public:
  ForestTables(const Forest &forest, DataType features)
      : forest(forest), features(features) {}

  Lowered build();
  /// Each row gives each target a vote: of some tree, all leaves have one.
  bool everyRowVotes() const;

  SparseMatrix nodeFeatures, sides, votes;
  std::vector<double> splits, trueSteps;
  std::vector<size_t> treeOfPath;

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
  int64_t columnOf(const Question &question);
  void addStep(int64_t path, const Step &step);
  void addPath(int64_t leaf, size_t tree, llvm::ArrayRef<Step> steps);

  const Forest &forest;
  DataType features; ///< their type
  std::map<Question, int64_t> columns;
};

} // namespace

/// True and false are exchanged in the modes that are the opposite of <=, <.
static bool isOpposite(TreeMode mode) {
  return mode == TreeMode::GreaterOrEqual || mode == TreeMode::Greater ||
         mode == TreeMode::NotEqual;
}

/// x < split has no equal.
static bool isStrict(TreeMode mode) {
  return mode == TreeMode::Less || mode == TreeMode::GreaterOrEqual;
}

/// The largest double that float32 rounds to a number that is at most, or below,
/// the split: half of the way to the next number, which belongs to the even one.
static double lastThatRounds(double split, bool isStrict) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr double overflow = 0x1p128;
  float last = float(split);
  if (last > split || (isStrict && last == split))
    last = std::nextafter(last, -infinite);
  if (last == infinite || (isStrict && split == -infinity))
    return last;
  float next = std::nextafter(last, infinite);
  double low = std::max<double>(last, -overflow),
         middle = low + (std::min<double>(next, overflow) - low) / 2;
  bool isEven = std::bit_cast<uint32_t>(last) % 2 == 0;
  return isEven ? middle : std::nextafter(middle, -infinity);
}

/// The largest double at which x <= split, or x < split, is true; -infinity if
/// there is none. No value if the answer changes beyond what features are cut
/// off at, or the split is NaN.
static std::optional<double> lastTrue(double split, bool isStrict,
                                      DataType features) {
  if (std::isnan(split))
    return std::nullopt;
  if (features == DataType::Float32)
    return std::min(lastThatRounds(split, isStrict), farthest);
  if (split == (isStrict ? -infinity : infinity))
    return isStrict ? -infinity : farthest;
  double last = isStrict ? std::nextafter(split, -infinity) : split;
  if (last < -farthest || last >= farthest)
    return std::nullopt;
  return last;
}

int64_t ForestTables::columnOf(const Question &question) {
  auto [it, isNew] = columns.try_emplace(question, splits.size());
  if (isNew) {
    double factor = question.missingIsTrue ? 2 : 1;
    nodeFeatures.add(question.feature, it->second, factor);
    splits.push_back(question.most * factor);
  }
  return it->second;
}

/// x == split is x <= split and not x < split.
void ForestTables::addStep(int64_t path, const Step &step) {
  const TreeNode &node = forest.nodes[step.node];
  bool isOther = isOpposite(node.mode), isTrue = step.isTrue != isOther;
  auto add = [&](bool isStrict, bool missingIsTrue, bool isTrue) {
    double most = *lastTrue(node.split, isStrict, features);
    sides.add(columnOf({node.feature, most, missingIsTrue}), path,
              isTrue ? 1 : -1);
  };
  add(isStrict(node.mode), node.missingIsTrue != isOther, isTrue);
  if (node.mode == TreeMode::Equal || node.mode == TreeMode::NotEqual)
    add(/*isStrict=*/true, /*missingIsTrue=*/false, !isTrue);
  trueSteps[path] += isTrue;
}

void ForestTables::addPath(int64_t leaf, size_t tree,
                           llvm::ArrayRef<Step> steps) {
  int64_t path = trueSteps.size();
  trueSteps.push_back(0);
  for (const Step &step : steps)
    addStep(path, step);
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

static bool hasQuestions(const TreeNode &node, DataType features) {
  bool isPair = node.mode == TreeMode::Equal || node.mode == TreeMode::NotEqual;
  return node.mode != TreeMode::Member &&
         lastTrue(node.split, isStrict(node.mode), features) &&
         (!isPair || lastTrue(node.split, true, features));
}

Lowered ForestTables::build() {
  for (const TreeVote &vote : forest.votes)
    if (!std::isfinite(vote.weight))
      return Lowered::refused("a vote is not finite");
  for (const TreeNode &node : forest.nodes)
    if (!hasQuestions(node, features))
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

/// Which paths are taken: rows x paths. Trees that ask for nothing, such as those
/// of a booster that found no split, have one path each.
static Expr takenPaths(LoweringContext &cx, const ForestTables &tables,
                       const View &x) {
  int64_t nodes = tables.splits.size(), paths = tables.trueSteps.size();
  if (nodes == 0)
    return cx.filled(1, x.rows, {paths});
  Expr pick =
      sparse(cx, "node_features", tables.nodeFeatures, x.columns.count, nodes);
  Expr decisions = cx.local(
      "decisions",
      cx.helper("tree_decisions",
                {x.expr, pick, doubles(cx, "splits", tables.splits, true)}));
  Expr sides = sparse(cx, "sides", tables.sides, nodes, paths);
  Expr trueSteps = doubles(cx, "true_steps", tables.trueSteps, true);
  return Expr::binary("==", decisions.times(sides), trueSteps);
}

/// The smallest or largest vote of all trees for each target; null if some leaf
/// does not vote once for each.
static Expr extremes(LoweringContext &cx, const ForestTables &tables,
                     const Forest &forest, const Expr &reached, bool isMin) {
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
  ForestTables tables(forest, cx.input(0).type);
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
