//===- BatchFront.h - The batch becomes dimension 0 -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The rows of DML's matrices are the samples of the batch, so it must be
// dimension 0 of every tensor. Recurrent layers have it as dimension 1 (steps,
// batch, features), attention merges it with its heads, and distances to stored
// samples have it as columns. Such nodes are written anew for tensors with the
// batch in front:
//
//   the tensor (5, 2 * batch, 8) becomes (batch, 5, 2, 8)
//
// and each node becomes the one that does for every row what the old one did
// for a batch of one sample. A node that has no rule (BatchRules.cpp), or mixes
// samples, is left, and the exporter refuses it.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_BATCHFRONT_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_BATCHFRONT_H

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace onnxfold::dml {

/// Inputs and outputs of the graph by number, and the dimension that was the
/// batch before it became dimension 0.
struct MovedPorts {
  std::map<unsigned, int64_t> inputs, outputs;
};

/// Where the samples of a tensor are: the size of dimension `axis` is
/// before * batch * after.
struct SamplePlace {
  int64_t axis = 0, before = 1, after = 1;
  friend bool operator==(const SamplePlace &, const SamplePlace &) = default;
  int64_t each() const { return before * after; }
  bool areRows() const { return *this == SamplePlace{}; }
};

/// A tensor as rules see it.
struct SampledTensor {
  std::optional<SamplePlace> samples; ///< none: it is the same for all samples
  Shape dims;                         ///< for a batch of one sample
  int64_t rank() const { return dims.size(); }
};

class BatchFront {
public:
  BatchFront(mlir::FunctionOpInterface function, const KnownTypes &types,
             MovedPorts &moved)
      : function(function), types(types), moved(moved),
        builder(function->getContext()) {}

  /// False if nothing was changed.
  bool run();

  // For rules.

  /// What is known of a value; nothing if its shape or place is not.
  std::optional<SampledTensor> tensor(mlir::Value value);
  /// The value with the batch in front: (batch, its dimensions for one sample),
  /// or as it is if it is the same for all samples. `rank`: of its dimensions,
  /// with leading ones.
  mlir::Value front(mlir::Value value, int64_t rank = 0);
  /// The values of a constant of integers.
  std::optional<Shape> ints(mlir::Value value) const;
  mlir::Value constant(llvm::ArrayRef<int64_t> values);
  mlir::Value scaled(mlir::Value value, double by, mlir::Type element);
  /// A copy of the operator with other inputs and attributes.
  Operator copy(Operator op, llvm::ArrayRef<mlir::Value> inputs,
                llvm::ArrayRef<mlir::NamedAttribute> changed = {});
  /// A new node in the version of the model.
  mlir::Value node(llvm::StringRef opType, mlir::ValueRange inputs,
                   llvm::ArrayRef<mlir::NamedAttribute> attributes = {});
  /// (batch, dims) from a value of the same elements; its dimension 0 is the
  /// batch.
  mlir::Value shaped(mlir::Value value, llvm::ArrayRef<int64_t> dims);
  /// dims with the batch in front, as a vector.
  mlir::Value sizesWithBatch(llvm::ArrayRef<int64_t> before, int64_t each,
                             llvm::ArrayRef<int64_t> after);
  mlir::NamedAttribute attribute(llvm::StringRef name, int64_t value);
  mlir::NamedAttribute textAttribute(llvm::StringRef name,
                                     llvm::StringRef text);
  mlir::NamedAttribute attribute(llvm::StringRef name,
                                 llvm::ArrayRef<int64_t> values);
  /// Result i is `value`, (batch, dims for one sample), with these samples.
  void give(Operator op, unsigned i, mlir::Value value,
            const SampledTensor &made);
  /// Result i is `value`, which is the same for all samples.
  void replace(Operator op, unsigned i, mlir::Value value);
  mlir::Type typeOf(mlir::Value value) const;
  /// Dimension `axis` of the value is the batch.
  bool isBatch(mlir::Value value, int64_t axis) const;

private:
  void findBatch();
  void moveInput(unsigned i);
  void addOldForm(mlir::Value argument, const SampledTensor &given);
  bool needsRule(Operator op);
  void moveOutputs();
  std::string nameOfDimension(mlir::Value value, int64_t axis) const;

  mlir::FunctionOpInterface function;
  const KnownTypes &types;
  MovedPorts &moved;
  mlir::OpBuilder builder;
  std::string batch; ///< the name of the dimension
  mlir::Value rows;  ///< an input whose dimension 0 is the batch
  mlir::Operation *current = nullptr; ///< new nodes stand for it
  llvm::DenseMap<mlir::Value, SampledTensor> known;
  llvm::DenseMap<mlir::Value, mlir::Value> fronts;
  bool isChanged = false;
};

/// Gives the results of a node for tensors with the batch in front. False if
/// there is no rule for it, or it mixes samples.
bool applyFrontRule(Operator op, BatchFront &front);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_BATCHFRONT_H
