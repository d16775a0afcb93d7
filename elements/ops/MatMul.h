//===- MatMul.h - Matrix products -------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices, and of stacks of matrices.
//
//   Elements c = matmul(a, b);       // numpy.matmul
//   Elements y = gemm(a, b, c, {.alpha = 0.5, .transB = true});
//
// Float and complex types accumulate in double (complex numbers part by part)
// and are rounded once; integers of 8 to 64 bits wrap in their type. The order
// of every sum depends on the shapes alone, not on the number of threads or the
// processor. Results are deferred. The functions return null for other element
// types; quantised operands must be cast or dequantised first. Thread safety:
// pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_MATMUL_H
#define ONNXFOLD_ELEMENTS_OPS_MATMUL_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The result shape of numpy.matmul, or nothing if the operands do not fit.
std::optional<Shape> matmulShape(ShapeRef a, ShapeRef b);

/// numpy.matmul: a 1-D operand is a row (a) or a column (b), and leading
/// dimensions broadcast. REQUIRES: one element type; matmulShape has a value.
Elements matmul(const Elements &a, const Elements &b);

struct GemmOptions {
  double alpha = 1, beta = 1;
  bool transA = false, transB = false;
};

/// alpha * A * B + beta * C. A and B have rank 2 and are transposed first if
/// `options` says so. C broadcasts to the result, and may be null. All of it is
/// computed in double and rounded once, except for integers, which wrap.
/// REQUIRES: one element type; matching dimensions; for integers, alpha and
/// beta are whole numbers that int64 holds.
Elements gemm(const Elements &a, const Elements &b, const Elements &c,
              const GemmOptions &options);

/// A matrix of doubles in memory. Its rows are `pitch` elements apart.
struct MatrixOfDoubles {
  const double *data;
  int64_t rows, cols, pitch;
};

/// sums += a * b, where the rows of `sums` are `pitch` elements apart. It is
/// the product of one block, for loops that make their operands block by block
/// (Convolution.h), and runs on the calling thread. The result has the same
/// bits on every machine, except for the sign and payload of a NaN.
/// REQUIRES: a.cols == b.rows; `sums` overlaps neither operand.
void multiplyAdd(double *sums, int64_t pitch, const MatrixOfDoubles &a,
                 const MatrixOfDoubles &b);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_MATMUL_H
