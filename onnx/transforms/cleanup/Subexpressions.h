//===- Subexpressions.h - Equal operations ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Finds operations that are equal to an earlier one: the same operator, version
// and attributes, and the same operands. Constants are the same if their
// elements are, and two operands of a commutative operator may be in either
// order. Operations with equal partly known results are equal, whatever their
// operands are. Only operations in the same block or in blocks around it are
// found: a branch does not see the operations of the other branch, and the
// graph sees those of neither.
//
// Bodies are equal if they compute the same results by the same operators:
// values that they use from outside are the same, and values inside correspond.
// Unused operations in them do not count. Each body is hashed once, with
// numbers for its own values and those from outside. The hash of the body
// around it uses this hash.
//
//   Subexpressions known(evaluation, {isErased, isPureCall});
//   known.enter(op->getBlock());          // blocks in program order
//   if (known.isComparable(op))
//     if (Operation *equal = known.findOrAdd(op)) ...
//
// Cost: constant for each operation; for an operation with bodies that has an
// equal one, the size of its bodies. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SUBEXPRESSIONS_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SUBEXPRESSIONS_H

#include "onnxfold/constprop/Evaluation.h"
#include "llvm/ADT/Hashing.h"
#include <deque>

namespace onnxfold {

class Subexpressions {
public:
  /// Queries that the caller answers.
  struct Host {
    /// The operation is replaced.
    std::function<bool(mlir::Operation *)> isErased;
    /// The operation calls a function of the model that returns the same each
    /// time.
    std::function<bool(mlir::Operation *)> isPureCall;
  };

  Subexpressions(const Evaluation &evaluation, Host host)
      : evaluation(evaluation), host(std::move(host)) {}
  /// For operations that are not evaluated yet, though their operands are.
  /// Known results and commutativity are not considered. `operandsOf` returns
  /// the operands that an operation had when it was added. REQUIRES: the
  /// operations have no bodies.
  using OperandsOf = std::function<mlir::ValueRange(mlir::Operation *)>;
  Subexpressions(const Evaluation &evaluation, OperandsOf operandsOf)
      : evaluation(evaluation), operandsOf(std::move(operandsOf)) {}

  /// The operation and everything in its bodies return the same each time.
  bool isComparable(mlir::Operation *op);

  /// An earlier operation that is equal to `op`. If there is none, adds `op`
  /// and returns null. REQUIRES: `op` is comparable. `plain`: its hash before
  /// it was evaluated, if that is known.
  mlir::Operation *findOrAdd(mlir::Operation *op,
                             std::optional<unsigned> plain = std::nullopt);
  /// The same in two steps, for callers that add `op` later, or never.
  unsigned hashOf(mlir::Operation *op);
  mlir::Operation *find(mlir::Operation *op, unsigned hash) const;
  void add(mlir::Operation *op, unsigned hash);

  /// Enters a block. Forgets operations in blocks that are neither this one nor
  /// around it.
  void enter(mlir::Block *block);

private:
  /// The bodies of an operation.
  struct Bodies {
    llvm::hash_code hash = 0;
    /// The values from outside that they use, except constants, each once.
    llvm::SmallVector<mlir::Value, 4> captured;
    bool isComparable = true;
  };
  using Numbers = llvm::DenseMap<mlir::Value, llvm::hash_code>;

  /// An added operation: two dozen bytes, besides the index by hash.
  struct Added {
    mlir::Operation *op;
    unsigned hash;
    unsigned before; ///< the last one with that hash before it, or `none`
  };
  static constexpr unsigned none = ~0u;

  void leave();
  const ValueState *symbolsOf(mlir::Operation *op) const;
  bool commutes(mlir::Operation *op) const;
  llvm::hash_code hashOf(mlir::Value value) const;
  bool isSame(mlir::Value a, mlir::Value b) const;
  bool isEqual(mlir::Operation *a, mlir::Operation *b) const;

  const Bodies &bodiesOf(mlir::Operation *op);
  bool isLeftOut(mlir::Operation *op) const;
  bool mayBeUnneeded(mlir::Operation *op);
  bool findNeeded(mlir::Block &block,
                  llvm::SmallVectorImpl<mlir::Operation *> &needed);
  bool hash(mlir::Block &block, Bodies &bodies, Numbers &numbers);
  llvm::hash_code hashInside(mlir::Value value, Bodies &bodies,
                             Numbers &numbers) const;
  bool haveEqualBodies(mlir::Operation *a, mlir::Operation *b) const;

  const Evaluation &evaluation;
  Host host;
  OperandsOf operandsOf; ///< null: operations are evaluated
  std::deque<Added> added;
  llvm::DenseMap<unsigned, unsigned> last; ///< in `added`, by hash
  /// The blocks around the current operation, and the number of operations
  /// added before each.
  std::vector<std::pair<mlir::Block *, size_t>> blocks;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Bodies>> known;
};

/// The operations are the same except for operands and bodies. Stated types of
/// results are not compared, because more is stated for graph outputs.
bool isSameOperator(mlir::Operation *a, mlir::Operation *b);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SUBEXPRESSIONS_H
