//===- Candidate.cpp - A smaller model to be tried ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Candidate.h"
#include "onnxfold/onnx/driver/reduce/ReduceModel.h"
#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "onnxfold/onnx/io/read/TensorIndex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cstring>

using namespace onnxfold;
using onnx::GraphProto;
using onnx::NodeProto;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

TensorProto onnxfold::toTensor(const Elements &elements, llvm::StringRef name) {
  TensorProto tensor;
  tensor.set_name(name.str());
  tensor.set_data_type(int32_t(elements.type()));
  for (int64_t size : elements.shape())
    tensor.add_dims(size);
  if (elements.type() == DataType::String) {
    for (llvm::StringRef text : elements.values<llvm::StringRef>())
      tensor.add_string_data(text.str());
    return tensor;
  }
  std::string &bytes = *tensor.mutable_raw_data();
  bytes.resize(elements.bytes());
  elements.read(bytes.data());
  return tensor;
}

uint64_t onnxfold::dataBytes(const TensorProto &tensor) {
  const TensorType *type = lookupTensorType(tensor.data_type());
  if (!type || !type->bits)
    return 0;
  std::vector<int64_t> dims(tensor.dims().begin(), tensor.dims().end());
  return rawDataSize(*type, dims).value_or(0);
}

/// The elements of a field with one entry for each, as T.
template <class T, class Field>
static Elements fromField(const Field &field, ShapeRef shape) {
  if (field.size() != numElements(shape))
    return Elements();
  std::vector<T> values(field.begin(), field.end());
  return Elements::fromValues<T>(shape, values);
}

Elements onnxfold::toElements(const TensorProto &tensor) {
  if (tensor.data_location() == TensorProto::EXTERNAL)
    return Elements();
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  auto type = DataType(tensor.data_type());
  if (tensor.has_raw_data()) {
    uint64_t bytes = dataBytes(tensor);
    if (bytes != tensor.raw_data().size() || type == DataType::String ||
        bytes != uint64_t(numElements(shape)) * byteWidth(type))
      return Elements();
    auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
    if (bytes != 0)
      std::memcpy(buffer->data(), tensor.raw_data().data(), bytes);
    return Elements::fromBuffer(type, shape, buffer);
  }
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
    return fromField<float>(tensor.float_data(), shape);
  case TensorProto::DOUBLE:
    return fromField<double>(tensor.double_data(), shape);
  case TensorProto::INT64:
    return fromField<int64_t>(tensor.int64_data(), shape);
  case TensorProto::INT32:
    return fromField<int32_t>(tensor.int32_data(), shape);
  default:
    return Elements();
  }
}

template <class Sizes>
static onnx::TypeProto makeTensorType(int32_t elementType, const Sizes &sizes) {
  onnx::TypeProto type;
  type.mutable_tensor_type()->set_elem_type(elementType);
  auto *shape = type.mutable_tensor_type()->mutable_shape();
  for (int64_t size : sizes)
    shape->add_dim()->set_dim_value(size);
  return type;
}

onnx::TypeProto onnxfold::typeOfTensor(const TensorProto &tensor) {
  return makeTensorType(tensor.data_type(), tensor.dims());
}

onnx::TypeProto onnxfold::typeOfElements(const Elements &elements) {
  return makeTensorType(int32_t(elements.type()), elements.shape());
}

//===----------------------------------------------------------------------===//
// Drafts
//===----------------------------------------------------------------------===//

Draft::Draft(const Base &base)
    : base(base), model(base.candidate.model), inputs(base.candidate.inputs),
      names(valueNames(model)) {
  walkNodes(model, [&](NodeProto &node) { nodes.push_back(&node); });
}

const onnx::TypeProto *Base::typeOf(const std::string &name) const {
  auto found = types().find(name);
  if (found == types().end())
    return nullptr;
  const onnx::TypeProto &type = found->second;
  if (const auto *tensor = tensorType(type);
      tensor && (tensor->elem_type() == 0 || !tensor->has_shape()))
    return nullptr;
  return type.value_case() == onnx::TypeProto::VALUE_NOT_SET ? nullptr : &type;
}

std::string Draft::freshName(llvm::StringRef stem) {
  std::string name = stem.str();
  for (unsigned i = 1; !names.insert(name).second; ++i)
    name = (stem + "_" + llvm::Twine(i)).str();
  return name;
}

static bool isSmallInteger(const onnx::TypeProto &type) {
  const auto *tensor = tensorType(type);
  if (!tensor || (tensor->elem_type() != TensorProto::INT64 &&
                  tensor->elem_type() != TensorProto::INT32 &&
                  tensor->elem_type() != TensorProto::BOOL))
    return false;
  int64_t count = 1;
  for (const auto &dim : tensor->shape().dim())
    count *= dim.has_dim_value() ? dim.dim_value() : 64;
  return tensor->shape().dim_size() <= 1 && count <= 64;
}

bool Base::becomesConstant(const std::string &name) const {
  const onnx::TypeProto *type = typeOf(name);
  return type && isSmallInteger(*type) && !options.keepsInterface();
}

bool Draft::needsValue(const std::string &name) const {
  return base.recorder->isWanted() || !base.typeOf(name) ||
         base.becomesConstant(name);
}

void Draft::addConstant(const TensorProto &tensor) {
  GraphProto &graph = *model.mutable_graph();
  *graph.add_initializer() = tensor;
  constexpr int ownInitializers = 4;
  if (model.ir_version() >= ownInitializers)
    return;
  onnx::ValueInfoProto &input = *graph.add_input();
  input.set_name(tensor.name());
  *input.mutable_type() = typeOfTensor(tensor);
}

bool Draft::makeInputs(const std::vector<std::string> &all) {
  std::vector<std::string> needed;
  for (const std::string &name : all)
    if (needsValue(name))
      needed.push_back(name);
  base.recorder->prefetch(base, needed);
  return llvm::all_of(all,
                      [&](const std::string &name) { return makeInput(name); });
}

bool Draft::makeInput(const std::string &name) {
  GraphProto &graph = *model.mutable_graph();
  const onnx::TypeProto *type = base.typeOf(name);
  Elements value =
      needsValue(name) ? base.recorder->valueOf(base, name) : Elements();
  if (value && base.becomesConstant(name)) {
    addConstant(toTensor(value, name));
    return true;
  }
  if (!value && (!type || base.recorder->isWanted()))
    return false;
  onnx::ValueInfoProto &input = *graph.add_input();
  input.set_name(name);
  *input.mutable_type() = type ? *type : typeOfElements(value);
  if (value) {
    inputs[name] = value;
    *input.mutable_type() = typeOfElements(value);
  }
  return true;
}

bool Draft::makeOutput(const std::string &name) {
  GraphProto &graph = *model.mutable_graph();
  if (llvm::any_of(graph.output(),
                   [&](const auto &one) { return one.name() == name; }))
    return true;
  const onnx::TypeProto *type = base.typeOf(name);
  onnx::TypeProto recorded;
  if (!type) {
    if (Elements value = base.recorder->valueOf(base, name))
      recorded = typeOfElements(value);
    else if (const GraphProto &whole = base.candidate.model.graph();
             !base.validity.passesInference && whole.output_size() != 0)
      recorded = whole.output(0).type(); // nothing says what else it may be
    else
      return false;
    type = &recorded;
  }
  onnx::ValueInfoProto &output = *graph.add_output();
  output.set_name(name);
  *output.mutable_type() = *type;
  return true;
}

//===----------------------------------------------------------------------===//
// Nodes that are left out
//===----------------------------------------------------------------------===//

/// Values of separated nodes that the rest reads become inputs, or stay
/// constants, and values of the rest that only they read become outputs.
static bool separate(Draft &draft) {
  GraphProto &graph = *draft.model.mutable_graph();
  llvm::StringSet<> read, readBySeparated, made;
  for (int number : draft.separated)
    for (const std::string &name : namesReadBy(*draft.nodes[number]))
      readBySeparated.insert(name);
  std::vector<NodeProto *> kept;
  llvm::StringMap<TensorProto> constants;
  for (int number : draft.separated) {
    if (TensorProto tensor; readConstant(*draft.nodes[number], tensor))
      constants[tensor.name()] = std::move(tensor);
    for (const std::string &name : draft.nodes[number]->output())
      made.insert(name);
    erase(*draft.nodes[number]);
  }
  for (NodeProto &node : *graph.mutable_node())
    if (!isErased(node)) {
      kept.push_back(&node);
      for (const std::string &name : namesReadBy(node))
        read.insert(name);
    }
  if (kept.empty())
    return false;
  std::vector<onnx::ValueInfoProto> outputs;
  for (const auto &output : graph.output())
    if (!made.contains(output.name()))
      outputs.push_back(output);
  graph.clear_output();
  for (const auto &output : outputs)
    *graph.add_output() = output;
  llvm::StringSet<> isInput;
  std::vector<std::string> newInputs;
  for (NodeProto *node : kept)
    for (const std::string &name : namesReadBy(*node))
      if (made.contains(name) && isInput.insert(name).second) {
        if (auto found = constants.find(name); found != constants.end())
          draft.addConstant(found->second);
        else
          newInputs.push_back(name);
      }
  if (!draft.makeInputs(newInputs))
    return false;
  for (NodeProto *node : kept)
    for (const std::string &name : node->output())
      if (!name.empty() && !read.contains(name) &&
          readBySeparated.contains(name) && !draft.makeOutput(name))
        return false;
  return graph.output_size() != 0;
}

/// Sizes that inference does not find may be any.
static void openSizes(onnx::ValueInfoProto &value) {
  if (value.type().has_tensor_type() && value.type().tensor_type().has_shape())
    for (auto &dim : *value.mutable_type()
                          ->mutable_tensor_type()
                          ->mutable_shape()
                          ->mutable_dim())
      dim.clear_value();
}

/// The types of outputs are those that inference finds.
static bool retype(onnx::ModelProto &model, const Base &base) {
  GraphProto &graph = *model.mutable_graph();
  graph.clear_value_info();
  onnx::ModelProto untyped = model;
  for (onnx::ValueInfoProto &output :
       *untyped.mutable_graph()->mutable_output())
    output.clear_type();
  llvm::Expected<CandidateTypes> types =
      checkModel(untyped, {false, base.validity.passesInference}, base.folder);
  if (!types) {
    llvm::consumeError(types.takeError());
    return false;
  }
  for (onnx::ValueInfoProto &output : *graph.mutable_output()) {
    auto found = types->find(output.name());
    if (found == types->end())
      return false;
    const auto *tensor = tensorType(found->second);
    bool isKnown =
        found->second.value_case() != onnx::TypeProto::VALUE_NOT_SET &&
        (!tensor || tensor->has_shape());
    if (isKnown)
      *output.mutable_type() = found->second;
    else
      openSizes(output);
  }
  return true;
}

static bool isSame(const Draft &draft, const Candidate &candidate) {
  if (draft.inputs.size() != candidate.inputs.size() ||
      draft.model.SerializeAsString() != candidate.model.SerializeAsString())
    return false;
  return llvm::all_of(draft.inputs, [&](const auto &input) {
    auto found = candidate.inputs.find(input.first);
    return found != candidate.inputs.end() &&
           found->second.identicalTo(input.second);
  });
}

std::optional<Candidate>
onnxfold::applyEdits(const Base &base, llvm::ArrayRef<const Edit *> edits) {
  Draft draft(base);
  bool hasEffect = false;
  for (const Edit *edit : edits)
    hasEffect |= (*edit)(draft);
  if (!hasEffect)
    return std::nullopt;
  if (!draft.separated.empty() && !separate(draft))
    return std::nullopt;
  for (const auto &step : draft.last)
    if (!step(draft))
      return std::nullopt;
  sweep(draft.model);
  if (draft.model.graph().node_size() == 0)
    return std::nullopt;
  if (draft.changesTypes && !retype(draft.model, base))
    return std::nullopt;
  llvm::Expected<CandidateTypes> types =
      checkModel(draft.model, base.validity, base.folder);
  if (!types) {
    llvm::consumeError(types.takeError());
    return std::nullopt;
  }
  if (isSame(draft, base.candidate))
    return std::nullopt;
  llvm::StringSet<> names;
  for (const auto &input : draft.model.graph().input())
    names.insert(input.name());
  for (auto it = draft.inputs.begin(); it != draft.inputs.end();)
    it = names.contains(it->first) ? std::next(it) : draft.inputs.erase(it);
  return Candidate{std::move(draft.model), std::move(draft.inputs),
                   std::make_shared<CandidateTypes>(std::move(*types)),
                   draft.changesTypes, std::move(draft.oldNames)};
}
