//===- VerifyInputs.cpp - --verify-inputs ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/VerifyInputs.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorFile.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using namespace mlir;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// One set after the other.
class InputReader {
public:
  InputReader(ModuleOp module, const llvm::StringSet<> &bound) : bound(bound) {
    for (BlockArgument argument : mainGraph(module).getArguments()) {
      inputs.push_back(argument);
      byName[valueName(argument)] = argument;
    }
  }

  llvm::Error readAny(StringRef given);
  std::vector<GivenInputs> sets;

private:
  llvm::Error readNpz(StringRef file);
  llvm::Error readFolder(StringRef folder);
  llvm::Error readArrays(llvm::ArrayRef<std::string> files);
  llvm::Error readMessages(llvm::ArrayRef<std::string> files);
  llvm::Error readMessage(StringRef file, unsigned number);
  DataType typeOf(StringRef name) const;
  llvm::Error add(StringRef file, StringRef name, FoldedValue value);

  const llvm::StringSet<> &bound;
  SmallVector<BlockArgument> inputs;
  llvm::StringMap<BlockArgument> byName;
};

} // namespace

/// The element type of a tensor; Undefined for other types.
static DataType elementTypeOf(Type type) {
  auto tensor = dyn_cast<ShapedType>(type);
  return tensor ? toDataType(tensor.getElementType()) : DataType::Undefined;
}

DataType InputReader::typeOf(StringRef name) const {
  BlockArgument argument = byName.lookup(name);
  return argument ? elementTypeOf(argument.getType()) : DataType::Undefined;
}

/// Says what does not fit, or "".
static ModelFault misfit(const Elements &value, Type type) {
  auto tensor = dyn_cast<ShapedType>(type);
  if (!tensor)
    return {};
  DataType expected = toDataType(tensor.getElementType());
  if (expected != DataType::Undefined && value.type() != expected)
    return ModelFault()
        .has("elements of type " + name(value.type()))
        .expected(name(expected));
  bool fits = !tensor.hasRank() || tensor.getRank() == value.rank();
  if (fits && tensor.hasRank())
    for (auto [size, own] : llvm::zip_equal(tensor.getShape(), value.shape()))
      fits &= ShapedType::isDynamic(size) || size == own;
  if (fits)
    return {};
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return ModelFault().has("shape " + toString(value.shape())).expected(text);
}

llvm::Error InputReader::add(StringRef file, StringRef name,
                             FoldedValue value) {
  if (bound.contains(name))
    return llvm::Error::success();
  BlockArgument argument = byName.lookup(name);
  if (!argument) {
    std::string names;
    constexpr size_t most = 20;
    for (BlockArgument input :
         llvm::ArrayRef(inputs).take_front(std::min(most, inputs.size())))
      names +=
          (names.empty() ? "'" : ", '") + printableName(valueName(input)) + "'";
    return ModelFault()
        .file(file)
        .input(name)
        .is("none of the model")
        .expected("one of " + (names.empty() ? "none" : names));
  }
  if (value.tensor)
    if (ModelFault fault = misfit(value.tensor, argument.getType());
        !fault.empty())
      return ModelFault().file(file).input(name).append(fault);
  sets.back()[name] = std::move(value);
  return llvm::Error::success();
}

llvm::Error InputReader::readNpz(StringRef file) {
  llvm::Expected<NpzFile> archive = NpzFile::open(file);
  if (!archive)
    return archive.takeError();
  sets.emplace_back();
  for (const std::string &name : archive->names()) {
    llvm::Expected<Elements> value = archive->read(name, typeOf(name));
    if (!value)
      return value.takeError();
    if (llvm::Error error = add(file, name, FoldedValue(*value)))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error InputReader::readArrays(llvm::ArrayRef<std::string> files) {
  sets.emplace_back();
  for (StringRef file : files) {
    StringRef name = path::stem(file);
    llvm::Expected<Elements> value = readNpy(file, typeOf(name));
    if (!value)
      return value.takeError();
    if (llvm::Error error = add(file, name, FoldedValue(*value)))
      return error;
  }
  return llvm::Error::success();
}

/// `number`: of the input, if the message has no name of one.
llvm::Error InputReader::readMessage(StringRef file, unsigned number) {
  bool isSequence =
      number < inputs.size() && isa<OnnxSequenceType>(inputs[number].getType());
  if (isSequence) {
    auto list = readSequenceFile(file);
    if (!list)
      return list.takeError();
    return add(
        file, valueName(inputs[number]),
        FoldedValue(Sequence(std::make_shared<const TensorList>(*list))));
  }
  llvm::Expected<NamedTensor> tensor = readTensorFile(file);
  if (!tensor)
    return tensor.takeError();
  StringRef name = tensor->name;
  bool isKnown = byName.contains(name) || bound.contains(name);
  if (!isKnown && number >= inputs.size())
    return ModelFault().file(file).says("is of input " + llvm::Twine(number) +
                                        ", the model has " +
                                        llvm::Twine(inputs.size()));
  return add(file, isKnown ? name : valueName(inputs[number]),
             FoldedValue(tensor->value));
}

llvm::Error InputReader::readMessages(llvm::ArrayRef<std::string> files) {
  sets.emplace_back();
  for (StringRef file : files) {
    unsigned number;
    StringRef digits = path::stem(file);
    digits.consume_front("input_");
    if (digits.getAsInteger(10, number))
      return ModelFault().file(file).says(
          "expected input_0.pb, input_1.pb and so on");
    if (llvm::Error error = readMessage(file, number))
      return error;
  }
  return llvm::Error::success();
}

/// One kind of files, the first of these that is there: data sets, messages,
/// archives, arrays.
llvm::Error InputReader::readFolder(StringRef folder) {
  std::vector<std::string> folders, messages, archives, arrays;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; entry != end && !code;
       entry.increment(code)) {
    StringRef file = entry->path(), name = path::filename(file);
    if (name.starts_with("test_data_set_") && fs::is_directory(file))
      folders.push_back(file.str());
    else if (name.starts_with("input_") && name.ends_with(".pb"))
      messages.push_back(file.str());
    else if (name.ends_with(".npz"))
      archives.push_back(file.str());
    else if (name.ends_with(".npy"))
      arrays.push_back(file.str());
  }
  if (code)
    return makeSystemError(folder, "cannot be read", code.value());
  for (auto *list : {&folders, &messages, &archives, &arrays})
    llvm::sort(*list);
  for (StringRef inner : folders)
    if (llvm::Error error = readFolder(inner))
      return error;
  if (!folders.empty())
    return llvm::Error::success();
  if (!messages.empty())
    return readMessages(messages);
  for (StringRef archive : archives)
    if (llvm::Error error = readNpz(archive))
      return error;
  if (!archives.empty())
    return llvm::Error::success();
  if (!arrays.empty())
    return readArrays(arrays);
  return ModelFault()
      .file(folder)
      .has("no inputs")
      .expected("test_data_set_0, input_0.pb, *.npz or *.npy");
}

llvm::Error InputReader::readAny(StringRef given) {
  if (fs::is_directory(given))
    return readFolder(given);
  if (given.ends_with(".npy"))
    return readArrays({given.str()});
  return readNpz(given);
}

llvm::Expected<std::vector<GivenInputs>>
onnxfold::readVerifyInputs(StringRef path, ModuleOp module,
                           const llvm::StringSet<> &bound) {
  InputReader reader(module, bound);
  if (llvm::Error error = reader.readAny(path))
    return error;
  return std::move(reader.sets);
}
