//===- NodeSource.h - Which node of the file a copy was made of -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy of an operation (for an iteration, for a call) has no node of its own
// in the file. Some fields of a node are not in the operation (texts, unknown
// fields, the kinds of a custom operator's attributes). The writer takes them
// from the node of the original.
//
// Thread safety: these are plain values.
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

/// The node of the original of a copy.
struct NodeSource {
  NodePlace place;
  /// The attributes that refer to a parameter of a function in that node, by
  /// name, and the place from which the copy has each.
  llvm::SmallVector<std::pair<std::string, AttributePlace>, 0> parameters;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_NODESOURCE_H
