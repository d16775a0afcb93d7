//===- ConstantNodes.cpp - Constant nodes become initializers -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"

using namespace onnxfold;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;

std::vector<Edit> onnxfold::proposeConstantNodes(const Base &base) {
  std::vector<Edit> edits;
  if (base.candidate.model.ir_version() < 4)
    return edits; // an initializer would have to be an input
  walkGraphs(
      const_cast<GraphProto &>(base.candidate.model.graph()),
      [&](GraphProto &graph) {
        for (const NodeProto &node : graph.node())
          if (isConstantNode(node))
            edits.push_back([name = node.output(0)](Draft &draft) {
              bool isDone = false;
              walkGraphs(*draft.model.mutable_graph(), [&](GraphProto &graph) {
                for (NodeProto &node : *graph.mutable_node()) {
                  TensorProto tensor;
                  if (isDone || !isConstantNode(node) ||
                      node.output(0) != name || !readConstant(node, tensor))
                    continue;
                  *graph.add_initializer() = std::move(tensor);
                  erase(node);
                  isDone = true;
                }
              });
              return isDone;
            });
      });
  return edits;
}
