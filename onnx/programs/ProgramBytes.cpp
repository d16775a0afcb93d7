//===- ProgramBytes.cpp - Elements as compiled programs have them ---------===//

#include "onnxfold/onnx/programs/ProgramBytes.h"

using namespace onnxfold;

bool onnxfold::isNarrowInProgram(DataType type) {
  unsigned bits = bitWidth(type);
  return type != DataType::Bool && bits != 0 && bits < 8;
}

void onnxfold::writeProgramBytes(const Elements &elements, char *to) {
  uint64_t size = elements.bytes();
  if (!size)
    return;
  elements.read(to);
  if (!isNarrowInProgram(elements.type()))
    return;
  auto mask = static_cast<char>((1 << bitWidth(elements.type())) - 1);
  for (char &byte : llvm::MutableArrayRef<char>(to, size))
    byte &= mask;
}

void onnxfold::fromProgramBytes(DataType type,
                                llvm::MutableArrayRef<char> bytes) {
  if (!isNarrowInProgram(type) || typeClass(type) != TypeClass::Signed)
    return;
  unsigned above = 8 - bitWidth(type);
  for (char &byte : bytes)
    byte = static_cast<char>(static_cast<signed char>(byte << above) >> above);
}
