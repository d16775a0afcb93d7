//===- CleanUp.h - Exact clean-ups of ONNX graphs ---------------*- C++ -*-===//
//
// Nodes whose result is a value that is there already (x * 1, a Transpose and
// its inverse, a Reshape to the same shape, two equal nodes) are replaced: what
// reads them reads that value instead. All of it is exact: every result keeps
// its bits, up to which NaN a NaN is.
//
//   CleanUp cleanUp(/*level=*/1, /*disabled=*/{});
//   std::optional<Evaluation> evaluation;
//   do
//     evaluation.emplace(module, options);
//   while (cleanUp.run(*evaluation));           // rewires what reads them
//   cleanUp.plan()->apply();                    // erases them
//
// One walk from the top down, that of the evaluation, in which each transform
// looks at each operation (Transform.h). Linear in the graph. Another walk
// follows only where something became known of a value that was visited before.
// A run on the outcome changes nothing.
//
// All clean-ups stand in CleanUps.def: patterns (CleanUpPattern.h), and
// transforms, each a class of its own. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CLEANUP_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CLEANUP_H

#include "onnxfold/onnx/transforms/cleanup/Decomposition.h"
#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class LoopUnrolling;
class PatternRewrites;
class UnrollLoops;

/// What --disable takes, and what it stands for.
struct CleanUpInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral algebra;
  int level; ///< of optimisation, from which on it is tried
};

/// Those of CleanUps.def.
llvm::ArrayRef<CleanUpInfo> cleanUps();

/// Some clean-up has this name.
bool isCleanUp(llvm::StringRef name);

class CleanUp {
public:
  /// At level 0 it leaves all as it is. Loops of at most `mostUnrolled`
  /// iterations that do not fold are unrolled.
  CleanUp(int level, const llvm::StringSet<> &disabled,
          uint64_t mostUnrolled = 0);
  ~CleanUp();

  /// Bytes that the model's constants may gain in all; nothing (the default):
  /// any number. REQUIRES: before run().
  void setBudget(std::optional<int64_t> bytes) {
    rewrites.growth.limit = bytes;
  }
  /// Initializers and Constant nodes that nobody reads stay: filters do not
  /// speak of them. REQUIRES: before run().
  void keepConstants() { rewrites.keepConstants(); }
  /// Functions that the main graph does not reach go later
  /// (InterproceduralConstants.h), and the budget does not count what is in
  /// them. REQUIRES: before run().
  void dropIdleFunctions();
  /// One more pattern, which must live as long, tried after those of the list.
  /// REQUIRES: before run().
  void add(const CleanUpPattern &pattern) { patterns.add(pattern); }

  /// Runs the evaluation, and cleans up on its way. True if another one, of
  /// what is there now, would know more.
  bool run(Evaluation &evaluation);

  /// What folds within the budget, after the last run(). What it leaves out of
  /// the model and is a broadcast of something small becomes an Expand of that.
  /// Called once.
  std::unique_ptr<FoldPlan> plan();

  /// Empty, or that the clean-ups did not come to an end, with how often each
  /// fired: two patterns undo each other. What was done until then is correct.
  std::string problem() const;

  /// Bytes of the constants that were made besides those of the plan: for
  /// Expand, lifted from functions, and for what operators were taken apart to.
  int64_t bytesMade() const { return rewrites.growth.made(); }
  /// The budget left out some of these (but for those of Expand).
  bool isLimited() const {
    return lifts.isLimited() || decomposition.isLimited();
  }

  /// What was replaced, rewired and renamed.
  const RewriteSession &session() const { return rewrites; }
  /// Constants that were made for calls and in functions.
  const LiftedConstants &lifted() const { return lifts.lifted(); }
  /// Names of the constants that the results of `op`, which folds, were
  /// computed from, each once, nearest first; at most 16, and none from further
  /// than 64 nodes away. They live as long as the context. REQUIRES: after the
  /// last run(), before the plan is applied.
  llvm::SmallVector<llvm::StringRef> sourcesOf(mlir::Operation *op) const;
  /// Why loops were not unrolled whose trip count would do.
  llvm::ArrayRef<std::string> loopRefusals() const;

private:
  void addTransforms(uint64_t mostUnrolled);
  template <typename T, typename... Arguments> T &addTransform(Arguments &&...);
  bool isEnabled(llvm::StringRef name) const {
    return !disabled.contains(name);
  }
  mlir::Value decompose(const CleanUpContext &cx);
  void visit(mlir::Operation *op);
  bool finish();

  int level;
  llvm::StringSet<> disabled;
  RewriteSession rewrites;
  CallAnalyses calls{rewrites};
  InterproceduralConstants lifts;
  Decomposition decomposition;
  PatternIndex patterns;
  std::vector<std::unique_ptr<Transform>> transforms; ///< none at level 0
  const PatternRewrites *patternRewrites = nullptr;
  const UnrollLoops *loops = nullptr;
  unsigned walks = 0;
  bool diverges = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CLEANUP_H
