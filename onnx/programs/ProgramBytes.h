//===- ProgramBytes.h - Elements as compiled programs have them -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Programs and Elements have the same bytes, row-major, with two exceptions.
// Integers of less than 8 bits have a byte of their own in both; its other bits
// are zeros in a program, and copies of the sign of a signed element in
// Elements. Strings are numbers in a program (ProgramStrings.h).
// Thread safety: the functions are pure, except that they number texts.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H
#define ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold {

/// The bytes of one element in a program.
int64_t programElementBytes(DataType type);

/// Writes all elements to the memory of a program, programElementBytes for each
/// element.
void writeProgramBytes(const Elements &elements, char *to);

/// True if elements of the type have other bytes in a program than in Elements.
bool differsInProgram(DataType type);

/// Makes Elements of `bytes`, which were copied from a program and are changed.
/// Null if a string is a number without a text.
Elements fromProgramBytes(DataType type, ShapeRef shape,
                          llvm::IntrusiveRefCntPtr<HeapBuffer> bytes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_PROGRAMBYTES_H
