//===- ConstantNodes.cpp - Constant nodes become initializers -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"

using namespace onnxfold;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;

static bool isConstant(const NodeProto &node) {
  return node.op_type() == "Constant" && node.domain().empty() &&
         node.attribute_size() == 1 && node.output_size() == 1;
}

/// The value of a Constant node; false if it is none of these.
static bool readValue(const NodeProto &node, TensorProto &tensor) {
  const AttributeProto &attribute = node.attribute(0);
  if (!attribute.ref_attr_name().empty())
    return false;
  if (attribute.name() == "value") {
    tensor = attribute.t();
  } else if (attribute.name() == "value_int") {
    tensor.set_data_type(TensorProto::INT64);
    tensor.add_int64_data(attribute.i());
  } else if (attribute.name() == "value_float") {
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_float_data(attribute.f());
  } else if (attribute.name() == "value_ints") {
    tensor.set_data_type(TensorProto::INT64);
    tensor.add_dims(attribute.ints_size());
    *tensor.mutable_int64_data() = attribute.ints();
  } else if (attribute.name() == "value_floats") {
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_dims(attribute.floats_size());
    *tensor.mutable_float_data() = attribute.floats();
  } else {
    return false;
  }
  tensor.set_name(node.output(0));
  return true;
}

std::vector<Edit> onnxfold::proposeConstantNodes(const Base &base) {
  std::vector<Edit> edits;
  if (base.candidate.model.ir_version() < 4)
    return edits; // an initializer would have to be an input
  walkGraphs(
      const_cast<GraphProto &>(base.candidate.model.graph()),
      [&](GraphProto &graph) {
        for (const NodeProto &node : graph.node())
          if (isConstant(node))
            edits.push_back([name = node.output(0)](Draft &draft) {
              bool isDone = false;
              walkGraphs(*draft.model.mutable_graph(), [&](GraphProto &graph) {
                for (NodeProto &node : *graph.mutable_node()) {
                  TensorProto tensor;
                  if (isDone || !isConstant(node) || node.output(0) != name ||
                      !readValue(node, tensor))
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
