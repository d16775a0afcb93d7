//===- ConstantSources.h - Constants behind a folded value ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The names of the initializers and Constant nodes that the results of an
// operation were computed from, each once, nearest first; at most 16, and none
// from further than 64 nodes away. In the body of a function, an argument
// stands for the operand that the call of the instance passes.
//
//   ConstantSources sources(evaluation, lifted);
//   for (StringRef name : sources.of(op)) ...
//
// Names live as long as the context. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CONSTANTSOURCES_H
#define ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CONSTANTSOURCES_H

#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/functions/internal/FunctionInstances.h"
#include "llvm/ADT/SetVector.h"

namespace onnxfold {

class ConstantSources {
public:
  using Instance = FunctionInstances::Instance;

  /// For a constant made by lifting: its own sources.
  ConstantSources(const Evaluation &evaluation, const LiftedConstants &lifted)
      : evaluation(evaluation), lifted(lifted) {}

  llvm::SmallVector<llvm::StringRef>
  of(mlir::Operation *op, const Instance *instance = nullptr) const;

private:
  using Place = std::pair<const Instance *, mlir::Operation *>;

  void addOperand(mlir::Value value, const Instance *instance,
                  llvm::SetVector<Place> &seen) const;

  const Evaluation &evaluation;
  const LiftedConstants &lifted;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_FUNCTIONS_INTERNAL_CONSTANTSOURCES_H
