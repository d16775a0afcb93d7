//===- Bodies.h - Graphs as attributes --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the graphs of If, Loop, Scan and SequenceMap. A graph may use known
// values of the graphs around it.
//
// Thread safety: as FoldContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// An attribute of operations whose results have no sizes in the IR: their
/// declared types, which tell what no iteration gives.
constexpr llvm::StringLiteral declaredResultsName = "onnxfold.declared_results";

/// The results of a graph for these arguments, or the reason why they are not
/// known. A call counts as one iteration.
FoldResult runGraph(FoldContext &cx, llvm::StringRef attribute,
                    llvm::ArrayRef<FoldedValue> arguments);

/// The same for a branch, which has no arguments and does not count as an
/// iteration.
FoldResult runBranch(FoldContext &cx, llvm::StringRef attribute);

/// The shape of a single element as argument #i of a graph: [1] if the argument
/// is declared so, as in many models, otherwise [].
Shape shapeOfScalar(FoldContext &cx, llvm::StringRef attribute, unsigned i);

/// A reason if input #i is not one element of that type.
Reason checkScalar(FoldContext &cx, unsigned i, DataType type);

/// The number of results of a graph; 0 if there is no such attribute.
int64_t graphResults(FoldContext &cx, llvm::StringRef attribute);

/// The values that the iterations yield for one result, which are stacked at
/// the end.
class Slices {
public:
  /// Adds the value of one iteration; a reason if it is not a tensor, or if the
  /// result would be too large. The value is copied if it would keep a larger
  /// buffer alive.
  Reason add(FoldContext &cx, const FoldedValue &value);

  /// Reverses the order of the values.
  void reverse() { std::reverse(tensors.begin(), tensors.end()); }

  /// Stacks the values along a new axis. If there were no iterations the result
  /// is an empty tensor, provided that the type of the operation's result
  /// states the element type and all other dimensions.
  FoldResult stack(FoldContext &cx, unsigned result, int64_t axis) const;

  /// There were no iterations, and nobody reads the result: it need not be
  /// known what it would be.
  bool isUnneeded(FoldContext &cx, unsigned result) const;

  std::vector<Elements> tensors;

private:
  int64_t size = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H
