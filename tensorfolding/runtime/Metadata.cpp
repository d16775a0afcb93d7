//===- Metadata.cpp - What a folded entry expects -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/Metadata.h"

#include <algorithm>

namespace onnxfold::tensorfolding {

std::string metadataSymbol(const std::string &entry) {
  return entry + ".fold_metadata";
}

std::string typeName(const TensorType &type) {
  std::string element = elementName(type.element);
  if (type.isScalar)
    return element;
  std::string name = "tensor<";
  for (int64_t size : type.shape)
    name += (size == dynamicSize ? "?" : std::to_string(size)) + "x";
  return name + element + ">";
}

std::optional<uint64_t> staticBytes(const TensorType &type) {
  uint64_t bits = type.element.storageBits;
  bool isEmpty = false;
  for (int64_t size : type.shape) {
    if (size < 0)
      return std::nullopt;
    isEmpty |= size == 0;
  }
  if (isEmpty)
    return 0;
  for (int64_t size : type.shape)
    if (__builtin_mul_overflow(bits, uint64_t(size), &bits))
      return std::nullopt;
  // Sizes and offsets in bytes are signed in compiled code.
  if (bits / 8 > uint64_t(INT64_MAX) / 2)
    return std::nullopt;
  return (bits + 7) / 8;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Says what is wrong with a type, after "has"; empty if nothing is.
static std::string wrongType(const TensorType &type) {
  if (!isElementType(type.element))
    return "element type code " + std::to_string(type.element.code) + " in " +
           std::to_string(type.element.storageBits) +
           " bits, expected one of ElementType.h";
  if (type.isScalar && !type.shape.empty())
    return "a scalar type with a shape, expected none";
  if (type.layout != Layout::RowMajor && type.layout != Layout::AnyStrides)
    return "layout " + std::to_string(uint32_t(type.layout)) +
           ", expected 0 or 1";
  for (int64_t size : type.shape)
    if (size < 0 && size != dynamicSize)
      return "size " + std::to_string(size) +
             " in its shape, expected one of at least 0, or dynamic";
  bool isStatic = std::find(type.shape.begin(), type.shape.end(),
                            dynamicSize) == type.shape.end();
  if (isStatic && !staticBytes(type))
    return "type " + typeName(type) + ", expected one whose bytes fit 62 bits";
  return "";
}

static std::string quoted(const Function &function) {
  return "'" + function.symbol + "'";
}

static std::string wrongFunction(const Function &function) {
  if (function.symbol.empty())
    return "no symbol, expected the name of a function";
  if (function.symbol.find('\0') != std::string::npos)
    return "a symbol with a zero byte, expected none";
  if (function.convention != ResultConvention::OutParameters &&
      function.convention != ResultConvention::Returned)
    return "convention " + std::to_string(uint32_t(function.convention)) +
           ", expected 0 or 1";
  return "";
}

static bool isDynamic(const TensorType &type) {
  return std::find(type.shape.begin(), type.shape.end(), dynamicSize) !=
         type.shape.end();
}

static std::string outOfRange(const char *what, uint64_t index, size_t count,
                              const char *ofWhat) {
  return std::string(what) + " " + std::to_string(index) +
         ", expected a number below " + std::to_string(count) + ", of " +
         ofWhat;
}

/// Says what is wrong with the inputs and outputs of a part. `producers` counts
/// how many parts have each folded value as an output.
static std::string wrongPart(const Metadata &metadata, const Part &part,
                             std::vector<uint32_t> &producers) {
  if (std::string wrong = wrongFunction(part.function); !wrong.empty())
    return wrong;
  for (uint32_t input : part.inputs) {
    if (input >= metadata.arguments.size())
      return outOfRange("input", input, metadata.arguments.size(),
                        "an argument");
    if (metadata.arguments[input].role == ArgumentRole::Input)
      return "input " + std::to_string(input) +
             ", which is given with every call, expected a constant";
  }
  if (part.outputs.empty())
    return "no outputs, expected at least one";
  for (uint32_t output : part.outputs) {
    if (output >= metadata.foldedValues.size())
      return outOfRange("output", output, metadata.foldedValues.size(),
                        "a folded value");
    if (++producers[output] > 1)
      return "folded value " + std::to_string(output) +
             " as an output, expected it once";
    const TensorType &type = metadata.foldedValues[output].type;
    if (part.function.convention == ResultConvention::OutParameters &&
        isDynamic(type))
      return "out-parameter " + typeName(type) + ", expected a static shape";
  }
  return "";
}

/// Strides are those of a tensor in some order of its dimensions, with gaps or
/// without, so that no two elements share a place and sizes cannot overflow.
static std::string wrongStrides(const FoldedValue &value) {
  if (value.strides.empty())
    return "";
  if (isDynamic(value.type) || value.type.element.storageBits < 8 ||
      value.strides.size() != value.type.shape.size())
    return std::to_string(value.strides.size()) + " strides, expected none, " +
           "or as many as a static shape of whole bytes has sizes";
  std::vector<size_t> order;
  for (size_t i = 0; i < value.strides.size(); ++i)
    if (value.type.shape[i] != 1)
      order.push_back(i);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return value.strides[a] < value.strides[b];
  });
  int64_t extent = value.type.element.storageBits / 8; // of what came before
  int64_t elementBytes = extent;
  for (size_t i : order) {
    int64_t bytes;
    if (value.strides[i] <= 0 ||
        __builtin_mul_overflow(value.strides[i], elementBytes, &bytes) ||
        bytes < extent ||
        __builtin_mul_overflow(bytes, std::max<int64_t>(value.type.shape[i], 1),
                               &extent) ||
        extent > INT64_MAX / 2)
      return "stride " + std::to_string(value.strides[i]) + " of dimension " +
             std::to_string(i) + ", expected one that is larger than what " +
             "the smaller strides span, and bytes that fit 62 bits";
  }
  return "";
}

static std::string wrongEntry(const Metadata &metadata) {
  if (std::string wrong = wrongFunction(metadata.entry); !wrong.empty())
    return wrong;
  size_t position = 0;
  for (const EntryArgument &argument : metadata.entryArguments) {
    std::string what = "argument " + std::to_string(position++) + " from ";
    if (argument.kind == EntryArgument::Kind::Original) {
      if (argument.index >= metadata.arguments.size())
        return what + outOfRange("original argument", argument.index,
                                 metadata.arguments.size(), "an argument");
    } else if (argument.kind == EntryArgument::Kind::Folded) {
      if (argument.index >= metadata.foldedValues.size())
        return what + outOfRange("folded value", argument.index,
                                 metadata.foldedValues.size(),
                                 "a folded value");
    } else {
      return what + "kind " + std::to_string(uint32_t(argument.kind)) +
             ", expected 0 or 1";
    }
  }
  for (const TensorType &type : metadata.results) {
    if (std::string wrong = wrongType(type); !wrong.empty())
      return "a result that has " + wrong;
    if (metadata.entry.convention == ResultConvention::OutParameters &&
        isDynamic(type))
      return "out-parameter " + typeName(type) + ", expected a static shape";
  }
  return "";
}

/// Says what is wrong with the type or the role of an argument.
static std::string wrongArgument(const Argument &argument) {
  if (uint32_t(argument.role) > uint32_t(ArgumentRole::Weight))
    return "role " + std::to_string(uint32_t(argument.role)) +
           ", expected 0, 1 or 2";
  return wrongType(argument.type);
}

std::string checkMetadata(const Metadata &metadata) {
  for (size_t i = 0; i < metadata.arguments.size(); ++i)
    if (std::string wrong = wrongArgument(metadata.arguments[i]);
        !wrong.empty())
      return "argument " + std::to_string(i) + " has " + wrong;
  for (size_t i = 0; i < metadata.foldedValues.size(); ++i) {
    std::string wrong = wrongType(metadata.foldedValues[i].type);
    if (wrong.empty())
      wrong = wrongStrides(metadata.foldedValues[i]);
    if (!wrong.empty())
      return "folded value " + std::to_string(i) + " has " + wrong;
  }
  std::vector<uint32_t> producers(metadata.foldedValues.size());
  for (size_t i = 0; i < metadata.parts.size(); ++i)
    if (std::string wrong = wrongPart(metadata, metadata.parts[i], producers);
        !wrong.empty())
      return "part " + std::to_string(i) + " (" +
             quoted(metadata.parts[i].function) + ") has " + wrong;
  for (size_t i = 0; i < producers.size(); ++i)
    if (producers[i] == 0)
      return "folded value " + std::to_string(i) +
             " has no part, expected one with it as an output";
  if (std::string wrong = wrongEntry(metadata); !wrong.empty())
    return "entry " + quoted(metadata.entry) + " has " + wrong;
  return "";
}

} // namespace onnxfold::tensorfolding
