//===- NpyFile.h - Tensors that numpy saves and loads -----------*- C++ -*-===//
//
// Reads a .npy file (format versions 1 to 3, as numpy.save writes them): one
// array, in either order of memory, of little-endian or single-byte elements, or
// of texts (`<U5`, `|S5`: String elements, in UTF-8); and writes one. Source:
// numpy.lib.format.
//
//   Expected<Elements> mask = readNpy("mask.npy", DataType::Bool);
//   Error error = writeNpy("out.npy", result);
//
// What is refused, with the file's name and what it has: other magic bytes or
// versions, a header that is no plain dictionary, Python objects, dates,
// structures, big-endian numbers, and a file whose size is not that of its
// header and elements. The bytes are read once, into memory.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NPY_NPYFILE_H
#define ONNXFOLD_ELEMENTS_NPY_NPYFILE_H

#include "onnxfold/elements/Elements.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// `expected`: numpy has no bfloat16 and no float of 8 bits, and saves them as
/// bytes without a meaning (`|V2`, `|V1`); these are taken as `expected`, if
/// it is of that width. Otherwise the type is the file's own.
llvm::Expected<Elements> readNpy(llvm::StringRef path,
                                 DataType expected = DataType::Undefined);

/// The same of the bytes of a file, which messages call `name`.
llvm::Expected<Elements> parseNpy(llvm::StringRef bytes, llvm::StringRef name,
                                  DataType expected = DataType::Undefined);

/// Writes version 1.0, row-major. Types that numpy lacks become bytes without
/// a meaning, as the package ml_dtypes has it (bfloat16 is `|V2`), integers
/// narrower than a byte int8 or uint8. Strings become `<U`: their ends in zeros
/// are lost, as numpy's are. REQUIRES: not Opaque.
llvm::Error writeNpy(llvm::StringRef path, const Elements &elements);

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_NPY_NPYFILE_H
