//===- ConvertScript.cpp - A DML script as an ONNX model ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/ConvertScript.h"
#include "onnxfold/dml/import/internal/MatrixFile.h"
#include "onnxfold/dml/import/internal/ScriptFiles.h"
#include "onnxfold/dml/import/internal/Translation.h"
#include "onnxfold/dml/syntax/Parser.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// One call of convertScript.
class Conversion {
public:
  Conversion(StringRef input, const ConvertOptions &options)
      : input(input), options(options),
        graph(graphName(),
              options.isFloat32 ? onnx::TensorProto::FLOAT
                                : onnx::TensorProto::DOUBLE,
              options.opset),
        files(input, options.scripts), translation(graph, [&](StringRef name) {
          return files.builtin(name);
        }) {
    translation.ports.inputSizes = options.sizes;
    translation.emitter.drawsNumbers = options.drawsNumbers;
  }

  /// Of the script, before it is folded.
  llvm::Expected<std::string> run(std::vector<std::string> &refusals);
  llvm::Expected<std::string> run(StringRef text);

private:
  llvm::Error translate(const Module &module);
  std::string graphName() const {
    return options.function.empty() ? llvm::sys::path::stem(input).str()
                                    : options.function;
  }
  llvm::Expected<std::optional<DmlValue>>
  constants(StringRef file, int64_t rows, int64_t columns);
  llvm::Error runFunction(const Module &module);
  llvm::Expected<DmlValue> argument(const Parameter &parameter);
  std::optional<DmlValue> boundElement(const Expr &expr);
  llvm::Expected<DmlValue> listArgument(StringRef name, StringRef text);
  DmlValue matrixInput(StringRef name);
  llvm::Error checkParameters(const Module &module) const;
  llvm::Error checkNames(const Module &module);
  void addElements(const std::string &name, const DmlValue &list);
  std::string problemOf(const DmlValue &value) const;
  void addOutput(const std::string &name, const DmlValue &value);
  void addOutputs();

  StringRef input;
  const ConvertOptions &options;
  OnnxGraph graph;
  ScriptFiles files;
  Translation translation;
  std::vector<std::string> inputs; ///< that there are
  llvm::StringSet<> outputNames;
};

} // namespace

/// A file that the script names, in the working directory or beside it.
llvm::Expected<std::optional<DmlValue>>
Conversion::constants(StringRef file, int64_t rows, int64_t columns) {
  llvm::SmallString<128> path(file);
  if (!llvm::sys::fs::exists(path)) {
    path = llvm::sys::path::parent_path(input);
    llvm::sys::path::append(path, file);
  }
  if (file.empty() || !llvm::sys::fs::exists(path))
    return std::nullopt;
  llvm::Expected<MatrixOfFile> read = readMatrix(path, rows, columns);
  if (!read)
    return read.takeError();
  return DmlValue::matrix(graph.matrix(read->values, read->rows, read->columns),
                          read->rows, read->columns);
}

DmlValue Conversion::matrixInput(StringRef name) {
  auto sizes = options.sizes.find(name);
  auto [rows, columns] = sizes == options.sizes.end()
                             ? std::pair<int64_t, int64_t>(-1, -1)
                             : sizes->second;
  graph.addInput(name, graph.real(), {rows, columns});
  inputs.push_back(name.str());
  return DmlValue::matrix(name.str(), rows, columns);
}

/// A variable, a number, a text or a list of them, of which --bind says that it
/// is in a list; nothing for other expressions.
std::optional<DmlValue> Conversion::boundElement(const Expr &expr) {
  const Expr::Node &node = *expr;
  if (node.kind == Expr::Kind::Text)
    return textValue(node.text);
  if (node.kind == Expr::Kind::Number)
    return DmlValue::known(node.number,
                           node.isReal ? DmlValue::Double : DmlValue::Int);
  if (node.kind == Expr::Kind::Name &&
      (node.text == "TRUE" || node.text == "FALSE"))
    return DmlValue::known(node.text == "TRUE", DmlValue::Boolean);
  if (node.kind == Expr::Kind::Name && !llvm::is_contained(inputs, node.text))
    return matrixInput(node.text);
  if (node.kind != Expr::Kind::Call || node.text != "list")
    return std::nullopt;
  DmlValue list;
  list.type = DmlValue::List;
  for (const Argument &one : node.arguments) {
    std::optional<DmlValue> element = boundElement(one.value);
    if (!element)
      return std::nullopt;
    list.keys.push_back(one.key.str());
    list.elements.push_back(std::move(*element));
  }
  return list;
}

/// What --bind says of a list: list(W1=W1, b1=b1, activation="relu"). Variables
/// are inputs of the model.
llvm::Expected<DmlValue> Conversion::listArgument(StringRef name,
                                                  StringRef text) {
  llvm::Expected<Script> script =
      parseScript((name + " = " + text).str(), setting("bind"));
  if (!script)
    return script.takeError();
  std::optional<DmlValue> list;
  if (script->main.size() == 1 && script->main[0].value)
    list = boundElement(script->main[0].value);
  if (list && list->type == DmlValue::List)
    return *list;
  return llvm::createStringError(
      setting("bind") + " of '" + name + "' is '" + text +
      "', expected a list of variables, each once, numbers, texts and lists: "
      "list(W1=W1, rate=0.5, kind=\"relu\")");
}

/// A value that is given, an input, or nothing for the default.
llvm::Expected<DmlValue> Conversion::argument(const Parameter &parameter) {
  StringRef type = parameter.type;
  auto bound = options.values.find(parameter.name);
  if (type.starts_with("matrix"))
    return matrixInput(parameter.name);
  if (type == "frame[double]") {
    llvm::Expected<DmlValue> value = matrixInput(parameter.name);
    if (value)
      value->type = DmlValue::Frame;
    return value;
  }
  if (type.starts_with("list") && bound != options.values.end())
    return listArgument(parameter.name, bound->second);
  if (bound != options.values.end()) {
    StringRef text = bound->second;
    DmlValue value = DmlValue::known(0, type == "int"       ? DmlValue::Int
                                        : type == "boolean" ? DmlValue::Boolean
                                                            : DmlValue::Double);
    double number;
    if (type == "string") {
      value.type = DmlValue::Text;
      value.number.reset();
      value.text = text.str();
    } else if (type == "boolean" && (text == "TRUE" || text == "FALSE")) {
      value.number = text == "TRUE";
    } else if (type == "boolean" || text.getAsDouble(number) ||
               (type == "int" && number != std::trunc(number))) {
      return llvm::createStringError(setting("bind") + " of '" +
                                     parameter.name + "' is '" + text +
                                     "', expected " + type);
    } else {
      value.number = number;
    }
    return value;
  }
  if (type != "int" && type != "double" && type != "boolean")
    return llvm::createStringError("parameter '" + parameter.name + "' of '" +
                                   options.function + "' is a " + type +
                                   ", which is not an input of a model (" +
                                   setting("bind") +
                                   " "
                                   "says what it is)");
  bool isInt = type == "int", isBool = type == "boolean";
  graph.addInput(parameter.name,
                 isInt    ? onnx::TensorProto::INT64
                 : isBool ? onnx::TensorProto::BOOL
                          : graph.real(),
                 {});
  return DmlValue::scalar(parameter.name, isInt    ? DmlValue::Int
                                          : isBool ? DmlValue::Boolean
                                                   : DmlValue::Double);
}

llvm::Error Conversion::runFunction(const Module &module) {
  const Function *function = nullptr;
  std::string names;
  for (const Function &one : module.script.functions) {
    if (one.name == options.function)
      function = &one;
    names += " " + one.name;
  }
  if (!function)
    return llvm::createStringError(input + ": no function '" +
                                   options.function + "', only:" + names);
  Variables arguments;
  for (const auto &one : options.values)
    if (llvm::none_of(function->parameters, [&](const Parameter &parameter) {
          return parameter.name == one.getKey() &&
                 !StringRef(parameter.type).starts_with("matrix");
        }))
      return llvm::createStringError(
          setting("bind") + ": '" + options.function +
          "' has no scalar parameter '" + one.getKey() + "'");
  for (const Parameter &one : function->parameters) {
    if (one.byDefault && !options.values.contains(one.name) &&
        !StringRef(one.type).starts_with("matrix")) {
      arguments[one.name] =
          translation.defaultOf(module, one.byDefault, one.type);
      continue;
    }
    llvm::Expected<DmlValue> value = argument(one);
    if (!value)
      return value.takeError();
    arguments[one.name] = std::move(*value);
  }
  std::vector<DmlValue> results =
      translation.call(module, *function, std::move(arguments));
  for (auto [one, value] : llvm::zip(function->results, results))
    translation.ports.outputs.push_back({one.name, value});
  return llvm::Error::success();
}

/// Sizes are for inputs that there are.
llvm::Error Conversion::checkNames(const Module &module) {
  llvm::append_range(inputs, translation.ports.inputs);
  for (const auto &one : options.sizes)
    if (!llvm::is_contained(inputs, one.getKey()))
      return llvm::createStringError(setting("input-shape") +
                                     ": there is no input '" + one.getKey() +
                                     "'");
  if (translation.ports.outputs.empty() && translation.refusals.empty())
    return llvm::createStringError(
        module.file +
        ": nothing is written, so the model would have no outputs (" +
        setting("function") +
        " "
        "takes one of its functions)");
  return llvm::Error::success();
}

/// Each element of a list is an output: the name of the list, and its key or its
/// place.
void Conversion::addElements(const std::string &name, const DmlValue &list) {
  if (list.elements.empty())
    translation.refusals.add(
        (input + ": '" + name + "' is " +
         (list.isOpenText ? "a list whose length depends on values"
                          : "an empty list"))
            .str());
  for (auto [i, element] : llvm::enumerate(list.elements)) {
    bool hasKey = i < list.keys.size() && !list.keys[i].empty();
    addOutput(name + "_" + (hasKey ? list.keys[i] : std::to_string(i + 1)),
              element);
  }
}

/// Why a value is no output.
std::string Conversion::problemOf(const DmlValue &value) const {
  if (!value.parameter.empty())
    return "is '$" + value.parameter + "', which has no value, expected " +
           setting("bind", value.parameter + "=VALUE");
  if (value.isUnknown() && !value.text.empty())
    return value.text;
  return "is not a matrix or a number";
}

void Conversion::addOutput(const std::string &name, const DmlValue &value) {
  auto add = [&](const std::string &of, int32_t type,
                 llvm::ArrayRef<int64_t> sizes = {}) {
    if (outputNames.insert(name).second)
      graph.addOutput(of, name, type, sizes);
    else
      translation.refusals.add(
          (input + ": two outputs are called '" + name + "'").str());
  };
  if (value.isUnordered)
    translation.refusals.add(
        (input + ": '" + name + "' has the order of a hash table").str());
  else if (value.type == DmlValue::List)
    addElements(name, value);
  else if (value.isMatrix())
    add(value.name, graph.real(), {value.rows, value.columns});
  else if (value.type == DmlValue::Int)
    add(translation.emitter.integer(value), onnx::TensorProto::INT64);
  else if (value.type == DmlValue::Boolean)
    add(translation.emitter.truth(value), onnx::TensorProto::BOOL);
  else if (value.type == DmlValue::Double)
    add(translation.emitter.real(value), graph.real());
  else if (!value.isUnknown() || translation.refusals.empty())
    translation.refusals.add(
        (input + ": '" + name + "' " + problemOf(value)).str());
}

void Conversion::addOutputs() {
  for (const ScriptPorts::Port &one : translation.ports.outputs)
    addOutput(one.name, one.value);
  graph.nameOutputs();
  for (std::string &why : translation.emitter.neededUnusable())
    translation.refusals.add(std::move(why));
}

/// $name of a script and of what it sources.
static void addParameters(const Module &module,
                          llvm::SmallPtrSetImpl<const Module *> &seen,
                          llvm::StringMap<unsigned> &names) {
  if (!seen.insert(&module).second)
    return;
  countReads(module.script.main, names);
  for (const Function &one : module.script.functions)
    countReads(one.body, names);
  for (const auto &one : module.sourced)
    addParameters(*one.getValue(), seen, names);
}

/// Values are for parameters that there are.
llvm::Error Conversion::checkParameters(const Module &module) const {
  if (options.values.empty())
    return llvm::Error::success();
  llvm::StringMap<unsigned> names;
  llvm::SmallPtrSet<const Module *, 8> seen;
  addParameters(module, seen, names);
  for (const auto &one : options.values)
    if (!names.contains(("$" + one.getKey()).str()))
      return llvm::createStringError(setting("bind") + ": '" + module.file +
                                     "' has no parameter '$" + one.getKey() +
                                     "'");
  return llvm::Error::success();
}

llvm::Error Conversion::translate(const Module &module) {
  if (options.function.empty()) {
    if (llvm::Error error = checkParameters(module))
      return error;
    for (const auto &one : options.values)
      translation.ports.parameters[one.getKey()] = one.second;
    translation.runScript(module);
  } else if (llvm::Error error = runFunction(module)) {
    return error;
  }
  if (llvm::Error error = checkNames(module))
    return error;
  addOutputs();
  if (translation.refusals.empty())
    return llvm::Error::success();
  std::string text = (input + ": cannot be expressed in ONNX").str();
  if (translation.missesFunction && options.scripts.empty())
    text += " (" + setting("scripts") +
            ": SystemDS's jar has its functions that are in DML)";
  text += ":";
  for (const std::string &one : translation.refusals.all())
    text += "\n  " + printableText(one);
  return llvm::createStringError(text);
}

llvm::Expected<std::string>
Conversion::run(std::vector<std::string> &refusals) {
  if (llvm::Error error = files.open())
    return error;
  llvm::Expected<const Module *> module = files.loadMain();
  if (!module)
    return module.takeError();
  translation.ports.readFile = [&](StringRef file, int64_t rows,
                                   int64_t columns) {
    return constants(file, rows, columns);
  };
  llvm::Error error = translate(**module);
  refusals = translation.refusals.all();
  if (error)
    return error;
  return graph.bytes();
}

llvm::Expected<std::string> Conversion::run(StringRef text) {
  llvm::Expected<const Module *> module = files.loadText(text);
  if (!module)
    return module.takeError();
  if (llvm::Error error = translate(**module))
    return error;
  return graph.bytes();
}

/// The folder gets the memory of the translation.
static llvm::Expected<std::string>
translated(StringRef input, const ConvertOptions &options,
           std::vector<std::string> &refusals) {
  return Conversion(input, options).run(refusals);
}

llvm::Error dml::convertScript(StringRef input, const ConvertOptions &options,
                               std::vector<std::string> &refusals) {
  if (options.output != "-" && llvm::sys::fs::exists(options.output) &&
      llvm::sys::fs::equivalent(input, options.output))
    return llvm::createStringError(options.output +
                                   ": is the script, expected another file");
  llvm::Expected<std::string> bytes = translated(input, options, refusals);
  if (!bytes)
    return bytes.takeError();
  FoldOptions folding;
  folding.level = 1; // 2 takes x + c - c for x
  folding.counts = false;
  FoldReport report;
  return foldModel(ModelInput::bytes(*bytes), ModelOutput::file(options.output),
                   folding, report);
}

llvm::Expected<std::string>
dml::translateScript(StringRef text, const ConvertOptions &options) {
  return Conversion("script", options).run(text);
}
