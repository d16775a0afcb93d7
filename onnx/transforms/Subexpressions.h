//===- Subexpressions.h - Operations that do the same -----------*- C++ -*-===//
//
// Finds operations that are equal to one before: the same operator, version and
// attributes, and the same operands, where constants are the same if their
// elements are, and two operands of what commutes may stand in either order.
// Operations whose result is known in part and equal are equal, whatever they
// compute it from. Only what stands in the same block or in blocks around it is
// found: a branch does not see the other one, nor the graph into either.
//
//   Subexpressions known(evaluation);
//   known.enter(op->getBlock());          // blocks in program order
//   if (Operation *equal = known.findOrAdd(op)) ...
//
// That an operation is deterministic is for the caller to see to. Cost:
// constant for each operation. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SUBEXPRESSIONS_H
#define ONNXFOLD_ONNX_TRANSFORMS_SUBEXPRESSIONS_H

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/Hashing.h"

namespace onnxfold {

class Subexpressions {
public:
  explicit Subexpressions(const Evaluation &evaluation)
      : evaluation(evaluation) {}

  /// One that is equal to `op`, or null, and `op` is noted.
  mlir::Operation *findOrAdd(mlir::Operation *op);

  /// What was added in blocks that are not `block` or around it is forgotten.
  void enter(mlir::Block *block);

private:
  void leave();
  const Fact *symbolsOf(mlir::Operation *op) const;
  bool commutes(mlir::Operation *op) const;
  llvm::hash_code hashOf(mlir::Value value) const;
  unsigned hashOf(mlir::Operation *op) const;
  bool isSame(mlir::Value a, mlir::Value b) const;
  bool isEqual(mlir::Operation *a, mlir::Operation *b) const;

  const Evaluation &evaluation;
  llvm::DenseMap<unsigned, llvm::SmallVector<mlir::Operation *, 1>> table;
  std::vector<unsigned> added;
  /// The blocks that we are in, and how much was added before each.
  std::vector<std::pair<mlir::Block *, size_t>> blocks;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SUBEXPRESSIONS_H
