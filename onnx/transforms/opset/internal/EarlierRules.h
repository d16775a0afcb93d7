//===- EarlierRules.h - Nodes of the version before -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the version of an operator that came before says in other words: inputs
// that were attributes, defaults, axes that could not be negative. The rules
// only propose a node; NodeConverter compares what the ONNX library makes of it
// in the later opset with the node that was asked for.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_EARLIERRULES_H
#define ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_EARLIERRULES_H

#include "llvm/Support/Error.h"

namespace onnx {
class GraphProto;
class NodeProto;
class OpSchema;
} // namespace onnx

namespace onnxfold {

/// Rewrites the only node of the graph, which has the version of `later`, in
/// the words of `earlier`, the version before. The result may have several
/// nodes. Returns whether the library must make the same node of it again.
/// An error says what the earlier version cannot say.
llvm::Expected<bool> sayEarlier(onnx::GraphProto &graph,
                                const onnx::OpSchema &later,
                                const onnx::OpSchema &earlier);

/// Attributes that are left out get the schema's defaults.
void addDefaults(onnx::NodeProto &node, const onnx::OpSchema &schema);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_INTERNAL_EARLIERRULES_H
