//===- NodeSource.h - Which node of the file a copy was made of -*- C++ -*-===//
//
// A copy of an operation (of an iteration, of a call) has no node of its own in
// the file. Fields of a node that the operation does not hold (texts, unknown
// fields, the kinds of a custom operator's attributes) are taken from the node
// of the original by the writer.
//
// Thread safety: values.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_NODESOURCE_H
#define ONNXFOLD_ONNX_IR_NODESOURCE_H

#include "onnxfold/onnx/ir/Model.h"
#include "llvm/ADT/SmallVector.h"

namespace onnxfold {

/// The place of a node in the file.
struct NodePlace {
  /// The main graph or the function of the model, as the importer made it.
  mlir::Operation *function = nullptr;
  llvm::SmallVector<BodyStep, 1> path; ///< from there to the node's graph
  int64_t node = -1;                   ///< -1: none, the function itself
};

/// An attribute of a node; of a function itself: a default value.
struct AttributePlace {
  NodePlace place;
  std::string name;
};

/// What a copy has from the file.
struct NodeSource {
  NodePlace place;
  /// Attributes that refer to one of a function there, by name, and where the
  /// copy has them from.
  llvm::SmallVector<std::pair<std::string, AttributePlace>, 0> parameters;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_NODESOURCE_H
