//===- ModelCosts.h - What a run of a model costs ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Nodes, multiply-adds and the peak of activations of a graph whose calls of
// functions are inlined:
//
//   ModelCosts costs(sizes);
//   costs.count(block);            // costs.operators, costs.uncounted
//   PeakMemory peak = costs.peakOf(block);
//
// A body of a loop counts as often as it runs, an If as its dearer branch. A
// value lives from its node to its last reader, in the order of the block; an
// argument of a block, and what a block gives, lives to its end. No two values
// share memory. Constants are not counted, nor is what depends on constants
// alone: a runtime computes that before.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MODELCOSTS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MODELCOSTS_H

#include "onnxfold/onnx/driver/stats/internal/MultiplyAdds.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

namespace onnxfold {

/// Domain and type of an operator.
using OperatorKey = std::pair<std::string, std::string>;

/// The most bytes at once: the largest of these, none of which covers another.
struct PeakMemory {
  struct Candidate {
    Formula bytes;
    std::string node; ///< where; "" before the first one
  };
  std::vector<Candidate> candidates;
  /// More than are listed.
  bool isCut = false;

  void add(const Candidate &candidate);
};

class ModelCosts {
public:
  /// `parameters`: arguments of the main graph that have an initializer.
  ModelCosts(ValueSizes &sizes, llvm::DenseSet<mlir::Value> parameters)
      : sizes(sizes), parameters(std::move(parameters)) {}

  struct Costs {
    int64_t nodes = 0;
    Formula macs;
  };
  using ByOperator = std::map<OperatorKey, Costs>;
  struct Uncounted {
    int64_t nodes = 0;
    std::string example; ///< a node
  };

  void count(mlir::Block &block);
  PeakMemory peakOf(mlir::Block &block);

  ByOperator operators;
  std::map<std::pair<OperatorKey, std::string>, Uncounted> uncounted;
  std::set<std::string> notes; ///< what a reader of the numbers should know
  /// Values that need memory, of unknown size.
  std::vector<std::string> unknownValues;

private:
  ByOperator countBlock(mlir::Block &block);
  void countBodies(Operator op, ByOperator &into);
  ByOperator countIf(Operator op);
  Formula tripsOf(Operator op);
  Formula tripsOfLoop(Operator op);
  void addUncounted(Operator op, const llvm::Twine &why);
  Formula bytesOf(mlir::Value value);
  void noteConstant(mlir::Operation &op);

  ValueSizes &sizes;
  llvm::DenseSet<mlir::Value> parameters;
  llvm::DenseSet<mlir::Value> fixed; ///< depend on constants alone
  llvm::DenseSet<mlir::Value> asked; ///< of unknown size
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MODELCOSTS_H
