//===- ElementTypes.cpp - Smaller element types ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// All floats of 64 and of 16 bits of a model become those of 32, which every
// runtime has.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using onnx::GraphProto;
using onnx::TensorProto;

static bool convertTensor(TensorProto &tensor, int32_t from) {
  if (tensor.data_type() != from)
    return true;
  Elements value = toElements(tensor);
  if (!value)
    return false;
  std::string name = tensor.name();
  tensor = toTensor(ops::cast(value, DataType::Float32), name);
  return true;
}

static void convertTypes(GraphProto &graph, int32_t from) {
  for (auto *infos : {graph.mutable_input(), graph.mutable_output()})
    for (onnx::ValueInfoProto &info : *infos)
      if (info.type().has_tensor_type() &&
          info.type().tensor_type().elem_type() == from)
        info.mutable_type()->mutable_tensor_type()->set_elem_type(
            TensorProto::FLOAT);
  graph.clear_value_info();
}

static bool convertAll(Draft &draft, int32_t from) {
  bool fits = true;
  walkTensors(draft.model, [&](TensorProto &tensor) {
    fits = fits && convertTensor(tensor, from);
  });
  if (!fits)
    return false;
  walkGraphs(*draft.model.mutable_graph(),
             [&](GraphProto &graph) { convertTypes(graph, from); });
  for (onnx::NodeProto *node : draft.nodes)
    for (auto &attribute : *node->mutable_attribute())
      if ((attribute.name() == "to" || attribute.name() == "dtype") &&
          attribute.i() == from)
        attribute.set_i(TensorProto::FLOAT);
  for (auto &[name, value] : draft.inputs)
    if (int32_t(value.type()) == from)
      value = ops::cast(value, DataType::Float32).materialize();
  draft.changesTypes = true;
  return true;
}

std::vector<Edit> onnxfold::proposeElementTypes(const Base &base) {
  std::vector<Edit> edits;
  for (int32_t from :
       {int32_t(TensorProto::DOUBLE), int32_t(TensorProto::FLOAT16)})
    if (llvm::any_of(base.types(), [&](const auto &entry) {
          const auto *type = tensorType(entry.second);
          return type && type->elem_type() == from;
        }))
      edits.push_back([from](Draft &draft) { return convertAll(draft, from); });
  return edits;
}
