//===- FixedInputs.cpp - Shapes and values of inputs, as text -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/FixedInputs.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/specialize/Specialize.h"
#include "onnxfold/options/OptionError.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/GlobPattern.h"

using namespace onnxfold;
using llvm::StringRef;

/// No tensor has a larger dimension.
static bool parseDimension(StringRef text, int64_t &size) {
  return !text.trim().getAsInteger(10, size) && size >= 0 &&
         size <= std::numeric_limits<int32_t>::max();
}

/// The same thing was said before, and otherwise.
static llvm::Error contradiction(StringRef flag, const llvm::Twine &before,
                                 const llvm::Twine &now, StringRef expected) {
  return wrongOption(flag, before + "' and '" + now, expected);
}

/// A size that is open in one shape may be stated in the other.
static bool areCompatible(const Shape &a, const Shape &b) {
  return a.size() == b.size() && llvm::all_of(llvm::zip(a, b), [](auto pair) {
           auto [x, y] = pair;
           return x < 0 || y < 0 || x == y;
         });
}

llvm::Error FixedInputs::addShape(StringRef text) {
  // Names may have colons ("x:0").
  auto [name, list] = text.rsplit(':');
  auto wrong = [&, text = text](const llvm::Twine &what) {
    return llvm::Error(ModelFault()
                           .option(setting("input-shape"))
                           .is("'" + text + "'")
                           .says(what)
                           .expected("NAME:SIZE,SIZE,..."));
  };
  if (name.empty() || name.size() == text.size())
    return wrong("");
  FixedShapes::InputShape shape{name.str(), {}};
  llvm::SmallVector<StringRef> sizes;
  if (!list.empty())
    list.split(sizes, ',');
  for (StringRef item : sizes) {
    int64_t size = -1;
    if (item.trim() != "?" && !parseDimension(item, size))
      return wrong(", '" + item + "' is not a size");
    shape.sizes.push_back(size);
  }
  for (const auto &[before, other] : llvm::zip(shapeTexts, shapes.inputShapes))
    if (other.input == shape.input && !areCompatible(other.sizes, shape.sizes))
      return contradiction(setting("input-shape"), before, text,
                           "one shape of an input");
  shapeTexts.push_back(text.str());
  shapes.inputShapes.push_back(std::move(shape));
  return llvm::Error::success();
}

llvm::Error FixedInputs::addDimension(StringRef text) {
  auto [name, number] = text.rsplit(':');
  int64_t size;
  if (name.empty() || name.size() == text.size() ||
      !parseDimension(number, size))
    return wrongOption(setting("dim"), text, "NAME:SIZE");
  for (const auto &[known, before] : shapes.dimensions) {
    if (known != name)
      continue;
    if (before == size)
      return llvm::Error::success();
    return contradiction(setting("dim"), name + ":" + llvm::Twine(before), text,
                         "one size of a dimension");
  }
  shapes.dimensions.emplace_back(name.str(), size);
  return llvm::Error::success();
}

llvm::Error FixedInputs::addValue(StringRef text) {
  auto [name, value] = text.split('=');
  if (name.empty())
    return wrongOption(setting("bind"), text,
                       "NAME=VALUE, NAME=FILE.npy, or NAME of an input with an "
                       "initializer");
  if (name.size() == text.size()) {
    if (auto glob = llvm::GlobPattern::create(text); !glob)
      return badPattern(setting("bind"), text, glob.takeError());
    initializers.push_back(text.str());
    return llvm::Error::success();
  }
  for (const auto &[known, before] : values) {
    if (known != name)
      continue;
    if (before == value)
      return llvm::Error::success();
    return contradiction(setting("bind"), name + "=" + before, text,
                         "one value of an input");
  }
  values.emplace_back(name.str(), value.str());
  return llvm::Error::success();
}

static bool isFile(StringRef value) { return value.ends_with(".npy"); }

llvm::Error FixedInputs::applyTo(mlir::ModuleOp module,
                                 std::vector<std::string> *idle) const {
  Specialization fixed{shapes, {}};
  for (const auto &[name, text] : values) {
    llvm::Expected<DataType> type = inputElementType(module, name);
    if (!type)
      return type.takeError();
    if (*type == DataType::Undefined)
      return ModelFault()
          .option(setting("bind", name))
          .says(":")
          .input(name)
          .says("is not a tensor, or one of unknown element type");
    llvm::Expected<Elements> value =
        isFile(text) ? readNpy(text, *type) : parseValue(text, *type);
    if (!value)
      return ModelFault()
          .option(setting("bind", name))
          .says(":")
          .append(takeFault(value.takeError()));
    fixed.values.emplace_back(name, std::move(*value));
  }
  return specialize(module, fixed, idle);
}

llvm::StringSet<> FixedInputs::bound() const {
  llvm::StringSet<> names;
  for (const auto &[name, text] : values)
    names.insert(name);
  return names;
}

std::vector<std::string> FixedInputs::files() const {
  std::vector<std::string> names;
  for (const auto &[name, text] : values)
    if (isFile(text))
      names.push_back(text);
  return names;
}
