//===- MatrixFile.h - Matrices that SystemDS has written --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads what writeMatrix() (WeightFile.h) and SystemDS write: sequence files of
// blocks, one file or a folder of parts, and csv.
//
//   llvm::Expected<MatrixOfFile> w = readMatrix("w.bin", 200, 30);
//
// A negative size means that of the file w.bin.mtd beside it, or, for csv, that
// of the text. The result has all values in row-major order.
//
// Thread safety: pure. Errors: files that cannot be read, that are damaged, or
// that have other sizes. Nothing beyond the sizes is allocated.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_MATRIXFILE_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_MATRIXFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace onnxfold::dml {

struct MatrixOfFile {
  int64_t rows = -1, columns = -1;
  std::vector<double> values;
};

llvm::Expected<MatrixOfFile> readMatrix(llvm::StringRef path, int64_t rows,
                                        int64_t columns);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_MATRIXFILE_H
