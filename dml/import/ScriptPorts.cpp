//===- ScriptPorts.cpp - What a script reads and writes -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/ScriptPorts.h"
#include "onnxfold/dml/import/internal/ScalarOperator.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold::dml;
using llvm::StringRef;

DmlValue ScriptPorts::parameter(StringRef name) const {
  if (auto found = parameters.find(name); found != parameters.end())
    return boundValue(found->second);
  DmlValue value = textValue("");
  value.isOpenText = value.isParameter = true;
  value.parameter = name.str();
  return value;
}

DmlValue ScriptPorts::parameter(const Expr &name, DmlValue byDefault) const {
  StringRef dollar = name.isName() ? StringRef((*name).text) : "";
  auto bound =
      dollar.consume_front("$") ? parameters.find(dollar) : parameters.end();
  if (bound != parameters.end())
    return boundValue(bound->second, byDefault);
  byDefault.isParameter = byDefault.type == DmlValue::Text;
  return byDefault;
}

DmlValue ScriptPorts::fileOf(StringRef parameter) const {
  auto bound = parameters.find(parameter);
  DmlValue value = textValue(bound == parameters.end() ? "" : bound->second);
  value.isParameter = bound == parameters.end();
  value.isBound = !value.isParameter;
  return value;
}

std::optional<DmlValue> ScriptPorts::constants(Place place,
                                               const DmlValue *file,
                                               const DmlValue &sizes) {
  if (!file || file->type != DmlValue::Text || file->isOpenText ||
      file->isParameter || !readFile)
    return std::nullopt;
  llvm::Expected<std::optional<DmlValue>> matrix =
      readFile(file->text, sizes.rows, sizes.columns);
  if (!matrix)
    return refusals.refuse(place, llvm::toString(matrix.takeError()));
  if (!*matrix && file->isBound)
    return refusals.refuse(place, "there is no file '" + file->text +
                                      "', which the parameter is bound to");
  return *matrix;
}

DmlValue ScriptPorts::read(const CallArguments &call, StringRef target) {
  Place place = call.node.place;
  DmlValue value = DmlValue::matrix(target.str());
  for (auto [key, size] :
       {std::pair("rows", &value.rows), std::pair("cols", &value.columns)}) {
    const DmlValue *given = call.find(key);
    if (given && !given->mayCount())
      return refusals.refuse(place,
                             llvm::Twine("read(): ") + key + " is not a size");
    *size = given ? given->size() : -1;
  }
  const DmlValue *kind = call.find("data_type");
  if (kind && kind->text != "matrix" && kind->text != "scalar")
    return refusals.refuse(place, "read() of a " + kind->text);
  bool isScalar = kind && kind->text == "scalar";
  if (!isScalar)
    if (auto known = constants(place, call.find("", 0), value))
      return *known;
  if (llvm::is_contained(inputs, target))
    return refusals.refuse(place, "'" + target + "' is read twice");
  inputs.push_back(target.str());
  if (isScalar) {
    graph.addInput(target, graph.real(), {});
    return DmlValue::scalar(target.str(), DmlValue::Double);
  }
  if (auto found = inputSizes.find(target); found != inputSizes.end())
    std::tie(value.rows, value.columns) = found->second;
  graph.addInput(target, graph.real(), {value.rows, value.columns});
  return value;
}

void ScriptPorts::write(const Expr::Node &call, const DmlValue &value) {
  const Expr::Node &variable = *call.arguments[0].value;
  StringRef name = variable.text;
  auto found =
      llvm::find_if(outputs, [&](auto &one) { return one.name == name; });
  if (found != outputs.end() && found->value.isSame(value))
    return; // to a second file
  if (found != outputs.end())
    refusals.refuse(call.place, "'" + name + "' is written twice");
  else if (value.isPartial)
    refusals.refuse(variable.place,
                    "'" + name + "' is assigned on one path only");
  else if (!value.isUnknown())
    outputs.push_back({name.str(), value});
}
