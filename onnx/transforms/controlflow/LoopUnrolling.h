//===- LoopUnrolling.h - Loops with a small known trip count ----*- C++ -*-===//
//
// Writes the iterations of a Loop one after the other in front of it, as new
// nodes with new names: what is carried round goes from one to the next, the
// number of the iteration is a constant, so that what depends on it folds, and
// what is scanned is joined by Unsqueeze and Concat. What does not depend on
// the iteration stands there once, but custom operators, of which nobody knows
// what they do: they run as often as in the loop, and in the same order.
// Results keep their names.
//
//   LoopUnrolling unrolling(/*most=*/8);
//   if (auto made = unrolling.run(op, evaluation, nodes)) ...   // as an If
//
// Left as they are: loops whose trip count is not known or above the limit,
// that may end before (a condition that is not always true), or that hold, in
// bodies of the body too, what cannot be written as a new node (BodyCopy.h);
// and random operators, in functions that are called too, whose generator would
// begin anew.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_LOOPUNROLLING_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_LOOPUNROLLING_H

#include "onnxfold/onnx/transforms/rewrite/NodeBuilder.h"

namespace onnxfold {

class LoopUnrolling {
public:
  /// At most so many iterations; 0: no loop is touched.
  explicit LoopUnrolling(uint64_t most) : most(most) {}

  /// If `op` is a Loop that can be unrolled: what stands in front of it now and
  /// was not there, in order; nobody reads it any more. `isGone` tells of
  /// operations in its body that are superseded. Else nothing, and all is as it
  /// was.
  std::optional<llvm::SmallVector<mlir::Operation *>>
  run(Operator op, Evaluation &evaluation, NodeBuilder &nodes,
      llvm::function_ref<bool(mlir::Operation *)> isGone);

  /// A loop of no iterations that stayed, since the last time, because of what
  /// read its slices would not stay now.
  bool fitsNow(llvm::function_ref<bool(mlir::Operation *)> isGone);

  /// Why loops stayed whose trip count would do.
  llvm::ArrayRef<std::string> refusals() const { return refused; }

private:
  uint64_t most;
  std::vector<std::string> refused;
  /// Loops, and how many values they carry.
  std::vector<std::pair<Operator, unsigned>> scanned;
  llvm::DenseSet<mlir::Operation *> noted; ///< walks may be repeated
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_LOOPUNROLLING_H
