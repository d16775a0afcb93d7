//===- Forest.cpp - Ensembles of decision trees in DML --------------------===//

#include "onnxfold/dml/support/Forest.h"
#include "onnxfold/dml/WeightFile.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

/// Paths from roots to leaves are as many as columns of a matrix.
static constexpr size_t mostPaths = 1 << 20;
static constexpr double infinity = std::numeric_limits<double>::infinity();

//===----------------------------------------------------------------------===//
// TreeEnsembleClassifier and TreeEnsembleRegressor
//===----------------------------------------------------------------------===//

/// Floats of an attribute, or of the tensor <name>_as_tensor.
static std::vector<double> realsOf(LoweringContext &cx, llvm::StringRef name) {
  if (auto list = cx.op().getFloats(name))
    return {list->begin(), list->end()};
  if (mlir::ElementsAttr tensor =
          cx.op().getTensor((name + "_as_tensor").str()))
    return asDoubles(fromAttribute(tensor)).values<double>();
  return {};
}

std::vector<double> dml::baseValuesOf(LoweringContext &cx) {
  return realsOf(cx, "base_values");
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

/// The lists nodes_*: a node has the number of its place in them.
struct NodeLists {
  Shape trees, ids, features, whenTrue, whenFalse, missing;
  std::vector<double> splits;
  llvm::SmallVector<llvm::StringRef> modes;
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> numbers;

  explicit NodeLists(LoweringContext &cx);
  bool isComplete() const;
  std::optional<ForestChild> child(int64_t tree, int64_t id) const;
};

} // namespace

static Shape intsOf(LoweringContext &cx, const llvm::Twine &name) {
  auto list = cx.op().getInts(name.str());
  return list ? Shape(std::move(*list)) : Shape();
}

NodeLists::NodeLists(LoweringContext &cx)
    : trees(intsOf(cx, "nodes_treeids")), ids(intsOf(cx, "nodes_nodeids")),
      features(intsOf(cx, "nodes_featureids")),
      whenTrue(intsOf(cx, "nodes_truenodeids")),
      whenFalse(intsOf(cx, "nodes_falsenodeids")),
      missing(intsOf(cx, "nodes_missing_value_tracks_true")),
      splits(realsOf(cx, "nodes_values")) {
  if (auto names = cx.op().getStrings("nodes_modes"))
    modes = std::move(*names);
  if (missing.empty())
    missing.resize(trees.size());
  for (size_t i = 0; i < std::min(trees.size(), ids.size()); ++i)
    numbers.try_emplace({trees[i], ids[i]}, i);
}

bool NodeLists::isComplete() const {
  for (size_t size :
       {ids.size(), features.size(), whenTrue.size(), whenFalse.size(),
        missing.size(), splits.size(), modes.size(), size_t(numbers.size())})
    if (size != trees.size() || size == 0)
      return false;
  return true;
}

std::optional<ForestChild> NodeLists::child(int64_t tree, int64_t id) const {
  auto it = numbers.find({tree, id});
  if (it == numbers.end())
    return std::nullopt;
  return ForestChild{it->second, modes[it->second] == "LEAF"};
}

/// The first node that is listed of a tree is its root.
static bool readNodes(const NodeLists &lists, Forest &forest) {
  llvm::DenseMap<int64_t, bool> hasRoot;
  forest.nodes.resize(lists.trees.size());
  for (size_t i = 0; i < lists.trees.size(); ++i) {
    bool isLeaf = lists.modes[i] == "LEAF";
    if (!std::exchange(hasRoot[lists.trees[i]], true))
      forest.roots.push_back({int64_t(i), isLeaf});
    if (isLeaf)
      continue;
    auto yes = lists.child(lists.trees[i], lists.whenTrue[i]),
         no = lists.child(lists.trees[i], lists.whenFalse[i]);
    auto mode = modeOf(lists.modes[i]);
    if (!yes || !no || !mode)
      return false;
    forest.nodes[i] = {lists.features[i],    lists.splits[i], *mode, *yes, *no,
                       lists.missing[i] == 1};
  }
  return true;
}

Lowered dml::readForest(LoweringContext &cx, llvm::StringRef prefix,
                        Forest &forest) {
  NodeLists lists(cx);
  Shape trees = intsOf(cx, prefix + "_treeids"),
        nodes = intsOf(cx, prefix + "_nodeids"),
        targets = intsOf(cx, prefix + "_ids");
  std::vector<double> weights = realsOf(cx, (prefix + "_weights").str());
  bool fits = lists.isComplete() && nodes.size() == trees.size() &&
              targets.size() == trees.size() && weights.size() == trees.size();
  if (!fits || !readNodes(lists, forest))
    return Lowered::refused("the lists of nodes do not fit together");
  for (size_t i = 0; i < trees.size(); ++i) {
    auto leaf = lists.child(trees[i], nodes[i]);
    // A vote of an inner node is never counted.
    if (leaf && leaf->isLeaf)
      forest.votes.push_back({leaf->index, targets[i], weights[i]});
  }
  return Lowered::done();
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
  ForestTables(const Forest &forest, int64_t features)
      : forest(forest), features(features), column(forest.nodes.size(), -1) {}

  Lowered build();

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
    ForestChild at;
    size_t depth;
    Step step; ///< the last one before `at`
  };
  Lowered walk(size_t tree);
  int64_t columnOf(int64_t node);
  void addPath(int64_t leaf, size_t tree, llvm::ArrayRef<Step> steps);

  const Forest &forest;
  int64_t features;
  std::vector<int64_t> column;
  llvm::DenseMap<int64_t, llvm::SmallVector<ForestVote, 1>> votesOf;
};

} // namespace

/// True and false are exchanged in the modes that are the opposite of <=, <.
static bool isOpposite(TreeMode mode) {
  return mode == TreeMode::GreaterOrEqual || mode == TreeMode::Greater ||
         mode == TreeMode::NotEqual;
}

int64_t ForestTables::columnOf(int64_t number) {
  if (column[number] >= 0)
    return column[number];
  const ForestNode &node = forest.nodes[number];
  int64_t result = column[number] = splits.size();
  bool isEqual =
           node.mode == TreeMode::Equal || node.mode == TreeMode::NotEqual,
       isStrict =
           node.mode == TreeMode::Less || node.mode == TreeMode::GreaterOrEqual;
  double before = std::nextafter(node.split, -infinity);
  splits.push_back(isStrict ? before : node.split);
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
  for (const ForestVote &vote : votesOf[leaf])
    votes.add(path, vote.target, vote.weight);
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
    if (now.depth > forest.nodes.size())
      return Lowered::refused("a node of a tree stands below itself");
    const ForestNode &node = forest.nodes[now.at.index];
    if (node.whenTrue.isLeaf && node.whenFalse.isLeaf &&
        node.whenTrue.index == node.whenFalse.index) {
      open.push_back({node.whenTrue, now.depth, now.step}); // nothing is asked
      continue;
    }
    if (node.feature < 0 || node.feature >= features)
      return Lowered::refused("a node asks for a feature that is not there");
    open.push_back({node.whenFalse, now.depth + 1, {now.at.index, false}});
    open.push_back({node.whenTrue, now.depth + 1, {now.at.index, true}});
  }
  return Lowered::done();
}

Lowered ForestTables::build() {
  for (const ForestVote &vote : forest.votes) {
    if (vote.target < 0 || vote.target >= forest.targets ||
        !std::isfinite(vote.weight))
      return Lowered::refused("a vote is not finite, or for no target");
    votesOf[vote.leaf].push_back(vote);
  }
  for (const ForestNode &node : forest.nodes)
    if (!(std::fabs(node.split) < infinity))
      return Lowered::refused("a node compares with no finite number");
  for (size_t tree = 0; tree < forest.roots.size(); ++tree)
    if (Lowered wrong = walk(tree); !wrong.isDone())
      return wrong;
  if (splits.empty())
    return Lowered::refused("no tree asks for a feature");
  return Lowered::done();
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
  constexpr double most = std::numeric_limits<double>::max();
  int64_t features = x.columns.count, nodes = tables.splits.size();
  Expr pick = sparse(cx, "node_features", tables.nodeFeatures, features, nodes);
  Expr isMissing = call("isNaN", {x.expr});
  // 0 * Inf would be NaN in the product.
  Expr finite = call("ifelse", {isMissing, 0, x.expr});
  finite =
      cx.local("features", call("max", {call("min", {finite, most}), -most}));
  Expr seen = cx.local("seen", finite.times(pick));
  Expr isTrue =
      Expr::binary("<=", seen, doubles(cx, "splits", tables.splits, true));
  if (tables.hasEqual)
    isTrue = isTrue -
             Expr::binary("<=", seen, doubles(cx, "below", tables.below, true));
  isTrue = cx.local("is_true", isTrue);
  Expr missing = cx.local("missing", isMissing.times(pick));
  Expr present = isTrue * (1 - missing);
  if (tables.hasMissing)
    present = present +
              missing * doubles(cx, "missing_is_true", tables.missing, true);
  return cx.local("decisions", present);
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
                        llvm::StringRef aggregate, View &scores) {
  View x = cx.natural(0);
  ForestTables tables(forest, x.columns.count);
  if (Lowered wrong = tables.build(); !wrong.isDone())
    return wrong;
  int64_t nodes = tables.splits.size(), paths = tables.trueSteps.size();
  Expr isTrue = decisions(cx, tables, x);
  Expr sides = sparse(cx, "sides", tables.sides, nodes, paths);
  Expr reached =
      cx.local("reached",
               Expr::binary("==", isTrue.times(sides),
                            doubles(cx, "true_steps", tables.trueSteps, true)));
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
