//===- ProgramBytes.h - Elements as compiled programs have them -*- C++ -*-===//
//
// Programs and Elements have the same bytes, row-major, but for integers of
// less than 8 bits: each has a byte of its own in both, whose other bits are
// zeros in a program, and the sign of a signed element in Elements.
// Thread safety: pure functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H
#define ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// Writes all elements to the memory of a program: elements.bytes() of them.
void writeProgramBytes(const Elements &elements, char *to);

/// Bytes copied from a program become those of Elements of this type.
void fromProgramBytes(DataType type, llvm::MutableArrayRef<char> bytes);

/// They are different.
bool isNarrowInProgram(DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H
