//===- MatMul.h - Matrix products -------------------------------*- C++ -*-===//
//
//   Elements c = matmul(a, b);       // numpy.matmul
//   Elements y = gemm(a, b, c, {.alpha = 0.5, .transB = true});
//
// f32 and narrower accumulate in double and round once; f64 accumulates in
// double; complex numbers too, part by part; integers of 8 to 64 bits wrap in
// their type. The order of every sum is fixed by the shapes, never by the
// number of threads or the processor. Results are deferred; null for other
// element types (of quantised ones: cast first, or dequantize). Thread safety:
// pure functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_MATMUL_H
#define ONNXFOLD_ELEMENTS_OPS_MATMUL_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The shape of numpy.matmul, or nothing where the operands do not fit.
std::optional<Shape> matmulShape(ShapeRef a, ShapeRef b);

/// numpy.matmul: 1-D operands are a row and a column, leading dimensions
/// broadcast. REQUIRES: one element type; matmulShape(a, b).
Elements matmul(const Elements &a, const Elements &b);

struct GemmOptions {
  double alpha = 1, beta = 1;
  bool transA = false, transB = false;
};

/// alpha * A * B + beta * C, A and B of rank 2, transposed first if asked; C
/// (null: none) broadcasts to the result. No integers: all in double, rounded
/// once.
/// REQUIRES: one element type; matching dimensions; for integers, alpha and
/// beta are whole numbers that int64 holds.
Elements gemm(const Elements &a, const Elements &b, const Elements &c,
              const GemmOptions &options);

/// A matrix of doubles in memory: rows one after the other, `pitch` apart.
struct MatrixOfDoubles {
  const double *data;
  int64_t rows, cols, pitch;
};

/// sums += a * b, where sums has rows `pitch` apart: the product of one block,
/// for loops that make their operands block by block (Convolution.h). On the
/// calling thread; the same bits on every machine, but for which NaN it is.
/// REQUIRES: a.cols == b.rows; sums overlaps neither.
void multiplyAdd(double *sums, int64_t pitch, const MatrixOfDoubles &a,
                 const MatrixOfDoubles &b);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_MATMUL_H
