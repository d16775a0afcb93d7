//===- CopySources.h - The nodes that copies were made of -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Records, for each copy of an operation, the node of the file that it comes
// from (NodeSource.h), also for a copy of a copy.
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
  /// `moved` knows the original places of operations that were moved out of
  /// bodies.
  explicit CopySources(const MovedNodes &moved) : moved(moved) {}

  /// `copy` is a copy of `original`, which passes may have created without a
  /// node.
  void note(mlir::Operation *original, mlir::Operation *copy);
  /// The attribute `name` of `copy` referred to `parameter` of `function`, and
  /// is now that of `call`, or the function's default.
  void noteParameter(mlir::Operation *copy, llvm::StringRef name, Operator call,
                     mlir::Operation *function, llvm::StringRef parameter);
  /// `copy` contains a custom operator, so that only the file states the types
  /// of its results.
  bool isUnknown(mlir::Operation *copy) const { return unknown.contains(copy); }
  bool hasUnknown() const { return !unknown.empty(); }

  /// `op` stands for `part` too, which it replaces or is merged with: both are
  /// nodes, or made of some.
  void notePart(mlir::Operation *op, mlir::Operation *part);
  /// The nodes of the file for which `op` stands, besides the one that it is or
  /// is a copy of.
  llvm::ArrayRef<NodePlace> partsOf(mlir::Operation *op) const;
  bool hasParts() const { return !parts.empty(); }
  /// Parts are noted from now on: some node of the file has texts.
  void noteParts() { notesParts = true; }
  /// `op` is about to be erased, and another one may get its address.
  void forget(mlir::Operation *op) {
    parts.erase(op);
    sources.erase(op);
    unknown.erase(op);
  }

  /// The source of a copy in the file; null if it is not a copy of a node.
  const NodeSource *find(mlir::Operation *copy) const;

private:
  std::optional<NodePlace> placeOf(mlir::Operation *op) const;
  bool holdsUnknown(mlir::Operation *copy);

  const MovedNodes &moved;
  llvm::DenseMap<mlir::Operation *, NodeSource> sources;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<NodePlace, 1>> parts;
  bool notesParts = false;
  llvm::DenseSet<mlir::Operation *> unknown;
  /// By the symbols of functions: the function, or one that it calls, contains
  /// a custom operator. This is computed once, on the first query; otherwise
  /// each call in a chain would walk the chain to its end.
  std::optional<llvm::StringMap<bool>> unknownFunctions;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_COPYSOURCES_H
