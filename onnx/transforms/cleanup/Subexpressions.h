//===- Subexpressions.h - Equal operations ----------------------*- C++ -*-===//
//
// Finds operations that are equal to an earlier one: the same operator, version
// and attributes, and the same operands. Constants are the same if their
// elements are, and two operands of a commutative operator may be in either
// order. Operations with equal partly known results are equal, whatever they
// compute them from. Only operations in the same block or in blocks around it
// are found: a branch does not see the other one, nor the graph into either.
//
// Bodies are equal if they compute the same results by the same operators:
// values that they use from outside are the same, and values inside correspond.
// Unused operations in them do not count. Each body is hashed once, with its
// own values and those from outside numbered; the hash is used again for the
// body around it.
//
//   Subexpressions known(evaluation, {isErased, isPureCall});
//   known.enter(op->getBlock());          // blocks in program order
//   if (known.isComparable(op))
//     if (Operation *equal = known.findOrAdd(op)) ...
//
// Cost: constant for each operation, for what has bodies and an equal one, the
// size of its bodies. Thread safety: none.
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
  /// What the caller knows of operations.
  struct Host {
    /// It is replaced.
    std::function<bool(mlir::Operation *)> isErased;
    /// It calls a function of the model that returns the same each time.
    std::function<bool(mlir::Operation *)> isPureCall;
  };

  Subexpressions(const Evaluation &evaluation, Host host)
      : evaluation(evaluation), host(std::move(host)) {}
  /// Operations are not evaluated yet, but for their operands: what is known of
  /// results does not count, nor that an operator commutes. `operandsOf` says
  /// which operands one had when it was noted. REQUIRES: they have no bodies.
  using OperandsOf = std::function<mlir::ValueRange(mlir::Operation *)>;
  Subexpressions(const Evaluation &evaluation, OperandsOf operandsOf)
      : evaluation(evaluation), operandsOf(std::move(operandsOf)) {}

  /// It returns the same each time, and so does everything that its bodies use.
  bool isComparable(mlir::Operation *op);

  /// One that is equal to `op`, or null, and `op` is noted. REQUIRES: it is
  /// comparable. `plain`: its hash before it was evaluated, if that is known.
  mlir::Operation *findOrAdd(mlir::Operation *op,
                             std::optional<unsigned> plain = std::nullopt);
  /// The same in two steps, for callers that note `op` later, or never.
  unsigned hashOf(mlir::Operation *op);
  mlir::Operation *find(mlir::Operation *op, unsigned hash) const;
  void add(mlir::Operation *op, unsigned hash);

  /// What was added in blocks that are not `block` or around it is forgotten.
  void enter(mlir::Block *block);

private:
  /// The bodies of an operation.
  struct Bodies {
    llvm::hash_code hash = 0;
    /// What is read from around the operation, constants left out; each once.
    llvm::SmallVector<mlir::Value, 4> captured;
    bool isComparable = true;
  };
  using Numbers = llvm::DenseMap<mlir::Value, llvm::hash_code>;

  /// Two dozen bytes for each operation of a model, beside the index by hash.
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
  /// The blocks that we are in, and how much was added before each.
  std::vector<std::pair<mlir::Block *, size_t>> blocks;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Bodies>> known;
};

/// The same except for operands and bodies. Stated types of results do not
/// count: more is stated for graph outputs, until they are in another graph.
bool isSameOperator(mlir::Operation *a, mlir::Operation *b);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_SUBEXPRESSIONS_H
