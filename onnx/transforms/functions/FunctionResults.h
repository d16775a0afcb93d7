//===- FunctionResults.h - Inputs that function results need ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds the arguments of a function of the model that must be known before a
// result can be known: those from whose elements it is computed. An argument of
// which only the shape is used need not be known. Operands of bodies in the
// function are not considered, so a result may need more arguments, but never
// fewer.
//
//   FunctionResults results(graph);
//   if (results.mayBeKnown(call, i, evaluation)) ... // worth a look
//
// Cost: linear in the function, once. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_FUNCTIONRESULTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_FUNCTIONRESULTS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/transforms/functions/CallGraph.h"
#include "llvm/ADT/BitVector.h"

namespace onnxfold {

class FunctionResults {
public:
  /// REQUIRES: the graph lives as long as this object, and functions do not
  /// change.
  explicit FunctionResults(const CallGraph &graph) : graph(graph) {}

  /// False: whatever the function computes, result #i of this call is not
  /// constant.
  bool mayBeKnown(mlir::Operation *call, unsigned i,
                  const Evaluation &evaluation);

private:
  using Needs = std::vector<llvm::BitVector>; ///< of each result: arguments

  Needs needsOf(mlir::Operation *function) const;
  llvm::BitVector
  needsOf(mlir::OpResult result,
          const llvm::DenseMap<mlir::Value, llvm::BitVector> &known,
          unsigned numArguments) const;

  const CallGraph &graph;
  bool isComputed = false;
  llvm::DenseMap<mlir::Operation *, Needs> needs;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_FUNCTIONRESULTS_H
