//===- ProgramBytes.cpp - Elements as compiled programs have them ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/programs/ProgramBytes.h"
#include "onnxfold/onnx/programs/ProgramStrings.h"
#include <cstring>

using namespace onnxfold;

static bool isNarrow(DataType type) {
  unsigned bits = bitWidth(type);
  return type != DataType::Bool && bits != 0 && bits < 8;
}

int64_t onnxfold::programElementBytes(DataType type) {
  return type == DataType::String ? sizeof(int64_t) : byteWidth(type);
}

bool onnxfold::differsInProgram(DataType type) {
  return type == DataType::String || isNarrow(type);
}

static void writeNumbers(const Elements &texts, char *to) {
  for (llvm::StringRef text : texts.values<llvm::StringRef>()) {
    int64_t number = numberOfText(text);
    std::memcpy(to, &number, sizeof(number));
    to += sizeof(number);
  }
}

void onnxfold::writeProgramBytes(const Elements &elements, char *to) {
  if (elements.size() == 0)
    return;
  if (elements.type() == DataType::String)
    return writeNumbers(elements, to);
  elements.read(to);
  if (!isNarrow(elements.type()))
    return;
  auto mask = static_cast<char>((1 << bitWidth(elements.type())) - 1);
  for (char &byte : llvm::MutableArrayRef<char>(to, elements.bytes()))
    byte &= mask;
}

static Elements fromNumbers(ShapeRef shape, const char *bytes) {
  std::vector<llvm::StringRef> texts;
  for (int64_t i = 0; i < numElements(shape); ++i) {
    int64_t number;
    std::memcpy(&number, bytes + i * sizeof(number), sizeof(number));
    auto text = textOfNumber(number);
    if (!text)
      return Elements();
    texts.push_back(*text);
  }
  return Elements::fromStrings(shape, texts);
}

Elements
onnxfold::fromProgramBytes(DataType type, ShapeRef shape,
                           llvm::IntrusiveRefCntPtr<HeapBuffer> bytes) {
  if (type == DataType::String)
    return fromNumbers(shape, bytes->data());
  if (isNarrow(type) && typeClass(type) == TypeClass::Signed) {
    unsigned above = 8 - bitWidth(type);
    for (char &byte :
         llvm::MutableArrayRef<char>(bytes->data(), numElements(shape)))
      byte =
          static_cast<char>(static_cast<signed char>(byte << above) >> above);
  }
  return Elements::fromBuffer(type, shape, bytes);
}
