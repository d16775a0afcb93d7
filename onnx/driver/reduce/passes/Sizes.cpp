//===- Sizes.cpp - Smaller tensors ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A size is replaced wherever it stands: in shapes of inputs and constants, in
// small constants of integers, which may be shapes, and in attributes that are
// sizes. Inference says whether the result fits together. Where the size of one
// axis is alone, it is replaced alone.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "onnxfold/onnx/io/read/TensorIndex.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using onnx::AttributeProto;
using onnx::GraphProto;
using onnx::TensorProto;

/// A place with this size: inputs and constants, "" for all, and the axis, -1
/// for all.
namespace {
struct Place {
  std::string tensor;
  int axis = -1;
  bool holds(const std::string &name, int number) const {
    return tensor.empty() || (tensor == name && axis == number);
  }
};
} // namespace

static void setEntry(TensorProto &tensor, llvm::StringRef key, uint64_t value) {
  for (auto &entry : *tensor.mutable_external_data())
    if (entry.key() == key)
      entry.set_value(std::to_string(value));
}

/// The first elements along each axis.
static Elements beginningOf(const Elements &value, ShapeRef shape) {
  Shape starts(shape.size(), 0), steps(shape.size(), 1);
  return value.slice(starts, shape, steps);
}

/// The same of a constant; of external data the first bytes, which
/// are weights as good as any.
static bool shrink(TensorProto &tensor, ShapeRef shape) {
  Elements value = toElements(tensor);
  if (value) {
    std::string name = tensor.name();
    tensor = toTensor(beginningOf(value, shape), name);
    return true;
  }
  for (auto [i, size] : llvm::enumerate(shape))
    tensor.set_dims(int(i), size);
  uint64_t bytes = dataBytes(tensor);
  if (tensor.data_location() == TensorProto::EXTERNAL)
    setEntry(tensor, "length", bytes);
  else if (tensor.has_raw_data() && bytes <= tensor.raw_data().size())
    tensor.mutable_raw_data()->resize(bytes);
  else
    return false;
  return true;
}

static bool shrinkTensor(TensorProto &tensor, const Place &place, int64_t from,
                         int64_t to) {
  Shape shape;
  bool isChanged = false;
  for (int i = 0; i != tensor.dims_size(); ++i) {
    bool isMeant = tensor.dims(i) == from && place.holds(tensor.name(), i);
    shape.push_back(isMeant ? to : tensor.dims(i));
    isChanged |= isMeant;
  }
  return isChanged && shrink(tensor, shape);
}

/// Numbers of a list that may be a shape.
static bool replaceNumbers(TensorProto &tensor, int64_t from, int64_t to) {
  constexpr int64_t longest = 16;
  if (tensor.data_type() != TensorProto::INT64 || tensor.dims_size() > 1 ||
      (tensor.dims_size() == 1 && tensor.dims(0) > longest))
    return false;
  Elements value = toElements(tensor);
  if (!value)
    return false;
  std::vector<int64_t> numbers = value.values<int64_t>();
  if (!llvm::is_contained(numbers, from))
    return false;
  llvm::replace(numbers, from, to);
  std::string name = tensor.name();
  tensor =
      toTensor(Elements::fromValues<int64_t>(value.shape(), numbers), name);
  return true;
}

static bool replaceAttributes(Draft &draft, int64_t from, int64_t to) {
  static constexpr llvm::StringLiteral names[] = {
      "hidden_size", "group",        "kernel_shape", "shape",    "split",
      "value_ints",  "output_shape", "num_heads",    "value_int"};
  bool isChanged = false;
  for (onnx::NodeProto *node : draft.nodes)
    for (AttributeProto &attribute : *node->mutable_attribute()) {
      if (!llvm::is_contained(names, attribute.name()))
        continue;
      if (attribute.type() == AttributeProto::INT && attribute.i() == from) {
        attribute.set_i(to);
        isChanged = true;
      }
      for (int64_t &number : *attribute.mutable_ints())
        if (number == from) {
          number = to;
          isChanged = true;
        }
    }
  return isChanged;
}

static bool shrinkInputs(Draft &draft, const Place &place, int64_t from,
                         int64_t to) {
  bool isChanged = false;
  for (auto &input : *draft.model.mutable_graph()->mutable_input()) {
    if (!input.type().has_tensor_type())
      continue;
    auto *shape = input.mutable_type()->mutable_tensor_type()->mutable_shape();
    auto value = draft.inputs.find(input.name());
    for (int i = 0; i != shape->dim_size(); ++i) {
      if (!shape->dim(i).has_dim_value() || shape->dim(i).dim_value() != from ||
          !place.holds(input.name(), i))
        continue;
      shape->mutable_dim(i)->set_dim_value(to);
      if (value != draft.inputs.end() && value->second.dim(i) > to) {
        Shape smaller(value->second.shape());
        smaller[i] = to;
        value->second = beginningOf(value->second, smaller);
      }
      isChanged = true;
    }
  }
  return isChanged;
}

static bool replaceSize(Draft &draft, const Place &place, int64_t from,
                        int64_t to) {
  bool isChanged = shrinkInputs(draft, place, from, to);
  walkGraphs(*draft.model.mutable_graph(), [&](GraphProto &graph) {
    for (TensorProto &tensor : *graph.mutable_initializer()) {
      isChanged |= shrinkTensor(tensor, place, from, to);
      if (place.tensor.empty())
        isChanged |= replaceNumbers(tensor, from, to);
    }
  });
  if (place.tensor.empty()) {
    isChanged |= replaceAttributes(draft, from, to);
    for (onnx::NodeProto *node : draft.nodes)
      for (AttributeProto &attribute : *node->mutable_attribute())
        if (attribute.has_t()) {
          isChanged |= shrinkTensor(*attribute.mutable_t(), place, from, to);
          isChanged |= replaceNumbers(*attribute.mutable_t(), from, to);
        }
  }
  draft.changesTypes |= isChanged;
  return isChanged;
}

std::vector<Edit> onnxfold::proposeSizes(const Base &base) {
  std::map<int64_t, std::vector<Place>, std::greater<>> places;
  const GraphProto &graph = base.candidate.model.graph();
  auto note = [&](const std::string &name, int axis, int64_t size) {
    if (size > 1)
      places[size].push_back({name, axis});
  };
  for (const auto &input : graph.input())
    if (const auto *type = tensorType(input.type()))
      for (int i = 0; i != type->shape().dim_size(); ++i)
        note(input.name(), i, type->shape().dim(i).dim_value());
  for (const TensorProto &tensor : graph.initializer())
    for (int i = 0; i != tensor.dims_size(); ++i)
      note(tensor.name(), i, tensor.dims(i));
  std::vector<Edit> edits;
  auto add = [&](const Place &place, int64_t from, int64_t to) {
    if (to < from)
      edits.push_back(
          [=](Draft &draft) { return replaceSize(draft, place, from, to); });
  };
  constexpr size_t mostSizes = 32, mostPlaces = 64;
  size_t number = 0;
  for (const auto &[size, all] : places)
    if (number++ < mostSizes)
      for (int64_t to : {int64_t(1), int64_t(2), size / 2})
        add({}, size, to);
  number = 0;
  for (const auto &[size, all] : places)
    for (const Place &place : all)
      if (number++ < mostPlaces)
        add(place, size, 1);
  return edits;
}
