//===- FrontRule.h - What the rules of operators have -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For BatchRules.cpp, BatchShapeRules.cpp and BatchPlaces.cpp only. A rule
// returns false if the node mixes samples, or has a form that it does not know.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_FRONTRULE_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_FRONTRULE_H

#include "onnxfold/dml/export/internal/BatchFront.h"
#include "llvm/ADT/STLExtras.h"

namespace onnxfold::dml {

/// A node, and what is known of its inputs.
struct FrontRule {
  Operator op;
  BatchFront &graph;
  llvm::SmallVector<std::optional<SampledTensor>> inputs; ///< none: not given

  bool hasSamples(unsigned i) const { return inputs[i] && inputs[i]->samples; }
  /// No input but the first has samples.
  bool isFirstAlone() const {
    for (unsigned i = 1; i < inputs.size(); ++i)
      if (hasSamples(i))
        return false;
    return !inputs.empty() && hasSamples(0);
  }
  const SampledTensor &first() const { return *inputs[0]; }
  int64_t at() const { return first().samples->axis; }
  /// An axis of the first input, counted from 0; nothing if it is the one of
  /// the samples, or there is none.
  std::optional<int64_t> otherAxis(int64_t axis) const {
    axis = axis < 0 ? axis + first().rank() : axis;
    return axis < 0 || axis >= first().rank() || axis == at()
               ? std::nullopt
               : std::optional(axis);
  }
  /// The inputs, with the first in front.
  llvm::SmallVector<mlir::Value> frontInputs() const {
    llvm::SmallVector<mlir::Value> given(op->getOperands());
    given[0] = graph.front(given[0]);
    return given;
  }
  /// The dimensions of a result whose samples are known; nothing if one is
  /// open. For a batch of one sample.
  std::optional<Shape> resultDims(unsigned i, const SamplePlace &samples) const;
};

inline int64_t countOf(llvm::ArrayRef<int64_t> dims) {
  return llvm::product_of(dims);
}

/// Gives the results of a copy, whose samples are where those of the first
/// input are.
bool frontGiveAll(FrontRule &rule, Operator made, const SamplePlace &samples);

bool frontReinterpretation(FrontRule &rule);
bool frontConv(FrontRule &rule);
bool frontChannels(FrontRule &rule);
bool frontEinsum(FrontRule &rule);
bool frontTranspose(FrontRule &rule);
bool frontExpand(FrontRule &rule);
bool frontShape(FrontRule &rule);
bool frontGatherOfSamples(FrontRule &rule);
bool frontGatherND(FrontRule &rule);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_FRONTRULE_H
