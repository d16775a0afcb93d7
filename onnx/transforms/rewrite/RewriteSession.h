//===- RewriteSession.h - State that rewrites of a graph share --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
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
// Graph outputs keep their names. If the result of a replaced node is a graph
// output, its replacement gets the name, provided that a node or an initializer
// of the same graph produces it. Otherwise the node is kept, even if it is
// constant, so that no constant is stored twice. Replaced operations remain in
// the graph, without users, until a plan is applied. Operations that the
// evaluation's filter protects are neither replaced nor rewired.
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

/// A runtime may refuse to run a node that is kept for this reason. Rewrites
/// must keep such a node, so that the model is still refused.
bool mayFail(const Reason &reason);

/// Bytes by which constants grow besides those that the plan folds.
struct GrowthLedger {
  std::optional<int64_t> limit; ///< nothing: any number of bytes
  int64_t expanded = 0;         ///< for Expand
  int64_t settled = 0;          ///< for values folded before functions change
  int64_t lifted = 0;           ///< from functions, less the erased ones
  int64_t decomposed = 0;       ///< for decomposed operators
  int64_t merged = 0;           ///< less for constants that were equal
  /// The bytes of these that the plan erases.
  int64_t undecomposed = 0;
  /// For Expand, of rewrites that need it if their constants do not fit.
  int64_t reserved = 0;

  int64_t made() const {
    return expanded + settled + lifted + decomposed - merged;
  }
  /// The bytes that the plan may add. (The plan subtracts those that it
  /// erases.)
  std::optional<int64_t> leftForPlan() const;
  /// The bytes that Expand and the plan may add together.
  std::optional<int64_t> leftForExpand() const;
  /// The bytes that other transforms may add.
  std::optional<int64_t> left() const;
};

class RewriteSession {
public:
  RewriteSession();
  RewriteSession(const RewriteSession &) = delete;

  /// Begins another walk, over the current graph.
  void begin(Evaluation &current);
  /// Ends the last walk. `current` has evaluated the same graph and knows more.
  /// The plan does not expand `compact`.
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
  /// Rewires the users of the result of `op` to `value`, which nodes() has
  /// created for it, finishes that, and gives it the annotations and texts of
  /// what it stands for (CarriedAnnotations.h). False if it cannot have them:
  /// what was created is erased then.
  bool takeOver(mlir::Operation *op, mlir::Value value,
                llvm::StringRef pattern);
  /// Replaces the result of `op`, a graph output, by `value`, which takes its
  /// name. False if it cannot take the name.
  bool giveNameTo(mlir::Operation *op, mlir::OpResult value,
                  llvm::StringRef pattern);
  /// Records that `kept` computes the same as `erased`, which is replaced, so
  /// that its node has the texts of both.
  void noteMerged(mlir::Operation *kept, mlir::Operation *erased) {
    sources.notePart(kept, erased);
  }
  /// `op` was replaced by `made`, after the last walk: `values` are its results.
  /// Returns why its annotations cannot be theirs; or "".
  std::string noteReplacedBy(mlir::Operation *op,
                             llvm::ArrayRef<mlir::Operation *> made,
                             mlir::ValueRange values);
  /// Operand #i of `op` may become another value with which it makes the same
  /// results (null: be left out).
  bool mayEdit(mlir::Operation *op, unsigned i, mlir::Value value);
  /// Annotations allow that the body of `op` takes its place.
  bool mayInline(mlir::Operation *op);
  /// Records that `op` is kept, although it could be replaced.
  void refuse(mlir::Operation *op, llvm::StringRef why) {
    refused.try_emplace(op, why.str());
  }
  /// The reasons why nodes that are left were not replaced, in the order of the
  /// graph. REQUIRES: the plan was not applied.
  std::vector<std::string> refusals() const;
  /// Records that `op` has no users any more, because of `pattern`. `isUnread`:
  /// it had none before, so that nothing more becomes known.
  void markReplaced(mlir::Operation *op, llvm::StringRef pattern,
                    bool isUnread = false);
  /// The value that replaced the only result of `op`, or that result itself;
  /// null if it was erased without a replacement.
  mlir::Value replacementOf(mlir::Operation *op) const;
  /// Puts the operations from number `first` on, which were found from the
  /// bottom up, in program order.
  void reverseReplaced(size_t first) {
    std::reverse(list.begin() + first, list.end());
  }

  /// The replaced or unused operations, in the order in which they became so.
  llvm::ArrayRef<mlir::Operation *> replaced() const { return list; }
  bool isReplaced(mlir::Operation *op) const { return patterns.contains(op); }
  /// The operation or one around it is replaced.
  bool isInReplaced(mlir::Operation *op) const;
  /// The operation or one around it is replaced, or folds to a constant.
  bool isErased(mlir::Operation *op) const;
  /// The pattern that replaced an operation; empty for the others.
  llvm::StringRef patternOf(mlir::Operation *op) const {
    return patterns.lookup(op);
  }
  /// The operation is replaced by a new one that has its names.
  bool hasSuccessor(mlir::Operation *op) const { return renewed.contains(op); }

  /// The operation is a node that may be erased if it is unused, and that does
  /// not fold anyway.
  bool mayBeErased(mlir::Operation *op) const;

  //===------------------------------------------------------------------===//
  // Readers

  /// The use may be replaced by `value`. Only uses by nodes may: graph outputs
  /// have their own names, and the file refers to the operands of the
  /// importer's own operations.
  bool mayBeRewired(mlir::OpOperand &use, mlir::Value value);
  /// Records that `op` has other operands than its node in the file.
  void noteRewired(mlir::Operation *op) { nameChanges.rewired.insert(op); }
  /// Call this before `op` gets other operands than those with which it was
  /// evaluated.
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
  /// The number of remaining users of a value, at most `most`.
  unsigned countReaders(mlir::Value value, unsigned most) const;
  /// Records that a pattern did not fire because a value has several users.
  /// Some of these may be erased later in the walk, until `few` are left.
  void noteReaders(mlir::Value value, unsigned few = 1) const {
    asked.insert({value, few});
  }
  /// Drops what noteReaders() noted since the walk ended: values that are erased
  /// again.
  void forgetReaders() { asked.clear(); }
  /// A pattern that did not fire because of the users of a value would fire
  /// now, since some of them are erased.
  bool haveReadersBeenErased();

  //===------------------------------------------------------------------===//
  // New operations

  /// Visits new operations of a graph at places that the walk has passed.
  /// `areCopies`: the operations in their bodies are new too.
  void visitNew(llvm::ArrayRef<mlir::Operation *> ops, bool areCopies = false);
  /// visitNew in two steps, for callers that create more operations in between:
  /// first the names of all, then each copy.
  void noteNames(llvm::ArrayRef<mlir::Operation *> ops);
  void visitCopy(mlir::Operation *op);
  /// The users that needed the names of these values are erased, so the values
  /// may be renamed.
  void releaseNames(llvm::ArrayRef<mlir::Value> values) {
    for (mlir::Value value : values)
      keepsName.erase(value);
  }
  /// Visits the operations that were created for `op`, after `before`.
  void visitMade(mlir::Operation *op, mlir::Operation *before);
  /// Visits one operation; set by the code that runs the transforms.
  std::function<void(mlir::Operation *)> visit;
  /// Returns the result of an operator's decomposition, or null. This function
  /// may be empty.
  std::function<mlir::Value(const CleanUpContext &)> decompose;

  //===------------------------------------------------------------------===//
  // What else is known

  /// Records that another walk would know more.
  void noteMoreKnown(bool isSo = true) { moreKnown |= isSo; }
  bool knowsMore() const { return moreKnown; }

  /// Keeps unused initializers and Constant nodes, with their names. Filters do
  /// not apply to them.
  void keepConstants() { keeping = true; }
  bool keepsConstants() const { return keeping; }
  /// Records that `op` copies `value`, a constant, in this walk.
  void noteCopy(mlir::Operation *op, mlir::Value value) {
    copies.push_back({op, value});
  }
  /// The plan of everything that would fold within the budget in the current
  /// graph.
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
  /// The original name of a constant of the file, if it has the name of a graph
  /// output now; else empty.
  llvm::StringRef nameInFile(mlir::Operation *constant) const;
  /// The name of output #i of a node in the file.
  llvm::StringRef outputName(Operator node, unsigned i) const;

private:
  void markReplacedBy(mlir::Operation *op, mlir::Value value,
                      llvm::StringRef pattern);
  bool mayCarry(mlir::Operation *op, mlir::ValueRange values, bool keepsName);
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
  /// The replacements of operations with one result.
  llvm::DenseMap<mlir::Operation *, mlir::Value> replacements;
  llvm::DenseSet<mlir::Operation *> renewed;
  llvm::DenseSet<mlir::Value> keepsName; ///< users need its current name
  /// noteReaders, in this walk.
  mutable llvm::DenseSet<std::pair<mlir::Value, unsigned>> asked;
  llvm::DenseMap<mlir::Operation *, std::string> refused;
  bool hasAnnotations = false; ///< some operator of the module has
  bool hasTexts = false;       ///< some node of the file has
  /// The operations that an earlier evaluation knew to be constant.
  llvm::DenseSet<mlir::Operation *> folded;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 4>>
      edited;                         ///< noteEdited, in this walk
  std::vector<FoldPlan::Copy> copies; ///< of this walk
  std::vector<FoldPlan::Compact> compact;
  /// The names of constants in the file, and their current names.
  llvm::DenseMap<mlir::Operation *, std::pair<llvm::StringRef, llvm::StringRef>>
      renamed;
  bool moreKnown = false, keeping = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITESESSION_H
