//===- Execution.h - One run of a graph -------------------------*- C++ -*-===//
//
// Of this folder only. Computes a graph for given inputs: an Evaluation in
// which the inputs are constants. Values are dropped after their last reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_EXECUTION_H
#define ONNXFOLD_ONNX_VERIFY_EXECUTION_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace onnxfold {

/// An operator that was not run although its inputs are known.
struct Obstacle {
  std::string key;  // the same for the operator in another module of the model
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

/// What stays the same for all runs.
struct ExecutionOptions {
  FoldLimits limits;          // on work: of the whole run
  uint64_t seed = 0;          // of what is made up
  std::function<void()> step; // before each operation; may be empty
};

Execution execute(mlir::FunctionOpInterface graph,
                  llvm::ArrayRef<FoldedValue> inputs,
                  const ExecutionOptions &options);

/// Which operator of the model this is, whatever passes made of its names.
std::string keyOf(Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_EXECUTION_H
