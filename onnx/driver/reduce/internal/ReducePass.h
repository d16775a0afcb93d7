//===- ReducePass.h - What a model may do without ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A pass proposes edits of a base (Candidate.h). The driver asks for them,
// applies as many as the test bears, and asks again until nothing is left. A new
// pass is one file and a line in PassList.cpp.
//
// The driver knows three ways to choose among them (ReducePass::Way).
//
// Edits do not depend on each other, or do nothing where another one was made
// before. They are in the order in which they are tried: those that save most
// come first.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCEPASS_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCEPASS_H

#include "onnxfold/onnx/driver/reduce/internal/Candidate.h"
#include "onnxfold/onnx/driver/reduce/internal/Narrowing.h"

namespace onnxfold {

struct ReducePass {
  const char *name;
  std::vector<Edit> (*propose)(const Base &base);
  enum class Way {
    /// Each edit takes one item of a list, and makers come before users; the
    /// driver bisects (Narrowing.h).
    Ordered,
    /// The driver tries all of them, halves, quarters ... of the list.
    Halves,
    /// The driver tries all edits of all such passes at once, since the test
    /// mostly bears them, and halves where it does not.
    Together,
    /// The pass runs as Halves until it finds something, only with --anonymise.
    Published,
  };
  /// A part of a model. A change of nodes is one of values too.
  enum class Part { Nodes, Values, Texts };
  Way way;
  Part changes;
  /// The pass may find more after such a change, by another pass.
  Part dependsOn;
  /// Says which edits of an ordered pass take items that are side by side.
  Neighbours (*neighbours)(const Base &base) = nullptr;
  /// Says which items an ordered pass tries first.
  Groups (*groups)(const Base &base) = nullptr;
};

/// All passes, from coarse to fine.
llvm::ArrayRef<ReducePass> reducePasses();

/// Names of values and texts that --anonymise has not replaced.
std::vector<std::string> remainingTexts(const onnx::ModelProto &model);

std::vector<Edit> proposeInlining(const Base &base);
std::vector<Edit> proposeOpenSizes(const Base &base);
std::vector<Edit> proposeOutputs(const Base &base);
std::vector<Edit> proposeSeparation(const Base &base);
Neighbours neighboursOfNodes(const Base &base);
Groups groupsOfNodes(const Base &base);
std::vector<Edit> proposeBypasses(const Base &base);
std::vector<Edit> proposeFunctionOutputs(const Base &base);
std::vector<Edit> proposeBranches(const Base &base);
std::vector<Edit> proposeTripCounts(const Base &base);
std::vector<Edit> proposeConstantNodes(const Base &base);
std::vector<Edit> proposeOptionalOperands(const Base &base);
std::vector<Edit> proposeAttributes(const Base &base);
std::vector<Edit> proposeSizes(const Base &base);
std::vector<Edit> proposeWeights(const Base &base);
std::vector<Edit> proposeElementTypes(const Base &base);
std::vector<Edit> proposeOpsets(const Base &base);
std::vector<Edit> proposeMetadata(const Base &base);
std::vector<Edit> proposeNames(const Base &base);
std::vector<Edit> proposePublicTexts(const Base &base);
std::vector<Edit> proposePublicWeights(const Base &base);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCEPASS_H
