//===- OnnxGraph.cpp - An ONNX graph that grows node by node --------------===//

#include "onnxfold/dml/internal/OnnxGraph.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace onnxfold::dml;
using llvm::ArrayRef;
using llvm::StringRef;

OnnxGraph::OnnxGraph(StringRef name, int32_t real, int64_t opset)
    : graph(*model.mutable_graph()), realType(real) {
  model.set_ir_version(10);
  model.set_producer_name("dml-to-onnx");
  model.add_opset_import()->set_version(opset);
  graph.set_name(name.str());
}

std::string OnnxGraph::newName(StringRef prefix) {
  return (prefix + "." + llvm::Twine(++count)).str();
}

std::string OnnxGraph::node(StringRef op, ArrayRef<std::string> inputs,
                            ArrayRef<NodeAttribute> attributes) {
  onnx::NodeProto &made = *graph.add_node();
  made.set_op_type(op.str());
  for (const std::string &input : inputs)
    made.add_input(input);
  for (const NodeAttribute &one : attributes) {
    onnx::AttributeProto &attribute = *made.add_attribute();
    attribute.set_name(one.name.str());
    attribute.set_type(one.isList ? onnx::AttributeProto::INTS
                                  : onnx::AttributeProto::INT);
    if (one.isList)
      for (int64_t value : one.ints)
        attribute.add_ints(value);
    else
      attribute.set_i(one.ints.front());
  }
  std::string name = newName(op);
  made.set_name(name);
  made.add_output(name);
  return name;
}

std::string OnnxGraph::cast(const std::string &value, int32_t type) {
  return node("Cast", {value}, {{"to", {type}}});
}

std::string OnnxGraph::constant(const std::string &key,
                                onnx::TensorProto tensor) {
  std::string &name = constants[key];
  if (name.empty()) {
    name = newName("constant");
    tensor.set_name(name);
    *graph.add_initializer() = std::move(tensor);
  }
  return name;
}

static void setNumbers(onnx::TensorProto &tensor, int32_t type,
                       ArrayRef<double> values) {
  tensor.set_data_type(type);
  for (double value : values)
    if (type == onnx::TensorProto::FLOAT)
      tensor.add_float_data(float(value));
    else
      tensor.add_double_data(value);
}

std::string OnnxGraph::number(double value) {
  onnx::TensorProto tensor;
  setNumbers(tensor, realType, value);
  return constant("n" + std::string(reinterpret_cast<char *>(&value), 8),
                  std::move(tensor));
}

std::string OnnxGraph::integer(int64_t value) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_int64_data(value);
  return constant("i" + std::to_string(value), std::move(tensor));
}

std::string OnnxGraph::truth(bool value) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::BOOL);
  tensor.add_int32_data(value);
  return constant(value ? "t" : "f", std::move(tensor));
}

std::string OnnxGraph::integers(ArrayRef<int64_t> values) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(values.size());
  std::string key = "l";
  for (int64_t value : values) {
    tensor.add_int64_data(value);
    key += std::to_string(value) + ",";
  }
  return constant(key, std::move(tensor));
}

std::string OnnxGraph::matrix(ArrayRef<double> values, int64_t rows,
                              int64_t columns) {
  onnx::TensorProto tensor;
  tensor.add_dims(rows);
  tensor.add_dims(columns);
  setNumbers(tensor, realType, values);
  return constant("m" + std::to_string(rows) + "x" + std::to_string(columns) +
                      std::string(reinterpret_cast<const char *>(values.data()),
                                  values.size() * sizeof(double)),
                  std::move(tensor));
}

static void describe(onnx::ValueInfoProto &info, StringRef name, int32_t type,
                     ArrayRef<int64_t> sizes) {
  info.set_name(name.str());
  onnx::TypeProto::Tensor &tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  onnx::TensorShapeProto &shape = *tensor.mutable_shape();
  for (size_t i = 0; i < sizes.size(); ++i) {
    auto &dim = *shape.add_dim();
    if (sizes[i] >= 0)
      dim.set_dim_value(sizes[i]);
    else
      dim.set_dim_param((name + (i == 0 ? "_rows" : "_cols")).str());
  }
}

void OnnxGraph::addInput(StringRef name, int32_t type,
                         ArrayRef<int64_t> sizes) {
  inputs.insert(name);
  describe(*graph.add_input(), name, type, sizes);
}

void OnnxGraph::addOutput(const std::string &value, StringRef name,
                          int32_t type, ArrayRef<int64_t> sizes) {
  // The name of the interface, whatever the value is called.
  std::string output = inputs.contains(name) ? newName(name) : name.str();
  onnx::NodeProto &made = *graph.add_node();
  made.set_op_type("Identity");
  made.add_input(value);
  made.add_output(output);
  describe(*graph.add_output(), output, type, sizes);
}
