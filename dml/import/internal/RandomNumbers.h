//===- RandomNumbers.h - What SystemDS makes of a seed ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// rand() and sample() with a seed give the same numbers in every run of
// SystemDS 3.4.0, on one machine and on Spark: java.util.Random numbers in
// blocks of 1000 x 1000, and WELL1024a the seeds of the blocks.
//
// Thread safety: pure. Errors: none. Time: linear.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_INTERNAL_RANDOMNUMBERS_H
#define ONNXFOLD_DML_IMPORT_INTERNAL_RANDOMNUMBERS_H

#include <cstdint>
#include <vector>

namespace onnxfold::dml {

/// A call of rand(). The share of numbers that are not zero must be 1, or large
/// enough for a dense matrix.
struct SeededMatrix {
  int64_t rows, columns, seed;
  double least = 0, most = 1, share = 1;
  bool isNormal = false;

  /// A sparse matrix skips zeros, and gets other numbers.
  bool isDense() const {
    double count = double(rows) * double(columns);
    return share == 1 || double(int64_t(share * count)) / count >= 0.4;
  }
};

/// Row by row.
std::vector<double> seededNumbers(const SeededMatrix &matrix);

/// sample(): `count` of the numbers 1 to `range`, which is at least `count`
/// unless numbers may repeat.
std::vector<double> seededSample(int32_t range, int32_t count, bool mayRepeat,
                                 int64_t seed);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_INTERNAL_RANDOMNUMBERS_H
