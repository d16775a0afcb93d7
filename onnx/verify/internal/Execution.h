//===- Execution.h - One run of a graph -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Computes a graph for given inputs by an Evaluation in which the inputs are
// constants. Values are dropped after their last user.
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
  std::string key;  // the same for this operator in another module of the model
  std::string name; // "RandomNormal 'noise'"
  Reason reason;
  std::vector<FoldedValue> inputs; // null where not known
  bool isOfBodies = false;         // the operator runs bodies

  /// True if the operator refuses its operands. Others might do.
  bool hasRefused() const;
};

/// Replacements of the results of operators that cannot be run, by their keys.
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
  double work = 0; // that was done, in the units of FoldLimits
  /// The operation that ended the run (`stopsAt`), and how many came before.
  mlir::Operation *stoppedAt = nullptr;
  unsigned numVisited = 0;
  unsigned numOperators = 0; // of the graph

  /// True if some operator refuses its operands. Other inputs might do.
  bool hasRefused() const;
  /// The cost of the run in the units of FoldLimits, with operators that do
  /// nothing. It is the same on every machine.
  double cost() const { return work + 100'000.0 * numOperators; }
};

/// The options that are the same for all runs.
struct ExecutionOptions {
  FoldLimits limits;                 // on work: of the whole run
  uint64_t seed = 0;                 // of replacements
  std::function<void()> step;        // before each operation; may be empty
  std::function<bool()> isCancelled; // after each operation; may be empty
  /// The replacements of the run of the original model; no others are made.
  /// Otherwise equal operators could get different values. Null: replacements
  /// are made.
  const StandIns *given = nullptr;
  /// A Cast of numbers that its integer type cannot hold saturates; if false,
  /// its result is unknown as that of another undefined operator.
  bool saturates = true;
  /// Asked at an operator that refuses its operands: true ends the run, which
  /// then has no outputs. Null: no operator does.
  std::function<bool(const Obstacle &)> stopsAt = {};
  /// Replaces each float result of a sum of products (MatMul, Gemm, Conv,
  /// ConvTranspose) in the graph itself, not in bodies. Null: none is replaced.
  std::function<Elements(const Elements &)> movesSum = {};
};

Execution execute(mlir::FunctionOpInterface graph,
                  llvm::ArrayRef<FoldedValue> inputs,
                  const ExecutionOptions &options);

/// The values of the graph that an operation or its bodies read.
llvm::SmallVector<mlir::Value> valuesReadBy(mlir::Operation *op,
                                            mlir::Block &block);

/// True if the operator could not be run with any inputs.
bool cannotBeRun(ReasonCode code);

/// A key that an operator has in every module of the model: the number of its
/// node, or, if it has none (an inlined operator), the name of its first
/// output.
std::string keyOf(Operator op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_EXECUTION_H
