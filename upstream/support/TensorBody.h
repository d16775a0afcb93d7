//===- TensorBody.h - A body of scalars, run on tensors ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the body of a structured operation at all points of its loops at once:
// the kernel of its dialect folds each operation of scalars, with tensors over
// the loops as operands. The tensors are deferred, so that a body is one pass
// over memory, block by block, with no loop over single elements.
//
//   TensorBody body(cx, block, loops);
//   body.set(block.getArgument(0), a);       // [i, 1, k]
//   body.run();
//   ReasonOr<Elements> sum = body.of(yielded);
//
// All tensors have one dimension for each loop, of size 1 where the value does
// not depend on it. Operations with an unknown operand are skipped; of()
// returns the reason for their values.
// An instance belongs to one thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_TENSORBODY_H
#define ONNXFOLD_UPSTREAM_SUPPORT_TENSORBODY_H

#include "onnxfold/constprop/FoldContext.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::cf {
class AssertOp;
} // namespace mlir::cf

namespace onnxfold::upstream {

class TensorBody {
public:
  /// `loops`: the sizes of the loops. `first`: the first index of each.
  TensorBody(FoldContext &cx, mlir::Block &block, ShapeRef loops,
             ShapeRef first = {})
      : cx(cx), block(block), loops(loops), first(first) {}

  void set(mlir::Value value, Elements elements) {
    values[value] = std::move(elements);
  }
  /// Evaluates all operations. A reason if an assertion fails, or may fail.
  Reason run();
  /// The value of a scalar of the body or from outside, or why it is unknown.
  ReasonOr<Elements> of(mlir::Value value) const;

private:
  ReasonOr<Elements> evaluate(mlir::Operation *op) const;
  ReasonOr<Elements> call(mlir::Operation *op,
                          llvm::ArrayRef<Elements> operands) const;
  ReasonOr<Elements> extract(mlir::Operation *op) const;
  Reason checkAssertion(mlir::cf::AssertOp op) const;
  Elements counter(int64_t loop) const;
  Elements overLoops(const Elements &scalar) const {
    return scalar.reshape(Shape(loops.size(), 1));
  }

  FoldContext &cx;
  mlir::Block &block;
  Shape loops, first;
  llvm::DenseMap<mlir::Value, Elements> values;
  llvm::DenseMap<mlir::Value, Reason> reasons;
};

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_TENSORBODY_H
