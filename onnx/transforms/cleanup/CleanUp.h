//===- CleanUp.h - Exact clean-ups of ONNX graphs ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces nodes whose result is an existing value (x * 1, a Transpose and its
// inverse, a Reshape to the same shape, two equal nodes): their users are
// rewired to that value. At -O1 everything is exact: every result keeps its
// bits (of a NaN, that it is one).
//
//   CleanUp cleanUp(/*level=*/1, /*disabled=*/{});
//   std::optional<Evaluation> evaluation;
//   do
//     evaluation.emplace(module, options);
//   while (cleanUp.run(*evaluation));           // rewires their users
//   cleanUp.plan()->apply();                    // erases them
//
// The evaluation walks over the graph once, from the top down, and each
// transform visits each operation (Transform.h). The cost is linear in the
// graph. Another walk follows only if more became known of a value that was
// visited before. A second run changes nothing.
//
// CleanUps.def lists all clean-ups: patterns (CleanUpPattern.h), and
// transforms, each a class of its own. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CLEANUP_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CLEANUP_H

#include "onnxfold/onnx/transforms/cleanup/Decomposition.h"
#include "onnxfold/onnx/transforms/functions/CallAnalyses.h"
#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"
#include <functional>

namespace onnxfold {

class InlineCalls;
class LoopUnrolling;
class PatternRewrites;
class RepeatedNodes;
class UnrollLoops;

/// A name that --disable takes, and its algebra.
struct CleanUpInfo {
  llvm::StringLiteral name;
  llvm::StringLiteral algebra;
  int level; ///< the lowest level of optimisation
};

/// The clean-ups of CleanUps.def.
llvm::ArrayRef<CleanUpInfo> cleanUps();

/// Some clean-up has this name.
bool isCleanUp(llvm::StringRef name);

class CleanUp {
public:
  /// At level 0 nothing is changed. Loops of at most `mostUnrolled` iterations
  /// that do not fold are unrolled.
  CleanUp(int level, const llvm::StringSet<> &disabled,
          uint64_t mostUnrolled = 0);
  ~CleanUp();

  /// Bytes that the model's constants may gain in all; nothing (the default):
  /// any number. REQUIRES: before run().
  void setBudget(std::optional<int64_t> bytes) {
    rewrites.growth.limit = bytes;
  }
  /// Unused initializers and Constant nodes are kept: filters do not apply to
  /// them. REQUIRES: before run().
  void keepConstants() { rewrites.keepConstants(); }
  /// Initializers with these names keep them: annotations of the file have
  /// them. REQUIRES: before run().
  void keepNames(llvm::StringSet<> names) { annotated = std::move(names); }
  /// `condition` is called when a run() ends; true if there is no time for
  /// another.
  void stopIf(std::function<bool()> condition) { stops = std::move(condition); }
  /// Functions that the main graph does not reach are erased later
  /// (InterproceduralConstants.h), and the budget does not count what is in
  /// them. REQUIRES: before run().
  void dropIdleFunctions();
  /// Calls of functions that match one of the globs are inlined. REQUIRES:
  /// before run().
  void inlineFunctions(llvm::ArrayRef<std::string> globs);
  /// Something that is not read calls functions, too: types of calls are not
  /// passed to their bodies. REQUIRES: before run().
  void keepBodiesUntyped() { calls.keepBodiesUntyped(); }
  /// The state of an argument of a function in all calls, or nothing. For
  /// EvaluationOptions::stateOfArgument of what run() gets.
  std::optional<ValueState> stateOfArgument(mlir::BlockArgument argument,
                                            DimExprs &exprs) {
    return level >= 1 ? calls.stateOfArgument(argument, exprs) : std::nullopt;
  }
  /// Adds a pattern, which must live as long, after those of the list.
  /// REQUIRES: before run().
  void add(const CleanUpPattern &pattern) { patterns.add(pattern); }

  /// Runs the evaluation, and cleans up during its walk. True if another
  /// evaluation, of the changed graph, would know more.
  bool run(Evaluation &evaluation);

  /// Call this after the last run(). The plan will be that of another
  /// evaluation of the current graph (RewriteSession::look).
  void look(Evaluation &evaluation, std::vector<FoldPlan::Compact> compact) {
    rewrites.look(evaluation, std::move(compact));
  }

  /// The plan of everything that folds within the budget. A value that the
  /// budget keeps out of the model, and that is a broadcast of a small one,
  /// becomes an Expand of that. Call this once, after the last run().
  std::unique_ptr<FoldPlan> plan();

  /// Empty, or a message that the clean-ups did not terminate, with the number
  /// of times that each fired, because two patterns undo each other. The
  /// changes made until then are correct.
  std::string problem() const;

  /// The bytes of the constants created besides those of the plan: for Expand,
  /// lifted from functions, and for decomposed operators.
  int64_t bytesMade() const { return rewrites.growth.made(); }
  /// The budget left out some of these constants (except for Expand).
  bool isLimited() const;

  /// The record of what was replaced, rewired and renamed.
  const RewriteSession &session() const { return rewrites; }
  RewriteSession &session() { return rewrites; }
  /// The constants that were created for calls and in functions.
  const LiftedConstants &lifted() const { return lifts.lifted(); }
  /// The names of the constants that the results of `op`, which folds, were
  /// computed from: each once, the nearest first, at most 16, and none that is
  /// further than 64 nodes away. They live as long as the context. REQUIRES:
  /// after the last run(), before the plan is applied.
  llvm::SmallVector<llvm::StringRef> sourcesOf(mlir::Operation *op) const;
  /// How many BatchNormalization nodes level 2 would fuse into the node before
  /// them, from matching alone. REQUIRES: as sourcesOf.
  size_t numFusableBatchNorms() const;
  /// The reasons why loops with a small enough trip count were not unrolled.
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
  llvm::StringSet<> disabled, annotated;
  RewriteSession rewrites;
  CallAnalyses calls{rewrites};
  InterproceduralConstants lifts;
  Decomposition decomposition;
  PatternIndex patterns;
  std::vector<std::unique_ptr<Transform>> transforms; ///< none at level 0
  const PatternRewrites *patternRewrites = nullptr;
  const UnrollLoops *loops = nullptr;
  InlineCalls *inlining = nullptr;
  RepeatedNodes *repeated = nullptr;         ///< null: equal nodes are kept
  llvm::DenseSet<mlir::Value> typedAtLevel0; ///< ScansOfNothing.h
  unsigned walks = 0;
  bool diverges = false;
  std::function<bool()> stops;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_CLEANUP_H
