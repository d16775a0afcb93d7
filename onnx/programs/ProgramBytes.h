//===- ProgramBytes.h - Elements as compiled programs have them -*- C++ -*-===//
//
// Programs and Elements have the same bytes, row-major, with two exceptions.
// Integers of less than 8 bits have a byte of their own in both, whose other bits
// are zeros in a program, and the sign of a signed element in Elements. Strings
// are numbers in a program (ProgramStrings.h).
// Thread safety: pure functions, but for the numbers of texts.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H
#define ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// Of one element in a program.
int64_t programElementBytes(DataType type);

/// Writes all elements to the memory of a program: as many as there are, times
/// programElementBytes.
void writeProgramBytes(const Elements &elements, char *to);

/// The bytes of one type are not the same.
bool differsInProgram(DataType type);

/// Elements of bytes copied from a program, which are changed. Null where a
/// string is the number of no text.
Elements fromProgramBytes(DataType type, ShapeRef shape,
                          llvm::IntrusiveRefCntPtr<HeapBuffer> bytes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H
