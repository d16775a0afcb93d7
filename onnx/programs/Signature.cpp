//===- Signature.cpp - Inputs and outputs of a compiled model -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/Signature.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/folding/JsonText.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/programs/ProgramTensors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
namespace json = llvm::json;

llvm::Error onnxfold::makeRunError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

std::string ValueSignature::text() const {
  std::string result = isOptional ? "optional of " : "";
  result += isSequence ? "sequence of " : "";
  result += onnxfold::name(type);
  if (!shape)
    return result + "[...]";
  result += "[";
  for (auto [i, size] : llvm::enumerate(*shape))
    result += (i ? "," : "") + (size < 0 ? "?" : std::to_string(size));
  return result + "]";
}

void ValueSignature::setShape(mlir::RankedTensorType type) {
  shape.emplace();
  for (int64_t size : type.getShape())
    shape->push_back(mlir::ShapedType::isDynamic(size) ? -1 : size);
}

bool ValueSignature::covers(const Elements &tensor) const {
  if (!tensor || tensor.type() != type)
    return false;
  return !shape ||
         (int64_t(shape->size()) == tensor.rank() &&
          llvm::all_of(llvm::zip_equal(*shape, tensor.shape()), [](auto pair) {
            auto [size, actual] = pair;
            return size < 0 || size == actual;
          }));
}

Elements ValueSignature::placeholder() const {
  Shape sizes(shape ? ShapeRef(*shape) : ShapeRef(int64_t(0)));
  for (int64_t &size : sizes)
    size = std::max<int64_t>(size, 0);
  if (type == DataType::String)
    return Elements::fromStrings(
        sizes, std::vector<llvm::StringRef>(numElements(sizes)));
  return Elements::splat(type, sizes, WideNum());
}

/// JSON is UTF-8, and names are any bytes: those of other names in hexadecimal.
static json::Value toJson(const ValueSignature &value) {
  json::Object object{{"sequence", value.isSequence},
                      {"optional", value.isOptional},
                      {"type", int64_t(value.type)},
                      {"onnx", value.onnxType},
                      {"code", int64_t(value.code)}};
  if (json::isUTF8(value.name))
    object["name"] = value.name;
  else
    object["name-bytes"] = llvm::toHex(value.name);
  if (value.shape)
    object["shape"] = json::Array(*value.shape);
  return object;
}

std::string Signature::toText() const {
  json::Array in, out;
  for (const ValueSignature &value : inputs)
    in.push_back(toJson(value));
  for (const ValueSignature &value : outputs)
    out.push_back(toJson(value));
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(
      json::Object{{"inputs", std::move(in)}, {"outputs", std::move(out)}});
  return text;
}

static ValueSignature fromJson(const json::Object &object) {
  ValueSignature value;
  value.name = object.getString("name").value_or("").str();
  if (std::optional<llvm::StringRef> bytes = object.getString("name-bytes"))
    llvm::tryGetFromHex(*bytes, value.name);
  value.isSequence = object.getBoolean("sequence").value_or(false);
  value.isOptional = object.getBoolean("optional").value_or(false);
  value.type = DataType(object.getInteger("type").value_or(0));
  value.onnxType = object.getInteger("onnx").value_or(0);
  value.code = object.getInteger("code").value_or(0);
  if (const json::Array *shape = object.getArray("shape")) {
    value.shape.emplace();
    for (const json::Value &size : *shape)
      value.shape->push_back(size.getAsInteger().value_or(-1));
  }
  return value;
}

llvm::Expected<Signature> Signature::fromText(llvm::StringRef text) {
  auto parsed = parseJson(text);
  if (!parsed)
    return parsed.takeError();
  Signature signature;
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return makeRunError("it is not a signature of a model");
  auto read = [&](llvm::StringRef key, std::vector<ValueSignature> &values) {
    if (const json::Array *array = object->getArray(key))
      for (const json::Value &value : *array)
        if (const json::Object *entry = value.getAsObject())
          values.push_back(fromJson(*entry));
  };
  read("inputs", signature.inputs);
  read("outputs", signature.outputs);
  return signature;
}

static llvm::Expected<ValueSignature>
valueSignature(mlir::Type type, llvm::StringRef name, llvm::StringRef kind) {
  ValueSignature value;
  value.name = name.str();
  mlir::Type said = type;
  if (auto optional = llvm::dyn_cast<OnnxOptionalType>(type)) {
    value.isOptional = true;
    type = optional.getElementType();
  }
  if (auto list = llvm::dyn_cast<OnnxSequenceType>(type)) {
    value.isSequence = true;
    type = list.getElementType();
  }
  auto tensor = llvm::dyn_cast<mlir::TensorType>(type);
  if (llvm::isa<OnnxUnknownType>(type))
    return makeRunError(kind + " '" + name +
                        "' has no type in the model, and none is inferred");
  if (!tensor) {
    std::string text;
    llvm::raw_string_ostream(text) << said;
    std::string remedy = llvm::isa<OnnxMapType>(type)
                             ? "; onnx-fold cut " + setting("outputs", "NAME") +
                                   " ends the model before the map"
                             : "";
    return makeRunError(kind + " '" + name + "' is of type " + text +
                        ", expected a tensor, a sequence of tensors, or an "
                        "optional of one of them" +
                        remedy);
  }
  value.type = toDataType(tensor.getElementType());
  value.onnxType = onnxElementType(tensor.getElementType());
  value.code = programElementCode(tensor.getElementType());
  if (auto ranked = llvm::dyn_cast<mlir::RankedTensorType>(tensor))
    value.setShape(ranked);
  return value;
}

llvm::Expected<Signature>
onnxfold::signatureOf(mlir::FunctionOpInterface graph) {
  Signature signature;
  for (auto [i, type] : llvm::enumerate(graph.getArgumentTypes())) {
    auto name = graph.getArgAttrOfType<mlir::StringAttr>(i, nameAttrName);
    auto value = valueSignature(type, name ? name.getValue() : "", "input");
    if (!value)
      return value.takeError();
    signature.inputs.push_back(std::move(*value));
  }
  for (auto [i, type] : llvm::enumerate(graph.getResultTypes())) {
    auto name = graph.getResultAttrOfType<mlir::StringAttr>(i, nameAttrName);
    auto value = valueSignature(type, name ? name.getValue() : "", "output");
    if (!value)
      return value.takeError();
    signature.outputs.push_back(std::move(*value));
  }
  return signature;
}
