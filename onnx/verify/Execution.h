//===- Execution.h - One run of a graph -------------------------*- C++ -*-===//
//
// Of this folder only. Computes a graph for given inputs: an Evaluation in
// which the inputs are constants. Values are dropped after their last reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_EXECUTION_H
#define ONNXFOLD_ONNX_VERIFY_EXECUTION_H

#include "onnxfold/constprop/Evaluation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold {

/// An operator that was not run although its inputs are known, or that nobody
/// can run.
struct Obstacle {
  std::string key;  // of the same operator in another module
  std::string name; // "RandomNormal 'noise'"
  Reason reason;
  std::vector<FoldedValue> inputs; // null where not known
};

struct Execution {
  std::vector<FoldedValue> outputs; // null where not known
  std::vector<Reason> reasons;      // of the outputs that are not known
  std::vector<Obstacle> obstacles;

  /// Some operator refuses what the inputs lead to: others might do.
  bool hasRefused() const;
  unsigned numKnown() const;
};

Execution execute(mlir::FunctionOpInterface graph,
                  llvm::ArrayRef<FoldedValue> inputs, const FoldLimits &limits,
                  const std::function<void()> &step);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_EXECUTION_H
