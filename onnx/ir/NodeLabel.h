//===- NodeLabel.h - What a node is called ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A node has a name, or none; then it is called by its first output that has
// one. Paths, keys and messages all use these functions:
//
//   nodeLabel(op)                            // conv1, as it is in the file
//   nodeText(op)                             // node 'conv1' (Conv), escaped
//   atNode(op).attribute("group").is("0")    // an error about it
//
// Thread safety: that of mlir::Operation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_NODELABEL_H
#define ONNXFOLD_ONNX_IR_NODELABEL_H

#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// "" if nothing of it has a name.
inline llvm::StringRef nodeLabel(Operator op) {
  llvm::StringRef label = op.nodeName();
  for (unsigned i = 0; label.empty() && i < op.numOutputs(); ++i)
    label = op.outputName(i);
  return label;
}

inline std::string nodeText(Operator op) {
  return nodeText(nodeLabel(op), op.opType());
}

/// The same; of an operation that is no operator, "node onnx.Constant".
inline std::string nodeText(mlir::Operation *op) {
  if (Operator node = Operator::from(op))
    return nodeText(node);
  return "node " + op->getName().getStringRef().str();
}

/// "Conv 'conv1'", as programs say it in a run.
inline std::string describeNode(Operator op) {
  return (op.opType() + " '" + nodeLabel(op) + "'").str();
}

inline ModelFault atNode(Operator op) {
  return ModelFault().node(nodeLabel(op), op.opType());
}

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_NODELABEL_H
