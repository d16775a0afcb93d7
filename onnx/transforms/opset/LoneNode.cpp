//===- LoneNode.cpp - The only node of a graph ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/opset/internal/LoneNode.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Endian.h"

using namespace onnxfold;
using llvm::ArrayRef;
using llvm::StringRef;
using onnx::AttributeProto;
using onnx::NodeProto;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

template <typename T> static T readElement(const char *bytes) {
  using namespace llvm::support::endian;
  if constexpr (sizeof(T) == 4)
    return llvm::bit_cast<T>(read32le(bytes));
  else
    return llvm::bit_cast<T>(read64le(bytes));
}

/// The elements in raw_data, or in the field that the type has.
template <typename T, typename Field>
static std::vector<T> elementsOf(const TensorProto &tensor,
                                 const Field &field) {
  if (!tensor.has_raw_data())
    return std::vector<T>(field.begin(), field.end());
  StringRef bytes = tensor.raw_data();
  std::vector<T> values;
  for (; bytes.size() >= sizeof(T); bytes = bytes.drop_front(sizeof(T)))
    values.push_back(readElement<T>(bytes.data()));
  return values;
}

std::optional<std::vector<int64_t>>
onnxfold::intsOf(const TensorProto &tensor) {
  if (tensor.data_type() != TensorProto::INT64)
    return std::nullopt;
  return elementsOf<int64_t>(tensor, tensor.int64_data());
}

std::optional<std::vector<float>>
onnxfold::floatsOf(const TensorProto &tensor) {
  if (tensor.data_type() != TensorProto::FLOAT)
    return std::nullopt;
  return elementsOf<float>(tensor, tensor.float_data());
}

const TensorProto *LoneNode::value(int index) const {
  for (const TensorProto &tensor : graph.initializer())
    if (hasInput(index) && tensor.name() == node.input(index))
      return &tensor;
  return nullptr;
}

std::optional<std::vector<int64_t>> LoneNode::ints(int index) const {
  const TensorProto *tensor = value(index);
  return tensor ? intsOf(*tensor) : std::nullopt;
}

std::optional<std::vector<float>> LoneNode::floats(int index) const {
  const TensorProto *tensor = value(index);
  return tensor ? floatsOf(*tensor) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

AttributeProto *LoneNode::attribute(StringRef name) const {
  for (AttributeProto &one : *node.mutable_attribute())
    if (one.name() == name)
      return &one;
  return nullptr;
}

StringRef LoneNode::text(StringRef name, StringRef otherwise) const {
  const AttributeProto *found = attribute(name);
  return found ? StringRef(found->s()) : otherwise;
}

int64_t LoneNode::integer(StringRef name, int64_t otherwise) const {
  const AttributeProto *found = attribute(name);
  return found ? found->i() : otherwise;
}

AttributeProto &LoneNode::fresh(StringRef name,
                                AttributeProto::AttributeType type) const {
  remove(name);
  AttributeProto &made = *node.add_attribute();
  made.set_name(name.str());
  made.set_type(type);
  return made;
}

void LoneNode::setInt(StringRef name, int64_t value) const {
  fresh(name, AttributeProto::INT).set_i(value);
}

void LoneNode::setInts(StringRef name, ArrayRef<int64_t> values) const {
  AttributeProto &made = fresh(name, AttributeProto::INTS);
  made.mutable_ints()->Add(values.begin(), values.end());
}

void LoneNode::setFloat(StringRef name, float value) const {
  fresh(name, AttributeProto::FLOAT).set_f(value);
}

void LoneNode::setFloats(StringRef name, ArrayRef<float> values) const {
  AttributeProto &made = fresh(name, AttributeProto::FLOATS);
  made.mutable_floats()->Add(values.begin(), values.end());
}

void LoneNode::setText(StringRef name, StringRef value) const {
  fresh(name, AttributeProto::STRING).set_s(value.str());
}

void LoneNode::remove(StringRef name) const {
  auto &all = *node.mutable_attribute();
  all.erase(std::remove_if(
                all.begin(), all.end(),
                [&](const AttributeProto &one) { return one.name() == name; }),
            all.end());
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

const onnx::TypeProto_Tensor *LoneNode::type(int index) const {
  for (const onnx::ValueInfoProto &info : graph.input())
    if (hasInput(index) && info.name() == node.input(index) &&
        info.type().has_tensor_type())
      return &info.type().tensor_type();
  return nullptr;
}

std::optional<int> LoneNode::rank(int index) const {
  const onnx::TypeProto_Tensor *found = type(index);
  if (!found || !found->has_shape())
    return std::nullopt;
  return found->shape().dim_size();
}

std::optional<int64_t> LoneNode::size(int index, int dimension) const {
  std::optional<int> known = rank(index);
  if (!known || dimension < 0 || dimension >= *known ||
      !type(index)->shape().dim(dimension).has_dim_value())
    return std::nullopt;
  return type(index)->shape().dim(dimension).dim_value();
}

void LoneNode::dropAbsentInputs() const {
  while (node.input_size() > 0 && node.input(node.input_size() - 1).empty())
    node.mutable_input()->RemoveLast();
}

void LoneNode::leaveOutInput(int index) const {
  if (index < node.input_size())
    node.set_input(index, "");
  dropAbsentInputs();
}

static TensorProto &addConstant(onnx::GraphProto &graph, std::string name,
                                int32_t type, int64_t size) {
  TensorProto &tensor = *graph.add_initializer();
  tensor.set_name(std::move(name));
  tensor.set_data_type(type);
  tensor.add_dims(size);
  return tensor;
}

TensorProto &LoneNode::newInput(int index, int32_t type, int64_t size) const {
  std::string name = "c" + std::to_string(index);
  TensorProto &tensor = addConstant(graph, name, type, size);
  while (node.input_size() <= index)
    node.add_input("");
  node.set_input(index, name);
  return tensor;
}

void LoneNode::setInput(int index, ArrayRef<int64_t> values) const {
  newInput(index, TensorProto::INT64, int64_t(values.size()))
      .mutable_int64_data()
      ->Add(values.begin(), values.end());
}

void LoneNode::setEmptyInput(int index) const {
  newInput(index, TensorProto::FLOAT, 0);
}

void LoneNode::unsqueeze(int index, int first, int count) const {
  std::string name = "u" + std::to_string(index);
  NodeProto made;
  made.set_op_type("Unsqueeze");
  made.add_input(node.input(index));
  made.add_output(name);
  AttributeProto &axes = *made.add_attribute();
  axes.set_name("axes");
  axes.set_type(AttributeProto::INTS);
  for (int i = 0; i < count; ++i)
    axes.add_ints(first + i);
  node.set_input(index, name);
  NodeProto last = node;
  *graph.mutable_node(0) = std::move(made);
  *graph.add_node() = std::move(last);
}

void LoneNode::sliceResult(int64_t start, int64_t end) const {
  NodeProto slice;
  slice.set_op_type("Slice");
  slice.add_input("s0");
  for (auto [name, value] : {std::pair("c0", start), std::pair("c1", end)}) {
    addConstant(graph, name, TensorProto::INT64, 1).add_int64_data(value);
    slice.add_input(name);
  }
  slice.add_output(node.output(0));
  node.set_output(0, "s0");
  *graph.add_node() = std::move(slice);
}

static NodeProto transposeOf(std::string input, std::string output,
                             ArrayRef<int64_t> permutation) {
  NodeProto made;
  made.set_op_type("Transpose");
  made.add_input(std::move(input));
  made.add_output(std::move(output));
  AttributeProto &perm = *made.add_attribute();
  perm.set_name("perm");
  perm.set_type(AttributeProto::INTS);
  perm.mutable_ints()->Add(permutation.begin(), permutation.end());
  return made;
}

void LoneNode::transposeAround(ArrayRef<int64_t> permutation) const {
  std::vector<int64_t> back(permutation.size());
  for (auto [i, from] : llvm::enumerate(permutation))
    back[from] = int64_t(i);
  NodeProto before = transposeOf(node.input(0), "t0", permutation);
  NodeProto after = transposeOf("t1", node.output(0), back);
  node.set_input(0, "t0");
  node.set_output(0, "t1");
  NodeProto between = node;
  *graph.mutable_node(0) = std::move(before);
  *graph.add_node() = std::move(between);
  *graph.add_node() = std::move(after);
}
