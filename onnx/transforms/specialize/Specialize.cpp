//===- Specialize.cpp - Inputs of a model that are fixed ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/specialize/Specialize.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/StringCast.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/specialize/DimTexts.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using namespace mlir;

/// "--bind=x:", and what is wrong with it.
static ModelFault atOption(const llvm::Twine &option) {
  return ModelFault().option(option).says(":");
}

namespace {

/// The inputs of the main graph.
class Inputs {
public:
  explicit Inputs(ModuleOp module)
      : function(
            cast<FunctionOpInterface>(module.lookupSymbol(mainGraphSymbol))) {}

  StringRef name(unsigned i) const {
    auto name = function.getArgAttrOfType<StringAttr>(i, nameAttrName);
    return name ? name.getValue() : StringRef();
  }
  llvm::Expected<unsigned> find(StringRef option, StringRef wanted) const;
  /// Names of the symbolic dimensions, "" for the others; as many as there are
  /// dimensions, or none.
  SmallVector<StringRef> dimensions(unsigned i) const;
  llvm::Error setSize(unsigned i, size_t dimension, int64_t size,
                      const llvm::Twine &option);
  llvm::Error setShape(const Specialization::InputShape &shape);
  llvm::Error setDimension(StringRef dimension, int64_t size,
                           const llvm::Twine &option);
  llvm::Error evaluateDimensions();
  llvm::Error bind(StringRef input, const Elements &value);
  void fixAnnotations();
  void setFunctionType();

  mutable FunctionOpInterface function; // its functions are not const
  /// Named dimensions that are fixed now.
  SmallVector<std::pair<std::string, int64_t>, 2> fixed;
  std::optional<int64_t> fixedSize(StringRef dimension) const {
    for (const auto &[name, size] : fixed)
      if (name == dimension)
        return size;
    return std::nullopt;
  }
  unsigned size() const { return function.getNumArguments(); }
  ShapedType type(unsigned i) const {
    return dyn_cast<ShapedType>(function.getArgument(i).getType());
  }
};

} // namespace

/// "'x', 'y'", or "none".
static std::string listed(ArrayRef<StringRef> names) {
  constexpr size_t most = 20;
  std::string text;
  for (StringRef name : names.take_front(most))
    text += (text.empty() ? "'" : ", '") + name.str() + "'";
  if (names.size() > most)
    text += ", ...";
  return text.empty() ? "none" : text;
}

llvm::Expected<unsigned> Inputs::find(StringRef option,
                                      StringRef wanted) const {
  SmallVector<StringRef> names;
  for (unsigned i = 0; i < size(); ++i) {
    if (name(i) == wanted)
      return i;
    names.push_back(name(i));
  }
  return atOption(option).says("the model has no input '" + wanted +
                               "', its inputs are " + listed(names));
}

SmallVector<StringRef> Inputs::dimensions(unsigned i) const {
  SmallVector<StringRef> names;
  if (auto list = function.getArgAttrOfType<ArrayAttr>(i, dimsAttrName))
    for (auto name : list.getAsRange<StringAttr>())
      names.push_back(name.getValue());
  return names;
}

/// Fixes one dimension, and all of its name.
llvm::Error Inputs::setSize(unsigned i, size_t dimension, int64_t size,
                            const llvm::Twine &option) {
  int64_t now = type(i).getDimSize(dimension);
  if (now == size)
    return llvm::Error::success();
  if (!ShapedType::isDynamic(now))
    return atOption(option)
        .says("dimension #" + llvm::Twine(dimension) + " of")
        .input(name(i))
        .is(llvm::Twine(now))
        .expected("that instead of " + llvm::Twine(size));
  SmallVector<StringRef> names = dimensions(i);
  if (dimension < names.size() && !names[dimension].empty())
    return setDimension(names[dimension].str(), size, option);
  SmallVector<int64_t> sizes(type(i).getShape());
  sizes[dimension] = size;
  function.getArgument(i).setType(type(i).clone(sizes));
  return llvm::Error::success();
}

llvm::Error Inputs::setDimension(StringRef dimension, int64_t size,
                                 const llvm::Twine &option) {
  bool found = false;
  SmallVector<StringRef> known;
  Builder builder(function.getContext());
  for (unsigned i = 0; i < this->size(); ++i) {
    SmallVector<StringRef> names = dimensions(i);
    for (StringRef name : names)
      if (!name.empty() && !llvm::is_contained(known, name))
        known.push_back(name);
    // "past" in "past + seq" (evaluateDimensions)
    found |= llvm::any_of(names, [&](StringRef name) {
      return name == dimension || mentionsDim(name, dimension);
    });
    if (!llvm::is_contained(names, dimension))
      continue;
    SmallVector<int64_t> sizes(type(i).getShape());
    for (auto [own, name] : llvm::zip_equal(sizes, names))
      if (name == dimension) {
        own = size;
        name = "";
      }
    function.getArgument(i).setType(type(i).clone(sizes));
    function.setArgAttr(i, dimsAttrName, builder.getStrArrayAttr(names));
  }
  fixed.emplace_back(dimension.str(), size);
  if (!found)
    return atOption(option).says("no input has a dimension '" + dimension +
                                 "', the names are " + listed(known));
  return llvm::Error::success();
}

/// Fixes dimensions whose names are formulas of fixed ones. An error if that is
/// no size, or another one than was given.
llvm::Error Inputs::evaluateDimensions() {
  auto sizeOf = [&](StringRef name) { return fixedSize(name); };
  auto contradiction = [&](StringRef name, const DimText &value,
                           const llvm::Twine &expected) -> llvm::Error {
    std::string found = value.kind == DimText::Kind::Impossible
                            ? "no size"
                            : std::to_string(value.size);
    return atOption(setting("dim"))
        .says("dimension '" + name + "'")
        .is(found + " with the sizes of the others")
        .expected(expected);
  };
  for (const auto &[name, size] : llvm::to_vector(fixed)) {
    DimText value = evaluateDimText(name, sizeOf);
    if (value.kind == DimText::Kind::Impossible ||
        (value.kind == DimText::Kind::Known && value.size != size))
      return contradiction(name, value, llvm::Twine(size) + ", which is given");
  }
  for (unsigned i = 0; i < size(); ++i)
    for (StringRef name : dimensions(i)) {
      DimText value = evaluateDimText(name, sizeOf);
      if (value.kind == DimText::Kind::Impossible)
        return contradiction(name, value,
                             "a whole number that is not negative");
      if (value.kind == DimText::Kind::Known)
        if (llvm::Error error = setDimension(name, value.size, setting("dim")))
          return error;
    }
  return llvm::Error::success();
}

llvm::Error Inputs::setShape(const Specialization::InputShape &shape) {
  llvm::Expected<unsigned> found = find(setting("input-shape"), shape.input);
  if (!found)
    return found.takeError();
  unsigned i = *found;
  ShapedType declared = type(i);
  std::string option = setting("input-shape", shape.input);
  if (!declared)
    return atOption(option)
        .input(shape.input)
        .says("is not a tensor, or one of unknown element type");
  if (!declared.hasRank()) {
    SmallVector<int64_t> sizes(shape.sizes.size(), ShapedType::kDynamic);
    function.getArgument(i).setType(
        RankedTensorType::get(sizes, declared.getElementType()));
  } else if (declared.getRank() != int64_t(shape.sizes.size())) {
    return atOption(option)
        .input(shape.input)
        .has("rank " + llvm::Twine(declared.getRank()))
        .expected(llvm::Twine(declared.getRank()) + " sizes instead of " +
                  llvm::Twine(shape.sizes.size()));
  }
  for (auto [dimension, size] : llvm::enumerate(shape.sizes))
    if (size >= 0)
      if (llvm::Error error = setSize(i, dimension, size, option))
        return error;
  return llvm::Error::success();
}

/// The value with the shape of the input: one number stands for the only
/// element of any shape, a list for that of one long dimension.
static Elements shapedAs(const Elements &value, ShapedType declared) {
  if (!declared.hasRank() || declared.getRank() == value.rank())
    return value;
  bool isOnes = llvm::all_of(declared.getShape(), [](int64_t size) {
    return size == 1 || ShapedType::isDynamic(size);
  });
  return value.size() == 1 && isOnes
             ? value.reshape(Shape(declared.getRank(), 1))
             : value;
}

llvm::Error Inputs::bind(StringRef input, const Elements &given) {
  llvm::Expected<unsigned> found = find(setting("bind"), input);
  if (!found)
    return found.takeError();
  unsigned i = *found;
  ShapedType declared = type(i);
  std::string option = setting("bind", input);
  if (!declared)
    return atOption(option).input(input).says(
        "is not a tensor, or one of unknown element type");
  DataType expected = toDataType(declared.getElementType());
  if (given.type() != expected)
    return atOption(option)
        .says("the value")
        .has("element type " + onnxfold::name(given.type()))
        .says(", the input " + onnxfold::name(expected));
  Elements value = shapedAs(given, declared);
  if (declared.hasRank() && declared.getRank() != value.rank())
    return atOption(option)
        .says("the value")
        .has("shape " + toString(value.shape()))
        .says(", the input rank " + llvm::Twine(declared.getRank()));
  if (declared.hasRank())
    for (auto [dimension, size] : llvm::enumerate(value.shape()))
      if (llvm::Error error = setSize(i, dimension, size, option))
        return error;
  BlockArgument argument = function.getArgument(i);
  OpBuilder builder = OpBuilder::atBlockBegin(argument.getOwner());
  auto tensor = RankedTensorType::get(value.shape(), declared.getElementType());
  auto constant = OnnxConstantOp::create(
      builder, function.getLoc(), toAttribute(value, tensor), name(i).str());
  argument.replaceAllUsesWith(constant);
  if (failed(function.eraseArgument(i)))
    return atOption(option).says("the input cannot be taken out");
  return llvm::Error::success();
}

/// Sharding specs name dimensions too.
void Inputs::fixAnnotations() {
  function.walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (node && node.annotations())
      for (const auto &[dimension, size] : fixed)
        fixDimension(node, dimension, size);
  });
}

void Inputs::setFunctionType() {
  SmallVector<Type> results;
  for (Value value : function.front().getTerminator()->getOperands())
    results.push_back(value.getType());
  function.setType(
      function.cloneTypeWith(function.front().getArgumentTypes(), results));
}

/// "--input-shape=x:?,3 changes nothing: ...", for the shapes that inputs had.
static void noteIdle(const Specialization::InputShape &shape, ShapedType before,
                     ShapedType after, std::vector<std::string> &idle) {
  if (before != after || !before || !before.hasRank())
    return;
  auto text = [](ArrayRef<int64_t> sizes) {
    std::string all;
    for (int64_t size : sizes)
      all += (all.empty() ? "" : ",") +
             (size < 0 ? std::string("?") : std::to_string(size));
    return all;
  };
  idle.push_back(setting("input-shape", shape.input + ":" + text(shape.sizes)) +
                 " changes nothing: the input has shape [" +
                 text(before.getShape()) + "] without it");
}

llvm::Error onnxfold::specialize(ModuleOp module, const Specialization &fixed,
                                 std::vector<std::string> *idle) {
  if (fixed.empty())
    return llvm::Error::success();
  Inputs inputs(module);
  llvm::StringMap<ShapedType> before;
  for (unsigned i = 0; i < inputs.size(); ++i)
    before[inputs.name(i)] = inputs.type(i);
  for (const auto &[name, size] : fixed.dimensions)
    if (llvm::Error error = inputs.setDimension(
            name, size, setting("dim", name + ":" + std::to_string(size))))
      return error;
  for (const Specialization::InputShape &shape : fixed.inputShapes)
    if (llvm::Error error = inputs.setShape(shape))
      return error;
  if (llvm::Error error = inputs.evaluateDimensions())
    return error;
  for (const Specialization::InputShape &shape : fixed.inputShapes)
    if (idle)
      noteIdle(shape, before.lookup(shape.input),
               inputs.type(*inputs.find("", shape.input)), *idle);
  inputs.setFunctionType();
  for (const auto &[name, value] : fixed.values)
    if (llvm::Error error = inputs.bind(name, value))
      return error;
  inputs.setFunctionType();
  inputs.fixAnnotations();
  return llvm::Error::success();
}

llvm::Expected<DataType> onnxfold::inputElementType(ModuleOp module,
                                                    StringRef input) {
  Inputs inputs(module);
  llvm::Expected<unsigned> found = inputs.find(setting("bind"), input);
  if (!found)
    return found.takeError();
  ShapedType type = inputs.type(*found);
  return type ? toDataType(type.getElementType()) : DataType::Undefined;
}

llvm::Expected<Elements> onnxfold::parseValue(StringRef text, DataType type) {
  if (type == DataType::String)
    return Elements::fromStrings({}, {text});
  bool isList = text.contains(',');
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/!text.ends_with(","));
  if (text.empty() && !isList)
    return ModelFault("the value").is("empty").expected("a number");
  std::vector<StringRef> numbers;
  for (StringRef part : parts) {
    part = part.trim();
    if (type == DataType::Bool && (part == "true" || part == "false"))
      part = part == "true" ? "1" : "0";
    numbers.push_back(part);
  }
  Shape shape;
  if (isList)
    shape.push_back(numbers.size());
  if (!isNumeric(type) && type != DataType::Bool)
    return ModelFault("inputs of element type " + name(type) +
                      " take a .npy file, no text");
  // Texts are read as Cast reads them, but those for integers must be integers
  // of the type.
  DataType wide = isFloat(type) ? type : DataType::Int64;
  for (StringRef number : numbers) {
    int64_t value;
    uint64_t large;
    if (isFloat(type))
      break;
    if (type == DataType::UInt64 && !number.getAsInteger(10, large))
      wide = type;
    else if (number.getAsInteger(10, value) ||
             !(type == DataType::Bool ? value == 0 || value == 1
                                      : WideNum::widen(value).fits(type)))
      return ModelFault("'" + number + "' is not a number of type " +
                        name(type));
  }
  Elements texts =
      Elements::fromStrings(shape, llvm::ArrayRef<StringRef>(numbers));
  ops::StringCast parsed = ops::parseStrings(texts, wide, {});
  if (!parsed.value)
    return ModelFault("'" + numbers[parsed.bad] + "' is not a number of type " +
                      name(type));
  return ops::cast(parsed.value, type).materialize();
}
