//===- RewriteSession.h - State that rewrites of a graph share --*- C++ -*-===//
//
// The state of a rewrite from its first walk over the graph to the plan: which
// operations are replaced or unused, and by which pattern; which users were
// rewired; which values have other names than in the file. Every change of the
// graph is made through it, and it alone decides whether a name, a filter or a
// graph output forbids a change.
//
//   RewriteSession session;
//   session.begin(evaluation);                       // once for each walk
//   if (session.replace(op, op->getOperand(0), "identity")) ...
//   FoldPlan plan = ... session.replaced() ...
//
// Graph outputs keep their names: if the result of a replaced node is one, the
// replacement gets the name if a node or an initializer of the same graph
// produces it; otherwise the node is kept, even if it is a constant: no
// constant is stored twice. Replaced operations are in the graph, without
// users, until a plan is applied. Operations that the evaluation's filter
// protects are neither replaced nor rewired.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITESESSION_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITESESSION_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/constprop/plan/FoldPlan.h"
#include "onnxfold/onnx/transforms/rewrite/CopySources.h"
#include "onnxfold/onnx/transforms/rewrite/MovedNodes.h"
#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"
#include "onnxfold/onnx/transforms/rewrite/ValueNames.h"

namespace onnxfold {

class CleanUpContext;

/// A runtime may refuse to run a node that is kept for this reason, and must
/// still do so.
bool mayFail(const Reason &reason);

/// Bytes by which constants grow besides those that the plan folds.
struct GrowthLedger {
  std::optional<int64_t> limit; ///< nothing: any number of bytes
  int64_t expanded = 0;         ///< for Expand
  int64_t settled = 0;          ///< of what folds before functions change
  int64_t lifted = 0;           ///< from functions, less those that are erased
  int64_t decomposed = 0;       ///< for what operators were taken apart to
  /// Of those, the bytes that the plan erases.
  int64_t undecomposed = 0;

  int64_t made() const { return expanded + settled + lifted + decomposed; }
  /// What the plan may add, which subtracts those that it erases.
  std::optional<int64_t> leftForPlan() const;
  /// What other transforms may add.
  std::optional<int64_t> left() const;
};

class RewriteSession {
public:
  RewriteSession();
  RewriteSession(const RewriteSession &) = delete;

  /// Another walk begins, over the graph as it is now.
  void begin(Evaluation &current);
  /// The last walk is over; `current` has evaluated the same graph, and knows
  /// more. For the plan: `compact` is not to be expanded.
  void look(Evaluation &current, std::vector<FoldPlan::Compact> compact);

  Evaluation &evaluation() const { return *current; }
  NodeBuilder &nodes() const { return *builder; }

  //===------------------------------------------------------------------===//
  // Replaced operations

  /// Rewires the users of `op` to `values` (for its first results; the others
  /// must have no users). False, and nothing has changed, if names or filters
  /// forbid it.
  bool replace(mlir::Operation *op, mlir::ValueRange values,
               llvm::StringRef pattern);
  /// Rewires the users of the result of `op` to that of a node which has its
  /// names (NodeBuilder::finish).
  void takeOver(mlir::Operation *op, mlir::Value value,
                llvm::StringRef pattern);
  /// The result of `op`, a graph output, is replaced by `value`, which takes
  /// its name. False if it cannot.
  bool giveNameTo(mlir::Operation *op, mlir::OpResult value,
                  llvm::StringRef pattern);
  /// `op` has no users any more, because of `pattern`. `isUnread`: it had none
  /// before, so nothing can become known by it.
  void markReplaced(mlir::Operation *op, llvm::StringRef pattern,
                    bool isUnread = false);
  /// What the users of the only result of `op` read now: that result, or what
  /// replaced it; null if nothing did.
  mlir::Value replacementOf(mlir::Operation *op) const;
  /// Those from number `first` on were found from the bottom up: they are put
  /// in program order.
  void reverseReplaced(size_t first) {
    std::reverse(list.begin() + first, list.end());
  }

  /// Replaced or unused operations, in the order in which they became that.
  llvm::ArrayRef<mlir::Operation *> replaced() const { return list; }
  bool isReplaced(mlir::Operation *op) const { return patterns.contains(op); }
  /// It or an operation around it is replaced.
  bool isInReplaced(mlir::Operation *op) const;
  /// The operation or one around it is replaced, or folds to a constant.
  bool isErased(mlir::Operation *op) const;
  /// The pattern that replaced an operation; empty for the others.
  llvm::StringRef patternOf(mlir::Operation *op) const {
    return patterns.lookup(op);
  }
  /// The operation is replaced by a new one that has its names.
  bool hasSuccessor(mlir::Operation *op) const { return renewed.contains(op); }

  /// A node that may be erased if it is unused; not one that folds anyway.
  bool mayBeErased(mlir::Operation *op) const;

  //===------------------------------------------------------------------===//
  // Readers

  /// A use may be replaced by `value`: that of a node. Graph outputs have their
  /// own names, and the file refers to the operands of the importer's own
  /// operations.
  bool mayBeRewired(mlir::OpOperand &use, mlir::Value value);
  /// `op` has other operands than its node in the file.
  void noteRewired(mlir::Operation *op) { nameChanges.rewired.insert(op); }
  /// `op` is about to get other operands than those that it was evaluated with.
  void noteEdited(mlir::Operation *op) {
    edited.try_emplace(op, op->getOperands());
    noteRewired(op);
  }
  bool isEdited(mlir::Operation *op) const { return edited.contains(op); }
  /// The operands with which `op` was evaluated.
  mlir::ValueRange operandsBeforeEdits(mlir::Operation *op) const {
    auto before = edited.find(op);
    return before == edited.end() ? mlir::ValueRange(op->getOperands())
                                  : mlir::ValueRange(before->second);
  }
  bool isRewired(mlir::Operation *op) const {
    return nameChanges.rewired.contains(op);
  }
  /// Of remaining users of a value, `most` at most.
  unsigned countReaders(mlir::Value value, unsigned most) const;
  /// A pattern did not fire because a value has several users: some may be
  /// erased later in the walk, until one is left.
  void noteReaders(mlir::Value value) const { asked.insert(value); }
  /// A pattern that did not fire because of the users of a value would fire
  /// now, since some of them are erased.
  bool haveReadersBeenErased();

  //===------------------------------------------------------------------===//
  // New operations

  /// New operations of a graph are visited, as the walk has passed there.
  /// `areCopies`: the operations in their bodies are new too.
  void visitNew(llvm::ArrayRef<mlir::Operation *> ops, bool areCopies = false);
  /// visitNew in steps, for callers that make more while they visit: first the
  /// names of all, then each copy.
  void noteNames(llvm::ArrayRef<mlir::Operation *> ops);
  void visitCopy(mlir::Operation *op);
  /// What gave these under their names is erased: they may have others.
  void releaseNames(llvm::ArrayRef<mlir::Value> values) {
    for (mlir::Value value : values)
      keepsName.erase(value);
  }
  /// The operations that were made for `op`, after `before`.
  void visitMade(mlir::Operation *op, mlir::Operation *before);
  /// Visits one operation; set by the code that runs the transforms.
  std::function<void(mlir::Operation *)> visit;
  /// What an operator is by its function body; null where there is none.
  std::function<mlir::Value(const CleanUpContext &)> decompose;

  //===------------------------------------------------------------------===//
  // What else is known

  /// Another walk would know more.
  void noteMoreKnown(bool isSo = true) { moreKnown |= isSo; }
  bool knowsMore() const { return moreKnown; }

  /// Unused initializers and Constant nodes are kept, with their names: filters
  /// do not apply to them.
  void keepConstants() { keeping = true; }
  bool keepsConstants() const { return keeping; }
  /// `op` copies `value`, a constant; in this walk.
  void noteCopy(mlir::Operation *op, mlir::Value value) {
    copies.push_back({op, value});
  }
  /// What would fold within the budget with the graph as it is now.
  std::unique_ptr<FoldPlan> draftPlan() const;
  /// Functions that will not be written because only erased calls call them.
  /// Empty: all are written.
  std::function<llvm::SmallVector<mlir::Operation *>(
      llvm::function_ref<bool(mlir::Operation *)> isErased)>
      findIdleFunctions;

  GrowthLedger growth;
  NameChanges &changes() { return nameChanges; }
  ValueNames &names() { return valueNames; }
  MovedNodes &moved() { return movedNodes; }
  const MovedNodes &moved() const { return movedNodes; }
  const CopySources &copySources() const { return sources; }
  /// The name that a constant of the file has there, if it has the name of a
  /// graph output now; else empty.
  llvm::StringRef nameInFile(mlir::Operation *constant) const;
  /// The name that output #i of a node has in the input.
  llvm::StringRef outputName(Operator node, unsigned i) const;

private:
  void markReplacedBy(mlir::Operation *op, mlir::Value value,
                      llvm::StringRef pattern);
  bool isNode(Operator op) const;
  bool mayRename(mlir::Operation *maker) const;
  bool mayTakeName(mlir::Operation *op, mlir::Value value);
  void takeName(mlir::Operation *op, mlir::OpResult value);
  void noteFolded();
  std::unique_ptr<FoldPlan>
  planWithout(llvm::ArrayRef<mlir::Operation *> functions) const;

  Evaluation *current = nullptr; // of this walk
  std::unique_ptr<NodeBuilder> builder;
  MovedNodes movedNodes;
  CopySources sources{movedNodes};
  NameChanges nameChanges;
  ValueNames valueNames;
  std::vector<mlir::Operation *> list;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> patterns;
  /// Of replaced operations with one result.
  llvm::DenseMap<mlir::Operation *, mlir::Value> replacements;
  llvm::DenseSet<mlir::Operation *> renewed;
  llvm::DenseSet<mlir::Value> keepsName; ///< readers need the one that it has
  mutable llvm::DenseSet<mlir::Value> asked; ///< noteReaders, in this walk
  /// What an evaluation before this one knew to be constant.
  llvm::DenseSet<mlir::Operation *> folded;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 4>>
      edited;                         ///< noteEdited, in this walk
  std::vector<FoldPlan::Copy> copies; ///< of this walk
  std::vector<FoldPlan::Compact> compact;
  /// Names of constants in the file, and those that they have now.
  llvm::DenseMap<mlir::Operation *, std::pair<llvm::StringRef, llvm::StringRef>>
      renamed;
  bool moreKnown = false, keeping = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITESESSION_H
