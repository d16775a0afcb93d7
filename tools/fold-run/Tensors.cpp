//===- Tensors.cpp - Arguments and results of fold-run --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Tensors.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/tensorfolding/evaluation/CompiledBytes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Error onnxfold::makeRunError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Expected<NumberedFiles>
onnxfold::parseNumberedFiles(llvm::ArrayRef<std::string> texts,
                             StringRef option) {
  NumberedFiles files;
  for (StringRef text : texts) {
    auto [digits, file] = text.split('=');
    unsigned number;
    if (digits.getAsInteger(10, number) || file.empty())
      return makeRunError("--" + option + " is '" + text +
                          "', expected NUMBER=FILE.npy");
    if (!files.emplace(number, file.str()).second)
      return makeRunError("--" + option + " gives argument " + digits +
                          " twice");
  }
  return files;
}

static std::string textOfType(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// The same bytes as elements of another type of that width.
static Elements reinterpret(const Elements &elements, DataType type) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(elements.bytes());
  elements.read(buffer->data());
  return fromCompiledBytes(type, elements.shape(), buffer);
}

/// All values are those of an integer of `bits` bits, of either sign.
static bool fits(const Elements &elements, unsigned bits) {
  return llvm::all_of(elements.ints(), [&](int64_t value) {
    return value >= -(int64_t(1) << (bits - 1)) && value < int64_t(1) << bits;
  });
}

/// Null if the file's type is no form of `wanted`.
static Elements convertTo(const Elements &elements, DataType wanted) {
  DataType type = elements.type();
  if (type == wanted)
    return elements;
  auto isInteger = [](DataType type) {
    return typeClass(type) == TypeClass::Signed ||
           typeClass(type) == TypeClass::Unsigned;
  };
  if (type == DataType::UInt16 && wanted == DataType::BFloat16)
    return reinterpret(elements, wanted);
  if (!isInteger(type) || !isInteger(wanted) ||
      byteWidth(type) != byteWidth(wanted))
    return Elements();
  if (bitWidth(wanted) < 8 && !fits(elements, bitWidth(wanted)))
    return Elements();
  return reinterpret(elements, wanted);
}

llvm::Expected<Elements> onnxfold::readArgument(StringRef file, mlir::Type type,
                                                const llvm::Twine &argument) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  DataType wanted = toDataType(tensor ? tensor.getElementType() : type);
  if (wanted == DataType::Undefined)
    return makeRunError(argument + " is " + textOfType(type) +
                        ", which no .npy file holds");
  auto elements = readNpy(file, wanted);
  if (!elements)
    return makeRunError(argument + ": " + llvm::toString(elements.takeError()));
  Elements converted = convertTo(*elements, wanted);
  bool hasShape =
      tensor ? tensor.getRank() == elements->rank() &&
                   llvm::all_of(llvm::zip(tensor.getShape(), elements->shape()),
                                [](auto sizes) {
                                  auto [size, given] = sizes;
                                  return mlir::ShapedType::isDynamic(size) ||
                                         size == given;
                                })
             : elements->rank() == 0;
  if (!converted || !hasShape)
    return makeRunError(
        argument + ": " + file + " has shape " + toString(elements->shape()) +
        " of " + name(elements->type()) + ", expected " + textOfType(type));
  return converted;
}

std::string onnxfold::textOf(const Elements &elements, mlir::Type type,
                             int64_t limit) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  auto exact = mlir::RankedTensorType::get(
      elements.shape(), tensor ? tensor.getElementType() : type);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (elements.size() > limit)
    os << exact;
  else
    mlir::Attribute(toDenseAttribute(elements, exact)).print(os);
  return text;
}
