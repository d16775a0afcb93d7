//===- Forest.h - Ensembles of decision trees in DML ------------*- C++ -*-===//
//
// A forest is three matrix products that run on Spark wholly:
//
//   S = X %*% A             feature of each inner node (A: features x nodes)
//   T = S <= B              whether the node is true
//   P = (T %*% C) == D      whether a leaf is reached: C (nodes x leaves) is 1
//                           where the leaf is on the true side of the node and
//                           -1 on the false side, D how many 1 there are
//   Y = P %*% E             votes (E: leaves x targets)
//
// A, C and E are sparse, and made of lists of their elements by table().
// x < t is x <= the next double below t; > and >= are their opposites with
// changed branches; == t is <= t and not <= the next below. So comparisons are
// exact. A NaN is 0 for the product, and takes the branch that its node has for
// missing values.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_FOREST_H
#define ONNXFOLD_DML_SUPPORT_FOREST_H

#include "onnxfold/dml/Lowering.h"

namespace onnxfold::dml {

/// The numbers are those of TreeEnsemble's nodes_modes.
enum class TreeMode {
  LessOrEqual,
  Less,
  GreaterOrEqual,
  Greater,
  Equal,
  NotEqual,
  Member
};

struct ForestChild {
  int64_t index = 0;
  bool isLeaf = false;
};

struct ForestNode {
  int64_t feature = 0;
  double split = 0;
  TreeMode mode = TreeMode::LessOrEqual;
  ForestChild whenTrue, whenFalse;
  bool missingIsTrue = false;
};

struct ForestVote {
  int64_t leaf, target;
  double weight;
};

/// The nodes as a model has them; leaves are numbered by it.
struct Forest {
  std::vector<ForestNode> nodes;
  std::vector<ForestChild> roots;
  std::vector<ForestVote> votes;
  int64_t targets = 0;
};

/// Attributes nodes_* and <prefix>_* of TreeEnsembleClassifier and -Regressor.
Lowered readForest(LoweringContext &cx, llvm::StringRef prefix, Forest &forest);

/// base_values, or base_values_as_tensor; empty if there is neither.
std::vector<double> baseValuesOf(LoweringContext &cx);

/// The votes of each row of input 0 for each target. `aggregate`: SUM, AVERAGE,
/// MIN, MAX.
Lowered countVotes(LoweringContext &cx, const Forest &forest,
                   llvm::StringRef aggregate, View &scores);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_FOREST_H
