//===- CleanUp.h - Exact clean-ups of ONNX graphs ---------------*- C++ -*-===//
//
// Nodes whose result is a value that is there already (x * 1, a Transpose and
// its inverse, a Reshape to the same shape, two equal nodes) are superseded:
// what reads them reads that value instead. All of it is exact: every result
// keeps its bits, up to which NaN a NaN is.
//
//   CleanUp cleanUp(/*level=*/1, /*disabled=*/{});
//   std::optional<Evaluation> evaluation;
//   do
//     evaluation.emplace(module, options);
//   while (cleanUp.run(*evaluation));           // rewires what reads them
//   cleanUp.plan()->apply();                    // erases them
//
// One walk from the top down, that of the evaluation: when a node is looked at,
// what it reads is final, and what reads it will be evaluated with what is read
// then. Linear in the graph. Another walk follows only where something became
// known of a value that was visited before. Graph outputs keep their names:
// where the result of a superseded node is one, the value in its place gets the
// name if a node or an initializer of the same graph is it, else the node
// stays, although it may be a constant: no constant is stored twice. Operations
// that the evaluation's filter protects are neither superseded nor rewired. A
// run on the outcome changes nothing.
//
// A pattern gives the value that the result is. That is one which was there, or
// the result of a new node (CleanUpContext::nodes), which then takes the names
// of the superseded one. Or it gives inputs that the node may do without, or
// read from elsewhere; the node stays what it is then. Each has a name
// (--disable), a level (-O1: exact; -O2: within a bound), and its algebra in
// one line, in CleanUpPatterns.def.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUP_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUP_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/controlflow/BranchInlining.h"
#include "onnxfold/onnx/transforms/controlflow/LoopUnrolling.h"
#include "onnxfold/onnx/transforms/functions/CallInlining.h"
#include "onnxfold/onnx/transforms/functions/Decomposition.h"
#include "onnxfold/onnx/transforms/functions/FunctionLifting.h"
#include "onnxfold/onnx/transforms/functions/internal/CallTypes.h"
#include "onnxfold/onnx/transforms/rewrite/CopySources.h"
#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

class CleanUp;
class FoldPlan;
class PureCalls;
class Subexpressions;

/// What a pattern may ask about the operator at hand.
class CleanUpContext {
public:
  CleanUpContext(Operator op, const CleanUp &cleanUp,
                 const Evaluation &evaluation, NodeBuilder &nodes)
      : op(op), nodes(nodes), cleanUp(cleanUp), evaluation(evaluation) {}

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

  /// One operation reads a value, once, without those that are superseded. To
  /// be asked last: where it is not so but becomes so, another walk follows.
  bool isReadOnce(mlir::Value value) const;
  /// The operator at hand alone reads input #i, and an operator made it, which
  /// may change: if the pattern fires, that one is gone. See isReadOnce.
  bool isOnlyReader(unsigned i) const;

  /// A Dropout that is known to be in inference mode.
  bool dropsNothing() const;
  /// What a Reshape may read instead of its input, which is the result of
  /// another reshape; or null.
  mlir::Value beforeReshape() const;

  /// What the operator is by its function body, where that is smaller, or null.
  /// New nodes may have been made (Decomposition.h).
  mlir::Value decomposed() const;

  /// What a pattern may ask about another operator before the one at hand.
  CleanUpContext at(Operator other) const {
    CleanUpContext result(other, cleanUp, evaluation, nodes);
    result.hidesMakers = hidesMakers;
    return result;
  }
  /// What a run on the outcome would find, where constants come from the file
  /// and nobody sees how they were made.
  CleanUpContext afterFolding() const {
    CleanUpContext result(*this);
    result.hidesMakers = true;
    return result;
  }

  /// All that is known, of values that stand before the operator.
  const Evaluation &knownValues() const { return evaluation; }

  const Operator op;
  /// For new nodes. REQUIRES: the pattern goes through with it, no result of
  /// `op` but #0 has readers.
  NodeBuilder &nodes;

private:
  const CleanUp &cleanUp;
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
  /// The value that result #0 is, or null.
  mlir::Value (*match)(const CleanUpContext &);
  int level = 1; ///< of optimisation, from which on it is tried
  bool makesNodes = false;
  /// Other inputs of the same node, with which all results are what they were.
  /// Those that it gives are not given again when they are there.
  InputEdits (*edit)(const CleanUpContext &) = nullptr;
};

/// Declared in CleanUpPatterns.def, in the order in which they are tried. Seven
/// more are not of this kind and known by their names only: chains of reshapes,
/// branches that are taken, calls that are inlined, what calls pass to
/// functions, common subexpressions, unused nodes, and constants that a budget
/// keeps small.
llvm::ArrayRef<CleanUpPattern> cleanUpPatterns();

inline constexpr llvm::StringLiteral commonSubexpression =
    "common-subexpression";
inline constexpr llvm::StringLiteral unusedNode = "unused-node";
inline constexpr llvm::StringLiteral reshapeChain = "reshape-chain";
inline constexpr llvm::StringLiteral constantBranch = "constant-branch";
inline constexpr llvm::StringLiteral smallConstant = "small-constant";
inline constexpr llvm::StringLiteral constantCall = "constant-call";
inline constexpr llvm::StringLiteral liftFromFunction = "lift-from-function";
/// Only where it is asked for, so no clean-up.
inline constexpr llvm::StringLiteral unrolledLoop = "unroll";

/// Some clean-up has this name.
bool isCleanUp(llvm::StringRef name);

class CleanUp {
public:
  /// At level 0 it leaves all as it is. Loops of at most `mostUnrolled`
  /// iterations that do not fold are unrolled.
  CleanUp(int level, const llvm::StringSet<> &disabled,
          uint64_t mostUnrolled = 0);
  ~CleanUp();

  /// Runs the evaluation, and cleans up on its way. True if another one, of
  /// what is there now, would know more.
  bool run(Evaluation &evaluation);

  /// Bytes that the model's constants may gain in all; nothing (the default):
  /// any number. REQUIRES: before run().
  void setBudget(std::optional<int64_t> bytes) {
    budget = bytes;
    lifts.setBudget(bytes);
  }

  /// What folds within the budget, after the last run(). What it leaves out of
  /// the model and is a broadcast of something small becomes an Expand of that.
  /// Called once.
  std::unique_ptr<FoldPlan> plan();
  /// Bytes of the constants that were made besides those of the plan: for
  /// Expand, lifted from functions, and for what operators were taken apart to.
  int64_t bytesMade() const {
    return bytesExpanded + bytesSettled + lifts.growth() +
           decompositions->bytesMade();
  }
  /// The budget left out some of these (but for those of Expand).
  bool isLimited() const {
    return lifts.isLimited() || decompositions->isLimited();
  }

  FunctionLifting &lifting() { return lifts; }
  const FunctionLifting &lifting() const { return lifts; }

  /// Names of the constants that the results of `op`, which folds, were
  /// computed from, each once, nearest first; at most 16, and none from further
  /// than 64 nodes away. They live as long as the context. REQUIRES: after the
  /// last run(), before the plan is applied.
  llvm::SmallVector<llvm::StringRef> sourcesOf(mlir::Operation *op) const;

  /// Initializers and Constant nodes that nobody reads stay: filters do not
  /// speak of them.
  void keepConstants() { keepsConstants = true; }

  /// One more pattern, which must live as long, tried after those of the list.
  /// REQUIRES: before run().
  void add(const CleanUpPattern &pattern) { patterns.push_back(&pattern); }

  /// Empty, or that the clean-ups did not come to an end, with how often each
  /// fired: two patterns undo each other. What was done until then is correct.
  std::string problem() const;

  /// Operations that nobody reads any more, in program order.
  llvm::ArrayRef<mlir::Operation *> superseded() const { return gone; }
  /// The pattern that superseded an operation; empty for the others.
  llvm::StringRef patternOf(mlir::Operation *op) const;
  /// The operation is superseded by a new one that has its names.
  bool isReplaced(mlir::Operation *op) const { return replaced.contains(op); }
  /// Where operations came from that stood in the branch of an If.
  const BranchInlining &inlining() const { return branches; }
  /// The nodes that copies were made of.
  const CopySources &copies() const { return sources; }
  /// Loops that were unrolled, and why others were not.
  const LoopUnrolling &unrolling() const { return loops; }
  /// The name that a constant of the file has there, if it has the name of a
  /// graph output now; else empty.
  llvm::StringRef nameInFile(mlir::Operation *constant) const;
  /// The name that output #i of a node has in the input.
  llvm::StringRef outputName(Operator node, unsigned i) const;
  /// It is superseded, or what it is in, or a constant takes its place.
  bool isGone(mlir::Operation *op) const;
  /// Of operations that read a value and stay, `most` at most.
  unsigned countReaders(mlir::Value value, unsigned most) const;
  /// A pattern did not fire because of what reads a value: some of that may go
  /// later in the walk, until there is one.
  void noteReaders(mlir::Value value) const { asked.insert(value); }
  /// Some operand is another one now, or the name of a result.
  bool isRewired(mlir::Operation *op) const {
    return changes.rewired.contains(op);
  }

private:
  friend class CleanUpContext; // decomposed
  void visit(mlir::Operation *op);
  bool tryPatterns(mlir::Operation *op, const CleanUpContext &context);
  void merge(mlir::Operation *op);
  bool mergeCall(mlir::Operation *op);
  mlir::Value constantOfBranch(Operator node) const;
  bool readConstant(mlir::Operation *op);
  bool isFixed(mlir::Value value) const;
  bool isFolding(mlir::Operation *op) const;
  const CleanUpPattern *constantGiven(mlir::Operation *op, mlir::Value &value);
  void noteCopy(mlir::Operation *op, mlir::Value value,
                const CleanUpPattern &pattern);
  bool giveConstant(mlir::Operation *op, mlir::Value value,
                    llvm::StringRef pattern);
  bool inlineBranch(mlir::Operation *op);
  bool inlineLeftOut(mlir::Operation *op);
  bool losesReaders(mlir::Operation *op, const FoldPlan &draft) const;
  bool haveBodiesLeft();
  bool unroll(mlir::Operation *op);
  bool inlineCall(mlir::Operation *op);
  bool hasCallsChanged();
  bool liftFromFunctions(const FoldPlan &draft);
  void settleCalls(const FoldPlan &draft);
  void settle(mlir::Operation *op, const FoldPlan &draft);
  int64_t bytesToSettle(const FoldPlan &draft) const;
  std::unique_ptr<FoldPlan> draftPlan() const;
  int64_t expandLeftOut(const FoldPlan &plan, int64_t most);
  void visitNew(llvm::ArrayRef<mlir::Operation *> ops, bool areCopies = false);
  void visitCopy(mlir::Operation *op);
  bool mayGo(mlir::Operation *op) const;
  bool replace(mlir::Operation *op, mlir::ValueRange values,
               llvm::StringRef pattern);
  void takeOver(mlir::Operation *op, mlir::Value value,
                llvm::StringRef pattern);
  void supersede(mlir::Operation *op, llvm::StringRef pattern);
  bool isNode(Operator op) const;
  bool mayBeRewired(mlir::OpOperand &use, mlir::Value value);
  bool isVisible(llvm::StringRef name, mlir::Region *home,
                 mlir::Operation *reader);
  void noteNames(mlir::Operation *op);
  void noteMentions(mlir::ValueRange values,
                    llvm::StringMap<mlir::Value> &valueOf);
  void noteMentions(mlir::Operation *below,
                    llvm::StringMap<mlir::Value> &valueOf);
  bool isUnique(llvm::StringRef name, mlir::Region *region);
  bool mayRename(mlir::Operation *maker) const;
  bool mayTakeName(mlir::Operation *op, mlir::Value value);
  void takeName(mlir::Operation *op, mlir::OpResult value);
  bool shorten(mlir::Operation *op, const CleanUpContext &context);
  void editInputs(mlir::Operation *op, const CleanUpContext &context);
  void editInput(mlir::Operation *op, unsigned i, mlir::Value value,
                 llvm::StringRef pattern);
  void noteFolded();
  bool haveReadersGone();
  void visitMade(mlir::Operation *op, mlir::Operation *before);
  bool isUnneeded(mlir::Operation *op) const;
  bool isUnneededCall(mlir::Operation *op) const;
  bool goesWithReaders(mlir::Operation *op) const;
  void removeUnused();

  Evaluation *evaluation = nullptr; // of this run
  std::unique_ptr<NodeBuilder> nodes;
  BranchInlining branches;
  CopySources sources{branches};
  LoopUnrolling loops;
  CallInlining calls;
  FunctionLifting lifts;
  std::unique_ptr<Decomposition> decompositions;
  std::unique_ptr<CallTypes> callTypes; // of this run
  std::unique_ptr<PureCalls> pureCalls; // of this run
  std::optional<int64_t> budget;
  int64_t bytesExpanded = 0, bytesSettled = 0;
  bool keepsConstants = false;
  bool inlinesCalls;
  llvm::SmallVector<const CleanUpPattern *> patterns;
  int level;
  unsigned walks = 0, depth = 0; // of a chain of replacements of one operation
  bool diverges = false;
  bool mergesEqual, removesUnused, shortens, inlines, expands, liftsConstants;
  bool knowsMore = false;
  std::unique_ptr<Subexpressions> known;
  std::vector<mlir::Operation *> gone;
  mutable llvm::DenseSet<mlir::Value> asked; ///< noteReaders, in this run
  /// What gives a constant as it is, and what that is, in this run.
  std::vector<std::pair<mlir::Operation *, mlir::Value>> copied;
  /// Names of constants in the file, and those that they have now.
  llvm::DenseMap<mlir::Operation *, std::pair<llvm::StringRef, llvm::StringRef>>
      renamed;
  /// What an evaluation before this one knew to be constant.
  llvm::DenseSet<mlir::Operation *> folded;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> reasons;
  llvm::DenseSet<mlir::Operation *> replaced;
  std::vector<mlir::Operation *> withBodies; ///< of this run
  llvm::DenseSet<mlir::Operation *> leftOut; ///< Ifs, by the budget
  NameChanges changes;
  llvm::DenseMap<mlir::Region *, llvm::StringSet<>> namesOf;
  llvm::DenseSet<mlir::Value> keepsName; ///< readers need the one that it has
  llvm::DenseMap<mlir::Region *, llvm::StringMap<mlir::Value>> mentions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUP_H
