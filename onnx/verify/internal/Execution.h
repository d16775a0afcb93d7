//===- Execution.h - One run of a graph -------------------------*- C++ -*-===//
//
// Computes a graph for given inputs: an Evaluation in which the inputs are
// constants. Values are dropped after their last reader.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_EXECUTION_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_EXECUTION_H

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

/// Replacements of the results of operators that cannot be run, by keys.
using StandIns = llvm::StringMap<llvm::SmallVector<FoldedValue, 1>>;

/// Why an output is not known.
struct Blame {
  Reason reason;
  std::string key; // of the operator that it depends on; may be empty
};

struct Execution {
  std::vector<FoldedValue> outputs; // null where not known
  std::vector<Blame> blames;        // of the outputs that are not known
  std::vector<Obstacle> obstacles;
  StandIns standIns;

  /// Some operator refuses what the inputs lead to: others might do.
  bool hasRefused() const;
  unsigned numKnown() const;
};

/// What is the same for all runs.
struct ExecutionOptions {
  FoldLimits limits;                 // on work: of the whole run
  uint64_t seed = 0;                 // of what is made up
  std::function<void()> step;        // before each operation; may be empty
  std::function<bool()> isCancelled; // after each operation; may be empty
  /// Use these replacements and make none up: those of the original model.
  /// Otherwise equal operators could get different values.
  const StandIns *given = nullptr;
};

Execution execute(mlir::FunctionOpInterface graph,
                  llvm::ArrayRef<FoldedValue> inputs,
                  const ExecutionOptions &options);

/// No inputs whatever would help.
bool cannotBeRun(ReasonCode code);

/// Which operator of the model this is, whatever passes made of its names.
std::string keyOf(Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_EXECUTION_H
