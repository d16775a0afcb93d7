//===- Evaluation.h - What is known of every value --------------*- C++ -*-===//
//
// Step one of constant propagation: walks a module top-down, bodies included,
// and notes for every value its type, shape and elements as far as they are
// known, and for every operation whether all its results are constant or why
// not. The IR is not touched. Large results are deferred: they cost nothing
// until somebody reads their bytes.
//
// A kernel may run the bodies of its operation (FoldContext::runBody): each run
// fills a table of its own, which falls back on this one for what does not
// depend on the body's arguments, and is dropped afterwards.
//
//   Evaluation evaluation(module, options);
//   evaluation.run();
//   if (evaluation.isFoldable(op)) ... else evaluation.reason(op).text ...
//
// Cost: linear in the number of operations, plus what kernels compute.
// Thread safety: none; runs kernels in the calling thread, which may use the
// pool of a ParallelScope. Errors: none. The IR must not change while the table
// is in use; values in it are handles that keep their bytes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_EVALUATION_H
#define ONNXFOLD_CONSTPROP_EVALUATION_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"

namespace onnxfold {

class LoopInvariants;

enum class Precision : uint8_t {
  Exact, // floats are rounded to their type after every operation
  Wide,  // and else only when they enter the IR; what reads elements, and
         // casts, see them rounded (Elements::widened)
};

struct EvaluationOptions {
  FoldLimits limits;
  Precision precision = Precision::Exact;
  /// Operations that must not change, with the reason (--only, --skip). May be
  /// empty.
  std::function<std::optional<Reason>(mlir::Operation *)> filter;
  /// What is known of an argument of a function or body; by default what its
  /// MLIR type says. May be empty.
  std::function<ValueState(mlir::BlockArgument, DimExprs &)> stateOfArgument;
  /// Called before each operation, for progress. May be empty.
  std::function<void()> step;
  /// Not null: what all operations compute counts here together, against the
  /// limits of one. Must outlive the evaluation.
  UsedLimits *used = nullptr;
  /// Where functions that are called are looked up, which must outlive the
  /// evaluation; null: those of the root.
  const mlir::SymbolTable *functions = nullptr;
  /// What is only kept for the runtime (ReasonCode::Quantization) folds too.
  bool foldsQuantization = false;
};

class Evaluation {
public:
  Evaluation(mlir::Operation *root, EvaluationOptions options);

  /// Called after each operation that is no constant, when it and what is in
  /// its bodies are in the table. It may let others read other values, and
  /// insert operations next to this one, which it passes to add() at once.
  using Visitor = llvm::function_ref<void(mlir::Operation *)>;

  /// Fills the table. Call once. `inferred` is told of each operation when it
  /// is in the table, before its readers and `visited` are: it may refine its
  /// results. A body that runs again and again is walked several times until it
  /// is known what holds in every iteration; `visited` sees the last walk only.
  void run(Visitor visited = nullptr, Visitor inferred = nullptr);

  /// Evaluates an operation that was not there in run(). REQUIRES: what it
  /// reads is in the table, or does not lie below the root. The visitor of
  /// run() is not told of what is in its bodies.
  void add(mlir::Operation *op);

  /// `value` is equal to another one, of which this is known.
  void refine(mlir::Value value, const ValueState &other);

  /// From now on `value` is this, whatever its operation says; null: nothing is
  /// known of it but type and shape, and its elements are dropped.
  void assume(mlir::Value value, FoldedValue given);

  /// `op`, which was just evaluated, gives this; it folds if no value that
  /// anybody reads is missing. REQUIRES: a value is known.
  void giveResults(mlir::Operation *op, const FoldResult &result);

  /// `op` is about to be erased: what is known of it goes, with the bytes of
  /// its results. An operation that gets its address is not in the table.
  void forget(mlir::Operation *op);

  /// REQUIRES: the value existed in run(), or its operation was added.
  const ValueState &state(mlir::Value value) const;

  /// The operation lies below the root and was there in run().
  bool has(mlir::Operation *op) const { return reasons.contains(op); }

  /// The operation only states a constant (an initializer, a Constant node).
  bool isConstant(mlir::Operation *op) const;

  /// All results that anybody reads are known, and it may be replaced by them.
  bool isFoldable(mlir::Operation *op) const;
  /// Why the operation stays; code None if it is foldable or a constant.
  const Reason &reason(mlir::Operation *op) const;
  /// False: no operation stays for such a reason.
  bool mayStay(ReasonCode code) const;

  /// Neither --only nor --skip forbids to touch the operation.
  bool mayChange(mlir::Operation *op) const {
    return !options.filter || !options.filter(op);
  }

  /// The operation is known although no constant can hold what it makes, or it
  /// is foldable: it does not matter what its body does.
  bool isAllKnown(mlir::Operation *op) const {
    return isFoldable(op) || reason(op).code == ReasonCode::NoTensor;
  }

  /// `op` stands in a body that runs again and again, of whose arguments not
  /// all is known that is known in the first iteration: after a change in the
  /// body another evaluation may find more.
  bool mayLearn(mlir::Operation *op) const;

  mlir::Operation *root() const { return rootOp; }
  /// Functions that may be called, as they were when this was first asked; null
  /// if there are none.
  const mlir::SymbolTable *functions() const;
  const EvaluationOptions &evaluationOptions() const { return options; }
  DimExprs &exprs() { return table; }
  const DimExprs &exprs() const { return table; }

private:
  /// For one run of a body below `outer`.
  Evaluation(Evaluation &outer, mlir::Operation *root, UsedLimits &used);

  FoldResult runBody(mlir::Region &body, llvm::ArrayRef<FoldedValue> arguments,
                     UsedLimits &used);
  FoldResult runOperations(mlir::Block &block);
  std::optional<Reason> runCall(mlir::Operation *op,
                                const FoldingInterface &dialect,
                                llvm::ArrayRef<ValueState *> inputs);
  FoldResult runFunction(mlir::Operation *function,
                         llvm::ArrayRef<ValueState *> arguments);
  Reason checkArguments(mlir::Block &block,
                        llvm::ArrayRef<FoldedValue> arguments);
  Reason checkMayGo(mlir::Operation *op);
  Reason reasonInBody(mlir::Value value);
  void inferFromBranches(mlir::Operation *op, const FoldingInterface &dialect,
                         llvm::MutableArrayRef<ValueState> results);
  std::optional<Reason> checkFilter(mlir::Operation *op) const;
  bool isKnownOutside(mlir::Operation *op);
  bool copyStaticTypes(mlir::Operation *op,
                       llvm::MutableArrayRef<ValueState> results);
  DimExpr importExpr(DimExpr symbol);
  ValueState import(const ValueState &state);
  std::optional<Reason> checkUsed(mlir::Operation *op);
  Reason runKernel(mlir::Operation *op, const Kernel &kernel, int version,
                   llvm::ArrayRef<ValueState *> inputs,
                   llvm::ArrayRef<ValueState *> results);
  void visitRegion(
      mlir::Region &region,
      llvm::function_ref<ValueState(mlir::BlockArgument)> stateOfArgument);
  ValueState declaredState(mlir::BlockArgument argument, DimExprs &exprs) const;
  void visitBodies(mlir::Operation *op, const FoldingInterface &dialect);
  void visitLoop(const BodyLoop &loop, LoopInvariants &states);
  llvm::SmallVector<const ValueState *, 4> settleLoop(const BodyLoop &loop,
                                                      LoopInvariants &states);
  llvm::SmallVector<const ValueState *, 4> walkLoop(const BodyLoop &loop,
                                                    LoopInvariants &states);
  void inferFromLoop(mlir::Operation *op, const FoldingInterface &dialect,
                     llvm::ArrayRef<const ValueState *> operands,
                     llvm::MutableArrayRef<ValueState> results);
  Visitor visited = nullptr;   // during run()
  Visitor inferring = nullptr; // during run()
  void visit(mlir::Operation *op);
  ValueState &stateOf(mlir::Value value);
  ValueState &setState(mlir::Value value, ValueState state);
  void setReason(mlir::Operation *op, Reason reason);
  /// The constant's elements, or null.
  Elements constantOf(mlir::Operation *op);
  Reason evaluate(mlir::Operation *op, const FoldingInterface &dialect);
  Reason checkInputs(const Kernel &kernel,
                     llvm::ArrayRef<ValueState *> inputs) const;
  Reason checkInferred(llvm::ArrayRef<ValueState> inferred) const;
  /// The computed type and shape fit what was inferred.
  static bool agrees(const ValueState &inferred, const Elements &value,
                     const DimExprs &table);
  Reason record(mlir::Operation *op, const FoldResult &result);
  Reason recordValue(mlir::Value value, const Elements &elements);

  mlir::Operation *rootOp;
  // Its own, or those of the evaluation around a body.
  std::unique_ptr<EvaluationOptions> ownOptions;
  const EvaluationOptions &options;
  /// In a body that is run the symbols are new, and go with it: ten thousand
  /// iterations make millions.
  DimExprs table;
  llvm::DenseMap<int64_t, DimExpr> importedExprs;
  Evaluation *outer = nullptr; // of the body that is run here
  UsedLimits *used = nullptr;  // in a body that is run
  mutable std::unique_ptr<mlir::SymbolTable> ownFunctions; ///< when asked for
  unsigned depth = 0; // of bodies and calls in each other
  /// In walks of a body that are not the last: nothing outside the table may
  /// change.
  bool isQuiet = false;
  /// Of the loop that is visited, and of those in its body.
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<LoopInvariants>> loops;
  llvm::DenseSet<mlir::Operation *> openLoops;
  llvm::SpecificBumpPtrAllocator<ValueState> stateMemory;
  llvm::DenseMap<mlir::Value, ValueState *> states;
  /// Elements of some of the last small constants, by the hash of the
  /// attribute, which equal ones share: a model has thousands of a few shapes
  /// and axes.
  std::vector<std::pair<mlir::Attribute, Elements>> recent;
  llvm::StringMap<Reason> texts; // many operations stay for the same reason
  llvm::DenseMap<mlir::Operation *, const Reason *> reasons;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_EVALUATION_H
