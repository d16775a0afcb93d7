//===- ProtoGraph.cpp - Graphs as messages --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/ProtoGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <set>
#include <utility>

using namespace onnxfold;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Walks
//===----------------------------------------------------------------------===//

/// The bodies that an attribute holds.
static void eachBody(NodeProto &node,
                     llvm::function_ref<void(GraphProto &)> visit) {
  for (AttributeProto &attribute : *node.mutable_attribute()) {
    if (attribute.has_g())
      visit(*attribute.mutable_g());
    for (GraphProto &graph : *attribute.mutable_graphs())
      visit(graph);
  }
}

static void walk(Nodes &nodes, llvm::function_ref<void(NodeProto &)> visit) {
  for (NodeProto &node : nodes) {
    visit(node);
    eachBody(node,
             [&](GraphProto &body) { walk(*body.mutable_node(), visit); });
  }
}

void onnxfold::walkNodes(ModelProto &model,
                         llvm::function_ref<void(NodeProto &)> visit) {
  walk(*model.mutable_graph()->mutable_node(), visit);
  for (onnx::FunctionProto &function : *model.mutable_functions())
    walk(*function.mutable_node(), visit);
}

void onnxfold::walkGraphs(GraphProto &graph,
                          llvm::function_ref<void(GraphProto &)> visit) {
  visit(graph);
  for (NodeProto &node : *graph.mutable_node())
    eachBody(node, [&](GraphProto &body) { walkGraphs(body, visit); });
}

void onnxfold::walkTensors(
    ModelProto &model, llvm::function_ref<void(onnx::TensorProto &)> visit) {
  walkGraphs(*model.mutable_graph(), [&](GraphProto &graph) {
    for (onnx::TensorProto &tensor : *graph.mutable_initializer())
      visit(tensor);
  });
  walkNodes(model, [&](NodeProto &node) {
    for (AttributeProto &attribute : *node.mutable_attribute())
      if (attribute.has_t())
        visit(*attribute.mutable_t());
  });
}

size_t onnxfold::countNodes(const ModelProto &model) {
  size_t count = 0;
  walkNodes(const_cast<ModelProto &>(model), [&](NodeProto &) { ++count; });
  return count;
}

bool onnxfold::hasBodies(const NodeProto &node) {
  return llvm::any_of(node.attribute(), [](const AttributeProto &attribute) {
    return attribute.has_g() || attribute.graphs_size() != 0;
  });
}

/// Names that a body reads from around it.
static void addCaptured(const GraphProto &body,
                        std::vector<std::string> &names) {
  llvm::StringSet<> own;
  for (const auto &input : body.input())
    own.insert(input.name());
  for (const auto &tensor : body.initializer())
    own.insert(tensor.name());
  for (const NodeProto &node : body.node()) {
    for (const std::string &name : namesReadBy(node))
      if (!own.contains(name))
        names.push_back(name);
    for (const std::string &name : node.output())
      own.insert(name);
  }
  for (const auto &output : body.output())
    if (!own.contains(output.name()))
      names.push_back(output.name());
}

std::vector<std::string> onnxfold::namesReadBy(const NodeProto &node) {
  std::vector<std::string> names;
  for (const std::string &name : node.input())
    if (!name.empty())
      names.push_back(name);
  for (const AttributeProto &attribute : node.attribute()) {
    if (attribute.has_g())
      addCaptured(attribute.g(), names);
    for (const GraphProto &graph : attribute.graphs())
      addCaptured(graph, names);
  }
  return names;
}

//===----------------------------------------------------------------------===//
// What nothing reads
//===----------------------------------------------------------------------===//

void onnxfold::erase(NodeProto &node) { node.clear_op_type(); }

/// Keeps the elements that the function wants, in their order.
template <class Field, class Wants>
static void keepIf(Field &field, Wants wants) {
  int kept = 0;
  for (int i = 0; i != field.size(); ++i)
    if (wants(field.Get(i))) {
      if (kept != i)
        field.SwapElements(kept, i);
      ++kept;
    }
  field.DeleteSubrange(kept, field.size() - kept);
}

/// `live`: names that are read behind the nodes; then all that are read.
static void sweepNodes(Nodes &nodes, llvm::StringSet<> &live);

static void sweepBody(GraphProto &body) {
  llvm::StringSet<> live;
  for (const auto &output : body.output())
    live.insert(output.name());
  sweepNodes(*body.mutable_node(), live);
  keepIf(*body.mutable_initializer(), [&](const onnx::TensorProto &tensor) {
    return live.contains(tensor.name());
  });
  keepIf(*body.mutable_value_info(), [&](const onnx::ValueInfoProto &info) {
    return live.contains(info.name());
  });
}

static void sweepNodes(Nodes &nodes, llvm::StringSet<> &live) {
  std::vector<bool> kept(nodes.size());
  for (int i = nodes.size(); i-- > 0;) {
    NodeProto &node = *nodes.Mutable(i);
    kept[i] = !isErased(node) &&
              llvm::any_of(node.output(), [&](const std::string &name) {
                return live.contains(name);
              });
    if (!kept[i])
      continue;
    eachBody(node, sweepBody);
    for (const std::string &name : namesReadBy(node))
      live.insert(name);
  }
  int i = 0;
  keepIf(nodes, [&](const NodeProto &) { return bool(kept[i++]); });
}

static void sweepFunctions(ModelProto &model) {
  using Key = std::pair<std::string, std::string>;
  std::set<Key> called;
  for (bool grows = true; grows;) {
    size_t before = called.size();
    auto add = [&](NodeProto &node) {
      called.insert({node.domain(), node.op_type()});
    };
    walk(*model.mutable_graph()->mutable_node(), add);
    for (onnx::FunctionProto &function : *model.mutable_functions())
      if (called.count({function.domain(), function.name()}))
        walk(*function.mutable_node(), add);
    grows = called.size() != before;
  }
  keepIf(*model.mutable_functions(), [&](const onnx::FunctionProto &function) {
    return called.count({function.domain(), function.name()}) != 0;
  });
  for (onnx::FunctionProto &function : *model.mutable_functions()) {
    llvm::StringSet<> live;
    for (const std::string &name : function.output())
      live.insert(name);
    sweepNodes(*function.mutable_node(), live);
  }
}

void onnxfold::sweep(ModelProto &model) {
  GraphProto &graph = *model.mutable_graph();
  llvm::StringSet<> live;
  for (const auto &output : graph.output())
    live.insert(output.name());
  sweepNodes(*graph.mutable_node(), live);
  auto isNamed = [&](const auto &one) { return live.contains(one.name()); };
  keepIf(*graph.mutable_initializer(), isNamed);
  keepIf(*graph.mutable_sparse_initializer(),
         [&](const onnx::SparseTensorProto &tensor) {
           return live.contains(tensor.values().name());
         });
  keepIf(*graph.mutable_input(), isNamed);
  keepIf(*graph.mutable_value_info(), isNamed);
  keepIf(*graph.mutable_quantization_annotation(),
         [&](const onnx::TensorAnnotation &annotation) {
           return live.contains(annotation.tensor_name());
         });
  sweepFunctions(model);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// True if the body makes a value of this name itself.
static bool shadows(const GraphProto &body, const std::string &name) {
  auto isIt = [&](const auto &one) { return one.name() == name; };
  return llvm::any_of(body.input(), isIt) ||
         llvm::any_of(body.initializer(), isIt) ||
         llvm::any_of(body.node(), [&](const NodeProto &node) {
           return llvm::is_contained(node.output(), name);
         });
}

void onnxfold::replaceUses(GraphProto &graph, const std::string &from,
                           const std::string &to) {
  for (NodeProto &node : *graph.mutable_node()) {
    for (std::string &name : *node.mutable_input())
      if (name == from)
        name = to;
    eachBody(node, [&](GraphProto &body) {
      if (!shadows(body, from))
        replaceUses(body, from, to);
    });
  }
  for (onnx::ValueInfoProto &output : *graph.mutable_output())
    if (output.name() == from)
      output.set_name(to);
}

llvm::StringSet<> onnxfold::valueNames(const ModelProto &model) {
  llvm::StringSet<> names;
  walkGraphs(const_cast<GraphProto &>(model.graph()), [&](GraphProto &graph) {
    for (const auto &input : graph.input())
      names.insert(input.name());
    for (const auto &tensor : graph.initializer())
      names.insert(tensor.name());
    for (const NodeProto &node : graph.node())
      for (const std::string &name : node.output())
        names.insert(name);
  });
  return names;
}

const AttributeProto *onnxfold::findAttribute(const NodeProto &node,
                                              llvm::StringRef name) {
  auto found = llvm::find_if(node.attribute(), [&](const AttributeProto &one) {
    return one.name() == name;
  });
  return found == node.attribute().end() ? nullptr : &*found;
}

bool onnxfold::isConstantNode(const NodeProto &node) {
  return node.op_type() == "Constant" && node.domain().empty() &&
         node.attribute_size() == 1 && node.output_size() == 1;
}

bool onnxfold::readConstant(const NodeProto &node, TensorProto &tensor) {
  if (!isConstantNode(node))
    return false;
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

int64_t onnxfold::opsetOf(const ModelProto &model, llvm::StringRef domain) {
  int64_t version = 0;
  auto isDefault = [](llvm::StringRef name) {
    return name.empty() || name == "ai.onnx";
  };
  for (const auto &import : model.opset_import())
    if (import.domain() == domain ||
        (isDefault(import.domain()) && isDefault(domain)))
      version = import.version();
  return version;
}

const onnx::TypeProto::Tensor *
onnxfold::tensorType(const onnx::TypeProto &type) {
  return type.has_tensor_type() ? &type.tensor_type() : nullptr;
}
