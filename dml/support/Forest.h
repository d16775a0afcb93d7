//===- Forest.h - Ensembles of decision trees in DML ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A forest is three matrix products, which run entirely on Spark, and no matrix
// of rows is combined with another one, which Spark would have to join:
//
//   T = tree_decisions(X, A, B)  whether a feature is at most a number (A:
//                                features x questions)
//   P = (T %*% C) == D           whether a leaf is reached: C (questions x
//                                leaves) is 1 where the leaf is on the true side
//                                and -1 on the false side, D how many 1 there are
//   Y = P %*% E                  votes (E: leaves x targets)
//
// A, C and E are sparse; table() makes them from lists of their elements. x < t
// is x <= the next number below t; > and >= are their opposites with exchanged
// branches; == t is <= t and not < t. Features of float32 are doubles in a
// script: the number is the largest double that float32 rounds to the same side.
// So comparisons are exact. A NaN takes the branch that its node has for missing
// values.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_FOREST_H
#define ONNXFOLD_DML_SUPPORT_FOREST_H

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/onnx/kernels/support/Trees.h"

namespace onnxfold::dml {

/// The forest that the attributes of the node state, checked and read by the
/// kernels of constant folding. In the forest of a TreeEnsemble, comparisons
/// with single members replace sets of members.
ReasonOr<Forest> forestOf(LoweringContext &cx, ForestVotes votes);
ReasonOr<Forest> ensembleOf(LoweringContext &cx);

/// base_values, or base_values_as_tensor: one for each target, or none.
ReasonOr<std::vector<double>> baseValuesOf(LoweringContext &cx,
                                           int64_t targets);

/// The votes of each row of input 0 for each target. `aggregate`: SUM, AVERAGE,
/// MIN, MAX. `disputed`: why it matters that a row may give some target no vote,
/// or ""; such a forest is then refused.
Lowered countVotes(LoweringContext &cx, const Forest &forest,
                   llvm::StringRef aggregate, View &scores,
                   llvm::StringRef disputed = "");

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_FOREST_H
