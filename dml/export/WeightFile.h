//===- WeightFile.h - Matrices as SystemDS reads them -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Writes a tensor as a matrix of doubles. Binary is the format that SystemDS
// itself writes: a Hadoop sequence file of dense blocks of 1000 x 1000 values.
// SystemDS reads it ten times as fast as text. Csv is for other readers; its
// numbers have 17 digits.
//
//   if (llvm::Error error = writeMatrix(*file, values, 200, 30,
//                                       WeightFormat::Binary)) ...
//
// Memory: one block, or one row of csv. Thread safety: as OutputFile. Errors:
// those of the file. The caller refuses integers that a double does not hold
// (firstInexact).
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_WEIGHTFILE_H
#define ONNXFOLD_DML_EXPORT_WEIGHTFILE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/io/files/OutputFile.h"

namespace onnxfold::dml {

enum class WeightFormat { Binary, Csv };

/// Writes the matrix. REQUIRES: `values` are rows * columns doubles.
llvm::Error writeMatrix(OutputFile &file, const Elements &values, int64_t rows,
                        int64_t columns, WeightFormat format);

/// The values as doubles; null for types whose values are not real numbers,
/// such as strings.
Elements asDoubles(const Elements &values);

/// The number of the first integer that a double does not hold exactly, or -1.
int64_t firstInexact(const Elements &values);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_WEIGHTFILE_H
