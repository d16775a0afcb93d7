//===- CleanUp.h - Exact clean-ups of ONNX graphs ---------------*- C++ -*-===//
//
// Nodes whose result is a value that is there already (x * 1, a Transpose and
// its inverse, a Reshape to the same shape, two equal nodes) are superseded:
// what reads them reads that value instead. All of it is exact: every result
// keeps its bits, up to which NaN a NaN is.
//
//   CleanUp cleanUp(/*disabled=*/{});
//   std::optional<Evaluation> evaluation;
//   do {
//     evaluation.emplace(module, options);
//     evaluation->run();
//   } while (cleanUp.run(*evaluation));         // rewires what reads them
//   FoldPlan plan(*evaluation, maxGrowth, cleanUp.superseded());
//   plan.apply();                               // erases them
//
// One walk from the top down: when a node is looked at, what it reads is final.
// Linear in the graph. Another walk follows only where a dimension that had no
// name is now that of another value. Graph outputs keep their names: where the
// result of a superseded node is one, the value in its place gets the name if a
// node of the same graph makes it, else the node stays. Operations that the
// evaluation's filter protects are neither superseded nor rewired. A run on the
// outcome changes nothing.
//
// Each pattern has a name (--disable), and its algebra in one line, in
// CleanUpPatterns.def. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// What a pattern may ask about the operator at hand.
class CleanUpContext {
public:
  CleanUpContext(Operator op, const Evaluation &evaluation)
      : op(op), evaluation(evaluation) {}

  /// The constant that input #i is, or null.
  Elements constant(unsigned i) const;
  /// Input #i is constant, and all of its elements are this number.
  bool isAll(unsigned i, double number) const;
  /// Both have this shape, whatever values symbolic dimensions take.
  bool haveSameShape(mlir::Value a, mlir::Value b) const;
  /// The result is of the same shape and element type as `value`.
  bool isLike(mlir::Value value) const;
  DataType typeOf(mlir::Value value) const {
    return evaluation.fact(value).type;
  }
  /// The operator that makes input #i, if it is known; its attributes are.
  Operator producer(unsigned i) const;
  /// The same, if it is a `type` of ai.onnx.
  Operator producer(unsigned i, llvm::StringRef type) const;

  /// A Dropout that is known to be in inference mode.
  bool dropsNothing() const;
  /// What a Reshape may read instead of its input, which is the result of
  /// another reshape; or null.
  mlir::Value beforeReshape() const;

  const Operator op;

private:
  const Evaluation &evaluation;
};

struct CleanUpPattern {
  llvm::StringLiteral name;
  llvm::StringLiteral algebra;
  /// The value that result #0 is, or null.
  mlir::Value (*match)(const CleanUpContext &);
};

/// Declared in CleanUpPatterns.def, in the order in which they are tried. Three
/// more are not of this kind and known by their names only: chains of reshapes,
/// common subexpressions and unused nodes.
llvm::ArrayRef<CleanUpPattern> cleanUpPatterns();

inline constexpr llvm::StringLiteral commonSubexpression =
    "common-subexpression";
inline constexpr llvm::StringLiteral unusedNode = "unused-node";
inline constexpr llvm::StringLiteral reshapeChain = "reshape-chain";

/// Some clean-up has this name.
bool isCleanUp(llvm::StringRef name);

class CleanUp {
public:
  explicit CleanUp(const llvm::StringSet<> &disabled);
  ~CleanUp();

  /// True if an evaluation of what is there now would know more shapes.
  bool run(const Evaluation &evaluation);

  /// Operations that nobody reads any more, in program order.
  llvm::ArrayRef<mlir::Operation *> superseded() const { return gone; }
  /// The pattern that superseded an operation; empty for the others.
  llvm::StringRef patternOf(mlir::Operation *op) const;
  /// Some operand is another one now, or the name of a result.
  bool isRewired(mlir::Operation *op) const { return rewiredOps.contains(op); }
  const llvm::DenseSet<mlir::Operation *> &rewired() const {
    return rewiredOps;
  }

private:
  class Subexpressions;

  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  bool mayGo(mlir::Operation *op) const;
  bool replace(mlir::Operation *op, mlir::ValueRange values,
               llvm::StringRef pattern);
  bool mayBeRewired(mlir::OpOperand &use, mlir::Value value);
  bool isVisible(llvm::StringRef name, mlir::Region *home,
                 mlir::Operation *reader);
  bool isUnique(llvm::StringRef name, mlir::Region *region);
  bool mayTakeName(mlir::Operation *op, mlir::Value value);
  void takeName(mlir::Operation *op, mlir::OpResult value);
  void shorten(mlir::Operation *op, const CleanUpContext &context);
  bool isUnneeded(mlir::Operation *op) const;
  void removeUnused();

  const Evaluation *evaluation = nullptr; // of this run
  llvm::SmallVector<const CleanUpPattern *> patterns;
  bool mergesEqual, removesUnused, shortens, knowsMore = false;
  std::unique_ptr<Subexpressions> known;
  std::vector<mlir::Operation *> gone;
  llvm::DenseMap<mlir::Operation *, llvm::StringRef> reasons;
  llvm::DenseSet<mlir::Operation *> rewiredOps;
  llvm::DenseMap<mlir::Region *, llvm::StringSet<>> namesOf;
  llvm::DenseMap<mlir::Region *, llvm::StringMap<mlir::Value>> mentions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_H
