//===- SchemaTypes.cpp - What a schema says of other types ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/SchemaTypes.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/ShapeInference.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/convert/internal/ConstantCheck.h"
#include "onnxfold/onnx/transforms/convert/internal/TypeClasses.h"
#include "mlir/IR/Builders.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include <deque>

using namespace onnxfold;
using namespace mlir;
using onnx::OpSchema;

static bool takesTensor(const OpSchema::FormalParameter &parameter,
                        DataType type) {
  if (type == DataType::Undefined)
    return false;
  onnx::TypeProto proto;
  proto.mutable_tensor_type()->set_elem_type(int32_t(type));
  return parameter.GetTypes().count(
             onnx::Utils::DataTypeUtils::ToType(proto)) != 0;
}

static FormalParameter
formalAt(const std::vector<OpSchema::FormalParameter> &parameters,
         unsigned index, DataType type) {
  if (parameters.empty())
    return {};
  const OpSchema::FormalParameter &one =
      parameters[std::min<size_t>(index, parameters.size() - 1)];
  FormalParameter result{one.GetName(), one.GetTypeStr(),
                         takesTensor(one, type)};
  if (!one.GetIsHomogeneous())
    result.variable += "#" + std::to_string(index);
  return result;
}

FormalParameter onnxfold::formalInput(const OpSchema &schema, unsigned index,
                                      DataType type) {
  return formalAt(schema.inputs(), index, type);
}

FormalParameter onnxfold::formalOutput(const OpSchema &schema, unsigned index,
                                       DataType type) {
  return formalAt(schema.outputs(), index, type);
}

std::optional<SmallVector<DataType>>
onnxfold::inferElements(Operator op, OperandType typeOf) {
  std::deque<onnx::TypeProto> messages;
  SmallVector<InferenceInput> inputs(op.numInputs());
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    if (!op.hasInput(i))
      continue;
    onnx::TypeProto &message = messages.emplace_back();
    if (!toTypeProto(op->getOperand(i).getType(), message))
      continue;
    if (DataType type = typeOf(i);
        type != DataType::Undefined && message.has_tensor_type())
      message.mutable_tensor_type()->set_elem_type(int32_t(type));
    inputs[i].type = &message;
  }
  llvm::Expected<InferredTypes> types = inferTypes(op, inputs);
  if (!types) {
    llvm::consumeError(types.takeError());
    return std::nullopt;
  }
  SmallVector<DataType> result;
  for (const onnx::TypeProto &type : *types) {
    int32_t number =
        type.has_tensor_type() ? type.tensor_type().elem_type() : 0;
    result.push_back(isDataType(number) ? DataType(number)
                                        : DataType::Undefined);
  }
  result.resize(op.numOutputs(), DataType::Undefined);
  return result;
}

std::optional<SmallVector<DataType>>
onnxfold::inferElementsWith(Operator op, NamedAttribute attribute) {
  OwningOpRef<Operation *> copy(op->clone());
  copy->setAttr(attribute.getName(), attribute.getValue());
  return inferElements(Operator::from(*copy),
                       [](unsigned) { return DataType::Undefined; });
}

/// A number of TensorProto.DataType, given or by default.
static bool statesType(Operator op, const OpSchema::Attribute &attribute,
                       DataType type) {
  if (attribute.type != onnx::AttributeProto::INT)
    return false;
  std::optional<int64_t> given = op.getInt(attribute.name);
  if (!given && !op.has(attribute.name) && attribute.default_value.has_i())
    given = attribute.default_value.i();
  return given == int64_t(type);
}

SmallVector<NamedAttribute> onnxfold::statedTypes(Operator op,
                                                  const TypePair &pair) {
  SmallVector<NamedAttribute> result;
  Builder builder(op->getContext());
  auto add = [&](StringRef name, Attribute value) {
    result.push_back(builder.getNamedAttr(name, value));
  };
  for (const auto &[name, attribute] : op.schema()->attributes()) {
    if (statesType(op, attribute, pair.from))
      add(name, builder.getI64IntegerAttr(int64_t(pair.to)));
    if (attribute.type != onnx::AttributeProto::TENSOR)
      continue;
    ElementsAttr tensor = op.getTensor(name);
    if (Elements value = tensor ? fromAttribute(tensor) : Elements();
        value && value.type() == pair.from)
      add(name, toAttribute(
                    convertConstant(value, pair, checkConstant(value, pair)),
                    cast<ShapedType>(withElements(tensor.getType(), pair.to))));
  }
  // Without `value` it is the f32 0.
  if (op.is("ConstantOfShape") && !op.has("value") &&
      pair.from == DataType::Float32) {
    Elements zero = Elements::splat(pair.to, {1}, WideNum());
    add("value", toAttribute(zero, toTensorType(zero, op->getContext())));
  }
  return result;
}
