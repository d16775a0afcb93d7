//===- ModelError.cpp - Errors with fields --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;
using Field = ModelFault::Field;

std::string onnxfold::nodeText(StringRef label, StringRef opType) {
  std::string text = "node '" + printableName(label) + "'";
  return opType.empty() ? text : text + " (" + printableName(opType) + ")";
}

//===----------------------------------------------------------------------===//
// ModelFault
//===----------------------------------------------------------------------===//

ModelFault &&ModelFault::node(StringRef label, StringRef opType) && {
  add(Field::Node, label);
  return add(Field::Operator, opType); // "" too, so that it is no outer node's
}

ModelFault &&ModelFault::append(const ModelFault &other) && {
  pieces.append(other.pieces.begin(), other.pieces.end());
  noted.append(other.noted.begin(), other.noted.end());
  return std::move(*this);
}

StringRef ModelFault::get(Field field) const {
  StringRef result;
  for (const auto &[kind, value] : pieces) {
    if (kind != field)
      continue;
    result = value;
    if (field == Field::File)
      break;
  }
  for (const auto &[kind, value] : noted)
    if (kind == field)
      result = value;
  return result;
}

/// The piece without what separates it from the one before.
static std::string textOf(Field field, StringRef value) {
  auto named = [&](StringRef kind) {
    return (kind + " '" + printableName(value) + "'").str();
  };
  switch (field) {
  case Field::File:
  case Field::Context:
    return (value + ":").str();
  case Field::Node:
    return nodeText(value, "");
  case Field::Operator:
    return value.empty() ? "" : "(" + printableName(value) + ")";
  case Field::Attribute:
    return named("attribute");
  case Field::Initializer:
    return named("initializer");
  case Field::Input:
    return named("input");
  case Field::Expected:
    return (", expected " + value).str();
  case Field::Option:
  case Field::Has:
  case Field::Words:
    return value.str();
  }
  llvm_unreachable("all fields are listed");
}

std::string ModelFault::text() const {
  std::string text;
  for (const auto &[field, value] : pieces) {
    std::string piece = textOf(field, value);
    bool joins = piece.empty() || text.empty() || text.back() == '\n' ||
                 StringRef(":,;\n").contains(piece.front());
    if (!joins)
      text += ' ';
    text += piece;
  }
  return text;
}

llvm::json::Object ModelFault::toJson() const {
  static constexpr std::pair<Field, const char *> names[] = {
      {Field::File, "file"},
      {Field::Node, "node"},
      {Field::Operator, "operator"},
      {Field::Attribute, "attribute"},
      {Field::Initializer, "initializer"},
      {Field::Input, "input"},
      {Field::Option, "option"},
      {Field::Has, "has"},
      {Field::Expected, "expected"}};
  llvm::json::Object fields;
  for (auto [field, name] : names)
    if (StringRef value = get(field); !value.empty())
      fields[name] = llvm::json::fixUTF8(value);
  fields["text"] = llvm::json::fixUTF8(text());
  return fields;
}

ModelFault::operator llvm::Error() && {
  return llvm::make_error<ModelError>(std::move(*this));
}

//===----------------------------------------------------------------------===//
// ModelError
//===----------------------------------------------------------------------===//

char ModelError::ID = 0;

void ModelError::log(llvm::raw_ostream &out) const { out << contents.text(); }

std::error_code ModelError::convertToErrorCode() const {
  return llvm::inconvertibleErrorCode();
}

ModelFault onnxfold::faultIn(const llvm::Error &error) {
  ModelFault result;
  llvm::visitErrors(error, [&](const llvm::ErrorInfoBase &one) {
    if (!result.empty())
      std::move(result).says("\n");
    if (one.isA<ModelError>())
      std::move(result).append(static_cast<const ModelError &>(one).fault());
    else
      std::move(result).says(one.message());
  });
  return result;
}

ModelFault onnxfold::takeFault(llvm::Error error) {
  ModelFault result = faultIn(error);
  llvm::consumeError(std::move(error));
  return result;
}

llvm::Error onnxfold::inFile(StringRef file, llvm::Error error) {
  if (!error)
    return error;
  return ModelFault().file(file).append(takeFault(std::move(error)));
}

llvm::Error onnxfold::inContext(const Twine &context, llvm::Error error) {
  if (!error)
    return error;
  return ModelFault().context(context).append(takeFault(std::move(error)));
}

ModelFault onnxfold::badOption(const Twine &flag, const Twine &value,
                               const Twine &expected) {
  return ModelFault().option(flag).is("'" + value + "'").expected(expected);
}

ModelFault onnxfold::badPattern(const Twine &flag, const Twine &value,
                                llvm::Error error) {
  return ModelFault()
      .option(flag)
      .is("'" + value + "'")
      .says(": " + llvm::toString(std::move(error)));
}
