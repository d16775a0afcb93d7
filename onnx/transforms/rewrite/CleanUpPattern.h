//===- CleanUpPattern.h - Rewrites of one operator --------------*- C++ -*-===//
//
// A pattern returns the value that replaces the result of an operator: an
// existing value, or the result of a new node (CleanUpContext::nodes), which
// then takes the names of the replaced one. Or it returns operands that can be
// left out or replaced; the node is kept then.
//
//   Value matchIdentity(const CleanUpContext &cx) { return cx.op.input(0); }
//   CleanUpPattern pattern{"identity", "Identity(x) = x", "Identity",
//                          matchIdentity};
//   PatternIndex index({&pattern});
//   for (const CleanUpPattern *pattern : index.find(op)) ...
//
// Each has a name (--disable), the operators that it may match, a level (-O1:
// exact; -O2: within a bound), and its algebra in one line, in CleanUps.def.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPPATTERN_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPPATTERN_H

#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"

namespace onnxfold {

/// What a pattern may ask about the operator that it is tried on.
class CleanUpContext {
public:
  CleanUpContext(Operator op, const RewriteSession &session)
      : CleanUpContext(op, session, session.evaluation(), session.nodes()) {}
  CleanUpContext(Operator op, const RewriteSession &session,
                 const Evaluation &evaluation, NodeBuilder &nodes)
      : op(op), nodes(nodes), session(session), evaluation(evaluation) {}

  /// The constant that input #i is, or null.
  Elements constant(unsigned i) const { return constantOf(op.input(i)); }
  /// The constant that a value is, or null; also for null.
  Elements constantOf(mlir::Value value) const;
  /// Input #i is constant, and all of its elements are this number.
  bool isAll(unsigned i, double number) const;
  /// Both have this shape, whatever values symbolic dimensions take.
  bool haveSameShape(mlir::Value a, mlir::Value b) const;
  /// The result is of the same shape and element type as `value`.
  bool isLike(mlir::Value value) const;
  DataType typeOf(mlir::Value value) const {
    return evaluation.state(value).type;
  }
  /// The operator that makes input #i, if it is known; its attributes are.
  Operator producer(unsigned i) const;
  /// The same, if it is a `type` of ai.onnx.
  Operator producer(unsigned i, llvm::StringRef type) const;

  /// A value has one use, not counting replaced operations. To be asked last:
  /// if it is false and becomes true, another walk follows.
  bool isReadOnce(mlir::Value value) const;
  /// This operator is the only user of input #i, whose producer may be erased:
  /// if the pattern fires, it is. See isReadOnce.
  bool isOnlyReader(unsigned i) const;

  /// A Dropout that is known to be in inference mode.
  bool dropsNothing() const;

  /// The value that replaces the operator by its function body, where that is
  /// smaller, or null. New nodes may have been made (Decomposition.h).
  mlir::Value decomposed() const {
    return session.decompose ? session.decompose(*this) : mlir::Value();
  }

  /// What a pattern may ask about another operator before this one.
  CleanUpContext at(Operator other) const {
    CleanUpContext result(other, session, evaluation, nodes);
    result.hidesMakers = hidesMakers;
    return result;
  }
  /// What a second run would find, for which constants come from the file and
  /// their producers are unknown.
  CleanUpContext afterFolding() const {
    CleanUpContext result(*this);
    result.hidesMakers = true;
    return result;
  }

  /// Everything that is known of values before the operator.
  const Evaluation &knownValues() const { return evaluation; }

  const Operator op;
  /// For new nodes. REQUIRES: the pattern applies from here on, and no result
  /// of `op` but #0 has users.
  NodeBuilder &nodes;

private:
  const RewriteSession &session;
  const Evaluation &evaluation;
  bool hidesMakers = false; ///< of constants
};

/// What an operator may read as input #i; null: nothing.
struct InputEdit {
  unsigned input;
  mlir::Value value;
};
using InputEdits = llvm::SmallVector<InputEdit, 2>;

/// Has either `match` or `edit`.
struct CleanUpPattern {
  llvm::StringLiteral name;
  llvm::StringLiteral algebra;
  /// The operators of ai.onnx that it may match, with spaces between them;
  /// empty: any operator of any domain that is not custom.
  llvm::StringLiteral roots;
  /// The value that result #0 is, or null.
  mlir::Value (*match)(const CleanUpContext &);
  int level = 1; ///< of optimisation, from which on it is tried
  bool makesNodes = false;
  /// Other operands of the same node, with which all results are the same. The
  /// pattern must not return these again when they are there.
  InputEdits (*edit)(const CleanUpContext &) = nullptr;
};

/// Finds the patterns that may match an operator by its name: a look-up in a
/// hash table, whatever the number of patterns is.
class PatternIndex {
public:
  using List = llvm::SmallVector<const CleanUpPattern *, 4>;

  /// Patterns are tried in the order in which they are added.
  void add(const CleanUpPattern &pattern);
  /// Those that may match it.
  const List &find(Operator op) const;

private:
  /// By operator of ai.onnx; patterns for any operator are in all of them.
  llvm::StringMap<List> byRoot;
  List others; ///< patterns for any operator
  /// What byRoot says of names of operations that were asked for.
  mutable llvm::DenseMap<const void *, const List *> known;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPPATTERN_H
