//===- TypePairs.cpp - Pairs of element types as text ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/TypeConversion.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;

static DataType typeOfName(StringRef text) {
  for (int number = 1; number < 64; ++number)
    if (isDataType(number) && name(DataType(number)) == text)
      return DataType(number);
  return DataType::Undefined;
}

static llvm::Error wrong(const Twine &text) {
  return llvm::createStringError(text);
}

static bool isPlainFloat(DataType type) {
  return typeClass(type) == TypeClass::Float;
}

static llvm::Expected<TypePair> parseOne(StringRef text) {
  auto [pair, mode] = text.split('=');
  auto [from, to] = pair.split(':');
  TypePair result{typeOfName(from), typeOfName(to), mode == "saturate"};
  bool areFloats = isPlainFloat(result.from) && isPlainFloat(result.to);
  bool areIntegers = isInteger(result.from) && isInteger(result.to) &&
                     !isSubByte(result.from) && !isSubByte(result.to);
  if (!areFloats && !areIntegers)
    return wrong("'" + pair +
                 "' is no pair of floats (f16, bf16, f32, f64) or of integers "
                 "(i8 to i64, u8 to u64), such as f32:f16 or i64:i32");
  if (result.from == result.to)
    return wrong("'" + pair + "' has one type twice");
  if (text.contains('=') && !result.saturates)
    return wrong("'" + text + "' has '=" + mode +
                 "', expected =saturate or nothing");
  return result;
}

llvm::Expected<llvm::SmallVector<TypePair>>
onnxfold::parseTypePairs(llvm::ArrayRef<std::string> texts) {
  llvm::SmallVector<TypePair> pairs;
  for (StringRef text : texts)
    for (StringRef one : llvm::split(text, ',')) {
      llvm::Expected<TypePair> pair = parseOne(one.trim());
      if (!pair)
        return pair.takeError();
      for (const TypePair &other : pairs)
        if (other.from == pair->from)
          return wrong("'" + name(pair->from) + "' is converted twice");
      pairs.push_back(*pair);
    }
  return pairs;
}
