//===- SampleFlow.h - Where the samples of a batch are ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The state of openBatch() (BatchOpening.h), and what the rules of operators
// ask and change.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_BATCH_INTERNAL_SAMPLEFLOW_H
#define ONNXFOLD_ONNX_TRANSFORMS_BATCH_INTERNAL_SAMPLEFLOW_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/FreshNames.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/batch/BatchOpening.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace onnxfold {

class SampleFlow {
public:
  SampleFlow(mlir::ModuleOp module, const Evaluation &evaluation,
             OpenedBatch &opened)
      : module(module), evaluation(evaluation), opened(opened) {}

  /// The size N of the batch in the file.
  int64_t size() const { return opened.size; }
  /// The place of the samples of a value; nothing if it is the same for all.
  std::optional<BatchAxis> axisOf(mlir::Value value) const {
    auto found = axes.find(value);
    return found == axes.end() ? std::nullopt : std::optional(found->second);
  }
  void set(mlir::Value value, BatchAxis axis) { axes[value] = axis; }
  const llvm::DenseMap<mlir::Value, BatchAxis> &all() const { return axes; }

  /// The shape for a batch of N; -1 for sizes that are not known, nothing for
  /// an unknown rank.
  std::optional<Shape> shapeOf(mlir::Value value) const;
  std::optional<int64_t> rankOf(mlir::Value value) const;
  /// The elements, if they are known for a batch of N.
  Elements known(mlir::Value value) const;
  std::optional<Shape> knownInts(mlir::Value value) const;

  // Changes of the operand #i of an operator.
  void setOperand(Operator op, unsigned i, mlir::Value value);
  void setOperand(Operator op, unsigned i, const Elements &value);
  void setInts(Operator op, unsigned i, ShapeRef values);
  /// The operand that is the same for all samples, with size 1 at this axis.
  /// False if it differs along it.
  bool narrow(Operator op, unsigned i, int64_t axis);
  /// The operand that is the same for all samples becomes one with a copy for
  /// each sample along the axis. False if that cannot be.
  bool repeat(Operator op, unsigned i, int64_t axis);
  /// A vector of integers, of which `at` is the number of samples.
  mlir::Value sizesWithBatch(Operator before, ShapeRef sizes, int64_t at);

  /// The new constants and nodes.
  llvm::SetVector<mlir::Operation *> made;
  mlir::Value firstInput; ///< an input that is open

private:
  mlir::Value constant(Operator before, const Elements &value);
  mlir::Value node(Operator before, llvm::StringRef opType,
                   mlir::ValueRange inputs, mlir::Type type,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});

  mlir::ModuleOp module;
  const Evaluation &evaluation;
  OpenedBatch &opened;
  llvm::DenseMap<mlir::Value, BatchAxis> axes;
  FreshNames names{module};
};

/// Sets the axes of the results of an operator that reads samples. Returns why
/// it does not compute each for itself, or "".
std::string applySampleRule(Operator op, SampleFlow &flow);

/// Follows the samples through a block.
using VisitBody = llvm::function_ref<llvm::Error(mlir::Block &)>;

/// The same for If, Loop and Scan: sets the axes of the arguments of bodies,
/// visits them, and sets those of the results.
llvm::Error followBodies(Operator op, SampleFlow &flow, VisitBody visit);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_BATCH_INTERNAL_SAMPLEFLOW_H
