//===- CopySources.h - The nodes that copies were made of -------*- C++ -*-===//
//
// Notes, for each copy of an operation, the node of the file that says what it
// is (NodeSource.h), also for a copy of a copy.
//
//   CopySources sources(moved);
//   sources.note(original, copy);
//   sources.noteParameter(copy, "axis", call, function, "dim");
//   if (const NodeSource *source = sources.find(copy)) ...
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_COPYSOURCES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_COPYSOURCES_H

#include "onnxfold/onnx/ir/NodeSource.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/rewrite/MovedNodes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold {

class CopySources {
public:
  /// `moved` knows where operations stood that were moved out of bodies.
  explicit CopySources(const MovedNodes &moved) : moved(moved) {}

  /// `copy` was made of `original`, which passes may have made, of no node.
  void note(mlir::Operation *original, mlir::Operation *copy);
  /// The attribute `name` of `copy` referred to `parameter` of `function`, and
  /// is now that of `call`, or the function's default.
  void noteParameter(mlir::Operation *copy, llvm::StringRef name, Operator call,
                     mlir::Operation *function, llvm::StringRef parameter);
  /// It is a copy of a node of which only the file says the types of results: a
  /// custom operator is in it.
  bool isUnknown(mlir::Operation *copy) const { return unknown.contains(copy); }
  bool hasUnknown() const { return !unknown.empty(); }

  /// What a copy has from the file; null if it is not a copy of a node.
  const NodeSource *find(mlir::Operation *copy) const;

private:
  std::optional<NodePlace> placeOf(mlir::Operation *op) const;
  bool holdsUnknown(mlir::Operation *copy);

  const MovedNodes &moved;
  llvm::DenseMap<mlir::Operation *, NodeSource> sources;
  llvm::DenseSet<mlir::Operation *> unknown;
  /// By symbol, of functions that may be called: a custom operator is in it, or
  /// in one that it calls. Found out once, when it is first asked for: chains of
  /// calls would be walked to their end for each link.
  std::optional<llvm::StringMap<bool>> unknownFunctions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_COPYSOURCES_H
