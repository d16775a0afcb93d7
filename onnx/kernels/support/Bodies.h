//===- Bodies.h - Graphs as attributes --------------------------*- C++ -*-===//
//
// Runs the graphs of If, Loop, Scan and SequenceMap. A graph may use known
// values from outside.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold {

/// The results of a graph for these arguments, or why they are not known.
/// Counts as one iteration.
FoldResult runGraph(FoldContext &cx, llvm::StringRef attribute,
                    llvm::ArrayRef<FoldedValue> arguments);

/// The same of a branch, which has no arguments and is no iteration.
FoldResult runBranch(FoldContext &cx, llvm::StringRef attribute);

/// The shape in which argument #i of a graph takes a single element: [1] where
/// it is declared so, as many models have it, else [].
Shape shapeOfScalar(FoldContext &cx, llvm::StringRef attribute, unsigned i);

/// A reason if input #i is not one element of that type.
Reason checkScalar(FoldContext &cx, unsigned i, DataType type);

/// The number of results of a graph; 0 if there is no such attribute.
int64_t graphResults(FoldContext &cx, llvm::StringRef attribute);

/// What the iterations gave for one result, to be put together.
class Slices {
public:
  /// Adds what one iteration gave; a reason if it is no tensor, or the whole
  /// would be too large. The part holds no more memory than its own.
  Reason add(FoldContext &cx, const FoldedValue &value);

  /// The last one first.
  void reverse() { std::reverse(tensors.begin(), tensors.end()); }

  /// Along a new axis. Of no iterations it is an empty tensor, if the type of
  /// the operation's result says its element type and all other dimensions.
  FoldResult stack(FoldContext &cx, unsigned result, int64_t axis) const;

  std::vector<Elements> tensors;

private:
  int64_t size = 0;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_BODIES_H
