//===- ConvertScript.cpp - A DML script as an ONNX model ------------------===//

#include "onnxfold/dml/ConvertScript.h"
#include "onnxfold/dml/Parser.h"
#include "onnxfold/dml/internal/Translation.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
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
              /*opset=*/21),
        translation(graph) {
    translation.inputSizes = options.sizes;
  }

  llvm::Error run(std::vector<std::string> &refusals);

private:
  std::string graphName() const {
    return options.function.empty() ? llvm::sys::path::stem(input).str()
                                    : options.function;
  }
  llvm::Expected<const Module *> load(const std::string &path);
  llvm::Error runFunction(const Module &module);
  llvm::Expected<DmlValue> argument(const Parameter &parameter);
  llvm::Error checkNames(const Module &module);
  void addOutputs();

  StringRef input;
  const ConvertOptions &options;
  OnnxGraph graph;
  Translation translation;
  llvm::StringMap<std::unique_ptr<Module>> modules; ///< by path
  std::vector<std::string> inputs;                  ///< that there are
};

} // namespace

/// Where SystemDS looks, the working directory, or beside the script.
static std::string placeOf(StringRef file, StringRef from) {
  if (llvm::sys::fs::exists(file) || llvm::sys::path::is_absolute(file))
    return file.str();
  llvm::SmallString<128> path(llvm::sys::path::parent_path(from));
  llvm::sys::path::append(path, file);
  return path.str().str();
}

/// A script that sources itself finds what was read of it.
llvm::Expected<const Module *> Conversion::load(const std::string &path) {
  std::unique_ptr<Module> &slot = modules[path];
  if (slot)
    return slot.get();
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file)
    return llvm::createStringError(path + ": " + file.getError().message());
  llvm::Expected<Script> script = parseScript((*file)->getBuffer(), path);
  if (!script)
    return script.takeError();
  Module &made = *(slot = std::make_unique<Module>());
  made.file = path;
  made.script = std::move(*script);
  for (const Source &one : made.script.sources) {
    llvm::Expected<const Module *> sourced = load(placeOf(one.file, path));
    if (!sourced)
      return llvm::createStringError(
          path + ":" + std::to_string(one.place.line) + ":" +
          std::to_string(one.place.column) +
          ": source(): " + llvm::toString(sourced.takeError()));
    made.sourced[one.name] = *sourced;
  }
  return &made;
}

/// A value that is given, an input, or nothing for the default.
llvm::Expected<DmlValue> Conversion::argument(const Parameter &parameter) {
  StringRef type = parameter.type;
  auto bound = options.values.find(parameter.name);
  if (type.starts_with("matrix")) {
    auto sizes = options.sizes.find(parameter.name);
    auto [rows, columns] = sizes == options.sizes.end()
                               ? std::pair<int64_t, int64_t>(-1, -1)
                               : sizes->second;
    graph.addInput(parameter.name, graph.real(), {rows, columns});
    inputs.push_back(parameter.name);
    return translation.matrix(parameter.name, rows, columns);
  }
  if (bound != options.values.end()) {
    StringRef text = bound->second;
    DmlValue value =
        translation.known(0, type == "int"       ? DmlValue::Int
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
      return llvm::createStringError("--bind of '" + parameter.name + "' is '" +
                                     text + "', expected " + type);
    } else {
      value.number = number;
    }
    return value;
  }
  if (type != "int" && type != "double" && type != "boolean")
    return llvm::createStringError("parameter '" + parameter.name + "' of '" +
                                   options.function + "' is a " + type +
                                   ", which is no input of a model");
  bool isInt = type == "int", isBool = type == "boolean";
  graph.addInput(parameter.name,
                 isInt    ? onnx::TensorProto::INT64
                 : isBool ? onnx::TensorProto::BOOL
                          : graph.real(),
                 {});
  return translation.scalar(parameter.name, isInt    ? DmlValue::Int
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
      return llvm::createStringError("--bind: '" + options.function +
                                     "' has no scalar parameter '" +
                                     one.getKey() + "'");
  for (const Parameter &one : function->parameters) {
    if (one.byDefault && !options.values.contains(one.name) &&
        !StringRef(one.type).starts_with("matrix")) {
      arguments[one.name] =
          translation.valueOf(module, one.byDefault, one.type);
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
    translation.outputs.push_back({one.name, value});
  return llvm::Error::success();
}

/// Sizes are for inputs that there are.
llvm::Error Conversion::checkNames(const Module &module) {
  llvm::append_range(inputs, translation.inputs);
  for (const auto &one : options.sizes)
    if (!llvm::is_contained(inputs, one.getKey()))
      return llvm::createStringError("--input-shape: there is no input '" +
                                     one.getKey() + "'");
  if (translation.outputs.empty() && translation.refusals.empty())
    return llvm::createStringError(
        module.file +
        ": nothing is written, so the model would have no outputs (--function "
        "takes one of its functions)");
  return llvm::Error::success();
}

void Conversion::addOutputs() {
  for (const Translation::Port &one : translation.outputs) {
    const DmlValue &value = one.value;
    if (value.isMatrix())
      graph.addOutput(value.name, one.name, graph.real(),
                      {value.rows, value.columns});
    else if (value.type == DmlValue::Int)
      graph.addOutput(translation.integer(value), one.name,
                      onnx::TensorProto::INT64, {});
    else if (value.type == DmlValue::Boolean)
      graph.addOutput(translation.truth(value), one.name,
                      onnx::TensorProto::BOOL, {});
    else if (value.type == DmlValue::Double)
      graph.addOutput(translation.real(value), one.name, graph.real(), {});
    else if (!value.isUnknown())
      translation.refusals.push_back(
          (input + ": '" + one.name + "' is no matrix or number").str());
  }
}

llvm::Error Conversion::run(std::vector<std::string> &refusals) {
  llvm::Expected<const Module *> module = load(input.str());
  if (!module)
    return module.takeError();
  Variables variables;
  if (options.function.empty() && !options.values.empty())
    return llvm::createStringError("--bind is of --function");
  if (options.function.empty())
    translation.run(**module, (*module)->script.main, variables);
  else if (llvm::Error error = runFunction(**module))
    return error;
  if (llvm::Error error = checkNames(**module))
    return error;
  addOutputs();
  refusals = translation.refusals;
  if (!refusals.empty()) {
    std::string text = (input + ": cannot be expressed in ONNX:").str();
    for (const std::string &one : refusals)
      text += "\n  " + one;
    return llvm::createStringError(text);
  }
  FoldOptions folding;
  folding.level = 1; // 2 takes x + c - c for x
  FoldReport report;
  std::string bytes = graph.bytes();
  return foldModel(ModelInput::bytes(bytes), ModelOutput::file(options.output),
                   folding, report);
}

llvm::Error dml::convertScript(StringRef input, const ConvertOptions &options,
                               std::vector<std::string> &refusals) {
  return Conversion(input, options).run(refusals);
}
