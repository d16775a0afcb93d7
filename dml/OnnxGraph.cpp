//===- OnnxGraph.cpp - An ONNX graph that grows node by node --------------===//

#include "onnxfold/dml/internal/OnnxGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace onnxfold::dml;
using llvm::ArrayRef;
using llvm::StringRef;

OnnxGraph::OnnxGraph(StringRef name, int32_t real, int64_t opset)
    : model(*google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena)),
      graph(*model.mutable_graph()), realType(real) {
  current = &graph;
  model.set_ir_version(10);
  model.set_producer_name("dml-to-onnx");
  model.add_opset_import()->set_version(opset);
  graph.set_name(name.str());
}

std::string OnnxGraph::newName(StringRef prefix) {
  std::string name = prefix.str();
  name += '.';
  name += std::to_string(++count);
  return name;
}

onnx::NodeProto &OnnxGraph::addNode(StringRef op, ArrayRef<std::string> inputs,
                                    size_t results) {
  onnx::NodeProto &made = *current->add_node();
  made.set_op_type(op.str());
  for (const std::string &input : inputs)
    made.add_input(input);
  for (size_t i = 0; i < results; ++i)
    made.add_output(newName(op));
  if (results > 0)
    made.set_name(made.output(0));
  return made;
}

namespace {

/// What tells a node from those of another meaning. Numbers have a fixed length,
/// and no name has a line end.
class NodeKey {
public:
  NodeKey(unsigned scope, StringRef op, ArrayRef<std::string> inputs,
          size_t results, ArrayRef<NodeAttribute> attributes) {
    add(scope);
    add(results);
    add(op);
    for (const std::string &input : inputs)
      add(input);
    for (const NodeAttribute &one : attributes) {
      add(one.name);
      add(one.text);
      add(one.isList);
      add(one.ints.size());
      for (int64_t value : one.ints)
        add(value);
    }
  }
  StringRef text() const { return bytes; }

private:
  void add(int64_t number) {
    auto *raw = reinterpret_cast<const char *>(&number);
    bytes.append(raw, raw + sizeof(number));
  }
  void add(StringRef name) {
    bytes += name;
    bytes += '\n';
  }

  llvm::SmallString<256> bytes;
};

} // namespace

ArrayRef<std::string> OnnxGraph::resultsOf(StringRef op,
                                           ArrayRef<std::string> inputs,
                                           size_t count,
                                           ArrayRef<NodeAttribute> attributes) {
  NodeKey key(scope, op, inputs, count, attributes);
  NodeResults &known = results[key.text()];
  if (known.empty() || op == randomOperator)
    known = newNode(op, inputs, count, attributes);
  return known;
}

std::vector<std::string> OnnxGraph::nodes(StringRef op,
                                          ArrayRef<std::string> inputs,
                                          size_t count,
                                          ArrayRef<NodeAttribute> attributes) {
  return resultsOf(op, inputs, count, attributes).vec();
}

/// Reductions but ReduceSum have axes as an attribute before opset 18.
void OnnxGraph::moveAxes(onnx::NodeProto &node) {
  if (opset() >= 18 || node.input_size() != 2 ||
      node.op_type() == "ReduceSum" ||
      !StringRef(node.op_type()).starts_with("Reduce"))
    return;
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name("axes");
  attribute.set_type(onnx::AttributeProto::INTS);
  for (int64_t axis : lists.lookup(node.input(1)))
    attribute.add_ints(axis);
  node.mutable_input()->RemoveLast();
}

OnnxGraph::NodeResults OnnxGraph::newNode(StringRef op,
                                          ArrayRef<std::string> inputs,
                                          size_t count,
                                          ArrayRef<NodeAttribute> attributes) {
  onnx::NodeProto &made = addNode(op, inputs, count);
  moveAxes(made);
  for (const NodeAttribute &one : attributes) {
    onnx::AttributeProto &attribute = *made.add_attribute();
    attribute.set_name(one.name.str());
    if (!one.text.empty()) {
      attribute.set_type(onnx::AttributeProto::STRING);
      attribute.set_s(one.text.str());
    } else if (one.isList) {
      attribute.set_type(onnx::AttributeProto::INTS);
      for (int64_t value : one.ints)
        attribute.add_ints(value);
    } else {
      attribute.set_type(onnx::AttributeProto::INT);
      attribute.set_i(one.ints.front());
    }
  }
  return {made.output().begin(), made.output().end()};
}

std::string OnnxGraph::node(StringRef op, ArrayRef<std::string> inputs,
                            ArrayRef<NodeAttribute> attributes) {
  return resultsOf(op, inputs, 1, attributes).front();
}

//===----------------------------------------------------------------------===//
// Graphs inside of nodes
//===----------------------------------------------------------------------===//

/// Open sizes have no names here.
static void describeInBody(onnx::ValueInfoProto &info, const std::string &name,
                           int32_t type, const BodySizes &sizes) {
  info.set_name(name);
  onnx::TypeProto::Tensor &tensor = *info.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  if (!sizes)
    return;
  onnx::TensorShapeProto &shape = *tensor.mutable_shape();
  for (int64_t size : *sizes) {
    auto &dim = *shape.add_dim();
    if (size >= 0)
      dim.set_dim_value(size);
  }
}

std::string OnnxGraph::addBodyInput(int32_t type, const BodySizes &sizes) {
  std::string name = newName("state");
  describeInBody(*current->add_input(), name, type, sizes);
  return name;
}

/// A name of its own: an output is no value of the graph around, and no other
/// output.
void OnnxGraph::addBodyOutput(const std::string &value, int32_t type,
                              const BodySizes &sizes) {
  std::string name = newNode("Identity", {value}, 1, {}).front();
  describeInBody(*current->add_output(), name, type, sizes);
}

/// Takes the graph.
static void setBody(onnx::NodeProto &node, const char *name,
                    onnx::GraphProto &body) {
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto::GRAPH);
  body.set_name(node.name() + "." + name);
  attribute.mutable_g()->Swap(&body);
}

std::vector<std::string> OnnxGraph::branch(const std::string &condition,
                                           onnx::GraphProto &yes,
                                           onnx::GraphProto &no) {
  onnx::NodeProto &made = addNode("If", {condition}, yes.output_size());
  setBody(made, "then_branch", yes);
  setBody(made, "else_branch", no);
  return {made.output().begin(), made.output().end()};
}

std::vector<std::string> OnnxGraph::loop(const std::string &trips,
                                         const std::string &condition,
                                         ArrayRef<std::string> states,
                                         onnx::GraphProto &body) {
  std::vector<std::string> inputs = {trips, condition};
  inputs.insert(inputs.end(), states.begin(), states.end());
  onnx::NodeProto &made = addNode("Loop", inputs, states.size());
  setBody(made, "body", body);
  return {made.output().begin(), made.output().end()};
}

/// Nodes stand behind what they read, so one walk from the end finds what is
/// needed. All outputs of a graph inside of a needed node are.
static void addNeeded(const onnx::GraphProto &graph, StringRef op,
                      llvm::StringSet<> &needed,
                      std::vector<std::string> &found) {
  for (const onnx::ValueInfoProto &output : graph.output())
    needed.insert(output.name());
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const onnx::NodeProto &node = graph.node(i);
    if (llvm::none_of(node.output(), [&](const std::string &one) {
          return needed.contains(one);
        }))
      continue;
    if (node.op_type() == op)
      found.push_back(node.name());
    for (const std::string &one : node.input())
      needed.insert(one);
    for (const onnx::AttributeProto &one : node.attribute())
      addNeeded(one.g(), op, needed, found);
  }
}

std::vector<std::string> OnnxGraph::neededNodes(StringRef op) const {
  llvm::StringSet<> needed;
  std::vector<std::string> found;
  addNeeded(graph, op, needed, found);
  return found;
}

//===----------------------------------------------------------------------===//
// Constants, inputs and outputs
//===----------------------------------------------------------------------===//

std::string OnnxGraph::cast(const std::string &value, int32_t type) {
  return node("Cast", {value}, {{"to", {type}}});
}

std::string OnnxGraph::asReal(const std::string &truth) {
  std::string name = cast(truth, realType);
  truths[name] = truth;
  return name;
}

std::string OnnxGraph::truthOf(const std::string &numbers) {
  if (auto found = truths.find(numbers); found != truths.end())
    return found->second;
  return node("Not", {node("Equal", {numbers, number(0)})});
}

std::string OnnxGraph::sizeOf(const std::string &value, int64_t axis) {
  std::string list =
      node("Shape", {value}, {{"start", {axis}}, {"end", {axis + 1}}});
  std::string size = node("Squeeze", {list});
  sizes[size] = list;
  return size;
}

std::string OnnxGraph::realSize(const std::string &size) {
  auto found = sizes.find(size);
  return cast(found == sizes.end() ? size : found->second, realType);
}

/// `make` fills a new one.
std::string
OnnxGraph::constant(StringRef key,
                    llvm::function_ref<void(onnx::TensorProto &)> make) {
  std::string &name = constants[key];
  if (name.empty()) {
    name = newName("constant");
    onnx::TensorProto &tensor = *graph.add_initializer();
    make(tensor);
    tensor.set_name(name);
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
  char key[1 + sizeof(value)] = {'n'};
  std::memcpy(key + 1, &value, sizeof(value));
  return constant({key, sizeof(key)}, [&](onnx::TensorProto &tensor) {
    setNumbers(tensor, realType, value);
  });
}

std::string OnnxGraph::integer(int64_t value) {
  return constant("i" + std::to_string(value), [&](onnx::TensorProto &tensor) {
    tensor.set_data_type(onnx::TensorProto::INT64);
    tensor.add_int64_data(value);
  });
}

std::string OnnxGraph::truth(bool value) {
  return constant(value ? "t" : "f", [&](onnx::TensorProto &tensor) {
    tensor.set_data_type(onnx::TensorProto::BOOL);
    tensor.add_int32_data(value);
  });
}

std::string OnnxGraph::integers(ArrayRef<int64_t> values,
                                ArrayRef<int64_t> sizes) {
  std::string key = "l";
  for (int64_t size : sizes)
    key += std::to_string(size) + "x";
  for (int64_t value : values)
    key += std::to_string(value) + ",";
  std::string name = constant(key, [&](onnx::TensorProto &tensor) {
    tensor.set_data_type(onnx::TensorProto::INT64);
    if (sizes.empty())
      tensor.add_dims(values.size());
    for (int64_t size : sizes)
      tensor.add_dims(size);
    for (int64_t value : values)
      tensor.add_int64_data(value);
  });
  if (!lists.contains(name))
    lists[name] = values.vec();
  return name;
}

std::string OnnxGraph::matrix(ArrayRef<double> values, int64_t rows,
                              int64_t columns) {
  std::string key =
      "m" + std::to_string(rows) + "x" + std::to_string(columns) + ":";
  key.append(reinterpret_cast<const char *>(values.data()),
             values.size() * sizeof(double));
  return constant(key, [&](onnx::TensorProto &tensor) {
    tensor.add_dims(rows);
    tensor.add_dims(columns);
    setNumbers(tensor, realType, values);
  });
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
  std::string output = inputs.contains(name) ? newName(name) : name.str();
  describe(*graph.add_output(), output, type, sizes);
  outputs.emplace_back(value, output);
}

/// Of all values that nodes of the graph read, also those in their bodies.
static void renameReads(onnx::GraphProto &graph,
                        const llvm::StringMap<std::string> &names) {
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    for (std::string &input : *node.mutable_input())
      if (auto found = names.find(input); found != names.end())
        input = found->getValue();
    for (onnx::AttributeProto &one : *node.mutable_attribute())
      if (one.has_g())
        renameReads(*one.mutable_g(), names);
  }
}

void OnnxGraph::nameOutputs() {
  llvm::StringMap<std::string> asked, made;
  for (const auto &[value, name] : outputs)
    asked.try_emplace(value, name);
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (std::string &output : *node.mutable_output())
      if (auto found = asked.find(output); found != asked.end()) {
        made[output] = found->getValue();
        output = found->getValue();
      }
  renameReads(graph, made);
  // What is another output too, an input or a constant is copied.
  for (const auto &[value, name] : outputs) {
    auto found = made.find(value);
    if (found != made.end() && found->getValue() == name)
      continue;
    onnx::NodeProto &copy = *graph.add_node();
    copy.set_op_type("Identity");
    copy.add_input(found == made.end() ? value : found->getValue());
    copy.add_output(name);
  }
}
