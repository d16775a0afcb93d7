//===- CleanUpPattern.h - Rewrites of one operator --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A pattern returns the value that replaces the result of an operator: an
// existing value, or the result of a new node (CleanUpContext::nodes), which
// then takes the names of the replaced one. Or it returns operands that can be
// left out or replaced. The node is kept then.
//
//   Value matchIdentity(const CleanUpContext &cx) { return cx.op.input(0); }
//   CleanUpPattern pattern{"identity", "Identity(x) = x", "Identity",
//                          matchIdentity};
//   PatternIndex index({&pattern});
//   for (const CleanUpPattern *pattern : index.find(op)) ...
//
// Each pattern has a name (--disable), the operators that it may match, a level
// (-O1: exact; -O2: within a bound), and its algebra in one line. They are
// listed in CleanUps.def.
//
// The ten rules of a rewrite (onnx/transforms/RATIONALE.md says why):
//   1. All results keep their bits at -O1, -0 and NaN too; at -O2 they keep a
//      stated bound, and finite constants stay finite.
//   2. What a runtime may refuse is still refused: an erased node cannot fail,
//      or the new one fails in the same cases.
//   3. It holds for all values of symbolic dimensions. An open size is not 1.
//   4. A default or a missing operand is used only if all runtimes agree on it.
//   5. It leaves fewer nodes, or constants in place of nodes, so that no two
//      rewrites undo each other. An erased producer has no other user.
//   6. New constants are computed, and no larger than the limits on growth.
//   7. Operands are final when a node is reached, users are not: a pattern asks
//      about users last (isReadOnce, isReadBy, isOnlyReader).
//   8. New nodes are made last, when the pattern is sure to apply. They read
//      values of the graph; names and annotations follow in RewriteSession.
//   9. A second run changes nothing (afterFolding).
//  10. A near miss that must not match is a test, as the match is.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPPATTERN_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPPATTERN_H

#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"

namespace onnxfold {

/// The queries of a pattern about the operator on which it is tried.
class CleanUpContext {
public:
  CleanUpContext(Operator op, const RewriteSession &session)
      : CleanUpContext(op, session, session.evaluation(), session.nodes()) {}
  CleanUpContext(Operator op, const RewriteSession &session,
                 const Evaluation &evaluation, NodeBuilder &nodes)
      : op(op), nodes(nodes), session(session), evaluation(evaluation) {}

  /// The constant that input #i is, or null.
  Elements constant(unsigned i) const { return constantOf(op.input(i)); }
  /// The constant that a value is, or null. `value` may be null.
  Elements constantOf(mlir::Value value) const;
  /// Input #i is constant, and all of its elements are this number.
  bool isAll(unsigned i, double number) const;
  /// Both values have the same shape for all values of symbolic dimensions.
  bool haveSameShape(mlir::Value a, mlir::Value b) const;
  /// The result has the same shape and element type as `value`.
  bool isLike(mlir::Value value) const;
  DataType typeOf(mlir::Value value) const {
    return evaluation.state(value).type;
  }
  /// The operator that produces input #i, if it is known; its attributes are
  /// known then.
  Operator producer(unsigned i) const;
  /// The same, if it is a `type` of ai.onnx.
  Operator producer(unsigned i, OperatorName type) const;

  /// The value has one use, not counting replaced operations. Query it last: if
  /// it is false and becomes true, another walk follows.
  bool isReadOnce(mlir::Value value) const;
  /// Each user of the value is one of these. See isReadOnce.
  bool isReadBy(mlir::Value value,
                llvm::ArrayRef<mlir::Operation *> readers) const;
  /// This operator is the only user of input #i, and the producer may be
  /// erased. (It is erased if the pattern fires.) See isReadOnce.
  bool isOnlyReader(unsigned i) const;

  /// The operator is a Dropout that is known to be in inference mode, or to
  /// have a ratio of 0.
  bool dropsNothing() const;

  /// The result of the operator's decomposition into its function body, if that
  /// is smaller, else null. New nodes may have been created (Decomposition.h).
  mlir::Value decomposed() const {
    return session.decompose ? session.decompose(*this) : mlir::Value();
  }

  /// The same queries about another operator before this one.
  CleanUpContext at(Operator other) const {
    CleanUpContext result(other, session, evaluation, nodes);
    result.hidesMakers = hidesMakers;
    return result;
  }
  /// The same queries as a second run would answer them: there constants come
  /// from the file, so their producers are unknown.
  CleanUpContext afterFolding() const {
    CleanUpContext result(*this);
    result.hidesMakers = true;
    return result;
  }

  /// The states of all values before the operator.
  const Evaluation &knownValues() const { return evaluation; }

  const Operator op;
  /// Makes new nodes. REQUIRES: the pattern is sure to apply, and only result
  /// #0 of `op` has users.
  NodeBuilder &nodes;

private:
  const RewriteSession &session;
  const Evaluation &evaluation;
  bool hidesMakers = false; ///< of constants
};

/// The new operand for an input of an operator; null: it is left out.
struct InputEdit {
  unsigned input;
  mlir::Value value;
};
using InputEdits = llvm::SmallVector<InputEdit, 2>;

struct RewriteRule;

/// Has either `match`, `edit` or a rule. The texts live as long.
struct CleanUpPattern {
  llvm::StringRef name;
  llvm::StringRef algebra;
  /// The operators of ai.onnx that it may match, with spaces between them;
  /// empty: any operator of any domain that is not custom.
  llvm::StringRef roots;
  /// Returns the value that replaces result #0, or null.
  mlir::Value (*match)(const CleanUpContext &) = nullptr;
  int level = 1; ///< the lowest level of optimisation
  bool makesNodes = false;
  /// Returns other operands for the node that keep all results. The pattern
  /// must not return operands that the node has already.
  InputEdits (*edit)(const CleanUpContext &) = nullptr;
  /// A pattern of a text (onnx/transforms/rules), in place of `match`.
  const RewriteRule *rule = nullptr;
  mlir::Value (*matchRule)(const RewriteRule &,
                           const CleanUpContext &) = nullptr;

  /// It has `match` or a rule.
  bool replaces() const { return match || rule; }
  /// REQUIRES: replaces().
  mlir::Value replacement(const CleanUpContext &cx) const {
    return rule ? matchRule(*rule, cx) : match(cx);
  }
};

/// Finds the patterns that may match an operator by its name: a look-up in a
/// hash table, whatever the number of patterns is.
class PatternIndex {
public:
  using List = llvm::SmallVector<const CleanUpPattern *, 4>;

  /// Patterns are tried in the order in which they are added.
  void add(const CleanUpPattern &pattern);
  /// The patterns that may match the operator.
  const List &find(Operator op) const;

private:
  /// By operator of ai.onnx; patterns for any operator are in all of them.
  llvm::StringMap<List> byRoot;
  List others; ///< patterns for any operator
  /// A cache of queries, by the names of operations.
  mutable llvm::DenseMap<const void *, const List *> known;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPPATTERN_H
