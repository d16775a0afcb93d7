//===- TypeConstraints.cpp - Types that a schema's parameters take --------===//
// SPDX-License-Identifier: Apache-2.0
//
// A schema names types by unique strings ("tensor(float)"), so that equal types
// are equal pointers.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/InferenceAdditions.h"

#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <exception>

using namespace mlir;
using namespace onnxfold;
using onnx::DataType;
using onnx::OpSchema;
using onnx::TypeProto;
using onnx::Utils::DataTypeUtils;

static constexpr int numElementTypes = onnx::TensorProto::DataType_MAX + 1;

/// The type's name; null if it has none.
static DataType nameOf(const TypeProto &type) {
  if (type.value_case() == TypeProto::VALUE_NOT_SET)
    return nullptr;
  try {
    return DataTypeUtils::ToType(type);
  } catch (const std::exception &) {
    return nullptr; // part of it is not known
  }
}

/// The names of tensor types, by element type: ToType makes a string and takes
/// a lock each time.
static std::array<DataType, numElementTypes> makeTensorNames() {
  std::array<DataType, numElementTypes> names{};
  for (int i = 1; i < numElementTypes; ++i) {
    TypeProto type;
    type.mutable_tensor_type()->set_elem_type(i);
    names[i] = nameOf(type);
  }
  return names;
}

static DataType nameOf(Type type) {
  static const std::array<DataType, numElementTypes> names = makeTensorNames();
  if (auto tensor = dyn_cast<TensorType>(type))
    return names[onnxElementType(tensor.getElementType())];
  TypeProto proto;
  return toTypeProto(type, proto) ? nameOf(proto) : nullptr;
}

/// The formal parameter of an actual one; the last may be variadic.
static const OpSchema::FormalParameter &
formalParameterOf(const std::vector<OpSchema::FormalParameter> &parameters,
                  size_t index) {
  return parameters[std::min(index, parameters.size() - 1)];
}

static llvm::Error typeError(size_t index,
                             const OpSchema::FormalParameter &parameter,
                             Type type, const llvm::Twine &expected) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return llvm::createStringError(
      llvm::formatv("input #{0} ('{1}') is {2}, expected {3}", index,
                    parameter.GetName(), text, expected.str())
          .str());
}

static llvm::Error checkInput(Operator op, const OpSchema &schema, size_t index,
                              DataType type) {
  const auto &parameter = formalParameterOf(schema.inputs(), index);
  Type actual = op->getOperand(index).getType();
  if (parameter.GetTypes().count(type))
    return llvm::Error::success();
  std::vector<std::string> names; // sorted: pointers have no stable order
  for (DataType allowed : parameter.GetTypes())
    names.push_back(*allowed);
  llvm::sort(names);
  return typeError(index, parameter, actual,
                   "one of " + llvm::join(names, ", "));
}

/// Whether a model can have the type, known or not. Others (vector, memref, a
/// tensor of i17) have no name either, and no kernel expects their constants.
static bool isOfModels(Type type) {
  return isa<NoneType>(type) || type.getDialect().getNamespace() == "onnx";
}

/// An operator may lack what it needs if a function is called without some of
/// its inputs.
static llvm::Error checkGiven(Operator op, const OpSchema &schema,
                              size_t index) {
  const auto &parameter = formalParameterOf(schema.inputs(), index);
  if (op.hasInput(index) || parameter.GetOption() != OpSchema::Single)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("input #{0} ('{1}') is absent, expected a value", index,
                    parameter.GetName())
          .str());
}

llvm::Error onnxfold::checkInputTypes(Operator op) {
  const OpSchema *schema = op.schema();
  if (!schema || schema->inputs().empty())
    return llvm::Error::success();
  // Type variables and the input that bound each; few, so a list.
  struct Binding {
    const std::string *variable;
    DataType type;
    size_t input;
  };
  SmallVector<Binding, 4> bindings;
  for (size_t i = 0, e = op.numInputs(); i != e; ++i) {
    DataType type = nameOf(op->getOperand(i).getType());
    if (llvm::Error error = checkGiven(op, *schema, i))
      return error;
    const auto &parameter = formalParameterOf(schema->inputs(), i);
    if (!type && !isOfModels(op->getOperand(i).getType()))
      return typeError(i, parameter, op->getOperand(i).getType(),
                       "a type of ONNX");
    if (!type)
      continue;
    if (llvm::Error error = checkInput(op, *schema, i, type))
      return error;
    if (!parameter.GetIsHomogeneous())
      continue;
    const auto *known = llvm::find_if(bindings, [&](const Binding &binding) {
      return *binding.variable == parameter.GetTypeStr();
    });
    if (known == bindings.end())
      bindings.push_back({&parameter.GetTypeStr(), type, i});
    else if (known->type != type)
      return typeError(i, parameter, op->getOperand(i).getType(),
                       *known->type + " as input #" +
                           llvm::Twine(known->input));
  }
  return llvm::Error::success();
}

void onnxfold::inferFromConstraints(const OpSchema &schema,
                                    ArrayRef<InferenceInput> inputs,
                                    MutableArrayRef<TypeProto> outputs) {
  if (schema.outputs().empty())
    return;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].value_case() != TypeProto::VALUE_NOT_SET)
      continue;
    const auto &output = formalParameterOf(schema.outputs(), i);
    if (output.GetTypes().size() == 1) {
      outputs[i] = DataTypeUtils::ToTypeProto(*output.GetTypes().begin());
      continue;
    }
    if (!output.GetIsHomogeneous())
      continue;
    for (size_t k = 0; k < inputs.size(); ++k) {
      const auto &input = formalParameterOf(schema.inputs(), k);
      if (!inputs[k].type || input.GetTypeStr() != output.GetTypeStr())
        continue;
      if (DataType type = nameOf(*inputs[k].type))
        outputs[i] = DataTypeUtils::ToTypeProto(type);
      break;
    }
  }
}
