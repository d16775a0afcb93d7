//===- ModelMatch.h - Which nodes of two models are the same ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Pairs the nodes of two models that are in one context, as DiffModels.h says:
// by name, by the names of their outputs, by structure. Constant nodes are not
// paired. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_MODELMATCH_H
#define ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_MODELMATCH_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <string>
#include <vector>

namespace onnxfold {

/// The operators of a model that are nodes in its file, Constant nodes apart,
/// in the order of the model, and the graphs that they are in.
struct ModelNodes {
  explicit ModelNodes(mlir::ModuleOp module);

  mlir::ModuleOp module;
  std::vector<mlir::Operation *> nodes;
  llvm::DenseMap<mlir::Region *, std::string> graphs; ///< as in the report
};

class ModelMatch {
public:
  ModelMatch(const ModelNodes &before, const ModelNodes &after);

  /// The node of the other model; null if there is none.
  mlir::Operation *of(mlir::Operation *op) const { return pairs.lookup(op); }
  /// The graph of the other model, null if there is none.
  mlir::Region *of(mlir::Region *region) const {
    return regions.lookup(region);
  }
  /// True if the two values are the same result or argument, if both are
  /// absent, or if both are constants.
  bool areSame(mlir::Value a, mlir::Value b) const;

private:
  void add(mlir::Operation *a, mlir::Operation *b);
  void addRegions(mlir::Operation *a, mlir::Operation *b);
  void matchNames(bool byOutput);
  void matchStructure(bool withValues);
  void propagate();
  void tryAdd(mlir::Operation *a, mlir::Operation *b);
  void followResults(mlir::Operation *a, mlir::Operation *b);

  const ModelNodes &before, &after;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> pairs; ///< both ways
  llvm::DenseMap<mlir::Region *, mlir::Region *> regions;     ///< both ways
  std::vector<std::pair<mlir::Operation *, mlir::Operation *>> news;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_COMPARE_INTERNAL_MODELMATCH_H
