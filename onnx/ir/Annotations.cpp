//===- Annotations.cpp - What a file says of a node's values --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

static constexpr StringLiteral devices = "devices",
                               quantization = "quantization",
                               fixedBodies = "fixed_bodies",
                               messageKey = "message", valuesKey = "values",
                               resultKey = "result";

/// Sets one of the annotations, or removes it if `value` is null.
static void setAnnotation(Operator op, StringRef key, Attribute value) {
  NamedAttrList list(op.annotations());
  if (value)
    list.set(key, value);
  else
    list.erase(key);
  op.setAnnotations(list.empty() ? DictionaryAttr()
                                 : list.getDictionary(op->getContext()));
}

template <typename T> static T annotationOf(const Operator &op, StringRef key) {
  DictionaryAttr all = op.annotations();
  return all ? all.getAs<T>(key) : T();
}

static StringRef textIn(DictionaryAttr entry, StringRef key) {
  auto text = entry.getAs<StringAttr>(key);
  return text ? text.getValue() : StringRef();
}

template <typename Message> static Message parse(StringRef bytes) {
  Message message;
  if (!message.ParseFromArray(bytes.data(), int(bytes.size())))
    message.Clear();
  return message;
}

//===----------------------------------------------------------------------===//
// Device configurations
//===----------------------------------------------------------------------===//

std::string DeviceConfiguration::id() const {
  return parse<onnx::NodeDeviceConfigurationProto>(head).configuration_id();
}

bool onnxfold::hasDeviceConfigurations(const Operator &op) {
  return op && annotationOf<ArrayAttr>(op, devices);
}

static Value valueAt(const Operator &op, int64_t number) {
  if (number >= 0)
    return number < op.numInputs() ? op->getOperand(number) : Value();
  return number != noValue && -1 - number < op.numOutputs()
             ? Value(op->getResult(-1 - number))
             : Value();
}

static int64_t numberOf(const Operator &op, Value value) {
  if (!value)
    return noValue;
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == value)
      return operand.getOperandNumber();
  return value.getDefiningOp() == op.getOperation()
             ? -1 - int64_t(cast<OpResult>(value).getResultNumber())
             : noValue;
}

/// Calls `take` for each configuration, with the numbers of its values.
static void forEachConfiguration(
    const Operator &op,
    llvm::function_ref<void(onnx::NodeDeviceConfigurationProto &,
                            ArrayRef<int64_t>)>
        take) {
  auto list = annotationOf<ArrayAttr>(op, devices);
  if (!list)
    return;
  for (auto entry : list.getAsRange<DictionaryAttr>()) {
    auto message =
        parse<onnx::NodeDeviceConfigurationProto>(textIn(entry, messageKey));
    SmallVector<int64_t> numbers;
    if (auto values = entry.getAs<DenseI64ArrayAttr>(valuesKey))
      llvm::append_range(numbers, values.asArrayRef());
    numbers.resize(message.sharding_spec_size(), noValue);
    take(message, numbers);
  }
}

static Attribute
entryOf(MLIRContext *context,
        const onnx::NodeDeviceConfigurationProto &configuration,
        ArrayRef<int64_t> numbers) {
  Builder builder(context);
  return builder.getDictionaryAttr(
      {builder.getNamedAttr(messageKey, builder.getStringAttr(
                                            configuration.SerializeAsString())),
       builder.getNamedAttr(valuesKey, builder.getDenseI64ArrayAttr(numbers))});
}

static void setEntries(Operator op, ArrayRef<Attribute> entries) {
  setAnnotation(op, devices,
                entries.empty() ? Attribute()
                                : ArrayAttr::get(op->getContext(), entries));
}

DeviceConfigurations onnxfold::deviceConfigurationsOf(const Operator &op) {
  DeviceConfigurations result;
  if (op)
    forEachConfiguration(op, [&](auto &message, ArrayRef<int64_t> numbers) {
      DeviceConfiguration &one = result.emplace_back();
      for (auto [spec, number] : llvm::zip(message.sharding_spec(), numbers))
        one.specs.push_back({valueAt(op, number), spec.SerializeAsString()});
      message.clear_sharding_spec();
      one.head = message.SerializeAsString();
    });
  return result;
}

bool onnxfold::shards(const Operator &op, Value value) {
  return llvm::any_of(deviceConfigurationsOf(op),
                      [&](const DeviceConfiguration &one) {
                        return llvm::any_of(one.specs, [&](const auto &spec) {
                          return spec.value && spec.value == value;
                        });
                      });
}

void onnxfold::setDeviceConfigurations(
    Operator op, ArrayRef<DeviceConfiguration> configurations) {
  SmallVector<Attribute> entries;
  for (const DeviceConfiguration &one : configurations) {
    auto message = parse<onnx::NodeDeviceConfigurationProto>(one.head);
    SmallVector<int64_t> numbers;
    for (const DeviceConfiguration::Spec &spec : one.specs) {
      int64_t number = numberOf(op, spec.value);
      if (spec.value && number == noValue)
        continue;
      numbers.push_back(number);
      *message.add_sharding_spec() =
          parse<onnx::ShardingSpecProto>(spec.message);
    }
    entries.push_back(entryOf(op->getContext(), message, numbers));
  }
  setEntries(op, entries);
}

std::string onnxfold::readDeviceConfigurations(Operator op,
                                               ArrayRef<std::string> messages,
                                               ArrayRef<StringRef> inputs,
                                               ArrayRef<StringRef> outputs) {
  std::string unknown;
  SmallVector<Attribute> entries;
  for (const std::string &bytes : messages) {
    auto message = parse<onnx::NodeDeviceConfigurationProto>(bytes);
    SmallVector<int64_t> numbers;
    for (onnx::ShardingSpecProto &spec : *message.mutable_sharding_spec()) {
      StringRef name = spec.tensor_name();
      const auto *input = llvm::find(inputs, name);
      const auto *output = llvm::find(outputs, name);
      int64_t number = name.empty()            ? noValue
                       : input != inputs.end() ? int64_t(input - inputs.begin())
                       : output != outputs.end()
                           ? -1 - int64_t(output - outputs.begin())
                           : noValue;
      if (number != noValue)
        spec.clear_tensor_name();
      else if (unknown.empty())
        unknown = name.str();
      numbers.push_back(number);
    }
    entries.push_back(entryOf(op->getContext(), message, numbers));
  }
  setEntries(op, entries);
  return unknown;
}

std::vector<std::string>
onnxfold::encodeDeviceConfigurations(const Operator &op) {
  std::vector<std::string> messages;
  forEachConfiguration(op, [&](auto &message, ArrayRef<int64_t> numbers) {
    for (auto [i, number] : llvm::enumerate(numbers))
      if (Value value = valueAt(op, number))
        message.mutable_sharding_spec(int(i))->set_tensor_name(
            valueName(value).str());
    messages.push_back(message.SerializeAsString());
  });
  return messages;
}

std::string onnxfold::renameInDeviceConfiguration(StringRef message,
                                                  StringRef before,
                                                  StringRef after) {
  auto parsed = parse<onnx::NodeDeviceConfigurationProto>(message);
  for (onnx::ShardingSpecProto &spec : *parsed.mutable_sharding_spec())
    if (!before.empty() && before == StringRef(spec.tensor_name()))
      spec.set_tensor_name(after.str());
  return parsed.SerializeAsString();
}

void onnxfold::fixDimension(Operator op, StringRef dimension, int64_t size) {
  SmallVector<Attribute> entries;
  forEachConfiguration(op, [&](auto &message, ArrayRef<int64_t> numbers) {
    for (onnx::ShardingSpecProto &spec : *message.mutable_sharding_spec())
      for (onnx::ShardedDimProto &sharded : *spec.mutable_sharded_dim())
        for (auto &simple : *sharded.mutable_simple_sharding())
          if (simple.has_dim_param() &&
              dimension == StringRef(simple.dim_param()))
            simple.set_dim_value(size);
    entries.push_back(entryOf(op->getContext(), message, numbers));
  });
  setEntries(op, entries);
}

//===----------------------------------------------------------------------===//
// Quantization annotations
//===----------------------------------------------------------------------===//

static bool isOf(DictionaryAttr entry, unsigned result) {
  auto number = entry.getAs<IntegerAttr>(resultKey);
  return number && number.getInt() == result;
}

static constexpr StringLiteral argumentKey = "onnx.quantization";

/// The function whose argument a value is, or null.
static FunctionOpInterface functionOf(BlockArgument argument) {
  return dyn_cast_or_null<FunctionOpInterface>(
      argument.getOwner()->getParentOp());
}

bool onnxfold::mayHaveQuantization(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    FunctionOpInterface function = functionOf(argument);
    return function && function.getName() == mainGraphSymbol;
  }
  return bool(Operator::from(value.getDefiningOp()));
}

StringRef onnxfold::quantizationOf(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    FunctionOpInterface function = functionOf(argument);
    auto message = function ? function.getArgAttrOfType<StringAttr>(
                                  argument.getArgNumber(), argumentKey)
                            : StringAttr();
    return message ? message.getValue() : StringRef();
  }
  auto result = dyn_cast<OpResult>(value);
  Operator op = result ? Operator::from(result.getOwner()) : Operator();
  if (!op)
    return {};
  if (auto list = annotationOf<ArrayAttr>(op, quantization))
    for (auto entry : list.getAsRange<DictionaryAttr>())
      if (isOf(entry, result.getResultNumber()))
        return textIn(entry, messageKey);
  return {};
}

void onnxfold::setQuantization(Value value, StringRef message) {
  Builder builder(value.getContext());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    functionOf(argument).setArgAttr(argument.getArgNumber(), argumentKey,
                                    builder.getStringAttr(message));
    return;
  }
  auto result = cast<OpResult>(value);
  Operator op = Operator::from(result.getOwner());
  SmallVector<Attribute> entries;
  if (auto list = annotationOf<ArrayAttr>(op, quantization))
    for (auto entry : list.getAsRange<DictionaryAttr>())
      if (!isOf(entry, result.getResultNumber()))
        entries.push_back(entry);
  entries.push_back(builder.getDictionaryAttr(
      {builder.getNamedAttr(messageKey, builder.getStringAttr(message)),
       builder.getNamedAttr(
           resultKey, builder.getI64IntegerAttr(result.getResultNumber()))}));
  setAnnotation(op, quantization, builder.getArrayAttr(entries));
}

std::string onnxfold::withoutTensorName(StringRef message) {
  auto annotation = parse<onnx::TensorAnnotation>(message);
  annotation.clear_tensor_name();
  return annotation.SerializeAsString();
}

std::string onnxfold::withTensorName(StringRef message, StringRef name) {
  auto annotation = parse<onnx::TensorAnnotation>(message);
  annotation.set_tensor_name(name.str());
  return annotation.SerializeAsString();
}

bool onnxfold::hasFixedBodies(const Operator &op) {
  return op && annotationOf<UnitAttr>(op, fixedBodies);
}

void onnxfold::setFixedBodies(Operator op) {
  setAnnotation(op, fixedBodies, UnitAttr::get(op->getContext()));
}
