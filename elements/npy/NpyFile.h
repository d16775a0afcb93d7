//===- NpyFile.h - Tensors that numpy saves and loads -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads and writes a .npy file: one array. Source: numpy.lib.format. The reader
// takes format versions 1 to 3, as numpy.save writes them, either order of
// memory, and little-endian or single-byte elements. Texts (`<U5`, `|S5`)
// become String elements in UTF-8.
//
//   Expected<Elements> mask = readNpy("mask.npy", DataType::Bool);
//   Error error = writeNpy("out.npy", result);
//
// The reader refuses other magic bytes or versions, a header that is no plain
// dictionary, Python objects, dates, structures, big-endian numbers, more than
// 2^20 texts of no characters (`<U0`), and a file whose size does not match its
// header and elements. Errors name the file and what it has. The bytes are read
// once, into memory, which the result owns.
// Thread safety: the functions may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NPY_NPYFILE_H
#define ONNXFOLD_ELEMENTS_NPY_NPYFILE_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// Reads the array of a file. numpy has no bfloat16 and no float of 8 bits, and
/// saves them as bytes without a type (`|V2`, `|V1`). Such bytes are read as
/// `expected` if it has their width; in all other cases the file determines the
/// type.
llvm::Expected<Elements> readNpy(llvm::StringRef path,
                                 DataType expected = DataType::Undefined);

/// The same for the bytes of a file, which error messages call `name`.
llvm::Expected<Elements> parseNpy(llvm::StringRef bytes, llvm::StringRef name,
                                  DataType expected = DataType::Undefined);

/// Writes a file of version 1.0, in row-major order. Types that numpy lacks
/// become bytes without a type, as the package ml_dtypes writes them (bfloat16
/// is `|V2`); integers narrower than a byte become int8 or uint8. Strings
/// become `<U`, which loses zeros at their ends, as in numpy.
/// REQUIRES: the type is not Opaque.
llvm::Error writeNpy(llvm::StringRef path, const Elements &elements);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_NPYFILE_H
