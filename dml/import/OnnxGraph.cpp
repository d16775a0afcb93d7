//===- OnnxGraph.cpp - An ONNX graph that grows node by node --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/OnnxGraph.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace onnxfold::dml;
using llvm::ArrayRef;
using llvm::StringRef;

OnnxGraph::OnnxGraph(StringRef name, int32_t real, int64_t opset)
    : model(*google::protobuf::Arena::CreateMessage<onnx::ModelProto>(&arena)),
      graph(*google::protobuf::Arena::CreateMessage<onnx::GraphProto>(&arena)),
      realType(real) {
  current = &newBody();
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

StoredNode &OnnxGraph::addNode(StringRef op, ArrayRef<std::string> inputs,
                               size_t results, size_t attributes) {
  StoredNode &made = memory.add(op, inputs, results, attributes);
  current->nodes.push_back(&made);
  for (StringRef &output : made.outputs)
    output = memory.save(newName(op));
  if (results > 0)
    made.name = made.outputs.front();
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

const StoredNode &OnnxGraph::nodeFor(StringRef op, ArrayRef<std::string> inputs,
                                     size_t count,
                                     ArrayRef<NodeAttribute> attributes) {
  if (op == randomOperator || op == normalOperator) {
    ++randomCount;
    return newNode(op, inputs, count, attributes);
  }
  NodeKey key(scope, op, inputs, count, attributes);
  auto [place, isNew] = known.try_emplace(key.text(), nullptr);
  if (isNew) {
    place->getFirst() = memory.save(key.text());
    place->getSecond() = &newNode(op, inputs, count, attributes);
  }
  return *place->getSecond();
}

static std::vector<std::string> outputsOf(const StoredNode &node) {
  std::vector<std::string> names;
  for (StringRef output : node.outputs)
    names.push_back(output.str());
  return names;
}

std::vector<std::string> OnnxGraph::nodes(StringRef op,
                                          ArrayRef<std::string> inputs,
                                          size_t count,
                                          ArrayRef<NodeAttribute> attributes) {
  return outputsOf(nodeFor(op, inputs, count, attributes));
}

/// Reductions but ReduceSum have axes as an attribute before opset 18.
const std::vector<int64_t> *
OnnxGraph::axesOfOldReduction(StringRef op,
                              ArrayRef<std::string> inputs) const {
  if (opset() >= 18 || inputs.size() != 2 || op == "ReduceSum" ||
      !op.starts_with("Reduce"))
    return nullptr;
  auto found = lists.find(inputs[1]);
  return found == lists.end() ? nullptr : &found->second;
}

const StoredNode &OnnxGraph::newNode(StringRef op, ArrayRef<std::string> inputs,
                                     size_t count,
                                     ArrayRef<NodeAttribute> attributes) {
  using Attribute = onnx::AttributeProto;
  const std::vector<int64_t> *axes = axesOfOldReduction(op, inputs);
  StoredNode &made = addNode(op, inputs.drop_back(axes ? 1 : 0), count,
                             attributes.size() + (axes ? 1 : 0));
  auto *next = made.attributes.begin();
  if (axes)
    *next++ = {"axes", Attribute::INTS, memory.save(ArrayRef(*axes))};
  for (const NodeAttribute &one : attributes) {
    StringRef name = memory.save(one.name);
    if (!one.text.empty())
      *next++ = {name, Attribute::STRING, {}, memory.save(one.text)};
    else
      *next++ = {name, one.isList ? Attribute::INTS : Attribute::INT,
                 memory.save(ArrayRef(one.ints))};
  }
  return made;
}

std::string OnnxGraph::node(StringRef op, ArrayRef<std::string> inputs,
                            ArrayRef<NodeAttribute> attributes) {
  return nodeFor(op, inputs, 1, attributes).outputs.front().str();
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
  describeInBody(current->inputs.emplace_back(), name, type, sizes);
  return name;
}

/// A name of its own: an output is no value of the graph around, and no other
/// output.
void OnnxGraph::addBodyOutput(const std::string &value, int32_t type,
                              const BodySizes &sizes) {
  std::string name = newNode("Identity", {value}, 1, {}).outputs.front().str();
  describeInBody(current->outputs.emplace_back(), name, type, sizes);
}

void OnnxGraph::setBody(StoredNode &node, size_t index, StringRef name,
                        GraphBody &body) {
  body.name = (node.name + "." + name).str();
  node.attributes[index] = {name, onnx::AttributeProto::GRAPH, {}, {}, &body};
}

std::vector<std::string> OnnxGraph::branch(const std::string &condition,
                                           GraphBody &yes, GraphBody &no) {
  StoredNode &made = addNode("If", {condition}, yes.outputs.size(), 2);
  setBody(made, 0, "then_branch", yes);
  setBody(made, 1, "else_branch", no);
  return outputsOf(made);
}

std::vector<std::string> OnnxGraph::loop(const std::string &trips,
                                         const std::string &condition,
                                         ArrayRef<std::string> states,
                                         GraphBody &body) {
  std::vector<std::string> inputs = {trips, condition};
  inputs.insert(inputs.end(), states.begin(), states.end());
  StoredNode &made = addNode("Loop", inputs, states.size(), 1);
  setBody(made, 0, "body", body);
  return outputsOf(made);
}

/// Nodes stand behind what they read, so one walk from the end finds what is
/// needed. All outputs of a graph inside of a needed node are.
static void addNeeded(const GraphBody &graph, StringRef op,
                      llvm::StringSet<> &needed,
                      std::vector<std::string> &found) {
  for (const onnx::ValueInfoProto &output : graph.outputs)
    needed.insert(output.name());
  for (const StoredNode *node : llvm::reverse(graph.nodes)) {
    if (llvm::none_of(node->outputs,
                      [&](StringRef one) { return needed.contains(one); }))
      continue;
    if (node->op == op)
      found.push_back(node->name.str());
    for (StringRef one : node->inputs)
      needed.insert(one);
    for (const StoredAttribute &one : node->attributes)
      if (one.body)
        addNeeded(*one.body, op, needed, found);
  }
}

std::vector<std::string> OnnxGraph::neededNodes(StringRef op) const {
  llvm::StringSet<> needed;
  std::vector<std::string> found;
  for (const onnx::ValueInfoProto &output : graph.output())
    needed.insert(output.name());
  addNeeded(bodies.front(), op, needed, found);
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
  llvm::SmallString<64> key("l");
  for (llvm::ArrayRef<int64_t> list : {sizes, values}) {
    int64_t count = list.size();
    key.append({reinterpret_cast<const char *>(&count), sizeof(count)});
    key.append({reinterpret_cast<const char *>(list.data()),
                list.size() * sizeof(int64_t)});
  }
  bool isNew = false;
  std::string name = constant(key, [&](onnx::TensorProto &tensor) {
    isNew = true;
    tensor.set_data_type(onnx::TensorProto::INT64);
    if (sizes.empty())
      tensor.add_dims(values.size());
    for (int64_t size : sizes)
      tensor.add_dims(size);
    for (int64_t value : values)
      tensor.add_int64_data(value);
  });
  if (isNew)
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
static void renameReads(GraphBody &graph,
                        const llvm::StringMap<StringRef> &names) {
  for (StoredNode *node : graph.nodes) {
    for (StringRef &input : node->inputs)
      if (auto found = names.find(input); found != names.end())
        input = found->getValue();
    for (StoredAttribute &one : node->attributes)
      if (one.body)
        renameReads(*one.body, names);
  }
}

void OnnxGraph::nameOutputs() {
  GraphBody &main = bodies.front();
  llvm::StringMap<StringRef> asked, made;
  for (const auto &[value, name] : outputs)
    asked.try_emplace(value, name);
  for (StoredNode *node : main.nodes)
    for (StringRef &output : node->outputs)
      if (auto found = asked.find(output); found != asked.end()) {
        made[output] = found->getValue();
        output = found->getValue();
      }
  renameReads(main, made);
  // What is another output too, an input or a constant is copied.
  for (const auto &[value, name] : outputs) {
    auto found = made.find(value);
    if (found != made.end() && found->getValue() == name)
      continue;
    std::string from =
        found == made.end() ? value : std::string(found->getValue());
    StoredNode &copy = memory.add("Identity", {from}, 1, 0);
    copy.outputs.front() = name;
    main.nodes.push_back(&copy);
  }
}

/// Nodes are the first field of a graph, and the graph the last but one of the
/// model.
std::string OnnxGraph::bytes() const {
  onnx::ModelProto head = model, tail;
  tail.mutable_opset_import()->Swap(head.mutable_opset_import());
  std::string nodes = nodeFields(bodies.front().nodes),
              rest = graph.SerializeAsString(), bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream out(&stream);
    head.SerializeToCodedStream(&out);
    out.WriteTag(onnx::ModelProto::kGraphFieldNumber << 3 | 2);
    out.WriteVarint64(nodes.size() + rest.size());
    out.WriteString(nodes);
    out.WriteString(rest);
    tail.SerializeToCodedStream(&out);
  }
  return bytes;
}
