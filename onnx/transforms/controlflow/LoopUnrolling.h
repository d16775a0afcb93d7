//===- LoopUnrolling.h - Loops with a small known trip count ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Replaces a Loop with a known trip count by its iterations, as new nodes with
// new names in front of it. Each iteration uses the loop-carried values of the
// one before. The iteration number is a constant, so nodes that depend on it
// fold. Scan outputs are joined by Unsqueeze and Concat. Loop-invariant nodes
// are copied once. Custom operators may have effects: they run as often as in
// the loop, and in the same order. Results keep their names.
//
//   LoopUnrolling unrolling(/*most=*/8);
//   if (auto made = unrolling.run(op, evaluation, nodes)) ...   // as an If
//
// Kept: loops whose trip count is unknown or above the limit, that may exit
// early (a condition that is not always true), or whose body (nested bodies
// included) has an operation that cannot be copied (BodyCopy.h) or a random
// operator (in called functions too), whose generator would start anew. Of a
// loop of one iteration neither the condition after it nor a generator matters.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_LOOPUNROLLING_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_LOOPUNROLLING_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"

namespace onnxfold {

class LoopUnrolling {
public:
  /// `most`: the largest trip count to unroll; 0: no loop is unrolled.
  /// `takesSingle`: loops of one iteration are replaced in any case.
  /// `takesSequences`: so are those that lose their sequences
  /// (SequenceLoops.h).
  explicit LoopUnrolling(uint64_t most, bool takesSingle = false,
                         bool takesSequences = false)
      : most(most), takesSingle(takesSingle), takesSequences(takesSequences) {}
  /// Why the last loop was unrolled.
  llvm::StringLiteral reason() const { return lastReason; }

  /// Unrolls `op` if it is a Loop that can be unrolled: returns the new
  /// operations in front of it, in order; `op` has no users then. Otherwise
  /// returns nothing and changes nothing. `isErased`: operations in the body
  /// that are replaced.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      llvm::function_ref<bool(mlir::Operation *)> isErased);

  /// A loop of no iterations that run() keeps because its scan outputs have
  /// users and their shapes are not stated.
  struct Scanned {
    Operator loop;
    mlir::ResultRange scans;
  };
  /// The loops of this kind that run() kept since begin().
  llvm::ArrayRef<Scanned> scanned() const { return kept; }
  void begin() {
    kept.clear();
    tooLong.clear();
  }
  /// One of these loops, or of those whose copies would have been more nodes,
  /// could be unrolled now, when what stands behind them is evaluated too. The
  /// next walk unrolls them.
  bool fitsNow(const Evaluation &evaluation,
               llvm::function_ref<bool(mlir::Operation *)> isErased);

  /// The reasons why loops with a small enough trip count were kept.
  llvm::ArrayRef<std::string> refusals() const { return refused; }

private:
  bool takes(Operator op, uint64_t count, const Evaluation &evaluation,
             llvm::function_ref<bool(mlir::Operation *)> isErased);

  uint64_t most;
  bool takesSingle, takesSequences;
  llvm::StringLiteral lastReason = unrolledLoop;
  std::vector<std::string> refused;
  uint64_t unrolled = 0; ///< operations that were created
  std::vector<Scanned> kept;
  std::vector<std::pair<Operator, uint64_t>> tooLong; ///< and their trip counts
  llvm::DenseSet<mlir::Operation *> fitting;          ///< found by fitsNow()
  llvm::DenseSet<mlir::Operation *> noted;            ///< walks may be repeated
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_LOOPUNROLLING_H
