//===- Recorder.cpp - What values inside of a model are -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Recorder.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/driver/reduce/ReduceModel.h"
#include "onnxfold/onnx/driver/reduce/internal/ProtoGraph.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/verify/ModelRun.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

/// The value with memory of its own: a constant of the model is in its bytes.
static Elements copied(const Elements &value) {
  if (value.type() == DataType::String) {
    std::vector<llvm::StringRef> texts = value.values<llvm::StringRef>();
    return Elements::fromStrings(value.shape(), texts);
  }
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(value.bytes());
  value.read(buffer->data());
  return Elements::fromBuffer(value.type(), value.shape(), buffer);
}

static llvm::Expected<ModelRun> run(const Candidate &candidate,
                                    const std::string &folder, uint64_t seed) {
  std::string bytes = candidate.model.SerializeAsString();
  ModelInput input = ModelInput::bytes(bytes, folder);
  GivenInputs given;
  for (const auto &[name, value] : candidate.inputs)
    given[name] = FoldedValue(value);
  FoldOptions options;
  FoldReport report;
  FoldCallbacks silent;
  std::optional<ModelRun> result;
  llvm::Error error = runInScope(
      "", options, report, silent, [&](RunScope &scope) -> llvm::Error {
        ModelContext context;
        if (auto added = context.addFolding(options, scope); !added)
          return added.takeError();
        ModelSource source(input);
        if (llvm::Error failed = source.open())
          return failed;
        llvm::Expected<ImportedModel> model = source.import(context, options);
        if (!model)
          return model.takeError();
        FoldLimits limits = options.limits;
        limits.maxWork = options.limits.maxWorkOfRun();
        llvm::Expected<ModelRun> made =
            runModel(*model->module, given, seed, limits);
        if (!made)
          return made.takeError();
        // Inputs that are kept must need neither the bytes nor the files.
        for (auto &entry : made->inputs)
          if (entry.second.tensor)
            entry.second.tensor = copied(entry.second.tensor);
        for (FoldedValue &value : made->outputs)
          if (value.tensor)
            value.tensor = copied(value.tensor);
        result = std::move(*made);
        return llvm::Error::success();
      });
  if (error)
    return error;
  return std::move(*result);
}

/// Says in what the value contradicts the type, or nothing.
static ModelFault misfit(const Elements &value, const onnx::TypeProto &type) {
  const onnx::TypeProto::Tensor *tensor = tensorType(type);
  if (!tensor)
    return {};
  DataType wanted = DataType(tensor->elem_type());
  if (wanted != DataType::Undefined && value.type() != wanted)
    return ModelFault()
        .has("elements of type " + name(value.type()))
        .expected(name(wanted));
  if (!tensor->has_shape())
    return {};
  const auto &dims = tensor->shape().dim();
  bool fits = dims.size() == value.rank();
  for (int i = 0; fits && i != dims.size(); ++i)
    fits = !dims[i].has_dim_value() || dims[i].dim_value() == value.shape()[i];
  return fits ? ModelFault()
              : ModelFault()
                    .has("shape " + toString(value.shape()))
                    .expected("that of the model's input");
}

/// Names of inputs that are no constants.
static std::vector<std::string> inputsOf(const onnx::ModelProto &model) {
  llvm::StringSet<> constants;
  for (const auto &tensor : model.graph().initializer())
    constants.insert(tensor.name());
  std::vector<std::string> names;
  for (const auto &input : model.graph().input())
    if (!constants.contains(input.name()))
      names.push_back(input.name());
  return names;
}

/// Values of the main graph that candidates of the base may ask for.
static std::vector<std::string> valuesThatMayBeAsked(const Base &base) {
  std::vector<std::string> names;
  for (const onnx::NodeProto &node : base.candidate.model.graph().node())
    for (const std::string &name : node.output())
      if (!name.empty() && (base.becomesConstant(name) || !base.typeOf(name)))
        names.push_back(name);
  return names;
}

Elements Recorder::valueOf(const Base &base, const std::string &name) {
  prefetch(base, {name});
  std::lock_guard<std::mutex> lock(mutex);
  auto found = known.find(name);
  return found == known.end() ? Elements() : found->second;
}

void Recorder::prefetch(const Base &base,
                        const std::vector<std::string> &names) {
  std::lock_guard<std::mutex> lock(mutex);
  auto missing = [&] {
    std::vector<std::string> result;
    for (const std::string &name : names)
      if (!known.count(name))
        result.push_back(name);
    return result;
  };
  if (missing().empty())
    return;
  if (!wanted && !std::exchange(hasDrawn, true))
    record(base, valuesThatMayBeAsked(base), &Base::becomesConstant);
  record(base, missing(), nullptr);
}

void Recorder::record(const Base &base, const std::vector<std::string> &names,
                      bool (Base::*isKept)(const std::string &) const) {
  if (names.empty())
    return;
  Candidate part = base.candidate;
  part.inputs.insert(drawn.begin(), drawn.end());
  part.model.mutable_graph()->clear_output();
  auto keeps = [&](const std::string &name) {
    return !isKept || (base.*isKept)(name);
  };
  for (const std::string &name : names) {
    onnx::ValueInfoProto &output = *part.model.mutable_graph()->add_output();
    output.set_name(name);
    if (auto type = base.types().find(name); type != base.types().end())
      *output.mutable_type() = type->second;
    if (!isKept)
      known[name] = Elements(); // not computed again if it fails
  }
  sweep(part.model);
  llvm::Expected<ModelRun> done = run(part, base.folder, base.options.seed);
  if (!done) {
    llvm::consumeError(done.takeError());
    return;
  }
  // What the limit of a run of all left out may be computed alone.
  for (size_t i = 0; i != names.size() && i != done->outputs.size(); ++i)
    if (keeps(names[i]) && (!isKept || done->outputs[i].tensor))
      known[names[i]] = done->outputs[i].tensor;
  for (const std::string &name : inputsOf(part.model))
    if (auto found = done->inputs.find(name);
        found != done->inputs.end() && found->second.tensor)
      drawn.insert({name, found->second.tensor});
}

InputValues Recorder::drawnFor(const Candidate &candidate) {
  std::lock_guard<std::mutex> lock(mutex);
  InputValues result;
  for (const auto &input : candidate.model.graph().input()) {
    auto renamed = candidate.oldNames.find(input.name());
    auto found = drawn.find(
        renamed == candidate.oldNames.end() ? input.name() : renamed->second);
    if (found != drawn.end() && misfit(found->second, input.type()).empty())
      result[input.name()] = found->second;
  }
  return result;
}

llvm::Expected<InputValues>
onnxfold::readInputs(const std::string &path, const onnx::ModelProto &model) {
  InputValues values;
  if (path.empty())
    return values;
  llvm::Expected<NpzFile> file = NpzFile::open(path);
  if (!file)
    return file.takeError();
  for (const std::string &name : file->names()) {
    const auto &all = model.graph().input();
    auto input =
        llvm::find_if(all, [&](const auto &one) { return one.name() == name; });
    if (input == all.end())
      return ModelFault().file(path).input(name).is("none of the model");
    const onnx::TypeProto::Tensor *tensor = tensorType(input->type());
    llvm::Expected<Elements> value = file->read(
        name, tensor ? DataType(tensor->elem_type()) : DataType::Undefined);
    if (!value)
      return value.takeError();
    if (ModelFault fault = misfit(*value, input->type()); !fault.empty())
      return ModelFault().file(path).input(name).append(fault);
    values[name] = *value;
  }
  return values;
}

llvm::Expected<InputValues> onnxfold::completeInputs(const Candidate &candidate,
                                                     const std::string &folder,
                                                     uint64_t seed) {
  llvm::Expected<ModelRun> done = run(candidate, folder, seed);
  if (!done)
    return done.takeError();
  InputValues values;
  for (const std::string &name : inputsOf(candidate.model))
    if (auto found = done->inputs.find(name);
        found != done->inputs.end() && found->second.tensor)
      values[name] = found->second.tensor;
  return values;
}
